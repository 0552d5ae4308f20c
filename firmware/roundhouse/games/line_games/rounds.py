# SPDX-License-Identifier: MIT
"""The line games between rounds: the opening tile, and the points of a round.

Functions over a match `m`. A point in brackets, such as (C1), names the row of an option in
`sheets`.
"""

from roundhouse.games.line_games import at
from roundhouse.games.line_games.play import after_tile
from roundhouse.games.slot_masks import bits, lowest, seats_of
from roundhouse.tiles import HIGH, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.games.match import Match

_TARGETS = (100, 200, 61, 150)  # by the value of `target`

# ---- the opening tile ----


def hand_size(m: "Match", by_sheet: int, seats: int) -> int:
    """Return the count of tiles dealt to each seat: five in some houses (X1), otherwise
    `by_sheet`."""
    return 5 if m.state[at.HAND] == at.HAND_FIVE else by_sheet


def own_deal(m: "Match", seats: int) -> int:
    """Return 0: in these games the players choose no deal."""
    return 0


def opening_slots(m: "Match") -> int:
    """Return the mask of the slots where the opening tile may be tapped: the seats."""
    return m.joined


def opening_dealt(m: "Match") -> bool:
    """Return True: the opening tile comes from a player's hand."""
    return True


def draws_opening(m: "Match") -> bool:
    """Return False: without a double, people deal again and do not tell the hub."""
    return False


def opening_set(m: "Match", tile: int) -> int:
    """Return the set chosen so far. Any double may open, so the tile does not tell the set."""
    return m.set


def may_open(m: "Match", tile: int, set_: int) -> bool:
    """Return whether a round may begin with this tile: with a double, or with any tile (X8)."""
    return HIGH[tile] == LOW[tile] or m.state[at.OPENING] == at.OPENING_ANY


def opened(m: "Match", slot: int, tile: int, chance: int) -> None:
    """Start the round after its opening tile was laid: record the places where a line may begin
    (C1, X9, W1), and move the turn on (W3)."""
    s = m.state
    high, low = HIGH[tile], LOW[tile]
    sides = s[at.DOUBLES]
    if high == low:
        s[at.ROOM] = s[at.PLACES + high] = (4, 4, 2, 1)[sides]
    else:
        s[at.ROOM] = s[at.PLACES + high] = 1
        if sides != at.DOUBLES_ONE:
            s[at.ROOM] = 2
            s[at.PLACES + low] = 1
    s[at.TURN] = slot
    s[at.LAST] = slot
    if s[at.HANDS + slot]:
        s[at.HANDS + slot] -= 1
    after_tile(m, slot, tile)


# ---- counting ----


def pips(m: "Match", tile: int) -> int:
    """Return the points of a left-over tile (T4)."""
    return HIGH[tile] + LOW[tile] if tile else 25 * m.state[at.BLANK]


def settle(m: "Match") -> None:
    """Turn the counted pips into points (C7). Only the winner gets points: for each other seat,
    that seat's pips minus the winner's. If no seat went out, the fewest pips win; T1 decides a
    tie."""
    s = m.state
    seats = m.joined
    winners = 1 << s[at.OUT] if s[at.OUT] else lowest(seats, m.points)
    count = bits(winners)
    # the seat that went out holds nothing, even if tiles were tapped there
    least = 0 if s[at.OUT] else min([m.points(seat) for seat in seats_of(seats)])
    gain = min(0xFFFF, sum([m.points(seat) - least for seat in seats_of(seats & ~winners)]))
    if count > 1 and s[at.TIE] == at.TIE_NONE:
        gain = 0
    elif s[at.TIE] == at.TIE_SHARED:
        gain //= count
    for seat in seats_of(seats):
        m.set_points(seat, gain if winners >> seat & 1 else 0)


def is_over(m: "Match") -> bool:
    """Return whether any seat has reached the target (T2)."""
    target = 2 * _TARGETS[m.state[at.TARGET]]
    return max([m.total(seat) for seat in seats_of(m.joined)]) >= target


def most_win(m: "Match") -> bool:
    """Return True: the seat with the most points wins."""
    return True


# ---- a position in words ----


def given_lines(m: "Match") -> list[str]:
    """Return []: these games need no extra `given` lines."""
    return []
