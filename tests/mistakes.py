# SPDX-License-Identifier: MIT
"""Reads mistakes.txt: mistyped input, and the answers to it."""

from pathlib import Path


def mistakes(section: str) -> list[tuple[str, ...]]:
    """Return [(typed text, words that the answer must contain), ...] from a section of
    mistakes.txt."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    _, _, rest = text.partition("\n[%s]" % section)
    rows = rest.partition("\n[")[0].splitlines()[1:]
    return [tuple(map(str.strip, row.split("  ->  "))) for row in rows if row[:1] not in ("", "#")]
