# SPDX-License-Identifier: MIT
"""Each animation as a film: the level that a slot shows, and for how many ticks of 32 ms."""

import pytest
from test_lights import told

from roundhouse.animations import MATCH, OUT, ROUND, Animations, taken

SLOTS = 5
WHITE = (255, 255, 255)


def film(animations, first=7):
    """Play an animation from tick `first` to its end. Return each slot's levels over time in the
    form of `told`, with "-" while the animation does not cover the slot."""
    frames, out = [], bytearray(12 * SLOTS)
    for tick in range(first, first + 400):
        animations.step(tick)
        if not animations.covers:
            break
        animations.paint(tick, out, bytes(4 * SLOTS))
        frames.append([])
        for place in range(SLOTS):
            slot = out[12 * place : 12 * place + 12]
            assert slot == slot[:1] * 12, "four lamps are lit as one"
            frames[-1].append(slot[0] if animations.covers >> place & 1 else "-")
    return [told(levels) for levels in zip(*frames)]


def of(ask, breath=b"\x50"):
    animations = Animations(SLOTS, WHITE, breath)
    ask(animations)
    return film(animations)


def test_a_last_tile_breathes_on_its_own_slot():
    shown = of(lambda a: a.ask(OUT, [1]), bytes(range(100, 132)))
    breath = [100 + (age + 8) % 32 for age in range(64)]
    assert shown == ["-x64", told(breath), *["-x64"] * 3]


FADES = "150x1 140x1 130x1 120x1 110x1 100x1 90x1 80x1 70x1 60x1 50x1 40x1 30x1 20x1 10x1"


def test_ranks_light_up_one_after_the_other_and_fade_together():
    assert of(lambda a: a.ask(ROUND, [3, 0, 2])) == [
        "0x13 255x4 160x40 " + FADES,
        "-x72",
        "0x26 255x4 160x27 " + FADES,
        "255x4 160x53 " + FADES,
        "-x72",
    ]


def test_a_light_with_a_tail_runs_round_to_the_winner():
    assert of(lambda a: a.ask(MATCH, [2])) == [
        "140x5 30x5 0x14 140x5 30x5 0x14 140x5 30x5 0x14 140x4",
        "0x5 140x5 30x5 0x14 140x5 30x5 0x14 140x5 30x5 0x13",
        "255x3 90x3 " * 12 + "255x3 90x1",
        "0x15 140x5 30x4 0x15 140x5 30x4 0x15 140x5 30x4 0x4",
        "30x5 0x15 140x4 30x5 0x15 140x4 30x5 0x15 140x4 30x4",
    ]


def test_points_of_several_seats_are_counted_out_together():
    """Hundreds, tens and ones are long, middle and short flashes."""

    def ask(animations):
        for place, points in ((0, 123), (1, 20), (3, 0)):
            animations.count_out(place, points)

    hundred, tens, ones = "255x20 20x15 ", "255x10 20x5 255x10 20x15 ", "255x5 20x5 " * 3
    assert of(ask) == [
        "20x10 " + hundred + tens + ones.strip(),
        "20x10 255x10 20x5 255x10 20x80",
        "-x115",
        "20x115",
        "-x115",
    ]


def test_points_of_a_round_before_count_no_longer():
    animations = Animations(SLOTS, WHITE, b"\x50")
    animations.count_out(1, 999)
    film(animations)
    animations.count_out(2, 1)
    assert film(animations)[2] == of(lambda a: a.count_out(2, 1))[2]


@pytest.mark.parametrize("points", [999, 1000, 30000])
def test_a_long_number_is_told_quicker(points):
    hundreds = "255x4 20x1 " * 8 + "255x4 20x3 "
    tens = "255x2 20x1 " * 8 + "255x2 20x3 "
    ones = "255x1 20x1 " * 8 + "255x1 20x1"
    shown = of(lambda a: a.count_out(1, points))
    assert shown == ["-x96", "20x2 " + hundreds + tens + ones, "-x96", "-x96", "-x96"]


def test_fewer_points_than_none_are_none():
    assert of(lambda a: a.count_out(1, -5))[1] == of(lambda a: a.count_out(1, 0))[1] == "20x30"
    assert of(lambda a: a.count_out(1, 2))[1] == "20x10 255x5 20x5 255x5 20x25", "ones alone"


@pytest.mark.parametrize(
    "tiles, shown",
    [
        (7, "0x8 " + "255x4 0x4 " * 6 + "255x4 0x34"),
        (15, "0x8 255x8 0x12 " + "255x4 0x4 " * 4 + "255x4 0x30"),
        (29, "0x8 255x8 0x4 255x8 0x12 " + "255x4 0x4 " * 8 + "255x4 0x12"),
    ],
)
def test_the_tiles_to_take_are_told_every_three_seconds_or_as_long_as_it_takes(tiles, shown):
    lasts = sum(int(part.partition("x")[2]) for part in shown.split())
    once = [taken(tiles, tick) for tick in range(lasts)]
    assert told(once) == shown
    assert [taken(tiles, tick) for tick in range(lasts, 2 * lasts)] == once


def test_one_kind_after_the_other():
    animations = Animations(SLOTS, WHITE, b"\x50")
    animations.ask(MATCH, [2])
    animations.ask(ROUND, [0])
    animations.count_out(1, 0)
    animations.ask(OUT, [4])
    shown = [part for part in film(animations)[0].split() if part not in FADES]
    assert shown[:3] == ["-x94", "255x4", "160x53"], "the last tile, the points, the ranks"
    assert shown[3:6] == ["140x5", "30x5", "0x14"], "the winners"
