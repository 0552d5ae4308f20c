# SPDX-License-Identifier: MIT
"""The layout of a match's state, field by field.

Each field is declared once, as (name, bytes, meaning). A state has three parts: SHARED, the fields
that every game has; one byte for each option of the game; and FIELDS in the game's folder. So its
length depends on the game. The offsets follow from the order of the fields and are names of this
module, such as `fields.TURN`.

`make made` writes the modules `at` from this module. The firmware uses the names in `at`, such as
`at.TURN`; code compiled for the board has numbers instead, so neither `fields` nor `at` is on the
board.

A mask takes two bytes, the mask of variants takes four, and a total takes three; the low byte
comes first. A field by seat or by slot has room for every slot. Points are doubled, so that
half points are whole numbers.

After a change to the fields, raise `constants.FORMAT`, except for a new row at the end of a game's
own fields. See CONTRIBUTING.md.
"""

from roundhouse import games
from roundhouse.constants import SLOT_COUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    _Field = tuple[str, int, str]

    def __getattr__(name: str) -> int: ...  # the offset of each field


# (name, bytes, meaning), in this order
SHARED: "tuple[_Field, ...]" = (
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
    ("TOTALS", 3 * SLOT_COUNT, "points of the match, by seat"),
    ("POINTS", 2 * SLOT_COUNT, "of this round, after scoring of the last one; two bytes each"),
    ("OPENING_TILE", 1, "the opening tile, or NONE. A round begins here"),
    ("TURN", 1, "the seat to move; 0 outside play"),
    ("BONEYARD", 1, "tiles left to draw"),
    ("PASSED", 2, "mask of the seats that passed since the last tile, with an empty boneyard"),
    ("DRAWN", 1, "a draw was declared in this turn, and no tile laid since"),
    ("LAST", 1, "who laid last, until the next input"),
    ("NOTICE", 1, "whether that seat has given notice of its last tile"),
    ("OUT", 1, "who went out"),
    ("OPEN", 2, "mask of the lines that carry a marker or are everybody's"),
    ("BEGUN", 2, "mask of the lines with a tile"),
    ("FORGOT", 2, "mask of the seats that forgot the notice and can be caught"),
    ("DONE", 2, "mask of the seats that have counted"),
    ("END", SLOT_COUNT, "the number the next tile of a slot must match"),
    ("END2", SLOT_COUNT, "a second one while it is undecided, or NONE"),
    ("HANDS", SLOT_COUNT, "tiles in hand, by seat"),
    ("COUNTED", SLOT_COUNT, "left-over tiles tapped, by seat"),
    ("USED", 19, "tiles laid that show a number, by number"),
    ("LAID", 24, "a bit for each tile on the table"),
    ("READING", 1, "the journal's format under which the match began: see constants.FORMAT"),
    ("KEPT", 2, "mask of the seats not at the table that have points in TOTALS"),
)

# The end of every state, after what the game keeps of its own: the tile by which the count ended a
# round, and what ending it has overwritten. They are zero except between that tile and the next
# input.
ENDED: "tuple[_Field, ...]" = (
    ("ENDED_AT", 1, "its slot; 0 if no tile did, or another input came since"),
    ("ENDED_TILE", 1, "the tile"),
    ("ENDED_DRAWN", 1, "DRAWN before it"),
    ("ENDED_FORGOT", 2, "FORGOT before it"),
    ("ENDED_POINTS", 2 * SLOT_COUNT, "POINTS before it"),
)


def offsets(fields: "tuple[_Field, ...]", at: int = 0) -> tuple[dict[str, int], int]:
    """Return ({name: offset}, the offset after the last field) for fields that begin at offset
    `at`."""
    found = {}
    for name, size, _ in fields:
        found[name] = at
        at += size
    return found, at


_AT, OPTIONS = offsets(SHARED)  # OPTIONS: offset of the bytes for options
OWN: "dict[str, tuple[_Field, ...]]" = {}  # game -> its own fields
# game -> (number of its options, bytes of its own fields)
USES: dict[str, tuple[int, int]] = {}
for _number, _game in enumerate(games.GAMES):
    OWN[_game] = games._module(_game + ".fields").FIELDS
    _rows = len(games.sheets(_number).OPTIONS)
    _own, _end = offsets(OWN[_game], OPTIONS + _rows)
    USES[_game] = _rows, _end - OPTIONS - _rows
    _AT.update(_own)
_AT.update(offsets(ENDED, -sum([size for _, size, _ in ENDED]))[0])  # from the end of a state
globals().update(_AT)
