# SPDX-License-Identifier: MIT
"""What must be so before somebody orders a board: every check raises CheckError, or prints its
line."""

import re
import tempfile
from pathlib import Path

from hardware import (
    bom,
    copper_paths,
    external_tools,
    floating_inputs,
    guide_drawings,
    guide_tables,
    miso_timing,
    netlist,
    pinmap,
    supply_copper,
    tick_list,
)
from hardware.board_projects import HUB12, SLOT
from roundhouse import settings

# where a board's ground plane is, and how far, mm, a line of the bus may leave it
GROUND = {"hub12": ("In1.Cu", 0.5), "slot": ("B.Cu", 2.0)}


class CheckError(Exception):
    """The hardware's files are not as they should be."""


def texts():
    """The files of text are as their sources make them."""
    from hardware import wiring_pictures

    made = {
        pinmap.BOARDS: (pinmap.firmware(pinmap.load()), "pins"),
        bom.FILE: (bom.text(), "bom"),
        guide_tables.FILE: (guide_tables.fresh(guide_tables.FILE.read_text()), "guide"),
    }
    made[tick_list.FILE] = (tick_list.page(guide_tables.FILE.read_text()), "guide")
    made |= {file: (text, "guide") for file, text in guide_drawings.drawings().items()}
    made |= {
        wiring_pictures.FOLDER / name: (text, "wiring")
        for name, text in wiring_pictures.sources().items()
    }
    for file, (text, word) in made.items():
        if file.read_text() != text:
            raise CheckError(
                "%s is not what its source makes: python -m hardware %s" % (file, word)
            )
    with tempfile.TemporaryDirectory() as name:
        external_tools.draw_wires(Path(name))
        for drawn in sorted(Path(name).glob("*.svg")):
            if words(drawn) != words(wiring_pictures.FOLDER / drawn.name):
                raise CheckError("%s shows something else: python -m hardware wiring" % drawn.name)
    print("pin map, parts list, guide, wiring: as their sources make them")


def words(svg):
    """Return what is written in a picture, and the colours of its lines; where does not matter,
    since that hangs on the fonts of the machine that drew it."""
    return sorted(re.findall(r">([^<>]+)</text>|stroke=\"(#\w+)\"", svg.read_text()))


def fit(housing):
    """Everything is inside the housing and nothing in one place, and it can be printed."""
    _none(housing.clashes() + housing.unprintable())
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


def drawn(project, folder):
    """A project is, file for file, what was drawn anew into a folder."""
    for made in sorted(folder.iterdir()):
        if made.read_bytes() != (project.folder / made.name).read_bytes():
            raise CheckError(
                "%s/%s is not what its source makes: python -m hardware draw"
                % (project.name, made.name)
            )
    print("%s: every file as its source makes it" % project.name)


def rules(project, folder=None):
    """Electrical and design rules of a project, with the copper against the schematic; folder:
    of another copy of it."""
    folder = folder or project.folder
    for title, command, file in (
        ("ERC", "sch erc", project.sheet.name),
        ("DRC", "pcb drc --schematic-parity", project.board.name),
    ):
        found = external_tools.violations(command, folder / file)
        if found:
            raise CheckError("%s: %d\n%s" % (title, len(found), "\n".join(found[:20])))
        print("%s %s: no errors, no warnings" % (project.name, title))


def connections(hub=None, slot=None):
    """The schematics' netlists against the pin map, and that no input floats; hub, slot: folders
    of other copies."""
    sheets = (
        p.sheet if at is None else at / p.sheet.name for p, at in ((HUB12, hub), (SLOT, slot))
    )
    (pins, values), (others, parts) = (
        netlist.load(external_tools.netlist(sheet)) for sheet in sheets
    )
    board = pinmap.load()["hub12"]
    wrong = netlist.mistakes(board, pins, values) + netlist.slot_mistakes(others, parts)
    _none(wrong, "netlist and pin map differ:\n")
    print("netlist: %d pins as the pin map says" % (len(pins) + len(others)))
    floating = floating_inputs.floating(pins, values, board)
    # with and without a reader in its socket; nothing comes from the slot before
    for more in ({}, {"J2": "RC522"}):
        floating += floating_inputs.floating(
            others, {**parts, **more}, given=floating_inputs.FROM_HUB
        )
    _none(floating)
    print("inputs: each has a level, whatever is plugged in")


def copper(project, text=None):
    """How far chips are from their capacitors, and whether ground is whole; text: of another
    .kicad_pcb."""
    read = copper_paths.Copper(text or project.board.read_text())
    wrong, longest = copper_paths.supplies(read)
    _none(wrong + copper_paths.ground(read, *GROUND[project.name]))
    print(
        "%s: ground in one piece, under every line of the bus; at most %.1f mm from a supply pin "
        "to its capacitor" % (project.name, longest)
    )


def gerbers(project, folder):
    """The files for a board maker, in a folder, as another program reads them."""
    from hardware import gerber_files

    _none(gerber_files.mistakes(project, folder))
    print("%s: gerbers and drills read back as the board is" % project.name)


def supply(folder=None):
    """The copper that the pixels' current takes there and back."""
    _none(supply_copper.mistakes(((folder or HUB12.folder) / HUB12.board.name).read_text()))
    print("supply: wide copper to the pixels and back")


def miso(line=None):
    """A reader's answer is in time at the speed that the firmware begins with, and at the one that
    it falls back to; line: a miso_timing.MisoLine other than the boards' own."""
    fast = settings.DEFAULTS["BAUD"]
    wrong, said = miso_timing.verdict((fast, fast // 4), line)
    _none(wrong)
    print(said)


def _none(wrong, head=""):
    """Raise CheckError where there is a line."""
    if wrong:
        raise CheckError(head + "\n".join(wrong))
