# SPDX-License-Identifier: MIT
"""The whole firmware on the simulated board: tests that involve several layers."""

import ndef
import pytest
from hub_actions import quick_hub

from host_sim.board.chips.ntag import NTAG213
from host_sim.board.hub.simulated_hub import (
    COARSE_PASS_US,
    PASS_US,
    SimulatedHub,
    configured,
    seating,
)
from roundhouse import boards, tiles


def started(*seats, storage=None, **config):
    board = quick_hub(configured(**config), storage=storage)
    for seat in seats or ("1", "2"):
        board.press(seat)
    assert board.tap("12-12", seats[0] if seats else "1")["verdict"] == "ok"
    return board


def text_of(tag):
    """Return what a phone reads from a tag: the first record of its NDEF message."""
    memory = bytes(tag.memory[16:])
    at = memory.index(3)
    message = memory[at + 2 : at + 2 + memory[at + 1]]
    return next(ndef.message_decoder(message)).text


GAPS = ((1, 2, 4, 7), (3, 10), (2, 5, 8))


@pytest.mark.parametrize(
    "wiring, stations",
    [*boards.STATIONS.items(), ("hub12", 4), *[("hub12", there) for there in GAPS]]
    + [("breadboard", there) for there in ((1, 2, 4, 7), (2, 5, 8))],
)
def test_every_slot_of_every_wiring(wiring, stations):
    board = quick_hub(configured(WIRING=wiring, STATIONS=stations))
    for slot in board.slots[:-2][:8]:
        assert board.press(str(slot))["verdict"] == "ok"
    for slot in board.slots:
        assert board.tap("bus ticket", slot)["input"].startswith("tap ? ")
    assert board.tap("12-12", "E")["phase"] == "play"
    assert len(board.inputs[-1]["lamps"]) == 4 * len(board.slots)


@pytest.mark.parametrize("there", GAPS)
def test_a_station_that_is_not_there(there):
    """A hub can be without some stations.

    - The hub answers `not-now` to a seat that joins at a missing station, and to a correction of
      that seat.
    - No train or line may be begun at a missing station.
    - Lamps and console lines leave a missing station out.
    """
    board = quick_hub(configured(STATIONS=there, HOUSE="goliath"))
    names = [str(n) for n in there]
    missing = next(str(n) for n in range(1, 11) if n not in there)
    assert board.inputs[0]["stations"] == names
    for seat in names[:2]:
        assert board.press(seat)["verdict"] == "ok"
    assert board.tap("seat " + missing, "M")["verdict"] == "not-now"
    assert board.command("join " + missing)["verdict"] == "not-now"
    assert board.command("leave " + missing)["verdict"] == "not-now"
    assert "no slot" in board.command("write 12-7 " + missing)["error"]
    assert "stations" not in board.tap("12-12", names[0])
    line = board.tap("12-5", names[0])
    for text in ("turn", "marker", "hand"):
        said = "%s %s%s" % (text, missing, " 4" if text == "hand" else "")
        assert board.command(said)["verdict"] == "not-now"
    assert set(line["playable"]) <= {*names, "M"}
    assert list(board.command("state"))[-6:] == [
        "game",
        "house",
        "set",
        "stations",
        "trains",
        "vsys",
    ]
    board.lamp_reader.reset(board.ms)
    board.run(700)
    assert board.press("E")["phase"] == "scoring", "everything else is as ever"


def test_a_match_outlives_a_station_that_was_taken_out(tmp_path):
    """The seat at a station that was removed still exists and can leave."""
    board = quick_hub(configured(STATIONS=4, HOUSE="classic", SET=9), tmp_path)
    for seat in ("1", "2", "3"):
        board.press(seat)
    for tap in (("9-9", "1"), ("9-5", "3"), ("9-6", "4"), ("5-1", "3")):
        assert board.tap(*tap)["verdict"] == "ok"
    kept = board.command("state")
    board.hub.journal.close()
    fewer = quick_hub(configured(STATIONS=(1, 2, 4), HOUSE="classic", SET=9), tmp_path)
    said = [line["error"] for line in fewer.lines if "error" in line]
    assert said == ["seat 3 has no station here: say leave 3, or put it back into STATIONS"]
    again = fewer.command("state")
    assert again.pop("stations") == ["1", "2", "4"] and again.pop("lamps") != kept.pop("lamps")
    assert again.pop("playable") == ["1", "2", "4", "M"] and kept.pop("playable")
    assert again == kept
    assert fewer.tap("9-8", "2")["turn"] == 3
    assert fewer.tap("seat 3", "M")["did"] == "drew"
    assert fewer.command("leave 3")["turn"] == 1
    assert fewer.tap("9-4", "1")["verdict"] == "ok"
    for _ in range(4):
        assert fewer.hold("1")["verdict"] == "ok"
    assert fewer.tap("9-8", "2")["turn"] == 3


