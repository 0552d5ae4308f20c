# SPDX-License-Identifier: MIT
"""How Mexican Train is played by people who see only their own tiles and the hub.

They try what looks right; what the hub refuses they do not try again in that turn.
"""

from host_sim.games import player_knowledge
from host_sim.games.player_knowledge import Disagreement, fits, is_double
from roundhouse import tiles


class Players:
    """What the bots of a BotMatch, the `table`, know of Mexican Train."""

    SURE = False  # the hub may refuse what looks right

    def __init__(self, table):
        self.table = table
        self.options = table.options
        self.own = []  # slots of the doubles laid in this turn
        self.passes = 0  # in a row, where the house enforces nothing

    def begin_turn(self):
        self.own = []

    # ---- the engine ----

    def open(self):
        """Deal, and bring the engine to the table the way the house finds it."""
        t = self.table
        engine = player_knowledge.engine_asked_for(t.set, t.line["round"])
        if player_knowledge.engine_is_pulled(self.options):
            t.tap(engine, "E")
            t.deal(engine)
            return
        if t.line["phase"] == "lobby":
            t.press("E")  # the deal is done
        t.deal()
        if self.options["engine"] == "highest":
            while not t.doubles_held():
                t.deal()  # nobody has one: mix and deal again
            engine = max(t.doubles_held())[0]
        holder = self._holder(engine)
        turn = 0
        while holder is None:  # draw for it, clockwise
            t.draw(t.seats[turn % len(t.seats)])
            turn += 1
            holder = self._holder(engine)
        t.hands[holder].remove(engine)
        t.tap(engine, holder)

    def _holder(self, tile):
        return next((seat for seat, hand in self.table.hands.items() if tile in hand), None)

    # ---- a turn ----

    def move(self, seat):
        """Lay one tile, or draw or pass."""
        if self.options["enforce"] == "tiles":
            self._move_freely(seat)
        else:
            self.table.lay_or_draw(seat)

    def _move_freely(self, seat):
        """Nothing is enforced: these people lay one matching tile, or pass, until nobody can."""
        t = self.table
        moves = [move for move in self.moves(seat) if move[1] in (str(seat), "M")]
        if moves:
            tile, slot = max(moves, key=lambda move: t.worth(seat, move))
            t.tap(tile, slot)
            t.hands[seat].remove(tile)
        self.passes = 0 if moves else self.passes + 1
        if not t.hands[seat]:
            return  # the hub has counted too
        if self.passes == len(t.seats):
            t.press("E")
            self.passes = 0
        else:
            t.press(seat)

    def laid(self, tile, slot):
        """A tile was laid: remember a double."""
        if is_double(tile):
            self.own.append(slot)

    def knock(self, seat):
        """Give notice of the last tile, unless the turn goes on."""
        t = self.table
        if len(t.hands[seat]) == 1 and t.line["phase"] == "play" and t.line["turn"] != seat:
            t.press(seat)

    def moves(self, seat):
        """Return the (tile, slot) that look right: they match, on a train the lights allow."""
        line, hand, own = self.table.line, self.table.hands[seat], self.own
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
                if is_double(tile) and own and not self._may_double(hand, tile):
                    continue
                if under_lock and not closing and not is_double(tile):
                    continue  # what is drawn under a lock may go elsewhere if it is a double
                found.append((tile, slot))
        return found

    def _may_double(self, hand, tile):
        """From the sheet: whether a second double may follow in this turn."""
        line, own = self.table.line, self.own

        def has_third():
            numbers = [tiles.HIGH[tile], line["ends"][own[0]]]
            return any(fits(t, numbers) for t in hand if not is_double(t))

        is_last = len(hand) == 1
        return player_knowledge.may_follow(
            self.options, line["drawn"], len(own), is_last, has_third
        )

    def worth(self, seat, move):
        """Heavy tiles first, doubles while they can be covered, other people's trains before."""
        tile, slot = move
        return tiles.HIGH[tile] + tiles.LOW[tile] + (6 if slot != str(seat) else 0)

    def foresight(self, seat, move):
        """What a sharp player adds: keep what goes on from the tile laid."""
        tile, slot = move
        ends = {tiles.HIGH[tile], tiles.LOW[tile]}
        follow = sum(fits(t, ends) for t in self.table.hands[seat] if t != tile)
        worth = 3 * follow if slot == str(seat) else 0
        return worth + (8 if is_double(tile) and follow else 0)

    def slip(self, seat):
        """Somebody does something wrong first; the hub says so and nothing changes."""
        t = self.table
        if self.options["enforce"] == "tiles":
            return
        others = [s for s in t.seats if s != seat]
        wrong = [(tile, str(s)) for s in others for tile in t.hands[seat]]
        wrong = [(tile, s) for tile, s in wrong if s not in t.line["playable"]]
        if wrong and t.tap(*t.random.choice(wrong), must=False):
            raise Disagreement("a closed train took a tile")

    # ---- counting ----

    def points(self, pips, out):
        """Return what a round gives to each seat."""
        if self.options["score"] == "penalty":
            return pips
        low = min(pips.values())
        winners = out or [seat for seat in pips if pips[seat] == low]
        others = sum(pips[seat] for seat in pips if seat not in winners)
        share = 2 * others // len(winners) / 2
        return {seat: share if seat in winners else 0 for seat in pips}
