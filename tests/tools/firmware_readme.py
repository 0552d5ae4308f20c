# SPDX-License-Identifier: MIT
"""Makes the tables of firmware/README.md and REFERENCE.md from the firmware, for `make made`.

Names, order, ranges and sizes come from the firmware, or from lines of a simulated hub; what a key
of these lines says, from console_line.py. All other texts in the tables are written by people and
stay; where a text is missing, the table gets a question mark. The comments `<!-- name: ... -->`
and `<!-- end -->` enclose each table.
"""

import ast
import re
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_type_hints

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

import state_constants  # noqa: E402

import config  # noqa: E402
from hardware import guide_tables  # noqa: E402
from host_sim.board.hub.simulated_hub import SimulatedHub, configured  # noqa: E402
from host_sim.table.console_line import ConsoleLine  # noqa: E402
from host_sim.table.schema import WHYS  # noqa: E402
from roundhouse import boards, commands, constants, journal, lamp_letters, settings, tags, tiles  # noqa: E402
from roundhouse.drivers.buttons import Buttons  # noqa: E402
from roundhouse.drivers.reader import CHIPS  # noqa: E402
from roundhouse.games import fields, houses  # noqa: E402
from roundhouse.palettes import PALETTES  # noqa: E402

FIRMWARE = ROOT / "firmware"
PAGES = (FIRMWARE / "README.md", FIRMWARE / "REFERENCE.md")
BYTES = {"4s": 4, "I": 4, "H": 2, "B": 1}  # of a field in struct's words
LAMPS = ("turn", "open", "double", "answer")
NAMED = {"mexican_train": "Mexican Train"}  # other games are named by their folders
SAYS: dict[str, str] = {  # a key of the console's lines -> its words
    key: hint.__metadata__[-1]
    for key, hint in get_type_hints(ConsoleLine, include_extras=True).items()
}
WORDS = object()  # a cell whose words are the page's
MISSING = "?"
Rows = list[list[Any]]
Table = tuple[Sequence[str], Rows, int]  # head, rows, the column with the names


def blocks(text: str) -> dict[str, str]:
    """Return {name of a table: its new text} for the tables that a page has.

    text: the page; what people wrote in its rows is kept
    """
    made: tuple[Callable[[Rows], Table], ...] = (
        modules,
        options,
        holds,
        line,
        more,
        verdicts,
        reasons,
        console_commands,
        texts,
        letters,
    )
    made += (segment, record, kinds, state)
    there = [function for function in made if "<!-- %s: " % function.__name__ in text]
    return {
        function.__name__: _block(function, cells(text, function.__name__)) for function in there
    }


def fresh(text: str) -> str:
    """Return the page's text with updated tables; KeyError for an unknown table."""
    return guide_tables.fresh(text, blocks(text))


def cells(text: str, name: str) -> Rows:
    """Return the rows of a table, each as a list of cells, without the table's head.

    text: the page
    name: the table's name, which stands in the comment before the table
    """
    block = re.findall(r"<!-- %s: .*?<!-- end -->" % name, text, re.S)[0]
    return [row[2:-2].split(" | ") for row in re.findall(r"^\| .*", block, re.M)[2:]]


def _block(function: Callable[[Rows], Table], old: Rows) -> str:
    """Return the new text of a table.

    function: returns (head, rows, column with the names) from the rows `old`
    """
    head, rows, column = function(old)
    known = {row[column]: row for row in old}
    for row in rows:
        words = known.get(str(row[column]), [MISSING] * len(head))
        row[:] = [words[at] if cell is WORDS else cell for at, cell in enumerate(row)]
    return guide_tables.table(head, rows)


def names(old: Rows, column: int = 0) -> list[str]:
    return [row[column].strip("`") for row in old]


def code(text: object) -> str:
    return "`%s`" % text


# ---- modules and settings ----


def modules(old: Rows) -> Table:
    """Return the table of all modules with the first paragraph of their docstrings, in the page's
    order."""
    there = {
        path.relative_to(FIRMWARE).as_posix(): path
        for path in [FIRMWARE / "main.py", *FIRMWARE.glob("roundhouse/**/*.py")]
    }
    titles = {row[1].split("](")[1][:-1]: row[0] for row in old}
    listed = [path for path in titles if path in there]
    for path in sorted(there.keys() - titles.keys()):
        titles[path], at = _beside(path, listed, titles)
        listed.insert(at, path)
    rows = []
    for path in listed:
        first = (ast.get_docstring(ast.parse(there[path].read_text())) or "").split("\n\n")[0]
        link = "[%s](%s)" % (path.removeprefix("roundhouse/"), path)
        rows.append([titles[path], link, " ".join(first.split())])
    return ("room", "module", "is for"), rows, 1


