# SPDX-License-Identifier: MIT
"""What people read, in their language: a folder of sentences/ each, with the words of a house's
rule sheet.

A folder is a language: its files have sections of sentences, language.toml says what it calls
itself, its plural forms and its typography. English is the reference: what another language lacks
is said in English.
"""

import tomllib

from host_sim.views import plurals
from host_sim.views.lamp_css import together
from host_sim.views.languages import FOLDER, LANGUAGES, REFERENCE

LAMPS = ("turn", "open", "double", "answer")  # the lamps' names in [lamps], from the hub outwards


ABOUT = {}  # {language: what its language.toml says}
TABLE = {}  # {language: {section: {name: a text, its forms, or names below}}}

for _language in LANGUAGES:
    TABLE[_language] = {}
    for _path in sorted((FOLDER / _language).glob("*.toml")):
        _said = tomllib.loads(_path.read_text(encoding="utf-8"))
        if _path.stem == "language":
            ABOUT[_language] = _said
        else:
            TABLE[_language].update(_said)  # no section stands in two files


def negotiate_language(languages):
    """Return the one of LANGUAGES that is liked best: languages is a list as a browser sends it,
    `fr-CH,fr;q=0.9,en;q=0.8` (RFC 9110, Accept-Language). English where none is ours."""
    found = []
    for part in languages.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), len(found), tag.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next(
        (tag for weight, _, tag in sorted(found) if tag in LANGUAGES and weight), REFERENCE
    )


def row(language, key):
    """Return what stands at a key, `first.join`: a text or {form: text}; None where nothing
    does."""
    found = TABLE[language]
    for name in key.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


class Translator:
    """One language, as a table speaks it.

    language: one of LANGUAGES; sheet: the name of the rule sheet whose words are used.
    always: {name: what fills it in any sentence}, the sheet's words and what a caller adds.
    """

    def __init__(self, language, sheet=""):
        if language not in LANGUAGES:
            raise ValueError("no language %s; there are %s" % (language, " ".join(LANGUAGES)))
        self.language = language
        own = row(language, "sheets." + sheet) or {}
        self.always = {
            **TABLE[REFERENCE]["words"],
            **TABLE[language].get("words", {}),
            **own,
        }

    def __call__(self, key, **values):
        """Return a sentence, `first.join`, with its names filled; KeyError where there is none.

        A sentence that has plural forms takes the one of `count`; one that has a form
        `before_vowel` says that before a `name` that begins with a vowel.
        """
        for language in (self.language, REFERENCE):
            text = row(language, key)
            if text is not None:
                form = text if isinstance(text, str) else _form(language, text, values)
                return self._set(language, form, values)
        raise KeyError(key)

    def has(self, key):
        """Return whether there is such a sentence: an option's usual value has none."""
        return row(REFERENCE, key) is not None

    def title(self, house):
        """Return a house's title: where it has none of its own, it is that of its game."""
        own = "houses.%s.title" % house
        return self(own if self.has(own) else "games." + house)

    def lamp(self, lit, lines=False):
        """Return (how it moves, what it tells) of a row of lamps.LETTERS. lines: what it tells in
        a game of lines."""
        said = {"moves": lit[2][0], "tells": lit[2][1]}
        key = "lamps.%s.%s" % (LAMPS[together(lit)[0]], lit[0][1][0])
        texts = {**said, **(row(REFERENCE, key) or {}), **(row(self.language, key) or {})}
        tells = texts.get("of_lines", texts["tells"]) if lines else texts["tells"]
        return self._set(self.language, texts["moves"], {}), self._set(self.language, tells, {})

    def _set(self, language, text, values):
        return typeset(language, text).format(**{**self.always, **values})


def _form(language, forms, values):
    """The form of a sentence that its values ask for."""
    vowels = ABOUT[language].get("vowels", "")
    if "before_vowel" in forms and str(values.get("name", ""))[:1].lower() in [*vowels]:
        return forms["before_vowel"]
    if "count" not in values:
        return forms["other"]
    return forms.get(plurals.category(ABOUT[language]["plurals"], values["count"]), forms["other"])


def typeset(language, text):
    """Return a text with the apostrophes and spaces of its language, as its folder has them: in
    French a narrow space before ; ! ? and a wide one before a colon. None of them ends a line."""
    for plain, shown in ABOUT[language]["typography"]:
        text = text.replace(plain, shown)
    return text
