# SPDX-License-Identifier: MIT
"""A second opinion: the rule sheets once more, by somebody who sees every hand.

The referee keeps a plain picture of the table: trains as lists of tiles, hands as sets, open
doubles in order. It is written from the sheets and shares no code with the rules core; from
`houses` it takes the words of the options and the sizes of the hands alone. For every input it
says what the hub must answer, and `view` what the hub must show afterwards. Which tile may go
where is in legal_moves.

Counts are kept apart from hands: a hub knows what was declared, the referee what is there.
"""

from host_sim.games import house_info
from host_sim.games.mexican_train import legal_moves
from host_sim.games.mexican_train import points as round_points
from host_sim.games.mexican_train.legal_moves import shows
from host_sim.games.player_knowledge import is_double
from host_sim.games.tracked_options import TrackedOptions
from roundhouse import tiles
from roundhouse.constants import E, M, slot_name
from roundhouse.games import houses


def options_of(words):
    """Return the TrackedOptions of a house and its variants: `options_of(["jassshop",
    "no-lock"])`."""
    house, variants = houses.parse(words)
    return TrackedOptions(house_info.in_words(house, houses.preset(house, variants)))


class Referee:
    """The picture of one match. `house`: its words; `seats`: station numbers."""

    def __init__(self, house, set_, seats):
        words = house.split()
        self.house = houses.parse(words)[0]
        self.options = options_of(words)
        self.set = set_
        self.seats = sorted(seats)
        self.phase = "lobby"
        self.round = 0
        self.starter = None
        self.totals = dict.fromkeys(self.seats, 0)  # doubled
        self.winners = []
        self.by = self.did = None  # of the last input
        self.asked = None  # who was asked to press once more, just now
        self._clear_round()

    def _clear_round(self):
        self.engine = None  # the number of the engine that lies
        self.engine_tile = None
        self.hands = {seat: set() for seat in self.seats}
        self.stock = []
        self.counts = dict.fromkeys(self.seats, 0)  # as declared
        self.taken = dict.fromkeys(self.seats, 0)  # drawn and not yet declared
        self.boneyard = 0  # as declared
        self.trains = {}  # slot -> [tile, ...]
        self.forced = {}  # slot -> places in the train where an override broke the chain
        self.ends = {}  # slot -> numbers the next tile may match
        self.laid = set()
        self.used = [0] * (tiles.HIGHEST + 1)
        self.markers = set()
        self.line = []  # slots of the uncovered doubles, in closing order
        self.own = []  # those of them laid in this turn
        self.turn = None
        self.drawn = False
        self.owed = False  # a double was just laid, a tile must follow
        self.third = False
        self.train_turn = False  # a whole first train has been begun in this turn
        self.fresh = set()
        self.passes = 0
        self.last = None  # who laid last, until the next input
        self.noticed = False
        self.forgot = []
        self.out = None
        self.lap = None  # who laid a last double that may be covered
        self.turns_left = 0  # of that lap
        self.counted = {}
        self.done = set()

    def clone(self):
        """Return a picture that can be changed without changing this one."""
        new = object.__new__(Referee)
        copy = new.__dict__
        copy.update(self.__dict__)
        for name, value in copy.items():
            if type(value) is dict and value and type(next(iter(value.values()))) in (set, list):
                copy[name] = {slot: tiles_.copy() for slot, tiles_ in value.items()}
            elif type(value) in (dict, set, list):
                copy[name] = value.copy()
        new.options = TrackedOptions(self.options)
        return new

    def state(self):
        """Return all that the rules decide, as something that can be compared."""
        return {name: value for name, value in self.__dict__.items() if name != "options"}

    # ---- the deal ----

    def from_hand(self):
        return self.options["engine"] in ("in-hand", "highest")

    def open_round(self):
        """The tiles are dealt: phase `engine`, hands still unknown but counted."""
        number = self.round + 1
        self._clear_round()
        self.phase, self.round = "engine", number
        size = house_info.hand_size(self.house, self.set, len(self.seats))
        self.counts = dict.fromkeys(self.seats, size)
        self.boneyard = tiles.size(self.set) - size * len(self.seats) - (not self.from_hand())

    def deal(self, hands, stock):
        """Say which tiles the players hold and how the stock lies, its next tile last."""
        self.hands = {seat: set(hand) for seat, hand in hands.items()}
        self.stock = list(stock)

    # ---- the table ----

    def end(self, slot):
        """Return the numbers of which the next tile of a slot must show one."""
        return self.ends.get(slot, (self.engine,))

    def used_up(self, number):
        return self.used[number] == self.set + 1

    # ---- inputs ----

    def _accept(self, did, by=None):
        self.did, self.by = did, by
        self.asked = None
        return "ok"

    def moved_to(self, did):
        """Say that taking back, or putting back, arrived at this picture; whoever was asked to
        press once more is asked anew. did: `took-back` or `put-back`.
        """
        self._accept(did)

    def tap(self, slot, tile, override=False, starter=None):
        """Tap a tile on a slot; `starter`: whom the hub drew. Return the verdict's word."""
        self.by = self.did = None
        if self.phase == "finished" or (self.phase == "lobby" and not is_double(tile)):
            return "not-now"
        begin = self.phase in ("lobby", "engine")
        if begin and slot not in self.seats and (slot != E or self.from_hand()):
            return "not-now"
        if self.phase == "play" and slot == E:
            return "not-now"
        if self.phase == "scoring" and slot not in self.seats:
            return "not-now"
        if tile >= tiles.size(self.set):
            return "not-in-set"
        if begin:
            return self._lay_engine(slot, tile, starter)
        if tile in self.laid:
            return "on-table"
        if self.phase == "scoring":
            self.laid.add(tile)
            self.counted[slot].add(tile)
            self.done.discard(slot)
            return self._accept("counted", slot)
        if not override:
            verdict = legal_moves.why_not(self, slot, tile)
            if verdict != "ok":
                return verdict
        seat = self.turn
        self._moved()
        self._lay(slot, tile)
        return self._accept("laid", seat)

    def press(self, slot):
        """Press a slot's button; return the verdict's word."""
        self.by = self.did = None
        if slot == M:
            return self._press_mexican_train()
        if slot == E:
            return self._press_engine()
        if slot not in self.seats or self.phase == "lobby":
            return "not-now"
        if self.phase == "engine":
            if self.options["engine"] != "in-hand" or not self.boneyard:
                return "not-now"
            self._take(slot)
            return self._accept("drew", slot)
        if self.phase == "play":
            return self._press_in_play(slot)
        if self.phase == "scoring":
            return self._press_in_scoring(slot)
        return "not-now"

    def draw(self, seat):
        """A draw with E's button down, whatever the boneyard's counter says."""
        self.by = self.did = None
        if self.phase != "play" or seat not in self.seats:
            return "not-now"
        if seat != self.turn:
            return "not-your-turn"
        if self.third:
            return "cover-it"
        self._take(seat)
        self._moved()
        self.drawn = self.options["enforce"] == "all"
        return self._accept("drew", seat)

    def draw_silently(self):
        """The seat to move takes a tile from the boneyard and tells nobody."""
        self.hands[self.turn].add(self.stock.pop())
        self.taken[self.turn] += 1

    # ---- the engine ----

    def _lay_engine(self, slot, tile, starter):
        number = tiles.HIGH[tile]
        fixed = self.options["engine"] in ("pulled", "in-hand")
        required = self.set - max(0, self.round - 1)
        if not is_double(tile) or (fixed and number != required):
            return "not-an-engine"
        if self.phase == "lobby":
            self.open_round()
        if self.from_hand():
            self.counts[slot] -= 1
            self.hands[slot].discard(tile)
        if slot != E:
            self.starter = slot
        elif self.round == 1:
            self.starter = starter
        else:
            self.starter = self._after(self.starter)
        self.engine, self.engine_tile = number, tile
        self.laid.add(tile)
        self.used[number] += 1
        self.fresh = set(self.seats)
        self.turn = self.starter
        self.phase = "play"
        return self._accept("opened", self.starter)

    def _press_engine(self):
        if self.phase == "lobby":
            self.open_round()
            return self._accept("dealt")
        if self.phase == "engine":
            self._finish()
            return self._accept("match-over")
        if self.phase == "play":
            self._round_over(None)
        elif self.phase == "scoring":
            self._count_round()
        else:
            return "not-now"
        return self._accept("round-over")

    def _press_mexican_train(self):
        """Caught: who forgot its notice last takes a tile; else the totals are shown, which is no
        input of the match."""
        if not self.forgot or self.phase != "play":
            self.did = "showed"
            return "ok"
        seat = self.forgot.pop()
        if self.boneyard:
            self._take(seat)
        return self._accept("caught", seat)

    # ---- a turn ----

    def _after(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _moved(self):
        """An input of the seat to move: who laid before can give no notice any more (I1, I2), and
        this seat is not caught any more."""
        if self.turn in self.forgot:
            self.forgot.remove(self.turn)
        late = self.last
        silent = late not in (None, self.turn) and not self.noticed
        if silent and self.counts[late] == 1:
            penalty = self.options["penalty"]
            if penalty == "caught":
                self.forgot.append(late)
            elif penalty == "always" and self.boneyard:
                self._take(late)
        self.last, self.noticed = None, False

    def _lay(self, slot, tile):
        seat, double = self.turn, is_double(tile)
        self._join(slot, tile)
        self.hands[seat].discard(tile)
        self.counts[seat] = max(0, self.counts[seat] - 1)
        self._cover(slot)
        self._marker_off(seat, slot)
        second, self.owed = self.owed and not self.drawn, double
        self.drawn = False
        self.passes = 0
        if double:
            self.line.append(slot)
            self.own.append(slot)
        if self.counts[seat] == 0:
            self._hand_is_empty(seat, double)
            return
        if self.options["enforce"] == "tiles":
            self.last, self.noticed = seat, False
            return
        whole = self.options["first-train"] == "whole" and seat in self.fresh
        if whole and slot == seat:
            self.train_turn = True
        third = double and second and self.options["second-double"] == "third"
        self.third = third and not all(self.used_up(self.end(n)[0]) for n in self.own)
        if not double and not (self.train_turn and slot == seat):
            self._turn_over(laid=True)

    def _join(self, slot, tile):
        """The tile lies at the train's end, turned to match where it does."""
        high, low = tiles.HIGH[tile], tiles.LOW[tile]
        match = [number for number in self.end(slot) if shows(tile, number)]
        train = self.trains.setdefault(slot, [])
        if high == low:
            self.ends[slot] = (high,)
        elif match:
            self.ends[slot] = (high + low - match[0],)
        else:
            self.ends[slot] = (high, low)
        if not match:
            self.forced.setdefault(slot, set()).add(len(train))
        train.append(tile)
        self.laid.add(tile)
        for number in {high, low}:
            self.used[number] += 1

    def _cover(self, slot):
        if slot in self.line:
            self.line.remove(slot)
            if slot in self.own:
                self.own.remove(slot)

    def _marker_off(self, seat, slot):
        off = self.options["marker-off"]
        if off == "any-play":
            self.markers.discard(seat)
        elif off == "any-tile" or slot == seat:
            self.markers.discard(slot)

    def _hand_is_empty(self, seat, double):
        if self.lap is not None:
            self._round_over(self.lap)
        elif double and self.options["last-double"] == "lap":
            self.lap = seat
            self.turns_left = len(self.seats)
            self._turn_over(laid=True)
        else:
            self._round_over(seat)

    def _turn_over(self, laid=False):
        seat = self.turn
        self.fresh.discard(seat)
        self.own = []
        self.drawn = self.owed = self.third = self.train_turn = False
        if laid:
            self.last, self.noticed = seat, False
        if self.lap is not None:
            self.turns_left -= 1
        if (
            self.passes >= len(self.seats)
            or (self.lap is not None and not (self.turns_left and self.line))
            or (self.options["boneyard-ends"] == "yes" and not self.boneyard)
        ):
            self._round_over(self.lap)
            return
        self.turn = self._after(seat)

    def _press_in_play(self, seat):
        if self.options["enforce"] == "tiles":
            by = self.turn
            self.turn = self._after(seat) if seat == self.turn else seat
            self.own, self.owed, self.last = [], False, None
            return self._accept("passed", by)
        if seat == self.turn:
            return "cover-it" if self.third else self._press_on_turn(seat)
        if seat != self.last:
            return "not-your-turn"
        if not self.noticed:
            self.noticed = True
            return self._accept("knocked", seat)
        if self.counts[seat] > 1 and self.asked != seat:
            self.asked = seat
            return "not-now"
        self.counts[seat] = 0
        self._round_over(seat)
        return self._accept("out", seat)

    def _press_on_turn(self, seat):
        """A draw; then, or where nothing may be drawn, a pass."""
        whole = self.train_turn and not self.owed
        if not whole and not self.drawn and self.boneyard:
            self._take(seat)  # it is in the hand before anybody is fined
            self._moved()
            self.drawn = True
            return self._accept("drew", seat)
        self._moved()
        if whole:
            self._turn_over()
        else:
            self._pass(seat)
        return self._accept("passed", seat)

    def _take(self, seat):
        """A declared draw: the tile, unless it was taken before; none if nothing is left."""
        self.counts[seat] += 1
        self.boneyard = max(0, self.boneyard - 1)
        if self.taken[seat]:
            self.taken[seat] -= 1
        elif self.stock:
            self.hands[seat].add(self.stock.pop())

    def _pass(self, seat):
        due = legal_moves.due(self)
        if due is None:
            opening = self.options["marker-opening"] == "no" and seat not in self.trains
            spared = opening and not self.owed
        else:  # a due double on the seat's own train locked nobody out of it
            spared = due != seat and self.options["marker-locked"] == "no"
        if not spared:
            self.markers.add(seat)
        if not self.boneyard:
            self.passes += 1
        self._turn_over()

    # ---- counting ----

    def _round_over(self, out):
        self.phase = "scoring"
        self.out = self.lap if self.lap is not None else out
        out = self.out
        self.turn = self.last = self.lap = None
        self.drawn = False
        self.counted = {seat: set() for seat in self.seats}
        self.done = {out} if out is not None else set()

    def _press_in_scoring(self, seat):
        """Done; with fewer tiles than counted a second press is needed."""
        if seat in self.done:
            return "not-now"
        if len(self.counted[seat]) < self.counts[seat] and self.asked != seat:
            self.asked = seat
            return "not-now"
        self.done.add(seat)
        if self.done.issuperset(self.seats):
            self._count_round()
        return self._accept("done", seat)

    def _count_round(self):
        for seat, points in round_points.of_round(self).items():
            self.totals[seat] += points
        sequence = self.options["engine"] in ("pulled", "in-hand")
        if self.round > self.set and (sequence or self.options["rounds"] == "each"):
            self._finish()
        else:
            self.open_round()

    def _finish(self):
        self.phase = "finished"
        best = max if self.options["score"] == "plus" else min
        goal = best(self.totals.values())
        self.winners = [seat for seat in self.seats if self.totals[seat] == goal]

    # ---- what must be seen ----

    def view(self):
        """Return what the hub's line must show, by the line's own keys."""
        play = self.phase == "play"
        ends = {slot: self.ends[slot] for slot in sorted(self.ends)}
        return {
            "by": self.by,
            "did": self.did,
            "phase": self.phase,
            "round": self.round,
            "engine": None if self.engine is None else "%d-%d" % (self.engine, self.engine),
            "turn": self.turn,
            "drawn": self.drawn,
            "open": _names(legal_moves.open_trains(self)) if play else [],
            "doubles": [slot_name(slot) for slot in self.line] if play else [],
            "playable": _names(legal_moves.playable(self)) if play else [],
            "ends": {slot_name(n): e[0] if len(e) == 1 else list(e) for n, e in ends.items()},
            "hands": {str(seat): self.counts[seat] for seat in self.seats},
            "boneyard": self.boneyard,
            "scores": {str(seat): self.totals[seat] / 2 for seat in self.seats},
            "winner": self.winners or None,
        }

    def wrong_tiles(self):
        """Return what is wrong with the tiles of the round, or None: each once, in chains."""
        there = [self.engine_tile] + list(self.stock)
        for train in self.trains.values():
            there += train
        for hand in self.hands.values():
            there += hand
        if sorted(there) != list(range(tiles.size(self.set))):
            return "a tile is missing or there twice"
        return legal_moves.wrong_chain(self)


def _names(slots):
    return [slot_name(slot) for slot in sorted(slots)]
