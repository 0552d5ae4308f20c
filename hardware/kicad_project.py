# SPDX-License-Identifier: MIT
"""The files around schematic and board: net classes, rules, library tables."""

import json

from hardware import hub_layout, slot_layout

LAYOUTS = {"hub12": hub_layout, "slot": slot_layout}

RULES = """(version 1)
# Made by python -m hardware. Power paths by what they carry; a fab's cheapest class.
(rule "0.6 A to Pico and readers"
  (condition "A.NetClass == 'Readers' && A.Type == 'Track'")
  (constraint track_width (min 0.6mm)))
(rule "a slot's pixels"
  (condition "A.NetClass == 'Pixels' && A.Type == 'Track'")
  (constraint track_width (min 0.6mm)))
(rule "drills a cheap fab has" (constraint hole_size (min 0.3mm)))
(rule "rings a hand can solder"
  (condition "A.Type == 'Pad'")
  (constraint annular_width (min 0.2mm)))
(rule "away from the edge" (constraint edge_clearance (min 0.5mm)))
"""


def files(project):
    """Return {file name: text} beside a project's schematic and board."""
    parts, name = project.parts(), project.name
    symbols = sorted({p.symbol.split(":")[0] for p in parts} | {"power"})
    footprints = sorted({p.footprint.split(":")[0] for p in parts})
    return {
        name + ".kicad_pro": json.dumps(_project(name), indent=2) + "\n",
        name + ".kicad_dru": RULES,
        "sym-lib-table": _table("sym_lib_table", symbols, "${KICAD9_SYMBOL_DIR}/%s.kicad_sym"),
        "fp-lib-table": _table("fp_lib_table", footprints, "${KICAD9_FOOTPRINT_DIR}/%s.pretty"),
    }


def _table(head, names, uri):
    line = '  (lib (name "%s")(type "KiCad")(uri "%s")(options "")(descr ""))\n'
    return "(%s\n  (version 7)\n%s)\n" % (head, "".join(line % (n, uri % n) for n in names))


def _project(name):
    classes = []
    patterns = []
    for priority, (title, (width, clearance, nets)) in enumerate(LAYOUTS[name].CLASSES.items()):
        classes.append(
            {
                "name": title,
                "priority": 2147483647 if title == "Default" else priority,
                "clearance": clearance,
                "track_width": width,
                "via_diameter": 0.6,
                "via_drill": 0.3,
                "microvia_diameter": 0.3,
                "microvia_drill": 0.1,
                "diff_pair_gap": 0.25,
                "diff_pair_width": 0.2,
                "diff_pair_via_gap": 0.25,
                "bus_width": 12,
                "wire_width": 6,
                "line_style": 0,
                "pcb_color": "rgba(0, 0, 0, 0.000)",
                "schematic_color": "rgba(0, 0, 0, 0.000)",
            }
        )
        patterns += [{"netclass": title, "pattern": "*" + net} for net in nets]
    return {
        "board": {
            "design_settings": {
                "rules": {
                    "min_clearance": 0.2,
                    "min_track_width": 0.2,
                    "min_via_diameter": 0.6,
                }
            }
        },
        "meta": {"filename": name + ".kicad_pro", "version": 3},
        "net_settings": {
            "classes": classes,
            "netclass_patterns": patterns,
            "meta": {"version": 4},
        },
        "sheets": [["00000000-0000-0000-0000-000000000000", "Root"]],
    }
