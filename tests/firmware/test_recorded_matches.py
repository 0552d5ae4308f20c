# SPDX-License-Identifier: MIT
"""Matches that older firmware kept are read as it read them: after each input, cut anywhere, and
taken back. tests/tools/record_matches.py recorded them."""

import random

import pytest
import record_matches
from test_journal_on_flash import FOLDER
from test_rules_kept import Files, InMemory

from roundhouse import constants, journal
from roundhouse.games import saved_state
from roundhouse.games.match import Match

FORMATS = sorted(int(path.stem) for path in record_matches.FOLDER.glob("*.xz"))
PLACES = 10  # in each match


def told(number, table, step=""):
    """Return what a failing test says: which match it was, and what is on the table."""
    facts = record_matches.facts(table).items()
    return "match %d, %s: " % (number, step) + ", ".join(
        "%s %s" % fact for fact in facts if fact[1]
    )


def repeated(match):
    """Repeat all inputs of a match from the bytes of its journal. Yield the count of bytes read so
    far, the table, and the input."""
    table, before = Match(), 0
    for number, data in enumerate(match.segments, 1):
        segment = journal.Segment(data, number, table)
        assert not segment.wrong
        table.restore(segment.state)
        states = [segment.state]
        end = len(data) - segment.records * journal.RECORD
        yield before + end, table, (segment.began >> 4, 0, 0)
        for at in range(end, len(data), journal.RECORD):
            kind, slot, value = step = journal.unpacked(data, at)
            if segment.is_older:
                step = kind, saved_state.moved(slot), value
            if kind == journal.UNDO:
                states.pop()
                table.restore(states[-1])
            else:
                assert not table.apply(*step, True), step
                states.append(bytes(table.state))
            yield before + at + journal.RECORD, table, step
        before += len(data)


def cut(match, size):
    """Return a table whose journal has the first `size` bytes that were written."""
    files = {}
    for number, data in enumerate(match.segments, 1):
        if size > 0:
            files["%s/%08d.rhj" % (FOLDER, number)] = data[:size]
        size -= len(data)
    return InMemory(Files(files))


def standing(match):
    """For each step, return the digests of the match after each input that is not taken back."""
    found, now = [], ()
    for step, digest in zip(match.steps, match.digests):
        now = now[:-1] if step == "b" else (*now, digest)
        found.append(now)
    return found


def test_every_format_before_todays_is_recorded():
    assert {2, 5, *range(5, constants.FORMAT)} <= {*FORMATS}, "record_matches.py says how"


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_each_input_means_what_it_meant(format_):
    kinds, phases, sheets = set(), set(), set()
    for number, match in enumerate(record_matches.matches(format_)):
        assert {data[3] for data in match.segments} == {format_}
        digests = dict(zip(match.ends, match.digests))
        for size, table, step in repeated(match):
            if size in digests:
                found = record_matches.digest(table)
                assert digests.pop(size) == found, told(number, table, step)
            kinds.add(step[0])
            phases.add(table.phase)
            sheets.add(table.sheet()[1])
        assert not digests, "each step was looked at"
    assert kinds == {*range(14), journal.UNDO} and phases == {*range(5)} and len(sheets) > 10


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_a_match_cut_anywhere_carries_on_and_can_be_taken_back(format_):
    for number, match in enumerate(record_matches.matches(format_)):
        chance = random.Random(number)
        stand = standing(match)
        for step in chance.sample([n for n, inputs in enumerate(stand) if inputs[1:]], PLACES):
            k = cut(match, match.ends[step])
            assert not k.journal.trouble, told(number, k.table, step)
            *_, before, now = stand[step]
            assert record_matches.digest(k.table) == now, told(number, k.table, step)
            assert k.journal.take_back(), told(number, k.table, step)
            assert record_matches.digest(k.table) == before, told(number, k.table, step)
            assert k.journal.redo(), told(number, k.table, step)
            assert record_matches.digest(k.table) == now, told(number, k.table, step)
