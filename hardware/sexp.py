# SPDX-License-Identifier: MIT
"""S-expressions as KiCad writes them: nested lists of atoms; `Str` is an atom in quotes."""

import re

_TOKEN = re.compile(r'\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


class Str(str):
    """An atom that stands in quotes."""


def loads(text):
    """Return the one expression in a text."""
    stack = [[]]
    for opened, closed, quoted, word in _TOKEN.findall(text):
        if opened:
            stack.append([])
        elif closed:
            done = stack.pop()
            stack[-1].append(done)
        elif word:
            stack[-1].append(word)
        else:
            stack[-1].append(Str(re.sub(r"\\(.)", r"\1", quoted)))
    return stack[0][0]


def dumps(item, depth=0):
    """Return the text of an expression: lists of atoms in one line, others indented."""
    if isinstance(item, Str):
        quoted = item.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return '"%s"' % quoted
    if isinstance(item, float):
        return ("%.4f" % item).rstrip("0").rstrip(".")
    if not isinstance(item, (list, tuple)):
        return str(item)
    text = "("
    broken = False
    for i, part in enumerate(item):
        if isinstance(part, (list, tuple)):
            broken = True
            text += "\n" + "\t" * (depth + 1) + dumps(part, depth + 1)
        else:
            text += (" " if i else "") + dumps(part, depth)
    return text + ("\n" + "\t" * depth if broken else "") + ")"


def find(item, *heads):
    """Yield the parts of an expression that begin with the first head, and so on down."""
    for part in item:
        if isinstance(part, list) and part and part[0] == heads[0]:
            if len(heads) == 1:
                yield part
            else:
                yield from find(part, *heads[1:])


def one(item, *heads):
    """Return the first such part."""
    return next(find(item, *heads))
