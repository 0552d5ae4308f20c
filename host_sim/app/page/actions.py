# SPDX-License-Identifier: MIT
"""The actions of a viewer. The browser sends the action's word, or a key that is assigned to it.

Each action is a function (viewer, args, fields): args are the words after its own word, and fields
are the submitted form. An action returns whether it did anything.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from host_sim.app.page import (
    comfort,
    dialogs,
    downloads,
    hand_panel,
    new_match_form,
    round_results,
)
from host_sim.app.page.open_dialog import OpenDialog
from host_sim.app.page.seat_claims import Request
from host_sim.app.page.shown_tables import PACES
from host_sim.app.page.sounds import SPOKEN
from host_sim.app.page.viewer import Viewer
from host_sim.app.session.lesson import LEARNER
from host_sim.app.session.match_metadata import Unreadable
from host_sim.app.views.i18n import LANGUAGES, Said
from host_sim.board.hub import match_export
from host_sim.table.player_names import clean_name
from roundhouse import constants

Fields = dict[str, str]
Run = Callable[[Viewer, Sequence[str], Fields], bool]

ALL, SEATED, OWNER = "all", "seated", "owner"  # who may perform an action
LOUDEST = 100  # percent


class Action(NamedTuple):
    """A registered action.

    who: the viewers who may perform the action: ALL, SEATED or OWNER
    min_args: the least count of words after the action's own word
    """

    run: Run
    who: str
    min_args: int


ACTIONS: dict[str, Action] = {}
# what an invited person outside may do: play the own seat, and look
OUTSIDE = frozenset(
    (
        *("pick", "step", "main", "slot", "drop", "override", "button", "draw", "catch"),
        *("back", "redo", "wait", "hint", "sort", "curtain", "next", "open", "close"),
        *("sound", "volume", "speak", "television", "kept", "comfort", "no-voice"),
        *("not-copied", "room", "falls-asleep"),
    )
)
ANSWERED = ("slot", "close")  # actions of all viewers that end an answer shown before


def action(word: str, who: str, min_args: int = 0) -> Callable[[Run], Run]:
    """Return a decorator that registers a function as an action.

    who, min_args: as in Action
    """

    def register(run: Run) -> Run:
        ACTIONS[word] = Action(run, who, min_args)
        return run

    return register


def perform(viewer: Viewer, text: str, fields: Fields) -> bool:
    """Perform an action; return False if the viewer may not, or if it did nothing.

    text: the action's own word and the words after it
    """
    word, *args = text.split() or [""]
    if word not in ACTIONS:
        return False
    run, who, min_args = ACTIONS[word]
    if viewer.rights.outside and word not in OUTSIDE:
        return False
    if who == SEATED and viewer.table.kind != "play":
        return False
    is_allowed = who == ALL or viewer.rights.owner or (who == SEATED and viewer.seats.own())
    if not is_allowed or len(args) < min_args:
        return False
    answer = viewer.advice.answer
    if who == SEATED or word in ANSWERED:
        viewer.advice.answer = None
    try:
        if run(viewer, args, fields):
            if who == SEATED or word == "slot":
                viewer.clicks.act()
            return True
        viewer.advice.answer = answer  # an action that does nothing does not end the answer
        return False
    except OSError as error:
        viewer.send(error=viewer.disk_error_text(error))
        return True


# key -> the action it performs while no dialog is open
KEYS = {
    "Enter": "main",
    " ": "button",
    "u": "back",
    "r": "redo",
    "h": "hint",
    "?": "open legend",
    "s": "sound",
    "n": "next",
    "m": "slot M",
    "0": "slot 10",
    "ArrowLeft": "step -1",
    "ArrowRight": "step 1",
    "ArrowUp": "sort",
    "ArrowDown": "sort",
    **{str(n): "slot %d" % n for n in range(1, 10)},
}
REPLAY_KEYS = {
    "ArrowLeft": "recording back",
    "ArrowRight": "recording on",
    "ArrowUp": "recording round-back",
    "ArrowDown": "recording round-on",
    " ": "recording run",
}


def press_key(viewer: Viewer, key: str) -> bool:
    """Perform the action assigned to a key; return False if it did nothing."""
    if key == "Escape":
        return perform(viewer, "close", {})
    if len(key) == 1 and key != " " and viewer.comfort["letters"] == "off":
        return False
    if dialogs.current(viewer):
        is_next = key in ("Enter", "n") and not viewer.clicks.is_same_press()
        ends = viewer.table.kind == "play" and round_results.is_evening_over(viewer)
        way_on = "end-match" if ends else "next"
        return is_next and (perform(viewer, way_on, {}) or perform(viewer, "close", {}))
    keys = {**KEYS, **REPLAY_KEYS} if viewer.table.kind == "replay" else KEYS
    return key in keys and perform(viewer, keys[key], {})


def number_in(text: str, most: int) -> int | None:
    """Return the number that a form's field contains, or None if it is not one of 0 to `most`."""
    if not text.isdecimal() or len(text) > len(str(most)) or int(text) > most:
        return None
    return int(text)


