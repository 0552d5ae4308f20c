# SPDX-License-Identifier: MIT
"""Walks through every state of the page, in every language and size, and looks for what a person
could not read, reach or follow.

    PYTHONPATH=.:firmware .venv/bin/python tests/host_sim/page_walk.py [STATE...]

prints each flaw with where it was seen, and makes a contact sheet for each language (`make walk`).
The states are made in this process by seeds. The browser shows the real page, whose messages come
without a server.
"""

import base64
import contextlib
import itertools
import json
import mimetypes
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from page_browsers import launched
from page_states import STATES, State
from playwright.sync_api import Browser, Route, WebSocketRoute, sync_playwright

from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server.web_server import STATIC
from host_sim.app.views import i18n
from host_sim.app.views.i18n import LANGUAGES

Size = tuple[int, int]
SIZES: tuple[Size, ...] = (
    *((320, 568), (360, 640), (390, 844), (430, 932), (568, 320), (844, 390)),
    *((768, 1024), (1024, 768), (1280, 800), (1366, 768), (1920, 1080)),
)
TEXT_SIZES = (100, 150, 200)  # per cent of the root's font size
LONGER = "longer"  # the made-up language
QUICK_SIZES: tuple[Size, ...] = ((360, 640), (844, 390), (1366, 768))
HOME = "http://walk.test/"
# What may be, as parts of a flaw's text, with the reasons. At most eight.
EXCEPTIONS: Mapping[str, str] = {
    "text leaves name": "beside the points; the line of the turn and the results have it whole",
    " first: ": "on a phone the story's newest sentence has two lines",
}


# ---- a language whose sentences are longer ----


def longer(texts: Any) -> Any:
    """Return sentences whose words are 40 % longer, as in a language that a translator may add."""
    if isinstance(texts, dict):
        return {key: longer(text) for key, text in texts.items()}
    if not isinstance(texts, str):
        return texts
    parts = re.split(r"(\{[^}]*\})", texts)
    return "".join(
        part if part.startswith("{") else re.sub(r"[^\W\d_]{3,}", _stretched, part)
        for part in parts
    )


@contextlib.contextmanager
def spoken(language: str) -> Iterator[str]:
    """Let English be LONGER if that is the language, and yield the language to show."""
    plain = i18n.TABLE["en"]
    i18n.TABLE["en"] = longer(plain) if language == LONGER else plain
    try:
        yield "en" if language == LONGER else language
    finally:
        i18n.TABLE["en"] = plain


def _stretched(word: re.Match[str]) -> str:
    text = word.group()
    return text + text[-round(0.4 * len(text)) :].lower()


# ---- the page in a browser ----


class Walk:
    """The page in a tab of a browser. It shows one ViewerPage after the other."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(reduced_motion="reduce", has_touch=True)
        self.context.route(HOME + "**", self._file)
        self.page = self.context.new_page()
        self.page.route_web_socket("**/live", self._live)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self._wire: WebSocketRoute | None = None
        self._stamp = itertools.count()
        self.page.goto(HOME)
        self.page.wait_for_selector("#head", state="attached")
        while not self._wire:
            self.page.wait_for_timeout(5)

    def _file(self, route: Route) -> None:
        name = route.request.url.removeprefix(HOME).partition("?")[0] or "page.html"
        kind = "text/javascript" if name.endswith("js") else mimetypes.guess_type(name)[0]
        route.fulfill(body=(STATIC / name).read_bytes(), content_type=kind)

    def _live(self, wire: WebSocketRoute) -> None:
        self._wire = wire
        wire.on_message(lambda message: None)  # the size is told by `fit`

    def send(self, *messages: Mapping[str, Any]) -> None:
        """Send messages, and wait until the page has shown them."""
        assert self._wire
        stamp = str(next(self._stamp))
        for message in (*messages, {"keep": {"walk": stamp}}):
            self._wire.send(json.dumps(message))
        shown = "stamp => localStorage.getItem('roundhouse-walk') === stamp"
        self.page.wait_for_function(shown, arg=stamp)

    def show(self, page: ViewerPage, size: Size, text: int = 100) -> None:
        """Show a page at a size of the window and of the text."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        television = page.viewer.rights.television
        self.page.evaluate(
            "([text, tv]) => { document.documentElement.style.fontSize = text;"
            " document.body.classList.toggle('tv', tv); }",
            ["" if text == 100 else "%d%%" % text, television],
        )
        self.send({"show": page.components(), "language": page.viewer.language})
        room = self.page.evaluate(
            "() => { const table = document.getElementById('table');"
            " return [table.clientWidth, table.clientHeight]; }"
        )
        if page.handle({"do": "room %d %d" % tuple(room)}):
            self.send({"show": page.components()})

    def flaws(self, state: State, text: int) -> list[str]:
        found: list[str] = self.page.evaluate(FLAWS, [state.turns, text])
        return found

    def places(self) -> dict[str, list[float]]:
        found: dict[str, list[float]] = self.page.evaluate(PLACES)
        return found


