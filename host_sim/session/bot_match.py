# SPDX-License-Identifier: MIT
"""People at the table: they hold hands, draw, tap, press, forget nothing and see only the hub.

A bot knows what a person knows: its own tiles, what the hub's line shows, and its game's rule
sheet. `BotMatch` deals, plays whole matches through a simulated board and counts the left-over
tiles itself; how a game is played its `players` know: train_bots or line_bots.
"""

import random

from host_sim.games import house_info, part, player_knowledge
from host_sim.games.player_knowledge import Disagreement, is_double
from roundhouse import tiles
from roundhouse.games import houses


class BotMatch:
    """One match of bots on a board, whatever its game.

    seats: station numbers; house: its words; set_: highest number; seed: of shuffling and choice.
    slips: how often, 0..1, a person first does something wrong. told(said, line) is called for
    every input with what was done and the hub's line.
    """

    def __init__(self, board, seats, house, set_, seed=1, slips=0.0, told=None):
        self.board = board
        self.seats = list(seats)
        self.house = house.split()
        index, variants = houses.parse(self.house)
        self.options = player_knowledge.options_of(index, variants)
        self.set = set_
        self.random = random.Random(seed)
        self.slips = slips
        self.told = told or (lambda said, line: None)
        self.line = None
        self.hands = {}
        self.stock = []
        self.totals = dict.fromkeys(self.seats, 0)
        self.refusals = 0
        self.players = part(house_info.game(index), "bot").Players(self)
        self.begin_turn()

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
        """Deal, and bring the opening tile to the table the way the house finds it."""
        self.players.open()

    def deal(self, *apart):
        """Mix the tiles, but for those laid apart, and give each seat as many as the hub says."""
        stock = [tile for tile in range(tiles.size(self.set)) if tile not in apart]
        self.random.shuffle(stock)
        counts = self.line["hands"]
        self.hands = {s: [stock.pop() for _ in range(counts[str(s)])] for s in self.seats}
        self.stock = stock

    def doubles_held(self):
        """Return the (double, its holder) of all hands."""
        return [(t, s) for s, hand in self.hands.items() for t in hand if is_double(t)]

    # ---- a turn ----

    def take_turn(self, seat):
        """Do what a seat does until its turn is over."""
        self.begin_turn()
        if self.random.random() < self.slips:
            self.players.slip(seat)
        while self.line["phase"] == "play" and self.line["turn"] == seat:
            self.players.move(seat)

    def begin_turn(self):
        self.refused = set()  # (tile, slot) the hub did not take in this turn
        self.players.begin_turn()

    def lay_or_draw(self, seat):
        """Lay the tile that is worth most of those that look right; else draw, or pass."""
        moves = self.players.moves(seat)
        moves = [move for move in moves if move not in self.refused]
        if moves:
            self.lay(seat, *max(moves, key=lambda move: self.worth(seat, move)))
        else:
            self.draw(seat)

    def worth(self, seat, move):
        return self.players.worth(seat, move) + self.random.random()

    def lay(self, seat, tile, slot):
        """Lay a tile of a seat's hand where it is thought to fit."""
        if not self.tap(tile, slot, must=self.players.SURE):
            self.refused.add((tile, slot))
            return
        self.hands[seat].remove(tile)
        self.refused.clear()
        self.players.laid(tile, slot)
        self.players.knock(seat)

    def draw(self, seat):
        """Press: a drawn tile where there is one, else a pass."""
        boneyard = self.line["boneyard"]
        self.press(seat)
        if self.line["boneyard"] < boneyard:
            self.hands[seat].append(self.stock.pop())

    # ---- counting ----

    def count(self):
        """Tap what is left, seat by seat; check the hub's totals against the hands."""
        out = [seat for seat in self.seats if not self.hands[seat]]
        pips = {seat: sum(map(self.pips, self.hands[seat])) for seat in self.seats}
        for seat in self.seats:
            for tile in self.hands[seat]:
                self.tap(tile, str(seat))
            if self.hands[seat] or len(out) > 1:  # somebody else went out before
                self.press(seat, must=bool(self.hands[seat]))
        for seat, points in self.players.points(pips, out).items():
            self.totals[seat] += points
        if self.line["phase"] == "scoring":
            raise Disagreement("the hub waits for tiles that nobody holds")
        told = {int(seat): points for seat, points in self.line["scores"].items()}
        if told != self.totals:
            raise Disagreement("the hub counts %s, the table %s" % (told, self.totals))

    def pips(self, tile):
        return tiles.HIGH[tile] + tiles.LOW[tile] if tile else int(self.options["blank"])
