# SPDX-License-Identifier: MIT
"""The soak: evenings full of honest and dishonest players, judged by the referee beside the hub.

Every input goes to the hub and to the referee, and what the hub says and shows must be what the
referee says. Players lay what they must, and now and then what they must not: on a wrong train,
out of turn, twice, by override; they forget to declare a draw or the notice, call "caught!", take
back in the middle of everything. After every round each tile must exist once and every train must
be a chain.

For every input the options that were looked at are asked again: had the answer been another with
another value? An option whose values never decided anything makes the soak fail.
"""

import collections
import concurrent.futures
import json
import os
import random
import sys
import tempfile
import time

from host_sim.checks.referee import E, M, Options, Referee, is_double
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import console, houses, table, tiles, words
from roundhouse.drivers import files
from roundhouse.journal import Journal
from roundhouse.words import slot_name

# What no sheet and no variant says, but a family may: name -> (base, options), as in config.py.
FAMILY = {
    "one-lap": ("jassshop", {"last-double": "lap"}),
    "ouvert": ("quebec", {"second-tile": "open"}),
    "single-minded": ("puremco", {"second-double": "no", "last-two": "no"}),
    "two-at-most": ("puremco", {"last-two": "no"}),
    "own-first": ("original", {"first-turn": "own"}),
    "once-through": ("goliath", {"rounds": "each"}),
}
ENOUGH = 20  # times a value decided something, after which it is asked only now and then


class Disagreement(Exception):
    """The hub and the referee differ; the text has the inputs since the deal, and in what."""