# Functions that both scripts use.
SCRIPT = """
  const dialog = document.querySelector("dialog[open]");
  const seen = (one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const named = (one) => (one.dataset.do || one.className.baseVal || one.className || one.id ||
    one.tagName).toString().slice(0, 40);
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const inside = (box, room, by = 1) => box.left >= room.left - by && box.top >= room.top - by &&
    box.right <= room.right + by && box.bottom <= room.bottom + by;
"""

# Returns the flaws of what is shown, as texts. Arguments: whether the state says whose turn it is,
# and the size of the text in per cent.
FLAWS = (
    "([turns, text]) => {"
    + SCRIPT
    + """
  const found = [];
  const say = (what, one) => found.push(
    one ? `${what}: ${named(one)} "${one.textContent.trim().slice(0, 50)}"` : what);
  const root = document.documentElement;
  const area = dialog ?? document.body;
  if (root.scrollWidth > root.clientWidth) say("the page is wider than the screen");
  for (const one of [dialog, ...area.querySelectorAll("div, ol, ul, section, table")]) {
    if (!one || one.closest(".heard") || one.scrollWidth <= one.clientWidth + 1) continue;
    const isKnown = one.closest("pre, .history") || one.querySelector(":scope > .history");
    const { overflowX } = getComputedStyle(one);
    if (!isKnown && ["auto", "scroll"].includes(overflowX)) say("scrolls sideways", one);
  }

  // text and its box
  const walk = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
  const told = new Set();
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || element.ownerSVGElement) continue;
    if (element.closest("style, script, .heard, option, .brand, [hidden]")) continue;
    if (!seen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const boxes = [...range.getClientRects()].filter(({ width }) => width);
    for (let at = element; at && at !== area.parentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (["auto", "scroll"].includes(style.overflowY) && at !== element) break;
      const holds = at.matches("button, select, label, summary, dialog, li, td, th") ||
        style.overflowX === "hidden" || style.overflowY === "hidden";
      if (!holds || told.has(at)) continue;
      const room = at.getBoundingClientRect();
      if (!boxes.some((box) => !inside(box, room, 1.5))) continue;
      told.add(at);
      say(`text leaves ${named(at)}`, element);
      break;
    }
  }

  // whose turn
  const turn = document.querySelector("#turn");
  if (turns && !dialog) {
    const box = turn.getBoundingClientRect();
    const is_whole = turn.textContent.trim() && inside(box, screen) &&
      turn.scrollWidth <= turn.clientWidth + 1 && turn.scrollHeight <= turn.clientHeight + 1;
    if (!is_whole) say("the turn is not whole", turn);
  }

  // shares of the screen
  const isTelevision = document.body.classList.contains("tv");
  const hand = document.getElementById("hand");
  const table = document.getElementById("table").getBoundingClientRect();
  if (!dialog && !isTelevision && text < 200) {
    const isSmall = text === 150 || (innerWidth <= 360 && innerHeight <= 640);
    const least = isSmall ? 0.3 : 0.4;
    const share = table.height / innerHeight;
    if (share < least - 0.005) say(`the table has ${Math.round(100 * share)} % of the height`);
  }

  // fingers
  const isCoarse = innerWidth <= 760 || innerHeight <= 560;
  if (isCoarse)
    for (const one of area.querySelectorAll("button, select, summary, input:not([type])")) {
      const { width, height } = one.getBoundingClientRect();
      if (seen(one) && (width < 43.9 || height < 43.9))
        say(`${Math.round(width)} x ${Math.round(height)} px to tap`, one);
    }

  // what is needed to go on
  const needed = dialog ? dialog.querySelectorAll(".beside .foot button, .curtain button")
    : [...hand.querySelectorAll(".act button, .looking button.main"),
      ...document.querySelectorAll("#lesson button, #head nav button")];
  if (text < 200)
    for (const one of needed)
      if (seen(one) && !inside(one.getBoundingClientRect(), screen)) say("below the fold", one);

  const tiles = hand.querySelector(".tiles");
  const tile = hand.querySelector(".tile-button svg");
  if (tile && !dialog && text < 200) {
    const box = tile.getBoundingClientRect();
    if (!inside(box, tiles.getBoundingClientRect(), 4) || !inside(box, screen))
      say("the tiles of the hand are cut");
  }

  // rows of a result
  if (dialog?.querySelector(".beside .points") && text < 200) {
    const rows = [...dialog.querySelectorAll(".beside .points tbody tr")];
    const foot = dialog.querySelector(".beside .foot");
    const bottom = seen(foot) ? foot.getBoundingClientRect().top : innerHeight;
    const room = { ...screen, bottom };
    const hidden = rows.filter(
      (row) => !seen(row) || !inside(row.getBoundingClientRect(), room, 2));
    const list = dialog.querySelector(".wide");
    const whole = dialog.offsetHeight + list.scrollHeight - list.clientHeight;
    const fits = isTelevision || whole <= 0.92 * innerHeight; // a television is not scrolled
    if (hidden.length && fits) say(`${hidden.length} of ${rows.length} rows are hidden`);
  }
  return [...new Set(found)];
}"""
)

