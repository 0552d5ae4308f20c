# SPDX-License-Identifier: MIT
"""The components around the hand: head, turn, table, scores, story, and the lesson or replay
bar."""

import htpy as h
from markupsafe import Markup

from host_sim.app.handouts import guide_pictures
from host_sim.app.page.elements import (
    button,
    is_square,
    open_eye,
    points_text,
    qr_code,
    request_sign,
    seat_dot,
    seat_eye,
)
from host_sim.app.page.seat_claims import Request
from host_sim.app.page.viewer import Viewer
from host_sim.app.session.lesson import Lesson
from host_sim.app.views import table_picture
from host_sim.app.views.i18n import in_sentences
from host_sim.app.views.table_picture import SEAT_COLOURS
from host_sim.table.games import are_trains, house_info
from host_sim.table.scores import Rank
from host_sim.table.streams import AT_PROMPT

# paths of the replay buttons' icons: not every machine has a font with these symbols
ICONS = {
    "round-back": "M5 5h2v14H5zM19 5v14L8 12z",
    "back": "M17 5v14L6 12z",
    "run": "M7 4v16l13-8z",
    "stand": "M6 5h4v14H6zM14 5h4v14h-4z",
    "on": "M7 5v14l11-7z",
    "round-on": "M5 5v14l11-7zM17 5h2v14h-2z",
}
# a status of a real hub -> the sentence about it that names no device
NO_HUB = {
    "usb.lost": "no_hub.lost",
    "usb.gone": "no_hub.gone",
    "usb.none": "no_hub.none",
    "usb.looking": "no_hub.looking",
    "usb.several": "no_hub.several",
    "usb.busy": "no_hub.busy",
    "usb.denied": "no_hub.denied",
    "usb.odd": "no_hub.odd",
    "usb.asking": "no_hub.asking",
    "usb.silent": "no_hub.silent",
    "usb.plain": "no_hub.plain",
    "usb.stopped": "no_hub.stopped",
}
SPOKEN = 3  # sentences that a screen reader reads at once


# ---- head ----


def head(viewer: Viewer) -> h.Node:
    """Return the page's top line, with the game, and buttons that open dialogs."""
    translate = viewer.translate
    hint = button(translate("page.hint"), "hint", "ghost", disabled=not viewer.seats.is_on_turn())
    return [
        h.h1(".brand")["Roundhouse"],
        h.span(".house")[match_text(viewer)],
        h.nav[
            hint if viewer.seats.own() else None,
            button(
                [h.span(".long")[translate("page.rules_short")], h.span(".short")["?"]],
                "open legend",
                "ghost",
                aria_label=translate("page.rules_and_lamps"),
            ),
            button(translate("page.menu"), "open menu") if viewer.table.kind != "empty" else None,
        ],
    ]


def match_text(viewer: Viewer) -> h.Node:
    """Return one line of text with the game, the round, the engine, and the number of tiles left
    to draw. A phone has no room for the game."""
    state = viewer.state
    if not state:
        return ""
    game = viewer.table.model.game
    parts = []
    if state["round"]:
        number = viewer.session.round_shown() if viewer.table.kind == "play" else state["round"]
        parts.append(viewer.translate("page.round", number=number))
    if state["engine"] and are_trains(game):
        parts.append(viewer.translate("page.engine", tile=state["engine"]))
    if state["phase"] == "play" and state["boneyard"] is not None:
        parts.append(viewer.translate("page.boneyard", count=state["boneyard"]))
    name = viewer.translate("games." + game)
    return [h.span(".game")[name + " · " if parts else name], " · ".join(parts)]


# ---- turn ----


def turn(viewer: Viewer) -> h.Node:
    """Return the line that says whose turn it is, or what phase the match is in."""
    seat = seat_on_turn(viewer)
    if not seat:
        return h.p(".note")[phase_text(viewer)]
    shape = "square" if is_square(seat) else None
    dot = h.i(class_=shape, style="background:" + SEAT_COLOURS[str(seat)])
    if away := away_text(viewer, seat):
        return h.p(".note")[dot, h.span[away]]
    classes = ["own"] * is_own_turn(viewer, seat) + ["awaited"] * is_awaited(viewer, seat)
    return h.p(class_=" ".join(classes) or None)[dot, h.span[whose_turn(viewer, seat)]]


def title(viewer: Viewer) -> str:
    """Return the title of the browser's window or tab: what `turn` says, and the name."""
    seat = seat_on_turn(viewer)
    text = phase_text(viewer)
    if seat:
        text = away_text(viewer, seat) or whose_turn(viewer, seat)
    return " · ".join(filter(None, (text, "Roundhouse")))


def seat_on_turn(viewer: Viewer) -> int | None:
    """Return the seat whose turn it is at the table that the page shows, or None."""
    state = viewer.state
    is_shown = state and state["phase"] == "play" and viewer.model is viewer.table.model
    return state["turn"] if state and is_shown and not is_hub_stopped(viewer) else None


