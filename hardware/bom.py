# SPDX-License-Identifier: MIT
"""Makes BOM.md from the schematics and parts.toml."""

import math
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hardware import housing_plan, pinmap
from hardware.kicad_files import HUB12, HUB16, PROJECTS, SLOT, Part, Project

FILE = Path(__file__).parent / "BOM.md"
SLOTS = len(pinmap.SLOTS)
TILES, SPARE = 91, 10  # of a double twelve; tags that tear
Item = dict[str, Any]  # an entry of parts.toml

with open(Path(__file__).parent / "parts.toml", "rb") as _file:
    PARTS = tomllib.load(_file)  # {"board": {key: Item}, "around": [Item], "tags": ...}

SHOPS = {"mouser": "Mouser", "lcsc": "LCSC", "digikey": "Digi-Key", "farnell": "Farnell"}

HEAD = """# What to buy

**This list has not been ordered from yet.** It is made from the schematics and `parts.toml` by
`make made`.

How far to trust it:

- **The part** stands in the package that the board has. Compare name and package before you pay.
- **An order number** stands here where the parts lists of other public projects have it for this
  very part. No shop was asked: look whether its page shows the same part.
- **choose by value** means that no such list had a number. Search the shop for the words that
  follow, and compare package and values.
- **Prices** are rough guesses in euros, one piece each, to see what a hub costs.

Resistors and capacitors may come from any maker.

You build on a breadboard first? Then go to [its own list](#on-a-breadboard-instead), or to that of
[an evening's build](#an-evenings-build).
"""

BOARD = """
## On %s

| parts | pieces | what | maker's part | order numbers | or, and beware | each |
|---|---|---|---|---|---|---|
"""

AROUND = """
About %.0f euros for all of it on the boards: one hub12 and %d slot boards.

No list had a number for these parts. Look for them first:

%s

## Around them, for 10 stations, M and E

| pieces | what | or, and beware | each |
|---|---|---|---|
"""

EVENING = """
About %.0f euros.

## An evening's build

Two stations and M on one breadboard, fed by a computer or a charger:
[the guide begins with it](GUIDE.md#an-evenings-build). Cardboard, glue and tape are at home. The
tags are [below](#tags): a double six takes 28. Shipping is not in the sum. What will do instead,
and what to beware of, is in the list after this one.

| pieces | what | each |
|---|---|---|
"""

BREADBOARD = """
%.2f euros in all.

## On a breadboard, instead

No boards, no housing: [section 11 of the guide](GUIDE.md#11-the-breadboard). The two columns are
for two and for four stations, each with M and E. A single reader to try needs the first, the third
and the wires.

| 2 stations | 4 stations | what | or, and beware | each |
|---|---|---|---|---|
"""

TOOLS = """
About %.0f euros for two stations, %.0f for four.

## Tools

| what | guess |
|---|---|
"""

TAGS = """
## Tags

%(name)s.

One a tile, in the middle of its back. A set of double twelve is 91 tiles, about %(one)d euros. Buy
ten more, for those that tear, and one for each card that you want. A second tag on a tile's face
is only for tiles that you lay face down and that do not read so. Both have the same text then.
[Section 10 of the guide](GUIDE.md#10-the-tags) says where they go, how far they read, and what
metal does. Try one before you buy a set.
"""

BILL = """
## The whole bill

For hub12 with 10 stations, M and E, and a set of double twelve. Every price and every number of
days is a guess: the shop tells you both before you pay. Assembly by the board maker is not in it.

| what | euros |
|---|---|
"""

PARCELS = """
| parcel | days until it is there | shipping |
|---|---|---|
"""


def text() -> str:
    """Return the generated text of BOM.md, the list of parts to buy."""
    known = PARTS
    out = HEAD
    on_boards = 0.0
    unknown: list[str] = []
    for name, used, pieces in (
        (HUB12.name, on_board(HUB12), 1),
        ("each of the %d slot boards" % SLOTS, on_board(SLOT), SLOTS),
        ("%s, in its place for 11 to 14 stations" % HUB16.name, on_board(HUB16), 0),
    ):
        out += BOARD % name
        for key, parts in used.items():
            item = known["board"][key]
            refs = " ".join(part.ref for part in parts)
            if all(part.dnp for part in parts):
                refs += " (if wanted)"
            if not numbers(item) and wanted(item) not in unknown:
                unknown.append(wanted(item))
            made = "%s %s" % (item["maker"], item["mpn"]) if "mpn" in item else ""
            words = item["name"], made, order(item), item["other"]
            out += _row(refs, len(parts), *words, item["price"])
            on_boards += pieces * len(parts) * item["price"]
    out += AROUND % (on_boards, SLOTS, "\n".join("- " + words for words in unknown))
    around = 0.0
    for item in known["around"]:
        count = SLOTS * item["slots"] if "slots" in item else item.get("hub") or ribbon()
        out += _row(count, item["name"], item.get("other", ""), item["price"])
        around += count * item["price"]
    out += EVENING % around
    for item in known["breadboard"]:
        if on_evening(item):
            out += _row(on_evening(item), item["name"], item["price"])
    out += BREADBOARD % evening()
    sums = [0.0, 0.0]
    for item in known["breadboard"]:
        counts = [on_breadboard(item, stations + 2) for stations in (2, 4)]
        out += _row(*counts, item["name"], item["other"], item["price"])
        sums = [so_far + count * item["price"] for so_far, count in zip(sums, counts)]
    out += TOOLS % tuple(sums)
    out += "".join("| %s | %s |\n" % (item["name"], _guess(item)) for item in known["tools"])
    tag = known["tags"]
    out += TAGS % {"name": tag["name"], "one": round(TILES * tag["price"])}
    return out + bill(on_boards, around)


