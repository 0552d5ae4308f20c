# SPDX-License-Identifier: MIT
"""Try every pixel, button and reader of a hub; a table of what was found at the end."""

from host_sim import commands

GROUP = "make"
HELP = "try every pixel, button and reader of a hub"
LONGEST_S = 600
PARTS = ("reader", "button", "tag")
SAYS = """first all pixels red, green, blue, then one light through all of them. Then press
every button and lay a tag on every slot; hold a button for a second to end."""


def options(parser):
    commands.add_port(parser)


def needs(args):
    return ("serial",)


def run(args):
    from host_sim.maker import Trouble, usb_hub

    hub = usb_hub.HubConsole(usb_hub.find_port(args.port))
    hub.ask("selftest")
    print(SAYS)
    found = {}
    for line in hub.lines(LONGEST_S):
        if "slot" in line:
            for part in PARTS:
                if part in line:
                    found.setdefault(line["slot"], {})[part] = line[part]
                    print("slot %-2s %-6s %s" % (line["slot"], part, line[part]))
        elif line.get("selftest") == "end":
            print(table(found))
            broken = line["readers"]
            print("readers that do not answer: %s" % (" ".join(broken) or "none"))
            return 1 if broken else 0
    raise Trouble("the self-test did not end within %d s" % LONGEST_S)


def table(found):
    """Return what was found, {slot: {part: word}}, a line a slot."""
    from roundhouse import words

    rows = ["\nslot  reader  button  tag"]
    for slot in (*words.SLOTS[1:], words.SLOTS[words.E]):  # as on the console
        if slot in found:
            got = [found[slot].get(part, "-") for part in PARTS]
            rows.append("%-4s  %-6s  %-6s  %s" % (slot, *got))
    return "\n".join(rows)
