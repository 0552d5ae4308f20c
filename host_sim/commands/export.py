# SPDX-License-Identifier: MIT
"""Save a hub's answer to `export`, which contains its matches, as a file for the command
`replay`."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from host_sim.command_line import arguments, command

GROUP = "make"
HELP = "save a hub's matches to a file"
LONGEST_S = 60


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=arguments.writable_file, help="the file to write; `replay` shows it"
    )
    command.add_port(parser)


def needs(args: Namespace) -> Sequence[str]:
    return ("serial",)


def run(args: Namespace) -> int:
    from host_sim.maker import CommandError, usb_hub

    hub = usb_hub.HubConsole(usb_hub.find_port(args.port))
    path = Path(args.file)
    kept = []
    for line in hub.send("export", LONGEST_S):
        if "segment" in line:
            kept.append(line)
        elif line.get("input") == "export":
            command.write_file(path, "".join(json.dumps(each) + "\n" for each in (*kept, line)))
            print("%s: %d segments" % (path, len(kept)))
            return 0
        elif "error" in line:
            raise CommandError("nothing was saved: %s" % line["error"])
    raise CommandError("the export did not end within %d s" % LONGEST_S + hub.recent_lines())
