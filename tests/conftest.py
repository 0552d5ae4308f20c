# SPDX-License-Identifier: MIT
"""What every test leaves behind for the next one, whichever that is."""

import os
import signal

import pytest
from cpu_seconds import ProcessorSeconds

from roundhouse.games import houses

# What a shell begins in the background ignores Ctrl-C, and so would every program that a test
# begins and then stops with it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Files with long tests, the longest first: one that begins last keeps a processor waiting.
LONGEST = ("test_site", "test_scripts", "test_page", "test_emulated_hub", "test_demo")


def pytest_configure(config):
    config.pluginmanager.register(ProcessorSeconds(config))


def processors():
    """Return how many processors this process may use; not every system limits that."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@pytest.hookimpl(optionalhook=True)  # a mutant's tests run without that plugin
def pytest_xdist_auto_num_workers(config):
    """A worker a processor, and one more for the time in which another waits for a page."""
    return 1 + processors()


def pytest_collection_modifyitems(items):
    """Let the long files begin; the tests of a file stay together and in their order."""
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(LONGEST)))


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
