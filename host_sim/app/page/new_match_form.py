# SPDX-License-Identifier: MIT
"""The form of a new match: who plays, which game, how long; everything else is under "more"."""

import math
from collections.abc import Container, Mapping
from typing import Any

import htpy as h

from host_sim.app.page.elements import (
    button,
    button_row,
    close_button,
    form_error,
    known_people,
    name_input,
    select,
)
from host_sim.app.page.viewer import Viewer
from host_sim.app.people import durations, house_options, own_sheets
from host_sim.app.people.own_sheets import OwnSheet
from host_sim.app.players.bot_levels import STRENGTHS
from host_sim.app.views.i18n import Translator
from host_sim.app.views.table_names import bot_names
from host_sim.table.games import tile_rules
from host_sim.table.player_names import clean_name
from roundhouse.games import houses

DEFAULTS = {"house": "puremco", "players": "4", "here": "1", "strength": "good"}
FIRST = ("puremco", "classic", "draw", "block", "matador", "tiddle-a-wink")  # offered first
OTHER_SHEETS = tuple(house for house in house_options.HOUSES if house not in FIRST)
NO_SHEETS: Mapping[str, OwnSheet] = {}
ONE, EVENING, ALL = "1", "evening", ""  # values of the field `rounds`, beside other numbers


