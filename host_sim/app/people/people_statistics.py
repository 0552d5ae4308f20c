# SPDX-License-Identifier: MIT
"""Statistics of people over many evenings: who played, who won, and who knocks too late.

They are computed from the matches in a folder and from added files: the evenings of another
device, or the export of a hub.

The folder's file evenings.json stores the added matches, which names belong to one person, and the
results of the folder's own matches. A person is identified by name, not by seat.
"""

import hashlib
import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from host_sim.app.people.kept_file import BAD_CONTENT, read_file, set_aside, write_json
from host_sim.app.people.kept_match import KeptMatch, KeptMatches
from host_sim.app.people.name_store import NameStore
from host_sim.board.hub import match_export
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import NAMES, are_trains
from host_sim.table.games.tile_rules import NO_KNOCK
from host_sim.table.model import Moment, TableModel
from host_sim.table.player_names import clean_name, printable
from host_sim.table.scores import ScoreSheet
from roundhouse.constants import MOST_SEATS

FILE = "evenings.json"
KIND, FORMAT = "evenings", 1
MOST = 500  # matches of a file; 600 bytes each
MOST_ROUNDS, MOST_TILES = 99, 200  # of a match in a file
MOST_POINTS = 1_000_000
NIGHT = timedelta(hours=5)  # an evening ends at five in the morning


class NoEvenings(ValueError):
    """Raised for a text that cannot be read as a file of evenings.

    is_newer: whether a newer version of this program wrote the text
    """

    def __init__(self, why: str, is_newer: bool = False) -> None:
        super().__init__(why)
        self.is_newer = is_newer


class SeatResult(NamedTuple):
    """The results of a seat in the finished rounds of a match.

    name: the person's name, "" if it is unknown, or None for a bot
    rounds_won: the count of rounds in which the seat went out
    won: whether the seat won the match, alone or with others
    longest: the count of tiles in the seat's longest train; 0 in line games
    late: how often the seat forgot to knock until another seat had played
    """

    name: str | None
    points: float
    rounds_won: int
    won: bool
    longest: int
    late: int


class MatchResult(NamedTuple):
    """The finished rounds of a match.

    evening: the date, like `2026-11-24`
    game: the game's name on the console
    most_win: true if the most points win the match, false if the fewest do
    finished: whether the match was played to its end
    marks: for each round, a text that identifies it, or "" if no tile was laid
    seats: {seat: SeatResult}
    """

    evening: str
    game: str
    most_win: bool
    finished: bool
    marks: tuple[str, ...]
    seats: dict[int, SeatResult]

    def named(self, names: Mapping[int, str | None]) -> "MatchResult":
        """Return this result with other names for its seats.

        names: {seat: name, or None for a bot}; a seat that is not in `names` gets the name ""
        """
        seats = {n: row._replace(name=names.get(n, "")) for n, row in self.seats.items()}
        return self._replace(seats=seats)

    @property
    def names(self) -> dict[int, str | None]:
        return {seat: row.name for seat, row in self.seats.items()}

    def is_same(self, other: "MatchResult") -> bool:
        return bool({*self.marks} & {*other.marks} - {""})


class Person(NamedTuple):
    """A person's statistics.

    key: the person's key (see `key_of`)
    name: the name that is shown
    names: all names of this person, as typed
    evenings: {date: count of matches won}, the oldest first
    rounds: the count of rounds played
    points: the sum of the points in these rounds
    """

    key: str
    name: str
    names: list[str]
    evenings: dict[str, int]
    matches: int
    wins: int
    rounds: int
    rounds_won: int
    points: float
    longest: int
    late: int


# ---- what a match gives ----


def evening_of(text: str) -> str:
    """Return the date of the evening to which a time belongs, in this computer's time zone. The
    hours after midnight belong to the evening before.

    text: the time in ISO format
    """
    try:
        return (datetime.fromisoformat(text).astimezone() - NIGHT).date().isoformat()
    except (ValueError, OverflowError):
        return date.today().isoformat()