# ---- the hand ----


def seat_with(viewer: Viewer, tile: str) -> int | None:
    """Return the seat of the hand that the viewer sees, or None if this hand does not contain the
    tile."""
    seat = viewer.seats.hand()
    return seat if seat and tile in viewer.player_view.hand(seat) else None


@action("pick", SEATED, 1)
def pick(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Choose a tile of the hand, or deselect it if it is chosen."""
    if not seat_with(viewer, args[0]):
        return False
    is_chosen = viewer.chosen_tile == args[0]
    if viewer.clicks.pick() and is_chosen:
        return False
    viewer.chosen_tile = None if is_chosen else args[0]
    return True


@action("step", SEATED, 1)
def step(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Choose the next tile of the hand, or the previous tile if the first word is `-1`."""
    seat = viewer.seats.hand()
    hand = viewer.player_view.hand(seat) if seat else []
    if not hand:
        return False
    offset = -1 if args[0] == "-1" else 1
    if viewer.chosen_tile in hand:
        index = hand.index(viewer.chosen_tile) + offset
    else:
        index = 0 if offset > 0 else -1
    viewer.chosen_tile = hand[index % len(hand)]
    return True


@action("main", SEATED)
def lay_chosen(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Begin the next round if the match waits for it; otherwise lay the chosen tile on the only
    slot where it fits. If that is not possible, answer with the reason."""
    if viewer.session.waits_for().kind == "round":
        return next_round(viewer, (), {})
    seat = viewer.seats.hand()
    tile = viewer.chosen_tile
    if not seat:
        return False
    if not viewer.seats.is_on_turn():
        return bool(tile) and viewer.refuse(why_not_now(viewer), str(seat))
    if not tile:
        return viewer.refuse(viewer.translate("page.tap_no_tile"), str(seat))
    slots = viewer.player_view.fits(seat).get(tile, ())
    if len(slots) == 1:
        return tap(viewer, tile, slots[0])
    if not slots:
        advice = hand_panel.way_out(viewer, tile)
        return viewer.refuse(viewer.translate("page.does_not_fit"), str(seat), advice)
    by_slot = {action: key for key, action in KEYS.items()}
    if any("slot " + slot not in by_slot for slot in slots):
        return viewer.refuse(viewer.translate("page.tap_several", tile=tile), str(seat))
    *most, last = [by_slot["slot " + slot].upper() for slot in slots]
    keys = viewer.translate("page.or", first=most, last=last)
    return viewer.refuse(viewer.translate("page.enter_several", tile=tile, keys=keys), str(seat))


@action("slot", ALL, 1)
def lay_on_slot(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Lay the chosen tile on the slot named by the first word, or answer why that is not
    possible."""
    slot = args[0]
    if slot not in constants.SLOTS or not viewer.state:
        return False
    if viewer.table.kind != "play":
        return viewer.refuse(viewer.translate("page.tap_" + viewer.table.kind), slot)
    if not viewer.seats.own():
        return viewer.refuse(viewer.translate("page.tap_looking"), slot)
    if not viewer.seats.is_on_turn():
        return viewer.refuse(why_not_now(viewer), slot)
    if not viewer.chosen_tile:
        return viewer.refuse(viewer.translate("page.tap_no_tile"), slot)
    return tap(viewer, viewer.chosen_tile, slot)


def why_not_now(viewer: Viewer) -> Said:
    """Return a sentence that says why the viewer cannot lay a tile now."""
    state = viewer.state
    assert state
    if viewer.session.waits_for().kind == "round":
        return viewer.translate("page.tap_round_over")
    if state["phase"] != "play" or not state["turn"]:
        return viewer.translate("page.phase_" + state["phase"])
    name = viewer.seat_name(state["turn"])
    if viewer.chosen_tile:
        return viewer.translate("page.tap_not_yet", name=name, tile=viewer.chosen_tile)
    return viewer.translate("page.tap_not_your_turn", name=name)


@action("drop", SEATED, 2)
def drop(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Lay a dragged tile on a slot, or move the tile to another place in the hand."""
    tile, target = args[:2]
    seat = seat_with(viewer, tile)
    if not seat:
        return False
    if target.startswith("hand:"):
        before = target.removeprefix("hand:")
        hand = viewer.player_view.hand(seat)
        index = hand.index(before) if before in hand else len(hand)
        viewer.player_view.move(seat, tile, index)
        viewer.table.version += 1
        return True
    return tap(viewer, tile, target)


@action("override", SEATED, 2)
def lay_anyway(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    return tap(viewer, args[0], args[1], override=True)


def tap(viewer: Viewer, tile: str, slot: str, override: bool = False) -> bool:
    """Tap a tile of the viewer's hand on a slot; the hub decides whether the move is legal. Return
    False if the tile is not in the hand.

    override: whether to lay the tile even if the rules refuse the move.
    """
    seat = seat_with(viewer, tile)
    if not seat or slot not in constants.SLOTS:
        return False
    if not viewer.seats.is_on_turn():
        return viewer.refuse(why_not_now(viewer), slot)
    since = len(viewer.session.moments)
    viewer.played.apply(lambda session: session.lay(seat, tile, slot, override))
    return explain(viewer, since, slot, tile)


def explain(viewer: Viewer, since: int, slot: str, tile: str | None = None) -> bool:
    """If the hub has refused an input of the viewer, show the reason and some advice; always
    return True.

    since: how many Moments the match had before the input
    tile: the tapped tile, or None for a press
    """
    moments = viewer.session.moments[since:]
    moment = moments[0] if moments else None
    if not moment or moment.line["verdict"] == "ok":
        return True
    viewer.follow()
    text = viewer.story.refusals.sentence(moment)
    advice = hand_panel.way_out(viewer, tile) if tile else None
    return viewer.refuse(text, slot, advice, tile)


@action("button", SEATED)
def press_button(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Press the seat's button to draw, pass, knock or end the turn. If no tile fits any more,
    press E instead.

    While a tile fits, the first press only names such a tile, and the next press passes.
    """
    seat = viewer.seats.hand()
    meaning = viewer.player_view.button(seat) if seat else None
    if not meaning:
        return False
    viewer.follow()  # a press that was refused before the last move is forgotten
    slot = "E" if meaning == "over" else seat
    if meaning == "pass" and seat and (fitting := tile_that_fits(viewer, seat)):
        # the table records this press, so that the second click of a double click does not pass
        if viewer.press(seat, lambda session: None):
            viewer.advice.pass_asked = True
            viewer.refuse(fitting, str(seat), viewer.translate("page.pass_anyway"))
            return True
        return False
    since = len(viewer.session.moments)
    if not viewer.press(seat, lambda session: session.press(slot)):
        return False
    return explain(viewer, since, str(slot))


def tile_that_fits(viewer: Viewer, seat: int) -> Said | None:
    """Return a sentence that names a tile of a seat's hand and a place where the tile fits.

    Return None if no tile fits, if the viewer has seen such a sentence since the last input, or if
    a lesson asks for the button.
    """
    goal = viewer.lesson_goal()
    if viewer.advice.pass_asked or goal and goal.button:
        return None
    for tile, slots in viewer.player_view.fits(seat).items():
        place = viewer.story.words.train_of(slots[0], seat)
        return viewer.translate("page.still_fits", tile=tile, place=place)
    return None


@action("draw", SEATED)
def draw(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Draw a tile in a house that enforces nothing, where the button means a pass."""
    seat = viewer.seats.hand()
    if not seat or not viewer.seats.is_on_turn() or not viewer.session.is_free:
        return False
    return viewer.press(seat, lambda session: session.draw(seat))


@action("catch", SEATED)
def catch(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Press the button M because another player forgot to knock."""
    if not viewer.session.catchable():
        return False
    return viewer.press(viewer.seats.hand(), lambda session: session.press("M"))


@action("back", SEATED)
def take_back(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Take back the viewer's last input and all inputs after it, or any player's last input if the
    viewer has no hand.

    A dialog asks first if another player's input or more than one input is taken back. The word
    `sure` skips the dialog.
    """
    undo = dialogs.undo_of(viewer)
    if not undo:
        return False
    if (undo.asks or undo.seat not in viewer.seats.own()) and args[:1] != ["sure"]:
        viewer.dialog.open("back")
        return True
    viewer.dialog.close()
    seat = viewer.seats.hand() or viewer.seats.at_screen
    return viewer.press(seat, lambda session: session.take_back(own=seat))


@action("redo", SEATED)
def redo(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Put back the inputs that were taken back last, if there was no input since."""
    if not viewer.session.next_redo():
        return False
    seat = viewer.seats.hand() or viewer.seats.at_screen
    return viewer.press(seat, lambda session: session.put_back())


@action("wait", SEATED)
def skip_knock(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    waits = viewer.session.waits_for()
    if waits.kind != "knock" or waits.seat != viewer.seats.hand():
        return False
    return viewer.press(waits.seat, lambda session: session.skip_knock())


@action("hint", SEATED)
def hint(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Show the move that a good player would make now, or hide it if it is shown."""
    seat = viewer.seats.hand()
    if not viewer.seats.is_on_turn() or not seat:
        return False
    viewer.advice.hint = None if viewer.advice.hint else viewer.player_view.hint(seat)
    if viewer.advice.hint and viewer.advice.hint.tile:
        viewer.chosen_tile = viewer.advice.hint.tile
    return True


@action("sort", SEATED)
def sort(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Sort the viewer's hand by the next of several orders."""
    seat = viewer.seats.hand()
    if not seat:
        return False
    viewer.played.sort(seat)
    return True


@action("curtain", SEATED)
def lift_curtain(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Show the hand of the next player, who has come to the screen."""
    if viewer.clicks.is_same_press():
        return False
    viewer.seats.at_screen = viewer.seats.curtain() or viewer.seats.at_screen
    viewer.chosen_tile = viewer.advice.hint = None
    return True


# ---- the round and the match ----


@action("next", SEATED)
def next_round(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    if viewer.session.waits_for().kind != "round" or viewer.clicks.is_same_press():
        return False
    if viewer.played.lesson:
        return play_real_round(viewer, (), {})
    viewer.dialog.close()
    return viewer.press(viewer.seats.hand(), lambda session: session.next_round())


@action("end-match", SEATED)
def end_match(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """End the match between two rounds."""
    if not round_results.may_end(viewer) or viewer.clicks.is_same_press():
        return False
    viewer.dialog.close()
    return viewer.press(viewer.seats.hand(), lambda session: session.end_match())


@action("open", ALL, 1)
def open_dialog(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    if not dialogs.may_open(viewer, args[0]):
        return False
    viewer.dialog.open(*args[:2])
    return True


@action("close", ALL)
def close(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Close the dialog or, if none is open, deselect the chosen tile."""
    if viewer.dialog.words:
        if viewer.dialog.words[0] == "new" and viewer.table.kind == "empty":
            return False
        viewer.dialog.close()
    elif dialogs.current(viewer) == ["end"]:
        viewer.dialog.closed_ending = round_results.ending(viewer)
    else:
        viewer.chosen_tile = viewer.advice.hint = None
    viewer.dialog.clear_error()
    return True


@action("choose", OWNER)
def update_form(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Store the choices made so far in an open form."""
    viewer.dialog.form = fields
    viewer.dialog.clear_error()
    return True


@action("start", OWNER)
def start_match(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Begin the match that the form describes, at most one match each time the form is opened."""
    if not viewer.app.store or (viewer.dialog.words or [""])[0] != "new":
        return False
    settings = new_match_form.settings(viewer, fields)
    if not settings:
        viewer.dialog.form = fields
        return True
    viewer.app.start_match(**settings)
    clear_view(viewer)
    return True


@action("rematch", OWNER)
def rematch(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Begin another match with the same rules, the same people and the same phones."""
    if viewer.table.kind != "play" or viewer.session.waits_for().kind != "over":
        return False
    if not viewer.app.store or viewer.clicks.is_same_press():
        return False
    viewer.app.rematch()
    clear_view(viewer)
    return True


def clear_view(viewer: Viewer) -> None:
    """Close everything that the viewer has open, because another table is shown."""
    viewer.seats.at_screen = viewer.chosen_tile = viewer.advice.hint = None
    viewer.dialog = OpenDialog()


@action("carry-on", OWNER, 1)
def continue_match(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    return _show_match(viewer, viewer.app.continue_match, args[0])


@action("look-back", OWNER, 1)
def replay_match(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    return _show_match(viewer, viewer.app.replay_match, args[0])


def _show_match(viewer: Viewer, show: Callable[[str], object], match_id: str) -> bool:
    if not viewer.app.find_match(match_id):
        return False
    try:
        show(match_id)
    except Unreadable as error:
        found = dialogs.unreadable(viewer.translate, [(match_id, error.reason)])
        viewer.send(error=found)
        return True
    clear_view(viewer)
    return True


@action("remove", OWNER, 1)
def delete_match(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    if not viewer.app.find_match(args[0]) or args[0] == viewer.app.match_id:
        return False
    assert viewer.app.store
    viewer.app.store.remove(args[0])
    if viewer.app.evenings:
        viewer.app.evenings.forget_match(args[0])
    viewer.dialog.open("matches")
    return True


@action("learn", OWNER)
def start_lesson(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Begin a lesson, or resume a lesson that was left."""
    if not viewer.app.store or [*args[:1]] not in ([], ["round"], ["forgotten"]):
        return False
    viewer.app.start_lesson(args[0] if args else "round", learner_name(viewer))
    clear_view(viewer)
    return True


def learner_name(viewer: Viewer) -> str:
    """Return the name that the learner has typed, or has in the lesson that is shown."""
    name = clean_name(viewer.dialog.form.get("name1"))
    if not name and viewer.table.kind == "play" and viewer.played.lesson:
        name = viewer.session.names.get(LEARNER, "")
    return name


@action("real-round", OWNER)
def play_real_round(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """After a lesson, begin a match with its players: the learner keeps name and seat."""
    lesson = viewer.played.lesson if viewer.table.kind == "play" else None
    if not lesson or not lesson.done:
        return False

    viewer.app.rematch()
    clear_view(viewer)
    return True


@action("look-at", OWNER)
def replay_export(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    try:
        viewer.app.replay_export(fields.get("text", ""))
    except match_export.NoExport:
        viewer.dialog.error = viewer.translate("page.no_export")
        if not viewer.dialog.words:  # the file was dropped onto the table
            viewer.send(error=viewer.dialog.error)
        return True
    clear_view(viewer)
    return True


@action("pace", OWNER, 1)
def set_pace(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    if args[0] not in PACES:
        return False
    viewer.app.set_pace(args[0])
    return True


@action("sound", ALL)
def toggle_sound(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    viewer.sound.muted = not viewer.sound.muted
    viewer.send(keep={"quiet": "1" if viewer.sound.muted else ""})
    viewer.play("yes")
    return True


@action("volume", ALL)
def set_volume(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Set how loud the tones are, and play a tone."""
    volume = number_in(fields.get("volume", ""), LOUDEST)
    if volume is None:
        return False
    viewer.sound.volume, viewer.sound.muted = volume, volume == 0
    viewer.send(keep={"volume": str(volume), "quiet": "1" if viewer.sound.muted else ""})
    viewer.play("yes")
    return True


@action("speak", ALL, 1)
def set_language(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    if args[0] not in LANGUAGES:
        return False
    viewer.set_language(args[0])
    viewer.send(keep={"lang": args[0]})
    return True


@action("television", ALL)
def toggle_television(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Switch the page to the view for a television, or back to the usual view."""
    viewer.set_television(not viewer.rights.television)
    viewer.dialog.close()
    return True


@action("kept", ALL)
def restore_settings(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Apply the settings that the viewer's browser has stored."""
    viewer.sound.muted = fields.get("quiet") == "1"
    volume = number_in(fields.get("volume", ""), LOUDEST)
    if volume is not None:
        viewer.sound.volume = volume
    if fields.get("spoken") in SPOKEN:
        viewer.sound.spoken = fields["spoken"]
    viewer.comfort = comfort.from_fields(fields)
    if fields.get("refused"):
        viewer.send(error=viewer.translate("page.browser_keeps_nothing"))
    return True


@action("not-copied", ALL)
def tell_that_nothing_was_copied(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    viewer.send(error=viewer.translate("page.not_copied"))
    return True


@action("room", ALL, 2)
def set_picture_size(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Set the size of the table's picture; args: width and height in CSS pixels."""
    if not all(word.isdecimal() and 50 <= int(word) <= 10000 for word in args[:2]):
        return False
    viewer.picture.size = int(args[0]), int(args[1])
    return True


# ---- seats and names ----


@action("let-in", OWNER, 1)
def let_in(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Let other devices in the room open the page, or no longer: yes or no."""
    return viewer.app.let_room_in(args[0] == "yes")


@action("take-seat", ALL, 1)
def take_seat(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Let the viewer take over a bot's seat on their own device."""
    if viewer.table.kind != "play" or not viewer.rights.browser_id or not args[0].isdecimal():
        return False
    table = viewer.played
    seat = int(args[0])
    free = set(table.session.seats) - table.session.people
    if seat not in free or viewer.seats.own() and not viewer.rights.owner:
        return False
    others = [viewer.seat_name(other) for other in table.session.people]
    names = {str(seat): clean_name(fields.get("name"))}
    if not viewer.dialog.are_free(viewer.translate, names, others):
        return True
    table.session.sit_down(seat, fields.get("name"))
    table.seat_claims.claim(seat, viewer.rights.browser_id)
    table.refresh_names()
    viewer.dialog.close()
    return True


@action("leave-seat", SEATED, 1)
def leave_seat(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Let a bot take over a person's seat: the viewer's own seat or, if the viewer is the owner,
    any person's seat."""
    if not args[0].isdecimal():
        return False
    seat = int(args[0])
    if seat not in viewer.session.people or not (
        viewer.rights.owner or seat in viewer.seats.own()
    ):
        return False
    viewer.played.seat_claims.release(seat)
    viewer.session.stand_up(seat)
    viewer.played.refresh_names()
    return True


def _persons_seat(viewer: Viewer, text: str) -> int:
    """Return the seat number in a text if a person plays that seat, else 0."""
    seat = number_in(text, 99) if viewer.table.kind == "play" else None
    return seat if seat and seat in viewer.session.people else 0


@action("ask-seat", ALL, 1)
def ask_for_seat(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Ask the page's owner for a seat that its player wants to play from this device."""
    seat = _persons_seat(viewer, args[0])
    if not seat or not dialogs.may_ask(viewer):
        return False
    viewer.dialog.clear_error()
    if not viewer.played.seat_claims.ask(seat, viewer.rights.browser_id):
        viewer.dialog.error = viewer.translate("page.seat_ask_there")
    viewer.dialog.asked_seat = seat
    viewer.table.version += 1
    return True


@action("prove-seat", ALL, 1)
def prove_seat(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Take the seat that the viewer asked for, if they type the code from the owner's page."""
    seat = _persons_seat(viewer, args[0])
    if not seat or not dialogs.may_ask(viewer):
        return False
    viewer.dialog.clear_error()
    claims, browser_id = viewer.played.seat_claims, viewer.rights.browser_id
    code = "".join(fields.get("code", "").split())
    if not claims.prove(seat, browser_id, code) and not claims.request_of(browser_id, seat):
        viewer.dialog.error = viewer.translate("page.seat_ask_there")
    viewer.table.version += 1
    return True


def _request(viewer: Viewer, number: str) -> Request | None:
    """Return the request for a seat that has a number."""
    if viewer.table.kind != "play":
        return None
    for request in viewer.played.seat_claims.requests():
        if str(request.number) == number and request.seat in viewer.session.people:
            return request
    return None


@action("hand-over", OWNER, 1)
def hand_seat_over(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Give a person's seat to the browser that asks for it; args: the number of its request."""
    request = _request(viewer, args[0])
    if not request:
        return False
    viewer.played.seat_claims.grant(request.seat, request.browser_id)
    viewer.table.version += 1
    return True


@action("refuse-seat", OWNER, 1)
def refuse_seat(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Refuse a browser a person's seat; args: the number of its request."""
    request = _request(viewer, args[0])
    if not request:
        return False
    viewer.played.seat_claims.refuse(request.browser_id)
    viewer.table.version += 1
    return True


@action("play-here", OWNER, 1)
def play_at_screen(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Move a person's seat from a phone to the table's screen."""
    seat = _persons_seat(viewer, args[0])
    if seat not in (viewer.played.seat_claims.seats if seat else ()):
        return False
    viewer.played.seat_claims.release(seat)
    viewer.table.version += 1
    return True


@action("wait-for-phone", ALL)
def wait_for_phone(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Ask no more what to do about a phone that is away, as long as this turn lasts."""
    seat = (viewer.state or {}).get("turn")
    if viewer.table.kind != "play" or not seat or not viewer.away_text(seat):
        return False
    viewer.waits_for_phone = seat
    return True


@action("bot-turn", OWNER, 1)
def let_bot_play_turn(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Let the computer play one turn of a person whose phone is away."""
    seat = _persons_seat(viewer, args[0])
    if not seat or viewer.session.line["turn"] != seat or not viewer.away_text(seat):
        return False
    return viewer.press(viewer.seats.hand(), lambda session: session.play_turn_of(seat))


@action("names", OWNER)
def set_names(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Store the names of the players at a real hub."""
    if viewer.table.kind != "watch":
        return False
    seats = (viewer.state or {}).get("scores", {})
    names = {seat: clean_name(fields.get("name" + seat)) for seat in seats}
    typed = {"name" + seat: name for seat, name in names.items()}
    if not viewer.dialog.are_free(viewer.translate, typed):
        return True
    viewer.watched.rename({**viewer.table.names, **names})
    viewer.dialog.close()
    return True


# ---- replay and files ----


@action("recording", OWNER, 1)
def move_replay(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Move a replay to a line, by one line or by one round, or start or stop automatic
    playback."""
    if viewer.table.kind != "replay":
        return False
    table = viewer.replayed
    at = number_in(fields.get("at", ""), table.recording.last)
    moves: dict[str, Callable[[], None]] = {
        "on": lambda: table.step_by(1),
        "back": lambda: table.step_by(-1),
        "round-on": lambda: table.step_round(1),
        "round-back": lambda: table.step_round(-1),
        "run": table.toggle_running,
        "at": lambda: table.step_to(table.recording.at if at is None else at),
        "start": lambda: table.step_to(0),
    }
    if args[0] not in moves:
        return False
    moves[args[0]]()
    return True


@action("save", ALL, 1)
def save_file(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Save the table as a picture or a script, or the match as a file."""
    file = downloads.file(viewer, args[0])
    if not file:
        return False
    viewer.send(file=file)
    return True
