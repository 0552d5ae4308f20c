# SPDX-License-Identifier: MIT
"""Matches saved by version 1.0.0 continue: the hub prints the same lines, and undo and redo work.
This is also true after a power cut while the first segment of today's format is written.

The folder of_1_0_0 has files with matches of every house in every phase. Each file has three
parts:

- the settings of config.py that matter
- the journal's segments, as `export` prints them
- the lines that 1.0.0 printed when the match continued, each only with the keys that changed,
  without those in LEFT_OUT

1.0.0 recorded the files, with record_matches.py of commit 7893403 (`out-counts` and
`lobby-cleared` later, in the same way). test_recorded_matches.py has many more matches, without
lines.
"""

import json
import random
from pathlib import Path

import pytest
from hub_actions import act, quick_hub
from test_journal_on_flash import FOLDER, Kept, after_cuts

from host_sim.board.chips import fake_flash
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.board.pico.emulator import IMAGE
from roundhouse import journal
from roundhouse.games.fields import READING

RECORDED = {path.stem: path for path in sorted(Path(__file__).parent.glob("of_1_0_0/*.jsonl"))}
# Each phase, both games; all of them run on the simulated hub.
ON_PICO = ("classic-play", "original-scoring")  # the VMs replay all
LEFT_OUT = ("n", "lamps", "version", "vsys")
PHASES = ("lobby", "engine", "play", "scoring", "finished")
OWN = {"HOUSE": "ours", "FAMILY": {"ours": ("quebec", {"not-begun": "own"})}, "SET": None}


def recorded(name):
    """Return (settings for config.py, {segment: its bytes}, lines) from a file."""
    settings, *rest = [json.loads(line) for line in RECORDED[name].read_text().splitlines()]
    segments = {one["segment"]: bytes.fromhex(one["data"]) for one in rest if "segment" in one}
    return settings["config"], segments, [one for one in rest if "input" in one]


def written(segments, folder):
    for number, data in segments.items():
        (folder / ("%08d.rhj" % number)).write_bytes(data)


def said(hub, line):
    """Repeat a recorded line's input; return the line printed for it now."""
    step = "unplug" if line["input"] == "power-up" else line["input"]
    count = len(hub.inputs)
    # the first input of all begins a segment of today's format, which takes a Pico a while
    return act(hub, step) or hub.line_after(count)


def test_every_house_is_recorded_in_every_phase():
    assert len(RECORDED) == 67
    its_houses = [name[: -len("-lobby")] for name in RECORDED if name.endswith("-lobby")]
    assert len(its_houses) == 11
    assert {"%s-%s" % (house, phase) for house in its_houses for phase in PHASES} <= {*RECORDED}
    for name in RECORDED:
        assert all(data[:4] == b"RHJ\x02" for data in recorded(name)[1].values()), name


def carries_on(hub, lines):
    """Check that the hub prints what 1.0.0 printed; return the last line, without the keys in
    LEFT_OUT."""
    assert not [line for line in hub.lines if "error" in line]
    last, line = {}, hub.inputs[-1]
    for number, was in enumerate(lines):
        line = said(hub, was) if number else line
        kept = {key: line[key] for key in line if key not in LEFT_OUT}
        changed = {key: value for key, value in kept.items() if last.get(key) != value}
        assert {"input": kept["input"], **changed} == was, number
        last = kept
    return last


@pytest.mark.slow
@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: `make micropython`")
@pytest.mark.parametrize("name", ON_PICO)
def test_it_carries_on_on_the_emulated_pico(name, tmp_path):
    changes, segments, lines = recorded(name)
    written(segments, tmp_path)
    carries_on(EmulatedHub(configured(**{"SET": None, **changes}), tmp_path), lines[:14])


