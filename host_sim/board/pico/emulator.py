# SPDX-License-Identifier: MIT
"""Runs the emulated Pico in a child process: sends commands and receives the events of its pins.

The Pico runs in node (emulator_process.mjs, pico.mjs); the devices on its pins are simulated in
Python. Every SPI byte and every change of a watched pin arrives through a pipe with its time. The
Pico waits only if it needs a reply.
"""

import contextlib
import json
import os
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from host_sim.board.chips.clock import Clock
from host_sim.board.pico.node import PACKAGES, node

HERE = Path(__file__).resolve().parent
PROCESS = HERE / "emulator_process.mjs"
LIBRARY = PACKAGES[HERE] / "node_modules" / "rp2040js" / "dist" / "esm" / "index.js"
IMAGE = HERE.parents[2] / "build" / "micropython" / "firmware.bin"  # by build-firmware.sh

_HEAD = struct.Struct("<cdI")  # an event: its letter, nanoseconds, how many bytes follow


class World(Protocol):
    """The devices connected to a Pico."""

    @property
    def clock(self) -> Clock:
        """The clock of the devices, which the emulator sets to the time of each event."""

    @property
    def opening(self) -> bytes:
        """A table of the replies to the first byte that is sent after a device on the SPI bus was
        selected.

        For each of the 256 values of this byte, the table has the two values that `spi` would
        return. The table is empty if the replies depend on the device. The table does not change
        during a call of `Emulator.run`.
        """

    def spi(self, byte: int) -> tuple[int, bool]:
        """Receive a byte on the SPI bus; return (reply, stays).

        stays: whether further bytes get the same reply until a watched pin changes
        """

    def pin(self, number: int, level: int) -> None:
        """Receive the new level of a watched pin."""

    def read_pin(self, number: int) -> tuple[int, int]:
        """Return (level, changes) of a pin of the Pico.

        level: what the devices drive on the pin
        changes: how often the last pin of `movers` can change while `level` stays (see
            `Emulator.connect`)
        """

    def frame(self, grb: bytes) -> None:
        """Receive a frame: the bytes sent to the pixel strip."""

    def usb(self, data: bytes) -> None:
        """Receive bytes from the serial connection."""

    def flash(self, letter: str, address: int, length: int) -> None:
        """Receive notice of a flash operation on `length` bytes. letter: `e` for erase or `p` for
        program."""

    def reset(self, cause: int) -> None:
        """Receive notice of a reset. cause: 0 for a power cut, 1 for the watchdog timer, 2 for the
        firmware, 3 for the USB boot loader."""