def _beside(path: str, listed: Sequence[str], titles: Mapping[str, str]) -> tuple[str, int]:
    """Return (room, index) for the row of a new module. If all modules of its folder are in one
    room, return "" and the index after these modules; else MISSING and the index after all rows.

    listed: the modules in the order of their rows
    titles: {module: the room's title in its row, "" for all but the first module of a room}
    """
    folder = path.rpartition("/")[0]
    places = [at for at, other in enumerate(listed) if other.rpartition("/")[0] == folder]
    if not places or any(titles[listed[at]] for at in range(places[0] + 1, places[-1] + 1)):
        return MISSING, len(listed)
    return "", places[-1] + 1


def options(old: Rows) -> Table:
    """Return the table of config.py's settings, in their order, with default, values and unit."""
    tree = ast.parse(Path(config.__file__).read_text()).body
    rows = []
    set_here = [node.targets[0] for node in tree if isinstance(node, ast.Assign)]
    for name in [target.id for target in set_here if isinstance(target, ast.Name)]:
        default = settings.DEFAULTS[name]
        default = '"%s"' % default if isinstance(default, str) else default
        rows.append([code(name), code(default), _values(name), WORDS, WORDS])
    return ("setting", "default", "values", "unit", "what"), rows, 0


def _values(name: str) -> str:
    if name in settings.NUMBERS:
        also = ", " + code('"%s"' % settings.USB) if name == "MILLIAMPS" else ""
        return "%d to %d%s" % (*settings.NUMBERS[name], also)
    known = {
        "HOUSE": ["`%s`" % house for house in houses.HOUSES],
        "SET": ["%d" % n for n in tiles.SETS] + ["`None`"],
        "FAMILY": [code(settings.FORM)],
        "WIRING": map(code, sorted(boards.PINS)),
        "STATIONS": ["2 to %d on %s" % (most, code(b)) for b, most in boards.STATIONS.items()],
        "ENGINE_SLOT": ["`True`", "`False`"],
        "COLOR_ORDER": map(code, settings.ORDERS),
        "HINTS": ["`True`", "`False`"],
        "PALETTE": map(code, sorted(PALETTES)),
        "READER": [code('"%s"' % chip) for chip in CHIPS],
        "SOUND": ["`True`", "`False`"],
        "PINS": ["`{name: number}`"],
    }
    return ", ".join(known[name])


def holds(old: Rows) -> Table:
    """Return the table of the times for which a button can be held, and what each means."""
    times = sorted(getattr(Buttons, name) for name in vars(Buttons) if name.endswith("_MS"))
    return ("time", "what it decides"), [["%d ms" % time, WORDS] for time in times], 0


# ---- the console ----


def _keys(hub: SimulatedHub, command: str) -> list[str]:
    """Return the keys after `lamps` in the console line of a command."""
    if command:
        hub.command(command)
        hub.run(300)  # an export takes its time
    keys = list(hub.inputs[-1])
    return keys[keys.index("lamps") + 1 :]


def line(old: Rows) -> Table:
    """Return the table of the keys that every line has, then the key that only line games add."""
    hub = SimulatedHub()
    hub.command("house matador")
    hub.press("1")
    return ("key", "says"), [[code(key), SAYS[key]] for key in hub.inputs[-1]], 0


def more(old: Rows) -> Table:
    """Return the table of the keys that only some lines have, with the commands whose lines have
    each key."""
    hub = SimulatedHub(config=configured(STATIONS=(1, 2, 4)))
    found = [("power-up", _keys(hub, ""))]
    asked = ("house classic", "set 9", "state", "export", "position")
    found += [(command.split()[0], _keys(hub, command)) for command in asked]
    hub.unplug()  # now with a kept match, which has another house than config.py
    found.append(("power-up", _keys(hub, "")))
    found += [(command, _keys(hub, command)) for command in ("state", "export", "position")]
    lines: dict[str, dict[str, bool]] = {}
    for command, keys in found:
        if keys != [key for key in SAYS if key in keys]:
            raise ValueError("the keys of %s are %s" % (command, keys))
        for key in keys:
            lines.setdefault(key, {})[code(command)] = True
    rows = [[code(key), SAYS[key], ", ".join(lines[key])] for key in SAYS if key in lines]
    return ("key", "says", "in lines of"), rows, 0


def verdicts(old: Rows) -> Table:
    """Return the table of the verdicts that refuse an input, in their order."""
    return ("word", "the input"), [[code(word), WORDS] for word in constants.VERDICTS[1:]], 0


def reasons(old: Rows) -> Table:
    return (code("why"), "the tag", "to do"), [[code(word), WORDS, WORDS] for word in WHYS], 0


