# SPDX-License-Identifier: MIT
"""Reads the pin map, pins.toml, and makes the firmware's table of pins from it."""

import tomllib
from pathlib import Path
from typing import Any

Pins = dict[str, Any]  # of a board: {name: GPIO, tuple of GPIOs, or (lines) of lines}

HERE = Path(__file__).parent
BOARDS = HERE.parent / "firmware" / "roundhouse" / "boards.py"

EVERY_BOARD = {"sck", "mosi", "miso", "reset", "lights", "piezo"}
SELECTS = ({"selects"}, {"address", "enable", "lines"})  # a board has one of these,
BUTTONS = ({"buttons"}, {"load", "clock", "data", "lines"})  # and one of these
OF_SLOTS = ("lines", "selects", "buttons")  # lists with an item for each slot
MAY_HAVE = {"sense"}
LINES = 16  # of two 74HC138, and of two 74HC165

HEAD = '''# SPDX-License-Identifier: MIT
"""The use of each GPIO of the Pico, for each kind of board; config.py chooses the board.

Made from hardware/pins.toml by `make made`: change it there. The names say how a
board is wired: `selects` and `buttons` go straight to each slot, `address` and `enable` to two
decoders, `load`, `clock` and `data` to shift registers. Slots are the stations, then M, then E.
"""

'''


def load(path: Path = HERE / "pins.toml") -> dict[str, Pins]:
    """Return {name of the board: Pins}. Raise ValueError for entries that `check` refuses."""
    with open(path, "rb") as file:
        boards = tomllib.load(file)
    boards = {
        board: {k: tuple(v) if isinstance(v, list) else v for k, v in pins.items()}
        for board, pins in boards.items()
    }
    for name, board in boards.items():
        if like := board.pop("like", None):
            if like not in boards:
                raise ValueError("pins.toml: %s is like %s, which is not there" % (name, like))
            boards[name] = board = boards[like] | board
        check(name, board)
    return boards


def check(name: str, board: Pins) -> None:
    """Raise ValueError for unknown or missing entries of a board, or a list of the wrong
    length."""
    wholes = [
        EVERY_BOARD | selects | buttons | may
        for selects in SELECTS
        for buttons in BUTTONS
        for may in (set(), MAY_HAVE)
    ]
    if set(board) not in wholes:
        raise ValueError("pins.toml: %s has %s" % (name, " ".join(sorted(board))))
    lengths = {**dict.fromkeys(OF_SLOTS, stations(board) + 2), "address": 4}
    for key in lengths.keys() & board.keys():
        if len(board[key]) != lengths[key]:
            raise ValueError("pins.toml: %s of %s: %d numbers" % (key, name, lengths[key]))
    lines = board.get("lines", ())
    if sorted({*lines}) != [*lines] or not {*lines} <= {*range(LINES)}:
        raise ValueError("pins.toml: lines of %s: 0..%d, ascending" % (name, LINES - 1))


def stations(board: Pins) -> int:
    """Return how many stations a board has at most."""
    return next(len(board[key]) for key in OF_SLOTS if key in board) - 2


def slots(board: Pins) -> list[str]:
    """Return the names of a board's slots in the order of its pins: "1", "2", ..., "M", "E"."""
    return [*map(str, range(1, stations(board) + 1)), "M", "E"]


def firmware(boards: dict[str, Pins]) -> str:
    """Return the text of firmware/roundhouse/boards.py."""
    counts = ", ".join('"%s": %d' % (name, stations(pins)) for name, pins in boards.items())
    text = HEAD + 'USUAL = "%s"  # where config.py does not say\n' % next(iter(boards))
    text += "STATIONS = {%s}  # at most\n\nLINES = {  # of the chips, for each slot\n" % counts
    for name, pins in boards.items():
        if "lines" in pins:
            text += '    "%s": %s,\n' % (name, pins["lines"])
    text += "}\n\nPINS = {\n"
    alike = ""
    known: dict[str, str] = {}  # a board's pins, as text -> the first board with them
    for name, pins in boards.items():
        said = "".join(
            '        "%s": %s,\n' % (key, value) for key, value in pins.items() if key != "lines"
        )
        if said in known:
            alike += 'PINS["%s"] = PINS["%s"]\n' % (name, known[said])
        else:
            known[said] = name
            text += '    "%s": {\n%s    },\n' % (name, said)
    return text + "}\n" + alike


SLOTS = slots(load()["hub12"])
