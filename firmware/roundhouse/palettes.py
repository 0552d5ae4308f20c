# SPDX-License-Identifier: MIT
"""Palettes of lamp colours, by name; config.py chooses one. Each colour is R, G, B, 0..255.

In every palette the turn lamp uses red, green and blue, the open lamp no red, and the double lamp
no blue, so that they never look alike. The set of channels that are zero differs between any two
answer colours, so that these colours differ even at the lowest brightness.
"""

PALETTES = {
    "standard": {
        "turn": (255, 170, 90),
        "engine": (255, 110, 0),
        "count": (255, 0, 140),
        "winner": (255, 190, 0),
        "open": (0, 130, 255),
        "closed": (255, 0, 0),
        "double": (255, 120, 0),
        "accepted": (0, 255, 0),
        "refused": (255, 0, 0),
        "taken back": (255, 255, 255),
        "booked": (0, 190, 190),
        "fault": (150, 0, 255),
        "hint": (0, 0, 255),
        "progress": (255, 220, 0),
        "party": (255, 200, 70),
    },
    # for colour-blind eyes: blue is yes, red is no; turn, engine, double, winner and progress
    # differ for every common kind of colour blindness
    "clear": {
        "turn": (255, 230, 180),
        "engine": (0, 0, 200),
        "count": (120, 0, 255),
        "winner": (0, 150, 200),
        "open": (0, 90, 255),
        "closed": (255, 0, 0),
        "double": (200, 60, 0),
        "accepted": (0, 170, 255),
        "refused": (255, 0, 0),
        "taken back": (255, 255, 255),
        "booked": (0, 255, 0),
        "fault": (150, 0, 255),
        "hint": (0, 0, 255),
        "progress": (255, 150, 0),
        "party": (255, 230, 120),
    },
}
