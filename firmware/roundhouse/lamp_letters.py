# SPDX-License-Identifier: MIT
"""Defines each lamp letter's look and meaning: colour, rhythm, glyph and words, one row per
letter.

A slot has four lamps in a row: turn, open, double, answer. Each thing that a lamp
can show is one ASCII letter. Lights, views, the printed guide and the tests use this table;
lights.py decides when each is shown.

Place and movement carry the meaning; no two letters of one lamp differ only by colour. The lamp of
an open double counts its place in the closing order: one blink for the first, two for the second,
and so on, up to eleven. Full darkness separates the blinks; between two counts the lamp glows. All
doubles count at the same time, and start again after an answer. To explain a refusal, a lamp
blinks for attention; in pictures a lit lamp then keeps its glyph.

The board needs this table only while the lights are built; boot.py frees it afterwards.
"""

from roundhouse.constants import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


TURN, OPEN, DOUBLE, ANSWER = range(4)  # the lamps
ANSWERS = "grw"  # letters that answer an input where it was made

# Time is in the board's millisecond ticks, which wrap at 2**30; all rhythms step every 32 ms.
TICK_SHIFT = const(5)
TICKS = const(0x3FFFFFFF >> TICK_SHIFT)  # mask of a time in these steps

# How a letter moves.
REPEATS = const(0)  # endlessly: a level, 0..255, for each tick
ONCE = const(1)  # once, from its input on: a level for each tick
COUNTS = const(2)  # n pulses: (level of a pulse, level of the glow, dark ticks of a beat)
TELLS = const(3)  # a number in flashes, as animations.taken makes them; its levels are an example

# A count in ticks: LEAD ticks of glow, so that the first frame shows which lamps are lit; then n
# times darkness and pulse in BEAT ticks; then glow.
LEAD = const(2)
BEAT = const(10)
REST = const(20)  # of glow between two counts, LEAD included


# Swells: brightness levels, one per tick, that rise and fall in steps that look even: ticks up to
# 255, ticks back down, and the lowest level.
SWELL: bytes = (  # 48, 48, 42
    b"\x2a\x2b\x2d\x2f\x30\x32\x34\x36\x38\x3a\x3d\x3f\x41\x44\x47\x49\x4c\x4f\x52\x55\x59\x5c"
    b"\x5f\x63\x67\x6b\x6f\x73\x78\x7c\x81\x86\x8b\x91\x96\x9c\xa2\xa8\xaf\xb5\xbc\xc4\xcb\xd3"
    b"\xdb\xe3\xec\xf5\xff\xf5\xec\xe3\xdb\xd3\xcb\xc4\xbc\xb5\xaf\xa8\xa2\x9c\x96\x91\x8b\x86"
    b"\x81\x7c\x78\x73\x6f\x6b\x67\x63\x5f\x5c\x59\x55\x52\x4f\x4c\x49\x47\x44\x41\x3f\x3d\x3a"
    b"\x38\x36\x34\x32\x30\x2f\x2d\x2b"
)
FAST_SWELL: bytes = (  # 8, 8, 42
    b"\x2a\x34\x41\x52\x67\x81\xa2\xcb\xff\xcb\xa2\x81\x67\x52\x41\x34"
)
RISE: bytes = (  # 16, 80, 42
    b"\x2a\x2f\x34\x3a\x41\x49\x52\x5c\x67\x73\x81\x91\xa2\xb5\xcb\xe3\xff\xf9\xf3\xee\xe9\xe3"
    b"\xde\xd9\xd4\xd0\xcb\xc6\xc2\xbe\xb9\xb5\xb1\xad\xa9\xa6\xa2\x9e\x9b\x97\x94\x91\x8d\x8a"
    b"\x87\x84\x81\x7e\x7b\x79\x76\x73\x71\x6e\x6c\x69\x67\x65\x62\x60\x5e\x5c\x5a\x58\x56\x54"
    b"\x52\x50\x4e\x4d\x4b\x49\x48\x46\x44\x43\x41\x40\x3f\x3d\x3c\x3a\x39\x38\x37\x35\x34\x33"
    b"\x32\x31\x30\x2f\x2d\x2c\x2b\x2a"
)
FADE: bytes = (  # 0, 12, 8
    b"\xff\xbf\x8f\x6b\x50\x3c\x2d\x21\x19\x13\x0e\x0a"
)


