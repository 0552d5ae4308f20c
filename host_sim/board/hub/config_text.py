# SPDX-License-Identifier: MIT
"""Reads the text of a config.py that assigns plain values, as the board's MicroPython reads it.
The text is not executed."""

import ast
import io
import re
import tokenize
import warnings
from typing import Any

PREFIXES = ("", "r", "u", "b", "rb", "br")  # of texts, on MicroPython
# a character by its name, which MicroPython does not know
NAMED = re.compile(r"(?<!\\)(?:\\\\)*\\N")


class Mistake(ValueError):
    """Raised for a text that MicroPython cannot read, or that does more than assign plain values;
    the message begins with the line's number."""


def values_of(text: str) -> dict[str, Any]:
    """Return {name: value} for the text of a config.py. Raises Mistake."""
    _check_characters(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes that mean nothing
            body = ast.parse(text).body
    except SyntaxError as error:
        raise Mistake("line %s: %s" % (error.lineno or 1, error.msg)) from None
    except (ValueError, RecursionError, MemoryError):
        raise Mistake("line 1: this is too long or too deeply nested") from None
    _check_tokens(text)
    found = {}
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        names = statement.targets if isinstance(statement, ast.Assign) else []
        if len(names) != 1 or not isinstance(names[0], ast.Name):
            raise Mistake("line %d: NAME = value" % statement.lineno)
        name = names[0].id
        assert isinstance(statement, ast.Assign)
        if name.startswith("__"):
            raise Mistake("line %d: there is no setting %s" % (statement.lineno, name))
        try:
            found[name] = ast.literal_eval(statement.value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            raise Mistake("line %d: %s = a plain value" % (statement.lineno, name)) from None
    return found


def _check_characters(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        for sign in line.removesuffix("\r"):
            if sign < " " and sign != "\t" or sign in "\x7f\ufeff" or "\ud800" <= sign <= "\udfff":
                raise Mistake("line %d: delete the hidden character U+%04X" % (number, ord(sign)))


def _check_tokens(text: str) -> None:
    """Raise Mistake for what CPython reads and MicroPython does not."""
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        where = token.start[0]
        if token.type == tokenize.STRING:
            prefix, quote, _ = re.split("(['\"])", token.string, maxsplit=1)
            if prefix not in PREFIXES:
                raise Mistake("line %d: %s%s cannot begin a text" % (where, prefix, quote))
            if not {"r", "b"} & set(prefix) and NAMED.search(token.string):
                raise Mistake("line %d: \\N in a text; type the letter itself" % where)
        elif token.type != tokenize.COMMENT and not token.string.isascii():
            raise Mistake("line %d: %s; type it in plain letters" % (where, token.string))
