# SPDX-License-Identifier: MIT
"""Make a UF2 file to drag onto a Pico: MicroPython with the firmware.

If MicroPython cannot be built here, the file has only the firmware; drag MicroPython's own UF2
file onto the Pico first.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import host_sim
from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import BOARD

GROUP = "make"
HELP = "make a file to drag onto a Pico, without other tools"
IMAGE = """MicroPython and Roundhouse %s in one file: %s, %d KiB.
Hold BOOTSEL while plugging the Pico in, and copy the file onto the drive RPI-RP2. config.py and
the matches stay."""
FILES = f"""The firmware's files alone, Roundhouse %s: %s, %d KiB. (`make micropython`, on Debian,
lets `make uf2` put MicroPython and the firmware into one file.)
This file replaces everything on a Pico: config.py and every match. To keep a match, save it
first: `{host_sim.COMMAND} export FILE`; or `make flash`, which leaves both as they are.
Hold BOOTSEL while plugging the Pico in and copy MicroPython's official RPI_PICO UF2, 1.25 or
newer, onto the drive RPI-RP2; then the same again with this file."""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=arguments.writable_file, help="default: in build/")


def needs(args: Namespace) -> Sequence[str]:
    return BOARD


def run(args: Namespace) -> int:
    from host_sim.board.chips import flash_image
    from host_sim.board.pico import build_firmware
    from roundhouse import VERSION

    if build_firmware.can_freeze():
        name, text = "roundhouse.uf2", IMAGE
        made = flash_image.uf2(build_firmware.frozen().read_bytes(), 0)
    else:
        name, text = "roundhouse-files.uf2", FILES
        made = flash_image.uf2(flash_image.pack(build_firmware.firmware()))
    path = Path(args.file or build_firmware.ROOT / "build" / name)
    path.parent.mkdir(parents=True, exist_ok=True)
    command.write_file(path, made)
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    print(text % (VERSION, shown, len(made) // 1024))
    return 0
