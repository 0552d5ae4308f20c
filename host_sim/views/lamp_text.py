# SPDX-License-Identifier: MIT
"""The lamps drawn with text: a glyph, a colour and a level for every letter of the language.

In one line of a terminal it is a cell a slot, four glyphs a cell: turn, open, double, answer, from
left to right. Each glyph says alone what the lamp shows; roundhouse.lamps has them all. A lamp
that calls attention is drawn in reverse, and without colour its slot has a `!` before it.
"""

from roundhouse import constants, lamps
from roundhouse.palettes import PALETTES

_PALETTE = PALETTES["standard"]
_GLYPHS, _HUES, _RHYTHMS, _CALLING = {}, {}, {}, set()  # by lamp and letter
for (_k, _letters, _glyphs, _colour, _at_rest), _rhythm, _ in lamps.LETTERS:
    for _n, (_letter, _glyph) in enumerate(zip(_letters, _glyphs), 1):
        _GLYPHS[_k, _letter] = _glyph
        _HUES[_k, _letter] = _PALETTE[_colour]
        _RHYTHMS[_k, _letter] = (_n, *_rhythm)
        if _at_rest:
            _CALLING.add((_k, _letter))

_IN_SHORT = (  # what is seen most, for a line that explains it
    (lamps.TURN, "t", "turn"),
    (lamps.TURN, "d", "has drawn"),
    (lamps.TURN, "j", "joined"),
    (lamps.TURN, "e", "opening tile here"),
    (lamps.TURN, "C", "counts next"),
    (lamps.TURN, "c", "counts later"),
    (lamps.TURN, "W", "won"),
    (lamps.OPEN, "o", "open"),
    (lamps.OPEN, "x", "not open"),
    (lamps.DOUBLE, "A", "close this double"),
    (lamps.DOUBLE, "a", "later"),
    (lamps.ANSWER, "h", "play here"),
    (lamps.ANSWER, "g", "yes"),
    (lamps.ANSWER, "r", "no"),
    (lamps.ANSWER, "w", "taken back"),
    (lamps.ANSWER, "n", "tiles to take"),
    (lamps.ANSWER, "b", "runs on to whose turn"),
    (lamps.ANSWER, "*", "a show"),
)
_BOLD = "tdABCDEFGHIJKgrw"  # whose turn, what is due, and what was just said
_RESET = "\x1b[0m"


def draw(letters: str, slots, colour: bool = True) -> str:
    """One line, at most 8 columns a slot.

    letters: four a slot, as the console's `lamps`. slots: the slot ids in board order (0 = E,
    11 = M). Raises ValueError when they do not fit together.
    """
    slots = tuple(slots)
    if len(letters) != 4 * len(slots):
        raise ValueError(f"{len(letters)} lamps for {len(slots)} slots")
    return " ".join(
        _cell(slot, letters[4 * p : 4 * p + 4], colour) for p, slot in enumerate(slots)
    ).rstrip()


def _cell(slot, letters, colour):
    label = constants.slot_name(slot)
    calling = not _CALLING.isdisjoint(enumerate(letters))
    glyphs = [glyph(k, letter) for k, letter in enumerate(letters)]
    if not colour:
        return ("!" if calling else "").rjust(3 - len(label)) + label + "".join(glyphs)
    lit = letters.strip(".") != ""
    painted = [_paint(k, letter, sign) for k, (letter, sign) in enumerate(zip(letters, glyphs))]
    return f"\x1b[{1 if lit else 2}m{label:>3}{_RESET}" + "".join(painted)


def glyph(k, letter):
    """Return the sign that tells lamp k's letter without colour."""
    if letter in lamps.EVERYWHERE:
        return lamps.EVERYWHERE[letter][0]
    return _GLYPHS.get((k, letter), letter)


def key():
    """Return lines that say what stands in a cell, and what the usual glyphs mean."""
    signs = ["%s %s" % (glyph(k, letter), said) for k, letter, said in _IN_SHORT]
    signs.append("! before a slot: it flashes")
    third = (len(signs) + 2) // 3
    rows = ("  ".join(signs[at : at + third]) for at in range(0, len(signs), third))
    return "\n  ".join(
        ("Four lamps a slot, from left to right: turn, open, double, answer.", *rows)
    )


def hue(k, letter):
    """Return the colour of lamp k's letter, R, G, B, as light as print needs it."""
    return tuple(level + (255 - level) // 4 for level in _HUES.get((k, letter), _PALETTE["party"]))


def level(k, letter, tick, most):
    """Return how bright lamp k's letter is at a tick, 0..255.

    tick: of 1 << lamps.TICK_SHIFT ms. most: how many doubles count. An answer is lit while it is
    a letter, for when it began is not known here; so are an animation and an unknown letter.
    """
    n, rhythm, levels = _RHYTHMS.get((k, letter), (0, lamps.ONCE, None))
    if rhythm == lamps.ONCE:
        return 255
    if rhythm in (lamps.REPEATS, lamps.TELLS):
        return levels[tick % len(levels)]
    pulse, glow, dark = levels
    beat = tick % (max(most, 1) * lamps.BEAT + lamps.REST) - lamps.LEAD
    if 0 <= beat < n * lamps.BEAT:
        return pulse if beat % lamps.BEAT >= dark else 0
    return glow


def _paint(k, letter, sign):
    if letter == ".":
        return f"\x1b[2m{sign}{_RESET}"
    r, g, b = hue(k, letter)  # letters need more light than lamps
    style = "7;" if (k, letter) in _CALLING else "1;" if letter in _BOLD else ""
    return f"\x1b[{style}38;2;{r};{g};{b}m{sign}{_RESET}"
