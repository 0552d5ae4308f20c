# SPDX-License-Identifier: MIT
"""What a language lacks, and which language a browser gets. Only a language that lacks nothing is
offered; a translator names another one, as in `--lang es`."""

from typing import Any

from host_sim.app.views.i18n import LAMPS, LANGUAGES, REFERENCE, sentences
from roundhouse import lamp_letters


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


def whole() -> tuple[str, ...]:
    """Return the languages that have every sentence, English first."""
    others = (language for language in LANGUAGES if language != REFERENCE)
    return (REFERENCE, *(language for language in others if not lacks(language)))


WHOLE = whole()


def preferred_language(languages: str, named: str = "") -> str:
    """Return the most preferred of WHOLE by an Accept-Language header (RFC 9110, 12.5.4), like
    `fr-CH,fr;q=0.9,en;q=0.8`; return English if the header names none of them.

    named: one of LANGUAGES, which may be returned even if it is not whole, or any other text
    """
    offered = (*WHOLE, named) if named in LANGUAGES else WHOLE
    found: list[tuple[float, int, str]] = []
    for part in languages.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), len(found), tag.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next((tag for weight, _, tag in sorted(found) if weight and tag in offered), REFERENCE)
