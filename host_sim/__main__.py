# SPDX-License-Identifier: MIT
"""The command line: `python -m host_sim COMMAND`."""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "firmware"))


def main(argv=None):
    """Carry out a command; return the exit status."""
    from roundhouse import boards

    parser = argparse.ArgumentParser(prog="python -m host_sim", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("play", help="sit at a table, with mouse and keys")
    rules(command)
    command.add_argument("--folder", help="where the match is kept")

    command = commands.add_parser("type", help="a table you type at, script lines at a prompt")
    rules(command)
    command.add_argument("--journal", help="folder that keeps the match (default: none)")

    command = commands.add_parser("demo", help="bots play through the whole firmware")
    rules(command)
    command.add_argument("--players", type=int, default=4)
    command.add_argument("--rounds", type=int, default=1)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--json", action="store_true", help="the console line of every input")

    command = commands.add_parser("script", help="run table scripts")
    command.add_argument("--json", action="store_true", help="the console line of every input")
    command.add_argument("--on", choices=("host", "pico"), default="host", help="where it runs")
    command.add_argument("--image", action="append", help="MicroPython for the pico, .uf2 or .bin")
    command.add_argument("files", nargs="+", metavar="FILE", help="a script; - is standard input")

    command = commands.add_parser("selfplay", help="whole matches on the rules core alone")
    rules(command)
    command.add_argument("--players", type=int, default=4)
    command.add_argument("--games", type=int, default=100)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--json", action="store_true", help="the last line as one object")

    command = commands.add_parser("flash", help="put the firmware onto a Pico")
    command.add_argument("--port", help="its serial port, where there are several boards")
    command.add_argument("--config", action="store_true", help="replace config.py too")
    command.add_argument("--journal", action="store_true", help="forget the matches too")

    command = commands.add_parser("uf2", help="the file system as a file to drag onto a Pico")
    command.add_argument("file", nargs="?", help="default: build/roundhouse.uf2")

    command = commands.add_parser("selftest", help="try every pixel, button and reader of a hub")
    command.add_argument("--port", help="its serial port, where there are several boards")

    command = commands.add_parser("tags", help="write a set of tags at a hub")
    command.add_argument("--port", help="its serial port, where there are several boards")
    command.add_argument("--set", type=int, default=12, choices=(6, 9, 12, 15, 18))
    command.add_argument("--slot", default="E", help="where the tags are laid")
    command.add_argument("--lock", action="store_true", help="make them read-only, for ever")

    command = commands.add_parser("tag", help="the bytes of one tag")
    command.add_argument("text", nargs="+", help="12-7, seat 3, undo ...")

    command = commands.add_parser("bench", help="the performance table, on the emulated Pico")
    command.add_argument("--json", action="store_true", help="as one object")

    command = commands.add_parser("emulate", help="table scripts on the emulated Pico and here")
    command.add_argument("--all", action="store_true", help="every script")
    command.add_argument("--image", action="append", help="MicroPython for the pico, .uf2 or .bin")
    command.add_argument("--wiring", choices=tuple(boards.PINS), help="only this build")
    command.add_argument("files", nargs="*", metavar="FILE", help="only these scripts")

    command = commands.add_parser("soak", help="dishonest players, and a referee beside the hub")
    command.add_argument("--long", action="store_true", help="every set and number of players")
    command.add_argument("--hours", type=float, help="evenings with trouble at the whole firmware")
    command.add_argument("--seed", type=int, default=1)

    command = commands.add_parser("fuzz", help="junk for tags, console, config.py and journal")
    command.add_argument("--cases", type=int, default=1_000_000, help="for each of the four")
    command.add_argument("--seed", type=int, default=1)

    command = commands.add_parser("watch", help="the table of a real hub, live over USB")
    command.add_argument("port", nargs="?", help="its serial port, where there are several boards")
    command.add_argument("--serve", action="store_true", help="in a browser on this machine")
    command.add_argument("--at", type=int, default=8000, help="the browser's port")
    command.add_argument("--names", default="", help="1=Ana,3=Bo: who sits where")
    command.add_argument("--lines", help="a file with the hub's lines instead of a hub")

    command = commands.add_parser("replay", help="the table of an exported journal")
    command.add_argument("file", help="what the hub answered to export, a line each")

    command = commands.add_parser("picture", help="the table at a script's end, as SVG or PNG")
    command.add_argument("file", help="a table script")
    command.add_argument("-o", "--out", default="hub.svg", help="where to, .svg or .png")

    command = commands.add_parser("guide", help="the player's guide, a page to print")
    command.add_argument("-o", "--out", default="hardware/players.html")

    commands.add_parser("houses", help="the rule sheets side by side")

    args = parser.parse_args(argv)
    try:
        return run(args)
    except ValueError as error:  # a house or a number that is none
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def rules(command):
    """Add the options that choose house and set."""
    command.add_argument("--house", default="puremco", help='"jassshop no-lock": with variants')
    command.add_argument("--set", type=int, default=12, choices=(6, 9, 12, 15, 18))


def run(args):
    """Carry out the parsed command."""
    if args.command == "play":
        from host_sim.people import play_screen

        return play_screen.run(args.folder, args.house, args.set, "NO_COLOR" not in os.environ)
    if args.command == "type":
        from host_sim.people import prompt

        return prompt.run(args.house, args.set, args.journal)
    if args.command == "demo":
        from host_sim.people import watched_match

        return watched_match.run(
            args.house, args.set, args.players, args.rounds, args.seed, as_json=args.json
        )
    if args.command == "script":
        from host_sim.hub import table_script

        if args.on == "pico":
            from host_sim.pico.emulated_hub import maker

            return table_script.files(args.files, args.json, make=maker(args.image))
        return table_script.files(args.files, args.json)
    if args.command == "houses":
        from host_sim.people import sheets

        return sheets.run()
    if args.command in ("flash", "uf2", "selftest", "tags", "tag"):
        return make(args)
    if args.command == "bench":
        from host_sim.checks import performance

        return performance.run(args.json)
    if args.command == "emulate":
        from host_sim.checks import pico_agreement

        return pico_agreement.run(args.files, args.all, args.image, args.wiring)
    if args.command in ("watch", "replay"):
        from host_sim.hub import exported_match
        from host_sim.views import terminal_table

        colour = "NO_COLOR" not in os.environ
        try:
            if args.command == "replay":
                return terminal_table.replay(args.file, colour)
            if args.serve:
                from host_sim.views import browser_relay

                return browser_relay.run(args.port, args.at)
            return terminal_table.watch(args.port, args.lines, args.names, colour)
        except (exported_match.NoExport, OSError, UnicodeDecodeError) as error:
            print(error, file=sys.stderr)
            return 2
    if args.command == "picture":
        from host_sim.views import table_picture

        return table_picture.run(args.file, args.out)
    if args.command == "guide":
        from host_sim.views import players_page

        return players_page.run(args.out)
    if args.command == "fuzz":
        from host_sim.checks import fuzzer

        return fuzzer.run(args.cases, args.seed)
    if args.command == "soak":
        from host_sim.checks import dishonest_evenings

        if args.hours:
            from host_sim.checks import faulty_evenings

            return faulty_evenings.run(args.hours, args.seed)
        return dishonest_evenings.run(args.seed, args.long)
    from host_sim.checks import fast_matches

    return fast_matches.run(args.house, args.set, args.players, args.games, args.seed, args.json)


def make(args):
    """Carry out a maker's command; what the maker can put right is said and ends with status 1."""
    from host_sim.maker import maker_tools

    try:
        if args.command == "flash":
            return maker_tools.flash(args.port, args.config, args.journal)
        if args.command == "uf2":
            return maker_tools.uf2(args.file)
        if args.command == "selftest":
            return maker_tools.selftest(args.port)
        if args.command == "tags":
            return maker_tools.tags(args.port, args.set, args.slot, lock=args.lock)
        return maker_tools.tag(" ".join(args.text))
    except maker_tools.Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
