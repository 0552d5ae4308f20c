# SPDX-License-Identifier: MIT
"""Choices of rules in the journal. They are inputs like any other."""

import contextlib

import hypothesis
import pytest
from hypothesis import strategies as st
from test_journal_on_flash import FOLDER, Kept

from roundhouse import constants, journal, line_keys, tiles
from roundhouse.games import houses

IN_A_SEGMENT = 4  # records, so that a match of a few inputs has many segments


class Files:
    """Files in a dict, which can refuse write operations.

    refuses: the count of write operations that succeed before all others are refused; -1 to refuse
        none
    lands: how many bytes of a refused write are stored nevertheless
    """

    def __init__(self, files=()):
        self.files = dict(files)
        self.refuses = -1
        self.lands = 0

    def writes(self):
        if not self.refuses:
            raise OSError(5)
        self.refuses -= self.refuses > 0

    def listdir(self, folder="/"):
        return [path.split("/")[1] for path in self.files] + [FOLDER]

    def remove(self, path):
        self.writes()
        if self.files.pop(path, None) is None:
            raise OSError(2)

    def open(self, path, mode):
        if mode == "rb" and path not in self.files:
            raise OSError(2)
        if mode == "wb":
            self.writes()
            self.files[path] = b""
        return File(self, path)


class File(contextlib.AbstractContextManager):
    def __init__(self, files, path):
        self.files, self.path = files, path

    def read(self):
        return self.files.files[self.path]

    def write(self, data):
        before = self.files.files[self.path]
        self.files.files[self.path] = before + bytes(data[: self.files.lands])
        self.files.writes()
        self.files.files[self.path] = before + bytes(data)

    def flush(self):
        pass

    def close(self):
        pass

    def __exit__(self, *error):
        self.close()


class InMemory(Kept):
    def __init__(self, flash=None):
        super().__init__(flash or Files())

    def again(self):
        return InMemory(type(self.flash)(self.flash.files))

    def house(self, words_):
        house, variants = houses.parse(words_.split())
        return self.do(constants.RULES, house, variants)


@pytest.fixture(autouse=True)
def small_segments(monkeypatch):
    monkeypatch.setattr(journal, "MOST", IN_A_SEGMENT)


CHOICES = (
    (constants.RULES, 2, 1 << 4),
    (constants.SET, 0, 9),
    (constants.RULES, 3, 0),
    (constants.RULES, 3, 0),  # the same again
    (constants.SET, 0, 18),
)


def test_a_choice_begins_a_segment_that_says_its_kind():
    k = InMemory()
    k.do(constants.PRESS, 1)
    for kind, slot, value in CHOICES:
        before = k.journal.number
        assert k.do(kind, slot, value) == constants.OK
        segment = k.journal.read(k.journal.number)
        assert (segment.began, segment.back, segment.records) == (kind << 4, before, 0)
        assert segment.state == k.state
    assert list(k.journal.inputs()) == [(constants.PRESS, 1, 0)], "a choice is no record"


def test_redo_of_a_choice_whose_segment_is_gone():
    k = InMemory()
    k.house("jassshop")
    left = k.newest()
    k.journal.take_back()
    before = k.state
    k.flash.remove(left)
    assert k.journal.redo() is None
    assert k.state == k.again().state == before


@pytest.mark.parametrize("refuses", range(8))
@pytest.mark.parametrize("lands", [0, *range(1, journal.RECORD), 999])
def test_a_flash_that_refuses_at_any_operation_leaves_all_as_it_was(refuses, lands):
    """A refused write in a choice, take-back or redo changes nothing; later the same step
    succeeds."""
    k = InMemory()
    k.do(constants.PRESS, 1)
    steps = (
        lambda: k.journal.record(constants.RULES, 2, 0),
        lambda: k.journal.record(constants.SET, 0, 9),
        k.journal.take_back,
        k.journal.take_back,
        k.journal.redo,
        k.journal.redo,
        k.journal.take_back,
        k.journal.take_back,
        k.journal.take_back,
    )
    first, then, last = ("puremco", 12), ("jassshop", 12), ("jassshop", 9)
    wanted = [then, last, then, first, then, last, then, first, first]
    for n, (step, (house, set_)) in enumerate(zip(steps, wanted)):
        before = k.state
        again = k.again().state
        for refused in (True, False):
            if n < 2:
                k.table.apply(*((constants.RULES, 2, 0), (constants.SET, 0, 9))[n])
            k.flash.refuses, k.flash.lands = (refuses, lands) if refused else (-1, 0)
            try:
                step()
                break
            except OSError:
                assert refused
                k.flash.refuses = -1
                if n < 2:
                    k.journal.restore()
                assert k.state == before
                if lands < journal.RECORD:
                    assert k.again().state == again
        k.flash.refuses = -1
        assert (line_keys.house(k.table), k.table.set) == (house, set_), n
        assert k.again().state == k.state
    assert k.table.joined == 0


def test_a_record_that_was_refused_but_landed_is_not_brought_back_by_taking_a_choice_back():
    k = InMemory()
    k.do(constants.PRESS, 1)
    before = k.state
    k.flash.refuses, k.flash.lands = 0, 999
    assert k.do(constants.PRESS, 2) == constants.FAULT
    k.flash.refuses, k.flash.lands = -1, 0
    k.house("quebec")
    assert k.journal.take_back() == (constants.RULES, constants.E)
    assert k.state == k.again().state == before


