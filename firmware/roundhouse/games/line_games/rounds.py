# SPDX-License-Identifier: MIT
"""The line games between rounds: the opening tile, and the points of a round.

Functions over a match `m`, as in `play`. A point in brackets, such as (C1), names the row of an
option in `sheets`.
"""

from roundhouse.games.line_games.play import after_tile
from roundhouse.games.slot_masks import bits, const, lowest, seats_of
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make made` ----
_TURN = const(91)  # the seat to move; 0 outside play
_LAST = const(95)  # who laid last, until the next input
_OUT = const(97)  # who went out
_HANDS = const(130)  # tiles in hand, by seat
_ROOM = const(210)  # places where a line may still begin
_PLACES = const(213)  # places where a line may still begin, by number
_DOUBLES = const(200)  # C13
_DOUBLES_ONE = const(3)
_OPENING = const(203)  # X8
_OPENING_ANY = const(1)
_TARGET = const(206)  # T2
_TIE = const(207)  # T1
_TIE_NONE = const(0)
_TIE_SHARED = const(1)
_HAND = const(208)  # X1
_HAND_FIVE = const(1)
_BLANK = const(209)  # T4
# ---- end of the numbers ----

_TARGETS = (100, 200, 61, 150)  # by the value of `target`

# ---- the opening tile ----


def hand_size(m, by_sheet, seats):
    """Return the number of tiles dealt to each of `seats` seats: always five in some houses (X1),
    otherwise `by_sheet`, the number in the rule sheet."""
    return 5 if m.state[_HAND] == _HAND_FIVE else by_sheet


def opening_slots(m):
    """Return the mask of the slots where the opening tile may be tapped: the seats."""
    return m.joined


def opening_dealt(m):
    """Return True: the opening tile comes from a player's hand."""
    return True


def draws_opening(m):
    """Return False: the seats do not draw tiles to find an opening tile. If no hand has a double,
    people shuffle and deal again without telling the hub."""
    return False


def opening_set(m, tile):
    """Return the set chosen so far. In these games any double may open a round, so the opening
    tile does not show which set is being played."""
    return m.set


def may_open(m, tile, set_):
    """Return whether a round may begin with this tile: with a double, or with any tile (X8)."""
    return HIGH[tile] == LOW[tile] or m.state[_OPENING] == _OPENING_ANY


def opened(m, slot, tile, chance):
    """Start the round after its opening tile: add the tile's places (C1, X9, W1) and move the turn
    on, unless an opening double earns another turn (W3)."""
    s = m.state
    high, low = HIGH[tile], LOW[tile]
    sides = s[_DOUBLES]
    if high == low:
        s[_ROOM] = s[_PLACES + high] = (4, 4, 2, 1)[sides]
    else:
        s[_ROOM] = s[_PLACES + high] = 1
        if sides != _DOUBLES_ONE:
            s[_ROOM] = 2
            s[_PLACES + low] = 1
    s[_TURN] = slot
    s[_LAST] = slot
    if s[_HANDS + slot]:
        s[_HANDS + slot] -= 1
    after_tile(m, slot, tile)


# ---- counting ----


def pips(m, tile):
    """Return the points of a left-over tile (T4)."""
    return HIGH[tile] + LOW[tile] if tile else 25 * m.state[_BLANK]


def settle(m):
    """Turn the counted pips into points. The seat that went out, or else the seat with the fewest
    pips, gets the difference between its own pips and those of each other seat (C7). The option T1
    decides who gets points if several seats have the fewest pips."""
    s = m.state
    seats = m.joined
    winners = 1 << s[_OUT] if s[_OUT] else lowest(seats, m.points)
    count = bits(winners)
    # the seat that went out holds nothing, even if tiles were tapped there
    least = 0 if s[_OUT] else min([m.points(seat) for seat in seats_of(seats)])
    gain = min(0xFFFF, sum([m.points(seat) - least for seat in seats_of(seats & ~winners)]))
    if count > 1 and s[_TIE] == _TIE_NONE:
        gain = 0
    elif s[_TIE] == _TIE_SHARED:
        gain //= count
    for seat in seats_of(seats):
        m.set_points(seat, gain if winners >> seat & 1 else 0)


def is_over(m):
    """Return whether any seat has reached the target (T2)."""
    target = 2 * _TARGETS[m.state[_TARGET]]
    return max([m.total(seat) for seat in seats_of(m.joined)]) >= target


def most_win(m):
    """Return True: the seat with the most points wins."""
    return True


# ---- a position in words ----


def given_lines(m):
    """Return []: a table script needs no extra `given` lines to describe a position in these
    games."""
    return []
