# SPDX-License-Identifier: MIT
"""A simulated hub: the unchanged firmware with simulated chips, tags, buttons, pixels and USB.

The firmware's own function `build` connects its parts to the simulated pins. Time passes only
while the firmware runs.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

import config
from host_sim.board.chips import board_wires, machine, pixel_strip
from host_sim.board.chips.clock import Clock
from host_sim.board.chips.mfrc522_chip import MFRC522Chip
from host_sim.board.chips.ntag import NTAG213, Tag
from host_sim.board.hub.lamp_reader import LampReader
from host_sim.table.console_line import ConsoleLine
from roundhouse import boards, settings
from roundhouse.constants import USUAL_STATIONS, slot_name, slot_number
from roundhouse.drivers import files as drivers_files
from roundhouse.hub_builder import VSYS, begin, build
from roundhouse.palettes import PALETTES
from roundhouse.power_supply import OFFERS

if TYPE_CHECKING:  # it needs littlefs, which the page in a browser lacks
    from host_sim.board.chips.fake_flash import Flash

PASS_US = 400  # time of one pass of the loop on an RP2040, without SPI transfers
COARSE_PASS_US = 5000  # the same for tests that look at console lines and lamps, not at timing
PRESS_MS = 80
HOLD_MS = 1200
MULTI_LINE = ("export", "position")  # commands answered by several lines; the last repeats them
MULTI_LINE_MS = 30000  # the longest such an answer takes
ANSWER_MS = 800  # until a button's line is out; to forget a match takes 420, for its flash writes
REPRESS_MS = 600  # between two presses of one button
PACE_MS = 80  # between two taps, for a hand to move from slot to slot
GONE_MS = 1800  # until a tag that was taken away counts as gone, also a tile
LOOK_MS = 5  # from one look at the lamps to the next
FINE_MS = 100  # at least two sweeps; a pause begins and ends with this much, pass by pass
COARSE_US = 21_000  # one pass while there is no input: each shows one frame
MOVING_MS = 5000  # every answer, animation and count of points is over by then
COARSEST_US = 100_000  # one pass after MOVING_MS
USB_BUFFER = 256 + 64  # bytes that MicroPython keeps for the host, the packet in the endpoint too
FEW = 16  # bytes that boot.Usb writes at once while a packet waits


class FileSystem(Protocol):
    """A file system with the functions that the journal needs, like the firmware's
    `drivers.files`."""

    def open(self, name: str, mode: str, /) -> Any: ...
    def listdir(self, folder: str, /) -> list[str]: ...
    def remove(self, name: str, /) -> None: ...


class Port:
    """The host's end of the USB serial line, and the Pico's buffer for bytes that the host has not
    read.

    While the host does not read, each `write` takes only a few bytes, as in boot.Usb, until the
    buffer is full.

    room: the buffer's size in bytes
    """

    def __init__(self) -> None:
        self.lines: list[str] = []  # complete lines from the hub
        self.room = USB_BUFFER
        self._open = True
        self._in = bytearray()
        self._buffer = bytearray()
        self._out = bytearray()

    @property
    def open(self) -> bool:
        """Whether a program on the host has the port open and reads."""
        return self._open

    @open.setter
    def open(self, reads: bool) -> None:
        self._open = reads
        self._reads(reads)

    def _reads(self, reads: bool) -> None:
        """If `reads` is true, let the host receive all bytes in the buffer, and empty the
        buffer."""
        if reads:
            self.receive(bytes(self._buffer))
            self._buffer = bytearray()

    def type(self, text: str) -> None:
        """Send a line to the hub."""
        self._in += text.encode() + b"\n"

    def read(self) -> int:
        """Return the firmware's next input byte, or -1."""
        return self._in.pop(0) if self._in else -1

    def write(self, buf: bytes) -> int:
        """Take bytes that the firmware sends; return how many were taken."""
        if self.open:
            self.receive(buf)
            return len(buf)
        part = buf[: min(FEW, self.room - len(self._buffer))]
        self._buffer += part
        return len(part)

    def receive(self, data: bytes) -> None:
        """Receive bytes at the host and split them into lines."""
        self._out += data
        while b"\n" in self._out:
            line, _, rest = bytes(self._out).partition(b"\n")
            self._out = bytearray(rest)
            self.lines.append(line.decode(errors="replace"))


