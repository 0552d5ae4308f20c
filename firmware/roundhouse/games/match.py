# SPDX-License-Identifier: MIT
"""A match at the table: what all games share, and `apply`, through which inputs change a match.

A `Match` is one bytearray, `state`, with methods to question it. `apply` (or `tap` and `press`)
takes an input and returns a verdict; a refused input changes nothing. A match knows nothing of
time or lights. It does not know which tiles are in a hand: it only counts tiles. Where games
differ, it calls a function of `game` or `rounds`, see the docstring of `games`.

The state holds everything that survives a power cut, so matches are saved, undone and compared as
bytes. `fields` declares its layout; `at` names the offsets. Points are doubled, so that half
points are whole numbers.

Slots: 0 is the engine E, 1 to MOST_SEATS the stations, M the Mexican Train. A seat has its
station's number.

    >>> from roundhouse import constants, tiles
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
    MOST_SEATS,
    NONE,
    NOT_NOW,
    NOT_YOUR_TURN,
    OK,
    OVERRIDE,
    PLAY,
    PRESS,
    SCORING,
    SETS_OF_SEATS,
    STATIONS,
    TAP,
    E,
    M,
)
from roundhouse.games import at
from roundhouse.games.slot_masks import add, bits, drop, mask, put
from roundhouse.tiles import HIGH, LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from roundhouse.games import _Play, _Rounds, _Sheets


def _byte(offset: int) -> "Any":
    return property(lambda match: match.state[offset])


def _mask(offset: int) -> "Any":
    return property(lambda match: mask(match.state, offset))


def _by_slot(offset: int) -> "Any":
    return lambda self, slot: self.state[offset + slot]


def _uses(state: bytearray) -> bytes:
    """Return (count of options, bytes of the game's own fields) for the game of a state."""
    return at.USES[2 * state[at.GAME] : 2 * state[at.GAME] + 2]


class Match:
    """One match at one table.

    house, variants: as houses.parse returns them.
    set_: the highest number of the set, or None for the house's usual set.
    slots: a mask of the stations that the board has.
    has_engine: whether the board's E has a reader and a button.

    After an accepted input:

    by: the seat that made the input, or 0.
    did: the console's word for what the seat did.
    fined: the seat that got a tile as a penalty, or 0.
    """

    by: int
    did: str
    game: "_Play"
    targets: int
    asked: int

    def __init__(
        self,
        house: int = 4,
        variants: int = 0,
        set_: int | None = None,
        slots: int = STATIONS,
        has_engine: bool = True,
    ) -> None:
        from roundhouse.games import houses  # here, not above: it stays out of memory in play

        self.state = bytearray(at.OPTIONS)
        self.slots: int = slots | 1 << M
        self.engine_slot: int = has_engine << E  # a mask
        self.state[at.SET] = 12
        self.fined = 0
        self.gain = 0  # points awarded during play, doubled, since the hub last set it to 0
        houses.choose(self, house, variants)
        if set_:
            self.state[at.SET] = set_
        houses.clear_match(self)

    def new_format(self) -> None:
        """Judge all later inputs by the current rules, also in a match begun under older
        firmware."""
        self.state[at.READING] = constants.FORMAT

    def restore(self, state: bytes | bytearray) -> None:
        self.state[:] = state
        self.load_game()
        self.invalidate()

    @property
    def saved_state(self) -> "ModuleType":
        """The module that packs the state for the journal and unpacks it."""
        from roundhouse.games import saved_state

        return saved_state

    def load_game(self) -> None:
        self.game = games.play(self.state[at.GAME])

    @property
    def rounds(self) -> "_Rounds":
        """The game's module for what happens between rounds."""
        return games.rounds(self.state[at.GAME])

    def sheet(self) -> "tuple[_Sheets, str]":
        """Return (module, name) of the house's rule sheet."""
        sheets = games.sheets(self.state[at.GAME])
        return sheets, sheets.HOUSES[self.state[at.SHEET]]

    def invalidate(self) -> None:
        """Drop all values cached from the state."""
        self.targets = -1  # mask of the slots open to the next tile by the rules; -1: unknown
        self.asked = 0  # the seat whose press was refused and counts when repeated

    def note(self, by: int, did: str) -> None:
        """Record the seat that made an accepted input (0: none), and a word for what it did. From
        now on, a round that ended too early cannot be continued (O15)."""
        self.by = by
        self.did = did
        if self.state[at.ENDED_AT]:
            self.state[at.ENDED_AT :] = bytes(-at.ENDED_AT)

    # ---- questions ----

    phase: int = _byte(at.PHASE)  # LOBBY .. FINISHED
    set: int = _byte(at.SET)  # 6, 9, 12, 15 or 18
    round: int = _byte(at.ROUND)  # 1, 2, ...; 0 in the lobby
    opening: int = _byte(at.OPENING_TILE)  # the tile the round began with, or NONE before that
    turn: int = _byte(at.TURN)  # the seat whose turn it is; 0 outside play
    drawn: int = _byte(at.DRAWN)  # 1 if that seat has drawn since its last tile
    boneyard: int = _byte(at.BONEYARD)  # tiles in it, as counted; NONE: not counted
    out: int = _byte(at.OUT)  # the seat that went out in this round, or 0
    joined: int = _mask(at.SEATS)  # mask of the seats that play
    begun: int = _mask(at.BEGUN)  # mask of the lines with a tile
    reading: int = _byte(at.READING)  # the journal's format under which the match began
    catchable: int = _mask(at.FORGOT)  # mask of the seats that forgot the notice and may be caught
    # (slot): the number its next tile must match, or NONE
    end: "Callable[[int], int]" = _by_slot(at.END)
    # (slot): the other number while either may match, or NONE
    second_end: "Callable[[int], int]" = _by_slot(at.END2)
    # (seat): tiles it holds, as counted; NONE: not counted
    hand: "Callable[[int], int]" = _by_slot(at.HANDS)
    # (seat): left-over tiles it has tapped in scoring
    counted: "Callable[[int], int]" = _by_slot(at.COUNTED)

    @property
    def options(self) -> bytes:
        """The options of the game as a preset: one byte per option (see houses.preset)."""
        s = self.state
        return bytes(s[at.OPTIONS : at.OPTIONS + _uses(s)[0]])

    @property
    def rules(self) -> bytes:
        """The chosen rules as bytes: the game, variants, sheet, name and options."""
        return bytes(self.state[at.GAME : at.PHASE]) + self.options

    @property
    def variants(self) -> int:
        """A mask of the chosen variant words; bit n: row n of the game's VARIANTS."""
        return mask(self.state, at.VARIANTS) | mask(self.state, at.VARIANTS + 2) << 16

    @property
    def open_mask(self) -> int:
        """A mask of the lines open to every seat: with a marker, or with tiles but no owner."""
        return mask(self.state, at.OPEN) if self.state[at.TURN] else 0

    @property
    def inviting(self) -> int:
        """A mask of the slots that wait for an input. Before play: those where the opening tile
        may be tapped, E or the seats. In play: E if none of the remaining tiles fits. Otherwise 0.
        A board without E never invites there.
        """
        s = self.state
        if s[at.PHASE] == PLAY:
            return self.engine_slot if self.game.nothing_fits(self) else 0
        seats = self.joined
        if s[at.PHASE] > PLAY or s[at.PHASE] == LOBBY and not seats & (seats - 1):
            return 0  # the opening tile needs two seats
        if self.lacks_tiles:
            return 0
        return self.rounds.opening_slots(self) & self.engine_slot or seats

    @property
    def lacks_tiles(self) -> bool:
        """Whether, in the lobby, the set has too few tiles to deal to the seats as the players
        chose (O1)."""
        seats = bits(self.joined)
        if self.state[at.PHASE] != LOBBY or seats < 2:
            return False
        hand = self.rounds.own_deal(self, seats)
        if not hand:
            return False
        from roundhouse.games.between_rounds import tiles_left

        return tiles_left(self, self.set, seats, hand) < 0

    @property
    def sides(self) -> list[tuple[int, int]] | None:
        """The numbers with which a new line may begin: [(number, count of free places), ...],
        highest first; None where trains begin at their own slots."""
        return self.game.sides(self)

    @property
    def is_blocked(self) -> bool:
        """Whether every seat has passed since the last tile, with an empty boneyard."""
        s = self.state
        passed, seats = mask(s, at.PASSED), self.joined
        if s[at.READING] >= SETS_OF_SEATS:
            return passed & seats == seats
        return passed >= bits(seats)

    @property
    def to_count(self) -> int:
        """A mask of the seats that still have to count; 0 outside of phase scoring."""
        return self.joined & ~mask(self.state, at.DONE) if self.state[at.PHASE] == SCORING else 0

    @property
    def next_to_count(self) -> int:
        """The next seat to count, clockwise from the seat that went out; 0 if all have counted."""
        seats, seat = self.to_count, self.out
        while seats and not seats >> seat & 1:
            seat = seat % MOST_SEATS + 1
        return seat if seats else 0

    @property
    def most_win(self) -> bool:
        """Whether the seat with the most points wins; otherwise the fewest points win."""
        return self.rounds.most_win(self)

    @property
    def winners(self) -> int:
        """A mask of the seats that won the match; 0 until the match is finished."""
        if self.state[at.PHASE] != constants.FINISHED:
            return 0
        from roundhouse.games import between_rounds

        return between_rounds.winners(self)

    @property
    def due(self) -> int:
        """The slot of the double that must be covered now, or -1."""
        return self.game.due(self) if self.state[at.PHASE] == PLAY else -1

    @property
    def playable(self) -> int:
        """A mask of the slots where the seat to move may lay a tile that matches; 0 outside of
        play. A slot counts even if all such tiles are already on the table."""
        return self.game.playable(self) if self.state[at.PHASE] == PLAY else 0

    def open_double(self, i: int) -> int:
        """Return the slot of the i-th open double in closing order, from 0; or -1."""
        return self.game.open_double(self, i) if self.state[at.PHASE] == PLAY else -1

    def rank(self, slot: int) -> int:
        """Return the position of a slot's open double in the closing order, 1 is the first; 0 if
        the slot has no open double."""
        for i in range(M):
            if self.open_double(i) == slot:
                return i + 1
        return 0

    def points(self, seat: int) -> int:
        """Return twice a seat's points: in phase scoring those of this round, otherwise those of
        the last round."""
        return mask(self.state, at.POINTS + 2 * seat)

    def total(self, seat: int) -> int:
        """Return twice a seat's points of the match: 51 means 25.5."""
        offset = at.TOTALS + 3 * seat
        return mask(self.state, offset) | self.state[offset + 2] << 16

    def is_laid(self, tile: int) -> int:
        """Return whether a tile is on the table, or was counted in phase scoring."""
        return self.state[at.LAID + (tile >> 3)] >> (tile & 7) & 1

    def fits(self, tile: int) -> int:
        """Return a mask of the lines that a tile fits and that are open to every seat; 0 outside
        of play."""
        return self.game.fits(self, tile) if self.state[at.PHASE] == PLAY else 0

    def hand_size(self, set_: int = 0, seats: int = 0) -> int:
        """Return the count of tiles dealt to each seat; NONE if unknown. set_, seats: 0 means the
        set or the count of seats of the match."""
        from roundhouse.games import houses

        seats = seats or bits(self.joined)
        by_sheet = houses.hand_size(*self.sheet(), set_ or self.set, seats)
        return self.rounds.hand_size(self, by_sheet, seats)

    # ---- inputs ----

    def apply(self, kind: int, slot: int = 0, value: int = 0, replayed: bool = False) -> int:
        """Carry out one input, TAP .. SCORE, and return the verdict, OK .. FAULT.

        replayed: true if the input comes from the journal. It is then judged as if the board had
        all stations, because the board can have lost a station since then.
        """
        if replayed and self.slots != STATIONS | 1 << M:
            slots, self.slots = self.slots, -1
            self.targets = -1
            try:
                return self._apply(kind, slot, value, True)
            finally:
                self.slots = slots
                self.targets = -1
        return self._apply(kind, slot, value, replayed)

    def _apply(self, kind: int, slot: int, value: int, replayed: bool) -> int:
        self.fined = 0
        if kind == TAP:
            return self.tap(slot, value & 255, value >> 8)
        if kind == PRESS:
            return self.press(slot, replayed)
        if kind == OVERRIDE:
            return self.tap(slot, value & 255, value >> 8, True)
        from roundhouse.games import corrections

        return corrections.correct(self, kind, slot, value)

    def tap(self, slot: int, tile: int, chance: int = 0, override: bool = False) -> int:
        """Carry out a tap of a tile on a slot. chance: a random number 0..255, to pick a starter.

        override: true to lay the tile even against the rules, in play.
        """
        if self.state[at.PHASE] == PLAY:
            return self._tap(slot, tile, override)
        from roundhouse.games import between_rounds

        return between_rounds.tap(self, slot, tile, chance)

    def _tap(self, slot: int, tile: int, override: bool) -> int:
        # Few local names: MicroPython puts a function's large frame on the heap.
        s = self.state
        if slot == E:
            return NOT_NOW
        if HIGH[tile] > s[at.SET]:
            return constants.NOT_IN_SET
        if s[at.LAID + (tile >> 3)] >> (tile & 7) & 1:
            return constants.ON_TABLE
        verdict = OK if override else self.game.may_lay(self, slot, tile)
        if verdict == OK:
            self.moved("laid")
            self.lay(tile)
            add(s, at.BEGUN, slot)
            s[at.LAST] = s[at.TURN]
            s[at.PASSED] = s[at.PASSED + 1] = 0
            if 0 < s[at.HANDS + s[at.TURN]] < NONE:
                s[at.HANDS + s[at.TURN]] -= 1
            self.game.tile_laid(self, slot, tile)
            self.targets = -1
        return verdict

    def set_points(self, seat: int, points: int) -> None:
        """Store a seat's points of the round. points: twice the points."""
        put(self.state, at.POINTS + 2 * seat, points)

    def set_total(self, seat: int, total: int) -> None:
        """Store a seat's points of the match. total: twice the points."""
        offset = at.TOTALS + 3 * seat
        put(self.state, offset, total & 0xFFFF)
        self.state[offset + 2] = total >> 16

    def award(self, seat: int, points: int) -> None:
        """Add points to a seat's total during play. points: twice the points."""
        self.gain += points
        self.set_total(seat, self.total(seat) + points)

    def lay(self, tile: int) -> None:
        s = self.state
        s[at.LAID + (tile >> 3)] |= 1 << (tile & 7)
        high, low = HIGH[tile], LOW[tile]
        s[at.USED + high] += 1
        if high != low:
            s[at.USED + low] += 1

    def press(self, slot: int, replayed: bool = False) -> int:
        s = self.state
        if s[at.PHASE] != PLAY:
            from roundhouse.games import between_rounds

            return between_rounds.press(self, slot, replayed)
        if slot == E:
            self.note(0, "round-over")
            self.end_round(0)
            self.invalidate()
            return OK
        if slot == M:
            return self._catch()
        if not s[at.SEATS + (slot >> 3)] >> (slot & 7) & 1:
            return NOT_NOW
        verdict = self.game.press(self, slot)
        if verdict == NOT_YOUR_TURN and slot == s[at.LAST]:
            verdict = self._notice(slot, replayed)
        if verdict == OK:
            self.targets = -1
            self.asked = 0
        return verdict

    # ---- play ----

    def take(self, seat: int) -> None:
        """Move a tile from the boneyard to a seat's hand. The hand grows even if the boneyard is
        empty by the hub's count. Nothing is counted if the deal is unknown (O10)."""
        s = self.state
        if s[at.BONEYARD] == NONE:
            return
        s[at.HANDS + seat] = min(NONE - 1, s[at.HANDS + seat] + 1)
        if s[at.BONEYARD]:
            s[at.BONEYARD] -= 1

    def next_turn(self) -> None:
        """Give the turn to the next seat clockwise."""
        s = self.state
        seats, seat = s[at.SEATS] | s[at.SEATS + 1] << 8, s[at.TURN] % MOST_SEATS + 1
        while not seats >> seat & 1:
            seat = seat % MOST_SEATS + 1
        s[at.TURN] = seat

    def pass_turn(self) -> None:
        """Let the seat to move pass. When all have passed in a row, the round ends."""
        s = self.state
        if s[at.READING] >= SETS_OF_SEATS:
            add(s, at.PASSED, s[at.TURN])
        else:
            s[at.PASSED] += 1  # how many passes in a row
        if self.is_blocked:
            self.end_round(0)
        else:
            self.game.end_turn(self)

    def end_round(self, out: int, slot: int = 0, tile: int = 0) -> None:
        """End the round. In a game without counting of hands, also deal the next round, so
        complete all other changes before this call.

        out: the seat that went out, or 0.
        slot, tile: the tile that ended the round, and the tile's slot; slot 0 if the round ended
            otherwise. They are kept in case the seat still holds a tile (O12).
        """
        s = self.state
        if slot and not s[at.OUT]:
            s[at.ENDED_AT], s[at.ENDED_TILE], s[at.ENDED_DRAWN] = slot, tile, s[at.DRAWN]
            s[at.ENDED_FORGOT : at.ENDED_POINTS] = s[at.FORGOT : at.FORGOT + 2]
            s[at.ENDED_POINTS :] = s[at.POINTS : at.OPENING_TILE]
        self.end_play(SCORING)
        s[at.OUT] = out = s[at.OUT] or out  # the first to go out, if play went on after that
        s[at.POINTS : at.OPENING_TILE] = bytes(at.OPENING_TILE - at.POINTS)
        put(s, at.DONE, 1 << out)  # bit 0, which is not a seat, if none went out
        if s[at.BONEYARD] != NONE:
            s[at.HANDS + out] = 0
        if not self.game.HANDS_COUNT:
            from roundhouse.games import between_rounds

            between_rounds.score_round(self)

    def end_play(self, phase: int) -> None:
        """End play. phase: SCORING, or FINISHED if points earned in play decided the match."""
        s = self.state
        s[at.PHASE] = phase
        s[at.TURN] = s[at.DRAWN] = s[at.LAST] = s[at.NOTICE] = 0
        put(s, at.FORGOT, 0)

    def moved(self, did: str) -> None:
        """Record a word for what the seat to move did. From now on it is too late for two things:

        - The seat that laid the latest tile can no longer announce its last tile; the game decides
          what a forgotten announcement costs (see `no_notice`).
        - The seat to move can no longer be caught for a forgotten announcement in an earlier turn.
        """
        s = self.state
        self.by = seat = s[at.TURN]
        self.did = did
        self.asked = 0
        if s[at.FORGOT] or s[at.FORGOT + 1]:
            drop(s, at.FORGOT, seat)
        last = s[at.LAST]
        if last and last != seat and not s[at.NOTICE] and s[at.HANDS + last] == 1:
            self.game.no_notice(self, last)
        s[at.LAST] = s[at.NOTICE] = 0

    def _notice(self, seat: int, replayed: bool) -> int:
        """Handle a press by the seat that laid the latest tile: its first press announces its last
        tile, its second press ends the round. The second press must be repeated if the hub counts
        more than one tile in its hand."""
        s = self.state
        if not s[at.NOTICE]:
            s[at.NOTICE] = 1
            self.note(seat, "knocked")
            return OK
        if 1 < s[at.HANDS + seat] < NONE and not replayed and self.asked != seat:
            self.asked = seat
            return NOT_NOW
        self.note(seat, "out")
        # before end_round, where another seat counts as out if it went out first
        if s[at.READING] >= SETS_OF_SEATS and s[at.BONEYARD] != NONE:
            s[at.HANDS + seat] = 0
        self.end_round(seat)
        return OK

    def _catch(self) -> int:
        """Let the seat that most recently forgot to announce its last tile draw a tile, if any is
        left. Return the verdict."""
        s = self.state
        for i in range(1, MOST_SEATS + 1):
            seat = (s[at.TURN] - 1 - i) % MOST_SEATS + 1
            if mask(s, at.FORGOT) >> seat & 1:
                drop(s, at.FORGOT, seat)
                if s[at.BONEYARD]:
                    self.take(seat)
                self.note(seat, "caught")
                self.invalidate()
                return OK
        return NOT_NOW
