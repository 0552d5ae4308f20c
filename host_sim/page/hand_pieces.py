# SPDX-License-Identifier: MIT
"""The hand in front of a viewer: its tiles, which fit, and what can be done."""

import htpy as h
from markupsafe import Markup

from host_sim.page.pieces import button, paces, tiles
from host_sim.people import who_holds
from host_sim.views.tile_faces import face

MAIN = ("draw", "pass", "knock", "done", "over")  # what a seat's button may mean
COUNTED = ("done", "round-over")  # what the last input of a round did


def hand(desk):
    """Return the hand, or who plays, or how to take a seat; looking back, all that is known."""
    if desk.table.kind == "replay" and desk.table.dealer:
        return past_hands(desk)
    if desk.table.kind != "play":
        return ""
    if not desk.seats():
        return looking(desk)
    seat = desk.seat()
    if not seat:
        return h.div(".looking")[desk.say("page.curtain_waits")]
    sitting = desk.table.sitting
    on_turn = desk.on_turn()
    fits = sitting.fits(seat) if on_turn else {}
    shown = [tile(desk, text, fits.get(text, ())) for text in sitting.hand(seat)]
    return [
        h.div(".whose")[
            h.b[desk.name(seat)],
            h.small[
                desk.say("page.one_tile" if len(shown) == 1 else "page.tiles", count=len(shown))
            ],
            button(desk.say("page.sort"), "sort", "ghost"),
            paces(desk) if desk.rights.owner else None,
        ],
        h.div(".tiles", data_drop="hand:end", role="group", aria_label=desk.say("page.hand"))[
            shown
        ],
        h.div(".act")[acts(desk, seat, fits, on_turn)],
    ]


def looking(desk):
    """Return what stands there for somebody who plays no seat."""
    waits = desk.rights.owner and desk.table.sitting.waits_for().kind == "round"
    return h.div(".looking")[
        desk.say("page.looking"),
        button(desk.say("page.next_round"), "next", "main") if waits else None,
        button(desk.say("page.take_seat"), "open seats", "") if desk.rights.me else None,
        paces(desk) if desk.rights.owner else None,
    ]


def past_hands(desk):
    """Return everybody's tiles at a moment of a match that was played here; of a round that still
    goes on nobody sees them."""
    here, last = desk.state, desk.table.tape.lines[-1]
    goes_on = last["phase"] in ("engine", "play") and last.get("did") not in COUNTED
    if goes_on and here["round"] == last["round"] and here.get("did") not in COUNTED:
        return ""
    hands = who_holds.shown(desk.table.dealer, desk.table.lines)
    return h.div(".past")[
        [h.p[h.b[desk.name(seat)], tiles(held)] for seat, held in sorted(hands.items()) if held]
    ]


def tile(desk, text, places):
    """Return a tile of the hand."""
    words = [text]
    if places:
        words.append(desk.say("page.fits", places=places_words(desk, places)))
    wanted = desk.wanted()
    classes = ["fits"] * bool(places) + ["chosen"] * (text == desk.chosen)
    classes += ["wanted"] * bool(wanted and wanted.tile == text)
    return h.button(
        type="button",
        class_=" ".join(["tile-button", *classes]),
        data_do="pick " + text,
        data_drag=text,
        data_drop="hand:" + text,
        data_tile=text,
        aria_label=", ".join(words),
        aria_pressed="true" if text == desk.chosen else "false",
    )[Markup(face(*map(int, text.split("-"))))]


def places_words(desk, places):
    """Return slots in words: the Mexican Train, Bo's train."""
    return ", ".join(desk.story.words.where(slot) for slot in places)


def acts(desk, seat, fits, on_turn):
    """Return what can be done: where to lay the chosen tile, the button, to take back."""
    sitting = desk.table.sitting
    wanted = desk.wanted()
    waits = sitting.waits_for()
    means = sitting.button(seat)
    undoes = sitting.undoes(seat)
    kind = "main" if wanted and wanted.button else "" if fits else "main"
    return [
        places(desk, fits.get(desk.chosen, ()), wanted) if on_turn and desk.chosen else None,
        anyway(desk) if on_turn and not wanted else None,
        button(desk.say("page." + means), "button", pointed(kind, wanted and wanted.button))
        if means in MAIN
        else None,
        free_draw(desk) if on_turn else None,
        catch(desk, seat),
        button(desk.say("page.no_knock"), "wait")
        if waits == ("knock", seat) and not wanted
        else None,
        button(desk.say("page.next_round"), "next", "main") if waits.kind == "round" else None,
        button(take_back_words(desk, undoes), "back", pointed("back", wanted and wanted.back))
        if undoes
        else None,
        h.p(".hint")[advice(desk, seat, fits, on_turn)],
    ]


def free_draw(desk):
    """Return the button that draws where nothing is enforced, and the main one passes."""
    sitting = desk.table.sitting
    if not sitting.is_free or not sitting.line["boneyard"]:
        return None
    return button(desk.say("page.draw"), "draw")


def catch(desk, seat):
    """Return the button that catches who forgot to knock."""
    forgot = desk.table.sitting.catches()
    if forgot in (None, seat):
        return None
    return button(desk.say("page.catch", name=desk.name(forgot)), "catch", "main")


def pointed(kind, wanted):
    """Return a button's classes: a lesson points at it where it is wanted."""
    return (kind + " wanted").strip() if wanted else kind


def places(desk, slots, wanted):
    """Return a button for each place where the chosen tile fits."""
    aim = wanted.slot if wanted else None
    return h.div(".places")[
        [
            button(
                desk.story.words.where(slot),
                "lay %s %s" % (desk.chosen, slot),
                pointed("place", slot == aim),
            )
            for slot in slots
        ]
    ]


def anyway(desk):
    """Return the button that lays the chosen tile where the hub has just refused it."""
    line = desk.table.sitting.line
    refused = line["verdict"] != "ok" and line["input"].split()
    if not refused or refused[:2] != ["tap", desk.chosen] or refused[2] == "E":
        return None
    return button(desk.say("page.anyway"), "override %s %s" % tuple(refused[1:]), "ghost")


def take_back_words(desk, undoes):
    """Return what a take-back would take back: a tile from where it lies, or a draw."""
    if undoes.tile:
        where = desk.story.words.source(undoes.slot)
        return desk.say("page.back_tile", tile=undoes.tile, where=where)
    return desk.say("page.back_" + (undoes.did if undoes.did in ("drew", "passed") else "last"))


def advice(desk, seat, fits, on_turn):
    """Return a line that says what is to be done now, or the hint that was asked for."""
    if desk.hint:
        return desk.hint.text(desk.say, desk.table.sitting.names)
    waits = desk.table.sitting.waits_for()
    if waits.kind == "knock" and waits.seat == seat:
        return desk.say("page.knock_now")
    if not on_turn:
        turn = (desk.state or {}).get("turn")
        return desk.say("page.turn_of", name=desk.name(turn)) if turn else ""
    if desk.chosen:
        return desk.say("page.lay_it" if fits.get(desk.chosen) else "page.does_not_fit")
    count = len(fits)
    if not count:
        return desk.say("page.nothing_fits")
    return desk.say("page.some_fit", count=count)
