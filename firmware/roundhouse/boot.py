# SPDX-License-Identifier: MIT
"""Power-up: lights the first lamp, builds the hub and runs it forever. main.py calls it.

Only Ctrl-C ends the program: the lamps go dark and the watchdog stops, so that a maker can work on
the board. Any other exception is printed and saved in crash.txt, a red lamp lights up, and the hub
restarts into the same match. A mistake in config.py makes the lamp blink.
"""

import gc
import os
import select
import sys
import time

import machine
import neopixel

from roundhouse import FROZEN, forget
from roundhouse.drivers import within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from roundhouse.hub import Hub


JOURNAL = "journal"
NO_FOLDER = "journal is a file, not a folder; remove it, or no input can be kept"
WATCHDOG_MS = 8000  # the RP2040's longest is 8388
WELL_MS = 60000  # a hub that ran this long is not in a loop of crashes
LONGEST_PAUSE = 60  # seconds between two starts
_FOLDER = 0x4000  # in the type of a file, from os.stat
# registers of the USB controller
_CDC_IN = 0x50100090  # bit 10: a packet of the console waits for the host (MicroPython's EP 2 IN)
_SIE_STATUS = 0x50110050  # bit 4: the host sleeps, or there is no host
_ADDRESS = 0x50110000  # the address that the host gave; 0: there is no host
_BUFFER = 256  # bytes of MicroPython's buffer for the host
_FEW = 16  # bytes written one by one, which takes 1.6 ms
# Collect garbage after this many bytes are allocated, even if memory is not full. Otherwise the
# objects that stay are scattered, and MicroPython's table of names, which grows to 8 KB, does not
# find one free piece of that size.
_COLLECT = 65536
SHORT = '\n{"error": "no memory; the hub starts again with all that it kept"}'


class Usb:
    """The console's port, the USB serial line. Its methods never wait for the host."""

    def __init__(self) -> None:
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._room = 0  # bytes that are certain to fit

    def read(self) -> int:
        """Return the next byte from the host, or -1 if none has come."""
        for _ in self._in.ipoll(0):
            sys.stdin.buffer.readinto(self._byte)
            return self._byte[0]
        return -1

    def write(self, buf: bytes | bytearray | memoryview) -> int:
        """Write the beginning of `buf`, but only bytes that are certain to fit into the port's
        buffer. Return the number of bytes written. `buf` has at most 64 bytes.

        MicroPython would wait up to 500 ms for bytes that do not fit. If no packet waits for the
        host, the port's buffer is empty and all of `buf` fits; otherwise poll() promises room for
        one byte at a time.
        """
        write = sys.stdout.buffer.write
        size = len(buf)
        if self._room < size:
            self._room = 0
            if _idle():
                for _ in self._out.ipoll(0):  # ipoll sends bytes still in the buffer
                    if _idle():
                        self._room = _BUFFER + size
        if self._room:
            self._room -= size
            return write(buf)
        for n in range(min(size, _FEW)):
            for _ in self._out.ipoll(0):
                self._byte[0] = buf[n]
                write(self._byte)
                break
            else:
                return n
        return min(size, _FEW)


def _idle() -> bool:
    """Return True if no packet is waiting for the host and the host is awake."""
    registers = machine.mem16
    asleep = registers[_SIE_STATUS] & 16 and registers[_ADDRESS]
    return not (registers[_CDC_IN] & 1024 or asleep)


class Watchdog:
    """The RP2040's watchdog. MicroPython has no call that stops it, so `stop` clears bit 30 of its
    CTRL register."""

    def __init__(self) -> None:
        self.feed: Callable[[], None] = machine.WDT(timeout=WATCHDOG_MS).feed

    def stop(self) -> None:
        machine.mem32[0x40058000] &= ~(1 << 30)


def random() -> int:
    """Return a random number 0..255."""
    return os.urandom(1)[0]


