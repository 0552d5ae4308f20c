# SPDX-License-Identifier: MIT
"""Chooses random stations to leave out of a table script. Their numbers do not occur in the
script."""

import random
import re

from roundhouse.constants import USUAL_STATIONS

MOST = USUAL_STATIONS
# with fewer stations a light may run the other way round the rim
OF_THE_RIM = re.compile(r"^\s*expect ran", re.MULTILINE)


def named(text: str) -> set[int]:
    """Return the stations that a script may use: all station numbers in its lines."""
    text = re.sub("#.*|set [0-9]+", "", text)
    numbers = {int(word) for word in re.findall(r"\b\d+(?=[=\s])|\b\d+$", text)}
    for count in re.findall(r"^\s*players (\d+)\s*$", text, re.MULTILINE):
        numbers.update(range(1, int(count) + 1))
    return numbers.intersection(range(1, MOST + 1))


def has_room(text: str, most: int = MOST) -> bool:
    """Return whether a script can be played with a station missing, on a board with `most`
    stations."""
    if re.search(r"^\s*stations ", text, re.MULTILINE):
        return False  # it names its stations itself
    return not OF_THE_RIM.search(text) and len(named(text).intersection(range(1, most + 1))) < most


def stations(text: str, seed: object, most: int = MOST) -> tuple[int, ...] | None:
    """Return the stations of a board in ascending order: all that the script uses and, at random,
    some but not all of the others. Return None if no station may be left out.

    most: the count of stations of a complete board
    """
    if not has_room(text, most):
        return None
    chance = random.Random("%s %s" % (seed, text))
    there = named(text)
    free = sorted(set(range(1, most + 1)) - there)
    least = max(0, 2 - len(there))
    return tuple(sorted(there.union(chance.sample(free, chance.randint(least, len(free) - 1)))))
