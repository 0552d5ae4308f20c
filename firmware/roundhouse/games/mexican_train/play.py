# SPDX-License-Identifier: MIT
"""Mexican Train in play: the rules in which this game differs from others.

Functions over a match `m` or its state `s`, see `games`. DOUBLES lists the slots of the open
doubles, the first to be closed first. OPEN_DOUBLES is the count of all open doubles. OWN_DOUBLES
is the count of those that were laid in this turn; they are the last in the list. The sheets differ
in their options; a point in brackets, such as (C1), names the row of an option.
"""

from roundhouse import constants, tiles
from roundhouse.constants import NONE, OK, SETS_OF_SEATS, SLOT_COUNT, M, const
from roundhouse.games.mexican_train import at
from roundhouse.games.slot_masks import add, bits, drop, has, mask, put
from roundhouse.tiles import HIGH, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.games.match import Match

# Values of OWED; 0: no further tile is due in this turn.
_SECOND = const(1)  # a second tile
_THIRD = const(2)  # a third one, on one of two doubles

_FIRST_DOUBLE_WAITS = const(5)  # the first format under which WAITING is set

# ---- which trains are open to the next tile ----


def targets(m: "Match") -> int:
    """Return a mask of the trains on which the rules let the seat to move play."""
    s = m.state
    if s[at.ENFORCE] == at.ENFORCE_TILES:
        return m.slots
    binding = _binding(s) if s[at.OPEN_DOUBLES] > s[at.OWN_DOUBLES] else -1
    if binding < 0:
        return _unlocked(m) if s[at.OWED] else _eligible(m)
    if s[at.DRAWN] and s[at.DRAWN_ELSEWHERE]:
        return 1 << binding | _unlocked(m)
    return 1 << binding


def _binding(s: bytearray) -> int:
    """Return the slot of the double of an earlier turn that must be covered first, or -1 (H2, H6,
    H8). A double that ended a first train waits until every seat has had a turn (M11)."""
    if s[at.OPEN_DOUBLES] > s[at.OWN_DOUBLES] and s[at.LOCK] == at.LOCK_YES:
        for i in range(at.DOUBLES, at.DOUBLES + s[at.OPEN_DOUBLES] - s[at.OWN_DOUBLES]):
            if not mask(s, at.WAITING) >> s[i] & 1 and not _lifted(s, s[i]):
                return s[i]
    return -1


def _lifted(s: bytearray, slot: int) -> int:
    """Return whether an open double need not be covered (H8)."""
    return s[at.LIFT] and s[at.USED + s[at.END + slot]] > s[at.SET]


def _unlocked(m: "Match") -> int:
    """Return a mask of the trains open to the seat to move, considering only the doubles of this
    turn (G3, G4)."""
    s = m.state
    if not s[at.OWED]:
        return _eligible(m)
    own = 0
    for i in range(s[at.OPEN_DOUBLES] - s[at.OWN_DOUBLES], s[at.OPEN_DOUBLES]):
        own |= 1 << s[at.DOUBLES + i]
    if s[at.OWED] == _THIRD:
        return own
    if _must_cover(s):
        return 1 << s[at.DOUBLES + s[at.OPEN_DOUBLES] - 1]
    if s[at.SECOND_TILE] == at.SECOND_TILE_OPEN:
        return own | mask(s, at.OPEN)
    return own | _eligible(m)


def _must_cover(s: bytearray) -> bool:
    """Return whether the next tile must cover a double of this turn (G3, G4)."""
    if s[at.OWED] != _SECOND or s[at.SECOND_TILE] != at.SECOND_TILE_DOUBLE:
        return s[at.OWED] == _THIRD
    return not _lifted(s, s[at.DOUBLES + s[at.OPEN_DOUBLES] - 1])


