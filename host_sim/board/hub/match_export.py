# SPDX-License-Identifier: MIT
"""Replays a match's journal on the rules core, to get the console line of every valid input.

An export is the output of the console command `export`: a line for each segment of the journal.
The firmware's own Match and Lights repeat the inputs. So the lines equal those that the hub
printed, except for answer lights and animations. The state after a choice of rules comes from the
journal.
"""

import json
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

from host_sim.table.console_line import ConsoleLine
from roundhouse import console, constants, line_keys, position, tiles
from roundhouse.constants import USUAL_STATIONS
from roundhouse.drivers import files
from roundhouse.games import at
from roundhouse.games.match import Match
from roundhouse.games.slot_masks import mask, seats_of
from roundhouse.journal import LAID, LAST, RECORD, UNDO, Journal, Segment, unpacked
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

USUAL = frozenset(range(1, USUAL_STATIONS + 1))  # stations
LAMPS = 4  # of each slot
LATER = 10000  # ms between two inputs: answers are over

Segments = dict[int, bytes]  # a journal: the bytes of each segment by its number
Result = TypeVar("Result")


class NoExport(ValueError):
    """Raised for a text that is not a complete export; the message is in English."""


# ---- an export as text ----


def replay_export(segments: Segments) -> tuple[list[ConsoleLine], str]:
    """Replay as much of a journal as a hub can read, and return (console lines, export).

    The export is the text that a usual hub prints. Raises NoExport if nothing can be
    read.
    """
    *lines, last = replay(segments, whole=False, last="export")
    answer = [{"segment": number, "data": data.hex()} for number, data in segments.items()]
    return lines, "".join(json.dumps(line) + "\n" for line in (*answer, last))


def segments_of(text: str) -> Segments:
    """Return the journal files (segments) in the text of an export, as {number: bytes}. Raises
    NoExport if there is none."""
    found = {}
    for line in text.splitlines():
        try:
            fields = json.loads(line)
            number, data = int(fields["segment"]), bytes.fromhex(fields["data"])
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            continue
        if 0 < number <= LAST:
            found[number] = data
    if not found:
        raise NoExport("no segment is in it: save what the hub answers to `export`, a line each")
    return found


def stations_of(text: str) -> Collection[int]:
    """Return the stations of the hub that printed an export. A hub lists them if their numbers
    have a gap; else as many have lamps. Raises NoExport if the listed stations are not numbers."""
    for line in reversed(text.splitlines()):
        try:
            fields = json.loads(line)
            lamps = fields["lamps"]
            count = len(lamps) // LAMPS - 2  # without M and E
            named = fields.get("stations", range(1, count + 1))
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
        try:
            return sorted({int(name) for name in named}.intersection(constants.SEATS))
        except (ValueError, TypeError, OverflowError):
            raise NoExport(
                "its stations are not numbers: save what the hub answers to `export` again"
            ) from None
    return USUAL


def read(text: str) -> list[ConsoleLine]:
    """Return the console lines of a complete export, oldest first. Raises NoExport for any other
    text."""
    return replay(segments_of(text), stations_of(text))


def script(text: str) -> list[str]:
    """Return the lines of a table script that leads to the table at the end of an export. Raises
    NoExport if the text is not a complete export."""

    def lines(journal: Journal) -> list[str]:
        return position.lines(journal.table, journal, lambda: None)

    return _with_journal(segments_of(text), stations_of(text), True, lines)


def check(segments: Segments) -> None:
    """Raise NoExport if no match in a journal can be read. Damage after a readable input is
    allowed."""
    _with_journal(segments, constants.SEATS, False, lambda journal: None)


# ---- replaying ----


def replay(
    segments: Segments,
    stations: Collection[int] | None = None,
    whole: bool = True,
    last: str = "",
) -> list[ConsoleLine]:
    """Return the console lines of a journal, oldest first.

    segments: {number: bytes} of the journal's files
    stations: those of the hub; None for the simulated hub that has what the match needs
    whole: whether to raise NoExport if a file is damaged; otherwise stop at the last readable
        input
    last: an input that changes nothing, such as `export`, to add at the end; or ""
    """
    there = constants.SEATS if stations is None else stations
    return _with_journal(segments, there, whole, lambda journal: _lines(journal, stations, last))


def _with_journal(
    segments: Segments, stations: Collection[int], whole: bool, use: Callable[[Journal], Result]
) -> Result:
    """Return use(journal), where the journal is a Journal with these segments.

    whole: whether to raise NoExport if a segment is damaged; otherwise use the part of the journal
        before the damage
    """
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder:
        for number, data in segments.items():
            (Path(folder) / ("%08d.rhj" % number)).write_bytes(data)
        try:
            match = Match(slots=sum(1 << slot for slot in stations))
            journal = Journal(files, folder, match)
            is_new = journal.resume() < 0
            if is_new or (whole and journal.trouble):
                raise NoExport(journal.trouble or "none of its segments can be read")
            return use(journal)
        except (IndexError, KeyError, ValueError) as error:  # bytes that no firmware wrote
            raise error if isinstance(error, NoExport) else NoExport(str(error)) from None


