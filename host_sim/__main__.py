# SPDX-License-Identifier: MIT
"""The command line: `python -m host_sim COMMAND`; without a command, the list of them."""

import argparse
import importlib
import os
import pkgutil
import sys

from host_sim import arguments, commands, preflight
from host_sim.checks import worker_pool
from host_sim.flashing import UserError
from roundhouse.settings import BadConfig

PROG = "python -m host_sim"


def found():
    """Return {name: module} of all that lies in the folder of the commands, by name."""
    files = [entry.name for entry in pkgutil.iter_modules(commands.__path__)]
    names = {file.rpartition("_")[2]: file for file in files}
    return {
        name: importlib.import_module("host_sim.commands." + names[name]) for name in sorted(names)
    }


def listed(modules):
    """Return the list of the commands, in groups."""
    lines = []
    for group, what in commands.GROUPS.items():
        here = [name for name, module in modules.items() if group == module.GROUP]
        lines += ["", "%s: %s" % (group, what)]
        lines += ["  %-10s%s" % (name, modules[name].HELP) for name in here]
    return "\n".join(lines[1:])


def main(argv=None):
    """Carry out a command; return the exit status."""
    try:
        preflight.config()
    except BadConfig as wrong:
        print(wrong, file=sys.stderr)
        return 1
    modules = found()
    parser = argparse.ArgumentParser(
        prog=PROG,
        usage=PROG + " COMMAND ...   (COMMAND --help: its options)",
        description=listed(modules),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    several = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog=PROG, help=argparse.SUPPRESS
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
        lacks = preflight.lacking(module.needs(args))
        if lacks:
            raise UserError("%s needs %s" % (args.command, lacks))
        status = module.run(args)
        sys.stdout.flush()  # a full device is met here, not at the interpreter's end
        return status
    except (UserError, BadConfig) as trouble:
        print(trouble, file=sys.stderr)
        return getattr(trouble, "status", 1)
    except ValueError as error:  # a house or a number that is none
        parser.error(str(error))
    except KeyboardInterrupt:
        return worker_pool.INTERRUPTED
    except BrokenPipeError:
        print_no_more()
        return 0
    except OSError as error:
        print_no_more()
        print("%s: %s" % (args.command, arguments.why(error)), file=sys.stderr)
        return 2


def print_no_more():
    """Let the interpreter's end write nothing to a standard output that takes nothing."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ValueError:  # it is closed
        pass


def as_program():
    """Carry out the command of this process; return its exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who called it
            setattr(sys, name, open(os.devnull, "w"))
        getattr(sys, name).reconfigure(errors="replace")  # a letter that the terminal lacks
    return worker_pool.ended_by_signals(main)


if __name__ == "__main__":
    sys.exit(as_program())
