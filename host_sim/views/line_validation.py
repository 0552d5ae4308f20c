# SPDX-License-Identifier: MIT
"""A line from a wire, made safe for every view: the one place where a hub's words are checked.

A hub may have newer firmware than this page, and a wire may bend a line that is JSON all the same.
`known` keeps what views know, brings numbers and names into their ranges, and lists in the key
`unknown` the words that it does not know. Views take any line that it returns.
"""

import math
import re

from host_sim.games import NAMES
from host_sim.views import reported_input
from host_sim.views.player_names import printable
from roundhouse import constants, lamps, tiles

_TEXT, _NUMBER, _LIST, _TABLE, _NOTHING = str, int, list, dict, type(None)
# what the line of an input must have
INPUT = {
    "input": _TEXT,
    "verdict": _TEXT,
    "phase": _TEXT,
    "round": _NUMBER,
    "engine": (_TEXT, _NOTHING),
    "turn": (_NUMBER, _NOTHING),
    "drawn": bool,
    "open": _LIST,
    "doubles": _LIST,
    "playable": _LIST,
    "ends": _TABLE,
    "hands": _TABLE,
    "boneyard": _NUMBER,
    "scores": _TABLE,
    "winner": (_LIST, _NOTHING),
    "lamps": _TEXT,
}
# and keys that only some of them have
SOMETIMES = {
    "n": _NUMBER,
    "by": (_NUMBER, _NOTHING),
    "did": (_TEXT, _NOTHING),
    "sides": _TABLE,
    "gain": _NUMBER,
    "game": _TEXT,
    "house": _TEXT,
    "set": _NUMBER,
    "stations": _LIST,
    "trains": _TABLE,
    "rules": _TABLE,
    "config": _TEXT,
    "version": _TEXT,
}
OTHERS = (  # lines of no input: all keys of one of them
    {"slot": _TEXT, "reader": _TEXT},
    {"slot": _TEXT, "button": _TEXT},
    {"segment": _NUMBER, "data": _TEXT},
    {"script": _TEXT},
    {"dropped": _NUMBER},
    {"error": _TEXT},
    {"selftest": _TEXT},
    {"slot": _TEXT, "tag": _TEXT},
    {"warning": _TEXT},
    {"lock": _TEXT, "sure": _TEXT},
)
ABOUT = ("game", "house", "set")  # what seldom changes, and only some lines say
STATIONS = constants.SLOTS[1:11]
PLACES = (*STATIONS, "M")  # where tiles lie
HEALTH = {"reader": ("ok", "fault", "reset", "slow", "?"), "button": ("ok", "stuck", "?")}
DIDS = (  # what an accepted input may have been
    *("joined", "left", "dealt", "opened", "laid", "drew", "passed", "knocked", "out", "caught"),
    *("counted", "done", "round-over", "match-over", "cleared", "took-back", "put-back", "chose"),
    *("corrected", "showed"),
)
OF_A_SEAT = ("joined", "left", "opened", "laid", "drew", "passed", "knocked", "out", "caught")
OF_A_SEAT += ("counted", "done")
OF_A_TILE = ("opened", "laid", "counted")
VERSION = re.compile("0x[0-9a-f]{2}")  # of a reader's chip, which a self-test tells
TILE = re.compile(r"(\d{1,2})-(\d{1,2})")
_SLOT = "(?:[1-9]|10|m|e)"
_SEAT = "(?:[1-9]|10)"
# the inputs of which views read the parts; another one is a word that they do not know
_INPUTS = {
    "tap": r"tap (?:\?|\S.*) %s" % _SLOT,
    "override": r"override \d+-\d+ %s" % _SLOT,
    **{word: "%s %s" % (word, _SLOT) for word in ("press", "hold", "draw", "forget")},
    **{word: "%s %s" % (word, _SEAT) for word in ("join", "leave", "turn", "marker")},
    "hand": r"hand %s \d{1,3}" % _SEAT,
    "boneyard": r"boneyard \d{1,3}",
    "score": r"score %s \d{1,5}" % _SEAT,
}
LETTERS = {*".*", *(letter for row, *_ in lamps.LETTERS for letter in row[1])}  # dark, and shows
FEWEST = 4  # slots of a board: two stations, M and E
LONGEST = 40  # characters of an unknown word that are shown
MOST = 1_000_000  # more points than any match has


