# SPDX-License-Identifier: MIT
"""A simulated hub: chips, tags, buttons, pixels and USB around the firmware as it is.

Everything here stands where hardware would: the firmware's own `build` puts its parts onto these
pins. Time is the board's own and moves only when the firmware runs.
"""

import json
import tempfile
import types
import zlib
from pathlib import Path

import config
from host_sim.chips import board_wires, machine, pixel_strip
from host_sim.chips.clock import Clock
from host_sim.chips.mfrc522_chip import MFRC522Chip
from host_sim.chips.ntag import NTAG213
from host_sim.hub.lamp_reader import LampReader
from roundhouse import settings
from roundhouse.constants import slot_name, slot_number
from roundhouse.drivers import files as drivers_files
from roundhouse.hub_builder import VSYS, begin, build
from roundhouse.palettes import PALETTES
from roundhouse.power import OFFERS

LOOP_US = 400  # what one pass of the loop costs an RP2040 besides SPI
PRESS_MS = 80
AT_LENGTH = ("export", "position")  # answered by several lines; the last says so
LONGEST_ANSWER_MS = 30000
ANSWER_MS = 400  # until a button's line is out, flash writes included
HOLD_MS = 1200
AGAIN_MS = 600  # two presses of one button
PACE_MS = 80  # nobody goes on faster than this, from slot to slot
GONE_MS = 450  # until a tag that was taken away counts as gone
LOOK_MS = 5  # between two looks at the lamps
WHOLE_MS = 100  # two sweeps and more: what a pause begins and ends with, pass by pass
HURRIED_US = 3000  # what it costs where only what is said and shown matters
STRIDE_US = 21_000  # a pass of a hub at which nobody acts: a frame in each
MOVING_MS = 5000  # by then every answer, animation and count of points is over
LONG_STRIDE_US = 100_000  # a pass after that


class Port:
    """The USB serial line. `open` False: the host does not read."""

    def __init__(self):
        self.open = True
        self.lines = []  # complete lines from the hub
        self._in = bytearray()
        self._out = bytearray()

    def type(self, text):
        """Send a line to the hub."""
        self._in += text.encode() + b"\n"

    def read(self):
        """Return a byte that waits for the firmware, or -1."""
        return self._in.pop(0) if self._in else -1

    def write(self, buf):
        """Take bytes from the firmware; return how many were taken."""
        if not self.open:
            return 0
        self._out += buf
        while b"\n" in self._out:
            line, _, rest = bytes(self._out).partition(b"\n")
            self._out = bytearray(rest)
            self.lines.append(line.decode(errors="replace"))
        return len(buf)


def configured(**changes):
    """Return firmware/config.py's settings with some changed: `configured(HOUSE="quebec")`."""
    values = {name: getattr(config, name) for name in settings.NAMES}
    return types.SimpleNamespace(**{**values, **changes})


class OverBudget(Exception):
    """A frame that draws more than config.py allows."""


class PowerLost(Exception):
    """The power went in the middle of a flash operation: `unplug` brings it back."""


