# SPDX-License-Identifier: MIT
"""The command line: `python -m host_sim COMMAND`; without a command, the list of them."""

import argparse
import importlib
import pkgutil
import sys

from host_sim import commands, needs
from host_sim.maker import Trouble
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
        needs.config()
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
        lacks = needs.lacking(module.needs(args))
        if lacks:
            raise Trouble("%s needs %s" % (args.command, lacks))
        return module.run(args)
    except (Trouble, BadConfig) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except ValueError as error:  # a house or a number that is none
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
