# SPDX-License-Identifier: MIT
"""The dialogs in front of the table: new match, menu, list of matches, legend, seats, curtain."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import htpy as h
from markupsafe import Markup

from host_sim.app.handouts import guide
from host_sim.app.page import components, downloads, hand_panel, new_match_form, round_results
from host_sim.app.page.elements import (
    button,
    button_row,
    close_button,
    form_error,
    known_people,
    name_input,
    open_hands_note,
    points_text,
    qr_code,
    request_sign,
    seat_dot,
)
from host_sim.app.page.seat_claims import DIGITS
from host_sim.app.page.viewer import Viewer
from host_sim.app.people.kept_match import KeptMatch
from host_sim.app.session.match_session import MatchSession, Undo
from host_sim.app.views import legend as lamps_legend
from host_sim.app.views import whole_languages
from host_sim.app.views.i18n import ABOUT, LANGUAGES, Translator
from host_sim.table.games import are_trains

SOME = 10  # names of folders that the list of matches shows
# what an invited person outside may open
OUTSIDE = ("menu", "back", "legend", "rounds", "hands", "comfort")
GROUPS = PLAY, LOOK, SAVE, SETTINGS = "play", "look", "save", "settings"  # of the menu's buttons
Render = Callable[[Viewer], h.Node]
Condition = Callable[[Viewer], bool]


class Dialog(NamedTuple):
    """A registered dialog, which the action `open NAME` opens.

    render: returns the dialog
    may_open: a function (viewer) that returns whether the viewer may open it
    menu_key: the key of the sentence on the dialog's button in the menu; "" if the dialog has no
        button or the function `menu` adds the button
    group: the group of that button, one of GROUPS
    """

    render: Render
    may_open: Condition
    menu_key: str
    group: str


DIALOGS: dict[str, Dialog] = {}


def dialog(
    name: str, may_open: Condition, menu_key: str = "", group: str = ""
) -> Callable[[Render], Render]:
    """Return a decorator that registers a function as the renderer of a dialog.

    may_open, menu_key, group: as in Dialog
    """

    def register(render: Render) -> Render:
        DIALOGS[name] = Dialog(render, may_open, menu_key, group)
        return render

    return register


def anyone(viewer: Viewer) -> bool:
    """The condition of a dialog that every viewer may open."""
    return True


def has_store(viewer: Viewer) -> bool:
    """Return whether this viewer may see the stored matches."""
    return viewer.rights.owner and viewer.app.store is not None


def may_open(viewer: Viewer, name: str) -> bool:
    if viewer.rights.outside and name not in OUTSIDE:
        return False
    return name in DIALOGS and DIALOGS[name].may_open(viewer)


def current(viewer: Viewer) -> list[str] | None:
    """Return the words that opened the current dialog, its name first, or None."""
    if viewer.dialog.words and may_open(viewer, viewer.dialog.words[0]):
        return viewer.dialog.words  # behind it, a curtain still hides all hands
    if viewer.seats.curtain():
        return ["curtain"]
    ending = round_results.ending(viewer)
    return ["end"] if ending and ending != viewer.dialog.closed_ending else None


def render(viewer: Viewer) -> h.Node:
    """Return the open dialog, or ""."""
    words = current(viewer)
    if not words:
        return ""
    found = components.requests(viewer)
    if words[0] == "curtain":
        return [found, curtain(viewer)]
    if words[0] == "end":
        return [found, round_results.end(viewer)]
    return [found, DIALOGS[words[0]].render(viewer)]


# ---- match ----


@dialog("new", has_store)
def new(viewer: Viewer) -> h.Node:
    """Return the dialog for a new match: a form for game, players and rules."""
    hub = None
    if may_open(viewer, "hub"):
        hub = button(viewer.translate("real_hub.title"), "open hub")
    return new_match_form.form(viewer, hub)


@dialog("menu", anyone)
def menu(viewer: Viewer) -> h.Node:
    """Return the menu: the less common actions at this table, and the settings, in groups."""
    shown = {group: menu_buttons(viewer, group) for group in GROUPS}
    shown[SETTINGS].append(languages(viewer))
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.menu")],
        [menu_group(viewer, group, nodes) for group, nodes in shown.items() if nodes],
    ]


def menu_group(viewer: Viewer, group: str, nodes: list[h.Node]) -> h.Node:
    title = viewer.translate("page.menu_" + group)
    return h.div(".menu-group", role="group", aria_label=title)[h.h2[title], nodes]


def menu_buttons(viewer: Viewer, group: str) -> list[h.Node]:
    """Return the buttons of a group of the menu that the viewer may press."""
    is_kept, is_played = has_store(viewer), viewer.table.kind != "watch"
    television = "television." + ("leave" if viewer.rights.television else "show")
    entries = {
        PLAY: [
            ("page.new", "open new", is_kept),
            ("page.matches", "open matches", is_kept),
            ("page.seats", "open seats", may_open(viewer, "seats")),
            ("page.names", "open names", may_open(viewer, "names")),
            ("page.learn", "learn", is_kept),
        ],
        LOOK: [
            ("page.rounds", "open rounds", bool(viewer.table.sheet.rounds)),
            ("evenings.title", "evenings", is_kept),
            (television, "television", True),
        ],
        SAVE: [
            ("page.save_match", "save match", is_played),
            ("page.save_svg", "save svg", True),
            ("page.save_png", "save png", True),
            ("page.save_position", "save position", is_played),
            ("backup.save", "save all", is_kept),
        ],
        SETTINGS: [],
    }[group]
    entries += [
        (row.menu_key, "open " + name, may_open(viewer, name))
        for name, row in DIALOGS.items()
        if row.menu_key and row.group == group
    ]
    return [
        button(viewer.translate(key), words, "entry")
        for key, words, is_shown in entries
        if is_shown
    ]


def languages(viewer: Viewer) -> h.Node:
    return h.div(".languages")[
        [
            button(
                ABOUT[language]["name"],
                "speak " + language,
                "on" if language == viewer.language else "",
            )
            for language in LANGUAGES
            if language in (*whole_languages.WHOLE, viewer.language)
        ]
    ]


@dialog("matches", has_store)
def matches(viewer: Viewer) -> h.Node:
    """Return the list of stored matches, newest first."""
    store = viewer.app.store
    assert store
    rows = [match_row(viewer, kept) for kept in store.matches()]
    none = (
        viewer.disk_error_text(store.trouble)
        if store.trouble
        else viewer.translate("page.no_matches")
    )
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.matches")],
        h.table(".matches")[rows] if rows else h.p[none],
        h.p[unreadable(viewer.translate, store.unreadable)]
        if store.unreadable and viewer.rights.owner
        else None,
        h.label(".file")[
            viewer.translate("page.look_at_file"),
            h.input(type="file", accept=".txt,.jsonl,.json,.log", data_file="look-at"),
        ],
        form_error(viewer),
        button_row(button(viewer.translate("page.new"), "open new", "main")),
    ]


def some(names: Sequence[str]) -> str:
    """Join the first few names into one text."""
    return ", ".join(names[:SOME]) + (", ..." if len(names) > SOME else "")


def unreadable(translate: Translator, matches: Sequence[tuple[str, str]]) -> str:
    """Return a sentence that lists MatchStore.unreadable."""
    found = ["%s (%s)" % (name, translate("page.why_" + reason)) for name, reason in matches]
    return translate("page.unreadable", folders=some(found))


def _local_time(text: str) -> str:
    """Return an ISO time with a time zone as local time, such as `2026-11-22 20:15`."""
    try:
        text = datetime.fromisoformat(text).astimezone().isoformat()
    except (ValueError, OverflowError):
        pass  # the text is shown unchanged
    return text[:16].replace("T", " ")


def match_row(viewer: Viewer, kept: KeptMatch) -> h.Node:
    when = _local_time(kept.played)
    return h.tr[
        h.td[
            [name_and_total(viewer, kept, seat) for seat in kept.seats],
            h.small[game_title(viewer, kept.house), " · ", when],
            h.small[
                viewer.translate("page.match_over")
                if kept.phase == "finished"
                else viewer.translate("page.round", number=max(1, kept.round))
            ],
        ],
        h.td[
            button(viewer.translate("page.carry_on"), "carry-on " + kept.id)
            if kept.phase != "finished"
            else None,
            button(viewer.translate("page.look_back"), "look-back " + kept.id),
            button(viewer.translate("page.remove"), "open remove " + kept.id, "ghost")
            if kept.id != viewer.app.match_id
            else None,
        ],
    ]


def name_and_total(viewer: Viewer, kept: KeptMatch, seat: int) -> h.Node:
    """Return a player's name and points in a stored match; winners are marked."""
    name = kept.names.get(seat) or viewer.translate("story.player", number=seat)
    total = points_text(kept.totals.get(seat, 0))
    is_winner = seat in (kept.winner or ())
    return h.span(".total.best" if is_winner else ".total")[seat_dot(seat), name, " ", h.b[total]]


