# SPDX-License-Identifier: MIT
"""What stands before the table: new match, menu, list of matches, legend, ends, curtain."""

from datetime import datetime

import htpy as h
from markupsafe import Markup

from host_sim.games import are_trains
from host_sim.page import new_match, round_results
from host_sim.page.components import button
from host_sim.views import legend as lamps_legend
from host_sim.views.i18n import ABOUT, LANGUAGES
from host_sim.views.player_names import LONGEST


def which(view):
    """Return the words of the dialog that is open; None where the table is free to play."""
    if view.behind():
        return ["curtain"]
    if view.dialog and may_open(view, view.dialog[0]):
        return view.dialog
    ending = round_results.ending(view)
    return ["end"] if ending and ending != view.ended else None


def may_open(view, name):
    """Return whether there is such a dialog for this viewer, at this table."""
    owner, kind = view.rights.owner, view.table.kind
    store = owner and view.app.store
    there = {
        **dict.fromkeys(("new", "matches", "remove"), store),
        "seats": kind == "play",
        "names": owner and kind == "watch",
        **{other: owner and may(view) for other, (_, may) in OTHERS.items()},
    }
    return name in OPENED and bool(there.get(name, True))


def dialog(view):
    """Return the dialog that is open, or nothing."""
    words = which(view)
    if not words:
        return ""
    return remove(view, *words[1:2]) if words[0] == "remove" else DIALOGS[words[0]](view)


def close_button(view):
    """Return the button in the corner."""
    return button("×", "close", "ghost close", aria_label=view.say("page.close"))


def foot(*buttons):
    """Return the row of buttons at the end of a dialog."""
    return h.div(".foot")[buttons]


def new(view):
    """A new match: what is played, by whom, by which rules."""
    hub = button(view.say("real_hub.title"), "open hub") if may_open(view, "hub") else None
    return new_match.form(view, hub)


def menu(view):
    """What else can be done."""
    kind, owner = view.table.kind, view.rights.owner
    store = owner and view.app.store
    rows = [
        button(view.say("page.new"), "open new") if store else None,
        button(view.say("page.learn"), "learn") if store else None,
        button(view.say("page.matches"), "open matches") if store else None,
        button(view.say("page.rounds"), "open rounds") if view.table.sheet.rounds else None,
        button(view.say("page.seats"), "open seats") if kind == "play" else None,
        button(view.say("page.names"), "open names") if kind == "watch" and owner else None,
        [
            button(view.say(key), "open " + name)
            for name, (key, _) in OTHERS.items()
            if key and may_open(view, name)
        ],
        button(view.say("page.save_svg"), "save svg"),
        button(view.say("page.save_png"), "save png"),
        button(view.say("page.save_match"), "save match") if kind != "watch" else None,
        button(view.say("page.save_position"), "save position") if kind != "watch" else None,
    ]
    return [
        close_button(view),
        h.h1[view.say("page.menu")],
        h.div(".rows")[rows],
        h.div(".languages")[
            [
                button(
                    ABOUT[one]["name"], "speak " + one, "on" if one == view.say.language else ""
                )
                for one in LANGUAGES
            ]
        ],
    ]


def matches(view):
    """The list of matches, newest first."""
    store = view.app.store
    rows = [match_row(view, kept) for kept in store.matches()]
    none = view.why(store.trouble) if store.trouble else view.say("page.no_matches")
    return [
        close_button(view),
        h.h1[view.say("page.matches")],
        h.table(".matches")[rows] if rows else h.p[none],
        h.label(".file")[
            view.say("page.look_at_file"),
            h.input(type="file", accept=".txt,.jsonl,.json,.log", data_file="look-at"),
        ],
        h.p(".error", role="alert")[view.error] if view.error else None,
        foot(button(view.say("page.new"), "open new", "main")),
    ]


def _here(text):
    """Return a time with its zone as it is said here, `2026-11-22 20:15`."""
    try:
        text = datetime.fromisoformat(text).astimezone().isoformat()
    except (ValueError, OverflowError):
        pass  # as it is
    return text[:16].replace("T", " ")


def match_row(view, kept):
    """A match of the list: who, what, when, and what can be done with it."""
    names = ", ".join(kept.names.values())
    when = _here(kept.played)
    return h.tr[
        h.td[
            h.b[names],
            h.small[game_words(view, kept.house), " · ", when],
            h.small[
                view.say("page.match_over")
                if kept.phase == "finished"
                else view.say("page.round", number=max(1, kept.round))
            ],
        ],
        h.td[
            button(view.say("page.carry_on"), "carry-on " + kept.id)
            if kept.phase != "finished"
            else None,
            button(view.say("page.look_back"), "look-back " + kept.id),
            button(view.say("page.remove"), "open remove " + kept.id, "ghost")
            if kept.id != view.app.match
            else None,
        ],
    ]


