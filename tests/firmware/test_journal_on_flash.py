# SPDX-License-Identifier: MIT
"""The journal on real LittleFS with the Pico's flash geometry: power cuts, and a flash that is
full, fails or has damaged files."""

import contextlib
import random

import pytest

from host_sim.board.chips import fake_flash
from host_sim.lab import flash_wear
from roundhouse import constants, journal, tiles
from roundhouse.drivers.files import FlashFolder, FlashRoom
from roundhouse.games import houses
from roundhouse.games.match import Match

FOLDER = "journal"
NEWEST = "newest"  # the folder in it
INNER = FOLDER + "/" + NEWEST


class Kept:
    """A table and its journal on a simulated flash. The flash is small, so a copy is quick."""

    def __init__(self, flash=None):
        self.flash = flash or fake_flash.Flash(blocks=64)
        if FOLDER not in self.flash.listdir():
            self.flash.mkdir(FOLDER)
        self.table = Match()
        on_flash = isinstance(self.flash, fake_flash.Flash)
        self.files = FlashFolder(self.flash, FOLDER) if on_flash else self.flash
        self.journal = journal.Journal(self.files, FOLDER, self.table)
        self.resumed = self.journal.resume()

    @property
    def state(self):
        return bytes(self.table.state)

    def do(self, kind, slot=0, value=0):
        """Apply and record an input as the hub does; return the verdict."""
        was = self.table.phase
        verdict = self.table.apply(kind, slot, value)
        if not verdict:
            try:
                self.journal.record(kind, slot, value, self.table.phase == constants.LOBBY != was)
            except OSError:
                self.journal.restore()
                return constants.FAULT
        return verdict

    def anything(self, chance):
        """Make one accepted input of a random kind."""
        t = self.table
        what = chance.random()
        if what < 0.08 and self.journal.take_back():
            return
        if what < 0.10 and self.journal.redo():
            return
        if what < 0.40 and t.phase == constants.LOBBY:
            house, variants = chance.randrange(len(houses.HOUSES)), chance.choice((0, 1, 2))
            choices = (
                (constants.RULES, house, variants),
                (constants.SET, 0, chance.choice(tiles.SETS)),
            )
            assert self.do(*chance.choice(choices)) == constants.OK
            return
        if what < 0.12 and t.phase != constants.LOBBY:
            assert self.do(constants.FORGET) == constants.OK
            return
        for _ in range(500):
            slot, kind, value = chance.randint(0, constants.M), constants.PRESS, 0
            if chance.random() < 0.8:
                kind, value = constants.TAP, chance.randrange(tiles.size(t.set))
            elif t.phase == constants.PLAY:
                slot = t.turn
            if not self.do(kind, slot, value):
                return
        raise AssertionError("nothing is accepted")

    def rest(self):
        """Let the journal do all its idle work; return the count of calls of `prepare`."""
        pieces = 1
        while self.journal.prepare():
            pieces += 1
        return pieces

    def again(self):
        """Return a new Kept with a copy of the flash, as after switching the hub off and on."""
        return Kept(fake_flash.Flash(self.flash.image))

    def begin(self):
        for kind, slot, value in (
            (constants.PRESS, 1, 0),
            (constants.PRESS, 2, 0),
            (constants.TAP, 1, tiles.double(12)),
        ):
            assert self.do(kind, slot, value) == constants.OK

    def passes(self, n):
        for _ in range(n):
            assert self.do(constants.PRESS, self.table.turn) == constants.OK

    def newest(self):
        name = "%08d.rhj" % self.journal.numbers()[-1]
        inner = NEWEST in self.flash.listdir(FOLDER) and name in self.flash.listdir(INNER)
        return "%s/%s" % (INNER if inner else FOLDER, name)

    def read(self, path):
        with self.flash.open(path, "rb") as file:
            return file.read()

    def write(self, path, data):
        with self.flash.open(path, "wb") as file:
            file.write(data)


