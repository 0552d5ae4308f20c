# SPDX-License-Identifier: MIT
"""The simulated hub with an emulated Pico."""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import config
from host_sim.board.chips import flash_image, machine
from host_sim.board.chips.mfrc522_chip import MFRC522Chip
from host_sim.board.hub.simulated_hub import Port, SimulatedHub
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulator import IMAGE, Emulator, World
from roundhouse import settings
from roundhouse.hub_builder import VSYS

SLICE_US = 20000  # of emulation, after which lines and lamps are looked at
BOOT_MS = 5000
ADC0 = 26  # the GPIO of the analogue converter's first input
JOURNAL = "journal/"


class UsbPort(Port):
    """The computer's end of the Pico's USB serial connection."""

    def __init__(self, emulator: Emulator) -> None:
        super().__init__()
        self.emulator = emulator
        self.open = True

    def _reads(self, reads: bool) -> None:
        """Tell the emulator whether to hold back the Pico's bytes."""
        self.emulator.hold_back(0 if reads else 1)

    def type(self, text: str) -> None:
        self.emulator.type(text.encode() + b"\n")

    def drop_half_line(self) -> None:
        """Discard a partly received line, because the Pico was reset."""
        self._out = bytearray()


# pins to watch, selects, movers, moved, strip: see Emulator.connect
Wiring = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int]


