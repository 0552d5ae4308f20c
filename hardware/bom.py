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
)

HEAD = """# What to buy for a hub12

Made from the circuits and `parts.toml` by `python -m hardware bom`. Prices are rough guesses in
euros, one piece each, to see what a hub costs; nobody has ordered from this list yet. Mouser's
numbers are its own prefix and the maker's part; LCSC's are those that others have ordered by. The
maker's part decides: look whether the page shows it. Resistors and capacitors may come from any
maker.
"""

BOARD = """
## On %s

| parts | pieces | what | maker's part | Mouser | LCSC | or, and beware | each |
|---|---|---|---|---|---|---|---|
"""

AROUND = """
About %.0f euros for all of it on the boards: one hub12 and %d slot boards.

## Around them, for 10 stations, M and E

| pieces | what | or, and beware | each |
|---|---|---|---|
"""

TOOLS = """
About %.0f euros.

## Tools

"""

TAGS = """
## Tags

%(name)s: two a tile, one under each face or in a pocket of each side, so that it reads either
way up; both carry the same text. A set of double twelve is 91 tiles, 182 tags, about %(cost)d
euros. How thick a tile may be hangs on tag and reader: try it before you glue. Metal right over
the tag's coil (a spinner's pin) spoils it: put the tag beside it.

The firmware never has neighbours' fields on together, so readers may stand side by side, 45 mm
from antenna's middle to antenna's middle.
"""


def text():
    """Return BOM.md."""
    known = circuit.SHOP
    out = HEAD
    total = 0.0
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
            codes = [item.get(code, "") for code in ("mpn", "mouser", "lcsc")]
            out += _row(refs, len(parts), item["name"], *codes, item["other"], item["price"])
            total += pieces * len(parts) * item["price"]
    out += AROUND % (total, SLOTS)
    around = 0.0
    for item in known["around"]:
        count = SLOTS * item["slots"] if "slots" in item else item.get("hub") or ribbon()
        out += _row(count, item["name"], item.get("other", ""), item["price"])
        around += count * item["price"]
    out += TOOLS % around + "".join("- %s\n" % name for name in known["tools"]["names"])
    tag = known["tags"]
    return out + TAGS % {"name": tag["name"], "cost": 182 * tag["price"]}


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
                codes = [item.get(code, "") for code in ("maker", "mpn", "mouser", "lcsc")]
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
