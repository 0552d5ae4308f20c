# SPDX-License-Identifier: MIT
"""Sources of lines: parsing a hub's bytes, when commands are sent, and replaying a match."""

import json

import pytest
from hub_actions import quick_hub

from host_sim.app.players.bot_match import BotMatch
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from host_sim.table import streams
from host_sim.table.streams import HubStream, LineParser, Recording


class Time:
    def __init__(self, monkeypatch):
        self.now = 1000.0
        monkeypatch.setattr(streams.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch):
    return Time(monkeypatch)


@pytest.fixture(scope="module")
def match():
    board = quick_hub(configured(SET=6))
    BotMatch(board, (1, 3, 4), "puremco", 6, 3, slips=0.1).play(2)
    return board


def said(line):
    return json.dumps(line).encode() + b"\n"


# ---- lines among junk ----


def test_half_lines_and_junk_between_them(match):
    line = match.inputs[-1]
    data = b'\xff\x00junk\n{"a": 1}\n[[[\n\n' + said(line) + b"[" * 200_000 + b"\n" + said(line)
    for size in (1, 7, 1000, len(data)):
        cut, found = LineParser(), []
        for n in range(0, len(data), size) if size > 1 else range(3000):
            found += cut.feed(data[n : n + size])
        assert found == [line, line][: 2 if size > 1 else 1], size


def test_a_wire_that_never_ends_its_line_fills_no_memory():
    cut = LineParser()
    for _ in range(100):
        cut.feed(b"x" * 10_000)
    assert len(cut._rest) <= streams.LONGEST


# ---- a hub on a wire ----


def test_a_hub_that_comes_is_asked_for_state(clock, match):
    source = HubStream()
    woken = []
    source.wake = lambda: woken.append(1)
    assert source.due() is None and source.status()[0] == "usb.looking"
    source.opened("port")
    assert woken and source.due() == 0 and source.status() == ("usb.asking", {"port": "port"})
    assert source.poll() == [] and source.take_output() == b"state\r\n"
    match.command("state")
    line = match.inputs[-1]
    source.received(said(line))
    assert source.due() == 0 and source.status()[0] == "usb.here"
    assert source.poll() == [line]
    clock.now += 60
    source.poll()
    assert source.take_output() == b""


def heard(source, line):
    source.received(said(line))
    source.poll()


def test_after_an_input_the_lamps_at_rest_are_asked_for_once(clock, match):
    source = HubStream()
    source.opened("port")
    source.poll()
    source.take_output()
    tap = next(line for line in match.inputs if line["input"].startswith("tap"))
    match.command("state")
    state = match.inputs[-1]
    heard(source, tap)
    assert source.due() == pytest.approx(0.7)
    clock.now += 0.5
    heard(source, tap)
    assert source.due() == pytest.approx(0.7), "people are still at it"
    clock.now += 0.69
    source.poll()
    assert source.take_output() == b""
    clock.now += 0.02
    assert source.due() == 0
    source.poll()
    assert source.take_output() == b"state\r\n"
    heard(source, state)
    assert source.due() is None, "an answer is no input"


def test_a_board_that_says_nothing_is_told_of_and_asked_again(clock):
    source = HubStream()
    source.opened("port")
    source.poll()
    assert source.take_output() == b"state\r\n" and source.due() == source.patience
    clock.now += source.patience
    source.received(b"\xff\xfe\r\n")
    source.poll()
    assert source.status() == ("usb.silent", {"port": "port"})
    assert source.due() == 0, "that is news"
    source.poll()
    assert source.take_output() == b"\x02\nstate\r\n", "it may be in the raw REPL"
    clock.now += source.patience
    source.poll()
    assert source.take_output() == b"state\r\n", "once"
    source.closed("port")
    assert source.status()[0] == "usb.lost"
    source.poll()
    assert source.due() is None


def test_a_board_without_the_firmware_is_told_by_its_prompt(clock):
    source = HubStream()
    source.opened("port")
    source.poll()
    source.received(b"state\r\nNameError: name 'state' isn't defined\r\n>>> ")
    assert source.status() == ("usb.plain", {"port": "port"})
    source.poll()
    clock.now += 60
    assert source.due() is None, "it is not asked again"


# ---- programs on the board ----


