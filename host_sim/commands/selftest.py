# SPDX-License-Identifier: MIT
"""Test every pixel, button and reader of a hub, and print a table of the results."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from host_sim.command_line import command

if TYPE_CHECKING:
    from host_sim.maker.usb_hub import HubConsole
    from host_sim.table.console_line import ConsoleLine

GROUP = "make"
HELP = "test every pixel, button and reader of a hub"
LONGEST_S = 600
PARTS = ("reader", "button", "tag")
INSTRUCTIONS = """first all pixels red, green, blue, then one light through all of them. Then press
every button and lay a tag on every slot; hold a button for a second to end. (An emulated
Pico has its buttons and tags at its own prompt.)"""
ASK = "which colours did all pixels show at first? Enter: red, green, blue; else such as g r b: "
ORDER = """these pixels take their colours in another order. Write this into firmware/config.py:
    COLOR_ORDER = "%s"
and type: make flash CONFIG=1"""
LEAVING_S = 1.5
ENDED = "the self-test was ended: the hub plays again"
STUCK = """the hub may still be in its self-test: hold any of its buttons for a second, or unplug
it and plug it in again"""
LEAST_V = 4.3
LOW = ", below 4.3: a shorter cable or a stronger supply helps"


def options(parser: ArgumentParser) -> None:
    command.add_port(parser)


def needs(args: Namespace) -> Sequence[str]:
    return ("serial",)


def run(args: Namespace) -> int:
    from host_sim.maker import CommandError, usb_hub
    from host_sim.maker.usb_hub import IN_TEST

    hub = usb_hub.HubConsole(usb_hub.find_port(args.port))
    answer = hub.ask("selftest")
    if IN_TEST in answer.get("error", ""):  # one was already running
        hub.ask("selftest end")
        answer = hub.ask("selftest")
    if answer.get("selftest") != "begin":
        raise CommandError("no self-test began: %s" % answer.get("error", answer))
    print(INSTRUCTIONS)
    try:
        status = print_results(hub)
        return status if order_is_right() else 1
    except KeyboardInterrupt:
        end_selftest(hub)
        raise


def print_results(hub: HubConsole) -> int:
    """Print the self-test's results until it ends, and return the exit status. Raises CommandError
    if the test does not end."""
    from host_sim.maker import CommandError

    found: dict[str, dict[str, str]] = {}
    for line in hub.lines(LONGEST_S):
        for slot, part, result in results(line):
            found.setdefault(slot, {})[part] = result
            print("slot %-2s %-6s %s" % (slot, part, result))
        if line.get("selftest") == "end":
            print(table(found))
            broken = [slot for slot in found if found[slot].get("reader", "").startswith("fault")]
            print("readers that do not answer: %s" % (" ".join(broken) or "none"))
            if "vsys" in line:
                print("VSYS: %s V%s" % (line["vsys"], LOW if line["vsys"] < LEAST_V else ""))
            return 1 if broken else 0
    print(table(found))
    recent = hub.recent_lines()
    end_selftest(hub)
    raise CommandError("the self-test did not end within %d s" % LONGEST_S + recent)


def order_is_right() -> bool:
    """Ask at a terminal which colours the pixels showed. If they were wrong, print the setting for
    config.py and return False; otherwise return True."""
    import config

    while sys.stdin.isatty():
        typed = command.ask(ASK).strip().lower()
        seen = "".join(word[0] for word in typed.replace(",", " ").split())
        seen = typed if len(seen) == 1 else seen  # `grb` in one word
        if typed in ("", "q") or seen == "rgb":
            break
        if sorted(seen) == sorted("rgb"):
            print(ORDER % right_order(config.COLOR_ORDER, seen.upper()))
            return False
        print("? %s: it is three letters, r g b, in the order in which they were seen" % typed)
    return True


def right_order(order: str, seen: str) -> str:
    """Return the setting COLOR_ORDER that is right for the pixels, such as "GRB".

    seen: the colours that the pixels showed for red, green and blue
    """
    return "".join(seen["RGB".index(colour)] for colour in order)


def end_selftest(hub: HubConsole) -> None:
    """End a running self-test and check that it has ended."""
    from host_sim.maker import CommandError

    try:
        for line in hub.send("selftest end", LEAVING_S):
            if line.get("selftest") == "end":
                print(ENDED)
                return
            if "error" in line:  # it had ended before
                return
    except (OSError, CommandError):  # the connection is lost
        pass
    print(STUCK)


def results(line: ConsoleLine) -> list[tuple[str, str, str]]:
    """Return [(slot, part, result), ...] from a line with self-test results, and [] for any other
    line."""
    from roundhouse import constants

    slot = line.get("slot", "")
    if slot not in constants.SLOTS:
        return []
    wrong = line.get("register")
    return [
        (slot, part, str(result) + (" %s" % wrong if wrong and part == "reader" else ""))
        for part, result in line.items()
        if part in PARTS
    ]


def table(found: dict[str, dict[str, str]]) -> str:
    """Return the results as text, one line per slot."""
    from roundhouse import constants

    rows = ["\nslot  reader  button  tag"]
    for slot in (*constants.SLOTS[1:], constants.SLOTS[constants.E]):  # in console order
        if slot in found:
            words = [found[slot].get(part, "-") for part in PARTS]
            rows.append("%-4s  %-6s  %-6s  %s" % (slot, *words))
    return "\n".join(rows)
