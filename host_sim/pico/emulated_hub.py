# SPDX-License-Identifier: MIT
"""The simulated hub with an emulated Pico in it: here the firmware runs on MicroPython."""

import functools
import json

import config
from host_sim.chips import flash_image, machine
from host_sim.hub.simulated_hub import Port, SimulatedHub
from host_sim.pico import compiled_firmware
from host_sim.pico.emulator import IMAGE, Emulator
from roundhouse import settings
from roundhouse.hub_builder import VSYS

SLICE_US = 20000  # how often somebody may look at the lamps
BOOT_MS = 5000
ADC0 = 26  # the GPIO of the analogue converter's first input
JOURNAL = "journal/"


class UsbPort(Port):
    """The host's end of the Pico's USB serial line; `said` are the lines that are no JSON."""

    def __init__(self, emulator):
        super().__init__()
        self.emulator = emulator

    def type(self, text):
        """Send a line to the hub."""
        self.emulator.type(text.encode() + b"\n")

    def forget(self):
        """The Pico was reset: half a line is lost."""
        self._out = bytearray()


class EmulatedHub(SimulatedHub):
    """One hub on the table whose firmware runs on an emulated Pico.

    images: firmware images, .bin or .uf2 (the one that build-firmware.sh makes where None).
    files: what is in the Pico's file system at the first start, {path: bytes}, besides or instead
    of firmware, configuration and journal. `erases`, `programs` count flash operations, `resets`
    the causes of resets other than by power: 1 the watchdog's timer, 2 machine.reset().
    """

    def __init__(
        self, config=None, folder=None, seed=1, images=None, files=None, sensed=840, vsys=4850
    ):
        self.images = tuple(images or (IMAGE,))
        self.files = dict(files or {})
        self.emulator = None
        self.erases = self.programs = self.short_frames = 0
        self.resets = []
        self.said = []
        super().__init__(config, folder, seed, sensed=sensed, vsys=vsys)

    # ---- power ----

    def power_on(self):
        """Put firmware, configuration and journal into the flash, and switch on."""
        settings.check(self.config)
        emulator = _emulator(self.images, *self._wired())
        emulator.world = self
        self.clock.us = emulator.us
        self.emulator = emulator
        image = self._image()
        if image:
            emulator.write_files(image)
        self._start()

    def sag(self, millivolts):
        """Put so many mV on VSYS; a third of it reaches the converter."""
        self.vsys = millivolts
        self.emulator.sense(VSYS - ADC0, millivolts // 3)

    def _image(self):
        """Return the file system to begin with; None: what the images brought with them."""
        files = compiled_firmware.firmware()
        files["config.py"] += self._changes()
        for path in self.folder.glob("*"):
            files[JOURNAL + path.name] = path.read_bytes()
        return flash_image.pack({**files, **self.files})

    def unplug(self):
        """A power cut, at once, and power back: what is in the flash stays."""
        self._start()

    def _start(self):
        self.port = UsbPort(self.emulator)
        self._connect()
        self.picture = bytes(12 * len(self.slots))
        pins = self.config.PINS
        for pin, button in zip(pins.get("buttons", ()), self.buttons):
            self._pull(pin, button.level)
            button.watchers.append(functools.partial(self._pull, pin))
        if "sense" in pins:
            self.emulator.sense(pins["sense"] - ADC0, self.sensed)
        count = len(self.inputs)
        self.emulator.power_cycle()
        if not self._booted(count):
            raise RuntimeError("no line from the emulated Pico: %s" % self.said[-5:])

    def _booted(self, count):
        """Wait for the first line; `count` inputs were there before."""
        return self.line_after(count, BOOT_MS)

    def _pull(self, pin, level):
        self.emulator.drive(pin, None if level else 0)

    def _wired(self):
        """Return pins to watch, those that move the button chain's output, that output (-1: there
        is none), the strip, and the pins with a pull-up beside the Pico."""
        pins = self.config.PINS
        # a resistor keeps the readers off while the Pico starts
        pulled_up = (pins["enable"],) if "enable" in pins else pins["selects"]
        watch = (*pins.get("address", ()), *pulled_up, pins["reset"])
        movers = tuple(pins[name] for name in ("load", "clock") if name in pins)
        return watch, movers, pins.get("data", -1), pins["lights"], pulled_up

    def _changes(self):
        """Return the lines that make config.py say what this board's configuration says."""
        lines = [""]
        for name in settings.NAMES:
            value = getattr(self.config, name)
            if value != getattr(config, name):
                lines.append("%s = %r" % (name, value))
        return ("\n".join(lines) + "\n").encode()

    # ---- time ----

    def run_until(self, done, ms):
        """Let the Pico run until done() or for that long; False where its power was cut."""
        end = self.clock.us + int(1000 * ms)
        while self.clock.us < end:
            self.emulator.run(min(SLICE_US, end - self.clock.us), until_line=True)
            if self.port.lines:
                self._collect()
            if done():
                return True
            if not self.emulator.powered:
                return False
        return done()

    def _collect(self):
        for line in self.port.lines:
            if line.startswith("{"):
                self.lines.append(json.loads(line))
            else:
                self.said.append(line)
        self.port.lines.clear()

    # ---- what the emulated pins do ----

    def spi(self, byte):
        """A byte on the bus: return the answer, and whether it stays until a pin changes."""
        selected = machine.bus(0).selected
        if len(selected) == 1:
            chip = selected[0]
            return chip.exchange(bytes((byte,)))[0], chip.listens
        for device in selected:
            device.exchange(bytes((byte,)))
        return 0x00 if selected else 0xFF, True

    def pin(self, number, level):
        """A watched pin has changed."""
        machine.wire(number).set(level)

    def look(self, number):
        """Return the level that the board puts on a pin."""
        return machine.wire(number).level

    def frame(self, grb):
        """The strip was sent these bytes."""
        # a short frame leaves the pixels behind it as they are: the first light's, or one that
        # something interrupted
        self.short_frames += 3 < len(grb) < len(self.picture)
        self.picture = grb + self.picture[len(grb) :]
        self._frame(self.picture)

    def usb(self, data):
        """Bytes from the Pico's serial line."""
        self.port.write(data)

    def flash(self, letter, address, length):
        """A flash operation, `e` or `p`, of so many bytes."""
        if letter == "e":
            self.erases += length // flash_image.BLOCK
        else:
            self.programs += 1

    def reset(self, cause):
        """The Pico was reset: 0 by power, 1 by the watchdog's timer, 2 by the firmware."""
        self.port.forget()
        if cause:
            self.resets.append(cause)


def maker(images=None):
    """Return what makes emulated hubs like `SimulatedHub`, of some firmware images."""
    return functools.partial(EmulatedHub, images=images and tuple(images))


@functools.lru_cache
def _emulator(images, watch, movers, moved, strip, pulled_up):
    """One Pico for every wiring; it is switched off and on again for every board."""
    emulator = Emulator(images, None)
    emulator.world = _Nobody()
    emulator.connect(list(watch), list(movers), moved, strip)
    for pin in pulled_up:
        emulator.drive(pin, 1)
    return emulator


class _Nobody:
    """The world of a Pico that is in no board yet."""

    class clock:  # noqa: N801
        us = 0

    def pin(self, number, level):
        pass
