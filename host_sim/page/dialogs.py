# SPDX-License-Identifier: MIT
"""What stands before the table: new match, menu, list of matches, legend, ends, curtain."""

from datetime import datetime

import htpy as h
from markupsafe import Markup

from host_sim.games import are_trains
from host_sim.page import ends, new_match
from host_sim.page.pieces import button
from host_sim.views import legend as lamps_legend
from host_sim.views.clean_names import LONGEST
from host_sim.views.speech import ABOUT, LANGUAGES


def which(desk):
    """Return the words of the dialog that is open; None where the table is free to play."""
    if desk.behind():
        return ["curtain"]
    if desk.dialog and may_open(desk, desk.dialog[0]):
        return desk.dialog
    ending = ends.ending(desk)
    return ["end"] if ending and ending != desk.ended else None


def may_open(desk, name):
    """Return whether there is such a dialog for this viewer, at this table."""
    owner, kind = desk.rights.owner, desk.table.kind
    shelf = owner and desk.hall.shelf
    there = {
        **dict.fromkeys(("new", "matches", "remove"), shelf),
        "seats": kind == "play",
        "names": owner and kind == "watch",
        **{other: owner and may(desk) for other, (_, may) in OTHERS.items()},
    }
    return name in OPENED and bool(there.get(name, True))


def dialog(desk):
    """Return the dialog that is open, or nothing."""
    words = which(desk)
    if not words:
        return ""
    return remove(desk, *words[1:2]) if words[0] == "remove" else DIALOGS[words[0]](desk)


def close_button(desk):
    """Return the button in the corner."""
    return button("×", "close", "ghost close", aria_label=desk.say("page.close"))


def foot(*buttons):
    """Return the row of buttons at the end of a dialog."""
    return h.div(".foot")[buttons]


def new(desk):
    """A new match: what is played, by whom, by which rules."""
    hub = button(desk.say("real_hub.title"), "open hub") if may_open(desk, "hub") else None
    return new_match.form(desk, hub)


def menu(desk):
    """What else can be done."""
    kind, owner = desk.table.kind, desk.rights.owner
    shelf = owner and desk.hall.shelf
    rows = [
        button(desk.say("page.new"), "open new") if shelf else None,
        button(desk.say("page.learn"), "learn") if shelf else None,
        button(desk.say("page.matches"), "open matches") if shelf else None,
        button(desk.say("page.rounds"), "open rounds") if desk.table.sheet.rounds else None,
        button(desk.say("page.seats"), "open seats") if kind == "play" else None,
        button(desk.say("page.names"), "open names") if kind == "watch" and owner else None,
        [
            button(desk.say(key), "open " + name)
            for name, (key, _) in OTHERS.items()
            if key and may_open(desk, name)
        ],
        button(desk.say("page.save_svg"), "save svg"),
        button(desk.say("page.save_png"), "save png"),
        button(desk.say("page.save_match"), "save match") if kind != "watch" else None,
        button(desk.say("page.save_position"), "save position") if kind != "watch" else None,
    ]
    return [
        close_button(desk),
        h.h1[desk.say("page.menu")],
        h.div(".rows")[rows],
        h.div(".languages")[
            [
                button(
                    ABOUT[one]["name"], "speak " + one, "on" if one == desk.say.language else ""
                )
                for one in LANGUAGES
            ]
        ],
    ]


def matches(desk):
    """The list of matches, newest first."""
    shelf = desk.hall.shelf
    rows = [match_row(desk, kept) for kept in shelf.matches()]
    none = desk.why(shelf.trouble) if shelf.trouble else desk.say("page.no_matches")
    return [
        close_button(desk),
        h.h1[desk.say("page.matches")],
        h.table(".matches")[rows] if rows else h.p[none],
        h.label(".file")[
            desk.say("page.look_at_file"),
            h.input(type="file", accept=".txt,.jsonl,.json,.log", data_file="look-at"),
        ],
        h.p(".error", role="alert")[desk.error] if desk.error else None,
        foot(button(desk.say("page.new"), "open new", "main")),
    ]


def _here(text):
    """Return a time with its zone as it is said here, `2026-11-22 20:15`."""
    try:
        text = datetime.fromisoformat(text).astimezone().isoformat()
    except (ValueError, OverflowError):
        pass  # as it is
    return text[:16].replace("T", " ")