def game_title(viewer: Viewer, house: str) -> str:
    """Return the names of a house's game and rule sheet, without variants."""
    sheet = house.split()[0]
    if not viewer.translate.has("houses." + sheet):  # a rule sheet that the users made
        return viewer.translate("own_sheet.named", name=sheet)
    return "%s, %s" % (viewer.translate.title(sheet), viewer.translate("houses.%s.sheet" % sheet))


@dialog("remove", has_store)
def remove(viewer: Viewer) -> h.Node:
    """Return the dialog that asks whether to delete a match."""
    match_id = (viewer.dialog.words or [])[1:2]
    kept = viewer.app.find_match(*match_id) if match_id else None
    if not kept:
        return matches(viewer)
    names = ", ".join(kept.names.values())
    return [
        h.h1[viewer.translate("page.remove_really", names=names)],
        h.p[viewer.translate("page.remove_for_good")],
        button_row(
            button(viewer.translate("page.keep"), "open matches", autofocus=True),
            button(viewer.translate("page.remove"), "remove " + kept.id, "main"),
        ),
    ]


# ---- table ----


def undo_of(viewer: Viewer) -> Undo | None:
    """Return the Undo for this viewer's button "Take back", or None if nothing can be taken
    back."""
    if viewer.table.kind != "play" or not (viewer.seats.own() or viewer.rights.owner):
        return None
    return viewer.session.next_undo(viewer.seats.hand() or viewer.seats.at_screen)


