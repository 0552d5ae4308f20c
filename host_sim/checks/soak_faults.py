# SPDX-License-Identifier: MIT
"""The hubs that the evenings of the soak are played at.

`CoreHub` is rules core and journal alone, `BoardHub` the whole firmware on the simulated board,
`FaultyHub` that with everything that goes wrong. All take the same inputs: `tap`, `press`,
`draw`, `hold` and `redo`, and return the console line as a dict (None: no answer). `set_up` counts
the inputs that chose the rules and the seats.
"""

import collections
import json
import random
import tempfile
from unittest.mock import ANY

from host_sim.chips import fake_flash, machine
from host_sim.chips.ntag import NTAG213, BusTicket, MifareClassic, Phone
from host_sim.games.player_knowledge import Disagreement
from host_sim.hub.simulated_hub import PowerLost, SimulatedHub, configured
from roundhouse import console, constants, report, tiles
from roundhouse.constants import M, slot_name
from roundhouse.drivers import files
from roundhouse.games import houses
from roundhouse.games.match import Match
from roundhouse.journal import Journal

# What no sheet and no variant says, but a family may: name -> (base, options), as in config.py.
FAMILY = {
    "one-lap": ("jassshop", {"last-double": "lap"}),
    "ouvert": ("quebec", {"second-tile": "open"}),
    "single-minded": ("puremco", {"second-double": "no", "last-two": "no"}),
    "two-at-most": ("puremco", {"last-two": "no"}),
    "own-first": ("original", {"first-turn": "own"}),
    "once-through": ("goliath", {"rounds": "each"}),
}
PAUSE_MS = 4000  # a player thinks, on average
STRANGERS = (
    lambda: BusTicket(b"\x04ticket"),
    lambda: MifareClassic(b"\xde\xad\xbe\xef"),
    Phone,
    lambda: NTAG213(b"\x04blank!"),
    lambda: NTAG213(b"\x04words!", "hello"),
)
JUNK = (
    "",
    "help",
    "state",
    "hello",
    "hand 1",
    "turn 99",
    "house monopoly",
    "set 7",
    "score",
    "marker E",
    "\x01\x02",
    "x" * 300,
    "import os",
    "write",
    "join 1 2",
)