@pytest.mark.parametrize("name", RECORDED)
def test_a_match_of_1_0_0_carries_on_as_it_would_have(name, tmp_path):
    changes, segments, lines = recorded(name)
    written(segments, tmp_path)
    hub = quick_hub(configured(**{"SET": None, **changes}), tmp_path)
    last = carries_on(hub, lines)
    hub.unplug()
    assert not [line for line in hub.lines if "error" in line]
    assert {key: value for key, value in hub.inputs[-1].items() if key in last} == {
        **{key: value for key, value in last.items() if key in hub.inputs[-1]},
        "input": "power-up",
        "verdict": "ok",
        "by": None,
        "did": "showed",
    }
    now = {int(path.stem): path.read_bytes() for path in tmp_path.glob("*.rhj")}
    assert all(now[number] == data for number, data in segments.items() if number in now)
    assert all(now[number][3] == journal.FORMAT for number in now.keys() - segments.keys())
    assert now.keys() - segments.keys(), "what came then is in segments of today's format"


@pytest.mark.parametrize("name", ["first-turns-played", "forgotten", "long"])
def test_an_export_of_both_formats_is_read(name, tmp_path):
    changes, segments, _ = recorded(name)
    written(segments, tmp_path)
    before = match_export.replay(segments)
    hub = quick_hub(configured(**{"SET": None, **changes}), tmp_path)
    step = "tap 7-7 2" if name == "forgotten" else "press %d" % hub.inputs[-1]["turn"]
    assert act(hub, step)["verdict"] == "ok"
    hub.command("export")
    hub.run(2000)
    formats = {bytes.fromhex(line["data"])[3] for line in hub.lines if "data" in line}
    assert formats == {2, journal.FORMAT}
    lines = match_export.read("\n".join(map(json.dumps, hub.lines)))
    assert [{**line, "n": 0} for line in lines[: len(before)]] == [
        {**line, "n": 0} for line in before
    ], "the same inputs, counted on"
    for key in ("phase", "turn", "hands", "ends", "scores"):
        assert lines[-1][key] == hub.inputs[-1][key]


def opened(hub):
    for line in ("press 1", "press 2", "press 3", "tap 12-12 1", "tap 12-5 1"):
        assert act(hub, line)["verdict"] == "ok"


def test_the_next_match_is_read_by_todays_rules(tmp_path):
    """A match of 1.0.0 keeps the old meaning of its inputs, even when a take-back returns to it
    from the next match, which has today's rules."""
    _, segments, _ = recorded("first-turns")
    written(segments, tmp_path)
    hub = quick_hub(configured(**OWN), tmp_path)
    assert hub.tap("12-6", "M")["verdict"] == "ok"
    act(hub, "forget")
    opened(hub)
    assert hub.tap("12-6", "M")["verdict"] == "own-first"
    assert hub.tap("12-6", "2")["verdict"] == "ok"
    for _ in range(8):
        assert hub.command("undo")["did"] == "took-back"
    assert hub.inputs[-1]["playable"] == ["4", "M"] and hub.inputs[-1]["turn"] == 4
    hub.unplug()
    assert hub.tap("12-6", "M")["verdict"] == "ok"


def test_a_lobby_of_1_0_0_begins_a_match_of_today(tmp_path):
    """A match begun in a lobby of 1.0.0 keeps the seats and the house, but has today's rules."""
    _, segments, _ = recorded("first-turns")
    written(segments, tmp_path)
    hub = quick_hub(configured(**OWN), tmp_path)
    hub.command("undo"), hub.command("undo")
    assert hub.inputs[-1]["phase"] == "lobby"
    hub.unplug()
    assert list(hub.inputs[-1]["hands"]) == ["1", "4", "6"]
    for line in ("tap 12-12 1", "tap 12-5 1"):
        assert act(hub, line)["verdict"] == "ok"
    assert hub.tap("12-6", "M")["verdict"] == "own-first"
    for seats in ("146", "146", "14", "1", ""):
        assert list(hub.command("undo")["hands"]) == list(seats)


