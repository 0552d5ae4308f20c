# SPDX-License-Identifier: MIT
"""A match at the table: what every game shares, and inputs that change it or are refused.

A `Match` is one bytearray and some two dozen questions about it. An input goes in through `apply`
(or `tap` and `press`), a verdict comes out; a refused input changes nothing. It knows no time, no
lights and no hands: it counts what was dealt, drawn and laid. Where the games differ it asks its
`game`, a module of plain functions; `games` lists them.

Slots are numbers: 0 is the engine E, 1..10 the stations, 11 the Mexican Train M. A seat's number
is its station's number.

    >>> from roundhouse import tiles, constants
    >>> from roundhouse.games.match import Match
    >>> m = Match()
    >>> for seat in (1, 2):
    ...     _ = m.press(seat)
    >>> constants.VERDICTS[m.tap(2, tiles.double(12))]  # seat 2 lays the engine and starts
    'ok'
    >>> m.turn, m.hand(2), constants.VERDICTS[m.tap(2, tiles.tile(11, 5))]
    (2, 16, 'no-match')
"""

from roundhouse import constants, games
from roundhouse.constants import (
    LOBBY,
    NOT_NOW,
    NOT_YOUR_TURN,
    OK,
    OVERRIDE,
    PLAY,
    PRESS,
    SCORING,
    STATIONS,
    TAP,
    E,
    M,
)
from roundhouse.games.masks import add, bits, const, drop, mask, put
from roundhouse.tiles import HIGH, LOW

# ---- numbers of the state, written by `make numbers` ----
_SET = const(0)  # the set's highest number
_GAME = const(1)  # place in games.GAMES
_VARIANTS = const(2)  # mask of the house's variant words
_SHEET = const(6)  # place among the game's HOUSES
_PHASE = const(23)  # place in constants.PHASES
_ROUND = const(24)  # 0 in the lobby
_SEATS = const(26)  # mask of the seats that play
_TOTALS = const(30)  # points of the match, by seat
_POINTS = const(66)  # of this round, after scoring of the last one; two bytes each
_OPENING_TILE = const(90)  # the opening tile, or NONE. A round begins here
_TURN = const(91)  # the seat to move; 0 outside play
_BONEYARD = const(92)  # tiles left to draw
_PASSES = const(93)  # passes in a row, with an empty boneyard
_DRAWN = const(94)  # a draw was declared in this turn, and no tile laid since
_LAST = const(95)  # who laid last, until the next input
_NOTICE = const(96)  # whether that seat has given notice of its last tile
_OUT = const(97)  # who went out
_OPEN = const(98)  # mask of the lines that carry a marker or are everybody's
_BEGUN = const(100)  # mask of the lines with a tile
_FORGOT = const(102)  # mask of the seats that forgot the notice and can be caught
_DONE = const(104)  # mask of the seats that have counted
_END = const(106)  # the number the next tile of a slot must match
_END2 = const(118)  # a second one while it is undecided, or NONE
_HANDS = const(130)  # tiles in hand, by seat
_COUNTED = const(142)  # left-over tiles tapped, by seat
_USED = const(154)  # tiles laid that show a number, by number
_LAID = const(173)  # a bit for each tile that lies on the table
_READING = const(197)  # the journal's format under which the match began: see constants.FORMAT
_OPTIONS = const(198)  # the game's: a byte for each of its rows
_USES = b"\x15\x12\x0a\x16"  # game by game: option rows, bytes of its own
# ---- end of the numbers ----


def _byte(at):
    return property(lambda match: match.state[at])


def _mask(at):
    return property(lambda match: mask(match.state, at))


def _by_slot(at):
    return lambda match, slot: match.state[at + slot]


def _uses(state):
    """Return two bytes: the option rows of a state's game, and the bytes of its own."""
    return _USES[2 * state[_GAME] : 2 * state[_GAME] + 2]


