# SPDX-License-Identifier: MIT
"""The hand in front of a viewer: its tiles, which fit, and what can be done."""

import htpy as h
from markupsafe import Markup

from host_sim.page.components import button, paces, tiles
from host_sim.session import dealt_hands
from host_sim.views.tile_faces import face

MAIN = ("draw", "pass", "knock", "done", "over")  # what a seat's button may mean
COUNTED = ("done", "round-over")  # what the last input of a round did


def hand(view):
    """Return the hand, or who plays, or how to take a seat; looking back, all that is known."""
    if view.table.kind == "replay" and view.table.dealer:
        return past_hands(view)
    if view.table.kind != "play":
        return ""
    if not view.seats():
        return looking(view)
    seat = view.seat()
    if not seat:
        return h.div(".looking")[view.say("page.curtain_waits")]
    session = view.table.session
    on_turn = view.on_turn()
    fits = session.fits(seat) if on_turn else {}
    shown = [tile(view, text, fits.get(text, ())) for text in session.hand(seat)]
    return [
        h.div(".whose")[
            h.b[view.name(seat)],
            h.small[
                view.say("page.one_tile" if len(shown) == 1 else "page.tiles", count=len(shown))
            ],
            button(view.say("page.sort"), "sort", "ghost"),
            paces(view) if view.rights.owner else None,
        ],
        h.div(".tiles", data_drop="hand:end", role="group", aria_label=view.say("page.hand"))[
            shown
        ],
        h.div(".act")[acts(view, seat, fits, on_turn)],
    ]


def looking(view):
    """Return what stands there for somebody who plays no seat."""
    waits = view.rights.owner and view.table.session.waits_for().kind == "round"
    return h.div(".looking")[
        view.say("page.looking"),
        button(view.say("page.next_round"), "next", "main") if waits else None,
        button(view.say("page.take_seat"), "open seats", "") if view.rights.me else None,
        paces(view) if view.rights.owner else None,
    ]


def past_hands(view):
    """Return everybody's tiles at a moment of a match that was played here; of a round that still
    goes on nobody sees them."""
    here, last = view.state, view.table.tape.lines[-1]
    goes_on = last["phase"] in ("engine", "play") and last.get("did") not in COUNTED
    if goes_on and here["round"] == last["round"] and here.get("did") not in COUNTED:
        return ""
    hands = dealt_hands.hands_shown(view.table.dealer, view.table.lines)
    return h.div(".past")[
        [h.p[h.b[view.name(seat)], tiles(held)] for seat, held in sorted(hands.items()) if held]
    ]


def tile(view, text, places):
    """Return a tile of the hand."""
    words = [text]
    if places:
        words.append(view.say("page.fits", places=places_words(view, places)))
    wanted = view.wanted()
    classes = ["fits"] * bool(places) + ["chosen"] * (text == view.chosen)
    classes += ["wanted"] * bool(wanted and wanted.tile == text)
    return h.button(
        type="button",
        class_=" ".join(["tile-button", *classes]),
        data_do="pick " + text,
        data_drag=text,
        data_drop="hand:" + text,
        data_tile=text,
        aria_label=", ".join(words),
        aria_pressed="true" if text == view.chosen else "false",
    )[Markup(face(*map(int, text.split("-"))))]


def places_words(view, places):
    """Return slots in words: the Mexican Train, Bo's train."""
    return ", ".join(view.story.words.where(slot) for slot in places)


def acts(view, seat, fits, on_turn):
    """Return what can be done: where to lay the chosen tile, the button, to take back."""
    session = view.table.session
    wanted = view.wanted()
    waits = session.waits_for()
    means = session.button(seat)
    undoes = session.undoes(seat)
    kind = "main" if wanted and wanted.button else "" if fits else "main"
    return [
        places(view, fits.get(view.chosen, ()), wanted) if on_turn and view.chosen else None,
        anyway(view) if on_turn and not wanted else None,
        button(view.say("page." + means), "button", pointed(kind, wanted and wanted.button))
        if means in MAIN
        else None,
        free_draw(view) if on_turn else None,
        catch(view, seat),
        button(view.say("page.no_knock"), "wait")
        if waits == ("knock", seat) and not wanted
        else None,
        button(view.say("page.next_round"), "next", "main") if waits.kind == "round" else None,
        button(take_back_words(view, undoes), "back", pointed("back", wanted and wanted.back))
        if undoes
        else None,
        h.p(".hint")[advice(view, seat, fits, on_turn)],
    ]


def free_draw(view):
    """Return the button that draws where nothing is enforced, and the main one passes."""
    session = view.table.session
    if not session.is_free or not session.line["boneyard"]:
        return None
    return button(view.say("page.draw"), "draw")


def catch(view, seat):
    """Return the button that catches who forgot to knock."""
    forgot = view.table.session.catches()
    if forgot in (None, seat):
        return None
    return button(view.say("page.catch", name=view.name(forgot)), "catch", "main")


def pointed(kind, wanted):
    """Return a button's classes: a lesson points at it where it is wanted."""
    return (kind + " wanted").strip() if wanted else kind


def places(view, slots, wanted):
    """Return a button for each place where the chosen tile fits."""
    aim = wanted.slot if wanted else None
    return h.div(".places")[
        [
            button(
                view.story.words.where(slot),
                "lay %s %s" % (view.chosen, slot),
                pointed("place", slot == aim),
            )
            for slot in slots
        ]
    ]


def anyway(view):
    """Return the button that lays the chosen tile where the hub has just refused it."""
    line = view.table.session.line
    refused = line["verdict"] != "ok" and line["input"].split()
    if not refused or refused[:2] != ["tap", view.chosen] or refused[2] == "E":
        return None
    return button(view.say("page.anyway"), "override %s %s" % tuple(refused[1:]), "ghost")


def take_back_words(view, undoes):
    """Return what a take-back would take back: a tile from where it lies, or a draw."""
    if undoes.tile:
        where = view.story.words.source(undoes.slot)
        return view.say("page.back_tile", tile=undoes.tile, where=where)
    return view.say("page.back_" + (undoes.did if undoes.did in ("drew", "passed") else "last"))


def advice(view, seat, fits, on_turn):
    """Return a line that says what is to be done now, or the hint that was asked for."""
    if view.hint:
        return view.hint.text(view.say, view.table.session.names)
    waits = view.table.session.waits_for()
    if waits.kind == "knock" and waits.seat == seat:
        return view.say("page.knock_now")
    if not on_turn:
        turn = (view.state or {}).get("turn")
        return view.say("page.turn_of", name=view.name(turn)) if turn else ""
    if view.chosen:
        return view.say("page.lay_it" if fits.get(view.chosen) else "page.does_not_fit")
    count = len(fits)
    if not count:
        return view.say("page.nothing_fits")
    return view.say("page.some_fit", count=count)
