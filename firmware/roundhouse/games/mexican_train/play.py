# SPDX-License-Identifier: MIT
"""Mexican Train: the rules in which this game differs from others.

Plain functions over a match `m` or its state `s`; `games` says which of them a match asks for.
Every seat has a train of its own, M is everybody's, and a marker opens a train to all. A double
asks for a further tile in the same turn; left open, it binds the seats that follow until it is
covered. What the sheets differ in are options; a point like (C1) names an option's row.
"""

from roundhouse import constants, tiles
from roundhouse.constants import NONE, OK, M
from roundhouse.games.masks import add, bits, const, drop, mask, put
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_STARTER = const(25)  # who started last
_SEATS = const(26)  # mask of the seats that play
_OPENING_TILE = const(90)  # the opening tile, or NONE. A round begins here
_TURN = const(91)  # the seat to move; 0 outside play
_BONEYARD = const(92)  # tiles left to draw
_PASSES = const(93)  # passes in a row, with an empty boneyard
_DRAWN = const(94)  # a draw was declared in this turn, and no tile laid since
_LAST = const(95)  # who laid last, until the next input
_OUT = const(97)  # who went out
_OPEN = const(98)  # mask of the lines that carry a marker or are everybody's
_BEGUN = const(100)  # mask of the lines with a tile
_FORGOT = const(102)  # mask of the seats that forgot the notice and can be caught
_END = const(106)  # the number the next tile of a slot must match
_END2 = const(118)  # a second one while it is undecided, or NONE
_HANDS = const(130)  # tiles in hand, by seat
_USED = const(154)  # tiles laid that show a number, by number
_READING = const(197)  # the journal's format under which the match began: see constants.FORMAT
_OWED = const(219)  # what the double just laid asks for: nothing, a second tile, a third one
_OWN_DOUBLES = const(220)  # open doubles laid in this turn; they are the last in the line
_OPEN_DOUBLES = const(221)  # open doubles in all
_WHOLE = const(222)  # this first turn is a whole train
_LAP = const(223)  # turns left in which a last double may be covered
_FRESH = const(224)  # mask of the seats that had no turn yet
_DOUBLES = const(226)  # slots of the open doubles in closing order
_FIRST_TURN = const(200)  # C1
_FIRST_TURN_OWN = const(2)
_FIRST_TRAIN = const(201)  # C2
_FIRST_TRAIN_WHOLE = const(1)
_NOT_BEGUN = const(202)  # M10
_NOT_BEGUN_OWN = const(1)
_MEXICAN = const(203)  # D1
_MEXICAN_ONE = const(0)
_MARKER_OPENING = const(204)  # M15
_MARKER_OPENING_NO = const(1)
_MARKER_OFF = const(205)  # E5
_MARKER_OFF_ANY_TILE = const(1)
_MARKER_OFF_ANY_PLAY = const(2)
_MARKER_LOCKED = const(206)  # H4
_MARKER_LOCKED_NO = const(1)
_SECOND_TILE = const(207)  # G3
_SECOND_TILE_OPEN = const(1)
_SECOND_TILE_DOUBLE = const(2)
_SECOND_DOUBLE = const(208)  # G4
_SECOND_DOUBLE_DRAWN = const(0)
_SECOND_DOUBLE_THIRD = const(1)
_LAST_TWO = const(209)  # G9
_LAST_DOUBLE = const(210)  # G8
_LAST_DOUBLE_LAP = const(1)
_LOCK = const(211)  # H2
_LOCK_YES = const(0)
_DRAWN_ELSEWHERE = const(212)  # H5
_LIFT = const(213)  # H8
_PENALTY = const(214)  # I2
_PENALTY_CAUGHT = const(1)
_PENALTY_ALWAYS = const(2)
_BONEYARD_ENDS = const(215)  # J3
_ENFORCE = const(218)
_ENFORCE_TILES = const(1)
# ---- end of the numbers ----

# What _OWED says.
_SECOND = const(1)  # a second tile
_THIRD = const(2)  # a third one, on one of two doubles

# ---- which trains are open to the next tile ----


