# SPDX-License-Identifier: MIT
"""People at the table: they hold hands, draw, tap, press, forget nothing and see only the hub.

A bot knows what a person knows: its own tiles, what the hub's line shows, and from the rule sheet
when a second double may be laid. It tries what looks right; what the hub refuses it does not try
again in that turn. `BotMatch` deals, plays whole matches through a simulated board and counts the
left-over tiles itself.
"""

import random

from host_sim.people import honest
from roundhouse import tiles
from roundhouse.games import houses

BLANKS = {"blank-25": 25, "blank-50": 50}


class Disagreement(Exception):
    """The hub and somebody at the table differ: who holds tiles, sees lamps, or judges."""


def fits(tile, ends):
    """Return whether a tile shows one of the numbers `ends`."""
    return tiles.HIGH[tile] in ends or tiles.LOW[tile] in ends


def is_double(tile):
    return tiles.HIGH[tile] == tiles.LOW[tile]


class BotMatch:
    """One match of bots on a board.

    seats: station numbers; house: its words; set_: highest number; seed: of shuffling and choice.
    slips: how often, 0..1, a person first does something wrong. told(said, line) is called for
    every input with what was done and the hub's line.
    """

    def __init__(self, board, seats, house, set_, seed=1, slips=0.0, told=None):
        self.board = board
        self.seats = list(seats)
        self.house = house.split()
        self.options = honest.options_of(*houses.parse(self.house))
        self.blank = next((BLANKS[word] for word in self.house if word in BLANKS), 0)
        self.set = set_
        self.random = random.Random(seed)
        self.slips = slips
        self.told = told or (lambda said, line: None)
        self.line = None
        self.hands = {}
        self.stock = []
        self.totals = dict.fromkeys(self.seats, 0)
        self.refusals = 0
        self.begin_turn()
        self.passes = 0  # in a row, where the house enforces nothing

    # ---- through the board ----

    def do(self, said, line, must=True):
        """Note an input and the hub's line; an honest one that was refused is Disagreement."""
        if line is None:
            raise Disagreement("%s: the hub does not answer" % said)
        self.line = line
        if line["verdict"] != "ok":
            self.refusals += 1
            if must:
                raise Disagreement("%s: %s" % (said, line["verdict"]))
        self.told(said, line)
        return line["verdict"] == "ok"

    def tap(self, tile, slot, must=True):
        """Tap a tile, a number, on a slot's name; return whether the hub took it."""
        text = tiles.text(tile)
        return self.do("tap %s %s" % (text, slot), self.board.tap(text, slot), must)

    def press(self, slot, must=True):
        return self.do("press %s" % slot, self.board.press(str(slot)), must)

    # ---- the evening ----

    def sit_down(self):
        """Choose the rules on the console and join at the stations."""
        for command in ("house " + " ".join(self.house), "set %d" % self.set):
            self.do(command, self.board.say(command))
        for seat in self.seats:
            self.press(seat)

    def play(self, rounds):
        """Play so many rounds, or fewer where the match ends before."""
        self.sit_down()
        for _ in range(rounds):
            self.play_round()
            if self.line["phase"] == "finished":
                break
        else:
            if self.line["phase"] == "engine":
                self.press("E")  # enough for tonight
        return self.line

    def play_round(self):
        self.find_engine()
        while self.line["phase"] == "play":
            self.take_turn(self.line["turn"])
        self.count()

    def find_engine(self):
        """Deal, and bring the engine to the table the way the house finds it."""
        stock = list(range(tiles.size(self.set)))
        self.random.shuffle(stock)
        engine = honest.engine_asked_for(self.set, self.line["round"])
        pulled = honest.engine_is_pulled(self.options)
        if pulled:
            stock.remove(engine)
            self.tap(engine, "E")
        elif self.line["phase"] == "lobby":
            self.press("E")  # the deal is done
        self.hands = {seat: [] for seat in self.seats}
        for seat in self.seats:
            count = self.line["hands"][str(seat)]
            self.hands[seat] = [stock.pop() for _ in range(count)]
        self.stock = stock
        if pulled:
            return
        if self.options["engine"] == "highest":
            doubles = [(t, s) for s, hand in self.hands.items() for t in hand if is_double(t)]
            if not doubles:
                self.find_engine()  # nobody has one: mix and deal again
                return
            engine, holder = max(doubles)
        else:
            holder = self._holder(engine)
            turn = 0
            while holder is None:  # draw for it, clockwise
                seat = self.seats[turn % len(self.seats)]
                self.press(seat)
                self.hands[seat].append(self.stock.pop())
                turn += 1
                holder = self._holder(engine)
        self.hands[holder].remove(engine)
        self.tap(engine, holder)

    def _holder(self, tile):
        return next((seat for seat, hand in self.hands.items() if tile in hand), None)

    # ---- a turn ----

    def take_turn(self, seat):
        """Do what a seat does until its turn is over."""
        hand = self.hands[seat]
        if self.options["enforce"] == "tiles":
            self.take_free_turn(seat, hand)
            return
        self.begin_turn()
        if self.random.random() < self.slips:
            self.slip(seat)
        while self.line["phase"] == "play" and self.line["turn"] == seat:
            self.move(seat)

    def begin_turn(self):
        self.refused = set()  # (tile, slot) the hub did not take in this turn
        self.own = []  # slots of the doubles laid in this turn

    def move(self, seat):
        """Lay one tile, or draw or pass."""
        hand = self.hands[seat]
        moves = [move for move in self.moves(hand, self.own) if move not in self.refused]
        if moves:
            self.lay(seat, *max(moves, key=lambda move: self.worth(seat, move)))
        else:
            self.draw(seat)

    def lay(self, seat, tile, slot):
        """Lay a tile of a seat's hand where it is thought to fit."""
        hand = self.hands[seat]
        if not self.tap(tile, slot, must=False):
            self.refused.add((tile, slot))
            return
        hand.remove(tile)
        self.refused.clear()
        if is_double(tile):
            self.own.append(slot)
        if len(hand) == 1 and self.line["phase"] == "play":
            self.notice(seat)

    def draw(self, seat):
        """Press: a drawn tile where there is one, else a pass."""
        boneyard = self.line["boneyard"]
        self.press(seat)
        if self.line["boneyard"] < boneyard:
            self.hands[seat].append(self.stock.pop())

    def take_free_turn(self, seat, hand):
        """Nothing is enforced: these people lay one matching tile, or pass, until nobody can."""
        here = [str(seat), "M"]
        moves = [move for move in self.moves(hand, []) if move[1] in here]
        if moves:
            tile, slot = max(moves, key=lambda move: self.worth(seat, move))
            self.tap(tile, slot)
            hand.remove(tile)
        self.passes = 0 if moves else self.passes + 1
        if not hand:
            return  # the hub has counted too
        if self.passes == len(self.seats):
            self.press("E")
            self.passes = 0
        else:
            self.press(seat)

    def notice(self, seat):
        """One tile left: knock, unless the turn goes on."""
        if self.line["turn"] != seat:
            self.press(seat)

    def moves(self, hand, own):
        """Return the (tile, slot) that look right: they match, on a train the lights allow."""
        line = self.line
        engine = int(line["engine"].split("-")[0])
        under_lock = len(line["doubles"]) > len(own) and self.options["lock"] == "yes"
        found = []
        for slot in line["playable"]:
            ends = line["ends"].get(slot, engine)
            ends = ends if isinstance(ends, list) else [ends]
            closing = slot in line["doubles"]
            for tile in hand:
                if not fits(tile, ends):
                    continue
                if is_double(tile) and own and not self.may_double(hand, tile, own):
                    continue
                if under_lock and not closing and not is_double(tile):
                    continue  # what is drawn under a lock may go elsewhere if it is a double
                found.append((tile, slot))
        return found

    def may_double(self, hand, tile, own):
        """From the sheet: whether a second double may follow in this turn."""

        def has_third():
            numbers = [tiles.HIGH[tile], self.line["ends"][own[0]]]
            return any(fits(t, numbers) for t in hand if not is_double(t))

        is_last = len(hand) == 1
        return honest.may_follow(self.options, self.line["drawn"], len(own), is_last, has_third)

    def worth(self, seat, move):
        """Heavy tiles first, doubles while they can be covered, other people's trains before."""
        tile, slot = move
        pips = tiles.HIGH[tile] + tiles.LOW[tile]
        return pips + (6 if slot != str(seat) else 0) + self.random.random()

    def slip(self, seat):
        """Somebody does something wrong first; the hub says so and nothing changes."""
        others = [s for s in self.seats if s != seat]
        wrong = [(t, str(s)) for s in others for t in self.hands[seat]]
        wrong = [(t, s) for t, s in wrong if s not in self.line["playable"]]
        if wrong:
            self.tap(*self.random.choice(wrong), must=False)
            if self.line["verdict"] == "ok":
                raise Disagreement("a closed train took a tile")

    # ---- counting ----

    def count(self):
        """Tap what is left, seat by seat; check the hub's totals against the hands."""
        out = [seat for seat in self.seats if not self.hands[seat]]
        pips = {seat: sum(map(self.pips, self.hands[seat])) for seat in self.seats}
        for seat in self.seats:
            for tile in self.hands[seat]:
                self.tap(tile, str(seat))
            if self.hands[seat]:
                self.press(seat)
        for seat, points in self.points(pips, out).items():
            self.totals[seat] += points
        told = {int(seat): points for seat, points in self.line["scores"].items()}
        if told != self.totals:
            raise Disagreement("the hub counts %s, the table %s" % (told, self.totals))

    def pips(self, tile):
        return tiles.HIGH[tile] + tiles.LOW[tile] if tile else self.blank

    def points(self, pips, out):
        """Return what a round gives to each seat."""
        if self.options["score"] == "penalty":
            return pips
        low = min(pips.values())
        winners = out or [seat for seat in self.seats if pips[seat] == low]
        others = sum(pips[seat] for seat in self.seats if seat not in winners)
        share = 2 * others // len(winners) / 2
        return {seat: share if seat in winners else 0 for seat in self.seats}
