# SPDX-License-Identifier: MIT
"""Makes the generated tables of GUIDE.md: pin maps, measurements, distances, power budget.

In GUIDE.md, each table is between `<!-- name: ... -->` and `<!-- end -->`.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from hardware import housing_plan, measuring, pinmap, readers_supply, silkscreen_check
from hardware.kicad_files import HUB16, HUBS, PROJECTS
from hardware.pinmap import SLOTS, Pins
from hardware.pinouts import GATES_125, GROUND, PICO_PINS, READER, RIBBON, V33, VBUS
from roundhouse import power_supply, settings
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
WIRING = FILE.parent / "wiring"
COLOURS = {
    "BK": "black",
    "BN": "brown",
    "BU": "blue",
    "GN": "green",
    "GY": "grey",
    "OG": "orange",
    "PK": "pink",
    "RD": "red",
    "TQ": "turquoise",
    "VT": "violet",
    "WH": "white",
    "YE": "yellow",
}
SLOTS_OWN = {"selects": "SDA", "buttons": "button"}
READERS = len(SLOTS)
EVENING = ("1", "2", "M")  # the slots of the evening's build that have a reader
EVENING_MA = 100  # its pixels' budget
V33_MA = 300  # to be taken from a Pico's 3V3, with what the Pico takes itself (its datasheet, 2.1)
MOST = pinmap.slots(pinmap.load()[HUB16.name])


def blocks() -> dict[str, str]:
    """Return {name of the block: its text} for all generated blocks."""
    tables: dict[str, str] = {}
    for name, board in pinmap.load().items():
        text = slots(board) + pins(board)
        if text not in tables.values():  # hub16 has the pins of hub12
            tables[name] = text
    tables |= {"budget": budget(), "ribbons": ribbons(), "ribbon": ribbon()}
    tables |= {"evening": evening(), "alone": without_regulator()}
    hub, larger = ((project.board.pins, project.board.values) for project in HUBS)
    unpowered, powered = [*measuring.without_supply(*hub)], [*measuring.first_power(*hub)]
    tables["unpowered"] = table(measuring.WHERE, unpowered)
    tables["powered"] = table(measuring.AT, powered)
    tables["larger"] = table(
        measuring.WHERE, (row for row in measuring.without_supply(*larger) if row not in unpowered)
    )
    tables["values"] = values()
    return {**tables, "distance": distance(), "first": first_reader(), "wires": wires()}


def fresh(text: str, made: dict[str, str] | None = None) -> str:
    """Return the page's text with new contents in every block. made: {block: new text}, or None
    for `blocks()`. Raises KeyError for an unknown block."""
    texts = made or blocks()
    return BLOCK.sub(lambda found: found[1] + "\n" + texts[found[2]] + "\n" + found[3], text)


def pins(board: Pins) -> str:
    """Return a table of the GPIOs that all slots of a board share."""
    rows = [(gpio, "A%d of the decoder" % i) for i, gpio in enumerate(board.get("address", ()))]
    rows += [(gpio, MEANS[name]) for name, gpio in board.items() if name in MEANS]
    named = [("GP%d" % gpio, PICO_PINS[gpio], what) for gpio, what in sorted(rows)]
    return table(("GPIO", "pin of the Pico", "what"), named)


def slots(board: Pins) -> str:
    """Return a table of the GPIOs wired straight to single slots, or "" if there are none."""
    straight = [name for name in SLOTS_OWN if name in board]
    if not straight:
        return ""
    rows = [
        (slot, *("GP%d (pin %d)" % (gpio, PICO_PINS[gpio]) for gpio in gpios))
        for slot, *gpios in zip(pinmap.slots(board), *(board[name] for name in straight))
    ]
    return table(("slot", *(SLOTS_OWN[name] for name in straight)), rows) + "\n"


def ribbon() -> str:
    """Return a table of the wires in a ribbon cable."""
    wires = list(enumerate(RIBBON, 1))
    half = len(wires) // 2
    rows = [(*a, *b) for a, b in zip(wires[:half], wires[half:])]
    return table(("pin", "signal", "pin", "signal"), rows)


def ribbons() -> str:
    """Return a table of the hub's width and its ribbons' lengths for every possible number of
    stations."""
    plans = [housing_plan.Plan(count) for count in housing_plan.STATIONS]
    rows = []
    for plan in plans:
        found = plan.ribbons()
        lengths = ["%.0f" % found[slot] if slot in found else "" for slot in MOST]
        rows.append(
            (
                plan.stations,
                "%.0f" % (2 * plan.outer),
                *lengths,
                "%.1f m" % (sum(found.values()) / 1000),
            )
        )
    return table(("stations", "hub across", *MOST, "in all"), rows)


def evening() -> str:
    """Return the tables of all wires of the evening's build: those of each slot, then those that
    the slots share."""
    board = pinmap.load()["breadboard"]
    names = pinmap.slots(board)
    rows: list[tuple[object, ...]] = []
    for slot, (into, enable, out) in zip(EVENING, GATES_125):
        at = names.index(slot)
        select, button = board["selects"][at], board["buttons"][at]
        rows.append((slot, PICO_PINS[select], enable, into, out, PICO_PINS[button]))
    gate = "74HC125: "
    head = (
        "slot",
        "Pico: SDA",
        gate + "/OE",
        gate + "reader's MISO",
        gate + "out",
        "Pico: button",
    )
    gates = GATES_125[: len(EVENING)]
    (idle, off, _) = GATES_125[-1]
    into, _, out = GATES_125[0]
    shared = [
        (PICO_PINS[board["miso"]], "74HC125's pins %s" % _listed(gate[2] for gate in gates)),
        (PICO_PINS[board["reset"]], "RST of all readers"),
        (PICO_PINS[board["sck"]], "SCK of all readers"),
        (PICO_PINS[board["mosi"]], "MOSI of all readers"),
        (PICO_PINS[board["lights"]], "74AHCT125's pin %d" % into),
        (
            "%d (3V3)" % V33,
            "rail 3.3 V: 3.3V of all readers, 10 kΩ from each SDA, 74HC125's pins %d and 14" % off,
        ),
        (
            "%d (GND)" % GROUND,
            "rail GND: GND of all readers, a leg of each button, the strip's GND, "
            "74HC125's pins 7 and %d, 74AHCT125's pins %s"
            % (idle, _listed(sorted([1, 7, *(gate[0] for gate in GATES_125[1:])]))),
        ),
        (
            "%d (VBUS)" % VBUS,
            "rail 5 V: the strip's 5V, 74AHCT125's pins %s and 14"
            % _listed(gate[1] for gate in GATES_125[1:]),
        ),
    ]
    return (
        table(head, rows)
        + "\n"
        + table(("pin of the Pico", "goes to"), shared)
        + "\n74AHCT125's pin %d goes through 330 Ω to the strip's DIN.\n" % out
    )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def without_regulator() -> str:
    """Return a table of what readers take from the Pico's own 3V3, one field on at a time."""
    rows = []
    for readers in (2, 3, 4):
        usual = power_supply.FIELD_MA + (readers - 1) * power_supply.IDLE_MA
        most = readers_supply.FIELD_MA + (readers - 1) * readers_supply.IDLE_MA
        total = most + power_supply.HUB_MA
        rows.append((readers, usual, most, power_supply.HUB_MA, total, V33_MA - total))
    head = ("readers", "as above", "datasheet's most", "Pico and chips", "sum of most", "left")
    return table(head, rows)


