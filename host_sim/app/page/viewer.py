# SPDX-License-Identifier: MIT
"""A person who looks at the page, with all that they have open."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from host_sim.app.page import comfort, sounds
from host_sim.app.page.advice import Advice
from host_sim.app.page.app import App
from host_sim.app.page.clicks import Clicks
from host_sim.app.page.follower import Follower
from host_sim.app.page.kept_picture import KeptPicture
from host_sim.app.page.open_dialog import OpenDialog
from host_sim.app.page.rights import Rights, Seats
from host_sim.app.page.shown_tables import LiveTable, PlayedTable, ReplayedTable, ShownTable
from host_sim.app.session.lesson import Wanted
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.player_view import PlayerView
from host_sim.app.views.disk_errors import reason
from host_sim.app.views.i18n import LANGUAGES, Said, Translator
from host_sim.app.views.story import Sentence, Story
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import TableModel

Message = dict[str, Any]  # one message for the browser, as JSON


class Viewer:
    """One viewer of the table of an App.

    language: one of LANGUAGES. Any other value gives English.
    """

    def __init__(self, app: App, rights: Rights, language: str = "en") -> None:
        self.app = app
        self.rights = rights
        self.language = language if language in LANGUAGES else "en"
        self.translate = Translator(self.language)
        self.seats = Seats(app, rights)
        self.dialog = OpenDialog()
        self.chosen_tile: str | None = None
        self.advice = Advice()
        self.clicks = Clicks()
        self.sound = sounds.SoundSettings()
        self.comfort = comfort.from_fields({})
        self.waits_for_phone: int | None = None  # the seat on turn whose phone is away
        self.falls_asleep = False  # whether the browser cannot keep the screen awake
        self.picture = KeptPicture(rights.television)
        self.follower = Follower()
        self._messages: list[Message] = []
        self._send_language()
        self.follow()
        if self.table.kind == "empty" and rights.owner:
            self.dialog.open("new")

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

    @property
    def model(self) -> TableModel:
        """The TableModel that the picture shows. Between two rounds and after the match, this is
        the model at the end of the last round."""
        model = self.table.model
        if self.table.kind != "play" or not model.last_round:
            return model
        return model.last_round if self.session.shows_last_round() else model

    @property
    def hands_are_open(self) -> bool:
        """Whether everybody may see all hands, all match long."""
        return self.table.kind == "play" and self.session.hands_are_open

    @property
    def story(self) -> Story:
        return self.follower.story

    def seat_name(self, seat: int | str | None) -> str:
        """Return the name of the player at a seat, or a text like "player 3" in the viewer's
        language."""
        return self.story.words.name(seat)

    def seat_label(self, seat: int | str) -> str:
        """Return what a list or a picture calls a player: the name, or "you" for the viewer if
        they play one seat and have typed no name."""
        return self.translate("page.you") if str(seat) == self.you else self.seat_name(seat)

    @property
    def you(self) -> str:
        """The viewer's seat if they play one seat and have typed no name, otherwise ""."""
        own = [str(seat) for seat in self.seats.own()] if self.table.kind == "play" else []
        return own[0] if len(own) == 1 and not self.table.names.get(own[0]) else ""

    def away_text(self, seat: int) -> str:
        """Return a sentence about a seat's phone if its browser does not show the page, otherwise
        ""."""
        claims = self.played.seat_claims
        phone = claims.seats.get(seat)
        if not phone or phone in self.app.present or self.app.is_room_let_in is None:
            return ""
        return self.translate("page.phone_away", name=self.seat_name(seat))

    def lesson_goal(self) -> Wanted | None:
        """Return the move that a lesson asks this viewer to make now, or None."""
        if self.table.kind != "play" or not self.played.lesson or not self.seats.own():
            return None
        return self.played.lesson.wanted()

    # ---- clicks ----

    def press(self, seat: int | None, action: Callable[[MatchSession], object]) -> bool:
        """Call `PlayedTable.press` with the time of the browser's last event. Return what this
        call returns."""
        return self.played.press(seat, self.clicks.event_s, action)

    def refuse(
        self, text: Said, slot: str, advice: Said | None = None, tile: str | None = None
    ) -> bool:
        """Show a red answer to a refused click on the table, and return True. Without a tile, also
        play the sound of a refusal. After a refused tile, the hub's line causes this sound.

        text: why it is refused
        advice: what to do instead
        slot, tile: as in Answer
        """
        said = (text, advice) if advice else (text,)
        answer = self.advice.refuse(said, slot, tile, self.clicks.is_same_press())
        self.follower.answer(Sentence(answer.text(self.translate), "refused", None))
        if not tile:  # the sound of a refused tile comes with the hub's line
            self.play("no")
        return True

    # ---- messages, beside the components ----

    def send(self, **message: Any) -> None:
        """Queue a message for the browser: an error, a sound, a file, or a setting to store."""
        self._messages.append(message)

    def play(self, tune: str) -> None:
        """Let the browser play a tune, if the sound is on."""
        if not self.sound.muted:
            self.send(sound=sounds.tones(tune), volume=self.sound.volume)

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
        self.follower.retell()
        self.follow()

    def _send_language(self) -> None:
        """Send the browser the language, and the sentence to show while the server does not
        answer."""
        self.send(language=self.language, lost=Translator(self.language)("server.lost"))

    def set_television(self, is_one: bool) -> None:
        self.rights = replace(self.rights, television=is_one)
        self.seats = Seats(self.app, self.rights)
        self.picture.forget(is_one)
        self.chosen_tile = self.advice.hint = self.advice.answer = None
        self.send(tv=is_one)

    def follow(self) -> None:
        """Add to the viewer's story what has happened since the last call, and send the sounds to
        the browser."""
        if self.follower.table not in (None, self.table):
            self._leave_table()
        read = self.follower.read(self.table, self.language, self.you)
        for moment in read.moments:
            if read.continues and moment.line.get("verdict") == "ok":
                self.advice.forget()
            if moment.line.get("did") in ("took-back", "put-back"):
                self.dialog.closed_ending = None  # the round may end again
        sentences = [*read.sentences, *self._disk_sentences()]
        self.translate = self.story.words.translator  # has the names in the house's sheet
        turns = [m.line["turn"] for m in read.moments if "turn" in m.line]
        turns.append((self.state or {}).get("turn"))
        self.follower.tell(sentences, turns, read.continues)
        if any(turn != self.waits_for_phone for turn in turns):
            self.waits_for_phone = None
        if read.continues and read.tune:
            self.play(read.tune)
        self._close_what_is_done()

    def _leave_table(self) -> None:
        """Close what the viewer had open at the previous table."""
        self.seats.at_screen = self.chosen_tile = self.dialog.closed_ending = None
        self.advice = Advice()
        self.picture.forget(self.rights.television)

    def _disk_sentences(self) -> list[Sentence]:
        """Return a list with one sentence if saving the match has just failed or works again;
        otherwise []."""
        error = self.table.trouble
        if not self.follower.disk_error_changed(error):
            return []
        text = (
            self.disk_error_text(error, "not_kept") if error else self.translate("page.kept_again")
        )
        self.send(error=text)  # also shown beside the table, as the story scrolls
        return [Sentence(text, "health", None)]

    def _close_what_is_done(self) -> None:
        """Close the dialog in which the viewer asked for a seat once they have it, and deselect a
        tile that has left their hand."""
        if self.dialog.asked_seat and self.dialog.asked_seat in self.seats.own():
            self.dialog.asked_seat = None
            self.dialog.close()
            self.dialog.clear_error()
        seat = self.seats.hand() if self.chosen_tile else None
        if not seat or self.chosen_tile not in self.player_view.hand(seat):
            self.chosen_tile = None
