# SPDX-License-Identifier: MIT
"""Makes the sample in hardware/README.md of what `make flash` prints; part of `make made`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from hardware import guide_tables  # noqa: E402
from host_sim.board.pico import build_firmware  # noqa: E402
from roundhouse import VERSION  # noqa: E402

PAGE = ROOT / "hardware" / "README.md"


def sample() -> str:
    """Return the first and the last lines that `make flash` prints."""
    kept = sorted(
        path.relative_to(build_firmware.FIRMWARE).as_posix().replace(".py", ".mpy")
        for path in build_firmware.sources()
        if path.parent != build_firmware.FIRMWARE
    )
    count = 1 + len(kept)  # with main.py, which is not compiled
    lines = (
        "%6d of %d  main.py" % (1, count),
        "%6d of %d  %s" % (count, count, kept[-1]),
        "    %d files verified, config.py kept (CONFIG=1 replaces it)" % count,
        "    Roundhouse %s" % VERSION,
        "    the hub starts, in some seconds; a seat joins by its button",
    )
    return "\n".join(lines) + "\n"


def fresh(text: str) -> str:
    """Return the page's text with an up-to-date sample."""
    return guide_tables.fresh(text, {"flash": sample()})
