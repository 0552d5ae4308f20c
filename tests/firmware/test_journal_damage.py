# SPDX-License-Identifier: MIT
"""Journals that can be read only in part, or not at all: from other firmware, damaged, or cut
off."""

import binascii
import contextlib
import json

import pytest
import state_constants
from test_journal_on_flash import FOLDER, Kept
from test_rules_kept import Files, InMemory

from roundhouse import constants, journal, tiles
from roundhouse.games import fields, saved_state
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
    """Files in memory that accept no more data once `room` is 0."""

    room = 1

    def writes(self):
        if not self.room:
            raise OSError(28)

    def remove(self, path):
        if self.files.pop(path, None) is None:
            raise OSError(2)


def packed(state):
    return saved_state.pack(state)


def of_another_format(segment, number):
    return segment[:3] + bytes([number]) + segment[4:]


@pytest.mark.parametrize("which", ["recorded", "older", "newer"])
def test_a_journal_of_another_firmware_is_kept_and_said(which):
    k = InMemory(Small())
    k.begin()
    k.do(constants.FORGET)
    matches = k.journal.match
    whole = k.read(k.newest()) + b"of another length"
    data = {
        "recorded": OF_FORMAT_1,
        "older": of_another_format(whole, 1),
        "newer": of_another_format(whole, journal.FORMAT + 1),
    }[which]
    path = "%s/%08d.rhj" % (FOLDER, 5)
    k.write(path, data)
    k = k.again()
    firmware = "a newer" if which == "newer" else "an older"
    assert k.journal.trouble == (
        "segment 5 is of %s firmware; a new match begins beside it" % firmware
    )
    assert (k.table.phase, k.resumed, k.journal.number) == (constants.LOBBY, -1, 6)
    assert k.journal.match == matches + 1
    assert (5, data) in list(k.journal.segments()), "for export"
    for _ in range(6):
        k.begin()
        k.do(constants.FORGET)
        k.rest()
    assert k.read(path) == data, "no match that is long over"
    k.begin()
    matches = {k.journal.read(n).match for n in k.journal.numbers() if n != 5}
    k.flash.room = 0
    assert [k.do(constants.BONEYARD, 0, n) for n in range(2)] == [constants.FAULT] * 2
    assert k.journal.numbers() == [5, k.journal.number], "matches that are over made room"
    assert len(matches) == 4
    assert k.read(path) == data, "this one does not"
    again = k.again()
    assert (again.state, again.journal.trouble) == (k.state, "")


def test_a_full_flash_that_removes_nothing_refuses():
    class Stuck(Small):
        tries = 0

        def remove(self, path):
            self.tries += 1
            assert self.tries < 20, "the hub tries for ever"
            raise OSError(5)

    k = InMemory(Stuck())
    k.begin()
    k.do(constants.FORGET)
    k.begin()
    segments, before = k.journal.numbers(), k.state
    k.flash.room = 0
    assert [k.do(constants.BONEYARD, 0, n) for n in range(2)] == [constants.FAULT] * 2
    assert (k.journal.numbers(), k.state) == (segments, before)


def test_another_length_of_the_state_is_damage_in_this_format():
    state = packed(Match().state)
    wrong = (state[:-1], state + b"\0", b"", bytes(2), bytes(1), bytes(len(state)), bytes(500))
    wrong += (b"\xff\xff" + bytes(900), bytes((state[0] + 5, state[1])) + state[2:])
    for nonsense in wrong:
        data = journal.segment(1, 0, 1, nonsense)
        assert journal.Segment(data, 1, Match()).wrong == journal.DAMAGED
        older = of_another_format(data, 1)
        assert journal.Segment(older, 1, Match()).wrong == journal.OLDER


def narrowed(state):
    """Return (shared fields, options, own fields) of a match of Mexican Train as format 6 had
    them, with ten stations."""
    old = json.loads((state_constants.FORMATS / "6.json").read_text())

    def these(which):
        return b"".join(
            state[at : at + size]
            for name, size in old[which]
            for at in [getattr(fields, {"PASSES": "PASSED"}.get(name, name))]
        )

    rows = len(old["options of mexican_train"])
    options = state[fields.OPTIONS : fields.OPTIONS + rows]
    return these("fields"), options, these("fields of mexican_train")


def of_format(number, state, live=b""):
    """Return a segment as firmware with an older journal format wrote it.

    number: the format, 2 (version 1.0.0) to 4
    state: the state at the beginning, in the current format
    live: the inputs, 3 bytes each
    """
    shared, options, own = narrowed(state)
    if number == 4:
        chosen = options.rstrip(b"\0")
        old = bytes((len(chosen), 18)) + shared[:-2] + chosen + own[:18]
        old += bytes((4 - len(old)) % 5)
    else:
        old = shared[:4] + options[:21] + shared[6:130] + own + bytes(2) + shared[130:-2]
        assert len(old) == 239
        old = old[: 238 if number == 2 else 239]
    return of_old_header(number, old, live)


