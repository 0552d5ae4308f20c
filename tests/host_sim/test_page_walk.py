# SPDX-License-Identifier: MIT
"""Each state of the page can be read and followed, in each language and on each screen."""

import pytest
from page_browsers import needs_browser
from page_states import bots_move, on_television, person_moves, played, started
from page_walk import EXCEPTIONS, LONGER, QUICK_SIZES, Walk, longer, moved, walk

from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize(
    "language, sizes, text",
    [
        ("fr", QUICK_SIZES, 100),
        (LONGER, QUICK_SIZES, 100),
        ("fr", ((390, 844), (768, 1024), (1366, 768)), 150),
    ],
)
def test_nothing_is_cut_hidden_or_moved(browser, language, sizes, text):
    """All sizes, languages and sizes of the text: `make walk`."""
    found = walk(browser, sizes=sizes, languages=(language,), texts=(text,))
    assert not found, "\n".join(map(str, found))


# Sums up how far parts of the page move.
SHIFTS = """() => { window.shifted = 0; new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) shifted += value;
}).observe({ type: "layout-shift" }); }"""
FRAMES = """() => new Promise(
  (shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))"""


@pytest.mark.slow
@needs_browser
def test_a_television_stands_still_in_a_round(browser, tmp_path):
    app, tab = started(tmp_path, 2), Walk(browser)
    phone = ViewerPage(app, Rights(False, "phone"))
    assert phone.handle({"do": "take-seat 2", "fields": {"name": "Eva"}})
    page = on_television(phone)
    page.viewer.set_language("fr")
    tab.show(page, (1920, 1080))
    tab.page.evaluate(SHIFTS)
    while bots_move(app) != "round":
        person_moves(app)
        tab.send({"show": page.components()})
        tab.page.evaluate(FRAMES)
    assert len(played(app).moments) > 40
    assert tab.page.locator(".story li").first.is_visible()
    assert tab.page.evaluate("shifted") < 0.05
    tab.context.close()


def test_the_made_up_language_has_longer_words_and_the_same_placeholders():
    assert longer({"a": "Lay {tile} to {name}, please"}) == {
        "a": "Layy {tile} to {name}, pleasese"
    }


def test_exceptions_are_few():
    assert len(EXCEPTIONS) <= 8


def test_what_moves_is_seen():
    assert moved({"#head": [0, 0, 9, 9]}, {"#head": [0, 0.9, 9, 9]}) == []
    assert moved({"#head": [0, 0, 9, 9]}, {"#head": [0, 2, 9, 9], "#hand": [0, 0, 1, 1]})
