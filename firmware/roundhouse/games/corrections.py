# SPDX-License-Identifier: MIT
"""Corrects a match and chooses rules: by cards, console commands, or a draw with E held down.

Each row of CORRECTIONS has a function with three parameters: the match, the input's slot and a
value. The function returns a verdict if it refuses the correction, else None. A game may add rows,
for instance for markers.
"""

from roundhouse import constants
from roundhouse.constants import (
    ENGINE,
    FINISHED,
    LOBBY,
    NONE,
    NOT_NOW,
    NOT_YOUR_TURN,
    OK,
    PLAY,
    SCORING,
    SETS_OF_SEATS,
    const,
)
from roundhouse.games import at
from roundhouse.games.between_rounds import finish, houses, join, leave
from roundhouse.games.slot_masks import has

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from roundhouse.games.match import Match


_HAS_TOTALS = const(6)  # the first format under which a total is an input


def correct(m: "Match", kind: int, slot: int, value: int) -> int:
    """Carry out a correction and return the verdict. kind: a key of CORRECTIONS."""
    correction = CORRECTIONS.get(kind) or m.game.CORRECTIONS.get(kind)
    if not correction:
        return NOT_NOW
    first, last, of_a_seat, carry_out = correction
    scoring = m.phase == SCORING
    if not first <= m.phase <= last or (of_a_seat and not has(m.state, at.SEATS, slot)):
        return NOT_NOW
    verdict = carry_out(m, slot, value)
    if verdict is not None:
        return verdict
    did = "done" if kind == constants.SCORE and scoring else DID.get(kind, "corrected")
    if did:
        m.note(0 if kind in DID else slot, did)
    m.invalidate()
    return OK


def forget(m: "Match", slot: int, value: int) -> int | None:
    """Abandon the match and return to an empty lobby with the same rules."""
    if m.phase == LOBBY and not m.joined:
        return NOT_NOW
    lobby, reading = m.phase == LOBBY, m.reading
    houses().clear_match(m)
    if lobby:  # no match has ended: the next inputs in the segment come from the same firmware
        m.state[at.READING] = reading
    return None


def choose_rules(m: "Match", house: int, variants: int) -> None:
    """Switch to another house's rules. house, variants: as houses.parse returns them."""
    houses().choose(m, house, variants)


def choose_set(m: "Match", slot: int, set_: int) -> None:
    m.state[at.SET] = set_


def draw(m: "Match", seat: int, value: int) -> int | None:
    """Let a seat draw a tile, even if the boneyard is empty by the hub's count."""
    return m.game.draw(m) if seat == m.turn else NOT_YOUR_TURN


def set_hand(m: "Match", seat: int, count: int) -> int | None:
    if m.boneyard == NONE or m.phase != SCORING and not count:
        return NOT_NOW  # uncounted (O10); a hand only becomes empty by laying its last tile
    m.state[at.HANDS + seat] = count
    return None


def set_boneyard(m: "Match", slot: int, count: int) -> int | None:
    if m.boneyard == NONE:
        return NOT_NOW  # tiles are not counted (O10)
    m.state[at.BONEYARD] = count
    return None


def set_turn(m: "Match", seat: int, value: int) -> int | None:
    """Give a seat the turn, as if the turn had just begun."""
    s = m.state
    if seat == s[at.OUT] and s[at.READING] >= SETS_OF_SEATS:
        return NOT_NOW  # it has no tiles, and the others may still cover its last double
    s[at.TURN] = seat
    s[at.LAST] = s[at.NOTICE] = 0
    m.game.clear_turn(m)
    return None


def score(m: "Match", seat: int, pips: int) -> int | None:
    """Set a seat's points. In phase scoring the points are the pips in the seat's hand. In other
    phases they are the seat's points of the last round, and the seat's total changes too. pips:
    with TOTAL set, the total itself."""
    if pips & constants.TOTAL:
        return _set_total(m, seat, pips & ~constants.TOTAL)
    scoring = m.phase == SCORING
    if not scoring:
        if m.round < 2 and m.phase != FINISHED:  # no round has been scored yet
            return NOT_NOW
        m.set_total(seat, max(0, m.total(seat) - m.points(seat) + 2 * pips))
    m.set_points(seat, 2 * pips)
    if scoring:
        finish(m, seat)
    return None


def _set_total(m: "Match", seat: int, pips: int) -> int | None:
    """Set a seat's total, between rounds and at the end. A match begun before format 6 cannot hold
    such an input."""
    if m.phase not in (ENGINE, FINISHED) or m.reading < _HAS_TOTALS:
        return NOT_NOW
    m.set_total(seat, 2 * pips)
    return None


# kind -> (first phase in which it is allowed, last one, whether its slot must be a seat that
# plays, function)
CORRECTIONS: "dict[int, tuple[int, int, bool, Callable[..., Any]]]" = {
    constants.DRAW: (PLAY, PLAY, True, draw),
    constants.FORGET: (LOBBY, FINISHED, False, forget),
    constants.RULES: (LOBBY, LOBBY, False, choose_rules),
    constants.SET: (LOBBY, LOBBY, False, choose_set),
    constants.JOIN: (LOBBY, SCORING, False, join),
    constants.LEAVE: (LOBBY, SCORING, False, leave),
    constants.HAND: (ENGINE, SCORING, True, set_hand),
    constants.BONEYARD: (ENGINE, SCORING, False, set_boneyard),
    constants.TURN: (PLAY, PLAY, True, set_turn),
    constants.SCORE: (ENGINE, FINISHED, True, score),
}

# kind -> what it did, in a word, if not `corrected`. These belong to no seat.
DID: dict[int, str] = {
    constants.DRAW: "",  # noted by the game
    constants.FORGET: "cleared",
    constants.RULES: "chose",
    constants.SET: "chose",
}
