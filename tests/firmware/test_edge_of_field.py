# SPDX-License-Identifier: MIT
"""Tags at the edge of a reader's field, which are heard now and then: what counts as a tap."""

import random

import pytest

from host_sim.board.chips.clock import Clock
from host_sim.board.chips.ntag import NTAG213
from host_sim.board.hub.simulated_hub import SimulatedHub, configured, uid
from roundhouse.drivers.tag_tracker import KnownTags

HEARD_MS = 150  # enough to be read, also with one antenna at a time
FIELDS = (1, 3, 4)


def playing(fields=3):
    """Return a hub in play, on seat 1's turn."""
    hub = SimulatedHub(configured(FIELDS=fields))
    for seat in "12":
        hub.press(seat)
    assert hub.tap("12-12", "1")["turn"] == 1
    hub.run(1000)
    return hub


def inputs(hub, tag, slot, *silent_ms):
    """Lay a tag on a slot, and take it off for each of these times. Return how many inputs each
    time on it made."""
    chip = hub.chips[hub.place(slot)]
    counts = []
    for ms in (*silent_ms, 0):
        before = len(hub.inputs)
        chip.put(tag)
        hub.run(HEARD_MS)
        chip.take(tag)
        hub.run(ms)
        counts.append(len(hub.inputs) - before)
    return counts


CARDS = ("seat 1", "next", "totals", "undo", "override", "quiet", "house jassshop", "set 9")


@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("text", CARDS)
def test_a_card_is_one_input_until_it_was_lifted(text, fields):
    hub = playing(fields)
    card = NTAG213(uid(text), text)
    assert inputs(hub, card, "2", 250, 400, 350, 600, 400) == [1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("text", ["12-5", "6-5"], ids=["accepted", "refused"])
def test_a_tile_that_was_answered_rests(text, fields):
    hub = playing(fields)
    tile = NTAG213(uid(text), text)
    assert inputs(hub, tile, "1", 250, 1200, 600, 2000, 1300) == [1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("text", ["hello", None])
def test_a_tag_without_a_meaning_is_told_again_soon(text):
    assert inputs(playing(), NTAG213(uid("a"), text), "1", 80, 350) == [1, 0, 1]


def test_a_tile_that_moves_on_counts_at_once():
    hub = playing()
    tile = NTAG213(uid("6-5"), "6-5")
    for slot in ("1", "2", "M", "1"):
        if slot == "1":
            hub.run(2000)
        assert inputs(hub, tile, slot) == [1]


@pytest.mark.parametrize("fields", FIELDS)
def test_other_tiles_on_the_same_slot_count_at_once(fields):
    """Also more of them than a slot remembers, while the first still rests on it."""
    hub = playing(fields)
    tiles = ["6-%d" % pips for pips in range(6)]
    rests = NTAG213(uid("12-5"), "12-5")
    hub.chips[hub.place("1")].put(rests)
    hub.run(HEARD_MS)
    before = len(hub.inputs)
    for text in tiles:
        assert inputs(hub, NTAG213(uid(text), text), "1", 50) == [1, 0]
    hub.run(3000)
    said = [line["input"] for line in hub.inputs[before:]]
    assert said == ["tap %s 1" % text for text in tiles]


class Weak(NTAG213):
    """A tag that hears three in ten of the times that its reader's antenna is switched on."""

    def __init__(self, text, seed):
        self.luck = random.Random(seed)
        self.deaf = False
        super().__init__(uid(text), text)

    def unpower(self):
        super().unpower()
        self.deaf = self.luck.random() > 0.3

    def _hear(self, frame):
        return None if self.deaf else super()._hear(frame)


@pytest.mark.parametrize("seed", range(4))
def test_a_weak_tile_beside_another_is_one_input(seed):
    hub = playing()
    before = len(hub.inputs)
    hub.put(Weak("12-5", seed), "1")
    hub.put(NTAG213(uid("6-5"), "6-5"), "1")
    hub.run(5000)
    said = [line["input"] for line in hub.inputs[before:]]
    assert sorted(said) in (["tap 12-5 1", "tap 6-5 1"], ["tap ? 1"])


@pytest.mark.parametrize("long_us", [600_000_000, 1_000_000_000, 1_100_000_000])
def test_a_tag_of_long_ago_is_gone_after_three_misses(long_us):
    """Also where its reader was not polled for longer than the clock's ticks tell apart."""
    clock = Clock()
    known = KnownTags(1, clock)
    known.remember(0, known.learn(0, bytes((1, 0, *range(12)))), 1500)
    clock.us += long_us
    for _ in range(3):
        assert known.count[0]
        clock.us += 80_000
        known.miss_all(0)
    assert not known.count[0]
