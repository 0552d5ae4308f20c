# SPDX-License-Identifier: MIT
"""What must be so before somebody orders a board: every check raises Wrong, or prints its line."""

import re
import tempfile
from pathlib import Path

from hardware import bom, guide_tables, netlist, pinmap, programs, supply_copper

HUB12 = Path(__file__).parent / "hub12"


class Wrong(Exception):
    """The hardware's files are not as they should be."""


def texts():
    """The files of text are as their sources make them."""
    from hardware import wiring_pictures

    made = {
        pinmap.BOARDS: (pinmap.firmware(pinmap.load()), "pins"),
        bom.FILE: (bom.text(), "bom"),
        guide_tables.FILE: (guide_tables.fresh(guide_tables.FILE.read_text()), "guide"),
    }
    made |= {
        wiring_pictures.FOLDER / name: (text, "wiring")
        for name, text in wiring_pictures.sources().items()
    }
    for file, (text, word) in made.items():
        if file.read_text() != text:
            raise Wrong("%s is not what its source makes: python -m hardware %s" % (file, word))
    with tempfile.TemporaryDirectory() as name:
        programs.draw_wires(Path(name))
        for drawn in sorted(Path(name).glob("*.svg")):
            if words(drawn) != words(wiring_pictures.FOLDER / drawn.name):
                raise Wrong("%s shows something else: python -m hardware wiring" % drawn.name)
    print("pin map, parts list, guide, wiring: as their sources make them")


def words(svg):
    """Return what is written in a picture, and the colours of its lines; where does not matter,
    since that hangs on the fonts of the machine that drew it."""
    return sorted(re.findall(r">([^<>]+)</text>|stroke=\"(#\w+)\"", svg.read_text()))


def fit(housing):
    """Everything is inside the housing and nothing in one place, and it can be printed."""
    wrong = housing.clashes() + housing.unprintable()
    if wrong:
        raise Wrong("\n".join(wrong))
    parts = housing.parts.values()
    print(
        "housing: %d parts fit, and %d that they hold; %.0f mm across, %.0f cm3 of plastic"
        % (
            sum(count for _, count, _ in parts),
            len(housing.contents),
            2 * housing.outer,
            sum(count * solid.volume for solid, count, _ in parts) / 1000,
        )
    )


def drawn(folder):
    """The project is, file for file, what was drawn anew into a folder."""
    for made in sorted(folder.iterdir()):
        if made.read_bytes() != (HUB12 / made.name).read_bytes():
            raise Wrong(
                "hub12/%s is not what its source makes: python -m hardware draw" % made.name
            )
    print("hub12: every file as its source makes it")


def rules(folder):
    """Electrical and design rules of a project, with the copper against the schematic."""
    for title, command, file in (
        ("ERC", "sch erc", "hub12.kicad_sch"),
        ("DRC", "pcb drc --schematic-parity", "hub12.kicad_pcb"),
    ):
        found = programs.violations(command, folder / file)
        if found:
            raise Wrong("%s: %d\n%s" % (title, len(found), "\n".join(found[:20])))
        print("%s: no errors, no warnings" % title)


def connections(folder):
    """The schematic's netlist against the pin map."""
    pins, values = netlist.load(programs.netlist(folder / "hub12.kicad_sch"))
    wrong = netlist.mistakes(pinmap.load()["hub12"], pins, values)
    if wrong:
        raise Wrong("netlist and pin map differ:\n" + "\n".join(wrong))
    print("netlist: %d pins as the pin map says" % len(pins))


def supply(folder):
    """The copper that the pixels' current takes there and back."""
    wrong = supply_copper.mistakes((folder / "hub12.kicad_pcb").read_text())
    if wrong:
        raise Wrong("\n".join(wrong))
    print("supply: %.0f mm of copper to the pixels and back" % supply_copper.WIDTH)
