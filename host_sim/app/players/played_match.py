# SPDX-License-Identifier: MIT
"""Plays a match at a hub: deals, opens the rounds, makes the bots' moves, and counts the hands.

Everything depends only on the hub's lines, the deal and the game's bots. PlayedMatch drives
matches of bots (`bot_match`), matches with people (`session.match_session`) and lessons.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from host_sim.app.players.bot_levels import STRENGTHS, choose
from host_sim.app.players.dealt_hands import (
    Dealer,
    Hands,
    RoundTiles,
    moments_of_round,
    parse_tile,
)
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import are_trains, house_info, part, tile_rules
from host_sim.table.games.tile_rules import NO_KNOCK, Disagreement, Move, is_double
from host_sim.table.model import Moment, TableModel
from roundhouse import tiles
from roundhouse.games import houses

BEFORE_PLAY = ("joined", "chose", None)  # `did` of inputs that are not part of the play


class Waiting(NamedTuple):
    """What a match waits for.

    kind: person, knock, bot, table, round or over; see `waits_for`
    """

    kind: str
    seat: int | None


class PlayedMatch:
    """A match at a hub. Bots make the moves; the table deals, opens the rounds and counts the
    hands.

    house: as typed on the console, like "jassshop no-lock"
    set_: the highest number on the tiles
    seats: the station numbers of all players
    seed: for the deals and the bots' choices
    strength: the bots' strength, one of STRENGTHS

    standing: the Moments of all accepted inputs since play began, without those taken back
    past: the console lines of `standing`
    refused: the moves (tile, slot) refused since the last accepted input

    Raises Disagreement if the hub does not answer, or refuses a necessary input.
    """

    board: SimulatedHub
    line: ConsoleLine

    def _set_rules(
        self, house: str, set_: int, seats: Sequence[int], seed: int, strength: str = "good"
    ) -> None:
        """Set the rules and the seats. The parameters are described in the class. The caller must
        call `begin_at` next."""
        index, variants = houses.parse(house.split())
        self.house, self.set, self.seed = house, set_, seed
        self.seats = list(seats)
        self.strength = strength
        if strength not in STRENGTHS:
            raise ValueError("strength %s: choose one of %s" % (strength, ", ".join(STRENGTHS)))
        self.options = tile_rules.options_of(index, variants)
        self.sheet = house_info.sheet(index)
        self.game = house_info.game(index)
        self.trains = are_trains(self.game)
        self.dealer = self._make_dealer()
        self.table = TableModel()
        self.moments: list[Moment] = []  # the moment after each of board.lines
        self.standing: list[Moment] = []
        self.past: list[ConsoleLine] = []
        self._next_round: int | None = None  # the counted round after which to deal
        self._tiles: RoundTiles | None = None  # of the newest lines, once needed
        self.refused: set[Move] = set()
        self.players: Any = part(self.game, "bot").Players(self)

    def _make_dealer(self) -> Dealer:
        return Dealer(self.seed, self.set, self.house)

    def begin_at(self, board: SimulatedHub) -> None:
        """Play at this hub from now on. The hub's newest line is the state to begin with."""
        self.board = board
        self.line = board.inputs[-1]
        self.follow()

    def join(self) -> None:
        """Choose the rules, and join at the stations that have not joined yet."""
        self._input("house " + self.house, self.board.command("house " + self.house))
        self._input("set %d" % self.set, self.board.command("set %d" % self.set))
        for seat in self.seats:
            if str(seat) not in self.line["hands"]:
                self._input("press %d" % seat, self.board.press(str(seat)))

    # ---- inputs ----

    def _input(self, action: str, line: ConsoleLine | None) -> bool:
        """Record the hub's line about an input; return whether the hub accepted it."""
        if line is None:
            raise Disagreement("%s: the hub does not answer" % action)
        self.line = line
        self.follow()
        accepted = bool(line["verdict"] == "ok")
        if accepted:
            self.refused.clear()
        return accepted

    def follow(self) -> None:
        """Process the lines that the hub has printed since the last call."""
        for line in self.board.lines[len(self.moments) :]:
            self.moments.append(self.table.take(line))
        self.standing = [m for m in self.table.standing if m.line["did"] not in BEFORE_PLAY]
        self.past = [moment.line for moment in self.standing]
        self._tiles = None

    def tap(self, tile: int, slot: str, override: bool = False) -> bool:
        """Tap a tile on a slot; return whether the hub accepted the tap. The seat to move need not
        hold the tile.

        override: whether to hold the slot's button, so that even a tile against the rules counts
        """
        text = tiles.text(tile)
        tap = self.board.override if override else self.board.tap
        return self._input("tap %s %s" % (text, slot), tap(text, slot))

    def press(self, slot: int | str | None) -> bool:
        """Press the button of a slot (a seat's number, "M" or "E"); return whether the hub
        accepted it."""
        return self._press(slot)

    def _press(self, slot: int | str | None) -> bool:
        """Press a button; return whether the hub accepted it. Subclasses override `press`, not
        this method."""
        return self._input("press %s" % slot, self.board.press(str(slot)))

    # ---- what is on the table ----

    def round_tiles(self) -> RoundTiles | None:
        """Return the RoundTiles of the round that people see (see `round_shown`), or None before
        the first deal."""
        if self._tiles is None:
            before = Moment(self.standing[0].before if self.standing else self.line)
            moments = moments_of_round([before, *self.standing], self.round_shown())
            self._tiles = RoundTiles(self.dealer, moments) if moments else None
        return self._tiles

    def round_shown(self) -> int:
        """Return the number of the round whose tiles people see. A finished round is shown until
        the next round is dealt."""
        return int(self.line["round"] - self.shows_last_round())

    def shows_last_round(self) -> bool:
        """Return whether people see the table of a counted round: the next round has not been
        dealt, or the match is over."""
        return self._waits_for_round() or self._last_did() == "match-over"

    @property
    def hands(self) -> Hands:
        """The hands, {seat: tiles}. Left-over tiles stay until the next deal."""
        round_tiles = self.round_tiles()
        return round_tiles.hands if round_tiles else {}

    def uncounted(self, seat: int) -> list[str]:
        """Return, as texts, the tiles in a seat's hand that have not been counted yet."""
        round_tiles = self.round_tiles()
        left = round_tiles.uncounted.get(seat, []) if round_tiles else []
        return [tiles.text(tile) for tile in left]

    @property
    def is_free(self) -> bool:
        """Whether the hub enforces no rules of play, as in the house `free`."""
        return self.options.get("enforce") == "tiles"

    def chance(self) -> random.Random:
        """Return a random generator for the bots' next choice. After a take-back, the generator
        starts in the same state again, so the bots choose the same."""
        return random.Random("%s after %d" % (self.seed, len(self.past)))

    def _is_counted(self) -> bool:
        """Return whether the last round has been counted and the next round has not been dealt."""
        return self.line["phase"] == "engine" and self._last_did() in ("done", "round-over")

    def _waits_for_round(self) -> bool:
        return self._is_counted() and self._next_round != self.line["round"]

    def _last_did(self) -> str | None:
        return self.past[-1]["did"] if self.past else None

    def waits_for(self) -> Waiting:
        """Return what the match waits for, as a Waiting of one of these kinds:

        bot: a bot has to act; call `act`
        table: tiles must be dealt, laid or counted; call `act`
        round: a round has been counted; call `next_round`
        over: the match is finished
        """
        phase = self.line["phase"]
        if phase == "finished":
            return Waiting("over", None)
        if self._waits_for_round():
            return Waiting("round", None)
        if phase != "play" or self._ends_uncounted():
            return Waiting("table", None)
        return Waiting("bot", self.may_knock() or self.line["turn"])

    def next_round(self) -> None:
        """Allow the next round to be dealt, if the last one has been counted."""
        if self._is_counted():
            self._next_round = self.line["round"]
            self._tiles = None

    def may_knock(self) -> int | None:
        """Return the seat that may knock now because it has one tile left, or None."""
        if not self.trains or self.is_free or self.sheet in NO_KNOCK:
            return None
        if self.line["phase"] != "play" or self._last_did() != "laid":
            return None
        seat = self.past[-1]["by"]
        one_left = seat is not None and len(self.hands.get(seat, ())) == 1
        return seat if one_left and self.line["turn"] != seat else None

    def catchable(self) -> int | None:
        """Return the seat that has forgotten to knock and can be caught by pressing M, or None."""
        if not self.trains or self.options["penalty"] != "caught" or self.line["phase"] != "play":
            return None
        seen = set()  # seats whose last input has been checked
        too_late = False  # for a notice: another seat has moved since
        for line in reversed(self._round_lines()):
            seat = line["by"]
            forgot = line["did"] == "laid" and line["hands"][str(seat)] == 1
            if too_late and seat not in seen and forgot and line["turn"] != seat:
                return seat
            seen.add(seat)
            too_late = too_late or line["did"] in ("laid", "drew", "passed")
        return None

    # ---- what bots and the table do ----

    def act(self) -> bool:
        """Do one thing for a bot or the table: deal, open the round, lay a tile, press a button or
        count a tile. Return False if the match waits for neither."""
        waiting = self.waits_for()
        if waiting.kind not in ("bot", "table"):
            return False
        phase = self.line["phase"]
        if phase in ("lobby", "engine"):
            self._open_round()
        elif phase == "scoring":
            self._count_one()
        elif waiting.kind == "table":
            self._end_uncounted()
        elif waiting.seat == self.line["turn"]:
            assert waiting.seat is not None
            self._move(waiting.seat)
        else:
            self.press(waiting.seat)  # gives notice of its last tile
        return True

    def _open_round(self) -> None:
        """Take the next step in opening a round: deal, draw for the opening tile, or lay the
        opening tile."""
        line, dealer = self.line, self.dealer
        if dealer.engine_is_pulled:
            self._must(self.tap(dealer.engine(line["round"]), "E"))
        elif line["phase"] == "lobby":
            self._must(self.press("E"))  # tells the hub that the tiles are dealt
        else:
            tile, holder = dealer.opening(line["round"], self.hands)
            if holder:
                self._must(self.tap(tile, str(holder)))
            else:
                drawn = [one for one in self._round_lines() if one["did"] == "drew"]
                self._must(self.press(self.seats[len(drawn) % len(self.seats)]))

    def _ends_uncounted(self) -> bool:
        """If the hub counts no tiles in this house (O10), return whether the round is over.
        Otherwise return False.

        The round is over if a hand is empty, or if the stock is empty and all seats have passed
        twice. One pass each is not enough, because a train that has just been opened can let a
        seat play.
        """
        if self.line["boneyard"] is not None or self.line["phase"] != "play":
            return False
        round_tiles = self.round_tiles()
        if not round_tiles or not all(round_tiles.hands.values()):
            return round_tiles is not None
        return not round_tiles.stock and self._passes() >= 2 * len(self.seats)

    def _end_uncounted(self) -> None:
        """Press the button that ends a round in which the hub counts no tiles: the button of the
        seat that is out, or else E."""
        last = self.line["by"]
        is_out = last is not None and not self.hands.get(last, [0]) and self.line["turn"] != last
        slot = str(last) if is_out and self.line["did"] in ("laid", "knocked") else "E"
        self._must(self._press(slot))

    def _count_one(self) -> None:
        """Tap one left-over tile at its holder's station, or press the button of a seat whose
        tiles are all counted."""
        counting = [line for line in self._round_lines() if line["phase"] == "scoring"]
        done = {line["by"] for line in counting if line["did"] == "done"} | {self._out()}
        for seat in self.seats:
            left = self.uncounted(seat)
            if left:
                self._must(self.tap(parse_tile(left[0]), str(seat)))
                return
            if seat not in done:
                # the second press is for a seat that holds fewer tiles than were counted
                self._must(self.press(seat) or self.press(seat))
                return
        raise Disagreement("the hub waits for tiles that no seat holds")

    def _out(self) -> int | None:
        """Return the seat that went out first in this round, or None if no seat went out."""
        out = None
        for moment in moments_of_round(self.standing, self.line["round"]):
            line = moment.line
            if line["did"] == "corrected" and moment.gesture.tile:
                out = None  # the seat still holds a tile
            laid_last = line["did"] == "laid" and line["hands"][str(line["by"])] == 0
            if out is None and (laid_last or line["did"] == "out"):
                out = line["by"]
        return out

    def _round_lines(self) -> list[ConsoleLine]:
        return [m.line for m in moments_of_round(self.standing, self.line["round"])]

    def _must(self, accepted: bool) -> None:
        if not accepted:
            raise Disagreement("%s" % self.line)

    def _move(self, seat: int) -> None:
        if self.catchable() and self.strength != "easy":
            self._must(self.press("M"))
            return
        if self.nothing_left():
            self._must(self.press("E"))
            return
        moves = [move for move in self.moves(seat) if move not in self.refused]
        if self.is_free:
            moves = [move for move in moves if move[1] in (str(seat), "M")]
            if self.has_laid(seat):
                moves = []
        if moves:
            self.bot_lays(seat, *choose(self.players, seat, moves, self.strength, self.chance()))
        elif self.is_free and self._all_passed():
            self._must(self.press("E"))
        else:
            self.bot_draws(seat)

    def bot_lays(self, seat: int, tile: int, slot: str) -> None:
        """Lay a tile from a bot's hand, and record the move if it is refused."""
        if not self.tap(tile, slot):
            self.refused.add((tile, slot))

    def bot_draws(self, seat: int) -> None:
        """Draw a tile for a bot, or pass."""
        self._must(self.press(seat))

    def _all_passed(self) -> bool:
        """Return whether there were at least as many passes as seats since the newest tile was
        laid."""
        return self._passes() >= len(self.seats)

    def _passes(self) -> int:
        """Return the number of passes in this round since the last tile was laid."""
        passed = 0
        for line in reversed(self._round_lines()):
            if line["did"] not in ("passed", "drew"):
                break
            passed += line["did"] == "passed"
        return passed

    # ---- a seat's turn ----

    def moves(self, seat: int) -> list[Move]:
        """Return the moves (tile, slot) that look legal for the seat whose turn it is.

        Of the empty slots where a new line may begin, only one is used: the seat's own or else the
        first.
        """
        return list(self.players.moves(seat))

    def nothing_left(self) -> bool:
        """Return whether the lamps of E show that no tile fits, so that pressing E ends the
        round."""
        return self.line["phase"] == "play" and self.line["lamps"][-4:-3] == "e"

    def this_turn(self, seat: int) -> list[Moment]:
        """Return the moments of the inputs that a seat has made in its current turn, oldest
        first."""
        found: list[Moment] = []
        for moment in reversed(self.standing):
            line = moment.line
            if line["by"] == seat and line["did"] in ("opened", "laid", "drew"):
                found.insert(0, moment)
            elif line["did"] not in ("knocked", "caught", "corrected"):
                break
            if line["phase"] != "play" or line["turn"] != seat:
                break
        return [m for m in found if m.line["phase"] == "play" and m.line["turn"] == seat]

    def has_laid(self, seat: int) -> bool:
        """Return whether a seat has laid a tile in its current turn."""
        return any(moment.line["did"] == "laid" for moment in self.this_turn(seat))

    def own_doubles(self, seat: int) -> list[str]:
        """Return the slots of the doubles that a seat has laid in its current turn and that are
        still open."""
        laid = [m.gesture for m in self.this_turn(seat) if m.line["did"] == "laid"]
        slots = [gesture.slot for gesture in laid if is_double(parse_tile(gesture.tile))]
        return [slot for slot in slots if slot in self.line["doubles"]]
