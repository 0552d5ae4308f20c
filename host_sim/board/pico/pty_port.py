# SPDX-License-Identifier: MIT
"""Connects the emulated Pico's USB serial line to a pseudo-terminal, for programs that need a
port."""

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from host_sim.board.chips import flash_image
from host_sim.board.hub import config_text
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.table.console_line import ConsoleLine
from roundhouse import commands, settings

SLICE_US = 5000
# After QUIET slices without a byte either way the thread waits a little for bytes before each
# slice: a Pico at its prompt would use up a processor.
QUIET = 40
QUIET_S = 0.002
TYPED = {line.split()[0] for line in commands.HELP}  # the first words of typed lines


class HubOnPty(EmulatedHub):
    """A hub whose serial port is the pseudo-terminal `port_name`.

    It runs in its own thread until `close`; hold `lock` while using it. At each start the board is
    wired according to config.py in the Pico's flash.

    boots: whether that flash contains the firmware
    paced: whether to keep the hub from running faster than real time
    """

    def __init__(self, *args: Any, boots: bool = True, paced: bool = False, **kwargs: Any) -> None:
        self._boots = boots
        self._paced = paced
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port_name = os.ttyname(self._slave)
        self.lock = threading.Lock()
        self._ends = threading.Event()
        self._later: list[tuple[float, Callable[[], object]]] = []
        self._quiet = 0  # slices without a byte either way
        super().__init__(*args, **kwargs)
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def later(self, ms: float, do: Callable[[], object]) -> None:
        """Call do() after `ms` milliseconds of the hub's time."""
        self._later.append((self.clock.us + 1000 * ms, do))

    def wait_for(self, done: Callable[[], object], seconds: float = 300) -> None:
        """Wait until done() is true; raise AssertionError after `seconds` of real time."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "it did not come: %s" % self.said[-3:]
            time.sleep(0.05)

    def line_after(self, count: int, ms: float = 3000) -> ConsoleLine | None:
        """Wait at most `ms` milliseconds for a line of `inputs` after the first `count`; return
        the newest line, or None if no line was added.

        Answers to another program's commands are ignored.
        """

        def answers() -> list[ConsoleLine]:
            return [n for n in self.inputs[count:] if n["input"].split()[0] not in TYPED]

        self.run_until(answers, ms)
        found = answers()
        return found[-1] if found else None

    def usb(self, data: bytes) -> None:
        """Write bytes from the hub's serial line to the port; without a reader, the bytes are
        lost."""
        super().usb(data)
        self._quiet = 0
        try:
            os.write(self._master, data)
        except BlockingIOError:
            pass  # nothing reads the port

    def _start(self) -> None:
        self._follow_config()
        super()._start()

    def _follow_config(self) -> bool:
        """If config.py in the Pico's flash has new settings, wire the board accordingly; return
        whether the settings were new. If the file has a mistake, or does more than assign plain
        values, change nothing; the board alone executes it."""
        text = flash_image.unpack(self.emulator.read_files()).get("config.py", b"")
        try:
            found = config_text.values_of(text.decode())
            config = SimpleNamespace(
                **{name: found[name] for name in settings.NAMES if name in found}
            )
            settings.check(config)
        except (ValueError, settings.BadConfig):  # a maker can write anything there
            return False
        names = settings.NAMES if text else ()
        if all(getattr(config, name) == getattr(self.config, name) for name in names):
            return False
        before, after = self.config.SLOTS, config.SLOTS
        places = {old: after.index(slot) for old, slot in enumerate(before) if slot in after}
        self.config = config
        # a tag, a pressed button and a broken reader stay with their slot
        self.tags = {places[old]: laid for old, laid in self.tags.items() if old in places}
        self.pressed = {places[old] for old in self.pressed if old in places}
        self.dead_readers = {
            places[old]: miso for old, miso in self.dead_readers.items() if old in places
        }
        self._wire()
        return True

    def _booted(self, count: int) -> bool:
        if self._boots:
            return super()._booted(count)
        self.run(1000)  # its prompt comes before the host can see it
        return True

    def _pump(self) -> None:
        began = time.monotonic() - self.clock.us / 1e6
        while not self._ends.is_set():
            typed = b""
            wait = QUIET_S if self._quiet > QUIET else 0
            if select.select([self._master], [], [], wait)[0]:
                typed = os.read(self._master, 1024)
            with self.lock:
                self._quiet += 1
                if typed:
                    self._quiet = 0
                    self.emulator.type(typed)
                resets = len(self.resets)
                self.emulator.run(SLICE_US)
                if len(self.resets) != resets and self._follow_config():
                    self._connect_board()
                if self.port.lines:
                    self._collect()
                for what in [w for w in self._later if w[0] <= self.clock.us]:
                    self._later.remove(what)
                    what[1]()
                ahead = self.clock.us / 1e6 - (time.monotonic() - began)
            if self._paced and ahead > 0:
                time.sleep(ahead)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)


class NewPico(HubOnPty):
    """A Pico that has only MicroPython, until the firmware is installed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, boots=False, **kwargs)

    def _image(self) -> bytes:
        return flash_image.pack({})
