# SPDX-License-Identifier: MIT
"""A person who looks at the page, with their rights, their seats, and all that they have open."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from host_sim.app.page import shown_tables, sounds
from host_sim.app.page.app import App
from host_sim.app.page.shown_tables import LiveTable, PlayedTable, ReplayedTable, ShownTable
from host_sim.app.session.lesson import Wanted
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.player_view import Hint, PlayerView
from host_sim.app.views import table_picture
from host_sim.app.views.disk_errors import reason
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.stable_layout import KeptLayout
from host_sim.app.views.story import Sentence, Story
from host_sim.table import safety_net
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import TableModel
from host_sim.table.player_names import free_name

SPOKEN = ("off", "turns", "everything", "scores")  # what the browser says aloud
LATEST = 60  # sentences that stay on the page
ANSWER_S = 4  # least seconds for which an answer stays while others play on

Message = dict[str, Any]  # one message for the browser, as JSON


@dataclass(frozen=True)
class Rights:
    """What a viewer may do.

    owner: whether the viewer started the program
    browser_id: the id of the viewer's browser, or ""
    television: whether the page is for a television, which never shows a hand
    local: whether the browser is on this machine
    """

    owner: bool = False
    browser_id: str = ""
    television: bool = False
    local: bool = False


class Answer(NamedTuple):
    """The answer to a click that the table did not accept.

    advice: a sentence on what to do instead, or ""
    tile: the refused tile, or None
    again: whether this move was also refused before; if so, the page offers to lay the tile anyway
    at: the time of the answer, in seconds of time.monotonic()
    """

    text: str
    advice: str
    slot: str
    tile: str | None
    again: bool
    at: float


class Viewer:
    """One viewer of the table of an App.

    language: one of LANGUAGES. Any other value gives English.
    """

    def __init__(self, app: App, rights: Rights, language: str = "en") -> None:
        self.app = app
        self.rights = rights
        self.language = language if language in LANGUAGES else "en"
        self.translate = Translator(self.language)
        self.picture_size = (1000, 1000)  # width, height in the browser's pixels
        self.dialog: list[str] | None = None  # the words that opened it: ["remove", "3"]
        self.form: dict[str, str] = {}  # fields of the open dialog, as far as they are filled in
        self.form_error = ""  # a sentence about those fields
        self.free_names: dict[str, str] = {}  # {field: name}, offered for names that were taken
        self.closed_ending: tuple[str, int] | None = None  # the end of a round that was dismissed
        self.screen_seat: int | None = None  # the person now at a shared screen
        self.asked_seat: int | None = None  # the seat that this viewer has asked for
        self.chosen_tile: str | None = None
        self.picked_s = 0.0  # when a tile of the hand was last clicked, as event_s
        self.hint: Hint | None = None
        self.answer: Answer | None = None
        self.refused_move: tuple[str, str] | None = None  # (tile, slot), since the last accepted
        self.pass_asked = False  # whether a pass has been refused because a tile fits
        self.event_s = 0.0  # when the browser sent its last event; seconds by its own clock
        self.acted_s = -1.0  # when this viewer last did something at the table, as event_s
        self.muted = False
        self.volume = 100  # percent
        self.spoken = "off"  # one of SPOKEN
        self.television = rights.television
        self.sentences: list[Sentence] = []  # the story, oldest first
        self.latest: list[Sentence] = []  # the sentences of the last change
        # not yet said aloud: new sentences, and whether it is another seat's turn
        self.news: tuple[list[Sentence], bool] = ([], False)
        self._turn: int | None = None
        self._messages: list[Message] = []
        self._picture_key: Any = None  # the values that the picture depends on
        self._picture = ""
        self._layout = self._new_layout()
        self._disk_error: str | None = None  # the reason last shown
        self._followed: Any = None  # (table, epoch, names, moments so far)
        self._send_language()
        self.follow()
        if self.table.kind == "empty" and rights.owner:
            self.dialog = ["new"]

    # ---- the table ----

    @property
    def table(self) -> ShownTable:
        return self.app.table

    @property
    def played(self) -> PlayedTable:
        """The table that the page shows, which must be a PlayedTable."""
        assert isinstance(self.table, PlayedTable), self.table.kind
        return self.table

    @property
    def session(self) -> MatchSession:
        """The match at the table that the page shows, which must be a PlayedTable."""
        return self.played.session

    @property
    def player_view(self) -> PlayerView:
        return self.played.player_view

    @property
    def watched(self) -> LiveTable:
        """The table that the page shows, which must be a LiveTable."""
        assert isinstance(self.table, LiveTable), self.table.kind
        return self.table

    @property
    def replayed(self) -> ReplayedTable:
        """The table that the page shows, which must be a ReplayedTable."""
        assert isinstance(self.table, ReplayedTable), self.table.kind
        return self.table

    @property
    def state(self) -> ConsoleLine | None:
        """The newest line about an input, or None if there is none yet."""
        return self.table.state

    def seat_name(self, seat: int | str | None) -> str:
        """Return the name of the player at a seat, or a text like "player 3" in the viewer's
        language."""
        return self.story.words.name(seat)

    # ---- seats ----

    def own_seats(self) -> set[int]:
        """Return the seats that this viewer plays: none on a television."""
        if self.table.kind != "play" or self.television:
            return set()
        claims = self.played.seat_claims
        own = claims.of(self.rights.browser_id)
        people = self.session.people
        return (people - set(claims.seats)) | own if self.rights.owner else own & people

    def away_text(self, seat: int) -> str:
        """Return a sentence about a seat's phone if its browser does not show the page, otherwise
        ""."""
        claims = self.played.seat_claims
        phone = claims.seats.get(seat)
        if not phone or phone in self.app.present or self.app.is_room_let_in is None:
            return ""
        return self.translate("page.phone_away", name=self.seat_name(seat))

    def hand_seat(self) -> int | None:
        """Return the seat whose hand the viewer sees. Return None if the viewer has no seat, or if
        the curtain hides all hands."""
        own = self.own_seats()
        if len(own) == 1:
            return min(own)
        return self.screen_seat if self.screen_seat in own and not self.curtain_seat() else None

    def curtain_seat(self) -> int | None:
        """Return the seat of the person who must act next but has not come to this shared screen,
        or None."""
        own = self.own_seats()
        if len(own) < 2:
            return None
        waits = self.session.waits_for()
        to_act = waits.seat if waits.kind == "person" else None
        return to_act if to_act in own and to_act != self.screen_seat else None

    def is_on_turn(self) -> bool:
        """Return whether the player whose hand is shown may act now."""
        seat = self.hand_seat()
        if not seat:
            return False
        waits = self.session.waits_for()
        return waits.seat == seat and waits.kind in ("person", "knock")

    def lesson_goal(self) -> Wanted | None:
        """Return the move that a lesson asks this viewer to make now, or None."""
        if self.table.kind != "play" or not self.played.lesson or not self.own_seats():
            return None
        return self.played.lesson.wanted()

    # ---- clicks ----

    def are_free(self, names: Mapping[str, str], others: Iterable[str] = ()) -> bool:
        """Return whether all names differ from each other and from `others`. For each name that is
        already used, offer another name in the form's field and set an error message."""
        self.free_names, seen = {}, list(others)
        for field, name in names.items():
            free = free_name(name, seen)
            seen.append(free)
            if free != name:
                self.free_names[field] = free
                self.form_error = self.translate("page.name_taken", name=name, free=free)
        return not self.free_names

    def clear_form_error(self) -> None:
        self.form_error, self.free_names = "", {}

    def press(self, seat: int | None, action: Callable[[MatchSession], object]) -> bool:
        """Call `PlayedTable.press` with the time of the browser's last event. Return what this
        call returns."""
        return self.played.press(seat, self.event_s, action)

    def is_same_press(self) -> bool:
        """Return whether the event comes shortly after the viewer's last action, as the second
        half of a double click or key press. Such an event must not answer a dialog that the first
        half has opened."""
        return abs(self.event_s - self.acted_s) < shown_tables.PRESS_S

    def refuse(self, text: str, slot: str, advice: str = "", tile: str | None = None) -> bool:
        """Show a red answer to a refused click on the table, and return True. Without a tile, also
        play the sound of a refusal. After a refused tile, the hub's line causes this sound.

        text, slot, advice, tile: as in Answer
        """
        move = (tile, slot) if tile else None
        again = move is not None and self.refused_move == move and not self.is_same_press()
        self.refused_move = move
        self.answer = Answer(text, advice, slot, tile, again, time.monotonic())
        self.latest = [Sentence(" ".join(filter(None, (text, advice))), "refused", None)]
        if not tile:  # the sound of a refused tile comes with the hub's line
            self.play("no")
        return True

    # ---- messages, beside the components ----

    def send(self, **message: Any) -> None:
        """Queue a message for the browser: an error, a sound, a file, or a setting to store."""
        self._messages.append(message)

    def play(self, tune: str) -> None:
        """Let the browser play a tune, if the sound is on."""
        if not self.muted:
            self.send(sound=sounds.tones(tune), volume=self.volume)

    def take_messages(self) -> list[Message]:
        """Return the messages in the queue, and empty the queue."""
        messages, self._messages = self._messages, []
        return messages

    def disk_error_text(self, error: OSError, key: str = "disk") -> str:
        """Return the sentence that describes an OSError of the match store.

        key: the middle part of the sentence's key, such as `disk` in `page.disk_full`
        """
        store = self.app.store
        folder = "" if not store else store.folder if self.rights.owner else store.folder.name
        key = "page.%s_%s" % (key, reason(error))
        return self.translate(key, folder=str(folder), why=error.strerror)

    # ---- following the table ----

    def set_language(self, language: str) -> None:
        self.language = language
        self._send_language()
        self._followed = (self.table, None)  # the story is retold from the start
        self.follow()

    def _send_language(self) -> None:
        """Send the browser the language, and the sentence to show while the server does not
        answer."""
        self.send(language=self.language, lost=Translator(self.language)("server.lost"))

    def follow(self) -> None:
        """Add to the viewer's story what has happened since the last call, and send the sounds to
        the browser."""
        table = self.table
        if self._followed and self._followed[0] is not table:  # another table: a clean start
            self.screen_seat = self.chosen_tile = self.hint = self.closed_ending = None
            self.answer = self.refused_move = None
            self.pass_asked = False
            self._layout = self._new_layout()
        now = (table, table.epoch, dict(table.names))
        continues = self._followed is not None and self._followed[:3] == now
        start = max(0, self._followed[3] - table.forgotten) if continues else 0
        if not continues:
            self.story = Story(Translator(self.language), table.names)
            self.sentences = []
            self._disk_error = None
        self._followed = (*now, table.forgotten + len(table.moments))
        tune = None
        sentences = []
        for moment in table.moments[start:]:
            sentences += self.story.sentences(moment)
            with safety_net.under(moment.line):
                tune = sounds.tune(moment) or tune
            if continues and moment.line.get("verdict") == "ok":
                self._forget_advice()
            if moment.line.get("did") in ("took-back", "put-back"):
                self.closed_ending = None  # the round may end again
        sentences += self._disk_sentences()
        self.translate = self.story.words.translator  # has the names in the house's sheet
        self.latest = sentences or self.latest
        self.sentences = [*self.sentences, *sentences][-LATEST:]
        turn = (self.state or {}).get("turn")
        is_new_turn, self._turn = turn != self._turn, turn
        unsaid, was_new_turn = self.news
        news = ([*unsaid, *sentences], was_new_turn or is_new_turn)
        self.news = news if continues else ([], False)
        if continues and tune:
            self.play(tune)
        seat = self.hand_seat() if table.kind == "play" else None
        if self.asked_seat and self.asked_seat in self.own_seats():
            self.asked_seat = self.dialog = None  # the viewer has got the seat asked for
            self.clear_form_error()
        if self.chosen_tile and (not seat or self.chosen_tile not in self.player_view.hand(seat)):
            self.chosen_tile = None

    def _new_layout(self) -> KeptLayout:
        return KeptLayout(self.television)

    def set_television(self, is_one: bool) -> None:
        self.television = is_one
        self._layout = self._new_layout()
        self._picture_key = None
        self.screen_seat = self.chosen_tile = self.hint = self.answer = None
        self.send(tv=is_one)

    def _forget_advice(self) -> None:
        """Forget the hint and the refused move after an accepted input, and the answer after
        ANSWER_S seconds."""
        self.hint = self.refused_move = None
        self.pass_asked = False
        if self.answer and time.monotonic() - self.answer.at > ANSWER_S:
            self.answer = None

    def _disk_sentences(self) -> list[Sentence]:
        """Return a list with one sentence if saving the match has just failed or works again;
        otherwise []."""
        error = self.table.trouble
        why = reason(error) if error else None
        if why == self._disk_error:
            return []
        self._disk_error = why
        text = (
            self.disk_error_text(error, "not_kept") if error else self.translate("page.kept_again")
        )
        self.send(error=text)  # also shown beside the table, as the story scrolls
        return [Sentence(text, "health", None)]

    # ---- the picture ----

    @property
    def model(self) -> TableModel:
        """The TableModel that the picture shows. Between two rounds and after the match, this is
        the model at the end of the last round."""
        model = self.table.model
        if self.table.kind != "play" or not model.last_round:
            return model
        return model.last_round if self.session.shows_last_round() else model

    def picture(self, seat: int | None, marked: frozenset[str]) -> str:
        """Return a picture of the table as SVG. After a line from the hub, only the first picture
        has flashing answer lamps.

        seat: the seat drawn at the bottom of the picture, or None
        """
        table = self.table
        assert self.state
        names = {text: self.seat_name(text) for text in self.state["scores"]}
        moment = (table, table.epoch, table.count)
        model = self.model
        key = (
            moment,
            model is table.model,
            seat,
            marked,
            self.picture_size,
            self.language,
            tuple(names.items()),
        )
        if self._picture_key != key:
            is_new = not self._picture_key or self._picture_key[0] != moment
            self._picture_key = key
            self._picture = table_picture.svg(
                model,
                names,
                self.translate,
                me=seat,
                room=self.picture_size,
                marked=marked,
                fresh=is_new and model is table.model,
                kept=self._layout,
            )
        return self._picture

    def slot_place(self, seat: int | None, slot: str) -> tuple[float, float]:
        """Return the position (x, y) of a slot's next tile in the picture, in CSS pixels.

        seat: the seat drawn at the bottom of the picture, or None
        """
        return table_picture.place(self.model, slot, seat, self.picture_size, self._layout)