def is_own_turn(viewer: Viewer, seat: int) -> bool:
    """Return whether a seat, whose turn it is, is the one that the viewer plays now."""
    return viewer.seats.own() == {seat} or viewer.seats.hand() == seat


def is_awaited(viewer: Viewer, seat: int) -> bool:
    """Return whether a seat, whose turn it is, is played at the viewer's screen, also behind a
    curtain."""
    return seat in viewer.seats.own()


def whose_turn(viewer: Viewer, seat: int) -> str:
    if is_own_turn(viewer, seat):
        is_named = str(seat) in viewer.table.names
        key = "page.your_turn" if is_named else "page.your_turn_alone"
    else:
        key = "page.turn_of"
    return viewer.translate(key, name=viewer.seat_name(seat))


def away_text(viewer: Viewer, seat: int) -> str:
    """Return a sentence about the phone of the seat on turn if it is away, otherwise ""."""
    if viewer.table.kind != "play" or is_own_turn(viewer, seat):
        return ""
    return viewer.away_text(seat)


def is_hub_stopped(viewer: Viewer) -> bool:
    """Return whether a real hub has stopped by itself, or while this page reads its settings."""
    has_settings = viewer.table.kind == "watch" and viewer.watched.client.config
    return stands_still(viewer) or bool(has_settings)


def phase_text(viewer: Viewer) -> str:
    """Return a sentence about what the table waits for while no seat is on turn, or ""."""
    state = viewer.state
    if is_hub_stopped(viewer):
        return viewer.translate("hub_config.stands_still")
    if not state:
        return ""
    if viewer.model is not viewer.table.model and state["phase"] != "finished":
        return viewer.translate("page.phase_over")
    if state["phase"] == "play":
        return ""
    if state["phase"] == "lobby" and viewer.table.kind == "play":
        return deal_text(viewer)  # its stations have no buttons to press
    return deal_text(viewer) or viewer.translate("page.phase_" + state["phase"])


def deal_text(viewer: Viewer) -> str:
    """Return a text about too few tiles for the deal in the lobby, if that is so; else ""."""
    table, state = viewer.table.model, viewer.state
    if not state or state["phase"] != "lobby":
        return ""
    seats = len(state["scores"])
    if table.lacks_tiles():
        return viewer.translate("page.phase_lobby_lacks")
    if seats > 1 and house_info.left(table.house, table.set, seats) == 0:
        return viewer.translate("page.phase_lobby_none_left")
    return ""


# ---- table ----


def table(viewer: Viewer) -> h.Node:
    """Return the picture of the table, with a rim round the slots where the chosen tile fits."""
    if not viewer.state:
        key, values = viewer.table.status() or ("page.no_table", {})
        return [h.p(".empty")[viewer.translate(key, **values)], start_button(viewer)]
    marked: set[str] = set()
    seat = viewer.seats.hand()
    if seat and viewer.chosen_tile and viewer.seats.is_on_turn():
        marked = viewer.player_view.places(seat, viewer.chosen_tile)
    goal = viewer.lesson_goal()
    if goal and goal.slot:
        marked = {goal.slot}
    sides = table_picture.sides(viewer.table.model, viewer.translate)
    return [
        Markup(picture(viewer, seat, frozenset(marked))),
        h.p(".sides")[sides] if sides else None,
        answer(viewer, seat),
        no_hub(viewer),
    ]


def picture(viewer: Viewer, seat: int | None, marked: frozenset[str]) -> str:
    """Return the picture of the table as SVG; seat, marked: as in KeptPicture.svg."""
    assert viewer.state
    names = {text: viewer.seat_label(text) for text in viewer.state["scores"]}
    bottom = viewer.seats.bottom()
    return viewer.picture.svg(
        viewer.table, viewer.model, names, viewer.translate, seat, bottom, marked
    )


def no_hub(viewer: Viewer) -> h.Node:
    """Return a message about a real hub that cannot be read, or None."""
    status = viewer.table.status()
    if not status:
        return None
    key, values = status
    details = h.details[
        h.summary[viewer.translate("no_hub.details")], h.p[viewer.translate(key, **values)]
    ]
    return h.div(".trouble", role="alert")[
        h.p[viewer.translate(NO_HUB.get(key, key), **values)],
        start_button(viewer),
        details if values else None,
    ]


def stands_still(viewer: Viewer) -> bool:
    """Return whether a real hub's program has ended, and its board is at MicroPython's prompt."""
    return (viewer.table.status() or ("",))[0] in AT_PROMPT


def start_button(viewer: Viewer) -> h.Node:
    """Return the button that starts a hub that stands still. It asks, because an editor may have
    stopped the hub on purpose."""
    if not viewer.rights.owner or viewer.rights.television or not stands_still(viewer):
        return None
    return button(viewer.translate("no_hub.start"), "hub-start", "main")


