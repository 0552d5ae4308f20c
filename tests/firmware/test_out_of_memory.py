# SPDX-License-Identifier: MIT
"""Memory runs out in the middle of an input, at each allocating call in turn.

A profiler raises the MemoryError in the whole hub, with simulated chips.
"""

import contextlib
import inspect
import itertools
import os
import shutil
import sys
from pathlib import Path

import pytest
from hub_actions import act, quick_hub

import roundhouse
from roundhouse import commands, constants, journal
from roundhouse.drivers import files
from roundhouse.games.match import Match

HOST_ONLY = True
FIRMWARE = str(Path(roundhouse.__file__).parent)
BEGINS = ("_read", "_button", "run", "follow_up", "export")  # what a person does begins with one
NOTHING = ("len", "min", "max", "ord", "sum")  # take no memory
EVERY = int(os.environ.get("MEMORY_EVERY", "29"))  # one call of this many fails; 1: each


class Short:
    """A context in which one call in the firmware raises MemoryError.

    n: the index of the failing call among all calls made within the functions `begins`
    begins: names of functions; by default, those that run first after a person's input
    """

    def __init__(self, n, begins=BEGINS):
        self.left = n
        self.begins = begins
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
        if code.co_name in self.begins and event in ("call", "return"):
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
    "round over": (LAID, "press E"),
    "new match": (("press 1", "press 2", "press E", "press E"), "press E"),
    "house": (("say set 9",), "say house matador"),
    "take back house": (("say set 9", "say house matador"), "say undo"),
    "take back": (LAID, "say undo"),
    "segment": ((*LAID, *43 * ("say hand 1 9",)), "say hand 1 8"),
    "take back before": ((*LAID, *44 * ("say hand 1 9",)), "say undo"),
    "export": (LAID, "say export"),
}


def resumed(board, folder):
    """Return (state, inputs) of the match that a hub would resume from a copy, in `folder`, of the
    board's journal."""
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
    """Return (folder of a position, input, state before it, state after it, its console line)."""
    before, what = CASES[request.param]
    start = tmp_path / "start"
    board = quick_hub(folder=start)
    for one in before:
        assert act(board, one)["verdict"] == "ok", one
    board.hub.journal.close()
    was = bytes(board.hub.table.state)
    played = quick_hub(folder=shutil.copytree(start, tmp_path / "played"))
    act(played, what)
    line = played.inputs[-1]
    played.hub.journal.close()
    return start, what, was, bytes(played.hub.table.state), line


def check(board, case, before, tmp_path):
    """Check that the hub answers once, and that table, journal, lights and console agree."""
    _, what, was, becomes, line = case
    said = board.lines[before:]
    errors = [one["error"] for one in said if "error" in one]
    assert errors == [commands.SHORT], said
    answers = [one for one in said if one.get("input") == line["input"]]
    if answers:
        assert bytes(board.hub.table.state) == becomes, "an acknowledged input is lost"
    told = [one for one in said if "input" in one]
    assert told[-1]["boneyard"] == board.hub.table.boneyard
    assert told[-1]["phase"] == constants.PHASES[board.hub.table.phase]
    if what.startswith(("tap", "press")) and what != "tap undo 4":  # it lights another slot
        slot = board.hub.slots[board.place(what.split()[-1])]
        assert board.lamp_reader.answer(slot) == "r", "the slot of the input does not blink"
    assert board.settle(), "the lamps move on"
    turn = board.hub.table.turn
    if turn:
        assert board.lamp_reader.turn() == turn
    goes_on(board, (was, becomes), tmp_path / "resumed")


def goes_on(board, states, folder):
    """Check that a hub and its journal agree on one of `states`, and accept another input."""
    state, inputs = resumed(board, folder)
    assert state == bytes(board.hub.table.state) and state in states
    assert inputs == list(board.hub.journal.inputs())
    last = board.hub.table.phase == constants.FINISHED
    line = board.command("next" if last else "join 9")
    assert line["verdict"] == "ok", "the hub does not go on"
    assert resumed(board, folder)[0] == bytes(board.hub.table.state)


def copied(start, tmp_path):
    shutil.rmtree(tmp_path / "played", ignore_errors=True)
    return quick_hub(folder=shutil.copytree(start, tmp_path / "played"))


def test_memory_runs_out_again_while_the_hub_recovers(case, tmp_path):
    """Memory runs out during an input, and again while the hub recovers. If the hub cannot
    recover, `unplug` restarts it, as boot.py would."""
    start, what, was, becomes, _ = case
    for n in itertools.count(EVERY // 3, EVERY):
        board = copied(start, tmp_path)
        step = board.hub.step
        again = Short(7 * n % 60, ("_suspended",))

        def starved(board=board, step=step, again=again):
            if not board.hub.no_memory:
                return step()
            with again:
                return step()

        board.hub.step = starved
        with Short(n) as short:
            try:
                act(board, what)
                board.run(300)
            except MemoryError:
                assert again.raised
            else:
                assert not again.raised, "boot.py has to know"
        if not short.raised:
            return
        if again.raised:
            if what.startswith("tap"):
                board.remove(what.split()[-1])
            board.unplug()
        goes_on(board, (was, becomes), tmp_path / "resumed")
        board.hub.journal.close()


@pytest.mark.parametrize("before", [(), LAID], ids=["new flash", "in play"])
def test_memory_runs_out_at_power_up(before, tmp_path):
    board = quick_hub(folder=tmp_path / "start")
    for one in before:
        assert act(board, one)["verdict"] == "ok", one
    board.hub.journal.close()
    was = bytes(board.hub.table.state)
    for n in itertools.count(0, EVERY):
        board = copied(tmp_path / "start", tmp_path)
        if not before:
            shutil.rmtree(board.folder)
            board.folder.mkdir()
        with Short(n, ("build", "begin")) as short, contextlib.suppress(MemoryError):
            board.unplug()
        if not short.raised:
            return
        board.unplug()
        assert not [line for line in board.lines if "error" in line]
        goes_on(board, (was,), tmp_path / "resumed")
        board.hub.journal.close()


def test_one_call_fails_and_nothing_is_lost(case, tmp_path):
    start, what, *_ = case
    every = 4 * EVERY + 1 if what == "say export" and EVERY > 1 else EVERY  # it repeats its calls
    for n in itertools.count(EVERY // 2, every):
        board = copied(start, tmp_path)
        before = len(board.lines)
        with Short(n) as short:
            act(board, what)
            board.run(300)
        if not short.raised:
            assert n > EVERY // 2, "no call failed"
            return
        try:
            check(board, case, before, tmp_path)
        except AssertionError as error:
            raise AssertionError(f"with call {n}: {error}") from error
        board.hub.journal.close()
