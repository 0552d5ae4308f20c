# SPDX-License-Identifier: MIT
"""The choices in the form of a new match: houses, their variants as yes-or-no questions, and
sets."""

from collections.abc import Mapping
from typing import NamedTuple

from host_sim.app.views.i18n import Translator, entry
from host_sim.table.games import house_info, offered, tile_rules
from roundhouse import tiles
from roundhouse.games import houses

HOUSES = offered()  # in the order of the form
ROUNDS = "rounds"  # the option and its word, such as `rounds-6`
FIRST = "first"  # the word for another first engine, such as `first-9`
FREE_PLAY = ("score", "blank")  # options that matter where only real tiles are enforced


class HouseRow(NamedTuple):
    """A house that the form offers.

    house: its name on the console
    title: its name for people
    set: the highest number on the tiles of the default set
    players: {highest number on the tiles: (fewest players, most players)}
    """

    house: str
    title: str
    description: str
    sheet: str
    set: int
    players: dict[int, tuple[int, int]]


class QuestionRow(NamedTuple):
    """A yes-or-no question about a variant.

    word: the variant as typed on the console
    option: what the variant changes; at most one variant can be chosen for it
    """

    word: str
    option: str
    question: str
    now: bool


def house_rows(translator: Translator) -> list[HouseRow]:
    """Return a row for each house. Beside one whose sheet says something else in the translator's
    language, there is a row for the house with the variant that plays by it."""
    rows = []
    for house in HOUSES:
        index = houses.HOUSES.index(house)
        players = {set_: (2, house_info.most_seats(index, set_)) for set_ in tiles.SETS}
        description, sheet = (
            translator("houses.%s.%s" % (house, part)) for part in ("line", "sheet")
        )
        title, own_set = translator.title(house), house_info.own_set(index)
        row = HouseRow(house, title, description, sheet, own_set, players)
        rows.append(row)
        if variant := entry(translator.language, "beside.%s.variant" % house):
            said = translator("beside.%s.line" % house)
            rows.append(row._replace(house="%s %s" % (house, variant), description=said))
    return rows


def questions(translator: Translator, house: str) -> list[QuestionRow]:
    """Return a QuestionRow for each variant that would change how a house plays; "no" keeps the
    rule sheet's rule.

    house: as typed on the console, with the variants chosen so far
    """
    index, mask = houses.parse(house.split())
    options = tile_rules.options_of(index, 0)
    rows = []
    for bit, (word, change) in enumerate(houses.variants(index)):
        if len(change) == 2 and _means(house, word) and _changes(index, options, *change):
            now = bool(mask >> bit & 1)
            question = translator("variants.%s.question" % word)
            rows.append(QuestionRow(word, change[0], question, now))
    return rows


def is_fast(house: str, set_: int) -> bool:
    """Return whether a house's rule sheet describes a fast game with exactly this set."""
    fast = house_info.fast_game(houses.parse(house.split())[0])
    return bool(fast and fast[0] == set_)


def round_counts(house: str, set_: int) -> tuple[range, int | None]:
    """Return (counts, own): the counts of rounds to choose from, and the house's own count of
    rounds. `counts` is empty if the house has no variant for the count of rounds; `own` is None if
    the house sets no count.

    house: as typed on the console, with the variants chosen so far
    """
    index, variants = houses.parse(house.split())
    own = tile_rules.rounds_of(tile_rules.options_of(index, variants), set_)
    if (ROUNDS,) not in [change for _, change in houses.variants(index)]:
        return range(0), own
    (values,) = [values for option, _, values, _ in houses.options(index) if option == ROUNDS]
    fewest, most = map(int, values[-1].split(".."))
    return range(fewest, own or most + 1), own


def first_engines(house: str, set_: int) -> tuple[range, int | None]:
    """Return (numbers, own): the numbers of the doubles that can be the first round's engine, and
    the number of the house's own engine. `numbers` is empty and `own` is None in a house that
    prescribes no engine.

    house: as typed on the console, with the variants chosen so far
    """
    if not _means(house, FIRST + "-0"):
        return range(0), None
    options = tile_rules.options_of(*houses.parse(house.split()))
    return range(set_ + 1), tile_rules.first_engine(options, set_)


def _means(house: str, word: str) -> bool:
    """Return whether a variant word can be chosen in a house, besides those chosen so far."""
    try:
        houses.parse([*house.split(), word])
    except ValueError:
        return False
    return True


def _changes(index: int, options: Mapping[str, str], option: str, value: str) -> bool:
    """Return whether a house plays differently with this value of an option."""
    if options[option] == value:
        return False
    if options.get("enforce") == "tiles":
        return option in FREE_PLAY
    if option == "total":
        return options["join"] == "sum"
    if option == "hand":
        seats = range(2, 1 + house_info.most_seats(index, house_info.own_set(index)))
        sizes = [house_info.hand_size(index, house_info.own_set(index), n) for n in seats]
        return sizes != [5] * len(sizes)
    return True


def house_words(house: str, answers: Mapping[str, bool]) -> str:
    """Return a house with its chosen variants as typed on the console, like `jassshop no-lock`.

    answers: {variant: whether it is chosen}; of two variants that change the same option, the
        later one counts.
    """
    name, *words = house.split()
    index, _ = houses.parse([name])
    chosen = {}
    for bit, (word, change) in enumerate(houses.variants(index)):
        if answers.get(word):
            chosen[change[0]] = bit, word
        elif len(change) == 1:
            for one in words:
                if one.startswith(word[:-1]):
                    chosen[change[0]] = bit, one
    return " ".join([name, *(word for _, word in sorted(chosen.values()))])
