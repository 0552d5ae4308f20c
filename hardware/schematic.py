# SPDX-License-Identifier: MIT
"""The circuit as a KiCad schematic: groups by function, reasons beside them, wires as the project
says, and labels where it says nothing."""

import copy
import math
import os
import uuid
from pathlib import Path

from hardware import circuit, schematic_wires, sexp
from hardware.sexp import Str, find, one

SYMBOLS = Path(os.environ.get("KICAD9_SYMBOL_DIR", "/usr/share/kicad/symbols"))
STUB = 2.54
POWER = {"GND": "power:GND", "+5V": "power:+5V", "+3V3": "power:+3V3"}


def build(project, parts=None):
    """Return the text of a project's schematic; parts: others than its own."""
    return Sheet(project, parts or project.parts()).text()


def uid(*names):
    """Return the UUID of a thing, always the same; the first name is the project's."""
    return Str(uuid.uuid5(uuid.NAMESPACE_URL, "roundhouse/" + "/".join(map(str, names))))


class Library:
    """Symbols of KiCad's own libraries, those that extend others made whole."""

    def __init__(self):
        self._files = {}
        self.used = {}

    def get(self, name):
        """Return a symbol by its name, `Device:R`, as it goes into a schematic."""
        if name not in self.used:
            library, symbol = name.split(":")
            found = self._whole(library, symbol)
            found[1] = Str(name)
            self.used[name] = found
        return self.used[name]

    def _whole(self, library, symbol):
        if library not in self._files:
            text = (SYMBOLS / (library + ".kicad_sym")).read_text()
            self._files[library] = {s[1]: s for s in find(sexp.loads(text), "symbol")}
        found = copy.deepcopy(self._files[library][symbol])
        extends = list(find(found, "extends"))
        if not extends:
            return found
        base = self._whole(library, extends[0][1])
        own = {p[1]: p for p in find(found, "property")}
        for i, part in enumerate(base):
            if isinstance(part, list) and part[0] == "property":
                base[i] = own.pop(part[1], part)
            elif isinstance(part, list) and part[0] == "symbol":
                part[1] = Str(part[1].replace(base[1], symbol, 1))
        base[1] = Str(symbol)
        return base


def _pins(symbol, unit):
    """Yield (number, x, y, angle, hidden) of a unit's pins; y up, angle towards the body."""
    for body in find(symbol, "symbol"):
        number = int(body[1].split("_")[-2])
        if number not in (0, unit):
            continue
        for pin in find(body, "pin"):
            at = one(pin, "at")
            hidden = ["hide", "yes"] in pin
            yield one(pin, "number")[1], *map(float, at[1:4]), hidden


