# SPDX-License-Identifier: MIT
"""What a language lacks, and what it has that nothing says: `make languages`.

English is the reference. Whatever another language lacks is said in English.
"""

import sys

from host_sim.views.i18n import LAMPS, LANGUAGES, REFERENCE, TABLE
from roundhouse import lamps


def sentences(language):
    """Return {key: {form: text}} of all that a language says: `other` is the form of a text that
    has no other."""
    found = {}
    _gather(TABLE[language], "", found)
    return found


def _gather(rows, before, found):
    for name, said in rows.items():
        if isinstance(said, str):
            found[before + name] = {"other": said}
        elif "other" in said and before:
            found[before + name] = said
        else:
            _gather(said, before + name + ".", found)


def wanted():
    """Return the keys that every language but English should have, in order. The words of a sheet
    are not among them: not every sheet has been printed in every language."""
    keys = [key for key in sentences(REFERENCE) if not key.startswith(("sheets.", "lamps."))]
    of_lines = [key for key in sentences(REFERENCE) if key.startswith("lamps.")]
    return (
        keys + [key for lamp in lamp_keys() for key in (lamp + "moves", lamp + "tells")] + of_lines
    )


def lamp_keys():
    """Return `lamps.turn.t.` and so on: of lamps that tell one thing together the first one's."""
    found = []
    for (k, letters, *looks), *others in lamps.LETTERS:
        row = (letters, *looks, *others)
        if all(row != one for _, one in found):
            found.append(("lamps.%s.%s." % (LAMPS[k], letters[0]), row))
    return [key for key, _ in found]


def lacks(language):
    """Return the keys of what a language lacks."""
    return [key for key in wanted() if key not in sentences(language)]


def unused(language):
    """Return the keys of what a language has and nothing says."""
    known = {*wanted(), *sentences(REFERENCE)}
    return [
        key
        for key in sentences(language)
        if key not in known and not (key.startswith("sheets.") and _is_word(key))
    ]


def _is_word(key):
    return "words." + key.rpartition(".")[2] in sentences(REFERENCE)


def main():
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
