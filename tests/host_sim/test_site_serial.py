# SPDX-License-Identifier: MIT
"""The static page and a hub on a serial line. A stand-in for the browser's serial port connects a
simulated or an emulated hub."""

import json
import os

import pytest
from page_browsers import needs_browser
from site_visits import OpenedPage, built, needs_pyodide, served

from host_sim.app.views.i18n import TABLE
from host_sim.board.chips import flash_image
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico.emulated_hub import JOURNAL
from host_sim.board.pico.emulator import IMAGE
from host_sim.board.pico.pty_port import HubOnPty

pytestmark = [needs_browser, needs_pyodide, pytest.mark.slow]
SAYS = {
    "%s.%s" % (section, name): text.replace("'", "\u2019").replace("...", "\u2026")
    for section in ("real_hub", "hub_config", "no_hub", "site")
    for name, text in TABLE["en"][section].items()
}

# A serial port as the page sees it. The test calls hub.says(bytes), hub.pull() and hub.plug();
# hub.typed is what the page has written.
PORT = """
(() => {
  const hub = { typed: "", opened: 0, asked: 0, here: true, out: null };
  const listeners = [];
  class Port extends EventTarget {
    readable = null;
    writable = null;
    async open({ baudRate }) {
      if (!hub.here || this.readable) throw new DOMException("it is gone", "NetworkError");
      if (baudRate !== 115200) throw new TypeError("what speed?");
      hub.opened += 1;
      this.readable = new ReadableStream({ start: (out) => { hub.out = out; } });
      this.writable = new WritableStream({
        write: (bytes) => { hub.typed += new TextDecoder().decode(bytes); },
      });
    }
    async close() {
      this.readable = this.writable = hub.out = null;
    }
  }
  const port = new Port();
  hub.says = (bytes) => hub.out?.enqueue(Uint8Array.from(bytes));
  hub.pull = () => {
    hub.here = false;
    const { out } = hub;
    port.readable = port.writable = null;
    out.error(new DOMException("The device has been lost.", "NetworkError"));
  };
  hub.plug = () => {
    hub.here = true;
    for (const listener of listeners) listener({ target: port });
  };
  window.hub = hub;
  Object.defineProperty(Navigator.prototype, "serial", { value: {
    addEventListener: (kind, listener) => { if (kind === "connect") listeners.push(listener); },
    getPorts: async () => (hub.asked ? [port] : []),
    requestPort: async () => {
      if (!navigator.userActivation.isActive) throw new DOMException("no click", "SecurityError");
      hub.asked += 1;
      return port;
    },
  } });
})();
"""
# The hub of the test before is gone, and no port has been allowed yet.
RESET = "() => Object.assign(window.hub, { typed: '', opened: 0, asked: 0, here: true })"


class HubAtPage:
    """A simulated hub whose serial line ends in the stand-in for the browser's port."""

    def __init__(self, visitor, **config):
        self.visitor, self.page = visitor, visitor.page
        self.board = SimulatedHub(configured(SET=6, **config))
        self._told = len(self.board.lines)
        self._heard = 0

    def says(self, data):
        self.page.evaluate("bytes => window.hub.says(bytes)", list(data))

    def answer(self):
        """Carry out the lines that the page has sent, and send the hub's lines."""
        typed = self.page.evaluate("() => window.hub.typed")
        lines = typed[self._heard :].split("\r\n")[:-1]
        self._heard += sum(len(line) + 2 for line in lines)
        for line in lines:
            self.board.port.type(line)
            self.board.run(400)
        said = self.board.lines[self._told :]
        self._told = len(self.board.lines)
        self.says("".join(json.dumps(line) + "\n" for line in said).encode())
        return lines

    def until(self, done):
        for _ in range(600):
            if done():
                return
            self.answer()
            self.page.wait_for_timeout(50)
        raise AssertionError("it did not come: %s" % self.page.locator("body").inner_text())

    def do(self, what):
        """Click what the page offers; most of it only while the hub answers."""
        self.until(lambda: self.visitor.shows(what))
        self.visitor.do(what)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    built(folder)
    with served(folder) as server:
        yield server


