# SPDX-License-Identifier: MIT
"""Calculates whether the readers' regulator carries all fields that may be on at once: its
current, the voltage it is left with, and its heat.

Units are mA, V, W and degrees Celsius. Every figure is the worst in a datasheet, or says what else
it is.
"""

from dataclasses import dataclass

from hardware import pinmap
from hardware.kicad_files import HUB12, Project
from roundhouse import power_supply

# a reader, MFRC522 (NXP, rev. 3.9, quick reference data): analogue and digital supply, and the
# transmitter
IDLE_MA = 10 + 9
FIELD_MA = IDLE_MA + 100
OUT = 3.3


@dataclass(frozen=True)
class Regulator:
    """most: the current it gives. drop: what it needs above its output at that current. hottest:
    of its junction."""

    most: float
    drop: float
    hottest: float = 125.0


REGULATORS = {
    # ST, doc ID 9614; the drop is the typical one at 1.5 A: here it gives less than half of that
    "LD29150DT33": Regulator(1500, 0.4),
    # ST, CD00000546
    "LF33CDT": Regulator(500, 0.45),
}


@dataclass(frozen=True)
class Supply:
    """The way from the inlet to the readers, with what is worst for each figure."""

    regulator: str = "LD29150DT33"  # one of REGULATORS
    readers: int = 12
    fields: int = max(fields for *_, fields in power_supply.OFFERS)
    # at the inlet (USB 2.0, 7.2.2); 5.25 at most
    least: float = 4.75
    highest: float = 5.25
    # MF-RG300 and two DMP2035U at 2.5 A; B340A at the current of readers and Pico: it drops less
    # when it is warm, and then the regulator is hotter
    inlet_drop: float = 0.1 + 0.18
    diode_drop: float = 0.4
    least_diode_drop: float = 0.3
    # TO-252 with 0.066 square inches of copper on top and 1.0 below (TI, SNVS774Q, table 1). Here
    # they are 0.12, and vias to a plane of 12
    thermal: float = 57.0
    drum: float = 45.0  # the air in the closed drum: an estimate, 15 above a warm room

    def current(self) -> float:
        """Return what all readers draw, with all fields on that may be."""
        return self.fields * FIELD_MA + (self.readers - self.fields) * IDLE_MA

    def spare(self) -> float:
        """Return the voltage at the regulator above what it needs, at the weakest supply."""
        there = self.least - self.inlet_drop - self.diode_drop
        return there - OUT - REGULATORS[self.regulator].drop

    def heat(self) -> float:
        """Return what the regulator turns into heat, at the strongest supply."""
        return (self.highest - self.least_diode_drop - OUT) * self.current() / 1000

    def junction(self) -> float:
        return self.drum + self.thermal * self.heat()


def verdict(supply: Supply | None = None) -> tuple[list[str], str]:
    """Return (mistakes, text to print). supply: None for this project's boards."""
    supply = supply or fitted()
    if supply.regulator not in REGULATORS:
        return ["U3: what %s carries is not known" % supply.regulator], ""
    part, name = REGULATORS[supply.regulator], supply.regulator
    current, spare, junction = supply.current(), supply.spare(), supply.junction()
    wrong = []
    if current > part.most:
        text = "%d fields draw %.0f mA, %s gives %.0f"
        wrong.append(text % (supply.fields, current, name, part.most))
    if spare < 0:
        wrong.append("%s has %.2f V too little" % (name, -spare))
    if junction > part.hottest:
        text = "%s gets %.0f degrees hot, it may be %.0f"
        wrong.append(text % (name, junction, part.hottest))
    said = "%d readers: %d fields, %.0f of %.0f mA, %.2f V to spare, %.1f W, %.0f of %.0f degrees"
    return wrong, said % (
        supply.readers,
        supply.fields,
        current,
        part.most,
        spare,
        supply.heat(),
        junction,
        part.hottest,
    )


def fitted(hub: Project = HUB12) -> Supply:
    """Return the Supply of a hub with all stations."""
    return Supply(hub.board["U3"].value, len(pinmap.slots(pinmap.load()[hub.name])))