def results_of(lines: Iterable[ConsoleLine], evening: str) -> list[MatchResult]:
    """Return a MatchResult, without names, for each match in a hub's lines. Matches without a
    finished round are left out.

    evening: the date of the matches
    """
    found = []
    table = TableModel()
    for line in lines:
        if line.get("did") == "cleared" and line.get("verdict") == "ok":
            found.append(_result(table, evening))
            cleared, table = table, TableModel()
            table.game, table.house, table.set = cleared.game, cleared.house, cleared.set
        table.take(line)
    found.append(_result(table, evening))
    return [result for result in found if result]


def _result(table: TableModel, evening: str) -> MatchResult | None:
    rounds, state = table.scores.rounds, table.state
    if not rounds or not state:
        return None
    trains = are_trains(table.game)
    longest: dict[int, int] = {}
    late: dict[int, int] = {}
    marks = []
    for row in rounds:
        moments = [m for m in table.standing if m.before["round"] == row.number]
        laid = [m for m in moments if m.line["did"] == "laid"]
        marks.append(_mark(row.number, row.engine, laid))
        if trains:
            for seat in row.points:
                tiles = sum(m.gesture.slot == str(seat) for m in laid)
                longest[seat] = max(longest.get(seat, 0), tiles)
        if trains and not {*table.house.split()[:1]} & {*NO_KNOCK}:
            for seat in _forgotten_knocks(moments):
                late[seat] = late.get(seat, 0) + 1
    winners = state["winner"] or () if state["phase"] == "finished" else ()
    seats = {
        seat: SeatResult(
            "",
            sum(row.points.get(seat, 0) for row in rounds) + table.scores.put_right.get(seat, 0),
            sum(row.out == seat for row in rounds),
            seat in winners,
            longest.get(seat, 0),
            late.get(seat, 0),
        )
        for seat in sorted({seat for row in rounds for seat in row.points})
    }
    most_win = ScoreSheet(table).most_win
    return MatchResult(evening, table.game, most_win, bool(winners), tuple(marks), seats)


def _mark(number: int, engine: str | None, laid: Collection[Moment]) -> str:
    """Return a text that identifies a round, or "" if no tile was laid."""
    text = "%d %s %s" % (number, engine, " ".join(m.line["input"] for m in laid))
    return hashlib.sha256(text.encode()).hexdigest()[:12] if laid else ""


def _forgotten_knocks(moments: Iterable[Moment]) -> Iterator[int]:
    """Yield a seat each time that it had one tile left and did not knock before another seat
    played.

    moments: the accepted inputs of a round, without those taken back
    """
    waiting: int | None = None
    for moment in moments:
        by, did = moment.line["by"], moment.line["did"]
        if waiting is not None and (by == waiting or did in ("laid", "drew", "passed")):
            if by != waiting:
                yield waiting
            waiting = None
        if did == "laid" and by and moment.line["hands"].get(str(by)) == 1:
            waiting = by


# ---- people ----


def key_of(name: str) -> str:
    """Return the text by which a person is recognized. Letter case and Unicode form make no
    difference."""
    return unicodedata.normalize("NFKC", name).casefold()


def unite(results: Iterable[MatchResult]) -> list[MatchResult]:
    """Return one result for each match: of several results of a match, the one with the most
    rounds."""
    found: list[MatchResult] = []
    by_mark: dict[str, int] = {}
    for result in results:
        marks = [mark for mark in result.marks if mark]
        at = next((by_mark[mark] for mark in marks if mark in by_mark), None)
        if at is None:
            at = len(found)
            found.append(result)
        elif len(result.marks) > len(found[at].marks):
            found[at] = result
        by_mark.update(dict.fromkeys(marks, at))
    return found


def have_met(results: Iterable[MatchResult], aliases: Mapping[str, str], keys: set[str]) -> bool:
    """Return whether there is a match in which all of these people played.

    aliases: {key of a typed name (see `key_of`): the name that replaces it}
    keys: the people's keys (see `key_of`)
    """
    return any(
        keys <= {key_of(shown(seat.name, aliases)) for seat in result.seats.values() if seat.name}
        for result in results
    )