class Sheet:
    """A sheet on its way: a project, its parts, and what is drawn of them."""

    def __init__(self, project, parts):
        self.project = project
        self.root = uid(project.name, "root")
        self.parts = parts
        self.library = Library()
        self.items = []
        self.ends = {}  # "U1.3" -> (x, y, outward angle)
        self.wired = set()
        self.power = 0

    def found(self):
        """Return {"U1.3": (x, y, angle)}: where all pins end, and which way they look."""
        for part in self.parts:
            self._find_ends(part)
        return self.ends

    def text(self):
        """Return the sheet as KiCad reads it."""
        for group in self.project.groups:
            self._group(**group)
        self.found()
        for net, ways in self.project.wires.items():
            self.wired |= self._wires(net, schematic_wires.Ways(ways, self.ends))
        for part in self.parts:
            self._part(part)
        sheet = [
            "kicad_sch",
            ["version", 20250114],
            ["generator", Str("eeschema")],
            ["generator_version", Str("9.0")],
            ["uuid", self.root],
            ["paper", Str(self.project.paper)],
            [
                "title_block",
                ["title", Str(self.project.title)],
                ["date", Str(self.project.date)],
                ["rev", Str(self.project.revision)],
                ["comment", 1, Str("Checked by tools, not yet built")],
                [
                    "comment",
                    2,
                    Str("Made by python -m hardware: change its circuit, not this file"),
                ],
            ],
            ["lib_symbols", *(self.library.used[k] for k in sorted(self.library.used))],
            *self.items,
            ["sheet_instances", ["path", Str("/"), ["page", Str("1")]]],
            ["embedded_fonts", "no"],
        ]
        return sexp.dumps(sheet) + "\n"

    def _find_ends(self, part):
        """Where a part's pins end, and which way they look."""
        for unit, x, y, angle, *mirrored in part.units:
            for number, px, py, turn, _ in _pins(self.library.get(part.symbol), unit):
                sx, sy = _turned(px, py, angle)
                out = (turn + 180 + angle) % 360
                if mirrored:
                    sx, out = -sx, (180 - out) % 360
                self.ends["%s.%s" % (part.ref, number)] = (x + sx, y - sy, out)

    def _wires(self, net, ways):
        """Draw the wires of a net; return the pins they lead to."""
        lines, dots = ways.drawn()
        for a, b in lines:
            self._wire(a, b)
        for x, y in dots:
            self.items.append(
                [
                    "junction",
                    ["at", x, y],
                    ["diameter", 0],
                    ["color", 0, 0, 0, 0],
                    ["uuid", uid(self.project.name, "junction", x, y)],
                ]
            )
        for x, y, out in ways.names:
            if net in POWER:
                self._symbol_power(POWER[net], net, x, y, out)
            else:
                self._label(net, x, y, out)
        for x, y in ways.flags:
            self._symbol_power("power:PWR_FLAG", "PWR_FLAG", x, y)
        return ways.pins

    def _group(self, title, box, reason=None, indents=(0, 0)):
        x, y, width, height = box
        key = ("group", title)
        self.items.append(
            [
                "rectangle",
                ["start", x, y],
                ["end", x + width, y + height],
                ["stroke", ["width", 0.15], ["type", "dash"]],
                ["fill", ["type", "none"]],
                ["uuid", uid(self.project.name, *key)],
            ]
        )
        self._text(title, x + 2.54 + indents[0], y + 4.5, 2.54, key, bold=True)
        if reason:
            lines = reason.count("\n") + 1
            left, top = x + 2.54 + indents[1], y + height - 1.27 - 2.2 * lines
            self._text(reason, left, top, 1.27, (*key, "reason"))

    def _text(self, text, x, y, size, key, bold=False):
        font = ["font", ["size", size, size]] + ([["bold", "yes"]] if bold else [])
        self.items.append(
            [
                "text",
                Str(text),
                ["exclude_from_sim", "no"],
                ["at", x, y, 0],
                ["effects", font, ["justify", "left", "top" if not bold else "bottom"]],
                ["uuid", uid(self.project.name, *key, "text")],
            ]
        )

    def _part(self, part):
        for unit, x, y, angle, *mirrored in part.units:
            self._symbol(part, unit, x, y, angle, mirrored)
            for number, *_, hidden in _pins(self.library.get(part.symbol), unit):
                name = "%s.%s" % (part.ref, number)
                if not hidden and name not in self.wired:
                    self._end(part, part.pins.get(int(number)), *self.ends[name], name)

    def _end(self, part, net, x, y, out, name):
        """What a pin is connected to: a stub with a label, a power symbol, or a cross."""
        if net is None:
            self.items.append(
                ["no_connect", ["at", x, y], ["uuid", uid(self.project.name, "nc", name)]]
            )
            return
        dx, dy = round(math.cos(math.radians(out))), -round(math.sin(math.radians(out)))
        stub = self._past_labels(part, x, y) if dx and net in POWER else STUB
        ex, ey = x + stub * dx, y + stub * dy
        self._wire((x, y), (ex, ey))
        if net in POWER:
            self._symbol_power(POWER[net], net, ex, ey, out)
        else:
            self._label(net, ex, ey, out)

    def _past_labels(self, part, x, y):
        """Return a stub that takes a power symbol past the labels of the pins beside it."""
        beside = 0
        for number, net in part.pins.items():
            name = "%s.%s" % (part.ref, number)
            px, py, _ = self.ends[name]
            near = abs(px - x) < 0.1 and abs(abs(py - y) - 2.54) < 0.1
            if near and name not in self.wired and net and net not in POWER:
                beside = max(beside, len(net))
        return STUB + 1.27 * beside

    def _label(self, net, x, y, out):
        justify = "right" if out in (180, 270) else "left"
        self.items.append(
            [
                "label",
                Str(net),
                ["at", x, y, out % 180],
                ["effects", ["font", ["size", 1.27, 1.27]], ["justify", justify, "bottom"]],
                ["uuid", uid(self.project.name, "label", net, x, y)],
            ]
        )

    def _wire(self, a, b):
        if a != b:
            self.items.append(
                [
                    "wire",
                    ["pts", ["xy", *a], ["xy", *b]],
                    ["stroke", ["width", 0], ["type", "default"]],
                    ["uuid", uid(self.project.name, "wire", *a, *b)],
                ]
            )

    def _symbol_power(self, name, value, x, y, out=None):
        """A power symbol at (x, y), pointing along `out` (up, GND down, where None)."""
        rest = 270 if value == "GND" else 90
        angle = 0 if out is None else (out - rest) % 360
        self.power += 1
        ref = ("#FLG%02d" if value == "PWR_FLAG" else "#PWR%03d") % self.power
        part = circuit.Part(ref, name, value, "", "", [], {})
        self._symbol(part, 1, x, y, angle)

    def _symbol(self, part, unit, x, y, angle, mirrored=()):
        symbol = self.library.get(part.symbol)
        own = {p[1]: p for p in find(symbol, "property")}
        off = "yes" if part.dnp else "no"
        item = [
            "symbol",
            ["lib_id", Str(part.symbol)],
            ["at", x, y, angle],
            *([["mirror", "y"]] if mirrored else []),
            ["unit", unit],
            ["exclude_from_sim", "no"],
            ["in_bom", "no" if not part.part else "yes"],
            ["on_board", "yes"],
            ["dnp", off],
            ["uuid", uid(self.project.name, "part", part.ref, unit)],
        ]
        texts = {
            "Reference": part.ref,
            "Value": part.value,
            "Footprint": part.footprint,
            "Datasheet": own["Datasheet"][2] if "Datasheet" in own else "",
            "Description": own["Description"][2] if "Description" in own else "",
        }
        if part.part:
            texts["Part"] = part.part
        for name, value in texts.items():
            item.append(self._property(name, value, own, (x, y, angle, bool(mirrored)), part))
        for number in sorted({pin[0] for pin in _pins(symbol, unit)}, key=lambda n: (len(n), n)):
            item.append(
                [
                    "pin",
                    Str(number),
                    ["uuid", uid(self.project.name, "pin", part.ref, unit, number)],
                ]
            )
        item.append(
            [
                "instances",
                [
                    "project",
                    Str(self.project.name),
                    ["path", Str("/" + self.root), ["reference", Str(part.ref)], ["unit", unit]],
                ],
            ]
        )
        self.items.append(item)

    def _property(self, name, value, own, where, part):
        x, y, angle, mirrored = where
        hidden = part.symbol.startswith("power:")
        at = [0.0, 0.0, 0.0]
        effects = ["effects", ["font", ["size", 1.27, 1.27]]]
        if name in own:
            at = [float(v) for v in one(own[name], "at")[1:4]]
            effects = [p for p in one(own[name], "effects") if p != ["hide", "yes"]]
        if hidden and name == "Value" and angle % 180:
            # beside a symbol that lies
            right = (angle == 90) == (part.value == "GND")
            # KiCad turns a text that would stand on its head, and its justification with it
            justify = ["justify", "left" if right == (angle != 90) else "right"]
            dx = 3.3 if right else -3.3
            return [
                "property",
                Str(name),
                Str(value),
                ["at", x + dx, y, 90],
                ["effects", ["font", ["size", 1.0, 1.0]], justify],
            ]
        beside = _beside(part, name, angle)
        if beside:
            dx, dy, turn, justify = beside
            effects = [*effects[:2], *([["justify", justify]] if justify else [])]
            place = ["at", x + (-dx if mirrored else dx), y + dy, turn]
        else:
            dx, dy = _turned(at[0], at[1], angle)
            place = ["at", x + (-dx if mirrored else dx), y - dy, at[2]]
        show = name == "Value" if hidden else name in ("Reference", "Value")
        if part.value == "PWR_FLAG" or part.symbol.endswith("TestPoint") and name == "Value":
            show = False
        if not show:
            effects = [*effects, ["hide", "yes"]]
        return ["property", Str(name), Str(value), [*place[:3], int(place[3])], effects]