def _eligible(m: "Match") -> int:
    """Return a mask of the trains open to the seat to move, ignoring open doubles."""
    s = m.state
    own = 1 << s[at.TURN]
    if (s[at.FIRST_TURN] or s[at.NOT_BEGUN] or s[at.WHOLE]) and _own_only(m):
        return own
    may_begin = 1 << M if s[at.MEXICAN] == at.MEXICAN_ONE else _bonus(m)
    return own | may_begin | s[at.OPEN] | s[at.OPEN + 1] << 8


def _own_only(m: "Match") -> bool:
    """Return whether the seat to move may play only on its own train (C1, C2, M10)."""
    s = m.state
    seat = s[at.TURN]
    if s[at.WHOLE] and not s[at.OWED]:
        return True
    if s[at.FIRST_TURN] and mask(s, at.FRESH) >> seat & 1:
        if s[at.FIRST_TURN] == at.FIRST_TURN_OWN or seat == s[at.STARTER]:
            return True
        if s[at.READING] == 2:  # 1.0.0 let the other seats' first turn go anywhere
            return False
    if s[at.NOT_BEGUN] != at.NOT_BEGUN_OWN or mask(s, at.BEGUN) >> seat & 1:
        return False
    # else that seat could never play again
    return s[at.USED + HIGH[s[at.OPENING_TILE]]] <= s[at.SET]


def _bonus(m: "Match") -> int:
    """Return a mask of the seatless stations where the seat to move may begin a train (D2)."""
    s = m.state
    seats, begun = mask(s, at.SEATS), mask(s, at.BEGUN)
    if begun >> s[at.TURN] & 1 and bits(begun & ~seats) < bits(begun & seats):
        return m.slots & ~seats
    return 0


# ---- may this tile be laid? ----


def may_lay(m: "Match", slot: int, tile: int) -> int:
    """Return the verdict on laying a tile that belongs to the set and is not on the table."""
    s = m.state
    if s[at.ENFORCE] == at.ENFORCE_TILES:
        return OK
    if m.targets < 0:
        m.targets = targets(m)
    if not m.targets >> slot & 1:
        return _refusal(m)
    high, low = HIGH[tile], LOW[tile]
    if high != low and s[at.DRAWN] and _binding(s) not in (-1, slot):
        return constants.DOUBLE_FIRST  # H5 lets only a drawn double go elsewhere
    if not _joins(s, slot, tile):
        return constants.NO_MATCH
    if high == low and s[at.OWED] and not _may_double(s, high):
        return constants.NO_SECOND_DOUBLE
    return OK


def _joins(s: bytearray, slot: int, tile: int) -> bool:
    ends = s[at.END + slot], s[at.END2 + slot]
    return HIGH[tile] in ends or LOW[tile] in ends


def _refusal(m: "Match") -> int:
    """Return the verdict for laying a tile on a train where the seat to move may not play."""
    s = m.state
    if _binding(s) >= 0:
        return constants.DOUBLE_FIRST
    if _must_cover(s):
        return constants.COVER_IT
    return constants.OWN_FIRST if _own_only(m) else constants.CLOSED


def _may_double(s: bytearray, number: int) -> int:
    """Return whether the double of `number` may follow another double in the same turn (G4, G6,
    G9). In a house that then requires a third tile, there must still be an unlaid tile that covers
    one of the two doubles."""
    rule = s[at.SECOND_DOUBLE]
    hand = s[at.HANDS + s[at.TURN]]
    if hand == NONE and s[at.LAST_TWO]:
        return True  # it may be the last tile (O10)
    if hand == 1 and (s[at.LAST_TWO] or rule == at.SECOND_DOUBLE_THIRD):
        return s[at.LAST_TWO]
    if rule == at.SECOND_DOUBLE_DRAWN:
        return s[at.DRAWN]
    if rule != at.SECOND_DOUBLE_THIRD or s[at.DRAWN]:
        return False
    first = s[at.END + s[at.DOUBLES + s[at.OPEN_DOUBLES] - 1]]
    return s[at.USED + first] <= s[at.SET] or s[at.USED + number] < s[at.SET]


# ---- after a tile or a press ----


