# SPDX-License-Identifier: MIT
"""The line games: Classic dominoes, Matador, Tiddle-a-Wink, Draw and Block.

Functions over a match `m` or its state `s`, see `games`. Like a train, a line is at a slot, but no
seat owns it. A line begins at a place: a free side of the opening tile or of a double. PLACES has
the count of free places for each number of pips; ROOM is the count of all free places. The games
differ in their options; a point in brackets, such as (C1), names the row of an option.

A tap does not show which way round a tile was laid. If either half can be the open one, both count
as the line's end until the next tile decides (X10).

In the same way, a line can have begun at either of two places. Both count as free until the line's
second tile shows which place was used up; some second tiles do not show it. So a count in PLACES
can be too high; ROOM is exact.
"""

from roundhouse import constants, tiles
from roundhouse.constants import NONE, OK, SLOT_COUNT, const
from roundhouse.games.line_games import at
from roundhouse.games.slot_masks import add, drop, mask
from roundhouse.tiles import HIGH, HIGHEST, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.games.match import Match

# Which half of a tile touches an end or a place.
_BY_HIGH = const(1)
_BY_LOW = const(2)


def after_tile(m: "Match", slot: int, tile: int) -> None:
    """Move on after a tile was laid: the seat is out, has another turn because of a double (W3),
    or its turn ends."""
    s = m.state
    if not s[at.HANDS + s[at.TURN]]:
        m.end_round(s[at.TURN], slot, tile)
    elif HIGH[tile] == LOW[tile] and s[at.AGAIN] == at.AGAIN_DOUBLE:
        s[at.DRAWN] = 0
    else:
        end_turn(m)


# ---- which half joins what ----


def _total(s: bytearray) -> int:
    """Return the sum that two touching halves must make where halves join by their sum (X2)."""
    return 10 if s[at.TOTAL] == at.TOTAL_TEN else s[at.SET] + 1


def _is_matador(s: bytearray, tile: int) -> bool:
    """Return whether a tile joins any number: 0-0, or halves above 0 with the required sum
    (X2)."""
    if s[at.JOIN] != at.JOIN_SUM:
        return False
    return not tile or LOW[tile] > 0 and HIGH[tile] + LOW[tile] == _total(s)


def _partner(s: bytearray, half: int) -> int:
    """Return the number in which a line must end for this half to join it: the same number, or the
    one that completes the sum (X2). Return NONE if only a Matador joins this half."""
    if s[at.JOIN] != at.JOIN_SUM:
        return half
    number = _total(s) - half
    return number if 0 < number <= HIGHEST else NONE


def _halves(s: bytearray, slot: int, tile: int) -> int:
    """Return which halves of a tile can join or begin the line of a slot: _BY_HIGH, _BY_LOW, both
    combined, or 0."""
    if _is_matador(s, tile):
        return _BY_HIGH | _BY_LOW
    halves = 0
    for half, bit in ((HIGH[tile], _BY_HIGH), (LOW[tile], _BY_LOW)):
        number = _partner(s, half)
        if number != NONE and _is_free(s, slot, number):
            halves |= bit
    return halves


def _is_free(s: bytearray, slot: int, number: int) -> int:
    """Return whether a slot's line ends in `number`; for a slot without a line, whether a line can
    begin with `number`."""
    end = s[at.END + slot]
    if end == NONE:
        return s[at.ROOM] and s[at.PLACES + number] > 0
    return number == end or number == s[at.END2 + slot]


# ---- where the next tile may go ----


def playable(m: "Match") -> int:
    """Return the mask of the slots with a line, or of all slots if one more line may begin."""
    return m.slots if m.state[at.ROOM] else m.begun


def may_lay(m: "Match", slot: int, tile: int) -> int:
    """Return the verdict on laying a tile that belongs to the set and is not on the table."""
    if not playable(m) >> slot & 1:
        return constants.CLOSED
    return OK if _halves(m.state, slot, tile) else constants.NO_MATCH


# ---- a tile was laid: what follows ----


def tile_laid(m: "Match", slot: int, tile: int) -> None:
    """Update ends, places and turn after a tile was laid and subtracted from the hand."""
    s = m.state
    high, low = HIGH[tile], LOW[tile]
    halves = _halves(s, slot, tile)
    if s[at.END + slot] == NONE:
        _begin(s, slot, tile, halves)
    elif mask(s, at.UNDECIDED) >> slot & 1:
        _decide(s, slot, tile)
    s[at.END2 + slot] = NONE
    if halves == _BY_HIGH:
        s[at.END + slot] = low
    else:
        s[at.END + slot] = high
        if halves != _BY_LOW and high != low:
            # X10, or an override that joins nothing: the next tile decides
            s[at.END2 + slot] = low
    add(s, at.OPEN, slot)
    if high == low and s[at.DOUBLES] == at.DOUBLES_EVERY:
        s[at.PLACES + high] += 2
        s[at.ROOM] += 2
    after_tile(m, slot, tile)


