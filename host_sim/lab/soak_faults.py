# SPDX-License-Identifier: MIT
"""Soak test with faults of people, power, readers, cards, buttons and cables.

The players use the whole firmware on the simulated board, with the journal on LittleFS as on the
Pico. Power is cut, readers fail, tiles stay on them, foreign cards appear, buttons stick, and the
console receives junk. After every input the hub, the referee and the journal must agree, and no
acknowledged input may be lost.
"""

import collections
import random
from collections.abc import Callable, Sequence
from unittest.mock import ANY

from host_sim.board.chips import fake_flash, machine
from host_sim.board.chips.ntag import NTAG213, BusTicket, MifareClassic, Phone
from host_sim.board.hub.simulated_hub import PowerLost
from host_sim.lab.hub_adapters import FAMILY, BoardHub
from host_sim.lab.refereed_evening import Evening
from host_sim.lab.soak_runner import Played
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import house_info
from host_sim.table.games.tile_rules import Disagreement
from roundhouse import constants, tiles
from roundhouse.constants import slot_name
from roundhouse.drivers.files import FlashFolder
from roundhouse.games import houses
from roundhouse.games.match import Match
from roundhouse.journal import Journal

HOURS, ERASES = "hours", "erases"
PAUSE_MS = 4000  # a player thinks, on average
STRANGERS = (
    lambda: BusTicket(b"\x04ticket"),
    lambda: MifareClassic(b"\xde\xad\xbe\xef"),
    Phone,
    lambda: NTAG213(b"\x04blank!"),
    lambda: NTAG213(b"\x04words!", "hello"),
)
JUNK = (
    *("", "help", "state", "hello", "hand 1", "turn 99", "house monopoly", "set 7", "score"),
    *("marker E", "\x01\x02", "x" * 300, "import os", "write", "join 1 2 3"),
)