def tile_laid(m: "Match", slot: int, tile: int) -> None:
    """Update ends, markers, doubles and turn after a tile was laid and subtracted from the
    hand."""
    s = m.state
    seat = s[at.TURN]
    _extend(s, slot, tile)
    if slot != seat and not s[at.SEATS + (slot >> 3)] >> (slot & 7) & 1:
        add(s, at.OPEN, slot)  # a train without a seat is open to all
    elif slot == seat or s[at.MARKER_OFF] == at.MARKER_OFF_ANY_TILE:
        drop(s, at.OPEN, slot)  # E5, E6
    if s[at.MARKER_OFF] == at.MARKER_OFF_ANY_PLAY:
        drop(s, at.OPEN, seat)
    if s[at.OPEN_DOUBLES]:
        _cover(s, slot)
    if HIGH[tile] == LOW[tile]:
        s[at.DOUBLES + s[at.OPEN_DOUBLES]] = slot
        s[at.OPEN_DOUBLES] += 1
        s[at.OWN_DOUBLES] += 1
        if slot == seat and _is_first_train(s) and s[at.READING] >= _FIRST_DOUBLE_WAITS:
            add(s, at.WAITING, slot)
    after_tile(m, slot, tile)


def after_tile(m: "Match", slot: int, tile: int) -> None:
    """Move the turn on after a tile was laid (G3, G4, G8). An empty hand ends the round. If the
    hand's last tile was a double, some houses first give every other seat a turn to cover it."""
    s = m.state
    seat = s[at.TURN]
    double = HIGH[tile] == LOW[tile]
    if not s[at.HANDS + seat]:
        if not double or mask(s, at.LAP) or s[at.LAST_DOUBLE] != at.LAST_DOUBLE_LAP:
            m.end_round(seat, slot, tile)
            return
        s[at.OUT] = seat
        put(s, at.LAP, m.joined if s[at.READING] >= SETS_OF_SEATS else bits(m.joined))
        end_turn(m)
    elif s[at.ENFORCE] == at.ENFORCE_TILES:
        pass  # the turn moves on a press
    elif double:
        third = s[at.OWED] and s[at.SECOND_DOUBLE] == at.SECOND_DOUBLE_THIRD and not s[at.DRAWN]
        s[at.OWED] = _THIRD if third and _third_left(s) else _SECOND
        s[at.DRAWN] = 0
    elif slot == seat and _is_first_train(s):
        s[at.WHOLE] = 1  # C2: until a press ends it
        s[at.OWED] = s[at.DRAWN] = 0
    else:
        end_turn(m)


def _is_first_train(s: bytearray) -> int:
    """Return whether the seat to move may lay a whole train in this turn, its first (C2)."""
    if s[at.FIRST_TRAIN] != at.FIRST_TRAIN_WHOLE or s[at.ENFORCE] == at.ENFORCE_TILES:
        return False
    return mask(s, at.FRESH) >> s[at.TURN] & 1


def _had_turn(s: bytearray, seat: int) -> None:
    """Record that a seat has had its first turn. When every seat has had its first turn, no double
    waits any longer (M11)."""
    drop(s, at.FRESH, seat)
    if not (s[at.FRESH] or s[at.FRESH + 1]):
        s[at.WAITING] = s[at.WAITING + 1] = 0


def _third_left(s: bytearray) -> bool:
    """Return whether a tile that fits a double of this turn is still to be laid."""
    for i in range(s[at.OPEN_DOUBLES] - s[at.OWN_DOUBLES], s[at.OPEN_DOUBLES]):
        if s[at.USED + s[at.END + s[at.DOUBLES + i]]] <= s[at.SET]:
            return True
    return False


def _extend(s: bytearray, slot: int, tile: int) -> None:
    """Set a train's end to the half that did not join, or to both halves if neither did (after an
    override)."""
    high, low = HIGH[tile], LOW[tile]
    end, other = s[at.END + slot], s[at.END2 + slot]
    s[at.END2 + slot] = NONE
    if high != end and high != other:
        s[at.END + slot] = high
        if low not in (high, end, other):
            s[at.END2 + slot] = low
    else:
        s[at.END + slot] = low


