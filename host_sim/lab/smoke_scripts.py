# SPDX-License-Identifier: MIT
"""Selects a few table scripts that together show everything, for a short run on the emulated Pico.

Each script is played on the host to record what it shows. `choose` picks those that show the most
in the least time, and `write` writes the list. A test compares what they show with `wanted`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from host_sim.board.hub import table_script
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.table.console_line import ConsoleLine
from roundhouse import games, lamp_letters

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "tests" / "scripts"
LIST = SCRIPTS / "on-the-pico.txt"
HEAD = "# `make emulate` plays it; `.venv/bin/python -m host_sim emulate --choose` makes it."
NO_GESTURES = ("stations", "absent", "house", "set", "players", "given", "expect", "say")
CARDS = ("seat", "undo", "override", "next", "house", "set", "scores", "totals", "quiet")
COMMANDS = ("state", "write", "sound", "help")  # those that reach other parts of the board
PHASES = ("lobby", "engine", "play", "scoring", "finished")
START_S = 0.5  # seconds until an image with the firmware frozen in has started


def scripts() -> list[Path]:
    return sorted(SCRIPTS.glob("**/*.table"))


def selection() -> list[Path]:
    """Return the paths of the table scripts in the stored list of smoke tests."""
    lines = LIST.read_text().splitlines()
    return [SCRIPTS / line for line in lines if line and not line.startswith("#")]


def wanted() -> set[str]:
    """Return the items that the smoke tests together must show, as texts such as `gesture hold`:

    - all houses of the line games
    - all phases, gestures, kinds of card and kinds of light
    - console commands that use parts of the board that other commands do not use

    Left out are the houses of Mexican Train, the verdicts and the effects of inputs, because these
    are data that the same code reads on a PC and on the board.
    """
    found = {"house " + house for house in games.sheets(games.GAMES.index("line_games")).HOUSES}
    found |= {"gesture " + word for word in table_script.WORDS if word not in NO_GESTURES}
    found |= {"press M", "press E"}
    found |= {"card " + card for card in CARDS}
    found |= {"say " + command for command in COMMANDS}
    found |= {"phase " + phase for phase in PHASES}
    return found | set(_lamp_names().values())


def _lamp_names() -> dict[tuple[int, str], str]:
    """Return {(index of a lamp, letter): name of the light that the letter stands for}. The eleven
    letters of an open double share a name."""
    found = {}
    for (k, letters, _, _, _), _, (moves, tells) in lamp_letters.LETTERS:
        for letter in letters:
            found[k, letter] = "lamp %d %s: %s, %s" % (k, letters[0], moves, tells)
    return found


def shown(path: Path) -> tuple[set[str], float]:
    """Play a script on the host. Return (the set of items that the script shows, the simulated
    seconds that it takes)."""
    names = _lamp_names()
    seen = shown_by_words(path.read_text())
    boards: list[SimulatedHub] = []
    letters: set[bytes] = set()
    answers: list[ConsoleLine] = []

    class Recorder(SimulatedHub):
        """A simulated hub that records the lamps of every frame."""

        def __init__(self, config: Any = None, folder: Any = None) -> None:
            boards.append(self)
            super().__init__(config, folder, coarse_waits=True)

        def _frame(self, grb: bytes) -> None:
            super()._frame(grb)
            if "hub" in self.__dict__:
                letters.add(bytes(self.hub.lights.lamps))

    script = table_script.Script(lambda line, answer: answers.append(answer), None, Recorder)
    script.run(path.read_text(), path.name)
    for row in letters:
        seen |= {names[i & 3, chr(c)] for i, c in enumerate(row) if (i & 3, chr(c)) in names}
    for answer in answers:
        seen.add("phase %s" % answer.get("phase"))
    return seen, sum(board.clock.us for board in boards) / 1e6


def shown_by_words(text: str) -> set[str]:
    """Return the items of `wanted` that the text of a script shows without playing it."""
    seen: set[str] = set()
    for raw in text.splitlines():
        word, *rest = raw.split("#")[0].split() or [""]
        if not word:
            continue
        if word not in NO_GESTURES:
            seen.add("gesture " + word)
        if word == "press" and rest[0] in ("M", "E"):
            seen.add("press " + rest[0])
        if word in ("tap", "put") and not re.fullmatch(r"\d+-\d+", rest[0]):
            seen.add("card " + rest[0])
        if word == "say":
            seen.add("say " + rest[0])
            rest = rest[1:] if rest[0] == "house" else []
        elif word in ("tap", "put") and rest[0] == "house":
            rest = rest[1:-1]
        elif word != "house":
            rest = []
        seen |= {"house " + choice for choice in rest}
    return seen


def choose() -> list[Path]:
    """Return scripts that together show every item of `wanted` that any script shows. Scripts are
    added one by one, each time the one with the most new items per second, its start included. In
    the end, a script is dropped if the other chosen scripts show all its items."""
    every = {path: shown(path) for path in scripts()}
    goal = wanted()
    missing = goal & set().union(*(seen for seen, _ in every.values()))
    chosen: list[Path] = []
    while missing:
        best = max(every, key=lambda path: _worth(*every[path], missing))
        chosen.append(best)
        missing -= every[best][0]
    for path in reversed(list(chosen)):  # drop scripts whose share others show too
        others = set().union(*(every[other][0] for other in chosen if other != path))
        if goal & every[path][0] <= others:
            chosen.remove(path)
    return sorted(chosen)


def _worth(shows: set[str], seconds: float, missing: set[str]) -> float:
    return len(shows & missing) / (START_S + seconds)


def write(chosen: Sequence[Path]) -> None:
    """Store the chosen scripts as the list of smoke tests."""
    names = [path.relative_to(SCRIPTS).as_posix() for path in chosen]
    LIST.write_text("\n".join([HEAD, *names]) + "\n")
