# SPDX-License-Identifier: MIT
"""Run the script lines that are typed at a prompt. After each line, print the hub's answer and its
lights."""

from __future__ import annotations

import contextlib
import functools
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB
from roundhouse import constants

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from host_sim.app.session.folder_lock import FolderLock
    from host_sim.board.hub.simulated_hub import SimulatedHub
    from host_sim.table.console_line import ConsoleLine

GROUP = "play"
HELP = "play at a prompt, by typing script lines"
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
UNLOCKED = "%s cannot be locked: let no other program play there meanwhile."
HANDS = {  # what can be done at a board before a hub runs there -> how many words follow
    **dict.fromkeys(("remove", "down", "up", "fault", "repair"), 1),
    "put": 2,
}
DONE = "  done; no hub runs yet to answer"
NO_ANSWER = "No hub answers yet. Just flashed? Try again in a few seconds. Else: %s"


def options(parser: ArgumentParser) -> None:
    command.add_rules(parser)
    parser.add_argument(
        "--stations",
        type=arguments.seats,
        default=constants.USUAL_STATIONS,
        help="how many the hub has, 2 to %d; default: %%(default)s" % constants.MOST_SEATS,
    )
    parser.add_argument(
        "--journal",
        type=arguments.writable_folder,
        help="the folder that keeps the match; without it, nothing is kept",
    )


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "filelock") if args.journal else HUB


def run(args: Namespace) -> int:
    check_house(args.house)
    lock = lock_folder(args.journal) if args.journal else None
    try:
        return play(args)
    finally:
        if lock:
            lock.release()


def lock_folder(folder: str) -> FolderLock:
    """Lock a folder of matches and return the lock. Raises UnusableArgument if another program has
    locked the folder, or if the folder belongs to a match of `play`."""
    from pathlib import Path

    from host_sim.app.session import folder_lock
    from host_sim.app.session.match_metadata import METADATA
    from host_sim.table.player_names import printable

    place, folder = Path(folder).resolve(), printable(folder)
    if any((above / METADATA).exists() for above in (place, place.parent)):
        raise arguments.UnusableArgument(
            "%s: it belongs to a match of `play`; choose another --journal" % folder
        )
    try:
        lock = folder_lock.acquire(place)
    except folder_lock.FolderTaken:
        raise arguments.UnusableArgument(
            "%s: another program plays this match; end it, or choose another --journal" % folder
        ) from None
    if lock.trouble:
        print(UNLOCKED % folder)
    return lock


def play(args: Namespace) -> int:
    """Run a simulated hub on typed lines until `quit`; return the exit status."""
    from host_sim.board.hub.simulated_hub import SimulatedHub, seating

    rules = {"HOUSE": args.house, "SET": args.set}
    board = SimulatedHub(seating(args.stations, STATIONS=args.stations, **rules), args.journal)
    print(help_text())
    for line in board.lines:  # what is wrong at power-up
        if "error" in line:
            print(answer_text(line, board))
    print(answer_text({"input": "", **board.inputs[-1]}, board))
    return converse(board, contextlib.nullcontext())


def check_house(house: str) -> None:
    """Raise ValueError if a house is unknown."""
    import config
    from roundhouse.games import houses

    try:
        houses.set_family(config.FAMILY)
        houses.parse(house.split())
    finally:
        houses.set_family({})


def converse(
    board: SimulatedHub, lock: AbstractContextManager[object], no_answer: str | None = None
) -> int:
    """Run typed lines until `quit` or the end of input; return 0.

    lock: a lock to hold while a line runs
    no_answer: a text to print for each typed line until the hub has answered an input; of these
        lines, only those that need no hub are run, such as `put`
    """
    from host_sim.board.hub.table_script import SETUP, ExpectationFailed, Script
    from host_sim.board.hub.table_script import WORDS as WORDS_OF_A_SCRIPT

    script = Script(lambda line, answer: print(answer_text(answer, board)))
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
            print(help_text())
        elif line and not board.inputs:
            print(by_hand(board, lock, line.split()) or no_answer)
        elif line:
            if line.split()[0] in SETUP or line.split()[0] not in WORDS_OF_A_SCRIPT:
                line = "say " + line  # sent to the console, which chooses the rules
            try:
                with lock:
                    script.run_line(line.split(), line)
            except (ExpectationFailed, ValueError) as error:
                print("? %s: %s (help tells what can be typed)" % (line, error))


def by_hand(
    board: SimulatedHub, lock: AbstractContextManager[object], words: Sequence[str]
) -> str:
    """Do what a typed line says at a board on which no hub runs yet; return what to print, or ""
    if such a line needs a hub."""
    word, *rest = words
    if len(rest) < HANDS.get(word, len(words)):
        return ""
    *text, slot = rest
    acts: dict[str, Callable[[str], object]] = {
        "remove": board.remove,
        "down": board.press_down,
        "up": board.press_up,
        "fault": board.fault,
        "repair": board.repair,
        "put": functools.partial(board.put, " ".join(text)),
    }
    try:
        with lock:
            acts[word](slot)
    except ValueError as error:
        return "? %s: %s (help tells what can be typed)" % (" ".join(words), error)
    return DONE


def edit_lines() -> None:
    """Enable line editing and history for `input`, if the module readline is available."""
    try:
        import readline  # noqa: F401
    except ImportError:
        pass


def answer_text(answer: ConsoleLine, board: SimulatedHub) -> str:
    """Return the hub's answer as two lines of text: verdict, turn and table, then the lights."""
    from textwrap import fill

    from host_sim.app.views.lamp_text import draw

    if "error" in answer:
        return "  %s" % answer["error"]
    if "help" in answer:
        return fill(", ".join(answer["help"]), 98, initial_indent="  ", subsequent_indent="  ")
    if "lamps" not in answer:
        return "  %s" % {k: v for k, v in answer.items() if k != "input"}
    parts = [answer["verdict"] or "no answer", answer["phase"]]
    if answer["turn"]:
        parts.append("seat %d's turn" % answer["turn"] + (", has drawn" * answer["drawn"]))
        parts.append("may play on %s" % " ".join(answer["playable"]))
        if answer["boneyard"] is not None:
            parts.append("boneyard %d" % answer["boneyard"])
        ends = " ".join("%s:%s" % (slot, end_text(n)) for slot, n in answer["ends"].items())
        parts.append("ends %s" % (ends or "-"))
    if answer["scores"] and answer["phase"] != "lobby":
        parts.append("scores %s" % " ".join("%s:%s" % pair for pair in answer["scores"].items()))
    if "house" in answer:
        parts.append("house %s, set %d" % (answer["house"], answer["set"]))
    if answer["winner"]:
        parts.append("won by %s" % " ".join(map(str, answer["winner"])))
    lamps = draw(answer["lamps"], board.slots, command.wants_colour(sys.stdout))
    return "  %s\n  %s" % ("; ".join(parts), lamps)


def help_text() -> str:
    from host_sim.app.views.lamp_text import key

    return WORDS % key()


def end_text(end: int | list[int]) -> str:
    """Return the end of a train as text: one number, or two if either half may be the end."""
    return " or ".join(map(str, end)) if isinstance(end, list) else str(end)