@pytest.fixture(scope="module")
def opened(chromium, site):
    return OpenedPage(chromium, site.address, before=PORT)


@pytest.fixture
def visitor(opened, request):
    """Yield a visitor with an open page that knows no hub."""
    with opened.lend(request.session) as visitor:
        if visitor.page.evaluate("() => window.hub.out !== null"):
            visitor.begin()  # this lets go of the hub
            visitor.page.wait_for_function("() => window.hub.out === null")
            visitor.open_new_match()
        visitor.page.evaluate(RESET)
        yield visitor


def plug(visitor, hub):
    """Connect a hub to the page, and wait until the page shows it."""
    visitor.do("dialog [data-do=plug]")
    visitor.wait("#hand [data-do^=pace]", state="detached")
    hub.until(lambda: visitor.shows("#table svg"))


@pytest.fixture
def hub(visitor):
    """Yield a hub that is connected to the page and shown there."""
    hub = HubAtPage(visitor)
    for seat in ("1", "2", "4"):
        hub.board.press(seat)
    visitor.do("dialog [data-do='open hub']")
    plug(visitor, hub)
    return hub


def text(visitor, what="dialog[open]"):
    place = visitor.page.locator(what)
    return place.inner_text() if place.count() else ""


def test_a_hub_is_watched_through_two_pulled_cables_and_junk(visitor, hub):
    board, page = hub.board, visitor.page
    board.tap("6-6", "1")
    hub.until(lambda: "round 1" in text(visitor, "#head"))
    for _ in range(2):
        hub.says(b'\xff\x00{"input": 3}\n{"input": "tap 1-1 1", "verdict"')
        page.evaluate("() => window.hub.pull()")
        hub.until(lambda: SAYS["no_hub.lost"] in text(visitor, "main"))
        page.evaluate("() => window.hub.plug()")
        hub.until(lambda: SAYS["no_hub.lost"] not in text(visitor, "main"))
        hub.says(b"\n[1, 2]\n" + b"x" * 70_000 + b"\n")
    board.tap("6-5", "1")
    hub.until(lambda: "6-5" in text(visitor, "#story"))
    assert page.evaluate("() => [window.hub.asked, window.hub.opened]") == [1, 3]
    typed = page.evaluate("() => window.hub.typed").split("\r\n")
    assert set(typed) == {"state", ""}, "nothing but questions"


def test_its_match_is_saved_and_can_be_looked_back_at(visitor, hub):
    hub.board.tap("6-6", "1")
    hub.do("[data-do='open menu']")
    hub.do("dialog [data-do='open hub']")
    with visitor.page.expect_download() as saved:
        hub.do("dialog [data-do=hub-export]")
        hub.until(lambda: SAYS["real_hub.saved"] in text(visitor))
    with open(saved.value.path(), encoding="utf-8") as file:
        lines = match_export.read(file.read())
    assert lines[-1]["input"] == "tap 6-6 1"


def test_rules_are_chosen_before_a_match_and_not_in_it(visitor, hub):
    page = visitor.page
    hub.do("[data-do='open menu']")
    hub.do("dialog [data-do='open hub']")
    hub.do("dialog [data-do='open hub-rules']")
    page.check("dialog input[value=matador]")
    page.wait_for_selector("dialog label.on input[value=matador]")  # the form has been updated
    page.select_option("dialog select[name=set]", "9")
    hub.do("dialog .foot .main")
    hub.until(lambda: hub.board.inputs[-1].get("set") == 9)
    assert hub.board.inputs[-1]["house"] == "matador"
    hub.until(lambda: SAYS["real_hub.chosen"] in text(visitor))
    hub.board.press("E")
    hub.until(lambda: hub.board.inputs[-1].get("phase") != "lobby")
    hub.do("dialog .foot .main")
    hub.until(lambda: SAYS["real_hub.not_now"] in text(visitor))