def game_words(view, house):
    """Which game it was, by whose sheet; more than that the match itself says."""
    sheet = house.split()[0]
    return "%s, %s" % (view.say.title(sheet), view.say("houses.%s.sheet" % sheet))


def remove(view, match=""):
    """Whether a match is really to be taken from the list."""
    kept = view.app.kept(match)
    if not kept:
        return matches(view)
    names = ", ".join(kept.names.values())
    return [
        h.h1[view.say("page.remove_really", names=names)],
        h.p[view.say("page.remove_for_good")],
        foot(
            button(view.say("page.keep"), "open matches", autofocus=True),
            button(view.say("page.remove"), "remove " + match, "main"),
        ),
    ]


def legend(view):
    """What the lamps say, and the three gestures."""
    trains = are_trains(view.table.seen.game)
    return [
        close_button(view),
        h.h1[view.say("page.legend")],
        Markup(lamps_legend.legend(view.say, trains=trains)),
        h.p(".keys")[view.say("page.keys")] if view.seats() else None,
    ]


def rounds(view):
    """Points of every round."""
    return [close_button(view), h.h1[view.say("page.rounds")], round_results.history(view)]


def seats(view):
    """Who sits where; a bot's seat may be taken from a phone."""
    session = view.table.session
    return [
        close_button(view),
        h.h1[view.say("page.seats")],
        invitation(view) if view.app.address else None,
        h.table(".seats")[[seat_row(view, session, seat) for seat in session.seats]],
    ]


def invitation(view):
    """How somebody in the room takes a seat: the address, and the same for a phone's camera."""
    import segno

    address = view.app.address
    code = segno.make(address, micro=False).svg_inline(scale=3, light="#fff", border=3)
    return h.div(".invitation")[
        h.p[view.say("page.seats_how", address=address)],
        Markup(code),
    ]


def seat_row(view, session, seat):
    """A seat: who plays it, and what this viewer may change."""
    seat_claims = view.table.seat_claims.seats
    who = "bot" if seat not in session.people else "phone" if seat in seat_claims else "here"
    may_take = who == "bot" and view.rights.me and (view.rights.owner or not view.seats())
    may_leave = who != "bot" and (view.rights.owner or seat in view.seats())
    return h.tr[
        h.td[h.b[view.name(seat)], h.small[view.say("page.seat_" + who)]],
        h.td[
            h.form(".take", data_do="take-seat %d" % seat)[
                h.input(
                    name="name",
                    maxlength=LONGEST,
                    value=view.name(seat),
                    aria_label=view.say("page.your_name"),
                    autocomplete="given-name",
                    data_keep="1",
                ),
                h.button(class_="main")[view.say("page.sit_here")],
            ]
            if may_take
            else None,
            button(view.say("page.let_a_bot"), "leave-seat %d" % seat) if may_leave else None,
        ],
    ]


def names(view):
    """Who sits where at a hub that is watched."""
    seats = list(view.state["scores"]) if view.state else []
    return h.form(data_do="names")[
        close_button(view),
        h.h1[view.say("page.names")],
        [
            h.label[
                view.say("page.seat", number=seat),
                h.input(
                    name="name" + seat,
                    maxlength=LONGEST,
                    value=view.table.names.get(seat, ""),
                    data_keep="1",
                ),
            ]
            for seat in seats
        ],
        h.p[view.say("page.nobody_yet")] if not seats else None,
        foot(h.button(class_="main")[view.say("page.keep_names")]),
    ]


def curtain(view):
    """The screen goes from hand to hand; nobody's tiles are seen meanwhile."""
    name = view.name(view.behind())
    return [
        h.h1[view.say("page.curtain", name=name)],
        h.p[view.say("page.curtain_others")],
        foot(button(view.say("page.i_am", name=name), "curtain", "main", autofocus=True)),
    ]


def end(view):
    """How a round or a match ended."""
    return round_results.end(view)


DIALOGS = {
    "new": new,
    "menu": menu,
    "matches": matches,
    "legend": legend,
    "rounds": rounds,
    "seats": seats,
    "names": names,
    "curtain": curtain,
    "end": end,
}
OPENED = ["new", "menu", "matches", "remove", "legend", "rounds", "seats", "names"]
OTHERS = {}  # dialogs of other modules: {name: (its words in the menu or "", may)}


def register(name, dialog, may, words=""):
    """Add a dialog of another module, for the owner where may(view): `open NAME` shows it.

    words: the key of what the menu calls it; "": it is opened from elsewhere.
    """
    DIALOGS[name] = dialog
    OPENED.append(name)
    OTHERS[name] = words, may
