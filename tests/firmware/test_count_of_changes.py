# SPDX-License-Identifier: MIT
"""`n`, the count of changes: it rises by one for each change, and never goes back."""

import random

import pytest
import record_matches
from test_journal_on_flash import FOLDER
from test_rules_kept import Files, InMemory

from roundhouse import constants, journal

STEPS = 120


def test_a_segment_has_numbers_for_all_its_records():
    """A segment has at most MOST records, and one more change by which it began."""
    assert journal.MOST + 1 < journal._NUMBERS


def test_an_empty_folder_begins_at_0_and_what_changes_nothing_counts_nothing():
    k = InMemory()
    assert k.journal.n == 0
    k.begin()
    assert k.journal.n == 3, "two seats and the opening tile"
    assert k.do(constants.PRESS, 9) != constants.OK
    while k.journal.prepare():
        pass
    assert k.journal.n == k.again().journal.n == 3
    assert k.journal.take_back() and k.journal.n == 4
    assert k.journal.redo() and k.journal.n == 5


def test_a_choice_taken_back_and_put_back_counts_each_time():
    k = InMemory()
    for n, step in enumerate((k.journal.take_back, k.journal.redo, k.journal.take_back), 2):
        if n == 2:
            assert k.do(constants.SET, 0, 9) == constants.OK
            assert k.journal.n == 1
        assert step() and k.journal.n == n
        assert k.again().journal.n == n


def test_the_count_goes_on_over_matches_that_are_removed():
    k = InMemory()
    for _ in range(8):
        k.begin()
        assert k.do(constants.FORGET) == constants.OK
        while k.journal.prepare():
            pass
    assert k.journal.read(1).wrong and k.journal.n == k.again().journal.n == 8 * 4


def test_tiles_that_lay_there_before_count_nothing():
    k = InMemory()
    lay = bytes((journal.LAID << 4 | 1, 5, 0)) * 3
    data = journal.segment(1, 0, 1, k.table.saved_state.pack(k.table.state), lay)
    k = InMemory(Files({FOLDER + "/00000001.rhj": data}))
    assert k.journal.n == 0
    assert k.do(constants.PRESS, 1) == constants.OK and k.again().journal.n == 1
    k.journal._torn = journal.TORN  # the next input copies the segment
    assert k.do(constants.PRESS, 2) == constants.OK and k.again().journal.n == 2


def test_a_journal_of_older_firmware_goes_on_behind_all_its_files():
    files = older(random.Random(1))
    newest = int(max(files)[-12:-4])
    k = InMemory(Files(files))
    assert k.journal.n == 50 * (newest + 1)
    k.anything(random.Random(1))
    assert k.journal.n == k.again().journal.n == 50 * (newest + 1) + 1


def bend(files, chance):
    """Damage the newest file: change a byte of it, or add half a record or junk behind it; or add
    a file that was not finished, or junk."""
    path = max(files)
    data = files[path]
    how = chance.randrange(3)
    if how == 0 and data:
        place = chance.randrange(len(data))
        bent = bytes((data[place] ^ 1 << chance.randrange(8),))
        files[path] = data[:place] + bent + data[place + 1 :]
    elif how == 1:
        files[path] = data + chance.randbytes(chance.randint(1, 12))
    else:
        name = "%08d.rhj" % (int(path[-12:-4]) + 1)
        files[path[:-12] + name] = chance.choice((b"", b"RHJ\x07", b"junk"))


def older(chance):
    """Return the files of a match that older firmware kept, cut after any of its inputs."""
    match = chance.choice(MATCHES[chance.choice(list(MATCHES))])
    size, files = chance.choice(match.ends), {}
    for number, data in enumerate(match.segments, 1):
        if size > 0:
            files["%s/%08d.rhj" % (FOLDER, number)] = data[:size]
        size -= len(data)
    return files


MATCHES = {
    format_: [match for match, _ in zip(record_matches.matches(format_), range(8))]
    for format_ in (2, 5, 6)
}


@pytest.mark.parametrize("seed", range(24))
def test_it_never_goes_back_and_rises_by_one_for_each_change(seed, monkeypatch):
    chance = random.Random(seed)
    if chance.random() < 0.7:
        monkeypatch.setattr(journal, "MOST", chance.choice((3, 8)))
    k = InMemory(Files(older(chance) if seed % 3 == 0 else {}))
    told = k.journal.n
    cuts = 0
    for _ in range(STEPS):
        what = chance.random()
        if what < 0.1:
            while k.journal.prepare():
                pass
            assert k.journal.n == told
        elif what < 0.2:
            k.flash.refuses, k.flash.lands = (
                chance.randrange(3),
                chance.choice((0, 1, 4, 5, 30, 400)),
            )
            state = k.state
            kind, slot, value = chance.choice(
                (
                    (constants.SET, 0, 9),
                    (constants.PRESS, k.table.turn or 3, 0),
                    (constants.FORGET, 0, 0),
                )
            )
            verdict = k.do(kind, slot, value)
            assert k.journal.n == told + (verdict == constants.OK), (verdict, state == k.state)
            told, k, cuts = k.journal.n, k.again(), cuts + 1
            assert k.journal.n >= told
            told = k.journal.n
        elif what < 0.3:
            bend(k.flash.files, chance)
            k, cuts = k.again(), cuts + 1
            assert k.journal.n >= told
            assert k.again().journal.n >= k.journal.n
            told = k.journal.n
        else:
            k.anything(chance)
            told += 1
            assert k.journal.n == told
    assert cuts > 10
