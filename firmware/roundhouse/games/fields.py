# SPDX-License-Identifier: MIT
"""The state of a match, field by field: what stands where in its bytes.

A field is declared once: its name, its bytes and what it means. Here are those of every game.
Behind them is a byte for each option row of the game that is played, and then what it keeps of its
own: FIELDS of `fields` in its folder. So a state is as long as its game needs. Where a field
begins follows from those before it, and stands under its name in this module: `fields.TURN`. The
modules that a board runs have the numbers themselves, because a number costs it less than a name;
`make numbers` writes them there, and a test compares.

A mask takes two bytes (that of the variants four) and points of the match three, low byte first.
What goes by seat or by slot has room for twelve. Points are doubled, so that halves are whole.

Whoever changes this raises `constants.FORMAT`: see CONTRIBUTING.md.
"""

from roundhouse import games

# Of every game, in their order: (name, bytes, what it says).
SHARED = (
    ("SET", 1, "the set's highest number"),
    ("GAME", 1, "place in games.GAMES"),
    ("VARIANTS", 4, "mask of the house's variant words"),
    ("SHEET", 1, "place among the game's HOUSES"),
    ("NAME", 16, "of a family's house, ASCII; zeros where it is a sheet's own"),
    ("PHASE", 1, "place in constants.PHASES"),
    ("ROUND", 1, "0 in the lobby"),
    ("STARTER", 1, "who started last"),
    ("SEATS", 2, "mask of the seats that play"),
    ("COMING", 2, "mask of those that join with the next round"),
    ("TOTALS", 36, "points of the match, by seat"),
    ("POINTS", 24, "of this round, after scoring of the last one; two bytes each"),
    ("OPENING_TILE", 1, "the opening tile, or NONE. A round begins here"),
    ("TURN", 1, "the seat to move; 0 outside play"),
    ("BONEYARD", 1, "tiles left to draw"),
    ("PASSES", 1, "passes in a row, with an empty boneyard"),
    ("DRAWN", 1, "a draw was declared in this turn, and no tile laid since"),
    ("LAST", 1, "who laid last, until the next input"),
    ("NOTICE", 1, "whether that seat has given notice of its last tile"),
    ("OUT", 1, "who went out"),
    ("OPEN", 2, "mask of the lines that carry a marker or are everybody's"),
    ("BEGUN", 2, "mask of the lines with a tile"),
    ("FORGOT", 2, "mask of the seats that forgot the notice and can be caught"),
    ("DONE", 2, "mask of the seats that have counted"),
    ("END", 12, "the number the next tile of a slot must match"),
    ("END2", 12, "a second one while it is undecided, or NONE"),
    ("HANDS", 12, "tiles in hand, by seat"),
    ("COUNTED", 12, "left-over tiles tapped, by seat"),
    ("USED", 19, "tiles laid that show a number, by number"),
    ("LAID", 24, "a bit for each tile that lies on the table"),
    ("READING", 1, "the journal's format under which the match began: see constants.FORMAT"),
)


def places(fields, at=0):
    """Return ({name: where it begins}, where the last one ends) of fields that begin at `at`."""
    found = {}
    for name, size, _ in fields:
        found[name] = at
        at += size
    return found, at


_AT, OPTIONS = places(SHARED)  # where the option rows begin
OWN = {}  # game -> its own fields
USES = {}  # game -> (its option rows, the bytes of its own)
for _number, _game in enumerate(games.GAMES):
    OWN[_game] = games._module(_game + ".fields").FIELDS
    _rows = len(games.sheets(_number).OPTIONS)
    _own, _end = places(OWN[_game], OPTIONS + _rows)
    USES[_game] = _rows, _end - OPTIONS - _rows
    _AT.update(_own)
globals().update(_AT)