def console_commands(old: Rows) -> Table:
    rows = []
    for command in commands.HELP:
        word, *arguments = command.split()
        ranges = commands.NUMBERS[word][2] if word in commands.NUMBERS else ()
        takes = [
            "%s %d to %d" % (name.strip("[]"), *ends) for name, ends in zip(arguments, ranges)
        ]
        if word == "set":
            takes = ["N %s" % " ".join(map(str, tiles.SETS))]
        elif "[SLOT]" in arguments:
            takes = ["SLOT 1 to %d, M, E" % constants.MOST_SEATS]
        elif word == "house":
            takes = ["NAME as in [config.py](#what-a-maker-sets)"]
        rows.append([code(command), ", ".join(takes), WORDS])
    return ("command", "takes", "does"), rows, 0


# ---- tags and lamps ----


def texts(old: Rows) -> Table:
    """Return the table of the texts on tags: an example of each kind, with the words of all
    cards."""
    kinds = {text: (tags.parse(tags.plain(text.encode())) or [""])[0] for text in names(old)}
    cards = [word.decode() for word in tags._WORDS]
    if sorted(map(str, kinds.values())) != sorted(["tile", "seat", "set", "house", *cards]):
        raise ValueError("the texts are %s" % kinds)
    numbers = {"tile": "0 to %d each" % tiles.HIGHEST, "seat": "1 to %d" % constants.MOST_SEATS}
    numbers["set"] = " ".join(map(str, tiles.SETS))
    rows = [[code(text), numbers.get(kind, ""), WORDS] for text, kind in kinds.items()]
    return ("text", "numbers", "means"), rows, 0


def letters(old: Rows) -> Table:
    everywhere = lamp_letters.EVERYWHERE.items()
    rows = [["all", code(letter), glyph, "", tells] for letter, (glyph, tells) in everywhere]
    for (lamp, names, glyphs, _, _), _, (moves, tells) in lamp_letters.LETTERS:
        some = "%s to %s" if len(names) > 1 else "%s"
        name = some % tuple(map(code, names[:: len(names) - 1 or 1]))
        glyph = some % tuple(glyphs[:: len(glyphs) - 1 or 1])
        rows.append([LAMPS[lamp], name, glyph, moves, tells])
    return ("lamp", "letter", "drawn as", "moves", "tells"), rows, 0


# ---- the journal ----


def segment(old: Rows) -> Table:
    """Return the table of a segment's bytes: header, state, checksum and records."""
    sizes = [BYTES[field] for field in re.findall(r"4s|[A-Z]", journal._HEADER)]
    if sum(sizes) != struct.calcsize(journal._HEADER) or sum(sizes) != journal._SIZE:
        raise ValueError("a segment has another header: %s" % journal._HEADER)
    rows = [[sum(sizes[:n]), size, WORDS] for n, size in enumerate(sizes)]
    at = sum(sizes)
    began = "the [state](#the-state) with which it began, [packed](#a-packed-state)"
    rows += [[at, "n", began], ["%d + n" % at, 2, "check of all before it"]]
    rows.append(["%d + n" % (at + 2), journal.RECORD, "each record, at most %d" % journal.MOST])
    return ("at", "bytes", "what"), rows, 0


def record(old: Rows) -> Table:
    rows = [[0, 1, "16 x [kind](#kinds-of-input) + slot"], [1, 2, "value"]]
    return ("at", "bytes", "what"), [*rows, [3, journal.RECORD - 3, "check"]], 0


def kinds(old: Rows) -> Table:
    """Return the table of the kinds of input by number, with the meaning of slot and value."""
    numbers = {name: getattr(constants, name) for name in state_constants.KINDS}
    numbers.update(LAID=journal.LAID, UNDO=journal.UNDO)  # the journal's own
    if sorted(numbers.values()) != list(range(16)):
        raise ValueError("kinds are %s" % numbers)
    named = sorted((number, name) for name, number in numbers.items())
    rows = [[number, code(name), WORDS, WORDS, WORDS] for number, name in named]
    return ("kind", "named", "what", "slot", "value"), rows, 1


def state(old: Rows) -> Table:
    """Return the table of the bytes of a match's state, then of each game's own fields."""
    rows = [[getattr(fields, name), size, code(name), what] for name, size, what in fields.SHARED]
    for game, own in fields.OWN.items():
        named = NAMED.get(game, game.replace("_", " "))
        what = "%s: a byte for each row of its sheets' OPTIONS" % named
        rows.append([fields.OPTIONS, fields.USES[game][0], code("OPTIONS"), what])
        for name, size, what in own:
            rows.append([getattr(fields, name), size, code(name), "%s: %s" % (named, what)])
    return ("at", "bytes", "named", "what"), rows, 2


def without_text() -> list[str]:
    """Return the rows of the pages that have no text yet."""
    return [row for page in PAGES for row in re.findall(r"^.*\| \? \|.*", page.read_text(), re.M)]