def bill(on_boards: float, around: float) -> str:
    """Return what all of it costs, and how long each parcel takes. on_boards, around: the sums of
    the lists before it, in euros."""
    tags, tools, parcels = PARTS["tags"], PARTS["tools"], PARTS["parcels"]
    rows = {
        "parts on the boards": on_boards,
        "boards, readers and all around them": around,
        "%d tags, for the tiles and to spare" % (TILES + SPARE): (TILES + SPARE) * tags["price"],
        "shipping, %d parcels" % len(parcels): sum(item["price"] for item in parcels),
    }
    rows["**without tools**"] = sum(rows.values())
    rows["tools, if you have none of them"] = sum(item.get("price", 0.0) for item in tools)
    rows["**with tools**"] = sum(list(rows.values())[-2:])
    out = BILL + "".join("| %s | %.0f |\n" % row for row in rows.items()) + PARCELS
    return out + "".join(_row(item["name"], item["days"], item["price"]) for item in parcels)


def _guess(item: Item) -> str:
    return "%.2f" % item["price"] if "price" in item else ""


def numbers(item: Item) -> dict[str, str]:
    """Return an item's known order numbers as {shop: order number}."""
    return {shop: item[key] for key, shop in SHOPS.items() if key in item}


def order(item: Item) -> str:
    """Return how to order an item: its order numbers, or what to choose it by."""
    known = ["%s %s" % pair for pair in numbers(item).items()]
    if known:
        return ", ".join(known)
    return "choose by value: " + wanted(item)


def wanted(item: Item) -> str:
    """Return the words to type into a shop's search to find an item."""
    return str(item.get("mpn") or item["search"])


def on_breadboard(item: Item, slots: int) -> int:
    """Return how many pieces of an item are needed on a breadboard for `slots` slots."""
    pieces: int
    if "slot" in item:
        pieces = slots * item["slot"]
    elif "quarter" in item:
        pieces = math.ceil(slots / 4) * item["quarter"]
    else:
        pieces = item["hub"]
    return pieces


def on_evening(item: Item) -> int:
    """Return how many pieces of an item the evening's build needs."""
    return int(item.get("evening", 0))


def evening() -> float:
    """Return what the evening's build costs, in euros."""
    return sum(on_evening(item) * float(item["price"]) for item in PARTS["breadboard"])


def ribbon() -> float:
    """Return the length of ribbon cable for 10 stations, M and E, in metres, rounded up to half a
    metre."""
    return math.ceil(sum(housing_plan.Plan(10).ribbons().values()) / 500) / 2


def on_board(project: Project) -> dict[str, list[Part]]:
    """Return a board's parts as {key in parts.toml: [Part, ...]}, in that file's order."""
    made = project.schematic.parts
    found = {key: [part for part in made if part.key == key] for key in PARTS["board"]}
    return {key: parts for key, parts in found.items() if parts}


def mistakes(projects: Iterable[Project] = PROJECTS) -> list[str]:
    """Return the differences between the schematics and parts.toml, one line of text each."""
    wrong = []
    used = set()
    for project in projects:
        for part in project.schematic.parts:
            item = PARTS["board"].get(part.key)
            used.add(part.key)
            if item is None:
                if part.bought or part.key:
                    what = "%s %s: parts.toml has no part %r"
                    wrong.append(what % (project.name, part.ref, part.key))
                continue
            for name in ("symbol", "footprint", "value"):
                if name in item and getattr(part, name) != item[name]:
                    words = project.name, part.ref, name, getattr(part, name), part.key, item[name]
                    wrong.append("%s %s: its %s is %s, that of %s is %s" % words)
    return wrong + ["no schematic has %s" % key for key in PARTS["board"] if key not in used]


def _row(*cells: Any) -> str:
    *most, price = cells
    return "| " + " | ".join([*map(str, most), "%.2f" % price]) + " |\n"
