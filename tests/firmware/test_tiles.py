# SPDX-License-Identifier: MIT
"""Every tile of every set has one number, and one name either way round."""

from roundhouse import tiles


def test_sets_have_their_tiles():
    assert [tiles.size(n) for n in tiles.SETS] == [28, 55, 91, 136, 190]


def test_every_tile_has_its_own_number():
    numbers = sorted([tiles.tile(a, b) for a in range(19) for b in range(a + 1)])
    assert numbers == list(range(190))


def test_a_set_is_the_beginning_of_the_next():
    for highest in tiles.SETS:
        for t in range(190):
            assert (t < tiles.size(highest)) == (tiles.HIGH[t] <= highest)


def test_either_order_is_the_same_tile():
    for a in range(19):
        for b in range(19):
            t = tiles.tile(a, b)
            assert t == tiles.tile(b, a)
            assert (tiles.HIGH[t], tiles.LOW[t]) == (max(a, b), min(a, b))


def test_text():
    assert tiles.text(tiles.tile(7, 12)) == "12-7"
    assert tiles.text(0) == "0-0"


def test_doubles():
    for n in range(19):
        assert tiles.double(n) == tiles.tile(n, n)
