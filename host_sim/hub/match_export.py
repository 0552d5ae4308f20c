# SPDX-License-Identifier: MIT
"""An exported journal, played again: the console line of every input that still stands.

An export is what `export` printed: a line for each segment. The firmware's own table and lights
repeat the inputs, so the lines are those the hub said then, but for answers and animations. A
choice of rules is not repeated: the state behind it is in the export.
"""

import json
import tempfile
from pathlib import Path

from roundhouse import console, constants, position, report, tiles
from roundhouse.drivers import files
from roundhouse.games.match import Match
from roundhouse.journal import LAID, LAST, Journal
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

ALL = set(range(1, 11))  # stations
LATER = 10000  # ms between two inputs: answers are over


class NotAnExport(ValueError):
    """A text is no export, or not a whole one; the fault is said in English."""


def segments(text):
    """Return {number: bytes} of an export's segments, other lines left out. Raises NotAnExport."""
    found = {}
    for line in text.splitlines():
        try:
            said = json.loads(line)
            number, data = int(said["segment"]), bytes.fromhex(said["data"])
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            continue
        if 0 < number <= LAST:
            found[number] = data
    if not found:
        raise NotAnExport(
            "no segment is in it: save what the hub answers to `export`, a line each"
        )
    return found


def read(text, stations=None):
    """Return the console lines of a whole export, oldest first, as dicts. Raises NotAnExport.

    text: what the hub printed, a line for each segment. stations: how many there are, or which;
    None: as its last line says, or 10.
    """
    return told(segments(text), stations_of(text) if stations is None else stations)


def stations_of(text):
    """Return the stations of the hub that printed an export, as numbers: 1..10 where it does not
    say."""
    for line in reversed(text.splitlines()):
        try:
            return sorted({int(name) for name in json.loads(line)["stations"]} & ALL)
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
    return sorted(ALL)


def told(segments, stations=10, whole=True):
    """Return the console lines of {number: bytes}, a journal's segments, as `read` does. whole:
    raise NotAnExport where something is damaged; else the lines are those a hub would go on
    from."""
    there = range(1, stations + 1) if isinstance(stations, int) else stations
    return _resumed(segments, there, whole, lambda journal: _lines(journal, there))


def script(text):
    """Return the lines of a table script that leads to the table at the end of an export. Raises
    NotAnExport."""

    def lines(journal):
        return position.lines(journal.table, journal, lambda: None)

    return _resumed(segments(text), stations_of(text), True, lines)


def _resumed(segments, there, whole, use):
    """Return what use(journal) does, called with the journal of {number: bytes}."""
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder:
        for number, data in segments.items():
            (Path(folder) / ("%08d.rhj" % number)).write_bytes(data)
        try:
            t = Match(slots=sum(1 << slot for slot in there))
            journal = Journal(files, folder, t)
            is_new = journal.resume() < 0
            if is_new or (whole and journal.trouble):
                raise NotAnExport(journal.trouble or "none of its segments can be read")
            return use(journal)
        except (IndexError, KeyError, ValueError) as error:  # bytes that no firmware wrote
            raise error if isinstance(error, NotAnExport) else NotAnExport(str(error)) from None


def _lines(journal, there):
    t = journal.table
    segments = chain(journal)
    journal.close()
    t.restore(segments[0].state)
    lights = Lights((*there, constants.M, constants.E), PALETTES["standard"])
    lights.show(t)
    found, trains, now = [], {}, 0

    def say(said, by, did, about="", rules=""):
        lights.show(t)
        lights.letters(now)
        more = about + report.laid(trains) + rules
        found.append(json.loads(console.line(said, 0, by, did, t, lights.lamps, more)))

    for kind, slot, value in inputs(segments[0]):
        if kind == LAID:
            trains.setdefault(slot, []).append(value & 255)
    say("power-up", 0, "showed", report.about(t))
    for segment in segments:
        if segment is not segments[0] and (segment.began or segment.state != t.state):
            now += LATER
            said, did, rules = choose(t, segment)
            say(said, 0, did, report.about(t), rules)
        for kind, slot, value in inputs(segment):
            if kind == LAID:
                continue
            round_, phase = t.round, t.phase
            now += LATER
            if t.apply(kind, slot, value, True):
                raise NotAnExport("an input does not fit the table before it")
            if t.round != round_ or t.phase != phase and t.phase == constants.PLAY:
                trains = {}
            elif kind in (constants.TAP, constants.OVERRIDE) and phase == constants.PLAY:
                trains.setdefault(slot, []).append(value & 255)
            say(sentence(kind, slot, value), t.by, t.did)
    return found


def chain(journal):
    """Return the Segments of a journal's match and those before it, oldest first.

    All their inputs stand; each begins with the state in which the one before it ends, or with
    what `choose` brings a table to.
    """
    number = journal.number
    segments = [journal.read(number)]
    while 0 < segments[0].back < number:
        number = segments[0].back
        older = journal.read(number)
        if older.wrong:
            break
        segments.insert(0, older)
    return segments


def choose(table, segment):
    """Bring a table to the choice of rules with which a Segment began, or to the lobby that a
    power-up made of config.py; return (what the console says of it, `did`, the line's key with the
    options that changed)."""
    before = table.rules
    table.restore(segment.state)
    if not segment.began:
        return "power-up", "showed", ""
    if segment.began >> 4 == constants.SET:
        return "set %d" % table.set, "chose", ""
    return "house " + report.house(table), "chose", report.changed(table, before)


def inputs(segment):
    """Return the inputs of a Segment that still stand, oldest first, as (kind, slot, value)."""
    live = segment.live
    return [
        (live[i] >> 4, live[i] & 15, live[i + 1] | live[i + 2] << 8)
        for i in range(0, len(live), 3)
    ]


def sentence(kind, slot, value):
    """Return an input as the console says it; choices of rules are none."""
    name = constants.slot_name(slot)
    if kind in (constants.TAP, constants.OVERRIDE):
        word = "tap" if kind == constants.TAP else "override"
        return "%s %s %s" % (word, tiles.text(value & 255), name)
    said = {
        constants.PRESS: "press %s" % name,
        constants.DRAW: "draw %s" % name,
        constants.FORGET: "forget",
        constants.JOIN: "join %s" % name,
        constants.LEAVE: "leave %s" % name,
        constants.HAND: "hand %s %d" % (name, value),
        constants.BONEYARD: "boneyard %d" % value,
        constants.TURN: "turn %s" % name,
        constants.MARKER: "marker %s" % name,
        constants.SCORE: "score %s %d" % (name, value),
    }
    return said[kind]