class Match:
    """One match at one table.

    house, variants: as houses.parse returns them; set_: the set's highest number, None for the
    house's own; slots: the mask of the stations the board has.
    """

    def __init__(self, house=4, variants=0, set_=None, slots=STATIONS):
        from roundhouse.games import houses  # rarely needed: until then its memory stays free

        self.state = bytearray(_OPTIONS)
        self.slots = slots | 1 << M
        self.state[_SET] = 12
        self.fined = 0  # the seat to which the last input counted a tile as a fine
        self.gain = 0  # points in play, doubled, since the hub has set it to 0
        houses.choose(self, house, variants)
        if set_:
            self.state[_SET] = set_
        houses.clear(self)

    def read_as_today(self):
        """Read what follows as this firmware means it, whichever began the match."""
        self.state[_READING] = constants.FORMAT

    def restore(self, state):
        """Take over the bytes that `state` had once."""
        self.state[:] = state
        self.load()
        self.changed()

    @property
    def kept(self):
        """The functions by which a journal keeps the state."""
        from roundhouse.games import saved_state  # rarely needed: until then its memory stays free

        return saved_state

    def load(self):
        """Take the rules of the state's game."""
        self.game = games.load(self.state[_GAME])

    @property
    def rounds(self):
        """The game's other module, for what is between rounds."""
        return games.rounds(self.state[_GAME])

    def sheet(self):
        """Return (module, name) of the rule sheet."""
        sheets = games.sheets(self.state[_GAME])
        return sheets, sheets.HOUSES[self.state[_SHEET]]

    def changed(self):
        """The state is another one: what was worked out from it is worth nothing."""
        self.targets = -1  # mask of the slots the rules open to the next tile; -1: not worked out
        self.asked = 0  # the seat whose "done" or "that was my last tile" was refused once

    def say(self, by, did):
        """An input was accepted: `by` is the seat whose it was, 0 for nobody's; `did` a word."""
        self.by = by
        self.did = did

    # ---- questions ----

    phase = _byte(_PHASE)  # LOBBY .. FINISHED
    set = _byte(_SET)  # 6, 9, 12, 15 or 18
    round = _byte(_ROUND)  # 1, 2, ...; 0 in the lobby
    opening = _byte(_OPENING_TILE)  # the tile the round began with; NONE while it does not lie
    turn = _byte(_TURN)  # the seat whose turn it is; 0 outside play
    drawn = _byte(_DRAWN)  # 1 where that seat has declared a draw since its last tile
    boneyard = _byte(_BONEYARD)  # tiles in it, as counted
    out = _byte(_OUT)  # who went out in this round; 0 where nobody did
    joined = _mask(_SEATS)  # mask of the seats that play
    begun = _mask(_BEGUN)  # mask of the lines with a tile
    to_catch = _mask(_FORGOT)  # mask of the seats that forgot the notice and can be caught
    end = _by_slot(_END)  # (slot): the number its next tile must match, or NONE
    second_end = _by_slot(_END2)  # (slot): another one while its end is undecided, or NONE
    hand = _by_slot(_HANDS)  # (seat): tiles it holds, as counted
    counted = _by_slot(_COUNTED)  # (seat): left-over tiles it has tapped in scoring

    @property
    def options(self):
        """The value of each of the game's option rows, as houses.preset has them."""
        s = self.state
        return bytes(s[_OPTIONS : _OPTIONS + _uses(s)[0]])

    @property
    def rules(self):
        """What was chosen: the bytes of game, variants, sheet and name, and the options."""
        return bytes(self.state[_GAME:_PHASE]) + self.options

    @property
    def variants(self):
        """Mask of the variant words, in the order of the game's VARIANTS."""
        return mask(self.state, _VARIANTS) | mask(self.state, _VARIANTS + 2) << 16

    @property
    def open_mask(self):
        """Mask of the lines on which everybody may play: with a marker, or begun and nobody's."""
        return mask(self.state, _OPEN) if self.state[_TURN] else 0

    @property
    def wants(self):
        """Mask of the slots that invite: where the opening tile may be laid, E or the seats; in
        play E where nothing fits any more."""
        s = self.state
        if s[_PHASE] == PLAY:
            return 1 << E if self.game.nothing_fits(self) else 0
        seats = self.joined
        if s[_PHASE] > PLAY or s[_PHASE] == LOBBY and not seats & (seats - 1):
            return 0  # one double begins the round as soon as two have joined
        return 1 << E if self.rounds.opening_slots(self) & 1 << E else seats

    @property
    def sides(self):
        """[(number, places where a line may begin), ...], highest first, or None in a game that
        has none."""
        return self.game.sides(self)

    @property
    def waiting(self):
        """Mask of the seats that have still to count; 0 outside scoring."""
        return self.joined & ~mask(self.state, _DONE) if self.state[_PHASE] == SCORING else 0

    @property
    def counts_next(self):
        """The first of them, clockwise from who went out; 0 where nobody has to."""
        seats, seat = self.waiting, self.out
        while seats and not seats >> seat & 1:
            seat = seat % 10 + 1
        return seat if seats else 0

    @property
    def plus_points(self):
        """Whether the most points win."""
        return self.rounds.most_win(self)

    @property
    def winners(self):
        """Mask of the seats that won the match; 0 until it is finished."""
        if self.state[_PHASE] != constants.FINISHED:
            return 0
        from roundhouse.games import between_rounds

        return between_rounds.winners(self)

    @property
    def due(self):
        """Slot of the double that must be closed now, or -1."""
        return self.game.due(self) if self.state[_PHASE] == PLAY else -1

    @property
    def playable(self):
        """Mask of the slots open to the seat to move: its next tile may go there if it matches.

        A train stays in it when its number is used up, but not when the last tile of its number
        is a double that may not follow now, or under an open double no double.
        """
        return self.game.playable(self) if self.state[_PHASE] == PLAY else 0

    def double(self, i):
        """Return the slot of the i-th uncovered double in closing order; -1 after the last."""
        return self.game.double(self, i) if self.state[_PHASE] == PLAY else -1

    def place(self, slot):
        """Return the place of a slot's uncovered double in the closing order, 1..11, or 0."""
        for i in range(11):
            if self.double(i) == slot:
                return i + 1
        return 0

    def points(self, seat):
        """Return a seat's points of this round while scoring, of the last one else; doubled."""
        return mask(self.state, _POINTS + 2 * seat)

    def total(self, seat):
        """Return a seat's points of the match, doubled: 51 is 25.5."""
        at = _TOTALS + 3 * seat
        return mask(self.state, at) | self.state[at + 2] << 16

    def laid(self, tile):
        """Return whether a tile lies on the table (or was counted in scoring)."""
        return self.state[_LAID + (tile >> 3)] >> (tile & 7) & 1

    def fits(self, tile):
        """Return the mask of the lines that everybody sees would take a tile."""
        return self.game.fits(self, tile) if self.state[_PHASE] == PLAY else 0

    def hand_size(self):
        """Return the tiles dealt to each of the seats that play."""
        from roundhouse.games import houses

        by_sheet = houses.dealt(*self.sheet(), self.set, bits(self.joined))
        return self.rounds.hand_size(self, by_sheet)

    # ---- inputs ----

    def apply(self, kind, slot=0, value=0, again=False):
        """Take one input of a kind TAP .. SCORE; return its verdict, OK .. FAULT.

        `again` marks one that was accepted before and is repeated from the journal, perhaps on a
        board that has lost a station since: it is judged as if all were there.
        """
        if again and self.slots != STATIONS | 1 << M:
            slots, self.slots = self.slots, -1
            self.targets = -1
            try:
                return self._apply(kind, slot, value, True)
            finally:
                self.slots = slots
                self.targets = -1
        return self._apply(kind, slot, value, again)

    def _apply(self, kind, slot, value, again):
        self.fined = 0
        if kind == TAP:
            return self.tap(slot, value & 255, value >> 8)
        if kind == PRESS:
            return self.press(slot, again)
        if kind == OVERRIDE:
            return self.tap(slot, value & 255, value >> 8, True)
        from roundhouse.games import corrections  # rarely needed: until then its memory stays free

        return corrections.correct(self, kind, slot, value)

    def tap(self, slot, tile, chance=0, override=False):
        """Tap a tile on a slot. `chance`, 0..255, picks the starter where the hub draws one."""
        if self.state[_PHASE] == PLAY:
            return self._tap_in_play(slot, tile, override)
        from roundhouse.games import between_rounds  # not needed in play: its memory is free then

        return between_rounds.tap(self, slot, tile, chance)

    # What runs at every tap has few names: MicroPython puts a large frame on the heap.

    def _tap_in_play(self, slot, tile, override):
        s = self.state
        if slot == E:
            return NOT_NOW
        if HIGH[tile] > s[_SET]:
            return constants.NOT_IN_SET
        if s[_LAID + (tile >> 3)] >> (tile & 7) & 1:
            return constants.ON_TABLE
        verdict = OK if override else self.game.may_lay(self, slot, tile)
        if verdict == OK:
            self.moved("laid")
            self.lie(tile)
            add(s, _BEGUN, slot)
            s[_LAST] = s[_TURN]
            s[_PASSES] = 0
            if s[_HANDS + s[_TURN]]:
                s[_HANDS + s[_TURN]] -= 1
            self.game.laid(self, slot, tile)
            self.targets = -1
        return verdict

    def set_points(self, seat, points):
        """Write a seat's points of the round, doubled."""
        put(self.state, _POINTS + 2 * seat, points)

    def set_total(self, seat, total):
        """Write a seat's points of the match, doubled."""
        at = _TOTALS + 3 * seat
        put(self.state, at, total & 0xFFFF)
        self.state[at + 2] = total >> 16

    def book(self, seat, points):
        """Give a seat points in play, doubled: they are in its total at once."""
        self.gain += points
        self.set_total(seat, self.total(seat) + points)

    def lie(self, tile):
        """Note that a tile lies on the table."""
        s = self.state
        s[_LAID + (tile >> 3)] |= 1 << (tile & 7)
        high, low = HIGH[tile], LOW[tile]
        s[_USED + high] += 1
        if high != low:
            s[_USED + low] += 1

    def press(self, slot, again=False):
        """Press a slot's button; what it says depends on the phase and on whose turn it is."""
        s = self.state
        if s[_PHASE] != PLAY:
            from roundhouse.games import between_rounds

            return between_rounds.press(self, slot, again)
        if slot == E:
            self.say(0, "round-over")
            self.round_over(0)
            self.changed()
            return OK
        if slot == M:
            return self._catch()
        if not mask(s, _SEATS) >> slot & 1:
            return NOT_NOW
        verdict = self.game.press(self, slot)
        if verdict == NOT_YOUR_TURN and slot == s[_LAST]:
            verdict = self._last_tile(slot, again)
        if verdict == OK:
            self.targets = -1
            self.asked = 0
        return verdict

    # ---- play ----

    def take(self, seat):
        """A seat takes a tile from the boneyard: counted also where nothing should be left."""
        s = self.state
        s[_HANDS + seat] = min(255, s[_HANDS + seat] + 1)
        if s[_BONEYARD]:
            s[_BONEYARD] -= 1

    def next_turn(self):
        """The next seat clockwise is to move."""
        s = self.state
        seats, seat = mask(s, _SEATS), s[_TURN] % 10 + 1
        while not seats >> seat & 1:
            seat = seat % 10 + 1
        s[_TURN] = seat

    def pass_turn(self):
        """The seat to move passes; the round is blocked when all have in a row."""
        s = self.state
        s[_PASSES] += 1
        if s[_PASSES] >= bits(mask(s, _SEATS)):
            self.round_over(0)
        else:
            self.game.turn_over(self)

    def round_over(self, out):
        """The round is over; `out` is the seat that went out, 0 where nobody did. Where a game
        counts no hands the next one has been dealt then: nothing of this one may follow."""
        s = self.state
        self.stop(SCORING)
        s[_OUT] = out = s[_OUT] or out  # the first, where play went on after that
        s[_POINTS:_OPENING_TILE] = bytes(_OPENING_TILE - _POINTS)
        put(s, _DONE, 1 << out)  # and bit 0, which is no seat's, where nobody went out
        s[_HANDS + out] = 0
        if not self.game.HANDS_COUNT:
            from roundhouse.games import between_rounds

            between_rounds.end_of_round(self)

    def stop(self, phase):
        """Nobody is to move any more. FINISHED: points in play have decided the match; nobody
        counts, and hands stay what they are."""
        s = self.state
        s[_PHASE] = phase
        s[_TURN] = s[_DRAWN] = s[_LAST] = s[_NOTICE] = 0
        put(s, _FORGOT, 0)

    def moved(self, did):
        """The seat to move did something, in a word: the time for the last one's notice is over,
        and for this one's own it is too late to be caught."""
        s = self.state
        self.by = seat = s[_TURN]
        self.did = did
        self.asked = 0
        if s[_FORGOT] or s[_FORGOT + 1]:
            drop(s, _FORGOT, seat)
        last = s[_LAST]
        if last and last != seat and not s[_NOTICE] and s[_HANDS + last] == 1:
            self.game.forgot(self, last)
        s[_LAST] = s[_NOTICE] = 0

    def _last_tile(self, seat, again):
        """The seat that laid last: notice of its last tile, then "that was my last tile"; where
        more are counted it has to say so twice."""
        s = self.state
        if not s[_NOTICE]:
            s[_NOTICE] = 1
            self.say(seat, "knocked")
            return OK
        if s[_HANDS + seat] > 1 and not again and self.asked != seat:
            self.asked = seat
            return NOT_NOW
        self.say(seat, "out")
        self.round_over(seat)
        return OK

    def _catch(self):
        """Caught: the seat that forgot its notice last takes a tile."""
        s = self.state
        for i in range(1, 11):
            seat = (s[_TURN] - 1 - i) % 10 + 1
            if mask(s, _FORGOT) >> seat & 1:
                drop(s, _FORGOT, seat)
                if s[_BONEYARD]:
                    self.take(seat)
                self.say(seat, "caught")
                self.changed()
                return OK
        return NOT_NOW
