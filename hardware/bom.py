# SPDX-License-Identifier: MIT
"""What to buy, from the circuits and parts.toml: BOM.md, and the lists that assemblers take."""

import csv
import math
from pathlib import Path

from hardware import circuit, housing_plan, hub_circuit, slot_circuit

FILE = Path(__file__).parent / "BOM.md"
SLOTS = len(circuit.SLOTS)
HUB, SLOT = "hub12", "slot"
# what an assembler's list calls its columns
COLUMNS = (
    "Comment",
    "Designator",
    "Footprint",
    "Quantity",
    "Manufacturer",
    "MPN",
    "Mouser",
    "LCSC",
    "Digi-Key",
)
SHOPS = {"mouser": "Mouser", "lcsc": "LCSC", "digikey": "Digi-Key"}

HEAD = """# What to buy

**Nobody has ordered from this list yet.** It is made from the circuits and `parts.toml` by
`python -m hardware bom`.

How far to trust it:

- **The part** stands in the package that the board has. Compare name and package before you pay.
- **An order number** stands here where the parts lists of other public projects have it for this
  very part. No shop was asked: look whether its page shows the same part.
- **search** means that no such list had a number. Search the shop for the words that follow.
- **Prices** are rough guesses in euros, one piece each, to see what a hub costs.

Resistors and capacitors may come from any maker.

You build on a breadboard first? Then go to [its own list](#on-a-breadboard-instead).
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

BREADBOARD = """
About %.0f euros.

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


def text():
    """Return BOM.md."""
    known = circuit.SHOP
    out = HEAD
    total = 0.0
    unknown = []
    for name, used, pieces in (
        (HUB, on_board(HUB), 1),
        ("each of the %d slot boards" % SLOTS, on_board(SLOT), SLOTS),
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
            total += pieces * len(parts) * item["price"]
    out += AROUND % (total, SLOTS, "\n".join("- " + words for words in unknown))
    around = 0.0
    for item in known["around"]:
        count = SLOTS * item["slots"] if "slots" in item else item.get("hub") or ribbon()
        out += _row(count, item["name"], item.get("other", ""), item["price"])
        around += count * item["price"]
    out += BREADBOARD % around
    sums = [0.0, 0.0]
    for item in known["breadboard"]:
        counts = [on_breadboard(item, stations + 2) for stations in (2, 4)]
        out += _row(*counts, item["name"], item["other"], item["price"])
        sums = [so_far + count * item["price"] for so_far, count in zip(sums, counts)]
    out += TOOLS % tuple(sums) + "".join("- %s\n" % name for name in known["tools"]["names"])
    tag = known["tags"]
    return out + TAGS % {"name": tag["name"], "one": round(91 * tag["price"])}


def numbers(item):
    """Return {shop: number} of what is known of a part of parts.toml."""
    return {shop: item[key] for key, shop in SHOPS.items() if key in item}


def order(item):
    """Return what to order a part by: numbers, or what to search for."""
    known = ["%s %s" % pair for pair in numbers(item).items()]
    if known:
        return ", ".join(known)
    return "search: " + wanted(item)


def wanted(item):
    """Return the words by which a shop finds a part."""
    return item.get("mpn") or item["search"]


def on_breadboard(item, slots):
    """Return the pieces of a line of parts.toml that so many slots on a breadboard want."""
    if "slot" in item:
        return slots * item["slot"]
    return math.ceil(slots / 4) * item["quarter"] if "quarter" in item else item["hub"]


def ribbon():
    """Return the metres of ribbon that 10 stations, M and E want, half a metre more or less."""
    return math.ceil(sum(housing_plan.Plan(10).ribbons().values()) / 500) / 2


def on_board(name):
    """Return {key into parts.toml: [Part]} of a board, in the order of parts.toml."""
    made = {HUB: hub_circuit.parts, SLOT: slot_circuit.parts}[name]()
    found = {key: [p for p in made if p.part == key] for key in circuit.SHOP["board"]}
    return {key: parts for key, parts in found.items() if parts}


def write_csv(name, file):
    """Write the list that an assembling board maker takes."""
    with open(file, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(COLUMNS)
        for key, parts in on_board(name).items():
            item = circuit.SHOP["board"][key]
            fitted = [part.ref for part in parts if not part.dnp]
            if fitted:
                codes = [item.get(code, "") for code in ("maker", "mpn", *SHOPS)]
                footprint = item["footprint"].split(":")[1]
                value = item.get("value", item["name"])
                rows.writerow([value, ",".join(fitted), footprint, len(fitted), *codes])


def _row(*cells):
    *most, price = cells
    return "| " + " | ".join([*map(str, most), "%.2f" % price]) + " |\n"


def missing():
    """Return the keys that the circuits name and parts.toml does not have, or the reverse."""
    used = {
        part.part for made in (hub_circuit, slot_circuit) for part in made.parts() if part.part
    }
    return sorted(used ^ set(circuit.SHOP["board"]))
