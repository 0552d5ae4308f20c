# SPDX-License-Identifier: MIT
"""The tables of firmware/README.md that the firmware itself knows: `make formats`.

Names, their order, ranges and sizes come from the firmware: its tables, its constants, or what a
simulated hub says. The words beside them are in format_texts.py; a name without words, or words
without a name, is an error. Each table stands between `<!-- name: ... -->` and `<!-- end -->`.
"""

import ast
import re
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "tests")]

import format_texts as told  # noqa: E402
import tile_path_drawing  # noqa: E402

import config  # noqa: E402
from hardware import guide_tables  # noqa: E402
from host_sim.hub.simulated_hub import SimulatedHub, configured  # noqa: E402
from roundhouse import boards, commands, constants, journal, lamps, settings, tags, tiles  # noqa: E402
from roundhouse.drivers.buttons import Buttons  # noqa: E402
from roundhouse.drivers.reader import CHIPS  # noqa: E402
from roundhouse.games import fields, houses  # noqa: E402
from roundhouse.games.match import Match  # noqa: E402
from roundhouse.palettes import PALETTES  # noqa: E402

FIRMWARE = ROOT / "firmware"
PAGE = FIRMWARE / "README.md"
BYTES = {"4s": 4, "I": 4, "H": 2, "B": 1}  # of a field in struct's words
LAMPS = ("turn", "open", "double", "answer")
OF_JOURNAL = {"LAID": journal.LAID, "UNDO": journal._UNDO}  # kinds that are no input's


def blocks():
    """Return {name: the block's text}."""
    made = (rooms, options, holds, line, more, did, verdicts, console_commands, texts, letters)
    made += (segment, record, kinds, state)
    return {function.__name__: function() for function in made}


def fresh(text):
    """Return the page's text with every block made anew; KeyError for an unknown one."""
    return guide_tables.fresh(text, blocks())


def beside(names, words):
    """Return names with their words, as they are; ValueError where the two differ."""
    names = list(names)
    if sorted(names) != sorted(words):
        raise ValueError("no words for %s" % sorted(set(names) ^ set(words)))
    return [(name, words[name]) for name in names]


def code(text):
    """Return text as code."""
    return "`%s`" % text


# ---- modules and settings ----


def rooms():
    """Every module, with its own first sentence, room by room."""
    there = {
        path.relative_to(FIRMWARE).with_suffix("").as_posix().removeprefix("roundhouse/"): path
        for path in [FIRMWARE / "main.py", *FIRMWARE.glob("roundhouse/**/*.py")]
    }
    listed = [name for names in told.ROOMS.values() for name in names]
    beside(listed, there)
    rows = []
    for room, names in told.ROOMS.items():
        for name in names:
            path = there[name].relative_to(FIRMWARE).as_posix()
            said = ast.get_docstring(ast.parse(there[name].read_text())).split("\n\n")[0]
            link = "[%s](%s)" % (path.removeprefix("roundhouse/"), path)
            rows.append((room if name == names[0] else "", link, " ".join(said.split())))
    return guide_tables.table(("room", "module", "is for"), rows)


def options():
    """Every setting of config.py, in its order: default, values, unit."""
    names = [
        node.targets[0].id
        for node in ast.parse(Path(config.__file__).read_text()).body
        if isinstance(node, ast.Assign)
    ]
    beside(names, settings.DEFAULTS)
    rows = []
    for name, (unit, said) in beside(names, told.SETTINGS):
        default = settings.DEFAULTS[name]
        default = '"%s"' % default if isinstance(default, str) else default
        rows.append((code(name), code(default), _values(name), unit, said))
    return guide_tables.table(("setting", "default", "values", "unit", "what"), rows)


def _values(name):
    if name in settings.NUMBERS:
        also = ", " + code('"%s"' % settings.USB) if name == "MILLIAMPS" else ""
        return "%d to %d%s" % (*settings.NUMBERS[name], also)
    known = {
        "HOUSE": ["`%s`" % house for house in houses.HOUSES],
        "SET": ["%d" % n for n in tiles.SETS] + ["`None`"],
        "FAMILY": [code(settings.FORM)],
        "WIRING": map(code, sorted(boards.PINS)),
        "STATIONS": ["2 to %d on %s" % (most, code(b)) for b, most in boards.STATIONS.items()],
        "HINTS": ["`True`", "`False`"],
        "PALETTE": map(code, sorted(PALETTES)),
        "READER": [code('"%s"' % chip) for chip in CHIPS],
        "SOUND": ["`True`", "`False`"],
        "PINS": ["`{name: number}`"],
    }
    return ", ".join(known[name])


