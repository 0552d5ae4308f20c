# SPDX-License-Identifier: MIT
"""Fixtures for all tests, and how pytest-xdist distributes the tests."""

import contextlib
import gc
import itertools
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from host_sim.app.views import whole_languages
from host_sim.app.views.languages import LANGUAGES
from host_sim.table import safety_net
from roundhouse.games import houses

if TYPE_CHECKING:  # most test runs start no browser
    from playwright.sync_api import Browser, BrowserContext

# Garbage is collected once all tests are found, and less often than by default.
gc.disable()
gc.set_threshold(10_000)

# A change may come with English sentences alone: it makes no test of another language fail.
whole_languages.WHOLE = LANGUAGES

# A shell makes background jobs ignore Ctrl-C; the programs that tests start must not inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Everywhere the same cases; `make fuzz` loads the profile "new", which draws others each time.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("new", deadline=None, print_blob=True)
hypothesis.settings.load_profile("fixed")

# Files with long tests start first, the longest one at the front: started last, one of them would
# leave the other processors idle. Those that wait for a browser are among those that compute.
LONGEST = (
    *(
        "test_site",
        "test_benchmark",
        "test_flashing",
        "test_guide_commands",
        "test_page_slips",
        "test_emulated_hub",
    ),
    *("test_demo", "test_page_lesson", "test_housing", "test_one_image", "test_page_ends"),
    *("test_scripts", "test_soak", "test_page_table", "test_on_micropython", "test_release"),
    *("test_kicad_projects", "test_site_serial", "test_mfrc522", "test_replay_on_micropython"),
    *("test_page_watch", "test_soak_faults", "test_copper", "test_page_views", "test_jit"),
    *("test_reader_faults", "test_page_screens", "test_viewer_page", "test_page_access"),
    *("test_page_components",),
    *("test_simulated_hub", "test_page", "test_failing_disk", "test_fuzzer"),
    *("test_mutants", "test_ended_commands", "test_out_of_memory", "test_gerbers"),
    *("test_driver_package", "test_position", "test_third_board", "test_table_schema"),
    *("test_match_session", "test_sentences", "test_inlined_constants", "test_soak_slips"),
    *("test_journal_on_flash", "test_match_store", "test_table_picture", "test_selfplay"),
)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@pytest.hookimpl(optionalhook=True)  # mutants are tested without pytest-xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers: one per processor, and one more because browser tests often
    wait."""
    return 1 + processors()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--order", type=int, help="the seed of a random order of the tests")
    parser.addoption("--late", type=int, default=0, help="ms that the page's messages are late")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests if --order is given, but keep the tests of a file together. If workers
    share the tests, move the files of LONGEST to the front."""
    if config.option.order is not None:
        draw = random.Random(config.option.order)
        places = {path: draw.random() for path in dict.fromkeys(item.path for item in items)}
        items.sort(key=lambda item: (places[item.path], draw.random()))
    if hasattr(config, "workerinput"):
        place = {name: number for number, name in enumerate(LONGEST)}
        items.sort(key=lambda item: place.get(item.path.stem, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Turn garbage collection on, but not for what is there now: that stays until the end."""
    gc.freeze()
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each example in a module's `EXAMPLES`; the example's title becomes the test's
    name."""
    if metafunc.function.__name__ == "test_example":
        found = metafunc.module.EXAMPLES
        metafunc.parametrize("title, lines", found, ids=[title for title, _ in found])


HOMES = itertools.count()


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.getbasetemp() / ("home%d" % next(HOMES))
    home.mkdir()
    # The checkout may belong to another user, as in a container: git still works there.
    config = home / ".gitconfig"
    config.write_text('[safe]\ndirectory = "%s"\n' % Path(__file__).resolve().parents[1])
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture(autouse=True)
def only_the_sheets_houses() -> Iterator[None]:
    """After each test, remove all own houses (see houses.set_family), because they are global."""
    yield
    houses.set_family({})


@pytest.fixture(autouse=True)
def no_error_is_hidden() -> Iterator[None]:
    """Let a test fail if a view survived an error."""
    yield
    safety_net.raise_caught()


class KeptChromium:
    """Chromium, which goes on from one module of tests to the next as long as each uses it.

    Playwright runs an event loop in the thread, where other tests want to run their own.
    """

    def __init__(self) -> None:
        self._used = contextlib.ExitStack()
        self._browser: Browser | None = None

    def started(self) -> "Browser":
        from page_browsers import launched
        from playwright.sync_api import sync_playwright

        if not (self._browser and self._browser.is_connected()):
            self.end()
            self._browser = launched(self._used.enter_context(sync_playwright()).chromium)
            self._used.callback(self._browser.close)
        return self._browser

    def end(self) -> None:
        self._browser = None
        self._used.close()


KEPT = KeptChromium()


@pytest.hookimpl(trylast=True)  # after the fixtures, which close what they have opened
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End Chromium after a module, unless the next module's first test uses it."""
    goes_on = nextitem and (
        nextitem.path == item.path or "chromium" in getattr(nextitem, "fixturenames", ())
    )
    if not goes_on:
        KEPT.end()


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """Chromium, without open pages at the start of each module."""
    found = KEPT.started()
    yield found
    for context in found.contexts:
        context.close()


@pytest.fixture
def browser(
    chromium: "Browser", pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> Iterator["Browser"]:
    """Chromium without open pages, with messages delayed by --late."""
    from page_browsers import late_messages

    def new_context(**options: Any) -> "BrowserContext":
        context = new(**options)
        context.add_init_script(late_messages(pytestconfig.option.late))
        return context

    new = chromium.new_context
    if pytestconfig.option.late:
        monkeypatch.setattr(chromium, "new_context", new_context)
    yield chromium
    for context in chromium.contexts:
        context.close()