class TroubledHub(BoardHub):
    """A BoardHub with its journal on an emulated flash. `done` counts its faults."""

    def __init__(self, house: str, set_: int, seats: Sequence[int], seed: int) -> None:
        self.random = random.Random(seed)
        self.done: collections.Counter[str] = collections.Counter()
        self._left_at: str | None = None  # the slot where a tile was left lying
        self._not_now: tuple[str, tuple[int, ...]] | None = None  # the last act, if refused so
        stations = house_info.stations(len(seats))
        super().__init__(house, set_, seats, seed, fake_flash.Flash(), stations, NIGHT_MINUTES=1)

    # ---- inputs, during which the power may be cut ----

    def tap(self, slot: int, tile: int, override: bool = False) -> ConsoleLine | None:
        """Remove any tile left on the slot, then tap a tile; return the console line."""
        self._clear_slot(slot_name(slot))
        return self._with_power_cuts(super().tap, slot, tile, override)

    def press(self, slot: int) -> ConsoleLine | None:
        return self._with_power_cuts(super().press, slot)

    def draw(self, seat: int) -> ConsoleLine | None:
        return self._with_power_cuts(super().draw, seat)

    def hold(self) -> ConsoleLine | None:
        return self._with_power_cuts(super().hold)

    def redo(self) -> ConsoleLine | None:
        return self._with_power_cuts(super().redo)

    def _with_power_cuts(
        self, act: Callable[..., ConsoleLine | None], *args: int
    ) -> ConsoleLine | None:
        board = self.board
        assert board.storage is not None
        if self.random.random() < 0.02:
            board.storage.cut(self.random.randint(1, 4), self.random.random() < 0.5)
        before, count = bytes(board.hub.table.state), len(board.inputs)
        try:
            line = act(*args)
        except PowerLost:
            self.done["power cut while writing"] += 1
            printed = board.inputs[count] if len(board.inputs) > count else None
            self.power_cut()
            if bytes(board.hub.table.state) != before:
                # the line that named the seat was lost with the power
                return {**(board.command("state") or {}), "verdict": "ok", "by": ANY, "did": ANY}
            if printed and printed["verdict"] == "ok":
                raise Disagreement("an acknowledged input was lost: %s" % printed) from None
            line = act(*args)  # the lamps show that it was not accepted
            if line and line["verdict"] == "not-now" and self._not_now == (act.__name__, args):
                line = act(*args)  # the hub had asked for a second press and forgot that
        board.storage.cut(0)
        self._not_now = (act.__name__, args) if line and line["verdict"] == "not-now" else None
        self.done["kept"] += line is not None and line["verdict"] == "ok"
        return line

    def _clear_slot(self, slot: str) -> None:
        if self._left_at == slot:
            self.board.remove(slot)
            self._left_at = None
            self.board.run(600)

    # ---- between inputs ----

    def trouble(self) -> None:
        """Wait as long as a player thinks; sometimes cause one of the faults in TROUBLES."""
        self.board.pause(min(60_000, self.random.expovariate(1 / PAUSE_MS)))
        if self.random.random() < 0.15:
            kind = self.random.choice(TROUBLES)
            self.done[kind.replace("_", " ")] += 1
            getattr(self, kind)()

    def _some_slot(self) -> str:
        return slot_name(self.random.choice(self.board.slots))

    def power_cut(self) -> None:
        """Remove all tiles from the readers, and switch the power off and on."""
        board = self.board
        for place in list(board.tags):
            board.remove(slot_name(board.slots[place]))
        for place in list(board.pressed):
            board.press_up(slot_name(board.slots[place]))
        self._left_at = None
        board.unplug()
        self.done["resumes"] += 1
        board.run(700)

    def dead_reader(self) -> None:
        slot = self._some_slot()
        self.board.fault(slot, self.random.choice((0x00, 0xFF)))
        self.board.run(self.random.randint(10, 3000))
        self.board.repair(slot)
        self.board.run(1500)

    def reader_that_forgot(self) -> None:
        self.random.choice(self.board.chips).forget()
        self.board.run(1500)

    def noise_on_the_air(self) -> None:
        chip = self.random.choice(self.board.chips)
        bits = self.random.choice((1, 2, 4, 8))
        chip.noise = lambda: bits if self.random.random() < 0.5 else 0
        self.board.run(self.random.randint(10, 2000))
        chip.noise = None
        self.board.run(300)

    def reader_without_interrupts(self) -> None:
        chip = self.random.choice(self.board.chips)
        chip.no_irq = True
        self.board.run(self.random.randint(10, 2000))
        chip.no_irq = False
        self.board.run(1500)

    def held_data_line(self) -> None:
        machine.bus(0).held = lambda byte: byte & 0x0F
        self.board.run(self.random.randint(10, 2000))
        machine.bus(0).held = None
        self.board.run(2500)

    def strange_card(self) -> None:
        slot = self._some_slot()
        self._clear_slot(slot)
        for _ in range(self.random.choice((1, 1, 2))):
            self.board.put(self.random.choice(STRANGERS)(), slot)
        self.board.run(self.random.randint(50, 1500))
        self.board.remove(slot)
        self.board.run(700)

    def junk_on_the_console(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.board.port.type(self.random.choice(JUNK))
            self.board.run(60)

    def stuck_button(self) -> None:
        slot = self._some_slot()
        self.board.press_down(slot)
        self.board.pause(11_000)
        self.board.press_up(slot)
        self.board.run(700)

    def tile_left_lying(self) -> None:
        """Leave a laid tile on a reader. It must cause exactly one refused tap."""
        table = self.board.hub.table
        laid = [t for t in range(tiles.size(table.set)) if table.is_laid(t)]
        if laid and not self._left_at:
            self._left_at = self._some_slot()
            self.board.put(tiles.text(self.random.choice(laid)), self._left_at)
            self.board.run(500)

    def nobody_reads_the_line(self) -> None:
        self.board.port.open = False
        for _ in range(self.random.choice((1, 40))):
            self.board.port.type("state")
            self.board.run(30)
        self.board.port.open = True
        self.board.run(1500)

    def a_long_break(self) -> None:
        self.board.pause(self.random.randint(60, 200) * 1000)

    # ---- the audit ----

    def audit(self) -> None:
        """Check that the journal, read again, gives the hub's state."""
        again = Match()
        journal = Journal(FlashFolder(self.board.storage, "journal"), "journal", again)
        journal.resume()
        hub = self.board.hub.table
        if bytes(again.state) != bytes(hub.state) or journal.trouble:
            raise Disagreement("the journal, read again, differs: %s" % journal.trouble)


TROUBLES = (
    *("power_cut", "dead_reader", "reader_that_forgot", "noise_on_the_air"),
    *("reader_without_interrupts", "held_data_line", "strange_card", "junk_on_the_console"),
    *("stuck_button", "tile_left_lying", "nobody_reads_the_line", "a_long_break"),
)


class TroubledEvening(Evening):
    """A random match with a TroubledHub, played against the referee. A fault can come before any
    input; the journal is checked after every input.

    A power cut makes the hub forget which press it asked to repeat, and which inputs were taken
    back.
    """

    hub: TroubledHub

    def tap(self, slot: int, tile: int, override: bool = False) -> bool:
        """Tap a tile, perhaps after a fault; return whether hub and referee accept it."""
        self.trouble()
        return super().tap(slot, tile, override)

    def press(self, slot: int) -> bool:
        """Press a button, perhaps after a fault; return whether hub and referee accept it."""
        self.trouble()
        return super().press(slot)

    def trouble(self) -> None:
        """Perhaps cause a fault at the hub."""
        resumes = self.hub.done["resumes"]
        self.hub.trouble()
        if self.hub.done["resumes"] > resumes:
            self.referee.to_confirm = None
            self.future.clear()

    def hold(self) -> None:
        """Take back the last input. Inputs that were taken back before a power cut cannot be
        redone after the power cut."""
        resumes = self.hub.done["resumes"]
        super().hold()
        if self.hub.done["resumes"] > resumes:
            self.future = [] if self.line["by"] is ANY else self.future[-1:]

    def redo(self) -> None:
        """Redo the input taken back last, unless a power cut made this impossible."""
        if not self.future:
            return
        resumes = self.hub.done["resumes"]
        line = self.hub.redo()
        cut = self.hub.done["resumes"] > resumes
        if cut and line and line["verdict"] == "not-now":
            self.referee.restored(None)
            self._compare("redo", line, "not-now")
        else:
            self._put_back(line)
        if cut:
            self.future.clear()

    def _compare(self, text: str, line: ConsoleLine | None, verdict: str) -> None:
        super()._compare(text, line, verdict)
        self.hub.audit()


def drawn(chance: random.Random) -> tuple[str, int, list[int]]:
    """Choose a match at random; return (house with up to two variants, set, seats)."""
    houses.set_family(FAMILY)
    index = chance.randrange(len(houses.HOUSES))
    variants = house_info.variant_words(index)
    words = chance.sample(variants, chance.randint(0, 2))
    if len(words) == 2 and words[0].split("-")[0] == words[1].split("-")[0]:
        words.pop()  # two numbers for one option
    house = [houses.HOUSES[index], *words]
    set_ = chance.choice((6, 6, 9, 12))
    _, chosen = houses.parse(house)
    hands = house_info.hands(index, chosen, set_)
    most = house_info.most_seats(index, set_, chosen) if hands is None else 1 + len(hands)
    count = chance.randint(2, most)
    seats = chance.sample(range(1, house_info.stations(count) + 1), count)
    return " ".join(house), set_, sorted(seats)


def play(seed: int) -> Played:
    """Play one random match with faults against the referee; return a Played. Its `done` also has
    HOURS, the simulated hours, and ERASES, the count of flash blocks erased."""
    chance = random.Random(seed)
    house, set_, seats = drawn(chance)
    hub = TroubledHub(house, set_, seats, seed)
    stations = house_info.stations(len(seats))
    evening = TroubledEvening(hub, house, set_, seats, seed, stations=stations)
    story = None
    try:
        evening.play(chance.randint(1, 3))
    except Disagreement as error:
        story = "seed %d, %s, set %d, seats %s:\n%s" % (seed, house, set_, seats, error)
    finally:
        houses.set_family({})
    done = evening.done + hub.done
    done["inputs"] = sum(evening.done[word] for word in constants.VERDICTS)
    done["refused"] = done["inputs"] - evening.done["ok"]
    done.update({HOURS: hub.board.clock.us / 3.6e9, ERASES: hub.board.flash_erases})
    return Played(done, story)
