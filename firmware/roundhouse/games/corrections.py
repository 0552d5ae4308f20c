# SPDX-License-Identifier: MIT
"""Corrections of a match: cards, console commands, a draw with E held down.

People forget, mis-tap and play house rules. What a correction is stands in a row of CORRECTIONS: a
function of the match, the input's slot and its value; it returns nothing, or the verdict that it
found. A game may have rows of its own, for what the others do not know.
"""

from roundhouse import constants
from roundhouse.constants import ENGINE, FINISHED, LOBBY, NOT_NOW, NOT_YOUR_TURN, OK, PLAY, SCORING
from roundhouse.games.between_rounds import done, join, leave
from roundhouse.games.masks import const

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_TURN = const(91)  # the seat to move; 0 outside play
_BONEYARD = const(92)  # tiles left to draw
_LAST = const(95)  # who laid last, until the next input
_NOTICE = const(96)  # whether that seat has given notice of its last tile
_HANDS = const(130)  # tiles in hand, by seat
# ---- end of the numbers ----


def correct(m, kind, slot, value):
    """Carry out a correction; return the verdict."""
    correction = CORRECTIONS.get(kind) or m.game.CORRECTIONS.get(kind)
    if not correction:
        return NOT_NOW
    first, last, of_a_seat, carry_out = correction
    scoring = m.phase == SCORING
    if not first <= m.phase <= last or (of_a_seat and not m.joined >> slot & 1):
        return NOT_NOW
    verdict = carry_out(m, slot, value)
    if verdict is not None:
        return verdict
    did = "done" if kind == constants.SCORE and scoring else DID.get(kind, "corrected")
    if did:
        m.say(0 if kind in DID else slot, did)
    m.changed()
    return OK


def forget(m, slot, value):
    """The match is forgotten: an empty lobby."""
    if m.phase == LOBBY and not m.joined:
        return NOT_NOW
    from roundhouse.games import houses

    houses.clear(m)
    return None


def choose_rules(m, house, variants):
    """The match is played by another house's rules."""
    from roundhouse.games import houses

    houses.choose(m, house, variants)


def choose_set(m, slot, set_):
    m.state[_SET] = set_


def draw(m, seat, value):
    """A draw whatever the boneyard's counter says."""
    return m.game.draw(m) if seat == m.turn else NOT_YOUR_TURN


def count_hand(m, seat, count):
    """A seat holds so many tiles."""
    if m.phase != SCORING and not count:
        return NOT_NOW  # a hand becomes empty by laying its last tile
    m.state[_HANDS + seat] = count
    return None


def count_boneyard(m, slot, count):
    m.state[_BONEYARD] = count


def give_turn(m, seat, value):
    """It is this seat's turn, from its beginning."""
    s = m.state
    s[_TURN] = seat
    s[_LAST] = s[_NOTICE] = 0
    m.game.clear_turn(m)


def score(m, seat, pips):
    """While scoring a hand counted by its holder, else the points of the last round."""
    scoring = m.phase == SCORING
    if not scoring:
        if m.round < 2 and m.phase != FINISHED:
            return NOT_NOW  # no round has been scored yet
        m.set_total(seat, m.total(seat) - m.points(seat) + 2 * pips)
    m.set_points(seat, 2 * pips)
    if scoring:
        done(m, seat)
    return None


# Kind -> the first and the last phase in which it has a meaning; whether it needs a seat that
# plays; what it does.
CORRECTIONS = {
    constants.DRAW: (PLAY, PLAY, True, draw),
    constants.FORGET: (LOBBY, FINISHED, False, forget),
    constants.RULES: (LOBBY, LOBBY, False, choose_rules),
    constants.SET: (LOBBY, LOBBY, False, choose_set),
    constants.JOIN: (LOBBY, SCORING, False, join),
    constants.LEAVE: (LOBBY, SCORING, False, leave),
    constants.HAND: (ENGINE, SCORING, True, count_hand),
    constants.BONEYARD: (ENGINE, SCORING, False, count_boneyard),
    constants.TURN: (PLAY, PLAY, True, give_turn),
    constants.SCORE: (ENGINE, FINISHED, True, score),
}

# Kind -> in a word what it did, where that is another one than `corrected`; none: it says so
# itself. Nobody's acts, all of them.
DID = {
    constants.DRAW: "",
    constants.FORGET: "cleared",
    constants.RULES: "chose",
    constants.SET: "chose",
}