def steps(*pairs: tuple[int, int]) -> bytes:
    """Return brightness levels, one per tick, as bytes. pairs: (level, count of ticks)."""
    wave = b""
    for level, ticks in pairs:
        wave += bytes((level,)) * ticks
    return wave


TWELVE: bytes = steps((0, 8), (255, 8), (0, 12), (255, 4), (0, 4), (255, 4), (0, 54))

# All about a letter in one number: its tone (rhythm and colour), the pulses of a double, and the
# letter with which it calls for attention (0: none).
TONE = const(0x1F)
PULSES_AT = const(5)
PULSES = const(0xF)
MOST_PULSES = const(11)  # a double has as many letters
CALLING_AT = const(9)


def learned(
    palette: "Mapping[str, tuple[int, int, int]]",
) -> "tuple[dict[int, int], list[Any], bytes, list[int]]":
    """Return what Lights needs of the table LETTERS. palette: the colours, see palettes.

    A tone, numbered from 0, is a colour with its brightness levels. The result is a tuple:

        a dict {lamp << 7 | letter: code}; TONE, PULSES and CALLING_AT tell what is in the code
        a list of the brightness levels of each tone
        R, G, B of each tone, as bytes
        a list of the lowest tone number with the rhythm ONCE, with COUNTS and with TELLS
    """
    known: dict[int, int] = {}
    waves: list[bytes] = []
    hues = b""
    firsts = []
    for kind in (REPEATS, ONCE, COUNTS, TELLS):
        firsts.append(len(waves))
        for (k, letters, _, colour, at_rest), (rhythm, levels), _ in LETTERS:
            if rhythm != kind:
                continue
            for i in range(len(letters)):
                letter = k << 7 | ord(letters[i])
                known[letter] = known.get(letter, 0) | (i + 1) << PULSES_AT | len(waves)
                if at_rest:
                    letter = k << 7 | ord(at_rest[i])
                    known[letter] = known.get(letter, 0) | ord(letters[i]) << CALLING_AT
            waves.append(levels if kind != TELLS else b"")
            hues += bytes(palette[colour])
    return known, waves, hues, firsts[1:]


# Letters that every lamp has, with their glyphs and words.
EVERYWHERE: "Mapping[str, tuple[str, str]]" = {
    ".": ("·", "dark"),
    "*": ("✶", "covered by an animation"),
}

