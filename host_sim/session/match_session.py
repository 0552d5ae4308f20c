# SPDX-License-Identifier: MIT
"""One match with people and bots at a simulated hub, a step at a time, kept in a folder.

People act through `lays`, `presses` and `take_back`, bots and the table through `act`; `waits_for`
says who is next. All that is known of the table is what the hub's lines say.

What a folder keeps is written down once, when the match begins: the rules, the seats, and the seed
from which the tiles are mixed. Who holds what follows from that and from the hub's own journal
(see dealt_hands), so that a match can be killed between any two writes and goes on as it stood.
"""

import collections
import json
import os
import random
from pathlib import Path

from host_sim.games import are_trains, house_info, player_knowledge
from host_sim.games.line_games.bot import sum_of
from host_sim.games.player_knowledge import Disagreement
from host_sim.hub import match_export
from host_sim.hub.simulated_hub import HURRIED_US, SimulatedHub, configured
from host_sim.session.bot_levels import LEVELS
from host_sim.session.bot_moves import BotMoves
from host_sim.session.dealt_hands import Dealer, RoundHands, lines_of_round, tile_number
from host_sim.session.durable_files import ResilientFiles
from host_sim.session.match_metadata import FORMAT, JOURNAL, METADATA, read_metadata, utc_time
from host_sim.session.player_view import PlayerView
from host_sim.views.player_names import clean_names
from roundhouse import tiles
from roundhouse.games import houses

OWN = ("laid", "drew", "passed", "knocked", "out")  # what a person does on their own

# kind: person, knock, bot, table, round or over; seat: whom it is about, or None
Waiting = collections.namedtuple("Waiting", "kind seat")
Undo = collections.namedtuple("Undo", "seat did tile slot")


