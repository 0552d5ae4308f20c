# SPDX-License-Identifier: MIT
"""The actions of the owner of a real hub: save its match, set its rules, test it, write tags.

Lines for the hub's console are built from known words; typed text is checked and never sent
unchanged.
"""

from collections.abc import Sequence

import htpy as h

from host_sim.app.page import new_match_form, printable_cards
from host_sim.app.page.actions import OWNER, Fields, action
from host_sim.app.page.dialogs import SETTINGS, dialog
from host_sim.app.page.elements import button, button_row, close_button, points_text, select
from host_sim.app.page.hub_client import FAULT, OK, PARTS, HubClient
from host_sim.app.page.viewer import Viewer
from host_sim.app.people import own_sheets
from host_sim.app.people.own_sheets import OwnSheet
from roundhouse import constants, tags, tiles
from roundhouse.console import LONGEST

DIGITS = 4  # of the points with which a guest joins
MOST_POINTS = 0x7FFF  # of a total
HAS_BOARD = ("usb.here", "usb.silent", "usb.stopped", "usb.plain")  # a port is open
MARKS = {OK: "✓", FAULT: "✗"}


def client_of(viewer: Viewer) -> HubClient | None:
    """Return the HubClient of the real hub that is shown, or None if no hub answers."""
    if viewer.table.kind != "watch" or not viewer.state:
        return None
    table = viewer.watched
    return table.client if table.source.status()[0] == "usb.here" else None


def board_of(viewer: Viewer) -> HubClient | None:
    """Return the HubClient of the board that is connected, or None. It may print no state, because
    of a mistake in its config.py or because its program was stopped."""
    if viewer.table.kind != "watch":
        return None
    table = viewer.watched
    return table.client if table.source.status()[0] in HAS_BOARD else None


def slots_of(viewer: Viewer) -> list[str]:
    """Return the names of the real hub's slots. Their number follows from the console line, which
    has four lamps for each slot."""
    assert viewer.state
    count = len(viewer.state["lamps"]) // 4
    return [str(n) for n in range(1, count - 1)] + ["M", "E"]


def is_watched(viewer: Viewer) -> bool:
    """Return whether the viewer is the owner and a real hub's table is shown."""
    return viewer.rights.owner and viewer.table.kind == "watch"


def line_of(sheet: OwnSheet) -> str:
    """Return the console line that chooses a user-made rule sheet."""
    return "house " + own_sheets.house_words(sheet)


def sheets_in_words(viewer: Viewer) -> dict[str, OwnSheet]:
    """Return {name: sheet} for the user-made rule sheets short enough for one console line."""
    kept = new_match_form.kept_sheets(viewer)
    return {name: sheet for name, sheet in kept.items() if len(line_of(sheet)) <= LONGEST}


# ---- actions ----