def test_light_first_then_journal_then_line():
    board = started()
    order = []
    board.hub.strip._pixels.on_frame = lambda grb: order.append("light")
    record, put = board.hub.journal.record, board.hub.console.put
    board.hub.journal.record = lambda *a: (order.append("journal"), record(*a))
    board.hub.console.put = lambda line: (order.append("line"), put(line))
    board.put("12-5", "1")
    board.run_until(lambda: "line" in order, 500)
    assert order[order.index("journal") - 1 :] == ["light", "journal", "line"]


def test_a_tap_is_answered_at_once():
    """The answer comes within 150 simulated ms, no matter which slot is polled."""
    board = started()
    for tile, slot in (("12-5", "1"), ("12-4", "2"), ("5-1", "1"), ("4-3", "2")):
        board.run(137)
        board.lamp_reader.reset(board.ms)
        at = board.ms
        board.put(tile, slot)
        board.run_until(lambda slot=slot: board.lamp_reader.answer(int(slot)) == "g", 500)
        assert board.ms - at <= 150
        board.remove(slot)


def test_a_frame_never_shows_an_earlier_moment():
    board = started()
    frame, shown = board.hub.lights.frame, [0]

    def watched(now, rgb):
        assert now >= shown[-1]
        shown.append(now)
        return frame(now, rgb)

    board.hub.lights.frame = watched
    for ms in range(0, 200, 3):
        board.run(ms)
        assert board.tap("0-0", "1")["verdict"] == "no-match"
    assert len(shown) > 500


def test_a_stuck_button_is_told():
    board = started()
    board.press_down("3")
    board.run(11000)
    assert board.lines[-1] == {"slot": "3", "button": "stuck"}
    board.press_up("3")
    board.run(200)
    assert board.lines[-1] == {"slot": "3", "button": "ok"}


def wire_touched(board, ms=30):
    """All buttons seem to be pressed for a while: their data line is loose."""
    for button in board.buttons:
        button.drive(0)
    board.run(ms)
    for button in board.buttons:
        button.drive(1)


def fault_lamp(board, slot):
    return board.hub.lights.lamps[4 * board.place(slot) + 3] == ord("v")


def test_a_loose_wire_of_the_buttons_is_told_once_and_is_no_input():
    board = started()
    lines = len(board.lines)
    for _ in range(5):
        wire_touched(board)
        board.run(500)
    assert board.lines[lines:] == [{"slot": "E", "button": "loose"}]
    assert fault_lamp(board, "E")
    board.press("1", 200)
    assert board.tap("seat 1", "1")["did"] == "drew", "cards work"
    board.run(1500)
    assert board.lines[-1] == {"slot": "E", "button": "ok"} and not fault_lamp(board, "E")
    assert [line["did"] for line in board.inputs[-1:]] == ["drew"]
    assert board.press("1")["did"] == "passed"


def test_a_loose_wire_at_power_up_starts_no_self_test():
    board = started()
    for button in board.buttons:
        button.drive(0)
    board.pressed.update(range(len(board.buttons)))
    board.unplug()
    board.run(1000)
    assert not [line for line in board.lines if "selftest" in line] and fault_lamp(board, "E")
    assert board.tap("seat 1", "1")["did"] == "drew"


def test_a_slot_has_its_fault_lamp_until_all_of_it_works():
    board = started()
    board.fault("3")
    board.press_down("3")
    board.run(11_000)
    board.press_up("3")
    board.run(200)
    assert {"slot": "3", "button": "ok"} in board.lines and fault_lamp(board, "3")
    board.repair("3")
    board.run(7000)
    assert board.lines[-1] == {"slot": "3", "reader": "ok"} and not fault_lamp(board, "3")


def test_a_button_that_is_let_go_in_a_self_test_has_no_fault_lamp_after_it():
    board = started()
    board.press_down("3")
    board.run(11_000)
    assert fault_lamp(board, "3")
    board.command("selftest")
    board.press_up("3")
    board.run(4000)
    board.hold("2")
    board.run(500)
    assert not fault_lamp(board, "3")


def test_a_host_that_does_not_read_stops_nothing():
    board = started()
    board.port.open = False
    for n, tile in enumerate(["12-5", "12-4", "5-1", "4-3", "1-0", "3-2", "0-9", "2-8"] * 3):
        board.put(tile, str(n % 2 + 1))
        board.run(500)
        board.remove(str(n % 2 + 1))
    turn = board.hub.table.turn
    board.port.open = True
    board.run(2000)
    answer = board.command("state")
    assert "dropped" in answer or answer["turn"] == turn
    assert board.command("state")["turn"] == turn


