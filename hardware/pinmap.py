# SPDX-License-Identifier: MIT
"""The pin map, pins.toml, and what is made of it for the firmware."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = HERE.parent / "firmware" / "roundhouse" / "boards.py"

HEAD = '''# SPDX-License-Identifier: MIT
"""What is on which GPIO of the Pico, on each kind of board.

Made from hardware/pins.toml by `python -m hardware pins`: change it there. config.py chooses the
board, and may name single pins that are wired otherwise.
"""

'''


def load(path=HERE / "pins.toml"):
    """Return {board: {name: GPIO, tuple of GPIOs, or (stations) a count}}."""
    with open(path, "rb") as file:
        boards = tomllib.load(file)
    return {
        board: {k: tuple(v) if isinstance(v, list) else v for k, v in pins.items()}
        for board, pins in boards.items()
    }


def firmware(boards):
    """Return the text of firmware/roundhouse/boards.py."""
    counts = ", ".join('"%s": %d' % (name, pins["stations"]) for name, pins in boards.items())
    text = HEAD + "STATIONS = {%s}  # at most\n\nPINS = {\n" % counts
    for name, pins in boards.items():
        text += '    "%s": {\n' % name
        for key, value in pins.items():
            if key != "stations":
                text += '        "%s": %s,\n' % (key, value)
        text += "    },\n"
    return text + "}\n"