class Choice:
    """The choices made in the form. A default replaces each missing or impossible choice.

    game: the chosen HouseRow
    set: the highest number on the tiles
    players: the count of players
    counts: the possible counts of players
    here: how many players share this screen
    house: the house's name and the words of the chosen variants
    full: the house's own count of rounds, None if it has none; in a game that is played for
        points, the usual count
    target: the points that end the match, or ""
    round_s: how many seconds a round takes, or None if that is not known
    evening: how many rounds fit into an evening; 0 if an evening cannot be chosen
    other_counts: more counts of rounds to choose from, beside one, an evening and all
    first_engines: (the numbers of the first engines to choose from, the number of the house's own
        first engine or None)
    is_fast: whether the rule sheet describes a fast game with the chosen set
    how_long: the chosen value of the field `rounds`
    rounds: the chosen count of rounds; 0 for as many as the house says
    stops_after: `rounds`, if the house has no word for it and people have to stop by themselves
    first: the chosen first engine's number; -1 for the house's own
    open_hands: whether everybody sees all hands
    own: the chosen rule sheet if it is user-made, else None
    """

    def __init__(
        self,
        translate: Translator,
        fields: dict[str, str],
        own: Mapping[str, OwnSheet] = NO_SHEETS,
    ) -> None:
        self.fields = {**DEFAULTS, **fields}
        self.games = [*own_sheets.rows(translate, own), *house_options.house_rows(translate)]
        chosen = [row for row in self.games if row.house == self.fields["house"]]
        self.game = (chosen or self.games[len(own) :])[0]
        self.own = own.get(self.game.house)
        self.set = number(self.fields.get("set"), self.game.players, self.game.set)
        fewest, most = self.game.players[self.set]
        self.counts = range(fewest, most + 1)
        self.is_fast = not self.own and house_options.is_fast(self.game.house, self.set)
        self.players = number(self.fields["players"], self.counts, min(4, most))
        self.here = number(self.fields["here"], range(self.players + 1), 1)
        # a browser does not send unticked boxes: only a form that asked about this house counts
        is_asked = self.fields.get("asked") == self.game.house
        ticked = [key[5:] for key in self.fields if is_asked and key.startswith("rule-")]
        self.house, self.questions = self.game.house, []
        if not self.own:
            for _ in range(2):  # one answer may bring up another question
                rows = house_options.questions(translate, self.house)
                self.house = house_options.house_words(
                    self.house,
                    {row.word: row.word in ticked if is_asked else row.now for row in rows},
                )
            self.questions = house_options.questions(translate, self.house)
        none: tuple[range, int | None] = range(0), None
        self.first_engines = none
        if not self.own:  # a sheet that the users made has its own first engine
            self.first_engines = house_options.first_engines(self.house, self.set)
        self.first = number(self.fields.get("first"), self.first_engines[0], -1)
        if self.first not in (-1, self.first_engines[1]):
            self.house += " %s-%d" % (house_options.FIRST, self.first)
        self.open_hands = "open" in self.fields  # a browser sends only a ticked box
        self._set_how_long()
        if self.rounds and not self.stops_after:
            self.house += " %s-%d" % (house_options.ROUNDS, self.rounds)
        strength = self.fields["strength"]
        self.strength = strength if strength in STRENGTHS else DEFAULTS["strength"]

    def _set_how_long(self) -> None:
        """Set what depends on the length of the match, from `full` to `stops_after`."""
        sheet = self.own.base if self.own else self.game.house.split()[0]
        with own_sheets.known(self.own.family if self.own else {}):
            counts, self.full = house_options.round_counts(self.house, self.set)
            options = tile_rules.options_of(*houses.parse(self.house.split()))
        self.target = options.get("target", "")
        if self.target:
            self.full = durations.match_rounds(sheet, self.set, self.players)
        self.round_s = durations.round_s(sheet, self.set, self.players)
        fitting = durations.evening_rounds(self.round_s) if self.round_s else 0
        self.evening = fitting if 1 < fitting < (self.full or math.inf) else 0
        if self.evening and counts:
            self.evening = min(self.evening, counts[-1])
        self.other_counts = counts[1:]
        wanted = self.fields.get("rounds", ALL)
        if wanted == EVENING and fitting == 1:
            wanted = ONE
        self.how_long = wanted if wanted in self.lengths() else ALL
        self.rounds = self.evening if self.how_long == EVENING else int(self.how_long or 0)
        self.stops_after = 0 if counts else self.rounds

    def lengths(self) -> list[str]:
        """Return the values of the field `rounds` that can be chosen."""
        one = [ONE] if self.full != 1 else []
        evening = [EVENING] if self.evening else []
        return [*one, *evening, ALL, *map(str, self.other_counts)]

    def typed_name(self, seat: int) -> str:
        return clean_name(self.fields.get("name%d" % seat)) or ""

    def people(self) -> dict[int, str]:
        """Return {seat: name} of the typed names."""
        people = {seat: self.typed_name(seat) for seat in range(1, self.here + 1)}
        return {seat: name for seat, name in people.items() if name}

    def names(self) -> dict[int, str]:
        """Return {seat: name}: the typed names of people, and other first names for the bots."""
        people = self.people()
        bots = range(self.here + 1, self.players + 1)
        return people | bot_names(bots, people.values())


def form(viewer: Viewer, hub_button: h.Node = None) -> h.Node:
    """Return the form, where each choice decides which questions follow."""
    fields = {"rounds": EVENING, **viewer.dialog.form}
    choice = Choice(viewer.translate, fields, kept_sheets(viewer))
    play = viewer.translate("page.play")
    return h.form(data_do="start", data_change="choose")[
        close_button(viewer) if viewer.table.kind != "empty" else None,
        h.h1[summary(viewer.translate, choice)],
        h.div(".foot.first")[h.button(".main", autofocus=True)[play]],
        h.div(".ways")[
            button(viewer.translate("page.learn"), "learn", "link"),
            button(viewer.translate("page.matches"), "open matches", "link"),
            button(viewer.translate("own_sheet.which"), "open own", "link"),
            hub_button,
        ],
        players(viewer, choice),
        games(viewer, choice),
        how_long(viewer, choice),
        more(viewer, choice),
        button_row(h.button(".main")[play]),
    ]


def summary(translate: Translator, choice: Choice) -> str:
    """Return what "Play" will begin, such as `4 players · double 12 · one round`."""
    return " · ".join(
        [
            translate("page.players_count", count=choice.players),
            translate("page.double", number=choice.set),
            length_text(translate, choice, choice.how_long),
        ]
    )


