# SPDX-License-Identifier: MIT
"""The command line: `.venv/bin/python -m host_sim COMMAND`. Without COMMAND, it lists them."""

# ruff: noqa: E402
import os
import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # The imports below take a moment, in which Ctrl-C would print a traceback.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Mapping, Sequence

from host_sim import COMMAND, commands
from host_sim.command_line import arguments, command, exit_signals, preflight
from host_sim.maker import CommandError
from roundhouse.settings import BadConfig


def command_modules() -> dict[str, command.Command]:
    """Return {command name: module} for all modules in the folder `commands`, sorted by name."""
    names = sorted(entry.name for entry in pkgutil.iter_modules(commands.__path__))
    return {name: importlib.import_module("host_sim.commands." + name) for name in names}


def command_list(modules: Mapping[str, command.Command]) -> str:
    """Return the list of commands as text, sorted into groups.

    modules: {command name: module}.
    """
    lines: list[str] = []
    for group, what in command.GROUPS.items():
        here = [name for name, module in modules.items() if group == module.GROUP]
        lines += ["", "%s: %s" % (group, what)]
        lines += ["  %-10s%s" % (name, modules[name].HELP) for name in here]
    return "\n".join(lines[1:])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command named by the arguments, and return the exit status.

    argv: the arguments after the program's name, or None for the arguments of this process
    """
    try:
        preflight.load_config()
    except BadConfig as wrong:
        print(wrong, file=sys.stderr)
        return 1
    modules = command_modules()
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        usage=COMMAND + " COMMAND ...   (COMMAND --help: its options)",
        description=command_list(modules),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    several = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog=COMMAND, help=argparse.SUPPRESS
    )
    for name, module in modules.items():
        module.options(
            several.add_parser(
                name,
                description=module.__doc__,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )
    args = parser.parse_args(argv)
    try:
        if not args.command:
            parser.print_help()
            return 0
        module = modules[args.command]
        missing = preflight.missing(module.needs(args))
        if missing:
            raise CommandError("%s needs %s" % (args.command, missing))
        status = module.run(args)
        sys.stdout.flush()  # a full device fails here, not at the interpreter's exit
        return status
    except CommandError as error:
        print(error, file=sys.stderr)
        return error.status
    except BadConfig as error:
        print(error, file=sys.stderr)
        return 1
    except ValueError as error:  # such as an unknown house
        parser.error(str(error))
    except KeyboardInterrupt:
        return exit_signals.INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        return 0
    except OSError as error:
        discard_stdout()
        print("%s: %s" % (args.command, arguments.os_error_text(error)), file=sys.stderr)
        return 2


def discard_stdout() -> None:
    """Redirect standard output to /dev/null if it cannot be written to, so that the interpreter
    exits without an error."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ValueError:  # standard output is closed
        pass


def run_as_program() -> int:
    """Run the command named in sys.argv, and return the exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))
        getattr(sys, name).reconfigure(errors="replace")  # for a terminal that lacks a letter
    return exit_signals.ended_by_signals(main)


if __name__ == "__main__":
    sys.exit(run_as_program())
