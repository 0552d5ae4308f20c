# SPDX-License-Identifier: MIT
"""What is opened about a real hub: how it is connected, what it is asked for, its self-test."""

import htpy as h

from host_sim.page import cards_sheet, new_match
from host_sim.page.dialogs import close_button, foot, register
from host_sim.page.hub_deeds import slots_of, talk_of, to_write
from host_sim.page.hub_talk import FAULT, PARTS, WELL
from host_sim.page.pieces import button

SIGNS = {WELL: "✓", FAULT: "✗"}


def hub(desk):
    """The hub: connect it, or what it can be asked for."""
    talk = talk_of(desk)
    return [
        close_button(desk),
        h.h1[desk.say("real_hub.title")],
        asked_for(desk, talk) if talk else connecting(desk),
    ]


def asked_for(desk, talk):
    """Return what a hub that answers can be asked for."""
    return [
        h.div(".rows")[
            button(desk.say("real_hub.export"), "hub-export"),
            button(desk.say("real_hub.rules"), "open hub-rules"),
            button(desk.say("page.names"), "open names"),
            button(desk.say("real_hub.cards"), "open cards"),
            button(desk.say("real_hub.test"), "open hub-test"),
        ],
        answer(desk, talk),
    ]


def connecting(desk):
    """Return how a hub is connected."""
    if desk.table.kind == "watch" and desk.table.status():
        key, values = desk.table.status()
        return h.p[desk.say(key, **values)]
    if desk.hall.serial:
        plug = button(desk.say("real_hub.plug"), "plug", "main", autofocus=True)
        return [
            h.p[desk.say("real_hub.plug_how")],
            h.p[desk.say("real_hub.matches_stay")],
            foot(plug),
        ]
    return h.p[desk.say("real_hub.which_browsers" if desk.hall.home else "real_hub.with_watch")]


def answer(desk, talk):
    """Return what the hub has answered, or nothing."""
    if not talk or not talk.said:
        return None
    key, values = talk.said
    return h.p(".answer", role="status")[desk.say(key, **values)]


def rules(desk):
    """House and set, to be chosen before a match."""
    talk = talk_of(desk)
    if not talk:
        return hub(desk)
    seen = desk.table.seen  # no house yet before the hub's first answer
    now = {"house": seen.house.split()[0], "set": str(seen.set)} if seen.house else {}
    choice = new_match.Choice(desk.say, {**now, **desk.form})
    return h.form(data_do="hub-rules", data_change="choose")[
        close_button(desk),
        h.h1[desk.say("real_hub.rules")],
        h.p[desk.say("real_hub.rules_how")],
        answer(desk, talk),
        new_match.select(
            "set", desk.say("page.which_set"), sorted(choice.game.players), choice.set
        ),
        new_match.games(desk, choice),
        new_match.questions(desk, choice),
        foot(h.button(".main")[desk.say("real_hub.choose")]),
    ]


def test(desk):
    """The self-test: a picture of what is tried, and what is still to be."""
    talk = talk_of(desk)
    if not talk:
        return hub(desk)
    if talk.tests:
        foot_button = button(desk.say("real_hub.test_end"), "hub-test end")
    else:
        foot_button = button(
            desk.say("real_hub.test_begin"), "hub-test begin", "main", autofocus=True
        )
    return [
        close_button(desk),
        h.h1[desk.say("real_hub.test")],
        h.p[desk.say("real_hub.test_how" if talk.tests or not talk.test else test_found(talk))],
        h.div(".tested")[[tested(desk, slot, talk.test[slot]) for slot in talk.test]],
        answer(desk, talk),
        foot(foot_button),
    ]


def test_found(talk):
    """Return the key of what a self-test that is over has found."""
    found = [state for parts in talk.test.values() for state in parts.values()]
    return (
        "real_hub.test_faults"
        if FAULT in found
        else "real_hub.test_well"
        if all(found)
        else "real_hub.test_open"
    )


def tested(desk, slot, parts):
    """Return a slot's picture: its reader, its button, a tag that was read there."""
    return h.div(class_="slot" + " done" * all(state == WELL for state in parts.values()))[
        h.b[slot],
        [
            h.span(class_=parts[part] or "open")[
                SIGNS.get(parts[part], "…"), " ", desk.say("real_hub.part_" + part)
            ]
            for part in PARTS
        ],
    ]


def cards(desk):
    """Cards and tags: the sheet to print, and each tag written at the hub."""
    talk = talk_of(desk)
    return [
        close_button(desk),
        h.h1[desk.say("real_hub.cards")],
        h.p[desk.say("real_hub.cards_how")],
        foot(button(desk.say("real_hub.save_cards"), "save-cards", "main")),
        h.p[desk.say("real_hub.write_how" if talk else "real_hub.write_needs_hub")],
        answer(desk, talk),
        writing(desk, talk) if talk else None,
        h.table(".cards")[
            [
                h.tr[
                    h.td[h.b[text]],
                    h.td[what],
                    h.td[button(desk.say("real_hub.write"), "hub-write " + text)]
                    if talk
                    else None,
                ]
                for text, what in cards_sheet.rows(desk.say)
            ]
        ],
    ]


def writing(desk, talk):
    """Return the form that writes any tag."""
    slots = slots_of(desk)
    slot = desk.form.get("slot", "E")
    return h.form(".write", data_do="hub-write")[
        h.label[
            desk.say("real_hub.text"),
            h.input(name="text", value=to_write(desk, talk), maxlength=60),
        ],
        h.label[
            desk.say("real_hub.slot"),
            h.select(name="slot")[[h.option(value=s, selected=s == slot)[s] for s in slots]],
        ],
        h.button(".main")[desk.say("real_hub.write")],
    ]


def is_watched(desk):
    """Return whether a real hub is on the table."""
    return desk.table.kind == "watch"


register("hub", hub, lambda desk: is_watched(desk) or desk.hall.home, "real_hub.title")
register("hub-rules", rules, is_watched)
register("hub-test", test, is_watched)
register("cards", cards, lambda desk: True, "real_hub.cards")
