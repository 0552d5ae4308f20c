# SPDX-License-Identifier: MIT
"""The bots of the three strengths differ in how well they play, on the rules core."""

import random

import pytest
from core_session import CoreSession

from host_sim.app.players.dealt_hands import parse_tile
from host_sim.table.games.mexican_train.bot import longest_train, other_half
from roundhouse import tiles


def points(house, set_, matches, *pair):
    """Let two bots of the strengths `pair` play matches against each other. Return {strength:
    average points}."""
    totals = dict.fromkeys(pair, 0)
    for seed in range(matches):
        order = pair if seed % 2 else pair[::-1]
        session = CoreSession(dict(enumerate(order, 1)), house, set_, seed)
        for seat, got in session.play(2).items():
            totals[order[seat - 1]] += got / matches
    return totals


@pytest.mark.slow
@pytest.mark.parametrize("better, worse", [("sharp", "good"), ("good", "easy")])
def test_who_is_stronger_is_left_with_less(better, worse):
    totals = points("puremco", 9, 12, better, worse)
    assert totals[better] < 0.8 * totals[worse], totals


@pytest.mark.slow
def test_sharp_wins_from_easy_in_lines():
    totals = points("draw", 6, 40, "sharp", "easy")
    assert totals["sharp"] > 1.1 * totals["easy"], totals


def test_the_longest_train_is_a_train_and_none_is_longer():
    chance = random.Random(1)
    for _ in range(20):
        hand = chance.sample(range(28), 7)
        train = longest_train(hand, 6)
        assert len(set(train)) == len(train) and set(train) <= set(hand)
        assert len(train) == longest(hand, 6)


def longest(hand, end):
    """Return the longest train, computed in the simplest way."""
    best = 0
    for tile in hand:
        halves = [a for a in range(7) for b in range(7) if parse_tile("%d-%d" % (a, b)) == tile]
        if end in halves:
            other = halves[-1] if halves[0] == end else halves[0]
            best = max(best, 1 + longest([one for one in hand if one != tile], other))
    return best


def test_a_large_hand_does_not_take_long():
    """With a hand of forty tiles, the search stops early but still returns a train."""
    hand = list(range(40))
    train = longest_train(hand, 5)
    end = 5
    for tile in train:
        assert end in (tiles.HIGH[tile], tiles.LOW[tile])
        end = other_half(tile, end)
    assert len(train) >= 15
