# SPDX-License-Identifier: MIT
"""Why the hub said no, in plain words: `12-4 is refused: close the double at station 7 first.`

The page's hints use the same sentences. A reason is a row of [refused], or of [refused_lines]
where lines belong to nobody.
"""


class Refusals:
    """The reasons of one table. words: its TablePhrases."""

    def __init__(self, words):
        self.words = words
        self._rows = {
            "not-now": self._not_now,
            "not-your-turn": self._not_your_turn,
            "double-first": self._double_first,
            "own-first": self._own_first,
            "closed": self._closed,
            "no-match": self._no_match,
        }

    def sentence(self, line, gesture):
        """Return the whole sentence for a refused input: its line and its Gesture."""
        why = self.reason(line, gesture)
        translator, words = self.words.translator, self.words
        if line["verdict"] == "unreadable" and gesture.slot:
            return translator("refused.tag", where=words.where(gesture.slot), why=why)
        if gesture.word in ("tile", "override"):
            return translator("refused.tile", tile=gesture.what, why=why)
        if gesture.word in ("press", "draw") and words.is_seat(gesture.slot):
            return translator("refused.player", name=words.name(gesture.slot), why=why)
        return translator("refused.other", why=why)

    def reason(self, line, gesture):
        """Return why alone, without a capital and with its full stop."""
        verdict = line["verdict"]
        if verdict == "unknown":
            return self.words.translator("refused.unknown")
        row, values = verdict, {}
        if verdict in self._rows:
            row, values = self._rows[verdict](line, gesture)
        translator = self.words.translator
        of_lines = self.words.lines and translator.has("refused_lines." + row)
        return translator(("refused_lines." if of_lines else "refused.") + row, **values)

    def _not_now(self, line, gesture):
        """By what was tried, and in which phase."""
        word, phase = gesture.word, line["phase"]
        if word in ("tile", "override"):
            return "not-now_" + phase, {}
        if word == "hold":
            return "nothing_to_take_back", {}
        if word == "redo":
            return "nothing_to_put_back", {}
        if word in ("house", "set"):
            return "rules_later", {}
        if word in ("press", "draw") and self.words.is_seat(gesture.slot):
            count = line["hands"].get(gesture.slot, 0)
            if phase == "play" and count > 1 and gesture.slot != str(line["turn"]):
                return "last_tile_sure", {"tiles": self.words.tiles(count)}
            if phase == "scoring":
                return "count_sure", {"tiles": self.words.tiles(count)}
        elif phase == "lobby" and word == "press" and gesture.slot.isdigit():
            return "table_full", {}
        return "nothing_here", {}

    def _not_your_turn(self, line, gesture):
        return "not-your-turn", {"name": self.words.name(line["turn"])}

    def _double_first(self, line, gesture):
        return "double-first", {"where": self.words.where(line["doubles"][0])}

    def _own_first(self, line, gesture):
        return "own-first", {"whose": self.words.whose(line["turn"])}

    def _closed(self, line, gesture):
        slot = gesture.slot
        if self.words.lines:
            return "closed", {"where": self.words.where(slot)}
        if slot == "M":
            return "closed_m", {}
        if self.words.is_seat(slot):
            return "closed_seat", {"whose": self.words.whose(slot)}
        return "closed_empty", {"where": self.words.where(slot)}

    def _no_match(self, line, gesture):
        """With the number there, where a line says it: an engine's on a train not begun."""
        end = line["ends"].get(gesture.slot)
        if end is None and line["engine"] and not self.words.lines:
            end = line["engine"].split("-")[0]
        if end is None:
            return "no_match_anywhere", {}
        ends = end if isinstance(end, list) else [end]
        return "no-match", {"end": " / ".join(map(str, ends))}
