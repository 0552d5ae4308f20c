# SPDX-License-Identifier: MIT
"""Plays a round in a browser by double taps, and compares the intended moves with the hub's.

As a program (`make taps`), it plays every house on a phone and a desktop, and prints how far the
page's layout shifted.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from page_browsers import (
    BUTTON,
    DESK,
    ENGLISH,
    PHONE,
    Size,
    Visitor,
    kept,
    launched,
    served_from,
)
from playwright.sync_api import Browser, FloatRect

from host_sim.app.people.house_options import HOUSES
from host_sim.app.session.match_store import MatchStore
from host_sim.board.hub import match_export

GAP_MS = 120  # between the two taps of a double tap
MOST = 200  # turns of a round
SHIFT = 0.05  # of a round at most, as the browser measures layout shifts
PLACE = "#table .slot.marked .next rect"
READY = ".tile-button.fits, #hand .act .ends, #hand .act .acts, dialog[open]"
# Adds up the layout shifts of a round's play, also those that follow an input at once, and their
# sources. The story is left out: its newest sentence comes first, and what is not visible is not
# counted.
SHIFTS = """
window.shifted = 0;
window.sources = {};
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    if (document.querySelector("dialog[open], .turned-up")) continue;
    window.shifted += shift.value;
    for (const { node } of shift.sources) {
      const { tile } = node?.dataset ?? {};
      const one = node?.nodeType === 1 ? node : node?.parentElement;
      const name = tile ?? `${one?.nodeName} ${one?.id} ${one?.getAttribute("class")}`;
      window.sources[name] = (window.sources[name] ?? 0) + shift.value;
    }
  }
}).observe({ type: "layout-shift", buffered: true });
"""

Move = tuple[str, str | None]  # did, and the tile, as in the hub's lines


class DoubleTaps:
    """A round in a browser, played by double taps.

    taken: a function that returns how many moves the hub has taken
    meant: (did, tile or None) of each intended move, as in the hub's lines
    """

    def __init__(self, visitor: Visitor, taken: Callable[[], int]) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.taken = taken
        self.meant: list[Move] = []
        self.clock = 10**12  # ms, of the browser

    def tap(self, box: FloatRect | None) -> None:
        """Tap twice in the middle of a box, GAP_MS apart by the browser's clock, and wait until
        the page has handled both taps."""
        assert box, "it is not shown"
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.clock += 1000

        def tap_twice() -> None:
            for _ in range(2):
                self.clock += GAP_MS
                self.page.evaluate("now => { Date.now = () => now; }", self.clock)
                if self.visitor.touch:
                    self.page.touchscreen.tap(x, y)
                else:
                    self.page.mouse.click(x, y)
                self.page.wait_for_timeout(GAP_MS)

        self.visitor.changes(tap_twice)
        self.page.wait_for_timeout(500)  # longer than two presses that are one

    def box(self, selector: str) -> FloatRect | None:
        """Return the box of the first visible element that matches a selector, or None."""
        for found in self.page.locator(selector).all():
            if box := found.bounding_box():
                return box
        return None

    def turn(self) -> None:
        """Make one move: the first tile that fits, or the button. On a phone, check how much of
        the screen's height the table has."""
        share = self.visitor.share_of_the_table()
        assert share >= 0.4 or not self.visitor.touch, share
        tile = self.page.locator(".tile-button.fits").first
        if self.visitor.shows(".tile-button.fits"):
            name = tile.get_attribute("data-tile")
            if "chosen" not in (tile.get_attribute("class") or ""):
                self.tap(tile.bounding_box())
            chosen = self.page.locator(".tile-button.chosen").get_attribute("data-tile")
            assert chosen == name, "the tile that was tapped is chosen: %s, %s" % (name, chosen)
            self.move("laid", name, self.box(PLACE))
            return
        text = self.page.locator(BUTTON).inner_text()
        words = {"draw": "drew", "pass": "passed", "knock": "knocked", "done": "passed"}
        (meaning,) = [word for word in words if ENGLISH("page." + word) == text]
        self.move(words[meaning], None, self.page.locator(BUTTON).bounding_box())

    def shows_knock(self) -> bool:
        button = self.page.locator(BUTTON)
        return self.visitor.shows(BUTTON) and button.inner_text() == ENGLISH("page.knock")

    def move(self, did: str, tile: str | None, box: FloatRect | None) -> None:
        """Double-tap a box to make a move, and wait until the hub itself has taken it.

        On a busy machine a player's time to knock can be over before the tap: then no move was
        meant.
        """
        self.meant.append((did, tile))
        self.tap(box)
        for waited in range(1200):
            if self.taken() >= len(self.meant):
                return
            if did == "knocked" and waited > 30 and not self.shows_knock():
                self.meant.pop()
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("the hub has not taken %s" % (self.meant[-1],))

    def round(self) -> None:
        for _ in range(MOST):
            self.visitor.wait(READY)
            if self.visitor.shows("dialog[open]"):
                return
            self.turn()
        raise AssertionError("the round does not end")


def played(
    browser: Browser, folder: Path, house: str, size: Size
) -> tuple[list[Move], list[Move], float, dict[str, float]]:
    """Play a round; return (moves meant, moves taken, layout shift, {element: its shift})."""
    kept(folder, lambda waits, line: waits.kind == "person", house=house)
    with served_from(folder) as served:
        visitor = Visitor(browser, size)
        visitor.page.add_init_script(SHIFTS)
        visitor.open(served.address)
        visitor.wait(".tile-button")
        visitor.page.evaluate("() => document.fonts.ready")
        visitor.page.add_style_tag(content="#story { visibility: hidden }")
        visitor.hurry()
        visitor.page.wait_for_timeout(700)
        visitor.page.evaluate("window.shifted = 0; window.sources = {}")
        store = MatchStore(folder)
        (match,) = store.matches()
        before = len(moves(store, match.id))
        taps = DoubleTaps(visitor, lambda: len(moves(store, match.id)) - before)
        taps.round()
        shifted, sources = visitor.page.evaluate("[window.shifted, window.sources]")
        visitor.check()
        visitor.context.close()
        return taps.meant, moves(store, match.id)[before:], shifted, sources


def moves(store: MatchStore, match_id: str) -> list[Move]:
    """Return [(did, tile or None), ...] for the moves of seat 1 in a stored match."""
    lines, _ = match_export.replay_export(store.segments(match_id))
    did = ("laid", "drew", "passed", "knocked", "out")
    found = [line for line in lines if line["by"] == 1 and line["did"] in did]
    return [(line["did"] or "", tile_of(line["input"])) for line in found]


def tile_of(text: str) -> str | None:
    """Return the tile of an input such as `tap 6-1 1`, or None for a press."""
    word, what, *_ = text.split()
    return what if word == "tap" else None


def main(houses: Sequence[str]) -> bool:
    from playwright.sync_api import sync_playwright

    wrong = 0
    with sync_playwright() as engine:
        browser = launched(engine.chromium)
        for house in houses or HOUSES:
            for size in (PHONE, DESK):
                with tempfile.TemporaryDirectory() as folder:
                    meant, took, shifted, sources = played(browser, Path(folder), house, size)
                same = meant == took
                wrong += not same or shifted > SHIFT
                print(
                    "%-14s %4d x %d  %3d moves  %s  shift %.3f"
                    % (house, *size, len(meant), "as meant" if same else "WRONG", shifted)
                )
                if not same:
                    print("  meant", meant, "\n  took ", took)
                if shifted > SHIFT:
                    print("  moved", sorted(sources.items(), key=lambda one: -one[1])[:6])
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
