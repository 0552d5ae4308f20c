# SPDX-License-Identifier: MIT
"""The form of a new match: which game, who plays, and plain questions about the rules."""

import htpy as h

from host_sim.page.pieces import button
from host_sim.people import house_questions
from host_sim.people.strengths import STRENGTHS
from host_sim.views.table_words import FIRST_NAMES

USUAL = {"house": "puremco", "players": "4", "here": "1", "strength": "good"}


def chosen(fields):
    """Return what is filled in so far, with what is usual where nothing is."""
    return {**USUAL, **fields}


def form(desk):
    """Return the form; what is chosen first decides what is asked behind it."""
    filled = chosen(desk.form)
    games = house_questions.games(desk.say)
    game = next((row for row in games if row.house == filled["house"]), games[0])
    set_ = number(filled.get("set"), game.sets, game.set)
    most = game.most(set_)
    players = number(filled["players"], range(2, most + 1), min(4, most))
    here = number(filled["here"], range(0, players + 1), 1)
    return h.form(data_do="start", data_change="choose")[
        button("×", "close", "ghost close", aria_label=desk.say("page.close"))
        if desk.table.kind != "empty"
        else None,
        h.h1[desk.say("page.what_to_play")],
        h.div(".foot.first")[
            h.button(class_="main", autofocus=True)[desk.say("page.play")],
            button(desk.say("page.learn"), "learn"),
            button(desk.say("page.matches"), "open matches"),
        ],
        h.fieldset(".games")[
            h.legend[desk.say("page.which_game")],
            [
                h.label(class_="on" if row is game else None)[
                    h.input(type="radio", name="house", value=row.house, checked=row is game),
                    h.b[row.title],
                    h.span[row.text],
                    h.small[row.sheet],
                ]
                for row in games
            ],
        ],
        h.fieldset(".who")[
            h.legend[desk.say("page.who_plays")],
            select("players", desk.say("page.how_many"), range(2, most + 1), players),
            select("here", desk.say("page.how_many_here"), range(0, players + 1), here),
            [
                h.label[
                    desk.say("page.name_of", number=n),
                    h.input(
                        name="name%d" % n,
                        value=filled.get("name%d" % n, FIRST_NAMES[n - 1]),
                        maxlength=20,
                        data_keep="1",
                        autocomplete="off",
                    ),
                ]
                for n in range(1, here + 1)
            ],
            h.label[
                desk.say("page.strength"),
                h.select(name="strength")[
                    [
                        h.option(value=one, selected=one == filled["strength"])[
                            desk.say("page.strength_" + one)
                        ]
                        for one in STRENGTHS
                    ]
                ],
            ]
            if here < players
            else None,
            select("set", desk.say("page.which_set"), game.sets, set_)
            if len(game.sets) > 1
            else None,
        ],
        questions(desk, game, filled),
        h.div(".foot")[h.button(class_="main")[desk.say("page.play")]],
    ]


def questions(desk, game, filled):
    """Return the questions about the rules of a house, answered as its sheet does."""
    rows = house_questions.questions(desk.say, game.house)
    asked = filled.get("asked") == game.house
    if not rows:
        return h.input(type="hidden", name="asked", value=game.house)
    return h.details(".rules", open=asked and any("rule-" + row.word in filled for row in rows))[
        h.summary[desk.say("page.rules")],
        h.input(type="hidden", name="asked", value=game.house),
        [
            h.label[
                h.input(
                    type="checkbox",
                    name="rule-" + row.word,
                    checked=("rule-" + row.word in filled) if asked else row.answer,
                ),
                h.span[row.question],
                h.small[desk.say("page.yes_usual" if row.answer else "page.no_usual")],
            ]
            for row in rows
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
    return int(text) if text and text.isdecimal() and int(text) in allowed else usual


def wanted(desk, fields):
    """Return what Hall.begin asks for, from the fields of the form."""
    filled = chosen(fields)
    games = house_questions.games(desk.say)
    game = next((row for row in games if row.house == filled["house"]), games[0])
    set_ = number(filled.get("set"), game.sets, game.set)
    most = game.most(set_)
    players = number(filled["players"], range(2, most + 1), min(4, most))
    here = number(filled["here"], range(0, players + 1), 1)
    answers = {
        row.word: "rule-" + row.word in filled if filled.get("asked") == game.house else row.answer
        for row in house_questions.questions(desk.say, game.house)
    }
    names = {n: name_typed(filled.get("name%d" % n), n) for n in range(1, players + 1)}
    strength = filled["strength"] if filled["strength"] in STRENGTHS else "good"
    return {
        "house": house_questions.words(game.house, answers),
        "set_": set_,
        "seats": tuple(range(1, players + 1)),
        "people": tuple(range(1, here + 1)),
        "names": names,
        "strength": strength,
    }


def name_typed(text, seat):
    """Return a name as it was typed, cut to what a plate holds; the usual one for none."""
    return " ".join((text or "").split())[:20] or FIRST_NAMES[seat - 1]
