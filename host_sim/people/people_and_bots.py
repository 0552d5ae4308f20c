# SPDX-License-Identifier: MIT
"""People and bots at one simulated hub, a step at a time; saved after every input.

`Sitting` deals, lets bots do one thing at a time, and takes what people do through `person_lays`,
`person_presses`, `take_back`. `SittingSource` gives its lines to the view of terminal_table: what
the hub says is all that is seen.
"""

import copy
import json
import time
from pathlib import Path

from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.people.bots import BotMatch
from host_sim.views.line_sources import Source
from roundhouse import tiles

STRENGTHS = ("easy", "good", "sharp")


class Sitting(BotMatch):
    """One match with people at it.

    people: the seats somebody sits at; the other seats are bots of a strength. folder: keeps the
    journal and who holds what; a match in it is gone on with.
    """

    def __init__(
        self,
        folder,
        seats=(1, 2, 3),
        people=(1,),
        house="puremco",
        set_=12,
        seed=1,
        strength="good",
    ):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.saved = self.folder / "sitting.json"
        self.people = set(people)
        self.strength = strength
        self.past = []  # hands and stock before every accepted input of this round
        self.turn = None
        board = SimulatedHub(configured(HOUSE=house, SET=set_), self.folder / "journal", seed=seed)
        super().__init__(board, seats, house, set_, seed, slips=0.0)
        self.line = board.inputs[-1]
        if self.line["phase"] == "lobby" and not self.line["hands"]:
            self.sit_down()
            self.save()

    @classmethod
    def resume(cls, folder):
        """Go on with the match in a folder; None where there is none that can be gone on with."""
        try:
            kept = json.loads((Path(folder) / "sitting.json").read_text())
            sitting = cls(
                folder,
                kept["seats"],
                kept["people"],
                kept["house"],
                kept["set"],
                kept["seed"],
                kept["strength"],
            )
            sitting.hands = {int(seat): hand for seat, hand in kept["hands"].items()}
            sitting.stock = kept["stock"]
            sitting.totals = {int(seat): points for seat, points in kept["totals"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        told = sitting.line
        counts = {seat: len(hand) for seat, hand in sitting.hands.items()}
        wrong = told["phase"] == "play" and counts != {int(s): n for s, n in told["hands"].items()}
        return None if wrong or told["phase"] == "finished" else sitting

    def save(self):
        """Keep what the journal does not know, so that `resume` can go on."""
        kept = {
            "seats": self.seats,
            "people": sorted(self.people),
            "house": " ".join(self.house),
            "set": self.set,
            "seed": self.board.seed,
            "strength": self.strength,
            "hands": self.hands,
            "stock": self.stock,
            "totals": self.totals,
        }
        fresh = self.saved.with_suffix(".new")
        fresh.write_text(json.dumps(kept))
        fresh.replace(self.saved)

    # ---- inputs ----

    def do(self, said, line, must=True):
        """As of every match; what was before is kept for `take_back`."""
        before = (copy.deepcopy(self.hands), list(self.stock), dict(self.totals))
        accepted = super().do(said, line, must)
        if accepted:
            self.past.append(before)
        return accepted

    def take_back(self):
        """Hold: hands and stock as they were before the last input."""
        if not self.past:
            return False
        self.line = self.board.hold("E") or self.line
        if self.line["verdict"] != "ok":
            return False
        self.hands, self.stock, self.totals = self.past.pop()
        self.turn = None
        self.begin_turn()
        self.save()
        return True

    def person_lays(self, tile, slot, override=False):
        """Somebody taps a tile on a slot; returns whether the hub took it."""
        self._notice_the_turn()
        seat = self.line["turn"]
        text = tiles.text(tile)
        tap = self.board.override if override else self.board.tap
        taken = self.do(
            "%s %s %s" % ("override" if override else "tap", text, slot),
            tap(text, slot),
            must=False,
        )
        if taken and seat and tile in self.hands.get(seat, ()):
            self.hands[seat].remove(tile)
            self.players.laid(tile, slot)
        self.save()
        return taken

    def person_presses(self, slot):
        """Somebody presses a slot's button: a draw, a pass, a notice, or a red blink."""
        before = self.line
        taken = self.do("press %s" % slot, self.board.press(str(slot)), must=False)
        if taken and before["phase"] == "play" and self.line["boneyard"] < before["boneyard"]:
            self.hands[before["turn"]].append(self.stock.pop())
        self.save()
        return taken

    # ---- what happens by itself ----

    def waits_for(self):
        """The seat of a person whose turn it is, or None."""
        seat = self.line["turn"]
        return seat if self.line["phase"] == "play" and seat in self.people else None

    def act(self):
        """Let the table or a bot do one thing; returns whether there was one."""
        phase = self.line["phase"]
        if phase == "finished" or self.waits_for():
            return False
        if phase in ("lobby", "engine"):
            self.find_engine()
            self.past.clear()
        elif phase == "play":
            self._notice_the_turn()
            self.players.move(self.line["turn"])
        else:
            self.count()
        self.save()
        return True

    def _notice_the_turn(self):
        """Where another seat's turn has come, it begins."""
        turn = (self.line["round"], self.line["turn"])
        if self.turn != turn:
            self.turn = turn
            self.begin_turn()

    def worth(self, seat, move):
        """Easy bots lay anything; sharp ones think ahead."""
        if self.strength == "easy":
            return self.random.random()
        worth = super().worth(seat, move)
        return worth + self.players.foresight(seat, move) if self.strength == "sharp" else worth

    def hints(self, seat):
        """The (tile, slot) that look right to a bot."""
        self._notice_the_turn()
        return self.players.moves(seat)


class SittingSource(Source):
    """A Sitting as the view's source: its lines, and time that passes as on the table."""

    def __init__(self, sitting, pause=0.8):
        self.sitting = sitting
        self.board = sitting.board
        self.pause = pause  # seconds a bot thinks
        self.title = " ".join(sitting.house)
        self._told = 0
        self._due = 0.0
        self._now = time.monotonic()

    def poll(self):
        """Let time pass, and a bot act when it is due; return what the hub said."""
        now = time.monotonic()
        self.board.run(min(250, 1000 * (now - self._now)))
        self._now = now
        if now >= self._due and self.sitting.act():
            self._due = time.monotonic() + self.pause
            self._now = time.monotonic()
        lines = self.board.lines[self._told :]
        self._told = len(self.board.lines)
        return lines

    def send(self, text):
        self.board.port.type(text)

    def status(self):
        seat = self.sitting.waits_for()
        return "your turn, seat %d" % seat if seat else ""
