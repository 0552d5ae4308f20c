# SPDX-License-Identifier: MIT
"""The self-test on the simulated board finds broken parts, and does not change the match."""

import pytest
from hub_actions import quick_hub

from host_sim.board.chips.ntag import NTAG213, MifareClassic
from host_sim.board.hub.simulated_hub import configured


@pytest.fixture
def board():
    board = quick_hub(configured(STATIONS=2))  # four slots: 1, 2, M, E
    board.press("1")
    board.press("2")
    board.tap("12-12", "1")
    board.tap("12-5", "1")
    return board


def begin(board, ms=4000):
    """Start the self-test, and wait until the lights were tested."""
    board.port.type("selftest")
    board.run(ms)


def parts(board, part):
    return {line["slot"]: line[part] for line in board.lines if part in line and "slot" in line}


def end(board):
    lines = [line for line in board.lines if line.get("selftest") == "end"]
    return lines[-1] if lines else None


def pixel(board, place, k):
    """Return the colour of a pixel as a letter: r, g, b, or v for red and blue together."""
    green, red, blue = board.lamp_reader._grb[12 * place + 3 * k : 12 * place + 3 * k + 3]
    return {(1, 0, 0): "g", (0, 1, 0): "r", (0, 0, 1): "b", (0, 1, 1): "v"}.get(
        (int(green > 0), int(red > 0), int(blue > 0)), "."
    )


def test_everything_works(board):
    begin(board)
    assert parts(board, "reader") == {"1": "0x92", "2": "0x92", "M": "0x92", "E": "0x92"}
    for slot in ("1", "2", "M", "E"):
        assert end(board) is None
        assert pixel(board, board.place(slot), 0) == "r"
        assert pixel(board, board.place(slot), 3) == "b"
        board.press(slot)
        board.put("7-%d" % board.place(slot), slot)
        board.run(200)
        board.remove(slot)
        if slot != "E":
            assert pixel(board, board.place(slot), 0) == pixel(board, board.place(slot), 3) == "g"
    assert parts(board, "button") == dict.fromkeys(("1", "2", "M", "E"), "ok")
    assert parts(board, "tag") == {"1": "7-0", "2": "7-1", "M": "7-2", "E": "7-3"}
    assert end(board) == {
        "selftest": "end",
        "readers": [],
        "buttons": [],
        "tags": [],
        "vsys": 4.84,
    }


def test_what_is_broken_is_named(board):
    board.fault("2")
    begin(board)
    assert parts(board, "reader")["2"] == "fault"
    assert pixel(board, board.place("2"), 3) == "v"
    board.press("1")
    board.hold("M")
    assert end(board) == {
        "selftest": "end",
        "readers": ["2"],
        "buttons": ["2", "M", "E"],
        "tags": ["1", "2", "M", "E"],
        "vsys": 4.84,
    }


def test_a_stuck_button_is_said(board):
    begin(board, 100)
    board.press("1")
    board.press_down("2")
    board.run(11000)
    assert parts(board, "button") == {"1": "ok", "2": "stuck"}
    assert end(board) is None


def test_a_hub_with_a_stuck_button_plays_on(board):
    board.press_down("M")
    board.unplug()
    board.run(12000)
    assert end(board)
    assert board.command("state")["turn"] == 2


def test_every_pixel_is_lit_in_every_colour_and_alone(board):
    seen, alone = set(), set()
    add_frame = board.lamp_reader.add_frame

    def frame(ms, grb):
        lit = [i for i in range(0, len(grb), 3) if any(grb[i : i + 3])]
        for i in lit:
            seen.add((i // 3, tuple(byte > 0 for byte in grb[i : i + 3])))
        if len(lit) == 1:
            alone.add(lit[0] // 3)
        add_frame(ms, grb)

    board.lamp_reader.add_frame = frame
    begin(board)
    for i in range(16):
        for colour in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            assert (i, tuple(map(bool, colour))) in seen
    assert alone == set(range(16))


def test_it_begins_and_ends_with_words_of_their_own(board):
    """Whatever else is typed meanwhile is answered, and neither ends the test nor changes the
    match."""
    assert "no self-test runs" in board.command("selftest end")["error"]
    assert "no self-test runs" in board.command("selftest stop")["error"]
    before = board.command("state")
    begin(board)
    for line in ("selftest", "read E", "undo", "state", "jump"):
        assert board.command(line)["error"].startswith("the hub is in its self-test; say")
    board.port.type("selftest end")
    board.run(100)
    assert end(board)
    after = board.command("state")
    assert {**after, "lamps": ""} == {**before, "lamps": ""}


def test_the_match_is_as_before(board):
    before = board.command("state")
    begin(board)
    board.put("12-7", "2")  # a legal tile, but only tried
    board.press("1")
    board.run(300)
    board.remove("2")
    board.port.type("selftest end")
    board.run(100)
    assert end(board)["buttons"] == ["2", "M", "E"]
    after = board.command("state")
    assert {k: v for k, v in after.items() if k != "lamps"} == {
        k: v for k, v in before.items() if k != "lamps"
    }
    assert board.settle()
    assert board.lamp_reader.turn() == 2, "the lamps are the table's again"


def test_a_button_held_at_power_up_asks_for_it(board):
    board.press_down("M")
    board.unplug()
    board.press_up("M")
    board.run(4000)
    assert pixel(board, board.place("1"), 3) == "b"
    assert len(parts(board, "reader")) == 4


def test_other_lines_change_nothing_meanwhile(board):
    begin(board)
    count = len(board.inputs)
    board.port.type("undo")
    board.port.type("x" * 300)
    board.run(300)
    assert len(board.inputs) == count and end(board) is None


@pytest.mark.slow
def test_no_press_is_lost_while_a_tag_is_read():
    board = quick_hub(configured(STATIONS=4))
    begin(board)
    board.run(200)
    for n in range(60):
        # a tag that comes is read for ten milliseconds, and the button let go somewhere in that
        board.run(600)
        count = len(board.lines)
        board.press_down("1")
        board.run(80)
        board.put(NTAG213(bytes([4, n, 2, 3, 4, 5, 6])), "E")
        board.run(30 + n)
        board.press_up("1")
        board.run(400)
        said = [line for line in board.lines[count:] if line.get("button")]
        assert said == [{"slot": "1", "button": "ok"}], n
        board.remove("E")


def test_a_tag_is_said_with_its_uid(board):
    """The UID is printed as a phone shows it, so that two tags with the same text can be told
    apart."""
    begin(board)
    for tag in (
        NTAG213(bytes.fromhex("04a1b2c3d4e5f6"), "7-0"),
        MifareClassic(b"\xde\xad\xbe\xef"),
    ):
        board.put(tag, "2")
        board.run(500)
        board.remove("2")
        board.run(700)
    tags = [(line["tag"], line["uid"]) for line in board.lines if "tag" in line]
    assert tags == [("7-0", "04a1b2c3d4e5f6"), ("?", "deadbeef")]
