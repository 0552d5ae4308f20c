# SPDX-License-Identifier: MIT
"""The line games (Classic, Matador, Tiddle-a-Wink, Draw, Block), one rule point after another. The
tests also run on the MicroPython VM."""

from positions import check, do, examples, opened, slots, tile

from roundhouse import constants
from roundhouse.games import fields

EXAMPLES = examples(__file__)


def test_example(title, lines):
    check(title, lines)


def test_the_matadors_of_each_set():
    for house, set_, all_ in (
        ("matador", 9, ["0-0", "5-5", "6-4", "7-3", "8-2", "9-1"]),
        ("matador", 6, ["0-0", "4-3", "5-2", "6-1"]),
        ("matador", 12, ["0-0", "7-6", "8-5", "9-4", "10-3", "11-2", "12-1"]),
        ("matador ten", 12, ["0-0", "5-5", "6-4", "7-3", "8-2", "9-1"]),
        ("matador ten", 6, ["0-0", "5-5", "6-4"]),
    ):
        t = opened(house, "4-4", set_=set_)
        do(t, "override 3-0 1")
        t.state[fields.END + 1], t.state[fields.END2 + 1] = 0, constants.NONE  # a blank end
        pairs = ["%d-%d" % (a, b) for a in range(set_ + 1) for b in range(a + 1)]
        assert [text for text in pairs if slots(t.fits(tile(text))) == "1"] == all_, (house, set_)


def test_an_override_that_fits_is_as_a_tap():
    one, other = opened("classic", "12-12"), opened("classic", "12-12")
    laid = ("12-5 1", "5-6 1", "6-6 1", "12-6 3", "12-4 3", "6-0 4", "4-4 3")
    for text in laid:
        assert (do(one, "tap " + text), do(other, "override " + text)) == ("ok", "ok")
        assert one.state == other.state, text
