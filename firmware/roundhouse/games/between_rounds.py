# SPDX-License-Identifier: MIT
"""A match while no round is played: who sits, the deal, the opening tile, counting.

Functions of a match `m` in the phases lobby, engine, scoring and finished; those for an input
return its verdict.
"""

from roundhouse import constants, tiles
from roundhouse.constants import ENGINE, FINISHED, LOBBY, NOT_NOW, OK, PLAY, SCORING, STATIONS, E
from roundhouse.games.masks import add, bits, const, drop, lowest, mask, put, seats_of
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_PHASE = const(23)  # place in constants.PHASES
_ROUND = const(24)  # 0 in the lobby
_STARTER = const(25)  # who started last
_SEATS = const(26)  # mask of the seats that play
_COMING = const(28)  # mask of those that join with the next round
_OPENING_TILE = const(90)  # the opening tile, or NONE. A round begins here
_TURN = const(91)  # the seat to move; 0 outside play
_BONEYARD = const(92)  # tiles left to draw
_LAST = const(95)  # who laid last, until the next input
_FORGOT = const(102)  # mask of the seats that forgot the notice and can be caught
_DONE = const(104)  # mask of the seats that have counted
_HANDS = const(130)  # tiles in hand, by seat
_COUNTED = const(142)  # left-over tiles tapped, by seat
_LAID = const(173)  # a bit for each tile that lies on the table
# ---- end of the numbers ----


def tap(m, slot, tile, chance):
    """A tile on a slot: the opening tile, or one that is left over."""
    phase = m.phase
    if phase == SCORING:
        return _count(m, slot, tile)
    if phase == FINISHED:
        return NOT_NOW
    return _open(m, slot, tile, chance)


def press(m, slot, again):
    """A press of a slot's button; `again`: it was accepted before."""
    phase = m.phase
    if slot == E:
        return _press_engine(m)
    plays = m.joined >> slot & 1
    if phase == LOBBY:
        return leave(m, slot, 0) if plays else join(m, slot, 0)
    if not plays:
        return NOT_NOW
    if phase == FINISHED:
        return _press_engine(m, slot)
    if phase == SCORING:
        return _seat_done(m, slot, again)
    if not m.boneyard or not m.rounds.draws_for_opening(m):
        return NOT_NOW
    m.take(slot)
    m.say(slot, "drew")
    m.changed()
    return OK


def _press_engine(m, by=0):
    """What comes next: the deal, the end of the match or of the round, a new match."""
    s = m.state
    did = ("dealt", "match-over", "", "round-over", "cleared")[s[_PHASE]]
    if s[_PHASE] == LOBBY:
        if not _are_enough(m, s[_SET]):
            return NOT_NOW
        _deal(m)
    elif s[_PHASE] == ENGINE:
        s[_PHASE] = FINISHED
    elif s[_PHASE] == SCORING:
        end_of_round(m)
    else:  # after the match: an empty table with the same seats
        seats = m.joined | mask(s, _COMING)
        houses().clear(m)
        put(s, _SEATS, seats)
    m.say(by, did)
    m.changed()
    return OK


# ---- seats ----


def _are_enough(m, set_):
    """Return whether as many have joined as the house allows with a set."""
    return 2 <= bits(m.joined) <= most_seats(m, set_)


def most_seats(m, set_):
    """Return how many seats the house allows with a set: 4..10."""
    sheets, sheet = m.sheet()
    return sheets.SEATS[sheet][tiles.SETS.index(set_)]


def join(m, seat, value):
    """A seat joins, from the next round on where one is under way."""
    s = m.state
    all_ = m.joined | mask(s, _COMING)
    free = m.slots & STATIONS & ~all_
    if not free >> seat & 1 or bits(all_) >= most_seats(m, m.set):
        return NOT_NOW
    add(s, _SEATS if s[_PHASE] == LOBBY else _COMING, seat)
    m.set_points(seat, 0)
    m.set_total(seat, 0)
    m.say(seat, "joined")
    m.changed()
    return OK


