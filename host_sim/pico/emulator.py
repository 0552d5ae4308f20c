# SPDX-License-Identifier: MIT
"""The emulated Pico as a child process: commands to it, and events from its pins back.

The Pico runs in node (pico.mjs, emulator_process.mjs). Whatever is wired to its pins is here, in
Python:
every byte on the SPI bus and every change of a watched pin comes over a pipe with its time. The
Pico waits only where it must know the answer.
"""

import contextlib
import json
import os
import struct
import subprocess
from pathlib import Path

from host_sim.pico.node import PACKAGES, node

HERE = Path(__file__).resolve().parent
LIBRARY = PACKAGES[HERE] / "node_modules" / "rp2040js" / "dist" / "esm" / "index.js"
IMAGE = HERE.parent.parent / "build" / "micropython" / "firmware.bin"  # by build-firmware.sh

_HEAD = struct.Struct("<cdI")  # an event: its letter, nanoseconds, how many bytes follow


class Emulator:
    """One Pico with MicroPython in its flash.

    images: files, .bin or .uf2. world: gets the events: spi(byte) -> (byte, whether the bus
    answers that until a watched pin changes), pin(number, level), look(number) -> level,
    frame(bytes), usb(bytes), flash(letter, address, length), reset(cause); and its clock is
    `world.clock`. cached: whether what runs from flash waits for what its cache does not hold, as
    on a real Pico; without, the difference can be measured.
    """

    def __init__(self, images, world, spi_bus=0, cached=True):
        self.world = world
        self.node = subprocess.Popen(
            [
                node(),
                HERE / "emulator_process.mjs",
                str(spi_bus),
                str(int(cached)),
                *map(str, images),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=-1,
            process_group=0,  # Ctrl-C reaches this process alone, which ends it
            env=os.environ | {"RP2040JS": str(LIBRARY)},
        )
        self.usb_ready = False
        self.powered = True  # False: the power was cut, see `cut`
        self.us = 0

    def connect(self, watch, movers, moved, strip):
        """Say what is wired: pins to watch; those that may move the pin `moved`; the strip."""
        wired = {"watch": watch, "movers": movers, "moved": moved, "strip": strip}
        self._command("K", json.dumps(wired).encode())

    def run(self, us, until_line=False):
        """Let the Pico run for so long, or until it has sent a line over USB."""
        self._command("R", struct.pack("<d?", us * 1000, until_line))

    def drive(self, pin, level):
        """Drive a pin from outside: 0, 1, or None to let it go."""
        self._command("D", bytes((pin, 2 if level is None else level)))

    def sense(self, channel, millivolts):
        """Put a voltage on an input of the analogue converter (12 bits of 3.3 V)."""
        self._command("V", struct.pack("<BH", channel, min(4095, millivolts * 4095 // 3300)))

    def type(self, data):
        """Send bytes over USB."""
        self._command("T", data)

    def power_cycle(self):
        """Switch the power off and on."""
        self._command("X")

    def cut(self, operation, torn=False):
        """Cut the power at the n-th flash operation from now: before it, or in its middle."""
        self._command("C", struct.pack("<I?", operation, torn))

    def write_files(self, image):
        """Put another file system into the flash."""
        self._command("W", image)

    def read_files(self):
        """Return the file system's image."""
        self._files = b""
        self._command("G")
        return self._files

    def close(self):
        """End the child process."""
        if self.node:
            self.node.kill()  # it keeps nothing, and may be at work
            for pipe in (self.node.stdin, self.node.stdout):
                with contextlib.suppress(OSError):  # half a command that it does not get any more
                    pipe.close()
            self.node.wait()
            self.node = None

    def _command(self, letter, data=b""):
        """Give the Pico a command, and serve its events until it has done that."""
        stdout, clock = self.node.stdout, self.world.clock
        self._send(letter.encode() + struct.pack("<I", len(data)) + data)
        while True:
            head = stdout.read(_HEAD.size)
            if len(head) < _HEAD.size:
                raise RuntimeError("the emulated Pico died; its reason is on standard error")
            letter, nanos, length = _HEAD.unpack(head)
            body = stdout.read(length) if length else b""
            clock.us = int(nanos) // 1000
            if letter == b".":
                self.powered, self.usb_ready = not body[0], bool(body[1])
                return
            self._EVENTS[letter](self, body)

    def _send(self, data):
        self.node.stdin.write(data)
        self.node.stdin.flush()

    def _keep(self, image):
        self._files = image

    # what emulator_process.mjs tells: S and A wait for two bytes, the others for nothing
    _EVENTS = {
        b"S": lambda self, body: self._send(bytes(self.world.spi(body[0]))),
        b"A": lambda self, body: self._send(bytes((self.world.look(body[0]), 0))),
        b"B": lambda self, body: self.world.spi(body[0]),
        b"P": lambda self, body: self.world.pin(body[0], body[1]),
        b"W": lambda self, body: self.world.frame(body),
        b"L": lambda self, body: self.world.usb(body),
        b"F": lambda self, body: self.world.flash(
            body[:1].decode(), *struct.unpack("<II", body[1:])
        ),
        b"Z": lambda self, body: self.world.reset(body[0]),
        b"G": _keep,
    }
