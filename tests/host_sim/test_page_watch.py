# SPDX-License-Identifier: MIT
"""A watched hub and a replayed match in a real browser."""

import os
import queue
import threading
from pathlib import Path

import pytest
from page_browsers import (
    DESK,
    ENGLISH,
    PHONE,
    Visitor,
    first_turn,
    needs_browser,
    program,
    visiting,
)
from test_watch import HubOnWire

from host_sim.board.chips import flash_image
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico.emulated_hub import JOURNAL
from host_sim.board.pico.emulator import IMAGE
from host_sim.board.pico.pty_port import HubOnPty

pytestmark = [pytest.mark.slow, needs_browser]
EXPORTS = Path(__file__).with_name("exports")


class Cable:
    """A context manager that connects a hub to the port `port`, and unplugs it at the end."""

    def __init__(self, folder, board):
        self.port = str(folder / "hub")
        self.board = board
        self._does = queue.Queue()

    def __enter__(self):
        self.wire = HubOnWire(self.board)
        os.symlink(self.wire.port, self.port)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()
        os.unlink(self.port)
        self.wire.unplug()

    def _run(self):
        while not self._ends.wait(0.02):
            self.wire.answer()
            while not self._does.empty():
                name, *words = self._does.get()
                getattr(self.board, name)(*words)
                self.wire.tell()

    def does(self, *words):
        """Call a method of the hub, in the thread that answers the page."""
        self._does.put(words)


def test_two_viewers_watch_a_hub_and_its_cable_is_pulled(browser, tmp_path):
    cable = Cable(tmp_path, SimulatedHub(configured(SET=6, HOUSE="puremco")))
    words = ("watch", cable.port, "--at", "0")
    with program(*words, XDG_DATA_HOME=str(tmp_path)) as served:
        mine = Visitor(browser, DESK).open(served.address)
        room = mine.guest()
        both = (mine, room)
        for one in both:
            one.wait("#table .empty", has_text="plug the hub")
            assert one.flaws() == []
        with cable:
            for one in both:
                one.wait("svg.table")
                assert one.flaws() == []
            cable.does("press", "1")
            cable.does("press", "2")
            for one in both:
                one.wait(".scores li >> nth=1")
            mine.open_menu("open names")
            assert mine.flaws() == []
            mine.page.fill("input[name=name1]", "Ana")
            mine.do("dialog form .main")
            for one in both:
                one.wait(".scores li", has_text="Ana")
            assert not room.shows("#head [data-do='open names']")
            cable.does("tap", "6-6", "E")
            cable.does("tap", "6-5", "1")
            for one in both:
                one.wait("#table [data-tile='6-5']", state="attached")
                one.wait(".story li", has_text="Ana laid 6-5")
                assert one.flaws() == []
        for one in both:
            one.wait("#table .trouble", has_text=ENGLISH("no_hub.lost"))
            assert one.shows("#table .laid"), "the table stays as it was seen last"
            dimmed = "Number(getComputedStyle(document.querySelector('svg.table')).opacity)"
            assert one.page.evaluate(dimmed) < 0.5
            one.do("#table .trouble p")
            assert cable.port not in one.page.locator("#table .trouble").inner_text()
            assert one.page.locator(".trouble > p").count() == 1
        cable.does("tap", "6-4", "2")
        with cable:
            for one in both:
                one.wait("#table [data-tile='6-4']", state="attached")
                one.page.wait_for_selector("#table .trouble", state="detached")
            served.kill()
            served.start()
            for one in both:
                one.page.wait_for_selector("#notice", state="hidden")
                one.wait(".scores li", has_text="Ana")
        for one in both:
            one.wrong = [words for words in one.wrong if "ERR_CONNECTION" not in words]
            one.check()


