# SPDX-License-Identifier: MIT
"""The page as a folder of static files: the whole simulated hub runs in the browser.

Any plain web server can show it, also below another address.
"""

from host_sim import commands
from host_sim.preflight import HUB

GROUP = "play"
HELP = "the page as a folder of files: the whole hub in a browser"
FOLDER = "build/site"
MIB = 1 << 20


def options(parser):
    commands.add_folder(parser, FOLDER)


def needs(args):
    return (*HUB, "htpy", "markupsafe", "pyodide")


def run(args):
    from host_sim import output_folder
    from host_sim.site import build_site

    with output_folder.filled(args.folder, build_site.listed(args.folder)) as made:
        sizes = build_site.build(made)
    print("%s: %d files, %.1f MiB" % (args.folder, len(sizes), sum(sizes.values()) / MIB))
    print("to look at it: python3 -m http.server -d %s" % args.folder)
    return 0