def validated(said):
    """Return a line (any JSON value) as views take it, or None where it is no line of a hub."""
    if not isinstance(said, dict):
        return None
    if "input" in said:
        return _Input(said).line if _has(said, INPUT) and said["input"].strip() else None
    return _other(said)


def _has(line, keys):
    return all(
        isinstance(line.get(key, _has), kind) and (kind is bool or not isinstance(line[key], bool))
        for key, kind in keys.items()
    )


def shown(word):
    """Return a hub's word for people: nothing in it does more than show, and it is short."""
    text = printable(str(word))
    return text[:LONGEST] + ("..." if len(text) > LONGEST else "")


def _other(said):
    """Return a line of no input, with a slot that there is."""
    if not any(_has(said, keys) for keys in OTHERS):
        return None
    line = dict(said)
    if "slot" in line and line["slot"] not in constants.SLOTS:
        return None
    for part, known_words in HEALTH.items():
        version = part == "reader" and VERSION.fullmatch(str(line.get(part)))
        if part in line and line[part] not in known_words and not version:
            return {"unknown": [shown("%s %s" % (part, line[part]))]}
    return line


def is_tile(text):
    """Return whether a text is a tile `12-5` of the largest set."""
    match = isinstance(text, str) and TILE.fullmatch(text)
    return bool(match) and all(int(number) <= tiles.HIGHEST for number in match.groups())


def _is_other(key, said):
    """Return whether a key that no view looks at may stay: a newer hub's, with a plain value."""
    return key != "unknown" and isinstance(said[key], str | int | float | _NOTHING)


