# SPDX-License-Identifier: MIT
"""The lamps as a line of text."""

import re
import unicodedata

import pytest

from host_sim.app.views import lamp_text
from host_sim.app.views.lamp_text import draw
from roundhouse.constants import M
from roundhouse.lamp_letters import LETTERS

SLOTS = (*range(1, 11), M, 0)


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_line_reads_without_colour():
    line = draw("t..." + ".oA." + "...h" + "....", (1, 2, M, 0), colour=False)
    assert line == "  1●···   2·▲❶·   M···∘   E····"


def test_colour_changes_no_glyph():
    lamps = "d..g" + "jobh" + "...v" + "****"
    assert plain(draw(lamps, (1, 2, 3, 0))) == draw(lamps, (1, 2, 3, 0), colour=False)
    assert plain(draw(lamps, (1, 2, 3, 0))) != draw(lamps, (1, 2, 3, 0))


def test_a_call_for_attention_is_seen_without_colour():
    assert draw("T..." + ".x.r", (9, 10), colour=False) == " !9●··· !10·✕·✗"
    assert "\x1b[7;" in draw("T...", (1,))
    assert "\x1b[7;" not in draw("t...", (1,))


def test_twelve_slots_fit_into_100_columns():
    for lamps in ("." * 48, "tokh" * 12, "TOXr" * 12, "****" * 12):
        line = draw(lamps, SLOTS, colour=False)
        assert len(line) <= 100, line
        assert all(unicodedata.east_asian_width(c) not in "WF" for c in line)


def test_every_letter_has_a_glyph_of_its_own_place():
    for k in range(4):
        glyphs = {}
        letters = "".join(letters for (at, letters, *_), _, _ in LETTERS if at == k)
        # A lamp that calls attention keeps its glyph; but that of a lamp that was dark is its own.
        at_rest = {
            calling: rest
            for (at, calling, _, _, rests), _, _ in LETTERS
            if at == k
            for calling, rest in zip(calling, rests.replace(".", "x"))
        }
        for letter in letters:
            glyph = draw("." * k + letter + "." * (3 - k), (1,), colour=False)[3 + k]
            assert glyph not in ".·" and glyph != letter
            glyphs.setdefault(glyph, set()).add(at_rest.get(letter, letter))
        assert all(len(same) == 1 for same in glyphs.values()), glyphs


def test_lamps_move_as_the_boards_do():
    for k, letter in ((0, "t"), (0, "d"), (2, "A"), (2, "c"), (2, "N"), (3, "v")):
        levels = {lamp_text.level(k, letter, tick, 3) for tick in range(200)}
        assert len(levels) > 1, letter
    assert {lamp_text.level(1, "o", tick, 0) for tick in range(200)} == {150}, "steady"
    assert {lamp_text.level(3, letter, 9, 0) for letter in "grw*?"} == {255}, (
        "as long as it is said"
    )


def test_lamps_that_do_not_fit_the_slots_are_refused():
    with pytest.raises(ValueError, match="3 lamps for 1 slots"):
        draw("...", (1,))
