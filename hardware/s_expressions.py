# SPDX-License-Identifier: MIT
"""Reads and writes KiCad's S-expressions as nested lists of atoms. A `Str` is an atom in
quotes."""

import re
from collections.abc import Iterator
from typing import Any

Expression = list[Any]  # of str and Expression
_TOKEN = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|[^\s()"]+')


class Str(str):
    """An atom in quotes in an S-expression."""


def loads(text: str) -> Expression:
    stack: list[Expression] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif token[0] == '"':
            quoted = token[1:-1]
            stack[-1].append(Str(re.sub(r"\\(.)", r"\1", quoted) if "\\" in quoted else quoted))
        else:
            stack[-1].append(token)
    tree: Expression = stack[0][0]
    return tree


def dumps(item: Any) -> str:
    if isinstance(item, list):
        return "(%s)\n" % " ".join(map(dumps, item))
    if isinstance(item, Str):
        return '"%s"' % item.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return str(item)


def find(item: Expression, *heads: str) -> Iterator[Expression]:
    """Yield the lists at the end of a path: find(board, "footprint", "pad") yields each `(pad
    ...)` of each `(footprint ...)`."""
    for part in item:
        if isinstance(part, list) and part and part[0] == heads[0]:
            if len(heads) == 1:
                yield part
            else:
                yield from find(part, *heads[1:])


def one(item: Expression, *heads: str) -> Expression:
    """Return the first list that `find` yields. Raise StopIteration if it yields none."""
    return next(find(item, *heads))


def numbers(item: Expression, *heads: str) -> list[float]:
    """Return the numbers in the first list that `find` yields: [67.9, 64.8] for `(at 67.9
    64.8)`."""
    return [float(atom) for atom in one(item, *heads)[1:]]
