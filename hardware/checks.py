# SPDX-License-Identifier: MIT
"""The checks to pass before a board is ordered. Each check prints one line or raises Wrong."""

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hardware import (
    bom,
    decoupling,
    edges,
    external_tools,
    floating_inputs,
    ground_planes,
    guide_drawings,
    guide_tables,
    housing_plan,
    miso_timing,
    netlist,
    pinmap,
    project_settings,
    readers_supply,
    silkscreen_check,
    supply_copper,
    tick_list,
    tray,
)
from hardware.kicad_files import HUB12, PROJECTS, SLOT, Project
from roundhouse import settings

if TYPE_CHECKING:
    from hardware.housing import Housing


class Wrong(Exception):
    """Raised if a check fails. The text lists the mistakes."""


def texts() -> None:
    """Check that the generated text files are up to date, and that the wiring pictures agree with
    the pin map."""
    from hardware import wiring_check

    made = {
        pinmap.BOARDS: pinmap.firmware(pinmap.load()),
        bom.FILE: bom.text(),
        guide_tables.FILE: guide_tables.fresh(guide_tables.FILE.read_text()),
    }
    made[tick_list.FILE] = tick_list.page(guide_tables.FILE.read_text())
    made |= guide_drawings.drawings() | {tray.FILE: tray.page(), tray.PICTURE: tray.drawing()}
    for file, text in made.items():
        if file.read_text() != text:
            raise Wrong("%s is not what its source makes: make made" % file)
    _none(wiring_check.mistakes() + guide_drawings.mistakes())
    with tempfile.TemporaryDirectory() as name:
        external_tools.draw_wires(Path(name))
        for drawn in sorted(Path(name).glob("*.svg")):
            if words(drawn) != words(wiring_check.FOLDER / drawn.name):
                raise Wrong("%s shows something else: make made" % drawn.name)
    print("pin map, parts list, guide, wiring: as their sources make them")


def words(svg: Path) -> list[tuple[str, str]]:
    """Return the sorted words and line colours in a picture: (word, "") or ("", colour). Positions
    depend on the fonts of the machine that drew it, so they are left out."""
    return sorted(re.findall(r">([^<>]+)</text>|stroke=\"(#\w+)\"", svg.read_text()))


def fit(housing: "Housing") -> None:
    """Check that everything fits into the housing, and that every part can be printed."""
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


def sight() -> None:
    """Check that every seat sees every lamp, for every number of stations."""
    plans = [housing_plan.Plan(count) for count in housing_plan.STATIONS]
    _none([line for plan in plans for line in plan.hidden()])
    print(
        "housing: with %d to %d stations no seat has a lamp behind the drum"
        % (plans[0].stations, plans[-1].stations)
    )


def rules(project: Project) -> None:
    """Run KiCad's electrical and design rule checks. Compare the copper with the schematic, the
    fills of pours with new fills, and the project's settings with project_settings."""
    _none(project_settings.mistakes(project), project.name + ": ")
    with tempfile.TemporaryDirectory() as name:
        copy = project_settings.strict_copy(project, Path(name))
        for title, command, kind in (
            ("ERC", "sch erc", "kicad_sch"),
            ("DRC", "pcb drc --schematic-parity", "kicad_pcb"),
        ):
            found = external_tools.violations(command, copy.file(kind))
            _none(found[:20], "%s: %d\n" % (title, len(found)))
            print("%s %s: no errors, no warnings" % (project.name, title))
    if not external_tools.has_library():
        text = "%s: compared with KiCad's library on version %s alone"
        print(text % (project.name, external_tools.LIBRARY))
    _none(external_tools.stale_pours(project), "fill all zones again (B in KiCad's editor):\n")


def silk(project: Project) -> None:
    """Check that names, labels and the revision are printed in the right places."""
    _none(silkscreen_check.mistakes(project), project.name + ": ")
    print("%s: names, labels and revision are printed where they belong" % project.name)


def connections(hub: Project = HUB12, slot: Project = SLOT) -> None:
    """Check the netlists against the pin map, and that no input floats."""
    (pins, values), (others, parts) = (
        netlist.load(external_tools.netlist(project.file("kicad_sch"))) for project in (hub, slot)
    )
    board = pinmap.load()[hub.name]
    wrong = netlist.mistakes(board, pins, values) + netlist.slot_mistakes(others, parts)
    _none(wrong, "netlist and pin map differ:\n")
    print("%s: %d pins as the pin map says" % (hub.name, len(pins) + len(others)))
    floating = floating_inputs.floating(pins, values, board)
    # with and without a reader in its socket; nothing comes from the slot before
    for more in ({}, {"J2": "RC522"}):
        floating += floating_inputs.floating(
            others, {**parts, **more}, given=floating_inputs.FROM_HUB
        )
    _none(floating)
    print("%s: each input has a level, plugged in or not" % hub.name)


def parts(projects: Iterable[Project] = PROJECTS) -> None:
    """Check that parts.toml contains every part of the schematics, with the same package."""
    projects = list(projects)
    _none(bom.mistakes(projects))
    count = sum(part.bought for project in projects for part in project.schematic.parts)
    print("parts: %d, each as parts.toml has it" % count)


def copper(project: Project) -> None:
    """Check that chips are close to their capacitors, and that the ground copper is in one
    piece."""
    board = project.board
    wrong, longest = decoupling.supplies(board)
    _none(wrong + ground_planes.mistakes(board, project.name))
    print("%s: at most %.1f mm from a supply pin to its capacitor" % (project.name, longest))
    print("%s: ground in one piece; mm of the bus by what is beside it:" % project.name)
    print("\n".join(ground_planes.figures(board)))


def gerbers(project: Project, folder: Path) -> None:
    """Read a folder's gerber and drill files with gerbonara, and compare them with the board."""
    from hardware import gerber_checks

    _none(gerber_checks.mistakes(project, folder))
    print("%s: gerbers and drills read back as the board is" % project.name)


def supply(project: Project = HUB12) -> None:
    """Check that the copper from the inlet to the pixels and back is wide enough."""
    _none(supply_copper.mistakes(project.board))
    print("%s: wide copper to the pixels and back" % project.name)


def readers(supply: readers_supply.Supply | None = None) -> None:
    """Check that the readers' regulator carries the fields that may be on at once. supply: None
    for this project's boards."""
    wrong, figures = readers_supply.verdict(supply)
    _none(wrong)
    print(figures)


def miso(line: miso_timing.MisoLine | None = None) -> None:
    """Check that a reader's answer arrives in time at both bus speeds of the firmware. line: the
    signal path, or None for this project's boards."""
    fast = settings.DEFAULTS["BAUD"]
    wrong, figures = miso_timing.verdict((fast, fast // 4), line)
    _none(wrong)
    print(figures)


def edge(hub: Project = HUB12) -> None:
    """Check the edges of chip selects and reset at the readers."""
    wrong, figures = edges.verdict(hub)
    _none(wrong)
    print(figures)


def _none(wrong: list[str], head: str = "") -> None:
    """If the list `wrong` is not empty, raise Wrong with `head` and the mistakes in the list."""
    if wrong:
        raise Wrong(head + "\n".join(wrong))