def test_programs_run_one_after_another_and_the_board_starts_again(clock, match):
    source = HubStream()
    source.opened("port")
    match.command("state")
    heard(source, match.inputs[-1])
    source.take_output()
    found = []
    source.run("print(1)", found.append)
    source.run("print(2)", found.append)
    assert source.take_output() == b"\r\x03"
    source.received(b'{"stopped": "by Ctrl-C"}\r\nMicroPython v1.25.0\r\n>>')
    assert source.take_output() == b"", "the prompt is not whole yet"
    source.received(b"> ")
    assert source.take_output() == b"\r\x01"
    source.received(b"\r\n>>> \r\nraw REPL; CTRL-B to exit\r\n>")
    assert source.take_output() == b"print(1)\x04"
    source.received(b"OK1\r\n\x04")
    assert not found
    source.received(b"\x04>")
    assert source.take_output() == b"print(2)\x04"
    source.received(b"OK\x04Traceback\r\nNameError\r\n\x04>")
    assert not found and source.due() == 0, "the thread of the port calls nothing of the page"
    source.poll()
    assert found == [b"1\r\n", None]
    assert source.status()[0] == "usb.here" and source.due() is None, "it stands still"
    source.start_again()
    assert source.take_output() == b"import machine\nmachine.reset()\n\x04"
    assert source.status()[0] == "usb.asking"
    source.poll()
    assert source.due() == source.restart
    heard(source, match.inputs[-1])
    assert source.status()[0] == "usb.here"


def test_a_program_that_follows_from_another_is_sent_once(clock):
    source = HubStream()
    source.opened("port")
    source.run("print(1)", lambda output: source.run("print(2)", lambda output: None))
    source.received(b">>> ")
    source.received(b"raw REPL; CTRL-B to exit\r\n>")
    source.take_output()
    source.received(b"OK1\r\n\x04\x04>")
    source.poll()
    assert source.take_output() == b"print(2)\x04"


def test_a_board_that_does_not_answer_is_given_up(clock):
    source = HubStream()
    source.opened("port")
    found = []
    source.run("print(1)", found.append)
    source.poll()
    assert source.due() == source.patience and not found
    clock.now += source.patience
    assert source.due() == 0 and source.poll() == [] and found == [None]
    source.start_again()
    source.poll()
    assert source.due() == source.restart


def test_a_cable_that_is_pulled_ends_it(clock):
    source = HubStream()
    source.opened("port")
    source.run("print(1)", lambda output: None)
    source.closed("port")
    source.opened("port")
    assert source.take_output() == b""
    source.poll()
    assert source.take_output() == b"state\r\n"


PROMPT = b"\r\nMicroPython v1.26.1 on 2025-09-11\r\n>>> "
START = b"\x02\x04"


def test_a_board_in_the_raw_repl_is_started_once(clock, match):
    """A program that was killed, or whose port was pulled, leaves a board there."""
    source = HubStream()
    source.opened("port")
    for _ in range(2):
        source.poll()
        clock.now += source.patience
    assert source.take_output() == b"state\r\n\x02\nstate\r\n"
    source.received(PROMPT[:-2])
    assert source.take_output() == b""
    source.received(PROMPT[-2:])
    assert source.take_output() == START and source.status()[0] == "usb.asking"
    source.received(b"\r\n>>> state\r\nNameError\r\n>>> ")
    assert source.take_output() == b"" and source.status()[0] == "usb.asking"
    clock.now += source.restart
    source.poll()
    assert source.take_output() == b"state\r\n"
    source.received(b"\r\n>>> ")
    assert source.take_output() == b"" and source.status()[0] == "usb.plain", "no second time"
    source.received(b"\r\nMPY: soft reboot\r\n")
    heard(source, match.inputs[-1])
    assert source.status()[0] == "usb.here"


def test_a_board_that_this_program_stopped_is_started(clock):
    source = HubStream()
    source.opened("port")
    source.run("print(1)", lambda output: None)
    source.closed("port")
    source.opened("port")
    source.poll()
    source.received(PROMPT)
    assert source.take_output() == b"state\r\n" + START


def test_a_prompt_of_another_program_waits_for_a_click(clock):
    source = HubStream()
    source.opened("port")
    source.poll()
    source.received(PROMPT)
    assert source.take_output() == b"state\r\n" and source.status()[0] == "usb.plain"
    source.start_again()
    assert source.take_output() == START and source.status()[0] == "usb.asking"
    source.start_again()
    assert source.take_output() == b""


