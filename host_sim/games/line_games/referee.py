# SPDX-License-Identifier: MIT
"""A second opinion on the line games, by somebody who sees the table and every hand.

The referee keeps a plain picture: lines as lists of tiles, the free sides of doubles as a list of
numbers, hands as sets. It is written from the rules of the line games alone and shares no code
with the hub's. For every input it says what the hub must answer, and `view` what the hub must
show afterwards.

What lies on the table is `line_layout.Lines`: as far as a hub may know it, which is what verdicts
go by, and as it really lies, which is what the `moves` of honest players go by.

Counts are kept apart from hands: a hub knows what was declared, the referee what is there.
"""

from host_sim.games.line_games import points as round_points
from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.line_games.lines import Lines, pips
from host_sim.games.player_knowledge import is_double
from host_sim.games.tracked_options import TrackedOptions
from roundhouse import tiles
from roundhouse.constants import E, M


class Referee:
    """The picture of one match.

    house: its words, `classic two-ends`; set_: the highest number, None for the house's own;
    seats: stations that have joined; stations: how many the board has, 4..10.
    """

    def __init__(self, house, set_=None, seats=(), stations=10):
        words = house.split()
        self.house = line_sheets.sheet_of(words[0])
        self.options = line_sheets.options_of(words)
        self.set = set_ or line_sheets.OWN_SET.get(self.house, 12)
        self.stations = range(1, stations + 1)
        self.slots = (*self.stations, M)
        self.by = self.did = None  # of the last input
        self.asked = None  # who was asked to press once more, just now
        self.seats = sorted(seats)
        self._clear_match()

    def _clear_match(self):
        self.phase = "lobby"
        self.round = 0
        self.totals = dict.fromkeys(self.seats, 0)  # doubled
        self.winners = []
        self._clear_round()

    def _clear_round(self):
        self.opening = None  # the tile in the middle
        self.hands = {seat: frozenset() for seat in self.seats}
        self.stock = []
        self.counts = dict.fromkeys(self.seats, 0)  # as declared
        self.taken = dict.fromkeys(self.seats, 0)  # drawn and not yet declared
        self.boneyard = 0  # as declared
        self.lines = Lines(self.options, self.set, self.slots)
        self.laid = set()
        self.turn = None
        self.drawn = False
        self.passes = 0
        self.last = None  # who laid last, until the next input
        self.noticed = False
        self.out = None
        self.counted = {}
        self.done = set()

    def clone(self, **options):
        """Return a picture that can be changed without changing this one.

        options: words that are to be others there, `doubles="first"`.
        """
        new = object.__new__(type(self))
        for name, value in self.__dict__.items():
            new.__dict__[name] = value.copy() if type(value) in (dict, set, list) else value
        new.options = TrackedOptions({**self.options, **options})
        new.lines = self.lines.clone(new.options)
        return new

    def state(self):
        """Return all that the rules decide, as something that can be compared."""
        state = {name: value for name, value in self.__dict__.items() if name != "options"}
        state["lines"] = self.lines.state()
        return state

    # ---- the deal ----

    def hand_size(self):
        return line_sheets.hand_size(self.house, self.options, self.set, len(self.seats))

    def open_round(self):
        """The tiles are dealt: phase `engine`, hands still unknown but counted."""
        self._clear_round()
        self.phase = "engine"
        self.round += 1
        size = self.hand_size()
        self.counts = dict.fromkeys(self.seats, size)
        self.boneyard = tiles.size(self.set) - size * len(self.seats)

    def deal(self, hands, stock):
        """Say which tiles the players hold and how the stock lies, its next tile last."""
        self.hands = {seat: frozenset(hand) - self.laid for seat, hand in hands.items()}
        self.stock = list(stock)

    def highest(self):
        """Return (seat, tile) that opens, or None where the tiles are to be mixed again.

        The highest double; nobody has one: the tile with most pips, then with the higher half,
        where any tile may open.
        """
        held = [(t, seat) for seat, hand in self.hands.items() for t in hand]
        doubles = [(t, seat) for t, seat in held if is_double(t)]
        if doubles:
            tile, seat = max(doubles)
        elif self.options["opening"] == "any":
            tile, seat = max(held, key=lambda one: (pips(one[0]), one[0]))
        else:
            return None
        return seat, tile

    # ---- what may be laid where ----

    def why_not(self, slot, tile, override=False):
        """Return the verdict on a tap; the first word that applies."""
        if self.phase == "finished":
            return "not-now"
        if self.phase == "lobby" and (len(self.seats) < 2 or not is_double(tile)):
            return "not-now"
        if slot == E or (self.phase != "play" and slot not in self.seats):
            return "not-now"
        if tile >= tiles.size(self.set):
            return "not-in-set"
        if tile in self.laid:
            return "on-table"
        if self.phase == "play":
            return "ok" if override else self._why_not_there(slot, tile)
        single = self.phase == "engine" and not is_double(tile)
        if single and self.options["opening"] == "double":
            return "not-an-engine"
        return "ok"

    def _why_not_there(self, slot, tile):
        if slot not in self.lines.begun and not self.lines.may_begin():
            return "closed"
        return "ok" if self.lines.layouts_with(slot, tile) else "no-match"

    def moves(self):
        """Return the (slot, tile) of which an honest player, who sees the table, must make one."""
        return self.lines.moves(sorted(self.hands[self.turn]))

    # ---- inputs ----

    def _accept(self, did, by=None):
        self.did, self.by = did, by
        self.asked = None
        return "ok"

    def tap(self, slot, tile, override=False, lie=None):
        """Tap a tile on a slot; return the verdict's word.

        lie: how it really lies, one of `lines.honest_layouts`; without it the referee picks one.
        """
        self.by = self.did = None
        verdict = self.why_not(slot, tile, override)
        if verdict != "ok":
            return verdict
        if self.phase in ("lobby", "engine"):
            return self._lay_opening(slot, tile)
        if self.phase == "scoring":
            self.laid.add(tile)
            self.counted[slot] |= {tile}
            self.done.discard(slot)
            return self._accept("counted", slot)
        seat = self.turn
        self._moved()
        self._lay(slot, tile, lie)
        return self._accept("laid", seat)

    def press(self, slot):
        """Press a slot's button; return the verdict's word."""
        self.by = self.did = None
        if slot == M:
            self.did = "showed"  # no input of the match: whoever was asked stays asked
            return "ok"
        if slot == E:
            return self._press_engine()
        if self.phase == "lobby":
            return self._press_in_lobby(slot)
        if slot not in self.seats or self.phase == "engine":
            return "not-now"
        if self.phase == "play":
            return self._press_in_play(slot)
        if self.phase == "scoring":
            return self._press_in_scoring(slot)
        self._clear_match()
        return self._accept("cleared", slot)

    def draw(self, seat):
        """A draw with E's button down, whatever the boneyard's counter and the house say."""
        self.by = self.did = None
        if self.phase != "play" or seat not in self.seats:
            return "not-now"
        if seat != self.turn:
            return "not-your-turn"
        return self._take(seat)

    def draw_silently(self):
        """The seat to move takes a tile from the boneyard and tells nobody."""
        self.hands[self.turn] |= {self.stock.pop()}
        self.taken[self.turn] += 1

    def moved_to(self, did):
        """Say that taking back, or putting back, arrived at this picture; whoever was asked to
        press once more is asked anew. did: `took-back`, `put-back` or None where it was refused.
        """
        self.by, self.did = None, did
        if did:
            self.asked = None

    # ---- before the first tile ----

    def _press_in_lobby(self, station):
        if station in self.seats:
            self.seats.remove(station)
            did = "left"
        elif len(self.seats) == line_sheets.most_seats(self.house, self.set):
            return "not-now"
        else:
            self.seats = sorted([*self.seats, station])
            did = "joined"
        self._clear_match()
        return self._accept(did, station)

    def _press_engine(self):
        if self.phase == "lobby":
            if len(self.seats) < 2:
                return "not-now"
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
            self._clear_match()
            return self._accept("cleared")
        return self._accept("round-over")

    def _lay_opening(self, seat, tile):
        if self.phase == "lobby":
            self.open_round()
        self.opening = tile
        self.laid.add(tile)
        self.hands[seat] -= {tile}
        self.counts[seat] -= 1
        self.lines.open_with(tile)
        self.phase = "play"
        self.turn = seat
        self._after_a_tile(seat, tile)
        return self._accept("opened", seat)

    # ---- a turn ----

    def _next(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _moved(self):
        """An input of the seat to move: who laid before can say nothing any more."""
        self.last, self.noticed = None, False

    def _lay(self, slot, tile, lie):
        seat = self.turn
        self.lines.lay(slot, tile, lie)
        self.laid.add(tile)
        self.hands[seat] -= {tile}
        self.counts[seat] = max(0, self.counts[seat] - 1)
        self.passes = 0
        if self.counts[seat] == 0:
            self._round_over(seat)
        else:
            self._after_a_tile(seat, tile)

    def _after_a_tile(self, seat, tile):
        """The same seat again after a double where that earns a turn, else the next one."""
        self.drawn = False
        if is_double(tile) and self.options["again"] == "double":
            return
        self.turn = self._next(seat)
        self.last, self.noticed = seat, False

    def _press_in_play(self, seat):
        if seat == self.turn:
            if self.options["draw"] == "until" and self.boneyard:
                return self._take(seat)
            return self._pass(seat)
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

    def _take(self, seat):
        """A declared draw: the tile, unless it was taken before; none if nothing is left."""
        self._moved()
        self.counts[seat] += 1
        self.boneyard = max(0, self.boneyard - 1)
        if self.taken[seat]:
            self.taken[seat] -= 1
        elif self.stock:
            self.hands[seat] |= {self.stock.pop()}
        self.drawn = True
        return self._accept("drew", seat)

    def _pass(self, seat):
        self._moved()
        self.passes += 1
        self.drawn = False
        self.turn = self._next(seat)
        if self.passes >= len(self.seats):
            self._round_over(None)
        return self._accept("passed", seat)

    # ---- counting ----

    def _round_over(self, out):
        self.phase = "scoring"
        self.out = out
        self.turn = self.last = None
        self.drawn = False
        self.counted = {seat: frozenset() for seat in self.seats}
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
        if max(self.totals.values()) >= 2 * int(self.options["target"]):
            self._finish()
        else:
            self.open_round()

    def _finish(self):
        self.phase = "finished"
        best = max(self.totals.values())
        self.winners = [seat for seat in self.seats if self.totals[seat] == best]

    # ---- what must be seen ----

    def playable(self):
        """Return the begun lines, and every empty slot while one more line may begin."""
        return set(self.slots) if self.lines.may_begin() else set(self.lines.begun)

    def dead(self):
        """Return whether no tile that is not on the table fits anywhere any more."""
        return self.lines.dead(set(range(tiles.size(self.set))) - self.laid)

    def view(self):
        """Return what the hub's line must show, by the line's own keys."""
        play = self.phase == "play"
        lines = self.lines
        ends = {_name(slot): lines.ends(slot) for slot in sorted(lines.begun)}
        sides = sorted(lines.sides, reverse=True) if play and lines.may_begin() else []
        return {
            "by": self.by,
            "did": self.did,
            "phase": self.phase,
            "round": self.round,
            "engine": None if self.opening is None else tiles.text(self.opening),
            "turn": self.turn,
            "drawn": self.drawn,
            "open": _names(lines.begun) if play else [],
            "doubles": [],
            "playable": _names(self.playable()) if play else [],
            "ends": {name: end[0] if len(end) == 1 else end for name, end in ends.items()},
            "sides": {str(number): sides.count(number) for number in sides},
            "hands": {str(seat): self.counts[seat] for seat in self.seats},
            "boneyard": self.boneyard,
            "scores": {str(seat): self.totals[seat] / 2 for seat in self.seats},
            "winner": self.winners or None,
        }

    def wrong_tiles(self):
        """Return what is wrong with the tiles of the round, or None: each once, in chains."""
        there = [self.opening, *self.stock]
        for line in self.lines.begun.values():
            there += [tile for tile, _ in line]
        for hand in self.hands.values():
            there += hand
        if sorted(there) != list(range(tiles.size(self.set))):
            return "a tile is missing or there twice"
        return self.lines.wrong_chain()


def _name(slot):
    return "M" if slot == M else str(slot)


def _names(slots):
    return [_name(slot) for slot in sorted(slots)]