GATES = ("74AHCT1G125", "74LVC1G125")
SMALL = ("R", "C", "D", "Q", "Polyfuse", *GATES)


def _beside(part, name, angle):
    """Return (dx, dy, angle, justification) of a small part's name and value, where they are not
    where its symbol has them: both above a part that lies, to the right of one that stands."""
    kind = part.symbol.split(":")[1].split("_")[0]
    if name not in ("Reference", "Value") or kind not in SMALL:
        return None
    step = -1 if name == "Reference" else 1
    if kind in GATES:  # its own are within the triangle
        return -3.81 + 6.35 * step, 7.62 * step, 0, "left"
    lies = angle in (90, 270)
    turn = 90 if lies else 0  # a field turns with its symbol
    if kind == "Q":
        return 0, -8.89 + 1.27 * step, turn, None
    if kind == "D":
        lies = not lies
    if lies:
        return 2.79 * step, -1.91 if kind in "RC" else -2.54, turn, None
    # KiCad turns what would stand on its head, and its justification with it
    return (
        3.81 if "Pol" in part.symbol else 2.54,
        1.27 * step,
        turn,
        "right" if angle == 90 else "left",
    )


def _turned(x, y, angle):
    for _ in range(int(angle) // 90):
        x, y = -y, x
    return x, y
