# SPDX-License-Identifier: MIT
"""Mexican Train between rounds: the engine, and the points of a round.

Functions over a match `m`. A point in brackets, such as (B1), names the row of an option in
`sheets`.
"""

from roundhouse import tiles
from roundhouse.constants import NONE, SETS_OF_SEATS, E, const, slot_name
from roundhouse.games.mexican_train import at
from roundhouse.games.slot_masks import bits, lowest, mask, put, seats_of
from roundhouse.tiles import HIGH, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.games.match import Match

_DEALS = const(9)  # rows of the deal; the others follow the row `engines`

# ---- the engine ----


def hand_size(m: "Match", by_sheet: int, seats: int) -> int:
    """Return the count of tiles dealt to each of `seats` seats: as the players chose (O1), or
    `by_sheet`; NONE if unknown (O2)."""
    return own_deal(m, seats) or by_sheet


def own_deal(m: "Match", seats: int) -> int:
    """Return the count of tiles that the players chose to deal to each of `seats` seats (O1); NONE
    if they deal as they like (O2); 0 if the sheet decides."""
    s = m.state
    if s[at.DEAL] == at.DEAL_ANY:
        return NONE
    if s[at.DEAL] < at.DEAL_1:
        return 0
    hand = s[at.DEAL] - at.DEAL_1 + 1
    for n in range(1, seats - 1):  # the last number holds for more seats
        hand = s[at.DEAL + n if n < _DEALS else at.ENGINES + 1 + n - _DEALS] or hand
    return hand


def opening_slots(m: "Match") -> int:
    """Return a mask of the slots where the engine may be tapped (rule points B5 and B6)."""
    return m.joined if opening_dealt(m) else m.joined | 1 << E


def opening_dealt(m: "Match") -> bool:
    """Return whether the engine comes from a player's hand and is not set aside before the deal
    (B1)."""
    return m.state[at.ENGINE] in (at.ENGINE_IN_HAND, at.ENGINE_HIGHEST)


def draws_opening(m: "Match") -> bool:
    """Return whether the seats draw tiles until one of them has the engine (B1)."""
    return m.state[at.ENGINE] == at.ENGINE_IN_HAND


def opening_set(m: "Match", tile: int) -> int:
    """Return the set that a double tapped in the lobby determines (O7), such as set 12 for 12-12,
    if the highest double must be the first engine. Otherwise return the set chosen so far."""
    s, number = m.state, HIGH[tile]
    if s[at.FIRST_ENGINE] or s[at.ENGINES] or not _is_asked_for(s):
        return m.set
    return number if number in tiles.SETS else m.set


def _is_asked_for(s: bytearray) -> bool:
    """Return whether the rules prescribe the engine of each round."""
    return s[at.ENGINE] in (at.ENGINE_PULLED, at.ENGINE_IN_HAND)


def _first(s: bytearray, set_: int) -> int:
    """Return the number of the first round's engine (O4, O5)."""
    if s[at.FIRST_ENGINE]:
        return min(set_, s[at.FIRST_ENGINE] - at.FIRST_ENGINE_0)
    return 0 if s[at.ENGINES] else set_


def may_open(m: "Match", tile: int, set_: int) -> bool:
    """Return whether a tile may be the engine of this round (B1, B3). In the order of engines, 0-0
    and the set's highest double are neighbours (O6)."""
    s = m.state
    if _is_asked_for(s):
        later = max(1, m.round) - 1
        number = _first(s, set_) + (later if s[at.ENGINES] else -later)
        if HIGH[tile] != number % (set_ + 1):
            return False
    return HIGH[tile] == LOW[tile]


def opened(m: "Match", slot: int, tile: int, chance: int) -> None:
    """Start the round after its engine was laid: every train ends in the engine's number. The seat
    that laid the engine starts. If the engine was tapped on E, the seat after the last starter
    starts, or a random seat (B5, B6)."""
    s = m.state
    for i in range(at.END + 1, at.END2):
        s[i] = HIGH[tile]
    put(s, at.FRESH, m.joined)
    s[at.TURN] = slot or s[at.STARTER]
    if slot == E:
        for _ in range(1 if s[at.STARTER] else chance % bits(m.joined) + 1):
            m.next_turn()
    elif opening_dealt(m) and 0 < s[at.HANDS + slot] < NONE:
        s[at.HANDS + slot] -= 1


# ---- counting ----


def pips(m: "Match", tile: int) -> int:
    """Return the points of a left-over tile (K2)."""
    return HIGH[tile] + LOW[tile] if tile else 25 * m.state[at.BLANK]


def settle(m: "Match") -> None:
    """Turn the counted pips into points (K6).

    If the fewest points win, each seat gets its own pips. If the most win, the seat that went out
    gets the pips of all others; if no seat went out, the seats with the fewest pips share the pips
    of the others.
    """
    if not most_win(m):
        return
    seats = m.joined
    winners = 1 << m.out if m.out else lowest(seats, m.points)
    held = sum([m.points(seat) for seat in seats_of(seats & ~winners)])
    for seat in seats_of(seats):
        m.set_points(seat, held // bits(winners) if winners >> seat & 1 else 0)


def is_over(m: "Match") -> bool:
    """Return whether the match has had all its rounds: as many as the players chose (O3), or one
    for every possible engine (B4, O5)."""
    s, rounds = m.state, m.state[at.ROUNDS]
    if rounds >= at.ROUNDS_1:
        return m.round > rounds - at.ROUNDS_1
    if _is_asked_for(s):
        first = _first(s, m.set)
        return m.round > (m.set - first if s[at.ENGINES] else first)
    return rounds == at.ROUNDS_EACH and m.round > m.set


def most_win(m: "Match") -> bool:
    """Return whether the most points win, not the fewest (K1)."""
    return m.state[at.SCORE] == at.SCORE_PLUS


# ---- a position in words ----


def given_lines(m: "Match") -> list[str]:
    """Return the `given` lines of a table script, without the word `given`, for markers, open
    doubles, first turns, and turns left to cover a last double."""
    s = m.state
    out = ["marker %d" % seat for seat in seats_of(mask(s, at.OPEN))]
    for i in range(s[at.OPEN_DOUBLES]):
        out.append("double " + slot_name(s[at.DOUBLES + i]))
    out += ["fresh %d" % seat for seat in seats_of(mask(s, at.FRESH))]
    out += ["waiting %d" % seat for seat in seats_of(mask(s, at.WAITING))]
    lap = mask(s, at.LAP)
    if lap and m.reading < SETS_OF_SEATS:
        out.append("lap %d %d" % (lap, m.out))
    elif lap:
        seats = ["%d" % seat for seat in seats_of(lap)]
        out.append("lap-of %s out %d" % (" ".join(seats), m.out))
    return out
