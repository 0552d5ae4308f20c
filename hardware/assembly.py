# SPDX-License-Identifier: MIT
"""Makes the two lists for a board maker who also assembles: the parts, and where they stand.

Both have the form that JLCPCB takes, and the same parts: what is soldered flat on the board. A
maker's library may have a part turned against KiCad's footprint: ROTATIONS has what two widely
used tools, KiKit and KiBot, turn for JLCPCB. Only the maker's own preview shows whether that is
right for the very part.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

from hardware import bom
from hardware.kicad_files import Project

PARTS, PLACES = "bom.csv", "positions.csv"
PARTS_COLUMNS = ("Comment", "Designator", "Footprint", "JLCPCB Part #", "Manufacturer", "MPN")
PLACES_COLUMNS = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
ROTATIONS = {"SOT-23": 180, "SOIC-": 270, "LED_WS2812B": 180}  # by how a footprint's name begins
KICAD = "pcb export pos --format csv --units mm --exclude-dnp --exclude-fp-th"  # of kicad-cli


def write(project: Project, exported: Path, folder: Path) -> None:
    """Write both lists into a folder. exported: the file that the command KICAD made."""
    with open(exported, newline="") as file:
        rows = list(csv.DictReader(file))
    with open(folder / PLACES, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(PLACES_COLUMNS)
        out.writerows(_place(row) for row in rows)
    _write_parts(project, {row["Ref"] for row in rows}, folder / PARTS)


def _place(row: Mapping[str, str]) -> tuple[str, ...]:
    """Return a part's row of PLACES_COLUMNS. row: its row in KiCad's list."""
    turned = (angle for name, angle in ROTATIONS.items() if row["Package"].startswith(name))
    rotation = (float(row["Rot"]) + next(turned, 0)) % 360
    middle = ("%.2f" % float(row[axis]) for axis in ("PosX", "PosY"))
    return row["Ref"], *middle, row["Side"].capitalize(), "%.0f" % rotation


def _write_parts(project: Project, placed: set[str], file: Path) -> None:
    with open(file, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(PARTS_COLUMNS)
        for key, parts in bom.on_board(project).items():
            item = bom.PARTS["board"][key]
            refs = [part.ref for part in parts if part.ref in placed]
            if refs:
                codes = [item.get(code, "") for code in ("lcsc", "maker", "mpn")]
                footprint = item["footprint"].split(":")[1]
                rows.writerow([item["value"], ",".join(refs), footprint, *codes])
