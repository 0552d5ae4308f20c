# SPDX-License-Identifier: MIT
"""The rules core: the state of a match, and inputs that change it or are refused.

A `Table` is one bytearray and some two dozen questions about it. An input goes in through `apply`
(or `tap` and `press`), a verdict comes out; a refused input changes nothing. The core knows no
time, no lights and no hands: it counts what was dealt, drawn and laid. What the rule sheets differ
in stands in `houses`, by rows; this file asks for a row and never for a house.

Slots are numbers: 0 is the engine E, 1..10 the stations, 11 the Mexican Train M. A mask has bit n
set for slot n. A seat's number is its station's number.

    >>> from roundhouse import table, tiles, words
    >>> t = table.Table()
    >>> for seat in (1, 2):
    ...     _ = t.press(seat)
    >>> words.VERDICTS[t.tap(2, tiles.double(12))]  # seat 2 lays the engine and starts
    'ok'
    >>> t.turn, t.hand(2), words.VERDICTS[t.tap(2, tiles.tile(11, 5))]
    (2, 16, 'no-match')
"""

from roundhouse import houses, tiles
from roundhouse.words import (
    BONEYARD,
    CLOSED,
    COVER_IT,
    DOUBLE_FIRST,
    DRAW,
    ENGINE,
    FINISHED,
    FORGET,
    HAND,
    JOIN,
    LEAVE,
    LOBBY,
    MARKER,
    NO_MATCH,
    NO_SECOND_DOUBLE,
    NONE,
    NOT_AN_ENGINE,
    NOT_IN_SET,
    NOT_NOW,
    NOT_YOUR_TURN,
    OK,
    ON_TABLE,
    OVERRIDE,
    OWN_FIRST,
    PLAY,
    PRESS,
    RULES,
    SCORE,
    SCORING,
    SET,
    STATIONS,
    TURN,
    M,
)

# The state, byte by byte; masks take two bytes and points of the match three, low byte first.
# Rules: the set's highest number, the house, mask of its variant words, a byte for each option.
_SET, _HOUSE, _VARIANTS, _OPTIONS = 0, 1, 2, 4
# Match: phase, round (0 in the lobby), who started last; masks of the seats that play and of those
# that join with the next round; by seat, doubled so that halves are whole: points of the match,
# and of this round while scoring, of the last one else.
_PHASE, _ROUND, _STARTER, _SEATS, _COMING, _TOTALS, _POINTS = 25, 26, 27, 28, 30, 32, 68
# Round: the engine's number, the turn, the boneyard, passes in a row with an empty boneyard;
_NUMBER, _TURN, _BONEYARD, _PASSES = range(92, 96)
# of the turn: a draw was declared and no tile laid since; what the double just laid asks for; how
# many of the open doubles were laid in this turn (the last ones), how many there are; this first
# turn is a whole train;
_DRAWN, _OWED, _OWN, _LINE, _WHOLE = range(96, 101)
# who laid last, until the next input; whether that seat has given notice; who went out; turns left
# to cover a last double, where the house grants a lap;
_LAST, _NOTICE, _OUT, _LAP = range(101, 105)
# masks: had no turn yet, train carries a marker or is everybody's, train begun, forgot the notice
# and can be caught, has counted;
_FRESH, _OPEN, _BEGUN, _FORGOT, _DONE = range(105, 115, 2)
# by slot: a train's end, and its second end after an override; slots of the uncovered doubles in
# closing order; tiles in hand and left-over tiles tapped; then tiles laid by number, and a bit for
# each tile that lies.
_END, _END2, _DOUBLES, _HANDS, _COUNTED = range(115, 175, 12)
_USED, _LAID, SIZE = 175, 194, 218

_SECOND, _THIRD = 1, 2  # values of _OWED

