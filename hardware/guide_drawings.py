# SPDX-License-Identifier: MIT
"""The guide's line drawings: which files they are, and what makes each."""

from pathlib import Path

from hardware import bench_drawings, breadboard_drawings, tag_drawings

FOLDER = Path(__file__).parent / "pictures"
MADE = {
    "bench.svg": bench_drawings.bench,
    "ribbon.svg": bench_drawings.ribbon,
    "ladder.svg": bench_drawings.ladder,
    "breadboard-pico.svg": breadboard_drawings.pico,
    "breadboard-supply.svg": breadboard_drawings.supply,
    "tag-place.svg": tag_drawings.place,
    "tag-distance.svg": tag_drawings.distance,
}


def drawings():
    """Return {file: its text}."""
    return {FOLDER / name: make() for name, make in MADE.items()}