def test_a_program_that_stood_still_gives_the_board_its_time(clock, match):
    """Stopped and continued, as by the lid of a laptop: the answer may have come meanwhile."""
    source = HubStream()
    source.opened("port")
    source.poll()
    clock.now += 120
    source.poll()
    assert source.status()[0] == "usb.asking" and b"\x02" not in source.take_output()
    heard(source, match.inputs[-1])
    found = []
    source.run("print(1)", found.append)
    clock.now += 120
    source.poll()
    assert found == [] and source.due() == source.patience
    for answer in (b">>> ", b"raw REPL; CTRL-B to exit\r\n>", b"OK1\r\n\x04\x04>"):
        source.received(answer)
    source.poll()
    assert found == [b"1\r\n"]


def test_a_hub_that_stops_is_told_until_it_starts_again(clock, match):
    source = HubStream()
    source.opened("port")
    match.command("state")
    heard(source, match.inputs[-1])
    source.take_output()
    heard(source, {"stopped": "by Ctrl-C"})
    assert source.status() == ("usb.stopped", {"port": "port"})
    clock.now += 60
    assert source.due() is None, "its prompt is not asked"
    heard(source, match.inputs[-1])
    assert source.status()[0] == "usb.here"


# ---- a tape ----


def test_a_recording_by_hand_and_by_rounds(match):
    recording = Recording(match.inputs)
    rounds = [line["round"] for line in recording.lines]
    recording.go(5)
    assert recording.at == 5
    recording.go(-3)
    assert recording.at == 0
    recording.go(10**9)
    assert recording.at == len(recording.lines) - 1
    recording.go(0)
    recording.round(1)
    assert rounds[recording.at] == 1 and rounds[recording.at - 1] == 0
    recording.round(1)
    second = recording.at
    assert rounds[second] == 2 and rounds[second - 1] == 1
    recording.go(second + 4)
    recording.round(-1)
    assert recording.at == second
    recording.round(-1)
    recording.round(-1)
    assert recording.at == 0
    assert all("game" in line for line in recording.lines)


def test_a_recording_that_stands_is_never_due(clock, match):
    recording = Recording(match.inputs[:4])
    assert recording.due() is None
    recording.poll()
    assert recording.at == 0
    recording.pause = 0.5
    recording.play()
    assert recording.is_playing and recording.due() == 0.5
    recording.poll()
    assert recording.at == 0
    shown = []
    while recording.due() is not None:
        clock.now += recording.due()
        recording.poll()
        shown.append(recording.at)
    assert shown == [1, 2, 3] and not recording.is_playing
    recording.play()
    assert recording.at == 0 and recording.is_playing, "from the beginning"
    recording.stop()
    assert recording.due() is None


# ---- an export ----


def test_what_is_no_export():
    for text in ("", "a poem\n", "{}\n[]\n5\nnull", '{"segment": "x", "data": "00"}', "[" * 9999):
        with pytest.raises(match_export.NoExport, match="no segment"):
            match_export.read(text)
    for number in ("1", "0", "-1", "1e999", "4294967295"):
        for data in ("", "00", "52484a02" + "00" * 40):
            with pytest.raises(match_export.NoExport) as error:
                match_export.read('{"segment": %s, "data": "%s"}' % (number, data))
            assert "/" not in str(error.value), "nobody's temporary folder"
    for stations in ("[1e999]", '["x"]', "7", "[[1]]", "[null]"):
        text = '{"segment": 1, "data": "00"}\n{"stations": %s, "lamps": ""}' % stations
        for read in (match_export.read, match_export.script):
            with pytest.raises(match_export.NoExport, match="stations are not numbers"):
                read(text)


def exported(board):
    since = len(board.lines)
    board.command("export")
    board.run(5000)
    return [line for line in board.lines[since:] if "segment" in line]


def test_an_export_is_read_and_a_broken_one_is_told(match):
    segments = exported(match)
    text = "\n".join(map(json.dumps, segments))
    lines = match_export.read("what somebody wrote above\n" + text)
    assert lines[-1]["scores"] == match.inputs[-1]["scores"]
    data = bytearray(bytes.fromhex(segments[-1]["data"]))
    for n in range(0, len(data), 7):
        broken = data[:]
        broken[n] ^= 0x41
        spoilt = [*segments[:-1], {**segments[-1], "data": bytes(broken).hex()}]
        try:
            match_export.read("\n".join(map(json.dumps, spoilt)))
        except match_export.NoExport as error:
            assert "/" not in str(error)
