# SPDX-License-Identifier: MIT
"""The sentences for people, in their language and with the terms of a house's rule sheet.

Each language has a folder in sentences/; its language.toml has the language's own name, plural
rules, patterns and typography. A sentence that is missing in a language is shown in English, with
all that is put into it.
"""

import re
import string
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from host_sim.app.views import plurals
from host_sim.app.views.lamp_css import lamps_of
from host_sim.app.views.languages import FOLDER, LANGUAGES, REFERENCE

_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"  # Unicode's FSI and PDI
LAMPS = ("turn", "open", "double", "answer")  # the lamps' names in [lamps], in order


# what a language's language.toml need not tell: with these, no form `before_...` and no plural
DEFAULTS = {"before": {}, "decimal": ".", "typography": [], "plurals": {}}
ENDS = (".", "!", "?", ":", "…")  # of a sentence
BEFORE = "before_"  # what a form's name has before that of its pattern
ABOUT: dict[str, dict[str, Any]] = {}  # {language: DEFAULTS, and its language.toml}
TABLE: dict[str, dict[str, Any]] = {}  # {language: {section: {name: text, forms or more names}}}


def sentences(language: str) -> dict[str, dict[str, str]]:
    """Return {key: {form: text}} of a language, with `other` for a text without forms."""
    found: dict[str, dict[str, str]] = {}
    _gather(TABLE[language], "", found)
    return found


def _gather(rows: Mapping[str, Any], before: str, found: dict[str, dict[str, str]]) -> None:
    for name, said in rows.items():
        if isinstance(said, str):
            found[before + name] = {"other": said}
        elif "other" in said and before:
            found[before + name] = said
        else:
            _gather(said, before + name + ".", found)


def _read(language: str) -> None:
    """Read a language's folder into ABOUT and TABLE. Raises ValueError for a sentence's form that
    the language never asks for."""
    TABLE[language] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.stem == "language":
            ABOUT[language] = {**DEFAULTS, **content}
        else:
            TABLE[language].update(content)  # no section is in two files
    about, there = ABOUT[language], sentences(language)
    known = {"other", *about["plurals"], *(BEFORE + name for name in about["before"])}
    for key, forms in there.items():
        for form in forms.keys() - known:
            where = "[before] has no pattern" if form.startswith(BEFORE) else "[plurals] has no"
            raise ValueError(
                "sentences/%s: %s has the form %s, but in language.toml %s %s"
                % (language, key, form, where, form.removeprefix(BEFORE))
            )


