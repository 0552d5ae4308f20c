# SPDX-License-Identifier: MIT
"""Mexican Train: the rules in which this game differs from others.

Plain functions over a match `m` or its state `s`; `games` says which of them a match asks for.
Every seat has a train of its own, M is everybody's, and a marker opens a train to all. A double
asks for a further tile in the same turn; left open, it binds the seats that follow until it is
covered. What the sheets differ in are options; a point like (C1) names an option's row.
"""

from roundhouse import tiles, words
from roundhouse.games.masks import add, bits, drop, mask, put
from roundhouse.games.match import (
    BONEYARD,
    DRAWN,
    END,
    END2,
    FORGOT,
    HANDS,
    LAST,
    OPEN,
    OPENING,
    OUT,
    PASSES,
    READING,
    SEATS,
    SET,
    STARTER,
    TURN,
    USED,
    const,
)
from roundhouse.tiles import HIGH, LOW
from roundhouse.words import NONE, OK, M

# The options, a byte each from match.OPTIONS on in the order of the sheets' rows, and their values
# as far as they are asked for by name: `_LOCK_YES` is the word `yes` of `lock`.
_FIRST_TURN = const(6)
_FIRST_TURN_OWN = const(2)
_FIRST_TRAIN = const(_FIRST_TURN + 1)
_FIRST_TRAIN_WHOLE = const(1)
_NOT_BEGUN = const(_FIRST_TRAIN + 1)
_NOT_BEGUN_OWN = const(1)
_MEXICAN = const(_NOT_BEGUN + 1)
_MEXICAN_ONE = const(0)
_MARKER_OPENING = const(_MEXICAN + 1)
_MARKER_OPENING_NO = const(1)
_MARKER_OFF = const(_MARKER_OPENING + 1)
_MARKER_OFF_ANY_TILE = const(1)
_MARKER_OFF_ANY_PLAY = const(2)
_MARKER_LOCKED = const(_MARKER_OFF + 1)
_MARKER_LOCKED_NO = const(1)
_SECOND_TILE = const(_MARKER_LOCKED + 1)
_SECOND_TILE_OPEN = const(1)
_SECOND_TILE_DOUBLE = const(2)
_SECOND_DOUBLE = const(_SECOND_TILE + 1)
_SECOND_DOUBLE_DRAWN = const(0)
_SECOND_DOUBLE_THIRD = const(1)
_LAST_TWO = const(_SECOND_DOUBLE + 1)
_LAST_DOUBLE = const(_LAST_TWO + 1)
_LAST_DOUBLE_LAP = const(1)
_LOCK = const(_LAST_DOUBLE + 1)
_LOCK_YES = const(0)
_DRAWN_ELSEWHERE = const(_LOCK + 1)
_LIFT = const(_DRAWN_ELSEWHERE + 1)
_PENALTY = const(_LIFT + 1)
_PENALTY_CAUGHT = const(1)
_PENALTY_ALWAYS = const(2)
_BONEYARD_ENDS = const(_PENALTY + 1)
_ENFORCE = const(24)
_ENFORCE_TILES = const(1)

# What this game keeps in the bytes that a match leaves to it, from match.OF_GAME on.
_OWED = const(149)  # what the double just laid asks for: nothing, or
_SECOND = const(1)  # a second tile
_THIRD = const(2)  # a third one, on one of two doubles
_OWN = const(_OWED + 1)  # open doubles laid in this turn; they are the last in the line
LINE = const(_OWN + 1)  # open doubles in all
_WHOLE = const(LINE + 1)  # this first turn is a whole train
LAP = const(_WHOLE + 1)  # turns left in which a last double may be covered
FRESH = const(LAP + 1)  # mask of the seats that had no turn yet
DOUBLES = const(FRESH + 2)  # slots of the open doubles in closing order

# ---- which trains are open to the next tile ----


def targets(m):
    """Return the mask of every train the rules open to the seat to move."""
    s = m.state
    if s[_ENFORCE] == _ENFORCE_TILES:
        return m.slots
    binding = _binding(s) if s[LINE] > s[_OWN] else -1
    if binding < 0:
        return _unlocked(m) if s[_OWED] else _eligible(m)
    if s[DRAWN] and s[_DRAWN_ELSEWHERE]:
        return 1 << binding | _unlocked(m)
    return 1 << binding


