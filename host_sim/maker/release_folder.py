# SPDX-License-Identifier: MIT
"""The release folder: its first page, the text of START.txt, the checksums, and checks of its
contents."""

import hashlib
import re
import shutil
import subprocess
import textwrap
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import htpy as h

from host_sim.maker import CommandError

IBOM_LICENCE = Path(__file__).with_name("licences") / "interactivehtmlbom.txt"
SUMS = "SHA256SUMS"
START = "START.txt"
INDEX = "index.html"
WIDTH = 96  # columns of START.txt
HEAD = "Roundhouse %s, made from %s.\n\n%s\n"
UNBUILT = (
    "No hub has been built yet. The board and the housing are checked by tools, not on a bench. "
    "Be the first, and tell how it went."
)
CHECKED = "`sha256sum -c SHA256SUMS` checks that all is as it was made."
FROM = "Made from "
VIEWER = "viewer/model-viewer.js"
HUB = "guide/pictures/housing.png"
SERVED = (
    "Is this page opened by a double click? Then a browser neither plays nor turns the boards. "
    "With Python installed, type `python3 -m http.server` in a terminal in this folder, and open "
    "http://localhost:8000 in the browser. All else on this page works by a double click."
)
INDEX_STYLE = """.boards { display: grid; gap: 1em; margin: 1em 0;
  grid-template-columns: repeat(auto-fit, minmax(17em, 1fr)) }
img { max-width: 100%; height: auto; border-radius: .5em }
model-viewer { width: 100%; height: 18em; background: #fff; border-radius: .5em }
body { font: 17px/1.5 sans-serif; max-width: 46em; margin: 2em auto;
  padding: 0 1em; color: #222; background: #f7f4ea }
a { color: #1c5d99; margin-right: .4em } section { margin: 1.2em 0 } p { margin: .4em 0 }
.large { display: inline-block; padding: .5em 1.2em; border-radius: .5em; color: #fff;
  background: #1f6b45; font-size: 1.3em; text-decoration: none } .made { margin-top: 3em }"""
# (pattern, description, source); VERSION stands for MicroPython's version
CONTENTS = (
    (
        "site",
        "The whole hub in a browser. Put the folder on any web server. Or run "
        "`python3 -m http.server -d site` here and open http://localhost:8000.",
        "firmware/ and host_sim/, with Python for the browser (Pyodide).",
    ),
    (
        "players*",
        "What players read: two sides to print, in English, German, French, Spanish, Italian and "
        "Dutch.",
        "host_sim/app/views/ and the rules of the firmware.",
    ),
    (
        "roundhouse.uf2",
        "MicroPython and the firmware in one file, for a Raspberry Pi Pico or Pico W (not for a "
        "Pico 2). Hold BOOTSEL while you plug it in. Drag the file onto the drive RPI-RP2. "
        "The hub starts then. An update is the same; config.py and the matches stay. If the copy "
        "was interrupted, the drive appears again: drag the file again.",
        "firmware/, and MicroPython VERSION as Debian packs its sources "
        "(host_sim/board/pico/build-firmware.sh).",
    ),
    (
        "licences",
        "The licences of MicroPython and of what is linked into it.",
        "the same packages.",
    ),
    (
        "roundhouse-files.uf2",
        "The firmware alone, for a Pico that has MicroPython 1.25 or newer. Drag it the same way. "
        "It replaces config.py and every match.",
        "firmware/.",
    ),
    (
        "mip",
        "The same as compiled modules, for MicroPython's own installer: "
        "`mpremote mip install --target / mip/package.json` here. It leaves config.py and matches "
        "as they are. A hub without config.py takes the defaults, and says so.",
        "firmware/.",
    ),
    (
        "guide",
        "How a hub is built. GUIDE.html leads through it. BOM.html is what to order. "
        "tick-list.html is to print, and so is tray.html, for an evening's build. A PDF is beside "
        "each.",
        "hardware/.",
    ),
)
# the archives that are attached to a release: end of the name -> what is in it
PARTS = (
    ("", ("*",)),
    ("-site", ("site",)),
    ("-guides", ("players*", "guide")),
    ("-hardware", ("hardware",)),
)
FROM_BOARD = "hardware/ by `make hardware`, with KiCad 9."
# the same for the files that `make hardware` makes, in the folder hardware
HARDWARE_FILES = (
    ("*-gerbers.zip", "What a board maker needs: one file for each board.", FROM_BOARD),
    ("*/positions.csv", "Where the parts stand, for a maker who assembles.", FROM_BOARD),
    ("*/bom.csv", "The parts of each board, for a maker who assembles.", FROM_BOARD),
    ("*/schematic.pdf", "The schematic of each board.", FROM_BOARD),
    ("*/ibom.html", "Click on a part in the list, and the board shows where it is.", FROM_BOARD),
    ("*/*.glb", "Each board with its parts, in 3D.", FROM_BOARD),
    ("*/*-top.png", "Each board as it looks when it is made.", FROM_BOARD),
    ("first-reader.svg", "How one reader is wired to a Pico, to try it.", "hardware/wiring/."),
    ("breadboard-slot.svg", "How a slot is wired on a breadboard.", "hardware/wiring/."),
    ("evening.svg", "Every wire of the evening's build.", "hardware/wiring/."),
    ("hub12.svg", "What is plugged and screwed to the boards.", "hardware/wiring/."),
    (
        "housing/*.stl",
        "What a 3D printer needs, and STEP beside it to change it. The name says how many.",
        "hardware/housing.py and hardware/housing_plan.py.",
    ),
)