def targets(m):
    """Return the mask of every train the rules open to the seat to move."""
    s = m.state
    if s[_ENFORCE] == _ENFORCE_TILES:
        return m.slots
    binding = _binding(s) if s[_OPEN_DOUBLES] > s[_OWN_DOUBLES] else -1
    if binding < 0:
        return _unlocked(m) if s[_OWED] else _eligible(m)
    if s[_DRAWN] and s[_DRAWN_ELSEWHERE]:
        return 1 << binding | _unlocked(m)
    return 1 << binding


def _binding(s):
    """Return the slot of the double of earlier turns that binds all, or -1 (H2, H6, H8)."""
    if s[_OPEN_DOUBLES] > s[_OWN_DOUBLES] and s[_LOCK] == _LOCK_YES:
        for i in range(_DOUBLES, _DOUBLES + s[_OPEN_DOUBLES] - s[_OWN_DOUBLES]):
            if not _lifted(s, s[i]):
                return s[i]
    return -1


def _lifted(s, slot):
    """Return whether a double binds nobody because its number is used up (H8)."""
    return s[_LIFT] and s[_USED + s[_END + slot]] > s[_SET]


def _unlocked(m):
    """Return the mask of the trains for the next tile, doubles of earlier turns apart (G3, G4)."""
    s = m.state
    if not s[_OWED]:
        return _eligible(m)
    own = 0
    for i in range(s[_OPEN_DOUBLES] - s[_OWN_DOUBLES], s[_OPEN_DOUBLES]):
        own |= 1 << s[_DOUBLES + i]
    if s[_OWED] == _THIRD:
        return own
    if _must_cover(s):
        return 1 << s[_DOUBLES + s[_OPEN_DOUBLES] - 1]
    if s[_SECOND_TILE] == _SECOND_TILE_OPEN:
        return own | mask(s, _OPEN)
    return own | _eligible(m)


def _must_cover(s):
    """Return whether the next tile has to go on a double of this turn (G3, G4)."""
    if s[_OWED] != _SECOND or s[_SECOND_TILE] != _SECOND_TILE_DOUBLE:
        return s[_OWED] == _THIRD
    return not _lifted(s, s[_DOUBLES + s[_OPEN_DOUBLES] - 1])


def _eligible(m):
    """Return the mask of the trains open to the seat to move as if no double were open."""
    s = m.state
    own = 1 << s[_TURN]
    if (s[_FIRST_TURN] or s[_NOT_BEGUN] or s[_WHOLE]) and _own_only(m):
        return own
    may_begin = 1 << M if s[_MEXICAN] == _MEXICAN_ONE else _bonus_tracks(m)
    return own | may_begin | s[_OPEN] | s[_OPEN + 1] << 8


def _own_only(m):
    """Return whether the seat to move may use its own train alone (C1, C2, M10)."""
    s = m.state
    seat = s[_TURN]
    if s[_WHOLE] and not s[_OWED]:
        return True
    if s[_FIRST_TURN] and mask(s, _FRESH) >> seat & 1:
        if s[_FIRST_TURN] == _FIRST_TURN_OWN or seat == s[_STARTER]:
            return True
        if s[_READING] == 2:  # then this option was asked for in later turns alone
            return False
    if s[_NOT_BEGUN] != _NOT_BEGUN_OWN or mask(s, _BEGUN) >> seat & 1:
        return False
    return s[_USED + HIGH[s[_OPENING_TILE]]] <= s[_SET]  # else that seat could never play again


def _bonus_tracks(m):
    """Return the mask of the empty stations if the seat to move may begin a train there (D2)."""
    s = m.state
    seats, begun = mask(s, _SEATS), mask(s, _BEGUN)
    if begun >> s[_TURN] & 1 and bits(begun & ~seats) < bits(begun & seats):
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
    if high != low and s[_DRAWN] and _binding(s) not in (-1, slot):
        return constants.DOUBLE_FIRST  # of what was drawn only a double may go elsewhere (H5)
    if not _joins(s, slot, tile):
        return constants.NO_MATCH
    if high == low and s[_OWED] and not _may_double(s, high):
        return constants.NO_SECOND_DOUBLE
    return OK


def _joins(s, slot, tile):
    """Return whether a tile matches a train's end, or one of the two it has after an override."""
    ends = s[_END + slot], s[_END2 + slot]
    return HIGH[tile] in ends or LOW[tile] in ends


def _why_not(m):
    """Return the verdict for a train on which the seat to move may not play."""
    s = m.state
    if _binding(s) >= 0:
        return constants.DOUBLE_FIRST
    if _must_cover(s):
        return constants.COVER_IT
    return constants.OWN_FIRST if _own_only(m) else constants.CLOSED