# Places of the options in the state, in the order of houses.OPTIONS; the first value of each is 0.
_ENGINE_FROM, _ROUNDS, _FIRST_TURN, _FIRST_TRAIN, _NOT_BEGUN = range(4, 9)
_MEXICAN, _MARKER_OPENING, _MARKER_OFF, _MARKER_LOCKED, _SECOND_TILE = range(9, 14)
_SECOND_DOUBLE, _LAST_TWO, _LAST_DOUBLE, _LOCK, _DRAWN_ELSEWHERE, _LIFT = range(14, 20)
_PENALTY, _BONEYARD_ENDS, _SCORED, _BLANK, _ENFORCE = range(20, 25)
_IN_HAND, _HIGHEST = 1, 2  # engine
_STARTER_OWN = 1  # first-turn
_ANY_TILE, _ANY_PLAY = 1, 2  # marker-off
_OPEN_ONLY, _DOUBLE_ONLY = 1, 2  # second-tile
_IF_DRAWN, _WITH_THIRD = 0, 1  # second-double
_BLANK_PIPS = (0, 25, 50)

# Corrections: kind -> bits of the phases it has a meaning in; those that need a seat that plays.
_WHEN = {
    FORGET: 31,
    DRAW: 4,
    RULES: 1,
    SET: 1,
    HAND: 14,
    BONEYARD: 14,
    TURN: 4,
    MARKER: 4,
    JOIN: 15,
    LEAVE: 15,
    SCORE: 30,
}
_OF_A_SEAT = (DRAW, HAND, TURN, MARKER, SCORE)


def _byte(i):
    return property(lambda table: table.state[i])


