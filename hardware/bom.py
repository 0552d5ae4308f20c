# SPDX-License-Identifier: MIT
"""What to buy, from the circuit and parts.toml: BOM.md."""

from pathlib import Path

from hardware import circuit

FILE = Path(__file__).parent / "BOM.md"

HEAD = """# What to buy for a hub12

Made from `circuit.py` and `parts.toml` by `python -m hardware bom`. Prices are rough guesses in
euros, one piece each, to see what a hub costs; nobody has ordered from this list yet.

## On the board

| parts | pieces | what | or, and beware | each |
|---|---|---|---|---|
"""

AROUND = """
About %.0f euros with a socket a chip, and the board itself.

## Around it, for 10 stations, M and E

| pieces | what | or, and beware | each |
|---|---|---|---|
"""

TAGS = """
About %(around).0f euros.

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
    used = {}
    for part in circuit.parts():
        if part.part:
            used.setdefault(part.part, []).append(part)
    out = HEAD
    total = 0.0
    for key, item in known["board"].items():
        parts = used[key]
        refs = " ".join(part.ref for part in parts)
        if all(part.dnp for part in parts):
            refs += " (if wanted)"
        out += _row(refs, len(parts), item)
        total += len(parts) * item["price"]
    out += AROUND % (total + 8)
    around = 0.0
    for item in known["around"]:
        count = len(circuit.SLOTS) * item["slots"] if "slots" in item else item["hub"]
        out += _row(None, count, item)
        around += count * item["price"]
    tag = known["tags"]
    return out + TAGS % {"name": tag["name"], "cost": 182 * tag["price"], "around": around}


def _row(refs, count, item):
    cells = [refs] if refs else []
    cells += [str(count), item["name"], item.get("other", ""), "%.2f" % item["price"]]
    return "| " + " | ".join(cells) + " |\n"


def missing():
    """Return the keys that the circuit names and parts.toml does not have, or the reverse."""
    used = {part.part for part in circuit.parts() if part.part}
    return sorted(used ^ set(circuit.SHOP["board"]))
