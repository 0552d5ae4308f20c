# SPDX-License-Identifier: MIT
"""Mexican Train between rounds: the engine, and what is counted when a round is over.

As `mexican_train`, which is the game in play: plain functions over a match `m`. A point like (B1)
names an option's row.
"""

from roundhouse import tiles
from roundhouse.constants import E, slot_name
from roundhouse.games.masks import bits, const, lowest, mask, put, seats_of
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make numbers` ----
_STARTER = const(25)  # who started last
_TURN = const(91)  # the seat to move; 0 outside play
_OPEN = const(98)  # mask of the lines that carry a marker or are everybody's
_END = const(106)  # the number the next tile of a slot must match
_END2 = const(118)  # a second one while it is undecided, or NONE
_HANDS = const(130)  # tiles in hand, by seat
_OPEN_DOUBLES = const(221)  # open doubles in all
_LAP = const(223)  # turns left in which a last double may be covered
_FRESH = const(224)  # mask of the seats that had no turn yet
_DOUBLES = const(226)  # slots of the open doubles in closing order
_ENGINE = const(198)  # B1
_ENGINE_PULLED = const(0)
_ENGINE_IN_HAND = const(1)
_ENGINE_HIGHEST = const(2)
_ROUNDS = const(199)  # B4
_ROUNDS_EACH = const(0)
_SCORE = const(216)  # K1
_SCORE_PLUS = const(1)
_BLANK = const(217)  # K2
# ---- end of the numbers ----

# ---- the engine ----


def hand_size(m, by_sheet):
    """Return the tiles dealt to a seat: what the sheet says."""
    return by_sheet


def opening_slots(m):
    """Return the mask of the slots where the engine may be tapped (B5, B6)."""
    return m.joined if opening_is_dealt(m) else m.joined | 1 << E


def opening_is_dealt(m):
    """Return whether the engine comes from a hand; else it is taken out before the deal (B1)."""
    return m.state[_ENGINE] in (_ENGINE_IN_HAND, _ENGINE_HIGHEST)


def draws_for_opening(m):
    """Return whether seats draw until somebody has the engine (B1)."""
    return m.state[_ENGINE] == _ENGINE_IN_HAND


def opening_set(m, tile):
    """Return the set that a double tapped in the lobby chooses: its own if that is its highest."""
    number = HIGH[tile]
    return number if number in tiles.SETS and _is_asked_for(m.state) else m.set


def _is_asked_for(s):
    """Return whether the rounds go down from the set's highest double; else any double will do."""
    return s[_ENGINE] in (_ENGINE_PULLED, _ENGINE_IN_HAND)


def may_open(m, tile, set_):
    """Return whether a tile is the engine of this round (B1, B3)."""
    number = HIGH[tile]
    if _is_asked_for(m.state) and number != set_ + 1 - max(1, m.round):
        return False
    return number == LOW[tile]


def opened(m, slot, tile, chance):
    """The engine lies: every train begins at its number. The seat that starts is who laid it, else
    the one after the last starter; the first one is drawn by chance (B5, B6)."""
    s = m.state
    for i in range(_END + 1, _END2):
        s[i] = HIGH[tile]
    put(s, _FRESH, m.joined)
    s[_TURN] = slot or s[_STARTER]
    if slot == E:
        for _ in range(1 if s[_STARTER] else chance % bits(m.joined) + 1):
            m.next_turn()
    elif opening_is_dealt(m):
        s[_HANDS + slot] -= 1


# ---- counting ----


def pips(m, tile):
    """Return the points of a left-over tile (K2)."""
    return HIGH[tile] + LOW[tile] if tile else 25 * m.state[_BLANK]


def settle(m):
    """Make points of the pips: where the most win, who went out or holds least gets them (K6)."""
    if not most_win(m):
        return
    seats = m.joined
    winners = 1 << m.out if m.out else lowest(seats, m.points)
    held = sum([m.points(seat) for seat in seats_of(seats & ~winners)])
    for seat in seats_of(seats):
        m.set_points(seat, held // bits(winners) if winners >> seat & 1 else 0)


def is_over(m):
    """Return whether every double has had its round (B4)."""
    return m.round > m.set and (m.state[_ROUNDS] == _ROUNDS_EACH or _is_asked_for(m.state))


def most_win(m):
    """Return whether the most points win; else the fewest do (K1)."""
    return m.state[_SCORE] == _SCORE_PLUS


# ---- a position in words ----


def given(m):
    """Return what `given` lines of a script say of this game alone, without their first word:
    markers, open doubles, first turns, the lap behind a last double."""
    s = m.state
    out = ["marker %d" % seat for seat in seats_of(mask(s, _OPEN))]
    for i in range(s[_OPEN_DOUBLES]):
        out.append("double " + slot_name(s[_DOUBLES + i]))
    out += ["fresh %d" % seat for seat in seats_of(mask(s, _FRESH))]
    if s[_LAP]:
        out.append("lap %d %d" % (s[_LAP], m.out))
    return out