def _may_double(s, number):
    """Return whether the double of a number may follow on those of this turn (G4, G6, G9): with a
    third tile to come, one that is not on the table has to fit one of the two."""
    rule = s[_SECOND_DOUBLE]
    if s[_HANDS + s[_TURN]] == 1 and (s[_LAST_TWO] or rule == _SECOND_DOUBLE_THIRD):
        return s[_LAST_TWO]
    if rule == _SECOND_DOUBLE_DRAWN:
        return s[_DRAWN]
    if rule != _SECOND_DOUBLE_THIRD or s[_DRAWN]:
        return False
    first = s[_END + s[_DOUBLES + s[_OPEN_DOUBLES] - 1]]
    return s[_USED + first] <= s[_SET] or s[_USED + number] < s[_SET]


# ---- what follows a tile and a press ----


def laid(m, slot, tile):
    """A tile was laid and counted: what follows for ends, markers, doubles and the turn."""
    s = m.state
    seat = s[_TURN]
    _extend(s, slot, tile)
    if slot != seat and not mask(s, _SEATS) >> slot & 1:
        add(s, _OPEN, slot)  # a train that is nobody's is everybody's
    elif slot == seat or s[_MARKER_OFF] == _MARKER_OFF_ANY_TILE:
        drop(s, _OPEN, slot)  # E5, E6
    if s[_MARKER_OFF] == _MARKER_OFF_ANY_PLAY:
        drop(s, _OPEN, seat)
    if s[_OPEN_DOUBLES]:
        _close(s, slot)
    if HIGH[tile] == LOW[tile]:
        _double_laid(m, slot)
    elif not s[_HANDS + seat]:
        m.round_over(seat)
    elif s[_ENFORCE] == _ENFORCE_TILES:
        pass  # the turn moves on a press
    elif slot == seat and s[_FIRST_TRAIN] == _FIRST_TRAIN_WHOLE and mask(s, _FRESH) >> seat & 1:
        s[_WHOLE] = 1  # C2: it goes on as long as it can
        s[_OWED] = s[_DRAWN] = 0
    else:
        turn_over(m)


def _double_laid(m, slot):
    """A double is the last of the line, and asks for a further tile (G3, G4). As the last tile of
    a hand it ends the round, or gives the others one lap in which to cover it (G8)."""
    s = m.state
    s[_DOUBLES + s[_OPEN_DOUBLES]] = slot
    s[_OPEN_DOUBLES] += 1
    s[_OWN_DOUBLES] += 1
    if not s[_HANDS + s[_TURN]]:
        if s[_LAP] or s[_LAST_DOUBLE] != _LAST_DOUBLE_LAP:
            m.round_over(s[_TURN])
            return
        s[_OUT], s[_LAP] = s[_TURN], bits(m.joined)
        turn_over(m)
    elif s[_ENFORCE] != _ENFORCE_TILES:
        third = s[_OWED] and s[_SECOND_DOUBLE] == _SECOND_DOUBLE_THIRD and not s[_DRAWN]
        s[_OWED] = _THIRD if third and _is_third_left(s) else _SECOND
        s[_DRAWN] = 0


def _is_third_left(s):
    """Return whether a tile still out fits a double of this turn: after an override none may."""
    for i in range(s[_OPEN_DOUBLES] - s[_OWN_DOUBLES], s[_OPEN_DOUBLES]):
        if s[_USED + s[_END + s[_DOUBLES + i]]] <= s[_SET]:
            return True
    return False


def _extend(s, slot, tile):
    """What joined nothing is the train's end: after an override both numbers may be."""
    high, low = HIGH[tile], LOW[tile]
    end, other = s[_END + slot], s[_END2 + slot]
    s[_END + slot] = low
    s[_END2 + slot] = NONE
    if high != end and high != other:
        s[_END + slot] = high
        if low not in (high, end, other):
            s[_END2 + slot] = low


def _close(s, slot):
    """Take the double on a slot out of the line, if one lies there."""
    for i in range(s[_OPEN_DOUBLES]):
        if s[_DOUBLES + i] == slot:
            if i >= s[_OPEN_DOUBLES] - s[_OWN_DOUBLES]:
                s[_OWN_DOUBLES] -= 1
            s[_OPEN_DOUBLES] -= 1
            s[_DOUBLES + i : _DOUBLES + 11] = s[_DOUBLES + i + 1 : _DOUBLES + 11] + b"\0"
            return


