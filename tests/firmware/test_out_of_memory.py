# SPDX-License-Identifier: MIT
"""Memory runs out in the middle of an input: at a call that would take some, one after another.

The whole hub, with real taps on simulated chips; a profiler raises the MemoryError. On the heap
of a MicroPython VM, byte by byte: test_memory_on_micropython.py.
"""

import inspect
import itertools
import os
import shutil
import sys
from pathlib import Path

import pytest

import roundhouse
from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse import commands, constants, journal
from roundhouse.drivers import files
from roundhouse.games.match import Match

HOST_ONLY = True
FIRMWARE = str(Path(roundhouse.__file__).parent)
BEGINS = ("_read", "_button", "run", "follow", "export")  # what a person does begins with one
NOTHING = ("len", "min", "max", "ord", "sum")  # take no memory
EVERY = int(os.environ.get("MEMORY_EVERY", "29"))  # of the calls only every so many fails; 1: all


class Short:
    """Lets the n-th call that a person's input makes in the firmware fail, once."""

    def __init__(self, n):
        self.left = n
        self.depth = 0
        self.raised = False

    def __enter__(self):
        sys.setprofile(self._see)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)

    def _see(self, frame, event, arg):
        code = frame.f_code
        if not code.co_filename.startswith(FIRMWARE):
            return
        if code.co_name in BEGINS and event in ("call", "return"):
            self.depth += 1 if event == "call" else -1
        if self.raised or not self.depth:
            return
        resumes = event == "call" and code.co_flags & inspect.CO_GENERATOR and frame.f_lasti > 0
        if event == "call" and not resumes or event == "c_call" and arg.__name__ not in NOTHING:
            self.left -= 1
            if self.left < 0:
                self.raised = True
                sys.setprofile(None)
                raise MemoryError


LAID = ("press 1", "press 2", "tap 12-12 2", "tap 12-5 2")
CASES = {
    "tap": (LAID[:3], "tap 12-5 2"),
    "refused": (LAID, "tap 12-5 1"),
    "last tile": ((*LAID[:3], "say hand 2 1"), "tap 12-5 2"),
    "press": (LAID, "press 1"),
    "card": (LAID, "tap undo 4"),
    "totals": (LAID, "tap totals 4"),
    "correction": (LAID, "say hand 1 9"),
    "house": (("say set 9",), "say house matador"),
    "take back": (LAID, "say undo"),
    "segment": ((*LAID, *43 * ("say hand 1 9",)), "say hand 1 8"),
    "take back before": ((*LAID, *44 * ("say hand 1 9",)), "say undo"),
    "export": (LAID, "say export"),
}


def do(board, what):
    """Do a thing, as a table script says it; return the line that answers it."""
    word, _, rest = what.partition(" ")
    if word == "say":
        return board.say(rest)
    if word == "tap":
        return board.tap(*rest.rsplit(" ", 1))
    return getattr(board, word)(rest)


def resumed(board, folder):
    """Return the table and the inputs of a hub that would be switched on now."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(board.folder, folder)
    table = Match()
    kept = journal.Journal(files, str(folder), table)
    kept.resume()
    assert not kept.trouble
    kept.close()
    return bytes(table.state), list(kept.inputs())


SLOW = ("export", "segment", "totals")  # many allocations


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CASES]
)
def case(request, tmp_path):
    """(folder of a position, input, the state before, the state after, its line)."""
    before, what = CASES[request.param]
    start = tmp_path / "start"
    board = SimulatedHub(folder=start)
    for one in before:
        assert do(board, one)["verdict"] == "ok", one
    board.hub.journal.close()
    was = bytes(board.hub.table.state)
    played = SimulatedHub(folder=shutil.copytree(start, tmp_path / "played"))
    do(played, what)
    line = played.inputs[-1]
    played.hub.journal.close()
    return start, what, was, bytes(played.hub.table.state), line


def check(board, case, before, tmp_path):
    """One clear answer; table, journal, lights and what was said are one."""
    _, what, was, becomes, line = case
    said = board.lines[before:]
    errors = [one["error"] for one in said if "error" in one]
    assert errors == [commands.SHORT], said
    answers = [one for one in said if one.get("input") == line["input"]]
    now, inputs = resumed(board, tmp_path / "resumed")
    assert now == bytes(board.hub.table.state) and now in (was, becomes)
    assert inputs == list(board.hub.journal.inputs())
    if answers:
        assert now == becomes, "an acknowledged input is lost"
    told = [one for one in said if "input" in one]
    assert told[-1]["boneyard"] == board.hub.table.boneyard
    assert told[-1]["phase"] == constants.PHASES[board.hub.table.phase]
    assert board.settle(), "the lamps move on"
    turn = board.hub.table.turn
    if turn:
        assert board.eyes.turn() == turn
    assert board.say("join 9")["verdict"] == "ok", "the hub does not go on"
    assert resumed(board, tmp_path / "resumed")[0] == bytes(board.hub.table.state)


def test_one_call_fails_and_nothing_is_lost(case, tmp_path):
    start, what, *_ = case
    for n in itertools.count(EVERY // 2, EVERY):
        folder = tmp_path / "played"
        shutil.rmtree(folder, ignore_errors=True)
        board = SimulatedHub(folder=shutil.copytree(start, folder))
        before = len(board.lines)
        with Short(n) as short:
            do(board, what)
            board.run(300)
        if not short.raised:
            assert n > EVERY // 2, "no call failed"
            return
        try:
            check(board, case, before, tmp_path)
        except AssertionError as error:
            raise AssertionError(f"with call {n}: {error}") from error
        board.hub.journal.close()
