# SPDX-License-Identifier: MIT
"""Choosing a house and its variants by plain questions, and a set by who is to play."""

import collections

from host_sim.games import house_info, offered, player_knowledge
from roundhouse import tiles
from roundhouse.games import houses

ORDER = offered()  # the games as they are offered
# What matters where nothing but real tiles is enforced.
OF_FREE = ("score", "blank")

# house: its word; sheet: whose rules these are; set: its own, where nobody chooses; players:
# {set: (least, most)}.
HouseRow = collections.namedtuple("HouseRow", "house title description sheet set players")
# word: the variant's; option: of two with the same one only one can be yes; now: whether it is.
QuestionRow = collections.namedtuple("QuestionRow", "word option question now")


def games(translator):
    """Return a HouseRow for each of ORDER."""
    rows = []
    for house in ORDER:
        index = houses.HOUSES.index(house)
        players = {set_: (2, house_info.most_seats(index, set_)) for set_ in tiles.SETS}
        texts = [translator("houses.%s.%s" % (house, part)) for part in ("line", "sheet")]
        rows.append(
            HouseRow(house, translator.title(house), *texts, house_info.own_set(index), players)
        )
    return rows


def questions(translator, house):
    """Return a QuestionRow for each variant that changes something at a house; house: in words,
    the variants that are chosen already with it. What the sheet says is always no."""
    index, mask = houses.parse(house.split())
    options = player_knowledge.options_of(index, 0)
    rows = []
    for bit, (word, (option, value)) in enumerate(houses.variants(index)):
        if _changes(index, options, option, value):
            now = bool(mask >> bit & 1)
            rows.append(QuestionRow(word, option, translator("variants.%s.question" % word), now))
    return rows


def _changes(index, options, option, value):
    """Return whether a house plays differently with another value of an option."""
    if options[option] == value:
        return False
    if options.get("enforce") == "tiles":
        return option in OF_FREE
    if option == "total":
        return options["join"] == "sum"
    if option == "hand":
        seats = range(2, 1 + house_info.most_seats(index, house_info.own_set(index)))
        sizes = [house_info.hand_size(index, house_info.own_set(index), n) for n in seats]
        return sizes != [5] * len(sizes)
    return True


def words(house, answers):
    """Return a house in words, `jassshop no-lock`; answers: {variant word: bool}. Of two that
    answer the same question differently the later one counts."""
    index, _ = houses.parse(house.split()[:1])
    chosen = {}
    for word, (option, _) in houses.variants(index):
        if answers.get(word):
            chosen[option] = word
    known = [word for word, _ in houses.variants(index)]
    return " ".join([house.split()[0], *sorted(chosen.values(), key=known.index)])