class _Input:
    """The line of an input, key by key; `line` is what comes of it."""

    def __init__(self, said):
        self.unknown = []
        keys = [key for key in said if key in INPUT or key in SOMETIMES or _is_other(key, said)]
        wrong = [key for key in keys if key in SOMETIMES and not _has(said, {key: SOMETIMES[key]})]
        self.line = {key: said[key] for key in keys if key not in wrong}
        if not set(ABOUT) <= set(self.line):
            for key in (*ABOUT, "stations", "rules"):
                self.line.pop(key, None)
        self._seats()
        self._table()
        self._phase()
        self._what()
        self._rules()
        if self.unknown:
            self.line["unknown"] = [shown(word) for word in self.unknown]

    def _word(self, key, words_, instead):
        """Keep a word that is one of those known; else name it, and take another."""
        if key in self.line and self.line[key] not in words_:
            self.unknown.append("%s %s" % (key, self.line[key]))
            self.line[key] = instead

    def _seats(self):
        line = self.line
        for key in ("hands", "scores"):
            strange = [seat for seat in line[key] if seat not in STATIONS]
            self.unknown += ["seat %s" % seat for seat in strange]
        line["scores"] = {
            seat: points
            for seat, points in ((seat, _points(line["scores"][seat])) for seat in line["scores"])
            if seat in STATIONS
        }
        line["hands"] = {
            seat: _within(count, 0, 255)
            for seat, count in line["hands"].items()
            if seat in line["scores"]
        }

    def _table(self):
        line = self.line
        for key in ("open", "doubles", "playable"):
            line[key] = list(dict.fromkeys(slot for slot in line[key] if slot in PLACES))
        line["ends"] = {
            slot: end
            for slot, end in ((slot, _end(end)) for slot, end in line["ends"].items())
            if slot in PLACES and end is not None
        }
        line["round"] = _within(line["round"], 0, 255)
        line["boneyard"] = _within(line["boneyard"], 0, 255)
        if "gain" in line:
            line["gain"] = _within(line["gain"], 0, 999)
        if line["engine"] is not None and not is_tile(line["engine"]):
            self.unknown.append("engine %s" % line["engine"])
            line["engine"] = None
        letters = line["lamps"]
        if len(letters) % 4 or not 4 * FEWEST <= len(letters) <= 4 * len(constants.SLOTS):
            self.unknown.append("lamps %s" % letters)
            letters = "." * 4 * len(constants.SLOTS)
        shows = [one if one in LETTERS else "." for one in letters]
        line["lamps"] = "".join(shows)
        if "trains" in line:
            line["trains"] = {
                slot: [tile for tile in train if is_tile(tile)]
                for slot, train in line["trains"].items()
                if slot in PLACES and isinstance(train, list)
            }
        if "sides" in line:
            line["sides"] = {
                number: _within(count, 0, 99)
                for number, count in line["sides"].items()
                if number.isascii() and number.isdigit() and int(number[:4]) <= tiles.HIGHEST
            }

    def _phase(self):
        """A phase that is known, with the seats and the winner that it needs."""
        line = self.line
        seats = [int(seat) for seat in line["scores"]]
        self._word("phase", constants.PHASES, "play" if line["turn"] in seats else "lobby")
        if line["phase"] == "play" and line["turn"] not in seats:
            self.unknown.append("turn %s" % line["turn"])
            line["turn"] = seats[0] if seats else None
        elif line["phase"] != "play":
            line["turn"] = None
        winner = [seat for seat in line["winner"] or () if type(seat) is int and seat in seats]
        line["winner"] = winner or None
        if not seats and line["phase"] != "lobby" or line["phase"] == "finished" and not winner:
            line["phase"], line["winner"] = "lobby", None
        if line["phase"] != "finished":
            line["winner"] = None

    def _what(self):
        """What was done, by whom and with which gesture: all of it, or none."""
        line = self.line
        said = " ".join(printable(line["input"]).split())
        word = said.lower().partition(" ")[0]
        pattern = _INPUTS.get(word)
        if not word or pattern and not re.fullmatch(pattern, said.lower()):
            self.unknown.append(said)
            said = "unknown"
        line["input"] = said[:200]
        self._word("verdict", constants.VERDICTS, "not-now")
        if line["verdict"] != "ok":
            if any(word.startswith("verdict ") for word in self.unknown):
                line["verdict"] = "unknown"
            line.update({key: None for key in ("by", "did") if key in line})
            return
        if "did" in line or "by" in line:
            line.setdefault("by", None)
            line.setdefault("did", None)
        self._word("did", (*DIDS, None), None)
        did, by = line.get("did"), line.get("by")
        if by is not None and str(by) not in STATIONS:
            line["by"] = by = None
        gesture = reported_input.parse(line["input"])
        missing = did in OF_A_SEAT and by is None
        missing |= did in OF_A_TILE and not is_tile(gesture.what)
        missing |= did == "chose" and not (gesture.word in ("house", "set") and gesture.what)
        no_tile = gesture.word in ("tile", "override") and not is_tile(gesture.what)
        if missing or no_tile:
            self.unknown.append(said)
            line["did"] = None
            line["input"] = "unknown"

    def _rules(self):
        line = self.line
        for key in ("house", "version", "config"):
            if key in line:
                line[key] = shown(line[key]) if key != "house" else line[key][:200]
        if "house" in line and not re.fullmatch(r"[a-z0-9-]+(?: [a-z0-9-]+)*", line["house"]):
            self.unknown.append("house %s" % line["house"])
            line["house"] = "free"
        if "game" in line:
            instead = "classic" if "sides" in line else "mexican-train"
            self._word("game", NAMES, instead)
            if line["set"] not in tiles.SETS:
                self.unknown.append("set %s" % line["set"])
                line["set"] = 12
        if "stations" in line:
            line["stations"] = [slot for slot in STATIONS if slot in line["stations"]]
        if "rules" in line:
            texts = {k: v for k, v in line["rules"].items() if isinstance(v, str)}
            line["rules"] = texts
        if "version" in line and not re.fullmatch(r"\d{1,4}(\.\d{1,4}){2}", line["version"]):
            del line["version"]


def _within(value, low, high):
    """Return a number brought into its range; low where it is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return low
    return max(low, min(high, value))


def _points(value):
    """Return points, whole or a half; 0 where it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    doubled = round(2 * max(-MOST, min(MOST, value)))
    return doubled / 2 if doubled & 1 else doubled // 2


def _end(value):
    """Return a train's end: a number, or two of which the next tile decides; None for no end."""
    numbers = value if isinstance(value, list) else [value]
    found = [n for n in numbers if type(n) is int and 0 <= n <= tiles.HIGHEST]
    if not found or len(found) != len(numbers) or len(found) > 2:
        return None
    return found if len(found) > 1 else found[0]
