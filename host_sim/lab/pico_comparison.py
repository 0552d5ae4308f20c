# SPDX-License-Identifier: MIT
"""Plays table scripts on the emulated Pico and on the host. A script must pass on both and print
the same lines."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import config
from host_sim.board.hub import table_script
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico.emulated_hub import maker
from host_sim.lab import left_out_stations, smoke_scripts
from host_sim.table.console_line import ConsoleLine
from roundhouse import boards, lamp_letters
from roundhouse.constants import MOST_SEATS

# (lamp, letter that calls attention) -> (lamp, its letter at rest)
AT_REST = {
    (k, calling): (k, at_rest)
    for (k, letters, _, _, letters_at_rest), _, _ in lamp_letters.LETTERS
    for calling, at_rest in zip(letters, letters_at_rest)
}
AGAIN = 6  # every n-th script of the selection is played on the other boards too


def chosen(
    files: Sequence[str], every: bool, wiring: str | None, missing: str | None = None
) -> list[tuple[Path, str]]:
    """Return the scripts to play as a list of (path, wiring).

    files: the scripts to play; if empty, all scripts if `every`, otherwise a short selection
    wiring: the wiring, or None for that of config.py. With None, a part of a short selection is
        also played on each wiring that config.py does not name
    missing: a seed, to return only scripts that can be played with a station missing, or None
    """
    short = not (files or every or wiring) and missing is None
    wiring = wiring or config.WIRING
    paths = [Path(path) for path in files]
    if not paths:  # a given file is played even if it does not fit
        paths = smoke_scripts.scripts() if every else smoke_scripts.selection()
        paths = [path for path in paths if fits(path, wiring)]
    if missing is not None:
        most = boards.STATIONS[wiring]
        paths = [path for path in paths if left_out_stations.has_room(path.read_text(), most)]
    pairs = [(path, wiring) for path in paths]
    if short:
        for other in boards.PINS:
            again = [path for path in paths if other != wiring and fits(path, other)]
            pairs += [(path, other) for path in again[::AGAIN]]
    return pairs


def fits(path: Path, wiring: str) -> bool:
    """Return whether a wiring has enough stations for a script."""
    most = boards.STATIONS[wiring]
    text = re.sub("#.*|set [0-9]+", "", path.read_text())
    return not any(str(station) in text.split() for station in range(most + 1, MOST_SEATS + 1))


def answers(
    path: Path,
    make: Callable[..., SimulatedHub],
    wiring: str,
    stations: Sequence[int] | None = None,
) -> list[ConsoleLine]:
    """Play a script; return the console lines that answer its inputs.

    make: the function that makes the hub
    stations: the board's stations, or None for all
    """
    found: list[ConsoleLine] = []
    changed = configured(WIRING=wiring, STATIONS=stations or boards.STATIONS[wiring])
    table_script.Script(lambda line, answer: found.append(answer), changed, make).run(
        path.read_text(), path.name
    )
    return found


def play(
    path: Path,
    wiring: str = config.WIRING,
    images: Sequence[str] | None = None,
    missing: str | None = None,
) -> str | None:
    """Play a script on the host and on the Pico; return the difference in words, or None.

    missing: a seed to choose stations to leave out, or None for all stations
    """
    stations = None
    if missing is not None:
        stations = left_out_stations.stations(path.read_text(), missing, boards.STATIONS[wiring])
    where = "%s %s" % (wiring, stations or "")
    try:
        pico = answers(path, maker(images), wiring, stations)
        draws = drawn(pico)

        class Host(SimulatedHub):
            """A simulated hub that chooses the same random starters as the Pico did."""

            def _chance(self) -> int:
                return draws.pop(0) if draws else 0

        host = answers(path, Host, wiring, stations)
    except (table_script.ExpectationFailed, table_script.ScriptError, RuntimeError) as error:
        return "%s: %s: %s" % (where, path, error)
    lines: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]] = zip(host, pico)
    for ours, theirs in lines:
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


def drawn(lines: Sequence[ConsoleLine]) -> list[int]:
    """Return the random numbers with which another hub chooses the same starters as the hub that
    printed `lines`."""
    found = []
    for line in lines:
        on_engine = line["input"].startswith("tap ") and line["input"].endswith(" E")
        if on_engine and line["verdict"] == "ok" and line["round"] == 1 and line["turn"]:
            found.append(list(line["hands"]).index(str(line["turn"])))
    return found


def steady(ours: str, theirs: str) -> bool:
    """Return whether the lamps of two boards show the same steady lights.

    Answers and animations are ignored, as they may end at different times. A lamp that blinks for
    attention counts as showing its previous light.

    ours, theirs: the lights as text, one letter per lamp
    """
    for pixel, (one, other) in enumerate(zip(ours, theirs)):
        k = pixel & 3
        if (
            k == lamp_letters.ANSWER
            or "*" in (one, other)
            or (k == lamp_letters.TURN and "B" in (one, other))
        ):
            continue
        mine, its = (k, one), (k, other)
        if AT_REST.get(mine, mine) != AT_REST.get(its, its):
            return False
    return len(ours) == len(theirs)
