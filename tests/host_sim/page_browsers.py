# SPDX-License-Identifier: MIT
"""Shared by the tests of the page: a program that serves it, and a real browser."""

import contextlib
import json
import os
import re
import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Self

import pytest
from forked_program import ForkedProgram
from playwright.sync_api import (
    Browser,
    BrowserType,
    ConsoleMessage,
    Error,
    Request,
    WebSocket,
)
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from host_sim.app.session.match_session import MatchSession, Waiting
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import Translator
from host_sim.board.pico import node
from host_sim.table import safety_net
from host_sim.table.console_line import ConsoleLine

ROOT = Path(__file__).resolve().parents[2]
HEADLESS = shutil.which("chromium-headless-shell")  # the same browser, without its windows
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or HEADLESS
Size = tuple[int, int]  # width and height of a screen, in pixels
State = Literal["attached", "hidden", "visible"]
Until = Callable[[Waiting, ConsoleLine], object]
PHONE, DESK, TELEVISION = (390, 844), (1280, 800), (1920, 1080)
SIZES = (PHONE, DESK, TELEVISION)
# every size light, and the colours of the dark once: they are the same at all sizes
LOOKS = (*((size, "light") for size in SIZES), (PHONE, "dark"))
ENGLISH = Translator("en")  # what a page says: a test repeats no sentence
# where the chosen tile fits, in the picture
PLACE = "body:has(.tile-button.chosen) #table .marked .next rect"
BUTTON = "#hand .act [data-do=button]"
ONE_PRESS_S = 0.6  # two presses within 0.5 s are one
# Lets the page's clock be put forward: `window.ahead` is added to it, in ms.
CLOCK = """(() => {
  const now = Date.now.bind(Date);
  window.ahead = 0;
  Date.now = () => now() + window.ahead;
})()"""
# selectors of buttons that are pressed, and of those that answer a dialog after a move
PRESSES = re.compile(r"#hand \.act|data-do='?(back|redo)")
ANSWERS = re.compile(r"data-do='?(curtain|next|rematch|end-match)")
TIMEOUT_MS = 120_000  # long enough for a busy machine

# Features of Chromium that are off. This list replaces Playwright's own, so it begins with what of
# that concerns the page, and what would ask other servers for something at the start. The popups
# of the address bar are pages, loaded again for every context: that doubled the processor time of
# opening a page.
WITHOUT = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "OptimizationHints", "NetworkTimeServiceQuerying"),
    *("AimEnabled", "PreconnectToSearch", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
ARGUMENTS = (
    *("--no-sandbox", "--disable-dev-shm-usage"),  # for root, and without /dev/shm
    # Python for the browser is compiled once, quickly: no test uses it long enough for more
    "--js-flags=--liftoff-only",
    "--disable-features=" + ",".join(WITHOUT),
)

AXE = node.PACKAGES[ROOT / "tests" / "linters"] / "node_modules" / "axe-core" / "axe.min.js"

needs_browser = pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="no axe: `make tests`")

# Lists what scrolls sideways, is smaller than 12 px, or has too little contrast.
FLAWS = """() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push("the page is wider than the screen");
  const number = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = number(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const open = document.querySelector("dialog[open]");
  const walk = document.createTreeWalker(open ?? document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const words = walk.currentNode.textContent.trim();
    // a lamp's sign is a picture, although drawn as a letter
    if (!words || element.closest("style, script, .heard, option, [hidden], .sign")) continue;
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
    const size = parseFloat(style.fontSize) * scale;
    if (size < 11.95) found.push(`${size.toFixed(1)} px: ${words}`);
    if (element.ownerSVGElement || element.closest("[disabled]")) continue;
    if (element.closest("#table")) continue; // on the felt; see the picture's own tests
    const [one, other] = [light(number(style.color)), light(ground(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(2)}: ${words}`);
  }
  return found;
}"""