@dialog("back", lambda viewer: undo_of(viewer) is not None)
def take_back(viewer: Viewer) -> h.Node:
    """Return the dialog that asks whether to take back more than one input."""
    translate, undo = viewer.translate, undo_of(viewer)
    assert undo
    what = hand_panel.moves_text(viewer, undo)
    crosses = hand_panel.leads_back(viewer, undo)
    key = "page.back_ask_round" if crosses else "page.back_ask"
    return [
        h.h1[translate(key, what=what, number=undo.round)],
        h.p[translate("page.back_for_all")],
        button_row(
            button(translate("page.back_no"), "close", autofocus=True),
            button(translate("page.back_yes"), "back sure", "main"),
        ),
    ]


@dialog("end-match", round_results.may_end)
def end_match(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    return [
        close_button(viewer),
        h.h1[translate("page.end_match_ask")],
        h.p[round_results.would_win(viewer)],
        button_row(
            button(translate("page.end_match_yes"), "end-match"),
            button(translate("page.next_round"), "next", "main", autofocus=True),
        ),
    ]


@dialog("legend", anyone)
def legend(viewer: Viewer) -> h.Node:
    """Return the dialog with the two pages of the house's guide and the legend of lamps, gestures
    and keys."""
    trains = are_trains(viewer.table.model.game)
    rules = downloads.of_house(viewer, lambda house: guide.parts(viewer.language, house))
    keys = "page.keys" if trains else "page.keys_lines"
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.rules_and_lamps" if rules else "page.legend")],
        h.div(".sheets")[
            h.div(".guide")[Markup(rules[0])] if rules else None,
            Markup(lamps_legend.legend(viewer.translate, trains=trains)),
            h.div(".guide.helps")[Markup(rules[1])] if rules else None,
        ],
        button_row(button(viewer.translate("page.save_guide"), "save guide")) if rules else None,
        h.p(".keys")[viewer.translate(keys)] if viewer.seats.own() else None,
    ]