def holds():
    """How long a button is down, and what that is."""
    there = [name for name in vars(Buttons) if name.endswith("_MS")]
    rows = [
        ("%d ms" % getattr(Buttons, name), said)
        for name, said in sorted(
            beside(there, told.HOLDS), key=lambda row: getattr(Buttons, row[0])
        )
    ]
    return guide_tables.table(("time", "what it decides"), rows)


# ---- the console ----


def _keys(hub, command):
    """The keys that a line ends with, behind those of every line."""
    if command:
        hub.say(command)
        hub.run(300)  # an export takes its time
    keys = list(hub.inputs[-1])
    return keys[keys.index("lamps") + 1 :]


def line():
    """The keys of a line, in their order: those of a line game have one more."""
    hub = SimulatedHub()
    hub.say("house matador")
    hub.press("1")
    keys = list(hub.inputs[-1])
    return guide_tables.table(
        ("key", "says"), [(code(key), said) for key, said in beside(keys, told.LINE)]
    )


def more():
    """The keys behind those, in their order, and which lines have them."""
    hub = SimulatedHub(config=configured(STATIONS=(1, 2, 4)))
    said = [("power-up", _keys(hub, ""))]
    asked = ("house classic", "set 9", "state", "export", "position")
    said += [(command.split()[0], _keys(hub, command)) for command in asked]
    hub.unplug()  # and a kept match, which config.py has otherwise
    said.append(("power-up", _keys(hub, "")))
    said += [(command, _keys(hub, command)) for command in ("state", "export", "position")]
    for command, keys in said:
        if keys != [key for key in told.MORE if key in keys]:
            raise ValueError("the keys of %s are %s" % (command, keys))
    rows = []
    for key, means in beside({key for _, keys in said for key in keys}, told.MORE):
        lines = dict.fromkeys(command for command, keys in said if key in keys)
        rows.append((code(key), means, ", ".join(map(code, lines))))
    rows.sort(key=lambda row: list(told.MORE).index(row[0].strip("`")))
    return guide_tables.table(("key", "says", "in lines of"), rows)


def did():
    """The words for what an accepted input was."""
    rows = [(code(word), *said) for word, said in told.DID.items()]
    return guide_tables.table(("`did`", "the input", "`by`"), rows)


def verdicts():
    """The words of refusal, in their order."""
    rows = [(code(word), said) for word, said in beside(constants.VERDICTS[1:], told.VERDICTS)]
    return guide_tables.table(("word", "the input"), rows)


def console_commands():
    """What a line in can say, as `help` lists it, and the range of each number."""
    rows = []
    for command, said in beside(commands.HELP, told.COMMANDS):
        word, *names = command.split()
        ranges = commands.NUMBERS[word][2] if word in commands.NUMBERS else ()
        takes = ["%s %d to %d" % (name, *ends) for name, ends in zip(names, ranges)]
        if word == "set":
            takes = ["N %s" % " ".join(map(str, tiles.SETS))]
        elif "[SLOT]" in names:
            takes = ["SLOT 1 to 10, M, E"]
        elif word == "house":
            takes = ["NAME as in [config.py](#what-a-maker-sets)"]
        rows.append((code(command), ", ".join(takes), said))
    return guide_tables.table(("command", "takes", "does"), rows)


# ---- tags and lamps ----


def texts():
    """What a tag can say; every card's word is among the examples."""
    meanings = {text: tags.parse(text) for text in told.TAGS}
    cards = [word.decode() for word in tags._WORDS]
    kinds = [meaning[0] for meaning in meanings.values() if meaning]
    if sorted(kinds) != sorted(["tile", "seat", "set", "house", *cards]):
        raise ValueError("tags mean %s" % kinds)
    ranges = {
        "tile": "0 to %d each" % tiles.HIGHEST,
        "seat": "1 to 10",
        "set": " ".join(map(str, tiles.SETS)),
    }
    rows = [
        (code(text), ranges.get(meanings[text][0], ""), said) for text, said in told.TAGS.items()
    ]
    return guide_tables.table(("text", "numbers", "means"), rows)