def start_text(folder: Path, version: str, source: str, micropython: str) -> str:
    """Return the text of START.txt, which explains every file in a release folder."""
    parts = [HEAD % (version, source, textwrap.fill("%s %s" % (UNBUILT, CHECKED), WIDTH))]
    hardware = [("hardware/" + pattern, *rest) for pattern, *rest in HARDWARE_FILES]
    before = None
    for pattern, what, made_from in (*CONTENTS, *hardware):
        if any(folder.glob(pattern)):
            part = pattern + "\n" + _indented(what)
            if made_from != before:  # once for consecutive files with the same source
                before = made_from
                part += _indented(FROM + made_from.replace("VERSION", micropython))
            parts.append(part)
    return "\n".join(parts)


def _indented(text: str) -> str:
    return textwrap.indent(textwrap.fill(text, WIDTH - 4, break_on_hyphens=False), "    ") + "\n"


def address(root: Path) -> str | None:
    """Return the project's web address, which is `Homepage` in [project.urls] of pyproject.toml,
    or None if there is none."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = project.get("urls", {}).get("Homepage")
    return str(found) if found else None


def index_page(
    folder: Path, version: str, source: str, home: str | None, languages: Mapping[str, str]
) -> str:
    """Return the first page of a release folder, which has links to everything in the folder.

    source: the checkout, from `describe_source`
    languages: {suffix: name of the language} of the players' guides, such as {"": "English",
        ".de": "Deutsch"}
    """
    hardware = [("hardware/" + pattern, what) for pattern, what, _ in HARDWARE_FILES]
    about = {pattern: what for pattern, what, _ in CONTENTS}
    rows = [(name, about[name]) for name in ("guide", "roundhouse.uf2", "roundhouse-files.uf2")]
    rows.append(("mip/package.json", about["mip"]))
    boards = sorted(folder.glob("hardware/*/*.glb"))
    kind = "pdf" if (folder / "players.pdf").exists() else "html"
    guides = [
        (h.a(href="players%s.%s" % (end, kind))[name], " ") for end, name in languages.items()
    ]
    return str(
        h.html(lang="en")[
            h.head[
                h.meta(charset="utf-8"),
                h.meta(name="viewport", content="width=device-width, initial-scale=1"),
                h.title["Roundhouse %s" % version],
                h.style[INDEX_STYLE],
                (folder / VIEWER).is_file() and h.script(src=VIEWER),
            ],
            h.body[
                h.h1["Roundhouse %s" % version],
                h.p[
                    "A smart hub for the middle of a dominoes table: tap each tile where you lay "
                    "it, and lights show whose turn it is, and where it may play."
                ],
                (folder / HUB).is_file()
                and h.img(src=HUB, alt="The hub in the middle of a table"),
                h.p[h.a(".large", href="site/index.html")["Play now"], " in this browser."],
                h.p[SERVED],
                h.p["The rules, two sides to print: ", guides],
                h.h2["Build one"],
                h.p[UNBUILT],
                h.div(".boards")[[_turning(folder, path) for path in boards]],
                [_row(folder, *row) for row in (*rows, *hardware)],
                _row(folder, "licences", about["licences"]),
                _row(folder, "viewer", "The licences of what turns the boards on this page."),
                h.p(".made")[
                    "Made from %s. SHA256SUMS has the checksums of all files. " % source,
                    home and h.a(href=home)[home],
                ],
            ],
        ]
    )


def _turning(folder: Path, model: Path) -> h.Node:
    """Return HTML that shows a board as a 3D model, or "" if the folder has no viewer.

    model: the board's GLB file
    """
    if not (folder / VIEWER).is_file():
        return ""
    picture = model.with_name(model.stem + "-parts.png")
    return h.model_viewer(
        src=model.relative_to(folder).as_posix(),
        poster=picture.relative_to(folder).as_posix(),
        alt="The board %s with its parts, in 3D" % model.stem,
        camera_controls=True,
        camera_orbit="-30deg 50deg auto",
        touch_action="pan-y",
    )


def _row(folder: Path, pattern: str, what: str) -> h.Node:
    """Return an HTML section with the text `what` and a link to each matching file; "" if no file
    matches."""
    files = list(_files(folder, pattern))
    if not files:
        return ""
    links: h.Node = [_link(folder, path) for path in files]
    if len(files) > 8:
        links = h.details[h.summary["%d files" % len(files)], links]
    return h.section[h.p[what], links]


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield the files that match a pattern. For a folder that matches, yield the HTML, PDF and
    text files in the folder."""
    for path in sorted(folder.glob(pattern)):
        if path.is_dir():
            yield from (p for p in sorted(path.iterdir()) if p.suffix in (".html", ".pdf", ".txt"))
        else:
            yield path


