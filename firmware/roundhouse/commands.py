# SPDX-License-Identifier: MIT
"""What a line on the console asks of the hub; loaded when the first one comes."""

import binascii

from roundhouse import console, constants, tiles

# What a line can say.
HELP = (
    "state",
    "undo",
    "redo",
    "next",
    "house NAME [VARIANT...]",
    "set N",
    "join N",
    "leave N",
    "hand N COUNT",
    "boneyard COUNT",
    "turn N",
    "marker SLOT",
    "score N PIPS",
    "write TEXT [SLOT]",
    "lock [SLOT]",
    "sound on",
    "sound off",
    "export",
    "position",
    "selftest",
    "help",
)

ALONE = ("state", "undo", "redo", "next", "export", "position", "selftest", "help")
SHORT = "memory ran out; the next line has all that is kept: repeat what is missing there"

# Corrections: word -> kind, what its numbers are called, their lowest and highest values.
NUMBERS = {
    "join": (constants.JOIN, "N", ((1, 10),)),
    "leave": (constants.LEAVE, "N", ((1, 10),)),
    "turn": (constants.TURN, "N", ((1, 10),)),
    "marker": (constants.MARKER, "SLOT", ((1, 10),)),
    "hand": (constants.HAND, "N COUNT", ((1, 10), (0, 190))),
    "boneyard": (constants.BONEYARD, "COUNT", ((0, 190),)),
    "score": (constants.SCORE, "N PIPS", ((1, 10), (0, 3420))),
}


def run(hub, line):
    """Carry out a console line; ValueError says what it should have been."""
    word = line.split()[0]
    if word in ALONE and word != line:
        raise ValueError("%s takes nothing more" % word)
    if word == "state":
        from roundhouse import power

        hub.show(line, True, power.said(hub.strip.supply))
    elif word == "undo":
        hub.take_back(line, constants.E)
    elif word == "redo":
        redo(hub, line)
    elif word == "next":
        hub.press(constants.E, line, constants.E)
    elif word == "help":
        hub.tell('{"help": [%s]}' % ", ".join([console.quote(w) for w in HELP]))
    elif word in ("export", "position"):
        hub.begin(export(hub) if word == "export" else script(hub))
    elif word == "selftest":
        hub.begin_test()
    elif word == "sound":
        if line not in ("sound on", "sound off"):
            raise ValueError("sound on|off: one of the two")
        sound(hub, line == "sound on", line, constants.E)
    elif word in ("write", "lock"):
        from roundhouse import tag_writer

        tag_writer.command(hub, line)
    else:
        kind, slot, value = correction(line)
        hub.input(kind, slot, value, line, constants.E if kind == constants.RULES else slot)


def recover(hub, where):
    """Memory ran out after an input at slot `where`: go on from what is written, and say so. What
    the journal, the table or the lights had half done counts no more."""
    hub.begin(None)
    hub.reader.chip.rest()
    hub.journal.resume()
    hub.show_again("r", where)
    hub.tell(console.error(hub.journal.trouble or SHORT))
    run(hub, "state")


def redo(hub, said):
    """Repeat the input taken back last; the answer shows where it was made."""
    try:
        again = hub.journal.redo()
    except OSError:
        hub.refuse(said, constants.FAULT, constants.E)
        return
    if not again:
        hub.refuse(said, constants.NOT_NOW, constants.E)
        return
    hub.show_again("g", again[1])
    hub.say(said, constants.OK, 0, "put-back")


def sound(hub, on, said, where):
    """Let the piezo be heard or not, None: the other way; kept in a file of its own."""
    piezo, files = hub.feedback.piezo, hub.journal.files
    if not piezo:
        hub.refuse(said, constants.NOT_NOW, where)
        return
    from roundhouse.drivers.piezo import QUIET

    if on is None:
        on = piezo.quiet
    path = "%s/%s" % (hub.journal.folder, QUIET)
    try:
        if not on:
            files.open(path, "wb").close()
        elif QUIET in files.listdir(hub.journal.folder):
            files.remove(path)
    except OSError:
        hub.refuse(said, constants.FAULT, where)
        return
    piezo.silence(False)  # the answer is heard
    hub.accept(said, where)
    piezo.silence(not on)


def export(hub):
    """Put the journal on the console, one segment per step, and the round's trains at the end."""
    for number, data in hub.journal.segments():
        hub.tell('{"segment": %d, "data": "%s"}' % (number, binascii.hexlify(data).decode()))
        yield
    hub.show("export", True)


def script(hub):
    """Put the script that leads to this table on the console, a line per step; then the table."""
    from roundhouse import position

    for said in position.lines(hub.table, hub.journal, hub.scan):
        hub.tell('{"script": "%s"}' % said)
        yield
    hub.show("position", True)


def correction(line):
    """Return the table's (kind, slot, value) for a line that corrects or chooses rules.

    Raises ValueError with what the line should have been.
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
    if len(parts) - 1 != len(ranges):
        raise ValueError("%s %s: numbers needed: %d" % (word, names, len(ranges)))
    values = []
    for name, digits, (low, high) in zip(names.split(), parts[1:], ranges):
        if not digits.isdigit() or len(digits) > 5 or not low <= int(digits) <= high:
            raise ValueError("%s %s: %s is %d..%d" % (word, names, name, low, high))
        values.append(int(digits))
    if kind == constants.BONEYARD:
        return kind, 0, values[0]
    return kind, values[0], values[1] if len(values) > 1 else 0
