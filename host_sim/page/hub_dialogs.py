# SPDX-License-Identifier: MIT
"""What is opened about a real hub: how it is connected, what it is asked for, its self-test."""

import htpy as h

from host_sim.page import new_match, printable_cards
from host_sim.page.components import button
from host_sim.page.dialogs import close_button, foot, register
from host_sim.page.hub_actions import client_of, slots_of, to_write
from host_sim.page.hub_client import FAULT, PARTS, WELL

SIGNS = {WELL: "✓", FAULT: "✗"}


def hub(view):
    """The hub: connect it, or what it can be asked for."""
    client = client_of(view)
    return [
        close_button(view),
        h.h1[view.say("real_hub.title")],
        asked_for(view, client) if client else connecting(view),
    ]


def asked_for(view, client):
    """Return what a hub that answers can be asked for."""
    return [
        h.div(".rows")[
            button(view.say("real_hub.export"), "hub-export"),
            button(view.say("real_hub.rules"), "open hub-rules"),
            button(view.say("page.names"), "open names"),
            button(view.say("real_hub.cards"), "open cards"),
            button(view.say("real_hub.test"), "open hub-test"),
        ],
        answer(view, client),
    ]


def connecting(view):
    """Return how a hub is connected."""
    if view.table.kind == "watch" and view.table.status():
        key, values = view.table.status()
        return h.p[view.say(key, **values)]
    if view.app.serial:
        plug = button(view.say("real_hub.plug"), "plug", "main", autofocus=True)
        return [
            h.p[view.say("real_hub.plug_how")],
            h.p[view.say("real_hub.matches_stay")],
            foot(plug),
        ]
    return h.p[view.say("real_hub.which_browsers" if view.app.home else "real_hub.with_watch")]


def answer(view, client):
    """Return what the hub has answered, or nothing."""
    if not client or not client.said:
        return None
    key, values = client.said
    return h.p(".answer", role="status")[view.say(key, **values)]


def rules(view):
    """House and set, to be chosen before a match."""
    client = client_of(view)
    if not client:
        return hub(view)
    seen = view.table.seen  # no house yet before the hub's first answer
    now = {"house": seen.house.split()[0], "set": str(seen.set)} if seen.house else {}
    choice = new_match.Choice(view.say, {**now, **view.form})
    return h.form(data_do="hub-rules", data_change="choose")[
        close_button(view),
        h.h1[view.say("real_hub.rules")],
        h.p[view.say("real_hub.rules_how")],
        answer(view, client),
        new_match.select(
            "set", view.say("page.which_set"), sorted(choice.game.players), choice.set
        ),
        new_match.games(view, choice),
        new_match.questions(view, choice),
        foot(h.button(".main")[view.say("real_hub.choose")]),
    ]


def test(view):
    """The self-test: a picture of what is tried, and what is still to be."""
    client = client_of(view)
    if not client:
        return hub(view)
    if client.tests:
        foot_button = button(view.say("real_hub.test_end"), "hub-test end")
    else:
        foot_button = button(
            view.say("real_hub.test_begin"), "hub-test begin", "main", autofocus=True
        )
    return [
        close_button(view),
        h.h1[view.say("real_hub.test")],
        h.p[
            view.say(
                "real_hub.test_how" if client.tests or not client.test else test_found(client)
            )
        ],
        h.div(".tested")[[tested(view, slot, client.test[slot]) for slot in client.test]],
        answer(view, client),
        foot(foot_button),
    ]


def test_found(client):
    """Return the key of what a self-test that is over has found."""
    found = [state for parts in client.test.values() for state in parts.values()]
    return (
        "real_hub.test_faults"
        if FAULT in found
        else "real_hub.test_well"
        if all(found)
        else "real_hub.test_open"
    )


def tested(view, slot, parts):
    """Return a slot's picture: its reader, its button, a tag that was read there."""
    return h.div(class_="slot" + " done" * all(state == WELL for state in parts.values()))[
        h.b[slot],
        [
            h.span(class_=parts[part] or "open")[
                SIGNS.get(parts[part], "…"), " ", view.say("real_hub.part_" + part)
            ]
            for part in PARTS
        ],
    ]


def cards(view):
    """Cards and tags: the sheet to print, and each tag written at the hub."""
    client = client_of(view)
    return [
        close_button(view),
        h.h1[view.say("real_hub.cards")],
        h.p[view.say("real_hub.cards_how")],
        foot(button(view.say("real_hub.save_cards"), "save-cards", "main")),
        h.p[view.say("real_hub.write_how" if client else "real_hub.write_needs_hub")],
        answer(view, client),
        writing(view, client) if client else None,
        h.table(".cards")[
            [
                h.tr[
                    h.td[h.b[text]],
                    h.td[what],
                    h.td[button(view.say("real_hub.write"), "hub-write " + text)]
                    if client
                    else None,
                ]
                for text, what in printable_cards.rows(view.say)
            ]
        ],
    ]


def writing(view, client):
    """Return the form that writes any tag."""
    slots = slots_of(view)
    slot = view.form.get("slot", "E")
    return h.form(".write", data_do="hub-write")[
        h.label[
            view.say("real_hub.text"),
            h.input(name="text", value=to_write(view, client), maxlength=60),
        ],
        h.label[
            view.say("real_hub.slot"),
            h.select(name="slot")[[h.option(value=s, selected=s == slot)[s] for s in slots]],
        ],
        h.button(".main")[view.say("real_hub.write")],
    ]


def is_watched(view):
    """Return whether a real hub is on the table."""
    return view.table.kind == "watch"


register("hub", hub, lambda view: is_watched(view) or view.app.home, "real_hub.title")
register("hub-rules", rules, is_watched)
register("hub-test", test, is_watched)
register("cards", cards, lambda view: True, "real_hub.cards")
