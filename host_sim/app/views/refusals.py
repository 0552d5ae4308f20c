# SPDX-License-Identifier: MIT
"""Explains why the hub refused an input, like `Ana: 8-5 does not fit on your train, it needs a
12.`

The sentences are in the section [refused] of a language's story.toml. For line games, some are in
the section [refused_lines].
"""

from typing import Any

from host_sim.app.views.i18n import Said
from host_sim.app.views.table_names import TableNames
from host_sim.table.console_line import ConsoleLine
from host_sim.table.inputs import Gesture
from host_sim.table.model import Moment

Row = tuple[str, dict[str, Any]]  # a sentence's name, and the values for its placeholders

WHOLE = ("no-match", "no_match_anywhere")  # whole sentences, not reasons within one


class Refusals:
    """The sentences about refused inputs at one table."""

    def __init__(self, words: TableNames) -> None:
        self.words = words
        self._rows = {
            "not-now": self._not_now,
            "not-your-turn": self._not_your_turn,
            "double-first": self._double_first,
            "own-first": self._own_first,
            "closed": self._closed,
            "no-match": self._no_match,
        }

    def sentence(self, moment: Moment) -> Said:
        line, gesture = moment.line, moment.gesture
        words, translator = self.words, self.words.translator
        row, values = self._row(moment)
        if gesture.tile and line["turn"]:
            is_you = str(line["turn"]) == words.you
            about = {
                **({} if is_you else {"name": words.name(line["turn"])}),
                "tile": gesture.tile,
                "to": words.train_of(gesture.slot, line["turn"]),
            }
            if row in WHOLE:
                return translator(self._key(row, is_you), **about, **values)
            key = "refused_you.laid" if is_you else "refused.laid"
            return translator(key, **about, why=self._reason(row, values))
        # no hub refuses a tile by its numbers between turns; a line from elsewhere may say so
        why = self._reason("unknown" if row in WHOLE else row, values)
        if line["verdict"] == "unreadable" and gesture.slot:
            places = {"of": words.of(gesture.slot), "where": words.where(gesture.slot)}
            if "why" in line:  # a hub of version 1.0 does not know it
                row = "refused.tag_" + ("wrong" if "wrong" in line else line["why"])
                text, wrong = line.get("text", ""), line.get("wrong", "")
                return translator(row, **places, text=text, wrong=wrong)
            return translator("refused.tag", **places, why=why)
        if gesture.tile:
            return translator("refused.tile", tile=gesture.tile, why=why)
        is_player = words.is_seat(gesture.slot) and gesture.slot != words.you
        if gesture.word in ("press", "draw") and is_player:
            return translator("refused.player", name=words.name(gesture.slot), why=why)
        return translator("refused.other", why=why)

    def _row(self, moment: Moment) -> Row:
        """Return the reason for a refused input, as (sentence in the section [refused], its
        values)."""
        verdict = moment.line["verdict"]
        assert verdict is not None
        return self._rows[verdict](moment) if verdict in self._rows else (verdict, {})

    def _reason(self, row: str, values: dict[str, Any]) -> Said:
        """Return the text of the reason `row`, a clause with a full stop."""
        return self.words.translator(self._key(row), **values)

    def _key(self, row: str, is_you: bool = False) -> str:
        lines, other = (
            ("refused_you_lines.", "refused_you.") if is_you else ("refused_lines.", "refused.")
        )
        of_lines = self.words.lines and self.words.translator.has(lines + row)
        return (lines if of_lines else other) + row

    def _not_now(self, moment: Moment) -> Row:
        """Return the reason for an input at the wrong time, in the form of `_row`."""
        line, gesture = moment.line, moment.gesture
        word, phase = gesture.word, line["phase"]
        if gesture.tile:
            if phase == "lobby" and self._has_players(line):
                return ("too_few_tiles" if self._may_open(gesture) else "lobby_double"), {}
            return "not-now_" + phase, {}
        if word == "hold":
            return "nothing_to_take_back", {}
        if word == "redo":
            return "nothing_to_put_back", {}
        if word in ("house", "set"):
            return "rules_later", {}
        if word in ("press", "draw") and self.words.is_seat(gesture.slot):
            count = line["hands"].get(gesture.slot, 0) or 0
            if phase == "play" and count > 1 and gesture.slot != str(line["turn"]):
                return "last_tile_sure", {"tiles": self.words.tiles(count)}
            if phase == "scoring":
                return "count_sure", {"tiles": self.words.tiles(count)}
        elif phase == "lobby" and word == "press" and gesture.slot.isdigit():
            return "table_full", {}
        elif phase == "lobby" and word == "press" and self._has_players(line):
            return ("too_few_tiles" if gesture.slot == "E" else "nothing_here"), {}
        return "nothing_here", {}

    def _has_players(self, line: ConsoleLine) -> bool:
        return len(line["scores"]) > 1

    def _may_open(self, gesture: Gesture) -> bool:
        """Return whether a tapped tile could be the engine: a double on a player's station."""
        return len(set(gesture.tile.split("-"))) == 1 and self.words.is_seat(gesture.slot)

    def _not_your_turn(self, moment: Moment) -> Row:
        return "not-your-turn", {"name": self.words.name(moment.line["turn"])}

    def _double_first(self, moment: Moment) -> Row:
        doubles = moment.line["doubles"]
        if not doubles:  # a line from elsewhere
            return "unknown", {}
        return "double-first", {"where": self.words.where(doubles[0])}

    def _own_first(self, moment: Moment) -> Row:
        return "own-first", {}

    def _closed(self, moment: Moment) -> Row:
        slot = moment.gesture.slot
        if self.words.lines:
            return "closed", {"to": self.words.train_of(slot, None)}
        if slot == "M":
            return "closed_m", {}
        if self.words.is_seat(slot):
            return "closed_seat", {}
        return "closed_empty", {"where": self.words.where(slot)}

    def _no_match(self, moment: Moment) -> Row:
        """Return the reason for a tile that does not match the end of the train, in the form of
        `_row`."""
        line = moment.line
        end: str | int | list[int] | None = line["ends"].get(moment.gesture.slot)
        if end is None and line["engine"] and not self.words.lines:
            end = line["engine"].split("-")[0]
        if end is None:
            return ("no_match_anywhere" if self.words.lines else "unknown"), {}
        ends = end if isinstance(end, list) else [end]
        return "no-match", {"end": self.words.translator.joined("refused.either", ends)}