def of_old_header(number, packed, live=b""):
    """Return a segment in a format before 7, whose header lacks `n`."""
    data = journal.segment(1, 0, 1, packed, live)
    head = len(journal.segment(1, 0, 1, packed)) - 2
    start = of_another_format(data[: journal._OLD_SIZE] + data[journal._SIZE : head], number)
    return start + (binascii.crc32(start) & 0xFFFF).to_bytes(2, "little") + data[head + 2 :]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_an_older_format_is_read(number):
    state = bytearray(Match().state)
    state[fields.READING] = number
    press = bytes([constants.PRESS << 4 | 1, 0, 0])
    old = of_format(number, bytes(state), press * 2)
    found = journal.Segment(old, 1, Match())
    assert (found.wrong, found.state, found.live) == (0, bytes(state), press * 2)
    assert found.torn == journal.TORN, "nothing is written behind it"
    other = of_format(3 if number == 2 else 2, bytes(state))
    length = journal._OLD_SIZE - 2
    for data in (other[journal._OLD_SIZE : -2], old[journal._OLD_SIZE : 17 + old[length]] + b"\0"):
        found = journal.Segment(of_old_header(number, data), 1, Match())
        assert found.wrong == journal.DAMAGED, "another length"


def test_a_record_is_good_in_its_own_place_alone():
    """A record that is swapped, doubled, missing or from another segment is damage."""
    state = bytes(Match().state)
    head = len(journal.segment(1, 0, 1, packed(state)))
    press = bytes([constants.PRESS << 4 | 1, 0, 0])

    def records(number):
        data = journal.segment(number, 0, 1, packed(state), press * 6)
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
        segment = journal.Segment(start + b"".join(wrong), 1, Match())
        assert (segment.wrong, segment.records, segment.torn) == (0, whole, journal.DAMAGED)
        assert segment.live == press * whole
    for kind in journal.CHOICES:
        data = journal.segment(1, 0, 1, packed(state), press + bytes([kind << 4, 9, 0]) + press)
        assert journal.Segment(data, 1, Match()).torn == journal.DAMAGED, "never a record"
        assert journal.Segment(data, 1, Match()).live == press


def inputs(*steps):
    return b"".join(
        bytes((kind << 4 | slot, value & 255, value >> 8)) for kind, slot, value in steps
    )


STARTED = ((constants.PRESS, 1, 0), (constants.PRESS, 2, 0), (constants.TAP, 1, tiles.double(12)))


@pytest.mark.parametrize(
    "wrong",
    [
        (constants.TAP, 5, tiles.tile(1, 0)),  # refused
        (constants.PRESS, 9, 0),
        (constants.TAP, 1, 255),  # no tile
        (constants.RULES, 0, 0),  # never a record
        (constants.SET, 0, 9),
    ],
)
@pytest.mark.parametrize("then", ["plays", "takes back", "chooses"])
def test_a_repeat_that_is_refused_is_damage_and_said(wrong, then):
    k = Kept()
    live = inputs(*STARTED, wrong, (constants.PRESS, 1, 0), (constants.PRESS, 1, 0))
    data = journal.segment(1, 0, 1, packed(Match().state), live)
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
        assert k.journal.take_back() == (constants.TAP, 1)
    if then == "chooses":
        assert k.do(constants.SET, 0, 9) == constants.OK
        assert k.journal.take_back() == (constants.SET, constants.E)
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
        if table.phase == constants.PLAY:
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
    k.do(constants.SET, 0, 9)  # refused: no choice in play
    k.do(constants.FORGET)
    before = k.state
    k.do(constants.SET, 0, 18)
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


FOREIGN = ["%d.rhj" % n for n in (10**8, 4 * 10**9, 2**32 - 3, 2**32 - 2, 2**32 - 1, 2**32)]
FOREIGN += ["123.rhj", "000000007.rhj", "99999999999.rhj", "1.rhj", "\udcff0000001.rhj", ".rhj"]
FOREIGN += ["\u00b2" * 8 + ".rhj", "0000000x.rhj", "00000009.txt", "-0000009.rhj"]


def whole_segment(number, state):
    return journal.segment(number & 0xFFFFFFFF, 0, 1, packed(state))


WHAT = {
    "junk": lambda number, state: b"hello",
    "empty": lambda number, state: b"",
    "a segment": whole_segment,
    "a newer one": lambda *of: of_another_format(whole_segment(*of), journal.FORMAT + 1),
    "cut": lambda *of: whole_segment(*of)[:30],
}


@pytest.mark.parametrize("what", WHAT)
def test_no_file_of_another_name_keeps_an_input_from_being_kept(what):
    k = InMemory()
    k.begin()
    before = k.journal.numbers()
    for name in FOREIGN:
        digits = name[:-4]
        number = int(digits) if digits.isdecimal() else 9
        k.flash.files[FOLDER + "/" + name] = WHAT[what](number, k.table.state)
    foreign = {path: data for path, data in k.flash.files.items() if path[-12:] in FOREIGN}
    k = k.again()
    assert (k.journal.numbers(), k.journal.trouble) == (before, "")
    states = []
    for _ in range(100):
        states.append(k.state)
        k.passes(1)
        assert k.again().state == k.state
    for state in states[::-1]:
        assert k.journal.take_back()
        assert k.state == k.again().state == state
    assert all(k.flash.files[path] == data for path, data in foreign.items())