# A row: (lamp, letter, glyph, colour's name in a palette, letter at rest if this one calls for
# attention), (how it moves, levels), (that in words, its meaning). A double has eleven letters,
# glyphs and letters at rest: the n-th for place n of the closing order.
LETTERS: "tuple[tuple[tuple[int, str, str, str, str], tuple[int, Any], tuple[str, str]], ...]" = (
    (
        (TURN, "t", "●", "turn", ""),
        (REPEATS, SWELL),
        ("breathes", "it is this seat's turn"),
    ),
    (
        (TURN, "d", "◉", "turn", ""),
        (REPEATS, FAST_SWELL),
        ("breathes fast", "it has drawn: the next press passes"),
    ),
    (
        (TURN, "j", "○", "turn", ""),
        (REPEATS, steps((40, 1))),
        ("steady, dim", "this seat has joined"),
    ),
    (
        (TURN, "c", "◔", "count", ""),
        (REPEATS, steps((160, 20), (0, 20))),
        ("on and off, slowly", "this seat still has to count its tiles"),
    ),
    (
        (TURN, "C", "◕", "count", ""),
        (REPEATS, steps((255, 5), (0, 5))),
        ("on and off, quickly", "this seat counts its tiles next"),
    ),
    (
        (TURN, "e", "◆", "engine", ""),
        (REPEATS, RISE),
        (
            "quick rise, slow fall",
            "lay the opening tile here; on E in play: nothing fits any more",
        ),
    ),
    (
        (TURN, "l", "◇", "refused", ""),
        (REPEATS, steps((255, 3), (0, 6), (255, 3), (0, 48))),
        ("blinks twice, long pause", "on E: too few tiles in the set for so many players"),
    ),
    (
        (TURN, "W", "★", "winner", ""),
        (REPEATS, steps((200, 40), (0, 3), (200, 3), (0, 3))),
        ("long, two winks", "this seat has won"),
    ),
    (
        (TURN, "B", "◎", "turn", ""),
        (ONCE, steps((255, 18))),
        ("one long flash", "that was this seat, and it is its turn again"),
    ),
    (
        (TURN, "T", "●", "turn", "t"),
        (REPEATS, steps((255, 4), (110, 4))),
        ("flashes", "refused, because it is this seat's turn"),
    ),
    (
        (TURN, "D", "◉", "turn", "d"),
        (REPEATS, steps((255, 2), (110, 2))),
        ("flashes fast", "refused, because it is this seat's turn, and it has drawn"),
    ),
    (
        (TURN, "E", "◆", "engine", "e"),
        (REPEATS, steps((255, 4), (110, 4))),
        ("flashes", "refused, because the engine comes first"),
    ),
    (
        (TURN, "f", "◌", "refused", "."),
        (REPEATS, steps((255, 4), (0, 4))),
        ("blinks", "this seat forgot to say that one tile is left, and has one more now"),
    ),
    (
        (OPEN, "o", "▲", "open", ""),
        (REPEATS, steps((150, 1))),
        ("steady", "everybody may play on this train"),
    ),
    (
        (OPEN, "O", "▲", "open", "o"),
        (REPEATS, steps((255, 4), (110, 4))),
        ("flashes", "refused, although everybody may play on this train"),
    ),
    (
        (OPEN, "x", "✕", "closed", "."),
        (REPEATS, steps((255, 3), (0, 3))),
        ("short blinks", "refused, because this train is not open"),
    ),
    (
        (DOUBLE, "ABCDEFGHIJK", "❶❷❸❹❺❻❼❽❾❿⓫", "double", ""),
        (COUNTS, (200, 24, 4)),
        ("n bright pulses", "an open double, the n-th to be closed; this one now"),
    ),
    (
        (DOUBLE, "abcdefghijk", "①②③④⑤⑥⑦⑧⑨⑩⑪", "double", ""),
        (COUNTS, (64, 12, 7)),
        ("n dim pulses", "an open double that comes later, or binds nobody"),
    ),
    (
        (DOUBLE, "NOPQRSTUVWX", "❶❷❸❹❺❻❼❽❾❿⓫", "double", "ABCDEFGHIJK"),
        (COUNTS, (255, 112, 4)),
        ("n brighter pulses", "refused, because this double must be closed first"),
    ),
    (
        (ANSWER, "g", "✓", "accepted", ""),
        (ONCE, steps((255, 12))),
        ("one flash", "accepted"),
    ),
    (
        (ANSWER, "r", "✗", "refused", ""),
        (ONCE, steps((255, 5), (0, 4), (255, 5), (0, 9))),
        ("two blinks", "refused; the lamp that flashes with it tells why"),
    ),
    (
        (ANSWER, "w", "↶", "taken back", ""),
        (ONCE, steps((255, 4)) + FADE),
        ("fades away", "taken back: pick up the tile that came from here"),
    ),
    (
        (ANSWER, "b", "»", "booked", ""),
        (ONCE, steps((255, 3), (70, 2))),
        (
            "runs round the rim",
            "from the seat this was booked on to the one whose turn it is",
        ),
    ),
    (
        (ANSWER, "u", "⇧", "taken back", ""),
        (REPEATS, steps((255, 7), (120, 2))),
        (
            "bright, with small dips",
            "a button is held: let go now, and the last input is taken back",
        ),
    ),
    (
        (ANSWER, "h", "∘", "hint", ""),
        (REPEATS, steps((28, 1))),
        ("steady, faint", "whoever's turn it is may play here"),
    ),
    (
        (ANSWER, "v", "!", "fault", ""),
        (REPEATS, steps((160, 30), (0, 30))),
        ("slow", "this reader or button does not work; the others do"),
    ),
    (
        (ANSWER, "k", "▮", "progress", ""),
        (REPEATS, steps((220, 2), (90, 2))),
        ("flickers", "a button is held too long; all the way round forgets the match"),
    ),
    # the engine's slot has no train: these three show one number together
    (
        (OPEN, "n", "∴", "count", ""),
        (TELLS, TWELVE),
        ("flashes: tens long, ones short", "so many tiles each player takes"),
    ),
    (
        (DOUBLE, "n", "∴", "count", ""),
        (TELLS, TWELVE),
        ("flashes: tens long, ones short", "so many tiles each player takes"),
    ),
    (
        (ANSWER, "n", "∴", "count", ""),
        (TELLS, TWELVE),
        ("flashes: tens long, ones short", "so many tiles each player takes"),
    ),
)
