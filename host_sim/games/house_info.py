# SPDX-License-Identifier: MIT
"""What a house's rule sheet says before anybody sits down, as people read it: a number of
houses.HOUSES is a house."""

from roundhouse import games, report
from roundhouse.games import between_rounds, houses
from roundhouse.games.match import Match


def game(house):
    """Return the name of the game a house plays, `mexican-train` or `matador`."""
    return report.game(Match(house))


def sheet(house):
    """Return the name of the rule sheet a house comes from: its own, or its base's."""
    game, place, _ = houses.place(house)
    return games.sheets(game).HOUSES[place]


def own_set(house):
    """Return the set a house is played with where nobody chooses one: 12, or its own."""
    return Match(house).set


def most_seats(house, set_):
    """Return how many seats a house allows with a set: 4..10."""
    return between_rounds.most_seats(Match(house), set_)


def hand_size(house, set_, seats):
    """Return the tiles dealt to each of 2..10 seats, variants apart."""
    return houses.dealt(games.sheets(houses.place(house)[0]), sheet(house), set_, seats)


def in_words(house, values):
    """Return a preset's values as [(option, word), ...]."""
    return houses.words_of(houses.place(house)[0], values)
