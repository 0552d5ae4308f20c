# SPDX-License-Identifier: MIT
"""What people read, in their language: the tables in sentences/, with the words of a house's
rule sheet.

Texts are typed plainly there; here they get a language's own apostrophes and spaces.
"""

import re
import tomllib
from pathlib import Path

LANGUAGES = ("en", "de", "fr")

FOLDER = Path(__file__).with_name("sentences")

# {section: {name: {language: text}}}; no section stands in two files
TABLE = {
    section: rows
    for path in sorted(FOLDER.glob("*.toml"))
    for section, rows in tomllib.loads(path.read_text(encoding="utf-8")).items()
}


def liked(languages):
    """Return the one of LANGUAGES that is liked best: languages is a list as a browser sends it,
    `fr-CH,fr;q=0.9,en;q=0.8` (RFC 9110, Accept-Language). English where none is ours."""
    found = []
    for part in languages.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), len(found), tag.strip().lower()[:2]))
        except ValueError:
            continue
    return next((tag for weight, _, tag in sorted(found) if tag in LANGUAGES and weight), "en")


class Speech:
    """One language, as a table speaks it.

    language: one of LANGUAGES; sheet: the name of the rule sheet whose words are used.
    always: {name: what fills it in any sentence}, the sheet's words and what a caller adds.
    """

    def __init__(self, language, sheet=""):
        if language not in LANGUAGES:
            raise ValueError("no language %s; there are %s" % (language, " ".join(LANGUAGES)))
        self.language = language
        self.always = {}
        for thing, texts in TABLE["words"].items():
            own = texts.get(sheet, {})
            self.always[thing] = own.get(language, texts[language])

    def __call__(self, key, **values):
        """Return a sentence, `first.join`, with its names filled; KeyError where there is none."""
        section, name = key.split(".")
        return self._set(TABLE[section][name][self.language], values)

    def has(self, key):
        """Return whether there is such a sentence: an option's usual value has none."""
        section, name = key.split(".")
        return name in TABLE[section]

    def of_lamps(self, english):
        """Return what roundhouse.lamps says of a lamp; KeyError where nobody has put that into
        this language."""
        text = english if self.language == "en" else TABLE["lamps"][english][self.language]
        return self._set(text, {})

    def _set(self, text, values):
        return typeset(self.language, text).format(**{**self.always, **values})


def typeset(language, text):
    """Return a text with the apostrophes and spaces of its language: in French a narrow space
    before ; ! ? and a wide one before a colon. Neither ends a line, nor do those of a sum."""
    text = text.replace("'", "\u2019").replace("...", "\u2026")
    text = re.sub(r" ([+=]) ", "\u00a0\\1\u00a0", text)
    if language == "fr":
        text = re.sub(r" ([;!?])", "\u202f\\1", text).replace(" :", "\u00a0:")
    return text