class SimulatedHub:
    """One hub on the table, powered on. Every frame it ever sends is held against its budget.

    config: as `configured` returns it; folder: where the flash keeps its journal (a temporary one
    where None); seed: of the hub's chance; storage: a fake_flash.Flash that keeps the journal
    instead of this machine's files; files: whatever does what drivers.files does; sensed: mV that
    the supply puts on CC_SENSE (840: it offers 3 A); vsys: mV of the supply behind the Pico's
    diode, see `sag`; strides: while somebody only looks at the lamps (`settle`) or thinks
    (`pause`), a pass of the loop takes a frame's time or more, so that there are fewer of them;
    pass_us: what any other pass costs besides SPI, HURRIED_US for fewer of those too.
    `lines` are the console's lines as dicts, oldest first.
    """

    def __init__(
        self,
        config=None,
        folder=None,
        seed=1,
        breakage=None,
        storage=None,
        sensed=840,
        strides=False,
        vsys=4850,
        files=drivers_files,
        pass_us=LOOP_US,
    ):
        self.config = config or configured()
        self.storage = storage
        self._files = files
        self.flash_erases = 0  # of those before the last power cut
        if storage:
            self.folder = Path("journal")
            storage.mkdir("journal")
        elif files is not drivers_files:
            self.folder = Path(folder)
        else:
            self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="roundhouse-")
            self.folder = Path(folder or self._temporary.name)
            self.folder.mkdir(parents=True, exist_ok=True)
        self.clock = Clock()
        self.seed = seed
        self.breakage = breakage  # bytes of a frame -> bytes, between strip and eyes: for tests
        self.sensed = sensed
        self.vsys = vsys
        self.strides = strides
        self.pass_us = pass_us
        self.tags = {}  # place -> tags on it
        self.dead = {}  # place -> what its MISO shows
        self.pulled = set()  # places whose cable is off
        self._latched = b""  # what the pixels show
        self.milliamps = 0  # that the last frame draws
        self.down = set()  # places whose button is down
        self.lines = []
        self._inputs = []  # those of the first _sorted lines that answer inputs
        self._sorted = 0
        self._taken = {}  # (place, text) -> ms when the tag was taken away
        self._released = {}  # place -> ms
        self._acted = 0  # ms
        self.power_on()

    # ---- power ----

    def power_on(self):
        """Connect everything and start the firmware."""
        if self.storage:
            self.storage.going = self._collect
        settings.check(self.config)
        self._connect()
        self.port = Port()
        self.hub = build(
            self.config,
            machine,
            self.clock,
            types.SimpleNamespace(NeoPixel=self._strip),
            self.port,
            self._chance,
            self.storage or self._files,
            str(self.folder),
        )
        begin(self.hub)
        self.run(40)

    def _connect(self):
        """Chips, buttons, tags and eyes, as they are when power comes on."""
        machine.power_up(self.clock)
        pins, lines = self.config.PINS, self.config.LINES
        self.selects = board_wires.selects(pins, lines)
        self.buttons = board_wires.buttons(pins, lines)
        if "sense" in pins:
            machine.millivolts[pins["sense"]] = self.sensed
        self.sag(self.vsys)
        for place, button in enumerate(self.buttons):
            button.drive(0 if place in self.down else 1)
        self.chips = [MFRC522Chip(self.clock) for _ in self.selects]
        reset = machine.wire(pins["reset"])
        for place, (select, chip) in enumerate(zip(self.selects, self.chips)):
            chip.dead = self.dead.get(place)
            machine.bus(0).attach(select, chip)
            select.level = 1
            reset.watchers.append(chip.reset_pin)
            for tag in self.tags.get(place, ()):
                tag.unpower()
                chip.put(tag)
        self.slots = self.config.SLOTS
        self.eyes = LampReader(self.slots, PALETTES[self.config.PALETTE])
        self.eyes.reset(self.ms)

    def sag(self, millivolts):
        """Put so many mV on VSYS."""
        self.vsys = millivolts
        machine.millivolts[VSYS] = millivolts // 3

    def unplug(self):
        """A power cut, at once, and power back."""
        self.hub.journal.close()
        if self.storage:
            self.flash_erases += self.storage.erases
            self.storage = type(self.storage)(self.storage.off or self.storage.image)
        self.power_on()

    def _strip(self, pin, n):
        strip = pixel_strip.NeoPixel(pin, n)
        strip.on_frame = self._frame
        return strip

    def _frame(self, grb):
        if self.breakage:
            grb = self.breakage(grb)
        if self.pulled:
            grb = self._cut(grb)
        self._latched = grb
        # a WS2812B draws 1 mA, and 20 mA a colour at full level
        self.milliamps = len(grb) // 3 + 20 * sum(grb) / 255
        budget = self.config.MILLIAMPS
        if budget == settings.USB:
            budget = next(pixels for least, _, pixels, _ in OFFERS if self.sensed >= least)
        if self.milliamps > budget:
            raise OverBudget("%.1f mA, the budget is %d" % (self.milliamps, budget))
        self.eyes.see(self.ms, grb)

    def _cut(self, grb):
        """Return what pixels show of a frame where cables are off: these are dark, those behind
        hear nothing."""
        at = 12 * min(self.pulled)
        shown = bytearray(grb[:at] + self._latched[at:])
        for place in self.pulled:
            shown[12 * place : 12 * place + 12] = bytes(12)
        return bytes(shown)

    def _chance(self):
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return self.seed >> 16 & 255

    # ---- time ----

    @property
    def ms(self):
        """Milliseconds since the first power-up."""
        return self.clock.us // 1000

    def run(self, ms):
        """Let the firmware run for that long."""
        self.run_until(lambda: False, ms)

    def run_until(self, done, ms, loop_us=None):
        """Let the firmware run until done() or for that long; return done().

        loop_us: what a pass of the loop costs besides SPI; None: pass_us.
        """
        loop_us = loop_us or self.pass_us
        end = self.clock.us + 1000 * ms
        step, clock = self.hub.step, self.clock
        while clock.us < end:
            step()
            clock.us += loop_us
            if self.storage and self.storage.off:
                self.port.lines.clear()  # those that came out in time have been collected
                raise PowerLost
            if self.port.lines:
                self._collect()
            if done():
                return True
        return done()

    def pause(self, ms):
        """Nobody does anything for that long; what is down or lies there stays."""
        if not self.strides or ms <= 3 * WHOLE_MS:
            self.run(ms)
            return
        self.run(WHOLE_MS)
        ms -= 2 * WHOLE_MS
        self._stride(lambda: False, min(ms, MOVING_MS), STRIDE_US)
        self._stride(lambda: False, ms - MOVING_MS, LONG_STRIDE_US)
        self.run(WHOLE_MS)

    def _stride(self, done, ms, loop_us):
        """As run_until; the time does not count for a tag that was taken away."""
        began = self.ms
        try:
            return self.run_until(done, ms, loop_us)
        finally:
            # readers are asked so seldom meanwhile that none may have noticed
            took = self.ms - began
            self._taken = {key: at + took for key, at in self._taken.items()}

    def _collect(self):
        for line in self.port.lines:
            self.lines.append(json.loads(line))
        self.port.lines.clear()

    def line_after(self, count, ms=3000):
        """Run until more than `count` input lines have come; return the newest, or None."""
        self.run_until(lambda: len(self.inputs) > count, ms)
        return self.inputs[-1] if len(self.inputs) > count else None

    @property
    def inputs(self):
        """The lines that answer inputs (health and errors are left out)."""
        lines = self.lines
        if len(lines) != self._sorted:
            if len(lines) < self._sorted:  # they were cleared
                self._inputs.clear()
                self._sorted = 0
            self._inputs += [line for line in lines[self._sorted :] if "input" in line]
            self._sorted = len(lines)
        return self._inputs

    def settle(self, ms=8000):
        """Run until turn, open and doubles can be read from the lights."""
        if self.strides:
            return self._stride(lambda: self.eyes.settled(self.ms), ms, STRIDE_US)
        end = self.ms + ms
        while not self.eyes.settled(self.ms):
            if self.ms >= end:
                return False
            self.run(LOOK_MS)
        return True

    # ---- hands ----

    def place(self, slot):
        """Return the place of a slot on this board; slot is a name or a number."""
        number = slot_number(slot) if isinstance(slot, str) else slot
        if number not in self.slots:
            raise ValueError("this board has no slot %s" % slot_name(number))
        return self.slots.index(number)

    def put(self, text, slot):
        """Lay a tag on a slot; text: what is written on it, or a tag of chips.ntag."""
        place = self.place(slot)
        tag = NTAG213(uid(text), text) if isinstance(text, str) else text
        taken = self._taken.get((place, tag.uid))
        if taken is not None and self.ms - taken < GONE_MS:
            self.run(GONE_MS - (self.ms - taken))
        self.tags.setdefault(place, []).append(tag)
        self.chips[place].put(tag)
        return tag

    def remove(self, slot):
        """Take all tags from a slot."""
        place = self.place(slot)
        for tag in self.tags.pop(place, []):
            if tag in self.chips[place].tags:
                self.chips[place].take(tag)
            self._taken[place, tag.uid] = self.ms

    def tap(self, text, slot):
        """Lay a tag on a slot until the hub has answered, and take it away; return the line."""
        self.run(PACE_MS - (self.ms - self._acted))
        count = len(self.inputs)
        self.put(text, slot)
        line = self.line_after(count)
        self.remove(slot)
        self._acted = self.ms
        return line

    def press_down(self, slot):
        """Put a finger on a button, and leave it there."""
        place = self.place(slot)
        self.down.add(place)
        self.buttons[place].drive(0)

    def press_up(self, slot):
        """Take the finger off."""
        place = self.place(slot)
        self.down.discard(place)
        self.buttons[place].drive(1)
        self._released[place] = self.ms

    def press(self, slot, ms=PRESS_MS):
        """Press a button for so long; return the line that answers it, or None."""
        place = self.place(slot)
        since = self.ms - self._released.get(place, -AGAIN_MS)
        if since < AGAIN_MS:
            self.pause(AGAIN_MS - since)
        count = len(self.inputs)
        self.press_down(slot)
        self.pause(ms)
        self.press_up(slot)
        line = self.line_after(count, ANSWER_MS)
        self._acted = self.ms
        return line

    def hold(self, slot):
        """Press a button for HOLD_MS; return the line that answers it, or None."""
        return self.press(slot, HOLD_MS)

    def override(self, text, slot):
        """Tap with the slot's button held."""
        self.press_down(slot)
        self.run(PRESS_MS)
        line = self.tap(text, slot)
        self.press_up(slot)
        self.run(PRESS_MS)
        return line

    def say(self, text):
        """Type a line into the console; return the hub's answer to it, after all that comes
        before: an export's segments, a script's lines."""
        count = len(self.lines)
        self.port.type(text)
        word = text.strip()
        if word in AT_LENGTH:
            self.run_until(lambda: self._is_said(word, count), LONGEST_ANSWER_MS)
        else:
            self.run_until(lambda: len(self.lines) > count, 1000)
        return self.lines[-1] if len(self.lines) > count else None

    def _is_said(self, word, count):
        """Return whether the newest of the lines after `count` is an input's, or an error."""
        newest = self.lines[-1] if len(self.lines) > count else {}
        return newest.get("input") == word or "error" in newest

    def fault(self, slot, miso=0x00):
        """A reader stops answering: MISO shows that byte from then on."""
        place = self.place(slot)
        self.dead[place] = self.chips[place].dead = miso

    def repair(self, slot):
        """A reader that did not answer works again."""
        place = self.place(slot)
        self.dead.pop(place, None)
        self.chips[place].dead = None

    def pull(self, slot, miso=0x00):
        """Pull a slot's cable: reader, button and pixels; MISO shows that byte."""
        place = self.place(slot)
        self.press_up(slot)
        self.fault(slot, miso)
        self.pulled.add(place)
        self._frame(self._latched)

    def plug(self, slot):
        """Put it back; the chip and the pixels begin anew."""
        place = self.place(slot)
        self.chips[place].forget()
        self.repair(slot)
        self.pulled.discard(place)


def uid(text):
    """Return the UID of the tag that carries a text: 7 bytes, NXP's first.

    The fourth byte is kept from being 0x88, which no UID has there: it announces a third level.
    """
    return b"\x04" + (zlib.crc32(text.encode()) & 0xFFFF7FFF).to_bytes(4, "big") + b"\x52\x80"