class CoreHub:
    """Rules core and journal, without the board around them: the fast half of the soak.

    Keeps the state before every input, so that taking back can be compared byte for byte.
    """

    def __init__(self, house, set_, seats, seed):
        self.folder = tempfile.TemporaryDirectory(prefix="roundhouse-")
        self.random = random.Random(seed)
        self.table = table.Table()
        self.scratch = table.Table()
        self.journal = Journal(files, self.folder.name, self.table)
        self.journal.resume()
        self.states = [bytes(self.table.state)]
        self.taken = []
        index, variants = houses.parse(house.split())
        self._input(words.RULES, index, variants)
        self._input(words.SET, 0, set_)
        for seat in seats:
            self._input(words.PRESS, seat)
        self.set_up = len(self.states) - 1

    def _input(self, kind, slot, value=0):
        verdict = self.table.apply(kind, slot, value)
        if not verdict:
            self.journal.record(kind, slot, value)
            self.states.append(bytes(self.table.state))
            self.taken.clear()
        return self._line(verdict)

    def _line(self, verdict=0):
        self._check_playable()
        return json.loads(console.line("", verdict, self.table, b""))

    def tap(self, slot, tile, override=False):
        chance = self.random.randrange(256) << 8
        return self._input(words.OVERRIDE if override else words.TAP, slot, tile | chance)

    def press(self, slot):
        return self._input(words.PRESS, slot)

    def draw(self, seat):
        return self._input(words.DRAW, seat)

    def hold(self):
        if self.journal.take_back() is None:
            return self._line(words.NOT_NOW)
        self.taken.append(self.states.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("taking back arrives at another state")
        return self._line()

    def redo(self):
        self.table.apply(*self.journal.redo(), again=True)
        self.journal.redone()
        self.states.append(self.taken.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("going forward arrives at another state")
        return self._line()

    def _check_playable(self):
        """By trying: `playable` has every slot that takes a tile, else only used-up ones."""
        t, scratch = self.table, self.scratch
        if t.phase != words.PLAY or t.option("enforce") == "tiles":
            return
        state = bytes(t.state)
        scratch.restore(state)
        for slot in range(1, M + 1):
            ends = {t.end(slot), t.second_end(slot)} - {words.NONE}
            free = [
                tile
                for tile in {tiles.tile(n, other) for n in ends for other in range(t.set + 1)}
                if not t.laid(tile)
            ]
            takes = False
            for tile in free:
                if not scratch.tap(slot, tile):
                    scratch.restore(state)
                    takes = True
                    break
            shown = t.playable >> slot & 1
            if (takes and not shown) or (shown and free and not takes and len(ends) == 1):
                raise Disagreement("playable is wrong about %s" % slot_name(slot))

    def close(self):
        self.journal.close()
        self.folder.cleanup()


class BoardHub:
    """The whole firmware on the simulated board, from tag bytes to pixel bytes."""

    def __init__(self, house, set_, seats, seed, storage=None, **changes):
        self.board = SimulatedHub(configured(FAMILY=FAMILY, **changes), seed=seed, storage=storage)
        for line in ("house " + house, "set %d" % set_):
            self.board.say(line)
        for seat in seats:
            self.board.press(str(seat))
        self.set_up = 2 + len(seats)

    def tap(self, slot, tile, override=False):
        tap = self.board.override if override else self.board.tap
        return tap(tiles.text(tile), slot_name(slot))

    def press(self, slot):
        return self.board.press(slot_name(slot))

    def draw(self, seat):
        self.board.press_down("E")
        self.board.run(100)
        line = self.board.press(str(seat))
        self.board.press_up("E")
        self.board.run(100)
        return line

    def hold(self):
        return self.board.hold("E")

    def redo(self):
        return self.board.say("redo")

    def close(self):
        pass


class Evening:
    """One match: people, a hub, the referee, and what was counted.

    mischief: how often, 0..1, somebody does something odd before a tile is laid. tally counts
    (option, word) that decided something, done what the people did, by name.
    """

    def __init__(self, hub, house, set_, seats, seed, mischief=0.15):
        self.hub = hub
        self.referee = Referee(house, set_, seats)
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

    # ---- one input, to hub and referee ----

    def tap(self, slot, tile, override=False):
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
        self._compare("hold", self.hub.hold(), "ok")

    def redo(self):
        self.past.append(self.referee)
        self.referee = self.future.pop()
        self._compare("redo", self.hub.redo(), "ok")

    def _judge(self, said, line, act):
        before = self.referee.clone()
        self.referee.options.asked.clear()
        verdict = act(self.referee)
        asked = self.referee.options.asked.copy()
        if verdict == "ok":
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
                picture.options = Options({**before.options, option: other})
                if act(picture) != verdict or picture.state() != after:
                    self.tally[option, word] += 1
                    break

    # ---- a match ----

    def play(self, rounds):
        """Play so many rounds, or the whole match where it ends before."""
        for _ in range(rounds):
            self.said.clear()
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
        moves = r.moves()
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
        """Lay one of the own tiles; notice, and put right what the count has wrong."""
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
        if self.referee.last == seat and self.referee.turn != seat:
            self.press(seat)
            self.press(seat)
        else:
            self.press(E)

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
        if tempting and (r.owed or r.due() is not None):
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
        r = self.referee
        others = [s for s in self.seats if s not in (r.turn, r.last)]
        if r.forgot and others:
            self.press(self.random.choice(others))

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


VALUES = {row[0]: row[2].split() for row in houses.OPTIONS}
ODD = (
    ["wrong_train", "out_of_turn", "a_tile_that_lies", "a_tile_of_another_box"]
    + ["matching_tile_on_a_wrong_train"] * 5
    + ["press_of_another", "caught", "caught", "forgotten_draw", "false_pass", "draw_with_E_held"]
    + ["override", "take_back", "take_back", "round_over"]
)


# ---- many evenings ----


def evenings(seed=1, long=False):
    """Return what to play: (hub, house, set, seats, rounds, seed) for every house and variant.

    Short: a whole match with double six and a round with another set. Long: every set with every
    number of seats, and three matches.
    """
    houses.families(FAMILY)
    chance = random.Random(seed)
    variants = [name for name, _ in houses.VARIANTS]
    found = []
    for index, house in enumerate(houses.HOUSES):
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(2)]
        for variant in ["", "", "", *pairs] if house in FAMILY else ["", *variants, *pairs]:
            said = (house + " " + variant).strip()
            sizes = [
                (set_, n)
                for set_ in tiles.SETS
                for n in range(2, houses.most_seats(index, set_) + 1)
            ]
            if long:
                found += [(CoreHub, said, set_, n, 2) for set_, n in sizes]
            else:
                found.append((CoreHub, said, *chance.choice(sizes), 1))
            for n in (2, 3, 4) if long else chance.choices((3, 4)):
                found.append((CoreHub, said, 6, n, 8))
        found.append((BoardHub, house, 6, chance.randint(2, 4), 3 if long else 1))
    return [(*evening, chance.getrandbits(32)) for evening in found]


def play(evening):
    """Play one evening; return (what decided something, what was done, None or the story)."""
    kind, house, set_, n, rounds, seed = evening
    houses.families(FAMILY)
    seats = sorted(random.Random(seed).sample(range(1, 11), n))
    hub = kind(house, set_, seats, seed)
    match = Evening(hub, house, set_, seats, seed)
    story = None
    try:
        match.play(rounds)
        if kind is CoreHub:
            match.back_to_the_lobby()
    except Disagreement as error:
        story = "%s, set %d, seats %s:\n%s" % (house, set_, seats, error)
    match.done["inputs"] += sum(match.done[word] for word in words.VERDICTS)
    hub.close()
    return match.tally, match.done, story


def run(seed=1, long=False, out=sys.stdout, err=sys.stderr):
    """The command `soak`; returns the exit status: 0, or 1 where something was wrong or idle."""
    started = time.perf_counter()
    tally, done, stories = collections.Counter(), collections.Counter(), []
    todo = evenings(seed, long)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for n, (decided, did, story) in enumerate(pool.map(play, todo, chunksize=8), 1):
            tally.update(decided)
            done.update(did)
            if err.isatty():
                print("%d of %d evenings" % (n, len(todo)), end="\r", file=err)
            if story:
                stories.append(story)
    for row in houses.OPTIONS:
        said = ["%s %d" % (word, tally[row[0], word]) for word in row[2].split()]
        print("%-16s %s" % (row[0], "  ".join(said)), file=out)
    print(
        "%d evenings, %d rounds, %d inputs (%d refused), %d taken back in the middle, %.0f s"
        % (
            len(todo),
            done["rounds"],
            done["inputs"],
            done["inputs"] - done["ok"],
            done["taken back"],
            time.perf_counter() - started,
        ),
        file=out,
    )
    idle = [
        "%s %s" % (option, word)
        for option, values in VALUES.items()
        for word in values
        if not tally[option, word]
    ]
    for story in stories[:3]:
        print(story, file=err)
    print("%d disagreements" % len(stories), file=out)
    if idle:
        print("never decided anything: %s" % ", ".join(idle), file=err)
    return 1 if stories or idle else 0
