# SPDX-License-Identifier: MIT
"""Lists the sentences that a language lacks, and those that are never used: `make languages`.

English is the reference.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.app.views.i18n import LANGUAGES, REFERENCE, sentences  # noqa: E402
from host_sim.app.views.whole_languages import lacks, wanted  # noqa: E402


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
