# SPDX-License-Identifier: MIT
"""Validates console lines that come from outside the program.

A hub may have newer firmware than this program, and a line may be damaged but still be valid JSON.
`known` keeps the keys that views know, limits numbers to their ranges, and lists unknown words
under the key `unknown`.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from host_sim.table import inputs
from host_sim.table.console_line import ConsoleLine, EveryInput, Makes, OtherLines, SomeInputs
from host_sim.table.games import NAMES
from host_sim.table.player_names import printable
from roundhouse import constants, lamp_letters, tiles

_Types = tuple[type, ...]


def _types(keys: type) -> dict[str, _Types]:
    """Return {key: the types that its value may have, without those of its items}."""
    found = {}
    for key, hint in get_type_hints(keys).items():
        parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        found[key] = tuple(get_origin(part) or part for part in parts)
    return found


def _kinds() -> Iterator[dict[str, _Types]]:
    types = _types(OtherLines)
    for key, hint in get_type_hints(OtherLines, include_extras=True).items():
        for mark in hint.__metadata__:
            if isinstance(mark, Makes):
                yield {name: types[name] for name in (*mark.beside, key)}


# the keys that an input's line must have; a hub's own line always has a verdict
INPUT = {**_types(EveryInput), "verdict": (str,)}
# keys that only some of them have
SOMETIMES = _types(SomeInputs)
# Lines without an input have all keys of one of these; the first of them is the line's kind.
OTHERS = (*_kinds(),)
_OF_OTHERS = frozenset(key for keys in OTHERS for key in keys)
_OF_A_KIND = frozenset((*INPUT, *SOMETIMES, *_OF_OTHERS, "unknown"))
ABOUT = ("game", "house", "set")  # only some lines have them
STATIONS = constants.SLOTS[1 : constants.M]
PLACES = (*STATIONS, "M")  # where tiles lie
HEALTH: dict[str, Collection[str]] = {
    "reader": ("ok", "fault", "reset", "slow", "?"),
    "button": ("ok", "stuck", "loose", "?"),
}
DIDS = (*inputs.GESTURES, "showed")  # what an accepted input may have been
OF_A_SEAT = (
    *("joined", "left", "opened", "laid", "drew", "passed", "knocked", "out", "caught"),
    *("counted", "done"),
)
WHYS = ("text", "empty", "kind", "classic", "password", "other", "two", "torn")  # no tile, no card
VERSION = re.compile("0x[0-9a-f]{2}")  # of a reader's chip, from a self-test
TILE = re.compile(r"(\d{1,2})-(\d{1,2})")
_SEAT = "(?:%s)" % "|".join(STATIONS)
_SLOT = "(?:%s|m|e)" % _SEAT
# the inputs that views parse; any other form of them is unknown
_INPUTS = {
    "tap": r"tap (?:\?|\S.*) %s" % _SLOT,
    "override": r"override \d+-\d+ %s" % _SLOT,
    **{word: "%s %s" % (word, _SLOT) for word in ("press", "hold", "draw", "forget")},
    **{word: "%s %s" % (word, _SEAT) for word in ("leave", "turn", "marker")},
    "join": r"join %s(?: \d{1,5})?" % _SEAT,
    "hand": r"hand %s \d{1,3}" % _SEAT,
    "boneyard": r"boneyard \d{1,3}",
    "score": r"score %s \d{1,5}" % _SEAT,
    "total": r"total %s \d{1,5}" % _SEAT,
}
LETTERS = {
    *".*",
    *(letter for row, *_ in lamp_letters.LETTERS for letter in row[1]),
}  # dark, and shows
FEWEST = 4  # slots of a board: two stations, M and E
LONGEST = 40  # characters of an unknown word that are shown
LONGEST_WRONG = 400  # characters of what is wrong with a card
MOST = 1_000_000  # more points than any match has


def known(value: Any) -> ConsoleLine | None:
    """Return a parsed JSON value as a valid line, or None if it is not a line of a hub."""
    if not isinstance(value, dict):
        return None
    if "input" not in value:
        line = _other(value)
    else:
        line = _Input(value).line if _has(value, INPUT) and value["input"].strip() else None
    return cast(ConsoleLine | None, line)


def _has(line: Mapping[str, Any], keys: Mapping[str, _Types]) -> bool:
    return all(
        isinstance(line.get(key, _has), types)
        and (bool in types or not isinstance(line[key], bool))
        for key, types in keys.items()
    )


def shown(word: object) -> str:
    """Return a word from a hub, made printable and short."""
    text = printable(str(word))
    return text[:LONGEST] + ("..." if len(text) > LONGEST else "")


def _other(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a line that is not about an input, in a valid form. Return None if the kind of line
    or its slot is unknown."""
    kind = next((keys for keys in OTHERS if _has(value, keys)), None)
    if not kind:
        return None
    line = {key: value[key] for key in value if key in kind or key not in _OF_A_KIND}
    if "slot" in line and line["slot"] not in constants.SLOTS:
        return None
    for key in ("tag", "lock"):  # what stands on a tag
        if key in line:
            line[key] = shown(line[key])
    for part, known_words in HEALTH.items():
        version = part == "reader" and VERSION.fullmatch(str(line.get(part)))
        if part in line and line[part] not in known_words and not version:
            return {"unknown": [shown("%s %s" % (part, line[part]))]}
    return line


