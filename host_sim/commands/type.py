# SPDX-License-Identifier: MIT
"""A table you type at: script lines at a prompt, the lights drawn after each."""

import sys

from host_sim import commands
from host_sim.needs import HUB

GROUP = "play"
HELP = "a table you type at, script lines at a prompt"
WORDS = """\
Type what happens at the table; the hub answers with a word and its lights.
  press 3           seat 3's button: join, draw, pass, done      press E   the deal is done
  tap 12-5 3        tile 12-5 on the station of train 3          tap 12-5 M   on the Mexican Train
  hold 3            take back the last input                     override 7-1 3   lay it anyway
  tap seat 3 5      a card on slot 5; so: undo, override, next, totals, scores, house NAME, set N
  say state         a line on the console (say help lists them)
  wait 2s   unplug   put TILE SLOT / remove SLOT   down SLOT / up SLOT   fault SLOT / repair SLOT
  help   quit
A round: press 1, press 2, tap 12-12 1, tap 12-5 1, press 2, press 2, ..."""


def options(parser):
    commands.add_rules(parser)
    parser.add_argument("--journal", help="folder that keeps the match (default: none)")


def needs(args):
    return HUB


def run(args):
    from host_sim.hub.simulated_hub import SimulatedHub, configured
    from host_sim.hub.table_script import SETUP, Failed, Script

    script = Script(lambda line, answer: print(told(answer, script.board)))
    script.config = configured(HOUSE=args.house, SET=args.set)
    script.board = SimulatedHub(script.config, args.journal)
    script.answer = script.board.inputs[-1]
    edit_lines()
    print(WORDS)
    print(told({"input": "", **script.answer}, script.board))
    while True:
        try:
            line = input("roundhouse> ").split("#")[0].strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        if line in ("quit", "exit"):
            return 0
        if line == "help":
            print(WORDS)
        elif line:
            if line.split()[0] in SETUP:
                line = "say " + line  # the rules are chosen on the console here
            try:
                script.line(line.split(), line)
            except (Failed, ValueError) as error:
                print("? %s: %s (help tells what can be typed)" % (line, error))


def edit_lines():
    """Let `input` edit a line and remember the ones before, where there is such a thing."""
    try:
        import readline  # noqa: F401
    except ImportError:
        pass


def told(answer, board):
    """Return what the hub answered, in two lines: a word and whose turn it is; the lights."""
    from host_sim.views.lamp_text import draw

    if "error" in answer:
        return "  %s" % answer["error"]
    if "lamps" not in answer:
        return "  %s" % {k: v for k, v in answer.items() if k != "input"}
    said = [answer["verdict"] or "no answer", answer["phase"]]
    if answer["turn"]:
        said.append("seat %d's turn" % answer["turn"] + (", has drawn" * answer["drawn"]))
        said.append("may play on %s" % " ".join(answer["playable"]))
        said.append("boneyard %d" % answer["boneyard"])
        ends = " ".join("%s:%s" % pair for pair in answer["ends"].items())
        said.append("ends %s" % (ends or "-"))
    if answer["scores"] and answer["phase"] != "lobby":
        said.append("scores %s" % " ".join("%s:%s" % pair for pair in answer["scores"].items()))
    if answer["winner"]:
        said.append("won by %s" % " ".join(map(str, answer["winner"])))
    lamps = draw(answer["lamps"], board.slots, commands.colour(sys.stdout))
    return "  %s\n  %s" % ("; ".join(said), lamps)
