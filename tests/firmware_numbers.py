# SPDX-License-Identifier: MIT
"""The numbers that modules of the firmware have of a match's state, and the list of them in
package.json: `make numbers`.

A board looks a name up each time it comes to it, and a number that is a constant costs it nothing.
So a module that uses a field of `fields.py`, an option of its game's sheets or one of an option's
words has it as a constant of its own, between two comments, where this writes it:

    _TURN        the field TURN
    _LOCK        where the option `lock` stands
    _LOCK_YES    the place of the word `yes` among those of `lock`
    _USES        for each game its option rows, and the bytes of its own

Only what a module uses stands there; a name that nothing declares is an error.

What a kept match means is recorded beside them, for each of the journal's formats: the fields, the
kinds of input, the phases, each game's houses, options and words, in their order. A new one at the
end of a game's is written down there; anything else is another format, and this says so.
"""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.pico import compiled_firmware  # noqa: E402
from roundhouse import constants, games, journal  # noqa: E402
from roundhouse.games import fields  # noqa: E402

FIRMWARE = ROOT / "firmware" / "roundhouse"
BEGIN = "# ---- numbers of the state, written by `make numbers` ----\n"
END = "# ---- end of the numbers ----\n"
BLOCK = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)
NAME = re.compile("_[A-Z][A-Z0-9_]*")
PACKAGE = ROOT / "package.json"
FORMATS = ROOT / "tests" / "firmware" / "formats"
KINDS = "TAP OVERRIDE PRESS DRAW FORGET RULES SET JOIN LEAVE HAND BONEYARD TURN MARKER SCORE"
KINDS = KINDS.split()
REMEDY = """A kept match would mean something else: %s.
Raise FORMAT in constants.py, let `match` unpack what format %d kept and read it as it was meant,
and `make numbers` again. CONTRIBUTING.md says how.
"""


def modules():
    """Return the files of the firmware that have a block of numbers."""
    return [path for path in sorted(FIRMWARE.glob("**/*.py")) if BEGIN in path.read_text()]


def game_of(path):
    """Return the name of the game a file belongs to, or None."""
    return path.parent.name if path.parent.name in games.GAMES else None


def known(game):
    """Return {name: (number, what it means)} of all that a module of a game may use; of what is
    every game's where it is None. Raises ValueError where a name would mean two things."""
    rows = [(name, getattr(fields, name), says) for name, _, says in fields.SHARED]
    rows.append(("OPTIONS", fields.OPTIONS, "the game's: a byte for each of its rows"))
    if game:
        rows += [(name, getattr(fields, name), says) for name, _, says in fields.OWN[game]]
        for at, row in enumerate(games.sheets(games.GAMES.index(game)).OPTIONS, fields.OPTIONS):
            option, values = row.split(": ")[:2]
            option, point = option.split()
            rows.append((option, at, "" if point == "-" else point))
            rows += [("%s_%s" % (option, word), n, "") for n, word in enumerate(values.split())]
    found = {}
    for name, number, says in rows:
        name = "_" + name.upper().replace("-", "_")
        if name in found:
            raise ValueError("%s has two meanings in %s: call one otherwise" % (name, game))
        found[name] = number, says
    return found


def uses():
    """Return, as text, for each game its option rows and the bytes of its own."""
    found = []
    for game in games.GAMES:
        found += fields.USES[game]
    text = "".join(map("\\x%02x".__mod__, found))
    return '_USES = b"%s"  # game by game: option rows, bytes of its own\n' % text


def fresh(path):
    """Return a module's text with its numbers written anew. Raises ValueError with the names in it
    that nothing declares."""
    text = path.read_text()
    tree = ast.parse(BLOCK.sub("", text))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used = {n.id for n in names if isinstance(n.ctx, ast.Load) and NAME.fullmatch(n.id)}
    used -= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    there = known(game_of(path))
    lines = [
        "%s = const(%d)%s\n" % (name, there[name][0], there[name][1] and "  # " + there[name][1])
        for name in sorted(used & there.keys(), key=list(there).index)
    ]
    used -= there.keys()
    if "_USES" in used:
        lines.append(uses())
        used.remove("_USES")
    if used:
        raise ValueError(
            "%s: no field, option or word is called %s" % (path.name, ", ".join(sorted(used)))
        )
    block = BEGIN + "".join(lines) + END
    return BLOCK.sub(lambda _: block, text)


def meaning():
    """Return what a kept match means to this firmware, by name."""
    found = {
        "fields": [[name, size] for name, size, _ in fields.SHARED],
        "kinds of input": {name: getattr(constants, name) for name in KINDS}
        | {"LAID": journal.LAID, "UNDO": journal._UNDO},
        "phases": list(constants.PHASES),
        "games": list(games.GAMES),
    }
    for number, game in enumerate(games.GAMES):
        sheets = games.sheets(number)
        found["houses of " + game] = list(sheets.HOUSES)
        found["options of " + game] = [row.split(": ")[:2] for row in sheets.OPTIONS]
        found["variant words of " + game] = [row.split(": ")[0] for row in sheets.VARIANTS]
        found["fields of " + game] = [[name, size] for name, size, _ in fields.OWN[game]]
    return found


def changed(was, now):
    """Return the names of what means something else, and not only more."""
    grown = ("games", "houses of ", "options of ", "variant words of ", "fields of ")
    return [
        name
        for name, said in was.items()
        if said != now.get(name) and not (name.startswith(grown) and _begins(said, now[name]))
    ]


def _begins(was, now):
    """Return whether a list begins as it was, and so the words of an option in it."""
    if isinstance(was, list):
        return len(was) <= len(now) and all(map(_begins, was, now))
    return was == now or isinstance(was, str) and now.startswith(was + " ")


def recorded():
    """Return what a kept match means in today's format, as recorded; None where it is not."""
    path = FORMATS / ("%d.json" % constants.FORMAT)
    return json.loads(path.read_text()) if path.exists() else None


def package():
    """Return package.json, by which mip installs the firmware: all files of a board."""
    about = json.loads(PACKAGE.read_text())
    files = [path.relative_to(ROOT / "firmware") for path in compiled_firmware.sources()]
    about["urls"] = [[path.as_posix(), "firmware/" + path.as_posix()] for path in sorted(files)]
    return json.dumps(about, indent=2) + "\n"


def main():
    """Write the numbers anew, package.json, and what is kept; return the exit status."""
    PACKAGE.write_text(package())
    for path in modules():
        text = fresh(path)
        if text != path.read_text():
            path.write_text(text)
            print("%s has new numbers" % path.relative_to(ROOT))
    was, now = recorded(), meaning()
    wrong = changed(was, now) if was else []
    if wrong:
        sys.stderr.write(REMEDY % (", ".join(wrong), constants.FORMAT))
        return 1
    if was != now:
        FORMATS.mkdir(exist_ok=True)
        (FORMATS / ("%d.json" % constants.FORMAT)).write_text(json.dumps(now, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