def lamp(pin: int, rgb: tuple[int, int, int]) -> None:
    """Light the strip's first pixel in a colour (R, G, B), even before the hub is built."""
    pixel = neopixel.NeoPixel(machine.Pin(pin), 1)
    order = getattr(sys.modules.get("config"), "COLOR_ORDER", 0)
    if not isinstance(order, str) or sorted(order) != ["B", "G", "R"]:
        order = "GRB"
    for k in range(3):
        pixel.buf[k] = rgb["RGB".index(order[k])]
    pixel.write()


def load() -> "ModuleType":
    """Return config.py as a checked module. If config.py has a mistake, print the mistake and
    blink forever."""
    from roundhouse import config_loader

    try:
        config, wrong = config_loader.load(lamp)
    except MemoryError:
        raise
    except Exception as error:
        config, wrong = None, "config.py: %s: %s" % (type(error).__name__, error)
    if wrong:
        from roundhouse import crash

        crash.blink(wrong, lamp)
    # free modules that are no longer needed
    forget("config_loader", "settings", "boards", "first_config", "default_config")
    return config


def mend() -> None:
    """Unload modules left empty because memory ran out while they were loading."""
    for name in list(sys.modules):
        if not sys.modules.get(name):
            sys.modules.pop(name, None)


def tidy(hub: "Hub") -> None:
    """Unload the modules that were needed only for the last input, and collect garbage."""
    if hub.no_memory:
        mend()
    from roundhouse import games

    games.free_unused(hub.table)
    forget("commands", "line_keys", "tag_writer", "drivers.tag_access", "selftest", "power_supply")
    forget("animations", "round_end_lights", "journal_undo", "position")
    forget("crash", "tag_diagnosis", "unseen_letters")
    if not hub.reader.recovery:
        forget("drivers.reader_recovery")
    gc.collect()


def start(config: "Any") -> "Hub":
    """Build the hub and resume its match; return the hub."""
    from roundhouse.drivers import files
    from roundhouse.hub_builder import begin, build

    there = os.listdir()
    wrong = None
    try:
        if JOURNAL not in there:
            os.mkdir(JOURNAL)
        elif not os.stat(JOURNAL)[0] & _FOLDER:
            wrong = NO_FOLDER
    except OSError:
        pass  # the journal says that it cannot be written
    hub = build(config, machine, time, neopixel, Usb(), random, files, JOURNAL)
    begin(hub, wrong)
    if FROZEN and "roundhouse" in there:
        from roundhouse import console, old_files
        from roundhouse.released_files import DIGESTS

        def remark(text: str) -> None:
            hub.put_line(console.remark(text))

        hub.later(hub.PAUSE, old_files.removal(DIGESTS, remark))
    forget("hub_builder", "lamp_letters", "palettes", "old_files", "released_files")
    tidy(hub)
    return hub


def run(config: "Any", watchdog: "Watchdog") -> None:
    """Run the hub. After an exception, build and run a new hub."""
    pause = 1
    while True:
        began = time.ticks_ms()
        try:
            mend()
            hub = start(config)
            while True:
                watchdog.feed()
                if hub.step():
                    tidy(hub)
        except Exception as error:
            hub = None  # frees its memory
            gc.collect()
            try:
                from roundhouse import crash

                crash.report(error, lamp, config.PINS["lights"])
            except Exception:  # print something in any case, and go on
                print(SHORT)
        if not within(time.ticks_diff, time.ticks_ms(), began, WELL_MS + 1):
            pause = 1
        for _ in range(pause):
            watchdog.feed()
            time.sleep(1)
        pause = min(2 * pause, LONGEST_PAUSE)


def main() -> None:
    """Run the hub until Ctrl-C."""
    gc.threshold(_COLLECT)
    config = None
    try:
        config = load()
        watchdog = Watchdog()
        try:
            run(config, watchdog)
        finally:
            watchdog.stop()
    except MemoryError:  # there is no hub yet
        print(SHORT)
        time.sleep(5)
        machine.reset()
    except KeyboardInterrupt:
        from micropython import kbd_intr

        kbd_intr(-1)  # programs send Ctrl-C twice
        from roundhouse import crash

        crash.stop(config)
