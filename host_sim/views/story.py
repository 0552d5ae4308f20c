# SPDX-License-Identifier: MIT
"""What happens at the table, told in sentences: console lines in, sentences out.

It knows no rule: who it was and what it was the lines say (`by`, `did`), the rest is what has
changed from one line to the next.

    >>> from host_sim.views.i18n import Translator
    >>> Story(Translator("en"), {}).line({"slot": "4", "reader": "fault"})[0].text
    'The reader at station 4 does not work.'
"""

from collections import namedtuple

from host_sim.views import reported_input
from host_sim.views.refusals import Refusals
from host_sim.views.score_sheet import ScoreSheet
from host_sim.views.table_phrases import TablePhrases, sentence
from host_sim.views.undo_stack import UndoStack
from roundhouse import VERSION

# text: plain text, a short sentence or a few; kind: one of KINDS, for a view to show it by; seat:
# the number of whom it is about, or None
StorySentence = namedtuple("StorySentence", "text kind seat")

KINDS = (
    *("joined", "left", "dealt", "opened", "laid", "drew", "passed", "knocked", "out", "caught"),
    *("counted", "done", "round", "match", "cleared", "took-back", "put-back", "rules"),
    *("corrected", "note", "refused", "health"),
)

# one input: its line, the input line before it (itself where there was none), and its Gesture
Moment = namedtuple("Moment", "line before gesture")

# words in an error of the hub -> what is told of it
TROUBLES = {
    "the hub starts again": "error_restart",
    "the flash cannot": "error_not_kept",
    "segment ": "error_kept",
}

CARDS = {"override": "next_tile_counts", "quiet": "sound", "scores": "scores_written"}


