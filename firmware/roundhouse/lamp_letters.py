# SPDX-License-Identifier: MIT
"""Defines each lamp letter's look and meaning: colour, rhythm, glyph and words, one row per
letter.

A slot has four lamps, from the hub outwards: turn, open, double, answer. Each thing that a lamp
can show is one ASCII letter. Lights, views, the printed guide and the tests use this table;
lights.py decides when each is shown.

Place and movement carry the meaning; no two letters of one lamp differ only by colour. The lamp of
an open double counts its place in the closing order: one blink for the first, two for the second,
and so on. Full darkness separates the blinks; between two counts the lamp glows. All doubles count
at the same time, and start again after an answer. To explain a refusal, a lamp blinks for
attention; in pictures a lit lamp then keeps its glyph.

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


def swell(rise: int, fall: int, low: int) -> bytes:
    """Return brightness levels, one per tick: `rise` ticks from `low` up to 255, then `fall` ticks
    back down, in steps that look even."""
    wave = bytearray(rise + fall)
    level = low
    step = (255 / low) ** (1 / rise) if rise else 1  # one power: it is slow on the board
    for i in range(rise):
        wave[i] = int(level)
        level *= step
    level = 255
    step = (low / 255) ** (1 / fall)
    for i in range(fall):
        wave[rise + i] = int(level)
        level *= step
    return bytes(wave)


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
        (REPEATS, swell(48, 48, 42)),
        ("breathes", "it is this seat's turn"),
    ),
    (
        (TURN, "d", "◉", "turn", ""),
        (REPEATS, swell(8, 8, 42)),
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
        (REPEATS, swell(16, 80, 42)),
        (
            "quick rise, slow fall",
            "lay the opening tile here; on E in play: nothing fits any more",
        ),
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
        (ONCE, steps((255, 4)) + swell(0, 12, 8)),
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
