# SPDX-License-Identifier: MIT
"""Checks the limits and rules in a KiCad project's files. All rules must be present, and each
limit at least the minimum of a cheap board maker. Violations silenced in KiCad's editors are
reported too."""

import json
from pathlib import Path

from hardware import s_expressions
from hardware.kicad_files import Project

LIMITS = {  # in the .kicad_pro, mm: a new project's of KiCad 9, or stricter
    "min_clearance": 0.2,
    "min_copper_edge_clearance": 0.5,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.25,
    "min_resolved_spokes": 2,
    "min_text_height": 0.8,
    "min_text_thickness": 0.08,
    "min_through_hole_diameter": 0.3,
    "min_track_width": 0.2,
    "min_via_annular_width": 0.1,
    "min_via_diameter": 0.6,
}
RULES = {  # in the .kicad_dru: (constraint, condition) -> mm at least
    ("track_width", "A.NetClass == 'Readers' && A.Type == 'Track'"): 0.6,
    ("track_width", "A.NetClass == 'Pixels' && A.Type == 'Track'"): 0.6,
    ("hole_size", ""): 0.3,
    ("annular_width", "A.Type == 'Pad'"): 0.2,
    ("edge_clearance", ""): 0.5,
}
CLASSES = {  # net -> its class, which the rules name
    "hub12": {"VSYS": "Readers", "3V3_READERS": "Readers"},
    "hub16": {"VSYS": "Readers", "3V3_READERS": "Readers"},
    "slot": {"+5V": "Pixels"},
}


def mistakes(project: Project) -> list[str]:
    """Return the mistakes in a KiCad project's settings, one line of text each: a limit or rule
    too low or missing, or a net not in its net class."""
    settings = json.loads(project.file("kicad_pro").read_text())
    limits = settings["board"]["design_settings"]["rules"]
    wrong = [
        "%s is %g, less than %g" % (name, limits.get(name, 0), least)
        for name, least in LIMITS.items()
        if limits.get(name, 0) < least
    ]
    rules = _rules(project.file("kicad_dru").read_text())
    wrong += [
        "no rule %s of at least %g mm for %s" % (kind, least, condition or "everything")
        for (kind, condition), least in RULES.items()
        if rules.get((kind, condition), 0) < least
    ]
    patterns = settings["net_settings"]["netclass_patterns"]
    of = {item["pattern"].lstrip("*/"): item["netclass"] for item in patterns}
    return wrong + [
        "%s is not in the net class %s" % (net, name)
        for net, name in CLASSES[project.name].items()
        if of.get(net) != name
    ]


def _rules(text: str) -> dict[tuple[str, str], float]:
    """Return {(constraint, condition): minimum in mm} from the text of a .kicad_dru file."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = {}
    for rule in s_expressions.find(s_expressions.loads("(%s)" % "\n".join(lines)), "rule"):
        condition = next((item[1] for item in s_expressions.find(rule, "condition")), "")
        for constraint in s_expressions.find(rule, "constraint"):
            for least in s_expressions.find(constraint, "min"):
                found[constraint[1], condition] = float(least[1].removesuffix("mm"))
    return found


def strict_copy(project: Project, folder: Path) -> Project:
    """Copy a project into a folder and return the copy. The copy has no settings of severities,
    exclusions or pin conflicts, so that KiCad's defaults apply."""
    copy = project.copy(folder)
    settings = json.loads(copy.file("kicad_pro").read_text())
    settings.pop("erc", None)
    for name in ("rule_severities", "drc_exclusions"):
        settings["board"]["design_settings"].pop(name, None)
    copy.file("kicad_pro").write_text(json.dumps(settings))
    return copy