def taken_back(tmp_path, to_seats):
    written(recorded("first-turns")[1], tmp_path)
    hub = quick_hub(configured(**OWN), tmp_path)
    while hub.inputs[-1]["phase"] != "lobby" or [*hub.inputs[-1]["hands"]] != to_seats:
        assert hub.command("undo")["verdict"] == "ok"
    return hub


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("seats", [[], ["1"], ["1", "4", "6"]])
def test_a_match_of_1_0_0_begun_again_is_one_of_today(seats, cut, tmp_path):
    hub = taken_back(tmp_path, seats)
    if cut:
        hub.unplug()
    first = [line for line in ("press 1", "press 4", "press 6") if line[6:] not in seats]
    for line in (*first, "tap 12-12 1", "tap 12-5 1"):
        assert act(hub, line)["verdict"] == "ok"
    assert hub.tap("12-6", "M")["verdict"] == "own-first"
    hub.unplug()
    assert hub.hub.table.reading == journal.FORMAT
    assert hub.tap("12-6", "M")["verdict"] == "own-first"
    for _ in range(len(first) + 2):
        assert hub.command("undo")["verdict"] == "ok"
    assert [*hub.inputs[-1]["hands"]] == seats, "all of it can be taken back"


def test_a_lobby_of_1_0_0_that_is_cleared_begins_a_match_of_today(tmp_path):
    hub = taken_back(tmp_path, ["1"])
    assert act(hub, "forget")["did"] == "cleared"
    hub.unplug()
    opened(hub)
    assert hub.tap("12-6", "M")["verdict"] == "own-first"
    hub.unplug()
    assert hub.hub.table.reading == journal.FORMAT


@pytest.mark.parametrize("seats", [[], ["1"], ["1", "4", "6"]])
def test_a_match_of_1_0_0_put_back_is_read_as_before(seats, tmp_path):
    hub = taken_back(tmp_path, seats)
    while hub.command("redo")["verdict"] == "ok":
        pass
    assert hub.inputs[-1]["phase"] == "play" and hub.hub.table.reading == 2
    hub.unplug()
    assert hub.hub.table.reading == 2
    assert hub.tap("12-6", "M")["verdict"] == "ok"


def on_flash(name):
    flash = fake_flash.Flash()
    flash.mkdir(FOLDER)
    for number, data in recorded(name)[1].items():
        with flash.open("%s/%08d.rhj" % (FOLDER, number), "wb") as file:
            file.write(data)
    return flash


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("name", ["first-turns", "first-turns-played", "long", "scoring"])
def test_the_power_goes_while_the_first_segment_of_today_is_written(name, torn):
    """A power cut at any flash operation loses no acknowledged input, and is not reported as
    damage."""
    k = Kept(on_flash(name))
    assert not k.journal.trouble and k.table.state[READING] == 2
    image = bytearray(k.flash.image)
    record = k.flash.record = []
    chance = random.Random(7)
    states = [(0, k.state, k.journal.n)]
    for _ in range(6):
        k.anything(chance)
        states.append((len(record), k.state, k.journal.n))
    assert states[1][1][READING] == 2 and k.read(k.newest())[3] == journal.FORMAT
    for found in after_cuts(image, record, states, torn):
        assert found.journal.take_back()
        assert found.again().state == found.state


@pytest.mark.parametrize("name", ["first-turns", "long"])
def test_a_first_segment_of_today_that_was_cut_is_no_damage(name, tmp_path):
    """A first segment of today's format that is cut at any byte is not reported as damage."""
    changes, segments, _ = recorded(name)
    written(segments, tmp_path)
    config = configured(**{"SET": None, **changes})
    hub = quick_hub(config, tmp_path)
    before = bytes(hub.hub.table.state)
    hub.press(str(hub.hub.table.turn))
    (new,) = {int(path.stem) for path in tmp_path.glob("*.rhj")} - segments.keys()
    path = tmp_path / ("%08d.rhj" % new)
    whole = path.read_bytes()
    for size in (0, 1, 3, 4, 16, 17, 20, 21, 60, len(whole) - journal.RECORD):
        path.write_bytes(whole[:size])
        hub = quick_hub(config, tmp_path)
        assert bytes(hub.hub.table.state) == before
        assert not hub.hub.journal.trouble, size