def _binding(s):
    """Return the slot of the double of earlier turns that binds all, or -1 (H2, H6, H8)."""
    if s[LINE] > s[_OWN] and s[_LOCK] == _LOCK_YES:
        for i in range(DOUBLES, DOUBLES + s[LINE] - s[_OWN]):
            if not _lifted(s, s[i]):
                return s[i]
    return -1


def _lifted(s, slot):
    """Return whether a double binds nobody because its number is used up (H8)."""
    return s[_LIFT] and s[USED + s[END + slot]] > s[SET]


def _unlocked(m):
    """Return the mask of the trains for the next tile, doubles of earlier turns apart (G3, G4)."""
    s = m.state
    if not s[_OWED]:
        return _eligible(m)
    own = 0
    for i in range(s[LINE] - s[_OWN], s[LINE]):
        own |= 1 << s[DOUBLES + i]
    if s[_OWED] == _THIRD:
        return own
    if _must_cover(s):
        return 1 << s[DOUBLES + s[LINE] - 1]
    if s[_SECOND_TILE] == _SECOND_TILE_OPEN:
        return own | mask(s, OPEN)
    return own | _eligible(m)


def _must_cover(s):
    """Return whether the next tile has to go on a double of this turn (G3, G4)."""
    if s[_OWED] != _SECOND or s[_SECOND_TILE] != _SECOND_TILE_DOUBLE:
        return s[_OWED] == _THIRD
    return not _lifted(s, s[DOUBLES + s[LINE] - 1])


def _eligible(m):
    """Return the mask of the trains open to the seat to move as if no double were open."""
    s = m.state
    own = 1 << s[TURN]
    if (s[_FIRST_TURN] or s[_NOT_BEGUN] or s[_WHOLE]) and _own_only(m):
        return own
    may_begin = 1 << M if s[_MEXICAN] == _MEXICAN_ONE else _bonus_tracks(m)
    return own | may_begin | s[OPEN] | s[OPEN + 1] << 8


def _own_only(m):
    """Return whether the seat to move may use its own train alone (C1, C2, M10)."""
    s, seat = m.state, m.turn
    if s[_WHOLE] and not s[_OWED]:
        return True
    if s[_FIRST_TURN] and mask(s, FRESH) >> seat & 1:
        if s[_FIRST_TURN] == _FIRST_TURN_OWN or seat == s[STARTER]:
            return True
        if s[READING] == 2:  # then this option was asked for in later turns alone
            return False
    if s[_NOT_BEGUN] != _NOT_BEGUN_OWN or m.begun >> seat & 1:
        return False
    return s[USED + HIGH[s[OPENING]]] <= s[SET]  # else that seat could never play again


def _bonus_tracks(m):
    """Return the mask of the empty stations if the seat to move may begin a train there (D2)."""
    seats, begun = m.joined, m.begun
    if begun >> m.turn & 1 and bits(begun & ~seats) < bits(begun & seats):
        return m.slots & ~seats
    return 0


# ---- may this tile be laid ----


def may_lay(m, slot, tile):
    """Return the verdict on a tile that is real and not on the table."""
    s = m.state
    if s[_ENFORCE] == _ENFORCE_TILES:
        return OK
    if m.targets < 0:
        m.targets = targets(m)
    if not m.targets >> slot & 1:
        return _why_not(m)
    high, low = HIGH[tile], LOW[tile]
    if high != low and s[DRAWN] and _binding(s) not in (-1, slot):
        return words.DOUBLE_FIRST  # of what was drawn only a double may go elsewhere (H5)
    if not _joins(s, slot, tile):
        return words.NO_MATCH
    if high == low and s[_OWED] and not _may_double(s, high):
        return words.NO_SECOND_DOUBLE
    return OK


def _joins(s, slot, tile):
    """Return whether a tile matches a train's end, or one of the two it has after an override."""
    ends = s[END + slot], s[END2 + slot]
    return HIGH[tile] in ends or LOW[tile] in ends


def _why_not(m):
    """Return the verdict for a train on which the seat to move may not play."""
    s = m.state
    if _binding(s) >= 0:
        return words.DOUBLE_FIRST
    if _must_cover(s):
        return words.COVER_IT
    return words.OWN_FIRST if _own_only(m) else words.CLOSED