@pytest.mark.parametrize("number", [99_999_990, 99_999_996])
def test_numbers_go_on_to_the_last(number):
    k = Kept()
    k.flash.remove(k.newest())
    k.write("%s/%08d.rhj" % (FOLDER, number), whole_segment(number, k.table.state))
    k = k.again()
    assert (k.resumed, k.journal.number, k.journal.trouble) == (0, number, "")
    k.begin()
    states = []
    for _ in range(100):
        states.append(k.state)
        k.passes(1)
    assert k.journal.numbers() == list(range(number, number + 3))
    again = k.again()
    assert (again.state, again.journal.number) == (k.state, number + 2)
    with contextlib.suppress(OSError):  # of which none is left at last
        for state in states[::-1]:
            assert again.journal.take_back()
            assert again.state == state
    assert again.journal.numbers()[-1] == 99_999_999
    assert again.state == again.again().state


@pytest.mark.parametrize("what", WHAT)
def test_at_the_last_number_what_is_accepted_is_kept_and_the_file_is_named(what):
    k = Kept()
    k.begin()
    k.passes(20)
    path = FOLDER + "/99999999.rhj"
    k.write(path, WHAT[what](99_999_999, k.table.state))
    for _ in range(2):
        k = k.again()
        assert k.journal.trouble == "segment 99999999 has the last number: remove its file"
    verdicts = set()
    for n in range(120):
        before = k.state
        plays = k.table.phase == constants.PLAY
        verdicts.add(k.do(constants.BONEYARD, 0, n % 50) if plays else k.do(constants.PRESS, 3))
        assert (k.state != before) == (verdicts == {constants.OK})
        assert k.again().state == k.state
    assert verdicts == ({constants.OK} if what == "a segment" else {constants.FAULT})
    while k.state != before:
        before = k.state
        try:
            k.journal.take_back()
        except OSError:
            assert k.state == before
        assert k.again().state == k.state
    if what != "a segment":
        k.flash.remove(path)
        k = k.again()
        assert k.do(constants.PRESS, k.table.turn) == constants.OK
        assert (k.again().state, k.again().journal.trouble) == (k.state, "")


def test_a_chain_only_leads_back():
    state = bytes(Match().state)
    for back, wrong in ((0, 0), (2, 0), (3, journal.DAMAGED), (4, journal.DAMAGED)):
        assert (
            journal.Segment(journal.segment(3, back, 1, packed(state)), 3, Match()).wrong == wrong
        )


def test_a_tile_that_lay_there_before_is_never_taken_back():
    k = Kept()
    lay = bytes((journal.LAID << 4 | 1, tiles.tile(12, 5), 0))
    k.write(k.newest(), journal.segment(1, 0, 1, packed(k.table.state), lay))
    k.write("%s/%08d.rhj" % (FOLDER, 2), journal.segment(2, 1, 1, packed(k.table.state)))
    for _ in range(2):  # behind it a segment, and none
        k = k.again()
        assert k.journal.take_back() is None
        assert not k.journal.trouble
        k.flash.remove(k.newest()) if k.journal.number == 2 else None


def cut_newest(k, size):
    k.write(k.newest(), k.read(k.newest())[:size])
    return k.again()


HEADER = len(journal.segment(1, 0, 1, packed(Match().state)))
ROOM = journal.MOST


@pytest.mark.parametrize("size", [1, 3, 4, 16, 17, 20, 21, HEADER - 1])
@pytest.mark.parametrize("begun", ["full", "match over", "choice", "take-back", "first"])
def test_a_newest_segment_cut_below_its_header(begun, size):
    """A newest segment that is cut within its header is reported only if it had inputs."""
    k = Kept()
    if begun == "full":
        k.begin()
        k.passes(ROOM - 3)
    elif begun == "match over":
        k.begin()
        k.do(constants.FORGET)
    elif begun == "choice":
        k.do(constants.PRESS, 1)
        k.do(constants.SET, 0, 9)
        k.do(constants.SET, 0, 12)
        k.journal.take_back()
    elif begun == "take-back":
        k.do(constants.PRESS, 1)
        k.do(constants.SET, 0, 9)
        k.journal.take_back()
    before, number, match = k.state, k.journal.number, k.journal.match
    k = cut_newest(k, size)
    if begun in ("full", "match over"):
        assert not k.journal.trouble
        assert (k.state, k.journal.match) == (before, match)
    else:
        assert k.journal.trouble == "segment %d is damaged; its inputs are lost" % number
    k.do(constants.PRESS, k.table.turn or 3)
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
    """A damaged segment that becomes readable again does not replace later inputs."""
    k = Kept()
    k.do(constants.PRESS, 1)
    k.do(constants.SET, 0, 9)
    path, whole = k.newest(), k.read(k.newest())
    k.write(path, b"RHJ" + bytes(300))
    k = k.again()
    k.do(constants.PRESS, 2)
    k.write(path, whole)
    again = k.again()
    assert again.state == k.state
