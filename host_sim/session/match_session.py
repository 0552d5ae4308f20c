# SPDX-License-Identifier: MIT
"""A match with people and bots at a simulated hub, saved in a folder.

People act through `lay`, `press` and `take_back`; bots and the table act through `act`.
`waits_for` returns who has to act next. The session knows only what the hub's lines show.

The rules, the seats and the seed of the deals are written to the folder when the match begins. The
hands are worked out from these and from the hub's journal (see dealt_hands), so a match survives a
crash between any two writes.
"""

import json
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from host_sim.games import are_trains, house_info, part, tile_rules
from host_sim.games.tile_rules import NO_KNOCK, Disagreement, Move, is_double
from host_sim.hub import ConsoleLine, match_export
from host_sim.hub.simulated_hub import COARSE_PASS_US, SimulatedHub, configured
from host_sim.players.bot_levels import STRENGTHS, choose
from host_sim.players.dealt_hands import Dealer, Hands, RoundTiles, moments_of_round, parse_tile
from host_sim.session import match_metadata, own_sheets
from host_sim.session.durable_files import DurableFiles
from host_sim.session.match_metadata import FORMAT, JOURNAL, METADATA, utc_time
from host_sim.table.model import Moment, TableModel
from host_sim.table.player_names import clean_name, clean_names, free_name
from roundhouse import tiles
from roundhouse.games import houses

BEFORE_PLAY = ("joined", "chose", None)  # `did` of inputs that are not part of the play
OWN = ("laid", "drew", "passed", "knocked", "out")  # `did` of what a seat does itself
MOVES = (*OWN, "opened", "caught", "round-over")  # `did` of what people call a move


class Waiting(NamedTuple):
    """What a session waits for, and the seat that has to act, if any. `kind` is person, knock,
    bot, table, round or over; see `MatchSession.waits_for`."""

    kind: str
    seat: int | None


class Undo(NamedTuple):
    """An input that can be taken back or put back.

    seat: the seat that made the input, or None if no seat did
    did: what the input did, as in the hub's lines
    tile: the text of the tapped tile, or None if no tile was tapped
    slot: the name of the slot of the input, or None if it had no slot
    more: the number of other moves that are taken back or put back with it
    round: the number of the round that the table is in afterwards
    asks: whether to ask first, because other inputs are taken back or put back with it
    """

    seat: int | None
    did: str
    tile: str | None
    slot: str | None
    more: int = 0
    round: int = 0
    asks: bool = False


