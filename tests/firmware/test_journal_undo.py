# SPDX-License-Identifier: MIT
"""The journal: every input is kept, taken back and repeated. The tests also run on the MicroPython
VM."""

import os

from positions import do, tile

from roundhouse import constants, journal
from roundhouse.drivers import files
from roundhouse.games.match import Match

FOLDER = "journal-of-this-test"


class Kept:
    """A table and its journal in a folder. `do` applies and records an input."""

    def __init__(self, clean=True):
        if FOLDER not in os.listdir("."):
            os.mkdir(FOLDER)
        if clean:
            for name in os.listdir(FOLDER):
                os.remove(FOLDER + "/" + name)
        self.table = Match()
        self.journal = journal.Journal(files, FOLDER, self.table)
        self.resumed = self.journal.resume()

    def do(self, kind, slot=0, value=0):
        was = self.table.phase
        verdict = self.table.apply(kind, slot, value)
        if not verdict:
            new_match = self.table.phase == constants.LOBBY != was
            self.journal.record(kind, slot, value, new_match)
        return verdict

    def close(self):
        self.journal.close()

    def again(self):
        self.close()
        return Kept(clean=False)

    def begin(self):
        self.do(constants.PRESS, 1)
        self.do(constants.PRESS, 2)
        self.do(constants.TAP, 1, tile("12-12"))

    def passes(self, n):
        """Make n inputs, which are draws and passes."""
        for _ in range(n):
            assert self.do(constants.PRESS, self.table.turn) == constants.OK

    def remove(self):
        self.close()
        for name in os.listdir(FOLDER):
            os.remove(FOLDER + "/" + name)
        os.rmdir(FOLDER)


def room(k):
    """Return the count of inputs that fit into a segment."""
    head = len(journal.segment(1, 0, 1, k.table.saved_state.pack(k.table.state)))
    return (journal.FULL - head) // journal.RECORD


def newest():
    return FOLDER + "/" + sorted(os.listdir(FOLDER))[-1]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def test_a_new_journal():
    k = Kept()
    assert k.resumed == -1
    assert k.journal.take_back() is None
    assert k.journal.redo() is None
    assert k.again().resumed == 0
    k.remove()


def test_resume_after_every_input():
    k = Kept()
    k.begin()
    for _ in range(120):
        k.passes(1)
        before = bytes(k.table.state)
        k = k.again()
        assert bytes(k.table.state) == before
    assert len(os.listdir(FOLDER)) > 2
    k.remove()


def test_take_back_to_the_empty_lobby_and_redo_all():
    k = Kept()
    states = [bytes(k.table.state)]
    for step in range(140):
        if step < 2:
            k.do(constants.PRESS, step + 1)
        elif step == 2:
            k.do(constants.TAP, 1, tile("12-12"))
        elif k.table.phase == constants.PLAY:
            k.passes(1)
        else:
            k.do(constants.PRESS, constants.E)
            if k.table.phase == constants.ENGINE:
                number = 13 - k.table.round
                states.append(bytes(k.table.state))
                k.do(constants.TAP, 1, tile("%d-%d" % (number, number)))
        states.append(bytes(k.table.state))
    for state in states[-2::-1]:
        assert k.journal.take_back() is not None
        assert bytes(k.table.state) == state
    assert k.journal.take_back() is None
    for state in states[1:]:
        assert k.journal.redo() is not None
        assert bytes(k.table.state) == state
    assert k.journal.redo() is None
    k.remove()


def test_a_take_back_outlives_a_power_cut():
    k = Kept()
    k.begin()
    k.passes(100)
    before = None
    for _ in range(60):
        k.journal.take_back()
        before = bytes(k.table.state)
        k = k.again()
        assert bytes(k.table.state) == before
    k.passes(5)
    before = bytes(k.table.state)
    k = k.again()
    assert bytes(k.table.state) == before
    k.remove()


def test_another_input_takes_the_place_of_what_was_taken_back():
    k = Kept()
    k.begin()
    k.journal.take_back()
    k.do(constants.PRESS, 3)
    assert k.journal.redo() is None
    k.do(constants.PRESS, 4)
    k.journal.take_back()
    assert k.journal.redo() == (constants.PRESS, 4)
    assert k.journal.redo() is None
    k.remove()


def test_take_back_costs_the_same_after_a_long_match():
    """A take-back never repeats more inputs than a segment has room for."""
    k = Kept()
    k.begin()
    k.passes(400)
    applied = [0]
    apply = k.table.apply

    def count(kind, slot, value, again=False):
        applied[0] += 1
        return apply(kind, slot, value, again)

    k.table.apply = count
    for _ in range(60):
        applied[0] = 0
        k.journal.take_back()
        assert applied[0] <= room(k)
    k.remove()


def test_a_journal_cut_at_any_byte():
    k = Kept()
    k.begin()
    k.passes(3)
    states = []
    whole = read(newest())
    start = len(journal.segment(1, 0, 1, k.table.saved_state.pack(k.table.state)))
    k.journal.resume()
    for n in range(7):
        write(newest(), whole[: start + journal.RECORD * n])
        k = k.again()
        states.append(bytes(k.table.state))
    for cut in range(start, len(whole)):
        k.close()
        for name in os.listdir(FOLDER):
            os.remove(FOLDER + "/" + name)
        write(FOLDER + "/00000001.rhj", whole[:cut])
        k = Kept(clean=False)
        assert bytes(k.table.state) == states[(cut - start) // journal.RECORD]
        if k.table.phase == constants.PLAY:  # and records can follow the cut
            k.passes(1)
            after = bytes(k.table.state)
            k = k.again()
            assert bytes(k.table.state) == after
    k.remove()


def test_old_matches_are_removed_in_the_end():
    k = Kept()
    for _ in range(8):
        k.begin()
        k.passes(50)
        k.do(constants.FORGET)
        while k.journal.prepare():
            pass
    names = os.listdir(FOLDER)
    assert len(names) < 8 * 2
    k.begin()
    k.passes(50)
    while k.journal.take_back():
        pass
    assert k.table.phase == constants.LOBBY
    k.remove()


def test_the_order_of_the_rounds_tiles():
    k = Kept()
    k.begin()
    k.do(constants.TAP, 1, tile("12-5"))
    k.do(constants.TAP, constants.M, tile("12-4"))
    assert [i[0:2] for i in k.journal.inputs()][:3] == [(0, constants.M), (0, 1), (0, 1)]
    assert do(k.table, "tap 5-3 1") == "ok"
    k.remove()