def turn_over(m):
    """The turn of the seat to move is over: the next one's, or the round's end (G8, J3)."""
    s = m.state
    s[_DRAWN] = s[_OWED] = s[_OWN_DOUBLES] = s[_WHOLE] = 0
    if s[_FRESH] or s[_FRESH + 1]:
        drop(s, _FRESH, s[_TURN])
    over = s[_BONEYARD_ENDS] and not s[_BONEYARD]
    if s[_LAP]:
        s[_LAP] -= 1
        over = over or not (s[_LAP] and s[_OPEN_DOUBLES])
    if over:
        m.round_over(0)
    else:
        m.next_turn()


def clear_turn(m):
    """What the turn has seen so far counts no more."""
    s = m.state
    s[_DRAWN] = s[_OWED] = s[_OWN_DOUBLES] = s[_WHOLE] = 0


def press(m, seat):
    """A press in play: on one's own turn a draw, then a pass; another seat's is the match's."""
    s = m.state
    if s[_ENFORCE] == _ENFORCE_TILES:
        m.say(s[_TURN], "passed")
        if seat == s[_TURN]:
            m.next_turn()
        else:
            s[_TURN] = seat
        s[_DRAWN] = s[_OWN_DOUBLES] = s[_LAST] = 0
        return OK
    if seat != s[_TURN]:
        return constants.NOT_YOUR_TURN
    if s[_OWED] == _THIRD:
        return constants.COVER_IT
    if s[_WHOLE] and not s[_OWED]:
        m.moved("passed")
        turn_over(m)  # the first train is as long as it gets
    elif s[_DRAWN] or not s[_BONEYARD]:
        m.moved("passed")
        _pass(m, seat)
    else:
        draw(m)
    return OK


def draw(m):
    """The seat to move takes a tile, where it may: COVER_IT, or nothing."""
    s = m.state
    if s[_OWED] == _THIRD:
        return constants.COVER_IT
    m.take(s[_TURN])  # before anybody is fined: it was drawn
    m.moved("drew")
    if s[_ENFORCE] != _ENFORCE_TILES:
        s[_DRAWN] = 1
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
        add(s, _OPEN, seat)
    if s[_BONEYARD]:
        s[_PASSES] = 0
        turn_over(m)
    else:
        m.pass_turn()


def left(m, seat):
    """A seat left in play: its train is everybody's."""
    add(m.state, _OPEN, seat)


def forgot(m, seat):
    """A seat forgot the notice of its last tile: it can be caught, or is fined at once (I2)."""
    s = m.state
    if s[_PENALTY] == _PENALTY_CAUGHT:
        add(s, _FORGOT, seat)
    elif s[_PENALTY] == _PENALTY_ALWAYS and s[_BONEYARD]:
        m.take(seat)
        m.fined = seat


# ---- questions of the lights and the console ----


def playable(m):
    """Return the mask of the targets that, under open doubles, a tile still out could join."""
    s = m.state
    if m.targets < 0:
        m.targets = targets(m)
    if not s[_OPEN_DOUBLES] or not m.targets & (m.targets - 1) or s[_ENFORCE] == _ENFORCE_TILES:
        return m.targets
    return _useful(m, m.targets, _binding(s))


def _useful(m, trains, binding):
    """Return the mask of those of the trains whose number has a tile left that may follow."""
    s = m.state
    for slot in range(1, 12):
        if trains >> slot & 1 and s[_END2 + slot] == NONE:
            number = s[_END + slot]
            left = s[_SET] + 1 - s[_USED + number]
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
    return s[_DOUBLES + s[_OPEN_DOUBLES] - 1] if slot < 0 and _must_cover(s) else slot


def double(m, i):
    """Return the slot of the i-th open double in closing order, or -1."""
    return m.state[_DOUBLES + i] if i < m.state[_OPEN_DOUBLES] else -1


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
    put(m.state, _OPEN, m.open_mask ^ 1 << seat)


HANDS_COUNT = True
CORRECTIONS = {constants.MARKER: (constants.PLAY, constants.PLAY, True, _turn_marker)}
