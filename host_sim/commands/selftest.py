# SPDX-License-Identifier: MIT
"""Try every pixel, button and reader of a hub; a table of what was found at the end."""

from host_sim import commands

GROUP = "make"
HELP = "try every pixel, button and reader of a hub"
LONGEST_S = 600
PARTS = ("reader", "button", "tag")
SAYS = """first all pixels red, green, blue, then one light through all of them. Then press
every button and lay a tag on every slot; hold a button for a second to end. (An emulated
Pico has its buttons and tags at its own prompt.)"""
LEAVING_S = 1.5
LEFT = "the self-test was ended: the hub plays again"
STUCK = """the hub may still be in its self-test: hold any of its buttons for a second, or unplug
it and plug it in again"""
LEAST_V = 4.3
LOW = ", below 4.3: a shorter cable or a stronger supply helps"


def options(parser):
    commands.add_port(parser)


def needs(args):
    return ("serial",)


def run(args):
    from host_sim.flashing import UserError, usb_hub

    hub = usb_hub.HubConsole(usb_hub.find_port(args.port))
    answer = hub.ask("selftest")
    if answer.get("selftest") == "end":  # one was running
        answer = hub.ask("selftest")
    if answer.get("selftest") != "begin":
        raise UserError("no self-test began: %s" % answer.get("error", answer))
    print(SAYS)
    try:
        return follow(hub)
    except KeyboardInterrupt:
        leave(hub)
        raise


def follow(hub):
    """Tell what the self-test finds until it ends; return the exit status. Raises UserError."""
    from host_sim.flashing import UserError

    found = {}
    for line in hub.lines(LONGEST_S):
        for slot, part, word in parts(line):
            found.setdefault(slot, {})[part] = word
            print("slot %-2s %-6s %s" % (slot, part, word))
        if line.get("selftest") == "end":
            print(table(found))
            broken = [slot for slot in found if found[slot].get("reader") == "fault"]
            print("readers that do not answer: %s" % (" ".join(broken) or "none"))
            if "vsys" in line:
                print("VSYS: %s V%s" % (line["vsys"], LOW if line["vsys"] < LEAST_V else ""))
            return 1 if broken else 0
    print(table(found))
    seen = hub.seen()
    leave(hub)
    raise UserError("the self-test did not end within %d s" % LONGEST_S + seen)


def leave(hub):
    """End a self-test that goes on, and say so; or say how it is ended at the hub."""
    from host_sim.flashing import UserError

    try:
        for line in hub.told("selftest", LEAVING_S):
            if line.get("selftest") == "end":
                print(LEFT)
                return
    except (OSError, UserError):  # the line is gone
        pass
    print(STUCK)


def parts(line):
    """Return what a line says of a slot, as (slot, part, word); nothing where it is another's."""
    from roundhouse import constants

    slot = line.get("slot")
    if slot not in constants.SLOTS:
        return []
    return [(slot, part, str(line[part])) for part in PARTS if part in line]


def table(found):
    """Return what was found, {slot: {part: word}}, one line per slot."""
    from roundhouse import constants

    rows = ["\nslot  reader  button  tag"]
    for slot in (*constants.SLOTS[1:], constants.SLOTS[constants.E]):  # as on the console
        if slot in found:
            got = [found[slot].get(part, "-") for part in PARTS]
            rows.append("%-4s  %-6s  %-6s  %s" % (slot, *got))
    return "\n".join(rows)