class CoreHub:
    """Rules core and journal, without the board around them: the fast half of the soak.

    Keeps the state before every input, so that taking back can be compared byte for byte.
    """

    def __init__(self, house, set_, seats, seed, stations=10):
        self.folder = tempfile.TemporaryDirectory(prefix="roundhouse-")
        self.random = random.Random(seed)
        self.table = Match(slots=(2 << stations) - 2)
        self.scratch = Match()
        self.journal = Journal(files, self.folder.name, self.table)
        self.journal.resume()
        self.states = [bytes(self.table.state)]
        self._tried = set()  # states whose `playable` was tried
        self.taken = []
        index, variants = houses.parse(house.split())
        self._input(constants.RULES, index, variants)
        self._input(constants.SET, 0, set_)
        for seat in seats:
            self._input(constants.PRESS, seat)
        self.set_up = len(self.states) - 1

    def _input(self, kind, slot, value=0):
        table = self.table
        verdict = table.apply(kind, slot, value)
        if verdict:
            return self._line(verdict)
        self.journal.record(kind, slot, value)
        self.states.append(bytes(table.state))
        self.taken.clear()
        return self._line(constants.OK, table.by, table.did)

    def _line(self, verdict, by=0, did=None):
        self._check_playable()
        return json.loads(console.line("", verdict, by, did, self.table, b""))

    def tap(self, slot, tile, override=False):
        """A tap with a random byte behind the tile: the hub may have to draw the starter."""
        chance = self.random.randrange(256) << 8
        return self._input(constants.OVERRIDE if override else constants.TAP, slot, tile | chance)

    def press(self, slot):
        """Press a button; M's is no input of the match where nobody is to be caught."""
        if slot == M and not self.table.to_catch:
            return self._line(constants.OK, 0, "showed")
        return self._input(constants.PRESS, slot)

    def draw(self, seat):
        return self._input(constants.DRAW, seat)

    def hold(self):
        if self.journal.take_back() is None:
            return self._line(constants.NOT_NOW)
        self.taken.append(self.states.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("taking back arrives at another state")
        return self._line(constants.OK, 0, "took-back")

    def redo(self):
        self.journal.redo()
        self.states.append(self.taken.pop())
        if bytes(self.table.state) != self.states[-1]:
            raise Disagreement("going forward arrives at another state")
        return self._line(constants.OK, 0, "put-back")

    def _check_playable(self):
        """By trying: in Mexican Train `playable` has every slot that takes a tile, else only
        used-up ones."""
        t, scratch = self.table, self.scratch
        state = bytes(t.state)
        if state in self._tried:  # after a refusal, and when taking back: it says the same
            return
        self._tried.add(state)
        if (
            t.phase != constants.PLAY
            or t.sides is not None
            or dict(report.options(t))["enforce"] == "tiles"
        ):
            return
        scratch.restore(state)
        for slot in range(1, M + 1):
            ends = {t.end(slot), t.second_end(slot)} - {constants.NONE}
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

    def __init__(self, house, set_, seats, seed, storage=None, stations=10, **changes):
        config = configured(FAMILY=FAMILY, STATIONS=stations, **changes)
        self.board = SimulatedHub(config, seed=seed, storage=storage, strides=True)
        for line in ("house " + house, "set %d" % set_):
            self.board.say(line)
        for seat in seats:
            self.board.press(str(seat))
        self.set_up = 2 + len(seats)

    def tap(self, slot, tile, override=False):
        """Lay a tag with the tile on the slot; slot and tile are numbers."""
        tap = self.board.override if override else self.board.tap
        return tap(tiles.text(tile), slot_name(slot))

    def press(self, slot):
        return self.board.press(slot_name(slot))

    def draw(self, seat):
        """Press the seat's button while E's is down: a draw, whatever the counter says."""
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


class FaultyHub(BoardHub):
    """The whole firmware on a flash of its own; `done` counts what happened to it."""

    def __init__(self, house, set_, seats, seed):
        self.random = random.Random(seed)
        self.done = collections.Counter()
        self._lying = None  # the slot where a tile was left
        super().__init__(house, set_, seats, seed, fake_flash.Flash(), NIGHT_MINUTES=1)

    # ---- inputs, in the middle of which the power may go ----

    def tap(self, slot, tile, override=False):
        """As at any hub, once nothing lies on the slot any more."""
        self._tidy(slot_name(slot))
        return self._do(super().tap, slot, tile, override)

    def press(self, slot):
        return self._do(super().press, slot)

    def draw(self, seat):
        return self._do(super().draw, seat)

    def hold(self):
        return self._do(super().hold)

    def redo(self):
        return self._do(super().redo)

    def _do(self, act, *args):
        board = self.board
        if self.random.random() < 0.02:
            board.storage.cut(self.random.randint(1, 4), self.random.random() < 0.5)
        before, count = bytes(board.hub.table.state), len(board.inputs)
        try:
            line = act(*args)
        except PowerLost:
            self.done["power cut while writing"] += 1
            said = board.inputs[count] if len(board.inputs) > count else None
            self._power_back()
            if bytes(board.hub.table.state) != before:
                # whose input it was the line would have said that went with the power
                return {**board.say("state"), "verdict": "ok", "by": ANY, "did": ANY}
            if said and said["verdict"] == "ok":
                raise Disagreement("an acknowledged input was lost: %s" % said) from None
            line = act(*args)  # the lamps show that it was not taken
            if line and line["verdict"] == "not-now":
                line = act(*args)  # it was asked to say so twice, and that was forgotten
        board.storage.cut(0)
        self.done["kept"] += line is not None and line["verdict"] == "ok"
        return line

    def _power_back(self):
        """All hands off the table, and power back."""
        board = self.board
        for place in list(board.tags):
            board.remove(slot_name(board.slots[place]))
        for place in list(board.down):
            board.press_up(slot_name(board.slots[place]))
        self._lying = None
        board.unplug()
        self.done["resumes"] += 1
        board.run(700)

    def _tidy(self, slot):
        """Whoever taps on a slot takes away what lies there."""
        if self._lying == slot:
            self.board.remove(slot)
            self._lying = None
            self.board.run(600)

    # ---- what happens between inputs ----

    def trouble(self):
        """People think; and sometimes something goes wrong."""
        self.board.pause(min(60_000, self.random.expovariate(1 / PAUSE_MS)))
        if self.random.random() < 0.15:
            kind = self.random.choice(TROUBLES)
            self.done[kind.replace("_", " ")] += 1
            getattr(self, kind)()

    def some_slot(self):
        return slot_name(self.random.choice(self.board.slots))

    def power_cut(self):
        self._power_back()

    def dead_reader(self):
        slot = self.some_slot()
        self.board.fault(slot, self.random.choice((0x00, 0xFF)))
        self.board.run(self.random.randint(10, 3000))
        self.board.repair(slot)
        self.board.run(1500)

    def reader_that_forgot(self):
        self.random.choice(self.board.chips).forget()
        self.board.run(1500)

    def noise_on_the_air(self):
        chip = self.random.choice(self.board.chips)
        bits = self.random.choice((1, 2, 4, 8))
        chip.noise = lambda: bits if self.random.random() < 0.5 else 0
        self.board.run(self.random.randint(10, 2000))
        chip.noise = None
        self.board.run(300)

    def reader_without_interrupts(self):
        chip = self.random.choice(self.board.chips)
        chip.no_irq = True
        self.board.run(self.random.randint(10, 2000))
        chip.no_irq = False
        self.board.run(1500)

    def held_data_line(self):
        machine.bus(0).held = lambda byte: byte & 0x0F
        self.board.run(self.random.randint(10, 2000))
        machine.bus(0).held = None
        self.board.run(2500)

    def strange_card(self):
        slot = self.some_slot()
        self._tidy(slot)
        for _ in range(self.random.choice((1, 1, 2))):
            self.board.put(self.random.choice(STRANGERS)(), slot)
        self.board.run(self.random.randint(50, 1500))
        self.board.remove(slot)
        self.board.run(700)

    def junk_on_the_console(self):
        for _ in range(self.random.randint(1, 4)):
            self.board.port.type(self.random.choice(JUNK))
            self.board.run(60)

    def stuck_button(self):
        slot = self.some_slot()
        self.board.press_down(slot)
        self.board.pause(11_000)
        self.board.press_up(slot)
        self.board.run(700)

    def tile_left_lying(self):
        """A tile of the table stays on a reader: one refused tap, whatever is played meanwhile."""
        laid = [
            t for t in range(tiles.size(self.board.hub.table.set)) if self.board.hub.table.laid(t)
        ]
        if laid and not self._lying:
            self._lying = self.some_slot()
            self.board.put(tiles.text(self.random.choice(laid)), self._lying)
            self.board.run(500)

    def nobody_reads_the_line(self):
        self.board.port.open = False
        for _ in range(self.random.choice((1, 40))):
            self.board.port.type("state")
            self.board.run(30)
        self.board.port.open = True
        self.board.run(1500)

    def a_long_break(self):
        self.board.pause(self.random.randint(60, 200) * 1000)

    # ---- the audit ----

    def audit(self):
        """The journal, read anew, arrives where the hub is."""
        again = Match()
        journal = Journal(self.board.storage, "journal", again)
        journal.resume()
        hub = self.board.hub.table
        if bytes(again.state) != bytes(hub.state) or journal.trouble:
            raise Disagreement("the journal read anew differs: %s" % journal.trouble)


TROUBLES = (
    "power_cut",
    "dead_reader",
    "reader_that_forgot",
    "noise_on_the_air",
    "reader_without_interrupts",
    "held_data_line",
    "strange_card",
    "junk_on_the_console",
    "stuck_button",
    "tile_left_lying",
    "nobody_reads_the_line",
    "a_long_break",
)