def letters():
    """Every letter of the lamps, lamp by lamp."""
    rows = [("all", code(letter), *said) for letter, said in lamps.EVERYWHERE.items()]
    rows = [(lamp, letter, glyph, "", tells) for lamp, letter, glyph, tells in rows]
    for (lamp, names, glyphs, _, _), _, (moves, tells) in lamps.LETTERS:
        some = "%s to %s" if len(names) > 1 else "%s"
        name = some % tuple(map(code, names[:: len(names) - 1 or 1]))
        glyph = some % tuple(glyphs[:: len(glyphs) - 1 or 1])
        rows.append((LAMPS[lamp], name, glyph, moves, tells))
    return guide_tables.table(("lamp", "letter", "drawn as", "moves", "tells"), rows)


# ---- the journal ----


def segment():
    """A segment, byte by byte; its fields are those of the header, then state and check."""
    sizes = [BYTES[field] for field in re.findall(r"4s|[A-Z]", journal._HEADER)]
    if sum(sizes) != struct.calcsize(journal._HEADER) or sum(sizes) != journal._SIZE:
        raise ValueError("a segment begins otherwise: %s" % journal._HEADER)
    rows, said = [], []
    at = 0
    for size, field in zip(sizes, told.HEADER, strict=True):
        rows.append((at, size, field))
        at += size
    table = Match()
    for house in (houses.HOUSES.index(name) for name in told.PACKED):
        houses.choose(table, house, 0)
        packed = len(table.kept.packed(table.state))
        most = (journal.FULL - at - packed - 2) // journal.RECORD
        said.append(
            "%d bytes and at most %d records in %s"
            % (packed, most, told.PACKED[houses.HOUSES[house]])
        )
    rows.append(
        (at, "n", "the [state](#the-state) with which it began, packed: " + ", ".join(said))
    )
    rows.append(("%d + n" % at, 2, "check of all before it"))
    rows.append(("%d + n" % (at + 2), journal.RECORD, "each record"))
    return guide_tables.table(("at", "bytes", "what"), rows)


def record():
    """A record, byte by byte."""
    rows = [(0, 1, "16 x [kind](#kinds-of-input) + slot"), (1, 2, "value")]
    rows.append((3, journal.RECORD - 3, "check"))
    return guide_tables.table(("at", "bytes", "what"), rows)


def kinds():
    """Kinds of input by their numbers, and what slot and value say."""
    numbers = {name: getattr(constants, name) for name in told.KINDS if hasattr(constants, name)}
    numbers.update(OF_JOURNAL)
    if sorted(numbers.values()) != list(range(16)):
        raise ValueError("kinds are %s" % numbers)
    rows = [
        (number, code(name), *told.KINDS[name])
        for name, number in sorted(numbers.items(), key=lambda item: item[1])
    ]
    return guide_tables.table(("kind", "named", "what", "slot", "value"), rows)


def state():
    """The state of a match, byte by byte, and what each game has behind that."""
    rows = [(getattr(fields, name), size, code(name), said) for name, size, said in fields.SHARED]
    for game, own in fields.OWN.items():
        title, options = told.GAMES[game], fields.USES[game][0]
        what = "%s: a byte for each row of its sheets' OPTIONS" % title
        rows.append((fields.OPTIONS, options, code("OPTIONS"), what))
        for name, size, said in own:
            rows.append((getattr(fields, name), size, code(name), "%s: %s" % (title, said)))
    return guide_tables.table(("at", "bytes", "named", "what"), rows)


def main():
    """Write the page's tables and its drawing anew; return the exit status."""
    PAGE.write_text(fresh(PAGE.read_text()))
    tile_path_drawing.FILE.write_text(tile_path_drawing.drawing())
    return 0


if __name__ == "__main__":
    sys.exit(main())