def _link(folder: Path, path: Path) -> h.Node:
    name = path.name
    if path.parent.parent.name == "hardware" and path.parent.name not in name:
        name = "%s: %s" % (path.parent.name, name)  # both boards have one
    return h.a(href=path.relative_to(folder).as_posix())[name], " "


def missing_hardware(hardware: Path) -> list[str]:
    """Return the patterns in HARDWARE_FILES that no file in a folder matches."""
    return [pattern for pattern, *_ in HARDWARE_FILES if not any(hardware.glob(pattern))]


def is_outdated(made: Iterable[Path], sources: Iterable[Path]) -> bool:
    """Return whether the newest source file is newer than all files made from the sources."""
    return max(path.stat().st_mtime for path in sources) > max(
        path.stat().st_mtime for path in made
    )


def describe_source(root: Path) -> str:
    """Return a description of a checkout: its commit, if known, and whether files were changed
    since."""
    if not (root / ".git").exists():
        return "a copy of the sources without their history"
    try:
        commit = git(root, "rev-parse", "--short", "HEAD").strip()
        changed = git(root, "status", "--porcelain", "--untracked-files=no").strip()
    except CommandError:
        return "a checkout whose commit git does not tell"
    return "commit %s%s" % (commit, " and changes that are in no commit" if changed else "")


def git(root: Path, *words: str) -> str:
    """Run git in a checkout, and return what it prints.

    Raises CommandError with the reason that git gives, for example that the checkout belongs to
    another user.
    """
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    except FileNotFoundError as error:
        raise CommandError("git is not installed") from error
    if done.returncode:
        raise CommandError(done.stderr.strip())
    return done.stdout


def micropython_version(image: bytes) -> str:
    """Return the version of MicroPython in a firmware image, such as "1.25.0"."""
    found = re.search(rb"MicroPython v(\d[\w.-]*)", image)
    return found[1].decode() if found else "of an unknown version"


def listed_files(folder: Path) -> dict[str, str | None]:
    """Return {file: checksum} from SHA256SUMS in a folder, or {} if the folder is not a release
    folder.

    The checksum of SHA256SUMS itself is None.
    """
    try:
        text = (folder / SUMS).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    lines = [line.partition("  ") for line in text.splitlines()]
    found: dict[str, str | None] = {name: checksum for checksum, _, name in lines}
    return {**found, SUMS: None} if START in found else {}


def write_checksums(folder: Path) -> dict[str, str]:
    """Write the checksums of a folder's files into its file SHA256SUMS; return {file:
    checksum}."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    lines = ["%s  %s\n" % (checksum, name) for name, checksum in found.items()]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    return found


def attach(folder: Path, attached: Path, version: str) -> None:
    """Make the files to attach to a release on a web page: an archive of the release folder, an
    archive of each part of the folder, the firmware's UF2 files, and the checksums. Names of
    archives and firmware contain the version.

    attached: an empty folder
    """
    name = "roundhouse-%s" % version
    for part, patterns in PARTS:
        files = sorted(path for pattern in patterns for path in _all_files(folder, pattern))
        if not files:
            continue
        with zipfile.ZipFile(
            attached / (name + part + ".zip"), "w", zipfile.ZIP_DEFLATED
        ) as archive:
            for path in files:
                archive.write(path, "%s%s/%s" % (name, part, path.relative_to(folder)))
    for path in folder.glob("*.uf2"):
        shutil.copy(path, attached / path.name.replace("roundhouse", name, 1))
    write_checksums(attached)


def _all_files(folder: Path, pattern: str) -> Iterator[Path]:
    for path in folder.glob(pattern):
        yield from (p for p in (path, *path.rglob("*")) if p.is_file())


def total_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