class _Counter:
    def __init__(self, name: str) -> None:
        self.name = name
        self.names: dict[str, str] = {}  # key -> as it was typed last
        self.evenings: dict[str, int] = {}
        self.matches = self.wins = self.rounds = self.rounds_won = self.longest = self.late = 0
        self.points: float = 0

    def add(self, typed: str, result: MatchResult, seat: SeatResult) -> None:
        self.names[key_of(typed)] = typed
        self.evenings[result.evening] = self.evenings.get(result.evening, 0) + seat.won
        self.matches += 1
        self.wins += seat.won
        self.rounds += len(result.marks)
        self.rounds_won += seat.rounds_won
        self.points += seat.points
        self.longest = max(self.longest, seat.longest)
        self.late += seat.late


def people(results: Iterable[MatchResult], aliases: Mapping[str, str]) -> list[Person]:
    """Return the people in these results, those with the most wins first.

    Two seats of one match always count as two people. If both have the name `Ana`, the second
    becomes `Ana 2`.

    aliases: {key of a typed name (see `key_of`): the name that replaces it}
    """
    counters: dict[str, _Counter] = {}
    for result in sorted(results, key=lambda result: result.evening):
        for number, name in names_at(result.names, aliases).items():
            seat = result.seats[number]
            counter = counters.setdefault(key_of(name), _Counter(name))
            counter.name = name
            counter.add(seat.name or "", result, seat)
    found = [
        Person(
            key,
            one.name,
            list(one.names.values()),
            dict(sorted(one.evenings.items())),
            *(one.matches, one.wins, one.rounds, one.rounds_won, one.points),
            *(one.longest, one.late),
        )
        for key, one in counters.items()
    ]
    return sorted(found, key=lambda one: (-one.wins, -one.rounds_won, one.matches, one.key))


def names_at(names: Mapping[int, str | None], aliases: Mapping[str, str]) -> dict[int, str]:
    """Return {seat: the name under which its person is counted} for the people of one match, all
    different.

    names: {seat: typed name}
    aliases: {key of a typed name (see `key_of`): the name that replaces it}
    """
    found: dict[int, str] = {}
    here: set[str] = set()
    for seat, typed in sorted(names.items()):
        if not typed:
            continue
        name = shown(typed, aliases)
        number = 1
        while key_of(name) in here:
            number += 1
            name = "%s %d" % (shown(typed, aliases), number)
        here.add(key_of(name))
        found[seat] = name
    return found


def shown(name: str, aliases: Mapping[str, str]) -> str:
    """Return the name under which a person is counted.

    aliases: {key of a typed name (see `key_of`): the name that replaces it}
    """
    seen = set()
    while key_of(name) in aliases and key_of(name) not in seen:
        seen.add(key_of(name))
        name = aliases[key_of(name)]
    return name


# ---- the folder's evenings ----


