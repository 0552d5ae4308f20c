# SPDX-License-Identifier: MIT
"""An exported journal, played again: the console line of every input that still stands.

An export is what `export` printed: a line for each segment. The firmware's own table and lights
repeat the inputs, so the lines are those the hub said then, but for answers and animations.
"""

import json
import tempfile
from pathlib import Path

from roundhouse import console, tiles, words
from roundhouse.drivers import files
from roundhouse.games import houses
from roundhouse.games.match import Match
from roundhouse.journal import LAID, Journal
from roundhouse.lights import Lights
from roundhouse.palettes import PALETTES

LATER = 10000  # ms between two inputs: answers are over


class NoExport(ValueError):
    """The file is no export; the text says what is missing."""


def segments(path):
    """Return {number: bytes} of an export's segments. Raises NoExport."""
    found = {}
    for line in Path(path).read_text().splitlines():
        try:
            said = json.loads(line)
            if "segment" in said:
                found[int(said["segment"])] = bytes.fromhex(said["data"])
        except (ValueError, TypeError, KeyError):
            continue
    if not found:
        raise NoExport(
            "%s has no segment in it: save what the hub answers to `export`, a line each" % path
        )
    return found


def lines(path, stations=10):
    """Return the console lines of the whole export, oldest first, as dicts."""
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder:
        for number, data in segments(path).items():
            (Path(folder) / ("%08d.rhj" % number)).write_bytes(data)
        return _lines(folder, stations)


def _lines(folder, stations):
    t = Match(slots=(2 << stations) - 2)
    journal = Journal(files, folder, t)
    journal.resume()
    if journal.trouble:
        raise NoExport("%s: %s" % (folder, journal.trouble))
    inputs = list(journal.inputs())[::-1]
    start = _first_state(journal)
    t.restore(start)
    journal.close()
    lights = Lights((*range(1, stations + 1), words.M, words.E), PALETTES["standard"])
    lights.show(t)
    found, trains, now = [], {}, 0

    def say(said):
        now_trains = {slot: list(laid) for slot, laid in trains.items()}
        lights.show(t)
        lights.letters(now)
        found.append(json.loads(console.line(said, 0, t, lights.lamps, now_trains)))

    laid = [i for i in inputs if i[0] == LAID]
    for _, slot, value in laid:
        trains.setdefault(slot, []).append(value & 255)
    say("power-up")
    for kind, slot, value in inputs:
        if kind == LAID:
            continue
        round_, phase = t.round, t.phase
        now += LATER
        if t.apply(kind, slot, value, True):
            raise NoExport("%s: an input does not fit the table before it" % folder)
        if t.round != round_ or t.phase != phase and t.phase == words.PLAY:
            trains = {}
        elif kind in (words.TAP, words.OVERRIDE) and phase == words.PLAY:
            trains.setdefault(slot, []).append(value & 255)
        say(sentence(kind, slot, value))
    return found


def _first_state(journal):
    """The state with which the oldest segment of the chain began."""
    segment = journal.read(journal.number)
    while segment.back:
        older = journal.read(segment.back)
        if older.wrong:
            break
        segment = older
    return segment.state


def sentence(kind, slot, value):
    """Return an input as the console says it."""
    name = words.slot_name(slot)
    if kind in (words.TAP, words.OVERRIDE):
        word = "tap" if kind == words.TAP else "override"
        return "%s %s %s" % (word, tiles.text(value & 255), name)
    if kind == words.RULES:
        return "house %s" % houses.HOUSES[slot]
    said = {
        words.PRESS: "press %s" % name,
        words.DRAW: "draw %s" % name,
        words.FORGET: "forget",
        words.SET: "set %d" % value,
        words.JOIN: "join %s" % name,
        words.LEAVE: "leave %s" % name,
        words.HAND: "hand %s %d" % (name, value),
        words.BONEYARD: "boneyard %d" % value,
        words.TURN: "turn %s" % name,
        words.MARKER: "marker %s" % name,
        words.SCORE: "score %s %d" % (name, value),
    }
    return said[kind]
