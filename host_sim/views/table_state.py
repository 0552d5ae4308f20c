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
    "on-table": "this tile lies already",
    "not-an-engine": "this round wants another double",
    "double-first": "the open double must be closed first",
    "cover-it": "the double just played must be covered",
    "own-first": "the own train comes first",
    "closed": "this train is not open to this seat",
    "no-match": "it does not match the train's end",
    "no-second-double": "no further double in this turn",
    "fault": "a reader or the store failed; nothing was lost",
}


class TableState:
    """The table as the hub's lines tell it.

    state: the newest line that had all keys, or None. trains: {slot: [tile text, ...]} of the
    round. faults: {slot: part} of readers and buttons that do not work. log: sentences, oldest
    first. names: {seat: name} for the sentences.
    """

    def __init__(self, names=None):
        self.state = None
        self.trains = {}
        self.faults = {}
        self.log = []
        self.names = dict(names or {})
        self.wants_state = True

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
        elif self.faults.pop(line["slot"], None):
            self.log.append("%s: its %s works again" % (self.place(line["slot"]), part))

    # ---- words ----

    def seat(self, number):
        """Return a seat's name: the one given, or `seat 3`."""
        return self.names.get(str(number), "seat %s" % number)

    def place(self, slot):
        """Return a slot's name in words."""
        return {"M": "Mexican Train", "E": "engine"}.get(slot) or "station %s" % slot

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
            reason = REASONS.get(verdict, verdict)
            if verdict == "double-first" and line["doubles"]:
                reason = "the double at %s comes first" % self.place(line["doubles"][0])
            elif verdict == "not-your-turn" and line["turn"]:
                reason = "it is %s's turn" % self.seat(line["turn"])
            return "%s: %s refused, %s" % (where, what, reason)
        text = "%s: %s" % (where, {"hold": "taken back"}.get(parts[0], what))
        if said == "power-up":
            text = "the hub is on"
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
        """Return a train's tiles as (inner, outer) numbers, each turned to match the one before;
        and whether the first joins the engine."""
        engine = self.state["engine"] if self.state else None
        end = int(engine.split("-")[0]) if engine else None
        found = []
        for text in self.trains.get(slot, ()):
            a, b = map(int, text.split("-"))
            inner, outer = (b, a) if b == end and a != end else (a, b)
            found.append((inner, outer))
            end = outer
        return found