@dialog("rounds", anyone)
def rounds(viewer: Viewer) -> h.Node:
    """Return the dialog that shows the points of every round."""
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.rounds")],
        round_results.history(viewer),
    ]


@dialog("hands", lambda viewer: viewer.hands_are_open and not viewer.rights.television)
def hands(viewer: Viewer) -> h.Node:
    """Return the dialog with the tiles of all players, in a match with open hands."""
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.all_hands")],
        hand_panel.turned_up(viewer),
    ]


@dialog("seats", lambda viewer: viewer.table.kind == "play")
def seats(viewer: Viewer) -> h.Node:
    session = viewer.session
    return [
        close_button(viewer),
        h.h1[viewer.translate("page.seats")],
        h.p[open_hands_note(viewer)] if viewer.hands_are_open else None,
        invitation(viewer) if viewer.app.room_url else None,
        button(viewer.translate("page.phones"), "open phones")
        if may_open(viewer, "phones") and not viewer.app.room_url
        else None,
        known_people(viewer),
        form_error(viewer),
        h.table(".seats")[[seat_row(viewer, session, seat) for seat in session.seats]],
    ]


def invitation(viewer: Viewer) -> h.Node:
    """Return the page's address as text and QR code, for people in the room."""
    address = viewer.app.room_url
    return h.div(".invitation")[
        h.p[viewer.translate("page.seats_how", address=address)],
        qr_code(address),
    ]


@dialog(
    "phones",
    lambda viewer: viewer.rights.owner and viewer.app.is_room_let_in is not None,
    "page.phones",
    PLAY,
)
def phones(viewer: Viewer) -> h.Node:
    """Return the dialog that lets other devices in the room open the page, or no longer."""
    app, translate = viewer.app, viewer.translate
    what = "page.phones_look" if viewer.table.kind == "watch" else "page.phones_play"
    door = (
        ("page.phones_end", "let-in no")
        if app.is_room_let_in
        else ("page.phones_let", "let-in yes")
    )
    return [
        close_button(viewer),
        h.h1[translate("page.phones")],
        h.p[translate(what), " ", translate("page.phones_home")],
        h.p[translate(app.room_trouble)] if app.room_trouble else None,
        room_address(viewer) if app.room_url else None,
        h.p[translate("page.phones_kept")] if app.room_url else None,
        button(translate(door[0]), door[1]),
    ]


def room_address(viewer: Viewer) -> h.Node:
    return h.div(".invitation")[
        h.p[viewer.translate("page.phones_open", address=viewer.app.room_url)],
        qr_code(viewer.app.room_url),
    ]


