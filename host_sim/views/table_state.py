# SPDX-License-Identifier: MIT
"""What the hub's console lines show, for views and pictures. It decides nothing.

A view feeds every line to `TableState.line` and draws from what is here. Who comes late, or after
a take-back, does not know the trains: `wants_state` says so, and the hub is asked for `state`.
"""

from roundhouse import words

# verdict -> why an input was refused
REASONS = {
    "not-now": "has no meaning now",
    "not-your-turn": "it is not this seat's turn",
    "unreadable": "no tag the hub knows, or two different ones",
    "not-in-set": "this tile is not in the set",
    "on-table": "this tile is already on the table",
    "not-an-engine": "this round needs another double",
    "double-first": "the open double must be closed first",
    "cover-it": "the double just played must be covered",
    "own-first": "play on your own train first",
    "closed": "this train is not open to this seat",
    "no-match": "it does not match the train's end",
    "no-second-double": "no further double in this turn",
    "fault": "a reader or the store failed; nothing was lost",
}
# and the same in a game of lines, which belong to nobody
REASONS_OF_LINES = {
    **{word: REASONS[word] for word in ("not-now", "not-your-turn", "unreadable", "not-in-set")},
    "on-table": REASONS["on-table"],
    "not-an-engine": "the round does not begin with this tile",
    "closed": "no line is here, and none may begin",
    "no-match": "it does not fit here",
    "fault": REASONS["fault"],
}
GAMES = {
    "mexican-train": "Mexican Train",
    "classic": "Classic dominoes",
    "matador": "Matador",
    "tiddle-a-wink": "Tiddle-a-Wink",
    "draw": "Draw",
    "block": "Block",
}
TRAINS = "mexican-train"  # the one game whose lines are trains; every other one has lines alone


class TableState:
    """The table as the hub's lines tell it.

    state: the newest line that had all keys, or None. trains: {slot: [tile text, ...]} of the
    round. faults: {slot: part} of readers and buttons that do not work. log: sentences, oldest
    first. names: {seat: name} for the sentences. game: its name on the console, set: its highest
    number, house: its rules in words, all as they were said last.
    """

    def __init__(self, names=None):
        self.state = None
        self.trains = {}
        self.faults = {}
        self.log = []
        self.names = dict(names or {})
        self.wants_state = True
        self.game, self.house, self.set = TRAINS, "", 12

    def line(self, line):
        """Take one of the hub's lines (a dict); whatever it is."""
        if "input" in line:
            self._input(line)
        elif "slot" in line and ("reader" in line or "button" in line):
            self._health(line)
        elif "error" in line:
            self.log.append("the hub: " + str(line["error"]))

    def _input(self, line):
        said, verdict = line["input"], line["verdict"]
        before = self.state
        self.state = line
        if "game" in line:
            self.game, self.house, self.set = line["game"], line["house"], line["set"]
        if "trains" in line:
            self.trains = {slot: list(tiles) for slot, tiles in line["trains"].items()}
            self.wants_state = False
            if said == "state":
                return
        elif verdict == "ok":
            self._laid(said, line, before)
        self.log.append(self.sentence(line))

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
            self.log.append("%s: its %s does not work" % (self.place(line["slot"]), part))
        elif word != "reset" and self.faults.pop(line["slot"], None):
            self.log.append("%s: its %s works again" % (self.place(line["slot"]), part))

    # ---- words ----

    def seat(self, number):
        """Return a seat's name: the one given, or `seat 3`."""
        return self.names.get(str(number), "seat %s" % number)

    def place(self, slot):
        """Return a slot's name in words; in a line game M and E are slots without a meaning."""
        if slot in ("M", "E") and self.game != TRAINS:
            return "slot " + slot
        return {"M": "Mexican Train", "E": "engine"}.get(slot) or "station %s" % slot

    def title(self):
        """Return the game's name, with capitals."""
        return GAMES.get(self.game, self.game)

    def phase(self):
        """Return the phase in a word; a line game has no engine, but an opening."""
        phase = self.state["phase"]
        return "opening" if phase == "engine" and self.game != TRAINS else phase

    def sentence(self, line):
        """Return what happened as a sentence: `station 4: 12-5 refused, the open double ...`."""
        said, verdict = line["input"], line["verdict"]
        parts = said.split()
        slot = parts[-1] if parts[-1] in words.SLOTS else None
        where = self.place(slot) if slot else "the hub"
        what = {"?": "a tag"}.get(parts[1], " ".join(parts[1:-1])) if len(parts) > 2 else parts[0]
        if parts[0] == "override":
            what += " laid although the rules refuse it"
        if parts[0] in ("press", "hold", "draw") and slot:
            what = parts[0]
        if verdict != "ok":
            reasons = REASONS if self.game == TRAINS else REASONS_OF_LINES
            reason = reasons.get(verdict, verdict)
            if verdict == "double-first" and line["doubles"]:
                reason = "the double at %s comes first" % self.place(line["doubles"][0])
            elif verdict == "not-your-turn" and line["turn"]:
                reason = "it is %s's turn" % self.seat(line["turn"])
            return "%s: %s refused, %s" % (where, what, reason)
        text = "%s: %s" % (where, {"hold": "taken back"}.get(parts[0], what))
        if said == "power-up":
            text = "the hub is on"
        if line.get("did") == "laid":  # on whose turn, whoever tapped it
            text += ", booked on %s" % self.seat(line["by"])
        if line["phase"] == "play" and line["turn"]:
            text += "; %s's turn" % self.seat(line["turn"])
        elif line["winner"]:
            text += "; won by %s" % " and ".join(self.seat(n) for n in line["winner"])
        return text

    # ---- for drawing ----

    def lamps(self):
        """Return {slot: its four letters}: the board's slots in console order."""
        letters = self.state["lamps"] if self.state else ""
        count = len(letters) // 4
        slots = [*words.SLOTS[1 : count - 1], "M", "E"] if count else []
        return {slot: letters[4 * n : 4 * n + 4] for n, slot in enumerate(slots)}

    def train(self, slot):
        """Return the tiles of a slot's train or line as (inner, outer) numbers, each turned so
        that it joins the one before, and the last one to the end that the hub says."""
        return self._turned(self.trains.get(slot, ()), self._ends(slot))

    def is_across(self, inner, outer):
        """Return whether a tile lies crosswise: a double, but not in Matador."""
        return inner == outer and self.game != "matador"

    def _ends(self, slot):
        """Return the numbers that a slot's end may be."""
        end = (self.state or {}).get("ends", {}).get(slot)
        return end if isinstance(end, list) else [end]

    def _turned(self, tiles, ends):
        """Of all ways to turn each tile, the one in which most halves that touch join."""
        engine = self.state["engine"] if self.state else None
        first = int(engine.split("-")[0]) if engine and self.game == TRAINS else None
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
        """Return whether two halves join: equal numbers, in Matador those of one sum."""
        if self.game != "matador":
            return end == half
        return end is not None and end + half == (
            10 if "ten" in self.house.split() else self.set + 1
        )