@pytest.mark.parametrize("size", [DESK, PHONE], ids="{0[0]}x{0[1]}".format)
def test_an_export_is_looked_back_at(browser, tmp_path, size):
    words = ("replay", str(EXPORTS / "puremco.jsonl"), "--at", "0")
    with program(*words, XDG_DATA_HOME=str(tmp_path)) as served:
        visitor = Visitor(browser, size).open(served.address)
        page = visitor.page

        def at():
            return int(page.locator(".tape .at").inner_text().split()[0])

        visitor.wait(".tape")
        for way, key in (("on", "ArrowRight"), ("round-on", "ArrowDown"), ("back", "ArrowLeft")):
            before = at()
            visitor.changes(
                lambda way=way: visitor.do("[data-do='recording %s']" % way), "#lesson"
            )
            there = at()
            assert (there > before) == ("on" in way)
            visitor.changes(lambda key=key: page.keyboard.press(key), "#lesson")
            assert (at() > there) == ("on" in way)
            assert visitor.flaws() == []
        slider = page.locator(".tape [name=at]")
        starts = page.eval_on_selector_all(".tape option", "all => all.map((one) => one.value)")
        visitor.changes(lambda: slider.fill(starts[0]), "#lesson")
        assert at() == int(starts[0])
        visitor.changes(lambda: slider.press("End"), "#lesson")
        visitor.changes(lambda: visitor.do("[data-do='recording start']"), "#lesson")
        before = at()
        assert before == 0
        visitor.do("[data-do='recording run']")
        page.wait_for_function(
            "was => parseInt(document.querySelector('.tape .at').textContent) > was", arg=before
        )
        visitor.changes(lambda: page.keyboard.press(" "), "#lesson")
        room = visitor.guest(size)
        room.wait("svg.table")
        assert not room.shows(".tape button"), "only who started it winds it"
        for one in (visitor, room):
            one.check()


def test_an_export_chosen_on_the_page(browser, tmp_path):
    poem = tmp_path / "poem.txt"
    poem.write_text("roses are red\n")
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        visitor.open_menu("open matches")
        page.set_input_files("input[type=file]", poem)
        visitor.wait("dialog .error", has_text=ENGLISH("page.no_export"))
        page.set_input_files("input[type=file]", EXPORTS / "classic.jsonl")
        visitor.wait(".tape")
        visitor.changes(lambda: page.keyboard.press("ArrowDown"), "#lesson")
        with page.expect_download() as saved:
            visitor.open_menu("save match")
        assert len(saved.value.path().read_text().splitlines()) > 10
        for kind, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
            with page.expect_download() as saved:
                visitor.do("dialog [data-do='save %s']" % kind)
            assert saved.value.path().read_bytes().startswith(begins)
        visitor.close_dialogs()
        visitor.open_menu("open matches", "carry-on")
        visitor.wait(".tile-button")


def plugged_in(port, files):
    """Switch on an emulated hub with these additional files; its serial port is `port`."""
    board = HubOnPty(configured(SET=6, HOUSE="puremco", STATIONS=4), files=files)
    os.symlink(board.port_name, port)
    return board


def pulled_out(port, board):
    """Unplug the cable, which also supplies the power; return the journal in the hub's flash."""
    with board.lock:
        files = flash_image.unpack(board.emulator.read_files())
    os.unlink(port)
    board.close()
    return {name: data for name, data in files.items() if name.startswith(JOURNAL)}


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_an_emulated_hub_is_watched_by_two_and_its_cable_is_pulled(browser, tmp_path):
    port = str(tmp_path / "hub")
    with program("watch", port, "--at", "0", XDG_DATA_HOME=str(tmp_path)) as served:
        mine = Visitor(browser, DESK).open(served.address)
        both = (mine, mine.guest())
        board = plugged_in(port, {})
        for one in both:
            one.wait("svg.table")
        with board.lock:
            for inputs in (("press", "1"), ("press", "2"), ("tap", "6-6", "E")):
                assert getattr(board, inputs[0])(*inputs[1:])["verdict"] == "ok"
            turn = board.inputs[-1]["turn"]
            assert board.tap("6-5", str(turn))["verdict"] == "ok"
        for one in both:
            one.wait("#table [data-tile='6-5']", state="attached")
        kept = pulled_out(port, board)
        for one in both:
            one.wait("#table .trouble", has_text=ENGLISH("no_hub.lost"))
        board = plugged_in(port, kept)
        for one in both:
            one.page.wait_for_selector("#table .trouble", state="detached")
            assert one.shows("#table [data-tile='6-5']"), "it goes on where it was"
        with board.lock:
            assert board.tap("6-4", str(board.inputs[-1]["turn"]))["verdict"] == "ok"
        for one in both:
            one.wait("#table [data-tile='6-4']", state="attached")
            one.check()
        pulled_out(port, board)