# Returns where things are that keep their place from a step to the next.
PLACES = (
    "() => {"
    + SCRIPT
    + """
  const found = {};
  const add = (name, one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    if (seen(one)) found[name] = [x, y, width, height].map((n) => Math.round(10 * n) / 10);
  };
  for (const id of ["head", "turn", "table", "hand"]) {
    const one = document.getElementById(id);
    if (one) add("#" + id, one);
  }
  const buttons = "#head button, #hand .whose button, #hand .act button";
  for (const one of document.querySelectorAll(buttons))
    add(`${one.dataset.do} ${one.className}`.replace(/ (on|main|ghost|wanted)\\b/g, ""), one);
  return found;
}"""
)


class Seen(NamedTuple):
    state: str
    language: str
    size: Size
    text: int
    flaw: str

    def __str__(self) -> str:
        place = "%s, %s, %d x %d, %d %%" % (
            *(self.state, self.language),
            *(*self.size, self.text),
        )
        return "%s: %s" % (place, self.flaw)


def pages_of(
    folder: Path, names: Sequence[str], language: str
) -> Iterator[tuple[str, ViewerPage]]:
    """Yield (name, page) of states in a language."""
    for name in names:
        place = folder / re.sub(r"\W+", "-", name)
        place.mkdir()
        page = STATES[name].make(place)
        page.viewer.set_language(language)
        page.viewer.take_messages()
        yield name, page


def walk(
    browser: Browser,
    sizes: Sequence[Size] = SIZES,
    languages: Sequence[str] = (*LANGUAGES, LONGER),
    texts: Sequence[int] = TEXT_SIZES,
    states: Sequence[str] = (),
    look: Callable[[str, str, Size, int, Walk], object] = lambda *_: None,
) -> list[Seen]:
    """Show states in languages, sizes of the window and of the text; return all flaws.

    look: is called with each state, language, sizes and Walk while the state is shown
    """
    tab, seen = Walk(browser), []
    for language in languages:
        places: dict[tuple[str, Size, int], dict[str, list[float]]] = {}
        with tempfile.TemporaryDirectory() as folder, spoken(language) as shown:
            for name, page in pages_of(Path(folder), states or list(STATES), shown):
                sizes_of = ((1920, 1080),) if name.startswith("television") else sizes
                for size, text in itertools.product(sizes_of, texts):
                    tab.show(page, size, text)
                    about = STATES[name]
                    flaws = tab.flaws(about, text)
                    now = places[name, size, text] = tab.places()
                    flaws += moved(places.get((about.like, size, text), {}), now)
                    seen += [
                        Seen(name, language, size, text, flaw)
                        for flaw in flaws
                        if not any(part in flaw for part in EXCEPTIONS)
                    ]
                    look(name, language, size, text, tab)
                page.close()
    assert not tab.wrong, tab.wrong
    tab.context.close()
    return seen


def moved(before: Mapping[str, list[float]], now: Mapping[str, list[float]]) -> list[str]:
    """Return a text for each thing that is in both and has moved or changed its size."""
    return [
        "%s moved: %s to %s" % (name, before[name], now[name])
        for name in now
        if name in before and any(abs(a - b) > 1 for a, b in zip(before[name], now[name]))
    ]


# ---- pictures ----

SHEETS = Path(__file__).resolve().parents[2] / "build" / "walk"
PICTURED: tuple[Size, ...] = ((390, 844), (768, 1024), (1280, 800), (1920, 1080))
HIGH = 300  # px of a picture on a sheet
SHEET = (
    """<style>
  body { font: 13px sans-serif; display: flex; flex-wrap: wrap; gap: 14px; width: 2400px; }
  figure { margin: 0; } img { height: %dpx; border: 1px solid #999; }
</style>"""
    % HIGH
)


class ContactSheets:
    """A picture of each state at some sizes, a sheet for each language."""

    def __init__(self) -> None:
        self.figures: dict[str, list[str]] = {}

    def look(self, name: str, language: str, size: Size, text: int, tab: Walk) -> None:
        if size not in PICTURED or text != 100:
            return
        image = base64.b64encode(tab.page.screenshot(type="jpeg", quality=80)).decode()
        self.figures.setdefault(language, []).append(
            '<figure><img src="data:image/jpeg;base64,%s"><figcaption>%s</figcaption></figure>'
            % (image, name)
        )

    def write(self, browser: Browser) -> None:
        SHEETS.mkdir(parents=True, exist_ok=True)
        for language, figures in self.figures.items():
            page = browser.new_page(viewport={"width": 2420, "height": 900})
            page.set_content(SHEET + "".join(figures))
            path = SHEETS / (language + ".png")
            page.screenshot(path=path, full_page=True)
            print(path.relative_to(SHEETS.parents[1]))
            page.close()


def main(states: Sequence[str]) -> int:
    sheets = ContactSheets()
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        found = walk(browser, states=states, look=sheets.look)
        sheets.write(browser)
    for one in found:
        print(one)
    print("%d flaws" % len(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
