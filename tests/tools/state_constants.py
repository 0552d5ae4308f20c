# SPDX-License-Identifier: MIT
"""Writes the modules `at`, which name the numbers of a match's state: part of `make made`. With
--record, records what a saved match means: part of `make recordings`.

There is a module `at` for each game, and `games/at.py` for what all games share:

    at.TURN        the offset of the field TURN
    at.LOCK        the offset of the option `lock`
    at.LOCK_YES    the index of the word `yes` among the words of `lock`
    at.USES        for each game its count of option rows, and the bytes of its own fields

A game's `at` also has the shared names. In `games/at.py`, a game's own field has a prefix, as in
`at.LINE_ROOM`.

tests/firmware/formats/ has a record for each format of the journal: the fields, the kinds of
input, the phases, and each game's houses, options and words, in their order. An addition at the
end of a game's list is added to the record; any other change needs a new format.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from roundhouse import constants, games, journal  # noqa: E402
from roundhouse.games import fields  # noqa: E402

FIRMWARE = ROOT / "firmware" / "roundhouse"
FORMATS = ROOT / "tests" / "firmware" / "formats"
HEAD = '''# SPDX-License-Identifier: MIT
"""Names the numbers of %s: offsets of fields and options, indexes of words.

Written by `make made` from the fields and the sheets. This module is not on the board: where a
module is compiled for it, the numbers take the place of the names.
"""
'''
Meaning = dict[str, Any]  # see `meaning`
KINDS = (
    *("TAP", "OVERRIDE", "PRESS", "DRAW", "FORGET", "RULES", "SET", "JOIN", "LEAVE", "HAND"),
    *("BONEYARD", "TURN", "MARKER", "SCORE"),
)
REMEDY = """A kept match would mean something else: %s.
Raise FORMAT in constants.py, let `match` unpack what format %d kept and read it as it was meant,
and `make made` and `make recordings` again. CONTRIBUTING.md says how.
"""


def known(game: str | None) -> dict[str, tuple[int | bytes, str]]:
    """Return {name: (number, meaning)} for the constants of `game`. If `game` is None, these are
    the constants that all games share. Raises ValueError if a name would have two meanings."""
    rows = [(n, getattr(fields, n), says) for n, _, says in fields.SHARED + fields.ENDED]
    rows.append(("OPTIONS", fields.OPTIONS, "the game's: a byte for each of its rows"))
    shared = len(rows)
    if game:
        rows += [(name, getattr(fields, name), says) for name, _, says in fields.OWN[game]]
        rows += _of_sheets(games.sheets(games.GAMES.index(game)).OPTIONS)
    else:
        for of in games.GAMES:
            word = of.partition("_")[0].upper()
            rows += [(word + "_" + n, getattr(fields, n), s) for n, _, s in fields.OWN[of]]
        rows += [
            ("USES", uses(), "game by game: option rows, bytes of its own"),
            ("VALUES", values(), "game by game: houses, then values of each option row"),
        ]
    names = [name for name, _, _ in rows]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                "%s has two meanings in %s: a field, an option or a word of an option; rename one"
                % (name, game or "the modules outside the games")
            )
    return {name: (number, says) for name, number, says in rows[shared if game else 0 :]}


def _of_sheets(options: Sequence[str]) -> list[tuple[str, int, str]]:
    """Return the rows (name, number, meaning) of all options and their words."""
    rows = [("", 0, "")]
    for offset, row in enumerate(options, fields.OPTIONS):
        option, words = row.split(": ")[:2]
        option, point = option.split()
        option = option.upper().replace("-", "_")
        if option in [name for name, _, _ in rows]:
            continue  # another row of an option that has several
        rows.append((option, offset, "" if point == "-" else point))
        for number, word in enumerate(words.split()):
            word = word.partition("..")[0].upper().replace("-", "_")
            rows.append(("%s_%s" % (option, word), number, ""))
    return rows[1:]


def uses() -> bytes:
    """Return two bytes for each game: the count of the game's option rows, and the count of bytes
    of its own fields."""
    return bytes([number for game in games.GAMES for number in fields.USES[game]])


def values() -> bytes:
    """Return, as bytes, each game's count of houses, followed by the count of values of each
    option row of the game."""
    found = []
    for number in range(len(games.GAMES)):
        sheets = games.sheets(number)
        found.append(len(sheets.HOUSES))
        for row in sheets.OPTIONS:
            *words, last = row.split(": ")[1].split()
            low, dots, high = last.partition("..")
            found.append(len(words) + (int(high) - int(low) + 1 if dots else 1))
    return bytes(found)


def tables() -> dict[Path, str | None]:
    """Return {path: game} of the modules `at`. The game is None for the module that all games
    share."""
    return {FIRMWARE / "games" / (game or "") / "at.py": game for game in (None, *games.GAMES)}


def text(game: str | None) -> str:
    """Return the text of the module `at` of `game`. If `game` is None, this is the module `at`
    that all games share. Raises ValueError if a name would have two meanings."""
    lines = [HEAD % ("this game's state" if game else "a match's state")]
    if game:
        lines.append("\nfrom roundhouse.games.at import *  # noqa: F403\n")
    lines.append("\n")
    for name, (number, says) in known(game).items():
        if isinstance(number, bytes):
            lines.append("# %s\n%s = %s\n" % (says, name, _literal(number)))
        else:
            lines.append("%s = %d%s\n" % (name, number, says and "  # " + says))
    return "".join(lines)


def _literal(data: bytes) -> str:
    """Return bytes as source, in lines of 20 bytes."""
    shown = ["".join(map("\\x%02x".__mod__, data[i : i + 20])) for i in range(0, len(data), 20)]
    if len(shown) == 1:
        return 'b"%s"' % shown[0]
    return "(\n%s)" % "".join('    b"%s"\n' % line for line in shown)


def meaning() -> Meaning:
    """Return {name: value} for everything that decides the meaning of a saved match."""
    found = {
        "fields": [[name, size] for name, size, _ in fields.SHARED],
        "what ended a round": [[name, size] for name, size, _ in fields.ENDED],
        "kinds of input": {name: getattr(constants, name) for name in KINDS}
        | {"LAID": journal.LAID, "UNDO": journal.UNDO},
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


def changed(was: Meaning, now: Meaning) -> list[str]:
    """Return the names of the lists and numbers that have changed. Items added at the end of a
    list that may grow do not count as a change."""
    grown = ("games", "houses of ", "options of ", "variant words of ", "fields of ")
    return [
        name
        for name, said in was.items()
        if said != now.get(name) and not (name.startswith(grown) and _begins(said, now[name]))
    ]


def _begins(was: Any, now: Any) -> bool:
    """Return whether `now` is `was`, or `was` with additions: items of a list, or words of an
    option."""
    if isinstance(was, list):
        return len(was) <= len(now) and all(map(_begins, was, now))
    return was == now or isinstance(was, str) and now.startswith(was + " ")


def recorded() -> Meaning | None:
    """Return the recorded meaning of today's format, or None."""
    path = FORMATS / ("%d.json" % constants.FORMAT)
    return json.loads(path.read_text()) if path.exists() else None


def main() -> int:
    """Update the modules `at`, or with --record the record; return the exit status."""
    if sys.argv[1:] == ["--record"]:
        return record()
    try:
        made = {path: text(game) for path, game in tables().items()}
    except ValueError as error:
        sys.stderr.write("%s. Nothing was written.\n" % error)
        return 1
    for path, new in made.items():
        if not path.exists() or new != path.read_text():
            path.write_text(new)
            print("%s has new numbers" % path.relative_to(FIRMWARE))
    return 0


def record() -> int:
    """Record how the bytes of a saved match of this format are read; return the exit status. If
    recorded bytes would be read differently, print which, and record nothing."""
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