def test_write_and_read_back():
    board = started()
    blank = board.put(NTAG213(b"\x04blank!"), "E")
    assert board.line_after(len(board.inputs), 500) or board.inputs[-1]["verdict"] == "unreadable"
    for text in ("12-7", "seat 3", "house jassshop no-lock"):
        assert board.command("write " + text)["verdict"] == "ok"
        assert text_of(blank) == text
    board.run(1000)
    assert board.inputs[-1]["input"] == "write " + text, "a tag just written is no tap"
    board.remove("E")
    assert "no tag" in board.command("write 12-7")["error"]
    board.put(blank, "4")
    board.run(300)
    assert board.command("write 9-3 4")["verdict"] == "ok"
    assert text_of(blank) == "9-3"
    blank.lock(5)
    assert "locked" in board.command("write 9-4 4")["error"]
    assert "TEXT is a tile" in board.command("write nonsense")["error"]
    assert "no slot X" in board.command("write 9-4 X")["error"]


def test_a_scores_card_shows_the_totals_and_stays_one():
    board = started()
    board.press("E")
    for seat, tile in (("1", "4-4"), ("2", "9-1")):
        board.tap(tile, seat)
    board.press("E")
    card = NTAG213(b"\x04scores", "scores")
    for _ in range(2):
        assert board.tap(card, "7")["verdict"] == "ok"
        assert text_of(card) == "scores 1=8 2=10"
        board.run(500)


def lamp(line, board, slot, k):
    return line["lamps"][4 * board.place(slot) + k]


def test_a_refusal_shows_why():
    board = started("1", "2", "3")
    line = board.tap("12-5", "2")  # closed: its open lamp says so
    assert (lamp(line, board, "2", 1), lamp(line, board, "2", 3)) == ("x", "r")
    line = board.press("3")  # not its turn: whose it is
    assert (lamp(line, board, "1", 0), lamp(line, board, "3", 3)) == ("T", "r")
    board.tap("12-5", "1")
    line = board.tap("12-3", "M")
    board.hold("M")
    board.tap("12-4", "2")
    board.press("3")
    board.press("3")
    board.tap("5-5", "1")
    board.press("1")
    board.press("1")
    line = board.tap("4-1", "2")  # the double comes first
    assert line["verdict"] == "double-first"
    assert (lamp(line, board, "1", 2), lamp(line, board, "2", 3)) == ("N", "r")
    line = board.tap("bus ticket", "7")
    assert lamp(line, board, "7", 3) == "r"
    assert lamp(line, board, "1", 2) in "AN"
    board.run(1500)
    assert "r" not in board.command("state")["lamps"], "a blink ends"


class Refusing:
    """Files that can be read but not written."""

    def __init__(self, files):
        self.listdir, self._files = files.listdir, files

    def remove(self, path):
        raise OSError(5)

    def open(self, path, mode):
        if mode != "rb":
            raise OSError(5)
        return self._files.open(path, mode)


def test_answers_by_light():
    board = started()
    assert lamp(board.tap("12-5", "1"), board, "1", 3) == "g"
    assert lamp(board.hold("2"), board, "1", 3) == "w", "where the tile can be picked up"
    assert lamp(board.command("undo"), board, "1", 3) == "w"
    board = quick_hub()
    board.command("house quebec")
    line = board.command("undo")
    assert lamp(line, board, "E", 3) == "w", "rules are no slot's"
    assert lamp(board.hold("4"), board, "4", 3) == "r", "nothing left to take back"
    assert lamp(board.command("redo"), board, "E", 3) == "g"
    board.command("set 9")
    board.press("2")
    for slot, rules in (("2", ""), ("E", "quebec 9"), ("E", "quebec 12")):
        assert lamp(board.hold("7"), board, slot, 3) == "w", rules
    for slot in ("E", "E", "2"):
        assert lamp(board.command("redo"), board, slot, 3) == "g"
    line = board.command("redo")
    assert (line["verdict"], lamp(line, board, "E", 3)) == ("not-now", "r")
    assert (board.hub.table.set, board.hub.table.joined) == (9, 1 << 2)


def test_a_flash_that_refuses_is_a_fault_and_changes_nothing(monkeypatch):
    board = quick_hub()
    board.command("house quebec")
    board.press("3")
    board.hold("3")
    state, files = bytes(board.hub.table.state), board.hub.journal.files
    for line in ("house goliath", "set 9", "undo", "redo", "join 4"):
        monkeypatch.setattr(board.hub.journal, "files", Refusing(files))
        board.hub.journal.close()
        answer = board.command(line)
        monkeypatch.undo()
        assert (answer["verdict"], answer["phase"]) == ("fault", "lobby"), line
        assert bytes(board.hub.table.state) == state, line
        assert lamp(answer, board, "4" if line == "join 4" else "E", 3) == "r"
    assert board.command("redo")["hands"] == {"3": 0}