class Story:
    """The story of one table.

    translator: a Translator; names: {seat text: name}, which may be changed at any time. Feed
    every line of the hub to `line`, in order. `words` (TablePhrases) has the names of people and
    places, `refusals` the reasons.
    """

    def __init__(self, translator, names):
        self.words = TablePhrases(translator, names)
        self.refusals = Refusals(self.words)
        self._before = None  # the newest line of an input
        self._undo_stack = UndoStack()  # (gesture, did, what was said) of each
        self._sheet = ScoreSheet()

    def line(self, line):
        """Take one line of the console, a dict; return what it tells, a list of StorySentence."""
        self._sheet.line(line)
        if "input" in line:
            return self._input(reported_input.fill_in(line, self._before))
        if "reader" in line or "button" in line:
            return self._health(line)
        if "error" in line:
            return [StorySentence(self._trouble(line["error"]), "health", None)]
        if "warning" in line:
            return [StorySentence(self._say("supply_low"), "health", None)]
        if "dropped" in line:
            self._undo_stack.clear()
            return [StorySentence(self._say("dropped"), "health", None)]
        if "unknown" in line:
            return [self._not_known(line)]
        if "sure" in line:
            return [StorySentence(self._say("lock_sure", tag=line["lock"]), "note", None)]
        return []

    def house_words(self, house):
        """Return a house and its variants, `jassshop no-lock`, in plain words, with the sheet's
        name; it has no full stop."""
        return self.words.house(house)

    def _say(self, row, **values):
        return sentence(self.words.translator("story." + row, **values))

    def _health(self, line):
        part = "reader" if "reader" in line else "button"
        word = line[part]
        if word == "reset" or word.startswith("0x"):  # a self-test tells what each chip is
            return []
        row = part + {"ok": "_works", "slow": "_slow"}.get(word, "_broken")
        return [
            StorySentence(self._say(row, where=self.words.where(line["slot"])), "health", None)
        ]

    def _trouble(self, text):
        """What the hub says of itself, without its own words: they are for makers."""
        if text.startswith("slot "):
            slot = text[len("slot ") :].partition(":")[0]
            return self._say("error_tag", where=self.words.where(slot))
        for part, row in TROUBLES.items():
            if part in text:
                return self._say(row)
        return self._say("error")

    # ---- an input ----

    def _input(self, line):
        """Return what an input's line tells, and which of its words this page does not know."""
        told = self._told(line)
        return [*told, self._not_known(line)] if "unknown" in line else told

    def _told(self, line):
        gesture = reported_input.parse(line["input"])
        moment = Moment(line, self._before or line, gesture)
        self._before = line
        self.words.look(line if line["did"] != "left" else moment.before)
        if "house" in line:
            self.words.words_of(line["house"].split()[0])
        if line["verdict"] != "ok":
            return self._refused(moment)
        kind, tell = TELLS.get(line["did"], ("note", Story._older))
        text = tell(self, moment)
        found = [StorySentence(text, kind, line["by"])] if text else []
        if line.get("gain") and line["by"]:
            points = self.words.points(line["gain"])
            found.append(StorySentence(self._by(moment, "gains", points=points), kind, line["by"]))
        if line["did"] in ("took-back", "put-back"):
            return [StorySentence(text, kind, self._holder(gesture))]
        found += self._ends(moment)
        if line["did"] != "showed":
            self._undo_stack.add((gesture, line["did"], found[0].text if found else ""))
        elif reported_input.inputs_missed(line, moment.before):
            self._undo_stack.clear()
        return [said for said in found if said.text]

    def _not_known(self, line):
        """Words of a newer hub, or of a bent line, are named as such."""
        return StorySentence(self._say("unknown", words=", ".join(line["unknown"])), "note", None)

    def _refused(self, moment):
        line, gesture = moment.line, moment.gesture
        seat = line["turn"]
        if gesture.word in ("press", "draw") and self.words.is_seat(gesture.slot):
            seat = int(gesture.slot)
        return [StorySentence(sentence(self.refusals.sentence(line, gesture)), "refused", seat)]

    def _older(self, moment):
        """An input of which nothing more can be told."""
        gesture = moment.gesture
        if gesture.word in ("tile", "override"):
            return self._say(
                "only_a_tile", tile=gesture.what, where=self.words.where(gesture.slot)
            )
        return ""

    def _by(self, moment, row, **values):
        return self._say(row, name=self.words.name(moment.line["by"]), **values)

    # ---- before a round ----

    def _joined(self, moment):
        now = str(moment.line["by"]) in moment.line["scores"]
        return self._by(moment, "joined" if now else "joins_later")

    def _left(self, moment):
        told = [self._by(moment, "left"), *self._markers(moment)]
        self.words.look(moment.line)
        return " ".join(told)

    def _dealt(self, moment):
        hands = set(moment.line["hands"].values())
        number = moment.line["round"]
        if len(hands) != 1:
            return self._say("dealt", number=number)
        return self._say("dealt_each", number=number, tiles=self.words.tiles(hands.pop()))

    def _opened(self, moment):
        tile = moment.gesture.what
        told = [self._dealt(moment)] if moment.before["phase"] == "lobby" else []
        if self.words.lines:
            told.append(self._by(moment, "opened_line", tile=tile))
        elif moment.gesture.slot == "E":
            told.append(self._by(moment, "opened_by_chance", tile=tile))
        else:
            told.append(self._by(moment, "opened", tile=tile))
        return " ".join(told)

    # ---- in a round ----

    def _laid(self, moment):
        slot, by = moment.gesture.slot, moment.line["by"]
        values = {"tile": moment.gesture.what}
        if self.words.lines:
            row = "laid_line" if slot in moment.before["ends"] else "laid_new_line"
            values["where"] = self.words.where(slot)
        elif slot == "M":
            row = "laid_mexican"
        elif slot == str(by):
            row = "laid_own"
        elif self.words.is_seat(slot):
            row, values["whose"] = "laid_other", self.words.whose(slot)
        else:
            row, values["where"] = "laid_bonus", self.words.where(slot)
        told = [self._by(moment, row, **values)]
        if moment.gesture.word == "override":
            told.append(self._say("overruled"))
        return " ".join(told + self._follows(moment))

    def _follows(self, moment):
        """What a laid tile asks for: sentences about doubles, markers and the turn."""
        line, before = moment.line, moment.before
        if line["phase"] != "play":
            return []
        slot = moment.gesture.slot
        high, low = moment.gesture.what.split("-")
        told = []
        if slot in before["doubles"] and slot not in line["doubles"]:
            told.append(self._say("double_closed"))
        told += self._markers(moment)
        if line["turn"] != before["turn"]:
            told += self._binds(moment)
        elif line is not before and high == low and line["playable"] == [slot]:
            told.append(self._say("double_asks"))
        elif line is not before:
            told.append(self._by(moment, "double_goes_on" if high == low else "goes_on"))
        return told + self._fined(moment)

    def _binds(self, moment):
        """Whoever is to move now may play on one train alone, and it ends in an open double."""
        line = moment.line
        if not line["doubles"] or line["playable"] != line["doubles"][:1]:
            return []
        where = self.words.where(line["doubles"][0])
        return [self._say("must_close", name=self.words.name(line["turn"]), where=where)]

    def _markers(self, moment):
        """Trains of seats that are open now, or are closed again; lines belong to nobody."""
        line, before = moment.line, moment.before
        if self.words.lines or not line["phase"] == before["phase"] == "play":
            return []
        told = []
        for slot in filter(self.words.is_seat, before["scores"]):
            if (slot in line["open"]) != (slot in before["open"]):
                row = "marker_up" if slot in line["open"] else "marker_down"
                told.append(self._say(row, whose=self.words.whose(slot)))
        return told

    def _fined(self, moment):
        """Who did not say that one tile was left, and got one more with somebody else's input."""
        before = moment.before["hands"]
        return [
            self._say("fined", name=self.words.name(seat))
            for seat, count in moment.line["hands"].items()
            if count > before.get(seat, count) and seat != str(moment.line["by"])
        ]

    def _drew(self, moment):
        return " ".join([self._by(moment, "drew"), *self._fined(moment)])

    def _passed(self, moment):
        told = [self._by(moment, "passed"), *self._markers(moment)]
        if moment.line["phase"] == "play":
            told += self._binds(moment) + self._fined(moment)
        return " ".join(told)

    def _knocked(self, moment):
        return self._by(moment, "knocked")

    def _caught(self, moment):
        seat = str(moment.line["by"])
        gained = moment.line["hands"].get(seat) != moment.before["hands"].get(seat)
        return self._by(moment, "caught" if gained else "caught_for_nothing")

    # ---- counting, and the end ----

    def _counted(self, moment):
        return self._by(moment, "counted", tile=moment.gesture.what)

    def _done(self, moment):
        if moment.gesture.word == "score":
            points = self.words.points(int(moment.gesture.what))
            return self._by(moment, "done_points", points=points)
        return self._by(moment, "done")

    def _nothing(self, moment):
        """What an input ended is told by `_ends` alone."""
        return ""

    def _ends(self, moment):
        """What has come to its end: a round, its counting, the match."""
        line, before = moment.line, moment.before
        change = before["phase"], line["phase"]
        if change == ("play", "scoring"):
            return self._round_over(moment)
        told = []
        if reported_input.round_ended(line, before) and line["did"] != "showed":
            if before["phase"] == "play" and line["phase"] == "engine":
                told += self._how_it_ended(moment)
            told.append(StorySentence(self._points(moment), "round", None))
            if line["phase"] == "engine":
                told.append(StorySentence(self._dealt(moment), "dealt", None))
        if moment.gesture.word == "forget":
            told.append(StorySentence(self._say("not_lost"), "note", None))
        if line["phase"] == "finished" != before["phase"]:
            told.append(StorySentence(self._winners(line), "match", line["winner"][0]))
        return told

    def _round_over(self, moment):
        return [*self._how_it_ended(moment), StorySentence(self._say("count_now"), "round", None)]

    def _how_it_ended(self, moment):
        """Who went out, or why nobody did. A line that has the next deal already shows no empty
        hand: who laid the last tile was the one who had one left."""
        line, before = moment.line, moment.before
        if line["phase"] == "scoring":
            out = [seat for seat, count in line["hands"].items() if count == 0]
        else:
            seat = str(line["by"])
            out = [seat] if line["did"] == "laid" and before["hands"].get(seat) == 1 else []
        if out:
            return [
                StorySentence(self._say("out", name=self.words.name(seat)), "out", int(seat))
                for seat in out
            ]
        row = "round_stopped" if line["did"] == "round-over" else "round_blocked"
        return [StorySentence(self._say(row), "round", None)]

    def _points(self, moment):
        row = self._sheet.rounds[-1]
        gained = [
            self.words.translator("story.gained", name=self.words.name(seat), points=plain(points))
            for seat, points in row["points"].items()
        ]
        number = row["round"]
        return self._say("round_points", number=number, points=", ".join(gained))

    def _winners(self, line):
        winners = line["winner"]
        points = self.words.points(line["scores"][str(winners[0])])
        row = "match_won" if len(winners) == 1 else "match_shared"
        return self._say(row, names=self.words.all_of(winners), points=points)

    def _cleared(self, moment):
        forgotten = moment.gesture.word == "forget"
        return self._say("forgotten" if forgotten else "cleared")

    # ---- putting right ----

    def _holder(self, gesture):
        """Return the seat at whose button or card something was taken back, or None."""
        return int(gesture.slot) if self.words.is_seat(gesture.slot) else None

    def _took_back(self, moment):
        taken = self._undo_stack.take_back()
        what = self._undone(*(taken or (moment.gesture, None, "")))
        seat = self._holder(moment.gesture)
        if seat:
            return self._say("took_back_by", name=self.words.name(seat), what=what)
        return self._say("took_back", what=what)

    def _undone(self, gesture, did, text):
        """Return what is to be done at the table, or else what no longer counts."""
        row = TAKEN.get(did)
        if not row:
            return text or self.words.translator("story.took_unknown")
        middle = did == "opened"
        source = self.words.source("E" if middle and not self.words.lines else gesture.slot)
        return self.words.translator("story." + row, tile=gesture.what, source=source)

    def _put_back(self, moment):
        text = (self._undo_stack.put_back() or (None, None, ""))[2]
        return self._say("put_back", what=text) if text else self._say("put_back_unknown")

    def _chose(self, moment):
        word, what, _ = moment.gesture
        if word == "set":
            return self._say("set", number=moment.line.get("set", what))
        return self._say("rules", house=self.house_words(moment.line.get("house", what)))

    def _corrected(self, moment):
        word, what, slot = moment.gesture
        name = self.words.name(slot) if slot else ""
        if word == "marker":
            row = "marker_up" if slot in moment.line["open"] else "marker_down"
            what = self._say(row, whose=self.words.whose(slot))
        elif word == "score":
            points = self.words.points(int(what))
            what = self._say("has_points", name=name, points=points)
        elif word == "turn":
            what = self._say("is_to_play", name=name)
        else:
            row = "holds" if word == "hand" else "left_to_draw"
            what = self._say(row, name=name, tiles=self.words.tiles(int(what)))
        return self._say("corrected", what=what)

    # ---- what changes nothing ----

    def _showed(self, moment):
        """Of what changes nothing only what somebody at the table sees or hears."""
        word, what, slot = moment.gesture
        if word == "power-up":
            return self._power_up(moment.line)
        if word == "press" and slot == "M":
            return self._say("totals")
        if word == "card" and what in CARDS:
            return self._say(CARDS[what])
        if word == "sound":
            return self._say("sound")
        if word in ("write", "lock"):
            return self._say("written" if word == "write" else "locked")
        return ""

    def _power_up(self, line):
        told = [self._say("on")]
        if "house" in line:
            told = [self._say("on_with_rules", house=self.house_words(line["house"]))]
        told.append(self._versions(line.get("version", VERSION)))
        return " ".join(filter(None, told))

    def _versions(self, hub):
        """Return which of hub and page is to be updated, by their versions; "" for neither."""
        ours, theirs = (tuple(map(int, text.split("."))) for text in (VERSION, hub))
        if ours == theirs:
            return ""
        return self._say("hub_older" if theirs < ours else "hub_newer", hub=hub, page=VERSION)


# did -> (kind, what tells it)
TELLS = {
    "joined": ("joined", Story._joined),
    "left": ("left", Story._left),
    "dealt": ("dealt", Story._dealt),
    "opened": ("opened", Story._opened),
    "laid": ("laid", Story._laid),
    "drew": ("drew", Story._drew),
    "passed": ("passed", Story._passed),
    "knocked": ("knocked", Story._knocked),
    "out": ("out", Story._nothing),
    "caught": ("caught", Story._caught),
    "counted": ("counted", Story._counted),
    "done": ("done", Story._done),
    "round-over": ("round", Story._nothing),
    "match-over": ("match", Story._nothing),
    "cleared": ("cleared", Story._cleared),
    "took-back": ("took-back", Story._took_back),
    "put-back": ("put-back", Story._put_back),
    "chose": ("rules", Story._chose),
    "corrected": ("corrected", Story._corrected),
    "showed": ("note", Story._showed),
}

# did -> what is to be done when it is taken back; of any other the old sentence is repeated
TAKEN = {
    "laid": "pick_up",
    "opened": "pick_up",
    "counted": "uncounted",
    "drew": "undrawn",
}


def plain(points):
    """Return points without a needless fraction: 12, 25.5."""
    return "%g" % points