def placeholders(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def entry(language: str, key: str) -> Any:
    """Return a language's entry for a key like `first.join`: a text, {plural form: text} or
    None."""
    found: Any = TABLE[language]
    for name in key.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


for _language in LANGUAGES:  # the first is the REFERENCE
    _read(_language)


class Said(str):
    """A sentence or a part of one that a Translator returned; it can be said in another language,
    too."""

    language: str
    key: str
    values: dict[str, Any]


class Translator:
    """Returns sentences in one language, with the terms of one rule sheet.

    always: {placeholder: value} for all sentences; a caller may add to it
    """

    def __init__(self, language: str, sheet: str = "") -> None:
        if language not in LANGUAGES:
            raise ValueError("no language %s; there are %s" % (language, " ".join(LANGUAGES)))
        self.language, self.sheet = language, sheet
        own = entry(language, "sheets." + sheet) or {}
        self.always: dict[str, Any] = {
            **TABLE[REFERENCE]["words"],
            **TABLE[language].get("words", {}),
            **own,
        }

    def __call__(self, key: str, **values: Any) -> Said:
        """Return the sentence for a key like `first.join`, with the values filled in. Raises
        KeyError if there is no such sentence.

        A list is filled in with commas between its items. The value `count` chooses a plural form.
        A form such as `before_vowel` is said if the value for its last placeholder begins like the
        pattern with this name in language.toml.
        """
        text, language = entry(self.language, key), self.language
        parts = [part for value in values.values() for part in _parts(value)]
        if text is None or any(part.language != language for part in parts):
            if language != REFERENCE:
                return self._in_english(key, values)
            raise KeyError(key)
        form = text if isinstance(text, str) else _form(language, text, values)
        said = Said(self._set(language, form, values))
        said.language, said.key, said.values = language, key, values
        return said

    def _in_english(self, key: str, values: dict[str, Any]) -> Said:
        english = Translator(REFERENCE, self.sheet)
        english.always = {**self.always, **english.always}
        return english(key, **{name: english._again(value) for name, value in values.items()})

    def again(self, said: Said) -> Said:
        """Say in this language what another one said."""
        return self(said.key, **{name: self._again(one) for name, one in said.values.items()})

    def _again(self, value: Any) -> Any:
        """Say a value of a sentence in this language; return what was not said unchanged."""
        if isinstance(value, list):
            return [self._again(one) for one in value]
        return self.again(value) if isinstance(value, Said) else value

    def joined(self, key: str, items: Sequence[Any]) -> str:
        """Join one or more items into a text, such as `Ana, Bo and Zoe`.

        key: the key of a sentence with the placeholders `first` and `last`
        """
        *first, last = items
        return self(key, first=first, last=last) if first else str(isolated(last))

    def has(self, key: str) -> bool:
        return entry(REFERENCE, key) is not None

    def title(self, house: str) -> str:
        """Return the title of a house. A house without a title of its own has the title of the
        game with the same name."""
        own = "houses.%s.title" % house
        return self(own if self.has(own) else "games." + house)

    def lamp(self, row: Any, lines: bool = False) -> tuple[str, str]:
        """Return (how a lamp blinks, what this means) for a row of lamp_letters.LETTERS.

        lines: whether to return the meaning in line games
        """
        default = {"moves": row[2][0], "tells": row[2][1]}
        key = "lamps.%s.%s" % (LAMPS[lamps_of(row)[0]], row[0][1][0])
        texts = {**default, **(entry(REFERENCE, key) or {}), **(entry(self.language, key) or {})}
        tells = texts.get("of_lines", texts["tells"]) if lines else texts["tells"]
        return self._set(self.language, texts["moves"], {}), self._set(self.language, tells, {})

    def _set(self, language: str, text: str, values: dict[str, Any]) -> str:
        shown = {key: _shown(language, value) for key, value in values.items()}
        return typeset(language, text).format(**{**self.always, **shown})


def _parts(value: Any) -> list[Said]:
    """Return what a Translator has said of a value."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Said)]


def _shown(language: str, value: Any) -> Any:
    """Return a value as it is filled in."""
    if isinstance(value, list):
        return ", ".join(str(_shown(language, one)) for one in value)
    return isolated(number(language, value))


def _form(language: str, forms: dict[str, str], values: dict[str, Any]) -> str:
    """Return the form of a sentence that matches the values to be filled in."""
    for name, pattern in ABOUT[language]["before"].items():
        text = forms.get(BEFORE + name)
        value = str(_shown(language, values.get(placeholders(text)[-1], ""))) if text else ""
        if text and re.match(pattern, value, re.IGNORECASE):
            return text
    if "count" not in values:
        return forms["other"]
    return forms.get(plurals.category(ABOUT[language]["plurals"], values["count"]), forms["other"])


def number(language: str, value: Any) -> Any:
    """Return a decimal number as text with the language's decimal sign, such as `25,5`; return any
    other value unchanged."""
    if not isinstance(value, float):
        return value
    return ("%g" % value).replace(".", ABOUT[language]["decimal"])


def isolated(value: Any) -> Any:
    """Put Unicode isolate marks around a text with right-to-left letters; return any other value
    unchanged."""
    if not isinstance(value, str) or value.isascii() or _ISOLATE in value:
        return value
    if not any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in value):
        return value
    return _ISOLATE + value + _END_OF_ISOLATE


def in_sentences(*texts: str) -> str:
    """Join texts, of which some may be empty, as sentences: each ends with a full stop, unless it
    has another end."""
    return " ".join(text if text.endswith(ENDS) else text + "." for text in texts if text)


def typeset(language: str, text: str) -> str:
    """Return a text with the apostrophes and non-breaking spaces of its language."""
    for plain, shown in ABOUT[language]["typography"]:
        text = text.replace(plain, shown)
    return text