# Returns whether the picture has the size of its place on the page.
DRAWN = """() => {
  const drawn = document.querySelector("#table > svg")?.viewBox.baseVal;
  const room = document.getElementById("table").getBoundingClientRect();
  return !drawn || Math.abs(drawn.width - room.width) + Math.abs(drawn.height - room.height) < 3;
}"""


def launched(chromium: BrowserType, *more: str) -> Browser:
    """Start Chromium without a window and return it. The headless build is used if installed."""
    return chromium.launch(executable_path=HEADLESS or CHROMIUM, args=(*ARGUMENTS, *more))


def late_messages(delay_ms: int) -> str:
    """Return JavaScript that delays all messages of a page, so that a test with a missing wait
    always fails."""
    return """
for (const [name, send] of [["WebSocket", "send"], ["Worker", "postMessage"]]) {
  const late = (act) => (event) => setTimeout(act, DELAY, event);
  self[name] = class extends self[name] {
    [send](...what) {
      setTimeout(() => (this.readyState ?? 1) === 1 && super[send](...what), DELAY);
    }
    set onopen(act) { super.onopen = late(act); }
    set onmessage(act) { super.onmessage = late(act); }
    set onclose(act) { super.onclose = late(act); }
  };
}
""".replace("DELAY", str(delay_ms))


class Program:
    """A command of host_sim that serves the page until `stop`."""

    def __init__(self, *words: str, **environment: str) -> None:
        seed = ["--seed", "1"] if words[0] == "play" else []  # the same tiles for every test
        self.words = [*words, *seed, "--no-browser"]
        self.environment = {**os.environ, "LANG": "C", **environment}
        self.start()

    def start(self) -> None:
        self.process = ForkedProgram(self.words, self.environment)
        self.printed = []
        for line in self.process.lines:
            self.printed.append(line.rstrip())
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\S*", line)
            if found:
                self.address, self.port = found.group(0), int(found.group(1))
                return
        raise AssertionError("the command printed no address of the page: %s" % self.printed)

    def kill(self) -> None:
        """End the program as a power cut would; `start` restarts it on the same port."""
        if "--at" in self.words:
            self.words[self.words.index("--at") + 1] = str(self.port)
        self.process.kill()

    def stop(self) -> str:
        """Press Ctrl-C; return everything that the program printed."""
        printed = "\n".join([*self.printed, self.process.interrupt()])
        assert safety_net.TITLE not in printed, printed
        return printed


@contextlib.contextmanager
def program(*words: str, **environment: str) -> Iterator[Program]:
    served = Program(*words, **environment)
    try:
        yield served
    finally:
        if served.process.is_alive():
            served.stop()


def served_from(folder: Path | str, *more: str) -> AbstractContextManager[Program]:
    """Serve a folder's matches, on any free port, for the duration of a `with` block."""
    return program("play", "--folder", str(folder), "--at", "0", *more)