def test_a_flash_that_refused_the_first_segment_keeps_the_first_choice():
    files = Files()
    files.refuses = 0
    k = InMemory(files)
    before = k.state
    assert k.house("goliath") == constants.FAULT
    assert k.state == before
    files.refuses = -1
    k.house("goliath")
    assert k.again().state == k.state
    assert k.journal.take_back() == (constants.RULES, constants.E)
    assert k.state == before


def test_choices_on_both_sides_of_a_match_boundary():
    k = InMemory()
    states, matches = [k.state], [1]

    def do(*step):
        assert k.do(*step) == constants.OK
        states.append(k.state)
        matches.append(k.journal.match)

    for match in range(3):
        do(constants.RULES, match + 1, 0)
        do(constants.SET, 0, 15)
        for seat in (1, 2, 3):
            do(constants.PRESS, seat)
        do(constants.TAP, 1, tiles.double(15))
        do(constants.FORGET)
        do(constants.SET, 0, 12)
    assert matches[-1] == 4
    for state, match in zip(states[-2::-1], matches[-2::-1]):
        assert k.journal.take_back() is not None
        assert (k.state, k.again().state) == (state, state)
        assert k.journal.match <= match
    assert k.journal.take_back() is None
    for state, match in zip(states[1:], matches[1:]):
        assert k.journal.redo() is not None
        assert (k.state, k.again().state) == (state, state)
        assert k.journal.match == match
    assert k.journal.redo() is None


def test_a_refused_take_back_over_a_match_boundary_stays_in_its_match():
    k = InMemory()
    k.begin()
    k.do(constants.FORGET)
    k.do(constants.SET, 0, 9)
    k.journal.take_back()
    assert k.journal.match == 2
    k.flash.refuses = 0
    with pytest.raises(OSError):
        k.journal.take_back()
    assert k.journal.match == 2


# The action and its number; then how many operations the flash accepts before it refuses.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("choose", "choose", "press", "press", "press", "tap", "forget", "back", "back")
            + ("back", "redo", "redo", "redo", "cut")
        ),
        st.integers(0, 10**6),
        st.sampled_from((-1, -1, -1, -1, 0, 1, 2, 3, 4)),
    ),
    max_size=60,
)


def carry_out(k, what, n):
    """Carry out a step; return whether it was accepted. Raises OSError if writing fails.

    what: `back`, `redo`, `choose`, `press`, `tap`; another word clears the match
    n: selects the rules, the seat, or the slot and tile
    """
    if what == "back":
        return k.journal.take_back() is not None
    if what == "redo":
        return k.journal.redo() is not None
    if what == "choose":
        step = (
            (constants.RULES, n % len(houses.HOUSES), n % 3)
            if n % 2
            else (constants.SET, 0, tiles.SETS[n % 5])
        )
    elif what == "press":
        step = (constants.PRESS, k.table.turn or n % 11, 0)
    elif what == "tap":
        at_engine = k.table.phase < constants.PLAY
        step = (constants.TAP, n % 12, tiles.double(k.table.set) if at_engine else n % 91)
    else:
        step = (constants.FORGET, 0, 0)
    verdict = k.do(*step)
    if verdict == constants.FAULT:
        raise OSError
    return not verdict


@hypothesis.settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
@hypothesis.given(STEPS)
def test_any_inputs_with_choices_taken_back_repeated_refused_and_cut(steps):
    k = InMemory()
    past, future, ended = [k.state], [], 0
    for what, n, refuses in steps:
        if what == "cut":
            k = k.again()
            assert not k.journal.trouble
            future = []
            continue
        phase = k.table.phase
        k.flash.refuses = refuses
        try:
            accepted = carry_out(k, what, n)
        except OSError:
            accepted = False
        else:
            assert accepted or what != "redo" or not future
            assert accepted or what != "back" or not past[1:] or ended > 3
        k.flash.refuses = -1
        if accepted:
            ended += k.table.phase == constants.LOBBY != phase
            if what == "back":
                future.append(past.pop())
            elif what == "redo":
                past.append(future.pop())
            else:
                past.append(k.state)
                future = []
        assert k.state == past[-1], what
        assert k.again().state == k.state
    for _ in range(len(past) - 1):
        if not k.journal.take_back():
            assert ended > 3, "a match that is long over"
            break
        future.append(past.pop())
        assert k.state == past[-1]
    for state in future[::-1]:
        assert k.journal.redo() is not None
        assert k.state == state
    assert k.journal.redo() is None
    assert k.again().state == k.state


def test_a_match_keeps_a_familys_rules_when_config_names_another():
    """A saved match keeps a house's rules, also in take-backs, when config.py lists another house
    before it."""
    grandma, aunt = ("jassshop", {"lock": "no"}), ("goliath", {"first-turn": "own"})
    try:
        houses.set_family({"grandma": grandma})
        k = InMemory()
        k.house("puremco")
        k.house("grandma")
        options = k.table.options
        k.begin()
        k.passes(2 * IN_A_SEGMENT)
        houses.set_family({"aunt": aunt, "grandma": grandma})
        k = k.again()
        assert not k.journal.trouble
        assert k.table.options == options
        while k.journal.take_back() != (constants.RULES, constants.E):
            assert k.table.options == options
        assert k.table.options == bytes(houses.preset(houses.HOUSES.index("puremco")))
        assert k.journal.redo() == (constants.RULES, constants.E)
        assert k.table.options == options
    finally:
        houses.set_family({})