def _may_double(s, number):
    """Return whether the double of a number may follow on those of this turn (G4, G6, G9): with a
    third tile to come, one that is not on the table has to fit one of the two."""
    rule = s[_SECOND_DOUBLE]
    if s[HANDS + s[TURN]] == 1 and (s[_LAST_TWO] or rule == _SECOND_DOUBLE_THIRD):
        return s[_LAST_TWO]
    if rule == _SECOND_DOUBLE_DRAWN:
        return s[DRAWN]
    if rule != _SECOND_DOUBLE_THIRD or s[DRAWN]:
        return False
    first = s[END + s[DOUBLES + s[LINE] - 1]]
    return s[USED + first] <= s[SET] or s[USED + number] < s[SET]


# ---- what follows a tile and a press ----


def laid(m, slot, tile):
    """A tile was laid and counted: what follows for ends, markers, doubles and the turn."""
    s = m.state
    seat = s[TURN]
    _extend(s, slot, tile)
    if slot != seat and not mask(s, SEATS) >> slot & 1:
        add(s, OPEN, slot)  # a train that is nobody's is everybody's
    elif slot == seat or s[_MARKER_OFF] == _MARKER_OFF_ANY_TILE:
        drop(s, OPEN, slot)  # E5, E6
    if s[_MARKER_OFF] == _MARKER_OFF_ANY_PLAY:
        drop(s, OPEN, seat)
    if s[LINE]:
        _close(s, slot)
    if HIGH[tile] == LOW[tile]:
        _double_laid(m, slot)
    elif not s[HANDS + seat]:
        m.round_over(seat)
    elif s[_ENFORCE] == _ENFORCE_TILES:
        pass  # the turn moves on a press
    elif slot == seat and s[_FIRST_TRAIN] == _FIRST_TRAIN_WHOLE and mask(s, FRESH) >> seat & 1:
        s[_WHOLE] = 1  # C2: it goes on as long as it can
        s[_OWED] = s[DRAWN] = 0
    else:
        turn_over(m)


def _double_laid(m, slot):
    """A double is the last of the line, and asks for a further tile (G3, G4). As the last tile of
    a hand it ends the round, or gives the others one lap in which to cover it (G8)."""
    s = m.state
    s[DOUBLES + s[LINE]] = slot
    s[LINE] += 1
    s[_OWN] += 1
    if not s[HANDS + s[TURN]]:
        if s[LAP] or s[_LAST_DOUBLE] != _LAST_DOUBLE_LAP:
            m.round_over(s[TURN])
            return
        s[OUT], s[LAP] = s[TURN], bits(m.joined)
        turn_over(m)
    elif s[_ENFORCE] != _ENFORCE_TILES:
        third = s[_OWED] and s[_SECOND_DOUBLE] == _SECOND_DOUBLE_THIRD and not s[DRAWN]
        s[_OWED] = _THIRD if third and _is_third_left(s) else _SECOND
        s[DRAWN] = 0


def _is_third_left(s):
    """Return whether a tile still out fits a double of this turn: after an override none may."""
    for i in range(s[LINE] - s[_OWN], s[LINE]):
        if s[USED + s[END + s[DOUBLES + i]]] <= s[SET]:
            return True
    return False


def _extend(s, slot, tile):
    """What joined nothing is the train's end: after an override both numbers may be."""
    high, low = HIGH[tile], LOW[tile]
    end, other = s[END + slot], s[END2 + slot]
    s[END + slot] = low
    s[END2 + slot] = NONE
    if high != end and high != other:
        s[END + slot] = high
        if low not in (high, end, other):
            s[END2 + slot] = low


def _close(s, slot):
    """Take the double on a slot out of the line, if one lies there."""
    for i in range(s[LINE]):
        if s[DOUBLES + i] == slot:
            if i >= s[LINE] - s[_OWN]:
                s[_OWN] -= 1
            s[LINE] -= 1
            s[DOUBLES + i : DOUBLES + 11] = s[DOUBLES + i + 1 : DOUBLES + 12]
            return


def turn_over(m):
    """The turn of the seat to move is over: the next one's, or the round's end (G8, J3)."""
    s = m.state
    s[DRAWN] = s[_OWED] = s[_OWN] = s[_WHOLE] = 0
    if s[FRESH] or s[FRESH + 1]:
        drop(s, FRESH, s[TURN])
    over = s[_BONEYARD_ENDS] and not s[BONEYARD]
    if s[LAP]:
        s[LAP] -= 1
        over = over or not (s[LAP] and s[LINE])
    if over:
        m.round_over(0)
    else:
        m.next_turn()


def clear_turn(m):
    """What the turn has seen so far counts no more."""
    s = m.state
    s[DRAWN] = s[_OWED] = s[_OWN] = s[_WHOLE] = 0


