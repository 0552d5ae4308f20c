# SPDX-License-Identifier: MIT
"""What bots and the table do at a MatchSession, one input at a time: deal and open, move, count.

And which tiles look right to whoever knows the sheet and sees the hub, for people's hands too.
"""

from host_sim.games import part
from host_sim.games.player_knowledge import Disagreement, is_double
from host_sim.session import bot_levels
from host_sim.session.dealt_hands import engine_of, lines_of_round, tile_number


class BotMoves:
    """The bots of a MatchSession, and whoever deals and counts at its table."""

    def __init__(self, session):
        self.session = session
        self.players = part(session.game, "bot").Players(session)

    def act(self):
        """Do one thing; see MatchSession.act."""
        s = self.session
        phase = s.line["phase"]
        if phase in ("lobby", "engine"):
            self._open()
        elif phase == "scoring":
            self._count()
        elif s.waits_for().seat == s.line["turn"]:
            self._move(s.line["turn"])
        else:
            s.presses(s.may_knock())

    # ---- between rounds ----

    def _open(self):
        """Deal, draw for the opening tile, or lay it."""
        s, dealer = self.session, self.session.dealer
        line = s.line
        if dealer.pulled:
            self._must(s.taps(engine_of(s.set, line["round"]), "E"))
        elif line["phase"] == "lobby":
            self._must(s.presses("E"))  # the deal is done
        else:
            tile, holder = dealer.opening(line["round"], s.hands)
            if holder:
                self._must(s.taps(tile, str(holder)))
            else:
                drawn = [one for one in self._lines() if one["did"] == "drew"]
                self._must(s.presses(s.seats[len(drawn) % len(s.seats)]))

    def _count(self):
        """Tap a left-over tile on its holder's station, or say that a seat has none left."""
        s = self.session
        counting = [line for line in self._lines() if line["phase"] == "scoring"]
        done = {line["by"] for line in counting if line["did"] == "done"} | {self._out()}
        for seat in s.seats:
            if s.left(seat):
                self._must(s.taps(tile_number(s.left(seat)[0]), str(seat)))
                return
            if seat not in done:
                # the second press is for a seat that holds fewer tiles than were counted
                self._must(s.presses(seat) or s.presses(seat))
                return
        raise Disagreement("the hub waits for tiles that nobody holds")

    def _out(self):
        """Return who went out in this round, the first where play went on after that, or None."""
        for line in self._lines():
            if line["did"] in ("laid", "out") and line["hands"][str(line["by"])] == 0:
                return line["by"]
        return None

    def _lines(self):
        return lines_of_round(self.session.past, self.session.line["round"])

    def _must(self, taken):
        if not taken:
            raise Disagreement("%s" % self.session.line)

    # ---- a turn ----

    def _move(self, seat):
        """Lay a tile, or press."""
        s = self.session
        if s.catches() and s.strength != "easy":
            self._must(s.presses("M"))
            return
        if self.nothing_left():
            self._must(s.presses("E"))
            return
        moves = [move for move in self.moves(seat) if move not in s.refused]
        if s.is_free:
            moves = [move for move in moves if move[1] in (str(seat), "M")]
            if self.has_laid(seat):
                moves = []
        if moves:
            chance = s.chance()
            tile, slot = bot_levels.choose(s, seat, moves, s.strength, chance)
            if not s.taps(tile, slot):
                s.refused.add((tile, slot))
        elif s.is_free and self._all_passed():
            self._must(s.presses("E"))
        else:
            self._must(s.presses(seat))

    def _all_passed(self):
        """Whether, where nothing is enforced, every seat has passed since the last tile."""
        passed = 0
        for line in reversed(self._lines()):
            if line["did"] != "passed":
                break
            passed += 1
        return passed >= len(self.session.seats)

    def nothing_left(self):
        """Whether the hub shows at E that no tile fits any more: a press of E ends the round."""
        line = self.session.line
        return line["phase"] == "play" and line["lamps"][-4:-3] == "e"

    def this_turn(self, seat):
        """Return the inputs a seat has made since its turn began, oldest first."""
        found = []
        for line in reversed(self.session.past):
            if line["by"] == seat and line["did"] in ("opened", "laid", "drew"):
                found.insert(0, line)
            elif line["did"] not in ("knocked", "caught", "corrected"):
                break
            if line["phase"] != "play" or line["turn"] != seat:
                break
        return [line for line in found if line["phase"] == "play" and line["turn"] == seat]

    def has_laid(self, seat):
        """Whether a seat has laid a tile since its turn began."""
        return any(line["did"] == "laid" for line in self.this_turn(seat))

    def own_doubles(self, seat):
        """Return the slots of the doubles a seat has laid in this turn and not covered."""
        laid = [line["input"].split() for line in self.this_turn(seat) if line["did"] == "laid"]
        slots = [slot for _, tile, slot in laid if is_double(tile_number(tile))]
        return [slot for slot in slots if slot in self.session.line["doubles"]]

    def moves(self, seat):
        """Return the (tile, slot) that look right to the seat to move; of the empty slots of a
        line game the one nearest to it."""
        if self.session.trains:
            self.players.own = self.own_doubles(seat)
        return self.players.moves(seat)