def first_reader() -> str:
    """Return a table of the breadboard's wires between the Pico and the first reader (slot E)."""
    board = pinmap.load()["breadboard"]
    place = pinmap.slots(board).index("E")
    named = {"SDA": board["selects"][place], "RST": board["reset"]}
    named |= {name.upper(): board[name] for name in ("sck", "mosi", "miso")}
    named["button"] = board["buttons"][place]
    where: dict[str, tuple[str, int | str]]
    where = {name: ("GP%d" % gpio, PICO_PINS[gpio]) for name, gpio in named.items()}
    where |= {
        "GND": ("GND", GROUND),
        "3.3V": ("3V3", V33),
        "IRQ": ("stays free", ""),
    }
    rows = [(name, *where[name]) for name in (*READER, "button")]
    return table(("reader", "Pico", "its pin"), rows) + "\nThe button's other leg: GND.\n"


def wires() -> str:
    """Return a table of the colours of the wires in the wiring pictures."""
    lists = re.compile(r"colors: \[(.*)\]\n +wirelabels: \[(.*)\]")
    found: dict[str, set[str]] = {}
    for file in sorted(WIRING.glob("*.yml")):
        for codes, labels in lists.findall(file.read_text()):
            for code, label in zip(codes.split(", "), labels.split(", "), strict=True):
                found.setdefault(COLOURS[code], set()).add(label)
    rows = sorted((", ".join(sorted(labels)), colour) for colour, labels in found.items())
    return table(("wire", "colour"), rows)