class Table:
    """One match at one table. `slots` is the mask of stations the board has."""

    def __init__(self, house=4, variants=0, set_=12, slots=STATIONS):
        self.state = bytearray(SIZE)
        self.slots = slots | 1 << M
        self.state[_SET] = set_
        self._rules(house, variants)
        self.clear()

    def clear(self):
        """Forget the match: an empty lobby with the same rules."""
        self.state[_PHASE:] = bytes(SIZE - _PHASE)
        self._clear_round()

    def restore(self, state):
        """Take over the SIZE bytes that `state` had once."""
        self.state[:] = state
        self._changed()

    # ---- questions ----

    phase = _byte(_PHASE)  # LOBBY .. FINISHED
    house = _byte(_HOUSE)  # place in houses.HOUSES
    set = _byte(_SET)  # 6, 9, 12, 15 or 18
    round = _byte(_ROUND)  # 1, 2, ...; 0 in the lobby
    number = _byte(_NUMBER)  # the engine's, 0..18; NONE while it does not lie
    turn = _byte(_TURN)  # the seat whose turn it is; 0 outside play
    drawn = _byte(_DRAWN)  # 1 where that seat has declared a draw since its last tile
    boneyard = _byte(_BONEYARD)  # tiles in it, as counted
    plus_points = _byte(_SCORED)  # 1 where the most points win
    out = _byte(_OUT)  # who went out in this round; 0 where nobody did
    options = property(lambda table: bytes(table.state[_OPTIONS:_PHASE]))  # as houses.preset
    variants = property(lambda table: table._mask(_VARIANTS))  # bits in the order of VARIANTS
    joined = property(lambda table: table._mask(_SEATS))  # mask of the seats that play
    begun = property(lambda table: table._mask(_BEGUN))  # mask of the trains with a tile
    # mask of the trains with a marker, and of the begun ones that are everybody's
    open_mask = property(lambda table: table._mask(_OPEN) if table.turn else 0)

    @property
    def waiting(self):
        """Mask of the seats that have still to count; 0 outside scoring."""
        return self._mask(_SEATS) & ~self._mask(_DONE) if self.state[_PHASE] == SCORING else 0

    @property
    def winners(self):
        """Mask of the seats that won the match; 0 until it is finished."""
        if self.state[_PHASE] != FINISHED:
            return 0
        sign = -1 if self.plus_points else 1
        return _lowest(self._mask(_SEATS), lambda seat: sign * self.total(seat))

    @property
    def due(self):
        """Slot of the double that must be closed now, or -1."""
        s = self.state
        due = self._lock()
        if due < 0 and self._must_cover():
            due = s[_DOUBLES + s[_LINE] - 1]
        return due if s[_PHASE] == PLAY else -1

    @property
    def playable(self):
        """Mask of the slots open to the seat to move: its next tile may go there if it matches.

        A train stays in it when its number is used up, but not when the last tile of its number
        is a double that may not follow now, or under an open double no double.
        """
        s = self.state
        if self._targets < 0:
            self._targets = self._open_to_turn() if s[_PHASE] == PLAY else 0
        mask = self._targets
        if s[_LINE] and mask & (mask - 1) and not s[_ENFORCE]:
            lock = self._lock()
            may_double = not s[_OWED] or self._may_double()
            for slot in range(1, 12):
                number = s[_END + slot]
                left = s[_SET] + 1 - s[_USED + number]
                double = not self.laid(tiles.double(number))
                takes = (left > double and lock in (-1, slot)) or (double and may_double)
                if left and not takes and s[_END2 + slot] == NONE:
                    mask &= ~(1 << slot)
        return mask

    def double(self, i):
        """Return the slot of the i-th uncovered double in closing order; -1 after the last."""
        s = self.state
        return s[_DOUBLES + i] if s[_PHASE] == PLAY and i < s[_LINE] else -1

    def place(self, slot):
        """Return the place of a slot's uncovered double in the closing order, 1..11, or 0."""
        i = 0
        while self.double(i) not in (slot, -1):
            i += 1
        return i + 1 if self.double(i) == slot else 0

    def end(self, slot):
        """Return the number the next tile on a slot must match; NONE where there is no engine."""
        return self.state[_END + slot]

    def second_end(self, slot):
        """Return the other number an override left at a train's end, or NONE."""
        return self.state[_END2 + slot]

    def hand(self, seat):
        """Return the tiles a seat holds, as counted."""
        return self.state[_HANDS + seat]

    def counted(self, seat):
        """Return the left-over tiles a seat has tapped in scoring."""
        return self.state[_COUNTED + seat]

    def points(self, seat):
        """Return a seat's points of this round while scoring, of the last one else; doubled."""
        return self._mask(_POINTS + 2 * seat)

    def total(self, seat):
        """Return a seat's points of the match, doubled: 51 is 25.5."""
        i = _TOTALS + 3 * seat
        return self._mask(i) | self.state[i + 2] << 16

    def laid(self, tile):
        """Return whether a tile lies on the table (or was counted in scoring)."""
        return self.state[_LAID + (tile >> 3)] >> (tile & 7) & 1

    def option(self, name):
        """Return the value of a rule option as its word: `option("lock")` is "yes" or "no"."""
        row = houses.index(name)
        return houses.OPTIONS[row][2].split()[self.options[row]]

    # ---- inputs ----

    def apply(self, kind, slot=0, value=0, again=False):
        """Take one input of a kind TAP .. SCORE; return its verdict, OK .. FAULT.

        `again` marks one that was accepted before and is repeated from the journal.
        """
        if kind <= OVERRIDE:
            return self.tap(slot, value & 255, value >> 8, kind == OVERRIDE)
        if kind == PRESS:
            return self.press(slot, again)
        return self._correct(kind, slot, value)

    def tap(self, slot, tile, chance=0, override=False):
        """Tap a tile on a slot. `chance`, 0..255, picks the starter where the hub draws one."""
        s = self.state
        if s[_PHASE] != PLAY:
            if s[_PHASE] == SCORING:
                return self._count(slot, tile)
            return self._lay_engine(slot, tile, chance)
        if not slot:
            return NOT_NOW
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        cell, bit = _LAID + (tile >> 3), 1 << (tile & 7)
        if high > s[_SET]:
            return NOT_IN_SET
        if s[cell] & bit:
            return ON_TABLE
        end, end2 = s[_END + slot], s[_END2 + slot]
        if not (override or s[_ENFORCE]):
            if self._targets < 0:
                self._targets = self._open_to_turn()
            if not self._targets >> slot & 1:
                return self._why_not()
            if s[_LINE] > s[_OWN] and high != low and self._lock() not in (-1, slot):
                return DOUBLE_FIRST  # only a drawn double may go elsewhere
            if high != end and low != end and high != end2 and low != end2:
                return NO_MATCH
            if high == low and s[_OWED] and not self._may_double():
                return NO_SECOND_DOUBLE
        s[cell] |= bit
        s[_USED + high] += 1
        if high != low:
            s[_USED + low] += 1
        s[_END2 + slot] = NONE
        if end == high or end2 == high:
            s[_END + slot] = low
        else:
            s[_END + slot] = high
            if high != low and end != low and end2 != low:
                s[_END2 + slot] = low  # an override: the next tile decides
        self._laid(slot, high == low)
        return OK

    def press(self, slot, again=False):
        """Press a slot's button; what it says depends on the phase and on whose turn it is."""
        s = self.state
        phase = s[_PHASE]
        if not slot:
            return self._press_engine(phase)
        if phase == LOBBY:
            kind = LEAVE if self._mask(_SEATS) >> slot & 1 else JOIN
            return self._correct(kind, slot, 0)
        if not self._mask(_SEATS) >> slot & 1:
            return NOT_NOW
        if phase == PLAY:
            return self._press_in_play(slot)
        if phase == ENGINE:
            if s[_ENGINE_FROM] != _IN_HAND or not s[_BONEYARD]:
                return NOT_NOW
            self._draw(slot)
        elif phase == FINISHED:
            return self._press_engine(phase)
        elif self._mask(_DONE) >> slot & 1:
            return NOT_NOW
        elif s[_COUNTED + slot] < s[_HANDS + slot] and not again and self._asked != slot:
            self._asked = slot  # tiles are missing: a second press is wanted
            return NOT_NOW
        else:
            self._done(slot)
        self._changed()
        return OK

    # ---- lobby and engine ----

    def _press_engine(self, phase):
        if phase == LOBBY:
            if not 2 <= _bits(self._mask(_SEATS)) <= self._most():
                return NOT_NOW
            self._deal()
        elif phase == ENGINE:
            self.state[_PHASE] = FINISHED
        elif phase == PLAY:
            self._round_over(0)
        elif phase == SCORING:
            self._end_of_round()
        else:  # after the match: an empty table with the same seats
            seats = self._mask(_SEATS) | self._mask(_COMING)
            self.clear()
            self._put(_SEATS, seats)
        self._changed()
        return OK

    def _lay_engine(self, slot, tile, chance):
        """A tile outside play and scoring: the engine, or nothing."""
        s = self.state
        number = tiles.HIGH[tile]
        double = number == tiles.LOW[tile]
        lobby = s[_PHASE] == LOBBY
        seats = self._mask(_SEATS)
        asked_for = s[_ENGINE_FROM] < _HIGHEST  # else any double will do
        where = seats if self._from_hand() else seats | 1  # E and the seats, or the seats alone
        if s[_PHASE] == FINISHED or not where >> slot & 1:
            return NOT_NOW
        set_ = s[_SET]
        if lobby:
            if asked_for and number in tiles.SETS:
                set_ = number  # the highest double chooses the set
            if not double or not 2 <= _bits(seats) <= houses.most_seats(s[_HOUSE], set_):
                return NOT_NOW
        if number > set_:
            return NOT_IN_SET
        if not double or (asked_for and number != (set_ if lobby else set_ + 1 - s[_ROUND])):
            return NOT_AN_ENGINE
        if lobby:
            s[_SET] = set_
            self._deal()
        starter = slot or s[_STARTER]
        if slot:
            s[_HANDS + slot] -= self._from_hand()
        else:  # the seat after the last starter, or in round 1 one drawn by chance
            for _ in range(1 if starter else chance % _bits(seats) + 1):
                starter = self._after(starter)
        s[_NUMBER] = number
        for i in range(_END + 1, _END2):
            s[i] = number
        s[_LAID + (tile >> 3)] |= 1 << (tile & 7)
        s[_USED + number] = 1
        s[_STARTER] = s[_TURN] = starter
        self._put(_FRESH, self._mask(_SEATS))
        s[_PHASE] = PLAY
        self._changed()
        return OK

    def _from_hand(self):
        return 1 if self.state[_ENGINE_FROM] in (_IN_HAND, _HIGHEST) else 0

    def _most(self):
        return houses.most_seats(self.state[_HOUSE], self.state[_SET])

    def _deal(self):
        """Clear the table for the next round and count out the hands."""
        s = self.state
        seats = self._mask(_SEATS) | self._mask(_COMING)
        self._put(_SEATS, seats)
        self._put(_COMING, 0)
        self._clear_round()
        s[_PHASE] = ENGINE
        s[_ROUND] = min(255, s[_ROUND] + 1)
        hand = houses.hand_size(s[_HOUSE], s[_SET], _bits(seats))
        for seat in _seats(seats):
            s[_HANDS + seat] = hand
        s[_BONEYARD] = tiles.size(s[_SET]) - hand * _bits(seats) - 1 + self._from_hand()

    def _clear_round(self):
        s = self.state
        s[_NUMBER:] = bytes(SIZE - _NUMBER)
        s[_NUMBER] = NONE
        for i in range(_END, _DOUBLES):
            s[i] = NONE
        self._changed()

    # ---- play: where the next tile may go ----

    def _lock(self):
        """Return the slot of the first binding double of earlier turns, or -1."""
        s = self.state
        if s[_LINE] > s[_OWN] and not s[_LOCK]:
            for i in range(_DOUBLES, _DOUBLES + s[_LINE] - s[_OWN]):
                if not self._lifted(s[i]):
                    return s[i]
        return -1

    def _lifted(self, slot):
        """Return whether a double binds nobody because its number is used up."""
        return self.state[_LIFT] and self._used_up(self.state[_END + slot])

    def _used_up(self, number):
        return self.state[_USED + number] > self.state[_SET]

    def _own_only(self):
        """Return whether the house wants the own train of the seat to move now."""
        s = self.state
        seat = s[_TURN]
        if s[_FIRST_TURN] and self._mask(_FRESH) >> seat & 1:
            return s[_FIRST_TURN] != _STARTER_OWN or seat == s[_STARTER]
        if not s[_NOT_BEGUN] or self._mask(_BEGUN) >> seat & 1:
            return False
        return not self._used_up(s[_NUMBER])  # else that seat could never play again

    def _eligible(self):
        """Return the mask of the trains open to the seat to move, its own doubles apart."""
        s = self.state
        own = 1 << s[_TURN]
        if (s[_FIRST_TURN] or s[_NOT_BEGUN]) and self._own_only():
            return own
        mask = own | s[_OPEN] | s[_OPEN + 1] << 8
        if not s[_MEXICAN]:
            return mask | 1 << M
        seats, begun = self._mask(_SEATS), self._mask(_BEGUN)
        if begun & own and _bits(begun & ~seats) < _bits(begun & seats):
            mask |= self.slots & ~seats  # a bonus track may be begun in any empty station
        return mask

    def _open_to_turn(self):
        """Return the mask of the trains the rules open to the next tile, whatever is left."""
        s = self.state
        if s[_ENFORCE]:
            return self.slots
        lock = self._lock()
        mask = 1 << lock if lock >= 0 else 0
        if mask and not (s[_DRAWN] and s[_DRAWN_ELSEWHERE]):
            return mask
        if not s[_OWED]:
            mask |= 1 << s[_TURN] if s[_WHOLE] else self._eligible()
        elif s[_OWED] == _SECOND and self._must_cover():
            mask |= 1 << s[_DOUBLES + s[_LINE] - 1]
        else:
            for i in range(s[_LINE] - s[_OWN], s[_LINE]):
                mask |= 1 << s[_DOUBLES + i]
            if s[_OWED] == _SECOND:
                mask |= self._mask(_OPEN) if s[_SECOND_TILE] == _OPEN_ONLY else self._eligible()
        return mask

    def _must_cover(self):
        """Return whether the next tile has to go on a double of this turn."""
        s = self.state
        if s[_OWED] == _SECOND and s[_SECOND_TILE] == _DOUBLE_ONLY:
            return not self._lifted(s[_DOUBLES + s[_LINE] - 1])
        return s[_OWED] == _THIRD

    def _why_not(self):
        """Return the verdict for a train on which the seat to move may not play."""
        s = self.state
        if self._lock() >= 0:
            return DOUBLE_FIRST
        if self._must_cover():
            return COVER_IT
        return OWN_FIRST if s[_WHOLE] and not s[_OWED] or self._own_only() else CLOSED

    def _may_double(self):
        """Return whether a second double is allowed in this turn, its place apart."""
        s = self.state
        if s[_HANDS + s[_TURN]] == 1 and (s[_LAST_TWO] or s[_SECOND_DOUBLE] == _WITH_THIRD):
            return s[_LAST_TWO]
        if s[_SECOND_DOUBLE] == _IF_DRAWN:
            return s[_DRAWN]
        return s[_SECOND_DOUBLE] == _WITH_THIRD and not s[_DRAWN]

    # ---- play: what follows ----

    def _laid(self, slot, double):
        """A tile was laid: what follows for markers, doubles, the hand and the turn."""
        s = self.state
        seat = s[_TURN]
        self._changed()
        self._moved()
        self._add(_BEGUN, slot)
        s[_LAST] = seat
        s[_PASSES] = 0
        if not self._mask(_SEATS) >> slot & 1:
            self._add(_OPEN, slot)  # a train that is nobody's is everybody's
        elif slot == seat or s[_MARKER_OFF] == _ANY_TILE:
            self._drop(_OPEN, slot)
        if s[_MARKER_OFF] == _ANY_PLAY:
            self._drop(_OPEN, seat)
        self._close(slot)
        if double:
            s[_DOUBLES + s[_LINE]] = slot
            s[_LINE] += 1
            s[_OWN] += 1
        if s[_HANDS + seat]:
            s[_HANDS + seat] -= 1
        if not s[_HANDS + seat]:
            if s[_LAP] or not (double and s[_LAST_DOUBLE]):
                self._round_over(seat)
                return
            s[_OUT], s[_LAP] = seat, _bits(self._mask(_SEATS))
        elif s[_ENFORCE]:
            return  # the turn moves on a press
        elif double:
            third = s[_OWED] and s[_SECOND_DOUBLE] == _WITH_THIRD and not s[_DRAWN]
            s[_OWED], s[_DRAWN] = _THIRD if third else _SECOND, 0
            return
        elif s[_FIRST_TRAIN] and slot == seat and self._mask(_FRESH) >> seat & 1:
            s[_WHOLE], s[_OWED], s[_DRAWN] = 1, 0, 0
            return
        self._turn_over()

    def _close(self, slot):
        """Take the double on a slot out of the line, if one lies there."""
        s = self.state
        for i in range(s[_LINE]):
            if s[_DOUBLES + i] == slot:
                if i >= s[_LINE] - s[_OWN]:
                    s[_OWN] -= 1
                s[_LINE] -= 1
                s[_DOUBLES + i : _HANDS - 1] = s[_DOUBLES + i + 1 : _HANDS]
                return

    def _moved(self):
        """The seat to move did something: the time for the last one's notice is over."""
        s = self.state
        last = s[_LAST]
        if last and last != s[_TURN] and s[_PENALTY] and not s[_NOTICE] and s[_HANDS + last] == 1:
            self._add(_FORGOT, last)
        s[_LAST] = s[_NOTICE] = 0

    def _turn_over(self):
        s = self.state
        seat = s[_TURN]
        s[_DRAWN] = s[_OWED] = s[_OWN] = s[_WHOLE] = 0
        self._drop(_FRESH, seat)
        over = s[_BONEYARD_ENDS] and not s[_BONEYARD]
        if s[_LAP]:
            s[_LAP] -= 1
            over = over or not (s[_LAP] and s[_LINE])
        if over:
            self._round_over(0)
            return
        s[_TURN] = self._after(seat)
        self._drop(_FORGOT, s[_TURN])

    def _after(self, seat):
        """Return the next seat clockwise."""
        seats = self._mask(_SEATS)
        while True:
            seat = seat + 1 if seat < 10 else 1
            if seats >> seat & 1:
                return seat

    def _press_in_play(self, seat):
        s = self.state
        if s[_ENFORCE]:
            s[_TURN] = self._after(seat) if seat == s[_TURN] else seat
            s[_DRAWN] = s[_OWN] = s[_LAST] = 0
        elif seat == s[_TURN]:
            if s[_OWED] == _THIRD:
                return COVER_IT
            self._moved()
            if s[_WHOLE] and not s[_OWED]:
                self._turn_over()  # the first train is as long as it gets
            elif s[_DRAWN] or not s[_BONEYARD]:
                self._pass(seat)
            else:
                self._draw(seat)
        elif seat == s[_LAST]:
            if s[_NOTICE]:
                self._round_over(seat)
            s[_NOTICE] = s[_PHASE] == PLAY
        elif not (s[_PENALTY] and self._catch(seat)):
            return NOT_YOUR_TURN
        self._changed()
        return OK

    def _draw(self, seat):
        s = self.state
        s[_HANDS + seat] = min(NONE, s[_HANDS + seat] + 1)
        s[_BONEYARD] = max(0, s[_BONEYARD] - 1)
        if seat == s[_TURN] and not s[_ENFORCE]:
            s[_DRAWN] = 1

    def _pass(self, seat):
        s = self.state
        s[_PASSES] = 0 if s[_BONEYARD] else s[_PASSES] + 1
        opening = not (s[_OWED] or self._mask(_BEGUN) >> seat & 1)
        if not (s[_MARKER_LOCKED] if self._lock() >= 0 else opening and s[_MARKER_OPENING]):
            self._add(_OPEN, seat)
        if s[_PASSES] >= _bits(self._mask(_SEATS)):
            self._round_over(0)  # blocked
        else:
            self._turn_over()

    def _catch(self, catcher):
        """A seat calls "caught!": the last other one that forgot its notice takes a tile."""
        for i in range(1, 10):
            seat = (self.state[_TURN] - 1 - i) % 10 + 1
            if self._mask(_FORGOT) >> seat & 1 and seat != catcher:
                self._drop(_FORGOT, seat)
                if self.state[_BONEYARD]:
                    self._draw(seat)
                return True
        return False

    # ---- scoring ----

    def _round_over(self, out):
        """The round is over; `out` is the seat that went out, 0 where nobody did."""
        s = self.state
        s[_PHASE] = SCORING
        s[_OUT] = out = s[_OUT] or out  # the first, where a last double could be covered
        s[_TURN] = s[_DRAWN] = s[_LAST] = s[_NOTICE] = 0
        s[_POINTS:_NUMBER] = bytes(_NUMBER - _POINTS)
        self._put(_DONE, 1 << out)  # and bit 0, which is no seat's, where nobody went out
        s[_HANDS + out] = 0

    def _count(self, slot, tile):
        """A left-over tile on its holder's station."""
        s = self.state
        if not self._mask(_SEATS) >> slot & 1:
            return NOT_NOW
        if tiles.HIGH[tile] > s[_SET]:
            return NOT_IN_SET
        if self.laid(tile):
            return ON_TABLE
        s[_LAID + (tile >> 3)] |= 1 << (tile & 7)
        s[_COUNTED + slot] += 1
        pips = tiles.HIGH[tile] + tiles.LOW[tile] if tile else _BLANK_PIPS[s[_BLANK]]
        self._put(_POINTS + 2 * slot, self.points(slot) + 2 * pips)
        self._drop(_DONE, slot)
        self._changed()
        return OK

    def _done(self, seat):
        self._add(_DONE, seat)
        if not self.waiting:
            self._end_of_round()

    def _end_of_round(self):
        """Everybody has counted: points to the totals, then the next round or the end."""
        s = self.state
        seats = self._mask(_SEATS)
        if s[_SCORED]:  # plus points: who went out, or who holds least, wins what the others hold
            winners = 1 << s[_OUT] if s[_OUT] else _lowest(seats, self.points)
            held = sum([self.points(seat) for seat in _seats(seats & ~winners)])
            for seat in _seats(seats):
                won = held // _bits(winners) if winners >> seat & 1 else 0
                self._put(_POINTS + 2 * seat, won)
        for seat in _seats(seats):
            self._set_total(seat, self.total(seat) + self.points(seat))
        if s[_ROUND] > s[_SET] and (not s[_ROUNDS] or s[_ENGINE_FROM] < _HIGHEST):
            s[_PHASE] = FINISHED
        else:
            self._deal()

    # ---- corrections ----

    def _correct(self, kind, slot, value):
        """What is neither tap nor press: cards, console commands, a draw with E held down."""
        s = self.state
        phase = s[_PHASE]
        seats = self._mask(_SEATS)
        if not _WHEN[kind] >> phase & 1 or (kind in _OF_A_SEAT and not seats >> slot & 1):
            return NOT_NOW
        if kind == FORGET:
            if phase == LOBBY and not seats:
                return NOT_NOW
            self.clear()
        elif kind == DRAW:
            if slot != s[_TURN]:
                return NOT_YOUR_TURN
            if s[_OWED] == _THIRD:
                return COVER_IT
            self._moved()
            self._draw(slot)
        elif kind == RULES:
            self._rules(slot, value)
        elif kind == SET:
            s[_SET] = value
        elif kind == JOIN:
            all_ = seats | self._mask(_COMING)
            if not (self.slots & STATIONS & ~all_) >> slot & 1 or _bits(all_) >= self._most():
                return NOT_NOW
            self._add(_SEATS if phase == LOBBY else _COMING, slot)
            self._put(_POINTS + 2 * slot, 0)
            self._set_total(slot, 0)
        elif kind == LEAVE:
            return self._leave(slot, seats, phase)
        elif kind == HAND and phase == PLAY and not value:
            return NOT_NOW  # a hand becomes empty by laying its last tile
        elif kind in (HAND, BONEYARD):
            s[_HANDS + slot if kind == HAND else _BONEYARD] = value
        elif kind == TURN:
            s[_TURN] = slot
            s[_DRAWN] = s[_OWED] = s[_OWN] = s[_WHOLE] = s[_LAST] = s[_NOTICE] = 0
            self._drop(_FORGOT, slot)
        elif kind == MARKER:
            self._put(_OPEN, self._mask(_OPEN) ^ 1 << slot)
        elif phase == SCORING:  # SCORE: a hand counted by its holder
            self._put(_POINTS + 2 * slot, 2 * value)
            self._done(slot)
        elif s[_ROUND] < 2 and phase != FINISHED:
            return NOT_NOW  # no round has been scored yet
        else:
            self._set_total(slot, self.total(slot) - self.points(slot) + 2 * value)
            self._put(_POINTS + 2 * slot, 2 * value)
        self._changed()
        return OK

    def _leave(self, seat, seats, phase):
        """A seat leaves: its hand is out of play, its train everybody's, turns skip it."""
        s = self.state
        if self._mask(_COMING) >> seat & 1:
            self._drop(_COMING, seat)
            return OK
        if not seats >> seat & 1 or (phase != LOBBY and _bits(seats) < 3):
            return NOT_NOW
        self._drop(_SEATS, seat)
        self._drop(_FORGOT, seat)
        s[_HANDS + seat] = 0
        self._set_total(seat, 0)
        if s[_LAST] == seat:
            s[_LAST] = 0
        if phase == PLAY:
            self._add(_OPEN, seat)
            if s[_TURN] == seat:
                self._turn_over()
        elif phase == SCORING and not self.waiting:
            self._end_of_round()
        self._changed()
        return OK

    # ---- bytes ----

    def _rules(self, house, variants):
        self.state[_HOUSE] = house
        self._put(_VARIANTS, variants)
        self.state[_OPTIONS:_PHASE] = houses.preset(house, variants)

    def _changed(self):
        self._targets = -1  # worked out when it is asked for
        self._asked = 0  # the seat whose early "done" was refused once

    def _mask(self, i):
        return self.state[i] | self.state[i + 1] << 8

    def _put(self, i, mask):
        self.state[i] = mask & 255
        self.state[i + 1] = mask >> 8

    def _add(self, i, slot):
        self.state[i + (slot >> 3)] |= 1 << (slot & 7)

    def _drop(self, i, slot):
        self.state[i + (slot >> 3)] &= ~(1 << (slot & 7)) & 255

    def _set_total(self, seat, total):
        self._put(_TOTALS + 3 * seat, total & 0xFFFF)
        self.state[_TOTALS + 3 * seat + 2] = total >> 16


def _seats(mask):
    """Yield the seats 1..10 of a mask."""
    for seat in range(1, 11):
        if mask >> seat & 1:
            yield seat


def _bits(mask):
    """Return how many bits of a mask are set."""
    return bin(mask).count("1")


def _lowest(seats, key):
    """Return the mask of those of the seats whose key is lowest."""
    low = min([key(seat) for seat in _seats(seats)])
    return sum([1 << seat for seat in _seats(seats) if key(seat) == low])
