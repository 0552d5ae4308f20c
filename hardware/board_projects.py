# SPDX-License-Identifier: MIT
"""The two boards: their circuits, their sheets, and where their files are."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware import hub_circuit, hub_wires, slot_circuit, slot_wires

HERE = Path(__file__).parent
DATE = "2026-11-22"

with open(HERE / "schematic_groups.toml", "rb") as _file:
    _GROUPS = tomllib.load(_file)


@dataclass
class Project:
    """A KiCad project. parts: makes the list of its Parts. wires: {net: ways}, as
    schematic_wires.py reads them; a pin to which none leads has a label."""

    name: str
    title: str
    revision: str
    paper: str
    parts: callable
    wires: dict
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


HUB12 = Project("hub12", "Roundhouse hub12", "2", "A2", hub_circuit.parts, hub_wires.WIRES)
SLOT = Project("slot", "Roundhouse slot", "1", "A4", slot_circuit.parts, slot_wires.WIRES)
PROJECTS = (HUB12, SLOT)
