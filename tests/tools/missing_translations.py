# SPDX-License-Identifier: MIT
"""Lists the sentences that a language lacks, and those that are never used: `make languages`.

English is the reference.
"""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.app.views.i18n import LAMPS, LANGUAGES, REFERENCE, sentences  # noqa: E402
from roundhouse import lamp_letters  # noqa: E402


def wanted() -> list[str]:
    """Return the keys that every language should have, in the order of the English sentences. Keys
    of rule sheets' terms are left out."""
    keys = [key for key in sentences(REFERENCE) if not key.startswith(("sheets.", "lamps."))]
    of_lines = [key for key in sentences(REFERENCE) if key.startswith("lamps.")]
    return (
        keys + [key for lamp in lamp_keys() for key in (lamp + "moves", lamp + "tells")] + of_lines
    )


def lamp_keys() -> list[str]:
    """Return the prefixes of the keys of the lamps' sentences, such as `lamps.turn.t.`. Rows of
    LETTERS with the same look and words share a prefix."""
    found: list[tuple[str, tuple[Any, ...]]] = []
    for (k, letters, *looks), *others in lamp_letters.LETTERS:
        row = (letters, *looks, *others)
        if all(row != one for _, one in found):
            found.append(("lamps.%s.%s." % (LAMPS[k], letters[0]), row))
    return [key for key, _ in found]


def lacks(language: str) -> list[str]:
    there = sentences(language)
    return [key for key in wanted() if key not in there]


def unused(language: str) -> list[str]:
    known = {*wanted(), *sentences(REFERENCE)}

    def is_own(key: str) -> bool:
        """Return whether only some languages have this key: a sheet's word, or what their
        edition of a sheet says."""
        name = key.rpartition(".")[2]
        is_word = key.startswith("sheets.") and "words." + name in known
        return is_word or key.startswith("beside.") and name in ("variant", "line")

    return [key for key in sentences(language) if key not in known and not is_own(key)]


def main() -> int:
    for language in LANGUAGES:
        if language == REFERENCE:
            continue
        lacking, more = lacks(language), unused(language)
        all_of_it = len(wanted())
        print("%s: %d of %d sentences" % (language, all_of_it - len(lacking), all_of_it))
        for key in lacking:
            print("  lacks   %s" % key)
        for key in more:
            print("  no use  %s" % key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
