# SPDX-License-Identifier: MIT
"""The file system as a file to drag onto a Pico, beside MicroPython's own; it needs no tools."""

from pathlib import Path

from host_sim import arguments
from host_sim.preflight import BOARD

GROUP = "make"
HELP = "the file system as a file to drag onto a Pico"
FIRST = """This file replaces everything on a Pico: config.py and every match. To keep a match,
save it first: `python -m host_sim export FILE`; or `make flash`, which leaves both as they are."""
SAYS = """%s: %d KiB, Roundhouse %s. Hold BOOTSEL while plugging the Pico in and copy MicroPython's
official RPI_PICO UF2 onto the drive RPI-RP2; then the same again with this file."""


def options(parser):
    parser.add_argument(
        "file", nargs="?", type=arguments.written_file, help="default: build/roundhouse.uf2"
    )


def needs(args):
    return BOARD


def run(args):
    from host_sim.chips import flash_image
    from host_sim.pico import compiled_firmware
    from roundhouse import VERSION

    print(FIRST)
    path = Path(args.file or compiled_firmware.ROOT / "build" / "roundhouse.uf2")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(flash_image.uf2(flash_image.pack(compiled_firmware.firmware())))
    print(SAYS % (path, path.stat().st_size // 1024, VERSION))
    return 0
