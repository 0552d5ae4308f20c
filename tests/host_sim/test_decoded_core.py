# SPDX-License-Identifier: MIT
"""Decoding each opcode once changes nothing: a start in step with rp2040js' own way."""

import os
import subprocess
from pathlib import Path

import pytest

from host_sim.chips import flash_image
from host_sim.pico import compiled
from host_sim.pico.emulator import IMAGE, LIBRARY
from host_sim.pico.node import node

pytestmark = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)


def test_in_step_to_the_nanosecond(tmp_path):
    files = tmp_path / "files"
    files.write_bytes(flash_image.pack(compiled.firmware()))
    run = subprocess.run(
        [node(), Path(__file__).with_name("lockstep.mjs"), IMAGE, files, "900"],
        env=os.environ | {"RP2040JS": str(LIBRARY)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stdout.startswith("same"), run.stdout + run.stderr
