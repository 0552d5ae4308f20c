# SPDX-License-Identifier: MIT
"""The use of each GPIO of the Pico, for each kind of board; config.py chooses the board.

Made from hardware/pins.toml by `make made`: change it there. The names say how a
board is wired: `selects` and `buttons` go straight to each slot, `address` and `enable` to two
decoders, `load`, `clock` and `data` to shift registers. Slots are the stations, then M, then E.
"""

USUAL = "hub12"  # where config.py does not say
STATIONS = {"hub12": 10, "breadboard": 8, "hub16": 14}  # at most

LINES = {  # of the chips, for each slot
    "hub12": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    "hub16": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
}

PINS = {
    "hub12": {
        "address": (0, 1, 2, 3),
        "enable": 4,
        "load": 5,
        "clock": 6,
        "data": 7,
        "miso": 16,
        "reset": 17,
        "sck": 18,
        "mosi": 19,
        "piezo": 22,
        "sense": 26,
        "lights": 28,
    },
    "breadboard": {
        "selects": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        "buttons": (10, 11, 12, 13, 14, 15, 20, 21, 22, 26),
        "miso": 16,
        "reset": 17,
        "sck": 18,
        "mosi": 19,
        "piezo": 27,
        "lights": 28,
    },
}
PINS["hub16"] = PINS["hub12"]
