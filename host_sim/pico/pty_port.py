# SPDX-License-Identifier: MIT
"""The emulated Pico's USB serial line as a pseudo-terminal: for programs that want a port."""

import os
import select
import threading
import time
import tty

from host_sim.pico.emulated_hub import EmulatedHub

SLICE_US = 5000


class HubOnPty(EmulatedHub):
    """A hub whose serial line is the file `port_name`.

    It runs in a thread of its own until `close`; whoever touches it holds `lock`. boots: whether
    there is a hub in its flash.
    """

    def __init__(self, *args, boots=True, **kwargs):
        self._boots = boots
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

    def close(self):
        """Stop the hub; the port is gone."""
        self._ends.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)
