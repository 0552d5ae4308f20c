# SPDX-License-Identifier: MIT
"""Console commands: parses a line and carries it out. Loaded when the first line arrives."""

import binascii

from roundhouse import console, constants, tiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from roundhouse.hub import Hub


HELP = (
    "state",
    "undo",
    "redo",
    "next",
    "house NAME [VARIANT...] [OPTION=VALUE...]",
    "set N",
    "join N [PIPS]",
    "leave N",
    "hand N COUNT",
    "boneyard COUNT",
    "turn N",
    "marker SLOT",
    "score N PIPS",
    "total N PIPS",
    "write TEXT [SLOT]",
    "lock [SLOT]",
    "read [SLOT]",
    "sound on",
    "sound off",
    "export",
    "position",
    "selftest",
    "selftest end",
    "help",
)

ALONE = ("state", "undo", "redo", "next", "export", "position", "selftest", "help")
NO_TEST = "no self-test runs; `selftest` begins one"
SHORT = "memory ran out; the next line has all that is kept: repeat what is missing there"

# Corrections: word -> (kind, names of its numbers, their ranges)
SEATS = (1, constants.MOST_SEATS)
NUMBERS: dict[str, tuple[int, str, tuple[tuple[int, int], ...]]] = {
    "join": (constants.JOIN, "N [PIPS]", (SEATS, (0, 9999))),
    "leave": (constants.LEAVE, "N", (SEATS,)),
    "turn": (constants.TURN, "N", (SEATS,)),
    "marker": (constants.MARKER, "SLOT", (SEATS,)),
    "hand": (constants.HAND, "N COUNT", (SEATS, (0, 190))),
    "boneyard": (constants.BONEYARD, "COUNT", ((0, 190),)),
    "score": (constants.SCORE, "N PIPS", (SEATS, (0, 3420))),
    "total": (constants.SCORE, "N PIPS", (SEATS, (0, 32767))),
}


def run(hub: "Hub", line: str) -> None:
    """Carry out a line typed on the console. Raises ValueError with the correct usage."""
    word = line.split()[0]
    if word in ALONE and word != line:
        raise ValueError(NO_TEST if word == "selftest" else "%s takes nothing more" % word)
    if word == "state":
        from roundhouse import power_supply

        hub.scan()  # loading a module takes a while, in which a button may be pressed
        hub.put_state(line, True, power_supply.said(hub.strip.supply))
    elif word == "undo":
        hub.take_back(line, constants.E)
    elif word == "redo":
        redo(hub, line)
    elif word == "next":
        hub.press(constants.E, line, constants.E)
    elif word == "help":
        hub.put_line('{"help": [%s]}' % ", ".join([console.quote(w) for w in HELP]))
    elif word in ("export", "position"):
        hub.later(hub.READ, export(hub) if word == "export" else script(hub))
    elif word == "selftest":
        hub.start_test()
    elif word == "sound":
        if line not in ("sound on", "sound off"):
            raise ValueError("usage: sound on|off")
        sound(hub, line == "sound on", line, constants.E)
    elif word in ("write", "lock", "read"):
        from roundhouse import tag_writer

        tag_writer.command(hub, line)
    else:
        kind, slot, value = correction(line)
        hub.input(kind, slot, value, line, constants.E if kind == constants.RULES else slot)


def recover(hub: "Hub", where: int) -> None:
    """Reload the match from flash after memory ran out during an input at slot `where`; report
    this on the console."""
    hub.later(hub.READ, None)
    hub.reader.chip.rest()
    hub.journal.resume()
    hub.show_again("r", where)
    hub.put_line(console.error(hub.journal.trouble or SHORT))
    run(hub, "state")


def redo(hub: "Hub", text: str) -> None:
    """Repeat the input that was taken back last, and light the answer lamp of its slot."""
    try:
        again = hub.journal.redo()
    except OSError:
        hub.refuse(text, constants.FAULT, constants.E)
        return
    if not again:
        hub.refuse(text, constants.NOT_NOW, constants.E)
        return
    hub.show_again("g", again[1])
    hub.put_input(text, constants.OK, 0, "put-back")


def sound(hub: "Hub", on: bool | None, text: str, where: int) -> None:
    """Switch the piezo on or off, or toggle it if `on` is None; save the choice in a file. text,
    where: as in Hub.input."""
    piezo, files = hub.feedback.piezo, hub.journal.files
    if not piezo:
        hub.refuse(text, constants.NOT_NOW, where)
        return
    from roundhouse.drivers.piezo import QUIET

    if on is None:
        on = piezo.quiet
    path = "%s/%s" % (hub.journal.folder, QUIET)
    try:
        if not on:
            files.open(path, "ab").close()  # "wb" is for the journal's newest segment
        elif QUIET in files.listdir(hub.journal.folder):
            files.remove(path)
    except OSError:
        hub.refuse(text, constants.FAULT, where)
        return
    piezo.silence(False)  # the answer is still heard
    hub.accept(text, where)
    piezo.silence(not on)


def export(hub: "Hub") -> "Iterator[bool]":
    """Print each segment (file) of the journal, then the state of the table. Yields after each
    line."""
    for number, data in hub.journal.segments():
        hub.put_line('{"segment": %d, "data": "%s"}' % (number, binascii.hexlify(data).decode()))
        yield False
    hub.put_state("export", True)


def script(hub: "Hub") -> "Iterator[bool]":
    """Print a table script that recreates the table, then the table's state. Yields after each
    line."""
    from roundhouse import position

    for text in position.lines(hub.table, hub.journal, hub.scan):
        hub.put_line('{"script": "%s"}' % text)
        yield False
    hub.put_state("position", True)


def correction(line: str) -> tuple[int, int, int]:
    """Return (kind, slot, value) for a command that corrects the match or chooses rules.

    Raises ValueError with the correct usage.
    """
    parts = line.split()
    word = parts[0]
    if word == "house":
        from roundhouse.games import houses

        house, variants = houses.parse(line.lower().split()[1:])
        return constants.RULES, house, variants
    if word == "set":
        if len(parts) != 2 or parts[1] not in [str(n) for n in tiles.SETS]:
            raise ValueError("set N: N is one of %s" % " ".join([str(n) for n in tiles.SETS]))
        return constants.SET, 0, int(parts[1])
    if word not in NUMBERS:
        raise ValueError("no command %s; try help" % word)
    kind, names, ranges = NUMBERS[word]
    most = len(ranges)
    least = most - names.count("[")  # in brackets: may be left out
    if not least <= len(parts) - 1 <= most:
        needed = "%d or %d" % (least, most) if least < most else most
        raise ValueError("%s %s: numbers needed: %s" % (word, names, needed))
    values = []
    for name, digits, (low, high) in zip(names.split(), parts[1:], ranges):
        name = name.strip("[]")
        if not digits.isdigit() or len(digits) > 5 or not low <= int(digits) <= high:
            raise ValueError("%s %s: %s is %d..%d" % (word, names, name, low, high))
        values.append(int(digits))
    if kind == constants.BONEYARD:
        return kind, 0, values[0]
    if kind == constants.JOIN and len(values) > 1:
        return kind, values[0], values[1] + 1  # 0: no number
    if word == "total":
        return kind, values[0], values[1] | constants.TOTAL
    return kind, values[0], values[1] if len(values) > 1 else 0
