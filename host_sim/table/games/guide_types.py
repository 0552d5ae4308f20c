# SPDX-License-Identifier: MIT
"""Types used by the code of a game's guide: the sentences of a language, and a house."""

from collections.abc import Mapping
from typing import Protocol

Tile = tuple[int, int]
Letter = tuple[int, str]  # a lamp of lamp_letters.py, and its letter
Case = tuple[str, str]  # keys of the sentences about a problem and its remedy


class Translate(Protocol):
    """The sentences of one language, each found by its key."""

    def __call__(self, key: str, **values: object) -> str:
        """Return the sentence with this key, its {placeholders} replaced by `values`."""

    def has(self, key: str) -> bool:
        """Return whether there is a sentence with this key."""


class House(Protocol):
    """The house for which a guide is written: its rule sheet, its domino set and its options."""

    @property
    def sheet(self) -> str:
        """The name of the rule sheet on which the house is based."""

    @property
    def set(self) -> int:
        """The highest number on the tiles of the house's set, such as 12."""

    @property
    def fast(self) -> tuple[int, int] | None:
        """The fast game that the rule sheet describes, as (highest number, most players), or
        None."""

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """How a user-made house differs from the rule sheet on which it is based: [(option, value,
        word), ...]. `word` is the variant word that sets this value, or "" if there is no such
        word."""

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every option in the house: {option: word}."""