def press(m, seat):
    """A press in play: on one's own turn a draw, then a pass; another seat's is the match's."""
    s = m.state
    if s[_ENFORCE] == _ENFORCE_TILES:
        m.say(s[TURN], "passed")
        if seat == s[TURN]:
            m.next_turn()
        else:
            s[TURN] = seat
        s[DRAWN] = s[_OWN] = s[LAST] = 0
        return OK
    if seat != s[TURN]:
        return words.NOT_YOUR_TURN
    if s[_OWED] == _THIRD:
        return words.COVER_IT
    if s[_WHOLE] and not s[_OWED]:
        m.moved("passed")
        turn_over(m)  # the first train is as long as it gets
    elif s[DRAWN] or not s[BONEYARD]:
        m.moved("passed")
        _pass(m, seat)
    else:
        draw(m)
    return OK


def draw(m):
    """The seat to move takes a tile, where it may: COVER_IT, or nothing."""
    s = m.state
    if s[_OWED] == _THIRD:
        return words.COVER_IT
    m.take(s[TURN])  # before anybody is fined: it was drawn
    m.moved("drew")
    if s[_ENFORCE] != _ENFORCE_TILES:
        s[DRAWN] = 1
    return None


def _pass(m, seat):
    """Nothing could be played: a marker, where the house has one (E1, H4, M15). A due double on
    the seat's own train was no hindrance, so that a marker is due there in every house (V3)."""
    s = m.state
    binding = _binding(s)
    if binding >= 0:
        marked = binding == seat or s[_MARKER_LOCKED] != _MARKER_LOCKED_NO
    else:
        opening = not s[_OWED] and not m.begun >> seat & 1
        marked = not opening or s[_MARKER_OPENING] != _MARKER_OPENING_NO
    if marked:
        add(s, OPEN, seat)
    if s[BONEYARD]:
        s[PASSES] = 0
        turn_over(m)
    else:
        m.pass_turn()


def left(m, seat):
    """A seat left in play: its train is everybody's."""
    add(m.state, OPEN, seat)


def forgot(m, seat):
    """A seat forgot the notice of its last tile: it can be caught, or is fined at once (I2)."""
    s = m.state
    if s[_PENALTY] == _PENALTY_CAUGHT:
        add(s, FORGOT, seat)
    elif s[_PENALTY] == _PENALTY_ALWAYS and s[BONEYARD]:
        m.take(seat)
        m.fined = seat


# ---- questions of the lights and the console ----


def playable(m):
    """Return the mask of the targets that, under open doubles, a tile still out could join."""
    s = m.state
    if m.targets < 0:
        m.targets = targets(m)
    if not s[LINE] or not m.targets & (m.targets - 1) or s[_ENFORCE] == _ENFORCE_TILES:
        return m.targets
    return _useful(m, m.targets, _binding(s))


def _useful(m, trains, binding):
    """Return the mask of those of the trains whose number has a tile left that may follow."""
    s = m.state
    for slot in range(1, 12):
        if trains >> slot & 1 and s[END2 + slot] == NONE:
            number = s[END + slot]
            left = s[SET] + 1 - s[USED + number]
            its_double = 0 if m.laid(tiles.double(number)) else 1
            single = left > its_double and binding in (-1, slot)
            double = its_double and (not s[_OWED] or _may_double(s, number))
            if left and not single and not double:
                trains &= ~(1 << slot)
    return trains


def due(m):
    """Return the slot of the double that must be closed now, the one just laid too, or -1."""
    s = m.state
    slot = _binding(s)
    return s[DOUBLES + s[LINE] - 1] if slot < 0 and _must_cover(s) else slot


def double(m, i):
    """Return the slot of the i-th open double in closing order, or -1."""
    return m.state[DOUBLES + i] if i < m.state[LINE] else -1


def sides(m):
    """Every train has its place; there are none by number."""


def fits(m, tile):
    """Return the mask of the open trains that would take a tile: everybody sees them."""
    trains = m.playable & m.open_mask
    for slot in range(1, 12):
        if trains >> slot & 1 and not _joins(m.state, slot, tile):
            trains &= ~(1 << slot)
    return trains


def nothing_fits(m):
    """Who cannot play passes; the round is never called over."""
    return False


def _turn_marker(m, seat, value):
    """A marker is put on a train, or taken off."""
    put(m.state, OPEN, m.open_mask ^ 1 << seat)


CORRECTIONS = {words.MARKER: (words.PLAY, words.PLAY, True, _turn_marker)}
