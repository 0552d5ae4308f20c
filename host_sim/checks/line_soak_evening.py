# SPDX-License-Identifier: MIT
"""Evenings of the line games: honest and dishonest people, judged by the referee beside the hub.

Whatever is no line game's own is `soak_evening.SoakEvening`. A hub is an object with `tap`,
`press`, `draw`, `hold`, `redo` that answer with the console's line as a dict, and `set_up`, the
number of inputs it took to get everybody seated.
"""

import random

from host_sim.checks.soak_evening import ENOUGH, SoakEvening
from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.line_games.lines import pips
from host_sim.games.line_games.referee import Referee as LineReferee
from host_sim.games.player_knowledge import is_double
from roundhouse import tiles
from roundhouse.constants import E, M


class RefereeHub:
    """A hub that is a referee itself: it shows that an evening runs, and what is noticed."""

    Referee = LineReferee

    def __init__(self, house, set_, seats, seed=0, stations=10):
        self.referee = self.Referee(house, set_, (), stations)
        self.past, self.future = [], []
        for seat in seats:
            self.press(seat)
        self.set_up = len(self.past)

    def _input(self, act):
        before = self.referee.clone()
        verdict = act(self.referee)
        if verdict == "ok" and self.referee.did != "showed":
            self.past.append(before)
            self.future.clear()
        return self._line(verdict)

    def _line(self, verdict):
        return {"verdict": verdict, **self.referee.view()}

    def tap(self, slot, tile, override=False):
        return self._input(lambda r: r.tap(slot, tile, override))

    def press(self, slot):
        return self._input(lambda r: r.press(slot))

    def draw(self, seat):
        return self._input(lambda r: r.draw(seat))

    def hold(self):
        if not self.past:
            self.referee.moved_to(None)
            return self._line("not-now")
        self.future.append(self.referee)
        self.referee = self.past.pop()
        self.referee.moved_to("took-back")
        return self._line("ok")

    def redo(self):
        self.past.append(self.referee)
        self.referee = self.future.pop()
        self.referee.moved_to("put-back")
        return self._line("ok")

    def close(self):
        pass


