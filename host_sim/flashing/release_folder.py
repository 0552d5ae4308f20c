# SPDX-License-Identifier: MIT
"""The folder that `release` fills: what it says of each thing in it, and the checksums."""

import hashlib
import re
import subprocess
import textwrap
from pathlib import Path

IBOM_LICENCE = Path(__file__).with_name("licences") / "interactivehtmlbom.txt"
SUMS = "SHA256SUMS"
START = "START.txt"
WIDE = 96  # columns of START.txt
HEAD = """Roundhouse %s, made from %s.

Nobody has built a hub yet. The board and the housing are checked by tools, not on a bench. Be
the first, and tell how it went. `sha256sum -c SHA256SUMS` checks that all is as it was made.
"""
FROM = "Made from "
# what may be in the folder: a pattern, what it is, what it was made from (VERSION: MicroPython's)
THINGS = (
    (
        "site",
        "The whole hub in a browser. Put the folder on any web server. Or run "
        "`python3 -m http.server -d site` here and open http://localhost:8000.",
        "firmware/ and host_sim/, with Python for the browser (Pyodide).",
    ),
    (
        "roundhouse-with-micropython.uf2",
        "MicroPython and the firmware in one file, for a Pico. Hold BOOTSEL while you plug it in. "
        "Drag the file onto the drive RPI-RP2. It replaces everything on the Pico: save a match "
        "first.",
        "firmware/, and MicroPython VERSION as Debian packs its sources "
        "(host_sim/pico/build-firmware.sh).",
    ),
    (
        "licences",
        "The licences of MicroPython and of what is linked into it.",
        "the same packages.",
    ),
    (
        "roundhouse.uf2",
        "The firmware alone, for a Pico that has MicroPython 1.25 or newer. Drag it the same way. "
        "It replaces config.py and every match.",
        "firmware/.",
    ),
    (
        "players*.html",
        "What players read: two sides to print, in English, German and French.",
        "host_sim/views/ and the rules of the firmware.",
    ),
    (
        "guide",
        "How a hub is built. GUIDE.md leads through it. BOM.md is what to order. "
        "tick-list.html is to print.",
        "hardware/.",
    ),
)
BOARD = "hardware/ by `make hardware`, with KiCad 9."
# what `make hardware` leaves, below the folder hardware
MADE = (
    ("*-gerbers.zip", "What a board maker needs: one file for each board.", BOARD),
    ("*/positions.csv", "Where the parts stand, for a maker who assembles.", BOARD),
    ("*/bom.csv", "The parts of each board, for a maker who assembles.", BOARD),
    ("*/schematic.pdf", "The schematic of each board.", BOARD),
    ("*/ibom.html", "Click on a part in the list, and the board shows where it is.", BOARD),
    ("*/*-top.png", "Each board as it looks when it is made.", BOARD),
    ("breadboard.svg", "What is wired to what, as pictures.", "hardware/wiring/."),
    (
        "housing/*.stl",
        "What a 3D printer needs, and STEP beside it to change it. The name says how many.",
        "hardware/housing.py and hardware/housing_plan.py.",
    ),
)


def start(folder, version, source, micropython):
    """Return the text that says what each thing in a folder is.

    folder: a Path; version, source, micropython: words.
    """
    said = [HEAD % (version, source)]
    things = [*THINGS, *(("hardware/" + pattern, *rest) for pattern, *rest in MADE)]
    before = None
    for pattern, what, made_from in things:
        if any(folder.glob(pattern)):
            told = pattern + "\n" + _indented(what)
            if made_from != before:  # said once for several that follow one another
                before = made_from
                told += _indented(FROM + made_from.replace("VERSION", micropython))
            said.append(told)
    return "\n".join(said)


def _indented(text):
    """Return a text in lines that begin with four spaces."""
    return textwrap.indent(textwrap.fill(text, WIDE - 4, break_on_hyphens=False), "    ") + "\n"


def not_made(hardware):
    """Return the patterns of what `make hardware` leaves and a folder has not."""
    return [pattern for pattern, *_ in MADE if not any(hardware.glob(pattern))]


def older(made, sources):
    """Whether what was made is older than a source of it; made, sources: paths of files."""
    return max(path.stat().st_mtime for path in sources) > max(
        path.stat().st_mtime for path in made
    )


def source_of(root):
    """Return words for the state of a checkout: its commit, where git knows it."""
    try:
        commit = _git(root, "rev-parse", "--short", "HEAD").strip()
        changed = _git(root, "status", "--porcelain", "--untracked-files=no").strip()
    except (OSError, subprocess.CalledProcessError):
        return "a copy of the sources without their history"
    return "commit %s%s" % (commit, " and changes that are in no commit" if changed else "")


def _git(root, *words):
    """Return what git says of a folder."""
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def micropython_in(image):
    """Return the version in MicroPython's image, as "1.25.0"."""
    found = re.search(rb"MicroPython v(\d[\w.-]*)", image)
    return found[1].decode() if found else "of an unknown version"


def listed(folder):
    """Return {file: checksum} of what a folder's SHA256SUMS lists: an older version kept no other
    list of what it wrote."""
    try:
        text = (folder / SUMS).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    lines = [line.partition("  ") for line in text.splitlines()]
    found = {name: checksum for checksum, _, name in lines}
    return {**found, SUMS: None} if START in found else {}


def sums(folder):
    """Write the checksum of every file into SHA256SUMS; return {file: checksum}."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    lines = ["%s  %s\n" % (checksum, name) for name, checksum in found.items()]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    return found


def size(folder):
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
