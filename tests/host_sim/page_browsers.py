# SPDX-License-Identifier: MIT
"""What the tests of the page share: a program that serves it, and a real browser that shows it."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim.session.match_store import MatchStore

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE, DESK, TELEVISION = (390, 844), (1280, 800), (1920, 1080)
SIZES = (PHONE, DESK, TELEVISION)
PATIENCE = 120_000  # ms; of a machine that has other things to do

needs_browser = pytest.mark.skipif(not CHROMIUM, reason="no Chromium")

# What scrolls sideways, is smaller than 12 px, or too pale to be read: a list of words about it.
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
    // a sign in a lamp is a picture, drawn as a letter
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


# Whether the picture was drawn for the room that it has now.
DRAWN = """() => {
  const drawn = document.querySelector("#table > svg")?.viewBox.baseVal;
  const room = document.getElementById("table").getBoundingClientRect();
  return !drawn || Math.abs(drawn.width - room.width) + Math.abs(drawn.height - room.height) < 3;
}"""


class Program:
    """A command of host_sim that serves the page, until it is told to stop."""

    def __init__(self, *words, **environment):
        seed = ["--seed", "1"] if words[0] == "play" else []  # the same tiles for every test
        self.words = [sys.executable, "-m", "host_sim", *words, *seed, "--no-browser"]
        self.environment = {**os.environ, "LANG": "C", **environment}
        self.start()

    def start(self):
        """Begin, or begin again at the same port."""
        self.process = subprocess.Popen(
            self.words,
            cwd=ROOT,
            env={**self.environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.printed = []
        for line in self.process.stdout:
            self.printed.append(line.rstrip())
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\S*", line)
            if found:
                self.address, self.port = found.group(0), int(found.group(1))
                return
        raise AssertionError("it did not say where the page is: %s" % self.printed)

    def kill(self):
        """End it as a power cut would; it begins again at the same port."""
        if "--at" in self.words:
            self.words[self.words.index("--at") + 1] = str(self.port)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ctrl-C; return all that it has printed."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=60)
        return "\n".join([*self.printed, rest])


@contextlib.contextmanager
def program(*words, **environment):
    """Serve the page while the block runs."""
    served = Program(*words, **environment)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.stop()


class Visitor:
    """A page in the browser, and all that was wrong with it. frames: what came over its wire."""

    def __init__(self, browser, size=DESK, **more):
        width, height = size
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=size == PHONE,
            reduced_motion="reduce",
            **more,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong, self.asked, self.frames = [], [], []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on(
            "websocket", lambda wire: wire.on("framereceived", lambda f: self.frames.append(f))
        )
        self.touch = size == PHONE

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

    def open(self, address):
        """Go to an address, and wait for the page's first pieces."""
        self.page.goto(address)
        self.page.wait_for_selector("#head .brand", state="attached")
        return self

    def do(self, selector):
        """Click, or tap on a phone, what a selector names."""
        first = self.page.locator(selector).first
        first.tap() if self.touch else first.click()

    def hurry(self):
        """Let bots be quick; on a phone the choice is out of sight in a lesson."""
        self.wait("#hand [data-do='pace quick']", state="attached")
        self.page.locator("#hand [data-do='pace quick']").dispatch_event("click")

    def there(self, selector):
        """Return whether anything that a selector names is seen."""
        return self.page.locator(selector).first.is_visible()

    def pieces(self, name):
        """Return what came over the wire for a piece, oldest first."""
        messages = [json.loads(frame) for frame in self.frames]
        return [m["show"][name] for m in messages if name in m.get("show", {})]

    def wait(self, selector, state="visible", **how):
        """Wait until something is there."""
        self.page.locator(selector, **how).first.wait_for(state=state)

    def shut(self):
        """Close what is open with Escape, and what stood behind it."""
        while self.there("dialog[open]"):
            shown = self.page.locator("#dialog").inner_html()
            self.page.keyboard.press("Escape")
            self.page.wait_for_function(
                "was => document.querySelector('#dialog').innerHTML !== was", arg=shown
            )

    def opens(self, *names):
        """Open the menu and what is in it."""
        self.do("#head [data-do='open menu']")
        for name in names:
            self.do("dialog [data-do^='%s']" % name)

    def hand(self):
        """Return the tiles of the hand, as texts."""
        return self.page.eval_on_selector_all(
            ".tile-button", "tiles => tiles.map(tile => tile.dataset.drag)"
        )

    def changes(self, act, selector="#hand"):
        """Do something and wait until a piece has changed, or a dialog opens."""
        shown = self.page.locator(selector).inner_html()
        act()
        self.page.wait_for_function(
            "([piece, was]) => document.querySelector(piece).innerHTML !== was"
            " || document.querySelector('dialog[open]')",
            arg=[selector, shown],
        )

    def flaws(self):
        """Return what is wrong with how the page looks, once the picture is drawn for its room."""
        self.page.wait_for_function(DRAWN)
        return self.page.evaluate(FLAWS)

    def check(self, address):
        """Nothing went wrong, and nothing was asked for elsewhere."""
        home = "/".join(address.split("/")[:3])
        elsewhere = [url for url in self.asked if not url.startswith((home, "data:", "blob:"))]
        assert not (self.wrong or elsewhere), (self.wrong, elsewhere)


def play_one(visitor):
    """Do one thing by clicks: the first tile that fits, the first place offered, else the button.
    Returns whether there was anything to do."""
    for what in (".places button", ".tile-button.fits", "#hand .act [data-do=button]"):
        if visitor.there(what):
            visitor.changes(lambda what=what: visitor.do(what))
            return True
    return False


def play_round(visitor, most=400):
    """Play by clicks until a round has ended and the next one waits, or another comes."""
    for _ in range(most):
        visitor.page.wait_for_selector(
            "dialog[open] button, .places button, .tile-button.fits, #hand .act [data-do=button]"
        )
        if visitor.there("dialog[open]"):
            return
        play_one(visitor)
    raise AssertionError("the round does not end")


def kept(folder, until, people=(1,), house="puremco", set_=6, seats=(1, 2, 3), seed=1):
    """Keep a match in a folder that bots have played until until(waits, line), with people at it
    from there on; return its MatchSession, put away."""
    names = {1: "Ana", 2: "Bo", 3: "Zoe"}
    names = {seat: names[seat] for seat in seats}
    session = MatchStore(folder).new(
        house=house, set_=set_, seats=seats, people=people, names=names, seed=seed
    )
    while not until(session.waits_for(), session.line):
        for seat in people:
            session.stand(seat)
        if not session.act():
            session.next_round()
        for seat in people:
            session.sit(seat)
    session.close()
    return session


def first_turn(waits, line):
    """Somebody is to move, for the first time."""
    return waits.kind == "person"


def a_round_is_over(waits, line):
    """A round is counted, and the next one waits."""
    return waits.kind == "round"