class EmulatedHub(SimulatedHub):
    """One hub on the table whose firmware runs on an emulated Pico.

    images: paths of firmware images (.bin or .uf2), or None for the image made by
        build-firmware.sh
    files: {path: content} of more files for the Pico's file system at the first start; a
        content of None leaves the file out
    frozen: whether to boot the image with the firmware frozen in; the file system then has only
        the configuration and the journal

    said: the lines from the hub that are not JSON
    erases, programs: the counts of flash operations
    resets: the cause of each reset, except power cuts: 1 for the watchdog timer, 2 for
        machine.reset(), 3 for a reset into the USB boot loader
    """

    port: UsbPort

    def __init__(
        self,
        config: SimpleNamespace | None = None,
        folder: str | Path | None = None,
        seed: int = 1,
        images: Sequence[Path | str] | None = None,
        files: Mapping[str, bytes | None] | None = None,
        cc_sense: int = 840,
        vsys: int = 4850,
        frozen: bool = False,
    ) -> None:
        self.frozen = frozen
        self.images = tuple(images or (build_firmware.frozen() if frozen else IMAGE,))
        self.files = dict(files or {})
        self.erases = self.programs = self.short_frames = 0
        self.resets: list[int] = []
        self.said: list[str] = []
        super().__init__(config, folder, seed, cc_sense=cc_sense, vsys=vsys)

    # ---- power ----

    def power_on(self) -> None:
        """Write firmware, configuration and journal into the flash, and switch the Pico on."""
        settings.check(self.config)
        emulator = _emulator(self.images)
        emulator.world = self
        self.clock.us = emulator.us
        self.emulator = emulator
        self._wire()
        if image := self._image():
            emulator.write_files(image)
        self._start()

    def set_vsys(self, millivolts: int) -> None:
        """Set the supply voltage VSYS, of which the Pico's converter measures a third."""
        self.vsys = millivolts
        self.emulator.sense(VSYS - ADC0, millivolts // 3)

    def _image(self) -> bytes | None:
        files = build_firmware.firmware()
        if self.frozen:
            files = {"config.py": files["config.py"]}
        files["config.py"] += self._changes()
        for path in self.folder.glob("*"):
            files[JOURNAL + path.name] = path.read_bytes()
        changed = {**files, **self.files}
        return flash_image.pack({k: data for k, data in changed.items() if data is not None})

    def unplug(self) -> None:
        """Switch the power off and on again, with the same flash."""
        self._start()

    def _wire(self) -> None:
        """Connect the pins of the Pico according to the hub's configuration; this replaces any
        earlier wiring."""
        wiring = self._wired()
        self.emulator.connect(*wiring)
        for pin in wiring[1]:  # a resistor keeps the readers off while the Pico starts
            self.emulator.drive(pin, 1)

    def _connect_board(self) -> None:
        self._connect()
        self.picture = bytes(12 * len(self.slots))
        pins = self.config.PINS
        for pin, button in zip(pins.get("buttons", ()), self.buttons):
            self._pull(pin, button.level)
            button.watchers.append(functools.partial(self._pull, pin))
        if "sense" in pins:
            self.emulator.sense(pins["sense"] - ADC0, self.cc_sense)

    def _start(self) -> None:
        self.port = UsbPort(self.emulator)
        self._connect_board()
        count = len(self.inputs)
        self.emulator.power_cycle()
        if not self._booted(count):
            raise RuntimeError("no line from the emulated Pico: %s" % self.said[-5:])

    def _booted(self, count: int) -> bool:
        """Wait at most BOOT_MS for a line of `inputs` after the first `count`; return whether
        there was such a line."""
        return self.line_after(count, BOOT_MS) is not None

    def _pull(self, pin: int, level: int) -> None:
        self.emulator.drive(pin, None if level else 0)

    def _wired(self) -> Wiring:
        """Return the pins of the wiring as a tuple of five values.

        - the pins to watch
        - the pins that select a reader
        - the pins that change the output of the button chain
        - the Pico pin at that output, or -1 if there is none
        - the pin of the pixel strip
        """
        pins = self.config.PINS
        selects = (pins["enable"],) if "enable" in pins else tuple(pins["selects"])
        watch = (*pins.get("address", ()), *selects, pins["reset"])
        movers = tuple(pins[name] for name in ("load", "clock") if name in pins)
        return watch, selects, movers, pins.get("data", -1), pins["lights"]

    def _changes(self) -> bytes:
        """Return the lines to append to config.py for the configuration of this hub."""
        lines = [""]
        for name in settings.NAMES:
            value = getattr(self.config, name)
            if value != getattr(config, name):
                lines.append("%s = %r" % (name, value))
        return ("\n".join(lines) + "\n").encode()

    # ---- time ----

    def run_until(self, done: Callable[[], object], ms: float, pass_us: int | None = None) -> bool:
        """Run until done() is true, for at most `ms` milliseconds; return whether done() is true.
        pass_us has no effect."""
        end = self.clock.us + int(1000 * ms)
        while self.clock.us < end:
            self.emulator.run(min(SLICE_US, end - self.clock.us), until_line=True)
            if self.port.lines:
                self._collect()
            if done():
                return True
            if not self.emulator.powered:
                return False
        return bool(done())

    def _collect(self) -> None:
        for line in self.port.lines:
            is_cut = line.endswith("\r") and not line.endswith("}\r")  # by Ctrl-C, or a crash
            if line.startswith("{") and not is_cut:
                self.lines.append(json.loads(line))
            else:
                self.said.append(line)
        self.port.lines.clear()

    # ---- what the emulated pins do ----

    @property
    def opening(self) -> bytes:
        """The readers' replies to the first byte; see `World.opening`."""
        alike = all(chip.dead is None for chip in self.chips)
        return MFRC522Chip.OPENING if alike else b""

    def spi(self, byte: int) -> tuple[int, bool]:
        """Exchange a byte on the SPI bus; see `World.spi`."""
        selected = machine.bus(0).selected
        if len(selected) == 1:
            chip = cast(MFRC522Chip, selected[0])
            return chip.exchange(bytes((byte,)))[0], chip.listens
        for device in selected:
            device.exchange(bytes((byte,)))
        return 0x00 if selected else 0xFF, True

    def pin(self, number: int, level: int) -> None:
        """Receive the new level of a watched pin."""
        machine.wire(number).set(level)

    def read_pin(self, number: int) -> tuple[int, int]:
        """Return the level that the board drives on a pin of the Pico; see `World.read_pin`."""
        register = self.button_register
        return machine.wire(number).level, 2 * register.shifts if register else 0

    def frame(self, grb: bytes) -> None:
        """Receive a frame: the bytes sent to the pixel strip."""
        # a short frame leaves the later pixels as they are: the first light's, or an interrupted
        # one
        self.short_frames += 3 < len(grb) < len(self.picture)
        self.picture = grb + self.picture[len(grb) :]
        self._frame(self.picture)

    def usb(self, data: bytes) -> None:
        """Receive bytes from the Pico's serial connection."""
        self.port.receive(data)

    def flash(self, letter: str, address: int, length: int) -> None:
        """Count a flash operation on `length` bytes. letter: `e` for erase or `p` for program."""
        if letter == "e":
            self.erases += length // flash_image.BLOCK
        else:
            self.programs += 1

    def reset(self, cause: int) -> None:
        self.port.drop_half_line()
        if cause:
            self.resets.append(cause)


def maker(images: Sequence[str] | None = None) -> Callable[..., EmulatedHub]:
    """Return a function like SimulatedHub that makes an emulated hub with these firmware images.
    Without `images`, use the image with the firmware frozen in if this image can be made here."""
    if images:
        return functools.partial(EmulatedHub, images=tuple(images))
    return functools.partial(EmulatedHub, frozen=build_firmware.can_freeze())


@functools.lru_cache
def _emulator(images: tuple[Path | str, ...]) -> Emulator:
    """Return the Emulator of a Pico with these firmware images; the same images give the same
    Emulator. A new hub must wire this Pico again and switch its power off and on."""
    return Emulator(images, cast(World, _Disconnected()))


class _Disconnected:
    """The World of a Pico that is not yet connected to a board."""

    class clock:  # noqa: N801
        us = 0

    def pin(self, number: int, level: int) -> None:
        pass