def match_row(desk, kept):
    """A match of the list: who, what, when, and what can be done with it."""
    names = ", ".join(kept.names.values())
    when = _here(kept.played)
    return h.tr[
        h.td[
            h.b[names],
            h.small[game_words(desk, kept.house), " · ", when],
            h.small[
                desk.say("page.match_over")
                if kept.phase == "finished"
                else desk.say("page.round", number=max(1, kept.round))
            ],
        ],
        h.td[
            button(desk.say("page.carry_on"), "carry-on " + kept.id)
            if kept.phase != "finished"
            else None,
            button(desk.say("page.look_back"), "look-back " + kept.id),
            button(desk.say("page.remove"), "open remove " + kept.id, "ghost")
            if kept.id != desk.hall.match
            else None,
        ],
    ]


def game_words(desk, house):
    """Which game it was, by whose sheet; more than that the match itself says."""
    sheet = house.split()[0]
    return "%s, %s" % (desk.say.title(sheet), desk.say("houses.%s.sheet" % sheet))


def remove(desk, match=""):
    """Whether a match is really to be taken from the list."""
    kept = desk.hall.kept(match)
    if not kept:
        return matches(desk)
    names = ", ".join(kept.names.values())
    return [
        h.h1[desk.say("page.remove_really", names=names)],
        h.p[desk.say("page.remove_for_good")],
        foot(
            button(desk.say("page.keep"), "open matches", autofocus=True),
            button(desk.say("page.remove"), "remove " + match, "main"),
        ),
    ]


def legend(desk):
    """What the lamps say, and the three gestures."""
    trains = are_trains(desk.table.seen.game)
    return [
        close_button(desk),
        h.h1[desk.say("page.legend")],
        Markup(lamps_legend.legend(desk.say, trains=trains)),
        h.p(".keys")[desk.say("page.keys")] if desk.seats() else None,
    ]


def rounds(desk):
    """Points of every round."""
    return [close_button(desk), h.h1[desk.say("page.rounds")], ends.history(desk)]


def seats(desk):
    """Who sits where; a bot's seat may be taken from a phone."""
    sitting = desk.table.sitting
    return [
        close_button(desk),
        h.h1[desk.say("page.seats")],
        invitation(desk) if desk.hall.address else None,
        h.table(".seats")[[seat_row(desk, sitting, seat) for seat in sitting.seats]],
    ]


def invitation(desk):
    """How somebody in the room takes a seat: the address, and the same for a phone's camera."""
    import segno

    address = desk.hall.address
    code = segno.make(address, micro=False).svg_inline(scale=3, light="#fff", border=3)
    return h.div(".invitation")[
        h.p[desk.say("page.seats_how", address=address)],
        Markup(code),
    ]


def seat_row(desk, sitting, seat):
    """A seat: who plays it, and what this viewer may change."""
    phones = desk.table.phones.seats
    who = "bot" if seat not in sitting.people else "phone" if seat in phones else "here"
    may_take = who == "bot" and desk.rights.me and (desk.rights.owner or not desk.seats())
    may_leave = who != "bot" and (desk.rights.owner or seat in desk.seats())
    return h.tr[
        h.td[h.b[desk.name(seat)], h.small[desk.say("page.seat_" + who)]],
        h.td[
            h.form(".take", data_do="take-seat %d" % seat)[
                h.input(
                    name="name",
                    maxlength=LONGEST,
                    value=desk.name(seat),
                    aria_label=desk.say("page.your_name"),
                    autocomplete="given-name",
                    data_keep="1",
                ),
                h.button(class_="main")[desk.say("page.sit_here")],
            ]
            if may_take
            else None,
            button(desk.say("page.let_a_bot"), "leave-seat %d" % seat) if may_leave else None,
        ],
    ]


def names(desk):
    """Who sits where at a hub that is watched."""
    seats = list(desk.state["scores"]) if desk.state else []
    return h.form(data_do="names")[
        close_button(desk),
        h.h1[desk.say("page.names")],
        [
            h.label[
                desk.say("page.seat", number=seat),
                h.input(
                    name="name" + seat,
                    maxlength=LONGEST,
                    value=desk.table.names.get(seat, ""),
                    data_keep="1",
                ),
            ]
            for seat in seats
        ],
        h.p[desk.say("page.nobody_yet")] if not seats else None,
        foot(h.button(class_="main")[desk.say("page.keep_names")]),
    ]


def curtain(desk):
    """The screen goes from hand to hand; nobody's tiles are seen meanwhile."""
    name = desk.name(desk.behind())
    return [
        h.h1[desk.say("page.curtain", name=name)],
        h.p[desk.say("page.curtain_others")],
        foot(button(desk.say("page.i_am", name=name), "curtain", "main", autofocus=True)),
    ]


def end(desk):
    """How a round or a match ended."""
    return ends.end(desk)


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
    """Add a dialog of another module, for the owner where may(desk): `open NAME` shows it.

    words: the key of what the menu calls it; "": it is opened from elsewhere.
    """
    DIALOGS[name] = dialog
    OPENED.append(name)
    OTHERS[name] = words, may