class Evenings:
    """The results of all matches in a folder and in added files.

    aliases: {key of a typed name (see `key_of`): the name that replaces it}
    added: the results from added files
    unreadable: the count of matches that could not be read
    version: a number that rises with every change
    """

    def __init__(self, store: KeptMatches) -> None:
        self.store = store
        self.path = Path(store.folder, FILE)
        self.aliases: dict[str, str] = {}
        self.added: list[MatchResult] = []
        self.unreadable = 0
        self.version = 0
        self._is_loaded = self._is_read_only = False
        self._kept: list[KeptMatch] = []
        self._read: dict[str, tuple[str, list[MatchResult]]] = {}  # id: (when played, results)
        self._pending: list[KeptMatch] = []

    # ---- reading ----

    def refresh(self) -> None:
        """Look for matches played since the last call; `step` then reads them."""
        self._load()
        self._kept = self.store.matches()
        self._read = {kept.id: self._read[kept.id] for kept in self._kept if kept.id in self._read}
        self._pending = [
            kept for kept in self._kept if self._read.get(kept.id, ("",))[0] != kept.played
        ]
        self.unreadable = 0
        self.version += 1

    @property
    def left(self) -> int:
        """The count of matches still to be read."""
        return len(self._pending)

    def due(self) -> float | None:
        """Return the seconds until `step` should be called: 0, or None if all are read."""
        return 0 if self._pending else None

    def step(self) -> None:
        """Read one of the folder's matches."""
        kept = self._pending.pop(0)
        try:
            lines = match_export.replay(self.store.segments(kept.id), whole=False)
            results = results_of(lines, evening_of(kept.begun))
        except (match_export.NoExport, KeyError, OSError):
            results = []
            self.unreadable += 1
        self._read[kept.id] = (kept.played, results)
        if not self._pending:
            self._save(quietly=True)
        self.version += 1

    def results(self) -> list[MatchResult]:
        """Return one result for each match, with the names that the players have now."""
        if not self._is_loaded:
            self.refresh()
        found = []
        for kept in self._kept:
            names = {n: kept.names.get(n, "") if n in kept.people else None for n in kept.seats}
            results = self._read.get(kept.id, ("", []))[1]
            found += [result.named(names) for result in results]
        return unite([*found, *self.added])

    def known_names(self) -> list[str]:
        """Return the names of all people, in alphabetical order."""
        self._load()
        typed = [
            kept.names[n] for kept in self.store.matches() for n in kept.people if n in kept.names
        ]
        typed += [row.name for result in self.added for row in result.seats.values() if row.name]
        names = {key_of(name): name for name in (shown(name, self.aliases) for name in typed)}
        return [names[key] for key in sorted(names)]

    # ---- changing ----

    def rename(self, key: str, name: str) -> None:
        """Count the matches of the person with this key (see `key_of`) under another name. If a
        person has this name already, the two persons become one. Raises OSError if the folder
        cannot be written."""
        self._load()
        if key_of(shown(name, self.aliases)) == key:
            self.aliases.pop(key_of(name), None)  # back to an older name
        self.aliases[key] = name
        self._changed()

    def seats_of(self, key: str, names: Mapping[int, str | None]) -> set[int]:
        """Return the seats of one match at which a person is counted.

        key: the person's key (see `key_of`)
        names: {seat: typed name}
        """
        self._load()
        found = names_at(names, self.aliases)
        return {seat for seat, name in found.items() if key_of(name) == key}

    def forget_person(self, key: str) -> None:
        """Take the name of the person with this key (see `key_of`), however it was typed, out of
        all stored matches, the names of a real hub's seats and the added results. The seats keep
        their points. Raises OSError if the folder cannot be written."""
        self.store.forget_names(lambda names: self.seats_of(key, names))
        hub = NameStore(self.store.folder)
        gone = self.seats_of(key, {int(seat): name for seat, name in hub.names.items()})
        hub.save({seat: name for seat, name in hub.names.items() if int(seat) not in gone})
        for at, result in enumerate(self.added):
            gone = self.seats_of(key, result.names)
            self.added[at] = result.named({**result.names, **dict.fromkeys(gone, "")})
        aliases = {*self.aliases}
        for typed in aliases:
            if key_of(shown(typed, self.aliases)) == key:
                del self.aliases[typed]
        self._kept = self.store.matches()
        self._changed()

    def separate(self, key: str) -> None:
        """Undo `rename` for the name with this key (see `key_of`). Raises OSError if the folder
        cannot be written."""
        self._load()
        if self.aliases.pop(key, None) is not None:
            self._changed()

    def add(self, results: Iterable[MatchResult], aliases: Mapping[str, str] | None = None) -> int:
        """Add results, and return how many of their matches are new. Raises OSError if the folder
        cannot be written."""
        self._load()
        before = self.results()
        results = [result for result in results if result.marks]
        new = sum(not any(result.is_same(old) for old in before) for result in unite(results))
        self.added = unite([*self.added, *results])[-MOST:]
        self.aliases = {**(aliases or {}), **self.aliases}
        self._changed()
        return new

    def forget_match(self, id_: str) -> None:
        self._load()
        self._kept = [kept for kept in self._kept if kept.id != id_]
        self._pending = [kept for kept in self._pending if kept.id != id_]
        if self._read.pop(id_, None):
            self._save(quietly=True)
        self.version += 1

    def forget_added(self) -> None:
        """Remove everything that was added from files. Raises OSError if the folder cannot be
        written."""
        self._load()
        self.added = []
        self._changed()

    # ---- as a file ----

    def text(self) -> str:
        """Return all results, without the bots, as the text of one file."""
        newest = sorted(self.results(), key=lambda result: result.evening)[-MOST:]
        return to_text(newest, self.aliases)

    def _changed(self) -> None:
        self.version += 1
        self._save()

    def _load(self) -> None:
        """Read evenings.json, unless this was done before. A damaged file is renamed; a file of a
        newer version stays unchanged."""
        if self._is_loaded:
            return
        self._is_loaded = True
        try:
            data = read_file(self.path)
        except FileNotFoundError:
            return
        except OSError:
            self._is_read_only = True  # its content is unknown
            return
        try:
            text = data.decode()
        except ValueError:
            self._set_aside()
            return
        try:
            self.added, self.aliases = read(text)
            for id_, (played, entries) in json.loads(text).get("kept", {}).items():
                self._read[str(id_)] = (str(played), [_parse(entry) for entry in entries])
        except NoEvenings as error:
            self._is_read_only = error.is_newer
            if not self._is_read_only:
                self._set_aside()
        except BAD_CONTENT:
            self._read = {}  # the matches are read again

    def _set_aside(self) -> None:
        try:
            set_aside(self.path)
        except OSError:
            self._is_read_only = True

    def _save(self, quietly: bool = False) -> None:
        """Write evenings.json. Raises OSError if that fails.

        quietly: whether to ignore a failure
        """
        if self._is_read_only:
            return
        content = {
            **_content(self.added, self.aliases),
            "kept": {
                id_: [played, [to_entry(result) for result in results]]
                for id_, (played, results) in self._read.items()
            },
        }
        try:
            write_json(self.path, content)
        except OSError:
            if not quietly:
                raise


