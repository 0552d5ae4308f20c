# SPDX-License-Identifier: MIT
"""Let bots play a match through the whole firmware, and print its story beside the lamps."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB
from roundhouse import constants

if TYPE_CHECKING:
    from host_sim.app.players.bot_match import BotMatch
    from host_sim.board.hub.simulated_hub import SimulatedHub
    from host_sim.table.console_line import ConsoleLine

GROUP = "play"
HELP = "watch bots play through the whole firmware"
CLEAR = "\r\x1b[K"  # removes the progress bar
PROGRESS = 12  # inputs between two progress lines
WIDTH = 56  # columns of the story


def options(parser: ArgumentParser) -> None:
    command.add_rules(parser)
    command.add_players(parser)
    parser.add_argument("--rounds", type=arguments.count, default=1)
    command.add_seed(parser)
    command.add_json(parser)


def needs(args: Namespace) -> Sequence[str]:
    return HUB


def run(args: Namespace) -> int:
    from host_sim.app.players import lamp_verified_match
    from host_sim.app.views.i18n import Translator
    from host_sim.app.views.lamp_text import draw, key
    from host_sim.app.views.story import Story
    from host_sim.app.views.table_names import first_names
    from host_sim.table.games import house_info
    from host_sim.table.games.tile_rules import Disagreement
    from host_sim.table.model import TableModel
    from roundhouse.games import houses

    index, chosen = houses.parse(args.house.split())
    set_ = args.set or house_info.own_set(index)
    wrong = wrong_table(args, index, chosen, set_)
    if wrong:
        print(wrong, file=sys.stderr)
        return 2
    out = sys.stdout
    terminal = out.isatty()
    colour = command.wants_colour(out)
    inputs = 0
    names = first_names(range(1, args.players + 1))
    story, table = Story(Translator("en"), names), TableModel()

    def show(action: str, line: ConsoleLine, board: SimulatedHub, match: BotMatch) -> None:
        nonlocal inputs
        inputs += 1
        if args.json:
            print(json.dumps(line))
            return
        slots = shown(board.slots, match)
        letters = [line["lamps"][4 * n : 4 * n + 4] for n in slots]
        lamps = draw("".join(letters), [board.slots[n] for n in slots], colour)
        sentences = story.sentences(table.take(line))
        rows = beside([sentence.text for sentence in sentences], lamps)
        if line["phase"] == "engine" and line["round"] > args.rounds:
            return  # the round after the last, which is not played
        for row in rows:
            print("%s%s" % (CLEAR * terminal, row))
        if terminal:
            print(bar(line, args.rounds, match.set), end="", flush=True)
        elif inputs % PROGRESS == 0 and line["phase"] != "finished":
            print(progress(line, args.rounds, match.set, inputs, names), flush=True)

    if not args.json:
        print(key())
        print("Now and then a bot tries what the rules refuse.\n")
    try:
        match, board = lamp_verified_match.play(
            args.house, set_, args.players, args.rounds, args.seed, show, slips=0.05
        )
    except Disagreement as error:
        print("demo: %s" % error, file=sys.stderr)
        return 1
    if not args.json:
        if terminal:
            print(CLEAR, end="")
        print(scores(match, board, inputs, names))
    return 0


def wrong_table(args: Namespace, house: int, chosen: int, set_: int) -> str | None:
    """Return a text that says why `args.players` players cannot play by these rules, or None if
    the players can.

    house: an index in houses.HOUSES
    chosen: the variants, as houses.parse returns them
    set_: the highest number on the tiles
    """
    from host_sim.table.games import house_info

    name = args.house.split()[0]
    most = house_info.most_seats(house, set_, chosen)
    if not 2 <= args.players <= most:
        return "%s with set %d: 2..%d players" % (name, set_, most)
    dealt = house_info.hands(house, chosen, set_)
    if dealt is not None and not any(dealt[args.players - 2 : args.players - 1]):
        return "%s with set %d: too few tiles for that deal" % (name, set_)
    return None


def shown(slots: Sequence[int], match: BotMatch) -> Sequence[int]:
    """Return the indices of the slots to print."""
    if match.options.get("mexican") != "one":
        return range(len(slots))
    return [n for n, slot in enumerate(slots) if slot in (*match.seats, constants.M, constants.E)]


def beside(sentences: Iterable[str], lamps: str) -> list[str]:
    """Return sentences wrapped into rows, with the lamps beside the first row."""
    rows = [row for sentence in sentences for row in textwrap.wrap(sentence, WIDTH)]
    if not rows:
        return []
    return ["%-*s  %s" % (WIDTH, rows[0], lamps), *rows[1:]]


def on_table(line: ConsoleLine, set_: int) -> int:
    """Return how many tiles are on the table, or 0 if the hub does not count tiles."""
    from roundhouse import tiles

    if line["boneyard"] is None:
        return 0
    return int(tiles.size(set_) - line["boneyard"] - sum(filter(None, line["hands"].values())))


def bar(line: ConsoleLine, rounds: int, set_: int) -> str:
    """Return a progress bar for the whole match, as text."""
    from roundhouse import tiles

    share = on_table(line, set_) / tiles.size(set_) if line["phase"] == "play" else 1
    done = min(1, max(0, line["round"] - 1 + share * (line["round"] > 0)) / rounds)
    filled = round(40 * done)
    return "[%s%s] round %d of %d" % (
        "#" * filled,
        "." * (40 - filled),
        max(1, line["round"]),
        rounds,
    )


def progress(
    line: ConsoleLine, rounds: int, set_: int, inputs: int, names: Mapping[str, str]
) -> str:
    """Return one line of text that sums up the match so far.

    names: {seat: player's name}
    """
    told = "--- round %d of %d" % (min(rounds, max(1, line["round"])), rounds)
    if line["boneyard"] is not None:
        counts = ", ".join("%s %s" % (names[seat], n) for seat, n in line["hands"].items())
        table = on_table(line, set_), line["boneyard"], counts
        told += ", %d tiles on the table, boneyard %d, hands: %s" % table
    return "%s; %d inputs" % (told, inputs)


def scores(match: BotMatch, board: SimulatedHub, inputs: int, names: Mapping[str, str]) -> str:
    """Return, as text, the final scores and a summary of what was played.

    names: {seat: player's name}
    """
    line = match.line
    rows = ["", "player  points"]
    rows += ["%-6s  %6s" % (names[seat], points) for seat, points in line["scores"].items()]
    if line["winner"]:
        rows.append("winner: %s" % " and ".join(names[str(seat)] for seat in line["winner"]))
    rows.append(
        "%d inputs (%d refused) in %d s of the table's time; lights and lines agreed at each"
        % (inputs, match.refusals, board.ms // 1000)
    )
    return "\n".join(rows)
