# SPDX-License-Identifier: MIT
"""The lamps as text: a glyph, a colour and a brightness for all that a lamp can show.

A row of lamps has a cell for each slot, with four glyphs: turn, open, double, answer. A lamp that
blinks to explain a refusal is in reverse colours; without colours, there is a `!` before the slot
of this lamp.

Lamp `k`, 0..3, of a slot shows what `letter` stands for (see roundhouse.lamp_letters).
"""

from collections.abc import Iterable

from roundhouse import constants, lamp_letters
from roundhouse.palettes import PALETTES

_PALETTE = PALETTES["standard"]
# by lamp and letter
_GLYPHS: dict[tuple[int, str], str] = {}
_HUES: dict[tuple[int, str], tuple[int, int, int]] = {}
_RHYTHMS: dict[tuple[int, str], tuple] = {}
_CALLING: set[tuple[int, str]] = set()
for (_k, _letters, _glyphs, _colour, _at_rest), _rhythm, _ in lamp_letters.LETTERS:
    for _n, (_letter, _glyph) in enumerate(zip(_letters, _glyphs), 1):
        _GLYPHS[_k, _letter] = _glyph
        _HUES[_k, _letter] = _PALETTE[_colour]
        _RHYTHMS[_k, _letter] = (_n, *_rhythm)
        if _at_rest:
            _CALLING.add((_k, _letter))

_KEY = (  # the most frequent lamps, for the lines that explain them
    (lamp_letters.TURN, "t", "turn"),
    (lamp_letters.TURN, "d", "has drawn"),
    (lamp_letters.TURN, "j", "joined"),
    (lamp_letters.TURN, "e", "opening tile here"),
    (lamp_letters.TURN, "l", "too few tiles"),
    (lamp_letters.TURN, "C", "counts next"),
    (lamp_letters.TURN, "c", "counts later"),
    (lamp_letters.TURN, "W", "won"),
    (lamp_letters.OPEN, "o", "open"),
    (lamp_letters.OPEN, "x", "not open"),
    (lamp_letters.DOUBLE, "A", "close this double"),
    (lamp_letters.DOUBLE, "a", "later"),
    (lamp_letters.ANSWER, "h", "play here"),
    (lamp_letters.ANSWER, "g", "yes"),
    (lamp_letters.ANSWER, "r", "no"),
    (lamp_letters.ANSWER, "w", "taken back"),
    (lamp_letters.ANSWER, "n", "tiles to take"),
    (lamp_letters.ANSWER, "b", "runs on to whose turn"),
    (lamp_letters.ANSWER, "*", "a show"),
)
_BOLD = "tdABCDEFGHIJKgrw"  # whose turn, what is due, and the last answer
_RESET = "\x1b[0m"


def draw(letters: str, slots: Iterable[int], colour: bool = True) -> str:
    """Return all lamps of a hub as one line of text, at most 8 columns for each slot. Raises
    ValueError if there are not four letters for each slot.

    letters: four letters for each slot, as under the key `lamps` of a console line
    slots: the slot numbers in the board's order; 0 is E
    """
    slots = tuple(slots)
    if len(letters) != 4 * len(slots):
        raise ValueError(f"{len(letters)} lamps for {len(slots)} slots")
    return " ".join(
        _cell(slot, letters[4 * p : 4 * p + 4], colour) for p, slot in enumerate(slots)
    ).rstrip()


def _cell(slot: int, letters: str, colour: bool) -> str:
    label = constants.slot_name(slot)
    calling = not _CALLING.isdisjoint(enumerate(letters))
    glyphs = [glyph(k, letter) for k, letter in enumerate(letters)]
    if not colour:
        return ("!" if calling else "").rjust(3 - len(label)) + label + "".join(glyphs)
    lit = letters.strip(".") != ""
    painted = [_paint(k, letter, sign) for k, (letter, sign) in enumerate(zip(letters, glyphs))]
    return f"\x1b[{1 if lit else 2}m{label:>3}{_RESET}" + "".join(painted)


def glyph(k: int, letter: str) -> str:
    if letter in lamp_letters.EVERYWHERE:
        return lamp_letters.EVERYWHERE[letter][0]
    return _GLYPHS.get((k, letter), letter)


def key() -> str:
    """Return a few lines of text that explain the result of `draw`."""
    signs = ["%s %s" % (glyph(k, letter), meaning) for k, letter, meaning in _KEY]
    signs.append("! before a slot: it flashes")
    third = (len(signs) + 2) // 3
    rows = ("  ".join(signs[at : at + third]) for at in range(0, len(signs), third))
    return "\n  ".join(
        ("Four lamps a slot, from left to right: turn, open, double, answer.", *rows)
    )


def hue(k: int, letter: str) -> tuple[int, int, int]:
    """Return the colour of a lamp as (R, G, B), lightened for text."""
    r, g, b = (level + (255 - level) // 4 for level in _HUES.get((k, letter), _PALETTE["party"]))
    return r, g, b


def level(k: int, letter: str, tick: int, most: int) -> int:
    """Return the brightness of a lamp, 0..255, at a given moment. Return 255 for an unknown
    letter, and for a signal shown only once.

    tick: the moment, in ticks of 1 << lamp_letters.TICK_SHIFT milliseconds
    most: the count of open doubles
    """
    n, rhythm, levels = _RHYTHMS.get((k, letter), (0, lamp_letters.ONCE, None))
    if rhythm == lamp_letters.ONCE:
        return 255
    if rhythm in (lamp_letters.REPEATS, lamp_letters.TELLS):
        return levels[tick % len(levels)]
    pulse, glow, dark = levels
    beat = tick % (max(most, 1) * lamp_letters.BEAT + lamp_letters.REST) - lamp_letters.LEAD
    if 0 <= beat < n * lamp_letters.BEAT:
        return pulse if beat % lamp_letters.BEAT >= dark else 0
    return glow


def _paint(k: int, letter: str, sign: str) -> str:
    if letter == ".":
        return f"\x1b[2m{sign}{_RESET}"
    r, g, b = hue(k, letter)  # letters need more light than lamps
    style = "7;" if (k, letter) in _CALLING else "1;" if letter in _BOLD else ""
    return f"\x1b[{style}38;2;{r};{g};{b}m{sign}{_RESET}"