def read(text: str) -> tuple[list[MatchResult], dict[str, str]]:
    """Return (results, aliases) from the text of a file of evenings. Raises NoEvenings for any
    other text."""
    try:
        content = json.loads(text)
        if content["roundhouse"] != KIND:
            raise ValueError("another kind of file")
        if content["format"] > FORMAT:
            raise NoEvenings("a newer format", is_newer=True)
        results = [_parse(entry) for entry in content["matches"][:MOST]]
        aliases = {}
        for typed, name in content["aliases"].items():
            if clean_name(typed) and clean_name(name):
                aliases[key_of(clean_name(typed))] = clean_name(name)
    except NoEvenings:
        raise
    except BAD_CONTENT as error:
        raise NoEvenings(str(error)) from None
    return results, aliases


def to_text(results: Iterable[MatchResult], aliases: Mapping[str, str] | None = None) -> str:
    """Return the text of a file of evenings, which `read` can read."""
    return json.dumps(_content(results, aliases or {}), ensure_ascii=False, separators=(",", ":"))


def _content(results: Iterable[MatchResult], aliases: Mapping[str, str]) -> dict[str, Any]:
    entries = [to_entry(result) for result in results]
    return {"roundhouse": KIND, "format": FORMAT, "aliases": aliases, "matches": entries}


def to_entry(result: MatchResult) -> dict[str, Any]:
    """Return a result as a dict for a file, with each seat as a list of its SeatResult's
    values."""
    seats = {str(seat): list(row) for seat, row in result.seats.items()}
    return {**result._asdict(), "marks": list(result.marks), "seats": seats}


def _parse(entry: dict[str, Any]) -> MatchResult:
    """Return the result in an entry of a file. Raises one of BAD_CONTENT for an impossible
    entry."""
    if entry["game"] not in NAMES:
        raise ValueError("no game %s" % entry["game"])
    marks = tuple(printable(str(mark))[:12] for mark in entry["marks"])
    seats = {}
    for seat, (name, points, rounds_won, won, longest, late) in entry["seats"].items():
        if not 1 <= int(seat) <= MOST_SEATS or not abs(points) <= MOST_POINTS:
            raise ValueError("seat %s" % seat)
        for count, most in ((rounds_won, len(marks)), (longest, MOST_TILES), (late, MOST_TILES)):
            if type(count) is not int or not 0 <= count <= most:
                raise ValueError("%s is not a number up to %d" % (count, most))
        name = None if name is None else clean_name(name)
        seats[int(seat)] = SeatResult(name, points, rounds_won, won is True, longest, late)
    if not seats or not 1 <= len(marks) <= MOST_ROUNDS:
        raise ValueError("no seat or no round")
    evening = date.fromisoformat(entry["evening"]).isoformat()
    most_win, finished = entry["most_win"] is True, entry["finished"] is True
    return MatchResult(evening, entry["game"], most_win, finished, marks, seats)
