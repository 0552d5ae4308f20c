# SPDX-License-Identifier: MIT
"""What a journal holds that cannot be played again: of another firmware, damaged, cut."""

import pytest
from test_journal_on_flash import FOLDER, Kept
from test_rules_kept import Files, InMemory

from roundhouse import journal, tiles, words
from roundhouse.games.match import Match

# As a hub kept it in format 1: two seats, the house jassshop by its number, the engine.
OF_FORMAT_1 = bytes.fromhex(
    "52484a0101000000000000000100da000c0400000000000000000000000001010000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000ff0000000000000000000000"
    "0000000000000000000000ffffffffffffffffffffffffffffffffffffffffffffffff0000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000ca2c21000000471722"
    "0000013f88520000021979015a0003a542"
)


class Small(Files):
    """Files that take nothing more once `room` is 0."""

    room = 1

    def writes(self):
        if not self.room:
            raise OSError(28)

    def remove(self, path):
        if self.files.pop(path, None) is None:
            raise OSError(2)


def of_another_format(segment, number):
    return segment[:3] + bytes([number]) + segment[4:]


@pytest.mark.parametrize("which", ["recorded", "older", "newer"])
def test_a_journal_of_another_firmware_is_kept_and_said(which):
    k = InMemory(Small())
    k.begin()
    k.do(words.FORGET)
    matches = k.journal.match
    whole = k.read(k.newest()) + b"of another length"
    data = {
        "recorded": OF_FORMAT_1,
        "older": of_another_format(whole, journal.FORMAT - 1),
        "newer": of_another_format(whole, journal.FORMAT + 1),
    }[which]
    path = "%s/%08d.rhj" % (FOLDER, 5)
    k.write(path, data)
    k = k.again()
    firmware = "a newer" if which == "newer" else "an older"
    assert k.journal.trouble == (
        "segment 5 is of %s firmware; a new match begins beside it" % firmware
    )
    assert (k.table.phase, k.resumed, k.journal.number) == (words.LOBBY, -1, 6)
    assert k.journal.match == matches + 1
    assert (5, data) in list(k.journal.segments()), "for export"
    for _ in range(6):
        k.begin()
        k.do(words.FORGET)
    assert k.read(path) == data, "no match that is long over"
    k.begin()
    matches = {k.journal.read(n).match for n in k.journal.numbers() if n != 5}
    k.flash.room = 0
    assert [k.do(words.BONEYARD, 0, n) for n in range(2)] == [words.FAULT] * 2
    assert k.journal.numbers() == [5, k.journal.number], "matches that are over made room"
    assert len(matches) == 4
    assert k.read(path) == data, "this one does not"
    again = k.again()
    assert (again.state, again.journal.trouble) == (k.state, "")


def test_another_length_of_the_state_is_damage_in_this_format():
    state = bytes(Match().state)
    for size in (len(state) - 1, len(state) + 1, 0):
        data = journal.segment(1, 0, 1, bytes(size)) + bytes(200)
        assert journal.Segment(data, 1, len(state)).wrong == journal.DAMAGED
        older = of_another_format(data, journal.FORMAT - 1)
        assert journal.Segment(older, 1, len(state)).wrong == journal.OLDER


def test_a_record_is_good_in_its_own_place_alone():
    """Swapped, doubled, left out, of another segment: damage, and what stands ends before it."""
    state = bytes(Match().state)
    head = len(journal.segment(1, 0, 1, state))
    press = bytes([words.PRESS << 4 | 1, 0, 0])

    def records(number):
        data = journal.segment(number, 0, 1, state, press * 6)
        size = journal.RECORD
        return data[:head], [data[i : i + size] for i in range(head, len(data), size)]

    start, own = records(1)
    other = records(2)[1]
    for wrong, whole in (
        ([own[0], own[2], own[1], *own[3:]], 1),
        ([*own[:4], own[3], own[4]], 4),
        ([*own[:2], *own[3:]], 2),
        ([*own[:3], other[3], *own[4:]], 3),
        ([*own, own[0]], 6),
    ):
        segment = journal.Segment(start + b"".join(wrong), 1, len(state))
        assert (segment.wrong, segment.places, segment.torn) == (0, whole, journal.DAMAGED)
        assert segment.live == press * whole
    for kind in journal.CHOICES:
        data = journal.segment(1, 0, 1, state, press + bytes([kind << 4, 9, 0]) + press)
        assert journal.Segment(data, 1, len(state)).torn == journal.DAMAGED, "never a record"
        assert journal.Segment(data, 1, len(state)).live == press


