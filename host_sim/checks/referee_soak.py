# SPDX-License-Identifier: MIT
"""Evenings full of honest and dishonest players, judged by the referee beside the hub.

For every input the options that were looked at are asked again: had the answer been another with
another value? An option whose values never decided anything makes the soak fail. Beside the
sheets' houses there are some in which every two values of two options meet.
"""

import collections
import random

from host_sim.checks import line_soak_evening, option_pairs, worker_pool
from host_sim.checks.line_soak_evening import LineSoakEvening
from host_sim.checks.soak_evening import VALUES, SoakEvening
from host_sim.checks.soak_faults import FAMILY, BoardHub, CoreHub
from host_sim.games import house_info
from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.player_knowledge import Disagreement
from roundhouse import constants, tiles
from roundhouse.games import houses

# What is counted of options, by the kind of game: Mexican Train, and the line games.
TRAINS, LINES = "trains", "lines"
OPTIONS = {TRAINS: VALUES, LINES: line_sheets.VALUES}


def evenings(seed=1, long=False):
    """Return what to play: (hub, house, set, seats, stations, rounds, seed) for every house and
    variant of every game.
    """
    lines = [(CoreHub, *evening) for evening in line_soak_evening.evenings(seed, long)]
    chance = random.Random(seed)
    for house in line_sheets.HOUSES:
        n = chance.randint(2, line_sheets.most_seats(house, 6))
        lines.append((BoardHub, house, 6, n, 10, 3 if long else 1, chance.getrandbits(32)))
    return evenings_of_trains(seed, long) + lines + evenings_of_pairs(seed, long)


def matches(count, seed=1):
    """Return so many whole random matches of each line game, in the form of `evenings`."""
    return [(CoreHub, *match) for match in line_soak_evening.matches(count, seed)]


def evenings_of_trains(seed, long):
    """Return those of Mexican Train.

    Short: a whole match with double six and a round with another set. Long: every set with every
    number of seats, and three matches.
    """
    houses.families(FAMILY)
    chance = random.Random(seed)
    variants = [name for name, _ in houses.variants(0)]
    found = []
    for index, house in enumerate(houses.HOUSES):
        if house in line_sheets.HOUSES:
            continue
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(2)]
        for variant in ["", "", "", *pairs] if house in FAMILY else ["", *variants, *pairs]:
            said = (house + " " + variant).strip()
            sizes = [
                (set_, n)
                for set_ in tiles.SETS
                for n in range(2, house_info.most_seats(index, set_) + 1)
            ]
            if long:
                found += [(CoreHub, said, set_, n, 10, 2) for set_, n in sizes]
            else:
                found.append((CoreHub, said, *chance.choice(sizes), 10, 1))
            for n in (2, 3, 4) if long else chance.choices((3, 4)):
                found.append((CoreHub, said, 6, n, 10, 8))
        found.append((BoardHub, house, 6, chance.randint(2, 4), 10, 3 if long else 1))
    houses.families({})
    return [(*evening, chance.getrandbits(32)) for evening in found]


def evenings_of_pairs(seed, long):
    """Return those of houses in which every two values of two options meet. Long: with every
    set, and more rounds."""
    chance = random.Random(seed)
    found = []
    for name in (*option_pairs.trains(), *option_pairs.lines()):
        for n in (2, 3, 4) if long else chance.choices((2, 3, 4)):
            found.append((CoreHub, name, 6, n, 10, 8 if long else 3))
        for set_ in tiles.SETS[1:] if long else ():
            found.append((CoreHub, name, set_, chance.choice((3, 4)), 10, 3))
    return [(*evening, chance.getrandbits(32)) for evening in found]


def family(house):
    """Return the FAMILY of config.py in which a house is, or those of the soak's other houses."""
    pairs = option_pairs.trains() | option_pairs.lines()
    return {house: pairs[house]} if house in pairs else FAMILY


def play(evening):
    """Play one evening; return (what decided something, what was done, None or the story).

    What decided something is counted by (kind of game, option, word).
    """
    kind, house, set_, n, stations, rounds, seed = evening
    own = family(house)
    houses.families(own)
    line_sheets.OWN = {name: of for name, of in own.items() if of[0] in line_sheets.HOUSES}
    seats = sorted(random.Random(seed).sample(range(1, stations + 1), n))
    hub = kind(house, set_, seats, seed, stations=stations)
    sheet = line_sheets.sheet_of(house.split()[0])
    game = LINES if sheet in line_sheets.HOUSES else TRAINS
    evening_of = LineSoakEvening if game == LINES else SoakEvening
    match = evening_of(hub, house, set_, seats, seed, stations=stations)
    story = None
    try:
        match.play(rounds)
        if kind is not BoardHub:
            match.back_to_the_lobby()
    except Disagreement as error:
        story = "%s, set %d, seats %s:\n%s" % (house, set_, seats, error)
    finally:
        houses.families({})
        line_sheets.OWN = {}
    match.done["inputs"] += sum(match.done[word] for word in constants.VERDICTS)
    hub.close()
    tally = {(game, *said): times for said, times in match.tally.items()}
    return collections.Counter(tally), match.done, story


def soak(todo, progress):
    """Play all evenings of a list, several at a time; progress(played, of) is called after each.

    Returns ({(kind of game, option, word): times it decided something}, {what was done: times},
    the stories of the disagreements).
    """
    tally, done, stories = collections.Counter(), collections.Counter(), []
    with worker_pool.pool() as pool:
        for n, (decided, did, story) in enumerate(pool.map(play, todo, chunksize=8), 1):
            tally.update(decided)
            done.update(did)
            if story:
                stories.append(story)
            progress(n, len(todo))
    return tally, done, stories


def idle(tally):
    """Return the values of options that never decided anything."""
    return [
        "%s %s" % (option, word)
        for game, options in OPTIONS.items()
        for option, values in options.items()
        for word in values
        if not tally[game, option, word]
    ]
