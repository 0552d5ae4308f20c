# SPDX-License-Identifier: MIT
"""Evenings full of honest and dishonest players, judged by the referee beside the hub.

For every input the options that were looked at are asked again: had the answer been another with
another value? An option whose values never decided anything makes the soak fail.
"""

import collections
import concurrent.futures
import os
import random

from host_sim.checks.evening import VALUES, Evening
from host_sim.checks.hubs_under_test import FAMILY, BoardHub, CoreHub
from host_sim.people.honest import Disagreement
from roundhouse import tiles, words
from roundhouse.games import houses


def evenings(seed=1, long=False):
    """Return what to play: (hub, house, set, seats, rounds, seed) for every house and variant.

    Short: a whole match with double six and a round with another set. Long: every set with every
    number of seats, and three matches.
    """
    houses.families(FAMILY)
    chance = random.Random(seed)
    variants = [name for name, _ in houses.variants(0)]
    found = []
    for index, house in enumerate(houses.HOUSES):
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(2)]
        for variant in ["", "", "", *pairs] if house in FAMILY else ["", *variants, *pairs]:
            said = (house + " " + variant).strip()
            sizes = [
                (set_, n)
                for set_ in tiles.SETS
                for n in range(2, houses.most_seats(index, set_) + 1)
            ]
            if long:
                found += [(CoreHub, said, set_, n, 2) for set_, n in sizes]
            else:
                found.append((CoreHub, said, *chance.choice(sizes), 1))
            for n in (2, 3, 4) if long else chance.choices((3, 4)):
                found.append((CoreHub, said, 6, n, 8))
        found.append((BoardHub, house, 6, chance.randint(2, 4), 3 if long else 1))
    return [(*evening, chance.getrandbits(32)) for evening in found]


def play(evening):
    """Play one evening; return (what decided something, what was done, None or the story)."""
    kind, house, set_, n, rounds, seed = evening
    houses.families(FAMILY)
    seats = sorted(random.Random(seed).sample(range(1, 11), n))
    hub = kind(house, set_, seats, seed)
    match = Evening(hub, house, set_, seats, seed)
    story = None
    try:
        match.play(rounds)
        if kind is CoreHub:
            match.back_to_the_lobby()
    except Disagreement as error:
        story = "%s, set %d, seats %s:\n%s" % (house, set_, seats, error)
    match.done["inputs"] += sum(match.done[word] for word in words.VERDICTS)
    hub.close()
    return match.tally, match.done, story


def soak(seed, long, progress):
    """Play all evenings, several at a time; progress(played, of) is called after each.

    Returns (how many evenings, {(option, word): times it decided something}, {what was done:
    times}, the stories of the disagreements).
    """
    tally, done, stories = collections.Counter(), collections.Counter(), []
    todo = evenings(seed, long)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for n, (decided, did, story) in enumerate(pool.map(play, todo, chunksize=8), 1):
            tally.update(decided)
            done.update(did)
            if story:
                stories.append(story)
            progress(n, len(todo))
    return len(todo), tally, done, stories


def idle(tally):
    """Return the values of options that never decided anything."""
    return [
        "%s %s" % (option, word)
        for option, values in VALUES.items()
        for word in values
        if not tally[option, word]
    ]
