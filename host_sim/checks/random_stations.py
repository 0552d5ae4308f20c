# SPDX-License-Identifier: MIT
"""Table scripts on a board on which stations are missing at random: those that no line names."""

import random
import re

SLOTS = range(1, 11)
# a light runs the shorter way round the rim there is
OF_THE_RIM = re.compile(r"^\s*expect ran", re.MULTILINE)


def named(text):
    """Return the stations that a script's lines name, or may: whatever number stands in them."""
    text = re.sub("#.*|set [0-9]+", "", text)
    numbers = {int(word) for word in re.findall(r"\b\d+(?=[=\s])|\b\d+$", text)}
    for count in re.findall(r"^\s*players (\d+)\s*$", text, re.MULTILINE):
        numbers.update(range(1, int(count) + 1))
    return numbers.intersection(SLOTS)


def has_room(text, most=10):
    """Return whether a script plays as well where a station is missing."""
    if re.search(r"^\s*stations ", text, re.MULTILINE):
        return False  # it says itself which there are
    return not OF_THE_RIM.search(text) and len(named(text).intersection(range(1, most + 1))) < most


def stations(text, seed, most=10):
    """Return the stations that are there, ascending: all that the script names and some of the
    others, as the seed draws them; one is missing at least. None: it has no room.

    most: how many the board has.
    """
    if not has_room(text, most):
        return None
    chance = random.Random("%s %s" % (seed, text))
    there = named(text)
    free = sorted(set(range(1, most + 1)) - there)
    least = max(0, 2 - len(there))
    return tuple(sorted(there.union(chance.sample(free, chance.randint(least, len(free) - 1)))))
