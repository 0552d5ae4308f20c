# SPDX-License-Identifier: MIT
"""What every test leaves behind for the next one, whichever that is."""

import os
import signal

import pytest
from processor_seconds import ProcessorSeconds

from roundhouse.games import houses

# What a shell begins in the background ignores Ctrl-C, and so would every program that a test
# begins and then stops with it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The files that take the most processor time, the longest first: a long test that begins last
# keeps one processor waiting for the other.
LONGEST = (
    "test_site",
    "test_performance",
    "test_emulated_hub",
    "test_dishonest_evenings",
    "test_demo",
    "test_scripts",
    "test_site_serial",
    "test_missing_stations",
    "test_hardware",
    "test_maker",
    "test_page_lesson",
    "test_third_board",
    "test_page_table",
    "test_page",
    "test_pico_agreement",
    "test_mutants",
    "test_replay_on_micropython",
    "test_sitting",
    "test_page_watch",
    "test_on_micropython",
)


def pytest_configure(config):
    config.pluginmanager.register(ProcessorSeconds(config))


@pytest.hookimpl(optionalhook=True)  # a mutant's tests run without that plugin
def pytest_xdist_auto_num_workers(config):
    """Two tests a processor: whoever looks at a page waits for half of the time."""
    return 2 * len(os.sched_getaffinity(0))


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
