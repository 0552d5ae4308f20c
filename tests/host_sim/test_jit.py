# SPDX-License-Identifier: MIT
"""The emulator, which decodes in advance and translates to WebAssembly, agrees with rp2040js."""

import os
import subprocess
from pathlib import Path

import pytest

from host_sim.board.chips import flash_image
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulator import IMAGE, LIBRARY
from host_sim.board.pico.node import node

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
    ),
]


def compare(script, *arguments):
    run = subprocess.run(
        [node(), Path(__file__).with_name(script), *arguments],
        env=os.environ | {"RP2040JS": str(LIBRARY)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stdout.startswith("same"), run.stdout + run.stderr


@pytest.mark.parametrize(("milliseconds", "cached"), [("500", "1"), ("200", "0")])
def test_a_boot_is_the_same_to_the_nanosecond(tmp_path, milliseconds, cached):
    files = tmp_path / "files"
    files.write_bytes(flash_image.pack(build_firmware.firmware()))
    compare("jit_lockstep.mjs", IMAGE, files, milliseconds, cached)


def test_every_instruction_is_the_same_translated_and_interpreted():
    compare("jit_opcodes.mjs", "1")