class Emulator:
    """One Pico with MicroPython in its flash.

    images: the paths of .bin or .uf2 files
    cached: whether instructions in flash wait for the flash cache, as on a real Pico
    """

    def __init__(self, images: Sequence[Path | str], world: World, cached: bool = True) -> None:
        self.world = world
        self.node = subprocess.Popen(
            [node(), PROCESS, "cached" if cached else "uncached", *map(str, images)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=-1,
            process_group=0,  # Ctrl-C reaches only this process, which then ends the child
            env=os.environ | {"RP2040JS": str(LIBRARY)},
        )
        assert self.node.stdin and self.node.stdout
        self._stdin, self._stdout = self.node.stdin, self.node.stdout
        self.usb_ready = False
        self.powered = True  # False: the power was cut, see `cut`
        self.us = 0
        self._opening = b""
        self._answer = b""  # to the last command that has one

    def connect(
        self,
        watch: Sequence[int],
        selects: Sequence[int],
        movers: Sequence[int],
        moved: int,
        strip: int,
    ) -> None:
        """Wire the pins; this replaces any earlier wiring.

        selects: the watched pins that select an SPI device when they go low
        movers: the pins that may change the level of `moved`
        moved: an input of the Pico, or -1 for none
        """
        wired: dict[str, object] = {"watch": watch, "selects": selects, "movers": movers}
        wired |= {"moved": moved, "strip": strip}
        self._command("K", json.dumps(wired).encode())

    def run(self, us: float, until_line: bool = False) -> None:
        """Run for `us` microseconds, or only until a line arrives over USB if until_line is
        true."""
        opening = self.world.opening
        if opening != self._opening:
            self._command("O", opening)
            self._opening = opening
        self._command("R", struct.pack("<d?", us * 1000, until_line))

    def drive(self, pin: int, level: int | None) -> None:
        """Drive a pin from outside. level: 0, 1, or None to release the pin."""
        self._command("D", bytes((pin, 2 if level is None else level)))

    def sense(self, channel: int, millivolts: int) -> None:
        """Set the voltage at an input of the 12-bit analogue converter, 0 to 3.3 V."""
        self._command("V", struct.pack("<BH", channel, min(4095, millivolts * 4095 // 3300)))

    def type(self, data: bytes) -> None:
        """Send bytes to the Pico over USB."""
        self._command("T", data)

    def hold_back(self, how: int) -> None:
        """Set how many packets the USB host takes from the Pico. how: 1 for none, 2 for one, 0 for
        all."""
        self._command("H", bytes((how,)))

    def power_cycle(self) -> None:
        self._command("X")

    def drag(self, uf2: bytes) -> None:
        """Write a UF2 file as the USB boot loader does, and start the Pico if the file is
        complete.

        uf2: the file, or its first blocks.
        """
        self._command("U", uf2)

    def cut(self, operation: int, torn: bool = False) -> None:
        """Cut the power at a later flash operation.

        operation: 1 for the next one
        torn: whether to cut during the operation instead of before it
        """
        self._command("C", struct.pack("<I?", operation, torn))

    def write_files(self, image: bytes) -> None:
        """Replace the file system in the flash by an image of a file system."""
        self._command("W", image)

    def read_files(self) -> bytes:
        """Return the image of the file system in the flash."""
        self._command("G")
        return self._answer

    def read_memory(self, address: int, length: int) -> bytes:
        """Return bytes of the RAM, which is all zeros at power-on."""
        self._command("M", struct.pack("<II", address, length))
        return self._answer

    def count_misses(self, run: Callable[[], object]) -> tuple[float, dict[int, int]]:
        """Call `run`, count the misses of the flash cache, and return (share, misses).

        The emulator is slower than usual while it counts.

        share: the share of the Pico's time spent waiting because of misses, 0 to 1
        misses: {address of a cache line of 8 bytes: count of its misses}
        """
        self._command("N", b"\1")
        run()
        self._command("N", b"\0")
        counted = json.loads(self._answer)
        return counted["share"], dict(counted["lines"])

    def close(self) -> None:
        """End the child process that runs the Pico."""
        self.node.kill()  # it has no state to save, and may be busy
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):  # half a command, which is lost
                pipe.close()
        self.node.wait()

    def _command(self, letter: str, data: bytes = b"") -> None:
        """Send a command to the emulator process, and handle events until the command is done."""
        stdout, clock = self._stdout, self.world.clock
        self._send(letter.encode() + struct.pack("<I", len(data)) + data)
        while True:
            head = stdout.read(_HEAD.size)
            if len(head) < _HEAD.size:
                raise RuntimeError("the emulated Pico died; its reason is on standard error")
            event, nanos, length = _HEAD.unpack(head)
            body = stdout.read(length) if length else b""
            clock.us = int(nanos) // 1000
            if event == b".":
                self.powered, self.usb_ready = not body[0], bool(body[1])
                return
            self._EVENTS[event](self, body)

    def _send(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()

    def _spi_answered(self, byte: int, reply: int) -> None:
        replied = self.world.spi(byte)[0]
        assert replied == reply, "the bus answered %d to %d, and not %d" % (replied, byte, reply)

    def _keep(self, answer: bytes) -> None:
        self._answer = answer

    # events of emulator_process.mjs; S and A are answered with two bytes
    _EVENTS = {
        b"S": lambda self, body: self._send(bytes(self.world.spi(body[0]))),
        b"A": lambda self, body: self._send(bytes(self.world.read_pin(body[0]))),
        b"B": lambda self, body: self._spi_answered(*body),
        b"P": lambda self, body: self.world.pin(body[0], body[1]),
        b"W": lambda self, body: self.world.frame(body),
        b"L": lambda self, body: self.world.usb(body),
        b"F": lambda self, body: self.world.flash(
            body[:1].decode(), *struct.unpack("<II", body[1:])
        ),
        b"Z": lambda self, body: self.world.reset(body[0]),
        b"G": _keep,
        b"M": _keep,
        b"N": _keep,
    }
