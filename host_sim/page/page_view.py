# SPDX-License-Identifier: MIT
"""One viewer's page: what is shown to whom, and what a click or a key does.

The shell sends events: {"do": "words", "fields": {...}} and {"key": "Enter"}. Each word is an
action of actions.py; junk changes nothing. A viewer may look. It may act for the seats it took
from its own phone; whoever started the program may do the rest.
"""

import htpy as h
from markupsafe import Markup

from host_sim.page import (
    actions,
    components,
    dialogs,
    hand_components,
    hub_dialogs,
    match_link,
    sounds,
)
from host_sim.views import lamp_css, table_picture
from host_sim.views.disk_errors import reason
from host_sim.views.i18n import LANGUAGES, Translator
from host_sim.views.story import Story, StorySentence

OTHERS = (hub_dialogs, match_link)  # they bring actions and dialogs of their own
LAMPS = lamp_css.css()
LATEST = 60  # sentences that stay on the page
LONGEST = 200_000  # characters of a field: an export is the longest there is


class Rights:
    """What a viewer may do. owner: started the program; me: the id that its browser keeps."""

    def __init__(self, owner=False, me=""):
        self.owner = owner
        self.me = me


class PageView:
    """The page of one viewer.

    app: the AppState; rights: a Rights; language: one of LANGUAGES, English for another.
    """

    def __init__(self, app, rights, language="en"):
        self.app = app
        self.rights = rights
        self.language = language if language in LANGUAGES else "en"
        self.say = Translator(self.language)
        self.room = (1000, 1000)  # of the picture, in the browser's pixels
        self.dialog = None  # the words that opened it: ["rounds"]
        self.form = {}  # what is filled in so far in the dialog that is open
        self.error = ""  # a sentence about what was filled in
        self.ended = None  # the end of a round or match that was looked at and closed
        self.front = None  # of several people at this screen, whose hand is in front
        self.chosen = None  # a tile, as text
        self.hint = None  # a people.Hint
        self.quiet = False
        self.said = []  # story.StorySentence, oldest first
        self.fresh = []  # those that came last, together
        self._extras = []
        self._drawn = None  # what the picture was drawn from
        self._trouble = None  # why what is played is not kept, as it was told
        self._heard = None  # (table, its epoch, its names, how many of its lines)
        self._tell_language()
        self._follow()
        if self.table.kind == "empty" and rights.owner:
            self.dialog = ["new"]

    @property
    def table(self):
        """The TableModel on the page."""
        return self.app.table

    @property
    def state(self):
        """The hub's newest line, or None."""
        return self.table.state

    def name(self, seat):
        """Return a seat's name: the one given, or "player 3" in the viewer's language."""
        return self.story.words.name(seat)

    # ---- whose hand ----

    def seats(self):
        """Return the seats that this viewer plays."""
        if self.table.kind != "play":
            return set()
        seat_claims = self.table.seat_claims
        people = self.table.session.people
        if self.rights.owner:
            return (people - set(seat_claims.seats)) | seat_claims.of(self.rights.me)
        return seat_claims.of(self.rights.me) & people

    def seat(self):
        """Return the seat whose hand is in front of this viewer; None: nobody's, or a curtain."""
        mine = self.seats()
        if len(mine) == 1:
            return min(mine)
        return self.front if self.front in mine and not self.behind() else None

    def behind(self):
        """Return the seat that is to come to this screen, where another one sat there last."""
        mine = self.seats()
        if len(mine) < 2:
            return None
        waits = self.table.session.waits_for()
        to_act = waits.seat if waits.kind == "person" else None
        return to_act if to_act in mine and to_act != self.front else None

    def on_turn(self):
        """Return whether the table waits for the hand in front."""
        seat = self.seat()
        waits = self.table.session.waits_for() if seat else None
        return bool(seat) and waits.seat == seat and waits.kind in ("person", "knock")

    def wanted(self):
        """Return what a lesson wants this viewer to do, a session.lesson.Wanted, or None."""
        table = self.table
        taught = table.lesson if table.kind == "play" and self.seats() else None
        return taught.wanted() if taught else None

    # ---- events ----

    def take(self, event):
        """Take an event of the shell. Returns whether anything was done; junk is left out."""
        if not isinstance(event, dict):
            return False
        fields = event.get("fields", {})
        if not isinstance(fields, dict) or not all(
            isinstance(value, str) and len(value) <= LONGEST for value in fields.values()
        ):
            return False
        key, words = event.get("key"), event.get("do")
        if isinstance(key, str):
            return actions.press_key(self, key)
        return isinstance(words, str) and actions.do(self, words[:200], fields)

    def tell(self, **message):
        """Send the shell something that is not a piece, once."""
        self._extras.append(message)

    # ---- what is shown ----

    def pieces(self):
        """Return {element id: its HTML}, all of them."""
        self._follow()
        made = {
            "lamps": Markup(LAMPS),
            "head": components.head(self),
            "table": components.table(self),
            "scores": components.scores(self),
            "story": components.story(self),
            "lesson": components.lesson(self),
            "hand": hand_components.hand(self),
            "live": components.live(self),
            "dialog": dialogs.dialog(self),
        }
        return {name: str(h.fragment[piece]) for name, piece in made.items()}

    def picture(self, me, marked):
        """Return the table's picture, an SVG; me: the seat at the bottom; marked: slots.

        Answers flash in the first picture of a line, and in none that is drawn again.
        """
        table = self.table
        names = {text: self.name(text) for text in self.state["scores"]}
        drawn = (table, table.epoch, table.heard)
        how = (drawn, me, marked, self.room, self.language, tuple(names.items()))
        if self._drawn != how:
            fresh = not self._drawn or self._drawn[0] != drawn
            self._drawn = how
            self._picture = table_picture.svg(
                table.seen, names, self.say, me=me, room=self.room, marked=marked, fresh=fresh
            )
        return self._picture

    def extras(self):
        """Return what is said to the shell once, since it was last asked for."""
        extras, self._extras = self._extras, []
        return extras

    def speak(self, language):
        """Tell everything in another language."""
        self.language = language
        self._tell_language()
        self._heard = (self.table, None)  # all is told anew
        self._follow()

    def _tell_language(self):
        """Tell the shell which language it is, and what it says itself when nobody answers."""
        self.tell(language=self.language, lost=Translator(self.language)("server.lost"))

    def _follow(self):
        """Take up what the table has said since the last time."""
        table = self.table
        if self._heard and self._heard[0] is not table:  # nothing of the last one is open
            self.front = self.chosen = self.hint = self.ended = None
        here = (table, table.epoch, dict(table.names))
        fresh = self._heard is not None and self._heard[:3] == here
        told = self._heard[3] if fresh else 0
        if not fresh:
            self.story = Story(Translator(self.language), table.names)
            self.said = []
            self._before = self._trouble = None
        self._heard = (*here, len(table.lines))
        tune = None
        said = []
        for line in table.lines[told:]:
            said += self.story.line(line)
            if "input" in line:
                tune = sounds.tune_for(line, self._before) or tune
                self._before = line
                if line["verdict"] == "ok":
                    self.hint = None
        said += self._kept()
        self.say = self.story.words.translator  # with the words of the house's sheet
        self.fresh = said or self.fresh
        self.said = [*self.said, *said][-LATEST:]
        if fresh and tune and not self.quiet:
            self.tell(sound=sounds.tones(tune))
        seat = self.seat() if table.kind == "play" else None
        if self.chosen and (not seat or self.chosen not in table.session.hand(seat)):
            self.chosen = None

    def _kept(self):
        """Return, as StorySentence, that what is played cannot be kept, and why; and when it can
        again."""
        trouble = self.table.trouble
        why = trouble and reason(trouble)
        if why == self._trouble:
            return []
        self._trouble = why
        text = self.why(trouble, "not_kept") if trouble else self.say("page.kept_again")
        self.tell(error=text)  # beside the table too: the story moves on
        return [StorySentence(text, "health", None)]

    def why(self, error, what="disk"):
        """Return the sentence for an OSError. what: its key's beginning."""
        values = {"folder": self.app.where(self.rights), "why": error.strerror}
        return self.say("page.%s_%s" % (what, reason(error)), **values)
