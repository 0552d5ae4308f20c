# SPDX-License-Identifier: MIT
"""The soak test: honest and dishonest players play matches in every house, judged by the referee.

After every input, it tries different values of each option that the referee looked up. It fails if
an option value never decides anything. It plays the houses of the rule sheets, and houses that
cover every pair of option values (see option_pairs).
"""

import collections
import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from host_sim.lab import option_pairs
from host_sim.lab.hub_adapters import FAMILY, BoardHub, CoreHub
from host_sim.lab.refereed_evening import Evening, Hub
from host_sim.lab.soak_runner import Played
from host_sim.table.games import are_trains, house_info
from host_sim.table.games.line_games import sheets as line_sheets
from host_sim.table.games.mexican_train import referee as mexican_train
from host_sim.table.games.tile_rules import Disagreement
from roundhouse import constants, tiles
from roundhouse.constants import USUAL_STATIONS
from roundhouse.games import houses

# What is counted of options, by the kind of game: Mexican Train, and the line games.
TRAINS, LINES = "trains", "lines"
OPTIONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    TRAINS: mexican_train.VALUES,
    LINES: line_sheets.VALUES,
}
STATIONS = USUAL_STATIONS
ALL_ROUNDS = 99  # more than any match has


class Planned(NamedTuple):
    """The parameters of one random match to play: its house, set, seats and number of rounds."""

    hub: Callable[..., Hub]
    house: str  # its words
    set: int
    seats: int  # how many
    stations: int  # of the board
    rounds: int
    seed: int


@functools.cache
def evenings(seed: int = 1, long: bool = False) -> tuple[Planned, ...]:
    """Return the random matches to play against the referee, in every house and variant, and in
    the houses of option_pairs.

    long: whether to include every set and count of seats, and to play more rounds
    """
    lines = evenings_of_lines(seed, long)
    chance = random.Random(seed)
    for house in line_sheets.HOUSES:
        n = chance.randint(2, line_sheets.most_seats(house, 6))
        rounds = 3 if long else 1
        lines.append(Planned(BoardHub, house, 6, n, STATIONS, rounds, chance.getrandbits(32)))
    return (*evenings_of_trains(seed, long), *lines, *evenings_of_pairs(seed, long))


def matches(count: int, seed: int = 1) -> list[Planned]:
    """Return `count` whole matches of each line game, with random sets and counts of seats."""
    chance = random.Random(seed)
    found = []
    for house in line_sheets.HOUSES:
        for _ in range(count):
            set_ = chance.choice((6, 6, 9, 12))
            n = chance.randint(2, line_sheets.most_seats(house, set_))
            stations = chance.choice([STATIONS, STATIONS, max(4, n)])
            seed = chance.getrandbits(32)
            found.append(Planned(CoreHub, house, set_, n, stations, ALL_ROUNDS, seed))
    return found


def tables(count: int, seats: Sequence[int], seed: int = 1) -> list[Planned]:
    """Return `count` rounds of Mexican Train in random houses and sets, by one of these counts of
    seats. Where the house seats fewer, it gets a deal of the table's own."""
    chance = random.Random(seed)
    own = list(option_pairs.trains())
    sheets = [house for house in houses.HOUSES if house not in line_sheets.HOUSES]
    found: list[Planned] = []
    while len(found) < count:
        n, set_ = chance.choice(seats), chance.choice(tiles.SETS)
        house = chance.choice((chance.choice(sheets), chance.choice(own)))
        houses.set_family(family(house) if house in own else {})
        index, words = houses.HOUSES.index(house), [house]
        if house in sheets:
            words += chance.sample(house_info.variant_words(index), chance.randint(0, 2))
        try:
            _, chosen = houses.parse(words)
            if n > house_info.most_seats(index, set_, chosen):
                most = max(1, tiles.size(set_) // n)
                hands = [str(chance.randint(1, most)) for _ in range(chance.randint(1, n - 1))]
                words = [word for word in words if not word.startswith("deal-")]
                words.append("deal-" + "-".join(hands))
                houses.parse(words)
        except ValueError:  # these variants exclude each other
            continue
        if mexican_train.Referee(" ".join(words), set_, range(1, n + 1)).may_deal():
            at = " ".join(words), set_, n, house_info.stations(n), 1, chance.getrandbits(32)
            found.append(Planned(CoreHub, *at))
    houses.set_family({})
    return found


def evenings_of_trains(seed: int, long: bool) -> list[Planned]:
    """Return the matches of Mexican Train to play.

    For each house and variant: one match with the double-six set, and one round with a random set.
    If `long`: three matches with the double-six set, and two rounds with every set and count of
    seats.
    """
    houses.set_family(FAMILY)
    chance = random.Random(seed)
    found: list[tuple[Any, ...]] = []
    for index, house in enumerate(houses.HOUSES):
        if house in line_sheets.HOUSES:
            continue
        variants = house_info.variant_words(index)
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(2)]
        for variant in ["", "", "", *pairs] if house in FAMILY else ["", *variants, *pairs]:
            words = (house + " " + variant).strip()
            _, chosen = houses.parse(words.split())
            sizes = [
                (set_, n)
                for set_ in tiles.SETS
                for n in range(2, house_info.most_seats(index, set_, chosen) + 1)
                if mexican_train.Referee(words, set_, range(1, n + 1)).may_deal()
            ]
            if long:
                found += [
                    (CoreHub, words, set_, n, house_info.stations(n), 2) for set_, n in sizes
                ]
            else:
                set_, n = chance.choice(sizes)
                found.append((CoreHub, words, set_, n, house_info.stations(n), 1))
            for n in (2, 3, 4) if long else chance.choices((3, 4)):
                found.append((CoreHub, words, 6, n, STATIONS, 8))
        found.append((BoardHub, house, 6, chance.randint(2, 4), STATIONS, 3 if long else 1))
    houses.set_family({})
    return [Planned._make((*evening, chance.getrandbits(32))) for evening in found]


