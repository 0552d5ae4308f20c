# SPDX-License-Identifier: MIT
"""A table you type at: script lines at a prompt, the lights drawn after each."""

import contextlib
import sys

from host_sim import arguments, commands
from host_sim.preflight import HUB

GROUP = "play"
HELP = "a table you type at, script lines at a prompt"
WORDS = """\
Type what happens at the table; the hub answers with a word and its lights.
  press 3           the button of seat 3: it joins, drew, cannot play, has counted
  press E           nobody can play any more, the round is over; between rounds: the match is over
  tap 12-5 3        tile 12-5 on the station of train 3          tap 12-5 M   on the Mexican Train
  hold 3            take back the last input                     override 7-1 3   lay it anyway
  tap undo 3        a card; also override, next (as press E), totals, seat 4, house NAME, set 9
  house quebec   set 9   hand 3 7   score 3 25   undo   state   export
                    lines to the hub itself; `say help` shows them all
  put 12-5 3 / remove 3   a tile lies on a reader / is taken away     wait 2s   time passes
  down 3 / up 3     a button is held / let go         unplug   the power goes, and comes back
  fault 3 / repair 3      a reader breaks / works again      help   quit
%s
A round of Mexican Train: press 1, press 2, tap 12-12 1, tap 12-5 1, press 2, press 2, ..."""
NO_ANSWER = "No hub answers yet. Just flashed? Try again in a few seconds. Else: %s"


def options(parser):
    commands.add_rules(parser)
    parser.add_argument(
        "--journal",
        type=arguments.written_folder,
        help="folder that keeps the match (default: none)",
    )


def needs(args):
    return (*HUB, "filelock") if args.journal else HUB


def run(args):
    ask_for(args.house)
    writer = hold(args.journal) if args.journal else None
    try:
        return sit(args)
    finally:
        if writer:
            writer.release()


def hold(folder):
    """Return the Writer of a folder; raise BadArgument where another program writes it."""
    from host_sim.session import folder_lock

    try:
        return folder_lock.hold(folder)
    except folder_lock.FolderInUse:
        raise arguments.BadArgument(
            "%s: another program plays this match; end it, or choose another --journal" % folder
        ) from None


def sit(args):
    """Play at a simulated hub until the end; return the exit status."""
    from host_sim.hub.simulated_hub import SimulatedHub, configured

    board = SimulatedHub(configured(HOUSE=args.house, SET=args.set), args.journal)
    print(words())
    print(told({"input": "", **board.inputs[-1]}, board))
    return converse(board, contextlib.nullcontext())


def ask_for(house):
    """Raise ValueError for a house that is not one; without this, config.py would be blamed."""
    import config
    from roundhouse.games import houses

    try:
        houses.families(config.FAMILY)
        houses.parse(house.split())
    finally:
        houses.families({})


def converse(board, lock, silent=None):
    """Carry out what is typed until it ends, each line with the lock held; return 0.

    silent: what is said of a hub that has not said anything yet.
    """
    from host_sim.hub.table_script import SETUP, ExpectationFailed, Script
    from host_sim.hub.table_script import WORDS as WORDS_OF_A_SCRIPT

    script = Script(lambda line, answer: print(told(answer, board)))
    script.board = board
    edit_lines()
    while True:
        try:
            line = input("roundhouse> ").split("#")[0].strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        if line in ("quit", "exit"):
            return 0
        if line == "help":
            print(words())
        elif line and not board.inputs:
            print(silent)
        elif line:
            if line.split()[0] in SETUP or line.split()[0] not in WORDS_OF_A_SCRIPT:
                line = "say " + line  # the hub's own: rules are chosen on the console here
            try:
                with lock:
                    script.line(line.split(), line)
            except (ExpectationFailed, ValueError) as error:
                print("? %s: %s (help tells what can be typed)" % (line, error))


def edit_lines():
    """Let `input` edit a line and remember the ones before, where there is such a thing."""
    try:
        import readline  # noqa: F401
    except ImportError:
        pass


def told(answer, board):
    """Return what the hub answered, in two lines: a word and whose turn it is; the lights."""
    from textwrap import fill

    from host_sim.views.lamp_text import draw

    if "error" in answer:
        return "  %s" % answer["error"]
    if "help" in answer:
        return fill(", ".join(answer["help"]), 98, initial_indent="  ", subsequent_indent="  ")
    if "lamps" not in answer:
        return "  %s" % {k: v for k, v in answer.items() if k != "input"}
    said = [answer["verdict"] or "no answer", answer["phase"]]
    if answer["turn"]:
        said.append("seat %d's turn" % answer["turn"] + (", has drawn" * answer["drawn"]))
        said.append("may play on %s" % " ".join(answer["playable"]))
        said.append("boneyard %d" % answer["boneyard"])
        ends = " ".join("%s:%s" % (slot, either(n)) for slot, n in answer["ends"].items())
        said.append("ends %s" % (ends or "-"))
    if answer["scores"] and answer["phase"] != "lobby":
        said.append("scores %s" % " ".join("%s:%s" % pair for pair in answer["scores"].items()))
    if "house" in answer:
        said.append("house %s, set %d" % (answer["house"], answer["set"]))
    if answer["winner"]:
        said.append("won by %s" % " ".join(map(str, answer["winner"])))
    lamps = draw(answer["lamps"], board.slots, commands.colour(sys.stdout))
    return "  %s\n  %s" % ("; ".join(said), lamps)


def words():
    """Return what can be typed, with the usual glyphs of the lamps."""
    from host_sim.views.lamp_text import key

    return WORDS % key()


def either(end):
    """Return the number of a train's end as text, or both where the next tile decides."""
    return " or ".join(map(str, end)) if isinstance(end, list) else str(end)
