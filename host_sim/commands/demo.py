# SPDX-License-Identifier: MIT
"""Bots play a match through the whole firmware; its story is told with the lamps beside it."""

import json
import sys
import textwrap

from host_sim import arguments, commands
from host_sim.preflight import HUB
from roundhouse import constants

GROUP = "play"
HELP = "bots play through the whole firmware"
CLEAR = "\r\x1b[K"  # the bar that stood there
PROGRESS = 12  # inputs between two progress lines
WIDTH = 56  # columns of the story


def options(parser):
    commands.add_rules(parser)
    commands.add_players(parser)
    parser.add_argument("--rounds", type=arguments.count, default=1)
    commands.add_seed(parser)
    commands.add_lines(parser)


def needs(args):
    return HUB


def run(args):
    from host_sim.games import house_info
    from host_sim.games.player_knowledge import Disagreement
    from host_sim.session import verified_match
    from host_sim.views.i18n import Translator
    from host_sim.views.lamp_text import draw, key
    from host_sim.views.story import Story
    from host_sim.views.table_phrases import first_names
    from roundhouse.games import houses

    house = args.house.split()
    index = houses.parse(house)[0]
    set_ = args.set or house_info.own_set(index)
    most = house_info.most_seats(index, set_)
    if not 2 <= args.players <= most:
        print("%s with set %d: 2..%d players" % (house[0], set_, most), file=sys.stderr)
        return 2
    out = sys.stdout
    terminal = out.isatty()
    colour = commands.colour(out)
    inputs = 0
    names = first_names(range(1, args.players + 1))
    story = Story(Translator("en"), names)

    def told(said, line, board, match):
        nonlocal inputs
        inputs += 1
        if args.json:
            print(json.dumps(line))
            return
        slots = shown(board.slots, match)
        letters = [line["lamps"][4 * n : 4 * n + 4] for n in slots]
        lamps = draw("".join(letters), [board.slots[n] for n in slots], colour)
        rows = beside(story.line(line), lamps)
        if line["phase"] == "engine" and line["round"] > args.rounds:
            return  # the round behind the last, which nobody plays
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
        match, board = verified_match.play(
            args.house, set_, args.players, args.rounds, args.seed, told, slips=0.05
        )
    except Disagreement as error:
        print("demo: %s" % error, file=sys.stderr)
        return 1
    if not args.json:
        if terminal:
            print(CLEAR, end="")
        print(scores(match, board, inputs, names))
    return 0


def shown(slots, match):
    """Return the places of the slots whose lamps are shown: without the stations where nobody
    plays, if nothing can lie there."""
    if match.options.get("mexican") != "one":
        return range(len(slots))
    return [n for n, slot in enumerate(slots) if slot in (*match.seats, constants.M, constants.E)]


def beside(said, lamps):
    """Return the rows of a story's sentences, with the lamps beside the first of them."""
    rows = [row for one in said for row in textwrap.wrap(one.text, WIDTH)]
    if not rows:
        return []
    return ["%-*s  %s" % (WIDTH, rows[0], lamps), *rows[1:]]


def on_table(line, set_):
    """Return how many tiles of a set are laid."""
    from roundhouse import tiles

    return tiles.size(set_) - line["boneyard"] - sum(line["hands"].values())


def bar(line, rounds, set_):
    """Return how far the match is, to stand below what is printed."""
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


def progress(line, rounds, set_, inputs, names):
    """Return how far the match is, in a line."""
    hands = ", ".join("%s %d" % (names[seat], count) for seat, count in line["hands"].items())
    return "--- round %d of %d, %d tiles on the table, boneyard %d, hands: %s; %d inputs" % (
        min(rounds, max(1, line["round"])),
        rounds,
        on_table(line, set_),
        line["boneyard"],
        hands,
        inputs,
    )


def scores(match, board, inputs, names):
    """Return the end of the evening, in words."""
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
