# SPDX-License-Identifier: MIT
"""The view: what is on the screen is what the lines say, from a tape and from a serial port."""

import asyncio
import json
import os
import time
import tty

import pytest

from host_sim.hub import exported_match
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.people.bots import BotMatch
from host_sim.pico.emulator import IMAGE
from host_sim.views import line_sources, terminal_table
from host_sim.views.table_state import TableState


def evening(tmp_path_factory, rounds=2):
    """Play two rounds; return the board and the file with its export."""
    board = SimulatedHub(configured(SET=6))
    BotMatch(board, (1, 3, 4), "puremco", 6, 3, slips=0.2).play(rounds)
    count = len(board.lines)
    board.port.type("export")
    board.run(4000)
    path = tmp_path_factory.mktemp("export") / "evening.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in board.lines[count:]))
    return board, path


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return evening(tmp_path_factory)


def test_a_replay_says_what_the_hub_said(played):
    board, path = played
    said = [line for line in board.inputs if line["verdict"] == "ok"]
    again = exported_match.lines(path)
    assert len(again) > 60
    for then, now in zip(said, again):
        assert {k: v for k, v in then.items() if k not in ("lamps", "version")} == {
            k: v for k, v in now.items() if k not in ("lamps", "trains")
        }


def test_a_file_that_is_no_export(tmp_path):
    path = tmp_path / "x"
    path.write_text("hello\n{}\n[1]\n")
    with pytest.raises(exported_match.NoExport, match="no segment in it"):
        exported_match.lines(path)


async def wait_until(pilot, done, turn=lambda: None):
    """Let the view run until done()."""
    end = time.monotonic() + 120
    while not done():
        assert time.monotonic() < end, screen(pilot.app)
        turn()
        await pilot.pause(0.05)


def screen(view):
    """The text on the screen."""
    strips = view.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip) for strip in strips)


def test_stepping_through_a_tape(played):
    _, path = played
    tape = line_sources.Tape(exported_match.lines(path), "an evening")

    async def go():
        view = terminal_table.Replay(tape, {"1": "Ana"})
        async with view.run_test(size=(100, 30)) as pilot:
            await pilot.pause(0.2)
            assert "lobby" in screen(view)
            while tape.lines[tape.at]["phase"] != "play":
                await pilot.press("right")
            for _ in range(9):
                await pilot.press("right")
            await pilot.pause(0.2)
            line, text = tape.lines[tape.at], screen(view)
            assert "round 1" in text and "[6|6]" in text
            assert "yard %d" % line["boneyard"] in text
            for slot, end in line["ends"].items():
                shown = view.seen.train(slot)
                assert shown[-1][1] == end
                assert "[%d|%d]" % shown[-1] in text or "[%d|%d]" % shown[-1][::-1] in text
            assert "Ana" in text
            assert view.seen.sentence(line) in text
            for seat, count in line["hands"].items():
                row = terminal_table.ROW % (view.seen.seat(seat), count, line["scores"][seat])
                assert row in text
            await pilot.press("left")
            await pilot.pause(0.2)
            assert "input %d of" % tape.at in screen(view)
            await pilot.press("n")
            assert tape.lines[tape.at]["round"] == 2
            await pilot.press("p")
            assert tape.lines[tape.at]["round"] == 1
            await pilot.press("plus", "plus", "plus", "plus", "space")
            at = tape.at
            for _ in range(100):
                await pilot.pause(0.05)
                if tape.at > at + 1:
                    break
            assert tape.at > at + 1, "it plays by itself"

    asyncio.run(go())


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (160, 50)])
def test_every_size_without_colour(played, size):
    _, path = played
    lines = exported_match.lines(path)
    tape = line_sources.Tape(lines)
    tape.go(max(n for n, line in enumerate(lines) if line["phase"] == "play"))

    async def go():
        view = terminal_table.Replay(tape, colour=False)
        async with view.run_test(size=size) as pilot:
            await pilot.pause(0.3)
            text = screen(view)
            for slot in (*map(str, range(1, 11)), "M"):
                assert slot in text
            turn = str(lines[tape.at]["turn"])
            assert any(
                " %s " % turn in row and "\u25cf" in row or "\u25c9" in row
                for row in text.split("\n")
            )

    asyncio.run(go())


def test_a_click_on_the_hub_says_which_slot():
    """The view says it to whoever shows it, and does nothing by itself."""

    class Clicked(terminal_table.TableScreen):
        def on_hub_picture_chosen(self, event):
            chosen.append(event.slot)

    chosen = []
    board = SimulatedHub()

    async def go(view):
        view.seen.line(board.say("state"))
        async with view.run_test(size=(100, 30)) as pilot:
            await pilot.pause(0.2)
            rows = {row: y for y, row in view.hub.at.items()}
            for row, column in ((0, 3), (1, 97), (5, 3)):  # M, station 2, and nobody's corner
                await pilot.click(
                    view.hub, offset=(min(column, view.hub.size.width - 3), rows[row])
                )
            await pilot.pause(0.2)

    asyncio.run(go(terminal_table.TableScreen(line_sources.Source())))
    assert chosen == []
    asyncio.run(go(Clicked(line_sources.Source())))
    assert chosen == ["M", "2"]


