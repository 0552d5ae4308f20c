# SPDX-License-Identifier: MIT
"""Which table scripts the short run on the emulated Pico plays: few, that together show it all.

What a script shows is seen by playing it here: houses and variants, verdicts, what was done,
phases, gestures, cards, console commands, and the lamps of every frame. `choose` takes the scripts
that show most for their time; what it took stands in a list, which a test holds against `wanted`.
"""

import re
from pathlib import Path

from host_sim.hub import table_script
from host_sim.hub.simulated_hub import SimulatedHub
from roundhouse import constants, lamps
from roundhouse.games import houses

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "tests" / "scripts"
LIST = SCRIPTS / "on-the-pico.txt"
HEAD = "# What `make emulate` plays; `python -m host_sim emulate --choose` makes this list."
FIRST_OF_ITS_KIND = ("original", "classic")  # all trains, and all line games, share variants
NO_GESTURES = ("stations", "house", "set", "players", "given", "expect", "say")
CARDS = ("seat", "undo", "override", "next", "house", "set", "scores", "totals", "quiet")
COMMANDS = (
    *("state", "undo", "redo", "next", "house", "set", "join", "leave", "hand", "boneyard"),
    *("turn", "marker", "score", "write", "sound", "help"),
)
PHASES = ("lobby", "engine", "play", "scoring", "finished")
DID = (
    *("joined", "left", "dealt", "opened", "laid", "drew", "passed", "knocked", "out", "caught"),
    *("counted", "done", "round-over", "match-over", "cleared", "took-back", "put-back", "chose"),
    *("corrected", "showed"),
)
START_S = 5  # what a script costs before its first line, in seconds of the table's time


def scripts():
    """Return every table script, as a path."""
    return sorted(SCRIPTS.glob("**/*.table"))


def selection():
    """Return the scripts on the list."""
    lines = LIST.read_text().splitlines()
    return [SCRIPTS / line for line in lines if line and not line.startswith("#")]


def wanted():
    """Return all that the selection has to show, as a set of words."""
    found = {"house " + house for house in houses.HOUSES}
    for house in FIRST_OF_ITS_KIND:
        variants = houses.variants(houses.HOUSES.index(house))
        found |= {"house " + variant for variant, _ in variants}
    found |= {"verdict " + verdict for verdict in constants.VERDICTS}
    found |= {"gesture " + word for word in table_script.WORDS if word not in NO_GESTURES}
    found |= {"press M", "press E"}
    found |= {"card " + card for card in CARDS}
    found |= {"say " + command for command in COMMANDS}
    found |= {"did " + did for did in DID}
    found |= {"phase " + phase for phase in PHASES}
    return found | set(_lamp_names().values())


def _lamp_names():
    """Return {(lamp, letter): the name of its row}; a double's eleven letters are one row."""
    found = {}
    for (k, letters, _, _, _), _, (moves, tells) in lamps.LETTERS:
        for letter in letters:
            found[k, letter] = "lamp %d %s: %s, %s" % (k, letters[0], moves, tells)
    return found


def shown(path):
    """Play a script here; return what it shows, and its seconds of the table's time."""
    names = _lamp_names()
    seen = said_in(path.read_text())
    boards = []

    class HeardBoard(SimulatedHub):
        def __init__(self, config=None, folder=None):
            boards.append(self)
            super().__init__(config, folder, strides=True)

        def _frame(self, grb):
            super()._frame(grb)
            if "hub" in self.__dict__:
                letters.add(bytes(self.hub.lights.lamps))

    letters, answers = set(), []
    script = table_script.Script(lambda line, answer: answers.append(answer), None, HeardBoard)
    script.run(path.read_text(), path.name)
    for row in letters:
        seen |= {names[i & 3, chr(c)] for i, c in enumerate(row) if (i & 3, chr(c)) in names}
    for answer in answers:
        seen |= {"%s %s" % (key, answer.get(key)) for key in ("verdict", "did", "phase")}
    return seen, sum(board.clock.us for board in boards) / 1e6


def said_in(text):
    """Return what the words of a script's lines say that it shows."""
    seen = set()
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


def choose():
    """Return scripts that together show all that is wanted and any script shows: the one that
    shows most of what is missing for its time comes first."""
    every = {path: shown(path) for path in scripts()}
    goal = wanted()
    missing = goal & set().union(*(seen for seen, _ in every.values()))
    chosen = []
    while missing:
        best = max(every, key=lambda path: _worth(*every[path], missing))
        chosen.append(best)
        missing -= every[best][0]
    for path in reversed(list(chosen)):  # what a later one shows as well need not be played
        others = set().union(*(every[other][0] for other in chosen if other != path))
        if goal & every[path][0] <= others:
            chosen.remove(path)
    return sorted(chosen)


def _worth(shows, seconds, missing):
    return len(shows & missing) / (START_S + seconds)


def write(chosen):
    """Write the list."""
    names = [path.relative_to(SCRIPTS).as_posix() for path in chosen]
    LIST.write_text("\n".join([HEAD, *names]) + "\n")