class LineSoakEvening(SoakEvening):
    """One match: people, a hub, the referee, and what was counted.

    mischief: how often, 0..1, somebody does something odd before a tile is laid. tally counts
    (option, word) that decided something; done what people did, by name.
    """

    def __init__(self, hub, house, set_, seats, seed, mischief=0.15, stations=10):
        super().__init__(hub, house, set_, seats, seed, mischief, stations)
        self.heavy = self.random.choice((1, 0.9, 0.5, 0))

    def referee_of(self, house, set_, seats, stations):
        return LineReferee(house, set_, seats, stations)

    # ---- one input, to hub and referee ----

    def tap(self, slot, tile, override=False):
        """Tap a tile on a slot; return whether both accepted it."""
        said = "%s %s %d" % ("override" if override else "tap", tiles.text(tile), slot)
        lines = self.referee.lines
        ways = sorted(lines.honest_layouts(slot, tile), key=str)
        lie = self.random.choice(ways) if ways else None
        in_play = self.referee.phase == "play"
        line = self.hub.tap(slot, tile, override)
        taken = self._judge(said, line, lambda r: r.tap(slot, tile, override, lie))
        if in_play and not ways and not override:
            self.done["wrong tap taken" if taken else "wrong tap refused"] += 1
        return taken

    def _ask_again(self, before, asked, verdict, act):
        """Count the options whose other values would have answered this input differently."""
        after = self.referee.state()
        for option in asked:
            word = dict.__getitem__(before.options, option)
            if self.tally[option, word] >= ENOUGH and self.random.random() > 0.01:
                continue
            for other in line_sheets.VALUES[option]:
                picture = before.clone(**{option: other})
                if other != word and (act(picture) != verdict or picture.state() != after):
                    self.tally[option, word] += 1
                    break

    # ---- before the first tile ----

    def find_engine(self):
        """Deal, and lay the opening tile; where nobody may open, mix and deal again."""
        if self.random.random() < self.mischief:
            self.odd_opening()
        r = self.referee
        size = r.hand_size()
        while True:
            stock = list(range(tiles.size(r.set)))
            self.random.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(size)] for seat in self.seats}
            r.deal(hands, stock)
            opens = r.highest()
            if opens:
                break
        if r.phase == "lobby" and (not is_double(opens[1]) or self.random.random() < 0.5):
            self.press(E)
        self.tap(*opens)
        self.referee.deal(hands, stock)

    def odd_opening(self):
        """Somebody joins and thinks better of it; tiles and presses that begin nothing."""
        started = len(self.past)
        tile = self.random.randrange(tiles.size(self.referee.set))
        station = self.random.choice(self.referee.stations)
        if self.referee.phase == "lobby" and self.press(station):
            self.hold()
        if self.referee.phase == "lobby" and self.random.random() < 0.5:
            self.press(E)
        self.press(self.random.choice([M, station]))
        self.tap(self.any_slot(), tile)
        self.tap(self.random.choice(self.seats), tile)
        self.a_tile_of_another_box()
        while len(self.past) > started:
            self.hold()

    # ---- a turn ----

    def move(self):
        """The seat to move does one thing, or somebody does something odd before."""
        if self.random.random() < self.mischief:
            getattr(self, self.random.choice(ODD))()
        r = self.referee
        if r.phase != "play":
            return
        if not r.hands[r.turn]:
            self.is_out(r.turn)
            return
        moves = r.moves()
        if moves:
            self.lay(*self.choose(moves))
        elif r.stock and not r.boneyard and dict.__getitem__(r.options, "draw") == "until":
            self.draw(r.turn)  # the hub counts none any more, but there they are
        elif r.dead() and self.random.random() < 0.2:
            self.press(E)
        else:
            self.press(r.turn)

    def choose(self, moves):
        """Some people lay their heaviest tile first, some do not care; the end is by chance."""
        heaviest = max(pips(tile) for _, tile in moves)
        best = [move for move in moves if pips(move[1]) == heaviest]
        return self.random.choice(best if self.random.random() < self.heavy else moves)

    def lay(self, slot, tile, override=False):
        """Lay one of one's own tiles; notice, and put right what the count has wrong."""
        seat = self.referee.turn
        if not self.tap(slot, tile, override):
            return
        r = self.referee
        if r.phase == "scoring" and r.hands[seat] and r.out == seat:
            self.hold()  # a draw was never declared
            self.draw(seat)
            self.tap(slot, tile, override)
        elif r.phase == "play" and not r.hands[seat]:
            self.is_out(seat)
        elif r.last == seat and self.random.random() < (0.6 if r.counts[seat] == 1 else 0.02):
            self.press(seat)

    # ---- odd things ----

    def any_slot(self):
        """Any slot the board has."""
        return self.random.choice([E, *self.referee.slots])

    def matching_tile_on_a_wrong_train(self):
        """A tile that fits somewhere, on any slot."""
        moves = self.referee.moves()
        if moves:
            self.lay(self.any_slot(), self.random.choice(moves)[1])

    def on_an_undecided_end(self):
        """A tile that a hub takes, and somebody who sees how the tiles lie would not."""
        r = self.referee
        fooling = [
            (slot, tile)
            for slot in r.slots
            for tile in sorted(r.hands[r.turn])
            if r.why_not(slot, tile) == "ok" and not r.lines.honest_layouts(slot, tile)
        ]
        if fooling:
            self.lay(*self.random.choice(fooling))
            if self.random.random() < 0.7 and self.referee.phase == "play":
                self.hold()

    def knock_too_early(self):
        """Who laid last presses again and again, whatever is left; then it is taken back."""
        seat = self.referee.last
        if seat is None:
            return
        for _ in range(self.random.randint(1, 4)):
            if self.referee.phase == "play":
                self.press(seat)
            if self.random.random() < 0.2:
                self.press(M)
        while self.referee.phase != "play" or (self.past and self.past[-1].last == seat):
            self.hold()
            if self.referee.last != seat:
                self.redo()
                break

    def knock_too_late(self):
        """Who laid last says something after the next seat has drawn or passed."""
        seat = self.referee.last
        if seat is None:
            return
        self.press(self.referee.turn)
        if self.referee.phase == "play":
            self.press(seat)

    def show_totals(self):
        self.press(M)

    def false_pass(self):
        for _ in range(self.random.randint(1, 3)):
            if self.referee.phase == "play":
                self.press(self.referee.turn)

    def take_back_and_ask_anew(self):
        """What was asked before something else is asked anew after it was taken back."""
        r = self.referee
        if r.last is None or r.counts[r.last] < 2:
            return
        seat = r.last
        self.press(seat)
        self.press(seat)
        if self.referee.phase == "play" and self.draw(self.referee.turn):
            self.hold()
            self.press(seat)
            if self.referee.phase == "scoring":
                self.hold()

    # ---- counting ----

    def count(self):
        """Now and then the table does not wait until everybody has counted."""
        if self.random.random() < self.mischief / 2:
            seat = self.random.choice(self.seats)
            for tile in sorted(self.referee.hands[seat]):
                self.tap(seat, tile)
            self.press(E)
        else:
            super().count()