def inputs(*steps):
    return b"".join(
        bytes((kind << 4 | slot, value & 255, value >> 8)) for kind, slot, value in steps
    )


STARTED = ((words.PRESS, 1, 0), (words.PRESS, 2, 0), (words.TAP, 1, tiles.double(12)))


@pytest.mark.parametrize(
    "wrong",
    [
        (words.TAP, 5, tiles.tile(1, 0)),  # refused
        (words.PRESS, 9, 0),
        (words.TAP, 1, 255),  # no tile
        (words.RULES, 0, 0),  # never a record
        (words.SET, 0, 9),
    ],
)
@pytest.mark.parametrize("then", ["plays", "takes back", "chooses"])
def test_a_repeat_that_is_refused_is_damage_and_said(wrong, then):
    k = Kept()
    live = inputs(*STARTED, wrong, (words.PRESS, 1, 0), (words.PRESS, 1, 0))
    data = journal.segment(1, 0, 1, Match().state, live)
    k.write(k.newest(), data)
    k = k.again()
    assert k.journal.trouble == "segment 1 is damaged after 3 of its inputs"
    assert k.resumed == 3
    stands = Match()
    for step in STARTED:
        assert not stands.apply(*step)
    assert k.state == bytes(stands.state), "not one more, not half of one"
    assert len(list(k.journal.inputs())) == 3
    if then == "plays":
        k.passes(1)
    else:
        assert k.journal.take_back() == (words.TAP, 1)
    if then == "chooses":
        assert k.do(words.SET, 0, 9) == words.OK
        assert k.journal.take_back() == (words.SET, words.E)
    again = k.again()
    assert again.state == k.state
    assert not again.journal.trouble
    assert k.read("%s/00000001.rhj" % FOLDER) == data, "nothing is written behind it"


def test_an_input_that_stops_half_way_is_not_half_done(monkeypatch):
    k = Kept()
    k.begin()
    before = k.state
    k.passes(1)
    apply = Match.apply

    def half(table, kind, slot=0, value=0, again=False):
        if table.phase == words.PLAY:
            table.state[0] ^= 1
            raise IndexError
        return apply(table, kind, slot, value, again)

    monkeypatch.setattr(Match, "apply", half)
    k = k.again()
    assert k.journal.trouble == "segment 1 is damaged after 3 of its inputs"
    assert k.state == before


def test_a_state_that_no_table_takes_is_damage_and_said(monkeypatch):
    k = Kept()
    k.begin()
    k.do(words.SET, 0, 9)  # refused: no choice in play
    k.do(words.FORGET)
    before = k.state
    k.do(words.SET, 0, 18)
    number = k.journal.number
    restore = Match.restore

    def particular(table, state):
        table.state[:] = state
        if state[0] == 18:
            raise ValueError("no such set")
        restore(table, state)

    monkeypatch.setattr(Match, "restore", particular)
    k = k.again()
    assert k.journal.trouble == "segment %d is damaged; its inputs are lost" % number
    assert k.state == before


@pytest.mark.parametrize("number", [99_999_990, 99_999_999, 100_000_000, 4_000_000_000])
def test_numbers_of_nine_digits_and_more_are_like_any_other(number):
    k = Kept()
    k.flash.remove(k.newest())
    k.write("%s/%08d.rhj" % (FOLDER, number), journal.segment(number, 0, 1, k.table.state))
    for foreign in ("123.rhj", "000000007.rhj", "4294967295.rhj", "99999999999.rhj", "1.rhj"):
        k.write(FOLDER + "/" + foreign, b"hello")
    k = k.again()
    assert (k.resumed, k.journal.number, k.journal.trouble) == (0, number, "")
    k.begin()
    states = []
    for _ in range(100):
        states.append(k.state)
        k.passes(1)
    assert k.journal.numbers() == list(range(number, number + 3))
    assert [n for n, _ in k.journal.segments()] == k.journal.numbers()
    again = k.again()
    assert (again.state, again.journal.number) == (k.state, number + 2)
    for state in states[::-1]:
        assert again.journal.take_back()
        assert again.state == state
    assert again.journal.number > number + 2
    assert again.again().state == states[0]


