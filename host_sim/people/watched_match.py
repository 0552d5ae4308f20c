# SPDX-License-Identifier: MIT
"""A match of bots through the whole firmware, printed input by input."""

import json
import os
import sys

from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.people.bots import HubDisagrees, Match
from host_sim.views.lamp_text import draw
from roundhouse import tiles
from roundhouse.games import houses
from roundhouse.words import slot_name

CLEAR = "\r\x1b[K"  # the bar that stood there
PROGRESS = 12  # inputs between two progress lines


class Unlike(Exception):
    """The lights show something else than the console line says."""


def compare(board, line):
    """Read turn, open and doubles from the pixel bytes; raise Unlike where the line differs."""
    if not board.settle():
        raise Unlike("the lights cannot be read")
    eyes = board.eyes
    seen = {
        "turn": eyes.turn() or None,
        "open": [slot_name(slot) for slot in eyes.open()],
        "doubles": [slot_name(slot) for slot in eyes.doubles()],
    }
    for key, value in seen.items():
        if value != line[key]:
            raise Unlike("%s: the lights show %s, the line says %s" % (key, value, line[key]))


def play(house, set_, players, rounds, seed, told=None, slips=0.0, board=None):
    """Play a match; return (Match, SimulatedHub). Every line is compared with the lights.

    Raises HubDisagrees or Unlike where hub, people and lights disagree.
    """
    seats = list(range(1, players + 1))
    board = board or SimulatedHub(configured(), seed=seed)

    def check(said, line):
        compare(board, line)
        if told:
            told(said, line, board, match)
        board.eyes.reset(board.ms)

    match = Match(board, seats, house, set_, seed, slips, check)
    match.play(rounds)
    return match, board


def run(house="puremco", set_=12, players=4, rounds=1, seed=1, as_json=False, out=sys.stdout):
    """The command `demo`; returns the exit status."""
    words = house.split()
    index, _ = houses.parse(words)
    if not 2 <= players <= houses.most_seats(index, set_):
        most = houses.most_seats(index, set_)
        print("%s with set %d: 2..%d players" % (words[0], set_, most), file=sys.stderr)
        return 2
    terminal = out.isatty()
    colour = terminal and "NO_COLOR" not in os.environ
    inputs = 0

    def told(said, line, board, match):
        nonlocal inputs
        inputs += 1
        if as_json:
            print(json.dumps(line), file=out)
            return
        lamps = draw(line["lamps"], board.slots, colour)
        print("%s%-14s %-16s %s" % (CLEAR * terminal, said, line["verdict"], lamps), file=out)
        if terminal:
            print(bar(line, rounds, match), end="", file=out, flush=True)
        elif inputs % PROGRESS == 0:
            print(progress(line, rounds, match, inputs, out), file=out, flush=True)

    try:
        match, board = play(house, set_, players, rounds, seed, told, slips=0.05)
    except (HubDisagrees, Unlike) as error:
        print("demo: %s" % error, file=sys.stderr)
        return 1
    if not as_json:
        if terminal:
            print(CLEAR, end="", file=out)
        print(scores(match, board, inputs), file=out)
    return 0


def bar(line, rounds, match):
    """How far the match is, to stand below what is printed."""
    laid = tiles.size(match.set) - line["boneyard"] - sum(line["hands"].values())
    share = laid / tiles.size(match.set) if line["phase"] == "play" else 1
    done = min(1, max(0, line["round"] - 1 + share * (line["round"] > 0)) / rounds)
    filled = round(40 * done)
    return "[%s%s] round %d of %d" % (
        "#" * filled,
        "." * (40 - filled),
        max(1, line["round"]),
        rounds,
    )


def progress(line, rounds, match, inputs, out):
    """One line: how far the match is."""
    laid = tiles.size(match.set) - line["boneyard"] - sum(line["hands"].values())
    hands = " ".join("%s:%d" % pair for pair in line["hands"].items())
    return "--- round %d of %d, %d tiles on the table, boneyard %d, hands %s, %d inputs" % (
        max(1, line["round"]),
        rounds,
        laid,
        line["boneyard"],
        hands,
        inputs,
    )


def scores(match, board, inputs):
    """The end of the evening, in words."""
    line = match.line
    rows = ["", "seat  points"]
    rows += ["%4s  %6s" % pair for pair in line["scores"].items()]
    if line["winner"]:
        rows.append("winner: %s" % " ".join(map(str, line["winner"])))
    rows.append(
        "%d inputs (%d refused) in %d s of the table's time; lights and lines agreed at each"
        % (inputs, match.refusals, board.ms // 1000)
    )
    return "\n".join(rows)
