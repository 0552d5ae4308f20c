# SPDX-License-Identifier: MIT
"""Calculates how late a reader's answer can reach the Pico on the MISO line, which all readers
share.

In SPI mode 0 a reader changes MISO after SCK falls, and the Pico samples it half a period later.
The signal passes through the SCK driver, a ribbon, the reader, its gate, and MISO. All ribbons and
gates add to the capacitance of MISO. Units are ns, mm, pF and ohms. Every figure is the worst in a
datasheet, or marked as an estimate.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hardware import housing_plan, pinmap
from hardware.kicad_files import HUB12, Project

SUPPLY = 3.2  # volts: 3.3 V less 3 %


def between(volts: float, low: tuple[float, float], high: tuple[float, float]) -> float:
    """Return the delay of a 74HC chip in ns, interpolated on a logarithmic scale.

    volts: the chip's supply.
    low, high: two points of the datasheet, as (volts, ns).
    """
    steep = math.log(high[1] / low[1]) / math.log(high[0] / low[0])
    return low[1] * math.pow(volts / low[0], steep)


DRIVERS = {  # of SCK and MOSI: ns from A to Y at most, 50 pF, to 85 degrees
    # SN74AHC244 (TI SCLS226): at 3.0 to 3.6 V
    "74AHC244": 13.5,
    # SN74HC244 (TI SCLS130): 145 ns at 2 V, 29 ns at 4.5 V
    "74HC244": between(SUPPLY, (2.0, 145.0), (4.5, 29.0)),
}


# pF of MISO on a hub: its track over its plane, a header a ribbon, the Pico's pin; estimates
HUB_BOARDS = {"hub12": 45.0, "hub16": 70.0}


@dataclass
class MisoLine:
    """The signal path whose delay is checked: SCK from the Pico to a reader, and MISO back.

    stations: the count of stations plugged in, besides M and E.
    """

    stations: int = 10
    ribbon: float = 0.06  # pF a mm: 110 ohms beside a ground; 50 to 60 pF a metre in catalogues
    flight: float = 0.005  # ns a mm, in a ribbon
    # RP2040: its datasheet has no times for SPI. Taken: two periods of 125 MHz before SCK rises,
    # and 5 ns for each of the two pads
    pico_sample: float = 16.0
    pico_pads: float = 10.0
    driver: str = "74AHC244"  # one of DRIVERS
    # ns for each pF above 50. SN74AHC244 (TI SCLS226): 10 ns at 15 pF, 13.5 ns at 50 pF
    driver_load: float = 0.1
    driver_ribbons: int = 3  # that share a driver
    # MFRC522 (NXP, rev. 3.9, SPI timing): MISO is there at most 25 ns after SCK fell
    reader: float = 25.0
    # SN74LVC1G125 (TI SCES223), A to Y at 3.3 V, 50 pF, and up to 125 degrees
    gate: float = 5.5
    gate_ohms: float = 23.0  # the same: 0.55 V at 24 mA
    series: float = 33.0  # R3 on the slot board, and R21 on the hub
    # what hangs on a line besides ribbons; estimates
    reader_input: float = 10.0  # MFRC522: a pin, and its board
    slot_board: float = 12.0  # the closed gate, R3, plug, socket and track
    hub_board: float = HUB_BOARDS["hub12"]
    driver_board: float = 10.0  # after a driver: 60 mm of track, three headers
    pull: float = 2.0  # volts at which the Pico surely reads a one; 0.8 for a zero

    def lengths(self) -> list[float]:
        """Return the lengths of all ribbons in mm."""
        return list(housing_plan.Plan(self.stations).ribbons().values())

    def miso(self) -> float:
        """Return the capacitive load on MISO in pF."""
        lengths = self.lengths()
        return self.ribbon * sum(lengths) + self.slot_board * len(lengths) + self.hub_board

    def sck(self) -> float:
        """Return the capacitive load in pF on the SCK driver with the longest ribbons."""
        lengths = sorted(self.lengths())[-self.driver_ribbons :]
        each = self.reader_input + self.slot_board
        return self.ribbon * sum(lengths) + each * len(lengths) + self.driver_board

    def steps(self) -> list[tuple[str, float]]:
        """Return [(name of the step, ns), ...], the worst-case delays from SCK's falling edge in
        the Pico until MISO is valid there."""
        longest = max(self.lengths())
        driver = DRIVERS[self.driver] + self.driver_load * max(0.0, self.sck() - 50)
        clock = self.series * (self.ribbon * longest + self.reader_input + self.slot_board)
        # from one rail to where the other level is sure: a falling edge takes longer
        settled = max(math.log(SUPPLY / (SUPPLY - self.pull)), math.log(SUPPLY / 0.8))
        return [
            ("the Pico's pads", self.pico_pads),
            ("driver of SCK", driver),
            ("SCK's ribbon", settled * clock / 1000 + self.flight * longest),
            ("reader", self.reader),
            ("gate", self.gate),
            ("MISO", settled * (self.gate_ohms + self.series) * self.miso() / 1000),
            ("MISO's ribbon", self.flight * longest),
            ("the Pico takes it", self.pico_sample),
        ]

    def margin(self, baud: float) -> float:
        """Return by how many ns a reader's answer arrives before the Pico samples it; negative if
        the answer is late. baud: the bus speed in bits per second."""
        return 5e8 / baud - sum(ns for _, ns in self.steps())


def verdict(bauds: Iterable[float], line: MisoLine | None = None) -> tuple[list[str], str]:
    """Return (mistakes, text to print) for the firmware's bus speeds; late answers are mistakes.
    line: the signal path, or None for this project's boards."""
    line = line or fitted()
    if line.driver not in DRIVERS:
        return ["U2: the delay of a %s is not known" % line.driver], ""
    steps = ", ".join("%s %.0f" % step for step in line.steps())
    wrong, spare = [], []
    for baud in bauds:
        margin = line.margin(baud)
        if margin > 0:
            spare.append("%.0f ns to spare at %g MHz" % (margin, baud / 1e6))
        else:
            wrong.append("MISO is %.0f ns late at %g MHz: %s" % (-margin, baud / 1e6, steps))
    said = "MISO with %d stations, %.0f pF, worst case: %s"
    return wrong, said % (line.stations, line.miso(), ", ".join(spare))


def fitted(hub: Project = HUB12) -> MisoLine:
    """Return the MisoLine of a hub with all stations. Its board tells the type of the SCK drivers
    and the largest count of ribbons on one driver."""
    board, pins = hub.board, pinmap.load()[hub.name]
    ribbons = Counter(
        board.pins.get(ref + ".1")
        for ref in board.values
        if board.pins.get(ref + ".2") in {"SCK_" + slot for slot in pinmap.slots(pins)}
    )
    return MisoLine(
        pinmap.stations(pins),
        driver=board["U2"].value,
        driver_ribbons=max(ribbons.values(), default=0),
        hub_board=HUB_BOARDS[hub.name],
    )
