# SPDX-License-Identifier: MIT
"""Power-up: a first light, then the board from its parts, and from then on the hub; main.py runs
it.

Only Ctrl-C ends it, which stops the watchdog too: the maker's door. Whatever else goes wrong is
said on the console, kept in crash.txt and shown as a red lamp, and the hub starts again into
the same match. A mistake in config.py blinks until it is corrected.
"""

import gc
import os
import select
import sys
import time

import machine
import neopixel

from roundhouse import forget

JOURNAL = "journal"
WATCHDOG_MS = 8000  # the RP2040's longest is 8388
WELL_MS = 60000  # a hub that ran so long is not in a loop of crashes
LONGEST_PAUSE = 60  # seconds between two starts
SHORT = '\n{"error": "no memory; the hub starts again with all that it kept"}'


class Usb:
    """The console's port: the USB serial line, without ever waiting for the host."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)

    def read(self):
        """Return a byte that waits, or -1."""
        for _ in self._in.ipoll(0):
            sys.stdin.buffer.readinto(self._byte)
            return self._byte[0]
        return -1

    def write(self, buf):
        """Hand bytes to the host; return how many it took."""
        for _ in self._out.ipoll(0):
            return sys.stdout.buffer.write(buf)
        return 0


class Watchdog:
    """The RP2040's watchdog, which MicroPython itself cannot stop: bit 30 of its CTRL register."""

    def __init__(self):
        self.feed = machine.WDT(timeout=WATCHDOG_MS).feed

    def stop(self):
        machine.mem32[0x40058000] &= ~(1 << 30)


def chance():
    """Return a random number 0..255."""
    return os.urandom(1)[0]


def lamp(pin, rgb):
    """Light the strip's first pixel, whatever state the rest is in."""
    pixel = neopixel.NeoPixel(machine.Pin(pin), 1)
    pixel[0] = rgb
    pixel.write()


def load():
    """Return config.py as a module, checked. Where it is wrong, say so and blink: no return."""
    from roundhouse import config_check

    config, wrong = config_check.load(lamp)
    if wrong:
        from roundhouse import crash

        crash.blink(wrong, lamp)
    # what has done its work leaves its room to the hub
    forget("config_check", "settings", "boards")
    return config


def mend():
    """Forget the modules for which memory ran out when they had nothing but a name: MicroPython
    does not, and would take them for loaded."""
    for name in list(sys.modules):
        if not sys.modules.get(name):
            sys.modules.pop(name, None)


def tidy(hub):
    """After an input: free the memory of what it alone needed, and of a game that was left."""
    if hub.short:
        mend()
    from roundhouse import games

    games.give_back(hub.table)
    forget("commands", "report", "tag_writer", "drivers.held_tag", "selftest", "power")
    forget("animations", "round_end_lights", "history", "position", "crash")
    if not hub.reader.sick:
        forget("drivers.reader_recovery")
    gc.collect()


def start(config):
    """Return a hub that has resumed its match."""
    from roundhouse.drivers import files
    from roundhouse.hub_builder import begin, build

    if JOURNAL not in os.listdir():
        os.mkdir(JOURNAL)
    hub = build(config, machine, time, neopixel, Usb(), chance, files, JOURNAL)
    begin(hub)
    forget("hub_builder", "lamps", "palettes")
    tidy(hub)
    return hub


def run(config, watchdog):
    """Run the hub, and after an exception another one."""
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
            hub = None  # its memory is needed
            gc.collect()
            try:
                from roundhouse import crash

                crash.report(error, lamp, config.PINS["lights"])
            except Exception:  # whatever it was, it is told, and the hub goes on
                print(SHORT)
        if time.ticks_diff(time.ticks_ms(), began) > WELL_MS:
            pause = 1
        for _ in range(pause):
            watchdog.feed()
            time.sleep(1)
        pause = min(2 * pause, LONGEST_PAUSE)


def main():
    """Run the hub until Ctrl-C."""
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
        print("the hub has stopped; a reset starts it again")