def _begin(s: bytearray, slot: int, tile: int, halves: int) -> None:
    """Begin a line with a tile, and use up a place. If the two halves fit places of different
    numbers, it stays undecided which place is used up. halves: what `_halves` returns for the
    tile."""
    if s[at.ROOM]:
        s[at.ROOM] -= 1
    if _is_matador(s, tile):
        numbers = [n for n in range(HIGHEST + 1) if s[at.PLACES + n]]
        if len(numbers) == 1:
            s[at.PLACES + numbers[0]] -= 1
        return  # otherwise the next tile would not show the number either
    first, second = _partner(s, HIGH[tile]), _partner(s, LOW[tile])
    if halves == _BY_HIGH | _BY_LOW and first != second:
        add(s, at.UNDECIDED, slot)
    elif halves:
        s[at.PLACES + (first if halves & _BY_HIGH else second)] -= 1


def _decide(s: bytearray, slot: int, tile: int) -> None:
    """Use up the place where a line began, if the line's second tile shows which place that is."""
    drop(s, at.UNDECIDED, slot)
    end, other = s[at.END + slot], s[at.END2 + slot]
    joins_end, joins_other = _joins(s, tile, end), _joins(s, tile, other)
    if joins_end == joins_other:
        return
    number = _partner(s, other if joins_end else end)  # the half that is not the end touched it
    if s[at.PLACES + number]:
        s[at.PLACES + number] -= 1


def _joins(s: bytearray, tile: int, end: int) -> bool:
    return _is_matador(s, tile) or end in (
        _partner(s, HIGH[tile]),
        _partner(s, LOW[tile]),
    )


def clear_turn(m: "Match") -> None:
    m.state[at.DRAWN] = 0


def end_turn(m: "Match") -> None:
    clear_turn(m)
    m.next_turn()


# ---- presses ----


def press(m: "Match", seat: int) -> int:
    """Handle a press in play: the seat to move draws, or passes if it cannot. Return NOT_YOUR_TURN
    for any other seat; Match.press then handles the press."""
    s = m.state
    if seat != s[at.TURN]:
        return constants.NOT_YOUR_TURN
    if s[at.BONEYARD] and s[at.DRAW] != at.DRAW_NONE:
        draw(m)
    else:
        m.moved("passed")
        m.pass_turn()  # also where it gives up another turn after a double
    return OK


def draw(m: "Match") -> None:
    m.moved("drew")
    m.take(m.state[at.TURN])
    m.state[at.DRAWN] = 1


def seat_left(m: "Match", seat: int) -> None:
    """Do nothing: in these games lines do not belong to seats."""


def no_notice(m: "Match", seat: int) -> None:
    """Do nothing: in these games a forgotten announcement costs nothing (T5)."""


# ---- questions of the lights and the console ----


def due(m: "Match") -> int:
    """Return -1: in these games a double never has to be covered."""
    return -1


def open_double(m: "Match", i: int) -> int:
    """Return -1: these games have no open doubles."""
    return -1


def sides(m: "Match") -> list[tuple[int, int]]:
    """Return the numbers with which a new line may begin, as [(number, count of places for such a
    line), ...], highest number first."""
    s = m.state
    if not s[at.TURN] or not s[at.ROOM] or not m.slots & ~m.begun:
        return []
    return [(n, s[at.PLACES + n]) for n in range(HIGHEST, -1, -1) if s[at.PLACES + n]]


def fits(m: "Match", tile: int) -> int:
    """Return the mask of the lines whose end a tile fits."""
    begun = m.begun
    lines = 0
    for slot in range(1, SLOT_COUNT):
        if begun >> slot & 1 and _halves(m.state, slot, tile):
            lines |= 1 << slot
    return lines


def nothing_fits(m: "Match") -> bool:
    """Return whether none of the remaining tiles fits anywhere."""
    s = m.state
    by_sum = s[at.JOIN] == at.JOIN_SUM
    if by_sum and _any_matador(m):
        return False  # and there is always an end or a place
    may_begin = s[at.ROOM] and m.slots & ~m.begun
    for half in range(s[at.SET] + 1):
        if s[at.USED + half] <= s[at.SET]:  # a tile with this half is not on the table
            number = _partner(s, half)
            if number == NONE:
                continue
            if may_begin and s[at.PLACES + number]:
                return False
            for i in range(at.END, at.HANDS):
                if s[i] == number:
                    return False
    return True


def _any_matador(m: "Match") -> bool:
    if not m.is_laid(0):
        return True
    s = m.state
    total = _total(s)
    for low in range(1, total // 2 + 1):
        if total - low <= s[at.SET] and not m.is_laid(tiles.tile(total - low, low)):
            return True
    return False


HANDS_COUNT = True
CORRECTIONS: dict[int, tuple] = {}