def after_cuts(image, record, states, torn):
    """Cut the power at each recorded operation in turn, and yield a Kept that has read the flash.
    The Kept must have the state before or after the interrupted input, and count no change less.

    image: the flash before the operations; it is changed
    record: the operations as (address, data, or None for an erase)
    states: (count of operations done, state, count of changes) of each acknowledged input
    torn: whether half of the interrupted operation was done
    """
    at = 0
    for n, (address, data) in enumerate(record):
        while at + 1 < len(states) and states[at + 1][0] <= n:
            at += 1
        size = fake_flash.BLOCK if data is None else len(data)
        cut = bytearray(image)
        fake_flash.apply(cut, address, data, size // 2 if torn else 0)
        again = Kept(fake_flash.Flash(cut))
        assert again.state in (states[at][1], states[at + 1][1]), n
        assert again.journal.n >= states[at][2], n
        assert not again.journal.trouble
        yield again
        fake_flash.apply(image, address, data, size)


@pytest.mark.parametrize("torn", [pytest.param(False, marks=pytest.mark.slow), True])
def test_the_power_goes_at_every_flash_operation(torn):
    """All acknowledged inputs survive a power cut at any flash operation."""
    k = Kept()
    image = bytearray(k.flash.image)
    record = k.flash.record = []
    chance = random.Random(7)
    states = [(0, k.state, k.journal.n)]  # operations done when a state was acknowledged
    rewritten = 0
    for n in range(300):
        k.anything(chance)
        states.append((len(record), k.state, k.journal.n))
        if n % 3:
            k.rest()
            rewritten += len(record) > states[-1][0]
    assert len(record) > 300 and rewritten > 20
    states.append((len(record), k.state, k.journal.n))
    for n, again in enumerate(after_cuts(image, record, states, torn)):
        if n % 5 == 0:  # and it carries on from there
            again.rest()
            again.anything(chance)
            assert again.again().state == again.state


def test_the_room_that_is_left_before_an_erase():
    """A record for which FlashRoom reported room erases no block."""
    chance = random.Random(5)
    erases = 0
    for start in range(150, 200):
        flash = fake_flash.Flash(blocks=6)
        room = FlashRoom(flash)
        flash.open("file", "wb").close()
        data = chance.randbytes(start)
        for n in range((journal.FULL - start) // journal.RECORD):
            data += chance.randbytes(journal.RECORD)
            free = None if n else 0
            while free is None:  # it looks at a few blocks at a time
                free = room.free(data[-45:-5])
            before = flash.erases
            with flash.open("file", "r+b") as file:
                file.write(data)
            assert free < len(data) + 32 or flash.erases == before, (start, n, free)
            erases += flash.erases - before
    assert erases > 300


@pytest.mark.parametrize("house, matches", [("jassshop", 2), ("classic", 10), ("matador", 10)])
def test_erases_of_whole_matches(house, matches):
    """With time to prepare, a hub needs at most 0.2 erases per input, and no input waits for
    one."""
    inputs, erases, waited_for = flash_wear.wear(houses.HOUSES.index(house), matches)
    assert inputs > 150
    assert erases <= 0.2 * inputs
    assert not waited_for


def test_a_file_opened_in_a_full_block_does_not_cost_an_erase_for_each_record():
    """After a power cut before `prepare`, inputs need at most 0.2 erases each."""
    for n in range(4, 12):
        k = Kept()
        k.begin()
        k.rest()
        k.passes(n)
        k = k.again()
        for _ in range(40):
            k.passes(1)
            k.rest()
        assert k.flash.erases <= 0.2 * 40, n
        assert all(len(data) <= journal.FULL for _, data in k.journal.segments())


def test_matches_of_a_firmware_without_the_inner_folder():
    """A hub continues a match whose last inputs were written by older firmware, which does not
    know the journal's inner folder."""
    k = Kept()
    k.begin()
    k.rest()
    k.passes(60)
    k.rest()
    assert k.newest().startswith(INNER)
    older = Match()
    j = journal.Journal(k.flash, FOLDER, older)
    assert j.resume() >= 0, "as far as the folder has it"
    for n in range(5):
        assert not older.apply(constants.HAND, 1, n % 9 + 1)
        j.record(constants.HAND, 1, n % 9 + 1)
    j.close()
    k = k.again()
    assert k.state == bytes(older.state) and not k.journal.trouble
    k.passes(60)
    k.rest()
    assert k.newest().startswith(INNER)
    assert k.again().state == k.state


def test_flash_is_erased_while_the_hub_is_idle():
    """No input waits for an erase, not even an input that begins a match."""
    k = Kept()
    k.begin()
    k.rest()
    waited, pieces, matches = 0, [], k.journal.match
    for _ in range(200):
        erased = k.flash.erases
        k.passes(1)
        waited += k.flash.erases - erased
        pieces.append(k.rest())
    assert waited == 0
    assert sorted(pieces[:100])[90] <= 4, "it knows where to look"
    assert k.again().state == k.state
    assert k.journal.match > matches + 20
    assert k.journal.read(1).wrong == journal.DAMAGED, "removed, as the oldest match"


def test_what_is_prepared_can_be_taken_back():
    """Inputs can be taken back even across segments that were begun early."""
    k = Kept()
    k.begin()
    states = [k.state]
    for _ in range(120):
        k.passes(1)
        k.rest()
        states.append(k.state)
    while states:
        assert k.state == states.pop()
        assert k.again().state == k.state
        k.journal.take_back()
        k.rest()


def test_a_flash_that_fails_while_it_is_prepared():
    k = Kept()
    k.begin()
    for n in range(80):
        k.flash.fails = True
        k.rest()
        k.flash.fails = False
        k.passes(1)
        assert k.again().state == k.state, n


def fill(k, name="full"):
    file = k.flash.open(name, "wb")
    with pytest.raises(OSError):
        while True:
            file.write(bytes(512))
            file.flush()
    with contextlib.suppress(OSError):
        file.close()


def test_a_full_flash_gives_old_matches_away_then_refuses():
    k = Kept(fake_flash.Flash(blocks=12))
    for _ in range(3):
        k.begin()
        k.passes(50)
        k.do(constants.FORGET)
    k.begin()
    fill(k)
    verdicts = []
    for n in range(900):
        before = k.state
        if n == 100:  # what the old matches left is taken, too
            fill(k, "more")
        verdicts.append(k.do(constants.BONEYARD, 0, n % 50))
        if verdicts[-1] == constants.FAULT:
            assert k.state == before
        again = k.again()
        assert again.state == k.state, n
        assert not again.journal.trouble
    kept = verdicts.index(constants.FAULT)
    assert kept > 10, "the old matches made room"
    k.flash.remove("full")
    k.passes(1)
    assert k.again().state == k.state


def test_a_failing_flash_refuses_and_recovers():
    """A failing flash does not make the hub remove earlier matches."""
    k = Kept()
    for _ in range(2):
        k.begin()
        k.passes(50)
        k.do(constants.FORGET)
    k.begin()
    older = k.journal.numbers()
    before = k.state
    k.flash.fails = True
    for _ in range(3):
        assert k.do(constants.PRESS, 1) == constants.FAULT
        assert k.state == before
    k.flash.fails = False
    assert k.again().journal.numbers() == older
    assert k.again().state == before
    k.passes(60)
    assert k.again().state == k.state


def test_a_flash_that_fails_from_the_start_lets_nobody_in_and_recovers():
    flash = fake_flash.Flash()
    flash.mkdir(FOLDER)
    flash.fails = True
    k = Kept(flash)
    assert k.resumed == -1
    assert "cannot be written" in k.journal.trouble
    assert k.do(constants.PRESS, 1) == constants.FAULT
    assert k.table.joined == 0
    flash.fails = False
    assert k.do(constants.PRESS, 1) == constants.OK
    assert k.again().state == k.state


def test_damage_is_never_silent():
    """One flipped bit in the newest segment loses nothing, or the hub reports the damage."""
    k = Kept()
    k.begin()
    k.passes(62)
    whole, path, before = k.read(k.newest()), k.newest(), k.state
    image = bytes(k.flash.image)
    said = 0
    for at in range(len(whole)):
        k = Kept(fake_flash.Flash(image))
        broken = bytearray(whole)
        broken[at] ^= 1 << at % 8
        k.write(path, bytes(broken))
        again = k.again()
        if again.state != before or again.journal.trouble:
            assert "segment" in again.journal.trouble
            said += 1
        again.anything(random.Random(at))  # it carries on, and the damage is said once
        after = again.again()
        assert after.state == again.state
        assert not after.journal.trouble
        assert again.read(path) == bytes(broken), "kept as it is"
    assert said > len(whole) // 2


def test_a_segment_that_is_missing():
    k = Kept()
    k.begin()
    k.passes(60)
    before = k.state
    older = k.journal.numbers()[-2]
    k.flash.remove("%s/%08d.rhj" % (FOLDER, older))
    k = k.again()
    assert k.state == before
    taken = 0
    while k.journal.take_back():
        taken += 1
    assert 0 < taken < 60, "as far as there are segments"
    assert k.again().state == k.state


def test_a_segment_says_what_it_is():
    k = Kept()
    k.begin()
    k.passes(2)
    k.journal.take_back()
    number = k.journal.number
    segment = k.journal.read(number)
    assert (segment.wrong, segment.match, segment.back, segment.torn) == (0, 1, 0, 0)
    assert segment.began == 0
    assert segment.records == 6, "five inputs, one of them taken back"
    assert [(entry >> 4, entry & 15) for entry in segment.live[::3]] == [
        (kind, slot) for kind, slot, _ in reversed(list(k.journal.inputs()))
    ]
    fresh = Match()
    assert segment.state == bytes(fresh.state)
    whole, path = k.read(k.newest()), k.newest()
    for data, wrong in (
        (whole[: whole[15]], journal.TORN),
        (b"", journal.EMPTY),
        (whole[:3] + b"\1" + whole[4:], journal.OLDER),
        (b"RHX" + whole[3:], journal.DAMAGED),
        (whole[:3] + bytes([journal.FORMAT + 1]) + whole[4:], journal.NEWER),
    ):
        k.write(path, data)
        assert k.journal.read(number).wrong == wrong
    assert k.journal.read(number + 7).wrong == journal.DAMAGED, "no such file"
    for more, torn in ((b"x", journal.TORN), (b"x" * 40, journal.DAMAGED)):
        k.write(path, whole + more)
        assert k.journal.read(number).wrong == 0
        assert k.journal.read(number).torn == torn


def test_two_journals_keep_to_their_own_files():
    one, other = Kept(), Kept()
    one.begin()
    assert len(list(one.journal.inputs())) == 3
    assert list(other.journal.inputs()) == []
    assert one.again().state == one.state != other.again().state


def test_random_bytes_as_segments():
    chance = random.Random(3)
    good = Kept()
    good.begin()
    good.passes(20)
    whole = good.read(good.newest())
    for _ in range(300):
        k = Kept(fake_flash.Flash(blocks=16))
        for number in range(1, chance.randint(2, 4)):
            data = bytearray(chance.choice((whole, chance.randbytes(chance.randint(0, 500)))))
            for _ in range(chance.choice((0, 1, 3))):
                if data:
                    data[chance.randrange(len(data))] = chance.randrange(256)
            k.write("%s/%08d.rhj" % (FOLDER, number), bytes(data))
        k.write(FOLDER + "/" + chance.choice(("x.rhj", "note.txt", "123.rhj")), b"hello")
        k = k.again()
        k.anything(chance)
        assert k.again().state == k.state
