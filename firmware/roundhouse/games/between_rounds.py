# SPDX-License-Identifier: MIT
"""A match outside of play: seats, the deal, the opening tile, counting.

Functions over a match `m` in the phases lobby, engine, scoring and finished. Functions that carry
out an input return the verdict. In play this module is not in memory.
"""

from roundhouse import constants, tiles
from roundhouse.constants import (
    ENGINE,
    FINISHED,
    LOBBY,
    MOST_SEATS,
    NONE,
    NOT_NOW,
    OK,
    PLAY,
    SCORING,
    STATIONS,
    E,
    const,
)
from roundhouse.games import at
from roundhouse.games.slot_masks import add, bits, drop, has, lowest, mask, put, seats_of
from roundhouse.tiles import HIGH, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from roundhouse.games.match import Match


_KEEPS_POINTS = const(5)  # the first format under which a seat that comes back has its points
_SEATS_BY_DEAL = const(6)  # the first format under which an own deal has a place for every seat
_CHARGES_LEAVERS = const(6)  # the first format under which a seat that leaves pays for the round
_GOES_ON = const(5)  # the first format under which a round can go on after its last tile (O12)


def tap(m: "Match", slot: int, tile: int, chance: int) -> int:
    """Carry out a tap of a left-over tile (phase scoring) or the opening tile. chance: a random
    number 0..255, to choose a starter."""
    phase = m.phase
    if phase == SCORING:
        return _count(m, slot, tile)
    if phase == FINISHED:
        return NOT_NOW
    return _open(m, slot, tile, chance)


def press(m: "Match", slot: int, replayed: bool) -> int:
    """Press a slot's button. replayed: true if the input comes from the journal."""
    phase = m.phase
    if slot == E:
        return _next(m)
    plays = has(m.state, at.SEATS, slot)
    if phase == LOBBY:
        return leave(m, slot, 0) if plays else join(m, slot, 0)
    if not plays:
        return NOT_NOW
    if phase == FINISHED:
        return _next(m, slot)
    if phase == SCORING:
        return _done(m, slot, replayed)
    if not m.boneyard or not m.rounds.draws_opening(m):
        return NOT_NOW
    m.take(slot)
    m.note(slot, "drew")
    m.invalidate()
    return OK


def _next(m: "Match", by: int = 0) -> int:
    """Deal, end the match or the round, or begin a new match, depending on the phase. by: the seat
    that pressed, or 0 for E."""
    s = m.state
    did = ("dealt", "match-over", "", "round-over", "cleared")[s[at.PHASE]]
    if s[at.PHASE] == LOBBY:
        if not _may_start(m, s[at.SET]):
            return NOT_NOW
        _deal(m)
    elif s[at.PHASE] == ENGINE:
        s[at.PHASE] = FINISHED
    elif s[at.PHASE] == SCORING:
        score_round(m)
    else:  # finished: an empty lobby with the same seats
        seats = m.joined | mask(s, at.COMING)
        houses().clear_match(m)
        put(s, at.SEATS, seats)
    m.note(by, did)
    m.invalidate()
    return OK


# ---- seats ----


def _may_start(m: "Match", set_: int) -> bool:
    """Return whether the joined seats may play with a set, and whether the set has enough tiles
    for the deal (O1)."""
    seats = bits(m.joined)
    return (
        2 <= seats <= max_seats(m, set_)
        and tiles_left(m, set_, seats, m.hand_size(set_, seats)) >= 0
    )


def tiles_left(m: "Match", set_: int, seats: int, hand: int) -> int:
    """Return how many tiles of a set remain after dealing `hand` tiles to each seat; NONE if
    `hand` is NONE."""
    apart = 0 if m.rounds.opening_dealt(m) else 1
    return NONE if hand == NONE else tiles.size(set_) - apart - hand * seats


def max_seats(m: "Match", set_: int) -> int:
    """Return the maximum count of seats with a set. With a deal of the players' own, the tiles
    decide (A1); in a match begun before format 6, the sheet does."""
    if m.reading >= _SEATS_BY_DEAL and m.rounds.own_deal(m, 2):
        return MOST_SEATS
    sheets, sheet = m.sheet()
    return sheets.SEATS[sheet][tiles.SETS.index(set_)]