def leave(m, seat, value):
    """A seat leaves, in play too: its hand is out of play, and turns skip it."""
    s = m.state
    phase, seats = s[_PHASE], m.joined
    m.say(seat, "left")
    if mask(s, _COMING) >> seat & 1:
        drop(s, _COMING, seat)
        m.changed()
        return OK
    if not seats >> seat & 1 or (phase != LOBBY and bits(seats) < 3):
        return NOT_NOW
    drop(s, _SEATS, seat)
    drop(s, _FORGOT, seat)
    s[_HANDS + seat] = 0
    m.set_total(seat, 0)
    if s[_LAST] == seat:
        s[_LAST] = 0
    if phase == PLAY:
        m.game.left(m, seat)
        if s[_TURN] == seat:
            m.game.turn_over(m)
    elif phase == SCORING and not m.waiting:
        end_of_round(m)
    m.changed()
    return OK


# ---- the deal and the opening tile ----


def houses():
    """The rule sheets' module: an input that needs none does not load it."""
    from roundhouse.games import houses

    return houses


def _deal(m):
    """Clear the table for the next round and count out the hands."""
    s = m.state
    seats = m.joined | mask(s, _COMING)
    put(s, _SEATS, seats)
    put(s, _COMING, 0)
    houses().clear_round(m)
    s[_PHASE] = ENGINE
    s[_ROUND] = min(255, s[_ROUND] + 1)
    hand = m.hand_size()
    for seat in seats_of(seats):
        s[_HANDS + seat] = hand
    apart = 0 if m.rounds.opening_is_dealt(m) else 1
    s[_BONEYARD] = tiles.size(s[_SET]) - apart - hand * bits(seats)


def _open(m, slot, tile, chance):
    """The opening tile: the round begins, from the lobby with the deal."""
    s, rounds = m.state, m.rounds
    lobby = s[_PHASE] == LOBBY
    set_ = rounds.opening_set(m, tile) if lobby else s[_SET]
    if not rounds.opening_slots(m) >> slot & 1:
        return NOT_NOW
    if lobby and not (HIGH[tile] == LOW[tile] and _are_enough(m, set_)):
        return NOT_NOW
    if HIGH[tile] > set_:
        return constants.NOT_IN_SET
    if not rounds.may_open(m, tile, set_):
        return constants.NOT_AN_ENGINE
    if lobby:
        s[_SET] = set_
        _deal(m)
    m.lie(tile)
    s[_OPENING_TILE] = tile
    s[_PHASE] = PLAY
    rounds.opened(m, slot, tile, chance)
    s[_STARTER] = s[_TURN]
    m.say(slot or s[_TURN], "opened")
    return OK


# ---- counting ----


def _count(m, slot, tile):
    """A left-over tile on its holder's station."""
    s = m.state
    if not m.joined >> slot & 1:
        return NOT_NOW
    if HIGH[tile] > s[_SET]:
        return constants.NOT_IN_SET
    if m.laid(tile):
        return constants.ON_TABLE
    add(s, _LAID, tile)
    s[_COUNTED + slot] += 1
    m.set_points(slot, m.points(slot) + 2 * m.rounds.pips(m, tile))
    drop(s, _DONE, slot)
    m.say(slot, "counted")
    m.changed()
    return OK


def _seat_done(m, seat, again):
    """A seat has counted; with fewer tiles than it should have, a second press is needed."""
    s = m.state
    if mask(s, _DONE) >> seat & 1:
        return NOT_NOW
    if s[_COUNTED + seat] < s[_HANDS + seat] and not again and m.asked != seat:
        m.asked = seat
        return NOT_NOW
    done(m, seat)
    m.say(seat, "done")
    m.changed()
    return OK


def done(m, seat):
    """A seat's points are whole; the last one ends the round."""
    add(m.state, _DONE, seat)
    if not m.waiting:
        end_of_round(m)


def winners(m):
    """Return the mask of the seats with the best total: the most points, or the fewest."""
    sign = -1 if m.plus_points else 1
    return lowest(m.joined, lambda seat: sign * m.total(seat))


def end_of_round(m):
    """Add what the round's end brings to the totals; then the next round, or the match is over."""
    m.rounds.settle(m)
    for seat in seats_of(m.joined):
        m.set_total(seat, m.total(seat) + m.points(seat))
    if m.rounds.is_over(m):
        m.state[_PHASE] = FINISHED
    else:
        _deal(m)
