# SPDX-License-Identifier: MIT
"""The lamps drawn for a terminal, in one line: a cell a slot, four glyphs a cell.

Each glyph says alone what the lamp shows (turn, open, double, answer, from left to right):

    ● turn   ◉ turn, has drawn   ○ joined   ◔ still to count   ◆ engine wanted   ★ winner
    ▲ open   ✕ closed (explains a refusal)
    ❶❷❸… the double due and its place   ①②③… a later one, or one that binds nobody
    ✓ accepted   ✗ refused   ↶ taken back   ! faulty   ∘ may play here   ▮ counting up
    ✶ covered by an animation

A lamp that calls attention is drawn in reverse, and without colour its slot has a `!` before it.
"""

from roundhouse.lights import TONES
from roundhouse.palettes import PALETTES

_GLYPHS = (
    {"t": "●", "d": "◉", "j": "○", "c": "◔", "e": "◆", "W": "★", "T": "●", "D": "◉", "E": "◆"},
    {"o": "▲", "O": "▲", "x": "✕"},
    {},
    {"g": "✓", "r": "✗", "w": "↶", "v": "!", "h": "∘", "k": "▮"},
)
for _n in range(11):
    _GLYPHS[2][chr(65 + _n)] = _GLYPHS[2][chr(78 + _n)] = "❶❷❸❹❺❻❼❽❾❿⓫"[_n]
    _GLYPHS[2][chr(97 + _n)] = chr(0x2460 + _n)

_PALETTE = PALETTES["standard"]
_HUES = {(k, letter): _PALETTE[name] for k, letter, name, _ in TONES}
_HUES |= {(2, letter): _PALETTE["double"] for letter in _GLYPHS[2]}

_DARK = "·"
_RESET = "\x1b[0m"


def draw(lamps: str, slots, colour: bool = True) -> str:
    """One line, at most 8 columns a slot.

    lamps: the console's letters, four a slot. slots: the slot ids in board order (0 = E, 11 = M).
    Raises ValueError when they do not fit together.
    """
    slots = tuple(slots)
    if len(lamps) != 4 * len(slots):
        raise ValueError(f"{len(lamps)} lamps for {len(slots)} slots")
    return " ".join(
        _cell(slot, lamps[4 * p : 4 * p + 4], colour) for p, slot in enumerate(slots)
    ).rstrip()


def _cell(slot, lamps, colour):
    label = {0: "E", 11: "M"}.get(slot, str(slot))
    calling = any(_calls(k, letter) for k, letter in enumerate(lamps))
    glyphs = [glyph(k, letter) for k, letter in enumerate(lamps)]
    if not colour:
        return ("!" if calling else "").rjust(3 - len(label)) + label + "".join(glyphs)
    lit = lamps.strip(".") != ""
    painted = [_paint(k, letter, sign) for k, (letter, sign) in enumerate(zip(lamps, glyphs))]
    return f"\x1b[{1 if lit else 2}m{label:>3}{_RESET}" + "".join(painted)


def _calls(k, letter):
    return letter in ("TDE", "Ox", "NOPQRSTUVWX", "")[k]


def glyph(k, letter):
    """Return the sign that tells lamp k's letter without colour."""
    if letter == ".":
        return _DARK
    if letter == "*":
        return "✶"
    return _GLYPHS[k].get(letter, letter)


def hue(k, letter):
    """Return the colour of lamp k's letter, R, G, B, as light as print needs it."""
    return tuple(level + (255 - level) // 4 for level in _HUES.get((k, letter), _PALETTE["party"]))


def _paint(k, letter, sign):
    if letter == ".":
        return f"\x1b[2m{sign}{_RESET}"
    r, g, b = hue(k, letter)  # letters need more light than lamps
    style = "7;" if _calls(k, letter) else "1;" if letter in "tdABCDEFGHIJKgrw" else ""
    return f"\x1b[{style}38;2;{r};{g};{b}m{sign}{_RESET}"
