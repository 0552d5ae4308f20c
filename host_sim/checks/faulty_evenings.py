# SPDX-License-Identifier: MIT
"""Evenings with everything that goes wrong: people, power, readers, cards and cables.

    python -m host_sim soak --hours N

The players of the soak, their pauses included, sit at the whole firmware on the simulated board,
its journal on LittleFS in the Pico's geometry. Between their inputs and in the middle of them the
power goes, at flash operations too; readers die, forget and hear noise; strange cards, tiles left
lying, stuck buttons and junk on the console. After every input hub, referee and the journal read
anew must agree, and nothing acknowledged may be lost.
"""

import collections
import concurrent.futures
import os
import random
import sys
import time

from host_sim.checks import dishonest_evenings
from host_sim.chips import fake_flash, machine
from host_sim.chips.ntag import NTAG213, BusTicket, MifareClassic, Phone
from host_sim.hub.simulated_hub import PowerLost
from host_sim.pico.emulator import IMAGE
from roundhouse import houses, table, tiles, words
from roundhouse.journal import Journal
from roundhouse.words import slot_name

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


class TroubledHub(dishonest_evenings.BoardHub):
    """The whole firmware on a flash of its own; `done` counts what happened to it."""

    def __init__(self, house, set_, seats, seed):
        self.random = random.Random(seed)
        self.done = collections.Counter()
        self._lying = None  # the slot where a tile was left
        super().__init__(house, set_, seats, seed, fake_flash.Flash(), NIGHT_MINUTES=1)

    # ---- inputs, in the middle of which the power may go ----

    def tap(self, slot, tile, override=False):
        self._tidy(slot_name(slot))
        return self._do(lambda: dishonest_evenings.BoardHub.tap(self, slot, tile, override))

    def press(self, slot):
        return self._do(lambda: dishonest_evenings.BoardHub.press(self, slot))

    def draw(self, seat):
        return self._do(lambda: dishonest_evenings.BoardHub.draw(self, seat))

    def hold(self):
        return self._do(lambda: dishonest_evenings.BoardHub.hold(self))

    def redo(self):
        return self._do(lambda: dishonest_evenings.BoardHub.redo(self))

    def _do(self, act):
        board = self.board
        if self.random.random() < 0.02:
            board.storage.cut(self.random.randint(1, 4), self.random.random() < 0.5)
        before, count = bytes(board.hub.table.state), len(board.inputs)
        try:
            line = act()
        except PowerLost:
            self.done["power cut while writing"] += 1
            said = board.inputs[count] if len(board.inputs) > count else None
            self._power_back()
            if bytes(board.hub.table.state) != before:
                return {**board.say("state"), "verdict": "ok"}
            if said and said["verdict"] == "ok":
                raise dishonest_evenings.Disagreement(
                    "an acknowledged input was lost: %s" % said
                ) from None
            line = act()  # the lamps show that it was not taken
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
        self.board.run(min(60_000, self.random.expovariate(1 / PAUSE_MS)))
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
        self.board.run(11_000)
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
        self.board.run(self.random.randint(60, 200) * 1000)

    # ---- the audit ----

    def audit(self):
        """The journal, read anew, arrives where the hub is."""
        again = table.Table()
        journal = Journal(self.board.storage, "journal", again)
        journal.resume()
        hub = self.board.hub.table
        if bytes(again.state) != bytes(hub.state) or journal.trouble:
            raise dishonest_evenings.Disagreement(
                "the journal read anew differs: %s" % journal.trouble
            )


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


class FaultyEvening(dishonest_evenings.Evening):
    """An evening at a troubled hub."""

    def tap(self, slot, tile, override=False):
        self.hub.trouble()
        return super().tap(slot, tile, override)

    def press(self, slot):
        self.hub.trouble()
        return super().press(slot)

    def _compare(self, said, line, verdict):
        super()._compare(said, line, verdict)
        self.hub.audit()


def play(seed):
    """Play one evening; return (hours, erases, what happened, None or the story)."""
    chance = random.Random(seed)
    houses.families(dishonest_evenings.FAMILY)
    variants = [name for name, _ in houses.VARIANTS]
    house = " ".join(
        [chance.choice(houses.HOUSES), *chance.sample(variants, chance.randint(0, 2))]
    )
    set_ = chance.choice((6, 6, 9, 12))
    index = houses.parse(house.split())[0]
    seats = sorted(chance.sample(range(1, 11), chance.randint(2, houses.most_seats(index, set_))))
    hub = TroubledHub(house, set_, seats, seed)
    evening = FaultyEvening(hub, house, set_, seats, seed)
    story = None
    try:
        evening.play(chance.randint(1, 3))
    except dishonest_evenings.Disagreement as error:
        story = "seed %d, %s, set %d, seats %s:\n%s" % (seed, house, set_, seats, error)
    finally:
        houses.families({})
    done = evening.done + hub.done
    done["inputs"] = sum(evening.done[word] for word in words.VERDICTS)
    done["refused"] = done["inputs"] - evening.done["ok"]
    return hub.board.clock.us / 3.6e9, hub.board.flash_erases, done, story


def run(hours, seed=1, out=sys.stdout, err=sys.stderr):
    """The command `soak --hours`; returns the exit status: 0 where all agreed."""
    started = time.perf_counter()
    total = erases = evenings = 0
    done, stories = collections.Counter(), []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting = {pool.submit(play, seed * 100_000 + n) for n in range(os.cpu_count())}
        number = len(waiting)
        while waiting:
            finished, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in finished:
                took, erased, did, story = future.result()
                total += took
                erases += erased
                evenings += 1
                done.update(did)
                if story:
                    stories.append(story)
                if total < hours:
                    waiting.add(pool.submit(play, seed * 100_000 + number))
                    number += 1
            if err.isatty():
                print("%.1f of %g hours" % (total, hours), end="\r", file=err)
    for kind in (*(name.replace("_", " ") for name in TROUBLES), "power cut while writing"):
        print("%-26s %6d" % (kind, done[kind]), file=out)
    print(
        "%.1f hours, %d evenings, %d rounds, %d inputs (%d refused), %d resumes, %.2f erases a "
        "kept input, %.0f s"
        % (
            total,
            evenings,
            done["rounds"],
            done["inputs"],
            done["refused"],
            done["resumes"],
            erases / max(1, done["kept"]),
            time.perf_counter() - started,
        ),
        file=out,
    )
    if IMAGE.exists():
        from host_sim.checks import performance

        heap = performance.heap()
        print(
            "heap on the emulated Pico: %d KiB free in play, lowest %d KiB"
            % (heap["free"] // 1024, heap["low"] // 1024),
            file=out,
        )
    for story in stories[:3]:
        print(story, file=err)
    print(
        "%d disagreements, %d inputs lost"
        % (len(stories), sum("lost" in story for story in stories)),
        file=out,
    )
    return 1 if stories else 0
