# SPDX-License-Identifier: MIT
"""One evening: players honest and dishonest, a hub, and the referee beside it.

Every input goes to the hub and to the referee, and what the hub says and shows must be what the
referee says. Players lay what they must, and now and then what they must not: on a wrong train,
out of turn, twice, by override; they forget to declare a draw or the notice, call "caught!", take
back in the middle of everything. After every round each tile must exist once and every train must
be a chain.
"""

import collections
import json
import random

from host_sim.games.mexican_train import legal_moves
from host_sim.games.mexican_train.referee import Referee, TrackedOptions
from host_sim.games.player_knowledge import Disagreement, is_double
from roundhouse import tiles
from roundhouse.constants import E, M, slot_name
from roundhouse.games import houses

VALUES = {option: values for option, _, values, _ in houses.table(0)}
ODD = (
    ["wrong_train", "out_of_turn", "a_tile_that_lies", "a_tile_of_another_box"]
    + ["matching_tile_on_a_wrong_train"] * 5
    + ["press_of_another", "caught", "caught", "forgotten_draw", "false_pass", "draw_with_E_held"]
    + ["override", "take_back", "take_back", "round_over"]
)
ENOUGH = 20  # times a value decided something, after which it is asked only now and then


class SoakEvening:
    """One match: people, a hub, the referee, and what was counted.

    mischief: how often, 0..1, somebody does something odd before a tile is laid. tally counts
    (option, word) that decided something, done what the people did, by name.
    """

    def __init__(self, hub, house, set_, seats, seed, mischief=0.15, stations=10):
        self.hub = hub
        self.referee = self.referee_of(house, set_, seats, stations)
        self.seats = list(seats)
        self.random = random.Random(seed)
        self.mischief = mischief
        self.doubles_first = self.random.choice((True, False, None))
        self.past = []  # the referee's pictures before every accepted input
        self.future = []  # those that were taken back
        self.said = []
        self.line = None
        self.tally = collections.Counter()
        self.done = collections.Counter()

    def referee_of(self, house, set_, seats, stations):
        """Return who judges; Mexican Train is judged on boards with ten stations."""
        return Referee(house, set_, seats)

    # ---- one input, to hub and referee ----

    def tap(self, slot, tile, override=False):
        """Tap a tile on a slot, both numbers; return whether hub and referee take it."""
        said = "%s %s %s" % ("override" if override else "tap", tiles.text(tile), slot_name(slot))
        line = self.hub.tap(slot, tile, override)
        starter = line and line["turn"]  # the hub may have drawn it
        return self._judge(said, line, lambda r: r.tap(slot, tile, override, starter))

    def press(self, slot):
        return self._judge(
            "press " + slot_name(slot), self.hub.press(slot), lambda r: r.press(slot)
        )

    def draw(self, seat):
        return self._judge("draw %d" % seat, self.hub.draw(seat), lambda r: r.draw(seat))

    def hold(self):
        self.future.append(self.referee)
        self.referee = self.past.pop()
        self.referee.moved_to("took-back")
        self._compare("hold", self.hub.hold(), "ok")

    def redo(self):
        self.put_back(self.hub.redo())

    def put_back(self, line):
        """Let the referee follow what the hub has put back."""
        self.past.append(self.referee)
        self.referee = self.future.pop()
        self.referee.moved_to("put-back")
        self._compare("redo", line, "ok")

    def _judge(self, said, line, act):
        before = self.referee.clone()
        self.referee.options.asked.clear()
        verdict = act(self.referee)
        asked = self.referee.options.asked.copy()
        if verdict == "ok" and self.referee.did != "showed":  # which is no input of the match
            self.past.append(before)
            self.future.clear()
        self._compare(said, line, verdict)
        self._ask_again(before, asked, verdict, act)
        self.done[verdict] += 1
        return verdict == "ok"

    def _compare(self, said, line, verdict):
        self.said.append(said)
        if line is None:
            raise Disagreement(self._story("the hub does not answer"))
        self.line = line
        view = self.referee.view()
        view["verdict"] = verdict
        wrong = [
            "%s: the hub %s, the referee %s" % (key, json.dumps(line[key]), json.dumps(value))
            for key, value in view.items()
            if line[key] != value
        ]
        if wrong:
            raise Disagreement(self._story("; ".join(wrong)))

    def _story(self, text):
        return "\n".join([*self.said, text])

    def _ask_again(self, before, asked, verdict, act):
        """Count the options whose other values would have answered this input differently."""
        after = self.referee.state()
        for option in asked:
            word = dict.__getitem__(before.options, option)
            if self.tally[option, word] >= ENOUGH and self.random.random() > 0.01:
                continue
            for other in VALUES[option]:
                if other == word:
                    continue
                picture = before.clone()
                picture.options = TrackedOptions({**before.options, option: other})
                if act(picture) != verdict or picture.state() != after:
                    self.tally[option, word] += 1
                    break

    # ---- a match ----

    def play(self, rounds):
        """Play so many rounds, or the whole match where it ends before."""
        for _ in range(rounds):
            self.said.clear()
            while self.referee.phase in ("lobby", "engine"):  # and once more: see `take_back`
                self.find_engine()
                while self.referee.phase == "play":
                    self.move()
            wrong = self.referee.wrong_tiles()
            if wrong:
                raise Disagreement(self._story(wrong))
            self.count()
            self.done["rounds"] += 1
            if self.referee.phase == "finished":
                return
        self.press(E)  # enough for tonight

    def back_to_the_lobby(self):
        """Take back every input of the match."""
        while self.past:
            self.hold()
        for _ in range(self.hub.set_up):
            self.hub.hold()
        if self.hub.hold()["verdict"] != "not-now":
            raise Disagreement("there was something before the empty lobby")

    def find_engine(self):
        """Deal, and bring the engine to the table."""
        r, odd = self.referee, self.random.random() < self.mischief
        stock = list(range(tiles.size(r.set)))
        self.random.shuffle(stock)
        number = r.set - max(0, r.round - 1)
        if r.phase == "lobby" and (r.from_hand() or self.random.random() < 0.5):
            number = r.set
            self.press(E)
        if r.options["engine"] == "any":
            number = self.random.randint(0, r.set)
        if odd and r.phase == "engine":
            self.press(self.random.choice(self.seats))
            self.tap(self.random.choice([*self.seats, E, M]), self.random.choice(stock))
            while self.past[-1].phase == "engine":
                self.hold()
            r = self.referee
        if not r.from_hand():
            engine = tiles.double(number)
            stock.remove(engine)
            slot = self.random.choice([E, E] + self.seats)
            if r.phase == "lobby":  # the deal itself is not yet done
                self.tap(slot, engine)
                self._deal(stock)
            else:
                self._deal(stock)
                self.tap(slot, engine)
            return
        while True:
            self._deal(list(stock))
            doubles = [(t, s) for s, hand in r.hands.items() for t in hand if is_double(t)]
            if doubles or r.options["engine"] == "in-hand":
                break
            self.random.shuffle(stock)  # nobody has a double: mix and deal again
        engine, holder = max(doubles) if doubles else (0, None)
        if r.options["engine"] == "in-hand":
            engine = tiles.double(number)
            holder = self._holder(engine)
            turn = 0
            while holder is None:  # draw for it, clockwise
                self.press(self.seats[turn % len(self.seats)])
                turn += 1
                holder = self._holder(engine)
        self.tap(holder, engine)

    def _deal(self, stock):
        counts = self.referee.counts
        hands = {seat: [stock.pop() for _ in range(counts[seat])] for seat in self.seats}
        if self.referee.phase == "play" and self.referee.from_hand():
            raise AssertionError("dealt too late")
        self.referee.deal(hands, stock)

    def _holder(self, tile):
        return next((s for s, hand in self.referee.hands.items() if tile in hand), None)

    # ---- a turn ----

    def move(self):
        """The seat to move does one thing, or somebody does something odd before."""
        if self.random.random() < self.mischief:
            getattr(self, self.random.choice(ODD))()
        elif self.referee.owed or (self.referee.line and self.random.random() < 0.5):
            self.a_double_where_it_matches()
        if self.referee.phase != "play":
            return
        r = self.referee
        seat = r.turn
        if not r.hands[seat]:
            self.is_out(seat)
            return
        moves = legal_moves.moves(r)
        if r.options["enforce"] == "tiles":
            self.move_freely(seat, moves)
        elif moves:
            self.lay(*self.choose(moves))
        elif not self.press(seat):  # a third tile is owed that is not there
            self.hold()

    def move_freely(self, seat, moves):
        """Where nothing is enforced people lay what they like and press when they are done."""
        if moves:
            self.lay(*self.random.choice(moves))
        if self.referee.phase == "play":
            self.press(seat)

    def choose(self, moves):
        """Some people lay doubles first, some keep them to the end, some do not care."""
        best = [m for m in moves if is_double(m[1]) == self.doubles_first]
        return self.random.choice(best if best and self.random.random() < 0.95 else moves)

    def lay(self, slot, tile, override=False):
        """Lay one of one's own tiles; notice, and put right what the count has wrong."""
        seat = self.referee.turn
        if not self.tap(slot, tile, override):
            return
        r = self.referee
        if r.phase == "scoring" and r.hands[seat] and r.out == seat:
            self.hold()  # a draw was never declared
            r = self.referee
            if r.turn == seat and not r.third:
                self.draw(seat)
                self.tap(slot, tile, override)
        elif r.phase == "play" and not r.hands[seat]:
            self.is_out(seat)
        elif r.counts[seat] == 1 and r.last == seat != r.turn and self.random.random() < 0.6:
            self.press(seat)

    def is_out(self, seat):
        """The hub counts a tile more than there is: "that was my last tile"."""
        if self.referee.last != seat or self.referee.turn == seat:
            self.press(E)
            return
        self.press(seat)
        if not self.press(seat):  # more than one, says the count
            self.press(seat)

    # ---- odd things ----

    def any_slot(self):
        return self.random.choice([E, *range(1, M + 1)])

    def wrong_train(self):
        hand = self.referee.hands[self.referee.turn]
        if hand:
            self.lay(self.any_slot(), self.random.choice(sorted(hand)))

    def matching_tile_on_a_wrong_train(self):
        r = self.referee
        slot = self.random.choice(range(1, M + 1))
        hand = [t for t in r.hands[r.turn] if set(r.end(slot)) & {tiles.HIGH[t], tiles.LOW[t]}]
        if hand:
            doubles = [t for t in hand if is_double(t)]
            self.lay(slot, self.random.choice(doubles or sorted(hand)))

    def a_double_where_it_matches(self):
        """Where a double was just laid, or must be closed, another one is the interesting tile."""
        r = self.referee
        tempting = [
            (slot, tile)
            for tile in sorted(r.hands[r.turn])
            for slot in range(1, M + 1)
            if is_double(tile) and tiles.HIGH[tile] in r.end(slot)
        ]
        if tempting and (r.owed or legal_moves.due(r) is not None):
            self.lay(*self.random.choice(tempting))

    def out_of_turn(self):
        seat = self.random.choice(self.seats)
        hand = self.referee.hands[seat]
        if seat == self.referee.turn or not hand:
            return
        if self.tap(self.any_slot(), self.random.choice(sorted(hand))):
            self.hold()

    def a_tile_that_lies(self):
        self.tap(self.any_slot(), self.random.choice(sorted(self.referee.laid)))

    def a_tile_of_another_box(self):
        if self.referee.set < tiles.HIGHEST:
            self.tap(self.any_slot(), tiles.tile(self.referee.set + 1, 0))

    def press_of_another(self):
        self.press(self.random.choice(self.seats))

    def caught(self):
        if self.referee.forgot or self.random.random() < 0.2:
            self.press(M)  # nobody to be caught: the totals

    def forgotten_draw(self):
        if self.referee.stock:
            self.referee.draw_silently()

    def false_pass(self):
        seat = self.referee.turn
        while self.referee.phase == "play" and self.referee.turn == seat:
            if not self.press(seat):
                self.hold()
                break

    def draw_with_E_held(self):
        self.draw(self.random.choice([self.referee.turn] * 3 + self.seats))

    def override(self):
        hand = self.referee.hands[self.referee.turn]
        if hand and self.random.random() < 0.3:
            self.lay(self.any_slot(), self.random.choice(sorted(hand)), True)

    def take_back(self):
        """Take some inputs back, and perhaps go forward again.

        Where the opening tile went too it is put back; unless the power took along what was taken
        back: then the round begins anew.
        """
        back = min(len(self.past), self.random.choice((1, 1, 1, 2, 3, 5, 8, 13)))
        started = len(self.past)
        while back and self.referee.phase == "play":
            self.hold()
            back -= 1
        if self.referee.phase != "play":
            self.redo()
        while self.future and self.random.random() < 0.5:
            self.redo()
        self.done["taken back"] += started - len(self.past)

    def round_over(self):
        if self.random.random() < 0.02:
            self.press(E)

    # ---- counting ----

    def count(self):
        """Everybody taps what is left, some of them wrongly first."""
        order = list(self.seats)
        self.random.shuffle(order)
        for seat in order:
            for tile in sorted(self.referee.hands[seat]):
                if self.random.random() < self.mischief / 4:
                    self.press(seat)
                    if self.referee.phase != "scoring":
                        self.hold()
                if self.random.random() < self.mischief / 4:
                    self.tap(self.any_slot(), self.random.choice(sorted(self.referee.laid)))
                    if self.tap(self.random.choice(self.seats), tile):
                        self.hold()
                self.tap(seat, tile)
        for seat in order:
            for _ in range(2):
                if self.referee.phase == "scoring" and seat not in self.referee.done:
                    self.press(seat)
        if self.referee.phase == "scoring":
            raise Disagreement(self._story("counting does not end"))
