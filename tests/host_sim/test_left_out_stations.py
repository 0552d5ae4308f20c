# SPDX-License-Identifier: MIT
"""Table scripts pass with random stations missing, and a hub survives an unplugged cable.

`.venv/bin/python -m host_sim emulate --missing SEED --all` plays all suitable scripts.
"""

import pytest
from hub_actions import quick_hub

from host_sim.board.hub import table_script
from host_sim.board.hub.lamp_reader import LampReader
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico.emulator import IMAGE
from host_sim.lab import left_out_stations, pico_comparison, smoke_scripts
from roundhouse.constants import M

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)
WITH_ROOM = [
    path for path in smoke_scripts.scripts() if left_out_stations.has_room(path.read_text())
]


def test_which_stations_a_script_names():
    text = "set 9 # on 7\nplayers 3\ntap 9-8 5\nexpect score 1=0 6=8\nexpect playable 1 M\nhold 8"
    assert left_out_stations.named(text) == {1, 2, 3, 5, 6, 8}
    for seed in range(20):
        there = left_out_stations.stations(text, seed)
        assert {1, 2, 3, 5, 6, 8} <= set(there) < set(range(1, 11))
    assert left_out_stations.stations("players 10", 1) is None
    assert left_out_stations.stations("players 2\nexpect ran 1 2", 1) is None
    assert len(left_out_stations.stations("say state", 3)) >= 2


def test_most_scripts_have_room():
    assert len(WITH_ROOM) > 0.8 * len(smoke_scripts.scripts())


@pytest.mark.parametrize("path", WITH_ROOM[::25], ids=lambda path: path.stem)
def test_a_script_with_stations_missing(path):
    text = path.read_text()
    there = left_out_stations.stations(text, 18)
    script = table_script.Script(config=configured(STATIONS=there), make_board=quick_hub)
    script.run(text, path.name)
    if script.board:
        assert script.board.slots == (*there, M, 0)
        letters = script.board.inputs[-1]["lamps"]
        assert len(letters) == 4 * len(script.board.slots)


@pytest.mark.slow
@needs_image
@pytest.mark.parametrize("path", WITH_ROOM[105::400], ids=lambda path: path.stem)
def test_a_script_with_stations_missing_on_the_pico(path):
    assert pico_comparison.play(path, missing="18") is None


# ---- a cable that is pulled in mid-game ----

THERE = (1, 2, 4, 7)
SLOTS = ("1", "2", "4", "7", "M", "E")
# a round by a house that enforces nothing: every seat may tap anywhere
TILES = ["%d-%d" % (high, low) for high in range(9) for low in range(high)]


class Watched(SimulatedHub):
    """A hub that keeps the last frame that the firmware sent, `sent`."""

    sent = b""
    before = None  # reads the lamps that are before the cable in the chain

    def _frame(self, grb):
        self.sent = bytes(grb)
        super()._frame(grb)
        if self.before:
            self.before.add_frame(self.ms, self._latched[: 12 * len(self.before.slots)])


def in_mid_game():
    board = Watched(configured(STATIONS=THERE, HOUSE="free", SET=12))
    for seat in SLOTS[:4]:
        assert board.press(seat)["verdict"] == "ok"
    assert board.tap("12-12", "E")["phase"] == "play"
    for tile in ("12-1", "12-2", "12-3"):
        assert board.tap(tile, "M")["verdict"] == "ok"
    return board


@pytest.mark.slow
@pytest.mark.parametrize("slot, miso", [*zip(SLOTS, (0x00, 0xFF) * 3), ("M", 0xFF)], ids=str)
def test_a_cable_that_is_pulled_in_mid_game(slot, miso):
    board = in_mid_game()
    place = board.place(slot)
    known = board.inputs[-1]
    lines = len(board.lines)
    board.pull_cable(slot, miso)
    board.run(1500)
    said = [line for line in board.lines[lines:] if "reader" in line]
    assert said[0] == {"slot": slot, "reader": "fault", "pixels": list(SLOTS[place:])}
    assert {line["slot"] for line in said} == {slot}, "nobody else"
    assert board.hub.reader.slowed < 0, "no speed would help"
    if place:
        board.before = LampReader(board.slots[:place])
    tiles = iter(TILES)
    laid = 0
    for other in SLOTS:
        if other == slot:
            continue
        if other != "E":
            line = board.tap(next(tiles), other)
            assert (line["verdict"], line["did"]) == ("ok", "laid"), other
            laid += 1
            assert board.press(other)["verdict"] in ("ok", "not-your-turn"), "its button counts"
    assert board.tap(TILES[-1], slot) is None, "and nothing at the slot itself"
    board.remove(slot)
    board.run(1000)
    state = board.command("state")
    assert sum(map(len, state["trains"].values())) == 3 + laid, "nothing is lost"
    if place and board.hub.table.turn in board.slots[:place]:
        board.run(2500)
        assert board.before.turn() == board.hub.table.turn, "the lamps before it are right"
    assert board._latched[: 12 * place] == board.sent[: 12 * place]
    board.before = None
    lines = len(board.lines)
    board.plug_cable(slot)
    board.run(1000)
    assert board._latched == board.sent, "within a second all lamps are right"
    said = [line for line in board.lines[lines:] if "reader" in line]
    assert said == [{"slot": slot, "reader": "ok"}]
    if slot != "E":
        assert board.tap("11-10", slot)["verdict"] == "ok"
    assert board.press(slot)["verdict"] in ("ok", "not-your-turn")
    assert known["engine"] == board.inputs[-1]["engine"]


def test_lamps_that_do_not_move_come_back_within_a_second_too():
    board = Watched(configured(STATIONS=THERE))
    board.run(3000)
    board.pulled_cables.add(
        board.place("2")
    )  # the pixels' wire alone: a reader's fault would blink
    board.run(3000)
    assert not any(board.sent), "all dark"
    sent = []
    frame = board._frame
    board.hub.strip._pixels.on_frame = lambda grb: (sent.append(board.ms), frame(grb))
    for _ in range(5):
        at = board.ms
        board.run(1000)
        assert sent and sent.pop() - at <= 1000
        sent.clear()
        board.run(130)
