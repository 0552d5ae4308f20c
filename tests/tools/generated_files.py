# SPDX-License-Identifier: MIT
"""Remakes the files that are drawn or listed from code and committed: `make made`.

The boards are edited in KiCad. Pictures, which differ between machines, are made by
`.venv/bin/python -m hardware pictures` and `make pictures`. `make recordings` records what a test
expects.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

import driver_package  # noqa: E402
import firmware_readme  # noqa: E402
import flash_sample  # noqa: E402
import match_lengths  # noqa: E402
import match_stories  # noqa: E402
import rooms_picture  # noqa: E402
import simulator_readme  # noqa: E402
import state_constants  # noqa: E402

from hardware import (  # noqa: E402
    bom,
    checks,
    external_tools,
    guide_drawings,
    guide_tables,
    pinmap,
    tick_list,
    tray,
)
from host_sim.app.handouts import house_guide  # noqa: E402
from host_sim.app.views.languages import LANGUAGES, REFERENCE  # noqa: E402
from host_sim.board.pico import build_firmware  # noqa: E402
from host_sim.commands import picture  # noqa: E402

WIRING = ROOT / "hardware" / "wiring"
PICTURES = ROOT / "host_sim" / "app" / "views" / "pictures"
FILM = "round"  # the script that is shown as a film


def firmware_page(page: Path) -> str:
    return firmware_readme.fresh(page.read_text())


def files() -> dict[Path, Callable[[], str]]:
    made: dict[Path, Callable[[], str]] = {
        **{
            path: partial(state_constants.text, game)
            for path, game in state_constants.tables().items()
        },
        build_firmware.RELEASED: build_firmware.released_files,
        driver_package.PACKAGE: driver_package.text,
        **{page: partial(firmware_page, page) for page in firmware_readme.PAGES},
        flash_sample.PAGE: lambda: flash_sample.fresh(flash_sample.PAGE.read_text()),
        simulator_readme.PAGE: lambda: simulator_readme.fresh(simulator_readme.PAGE.read_text()),
        rooms_picture.PICTURE: rooms_picture.picture,
        pinmap.BOARDS: lambda: pinmap.firmware(pinmap.load()),
        bom.FILE: bom.text,
        guide_tables.FILE: lambda: guide_tables.fresh(guide_tables.FILE.read_text()),
        tick_list.FILE: lambda: tick_list.page(guide_tables.FILE.read_text()),
        tray.FILE: tray.page,
        tray.PICTURE: tray.drawing,
        PICTURES / "lamps.svg": picture.lamps,
    }
    for file, drawing in guide_drawings.drawings().items():
        made[file] = partial(str, drawing)
    for script in sorted(PICTURES.glob("*.table")):
        draw = picture.film if script.stem == FILM else picture.still
        made[script.with_suffix(".svg")] = partial(draw, str(script))
    for language in LANGUAGES:
        name = "players.html" if language == REFERENCE else "players.%s.html" % language
        made[ROOT / "hardware" / name] = partial(house_guide.page, "puremco", language=language)
        story = match_stories.FOLDER / (language + ".txt")
        made[story] = partial(match_stories.text, language)
    return made


def main() -> int:
    """Remake the files, and print the names of those that changed; return the exit status."""
    for file, text in {**files(), match_lengths.FILE: match_lengths.text}.items():
        new = text()
        if not file.exists() or file.read_text(encoding="utf-8") != new:
            file.write_text(new, encoding="utf-8")
            print("%s is made again" % file.relative_to(ROOT))
    lacks = external_tools.lacking(("wireviz", "yaml", "dot"))
    if lacks:
        print("left out: the wiring pictures, which need %s" % lacks)
    else:
        with tempfile.TemporaryDirectory() as name:
            external_tools.draw_wires(Path(name))
            for drawn in sorted(Path(name).glob("*.svg")):
                if checks.words(drawn) != checks.words(WIRING / drawn.name):
                    shutil.copyfile(drawn, WIRING / drawn.name)
                    print("hardware/wiring/%s is made again" % drawn.name)
    missing = firmware_readme.without_text()
    print(*missing, sep="\n", end="\n" if missing else "")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
