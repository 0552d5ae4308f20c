# SPDX-License-Identifier: MIT
"""The line games between rounds: the opening tile, and what is counted when a round is over.

As `lines`, which is the game in play: plain functions over a match `m`. A point like (C1) names
an option's row.
"""

from roundhouse.games.line_games.play import after
from roundhouse.games.masks import bits, const, lowest, seats_of
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make numbers` ----
_TURN = const(91)  # the seat to move; 0 outside play
_LAST = const(95)  # who laid last, until the next input
_OUT = const(97)  # who went out
_HANDS = const(130)  # tiles in hand, by seat
_ROOM = const(208)  # places where a line may still begin
_PLACES = const(211)  # places where a line may still begin, by number
_DOUBLES = const(198)  # C13
_DOUBLES_ONE = const(3)
_OPENING = const(201)  # X8
_OPENING_ANY = const(1)
_TARGET = const(204)  # T2
_TIE = const(205)  # T1
_TIE_NONE = const(0)
_TIE_SHARED = const(1)
_HAND = const(206)  # X1
_HAND_FIVE = const(1)
_BLANK = const(207)  # T4
# ---- end of the numbers ----

_TARGETS = (100, 200, 61, 150)  # by the value of `target`

# ---- the opening tile ----


def hand_size(m, by_sheet):
    """Return the tiles dealt to a seat: what the sheet says, or five (X1)."""
    return 5 if m.state[_HAND] == _HAND_FIVE else by_sheet


def opening_slots(m):
    """Return the mask of the slots where it may be tapped: its holder's own station."""
    return m.joined


def opening_is_dealt(m):
    """The opening tile comes from a hand."""
    return True


def draws_for_opening(m):
    """Where nobody has a double the tiles are mixed and dealt again: no input says so."""
    return False


def opening_set(m, tile):
    """Return the set: the opening tile does not choose it, since it may be any double."""
    return m.set


def may_open(m, tile, set_):
    """Return whether a round may begin with a tile: a double, or any (X8)."""
    return HIGH[tile] == LOW[tile] or m.state[_OPENING] == _OPENING_ANY


def opened(m, slot, tile, chance):
    """The opening tile lies: its places are free (C1, X9, W1), and its layer has had its turn,
    unless a double earns another one (W3)."""
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
    after(m, high == low)


# ---- counting ----


def pips(m, tile):
    """Return the points of a left-over tile (T4)."""
    return HIGH[tile] + LOW[tile] if tile else 25 * m.state[_BLANK]


def settle(m):
    """Turn the pips that were counted into points: who went out, or who holds least, gets what
    each of the others holds above its own (C7); where several hold least see T1."""
    s = m.state
    seats = m.joined
    winners = 1 << s[_OUT] if s[_OUT] else lowest(seats, m.points)
    count = bits(winners)
    # who went out holds nothing, whatever was tapped there
    least = 0 if s[_OUT] else min([m.points(seat) for seat in seats_of(seats)])
    gain = sum([m.points(seat) - least for seat in seats_of(seats & ~winners)])
    if count > 1 and s[_TIE] == _TIE_NONE:
        gain = 0
    elif s[_TIE] == _TIE_SHARED:
        gain //= count
    for seat in seats_of(seats):
        m.set_points(seat, gain if winners >> seat & 1 else 0)


def is_over(m):
    """Return whether a seat's points have reached the target (T2)."""
    target = 2 * _TARGETS[m.state[_TARGET]]
    return max([m.total(seat) for seat in seats_of(m.joined)]) >= target


def most_win(m):
    """The most points win."""
    return True


# ---- a position in words ----


def given(m):
    """Nothing is given of these games alone."""
    return []