class MatchSession:
    """One match with people at it.

    folder: a new match is begun there; ValueError where it has one (see `resume`). It goes on
    where the disk refuses to keep it, and `files.trouble` says why. seats: station numbers;
    people: the seats somebody sits at, the others are bots of a `strength`; names: {seat: text}.

    more: what else is written down of a match of another KIND.

    line: the newest input line; board.lines: all of them, those before a resume too; hands:
    {seat: tiles}, as numbers; people, names and strength may be changed in the match.
    """

    KIND = "match"  # of what is kept in the folder

    def __init__(
        self,
        folder,
        seats=(1, 2, 3),
        people=(1,),
        house="puremco",
        set_=12,
        seed=1,
        strength="good",
        names=None,
        **more,
    ):
        folder = Path(folder)
        if os.path.lexists(folder / METADATA):
            raise ValueError("a match is kept in %s" % folder)
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
    def resume(cls, folder):
        """Go on with the match in a folder; None where there is none. Raises OSError where its
        journal cannot be read."""
        kept = read_metadata(folder, cls.KIND)
        if kept is None:
            return None
        session = cls.__new__(cls)
        session._set_up(Path(folder), kept)
        return session

    def _set_up(self, folder, kept):
        self.folder, self.kept = folder, kept
        index, variants = houses.parse(kept["house"].split())
        self.house, self.set, self.seed = kept["house"], kept["set"], kept["seed"]
        self.seats = list(kept["seats"])
        self.people = set(kept["people"])
        self.names = {int(seat): name for seat, name in clean_names(kept["names"]).items()}
        self.strength = kept["strength"]
        if self.strength not in LEVELS:
            raise ValueError("no strength %s; there are %s" % (self.strength, LEVELS))
        self.options = player_knowledge.options_of(index, variants)
        self.sheet = house_info.sheet(index)
        self.game = house_info.game(index)
        self.trains = are_trains(self.game)
        self.dealer = self._dealer()
        self.past = []  # the inputs that still stand, as the console said them, after joining
        self._undone = []  # those that were taken back and can be put back
        self._holds = []  # how many at a time
        self._not_knocking = None  # the number of inputs at which nobody waits for a knock
        self._next_round = None  # the round that somebody wants dealt
        self._before = None  # the line before the first of `past`
        self._held = None  # what the hands were worked out for, and the hands
        self.refused = set()  # (tile, slot) the hub has not taken since the last input
        self._moves = BotMoves(self)
        self._player_view = PlayerView(self, self._moves)
        self.files = ResilientFiles(folder, JOURNAL)
        self.save()
        story = self._story()
        self.board = self._power_on()
        self.board.lines[:0] = story
        for line in story:
            self._hear(line)
        self.line = self.board.inputs[-1]
        self._before = self._before or self.line
        if self.line["phase"] == "lobby":
            self._sit_down()

    def _dealer(self):
        """Return who deals this match."""
        return Dealer(self.seed, self.set, self.options, self.trains)

    def _power_on(self):
        """Return the board, switched on."""
        config = configured(HOUSE=self.house, SET=self.set)
        return SimulatedHub(
            config, JOURNAL, self.seed, strides=True, files=self.files, pass_us=HURRIED_US
        )

    def _story(self):
        """Return the lines of what the journal keeps, oldest first."""
        segments = self.files.segments()
        try:
            return match_export.told(segments, whole=False) if segments else []
        except match_export.NotAnExport:
            return []

    def _sit_down(self):
        """Choose the rules and join at the stations, as far as that has not been done."""
        self._input("house " + self.house, self.board.say("house " + self.house))
        self._input("set %d" % self.set, self.board.say("set %d" % self.set))
        for seat in self.seats:
            if str(seat) not in self.line["hands"]:
                self._input("press %d" % seat, self.board.press(str(seat)))
        self._before = self.line

    # ---- keeping ----

    def save(self):
        """Write down who sits where, and what a list of matches shows."""
        kept = self.kept
        kept["people"] = sorted(self.people)
        kept["names"] = {str(seat): name for seat, name in self.names.items()}
        kept["strength"] = self.strength
        line = getattr(self, "line", None)
        if line:
            kept["played"] = utc_time()
            kept["told"] = {key: line[key] for key in ("round", "phase", "scores", "winner")}
        self.files.put(METADATA, json.dumps(kept, indent=1).encode())

    def sit(self, seat, name=None):
        """Somebody sits down at a seat that a bot had."""
        if seat not in self.seats:
            raise ValueError("nobody plays at seat %s" % seat)
        self.people.add(seat)
        self.names.update(clean_names({seat: name}))
        self.save()

    def stand(self, seat):
        """Somebody gets up; a bot plays on with the same tiles."""
        self.people.discard(seat)
        self.save()

    # ---- inputs ----

    def _input(self, said, line):
        """Note an input and the hub's line; return whether it was accepted."""
        if line is None:
            raise Disagreement("%s: the hub does not answer" % said)
        self.line = line
        if line["verdict"] != "ok":
            return False
        self._hear(line)
        self.refused.clear()
        return True

    def _hear(self, line):
        """Take an accepted input into `past`, or out of it."""
        did = line["did"]
        if line["verdict"] != "ok" or did in (None, "showed", "chose", "joined"):
            if not self.past and not self._undone:
                self._before = line
        elif did == "took-back":
            self._undone.append(self.past.pop())
        elif did == "put-back":
            self.past.append(self._undone.pop())
        else:
            self.past.append(line)
            self._undone.clear()
            self._holds.clear()
        self._held = None

    def taps(self, tile, slot, override=False):
        """A tile, a number, is tapped on a slot, whoever does it; returns whether the hub took
        it."""
        text = tiles.text(tile)
        how = self.board.override if override else self.board.tap
        taken = self._input("tap %s %s" % (text, slot), how(text, slot))
        self.save()
        return taken

    def presses(self, slot):
        """Somebody presses a slot's button: a seat's number, "M" or "E". Returns whether the hub
        took it. Two presses after a tile would end the round: only the notice is passed on."""
        last = self.past[-1] if self.past else {"did": None}
        laid_last = last["did"] in ("laid", "knocked") and last["by"] == slot
        if laid_last and self.line["turn"] not in (None, slot) and self.may_knock() != slot:
            return False
        taken = self._input("press %s" % slot, self.board.press(str(slot)))
        self.save()
        return taken

    def draws(self, seat):
        """Somebody draws with E's button held down: where nothing is enforced, a press alone
        passes. Returns whether the hub took it."""
        self.board.press_down("E")
        self.board.run(80)
        taken = self.presses(seat)
        self.board.press_up("E")
        self.board.run(80)
        return taken

    def lays(self, seat, tile, slot, override=False):
        """Somebody taps a tile, a text, on a slot; returns whether the hub took it. It is booked
        on whoever's turn it is; ValueError for a tile that `seat` does not hold."""
        if tile_number(tile) not in self.hands.get(seat, ()):
            raise ValueError("seat %s does not hold %s" % (seat, tile))
        return self.taps(tile_number(tile), slot, override)

    # ---- what a person sees; see player_view ----

    def hand(self, seat):
        """Return a seat's tiles as texts, in the order its person keeps; new ones come last."""
        return self._player_view.hand(seat)

    def sort(self, seat, how):
        """Put a hand in an order, `by number` or `by what follows`."""
        self._player_view.sort(seat, how)

    def move(self, seat, tile, place):
        """Put a tile, a text, at a place of its hand, from 0 on."""
        self._player_view.move(seat, tile, place)

    def fits(self, seat):
        """Return {tile: [slots]} of what looks right to a seat, as texts; none out of turn."""
        return self._player_view.fits(seat)

    def button(self, seat):
        """Return what a seat's button means now: `draw`, `pass`, `done`, `knock`, `over` (it is
        E's button then: nothing fits any more), or None."""
        return self._player_view.button(seat)

    def hint(self, seat):
        """Return a player_view.Hint: what a good player would do; None where there is nothing
        to do."""
        return self._player_view.hint(seat)

    # ---- taking back ----

    def undoes(self, own=None):
        """Return what `take_back` would take back, (seat, did, tile, slot), or None.

        seat: None where it was nobody's; tile and slot: texts, or None.
        """
        at = self._last_of(own)
        if at is None:
            return None
        line = self.past[at]
        parts = line["input"].split()
        tile = parts[1] if len(parts) == 3 and "-" in parts[1] else None
        return Undo(line["by"], line["did"], tile, parts[-1] if len(parts) > 1 else None)

    def _last_of(self, own):
        """Return the place in `past` of the last input, or of the last one of a person's."""
        for at in range(len(self.past) - 1, -1, -1):
            line = self.past[at]
            if own is None or (line["by"] == own and line["did"] in OWN):
                return at
        return None

    def take_back(self, own=None):
        """Hold a button: the last input is taken back, whoever made it. own: a seat; it is held
        as often as it takes until that person's own last move is taken back, those of the others
        since then with it. Returns whether anything was taken back."""
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
        self._next_round = self._not_knocking = None
        self.save()
        return bool(holds)

    def put_back(self):
        """Repeat what the last `take_back` took back; returns whether there was anything. It
        cannot after another input, or after a resume."""
        holds = self._holds.pop() if self._holds else 0
        taken = False
        for _ in range(holds):
            taken = self._input("redo", self.board.say("redo"))
        self.save()
        return taken

    # ---- what is on the table ----

    @property
    def total(self):
        """What touching halves add up to in a line game, or None."""
        return sum_of(self.options, self.set)

    def _known(self):
        """Return the RoundHands of the round that is played, or was last; None before the
        first."""
        if self._held is None:
            lines = lines_of_round([self._before, *self.past], self.round_shown())
            self._held = (RoundHands(self.dealer, lines) if lines else None,)
        return self._held[0]

    def round_shown(self):
        """Return the round whose tiles people see: a counted one until the next is dealt."""
        return self.line["round"] - self._waits_for_round()

    @property
    def hands(self):
        """{seat: its tiles}, as numbers, in the order they came; what a round has left over stays
        until the next one is dealt."""
        known = self._known()
        return known.hands if known else {}

    def left(self, seat):
        """Return the tiles of a seat that are still to be counted, as texts."""
        known = self._known()
        return [tiles.text(tile) for tile in known.left.get(seat, ())] if known else []

    @property
    def is_free(self):
        """Whether the house enforces nothing but real tiles."""
        return self.options.get("enforce") == "tiles"

    def chance(self):
        """Return the random.Random of this moment: the same again after a take-back."""
        return random.Random("%s after %d" % (self.seed, len(self.past)))

    def _is_counted(self):
        """Whether a round is over and counted, and the next one can be dealt."""
        return self.line["phase"] == "engine" and self._last_did() in ("done", "round-over")

    def _waits_for_round(self):
        return self._is_counted() and self._next_round != self.line["round"]

    def _last_did(self):
        return self.past[-1]["did"] if self.past else None

    def waits_for(self):
        """Return who or what is next, a Waiting: a `person` to move; `knock`: a person who may
        give notice of the last tile; a `bot`, or the `table`, for which `act` is wanted; `round`:
        it is counted, and somebody says `next_round`; `over`: the match is finished."""
        phase = self.line["phase"]
        if phase == "finished":
            return Waiting("over", None)
        if self._waits_for_round():
            return Waiting("round", None)
        if phase != "play":
            return Waiting("table", None)
        seat = self.may_knock()
        if seat and self._not_knocking != len(self.past):
            return Waiting("knock" if seat in self.people else "bot", seat)
        turn = self.line["turn"]
        return Waiting("person" if turn in self.people else "bot", turn)

    def may_knock(self):
        """Return the seat that has one tile left and may give notice of it now, or None."""
        if not self.trains or self.is_free or self.sheet == "jassshop":
            return None  # no notice in these sheets
        if self.line["phase"] != "play" or self._last_did() != "laid":
            return None
        seat = self.past[-1]["by"]
        one_left = len(self.hands.get(seat, ())) == 1
        return seat if one_left and self.line["turn"] != seat else None

    def catches(self):
        """Return the seat that has forgotten the notice and can be caught by a press of M, or
        None."""
        if not self.trains or self.options["penalty"] != "caught" or self.line["phase"] != "play":
            return None
        seen = set()  # whose own last input has been looked at
        too_late = False  # for a notice: another seat has moved since
        for line in reversed(lines_of_round(self.past, self.line["round"])):
            seat = line["by"]
            forgot = line["did"] == "laid" and line["hands"][str(seat)] == 1
            if too_late and seat not in seen and forgot and line["turn"] != seat:
                return seat
            seen.add(seat)
            too_late = too_late or line["did"] in ("laid", "drew", "passed")
        return None

    def act(self):
        """Let a bot or the table do one thing: deal, open, lay, press, count a tile. Returns
        whether anything was done: not where somebody is waited for."""
        if self.waits_for().kind not in ("bot", "table"):
            return False
        self._moves.act()
        return True

    def no_knock(self):
        """Nobody waits for a knock any longer."""
        self._not_knocking = len(self.past)

    def next_round(self):
        """Deal the next round."""
        if self._is_counted():
            self._next_round = self.line["round"]
            self._held = None

    def end_match(self):
        """End the match between two rounds; returns whether it is over."""
        return self._is_counted() and self.presses("E")

    def close(self):
        """Put it away; it can be resumed."""
        self.board.hub.journal.close()
        self.files.settle()

    def export(self):
        """Return what the hub answers to `export`, a text for each line."""
        board = self.board
        first = len(board.lines)
        board.port.type("export")
        board.run_until(lambda: board.lines[first:] and "input" in board.lines[-1], 10000)
        said = [json.dumps(line) for line in board.lines[first:]]
        del board.lines[first:]
        return said