def requests(viewer: Viewer) -> h.Node:
    """Return the list in which the owner sees each request of another device for a person's seat.
    Return None if there is nothing to show."""
    if viewer.table.kind != "play" or not viewer.rights.owner:
        return None
    found = viewer.played.seat_claims.requests()
    if not found:
        return None
    return h.div(".requests", role="alert")[[request_row(viewer, request) for request in found]]


def away(viewer: Viewer) -> h.Node:
    """Return what a viewer can do while the phone of the seat on turn is away, or None."""
    seat = seat_on_turn(viewer)
    if not seat or seat == viewer.waits_for_phone or viewer.rights.television:
        return None
    text = away_text(viewer, seat)
    if not text:
        return None
    translate, is_owner = viewer.translate, viewer.rights.owner
    return h.div(".requests", role="group", aria_label=text)[
        button(translate("page.wait_for_phone"), "wait-for-phone"),
        button(translate("page.play_here"), "play-here %d" % seat) if is_owner else None,
        button(translate("page.bot_turn"), "bot-turn %d" % seat) if is_owner else None,
    ]


def request_row(viewer: Viewer, request: Request) -> h.Node:
    """Return a request with its sign and its code, which only the owner may see."""
    sign = request_sign(viewer, request)
    code = (
        viewer.translate("page.codes_rest")
        if viewer.played.seat_claims.codes_rest()
        else viewer.translate("page.asks_code", code=request.code)
    )
    hand_over = viewer.translate("page.hand_over", sign=sign)
    return h.div[
        h.p[
            viewer.translate("page.asks_seat", name=viewer.seat_name(request.seat), sign=sign),
            " ",
            h.b[code],
        ],
        None
        if viewer.rights.television
        else [
            button(hand_over, "hand-over %d" % request.number, "main"),
            button(viewer.translate("page.refuse_seat"), "refuse-seat %d" % request.number),
        ],
    ]


def answer(viewer: Viewer, seat: int | None) -> h.Node:
    """Return the viewer's Answer as HTML, or None if there is none. If the same tile was refused
    on this slot before, a button lays the tile anyway.

    seat: the seat whose hand the viewer sees, or None
    """
    found = viewer.advice.answer
    if not found:
        return None
    anyway = None
    if found.again and found.slot != "E":
        to = viewer.story.words.train_of(found.slot, seat)
        text = viewer.translate("page.anyway", tile=found.tile, to=to)
        anyway = button(text, "override %s %s" % (found.tile, found.slot))
    elif found.tile and found.slot != "E":
        anyway = h.small[viewer.translate("page.tap_again")]
    return h.div(".answer")[h.p(role="alert")[found.text(viewer.translate)], anyway]


# ---- scores ----


def scores(viewer: Viewer) -> h.Node:
    """Return each player's tiles and points, with the players ordered by rank."""
    if not viewer.state:
        return ""
    rows = [score_row(viewer, rank) for rank in viewer.table.sheet.ranks()]
    many = ".many" if len(rows) > 4 else ""
    title = h.h2[viewer.translate("page.score")]
    if not viewer.hands_are_open:
        return [title, h.ol(".scores" + many)[rows]]
    label = viewer.translate("page.all_hands")
    return [
        title,
        h.ol(".scores" + many, data_do="open hands")[rows],
        button(open_eye(""), "open hands", "ghost all-hands", aria_label=label, title=label),
    ]


def score_row(viewer: Viewer, rank: Rank) -> h.Node:
    state = viewer.state
    assert state
    tiles = ""
    if state["phase"] == "play" and rank.hand is not None:
        key = "page.one_tile" if rank.hand == 1 else "page.tiles"
        tiles = viewer.translate(key, count=rank.hand)
    classes = ["now"] * (str(state["turn"]) == str(rank.seat))
    classes += ["own"] * (rank.seat == viewer.seats.hand())
    return h.li(class_=" ".join(classes) or None)[
        h.span(".rank")[rank.place if has_points(viewer) else "–"],
        seat_eye(viewer, rank.seat) if viewer.hands_are_open else seat_dot(rank.seat),
        h.span(".name")[viewer.seat_label(rank.seat)],
        h.small[tiles],
        h.b[points_text(rank.total)],
    ]


def has_points(viewer: Viewer) -> bool:
    """Return whether any player has points; until then the players are not ranked."""
    return any(rank.total for rank in viewer.table.sheet.ranks())


def place_text(viewer: Viewer, rank: Rank) -> str:
    """Return a player's rank such as `2.`, or a dash while no player has points."""
    return viewer.translate("page.place", number=rank.place) if has_points(viewer) else "–"


# ---- television ----


