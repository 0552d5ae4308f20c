# SPDX-License-Identifier: MIT
"""Table scripts on the emulated Pico and on the host: they must pass with the same lines."""

import json
import re
from pathlib import Path

import config
from host_sim.checks import random_stations, smoke_scripts
from host_sim.hub import table_script
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.pico.emulated_hub import maker
from roundhouse import boards, lamps

# lamp and letter that calls attention -> the lamp and its letter at rest
AT_REST = {
    (k, calling): (k, at_rest)
    for (k, letters, _, _, letters_at_rest), _, _ in lamps.LETTERS
    for calling, at_rest in zip(letters, letters_at_rest)
}
AGAIN = 3  # every n-th of the selection on the other boards too


def chosen(files, every, wiring, missing=None):
    """Return what is played as (path, wiring) pairs: the files that are named, every script, or
    the selection; on the wiring that is named, or on that of config.py.

    With nothing named at all, some of the selection is played on each other board too. missing:
    None, or stations will be missing: then only scripts that have room for that.
    """
    short = not (files or every or wiring) and missing is None
    wiring = wiring or config.WIRING
    paths = [Path(path) for path in files]
    if not paths:  # one that is named is played, whether it fits or not
        paths = smoke_scripts.scripts() if every else smoke_scripts.selection()
        paths = [path for path in paths if fits(path, wiring)]
    if missing is not None:
        most = boards.STATIONS[wiring]
        paths = [path for path in paths if random_stations.has_room(path.read_text(), most)]
    pairs = [(path, wiring) for path in paths]
    if short:
        for other in boards.PINS:
            again = [path for path in paths if other != wiring and fits(path, other)]
            pairs += [(path, other) for path in again[::AGAIN]]
    return pairs


def fits(path, wiring):
    """Return whether a script needs no more stations than a wiring has."""
    most = boards.STATIONS[wiring]
    text = re.sub("#.*|set [0-9]+", "", path.read_text())
    return not any(str(station) in text.split() for station in range(most + 1, 11))


def answers(path, make, wiring, stations=None):
    """Play a script; return its console objects, one for every input line. stations: those there
    are; all that the board has where None."""
    said = []
    changed = configured(WIRING=wiring, STATIONS=stations or boards.STATIONS[wiring])
    table_script.Script(lambda line, answer: said.append(answer), changed, make).run(
        path.read_text(), path.name
    )
    return said


def play(path, wiring=config.WIRING, images=None, missing=None):
    """Play a script on host and Pico; return None, or what is wrong with it. missing: a seed, by
    which stations are missing; None: none is."""
    stations = None
    if missing is not None:
        stations = random_stations.stations(path.read_text(), missing, boards.STATIONS[wiring])
    where = "%s %s" % (wiring, stations or "")
    try:
        pico = answers(path, maker(images), wiring, stations)
        draws = drawn(pico)

        class Host(SimulatedHub):
            def _chance(self):
                return draws.pop(0) if draws else 0

        host = answers(path, Host, wiring, stations)
    except (table_script.ExpectationFailed, table_script.ScriptSyntaxError, RuntimeError) as error:
        return "%s: %s: %s" % (where, path, error)
    for ours, theirs in zip(host, pico):
        for key in ours:
            mine, its = json.dumps(ours[key]), json.dumps(theirs.get(key))
            if not (steady(ours[key], theirs[key]) if key == "lamps" else mine == its):
                return "%s: %s: %s: %s: host %s, pico %s" % (
                    where,
                    path,
                    ours["input"],
                    key,
                    mine,
                    its,
                )
    return None


def drawn(lines):
    """Return the chances behind the starters the hub drew: the other hub must draw the same."""
    found = []
    for line in lines:
        on_engine = line["input"].startswith("tap ") and line["input"].endswith(" E")
        if on_engine and line["verdict"] == "ok" and line["round"] == 1 and line["turn"]:
            found.append(list(line["hands"]).index(str(line["turn"])))
    return found


def steady(ours, theirs):
    """Whether two lines of lamps show the same, but for what lasts a moment only.

    A flash of the input before may still run on one board and be over on the other: answers and
    animations are not compared, and a lamp that calls attention counts as it is at rest.
    """
    for pixel, (one, other) in enumerate(zip(ours, theirs)):
        k = pixel & 3
        if k == lamps.ANSWER or "*" in (one, other) or (k == lamps.TURN and "B" in (one, other)):
            continue
        one, other = (k, one), (k, other)
        if AT_REST.get(one, one) != AT_REST.get(other, other):
            return False
    return len(ours) == len(theirs)
