# SPDX-License-Identifier: MIT
"""The lamp letters are complete: each has a rhythm, a colour, a glyph and words."""

import re
import string

import pytest

import vm
from roundhouse import lamp_letters
from roundhouse.palettes import PALETTES


def lacking(row):
    """Return what a row of the lamp letters lacks, as texts like `has no glyph`."""
    (_, letters, signs, colour, at_rest), (rhythm, levels), (moves, tells) = row
    found = []
    if len(signs) != len(letters) or not all(sign.strip() for sign in signs):
        found.append("has no glyph")
    if not (moves.strip() and tells.strip()):
        found.append("has no words")
    if any(colour not in palette for palette in PALETTES.values()):
        found.append("has no colour")
    if not levels or rhythm == lamp_letters.COUNTS and len(levels) != 3:
        found.append("has no rhythm")
    if len(at_rest) not in (0, len(letters)):
        found.append("has no letter at rest")
    return found


def wrong(rows):
    found = set()
    seen, glyphs, movements = {}, {}, {}
    for row in rows:
        (k, letters, signs, _, at_rest), _, (moves, _) = row
        name = "lamp %d %s " % (k, letters)
        found.update(name + gap for gap in lacking(row))
        for n, letter in enumerate(letters):
            if letter not in string.ascii_letters or (k, letter) in seen:
                found.add(name + "is no letter of its own")
            seen[k, letter] = at_rest[n : n + 1]
        for n, sign in enumerate(signs):
            # a lamp that calls attention keeps the glyph it has at rest
            rest = at_rest[n : n + 1].strip(".") or letters[n : n + 1]
            if glyphs.setdefault((k, sign), rest) != rest:
                found.add(name + "shares a glyph")
        if movements.setdefault((k, moves), letters) != letters and not at_rest:
            found.add(name + "moves like another one")
    for (k, letter), rest in seen.items():
        if rest and rest != "." and seen.get((k, rest)) != "":
            found.add("lamp %d %s: nothing calls from %s" % (k, letter, rest))
    return found


def test_every_letter_has_all_it_needs():
    assert wrong(lamp_letters.LETTERS) == set()


LAST = lamp_letters.LETTERS[-1]


@pytest.mark.parametrize(
    "row, said",
    [
        (((3, "z", "", "hint", ""), LAST[1], ("hums", "all is well")), "lamp 3 z has no glyph"),
        (((3, "z", " ", "hint", ""), LAST[1], ("hums", "all is well")), "lamp 3 z has no glyph"),
        (((3, "z", "∘", "hint", ""), LAST[1], ("hums", "all is well")), "lamp 3 z shares a glyph"),
        (((0, "Z", "●", "turn", "j"), LAST[1], ("hums", "is well")), "lamp 0 Z shares a glyph"),
        (((3, "z", "?", "hint", ""), LAST[1], ("hums", "")), "lamp 3 z has no words"),
        (((3, "z", "?", "hint", ""), LAST[1], (" ", "all is well")), "lamp 3 z has no words"),
        (((3, "z", "?", "grey", ""), LAST[1], ("hums", "is well")), "lamp 3 z has no colour"),
        (((3, "z", "?", "hint", ""), (0, b""), ("hums", "is well")), "lamp 3 z has no rhythm"),
        (
            ((3, "k", "?", "hint", ""), LAST[1], ("hums", "is well")),
            "lamp 3 k is no letter of its own",
        ),
        (((2, "yz", "??", "hint", "A"), LAST[1], ("a", "b")), "lamp 2 yz has no letter at rest"),
        (((0, "z", "?", "turn", "y"), LAST[1], ("a", "b")), "lamp 0 z: nothing calls from y"),
        (
            ((3, "z", "?", "hint", ""), LAST[1], ("flickers", "b")),
            "lamp 3 z moves like another one",
        ),
    ],
)
def test_a_new_letter_that_lacks_something_is_noticed(row, said):
    assert said in wrong([*lamp_letters.LETTERS, row])


def test_a_double_has_a_letter_for_every_place():
    """There are eleven letters for doubles, in the order of ASCII, as Lights needs."""
    doubles = [row for row in lamp_letters.LETTERS if row[1][0] == lamp_letters.COUNTS]
    assert len(doubles) == 3
    for (k, letters, _, _, _), (_, (pulse, glow, dark)), _ in doubles:
        assert k == lamp_letters.DOUBLE and len(letters) == 11
        assert [ord(letter) - ord(letters[0]) for letter in letters] == list(range(11))
        assert 0 < glow < pulse <= 255 and 0 < dark < lamp_letters.BEAT


def test_the_lights_have_room_for_every_row():
    """All rows fit into five bits, and the places of open doubles into four, as Lights needs."""
    assert len(lamp_letters.LETTERS) <= 32
    assert max(len(letters) for (_, letters, *_), _, _ in lamp_letters.LETTERS) <= 15


def swell(rise, fall, low):
    """Return brightness levels, one per tick: `rise` ticks from `low` up to 255, then `fall` ticks
    back down, in steps that look even."""
    wave = bytearray(rise + fall)
    level = low
    step = (255 / low) ** (1 / rise) if rise else 1
    for i in range(rise):
        wave[i] = int(level)
        level *= step
    level = 255
    step = (low / 255) ** (1 / fall)
    for i in range(fall):
        wave[rise + i] = int(level)
        level *= step
    return bytes(wave)


def test_a_swell_is_even_to_the_eye():
    assert list(swell(4, 2, 16)) == [16, 31, 63, 127, 255, 63]
    assert list(swell(0, 4, 16)) == [255, 127, 63, 31]
    assert swell(48, 48, 42) == lamp_letters.SWELL
    assert swell(8, 8, 42) == lamp_letters.FAST_SWELL
    assert swell(16, 80, 42) == lamp_letters.RISE
    assert swell(0, 12, 8) == lamp_letters.FADE


def test_a_time_in_ticks_wraps_with_the_board():
    assert lamp_letters.TICKS << lamp_letters.TICK_SHIFT == (1 << 30) - (
        1 << lamp_letters.TICK_SHIFT
    )


FORGET = """
import gc, sys
from roundhouse import lights, palettes

def built():
    return lights.Lights((1, 2, 0), palettes.PALETTES["standard"])

def main():
    first = built()
    gc.collect()
    yield
    before = gc.mem_alloc()
    sys.modules.pop("roundhouse.lamp_letters")
    delattr(sys.modules["roundhouse"], "lamp_letters")
    gc.collect()
    yield
    print("given back", before - gc.mem_alloc())
    again = built()
    again.answer(1, "g", 0)
    again.update(0)
    print(bytes(again.lamps).decode())
"""


@pytest.mark.skipif(not vm.is_installed(), reason="the MicroPython VM is not installed")
def test_the_board_keeps_no_words():
    """Unloading lamp_letters.py frees memory, and Lights can still be built."""
    back, letters = vm.run_vm(script=FORGET).splitlines()
    assert int(back.split()[-1]) > 4000, back
    assert letters == "...g........"
    assert re.search(
        r'forget\(.*"lamp_letters"', (vm.ROOT / "firmware/roundhouse/boot.py").read_text()
    )