def join(viewer: Viewer) -> h.Node:
    """Return the QR code that phones scan to join, or "" if the page is not on a television."""
    address = viewer.app.room_url
    if not viewer.rights.television or not address:
        return ""
    is_open = viewer.table.kind == "play" and waits_for_phones(viewer)
    return h.div(".join" if is_open else ".join.small")[
        qr_code(address),
        h.p[
            h.b[viewer.translate("television.join")],
            " ",
            viewer.translate("television.address", address=address),
        ]
        if is_open
        else None,
    ]


def waits_for_phones(viewer: Viewer) -> bool:
    """Return whether a person may still come with a phone: until all people have one, but for one
    person, who may play at the owner's screen."""
    claimed = set(viewer.played.seat_claims.seats)
    return not claimed or len(viewer.session.people - claimed) > 1


# ---- story ----


def story(viewer: Viewer) -> h.Node:
    """Return the story of the match as sentences, newest first."""
    items = [
        h.li(class_=said.kind + (" first" if n == 0 else ""))[said.text]
        for n, said in enumerate(reversed(viewer.follower.sentences))
    ]
    title = viewer.translate("page.story")
    return [h.h2[title], h.ul(".story", tabindex="0", aria_label=title)[items]] if items else ""


def live(viewer: Viewer) -> h.Node:
    """Return what a screen reader reads aloud: the newest sentences, and whether the viewer's own
    turn has begun with them."""
    said = [sentence.text for sentence in viewer.follower.latest[-SPOKEN:]]
    seat = seat_on_turn(viewer) if viewer.follower.begins_turn else None
    if seat and is_own_turn(viewer, seat):
        said.append(whose_turn(viewer, seat))
    return in_sentences(*said)


# ---- the bar below the table ----


def lesson(viewer: Viewer) -> h.Node:
    """Return the bar below the table: a lesson's current step, a replay's buttons, or ""."""
    if viewer.table.kind == "replay":
        return replay_bar(viewer)
    if viewer.table.kind != "play" or not viewer.seats.own():
        return ""
    taught = viewer.played.lesson
    if not taught or not viewer.state or viewer.session.round_shown() > 1:
        return ""
    pictures = guide_pictures.forgotten(viewer.table.model.set)
    return h.div(".lesson", role="region", aria_label=viewer.translate("page.learn"))[
        h.b[viewer.translate("page.step", step=taught.step, steps=taught.steps)],
        h.p[taught.text(viewer.translate)],
        Markup("".join(pictures)) if taught.topic == "forgotten" else None,
        after_lesson(viewer, taught) if taught.done else None,
        button(viewer.translate("page.leave_lesson"), "open new", "ghost"),
    ]


def after_lesson(viewer: Viewer, taught: Lesson) -> h.Node:
    """Return the buttons at the end of a lesson: one for a real round and, after the first lesson,
    one for the second lesson."""
    more = button(viewer.translate("page.learn_more"), "learn forgotten")
    return [
        button(viewer.translate("page.real_round"), "real-round", "main"),
        more if taught.topic == "round" else None,
    ]


def replay_bar(viewer: Viewer) -> h.Node:
    if not viewer.rights.owner:
        return ""
    recording = viewer.replayed.recording
    rounds = button(viewer.translate("page.rounds"), "open rounds", "ghost")
    run = "stand" if recording.is_playing else "run"
    at = viewer.translate("page.tape_at", at=recording.at, of=recording.last)
    from_start = None
    if recording.at == recording.last:
        from_start = button(viewer.translate("page.from_start"), "recording start")
    return h.div(".tape", role="region", aria_label=viewer.translate("page.look_back"))[
        replay_button(viewer, "round-back", "round_back"),
        replay_button(viewer, "back", "step_back"),
        replay_button(viewer, "run", run, run),
        replay_button(viewer, "on", "step_on"),
        replay_button(viewer, "round-on", "round_on"),
        rounds if viewer.table.sheet.rounds else None,
        from_start,
        h.form(".slider", data_change="recording at", data_do="recording at")[
            h.input(
                type="range",
                name="at",
                min=0,
                max=max(1, recording.last),
                value=recording.at,
                list="round-starts",
                aria_label=viewer.translate("page.look_back"),
                aria_valuetext=at,
            ),
            h.datalist("#round-starts")[
                [h.option(value=start) for start in recording.round_starts()]
            ],
        ],
        h.span(".at")[at],
    ]


def replay_button(viewer: Viewer, command: str, label: str, main_icon: str = "") -> h.Node:
    """Return a button of the replay bar.

    main_icon: the main button's icon, a key of ICONS; "" for any other button, which shows
        ICONS[command]
    """
    path = ICONS[main_icon or command]
    icon = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="%s"/></svg>' % path
    return button(
        Markup(icon),
        "recording " + command,
        "main" if main_icon else "",
        aria_label=viewer.translate("page." + label),
    )