def test_a_chain_only_leads_back():
    state = bytes(Match().state)
    for back, wrong in ((0, 0), (2, 0), (3, journal.DAMAGED), (4, journal.DAMAGED)):
        assert journal.Segment(journal.segment(3, back, 1, state), 3, len(state)).wrong == wrong


def test_a_tile_that_lay_there_before_is_never_taken_back():
    k = Kept()
    lay = bytes((journal.LAID << 4 | 1, tiles.tile(12, 5), 0))
    k.write(k.newest(), journal.segment(1, 0, 1, k.table.state, lay))
    k.write("%s/%08d.rhj" % (FOLDER, 2), journal.segment(2, 1, 1, k.table.state))
    for _ in range(2):  # behind it a segment, and none
        k = k.again()
        assert k.journal.take_back() is None
        assert not k.journal.trouble
        k.flash.remove(k.newest()) if k.journal.number == 2 else None


def cut_newest(k, size):
    k.write(k.newest(), k.read(k.newest())[:size])
    return k.again()


HEADER = len(journal.segment(1, 0, 1, Match().state))
ROOM = (journal.FULL - HEADER) // journal.RECORD


@pytest.mark.parametrize("size", [1, 3, 4, 16, 17, 100, HEADER - 1])
@pytest.mark.parametrize("begun", ["full", "match over", "choice", "take-back", "first"])
def test_a_newest_segment_cut_below_its_header(begun, size):
    """Its inputs are lost, and that is said; but not where it had to follow and had none yet."""
    k = Kept()
    if begun == "full":
        k.begin()
        k.passes(ROOM - 3)
    elif begun == "match over":
        k.begin()
        k.do(words.FORGET)
    elif begun == "choice":
        k.do(words.PRESS, 1)
        k.do(words.SET, 0, 9)
        k.do(words.SET, 0, 12)
        k.journal.take_back()
    elif begun == "take-back":
        k.do(words.PRESS, 1)
        k.do(words.SET, 0, 9)
        k.journal.take_back()
    before, number, match = k.state, k.journal.number, k.journal.match
    k = cut_newest(k, size)
    if begun in ("full", "match over"):
        assert not k.journal.trouble
        assert (k.state, k.journal.match) == (before, match)
    else:
        assert k.journal.trouble == "segment %d is damaged; its inputs are lost" % number
    k.do(words.PRESS, k.table.turn or 3)
    again = k.again()
    assert again.state == k.state, "what comes then is newer than what was cut"
    assert again.journal.match == k.journal.match
    assert max(len(data) for _, data in k.journal.segments()) <= journal.FULL
    assert not again.journal.trouble


def test_an_empty_newest_segment_is_a_power_cut_and_nothing_is_said():
    k = Kept()
    k.begin()
    before = k.state
    k.write("%s/%08d.rhj" % (FOLDER, 2), b"")
    for _ in range(2):
        k = k.again()
        assert (k.state, k.journal.trouble) == (before, "")
    k.passes(1)
    assert (k.again().state, k.again().journal.trouble) == (k.state, "")


def test_inputs_after_damage_are_newer_than_the_damage():
    """A segment that could not be read for once does not come back over what was played then."""
    k = Kept()
    k.do(words.PRESS, 1)
    k.do(words.SET, 0, 9)
    path, whole = k.newest(), k.read(k.newest())
    k.write(path, b"RHJ" + bytes(300))
    k = k.again()
    k.do(words.PRESS, 2)
    k.write(path, whole)
    again = k.again()
    assert again.state == k.state
