# SPDX-License-Identifier: MIT
"""The player's guide, a page to print, its lamps drawn from what the firmware shows."""

from pathlib import Path

GROUP = "look"
HELP = "the player's guide, a page to print"


def options(parser):
    parser.add_argument("-o", "--out", default="hardware/players.html")


def run(args):
    from host_sim.views import players_page

    Path(args.out).write_text(players_page.page())
    return 0