def evenings_of_lines(seed: int, long: bool) -> list[Planned]:
    """Return the matches of the line games to play: every house and variant once; if long, with
    every set and count of seats."""
    chance = random.Random(seed)
    variants = list(line_sheets.VARIANTS)
    found: list[tuple[Any, ...]] = []
    for house in line_sheets.HOUSES:
        pairs = [" ".join(chance.sample(variants, 2)) for _ in range(3)]
        for variant in ["", "", *variants, *pairs]:
            words = (house + " " + variant).strip()
            sizes = [
                (set_, n)
                for set_ in line_sheets.SETS
                for n in range(2, line_sheets.most_seats(house, set_) + 1)
            ]
            for set_, n in sizes if long else [chance.choice(sizes)]:
                stations = chance.choice([STATIONS, STATIONS, max(4, n)])
                found.append((words, set_, n, stations, 12 if set_ == 6 else 2))
    for variant in ("tie-shared", "tie-each"):  # what is rare needs more rounds
        found += [("block to-200 " + variant, 6, 4, STATIONS, 30)] * 4
    for words in ("draw blank-25", "draw blank-50", "classic to-61"):
        found += [(words, 6, 4, STATIONS, 12)] * 3
    found.append(("matador ten", 12, 3, STATIONS, 6))
    found += [("matador", 6, n, STATIONS, 12) for n in (4, 3)]
    return [Planned._make((CoreHub, *evening, chance.getrandbits(32))) for evening in found]


def evenings_of_pairs(seed: int, long: bool) -> list[Planned]:
    """Return the matches to play in the houses of option_pairs. long: whether to include every set
    and play more rounds."""
    chance = random.Random(seed)
    found: list[tuple[Any, ...]] = []
    for name in (*option_pairs.trains(), *option_pairs.lines()):
        for n in (2, 3, 4) if long else chance.choices((2, 3, 4)):
            found.append((CoreHub, name, 6, n, STATIONS, 8 if long else 3))
        for set_ in tiles.SETS[1:] if long else ():
            found.append((CoreHub, name, set_, chance.choice((3, 4)), STATIONS, 3))
    return [Planned._make((*evening, chance.getrandbits(32))) for evening in found]


def family(house: str) -> option_pairs.Family:
    """Return the setting FAMILY of config.py for playing a house. It contains only this house if
    option_pairs made the house; otherwise it is hub_adapters.FAMILY."""
    pairs = option_pairs.trains() | option_pairs.lines()
    return {house: pairs[house]} if house in pairs else FAMILY


def play(evening: Planned) -> Played:
    """Play one random match against the referee; return the result, a Played.

    The attribute `done` of a Played counts what happened. Here it also counts, under the key
    (game, option, value), how often this value decided a result. The game is TRAINS or LINES.
    """
    own = family(evening.house.split()[0])
    houses.set_family(own)
    line_sheets.OWN = {name: of for name, of in own.items() if of[0] in line_sheets.HOUSES}
    board = range(1, evening.stations + 1)
    seats = sorted(random.Random(evening.seed).sample(board, evening.seats))
    of_match = evening.house, evening.set, seats, evening.seed
    hub = evening.hub(*of_match, stations=evening.stations)
    match = Evening(hub, *of_match, stations=evening.stations)
    game = TRAINS if are_trains(house_info.game(houses.parse(evening.house.split())[0])) else LINES
    story = None
    try:
        match.play(evening.rounds)
        if evening.hub is not BoardHub:
            match.back_to_the_lobby()
    except Disagreement as error:
        story = "%s, set %d, seats %s:\n%s" % (evening.house, evening.set, seats, error)
    finally:
        houses.set_family({})
        line_sheets.OWN = {}
    match.done["inputs"] += sum(match.done[word] for word in constants.VERDICTS)
    hub.close()
    done: collections.Counter[Any] = collections.Counter(match.done)
    done.update({(game, *of): times for of, times in match.tally.items()})
    return Played(done, story)


def idle(done: Mapping[Any, int]) -> list[str]:
    """Return the option values that never decided a result.

    done: {what happened: how often} in all matches, with keys (game, option, value)
    """
    return [
        "%s %s" % (option, word)
        for game, options in OPTIONS.items()
        for option, values in options.items()
        for word in values
        if not done[game, option, word]
    ]
