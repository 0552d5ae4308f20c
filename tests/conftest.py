# SPDX-License-Identifier: MIT
"""What every test leaves behind for the next one, whichever that is."""

import pytest

from roundhouse.games import houses


@pytest.fixture(autouse=True)
def only_the_sheets_houses():
    """A family's houses are the whole process's: a hub that was configured with some, or a soak,
    names them, and none of it may reach the next test."""
    yield
    houses.families({})


@pytest.fixture(scope="module")
def chromium():
    """A real browser, for a module's tests of the page."""
    from page_browsers import CHROMIUM
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def browser(chromium):
    """The same, with nothing open from the test before."""
    yield chromium
    for context in chromium.contexts:
        context.close()