def _cover(s: bytearray, slot: int) -> None:
    """Remove a slot's double, if any, from the list of open doubles."""
    drop(s, at.WAITING, slot)
    for i in range(s[at.OPEN_DOUBLES]):
        if s[at.DOUBLES + i] == slot:
            if i >= s[at.OPEN_DOUBLES] - s[at.OWN_DOUBLES]:
                s[at.OWN_DOUBLES] -= 1
            s[at.OPEN_DOUBLES] -= 1
            s[at.DOUBLES + i : at.DOUBLES + M] = s[at.DOUBLES + i + 1 : at.DOUBLES + M] + b"\0"
            return


def end_turn(m: "Match") -> None:
    """End the turn: the next seat is to move, or the round ends (G8, J3)."""
    s = m.state
    s[at.DRAWN] = s[at.OWED] = s[at.OWN_DOUBLES] = s[at.WHOLE] = 0
    if s[at.FRESH] or s[at.FRESH + 1]:
        _had_turn(s, s[at.TURN])
    over = s[at.BONEYARD_ENDS] and not s[at.BONEYARD]
    if mask(s, at.LAP):
        if s[at.READING] >= SETS_OF_SEATS:
            drop(s, at.LAP, s[at.TURN])
        else:
            s[at.LAP] -= 1  # how many turns are left
        over = over or not (mask(s, at.LAP) and s[at.OPEN_DOUBLES])
    if over:
        m.end_round(0)
        return
    m.next_turn()
    if s[at.TURN] == s[at.OUT] and s[at.READING] >= SETS_OF_SEATS:
        m.next_turn()  # it has no tiles


def clear_turn(m: "Match") -> None:
    s = m.state
    s[at.DRAWN] = s[at.OWED] = s[at.OWN_DOUBLES] = s[at.WHOLE] = 0


def press(m: "Match", seat: int) -> int:
    """Handle a press in play: the seat to move draws, or passes if it has drawn or no tile is
    left. Return NOT_YOUR_TURN for any other seat; Match.press then handles the press.

    In a house that enforces no turns, a press gives the turn to `seat` or, if `seat` has the turn,
    to the next seat.
    """
    s = m.state
    if s[at.ENFORCE] == at.ENFORCE_TILES:
        m.note(s[at.TURN], "passed")
        if seat == s[at.TURN]:
            m.next_turn()
        else:
            s[at.TURN] = seat
        s[at.DRAWN] = s[at.OWN_DOUBLES] = s[at.LAST] = 0
        return OK
    if seat != s[at.TURN]:
        return constants.NOT_YOUR_TURN
    if s[at.OWED] == _THIRD:
        return constants.COVER_IT
    if s[at.WHOLE] and not s[at.OWED]:
        m.moved("passed")
        end_turn(m)  # its whole first train is laid
    elif s[at.DRAWN] or not s[at.BONEYARD]:
        m.moved("passed")
        _pass(m, seat)
    else:
        draw(m)
    return OK


def draw(m: "Match") -> int | None:
    """Let the seat to move draw a tile; return COVER_IT if it must cover a double instead."""
    s = m.state
    if s[at.OWED] == _THIRD:
        return constants.COVER_IT
    m.take(s[at.TURN])  # before moved(), which may fine another seat a tile
    m.moved("drew")
    if s[at.ENFORCE] != at.ENFORCE_TILES:
        s[at.DRAWN] = 1
    return None