@action("hub-export", OWNER)
def export(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Save the hub's match as a file in the browser."""
    client = client_of(viewer)
    if not client:
        return False

    def save(text: str) -> None:
        viewer.send(
            file={"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
        )

    client.export(save)
    return viewer.watched.mark_changed()


@action("hub-rules", OWNER)
def set_rules(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Set the rules of the hub as chosen in the form: the house and the domino set."""
    client = client_of(viewer)
    if not client:
        return False
    choice = new_match_form.Choice(viewer.translate, fields, sheets_in_words(viewer))
    line = line_of(choice.own) if choice.own else "house " + choice.house
    client.send(line, "real_hub.chosen")
    client.send("set %d" % choice.set, "real_hub.chosen")
    return viewer.watched.mark_changed()


@action("hub-guest", OWNER)
def let_guest_join(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Let a guest join the match, with the points typed in the form or else those that the hub
    chooses."""
    client = client_of(viewer)
    seat, points = fields.get("seat", ""), fields.get("points", "").strip()
    if not client or seat not in free_seats(viewer):
        return False
    if points and not is_number(points, DIGITS):
        client.answer = ("real_hub.guest_points_how", {})
    else:
        line = ("join %s %s" % (seat, points)).strip()
        client.send(line, "real_hub.guest_joined", "real_hub.did_not")
    return viewer.watched.mark_changed()


@action("hub-total", OWNER)
def put_total_right(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Set a seat's total as typed in the form."""
    client = client_of(viewer)
    seat, points = fields.get("seat", ""), fields.get("points", "").strip()
    if not client or not viewer.state or seat not in viewer.state["scores"]:
        return False
    if not (is_number(points, len(str(MOST_POINTS))) and int(points) <= MOST_POINTS):
        client.answer = ("real_hub.total_points_how", {})
    else:
        line = "total %s %s" % (seat, points)
        client.send(line, "real_hub.total_done", "real_hub.total_not_now")
    return viewer.watched.mark_changed()


def is_number(typed: str, digits: int) -> bool:
    return typed.isascii() and typed.isdecimal() and len(typed) <= digits


def free_seats(viewer: Viewer) -> list[str]:
    assert viewer.state
    stations = viewer.table.model.stations or slots_of(viewer)[:-2]
    return [seat for seat in stations if seat not in viewer.state["scores"]]


@action("hub-test", OWNER, 1)
def self_test(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Begin a self-test of the hub, or end the running self-test early."""
    client = client_of(viewer)
    if not client or args[0] not in ("begin", "end"):
        return False
    if args[0] == "end":
        client.end_test()
    elif not client.is_testing:
        client.begin_test(slots_of(viewer))
    return viewer.watched.mark_changed()


@action("hub-write", OWNER)
def write_tag(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Write a text to the tag on a slot.

    args: the words of the text; no words for the text typed in the form
    """
    client = client_of(viewer)
    text = " ".join(args) or fields.get("text", "")
    slot = fields.get("slot", constants.SLOTS[constants.E])
    if not client or slot not in slots_of(viewer):
        return False
    viewer.dialog.form = {"text": text, "slot": slot}
    meaning = tags.parse(tags.plain(text.encode()))
    if not meaning or meaning[0] == "house" and text not in printable_cards.house_texts():
        client.answer = ("real_hub.no_text", {})
        return viewer.watched.mark_changed()
    text = tags.plain(text.encode()).decode()
    client.send("write %s %s" % (text, slot), "real_hub.written", text=text)
    return viewer.watched.mark_changed()


def text_to_write(viewer: Viewer, client: HubClient) -> str:
    """Return the text to show in the form: the next tile if a tile was just written, otherwise the
    text typed last."""
    text = viewer.dialog.form.get("text", "0-0")
    meaning = tags.parse(tags.plain(text.encode()))
    is_written = client.answer is not None and client.answer[0] == "real_hub.written"
    if not meaning or meaning[0] != "tile" or not is_written:
        return text
    number = tiles.tile(meaning[1], meaning[2]) + 1
    return tiles.text(
        0 if number == tiles.size(viewer.table.model.set) else number % tiles.size(18)
    )


@action("save-cards", OWNER)
def save_cards(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Save the printable sheet of cards as a file in the browser."""
    viewer.send(
        file={
            "name": "roundhouse-cards.html",
            "text": printable_cards.html(viewer.translate),
            "type": "text/html",
        }
    )
    return True


# ---- dialogs ----


@dialog(
    "hub",
    lambda viewer: is_watched(viewer) or viewer.rights.owner and bool(viewer.app.site_url),
    "real_hub.title",
    SETTINGS,
)
def hub(viewer: Viewer) -> h.Node:
    """Return the dialog for a real hub: buttons, or how to connect one."""
    client, board = client_of(viewer), board_of(viewer)
    config = button(viewer.translate("hub_config.title"), "open hub-config")
    return [
        close_button(viewer),
        h.h1[viewer.translate("real_hub.title")],
        requests(viewer, client) if client else connecting(viewer),
        [h.div(".rows")[config], answer(viewer, board)] if board and not client else None,
    ]


def requests(viewer: Viewer, client: HubClient) -> h.Node:
    return [
        h.div(".rows")[
            button(viewer.translate("real_hub.export"), "hub-export"),
            button(viewer.translate("real_hub.rules"), "open hub-rules"),
            button(viewer.translate("page.names"), "open names"),
            button(viewer.translate("real_hub.guest"), "open hub-guest"),
            button(viewer.translate("real_hub.total"), "open hub-total")
            if viewer.state and viewer.state["phase"] in ("engine", "finished")
            else None,
            button(viewer.translate("real_hub.cards"), "open cards"),
            button(viewer.translate("real_hub.test"), "open hub-test"),
            button(viewer.translate("hub_config.title"), "open hub-config"),
        ],
        answer(viewer, client),
    ]


def connecting(viewer: Viewer) -> h.Node:
    """Return instructions for connecting a hub, or the reason why this is not possible."""
    translate = viewer.translate
    status = viewer.table.status() if viewer.table.kind == "watch" else None
    if status:
        key, values = status
        return h.p[translate(key, **values)]
    if not viewer.app.has_web_serial:
        key = "real_hub.which_browsers" if viewer.app.site_url else "real_hub.with_watch"
        return h.p[translate(key)]
    return [
        h.p[translate("real_hub.plug_how")],
        h.p[translate("real_hub.matches_stay")],
        button_row(button(translate("real_hub.plug"), "plug", "main", autofocus=True)),
    ]


def answer(viewer: Viewer, client: HubClient | None) -> h.Node:
    """Return the sentence about the hub's last answer, or None if there is none."""
    if not client or not client.answer:
        return None
    key, values = client.answer
    return h.p(".reply", role="status")[viewer.translate(key, **values)]


@dialog("hub-rules", is_watched)
def rules(viewer: Viewer) -> h.Node:
    """Return the form that chooses the house and the domino set of the hub before a match
    begins."""
    client = client_of(viewer)
    if not client:
        return hub(viewer)
    model = viewer.table.model  # its house is "" before the hub's first answer
    now = {"house": model.house.split()[0], "set": str(model.set)} if model.house else {}
    choice = new_match_form.Choice(
        viewer.translate, {**now, **viewer.dialog.form}, sheets_in_words(viewer)
    )
    return h.form(data_do="hub-rules", data_change="choose")[
        close_button(viewer),
        h.h1[viewer.translate("real_hub.rules")],
        h.p[viewer.translate("real_hub.rules_how")],
        answer(viewer, client),
        select("set", viewer.translate("page.which_set"), sorted(choice.game.players), choice.set),
        new_match_form.games(viewer, choice),
        new_match_form.questions(viewer, choice),
        button_row(h.button(".main")[viewer.translate("real_hub.choose")]),
    ]


@dialog("hub-guest", is_watched)
def guest(viewer: Viewer) -> h.Node:
    """Return the form with which a guest joins a match that has begun."""
    client = client_of(viewer)
    if not client:
        return hub(viewer)
    return h.form(data_do="hub-guest")[
        close_button(viewer),
        h.h1[viewer.translate("real_hub.guest")],
        h.p[viewer.translate("real_hub.guest_how")],
        answer(viewer, client),
        h.div(".write")[
            h.label[
                viewer.translate("real_hub.guest_seat"),
                h.select(name="seat")[[h.option(value=seat)[seat] for seat in free_seats(viewer)]],
            ],
            h.label[
                viewer.translate("real_hub.guest_points"),
                h.input(name="points", inputmode="numeric", maxlength=DIGITS, autocomplete="off"),
            ],
        ],
        button_row(h.button(".main")[viewer.translate("real_hub.guest_joins")]),
    ]


@dialog("hub-total", is_watched)
def total(viewer: Viewer) -> h.Node:
    """Return the form that puts a seat's total right."""
    client = client_of(viewer)
    if not client or not viewer.state:
        return hub(viewer)
    seats = [
        h.option(value=seat)[viewer.seat_name(seat), ": ", points_text(points)]
        for seat, points in viewer.state["scores"].items()
    ]
    return h.form(data_do="hub-total")[
        close_button(viewer),
        h.h1[viewer.translate("real_hub.total")],
        h.p[viewer.translate("real_hub.total_how")],
        answer(viewer, client),
        h.div(".write")[
            h.label[viewer.translate("real_hub.total_whose"), h.select(name="seat")[seats]],
            h.label[
                viewer.translate("real_hub.total_points"),
                h.input(
                    name="points",
                    inputmode="numeric",
                    maxlength=len(str(MOST_POINTS)),
                    autocomplete="off",
                ),
            ],
        ],
        button_row(h.button(".main")[viewer.translate("real_hub.total_put")]),
    ]


@dialog("hub-test", is_watched)
def test(viewer: Viewer) -> h.Node:
    client = client_of(viewer)
    if not client:
        return hub(viewer)
    translate = viewer.translate
    if client.is_testing:
        next_step = button(translate("real_hub.test_end"), "hub-test end")
    else:
        next_step = button(
            translate("real_hub.test_begin"), "hub-test begin", "main", autofocus=True
        )
    is_over = client.results and not client.is_testing
    return [
        close_button(viewer),
        h.h1[translate("real_hub.test")],
        h.p[translate(result_key(client) if is_over else "real_hub.test_how")],
        h.div(".tested")[
            [slot_result(viewer, slot, parts) for slot, parts in client.results.items()]
        ],
        answer(viewer, client),
        button_row(next_step),
    ]


def result_key(client: HubClient) -> str:
    """Return the key of the sentence that sums up a finished self-test."""
    found = [result for parts in client.results.values() for result in parts.values()]
    if FAULT in found:
        return "real_hub.test_faults"
    return "real_hub.test_well" if all(found) else "real_hub.test_open"


def slot_result(viewer: Viewer, slot: str, parts: dict[str, str]) -> h.Node:
    """Return the self-test results of one slot as HTML. parts: {part: result}"""
    is_done = all(result == OK for result in parts.values())
    return h.div(class_="slot done" if is_done else "slot")[
        h.b[slot],
        [
            h.span(class_=parts[part] or "open")[
                MARKS.get(parts[part], "…"), " ", viewer.translate("real_hub.part_" + part)
            ]
            for part in PARTS
        ],
    ]


@dialog("cards", lambda viewer: viewer.rights.owner, "real_hub.cards", SETTINGS)
def cards(viewer: Viewer) -> h.Node:
    """Return the dialog for cards and tags: a sheet to print, and a button to write each tag."""
    translate, client = viewer.translate, client_of(viewer)
    rows = [
        h.tr[
            h.td[h.b[text]],
            h.td[effect],
            h.td[button(translate("real_hub.write"), "hub-write " + text)] if client else None,
        ]
        for text, effect in printable_cards.cards(translate)
    ]
    return [
        close_button(viewer),
        h.h1[translate("real_hub.cards")],
        h.p[translate("real_hub.cards_how")],
        button_row(button(translate("real_hub.save_cards"), "save-cards", "main")),
        h.p[translate("real_hub.write_how" if client else "real_hub.write_needs_hub")],
        answer(viewer, client),
        write_form(viewer, client) if client else None,
        h.table(".cards")[rows],
    ]


def write_form(viewer: Viewer, client: HubClient) -> h.Node:
    selected = viewer.dialog.form.get("slot", "E")
    return h.form(".write", data_do="hub-write")[
        h.label[
            viewer.translate("real_hub.text"),
            h.input(name="text", value=text_to_write(viewer, client), maxlength=60),
        ],
        h.label[
            viewer.translate("real_hub.slot"),
            h.select(name="slot")[
                [
                    h.option(value=slot, selected=slot == selected)[slot]
                    for slot in slots_of(viewer)
                ]
            ],
        ],
        h.button(".main")[viewer.translate("real_hub.write")],
    ]
