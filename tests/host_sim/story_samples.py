# SPDX-License-Identifier: MIT
"""Console lines whose stories use every sentence; most come from table scripts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import hub_actions
from record_exports import FOLDER
from story_checks import NAMES

from host_sim.table.console_line import ConsoleLine
from host_sim.table.schema import ABOUT, WHYS

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
SCRIPT_NAMES = """
gestures/a-total-is-put-right
match/double-six-for-two match/three-chairs-of-nine
verdicts/refused-changes-nothing
variants/whole-first-train variants/open-second-tile variants/penalty-always
console/write console/redo-of-a-forgotten-match console/leave-on-the-own-turn
console/turn-forgets-the-draw console/join-taken-back console/wrong-phase
cards/undo-to-the-lobby cards/override-has-limits cards/rules cards/scores-between-rounds
cards/quiet
people/three-buttons-and-a-cat people/somebody-comes-back
gestures/two-new-tags-at-once gestures/play-goliath-caught-by-the-next-seat gestures/notice
gestures/finished-to-a-new-lobby
rules/V-lift-not rules/G9-quebec-two-doubles-last rules/N19-goliath-caught
rules/A6-original-ten-rounds
games/M11 puremco/D1-one-mexican-train puremco/A1-seats-9
"""
TWO_ENDS = """
house classic two-ends
players 3
press E
tap 9-8 2
tap 9-9 2
tap 9-1 M
tap 7-5 8
tap 9-3 4
tap 9-5 8
tap 7-5 4
tap 9-2 E
tap 3-4 4
hold M
hold 4
hold 4
"""
COUNTED = """
players 3
given engine 12-12
given turn 1
override 9-8 1
press E
tap 7-5 8
tap 6-4 2
hold 2
"""
GOES_ON = """
house puremco deal-2
players 2
tap 12-12 1
tap 12-5 1
tap 12-6 2
tap 5-4 1
tap 9-3 1
hold 1
"""
TOO_FEW = """
house puremco deal-30
players 4
press E
tap 12-7 4
"""
ANOTHER_TURN = """
house tiddle-a-wink
players 2
press E
tap 9-9 1
tap 9-4 3
tap 4-4 3
"""
FOUR_SIDES = """
house classic
players 3
press E
tap 9-9 2
tap 9-4 3
hold 3
"""
LINES = [  # of a hub, of which no script knows
    {"dropped": 3},
    {"slot": "4", "reader": "slow"},
    {"slot": "E", "button": "loose"},
    {"slot": "E", "button": "ok"},
    {"warning": "VSYS is 4.20 V"},
    {"stopped": "by Ctrl-C; Ctrl-D or a reset starts the hub again"},
    {"unknown": ["reader humming"]},
    {"lock": "12-7", "slot": "E", "sure": "it can never be written again"},
    {"error": "segment 3 is damaged; its inputs are lost"},
    {"error": "the flash cannot be written; no input can be kept"},
    {"error": "boom; the hub starts again, crash.txt has where it happened"},
]


def all_of() -> Iterator[tuple[Sequence[Any], Mapping[str, str]]]:
    """Yield (lines of a hub, names of the players)."""
    for name in SCRIPT_NAMES.split():
        lines = played((SCRIPTS / (name + ".table")).read_text())
        yield lines, NAMES
        yield lines, {}
    for script in (TWO_ENDS, COUNTED, GOES_ON, TOO_FEW, ANOTHER_TURN):
        lines = played(script)
        yield lines, NAMES
        yield lines, {}
    lines = played(TWO_ENDS)  # no game has points in play yet
    yield [{**line, "gain": 5} if line.get("did") == "laid" else line for line in lines], NAMES
    lines = played(FOUR_SIDES)
    two = {**lines[-1], "input": "tap ? M", "verdict": "unreadable", "why": "two"}
    yield [*lines, two, {"slot": "M", "reader": "fault"}], NAMES
    yield LINES, {}
    export = (FOLDER / "original.jsonl").read_text().splitlines()
    said = [line for line in map(json.loads, export) if "input" in line]
    laid = next(at for at, line in enumerate(said) if line["phase"] == "play")
    yield said[laid + 1 :], NAMES  # the beginning is missing
    power_up = {**said[0], "did": "showed", "by": None}
    yield [{key: power_up[key] for key in power_up if key not in ABOUT}], NAMES
    for asked, did in (("undo", "took-back"), ("redo", "put-back"), ("lock", "showed")):
        yield [{**said[0], "input": asked, "by": None, "did": did}], NAMES
    for verdict in ("fault", "unknown"):
        yield [{**said[0], "input": "state", "verdict": verdict}], NAMES
    unread = {**said[0], "input": "tap ? M", "verdict": "unreadable"}
    card = {"why": "text", "text": "house monopoly", "wrong": "no house monopoly; there are block"}
    yield [unread, *({**unread, "why": why, "text": "12=7"} for why in WHYS)], NAMES
    yield [{**unread, **card}], NAMES
    for version in ("0.9.0", "99.0.0"):
        yield [{**power_up, "version": version}], NAMES


def played(script: str) -> list[ConsoleLine]:
    return hub_actions.played(script).lines
