# SPDX-License-Identifier: MIT
"""`python -m hardware WHAT`: makes the hub's hardware files from their sources, and checks them.

pins: the firmware's board description. bom: BOM.md. guide: the tables of GUIDE.md. wiring: sources
and pictures of the wiring (wants graphviz). draw: schematic, board and project files (KiCad 9; the
board takes a minute). housing: STL and STEP, in build/hardware. pictures: those of the guide.
check: rules, netlist, fit, and whether everything is as its source makes it. fab: what a board
maker and a builder want, in build/hardware. all: check, then fab.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from hardware import (
    bom,
    guide_tables,
    kicad_project,
    netlist,
    pcb_file,
    pinmap,
    schematic,
    supply_copper,
)

HERE = Path(__file__).parent
HUB12 = HERE / "hub12"
OUT = HERE.parent / "build" / "hardware"
PICTURES = HERE / "pictures"
KICAD = "9.0"
# pcbnew is there for the Python that KiCad was built for, and for no other
PCBNEW = os.environ.get("KICAD_PYTHON", "/usr/bin/python3")
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts"


class Wrong(Exception):
    """The hardware's files are not as they should be."""


def pins():
    pinmap.BOARDS.write_text(pinmap.firmware(pinmap.load()))


def buy():
    bom.FILE.write_text(bom.text())


def tables():
    guide_tables.FILE.write_text(guide_tables.fresh(guide_tables.FILE.read_text()))


def wires():
    """The wiring's sources, and their pictures."""
    from hardware import wiring_pictures

    for name, text in wiring_pictures.sources().items():
        (wiring_pictures.FOLDER / name).write_text(text)
    draw_wires(wiring_pictures.FOLDER)


def draw_wires(folder):
    """Draw each source as SVG into a folder."""
    if not shutil.which("dot"):
        raise Wrong("pictures of the wiring want graphviz; on Debian: hardware/install-debian.sh")
    for source in sorted((HERE / "wiring").glob("*.yml")):
        run([sys.executable, "-m", "wireviz.wv_cli", "-f", "s", "-o", folder, source])


def draw(folder=HUB12):
    """Schematic, project and board, all from their sources."""
    wants_kicad()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in kicad_project.files().items():
        (folder / name).write_text(text)
    (folder / "hub12.kicad_sch").write_text(schematic.build())
    # the order of a set of strings, and with it the file's, hangs on this
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    done = run([PCBNEW, "-m", "hardware.pcb", folder / "hub12.kicad_pcb"], env=env)
    print(done.strip().split("\n")[-1])
    _tidy(folder)


def check():
    """Raise Wrong at the first thing that is not as it should be."""
    wants_kicad()
    texts()
    fit(build_housing())
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        draw(fresh)
        for made in sorted(fresh.iterdir()):
            if made.read_bytes() != (HUB12 / made.name).read_bytes():
                raise Wrong(
                    "hub12/%s is not what its source makes: python -m hardware draw" % made.name
                )
    print("hub12: every file as its source makes it")
    rules(HUB12)
    connections(HUB12)
    supply(HUB12)


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
        draw_wires(Path(name))
        for drawn in sorted(Path(name).glob("*.svg")):
            if words(drawn) != words(wiring_pictures.FOLDER / drawn.name):
                raise Wrong("%s shows something else: python -m hardware wiring" % drawn.name)
    print("pin map, parts list, guide, wiring: as their sources make them")


def words(svg):
    """Return what is written in a picture, and the colours of its lines; where does not matter,
    since that hangs on the fonts of the machine that drew it."""
    return sorted(re.findall(r">([^<>]+)</text>|stroke=\"(#\w+)\"", svg.read_text()))


def build_housing(stations=None):
    """The housing of a number of stations, of as many as the board carries where None."""
    from hardware import enclosure

    board = pcb_file.load((HUB12 / "hub12.kicad_pcb").read_text())
    return enclosure.Housing(board, stations or pinmap.load()["hub12"]["stations"])


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


def house(stations=None):
    """STL and STEP of every part, checked."""
    housing = build_housing(stations)
    fit(housing)
    export(housing)


def export(housing):
    from hardware import enclosure

    folder = OUT / "housing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    enclosure.export(housing, folder)


def pictures(folder=PICTURES):
    """What the guide shows: the housing's renders and the board's."""
    from hardware import housing_pictures

    wants_kicad()
    folder.mkdir(parents=True, exist_ok=True)
    housing_pictures.pictures(build_housing(), folder)
    renders(folder, 900)


def renders(folder, size):
    board = HUB12 / "hub12.kicad_pcb"
    for side in ("top", "bottom"):
        file = folder / ("board-%s.png" % side)
        run(
            [
                "kicad-cli",
                "pcb",
                "render",
                board,
                "-o",
                file,
                "--side",
                side,
                "-w",
                size,
                "-h",
                size,
            ]
        )
    _tidy()


