# SPDX-License-Identifier: MIT
"""The line games: Classic dominoes, Matador, Tiddle-a-Wink, Draw and Block.

Plain functions over a match `m` or its state `s`; `games` says which of them a match asks for.
Tiles lie in lines; a line lies at a slot, as a train does, and belongs to nobody. It begins at a
place: a free side of the opening tile or of a double; which places there are by number, and how
many in all, is what a round knows. What the games differ in are options; a point like (C1) names
an option's row.

Which way round a tile lies nobody can see from a tap: where both its halves may be left open, both
are the line's end until the next tile decides (X10). In the same way a line may have begun at a
place of one of two numbers: both stay free until its second tile tells; where that does not
either, it is never known. So the places of a number are an upper bound, and ROOM, those of all
numbers together, is exact.
"""

from roundhouse import constants, tiles
from roundhouse.constants import NONE, OK
from roundhouse.games.masks import add, const, drop, mask
from roundhouse.tiles import HIGH, HIGHEST, LOW

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_TURN = const(91)  # the seat to move; 0 outside play
_BONEYARD = const(92)  # tiles left to draw
_DRAWN = const(94)  # a draw was declared in this turn, and no tile laid since
_OPEN = const(98)  # mask of the lines that carry a marker or are everybody's
_END = const(106)  # the number the next tile of a slot must match
_END2 = const(118)  # a second one while it is undecided, or NONE
_HANDS = const(130)  # tiles in hand, by seat
_USED = const(154)  # tiles laid that show a number, by number
_ROOM = const(208)  # places where a line may still begin
_UNDECIDED = const(209)  # mask of the lines that began at a place of one of two numbers
_PLACES = const(211)  # places where a line may still begin, by number
_DOUBLES = const(198)  # C13
_DOUBLES_EVERY = const(0)
_JOIN = const(199)  # C2
_JOIN_SUM = const(1)
_TOTAL = const(200)  # X2
_TOTAL_TEN = const(1)
_DRAW = const(202)  # W4
_DRAW_NONE = const(1)
_AGAIN = const(203)  # W3
_AGAIN_DOUBLE = const(1)
# ---- end of the numbers ----

# Which half of a tile touches an end or a place.
_BY_HIGH = const(1)
_BY_LOW = const(2)


def after(m, double):
    """The seat to move has laid a tile: it is out, goes on after a double (W3), or has moved."""
    s = m.state
    if not s[_HANDS + s[_TURN]]:
        m.round_over(s[_TURN])
    elif double and s[_AGAIN] == _AGAIN_DOUBLE:
        s[_DRAWN] = 0
    else:
        turn_over(m)


# ---- which half joins what ----


def _total(s):
    """Return what touching halves make where sums join (X2)."""
    return 10 if s[_TOTAL] == _TOTAL_TEN else s[_SET] + 1


def _is_matador(s, tile):
    """Return whether a tile joins anything, either way round: 0-0, and where both halves are
    above 0 and make the total (X2)."""
    if s[_JOIN] != _JOIN_SUM:
        return False
    return not tile or LOW[tile] > 0 and HIGH[tile] + LOW[tile] == _total(s)


def _partner(s, half):
    """Return the number of an end that a half joins, or NONE; a blank end takes Matadors alone."""
    if s[_JOIN] != _JOIN_SUM:
        return half
    number = _total(s) - half
    return number if 0 < number <= HIGHEST else NONE


def _joined_by(s, slot, tile):
    """Return by which halves a tile may join a slot's line, or where it has none a place: _BY_HIGH
    and _BY_LOW; 0: it fits nowhere."""
    if _is_matador(s, tile):
        return _BY_HIGH | _BY_LOW
    halves = 0
    for half, bit in ((HIGH[tile], _BY_HIGH), (LOW[tile], _BY_LOW)):
        number = _partner(s, half)
        if number != NONE and _is_free(s, slot, number):
            halves |= bit
    return halves


def _is_free(s, slot, number):
    """Return whether a slot's line may end in a number, or where it has none begin at one."""
    if s[_END + slot] == NONE:
        return s[_ROOM] and s[_PLACES + number] > 0
    return number == s[_END + slot] or number == s[_END2 + slot]


# ---- where the next tile may go ----


def playable(m):
    """Return the mask of the begun lines, and while a line may begin of every empty slot."""
    return m.slots if m.state[_ROOM] else m.begun


def may_lay(m, slot, tile):
    """Return the verdict on a tile that is real and not on the table."""
    if not playable(m) >> slot & 1:
        return constants.CLOSED
    return OK if _joined_by(m.state, slot, tile) else constants.NO_MATCH


# ---- a tile was laid: what follows ----