class MatchSession:
    """A match of people and bots.

    folder: the folder for a new match; ValueError is raised if it already has a match
    seats: the station numbers of all players
    people: the seats of people; bots have the other seats
    house: the house as typed on the console, like "jassshop no-lock"
    set_: the highest number on the tiles
    seed: the random seed for the deals and the bots' choices
    strength: the strength of the bots, one of STRENGTHS
    names: {seat: name}
    more: more entries for the metadata, such as the `family` of a table's own rule sheet

    line: the hub's newest line about an input
    board.lines: all lines of the hub, including those before the match was resumed
    past: the lines of the accepted inputs that have not been taken back
    refused: the moves (tile, slot) that the hub has refused since the last accepted input
    files.trouble: the error if the disk refuses to save the match, which then goes on unsaved

    people, names and strength may be changed during the match.
    """

    KIND = "match"  # in the metadata

    def __init__(
        self,
        folder: str | Path,
        seats: Sequence[int] = (1, 2, 3),
        people: Sequence[int] = (1,),
        house: str = "puremco",
        set_: int = 12,
        seed: int = 1,
        strength: str = "good",
        names: Mapping[int, str] | None = None,
        **more: Any,
    ) -> None:
        folder = Path(folder)
        if os.path.lexists(folder / METADATA):
            raise ValueError(
                "%s already has a match: resume it, or choose another folder" % folder
            )
        now = utc_time()
        self._set_up(
            folder,
            {
                "roundhouse": self.KIND,
                "format": FORMAT,
                "house": house,
                "set": set_,
                "seats": sorted(seats),
                "seed": seed,
                "people": sorted(people),
                "names": {str(seat): name for seat, name in (names or {}).items()},
                "strength": strength,
                "begun": now,
                "played": now,
                "order": {},
                **more,
            },
        )

    @classmethod
    def resume(cls, folder: str | Path) -> Self | None:
        """Return the match in a folder, ready to continue, or None if the folder has no match.
        Raises OSError if the match's journal cannot be read."""
        metadata = match_metadata.read(folder, cls.KIND)
        if metadata is None:
            return None
        session = cls.__new__(cls)
        session._set_up(Path(folder), metadata)
        return session

    def _set_up(self, folder: Path, metadata: dict[str, Any]) -> None:
        self.folder, self.metadata = folder, metadata
        with own_sheets.known(own_sheets.family_of(metadata)):
            self._begin(metadata)

    def _begin(self, metadata: dict[str, Any]) -> None:
        index, variants = houses.parse(metadata["house"].split())
        self.house, self.set, self.seed = metadata["house"], metadata["set"], metadata["seed"]
        self.seats = list(metadata["seats"])
        self.people = set(metadata["people"])
        self.names = {int(seat): name for seat, name in clean_names(metadata["names"]).items()}
        self.strength = metadata["strength"]
        if self.strength not in STRENGTHS:
            raise ValueError(
                "there is no strength %s; choose one of %s" % (self.strength, STRENGTHS)
            )
        self.options = tile_rules.options_of(index, variants)
        self.sheet = house_info.sheet(index)
        self.game = house_info.game(index)
        self.trains = are_trains(self.game)
        self.dealer = self._make_dealer()
        self.table = TableModel()
        self.moments: list[Moment] = []  # of the table, for each of board.lines
        self._standing: list[Moment] = []  # of inputs that still stand, after joining
        self.past: list[ConsoleLine] = []  # their lines
        self._holds: list[int] = []  # inputs in each `take_back` that can be put back
        self._knock_skipped: int | None = None  # len(past) when a notice was skipped
        self._next_round: int | None = None  # the counted round after which to deal
        self._tiles: RoundTiles | None = None  # of the newest lines, once needed
        self.refused: set[Move] = set()
        self.players: Any = part(self.game, "bot").Players(self)
        self.files = DurableFiles(self.folder, JOURNAL)
        self.save()
        kept_lines = self._kept_lines()
        self.board = self._power_on()
        self.board.lines[:0] = kept_lines
        self.line = self.board.inputs[-1]
        self.follow()
        if self.line["phase"] == "lobby":
            self._join()

    def _make_dealer(self) -> Dealer:
        return Dealer(self.seed, self.set, self.house)

    def _power_on(self) -> SimulatedHub:
        family = own_sheets.family_of(self.metadata)
        config = configured(
            HOUSE=self.house, SET=self.set, **({"FAMILY": family} if family else {})
        )
        return SimulatedHub(
            config, JOURNAL, self.seed, coarse_waits=True, files=self.files, pass_us=COARSE_PASS_US
        )

    def _kept_lines(self) -> list[ConsoleLine]:
        """Return the hub's lines of the match so far, from the saved journal, oldest first."""
        segments = self.files.segments()
        try:
            return match_export.replay(segments, whole=False) if segments else []
        except match_export.NoExport:
            return []

    def _join(self) -> None:
        """Choose the rules and join at the stations, unless this has already been done."""
        self._input("house " + self.house, self.board.command("house " + self.house))
        self._input("set %d" % self.set, self.board.command("set %d" % self.set))
        for seat in self.seats:
            if str(seat) not in self.line["hands"]:
                self._input("press %d" % seat, self.board.press(str(seat)))

    # ---- the folder and the seats ----

    def save(self) -> None:
        """Save the metadata: who sits where, and what the list of matches shows."""
        metadata = self.metadata
        metadata["people"] = sorted(self.people)
        metadata["names"] = {str(seat): name for seat, name in self.names.items()}
        metadata["strength"] = self.strength
        line = getattr(self, "line", None)
        if line:
            metadata["played"] = utc_time()
            metadata["told"] = {key: line[key] for key in ("round", "phase", "scores", "winner")}
        self.files.put(METADATA, json.dumps(metadata, indent=1).encode())

    def sit_down(self, seat: int, name: str | None = None) -> None:
        """Give a bot's seat to a person.

        name: the person's name, or None to keep the seat's name; a number is added to a name that
        another seat has
        """
        if seat not in self.seats:
            raise ValueError("seat %s is not in this match" % seat)
        self.people.add(seat)
        others = [self.names[other] for other in self.names if other != seat]
        if found := free_name(clean_name(name), others):
            self.names[seat] = found
        self.save()

    def stand_up(self, seat: int) -> None:
        """Give a person's seat to a bot, which continues with the same tiles."""
        self.people.discard(seat)
        self.save()

    # ---- inputs ----

    def _input(self, action: str, line: ConsoleLine | None) -> bool:
        """Record the hub's line about an input; return whether the hub accepted the input.

        action: the input as text
        line: the hub's line, or None if the hub printed none
        """
        if line is None:
            raise Disagreement("%s: the hub does not answer" % action)
        self.line = line
        self.follow()
        if line["verdict"] != "ok":
            return False
        if line["did"] not in ("took-back", "put-back", "showed", *BEFORE_PLAY):
            self._holds.clear()
        self.refused.clear()
        return True

    def follow(self) -> None:
        """Process the lines that the hub has printed since the last call."""
        for line in self.board.lines[len(self.moments) :]:
            self.moments.append(self.table.take(line))
        self._standing = [m for m in self.table.standing if m.line["did"] not in BEFORE_PLAY]
        self.past = [moment.line for moment in self._standing]
        self._tiles = None

    def rest(self, ms: float) -> None:
        """Let the simulated hub run for `ms` milliseconds, so that its lamps come to rest; then
        ask the hub for its state."""
        self.board.pause(ms)
        self.board.command("state")
        self.follow()

    def tap(self, tile: int, slot: str, override: bool = False) -> bool:
        """Tap a tile on a slot, whichever seat holds the tile; return whether the hub accepted it.

        override: whether to hold the slot's button, so that the tile counts even if the rules
            refuse it
        """
        text = tiles.text(tile)
        tap = self.board.override if override else self.board.tap
        accepted = self._input("tap %s %s" % (text, slot), tap(text, slot))
        self.save()
        return accepted

    def press(self, slot: int | str | None) -> bool:
        """Press the button of a slot (a seat's number, "M" or "E"); return whether the hub
        accepted it.

        A seat that has laid a tile and ended its turn would end the round by pressing. Such a
        press is not passed to the hub, and False is returned, unless the press is a knock.
        """
        last = self.past[-1] if self.past else {"did": None}
        laid_last = last["did"] in ("laid", "knocked") and last["by"] == slot
        if laid_last and self.line["turn"] not in (None, slot) and self.may_knock() != slot:
            return False
        accepted = self._input("press %s" % slot, self.board.press(str(slot)))
        self.save()
        return accepted

    def draw(self, seat: int) -> bool:
        """Draw a tile by pressing the seat's button while E's button is held; return whether the
        hub accepted it. This is needed in the house `free`, in which pressing only the seat's
        button passes."""
        self.board.press_down("E")
        self.board.run(80)
        accepted = self.press(seat)
        self.board.press_up("E")
        self.board.run(80)
        return accepted

    def lay(self, seat: int, tile: str, slot: str, override: bool = False) -> bool:
        """Tap a tile of a seat's hand on a slot; return whether the hub accepted it. The hub
        counts the tap as a move of the seat whose turn it is. Raises ValueError if the seat does
        not hold the tile.

        override: whether to hold the slot's button, so that the tile counts even if the rules
            refuse it
        """
        if parse_tile(tile) not in self.hands.get(seat, ()):
            raise ValueError("seat %s does not hold %s" % (seat, tile))
        return self.tap(parse_tile(tile), slot, override)

    # ---- taking back ----

    def next_undo(self, own: int | None = None) -> Undo | None:
        """Return the last input that can be taken back, or None if there is none.

        own: a seat; if given, return the last move made by that seat instead
        """
        at = self._last_of(own)
        if at is None:
            return None
        found, *later = self._standing[at:]
        return _undo(found, later, found.before["round"])

    def next_redo(self) -> Undo | None:
        """Return the input that `put_back` would put back first, or None if there is none."""
        if not self._holds:
            return None
        *later, found = self.table.undone[-self._holds[-1] :]
        return _undo(found, later, (later or [found])[0].line["round"])

    def _last_of(self, own: int | None) -> int | None:
        """Return the index in `past` of the last input, or of the last move made by the seat
        `own`. Return None if there is none."""
        for at in range(len(self.past) - 1, -1, -1):
            line = self.past[at]
            if own is None or (line["by"] == own and line["did"] in OWN):
                return at
        return None

    def take_back(self, own: int | None = None) -> bool:
        """Take back the last input by holding a button; return whether an input was taken back.

        own: a seat, to take back that seat's last move and everything after the move
        """
        at = self._last_of(own)
        if at is None:
            return False
        holds = 0
        while len(self.past) > at:
            if not self._input("hold E", self.board.hold("E")):
                break
            holds += 1
        if holds:
            self._holds.append(holds)
        self._next_round = self._knock_skipped = None
        self.save()
        return bool(holds)

    def put_back(self) -> bool:
        """Redo what the last `take_back` undid; return whether anything was redone. Nothing can be
        redone after another input, or after the match was resumed."""
        holds = self._holds.pop() if self._holds else 0
        accepted = False
        for _ in range(holds):
            accepted = self._input("redo", self.board.command("redo"))
        self.save()
        return accepted

    # ---- what is on the table ----

    def round_tiles(self) -> RoundTiles | None:
        """Return the tiles of the round that people see (see `round_shown`), or None before the
        first deal."""
        if self._tiles is None:
            before = Moment(self._standing[0].before if self._standing else self.line)
            moments = moments_of_round([before, *self._standing], self.round_shown())
            self._tiles = RoundTiles(self.dealer, moments) if moments else None
        return self._tiles

    def round_shown(self) -> int:
        """Return the number of the round whose tiles people see. That is the finished round until
        the next round is dealt."""
        return int(self.line["round"] - self.shows_last_round())

    def shows_last_round(self) -> bool:
        """Return whether people see the table of a counted round, because the next round has not
        been dealt or the match was ended after that round."""
        return self._waits_for_round() or self._last_did() == "match-over"

    @property
    def hands(self) -> Hands:
        """The hands, {seat: tiles}. Tiles left over at the end of a round stay in the hands until
        the next deal."""
        round_tiles = self.round_tiles()
        return round_tiles.hands if round_tiles else {}

    def uncounted(self, seat: int) -> list[str]:
        """Return the texts of the tiles of a seat's hand that have not been counted yet."""
        round_tiles = self.round_tiles()
        left = round_tiles.uncounted.get(seat, []) if round_tiles else []
        return [tiles.text(tile) for tile in left]

    @property
    def is_free(self) -> bool:
        """Whether the hub enforces no rules of play, as in the house `free`."""
        return self.options.get("enforce") == "tiles"

    def chance(self) -> random.Random:
        """Return a random generator for the bots' next choice. Its seed consists of the match's
        seed and the number of inputs, so a bot makes the same choice again after a take-back."""
        return random.Random("%s after %d" % (self.seed, len(self.past)))

    def _is_counted(self) -> bool:
        """Return whether the last round has been counted and the next round has not been dealt."""
        return self.line["phase"] == "engine" and self._last_did() in ("done", "round-over")

    def _waits_for_round(self) -> bool:
        return self._is_counted() and self._next_round != self.line["round"]

    def _last_did(self) -> str | None:
        return self.past[-1]["did"] if self.past else None

    def waits_for(self) -> Waiting:
        """Return what the match waits for.

        person: a move by a person
        knock: a person who may knock now
        bot, table: a call of `act`
        round: a call of `next_round`, after a round has been counted
        over: nothing, because the match is finished
        """
        phase = self.line["phase"]
        if phase == "finished":
            return Waiting("over", None)
        if self._waits_for_round():
            return Waiting("round", None)
        if phase != "play" or self._ends_uncounted():
            return Waiting("table", None)
        seat = self.may_knock()
        if seat and self._knock_skipped != len(self.past):
            return Waiting("knock" if seat in self.people else "bot", seat)
        turn = self.line["turn"]
        return Waiting("person" if turn in self.people else "bot", turn)

    def may_knock(self) -> int | None:
        """Return the seat that may knock now because it has one tile left, or None if there is no
        such seat."""
        if not self.trains or self.is_free or self.sheet in NO_KNOCK:
            return None
        if self.line["phase"] != "play" or self._last_did() != "laid":
            return None
        seat: int = self.past[-1]["by"]
        one_left = len(self.hands.get(seat, ())) == 1
        return seat if one_left and self.line["turn"] != seat else None

    def catchable(self) -> int | None:
        """Return the seat that has forgotten to knock and can be caught by pressing M, or None if
        there is no such seat."""
        if not self.trains or self.options["penalty"] != "caught" or self.line["phase"] != "play":
            return None
        seen = set()  # seats whose last input has been checked
        too_late = False  # for a notice: another seat has moved since
        for line in reversed(self._round_lines()):
            seat: int = line["by"]
            forgot = line["did"] == "laid" and line["hands"][str(seat)] == 1
            if too_late and seat not in seen and forgot and line["turn"] != seat:
                return seat
            seen.add(seat)
            too_late = too_late or line["did"] in ("laid", "drew", "passed")
        return None

    # ---- what bots and the table do ----

    def act(self) -> bool:
        """Let a bot or the table do one thing: deal, open the round, lay a tile, press a button or
        count a tile. Return False if the match does not wait for a bot or the table."""
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
            self._move(self.line["turn"])
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
            self._must(self.press("E"))  # the deal is done
        else:
            tile, holder = dealer.opening(line["round"], self.hands)
            if holder:
                self._must(self.tap(tile, str(holder)))
            else:
                drawn = [one for one in self._round_lines() if one["did"] == "drew"]
                self._must(self.press(self.seats[len(drawn) % len(self.seats)]))

    def _ends_uncounted(self) -> bool:
        """Return whether a round is over that the hub cannot end by itself because it does not
        count tiles (O10).

        The round is over if a hand is empty, or if the stock is empty and all seats have passed
        twice. One pass each is not enough, since a pass may open another train.
        """
        if self.line["boneyard"] is not None or self.line["phase"] != "play":
            return False
        round_tiles = self.round_tiles()
        if not round_tiles or not all(round_tiles.hands.values()):
            return round_tiles is not None
        return not round_tiles.stock and self._passes() >= 2 * len(self.seats)

    def _end_uncounted(self) -> None:
        """End a round that the hub does not end by itself, by pressing a button. It is the button
        of the seat with an empty hand if that seat's turn is over, and otherwise E."""
        last = self.line["by"]
        is_out = not self.hands.get(last, [0]) and self.line["turn"] != last
        slot = str(last) if is_out and self.line["did"] in ("laid", "knocked") else "E"
        self._must(self._input("press " + slot, self.board.press(slot)))
        self.save()

    def _count_one(self) -> None:
        """Tap one left-over tile on the station of the seat that holds it, or press the button of
        a seat whose tiles have all been counted."""
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
        for moment in moments_of_round(self._standing, self.line["round"]):
            line = moment.line
            if line["did"] == "corrected" and moment.gesture.tile:
                out = None  # it still holds a tile
            laid_last = line["did"] == "laid" and line["hands"][str(line["by"])] == 0
            if out is None and (laid_last or line["did"] == "out"):
                out = int(line["by"])
        return out

    def _round_lines(self) -> list[ConsoleLine]:
        return [m.line for m in moments_of_round(self._standing, self.line["round"])]

    def _must(self, accepted: bool) -> None:
        if not accepted:
            raise Disagreement("%s" % self.line)

    def _move(self, seat: int) -> None:
        """Make one move for a bot: lay a tile, or press a button."""
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
            tile, slot = choose(self.players, seat, moves, self.strength, self.chance())
            if not self.tap(tile, slot):
                self.refused.add((tile, slot))
        elif self.is_free and self._all_passed():
            self._must(self.press("E"))
        else:
            self._must(self.press(seat))

    def _all_passed(self) -> bool:
        """Return whether there have been as many passes as seats since the last tile was laid."""
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
        """Return the moves (tile, slot) that look legal for the seat whose turn it is. In a line
        game, a new line may begin at any empty slot, and only the empty slot nearest to the seat
        is listed."""
        if self.trains:
            self.players.own = self.own_doubles(seat)
        return list(self.players.moves(seat))

    def nothing_left(self) -> bool:
        """Return whether the lamps of E show that no tile fits, so that pressing E ends the
        round."""
        return self.line["phase"] == "play" and self.line["lamps"][-4:-3] == "e"

    def this_turn(self, seat: int) -> list[Moment]:
        """Return the moments of the inputs that a seat has made in its current turn, oldest
        first."""
        found: list[Moment] = []
        for moment in reversed(self._standing):
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

    # ---- what the people decide ----

    def skip_knock(self) -> None:
        """Stop waiting for a seat to knock."""
        self._knock_skipped = len(self.past)

    def next_round(self) -> None:
        """Allow the next round to be dealt. This has no effect unless the last round has been
        counted."""
        if self._is_counted():
            self._next_round = self.line["round"]
            self._tiles = None

    def end_match(self) -> bool:
        """End the match after a round has been counted; return whether the hub ended it."""
        return self._is_counted() and self.press("E")

    def close(self) -> None:
        """Close the match's files, so that the match can be resumed later."""
        journal = self.board.hub.journal
        journal.close()
        self.files.sync()

    def export(self) -> str:
        """Return the text that the hub prints for the console command `export`. Raises
        match_export.NoExport if the match cannot be exported."""
        return match_export.replay_export(self.files.segments())[1]


def _undo(moment: Moment, others: Sequence[Moment], round_: int) -> Undo:
    """Return the Undo of an input.

    moment: the Moment of the input
    others: the Moments of the inputs that are taken back or put back with it
    round_: the number of the round that the table is in afterwards
    """
    line, gesture = moment.line, moment.gesture
    more = sum(other.line["did"] in MOVES for other in others)
    what = (line["by"], line["did"], gesture.tile or None, gesture.slot or None)
    return Undo(*what, more, round_, bool(others))
