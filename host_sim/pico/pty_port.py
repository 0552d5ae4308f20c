# SPDX-License-Identifier: MIT
"""The emulated Pico's USB serial line as a pseudo-terminal: for programs that want a port."""

import os
import select
import threading
import time
import tty

from host_sim.chips import flash_image
from host_sim.pico.emulated_hub import EmulatedHub
from roundhouse import commands

SLICE_US = 5000
TYPED = {line.split()[0] for line in commands.HELP}  # what a line begins with that was typed


class HubOnPty(EmulatedHub):
    """A hub whose serial line is the file `port_name`.

    It runs in a thread of its own until `close`; whoever touches it holds `lock`. boots: whether
    there is a hub in its flash. paced: it is no faster than a real one.
    """

    def __init__(self, *args, boots=True, paced=False, **kwargs):
        self._boots = boots
        self._paced = paced
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port_name = os.ttyname(self._slave)
        self.lock = threading.Lock()
        self._ends = threading.Event()
        self._later = []
        super().__init__(*args, **kwargs)
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def later(self, ms, do):
        """Call do() after so much of the hub's time."""
        self._later.append((self.clock.us + 1000 * ms, do))

    def wait_for(self, done, seconds=300):
        """Wait until done(), in real time; AssertionError where that takes too long."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "it did not come: %s" % self.said[-3:]
            time.sleep(0.05)

    def line_after(self, count, ms=3000):
        """As any hub's, but for a hand at the table: what a program at the port asks meanwhile is
        another's answer."""

        def answers():
            return [n for n in self.inputs[count:] if n["input"].split()[0] not in TYPED]

        self.run_until(answers, ms)
        return (answers() or [None])[-1]

    def usb(self, data):
        """Hand bytes of the hub's serial line to whoever has the port open; else they are lost."""
        super().usb(data)
        try:
            os.write(self._master, data)
        except BlockingIOError:
            pass  # nobody reads

    def _booted(self, count):
        if self._boots:
            return super()._booted(count)
        self.run(1000)  # its prompt comes before the host is there to see it
        return True

    def _pump(self):
        began = time.monotonic() - self.clock.us / 1e6
        while not self._ends.is_set():
            typed = b""
            if select.select([self._master], [], [], 0)[0]:
                typed = os.read(self._master, 1024)
            with self.lock:
                if typed:
                    self.emulator.type(typed)
                self.emulator.run(SLICE_US)
                if self.port.lines:
                    self._collect()
                for what in [w for w in self._later if w[0] <= self.clock.us]:
                    self._later.remove(what)
                    what[1]()
                ahead = self.clock.us / 1e6 - (time.monotonic() - began)
            if self._paced and ahead > 0:
                time.sleep(ahead)

    def close(self):
        """Stop the hub; the port is gone."""
        self._ends.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)


class NewPico(HubOnPty):
    """A Pico with MicroPython on it and nothing else, until somebody flashes it."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, boots=False, **kwargs)

    def _image(self):
        return flash_image.pack({})