def join(m: "Match", seat: int, value: int) -> int:
    """Let a seat join; during a round, it plays from the next round on.

    value: 1 plus the points that the seat begins with, or 0 if none are given.

    Without given points, a seat that joins in the lobby begins with 0. Later, a seat that comes
    back gets its old points, and a new seat the worst total at the next deal. In a match begun
    before format 5, every seat without given points begins with 0.
    """
    s = m.state
    all_ = m.joined | mask(s, at.COMING)
    free = m.slots & STATIONS & ~all_
    seats = bits(all_) + 1
    if not free >> seat & 1 or seats > max_seats(m, m.set):
        return NOT_NOW
    if s[at.PHASE] != LOBBY and tiles_left(m, m.set, seats, m.hand_size(m.set, seats)) < 0:
        return NOT_NOW
    add(s, at.SEATS if s[at.PHASE] == LOBBY else at.COMING, seat)
    if value or not _may_owe(m, seat):
        m.set_points(seat, 0)
        s[at.HANDS + seat] = 0
    if value or s[at.READING] < _KEEPS_POINTS:
        m.set_total(seat, 2 * max(0, value - 1))
    if value and s[at.PHASE] != LOBBY:
        add(s, at.KEPT, seat)
    m.note(seat, "joined")
    m.invalidate()
    return OK


def _may_owe(m: "Match", seat: int) -> int:
    """Return whether the round's points of a seat that is not at the table still count (O17)."""
    return m.state[at.READING] >= _CHARGES_LEAVERS and has(m.state, at.KEPT, seat)


def leave(m: "Match", seat: int, value: int) -> int:
    """Let a seat leave, even in play. Its tiles leave the game; a hand of 1 remains as the sign
    that the seat owes the points of this round (O17)."""
    s = m.state
    phase, seats = s[at.PHASE], m.joined
    if has(s, at.COMING, seat):
        drop(s, at.COMING, seat)
        m.note(seat, "left")
        m.invalidate()
        return OK
    if not has(s, at.SEATS, seat) or (phase != LOBBY and bits(seats) < 3):
        return NOT_NOW
    m.note(seat, "left")
    drop(s, at.SEATS, seat)
    drop(s, at.FORGOT, seat)
    owes = LOBBY < phase < constants.FINISHED and not has(s, at.DONE, seat)
    s[at.HANDS + seat] = owes and s[at.READING] >= _CHARGES_LEAVERS
    if phase == LOBBY or s[at.READING] < _KEEPS_POINTS:
        m.set_total(seat, 0)
    else:
        add(s, at.KEPT, seat)
    if s[at.LAST] == seat:
        s[at.LAST] = 0
    if phase == PLAY:
        m.game.seat_left(m, seat)
        if s[at.READING] >= constants.SETS_OF_SEATS:
            drop(s, at.PASSED, seat)
            if s[at.PHASE] == PLAY and m.is_blocked:
                m.end_round(0)
        if s[at.TURN] == seat:
            m.game.end_turn(m)
    elif phase == SCORING and not m.to_count:
        score_round(m)
    m.invalidate()
    return OK


# ---- the deal and the opening tile ----


def houses() -> "ModuleType":
    """Import and return the module `houses`, which is loaded only when rule sheets are needed."""
    from roundhouse.games import houses

    return houses


def _deal(m: "Match") -> None:
    s = m.state
    seats, late = m.joined, mask(s, at.COMING)
    if s[at.READING] >= _KEEPS_POINTS:
        worst: Any = [m.total(seat) for seat in seats_of(seats)]
        worst = min(worst) if m.most_win else max(worst)
        for seat in seats_of(late & ~mask(s, at.KEPT)):
            m.set_total(seat, worst)
    seats |= late
    put(s, at.SEATS, seats)
    put(s, at.COMING, 0)
    put(s, at.KEPT, mask(s, at.KEPT) & ~late)
    houses().clear_round(m)
    s[at.PHASE] = ENGINE
    s[at.ROUND] = min(255, s[at.ROUND] + 1)
    count = bits(seats)
    hand = m.hand_size()
    # seats have left, and the sheet deals more to fewer
    while tiles_left(m, s[at.SET], count, hand) < 0:
        hand -= 1
    for seat in seats_of(seats):
        s[at.HANDS + seat] = hand
    s[at.BONEYARD] = tiles_left(m, s[at.SET], count, hand)