def test_a_tag_is_written_and_what_hinders_is_said(visitor, hub):
    page = visitor.page
    hub.do("[data-do='open menu']")
    hub.do("dialog [data-do='open cards']")
    hub.do("dialog [data-do='hub-write undo']")
    hub.until(lambda: SAYS["real_hub.no_tag"] in text(visitor))
    hub.board.put("quiet", "E")
    hub.board.run(500)
    hub.do("dialog [data-do='hub-write seat 7']")
    hub.until(lambda: SAYS["real_hub.written"].format(text="seat 7") in text(visitor))
    page.fill("dialog input[name=text]", "12-7")
    hub.do("dialog .write .main")
    hub.until(lambda: SAYS["real_hub.written"].format(text="12-7") in text(visitor))
    assert page.locator("dialog input[name=text]").input_value() == "12-8"
    hub.board.remove("E")
    hub.do("dialog .write .main")
    hub.until(lambda: SAYS["real_hub.no_tag"] in text(visitor))
    assert page.locator("dialog input[name=text]").input_value() == "12-8", "once more"
    for junk in ("3-", "import os", "house x\nselftest", "seat 15", "\x03", "house monopoly"):
        page.fill("dialog input[name=text]", junk)
        hub.do("dialog .write .main")
        page.locator("dialog .reply", has_text=SAYS["real_hub.no_text"]).wait_for()
    typed = page.evaluate("() => window.hub.typed").split("\r\n")
    assert set(typed) <= {
        "state",
        "",
        "write undo E",
        "write seat 7 E",
        "write 12-7 E",
        "write 12-8 E",
    }


def test_the_self_test_shows_what_is_still_to_be_tried(visitor, hub):
    hub.do("[data-do='open menu']")
    hub.do("dialog [data-do='open hub']")
    hub.do("dialog [data-do='open hub-test']")
    hub.do("dialog [data-do='hub-test begin']")
    page = visitor.page
    hub.until(lambda: page.locator("dialog .slot .ok").count() == 12)  # the readers
    hub.board.press("3")
    hub.board.put("12-7", "M")
    hub.board.run(600)
    hub.until(lambda: page.locator("dialog .slot .ok").count() == 14)
    hub.do("dialog [data-do='hub-test end']")
    hub.until(lambda: SAYS["real_hub.test_open"] in text(visitor))
    assert page.locator("dialog .slot .open").count() == 3 * 12 - 14


def open_settings(visitor, hub):
    hub.do("[data-do='open menu']")
    hub.do("dialog [data-do='open hub']")
    hub.do("dialog [data-do='open hub-config']")
    hub.do("dialog [data-do='hub-config read']")
    hub.until(lambda: visitor.shows("dialog textarea"))


