# SPDX-License-Identifier: MIT
"""Measures how much of a Pico's heap the reader driver takes without the rest of the firmware. The
driver is installed as source files."""

import json
from typing import Any

from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulated_hub import EmulatedHub

READERS = 4
PROGRAM = (
    """
import gc, json, time
from machine import SPI, Pin
def free():
    gc.collect()
    return gc.mem_free()
before = free()
from roundhouse import tags
from roundhouse.drivers.mfrc522 import MFRC522
from roundhouse.drivers.presence import Readers
def made(n):
    spi = SPI(0, baudrate=4_000_000, sck=Pin(18), mosi=Pin(19), miso=Pin(16))
    selects = [Pin(number, Pin.OUT, value=1) for number in range(n)]
    return Readers(MFRC522(spi, selects, Pin(17, Pin.OUT), time), time, tags.length, 1)
loaded = free()
readers = made(1)
one = free()
readers = None
readers = made(%d)
print(json.dumps({"modules": before - loaded, "one": loaded - one, "all": loaded - free()}))
"""
    % READERS
)


class _Driver(EmulatedHub):
    """A Pico with the driver's source files that runs PROGRAM. `result`: the JSON that PROGRAM
    prints."""

    def __init__(self) -> None:
        self.result: dict[str, Any] = {}
        root = build_firmware.FIRMWARE
        urls = json.loads((root / "drivers.json").read_text(encoding="utf-8"))["urls"]
        files: dict[str, bytes | None] = {"main.py": PROGRAM.encode()}
        for to, there in urls:
            files[to.replace(".py", ".mpy")] = None
            files[to] = (root / there).read_bytes()
        super().__init__(configured(WIRING="breadboard", STATIONS=READERS), files=files)

    def _booted(self, count: int) -> bool:
        self.run_until(lambda: any("modules" in line for line in self.lines), 60000)
        self.result = dict(self.lines[-1])
        return True


def measure() -> dict[str, Any]:
    """Return how many bytes of the heap the driver takes, as {part: bytes} with these parts:

    "modules": the driver's modules
    "one": one reader
    "all": READERS readers together
    """
    return _Driver().result
