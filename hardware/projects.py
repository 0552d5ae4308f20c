# SPDX-License-Identifier: MIT
"""The two boards: their circuits, their sheets, and where their files are."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware import hub_circuit, slot_circuit

HERE = Path(__file__).parent
DATE = "2026-11-22"

with open(HERE / "schematic_groups.toml", "rb") as _file:
    _GROUPS = tomllib.load(_file)


@dataclass
class Project:
    """A KiCad project. parts: makes the list of its Parts. flags: (net, x, y), where the schematic
    says that a net is fed though KiCad cannot see it: through a connector, a fuse or a diode.
    rails: (net, pin, pin ...), which wires join one after another instead of a label each: along
    a line from the first, down or up to the others."""

    name: str
    title: str
    revision: str
    paper: str
    parts: callable
    flags: tuple
    rails: tuple
    date: str = DATE

    @property
    def folder(self):
        """Where its files are kept."""
        return HERE / self.name

    @property
    def board(self):
        """Its .kicad_pcb."""
        return self.folder / (self.name + ".kicad_pcb")

    @property
    def sheet(self):
        """Its .kicad_sch."""
        return self.folder / (self.name + ".kicad_sch")

    @property
    def groups(self):
        """The dashed boxes of its schematic."""
        return _GROUPS[self.name]


HUB12 = Project(
    "hub12",
    "Roundhouse hub12",
    "2",
    "A2",
    hub_circuit.parts,
    flags=(
        ("VUSB", 45.72, 73.66),
        ("VMID", 71.12, 73.66),
        ("+5V", 83.82, 73.66),
        ("VSYS", 190.5, 73.66),
        ("5V_LOGIC", 335.28, 177.8),
    ),
    rails=(
        ("VFUSED", "F1.2", "D2.1", "C6.1", "Q1.3"),
        ("VMID", "Q1.2", "C7.1", "R11.1", "Q2.2"),
        ("SOFT", "R12.1", "C7.2", "R11.2", "C8.2"),
        ("+5V", "Q2.3", "C1.1", "D1.2"),
        ("VSYS", "D1.1", "C2.1", "U3.1"),
        ("3V3_READERS", "U3.3", "C3.1", "C4.1"),
        ("LIGHTS_5V", "U4.4", "R8.1"),
        ("PIEZO_OUT", "R9.2", "BZ1.1"),
    ),
)
SLOT = Project(
    "slot",
    "Roundhouse slot",
    "1",
    "A4",
    slot_circuit.parts,
    flags=(("GND", 25.4, 76.2), ("+5V", 38.1, 76.2), ("+3V3", 50.8, 76.2)),
    rails=(
        ("MISO_GATE", "U1.4", "R3.1"),
        ("MISO_READER", "R2.1", "U1.2"),
        *(("PIX_%d" % i, "D%d.2" % i, "D%d.4" % (i + 1)) for i in range(1, 4)),
        ("PIX_LAST", "D4.2", "R5.1"),
    ),
)
PROJECTS = (HUB12, SLOT)