class Visitor:
    """A page in the browser.

    wrong: the texts of the page's errors
    asked: the addresses that the page requested
    frames: the messages that the page received
    """

    def __init__(self, browser: Browser, size: Size = DESK, **more: Any) -> None:
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=size == PHONE,
            reduced_motion="reduce",
            **more,
        )
        self.context.add_init_script(CLOCK)
        self.page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.frames: list[str | bytes] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", self._page_error)
        self.page.on("request", self._request)
        self.page.on("websocket", self._websocket)
        self.touch = size == PHONE
        self.address = ""  # the last that was opened
        self._ahead_ms = 0  # of the page's clock

    def _page_error(self, error: Error) -> None:
        self.wrong.append(str(error))

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)

    def _websocket(self, wire: WebSocket) -> None:
        wire.on("framereceived", lambda frame: self.frames.append(frame))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)
        elif message.type == "warning":
            warnings.warn("the browser warns: " + message.text, stacklevel=1)

    def open(self, address: str) -> Self:
        """Go to an address and wait until the page has loaded."""
        self.address = address
        self.page.goto(address)
        self.page.wait_for_selector("#head .brand", state="attached")
        return self

    def guest(self, size: Size = PHONE) -> "Visitor":
        """Return another visitor, who may only watch."""
        assert self.context.browser
        return Visitor(self.context.browser, size).open(self.address.split("#")[0])

    def do(self, selector: str) -> None:
        """Click the first element that matches a selector, or tap it on a phone.

        The page's clock is advanced so that two quick clicks count as two.
        """
        if PRESSES.search(selector) or ANSWERS.search(selector):
            self.later()
        first = self.page.locator(selector).first
        first.tap() if self.touch else first.click()

    def later(self) -> None:
        """Advance the page's clock so far that the next click counts as a separate press."""
        self._ahead_ms += int(1000 * ONE_PRESS_S)
        self.page.evaluate("ms => { window.ahead = ms; }", self._ahead_ms)

    def hurry(self) -> None:
        """Set the bots to quick, and wait until the page shows it."""
        self.open_menu("open comfort", "pace quick")
        self.wait("dialog .on[data-do='pace quick']")
        self.close_dialogs()

    def shows(self, selector: str) -> bool:
        return self.page.locator(selector).first.is_visible()

    def first_shown(self, selectors: Iterable[str]) -> str | None:
        return next((selector for selector in selectors if self.shows(selector)), None)

    def received(self, name: str) -> list[str]:
        """Return a list of the HTML texts received for a component, oldest first."""
        messages = [json.loads(frame) for frame in self.frames]
        return [m["show"][name] for m in messages if name in m.get("show", {})]

    def wait(self, selector: str, state: State = "visible", **how: Any) -> None:
        self.page.locator(selector, **how).first.wait_for(state=state)

    def close_dialogs(self) -> None:
        """Press Escape until no dialog is open; a late click may open another."""
        for _ in range(12):
            if not self.shows("dialog[open]"):
                return
            shown = self.page.locator("#dialog").inner_html()
            self.page.keyboard.press("Escape")
            with contextlib.suppress(PlaywrightTimeout):
                self.page.wait_for_function(
                    "was => document.querySelector('#dialog').innerHTML !== was",
                    arg=shown,
                    timeout=5000,
                )
        raise AssertionError("no Escape closes it: %s" % shown)

    def open_menu(self, *names: str) -> None:
        """Open the menu, then press the buttons whose actions begin with these names."""
        self.do("#head [data-do='open menu']")
        for name in names:
            self.do("dialog [data-do^='%s']" % name)

    def hand(self) -> list[str]:
        return self.page.eval_on_selector_all(
            ".tile-button", "tiles => tiles.map(tile => tile.dataset.drag)"
        )

    def changes(self, act: Callable[[], object], selector: str = "#hand") -> None:
        """Call act(); wait until a component has changed or a dialog is open."""
        shown = self.page.locator(selector).inner_html()
        act()
        self.page.wait_for_function(
            "([component, was]) => document.querySelector(component).innerHTML !== was"
            " || document.querySelector('dialog[open]')",
            arg=[selector, shown],
        )

    def take_back(self, key: str | None = None) -> None:
        """Take the last move back, by the button or a key; confirm the page's question, if any."""
        self.wait("#hand [data-do=back]")
        sure = "dialog [data-do='back sure']"
        if key:
            self.page.keyboard.press(key)
        else:
            self.do("#hand [data-do=back]")
        self.wait("#hand [data-do=redo], " + sure)
        if self.shows(sure):
            self.do(sure)
        self.wait("#hand [data-do=redo]")

    def flaws(self) -> list[str]:
        """Return the flaws of the layout, once the picture has its final size."""
        self.page.wait_for_function(DRAWN)
        return self.page.evaluate(FLAWS)

    def share_of_the_table(self) -> float:
        """Return the height of the table's picture as a share of the screen's."""
        shown = self.page.locator("#table").bounding_box()
        assert shown and self.page.viewport_size
        return shown["height"] / self.page.viewport_size["height"]

    def check(self) -> None:
        """Check that no error occurred, and that the page asked no server except its own."""
        home = "/".join(self.address.split("/")[:3])
        elsewhere = [url for url in self.asked if not url.startswith((home, "data:", "blob:"))]
        assert not (self.wrong or elsewhere), (self.wrong, elsewhere)