def seat_row(viewer: Viewer, session: MatchSession, seat: int) -> h.Node:
    phones = viewer.played.seat_claims.seats
    who = "bot" if seat not in session.people else "phone" if seat in phones else "here"
    if who == "here" and not viewer.rights.owner:
        who = "screen"
    where = viewer.away_text(seat) or viewer.translate("page.seat_" + who)
    may_take = (
        who == "bot"
        and viewer.rights.browser_id
        and (viewer.rights.owner or not viewer.seats.own())
    )
    may_leave = who != "bot" and (viewer.rights.owner or seat in viewer.seats.own())
    return h.tr[
        h.td[h.b[viewer.seat_label(seat)], h.small[where]],
        h.td[
            h.form(".take", data_do="take-seat %d" % seat)[
                name_input(
                    "name",
                    seat,
                    offered=viewer.dialog.free_names.get(str(seat), ""),
                    placeholder=viewer.translate("page.your_name"),
                    aria_label=viewer.translate("page.your_name"),
                    autocomplete="given-name",
                ),
                h.button(class_="main")[viewer.translate("page.sit_here")],
            ]
            if may_take
            else None,
            button(viewer.translate("page.play_here"), "play-here %d" % seat)
            if who == "phone" and viewer.rights.owner
            else None,
            button(viewer.translate("page.let_a_bot"), "leave-seat %d" % seat)
            if may_leave
            else None,
            ask_for_seat(viewer, seat) if who != "bot" and may_ask(viewer) else None,
        ],
    ]


def may_ask(viewer: Viewer) -> bool:
    """Return whether a viewer may ask for the seat of a person."""
    return bool(viewer.rights.browser_id) and not viewer.rights.owner and not viewer.seats.own()


def ask_for_seat(viewer: Viewer, seat: int) -> h.Node:
    """Return the button with which a viewer claims that a seat is theirs, or what the viewer must
    do after that."""
    claims, browser_id = viewer.played.seat_claims, viewer.rights.browser_id
    request = claims.request_of(browser_id, seat)
    if not request:
        return button(viewer.translate("page.ask_seat"), "ask-seat %d" % seat)
    sign = request_sign(viewer, request)
    if claims.codes_rest() or claims.wait_s(browser_id):
        return h.p(".take", role="alert")[_why_no_code(viewer, sign)]
    label = viewer.translate("page.seat_code")
    return h.form(".take", data_do="prove-seat %d" % seat)[
        h.p[viewer.translate("page.seat_code_how", sign=sign)],
        h.input(
            name="code",
            inputmode="numeric",
            maxlength=DIGITS,
            placeholder=label,
            aria_label=label,
            autocomplete="off",
            data_keep="1",
        ),
        h.button(class_="main")[viewer.translate("page.sit_here")],
    ]


def _why_no_code(viewer: Viewer, sign: str) -> str:
    claims = viewer.played.seat_claims
    if claims.codes_rest():
        return viewer.translate("page.seat_codes_rest", sign=sign)
    minutes = claims.wait_s(viewer.rights.browser_id) // 60
    return viewer.translate("page.seat_code_wrong", sign=sign, minutes=minutes)


@dialog("names", lambda viewer: viewer.rights.owner and viewer.table.kind == "watch")
def names(viewer: Viewer) -> h.Node:
    seats = list(viewer.state["scores"]) if viewer.state else []
    return h.form(data_do="names")[
        close_button(viewer),
        h.h1[viewer.translate("page.names")],
        known_people(viewer),
        [
            h.label[
                viewer.translate("page.seat", number=seat),
                name_input(
                    "name" + seat,
                    seat,
                    viewer.table.names.get(seat, ""),
                    viewer.dialog.free_names.get("name" + seat, ""),
                    placeholder=viewer.translate("page.players_name"),
                ),
            ]
            for seat in seats
        ],
        h.p[viewer.translate("page.nobody_yet")] if not seats else None,
        form_error(viewer),
        button_row(h.button(class_="main")[viewer.translate("page.keep_names")]),
    ]


def curtain(viewer: Viewer) -> h.Node:
    """Return the dialog that hides all hands while the screen is passed to the next player."""
    seat = viewer.seats.curtain()
    assert seat
    name = viewer.seat_name(seat)
    return [
        h.h1[viewer.translate("page.curtain", name=name)],
        h.p[open_hands_note(viewer) or viewer.translate("page.curtain_others")],
        button_row(
            button(viewer.translate("page.rules_short"), "open legend", "ghost"),
            button(viewer.translate("page.menu"), "open menu", "ghost"),
            button(viewer.translate("page.i_am", name=name), "curtain", "main", autofocus=True),
        ),
    ]