def _tidy(folder=HUB12):
    """Remove what KiCad leaves behind."""
    for rest in ("hub12.kicad_prl", "fp-info-cache"):
        (folder / rest).unlink(missing_ok=True)


def rules(folder):
    """Electrical and design rules of a project, with the copper against the schematic."""
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.json"
        for words in (
            ["sch", "erc", folder / "hub12.kicad_sch"],
            ["pcb", "drc", "--schematic-parity", folder / "hub12.kicad_pcb"],
        ):
            run(["kicad-cli", *words, "--severity-all", "--format", "json", "-o", report])
            found = _violations(json.loads(report.read_text()))
            if found:
                raise Wrong("%s: %d\n%s" % (words[1].upper(), len(found), "\n".join(found[:20])))
            print("%s: no errors, no warnings" % words[1].upper())


def _violations(report):
    lists = [report.get(k, []) for k in ("violations", "unconnected_items", "schematic_parity")]
    lists += [sheet["violations"] for sheet in report.get("sheets", [])]
    return [
        "%s: %s" % (v["description"], "; ".join(item["description"] for item in v["items"]))
        for some in lists
        for v in some
    ]


def connections(folder, board=None):
    """The schematic's netlist against the pin map."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "hub12.net"
        run(["kicad-cli", "sch", "export", "netlist", folder / "hub12.kicad_sch", "-o", file])
        pins, values = netlist.load(file.read_text())
    wrong = netlist.mistakes(board or pinmap.load()["hub12"], pins, values)
    if wrong:
        raise Wrong("netlist and pin map differ:\n" + "\n".join(wrong))
    print("netlist: %d pins as the pin map says" % len(pins))


def supply(folder):
    """The copper that the pixels' current takes there and back."""
    wrong = supply_copper.mistakes((folder / "hub12.kicad_pcb").read_text())
    if wrong:
        raise Wrong("\n".join(wrong))
    print("supply: %.0f mm of copper to the pixels and back" % supply_copper.WIDTH)


def fab():
    """Gerbers, drills, positions, BOM, schematic PDF, renders, wiring, housing, and a zip for a
    board maker."""
    from hardware import housing_pictures

    wants_kicad()
    shutil.rmtree(OUT, ignore_errors=True)
    gerbers = OUT / "gerbers"
    gerbers.mkdir(parents=True)
    board, sheet = HUB12 / "hub12.kicad_pcb", HUB12 / "hub12.kicad_sch"
    fields = "Reference,Value,Footprint,Part,${QUANTITY},${DNP}"
    for words in (
        ["pcb", "export", "gerbers", board, "-o", gerbers, "--layers", LAYERS],
        ["pcb", "export", "drill", board, "-o", str(gerbers) + "/"],
        ["pcb", "export", "pos", board, "-o", OUT / "positions.csv", "--format", "csv"],
        [
            "sch",
            "export",
            "bom",
            sheet,
            "-o",
            OUT / "bom.csv",
            "--fields",
            fields,
            "--group-by",
            "Value,Footprint",
        ],
        ["sch", "export", "pdf", sheet, "-o", OUT / "schematic.pdf"],
    ):
        run(["kicad-cli", *words])
    renders(OUT, 1600)
    draw_wires(OUT)
    housing = build_housing()
    export(housing)
    housing_pictures.pictures(housing, OUT)
    with zipfile.ZipFile(OUT / "hub12-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(gerbers.iterdir()):
            archive.write(file, file.name)
    for file in sorted(OUT.iterdir()):
        there = " (%d files)" % len(list(file.iterdir())) if file.is_dir() else ""
        print("%s%s" % (file.relative_to(HERE.parent), there))


def everything():
    check()
    fab()


def wants_kicad():
    """Raise Wrong where KiCad is missing or of another version."""
    have = shutil.which("kicad-cli") and run(["kicad-cli", "version"]).strip()
    if not have or not have.startswith(KICAD):
        raise Wrong(
            "this wants KiCad %s and its libraries, here is %s; on Debian 12:"
            " hardware/install-debian.sh" % (KICAD, have or "none")
        )


def run(words, env=None):
    """Run a command; return what it printed, raise Wrong where it fails."""
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=HERE.parent)
    if done.returncode:
        raise Wrong("%s: %s" % (" ".join(words[:4]), (done.stderr or done.stdout).strip()[-800:]))
    return done.stdout


def main():
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    commands = {
        "pins": pins,
        "bom": buy,
        "guide": tables,
        "wiring": wires,
        "housing": house,
        "pictures": pictures,
        "draw": draw,
        "check": check,
        "fab": fab,
        "all": everything,
    }
    parser.add_argument("what", choices=commands)
    parser.add_argument("--stations", type=int, help="of the housing, 4 to 10")
    args = parser.parse_args()
    wanted = {"stations": args.stations} if args.stations and args.what == "housing" else {}
    try:
        commands[args.what](**wanted)
    except ModuleNotFoundError as error:
        sys.exit("%s: `make tools` installs it" % error)
    except (Wrong, ValueError, FileNotFoundError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