def test_counting_up_for_the_long_hold():
    board = started()
    board.press_down("4")
    board.run(2000)
    assert bytes(board.hub.lights.lamps).count(b"u") == 1, "let go now"
    board.run(2000)
    shown = bytes(board.hub.lights.lamps)
    assert shown.count(b"k") >= 4
    board.press_up("4")
    board.run(300)
    assert b"k" not in bytes(board.hub.lights.lamps)


@pytest.mark.slow
def test_in_strides_a_hub_arrives_where_it_does_pass_by_pass():
    """A hub that waits in fewer, longer passes (`strides`) prints the same lines and shows the
    same lamps as a hub with short passes."""

    def evening(strides, pass_us=PASS_US):
        config = configured(HOUSE="puremco", SET=6, NIGHT_MINUTES=1, BRIGHTNESS=100)
        board = SimulatedHub(config, coarse_waits=strides, pass_us=pass_us)
        passes, step = [], board.hub.step
        board.hub.step = lambda: passes.append(board.ms) or step()
        for seat in "123":
            board.press(seat)
        board.tap("6-6", "2")
        board.pause(3000)
        board.put("6-5", str(board.inputs[-1]["turn"]))
        board.pause(4000)
        board.press_down("3")
        board.pause(11_000)
        board.press_up("3")
        board.pause(2000)
        board.fault("4")
        board.pause(3000)
        board.repair("4")
        board.pause(3000)
        board.hold("1")
        assert board.settle()
        seen = board.lamp_reader.turn(), board.lamp_reader.open(), board.lamp_reader.doubles()
        board.pause(61_000)
        night = board.hub.strip.brightness
        board.remove(str(board.inputs[-2]["turn"]))
        board.tap("6-1", "1")
        lines = [{k: v for k, v in line.items() if k != "lamps"} for line in board.lines]
        return (lines, seen, night, board.hub.strip.brightness), len(passes)

    slowly, many = evening(False)
    quickly, few = evening(True)
    assert quickly == slowly
    assert evening(True, COARSE_PASS_US)[0] == slowly
    assert {"slot": "3", "button": "stuck"} in slowly[0] and slowly[2] < slowly[3]
    assert any(line.get("reader") == "fault" for line in slowly[0])
    assert few < many / 5


@pytest.mark.parametrize("asked", ["state", "export", "a tile again"])
def test_a_press_counts_while_the_journal_is_read(monkeypatch, asked):
    board = started()
    for tile, slot in (("12-5", "1"), ("12-6", "2"), ("5-4", "1"), ("6-3", "2"), ("4-2", "1")):
        assert board.tap(tile, slot)["verdict"] == "ok"
    inputs = board.hub.journal.inputs

    def slowly():
        for number, one in enumerate(inputs()):
            board.clock.us += 20_000
            if number == 0:
                board.press_down("2")
            if number == 4:
                board.press_up("2")
            yield one

    monkeypatch.setattr(board.hub.journal, "inputs", slowly)
    if asked == "a tile again":
        assert board.tap("12-5", "2")["verdict"] == "on-table"
    else:
        board.command(asked)
    board.run(200)
    assert board.inputs[-1]["input"] == "press 2"


def test_the_longest_line_and_one_more_wait_for_a_slow_host():
    """`state` with every tile of the largest set on the table, each against the rules, so that
    both of its numbers are ends."""
    seats = 14
    board = quick_hub(seating(seats, HOUSE="free", SET=18))
    for seat in range(1, seats + 1):
        board.press(str(seat))
    board.tap("18-18", "E")
    for seat in range(1, seats + 1):
        board.command("hand %d 40" % seat)
        board.command("total %d 9999" % seat)
    for n in range(tiles.size(18) - 1):
        line = board.override(tiles.text(n), str(n % seats + 1))
        if tiles.HIGH[n] == tiles.LOW[n]:
            line = board.press(str(line["turn"]))
        assert line["verdict"] == "ok"
    board.port.open = False
    board.port.type("state")
    board.run(2000)
    board.press(str(line["turn"]))
    board.port.open = True
    board.run(2000)
    state, pressed = board.inputs[-2:]
    assert state["input"] == "state" and pressed["verdict"] == "ok"
    assert sum(map(len, state["trains"].values())) == tiles.size(18) - 1
    assert not any("dropped" in line for line in board.lines)
