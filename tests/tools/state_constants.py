# SPDX-License-Identifier: MIT
"""Writes the offsets of a match's state into the firmware as constants: part of `make made`. With
--record, records what a saved match means: part of `make recordings`.

MicroPython looks up a global name each time, while a `const` costs nothing. So a module that uses
a field of `fields.py`, an option of its game's sheets or a word of an option has it as a constant
of its own, between two comments:

    _TURN        the offset of the field TURN
    _LOCK        the offset of the option `lock`
    _LOCK_YES    the index of the word `yes` among the words of `lock`
    _USES        for each game its number of option rows, and the bytes of its own fields

A module gets only the constants that it uses; a name that is not declared is an error.

tests/firmware/formats/ records the meaning of a saved match for each format of the journal: the
fields, the kinds of input, the phases, each game's houses, options and words, in their order. An
addition at the end of a game's list is added to the record; any other change needs a new format.
"""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from roundhouse import constants, games, journal  # noqa: E402
from roundhouse.games import fields  # noqa: E402

FIRMWARE = ROOT / "firmware" / "roundhouse"
BEGIN = "# ---- numbers of the state, written by `make made` ----\n"
END = "# ---- end of the numbers ----\n"
BLOCK = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)
NAME = re.compile("_[A-Z][A-Z0-9_]*")
FORMATS = ROOT / "tests" / "firmware" / "formats"
KINDS = "TAP OVERRIDE PRESS DRAW FORGET RULES SET JOIN LEAVE HAND BONEYARD TURN MARKER SCORE"
KINDS = KINDS.split()
REMEDY = """A kept match would mean something else: %s.
Raise FORMAT in constants.py, let `match` unpack what format %d kept and read it as it was meant,
and `make made` and `make recordings` again. CONTRIBUTING.md says how.
"""


def modules():
    """Return the firmware's files that have a block of constants."""
    return [path for path in sorted(FIRMWARE.glob("**/*.py")) if BEGIN in path.read_text()]


def game_of(path):
    """Return the name of the game a file belongs to, or None."""
    return path.parent.name if path.parent.name in games.GAMES else None


def known(game):
    """Return {name: (number, meaning)} for all constants that a module may use. game: the module's
    game, or None for modules outside the games, where the game's first word comes before its own
    fields. Raises ValueError if a name would have two meanings."""
    rows = [(n, getattr(fields, n), says) for n, _, says in fields.SHARED + fields.ENDED]
    rows.append(("OPTIONS", fields.OPTIONS, "the game's: a byte for each of its rows"))
    if game:
        rows += [(name, getattr(fields, name), says) for name, _, says in fields.OWN[game]]
        for at, row in enumerate(games.sheets(games.GAMES.index(game)).OPTIONS, fields.OPTIONS):
            option, values = row.split(": ")[:2]
            option, point = option.split()
            if option == rows[-1][0].partition("_")[0]:
                continue  # another row of an option that has several
            rows.append((option, at, "" if point == "-" else point))
            words = [word.partition("..")[0] for word in values.split()]
            rows += [("%s_%s" % (option, word), n, "") for n, word in enumerate(words)]
    else:
        for of in games.GAMES:
            word = of.partition("_")[0].upper()
            rows += [(word + "_" + n, getattr(fields, n), "") for n, _, _ in fields.OWN[of]]
    found = {}
    for name, number, says in rows:
        name = "_" + name.upper().replace("-", "_")
        if name in found:
            raise ValueError(
                "%s has two meanings in %s: a field, an option or a word of an option; rename one"
                % (name, game or "the modules outside the games")
            )
        found[name] = number, says
    return found


def uses():
    """Return the line of _USES: for each game its number of option rows and the bytes of its own
    fields."""
    found = []
    for game in games.GAMES:
        found += fields.USES[game]
    text = "".join(map("\\x%02x".__mod__, found))
    return '_USES = b"%s"  # game by game: option rows, bytes of its own\n' % text


def values():
    """Return the line of _VALUES: for each game how many houses it has, then how many values each
    of its option rows."""
    found = []
    for number in range(len(games.GAMES)):
        sheets = games.sheets(number)
        found.append(len(sheets.HOUSES))
        for row in sheets.OPTIONS:
            *words, last = row.split(": ")[1].split()
            low, dots, high = last.partition("..")
            found.append(len(words) + (int(high) - int(low) + 1 if dots else 1))
    text = "".join(map("\\x%02x".__mod__, found))
    return "# game by game: houses, then values of each option row\n" + "_VALUES = (\n%s)\n" % (
        "".join('    b"%s"\n' % text[i : i + 80] for i in range(0, len(text), 80))
    )


def fresh(path):
    """Return the text of a module with updated constants. Raises ValueError with the names that
    are not declared."""
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
    if "_VALUES" in used:
        lines.append(values())
        used.remove("_VALUES")
    if used:
        raise ValueError(
            "%s: no field, option or word is called %s" % (path.name, ", ".join(sorted(used)))
        )
    block = BEGIN + "".join(lines) + END
    return BLOCK.sub(lambda _: block, text)


def meaning():
    """Return {name: value} for everything that decides the meaning of a saved match."""
    found = {
        "fields": [[name, size] for name, size, _ in fields.SHARED],
        "what ended a round": [[name, size] for name, size, _ in fields.ENDED],
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
    """Return the names of what has changed in another way than by additions at its end."""
    grown = ("games", "houses of ", "options of ", "variant words of ", "fields of ")
    return [
        name
        for name, said in was.items()
        if said != now.get(name) and not (name.startswith(grown) and _begins(said, now[name]))
    ]


def _begins(was, now):
    """Return whether a list, and the words of each option in it, begin as before."""
    if isinstance(was, list):
        return len(was) <= len(now) and all(map(_begins, was, now))
    return was == now or isinstance(was, str) and now.startswith(was + " ")


def recorded():
    """Return the recorded meaning of today's format, or None if it has not been recorded yet."""
    path = FORMATS / ("%d.json" % constants.FORMAT)
    return json.loads(path.read_text()) if path.exists() else None


def main():
    """Update the constants, or the record; return the exit status. A name that cannot be used is
    one sentence, and no module is changed then."""
    if sys.argv[1:] == ["--record"]:
        return record()
    try:
        made = {path: fresh(path) for path in modules()}
    except ValueError as error:
        sys.stderr.write("%s. Nothing was written.\n" % error)
        return 1
    for path, text in made.items():
        if text != path.read_text():
            path.write_text(text)
            print("%s has new numbers" % path.relative_to(ROOT))
    return 0


def record():
    """Record what a saved match of this format means, unless that changes what it meant before.
    Return the exit status."""
    was, now = recorded(), meaning()
    wrong = changed(was, now) if was else []
    if wrong:
        sys.stderr.write(REMEDY % (", ".join(wrong), constants.FORMAT))
        return 1
    if was != now:
        FORMATS.mkdir(exist_ok=True)
        file = FORMATS / ("%d.json" % constants.FORMAT)
        file.write_text(json.dumps(now, indent=1) + "\n")
        print("%s says more" % file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