def configured(**changes: Any) -> SimpleNamespace:
    """Return the settings of firmware/config.py with some changed, as in
    `configured(HOUSE="quebec")`."""
    values = {name: getattr(config, name) for name in settings.NAMES}
    return SimpleNamespace(**{**values, **changes})


def seating(most: int, **changes: Any) -> SimpleNamespace:
    """Return the same for a hub that has E and the station `most`: the one of firmware/config.py,
    or a larger board with all its stations."""
    changes = {"ENGINE_SLOT": True, **changes}
    if most > USUAL_STATIONS:
        wiring = next(name for name, count in boards.STATIONS.items() if count >= most)
        changes = {"WIRING": wiring, "STATIONS": boards.STATIONS[wiring], **changes}
    return configured(**changes)


class OverBudget(Exception):
    """Raised if a frame draws more current than config.py allows."""


class PowerLost(Exception):
    """Raised if the power fails during a flash operation; `unplug` restores the power."""


class SimulatedHub:
    """One hub with power on. Raises OverBudget if a frame draws too much current.

    config: the settings, as `configured` returns them
    folder: the journal's folder; None for a temporary folder
    seed: the seed of the hub's random numbers
    corrupt_frame: for tests, a function that changes a frame's bytes on their way to the pixels
    storage: a simulated flash that holds the journal, in place of `folder` and `files`
    cc_sense: the voltage on CC_SENSE in mV; 840 means a supply with 3 A
    coarse_waits: if true, `settle` and `pause` run fewer, longer passes of the main loop
    vsys: the voltage on VSYS in mV
    files: the file system that holds `folder`
    pass_us: the microseconds of a main-loop pass, apart from its SPI transfers

    lines: what the console printed, as dicts, oldest first
    ms: milliseconds since the first power-up
    """

    def __init__(
        self,
        config: SimpleNamespace | None = None,
        folder: str | Path | None = None,
        seed: int = 1,
        *,
        corrupt_frame: Callable[[bytes], bytes] | None = None,
        storage: Flash | None = None,
        cc_sense: int = 840,
        coarse_waits: bool = False,
        vsys: int = 4850,
        files: FileSystem = drivers_files,
        pass_us: int = PASS_US,
    ) -> None:
        self.config = config or configured()
        self.storage = storage
        self._files = files
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.flash_erases = 0  # before the last power cut
        if storage:
            self.folder = Path("journal")
            storage.mkdir("journal")
        elif folder and files is not drivers_files:
            self.folder = Path(folder)
        else:
            if not folder:
                self._temporary = tempfile.TemporaryDirectory(prefix="roundhouse-")
                folder = self._temporary.name
            self.folder = Path(folder)
            self.folder.mkdir(parents=True, exist_ok=True)
        self.clock = Clock()
        self.seed = seed
        self.corrupt_frame = corrupt_frame
        self.cc_sense = cc_sense
        self.vsys = vsys
        self.coarse_waits = coarse_waits
        self.pass_us = pass_us
        self.tags: dict[int, list[Tag]] = {}  # place -> tags on it
        self.dead_readers: dict[int, int] = {}  # place -> what its MISO shows
        self.pulled_cables: set[int] = set()  # places
        self.pressed: set[int] = set()  # places whose button is down
        self._latched = b""  # what the pixels show
        self.milliamps = 0.0  # the current that the last frame draws
        self.lines: list[ConsoleLine] = []
        self._inputs: list[ConsoleLine] = []  # those of the first _sorted lines that answer inputs
        self._sorted = 0
        self._taken_ms: dict[tuple[int, bytes], int] = {}  # (place, UID) of a tag taken away
        self._released_ms: dict[int, int] = {}  # by place
        self._acted_ms = 0
        self.power_on()

    # ---- power ----

    def power_on(self) -> None:
        if self.storage:
            self.storage.going = self._collect
        settings.check(self.config)
        self._connect()
        self.port = Port()
        self.hub = build(
            self.config,
            machine,
            self.clock,
            SimpleNamespace(NeoPixel=self._strip),
            self.port,
            self._chance,
            self.storage or self._files,
            str(self.folder),
        )
        begin(self.hub)
        self.run(40)

    def _connect(self) -> None:
        machine.power_up(self.clock)
        pins, lines = self.config.PINS, self.config.LINES
        self.selects = board_wires.selects(pins, lines)
        self.buttons, self.button_register = board_wires.buttons(pins, lines)
        if "sense" in pins:
            machine.millivolts[pins["sense"]] = self.cc_sense
        self.set_vsys(self.vsys)
        for place, button in enumerate(self.buttons):
            button.drive(0 if place in self.pressed else 1)
        self.chips = [MFRC522Chip(self.clock) for _ in self.selects]
        reset = machine.wire(pins["reset"])
        for place, (select, chip) in enumerate(zip(self.selects, self.chips)):
            chip.dead = self.dead_readers.get(place)
            machine.bus(0).attach(select, chip)
            select.level = 1
            reset.watchers.append(chip.reset_pin)
            for tag in self.tags.get(place, ()):
                tag.unpower()
                chip.put(tag)
        self.slots = self.config.SLOTS
        self.lamp_reader = LampReader(self.slots, PALETTES[self.config.PALETTE])
        self.lamp_reader.reset(self.ms)

    def set_vsys(self, millivolts: int) -> None:
        self.vsys = millivolts
        machine.millivolts[VSYS] = millivolts // 3

    def unplug(self) -> None:
        """Cut the power at once, then switch it on again."""
        self.hub.journal.close()
        if self.storage:
            self.flash_erases += self.storage.erases
            self.storage = type(self.storage)(bytes(self.storage.off or self.storage.image))
        self.power_on()

    def _strip(self, pin: Any, n: int) -> pixel_strip.NeoPixel:
        strip = pixel_strip.NeoPixel(pin, n)
        strip.on_frame = self._frame
        return strip

    def _frame(self, sent: bytes) -> None:
        grb = pixel_strip.as_grb(sent, self.config.COLOR_ORDER)
        if self.corrupt_frame:
            grb = self.corrupt_frame(grb)
        if self.pulled_cables:
            grb = self._without_pulled(grb)
        self._latched = grb
        # a WS2812B draws 1 mA, and 20 mA a colour at full level
        self.milliamps = len(grb) // 3 + 20 * sum(grb) / 255
        budget = self.config.MILLIAMPS
        if budget == settings.USB:
            budget = next(pixels for least, _, pixels, _ in OFFERS if self.cc_sense >= least)
        if self.milliamps > budget:
            raise OverBudget("%.1f mA, the budget is %d" % (self.milliamps, budget))
        self.lamp_reader.add_frame(self.ms, grb)

    def _without_pulled(self, grb: bytes) -> bytes:
        """Return the colours of all pixels after the frame `grb` was sent while some cables are
        unplugged."""
        at = 12 * min(self.pulled_cables)
        shown = bytearray(grb[:at] + self._latched[at:])
        for place in self.pulled_cables:
            shown[12 * place : 12 * place + 12] = bytes(12)
        return bytes(shown)

    def _chance(self) -> int:
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return self.seed >> 16 & 255

    # ---- time ----

    @property
    def ms(self) -> int:
        """Milliseconds since the first power-up."""
        return self.clock.us // 1000

    def run(self, ms: float) -> None:
        """Let the firmware run for `ms` milliseconds."""
        self.run_until(lambda: False, ms)

    def run_until(self, done: Callable[[], object], ms: float, pass_us: int | None = None) -> bool:
        """Let the firmware run until done() is true, but at most `ms` milliseconds. Return whether
        done() was true. Raises PowerLost.

        pass_us: as for the class, but only for this run; None for the value given to the class
        """
        pass_us = pass_us or self.pass_us
        end = self.clock.us + 1000 * ms
        step, clock = self.hub.step, self.clock
        while clock.us < end:
            step()
            clock.us += pass_us
            if self.storage and self.storage.off:
                self.port.lines.clear()  # lines that were out in time have been collected
                raise PowerLost
            if self.port.lines:
                self._collect()
            if done():
                return True
        return bool(done())

    def pause(self, ms: float) -> None:
        """Let time pass without changing anything at the table."""
        if not self.coarse_waits or ms <= 3 * FINE_MS:
            self.run(ms)
            return
        self.run(FINE_MS)
        ms -= 2 * FINE_MS
        self._run_coarsely(lambda: False, min(ms, MOVING_MS), COARSE_US)
        self._run_coarsely(lambda: False, ms - MOVING_MS, COARSEST_US)
        self.run(FINE_MS)

    def _run_coarsely(self, done: Callable[[], object], ms: float, pass_us: int) -> bool:
        """Run like `run_until`, but with longer passes of the main loop.

        With longer passes, the hub notices too late that a tag was removed. So the duration of
        this run is added to all times in `_taken_ms`.
        """
        began = self.ms
        try:
            return self.run_until(done, ms, pass_us)
        finally:
            took = self.ms - began
            self._taken_ms = {key: at + took for key, at in self._taken_ms.items()}

    def _collect(self) -> None:
        for line in self.port.lines:
            self.lines.append(json.loads(line))
        self.port.lines.clear()

    def line_after(self, count: int, ms: float = 3000) -> ConsoleLine | None:
        """Run until `inputs` has more than `count` lines, but at most `ms` milliseconds. Return
        the newest line of `inputs`, or None if no line was added."""
        self.run_until(lambda: len(self.inputs) > count, ms)
        return self.inputs[-1] if len(self.inputs) > count else None

    @property
    def inputs(self) -> list[ConsoleLine]:
        """The console lines that answer inputs; lines on health and errors are left out."""
        lines = self.lines
        if len(lines) != self._sorted:
            if len(lines) < self._sorted:  # they were cleared
                self._inputs.clear()
                self._sorted = 0
            self._inputs += [line for line in lines[self._sorted :] if "input" in line]
            self._sorted = len(lines)
        return self._inputs

    def settle(self, ms: int = 8000) -> bool:
        """Run until the lamps clearly show the turn, the open trains and the open doubles, but at
        most `ms` milliseconds. Return False if the time was too short."""
        if self.coarse_waits:
            return self._run_coarsely(lambda: self.lamp_reader.settled(self.ms), ms, COARSE_US)
        end = self.ms + ms
        while not self.lamp_reader.settled(self.ms):
            if self.ms >= end:
                return False
            self.run(LOOK_MS)
        return True

    # ---- hands ----

    def place(self, slot: str | int) -> int:
        """Return the index of a slot with a reader and a button. slot: the slot's name or
        number."""
        number = slot_number(slot) if isinstance(slot, str) else slot
        if number not in self.slots:
            raise ValueError("this board has no slot %s" % slot_name(number))
        place = int(self.slots.index(number))
        if place >= len(self.chips):
            raise ValueError("this board has no reader at %s" % slot_name(number))
        return place

    def put(self, text: str | Tag, slot: str | int) -> Tag:
        """Lay a tag on a slot and return the tag. text: the tag's text, or the tag itself."""
        place = self.place(slot)
        tag = NTAG213(uid(text), text) if isinstance(text, str) else text
        taken_ms = self._taken_ms.get((place, tag.uid))
        if taken_ms is not None and self.ms - taken_ms < GONE_MS:
            self.run(GONE_MS - (self.ms - taken_ms))
        self.tags.setdefault(place, []).append(tag)
        self.chips[place].put(tag)
        return tag

    def remove(self, slot: str | int) -> None:
        place = self.place(slot)
        for tag in self.tags.pop(place, []):
            if tag in self.chips[place].tags:
                self.chips[place].take(tag)
            self._taken_ms[place, tag.uid] = self.ms

    def tap(self, text: str | Tag, slot: str | int) -> ConsoleLine | None:
        """Lay a tag on a slot, wait for the answer and take the tag away. Return the console line
        that answers, or None."""
        self.run(PACE_MS - (self.ms - self._acted_ms))
        count = len(self.inputs)
        self.put(text, slot)
        line = self.line_after(count)
        self.remove(slot)
        self._acted_ms = self.ms
        return line

    def press_down(self, slot: str | int) -> None:
        place = self.place(slot)
        self.pressed.add(place)
        self.buttons[place].drive(0)

    def press_up(self, slot: str | int) -> None:
        place = self.place(slot)
        self.pressed.discard(place)
        self.buttons[place].drive(1)
        self._released_ms[place] = self.ms

    def press(self, slot: str | int, ms: float = PRESS_MS) -> ConsoleLine | None:
        """Press a slot's button for `ms` milliseconds. Return the console line that answers, or
        None."""
        place = self.place(slot)
        since = self.ms - self._released_ms.get(place, -REPRESS_MS)
        if since < REPRESS_MS:
            self.pause(REPRESS_MS - since)
        count = len(self.inputs)
        self.press_down(slot)
        self.pause(ms)
        self.press_up(slot)
        line = self.line_after(count, ANSWER_MS)
        self._acted_ms = self.ms
        return line

    def hold(self, slot: str | int) -> ConsoleLine | None:
        """Hold a slot's button for HOLD_MS. Return the console line that answers, or None."""
        return self.press(slot, HOLD_MS)

    def override(self, text: str | Tag, slot: str | int) -> ConsoleLine | None:
        """Tap a tag while the slot's button is held down. Return the console line that answers, or
        None."""
        self.press_down(slot)
        self.run(PRESS_MS)
        line = self.tap(text, slot)
        self.press_up(slot)
        self.run(PRESS_MS)
        return line

    def command(self, text: str) -> ConsoleLine | None:
        """Send a command to the console. Return the last line of the hub's answer, or None."""
        count = len(self.lines)
        self.port.type(text)
        word = text.strip()
        if word in MULTI_LINE:
            self.run_until(lambda: self._is_answered(word, count), MULTI_LINE_MS)
        else:
            self.run_until(lambda: len(self.lines) > count, 1000)
        return self.lines[-1] if len(self.lines) > count else None

    def _is_answered(self, word: str, count: int) -> bool:
        """Return whether the newest line, if it comes after the first `count` lines, answers a
        command: the line's input is `word`, or the line is an error."""
        newest = self.lines[-1] if len(self.lines) > count else {}
        return newest.get("input") == word or "error" in newest

    def fault(self, slot: str | int, miso: int = 0x00) -> None:
        """Break the reader of a slot: from now on its data output (MISO) shows the byte `miso`."""
        place = self.place(slot)
        self.dead_readers[place] = self.chips[place].dead = miso

    def repair(self, slot: str | int) -> None:
        place = self.place(slot)
        self.dead_readers.pop(place, None)
        self.chips[place].dead = None

    def pull_cable(self, slot: str | int, miso: int = 0x00) -> None:
        """Unplug the cable to a slot's reader, button and pixels. The reader's data output (MISO)
        then shows the byte `miso`."""
        place = self.place(slot)
        self.press_up(slot)
        self.fault(slot, miso)
        self.pulled_cables.add(place)
        self._frame(self._latched)

    def plug_cable(self, slot: str | int) -> None:
        place = self.place(slot)
        self.chips[place].forget()
        self.repair(slot)
        self.pulled_cables.discard(place)


def uid(text: str) -> bytes:
    """Return a UID for a tag with this text: 7 bytes, beginning with NXP's manufacturer code.

    ISO 14443-3 does not allow 0x88 as the fourth byte.
    """
    return b"\x04" + (zlib.crc32(text.encode()) & 0xFFFF7FFF).to_bytes(4, "big") + b"\x52\x80"