class Pty:
    """A serial port whose other end is a simulated hub."""

    def __init__(self, board):
        self.board = board
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.name = os.ttyname(self.slave)
        self.told = len(board.lines)

    def turn(self):
        """Pass on what was said, both ways."""
        try:
            for line in os.read(self.master, 4096).split(b"\n"):
                if line:
                    self.board.say(line.decode())
        except BlockingIOError:
            pass
        for line in self.board.lines[self.told :]:
            os.write(self.master, json.dumps(line).encode() + b"\r\n")
        self.told = len(self.board.lines)

    def unplug(self):
        os.close(self.slave)
        os.close(self.master)


def test_watching_survives_unplugging_and_asks_for_state():
    board = SimulatedHub(configured(SET=6))
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("6-6", "1")
    board.tap("6-5", "1")
    ports = [Pty(board)]

    def find():
        if not ports:
            raise OSError("no Pico found")
        return ports[0].name

    wire = line_sources.SerialLine(find)
    view = terminal_table.TableScreen(wire)

    def turn():
        for port in ports:
            port.turn()

    async def until(pilot, done):
        await wait_until(pilot, done, turn)

    async def go():
        async with view.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: view.seen.trains == {"1": ["6-5"]})
            assert "[6|5]" in screen(view)
            board.tap("6-4", "2")
            await until(pilot, lambda: "[6|4]" in screen(view))
            gone = ports.pop()
            gone.unplug()
            await until(pilot, lambda: "unplugged" in screen(view) or "no Pico" in screen(view))
            board.tap("5-1", "1")
            ports.append(Pty(board))
            await until(pilot, lambda: "[5|1]" in screen(view))
            assert view.seen.trains == {"1": ["6-5", "5-1"], "2": ["6-4"]}
            state = board.say("state")
            assert view.seen.trains == state["trains"]
            assert view.seen.state["hands"] == state["hands"]

    asyncio.run(go())


@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image")
def test_a_hub_on_the_emulated_pico_looks_like_the_simulated_one():
    """The same inputs at both: the same table on the screen, but for what moves."""
    from host_sim.pico.pty_port import HubOnPty

    ours = SimulatedHub(configured(STATIONS=4))
    hub = HubOnPty(configured(STATIONS=4))
    view = terminal_table.TableScreen(line_sources.SerialLine(lambda: hub.port_name))

    def inputs(board):
        for seat in ("1", "3"):
            board.press(seat)
        board.tap("12-12", "1")
        board.tap("12-5", "1")
        board.tap("5-5", "1")
        board.tap("12-4", "3")

    async def go():
        async with view.run_test(size=(100, 30)) as pilot:
            # a line in the middle of a tap would look like its answer to the board's hands
            await wait_until(pilot, lambda: not view.seen.wants_state)
            with hub.lock:
                inputs(hub)
            inputs(ours)
            end = time.monotonic() + 120
            wanted = ours.inputs[-1]["input"]
            while not (
                view.seen.state
                and view.seen.state["input"] == wanted
                and not view.seen.wants_state
            ):
                assert time.monotonic() < end, screen(view)
                await pilot.pause(0.1)
            other = TableState()
            for line in ours.lines:
                other.line(line)
            assert view.seen.trains == other.trains
            for key, value in other.state.items():
                assert key == "lamps" or view.seen.state[key] == value, key
            assert view.seen.log[-1] == other.log[-1]

    try:
        asyncio.run(go())
    finally:
        hub.close()


def test_a_line_game_is_drawn_too():
    board = SimulatedHub()
    said = [board.say("house matador")]
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.press("E")
    for tap in ("9-6 2", "4-1 1", "9-0 8"):
        board.tap(*tap.split())
        said.append(board.say("state"))
    tape = line_sources.Tape(said, "matador")

    async def go():
        view = terminal_table.Replay(tape)
        async with view.run_test(size=(130, 40)) as pilot:
            await pilot.press("right")
            await pilot.press("right")
            await pilot.pause(0.2)
            text = screen(view)
            assert "[9|6]" in text and "4/1" in text and "seat 1's turn" in text
            await pilot.press("right")
            await pilot.pause(0.2)
            assert "may play: 1 2 3" in screen(view)

    asyncio.run(go())


def test_a_replay_knows_the_game_wherever_it_is(tmp_path):
    """Two matches of two games in one export; stepping goes both ways."""
    board = SimulatedHub()
    for house in ("matador", "puremco"):
        board.say("house " + house)
        for seat in ("1", "2"):
            if house == "matador":
                board.press(seat)
        board.press("E")
        board.tap("9-6" if house == "matador" else "9-9", "2")
        while board.inputs[-1]["phase"] != "lobby":
            board.run(600)
            board.press("E")
    count = len(board.lines)
    board.port.type("export")
    board.run(4000)
    path = tmp_path / "two.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in board.lines[count:]))
    tape = line_sources.Tape(exported_match.lines(path))
    seen = TableState()

    def title(said):
        tape.go(next(n for n, line in enumerate(tape.lines) if line["input"] == said))
        for line in tape.poll():
            seen.line(line)
        return seen.title()

    assert title("tap 9-9 2") == "Mexican Train"
    assert title("tap 9-6 2") == "Matador"
    assert title("tap 9-9 2") == "Mexican Train"