def _lines(journal: Journal, stations: Collection[int] | None, last: str) -> list[ConsoleLine]:
    match = journal.table
    data = dict(journal.segments())
    segments = chain(journal)
    journal.close()
    stations = stations or _simulated(segments, match)
    match.slots = sum(1 << slot for slot in (*stations, constants.M))
    oldest = segments[0][1]
    match.restore(oldest.state)
    lights = Lights((*sorted(stations), constants.M, constants.E), PALETTES["standard"])
    lights.show(match)
    found: list[ConsoleLine] = []
    trains: dict[int, list[int]] = {}
    now = 0

    def answer(input_: str, n: int, by: int, did: str, about: str = "", rules: str = "") -> None:
        lights.show(match)
        lights.update(now)
        more = about + line_keys.laid(trains) + rules
        line = console.input_line(input_, 0, by, did, match, lights.lamps, n, more)
        found.append(json.loads(line))

    for _, kind, slot, value in inputs(oldest, data[segments[0][0]]):
        if kind == LAID:
            trains.setdefault(slot, []).append(value & 255)
    answer("power-up", oldest.before, 0, "showed", line_keys.about(match))
    for number, segment in segments:
        if segment is not oldest and (segment.began or segment.state != match.state):
            now += LATER
            input_, did, rules = choose(match, segment)
            answer(input_, segment.before, 0, did, line_keys.about(match), rules)
        for n, kind, slot, value in inputs(segment, data[number]):
            if kind == LAID:
                continue
            round_, phase = match.round, match.phase
            now += LATER
            if match.apply(kind, slot, value, True):
                raise NoExport("an input does not fit the table before it")
            begins = match.phase == constants.PLAY and phase in (constants.LOBBY, constants.ENGINE)
            if match.round != round_ or begins:
                trains = {}
            elif kind in (constants.TAP, constants.OVERRIDE) and phase == constants.PLAY:
                trains.setdefault(slot, []).append(value & 255)
            answer(input_text(kind, slot, value), n, match.by, match.did)
    if last:
        now += LATER
        answer(last, journal.n, 0, "showed", line_keys.about(match))
    return found


def chain(journal: Journal) -> list[tuple[int, Segment]]:
    """Return the Segments (files) of a journal and their numbers, oldest first, beginning with the
    oldest readable match.

    A segment begins with the state at the end of the previous segment, or with a choice of rules.
    """
    number = journal.number
    segments = [(number, journal.read(number))]
    while 0 < segments[0][1].back < number:
        number = segments[0][1].back
        older = journal.read(number)
        if older.wrong:
            break
        segments.insert(0, (number, older))
    return segments


def _simulated(segments: list[tuple[int, Segment]], match: Match) -> Collection[int]:
    """Return the stations of the simulated hub for a match. match: a Match to read states with."""
    found = set()
    for _, segment in segments:
        match.restore(segment.state)
        found |= {*seats_of(match.joined | mask(match.state, at.COMING))}
        found |= {unpacked(segment.live, i)[1] for i in range(0, len(segment.live), 3)}
    return USUAL if found <= {*USUAL, constants.E, constants.M} else constants.SEATS


def choose(match: Match, segment: Segment) -> tuple[str, str, str]:
    """Set a match to the state at the beginning of a Segment (a journal file).

    Return (input, did, rules), three values of a console line. The line is about the choice of
    rules with which the Segment begins. If the Segment begins without a choice of rules, the line
    is about a power-up.

    input: as the console prints it, such as `set 12`
    did: `chose`, or `showed` after a power-up
    rules: the changed options as JSON text; "" for none
    """
    before = match.rules
    match.restore(segment.state)
    if not segment.began:
        return "power-up", "showed", ""
    if segment.began >> 4 == constants.SET:
        return "set %d" % match.set, "chose", ""
    return "house " + line_keys.house(match), "chose", line_keys.changed(match, before)


def inputs(segment: Segment, data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield each input of a Segment (a journal file) as (n, kind, slot, value), oldest first,
    without the inputs that were taken back. data: the file's bytes. n: see journal."""
    counts: list[int] = []
    for record in range(segment.records):
        if data[segment.first + RECORD * record] >> 4 == UNDO:
            counts.pop()
        else:
            counts.append(segment.before + record + 1)
    for place, n in enumerate(counts):
        yield n, *unpacked(segment.live, 3 * place)


def input_text(kind: int, slot: int, value: int) -> str:
    """Return an input as the console prints it, except a choice of rules."""
    name = constants.slot_name(slot)
    if kind in (constants.TAP, constants.OVERRIDE):
        word = "tap" if kind == constants.TAP else "override"
        return "%s %s %s" % (word, tiles.text(value & 255), name)
    if kind == constants.SCORE and value & constants.TOTAL:
        return "total %s %d" % (name, value & ~constants.TOTAL)
    texts = {
        constants.PRESS: "press %s" % name,
        constants.DRAW: "draw %s" % name,
        constants.FORGET: "forget",
        constants.JOIN: "join %s" % name + (" %d" % (value - 1) if value else ""),
        constants.LEAVE: "leave %s" % name,
        constants.HAND: "hand %s %d" % (name, value),
        constants.BONEYARD: "boneyard %d" % value,
        constants.TURN: "turn %s" % name,
        constants.MARKER: "marker %s" % name,
        constants.SCORE: "score %s %d" % (name, value),
    }
    return texts[kind]
