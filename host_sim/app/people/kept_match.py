# SPDX-License-Identifier: MIT
"""A saved match, as the list of matches and the statistics see it."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple, Protocol


class KeptMatch(NamedTuple):
    """A saved match, as shown in the list of matches.

    id: its folder's name
    names: {seat: name}
    set: the highest number on the tiles
    begun, played: when it was begun and last played, with the time zone
    winner: the seats that have won, or None
    """

    id: str
    names: dict[int, str]
    people: list[int]
    seats: list[int]
    house: str
    set: int
    begun: str
    played: str
    round: int
    phase: str
    totals: dict[int, float]
    winner: list[int] | None


class KeptMatches(Protocol):
    """The saved matches of a folder."""

    folder: Path

    def matches(self) -> list[KeptMatch]:
        """Return all matches; the most recently played match comes first."""

    def forget_names(self, seats_of: Callable[[dict[int, str]], Collection[int]]) -> None:
        """Take names out of all matches and lessons. Raises OSError if the folder cannot be
        written.

        seats_of: a function ({seat: name} of a match) that returns the seats that lose their names
        """

    def segments(self, id_: str) -> dict[int, bytes]:
        """Return {number: bytes} of the files of a match's journal. Raises KeyError if no match
        has this id."""