def _pass(m: "Match", seat: int) -> None:
    """Let a seat pass, and put a marker on its train (E1), unless the house puts none there (H4,
    V3, M15)."""
    s = m.state
    binding = _binding(s)
    if binding >= 0:
        marked = binding == seat or s[at.MARKER_LOCKED] != at.MARKER_LOCKED_NO
    else:
        opening = not s[at.OWED] and not m.begun >> seat & 1
        marked = not opening or s[at.MARKER_OPENING] != at.MARKER_OPENING_NO
    if marked:
        add(s, at.OPEN, seat)
    if s[at.BONEYARD]:
        put(s, at.PASSED, 0)
        end_turn(m)
    else:
        m.pass_turn()


def seat_left(m: "Match", seat: int) -> None:
    """Open a train to all seats, because its seat left during play. The round ends if only this
    seat could still cover a last double."""
    s = m.state
    add(s, at.OPEN, seat)
    _had_turn(s, seat)
    if has(s, at.LAP, seat) and s[at.READING] >= SETS_OF_SEATS:
        drop(s, at.LAP, seat)
        if not mask(s, at.LAP):
            m.end_round(0)


def no_notice(m: "Match", seat: int) -> None:
    """Handle a forgotten announcement of the last tile. Depending on the house, the seat gets a
    tile at once, can be caught later, or is not fined (I2)."""
    s = m.state
    if s[at.PENALTY] == at.PENALTY_CAUGHT:
        add(s, at.FORGOT, seat)
    elif s[at.PENALTY] == at.PENALTY_ALWAYS and s[at.BONEYARD]:
        m.take(seat)
        m.fined = seat


# ---- questions of the lights and the console ----


def playable(m: "Match") -> int:
    """Return a mask of the trains on which the next tile may be laid, without blocked trains (see
    `_usable`)."""
    s = m.state
    if m.targets < 0:
        m.targets = targets(m)
    if not s[at.OPEN_DOUBLES] or not m.targets & (m.targets - 1):
        return m.targets
    if s[at.ENFORCE] == at.ENFORCE_TILES:
        return m.targets
    return _usable(m, m.targets, _binding(s))


def _usable(m: "Match", trains: int, binding: int) -> int:
    """Return the mask `trains` without its blocked trains. A train is blocked if matching tiles
    are left but the rules forbid all of these tiles. binding: the result of `_binding`."""
    s = m.state
    for slot in range(1, SLOT_COUNT):
        if trains >> slot & 1 and s[at.END2 + slot] == NONE:
            number = s[at.END + slot]
            left = s[at.SET] + 1 - s[at.USED + number]
            its_double = 0 if m.is_laid(tiles.double(number)) else 1
            single = left > its_double and binding in (-1, slot)
            double = its_double and (not s[at.OWED] or _may_double(s, number))
            if left and not single and not double:
                trains &= ~(1 << slot)
    return trains


def due(m: "Match") -> int:
    """Return the slot of the double that must be covered now, or -1."""
    s = m.state
    slot = _binding(s)
    return s[at.DOUBLES + s[at.OPEN_DOUBLES] - 1] if slot < 0 and _must_cover(s) else slot


def open_double(m: "Match", i: int) -> int:
    """Return the slot of the i-th open double in closing order, from 0; or -1."""
    return m.state[at.DOUBLES + i] if i < m.state[at.OPEN_DOUBLES] else -1


def sides(m: "Match") -> None:
    """Return None: every train begins at its own slot."""


def fits(m: "Match", tile: int) -> int:
    """Return a mask of the trains that a tile fits. Trains that are not open to every seat are
    left out, and so are trains where the seat to move may not lay."""
    trains = m.playable & m.open_mask
    for slot in range(1, SLOT_COUNT):
        if trains >> slot & 1 and not _joins(m.state, slot, tile):
            trains &= ~(1 << slot)
    return trains


def nothing_fits(m: "Match") -> bool:
    """Return False: seats that cannot play pass, which ends the round."""
    return False


def _marker(m: "Match", seat: int, value: int) -> None:
    put(m.state, at.OPEN, m.open_mask ^ 1 << seat)


HANDS_COUNT = True
CORRECTIONS = {constants.MARKER: (constants.PLAY, constants.PLAY, True, _marker)}