ODD = (
    ["wrong_train", "out_of_turn", "a_tile_that_lies", "a_tile_of_another_box"]
    + ["matching_tile_on_a_wrong_train"] * 4
    + ["on_an_undecided_end", "knock_too_early", "knock_too_late"]
    + ["show_totals", "take_back_and_ask_anew"]
    + ["press_of_another", "forgotten_draw", "false_pass", "draw_with_E_held"]
    + ["override", "take_back", "take_back", "round_over"]
)


# ---- many evenings ----


WHOLE = 99  # rounds, more than any match has


def evenings(seed=1, long=False):
    """Return what to play: (house, set, seats, stations, rounds, seed) for houses and variants.

    Short: every house with every variant once. Long: with every set and number of seats.
    """
    chance = random.Random(seed)
    variants = list(line_sheets.VARIANTS)
    found = []
    for house in line_sheets.HOUSES:
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(3)]
        for variant in ["", "", *variants, *pairs]:
            said = (house + " " + variant).strip()
            sizes = [
                (set_, n)
                for set_ in line_sheets.SETS
                for n in range(2, line_sheets.most_seats(house, set_) + 1)
            ]
            for set_, n in sizes if long else [chance.choice(sizes)]:
                stations = chance.choice([10, 10, max(4, n)])
                found.append((said, set_, n, stations, 12 if set_ == 6 else 2))
    for variant in ("tie-shared", "tie-each"):  # what is rare needs more rounds
        found += [("block to-200 " + variant, 6, 4, 10, 30)] * 4
    for words in ("draw blank-25", "draw blank-50", "classic to-61"):
        found += [(words, 6, 4, 10, 12)] * 3
    found += [("matador ten", 12, 3, 10, 6), ("matador", 6, 4, 10, 12), ("matador", 6, 3, 10, 12)]
    return [(*evening, chance.getrandbits(32)) for evening in found]


def matches(count, seed=1):
    """Return whole random matches, so many of each line game, in the form of `evenings`."""
    chance = random.Random(seed)
    found = []
    for house in line_sheets.HOUSES:
        for _ in range(count):
            set_ = chance.choice((6, 6, 9, 12))
            n = chance.randint(2, line_sheets.most_seats(house, set_))
            stations = chance.choice([10, 10, max(4, n)])
            found.append((house, set_, n, stations, WHOLE, chance.getrandbits(32)))
    return found