def is_tile(text: object) -> bool:
    """Return whether a value is the text of a tile of the largest set, like `12-5`."""
    match = TILE.fullmatch(text) if isinstance(text, str) else None
    return bool(match and all(int(number) <= tiles.HIGHEST for number in match.groups()))


def _is_harmless(key: str, value: object) -> bool:
    """Return whether `key` and `value` may stay in a line about an input, although no view reads
    this key."""
    is_ours = key == "unknown" or key in _OF_OTHERS
    return not is_ours and isinstance(value, str | int | float | NoneType)


class _Input:
    """Validates a line about an input, one key after the other. The result is `line`."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.unknown: list[str] = []
        keys = [
            key for key in raw if key in INPUT or key in SOMETIMES or _is_harmless(key, raw[key])
        ]
        wrong = [key for key in keys if key in SOMETIMES and not _has(raw, {key: SOMETIMES[key]})]
        self.line = {key: raw[key] for key in keys if key not in wrong}
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

    def _word(self, key: str, known_words: Collection[str | None], instead: str | None) -> None:
        if key in self.line and self.line[key] not in known_words:
            self.unknown.append("%s %s" % (key, self.line[key]))
            self.line[key] = instead

    def _seats(self) -> None:
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
            seat: _count(count) for seat, count in line["hands"].items() if seat in line["scores"]
        }

    def _table(self) -> None:
        line = self.line
        for key in ("open", "doubles", "playable"):
            line[key] = list(dict.fromkeys(slot for slot in line[key] if slot in PLACES))
        line["ends"] = {
            slot: end
            for slot, end in ((slot, _end(end)) for slot, end in line["ends"].items())
            if slot in PLACES and end is not None
        }
        line["round"] = _clamp(line["round"], 0, 255)
        line["boneyard"] = _count(line["boneyard"])
        if "gain" in line:
            line["gain"] = _clamp(line["gain"], 0, 999)
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
                number: _clamp(count, 0, 99)
                for number, count in line["sides"].items()
                if number.isascii() and number.isdigit() and int(number[:4]) <= tiles.HIGHEST
            }

    def _phase(self) -> None:
        """Replace a phase that is unknown or contradicts other keys; adapt `turn` and `winner`."""
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

    def _what(self) -> None:
        """Replace the values of `input`, `did` and `by` if they are unknown or incomplete."""
        line = self.line
        text = " ".join(printable(line["input"]).split())
        word = text.lower().partition(" ")[0]
        pattern = _INPUTS.get(word)
        if not word or pattern and not re.fullmatch(pattern, text.lower()):
            self.unknown.append(text)
            text = "unknown"
        line["input"] = text[:200]
        self._word("verdict", constants.VERDICTS, "not-now")
        self._why()
        if "did" not in line:
            self.unknown.append(text)
        line.setdefault("by", None)
        line.setdefault("did", None)
        if line["verdict"] != "ok":
            if any(word.startswith("verdict ") for word in self.unknown):
                line["verdict"] = "unknown"
            line["by"] = line["did"] = None
            return
        self._word("did", (*DIDS, None), None)
        did, by = line["did"], line["by"]
        if by is not None and str(by) not in STATIONS:
            line["by"] = by = None
        gesture = inputs.parse(line["input"])
        missing = did in OF_A_SEAT and by is None
        missing |= not inputs.fits(did, gesture) or did == "chose" and not gesture.what
        no_tile = gesture.word in ("tile", "override") and not is_tile(gesture.what)
        if missing or no_tile:
            self.unknown.append(text)
            line["did"] = None
            line["input"] = "unknown"

    def _why(self) -> None:
        """Keep the key `why`, the reason, only with the verdict `unreadable`. Keep the reason
        "text" only if the line has the tag's text under the key `text`; and what is wrong with
        this text only then."""
        line = self.line
        self._word("why", WHYS, "")
        why, text = line.pop("why", ""), shown(line.pop("text", ""))
        wrong = printable(str(line.pop("wrong", "")))[:LONGEST_WRONG]
        if line["verdict"] != "unreadable" or not why or why == "text" and not text:
            return
        line["why"] = why
        if why == "text":
            line["text"] = text
            if wrong:
                line["wrong"] = wrong

    def _rules(self) -> None:
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


def _clamp(value: object, low: int, high: int) -> int:
    """Return a whole number limited to `low`..`high`; `low` for any other value."""
    if isinstance(value, bool) or not isinstance(value, int):
        return low
    return max(low, min(high, value))


def _count(value: object) -> int | None:
    return None if value is None else _clamp(value, 0, 255)


def _points(value: object) -> int | float:
    """Return points rounded to the nearest half; 0 if the value is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    doubled = round(2 * max(-MOST, min(MOST, value)))
    return doubled / 2 if doubled & 1 else doubled // 2


def _end(value: object) -> int | list[int] | None:
    """Return the end of a train, a number or a list of two, or None if it is invalid."""
    numbers = value if isinstance(value, list) else [value]
    found = [n for n in numbers if type(n) is int and 0 <= n <= tiles.HIGHEST]
    if not found or len(found) != len(numbers) or len(found) > 2:
        return None
    return found if len(found) > 1 else found[0]
