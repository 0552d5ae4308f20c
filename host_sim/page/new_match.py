# SPDX-License-Identifier: MIT
"""The form of a new match: which game, who plays, and plain questions about the rules."""

import htpy as h

from host_sim.page.pieces import button
from host_sim.people import house_questions
from host_sim.people.strengths import STRENGTHS
from host_sim.views.clean_names import LONGEST, clean_name
from host_sim.views.table_words import FIRST_NAMES

USUAL = {"house": "puremco", "players": "4", "here": "1", "strength": "good"}


class Choice:
    """What a form says so far, with what is usual where it says nothing, or what cannot be."""

    def __init__(self, speech, fields):
        self.fields = {**USUAL, **fields}
        self.games = house_questions.games(speech)
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
        rows = house_questions.questions(speech, self.game.house)
        self.house = house_questions.words(
            self.game.house, {row.word: row.word in ticked for row in rows}
        )
        self.questions = house_questions.questions(speech, self.house)
        strength = self.fields["strength"]
        self.strength = strength if strength in STRENGTHS else USUAL["strength"]

    def name(self, seat):
        """Return a seat's name as it was typed, or the usual one."""
        typed = clean_name(self.fields.get("name%d" % seat))
        return typed or FIRST_NAMES[seat - 1]


def form(desk, hub=None):
    """Return the form; what is chosen first decides what is asked behind it. hub: the button that
    leads to a real one."""
    choice = Choice(desk.say, desk.form)
    return h.form(data_do="start", data_change="choose")[
        button("×", "close", "ghost close", aria_label=desk.say("page.close"))
        if desk.table.kind != "empty"
        else None,
        h.h1[desk.say("page.what_to_play")],
        h.div(".foot.first")[
            h.button(".main", autofocus=True)[desk.say("page.play")],
            button(desk.say("page.learn"), "learn"),
            button(desk.say("page.matches"), "open matches"),
            hub,
        ],
        who(desk, choice),
        games(desk, choice),
        questions(desk, choice),
        h.div(".foot")[h.button(".main")[desk.say("page.play")]],
    ]


def games(desk, choice):
    """Return the choice of the game, each with a plain line and its sheet."""
    return h.fieldset(".games")[
        h.legend[desk.say("page.which_game")],
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


def who(desk, choice):
    """Return who plays: how many, how many of them at this screen, their names, how bots play."""
    return h.fieldset(".who")[
        h.legend[desk.say("page.who_plays")],
        select("players", desk.say("page.how_many"), choice.counts, choice.players),
        select("here", desk.say("page.how_many_here"), range(choice.players + 1), choice.here),
        [
            h.label[
                desk.say("page.name_of", number=seat),
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
        strengths(desk, choice) if choice.here < choice.players else None,
        select("set", desk.say("page.which_set"), sorted(choice.game.players), choice.set),
    ]


def strengths(desk, choice):
    """Return how well bots play."""
    return h.label[
        desk.say("page.strength"),
        h.select(name="strength")[
            [
                h.option(value=one, selected=one == choice.strength)[
                    desk.say("page.strength_" + one)
                ]
                for one in STRENGTHS
            ]
        ],
    ]


def questions(desk, choice):
    """Return the questions about the rules of a house; what its sheet says is always no."""
    asked = h.input(type="hidden", name="asked", value=choice.game.house)
    if not choice.questions:
        return asked
    return h.details("#rules.rules", open=any(row.now for row in choice.questions))[
        asked,
        h.summary[desk.say("page.rules")],
        h.p[desk.say("page.rules_say", sheet=choice.game.sheet)],
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


def wanted(desk, fields):
    """Return what Hall.begin asks for, from the fields of the form."""
    choice = Choice(desk.say, fields)
    seats = tuple(range(1, choice.players + 1))
    return {
        "house": choice.house,
        "set_": choice.set,
        "seats": seats,
        "people": seats[: choice.here],
        "names": {seat: choice.name(seat) for seat in seats},
        "strength": choice.strength,
    }