def values() -> str:
    """Return a table of the parts for whose value a board has no room."""
    found: dict[tuple[str, str], list[str]] = {}
    for project in PROJECTS:
        for part in silkscreen_check.unprinted(project.board):
            found.setdefault((project.name, part.value), []).append(part.ref)
    rows = [(board, value, " ".join(refs)) for (board, value), refs in found.items()]
    return table(("board", "value", "parts"), rows)


def distance() -> str:
    """Return a table of the distances between tag and antenna, from the housing's measures."""
    thick = housing_plan.TILE_THICK
    cases = [("face up, the tag on the lid", 0.0), ("face down, the tag on top", thick)]
    rows = []
    for name, tile in cases:
        least, most = housing_plan.tag_distance(tile)
        parts = (housing_plan.THIN, housing_plan.AIR, tile)
        rows.append((name, *("%.1f" % mm for mm in (*parts, least, most))))
    head = ("a tile lies", "lid", "air", "tile", "coil to coil", "if the coil is below its board")
    return table(head, rows)


def budget() -> str:
    """Return the power budget for twelve slots, calculated from the firmware's constants."""
    rows = []
    for name, (_, offered, pixels, fields) in zip(
        ("3 A", "1.5 A", "USB default"), power_supply.OFFERS
    ):
        readers = fields * power_supply.FIELD_MA + (READERS - fields) * power_supply.IDLE_MA
        total = power_supply.HUB_MA + readers + pixels
        rows.append(
            (name, offered, fields, readers, power_supply.HUB_MA, pixels, total, offered - total)
        )
    head = ("supply", "offers", "fields on", "readers", "Pico and chips", "pixels", "sum", "left")
    white = 4 * READERS * (strip.PIXEL_MA + 3 * strip.LEVEL_MA)
    low, high = settings.NUMBERS["MILLIAMPS"]
    supply = readers_supply.fitted()
    return table(head, rows) + BUDGET % {
        "field": power_supply.FIELD_MA,
        "idle": power_supply.IDLE_MA,
        "pixel": strip.PIXEL_MA,
        "level": strip.LEVEL_MA,
        "white": white,
        "count": 4 * READERS,
        "low": low,
        "high": high,
        "fields": supply.fields,
        "worst": supply.current(),
        "regulator": supply.regulator,
        "most": readers_supply.REGULATORS[supply.regulator].most,
        "heat": supply.heat(),
        "drum": supply.drum,
        "junction": supply.junction(),
        "hottest": readers_supply.REGULATORS[supply.regulator].hottest,
    }


BUDGET = """
All in mA. A reader draws up to %(field)d with its field on and %(idle)d without. A pixel draws
%(pixel)d by itself, and %(level)d for each colour at full level. So all %(count)d in full white
would draw %(white)d, more than any of these supplies carries beside the rest. The firmware never
sends that. It adds up every frame, and scales it down as a whole when it is over the budget.

`MILLIAMPS = "usb"` takes the row that the supply offers at power-up. A number (%(low)d..%(high)d)
is the pixels' budget whatever the supply.

The table counts what RC522 boards were measured to draw. By the datasheet's maxima the readers
draw %(worst).0f with %(fields)d fields on: U3, an %(regulator)s, gives %(most)d. It then turns
%(heat).1f W into heat. With %(drum).0f °C of air in the closed drum it gets %(junction).0f °C hot,
and may be %(hottest).0f. For that it needs no more than the copper under it.
"""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table.

    head: the column titles.
    rows: a tuple of cells for each row.
    """
    lines: list[Sequence[object]] = [head, ["---"] * len(head), *rows]
    return "".join("| %s |\n" % " | ".join(map(str, line)) for line in lines)
