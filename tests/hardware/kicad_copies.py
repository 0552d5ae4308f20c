# SPDX-License-Identifier: MIT
"""Copies of the KiCad projects, for tests that damage them."""

import functools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware import s_expressions
from hardware.kicad_files import Board, Project

needs_kicad = pytest.mark.skipif(not shutil.which("kicad-cli"), reason="needs KiCad 9")


def edited(
    project: Project, folder: Path, kind: str, change: Callable[[s_expressions.Expression], object]
) -> Project:
    """Return a copy of a project in which `change` changed the parsed file with the suffix
    `kind`."""
    made = project.copy(folder)
    tree = s_expressions.loads(made.file(kind).read_text())
    change(tree)
    made.file(kind).write_text(s_expressions.dumps(tree))
    return made


@functools.cache
def _parts_alone(project: Project) -> str:
    tree = s_expressions.loads(project.file("kicad_pcb").read_text())
    copper = ("segment", "via", "zone")
    return s_expressions.dumps([item for item in tree if item[0] not in copper])


def with_parts(project: Project, change: Callable[[s_expressions.Expression], object]) -> Project:
    """Return a project whose board has no copper, and whose parsed board file `change` changed."""
    tree = s_expressions.loads(_parts_alone(project))
    change(tree)
    made = Project(project.name)
    made.board = Board(s_expressions.dumps(tree))
    return made


def remove(*refs: str) -> Callable[[s_expressions.Expression], None]:
    """Return a function that removes parts from a parsed board or schematic."""

    def change(tree: s_expressions.Expression) -> None:
        parts = [part(tree, ref) for ref in refs]
        tree[:] = [item for item in tree if not any(item is one for one in parts)]

    return change


def part(tree: s_expressions.Expression, ref: str) -> s_expressions.Expression:
    for item in (*s_expressions.find(tree, "footprint"), *s_expressions.find(tree, "symbol")):
        if ["property", "Reference", ref] in [p[:3] for p in s_expressions.find(item, "property")]:
            return item
    raise KeyError(ref)


def first(tree: s_expressions.Expression, head: str, *of: str) -> s_expressions.Expression:
    """Return the first list that begins with `head` and contains the strings `of`."""
    return next(
        item for item in s_expressions.find(tree, head) if all(word in str(item) for word in of)
    )