class EmulatedHubAtPage(HubAtPage):
    """An emulated Pico whose pseudo-terminal is connected to the page's port, byte by byte."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page
        self._heard = 0
        self._switch_on({})

    def _switch_on(self, files):
        self.board = HubOnPty(configured(SET=6, HOUSE="puremco", STATIONS=4), files=files)
        self.line = os.open(self.board.port_name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def _typed(self):
        """Return what the page has sent since the last call."""
        typed = self.page.evaluate("() => window.hub.typed")
        new, self._heard = typed[self._heard :], len(typed)
        return new.encode()

    def types(self, data):
        assert os.write(self.line, data) == len(data)

    def answer(self):
        """Pass bytes on in both directions."""
        typed = self._typed()
        if typed:
            self.types(typed)
        try:
            self.says(os.read(self.line, 65536))
        except BlockingIOError:
            pass  # it has nothing to say

    def act(self, what, *words):
        """Make an input at the hub, which must accept it."""
        with self.board.lock:
            said = getattr(self.board, what)(*words)
        assert said and said["verdict"] == "ok", (what, words, said)

    def pull(self):
        """Unplug the cable, which also supplies the power; return the journal in the hub's
        flash."""
        self.page.evaluate("() => window.hub.pull()")
        self._typed()  # too late
        with self.board.lock:
            files = flash_image.unpack(self.board.emulator.read_files())
        self.close()
        return {name: data for name, data in files.items() if name.startswith(JOURNAL)}

    def plug(self, files):
        self._switch_on(files)
        self.page.evaluate("() => window.hub.plug()")

    def close(self):
        os.close(self.line)
        self.board.close()


@pytest.fixture
def emulated(visitor):
    """Yield an emulated hub that is connected to the page and shown there."""
    hub = EmulatedHubAtPage(visitor)
    visitor.do("dialog [data-do='open hub']")
    plug(visitor, hub)
    with hub.board.lock:
        hub.board.run(1000)  # a press that falls into the first `state` can be missed
    yield hub
    hub.close()


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_the_settings_of_an_emulated_hub_are_changed_and_its_match_goes_on(visitor, emulated):
    hub, page = emulated, visitor.page
    for words in (("press", "1"), ("press", "2"), ("tap", "6-6", "E"), ("tap", "6-5", "1")):
        hub.act(*words)
    hub.until(lambda: visitor.shows("#table [data-tile='6-5']"))
    open_settings(visitor, hub)
    field = page.locator("dialog textarea")
    assert "BRIGHTNESS = 96" in field.input_value() and "SET = 6" in field.input_value()
    changed = field.input_value().replace("BRIGHTNESS = 96", "BRIGHTNESS = 600")
    field.fill(changed)
    hub.do("dialog form .main")
    page.wait_for_selector("dialog form .reply")
    field.fill(changed.replace("600", "60"))
    hub.do("dialog form .main")
    hub.until(lambda: SAYS["hub_config.written"] in text(visitor))
    with hub.board.lock:
        files = flash_image.unpack(hub.board.emulator.read_files())
    assert b"BRIGHTNESS = 60\n" in files["config.py"] and "config.new" not in files
    assert visitor.shows("#table [data-tile='6-5']"), "the match is kept"


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_a_page_that_goes_away_starts_the_hub_of_its_settings(visitor, emulated):
    hub, page = emulated, visitor.page
    goes = "() => dispatchEvent(new PageTransitionEvent('pagehide'))"
    page.evaluate(goes)
    typed = page.evaluate("() => window.hub.typed").split("\r\n")
    assert set(typed) == {"state", ""}, "there is nothing to start"
    open_settings(visitor, hub)
    page.evaluate(goes)
    page.wait_for_function("() => window.hub.typed.endsWith('\\x02\\x04')")
    count = len(hub.board.inputs)
    hub.until(lambda: len(hub.board.inputs) > count)
    assert hub.board.inputs[-1]["input"] == "power-up"


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_another_tab_that_takes_over_starts_the_hub_of_the_settings(visitor, emulated):
    open_settings(visitor, emulated)
    other = visitor.tab()
    other.page.goto(other.address)
    other.do("dialog [data-do=take-over]")
    visitor.page.wait_for_selector("dialog[open] [data-do=take-over]")
    visitor.page.wait_for_function("() => window.hub.typed.endsWith('\\x02\\x04')")
    visitor.page.wait_for_function("() => window.hub.out === null")


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_an_emulated_hub_its_cable_pulled_twice_and_junk_both_ways(visitor, emulated):
    hub, page = emulated, visitor.page

    def lay(tile, slot):
        hub.act("tap", tile, slot)
        hub.until(lambda: visitor.shows("#table [data-tile='%s']" % tile))

    for words in (("press", "1"), ("press", "2"), ("tap", "6-6", "E")):
        hub.act(*words)
    for tile, slot in (("6-5", "1"), ("6-4", "2")):
        lay(tile, slot)
        hub.types(b"\x01\x02junk \xff\n")
        hub.until(lambda: any("error" in line for line in hub.board.lines))
        hub.says(b'\x00\xff{"input": 1}\n{"slot": [\n{"input": "tap 1-1 1", "verdict"')
        kept = hub.pull()
        page.wait_for_selector("#table .trouble")
        hub.plug(kept)
        hub.until(lambda: not visitor.shows("#table .trouble"))
        assert visitor.shows("#table [data-tile='%s']" % tile), "it goes on where it was"
    lay("5-4", "1")
    assert page.evaluate("() => [window.hub.asked, window.hub.opened]") == [1, 3]
    assert set(page.evaluate("() => window.hub.typed").split("\r\n")) == {"state", ""}
