# SPDX-License-Identifier: MIT
"""The story of a table: turns each Moment into sentences.

This module does not know the rules of play. The keys `by` and `did` of a line tell who did what;
all else is deduced from changes.

    >>> from host_sim.app.views.i18n import Translator
    >>> from host_sim.table.model import TableModel
    >>> story = Story(Translator("en"), {})
    >>> story.sentences(TableModel().take({"slot": "4", "reader": "fault"}))[0].text
    'The reader at station 4 does not work.'
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from host_sim.app.views.i18n import Translator
from host_sim.app.views.refusals import Refusals
from host_sim.app.views.table_names import TableNames, capitalized
from host_sim.table import inputs, safety_net
from host_sim.table.console_line import ConsoleLine
from host_sim.table.inputs import Gesture
from host_sim.table.model import Moment, Points
from host_sim.table.schema import shown
from roundhouse import VERSION


class Sentence(NamedTuple):
    """One or more short sentences as plain text.

    kind: one of KINDS, for the style of the text
    seat: the seat that the text is about, or None
    """

    text: str
    kind: str
    seat: int | None


KINDS = (
    *("joined", "left", "dealt", "opened", "laid", "drew", "passed", "knocked", "out", "caught"),
    *("counted", "done", "round", "match", "cleared", "took-back", "put-back", "rules"),
    *("corrected", "note", "refused", "health"),
)

# words in an error of the hub -> the key of the sentence about it
TROUBLES = {
    "the hub starts again": "error_restart",
    "the flash cannot": "error_not_kept",
    "segment ": "error_kept",
}

CARDS = {"override": "next_tile_counts", "quiet": "sound", "scores": "scores_written"}


class Story:
    """The story of one table.

    names: {seat text: name}, which may change at any time
    you: as in TableNames
    """

    def __init__(self, translator: Translator, names: dict[str, str], you: str = "") -> None:
        self.words = TableNames(translator, names, you)
        self.refusals = Refusals(self.words)
        self._loose = False  # the hub ignores all buttons

    def sentences(self, moment: Moment) -> list[Sentence]:
        """Return the sentences about a Moment, or about an unknown line after an error. Moments
        must be passed in order."""
        with safety_net.under(moment.line):
            return self._sentences(moment)
        return [self._not_known({"unknown": [shown(moment.line.get("input", moment.line))]})]

    def _sentences(self, moment: Moment) -> list[Sentence]:
        line = moment.line
        if moment.gesture.word:
            found = self._input(moment)
            return [*found, self._not_known(line)] if "unknown" in line else found
        if "reader" in line or "button" in line:
            return self._health(line)
        if "error" in line:
            return [Sentence(self._trouble(line["error"]), "health", None)]
        if "warning" in line:
            return [Sentence(self._text("supply_low"), "health", None)]
        if "stopped" in line:
            return [Sentence(self._text("stopped"), "health", None)]
        if "dropped" in line:
            return [Sentence(self._text("dropped"), "health", None)]
        if "unknown" in line:
            return [self._not_known(line)]
        if "sure" in line:
            return [Sentence(self._text("lock_sure", tag=line["lock"]), "note", None)]
        return []

    def house_words(self, house: str) -> str:
        """Return a house like `jassshop no-lock` in plain words, without a full stop."""
        return self.words.house(house)

    def _text(self, row: str, **values: Any) -> str:
        return capitalized(self.words.translator("story." + row, **values))

    def _health(self, line: ConsoleLine) -> list[Sentence]:
        part: Literal["reader", "button"] = "reader" if "reader" in line else "button"
        word = line[part]
        if word == "reset" or word.startswith("0x"):  # a self-test lists the type of each chip
            return []
        if part == "button" and (word == "loose" or self._loose):
            self._loose = word == "loose"
            row = "buttons" + ("_broken" if self._loose else "_work")
            return [Sentence(self._text(row), "health", None)]
        row = part + {"ok": "_works", "slow": "_slow"}.get(word, "_broken")
        return [Sentence(self._text(row, of=self.words.of(line["slot"])), "health", None)]

    def _trouble(self, text: str) -> str:
        """Return a sentence for players about a hub's error message."""
        if text.startswith("slot "):
            slot = text[len("slot ") :].partition(":")[0]
            return self._text("error_tag", of=self.words.of(slot))
        for part, row in TROUBLES.items():
            if part in text:
                return self._text(row)
        return self._text("error")

    # ---- an input ----

    def _input(self, moment: Moment) -> list[Sentence]:
        line = moment.line
        self.words.use_line(line if line["did"] != "left" else moment.before)
        if "house" in line:
            self.words.use_sheet(line["house"].split()[0])
        if line["verdict"] != "ok":
            return self._refused(moment)
        kind, text_of = DIDS.get(line["did"], ("note", Story._nothing))
        text = text_of(self, moment)
        if line["did"] in ("took-back", "put-back"):
            return [Sentence(text, kind, self._holder(moment.gesture))] if text else []
        found = [Sentence(text, kind, line["by"])] if text else []
        if line.get("gain") and line["by"]:
            points = self.words.points(line["gain"])
            found.append(Sentence(self._by(moment, "gains", points=points), kind, line["by"]))
        if moment.deal:
            tiles = self.words.tiles(moment.deal)
            found.append(Sentence(self._text("put_in_your_sheet", tiles=tiles), "note", None))
        found += self._ends(moment)
        return [one for one in found if one.text]

    def _not_known(self, line: ConsoleLine) -> Sentence:
        """Return a sentence that lists the unknown words of a console line."""
        return Sentence(self._text("unknown", words=", ".join(line["unknown"])), "note", None)

    def _refused(self, moment: Moment) -> list[Sentence]:
        gesture = moment.gesture
        seat = moment.line["turn"]
        if gesture.word in ("press", "draw") and self.words.is_seat(gesture.slot):
            seat = int(gesture.slot)
        return [Sentence(capitalized(self.refusals.sentence(moment)), "refused", seat)]

    def _by(self, moment: Moment, row: str, **values: Any) -> str:
        return self._told(row, moment.line["by"], **values)

    def _told(self, row: str, seat: int | str | None, **values: Any) -> str:
        """Return a sentence about the player at a seat."""
        return capitalized(self.words.told("story." + row, seat, **values))

    # ---- before a round ----

    def _joined(self, moment: Moment) -> str:
        total = moment.line["scores"].get(str(moment.line["by"]))
        if total:
            return self._by(moment, "joins_with", points=self.words.points(total))
        return self._by(moment, "joins_later" if total is None else "joined")

    def _joined_since(self, moment: Moment) -> list[Sentence]:
        """Return a sentence, with the points, for each seat that joins the match with this
        round."""
        scores = moment.line["scores"]
        return [
            Sentence(
                self._told("joins_with", seat, points=self.words.points(total)),
                "joined",
                int(seat),
            )
            for seat, total in scores.items()
            if seat not in moment.before["scores"]
        ]

    def _left(self, moment: Moment) -> str:
        texts = [self._by(moment, "left"), *self._markers(moment)]
        self.words.use_line(moment.line)
        return " ".join(texts)

    def _dealt(self, moment: Moment) -> str:
        hands = set(moment.line["hands"].values())
        number = moment.line["round"]
        count = hands.pop() if len(hands) == 1 else None
        if count is None:
            return self._text("dealt", number=number)
        return self._text("dealt_each", number=number, tiles=self.words.tiles(count))

    def _opened(self, moment: Moment) -> str:
        tile = moment.gesture.what
        texts = [self._dealt(moment)] if moment.before["phase"] == "lobby" else []
        if self.words.lines:
            texts.append(self._by(moment, "opened_line", tile=tile))
        elif moment.gesture.slot == "E":
            texts.append(self._by(moment, "opened_by_chance", tile=tile))
        else:
            texts.append(self._by(moment, "opened", tile=tile))
        return " ".join(texts)

    # ---- in a round ----

    def _laid(self, moment: Moment) -> str:
        slot, by = moment.gesture.slot, moment.line["by"]
        values = {"tile": moment.gesture.what}
        if self.words.lines:
            return self._laid_in_line(moment)
        if slot == "M":
            row = "laid_mexican"
        elif slot == str(by):
            row = "laid_own"
        elif slot == self.words.you:
            name = self.words.name(by)
            text = self.words.translator("you.laid_on_yours", name=name, **values)
            return self._laid_and_follows(moment, text)
        elif self.words.is_seat(slot):
            row, values["whose"] = "laid_other", self.words.whose(slot)
        else:
            row, values["where"] = "laid_bonus", self.words.where(slot)
        return self._laid_and_follows(moment, self._by(moment, row, **values))

    def _laid_in_line(self, moment: Moment) -> str:
        """Return a text about a tile laid in a line game: at which number it was laid, or where it
        begins a line if there are more than two."""
        slot, before = moment.gesture.slot, moment.before
        row, end = "laid", before["ends"].get(slot)
        if end is not None:
            row = "laid_line" if isinstance(end, list) else "laid_end"
        elif len(before["ends"]) + sum(before.get("sides", {}).values()) > 2:
            row = "laid_new_line"
        values = {"tile": moment.gesture.what, "end": end, "to": self.words.train_of(slot, None)}
        return self._laid_and_follows(moment, self._by(moment, row, **values))

    def _laid_and_follows(self, moment: Moment, text: str) -> str:
        texts = [text]
        if moment.gesture.word == "override":
            texts.append(self._text("overruled"))
        return " ".join(texts + self._follows(moment))

    def _follows(self, moment: Moment) -> list[str]:
        """Return texts about what a laid tile changed: doubles, markers and the turn."""
        line, before = moment.line, moment.before
        if line["phase"] != "play":
            return []
        slot = moment.gesture.slot
        high, low = moment.gesture.what.split("-")
        texts = []
        if slot in before["doubles"] and slot not in line["doubles"]:
            texts.append(self._text("double_closed"))
        texts += self._markers(moment)
        if line["turn"] != before["turn"]:
            texts += self._must_close(moment)
        elif not moment.first and high == low and line["playable"] == [slot]:
            texts.append(self._text("double_asks"))
        elif not moment.first:
            texts.append(self._by(moment, self._again(moment, high == low)))
        return texts + self._fined(moment)

    def _again(self, moment: Moment, is_double: bool) -> str:
        """Return the key of the sentence that tells a seat to go on."""
        if is_double and self.words.lines:
            return "double_again"
        open_double = is_double and moment.gesture.slot in moment.line["doubles"]
        return "double_goes_on" if open_double else "goes_on"

    def _must_close(self, moment: Moment) -> list[str]:
        """Return a list with a text if the next seat may play only on the train with the first
        open double. Otherwise the list is empty."""
        line = moment.line
        if not line["doubles"] or line["playable"] != line["doubles"][:1]:
            return []
        where = self.words.where(line["doubles"][0])
        return [self._told("must_close", line["turn"], where=where)]

    def _markers(self, moment: Moment) -> list[str]:
        """Return a text for each player's train that was opened or closed."""
        line, before = moment.line, moment.before
        if self.words.lines or not line["phase"] == before["phase"] == "play":
            return []
        texts = []
        for slot in filter(self.words.is_seat, before["scores"]):
            if (slot in line["open"]) != (slot in before["open"]):
                row = "marker_up" if slot in line["open"] else "marker_down"
                texts.append(self._told(row, slot))
        return texts

    def _fined(self, moment: Moment) -> list[str]:
        """Return a text for each seat that had to draw a penalty tile."""
        return [
            self._told("fined", seat)
            for seat in inputs.gained(moment.line, moment.before)
            if seat != str(moment.line["by"])
        ]

    def _drew(self, moment: Moment) -> str:
        return " ".join([self._by(moment, "drew"), *self._fined(moment)])

    def _passed(self, moment: Moment) -> str:
        texts = [self._by(moment, "passed"), *self._markers(moment)]
        if moment.line["phase"] == "play":
            texts += self._must_close(moment) + self._fined(moment)
        return " ".join(texts)

    def _knocked(self, moment: Moment) -> str:
        return self._by(moment, "knocked")

    def _caught(self, moment: Moment) -> str:
        seat = str(moment.line["by"])
        gained = moment.line["hands"].get(seat) != moment.before["hands"].get(seat)
        return self._by(moment, "caught" if gained else "caught_for_nothing")

    # ---- counting, and the end ----

    def _counted(self, moment: Moment) -> str:
        return self._by(moment, "counted", tile=moment.gesture.what)

    def _done(self, moment: Moment) -> str:
        if moment.gesture.word == "score":
            points = self.words.points(int(moment.gesture.what))
            return self._by(moment, "done_points", points=points)
        return self._by(moment, "done")

    def _nothing(self, moment: Moment) -> str:
        """Return "" for an input about which `_ends` makes the sentences."""
        return ""

    def _ends(self, moment: Moment) -> list[Sentence]:
        """Return the sentences about what a Moment ended: a round, its counting, or the match."""
        line, before = moment.line, moment.before
        if (before["phase"], line["phase"]) == ("play", "scoring"):
            count_now = Sentence(self._text("count_now"), "round", None)
            return [*self._how_it_ended(moment), count_now]
        found = []
        if inputs.round_ended(line, before) and line["did"] != "showed":
            if before["phase"] == "play" and line["phase"] == "engine":
                found += self._how_it_ended(moment)
            found.append(Sentence(self._points(moment), "round", None))
            if line["phase"] == "engine":
                found += self._joined_since(moment)
                found.append(Sentence(self._dealt(moment), "dealt", None))
        if moment.gesture.word == "forget":
            found.append(Sentence(self._text("not_lost"), "note", None))
        if line["phase"] == "finished" != before["phase"]:
            winners = line["winner"]
            assert winners
            found.append(Sentence(self._winners(line, winners), "match", winners[0]))
        return found

    def _how_it_ended(self, moment: Moment) -> list[Sentence]:
        """Return the sentences about the seats that went out, or else about the round's end."""
        line, before = moment.line, moment.before
        if line["did"] == "out":
            out = [str(line["by"])]
        elif line["phase"] == "scoring":
            out = [seat for seat, count in line["hands"].items() if count == 0]
        else:
            seat = str(line["by"])
            out = [seat] if line["did"] == "laid" and before["hands"].get(seat) == 1 else []
        if out:
            return [Sentence(self._told("out", seat), "out", int(seat)) for seat in out]
        row = "round_stopped" if line["did"] == "round-over" else "round_blocked"
        return [Sentence(self._text(row), "round", None)]

    def _points(self, moment: Moment) -> str:
        last = moment.scores.rounds[-1]
        gained = [
            self.words.told("story.gained", seat, points=points)
            for seat, points in last.points.items()
        ]
        return self._text("round_points", number=last.number, points=", ".join(gained))

    def _winners(self, line: ConsoleLine, winners: list[int]) -> str:
        points = self.words.points(line["scores"][str(winners[0])])
        if [*map(str, winners)] == [self.words.you]:
            return self._told("match_won", winners[0], points=points)
        row = "match_won" if len(winners) == 1 else "match_shared"
        return self._text(row, names=self.words.all_of(winners), points=points)

    def _cleared(self, moment: Moment) -> str:
        forgotten = moment.gesture.word == "forget"
        return self._text("forgotten" if forgotten else "cleared")

    # ---- putting right ----

    def _holder(self, gesture: Gesture) -> int | None:
        """Return the seat at whose station an input was taken back, or None."""
        return int(gesture.slot) if self.words.is_seat(gesture.slot) else None

    def _took_back(self, moment: Moment) -> str:
        what = self._undone(moment)
        seat = self._holder(moment.gesture)
        if seat:
            return self._told("took_back_by", seat, what=what)
        return self._text("took_back", what=what)

    def _undone(self, moment: Moment) -> str:
        undone = moment.undone
        row = UNDO.get(undone.line["did"]) if undone else None
        if not undone or not row:
            return self._first_of(moment) or self.words.translator("story.took_unknown")
        middle = undone.line["did"] == "opened" and not self.words.lines
        source = self.words.source("E" if middle else undone.gesture.slot)
        return self.words.translator("story." + row, tile=undone.gesture.what, source=source)

    def _first_of(self, moment: Moment) -> str:
        """Return the first sentence about the input that was taken back or put back, or ""."""
        translator = self.words.translator
        found = self._input(moment.undone) if moment.undone else []
        self.words.translator = translator
        self.words.use_line(moment.line)
        return found[0].text if found else ""

    def _put_back(self, moment: Moment) -> str:
        what = self._first_of(moment)
        return self._text("put_back", what=what) if what else self._text("put_back_unknown")

    def _chose(self, moment: Moment) -> str:
        word, what, _ = moment.gesture
        if word == "set":
            return self._text("set", number=moment.line.get("set", what))
        return self._text("rules", house=self.house_words(moment.line.get("house", what)))

    def _corrected(self, moment: Moment) -> str:
        word, what, slot = moment.gesture
        name = self.words.name(slot) if slot else ""
        if word == "tile":
            return self._text("still_holds", name=name)
        if word == "marker":
            row = "marker_up" if slot in moment.line["open"] else "marker_down"
            what = self._told(row, slot)
        elif word == "score":
            points = self.words.points(int(what))
            what = self._text("has_points", name=name, points=points)
        elif word == "total":
            points = self.words.points(int(what))
            what = self._text("has_total", name=name, points=points)
        elif word == "turn":
            what = self._text("is_to_play", name=name)
        else:
            row = "holds" if word == "hand" else "left_to_draw"
            what = self._text(row, name=name, tiles=self.words.tiles(int(what)))
        return self._text("corrected", what=what)

    # ---- what changes nothing ----

    def _showed(self, moment: Moment) -> str:
        """Return a text about an input that only shows something."""
        word, what, slot = moment.gesture
        if word == "power-up":
            return self._power_up(moment.line)
        if word == "press" and slot == "M":
            return self._text("totals")
        if word == "card" and what in CARDS:
            return self._text(CARDS[what])
        if word == "sound":
            return self._text("sound")
        if word in ("write", "lock"):
            return self._text("written" if word == "write" else "locked")
        return ""

    def _power_up(self, line: ConsoleLine) -> str:
        texts = [self._text("on")]
        if "house" in line:
            texts = [self._text("on_with_rules", house=self.house_words(line["house"]))]
        texts.append(self._versions(line.get("version", VERSION)))
        return " ".join(filter(None, texts))

    def _versions(self, hub: str) -> str:
        """Return a text that asks to update the hub or the page, whichever is older, or ""."""
        ours, theirs = (tuple(map(int, text.split("."))) for text in (VERSION, hub))
        if ours == theirs:
            return ""
        return self._text("hub_older" if theirs < ours else "hub_newer", hub=hub, page=VERSION)


# did -> (kind, the function that returns its text)
DIDS: dict[str | None, tuple[str, Callable[[Story, Moment], str]]] = {
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

# did -> the key for what to do when it is taken back; for others the old sentence is repeated
UNDO: dict[str | None, str] = {
    "laid": "pick_up",
    "opened": "pick_up",
    "counted": "uncounted",
    "drew": "undrawn",
}


def plain(points: Points) -> str:
    """Return points as a text without needless decimals, such as 12 or 25.5."""
    return "%g" % points
