# SPDX-License-Identifier: MIT
"""The form of a new match: which game, who plays, and plain questions about the rules."""

import htpy as h

from host_sim.page.components import button
from host_sim.session import house_options
from host_sim.session.bot_levels import LEVELS
from host_sim.views.player_names import LONGEST, clean_name
from host_sim.views.table_phrases import FIRST_NAMES

USUAL = {"house": "puremco", "players": "4", "here": "1", "strength": "good"}


class Choice:
    """What a form says so far, with what is usual where it says nothing, or what cannot be."""

    def __init__(self, translator, fields):
        self.fields = {**USUAL, **fields}
        self.games = house_options.games(translator)
        named = [row for row in self.games if row.house == self.fields["house"]]
        self.game = (named or self.games)[0]
        self.set = number(self.fields.get("set"), self.game.players, self.game.set)
        self.most = self.game.players[self.set][1]
        least = self.game.players[self.set][0]
        self.counts = range(least, self.most + 1)
        self.players = number(self.fields["players"], self.counts, min(4, self.most))
        self.here = number(self.fields["here"], range(self.players + 1), 1)
        # boxes that are not ticked are not sent: only a form that asked for this house answers
        asked = self.fields.get("asked") == self.game.house
        ticked = [key[5:] for key in self.fields if asked and key.startswith("rule-")]
        rows = house_options.questions(translator, self.game.house)
        self.house = house_options.words(
            self.game.house, {row.word: row.word in ticked for row in rows}
        )
        self.questions = house_options.questions(translator, self.house)
        strength = self.fields["strength"]
        self.strength = strength if strength in LEVELS else USUAL["strength"]

    def name(self, seat):
        """Return a seat's name as it was typed, or the usual one."""
        typed = clean_name(self.fields.get("name%d" % seat))
        return typed or FIRST_NAMES[seat - 1]


def form(view, hub=None):
    """Return the form; what is chosen first decides what is asked behind it. hub: the button that
    leads to a real one."""
    choice = Choice(view.say, view.form)
    return h.form(data_do="start", data_change="choose")[
        button("×", "close", "ghost close", aria_label=view.say("page.close"))
        if view.table.kind != "empty"
        else None,
        h.h1[view.say("page.what_to_play")],
        h.div(".foot.first")[
            h.button(".main", autofocus=True)[view.say("page.play")],
            button(view.say("page.learn"), "learn"),
            button(view.say("page.matches"), "open matches"),
            hub,
        ],
        who(view, choice),
        games(view, choice),
        questions(view, choice),
        h.div(".foot")[h.button(".main")[view.say("page.play")]],
    ]


def games(view, choice):
    """Return the choice of the game, each with a plain line and its sheet."""
    return h.fieldset(".games")[
        h.legend[view.say("page.which_game")],
        [
            h.label(class_="on" if row is choice.game else None)[
                h.input(type="radio", name="house", value=row.house, checked=row is choice.game),
                h.b[row.title],
                h.span[row.description],
                h.small[row.sheet],
            ]
            for row in choice.games
        ],
    ]


def who(view, choice):
    """Return who plays: how many, how many of them at this screen, their names, how bots play."""
    return h.fieldset(".who")[
        h.legend[view.say("page.who_plays")],
        select("players", view.say("page.how_many"), choice.counts, choice.players),
        select("here", view.say("page.how_many_here"), range(choice.players + 1), choice.here),
        [
            h.label[
                view.say("page.name_of", number=seat),
                h.input(
                    name="name%d" % seat,
                    value=choice.name(seat),
                    maxlength=LONGEST,
                    data_keep="1",
                    autocomplete="off",
                ),
            ]
            for seat in range(1, choice.here + 1)
        ],
        strengths(view, choice) if choice.here < choice.players else None,
        select("set", view.say("page.which_set"), sorted(choice.game.players), choice.set),
    ]


def strengths(view, choice):
    """Return how well bots play."""
    return h.label[
        view.say("page.strength"),
        h.select(name="strength")[
            [
                h.option(value=one, selected=one == choice.strength)[
                    view.say("page.strength_" + one)
                ]
                for one in LEVELS
            ]
        ],
    ]


def questions(view, choice):
    """Return the questions about the rules of a house; what its sheet says is always no."""
    asked = h.input(type="hidden", name="asked", value=choice.game.house)
    if not choice.questions:
        return asked
    return h.details("#rules.rules", open=any(row.now for row in choice.questions))[
        asked,
        h.summary[view.say("page.rules")],
        h.p[view.say("page.rules_say", sheet=choice.game.sheet)],
        [
            h.label[
                h.input(type="checkbox", name="rule-" + row.word, checked=row.now),
                h.span[row.question],
            ]
            for row in choice.questions
        ],
    ]


def select(name, words, choices, now):
    """Return a choice of numbers."""
    return h.label[
        words,
        h.select(name=name)[
            [h.option(value=str(one), selected=one == now)[str(one)] for one in choices]
        ],
    ]


def number(text, allowed, usual):
    """Return a number that was typed, where it is allowed; else the usual one."""
    is_one = text and text.isdecimal() and len(text) < 4
    return int(text) if is_one and int(text) in allowed else usual


def wanted(view, fields):
    """Return what AppState.begin asks for, from the fields of the form."""
    choice = Choice(view.say, fields)
    seats = tuple(range(1, choice.players + 1))
    return {
        "house": choice.house,
        "set_": choice.set,
        "seats": seats,
        "people": seats[: choice.here],
        "names": {seat: choice.name(seat) for seat in seats},
        "strength": choice.strength,
    }
