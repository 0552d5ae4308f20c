# SPDX-License-Identifier: MIT
"""Save what a hub keeps of its matches: what it answers to `export`, for `replay`."""

import json
from pathlib import Path

from host_sim import arguments, commands

GROUP = "make"
HELP = "save a hub's matches into a file"
LONGEST_S = 60


def options(parser):
    parser.add_argument("file", type=arguments.written_file, help="where to; `replay` shows it")
    commands.add_port(parser)


def needs(args):
    return ("serial",)


def run(args):
    from host_sim.flashing import UserError, usb_hub

    hub = usb_hub.HubConsole(usb_hub.find_port(args.port))
    path = Path(args.file)
    kept = []
    for line in hub.told("export", LONGEST_S):
        if "segment" in line:
            kept.append(line)
        elif line.get("input") == "export":
            path.write_text(
                "".join(json.dumps(said) + "\n" for said in (*kept, line)),
                encoding="utf-8",
            )
            print("%s: %d segments" % (path, len(kept)))
            return 0
        elif "error" in line:
            raise UserError("nothing was saved: %s" % line["error"])
    raise UserError("the export did not end within %d s" % LONGEST_S + hub.seen())