def laid(m, slot, tile):
    """A tile was laid and counted: what follows for ends, places and the turn."""
    s = m.state
    high, low = HIGH[tile], LOW[tile]
    halves = _joined_by(s, slot, tile)
    if s[_END + slot] == NONE:
        _begin(s, slot, tile, halves)
    elif mask(s, _UNDECIDED) >> slot & 1:
        _decide(s, slot, tile)
    s[_END2 + slot] = NONE
    if halves == _BY_HIGH:
        s[_END + slot] = low
    else:
        s[_END + slot] = high
        if halves != _BY_LOW and high != low:
            s[_END2 + slot] = low  # X10, or an override that fits nowhere: the next tile decides
    add(s, _OPEN, slot)
    if high == low and s[_DOUBLES] == _DOUBLES_EVERY:
        s[_PLACES + high] += 2
        s[_ROOM] += 2
    after(m, high == low)


def _begin(s, slot, tile, halves):
    """A line begins: a place is used up, of which number as far as that can be told."""
    if s[_ROOM]:
        s[_ROOM] -= 1
    if _is_matador(s, tile):
        numbers = [n for n in range(HIGHEST + 1) if s[_PLACES + n]]
        if len(numbers) == 1:
            s[_PLACES + numbers[0]] -= 1
        return  # else the next tile does not tell either
    first, second = _partner(s, HIGH[tile]), _partner(s, LOW[tile])
    if halves == _BY_HIGH | _BY_LOW and first != second:
        add(s, _UNDECIDED, slot)
    elif halves:
        s[_PLACES + (first if halves & _BY_HIGH else second)] -= 1


def _decide(s, slot, tile):
    """The second tile of a line tells where it began, unless it joins either of its two ends."""
    drop(s, _UNDECIDED, slot)
    end, other = s[_END + slot], s[_END2 + slot]
    joins_end, joins_other = _takes(s, tile, end), _takes(s, tile, other)
    if joins_end == joins_other:
        return
    number = _partner(s, other if joins_end else end)  # the half that is no end touched it
    if s[_PLACES + number]:
        s[_PLACES + number] -= 1


def _takes(s, tile, end):
    """Return whether a tile joins an end."""
    return _is_matador(s, tile) or end in (_partner(s, HIGH[tile]), _partner(s, LOW[tile]))


def clear_turn(m):
    """What the turn has seen so far counts no more."""
    m.state[_DRAWN] = 0


def turn_over(m):
    """The turn of the seat to move is over: the next one's."""
    clear_turn(m)
    m.next_turn()


# ---- presses ----


def press(m, seat):
    """A press in play: on one's own turn a drawn tile as long as there are any, then a pass;
    another seat's is the match's."""
    s = m.state
    if seat != s[_TURN]:
        return constants.NOT_YOUR_TURN
    if s[_BONEYARD] and s[_DRAW] != _DRAW_NONE:
        draw(m)
    else:
        m.moved("passed")
        m.pass_turn()  # giving up a further turn is one of them
    return OK


def draw(m):
    """The seat to move takes a tile."""
    m.moved("drew")
    m.take(m.state[_TURN])
    m.state[_DRAWN] = 1


def left(m, seat):
    """A seat left in play: no line was its own."""


def forgot(m, seat):
    """Nobody is fined for a notice that was forgotten (T5)."""


# ---- questions of the lights and the console ----


def due(m):
    """No double binds anybody."""
    return -1


def double(m, i):
    """No double has to be closed."""
    return -1


def sides(m):
    """Return [(number, free places), ...], highest number first; none while no line may begin."""
    s = m.state
    if not s[_TURN] or not s[_ROOM] or not m.slots & ~m.begun:
        return []
    return [(n, s[_PLACES + n]) for n in range(HIGHEST, -1, -1) if s[_PLACES + n]]


def fits(m, tile):
    """Return the mask of the lines that everybody sees would take a tile."""
    begun = m.begun
    lines = 0
    for slot in range(1, 12):
        if begun >> slot & 1 and _joined_by(m.state, slot, tile):
            lines |= 1 << slot
    return lines


def nothing_fits(m):
    """Return whether no tile that is not on the table fits anywhere: the round cannot go on."""
    s = m.state
    by_sum = s[_JOIN] == _JOIN_SUM
    if by_sum and _any_matador(m):
        return False  # and there is always an end or a place
    may_begin = s[_ROOM] and m.slots & ~m.begun
    for half in range(s[_SET] + 1):
        if s[_USED + half] <= s[_SET]:  # a tile with this half is out
            number = _partner(s, half)
            if number == NONE:
                continue
            if may_begin and s[_PLACES + number]:
                return False
            for i in range(_END, _END2 + 12):
                if s[i] == number:
                    return False
    return True


def _any_matador(m):
    """Return whether a Matador is not on the table."""
    if not m.laid(0):
        return True
    s = m.state
    total = _total(s)
    for low in range(1, total // 2 + 1):
        if total - low <= s[_SET] and not m.laid(tiles.tile(total - low, low)):
            return True
    return False


HANDS_COUNT = True
CORRECTIONS = {}
