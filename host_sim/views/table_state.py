# SPDX-License-Identifier: MIT
"""What the hub's console lines show, for views and pictures. It decides nothing, and tells
nothing: story.py does.

A view feeds every line to `TableState.line` and draws from what is here. Who comes late, or after
a take-back, does not know the trains: `wants_state` says so, and the hub is asked for `state`.
"""

from host_sim.games import are_trains, sum_of
from roundhouse import constants


class TableState:
    """The table as the hub's lines tell it.

    state: the newest line that had all keys, or None. trains: {slot: [tile text, ...]} of the
    round. faults: {slot: part} of readers and buttons that do not work. game: its name on the
    console, set: its highest number, house: its rules in words, all as they were said last.
    stations: the names of those there are, where one before the last is missing; else None.
    """

    def __init__(self):
        self.state = None
        self.trains = {}
        self.faults = {}
        self.wants_state = True
        self.game, self.house, self.set = "mexican-train", "", 12
        self.stations = None

    def line(self, line):
        """Take one of the hub's lines (a dict); whatever it is."""
        if "input" in line:
            self._input(line)
        elif "slot" in line and ("reader" in line or "button" in line):
            self._health(line)

    def _input(self, line):
        before, self.state = self.state, line
        if "game" in line:
            self.game, self.house, self.set = line["game"], line["house"], line["set"]
            self.stations = line.get("stations")
        if "trains" in line:
            self.trains = {slot: list(tiles) for slot, tiles in line["trains"].items()}
            self.wants_state = False
        elif line["verdict"] == "ok":
            self._laid(line["input"], line, before)

    def _laid(self, said, line, before):
        parts = said.split()
        if line["phase"] != "play":
            if line["phase"] in ("lobby", "engine"):
                self.trains = {}
            return
        if before is None or before["round"] != line["round"] or before["phase"] != "play":
            self.trains = {}
            # a round that began with this very tile has no trains yet
            self.wants_state = not (before and parts[0] == "tap" and not line["ends"])
        elif parts[0] in ("tap", "override") and len(parts) == 3 and "-" in parts[1]:
            self.trains.setdefault(parts[2], []).append(parts[1])
        elif parts[0] not in ("press", "draw"):
            self.wants_state = True

    def _health(self, line):
        part = "reader" if "reader" in line else "button"
        word = line[part]
        if word in ("fault", "stuck"):
            self.faults[line["slot"]] = part
        elif word not in ("reset", "slow"):
            self.faults.pop(line["slot"], None)

    def lamps(self):
        """Return {slot: its four letters}: the board's slots in console order."""
        letters = self.state["lamps"] if self.state else ""
        count = len(letters) // 4
        stations = self.stations or ()
        if len(stations) + 2 != count:
            stations = constants.SLOTS[1 : count - 1]
        slots = [*stations, "M", "E"] if count else []
        return {slot: letters[4 * n : 4 * n + 4] for n, slot in enumerate(slots)}

    def train(self, slot):
        """Return the tiles of a slot's train or line as (inner, outer) numbers, each turned so
        that it joins the one before, and the last one to the end that the hub says."""
        return self._turned(self.trains.get(slot, ()), self._ends(slot))

    def is_across(self, inner, outer):
        """Return whether a tile lies crosswise: a double, but not where halves add up."""
        return inner == outer and self._sum is None

    def _ends(self, slot):
        """Return the numbers that a slot's end may be."""
        end = (self.state or {}).get("ends", {}).get(slot)
        return end if isinstance(end, list) else [end]

    def _turned(self, tiles, ends):
        """Of all ways to turn each tile, the one in which most halves that touch join."""
        engine = self.state["engine"] if self.state else None
        first = int(engine.split("-")[0]) if engine and are_trains(self.game) else None
        ways = {first: (0, [])}  # the number at the end -> (how many joined, the tiles so far)
        for text in tiles:
            a, b = map(int, text.split("-"))
            longer = {}
            for inner, outer in ((a, b), (b, a)):
                joined, before = max(
                    ((way[0] + self._join(end, inner), way[1]) for end, way in ways.items()),
                    key=lambda way: way[0],
                )
                longer.setdefault(outer, (joined, [*before, (inner, outer)]))
            ways = longer
        return max(ways.items(), key=lambda way: way[1][0] + (way[0] in ends))[1][1]

    def _join(self, end, half):
        """Return whether two halves join: equal numbers, or those of the game's sum."""
        if self._sum is None:
            return end == half
        return end is not None and end + half == self._sum

    @property
    def _sum(self):
        return sum_of(self.game, self.house, self.set)
