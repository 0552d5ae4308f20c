# SPDX-License-Identifier: MIT
"""The tables of GUIDE.md that come from somewhere else: pin maps, distances, power budget.

Each stands between `<!-- name: ... -->` and `<!-- end -->`.
"""

import re
from pathlib import Path

from hardware import housing_plan, pinmap
from hardware.circuit import PICO_PINS, READER, RIBBON, SLOTS
from roundhouse import power, settings
from roundhouse.drivers import strip

FILE = Path(__file__).parent / "GUIDE.md"
BLOCK = re.compile(r"(<!-- (\w+): [^>]*-->\n).*?(<!-- end -->)", re.S)
MEANS = {
    "enable": "/E of both 74HC138",
    "load": "/PL of both 74HC165",
    "clock": "CP of both 74HC165",
    "data": "Q7 of the first 74HC165",
    "miso": "MISO, all readers",
    "reset": "RST, all readers",
    "sck": "SCK",
    "mosi": "MOSI",
    "piezo": "piezo",
    "sense": "CC1 and CC2, 100k each",
    "lights": "pixels",
}
SLOTS_OWN = {"selects": "SDA", "buttons": "button"}
READERS = len(SLOTS)
AT_REGULATOR = 5.0 - 0.3 - 3.3  # V: the supply, less D1, less what comes out; the worst case


def blocks():
    """Return {name: the block's text}."""
    tables = {name: slots(board) + pins(board) for name, board in pinmap.load().items()}
    tables |= {"budget": budget(), "ribbons": ribbons(), "ribbon": ribbon()}
    return {**tables, "distance": distance(), "first": first_reader()}


def fresh(text, made=None):
    """Return a page's text with every block made anew, the guide's where `made` does not say
    {name: text}; KeyError for an unknown one."""
    made = made or blocks()
    return BLOCK.sub(lambda found: found[1] + "\n" + made[found[2]] + "\n" + found[3], text)


def pins(board):
    """A table of what is on the GPIOs that all slots share."""
    rows = [(gpio, "A%d of the decoder" % i) for i, gpio in enumerate(board.get("address", ()))]
    rows += [(gpio, MEANS[name]) for name, gpio in board.items() if name in MEANS]
    rows = [("GP%d" % gpio, PICO_PINS[gpio], what) for gpio, what in sorted(rows)]
    return table(("GPIO", "pin of the Pico", "what"), rows)


def slots(board):
    """A table of the GPIOs that go straight to one slot; nothing where a board has none."""
    straight = [name for name in SLOTS_OWN if name in board]
    if not straight:
        return ""
    rows = [
        (slot, *("GP%d (pin %d)" % (gpio, PICO_PINS[gpio]) for gpio in gpios))
        for slot, *gpios in zip(pinmap.slots(board), *(board[name] for name in straight))
    ]
    return table(("slot", *(SLOTS_OWN[name] for name in straight)), rows) + "\n"


def ribbon():
    """What is on which wire of a ribbon."""
    rows = [(n, signal) for n, signal in enumerate(RIBBON, 1)]
    half = len(rows) // 2
    rows = [(*a, *b) for a, b in zip(rows[:half], rows[half:])]
    return table(("pin", "signal", "pin", "signal"), rows)


def ribbons():
    """How long each ribbon is, for every number of stations."""
    plans = [housing_plan.Plan(count) for count in range(4, 11)]
    rows = []
    for plan in plans:
        found = plan.ribbons()
        lengths = ["%.0f" % found[slot] if slot in found else "" for slot in SLOTS]
        rows.append((plan.stations, *lengths, "%.1f m" % (sum(found.values()) / 1000)))
    return table(("stations", *SLOTS, "in all"), rows)


def first_reader():
    """A table of the wires of one reader alone, as E's, on a breadboard."""
    board = pinmap.load()["breadboard"]
    place = pinmap.slots(board).index("E")
    named = {"SDA": board["selects"][place], "RST": board["reset"]}
    named |= {name.upper(): board[name] for name in ("sck", "mosi", "miso")}
    named["button"] = board["buttons"][place]
    where = {name: ("GP%d" % gpio, PICO_PINS[gpio]) for name, gpio in named.items()}
    where |= {
        "GND": ("GND", pinmap.GROUND),
        "3.3V": ("3V3", pinmap.V33),
        "IRQ": ("stays free", ""),
    }
    rows = [(name, *where[name]) for name in (*READER, "button")]
    return table(("reader", "Pico", "its pin"), rows) + "\nThe button's other leg: GND.\n"


def distance():
    """How far a tag is from the antenna, from the housing's measures."""
    thick = housing_plan.TILE_THICK
    cases = [("face up, the tag on the lid", 0.0), ("face down, the tag on top", thick)]
    rows = []
    for name, tile in cases:
        least, most = housing_plan.tag_distance(tile)
        parts = (housing_plan.THIN, housing_plan.AIR, tile)
        rows.append((name, *("%.1f" % mm for mm in (*parts, least, most))))
    head = ("a tile lies", "lid", "air", "tile", "coil to coil", "if the coil is below its board")
    return table(head, rows)


def budget():
    """What the firmware allows, from its own constants, for twelve slots."""
    rows = []
    for name, (_, offered, pixels, fields) in zip(("3 A", "1.5 A", "USB default"), power.OFFERS):
        readers = fields * power.FIELD_MA + (READERS - fields) * power.IDLE_MA
        total = power.HUB_MA + readers + pixels
        rows.append((name, offered, fields, readers, power.HUB_MA, pixels, total, offered - total))
    head = ("supply", "offers", "fields on", "readers", "Pico and chips", "pixels", "sum", "left")
    white = 4 * READERS * (strip.PIXEL_MA + 3 * strip.LEVEL_MA)
    low, high = settings.NUMBERS["MILLIAMPS"]
    most = max(fields for *_, fields in power.OFFERS)
    warm = most * power.FIELD_MA + (READERS - most) * power.IDLE_MA
    return table(head, rows) + BUDGET % {
        "field": power.FIELD_MA,
        "idle": power.IDLE_MA,
        "pixel": strip.PIXEL_MA,
        "level": strip.LEVEL_MA,
        "white": white,
        "count": 4 * READERS,
        "low": low,
        "high": high,
        "warm": warm,
        "heat": warm * AT_REGULATOR / 1000,
    }


BUDGET = """
All in mA. A reader draws up to %(field)d with its field on and %(idle)d without. A pixel draws
%(pixel)d by itself, and %(level)d for each colour at full level. So all %(count)d in full white
would draw %(white)d, more than any of these supplies carries beside the rest. The firmware never
sends that. It adds up every frame, and scales it down as a whole when it is over the budget.

`MILLIAMPS = "usb"` takes the row that the supply offers at power-up. A number (%(low)d..%(high)d)
is the pixels' budget whatever the supply. The readers' regulator gives at most %(warm)d of its
500 and turns %(heat).1f W into heat. For that an LF33CDT needs no more than the copper under it.
"""


def table(head, rows):
    """Return a table of Markdown: its head, then a tuple for each row."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| %s |\n" % " | ".join(map(str, line)) for line in lines)