def length_text(translate: Translator, choice: Choice, length: str) -> str:
    """Return the text of a value of the field `rounds`, with the time it takes if that is
    known."""
    if length == EVENING:
        return translate("page.an_evening")
    rounds = choice.full if length == ALL else int(length)
    if length == ALL and choice.target:
        text = translate("page.until_points", points=choice.target)
    elif not rounds:
        text = translate("page.rounds_free")
    else:
        text = translate("page.all_rounds" if length == ALL else "page.some_rounds", count=rounds)
    if not rounds or not choice.round_s:
        return text
    return translate("page.takes", what=text, time=time_text(translate, rounds * choice.round_s))


def time_text(translate: Translator, seconds: int) -> str:
    """Return a duration in quarters of an hour as text, such as `45 minutes` or `1½ hours`."""
    hours, minutes = divmod(15 * durations.quarters(seconds), 60)
    if not hours:
        return translate("page.minutes", count=minutes)
    return translate("page.hours_%d" % minutes if minutes else "page.hours", count=hours)


def kept_sheets(viewer: Viewer) -> dict[str, OwnSheet]:
    """Return {name: sheet} for the user-made rule sheets; {} if they cannot be stored."""
    return viewer.app.own_sheets.sheets() if viewer.app.own_sheets else {}


def games(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the list of games to choose from, each with a description and its rule sheet's name.
    The houses in OTHER_SHEETS come last, in a part that opens on a click."""
    others = [row for row in choice.games if row.house.split()[0] in OTHER_SHEETS]
    first = [row for row in choice.games if row not in others]
    first.sort(key=lambda row: FIRST.index(row.house) if row.house in FIRST else -1)
    return h.fieldset(".games")[
        h.legend[viewer.translate("page.which_game")],
        [game(choice, row) for row in first],
        h.details("#other-sheets", open=choice.game in others)[
            h.summary[viewer.translate("page.other_sheets")],
            [game(choice, row) for row in others],
        ],
    ]


def game(choice: Choice, row: house_options.HouseRow) -> h.Node:
    """Return one game of the list."""
    return h.label(class_="on" if row is choice.game else None)[
        h.input(type="radio", name="house", value=row.house, checked=row is choice.game),
        h.b[row.title],
        h.span[row.description],
        h.small[row.sheet],
    ]


def players(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the questions about players: their count, how many share this screen, and their
    names."""
    return h.fieldset(".who")[
        h.legend[viewer.translate("page.who_plays")],
        select("players", viewer.translate("page.how_many"), choice.counts, choice.players),
        select(
            "here", viewer.translate("page.how_many_here"), range(choice.players + 1), choice.here
        ),
        known_people(viewer),
        [
            h.label[
                viewer.translate("page.your_name")
                if choice.here == 1
                else viewer.translate("page.name_of", number=seat),
                name_input(
                    "name%d" % seat,
                    seat,
                    choice.typed_name(seat),
                    viewer.dialog.free_names.get("name%d" % seat, ""),
                    placeholder=viewer.translate("page.you")
                    if choice.here == 1
                    else viewer.translate("story.player", number=seat),
                    autocomplete="off",
                ),
            ]
            for seat in range(1, choice.here + 1)
        ],
        form_error(viewer),
    ]


def how_long(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the question how long to play; rarer answers are in a part that opens on a click."""
    first = [length for length in (ONE, EVENING, ALL) if length in choice.lengths()]
    others = [str(count) for count in choice.other_counts]
    return h.fieldset(".games.lengths")[
        h.legend[viewer.translate("page.how_long")],
        [one_length(viewer, choice, length) for length in first],
        h.details("#other-lengths", open=choice.how_long in others)[
            h.summary[viewer.translate("page.other_rounds")],
            [one_length(viewer, choice, length) for length in others],
        ]
        if others
        else None,
    ]


def one_length(viewer: Viewer, choice: Choice, length: str) -> h.Node:
    count = choice.evening
    rounds = viewer.translate("page.some_rounds", count=count) if length == EVENING else None
    is_chosen = length == choice.how_long
    return h.label(class_="on" if is_chosen else None)[
        h.input(type="radio", name="rounds", value=length, checked=is_chosen),
        h.span[length_text(viewer.translate, choice, length)],
        h.small[rounds] if rounds else None,
    ]


def more(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the questions that few people ask, in a part that opens on a click."""
    return h.details("#more")[
        h.summary[viewer.translate("page.more")],
        h.div(".who")[
            strengths(viewer, choice) if choice.here < choice.players else None,
            select(
                "set", viewer.translate("page.which_set"), sorted(choice.game.players), choice.set
            ),
            h.small[viewer.translate("page.put_aside", more=choice.set + 1)]
            if choice.is_fast
            else None,
            first_engine(viewer, choice) if choice.first_engines[0] else None,
        ],
        h.label(".tick")[
            h.input(type="checkbox", name="open", checked=choice.open_hands),
            h.span[viewer.translate("page.open_hands")],
        ],
        questions(viewer, choice),
    ]


def first_engine(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the question about the first round's engine; the house's own engine comes first."""
    numbers, own = choice.first_engines
    answers = [("", own), *((str(double), double) for double in reversed(numbers))]
    now = str(choice.first) if choice.first >= 0 else ""
    return h.label[
        viewer.translate("own_questions.first-engine"),
        h.select(name="first")[
            [
                h.option(value=value, selected=value == now)["%s-%s" % (double, double)]
                for value, double in answers
                if value != str(own)
            ]
        ],
    ]


def strengths(viewer: Viewer, choice: Choice) -> h.Node:
    """Return the question about how well the bots play."""
    return h.label[
        viewer.translate("page.strength"),
        h.select(name="strength")[
            [
                h.option(value=strength, selected=strength == choice.strength)[
                    viewer.translate("page.strength_" + strength)
                ]
                for strength in STRENGTHS
            ]
        ],
    ]


def questions(viewer: Viewer, choice: Choice) -> h.Node:
    """Return a question for each variant of the chosen house; "no" leaves the house's rule
    unchanged."""
    asked = h.input(type="hidden", name="asked", value=choice.game.house)
    if not choice.questions:
        return asked
    return h.details("#rules.rules", open=any(row.now for row in choice.questions))[
        asked,
        h.summary[viewer.translate("page.rules")],
        h.p[viewer.translate("page.rules_say", sheet=choice.game.sheet)],
        [
            h.label[
                h.input(type="checkbox", name="rule-" + row.word, checked=row.now),
                h.span[row.question],
            ]
            for row in choice.questions
        ],
    ]


def number(text: str | None, allowed: Container[int], default: int) -> int:
    if not text or not text.isdecimal() or len(text) > 3 or int(text) not in allowed:
        return default
    return int(text)


def settings(viewer: Viewer, fields: dict[str, str]) -> dict[str, Any] | None:
    """Return the form's fields as keyword arguments for App.start_match.

    Return None if two people have the same name; the form then offers another name.
    """
    choice = Choice(viewer.translate, fields, kept_sheets(viewer))
    names = {"name%d" % seat: name for seat, name in choice.people().items()}
    if not viewer.dialog.are_free(viewer.translate, names):
        return None
    seats = tuple(range(1, choice.players + 1))
    return {
        "house": choice.house,
        "set_": choice.set,
        "seats": seats,
        "people": seats[: choice.here],
        "names": choice.names(),
        "strength": choice.strength,
        **({"family": choice.own.family} if choice.own else {}),
        **({"stops_after": choice.stops_after} if choice.stops_after else {}),
        **({"open_hands": True} if choice.open_hands else {}),
    }