def _open(m: "Match", slot: int, tile: int, chance: int) -> int:
    """Lay the opening tile, which begins the round; in the lobby, deal first."""
    s, rounds = m.state, m.rounds
    lobby = s[at.PHASE] == LOBBY
    set_ = rounds.opening_set(m, tile) if lobby else s[at.SET]
    if not rounds.opening_slots(m) >> slot & 1:
        return NOT_NOW
    if lobby and not (HIGH[tile] == LOW[tile] and _may_start(m, set_)):
        return NOT_NOW
    if HIGH[tile] > set_:
        return constants.NOT_IN_SET
    if not rounds.may_open(m, tile, set_):
        return constants.NOT_AN_ENGINE
    if lobby:
        s[at.SET] = set_
        _deal(m)
    m.lay(tile)
    s[at.OPENING_TILE] = tile
    s[at.PHASE] = PLAY
    rounds.opened(m, slot, tile, chance)
    s[at.STARTER] = s[at.TURN]
    m.note(slot or s[at.TURN], "opened")
    return OK


# ---- counting ----


def _count(m: "Match", slot: int, tile: int) -> int:
    """Count a left-over tile that was tapped on its holder's station."""
    s = m.state
    if not has(s, at.SEATS, slot):
        return NOT_NOW
    if HIGH[tile] > s[at.SET]:
        return constants.NOT_IN_SET
    if m.is_laid(tile):
        return constants.ON_TABLE
    if s[at.ENDED_AT] and slot == s[at.OUT] and s[at.READING] >= _GOES_ON:
        return _go_on(m, slot)
    add(s, at.LAID, tile)
    s[at.COUNTED + slot] += 1
    m.set_points(slot, m.points(slot) + 2 * m.rounds.pips(m, tile))
    drop(s, at.DONE, slot)
    m.note(slot, "counted")
    m.invalidate()
    return OK


def _go_on(m: "Match", seat: int) -> int:
    """Continue a round that ended too early, as the seat still holds one tile (O12)."""
    s = m.state
    s[at.PHASE], s[at.TURN], s[at.LAST] = PLAY, seat, seat
    s[at.HANDS + seat] = 1
    s[at.OUT] = s[at.DONE] = s[at.DONE + 1] = 0
    s[at.DRAWN] = s[at.ENDED_DRAWN]
    s[at.FORGOT : at.FORGOT + 2] = s[at.ENDED_FORGOT : at.ENDED_POINTS]
    s[at.POINTS : at.OPENING_TILE] = s[at.ENDED_POINTS :]
    slot, tile = s[at.ENDED_AT], s[at.ENDED_TILE]
    m.note(seat, "corrected")
    m.game.after_tile(m, slot, tile)
    m.invalidate()
    return OK


def _done(m: "Match", seat: int, replayed: bool) -> int:
    """Handle a press by a seat that has counted. It must press twice if it tapped fewer tiles than
    expected."""
    s = m.state
    if has(s, at.DONE, seat):
        return NOT_NOW
    if s[at.COUNTED + seat] < s[at.HANDS + seat] < NONE and not replayed and m.asked != seat:
        m.asked = seat
        return NOT_NOW
    finish(m, seat)
    m.note(seat, "done")
    m.invalidate()
    return OK


def finish(m: "Match", seat: int) -> None:
    """Record that a seat has finished counting; after the last seat, the round ends."""
    add(m.state, at.DONE, seat)
    if not m.to_count:
        score_round(m)


def winners(m: "Match") -> int:
    """Return the mask of the seats with the best total."""
    sign = -1 if m.most_win else 1
    return lowest(m.joined, lambda seat: sign * m.total(seat))


def score_round(m: "Match") -> None:
    """Add the points of the round to the totals; then deal the next round or end the match."""
    s, seats = m.state, m.joined
    away = mask(s, at.KEPT) if s[at.READING] >= _CHARGES_LEAVERS else 0
    counted = seats | away & mask(s, at.DONE)
    put(s, at.SEATS, counted)  # who counted and then left is settled with the others
    m.rounds.settle(m)
    put(s, at.SEATS, seats)
    got = [m.points(seat) for seat in seats_of(counted)]
    for seat in seats_of(away & ~counted):
        m.set_points(seat, (min if m.most_win else max)(got) if s[at.HANDS + seat] else 0)
    for seat in seats_of(counted | away):
        m.set_total(seat, m.total(seat) + m.points(seat))
    if m.rounds.is_over(m):
        m.state[at.PHASE] = FINISHED
    else:
        _deal(m)