def every_view(visitor: Visitor) -> Iterator[str]:
    """Open the views of a table one after the other; yield the name of each."""
    visitor.do("#head [data-do='open legend']")
    visitor.wait("dialog .legend")
    yield "the legend"
    visitor.close_dialogs()
    visitor.open_menu()
    yield "the menu"
    for name in ("comfort", "seats", "matches", "new"):
        visitor.close_dialogs()
        visitor.open_menu("open " + name)
        visitor.wait("dialog input")
        yield name
    visitor.close_dialogs()
    visitor.open_menu("open matches", "look-back")
    visitor.wait(".tape")
    for _ in range(3):
        visitor.changes(lambda: visitor.do(".tape [data-do='recording on']"), "#lesson")
    yield "looking back"
    visitor.open_menu("learn")
    visitor.wait(".lesson p")
    yield "the lesson"


def play_one(visitor: Visitor) -> bool:
    """Click the first place for a tile, else the first tile that fits, else the button. Return
    whether one of these was shown."""
    what = visitor.first_shown((PLACE, ".tile-button.fits", BUTTON))
    if what:
        visitor.changes(lambda: visitor.do(what))
    return bool(what)


def play_round(visitor: Visitor, most: int = 400) -> None:
    """Play by clicks until a dialog opens, such as at a round's end."""
    for _ in range(most):
        visitor.page.wait_for_selector(
            "dialog[open] button, .tile-button.fits, #hand .act [data-do=button]"
        )
        if visitor.shows("dialog[open]"):
            return
        play_one(visitor)
    raise AssertionError("the round does not end")


def kept(
    folder: Path | str,
    until: Until,
    people: Sequence[int] = (1,),
    house: str = "puremco",
    set_: int = 6,
    seats: Sequence[int] = (1, 2, 3),
    seed: int = 1,
) -> MatchSession:
    """Let bots play a match, store it in a folder to be continued, and return its closed
    MatchSession.

    until: a function (what the match waits for, last console line); the bots stop when it returns
        true
    people: the seats that people have after the bots have stopped
    """
    names = {1: "Ana", 2: "Bo", 3: "Zoe"}
    names = {seat: names.get(seat, "Guest %d" % seat) for seat in seats}
    session = MatchStore(folder).new(
        house=house, set_=set_, seats=seats, people=people, names=names, seed=seed
    )
    while not until(session.waits_for(), session.line):
        for seat in people:
            session.stand_up(seat)
        if not session.act():
            session.next_round()
        for seat in people:
            session.sit_down(seat)
    session.close()
    return session


@contextlib.contextmanager
def visiting(
    browser: Browser,
    folder: Path,
    until: Until | None = None,
    size: Size = DESK,
    host: bool = False,
    locale: str | None = None,
    script: str = "",
    **match: Any,
) -> Iterator[Visitor]:
    """Yield a visitor of a page that serves a folder's matches; check the page at the end.

    until: as for `kept`; None to store no match
    script: JavaScript that runs before the page's own
    """
    if until:
        kept(folder, until, **match)
    with served_from(folder, *(["--host"] if host else [])) as served:
        visitor = Visitor(browser, size, locale=locale)
        visitor.context.add_init_script(script)
        yield visitor.open(served.address)
        visitor.check()


def first_turn(waits: Waiting, line: ConsoleLine) -> bool:
    """Return whether a person is to move; for `until` of `kept`."""
    return waits.kind == "person"


def round_is_over(waits: Waiting, line: ConsoleLine) -> bool:
    return waits.kind == "round"
