# SPDX-License-Identifier: MIT
"""A table's own rule sheets. Each has a name, a known sheet as its base, and the options that
differ from the base.

A form asks about each option of the Mexican Train sheets. Saved sheets are in the file
own-sheets.json of a folder. A match stores a copy of its sheet in its metadata.
"""

import contextlib
import itertools
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from host_sim.app.handouts import house_guide
from host_sim.app.people.house_options import HouseRow, house_rows
from host_sim.app.people.kept_file import BAD_CONTENT, read_file, set_aside, write_json
from host_sim.app.views.i18n import Translator
from host_sim.table.games import KINDS, house_info, tile_rules
from host_sim.table.games.tile_rules import PRESCRIBED
from host_sim.table.player_names import clean_name, printable
from roundhouse import games
from roundhouse.constants import MOST_SEATS
from roundhouse.games import houses

BASES = KINDS["mexican_train"].HOUSES  # sheets to begin with
MOST = 10  # most sheets in a hub's FAMILY, and most saved sheets
LONGEST = 16  # letters of a name in a hub's state
LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe"})
OTHER = "number"  # the answer that is typed

# group of questions -> its options, in the order in which tables differ
GROUPS = {
    "deal": ("deal",),
    "rounds": ("rounds",),
    "engine": ("engine", "first-engine", "engines"),
    "cover": ("second-tile", "second-double", "last-double", "lock", "lift"),
    "penalties": ("penalty", "score"),
    "blank": ("blank",),
    "trains": ("first-turn", "not-begun", "marker-off"),
}
RANGES = {"deal": (1, 30), "rounds": (1, 19), "first-engine": (0, 18)}  # of typed numbers
WRONG = {
    "deal": "own_sheet.wrong_deal",
    "rounds": "own_sheet.wrong_rounds",
    "first-engine": "own_sheet.wrong_first",
}
MOST_NUMBERS = MOST_SEATS - 1  # of a deal: for 2, 3 ... players
# Options that matter only with the values of `engine` in PRESCRIBED
NEED_ENGINES = ("first-engine", "engines")
LEFT_OUT = {("engine", "any")}  # only the house `free` has this answer


class SheetError(ValueError):
    """Raised for an impossible rule sheet. A Translator makes the sentence for people from `key`
    and `values`."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key, self.values = key, values


class OwnSheet(NamedTuple):
    """A table's own rule sheet.

    title: the sheet's name as a person typed it
    base: the name of the rule sheet that was changed
    options: {option: value} for the options that differ from the base
    """

    title: str
    base: str
    options: dict[str, str]

    @property
    def name(self) -> str:
        """The sheet's house name on a hub: the title, reduced to a-z, 0-9 and hyphens. It may be
        ""."""
        plain = unicodedata.normalize("NFKD", self.title.lower().translate(LETTERS))
        words = re.findall("[a-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
        return "-".join(words)[:LONGEST].strip("-")

    @property
    def family(self) -> dict[str, tuple[str, dict[str, str]]]:
        """The sheet as {house name: (base house, options)}, the form of FAMILY in config.py."""
        return {self.name: (self.base, self.options)}


class Answer(NamedTuple):
    """A possible answer to a question.

    value: the value of the option that the answer chooses
    sheets: the names of the rule sheets that have this answer
    chosen: whether the answer is chosen now
    typed: the text of the field for typed numbers; None without such a field
    """

    value: str
    text: str
    sheets: list[str]
    chosen: bool
    typed: str | None


class Question(NamedTuple):
    option: str
    text: str
    answers: list[Answer]


def family_of(metadata: Mapping[str, Any]) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the own rule sheets in a match's metadata, as {house name: (base house, options)}."""
    return {name: (base, own) for name, (base, own) in metadata.get("family", {}).items()}


@contextlib.contextmanager
def known(family: dict[str, tuple[str, dict[str, str]]]) -> Iterator[None]:
    """Add houses to the firmware's list for the duration of a `with` block. Raises ValueError if
    a base house or an option does not exist.

    family: as FAMILY in config.py, {house name: (base house, options)}
    """
    if not family:
        yield
        return
    before = games.family
    try:
        houses.set_family(family)
        yield
    finally:
        houses.set_family(before)


# ---- questions and answers ----


def _index(base: str) -> int:
    return houses.HOUSES.index(base)


def says(base: str, option: str) -> str:
    """Return the value of an option in the rule sheet `base`."""
    return tile_rules.options_of(_index(base), 0)[option]


def hands(base: str) -> str:
    """Return the hand sizes for 2, 3, 4 ... players with the double-twelve set as a text, such as
    `16 16 15`. The last number also applies to more players."""
    most = house_info.most_seats(_index(base), 12)
    numbers = [str(house_info.hand_size(_index(base), 12, seats)) for seats in range(2, most + 1)]
    while len(numbers) > 1 and numbers[-1] == numbers[-2]:
        numbers.pop()  # the last one is for more players too
    return " ".join(numbers)


def answers_to(option: str) -> list[str]:
    """Return the values that the form offers for an option."""
    values = next(row[2] for row in houses.options(_index(BASES[0])) if row[0] == option)
    if option == "deal":
        return ["sheet", *dict.fromkeys(hands(base) for base in BASES), "any"]
    return [value for value in values if ".." not in value and (option, value) not in LEFT_OUT]


def _givers(option: str, value: str) -> list[str]:
    if option == "deal":
        return [base for base in BASES if hands(base) == value]
    return [base for base in BASES if says(base, option) == value]


def questions(translator: Translator, sheet: OwnSheet) -> dict[str, list[Question]]:
    """Return {group: [Question, ...]} for the form, with the sheet's answers chosen."""
    has_engines = sheet.options.get("engine", says(sheet.base, "engine")) in PRESCRIBED
    return {
        group: [
            Question(
                option,
                translator("own_questions." + option),
                list(_answers(translator, sheet, option)),
            )
            for option in options
            if has_engines or option not in NEED_ENGINES
        ]
        for group, options in GROUPS.items()
    }


def _answers(translator: Translator, sheet: OwnSheet, option: str) -> Iterator[Answer]:
    now = sheet.options.get(option, says(sheet.base, option))
    values = answers_to(option)
    for value in values:
        if option == "deal" and value in (hands(sheet.base), "sheet"):
            if value == "sheet":
                numbers = hands(sheet.base)
                text = deal_text(translator, numbers)
                yield Answer(value, text, _givers(option, numbers), now == value, None)
            continue
        if value[0].isdigit() and option == "deal":
            text = deal_text(translator, value)
        else:
            text = translator("own_answers.%s.%s" % (option, value))
        yield Answer(value, text, _givers(option, value), now == value, None)
    if option in RANGES:
        typed = "" if now in values else now
        text = translator("own_answers.%s.%s" % (option, OTHER))
        yield Answer(OTHER, text, [], bool(typed), typed)


def deal_text(translator: Translator, numbers: str) -> str:
    """Return hand sizes in words, such as `16 tiles with 2 or 3 players, 15 with more`.

    numbers: as returned by `hands`
    """
    *sizes, last = numbers.split()
    if not sizes:
        return translator("own_sheet.deals_all", count=last)
    found: list[str] = []
    for size, run in itertools.groupby(enumerate(sizes, start=2), key=lambda pair: pair[1]):
        players = translator.joined("page.or", [number for number, _ in run])
        key = "own_sheet.deals_next" if found else "own_sheet.deals_first"
        found.append(translator(key, count=size, players=players))
    return ", ".join([*found, translator("own_sheet.deals_rest", count=last)])


def differences(translator: Translator, sheet: OwnSheet) -> list[str]:
    """Return a list with a sentence for each option in which a sheet differs from its base."""
    found = []
    for option in (option for options in GROUPS.values() for option in options):
        value = sheet.options.get(option)
        if value is None:
            continue
        if option == "deal" and value != "any":
            found.append(deal_text(translator, value))
        elif option == "rounds" and value.isdigit():
            found.append(translator("own_sheet.rounds", count=int(value)))
        elif option == "first-engine" and value.isdigit():
            found.append(translator("own_sheet.first", engine="%s-%s" % (value, value)))
        else:
            found.append(translator("own_answers.%s.%s" % (option, value)))
    return found


def from_answers(fields: Mapping[str, str]) -> OwnSheet:
    """Return the sheet that a submitted form describes. Raises SheetError if a typed value is not
    possible.

    The form has these fields:

    title: the sheet's name
    base: the rule sheet to change
    asked: the rule sheet whose values were preselected in the form
    answer-OPTION: the chosen value, or OTHER if numbers were typed
    typed-OPTION: the typed numbers
    was-OPTION: the numbers in the text field when the form was shown

    A value is not a change if `base` or `asked` has the same value.
    """
    base = fields.get("base", "")
    base = base if base in BASES else BASES[0]
    asked = fields.get("asked", base)
    asked = asked if asked in BASES else base
    options = {}
    for option in (option for group in GROUPS.values() for option in group):
        value = _answered(option, fields)
        usual = {says(asked, option), says(base, option), ""}
        if option == "deal":
            usual |= {hands(asked), hands(base)}
        if value not in usual:
            options[option] = value
    engine = options.get("engine", says(base, "engine"))
    if engine not in PRESCRIBED:
        options = {option: text for option, text in options.items() if option not in NEED_ENGINES}
    return OwnSheet(clean_name(fields.get("title")), base, options)


def _answered(option: str, fields: Mapping[str, str]) -> str:
    value = fields.get("answer-" + option, "")
    typed = fields.get("typed-" + option, "").strip()
    is_new = typed and typed != fields.get("was-" + option, "")
    if option not in RANGES or value != OTHER and not is_new:
        return value if value in answers_to(option) else ""
    words = re.split(r"[\s,;/+-]+", typed)
    low, high = RANGES[option]
    most = MOST_NUMBERS if option == "deal" else 1
    if (
        not typed
        or len(words) > most
        or not all(re.fullmatch("[0-9]{1,2}", word) and low <= int(word) <= high for word in words)
    ):
        raise SheetError(WRONG[option], most=most)
    return " ".join(str(int(word)) for word in words)


# ---- a sheet for a hub ----


def house_words(sheet: OwnSheet) -> str:
    """Return the words for the sheet on a card or in a console line: the base and a variant for
    each changed option, such as `puremco lift deal-15-12`.

    If an option has no variant, the words name the sheet and the options:
    `jassshop name=idaho deal=15-12 first-turn=any`.
    """
    words = []
    for option, text in sheet.options.items():
        for word, change in houses.variants(_index(sheet.base)):
            if change == (option, text):
                words.append(word)
            elif change == (option,) and (text == "any" or text[0].isdigit()):
                words.append(word[:-1] + text.replace(" ", "-"))
            else:
                continue
            break
    if len(words) < len(sheet.options):
        options = sheet.options.items()
        words = ["%s=%s" % (option, text.replace(" ", "-")) for option, text in options]
        words.insert(0, "name=" + sheet.name)
    return " ".join([sheet.base, *words])


def config_lines(sheet: OwnSheet) -> str:
    """Return the lines for config.py that make this sheet a hub's house."""
    options = ", ".join('"%s": "%s"' % pair for pair in sheet.options.items())
    return 'FAMILY = {\n    "%s": ("%s", {%s}),\n}\nHOUSE = "%s"\n' % (
        *(sheet.name, sheet.base, options, sheet.name),
    )


def guide_page(sheet: OwnSheet, language: str) -> str:
    """Return the player's guide to a sheet as an HTML page."""
    with known(sheet.family):
        return house_guide.page(sheet.name, language=language)


# ---- sheets that are kept ----


class OwnSheets:
    """The saved rule sheets, in the file own-sheets.json of a folder."""

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder, "own-sheets.json")

    def sheets(self) -> dict[str, OwnSheet]:
        """Return {name: sheet} for all saved sheets, sorted by title."""
        found = {}
        with contextlib.suppress(OSError, *BAD_CONTENT):
            for name, entry in self._entries().items():
                sheet = _sheet(name, entry)
                if sheet:
                    found[name] = sheet
        return dict(sorted(found.items(), key=lambda pair: pair[1].title.lower()))

    def _entries(self) -> dict[str, Any]:
        try:
            return _of_text(read_file(self.path).decode())
        except FileNotFoundError:
            return {}

    def keep(self, sheet: OwnSheet, replace: bool = False) -> None:
        """Save a sheet.

        Raises OSError if the folder cannot be written. Raises SheetError in these cases:

        - The sheet's name is empty or is the name of a house.
        - A sheet of that name exists, and `replace` is false.
        - A hub cannot play by the sheet.
        - The sheet is new, and MOST sheets are saved already.
        """
        check(sheet)
        entries = self._writable()
        if sheet.name in entries and not replace:
            raise SheetError("own_sheet.taken", name=sheet.name)
        if len(entries) >= MOST and sheet.name not in entries:
            raise SheetError("own_sheet.full", count=MOST)
        entries[sheet.name] = sheet._asdict()
        self._write(entries)

    def add(self, data: bytes) -> tuple[int, list[tuple[str, str]]]:
        """Add the sheets in the content of another own-sheets.json, and keep all that are here.

        A sheet whose name is taken by other rules gets a number after its name. Return (count of
        new sheets, [(name, reason)] of those that were not added), where the reason is `rules` if
        no hub can play by the sheet, and `full` if MOST sheets are saved. Raises OSError if the
        folder cannot be written, and one of BAD_CONTENT if the content is damaged.
        """
        entries, left_out, added = self._writable(), [], 0
        here = self.sheets()
        for name, entry in _of_text(data.decode()).items():
            sheet = _sheet(name, entry)
            if not sheet:
                left_out.append((printable(str(name)), "rules"))
                continue
            rules = (sheet.base, sheet.options)
            if sheet.name in entries and rules in [
                (one.base, one.options) for one in here.values()
            ]:
                continue
            if len(entries) >= MOST:
                left_out.append((sheet.title, "full"))
                continue
            number = 1
            while sheet.name in entries:
                number += 1
                title = "%s %d" % (name[: LONGEST - 3].strip("-"), number)
                sheet = sheet._replace(title=title)
            entries[sheet.name] = sheet._asdict()
            here[sheet.name] = sheet
            added += 1
        if added:
            self._write(entries)
        return added, left_out

    def remove(self, name: str) -> None:
        """Delete a saved sheet. Raises OSError if the folder cannot be written."""
        entries = self._writable()
        if entries.pop(name, None):
            self._write(entries)

    def _writable(self) -> dict[str, Any]:
        """Return all entries of the file, to be changed and written back. A damaged file is
        renamed."""
        try:
            return self._entries()
        except BAD_CONTENT:
            set_aside(self.path)
            return {}

    def _write(self, entries: dict[str, Any]) -> None:
        write_json(self.path, entries)


def _of_text(text: str) -> dict[str, Any]:
    """Return the entries in the text of an own-sheets.json. Raises one of BAD_CONTENT for another
    text."""
    entries = json.loads(text)
    if not isinstance(entries, dict):
        raise ValueError("it holds no sheets")
    return entries


def check(sheet: OwnSheet) -> None:
    """Raise SheetError if a hub cannot play by this sheet."""
    if not sheet.name:
        raise SheetError("own_sheet.no_name")
    if sheet.name in houses.HOUSES:
        raise SheetError("own_sheet.name_of_a_sheet", sheet=sheet.name)
    try:
        with known(sheet.family):
            houses.parse([sheet.name])
    except ValueError as error:
        raise SheetError("own_sheet.impossible", why=str(error)) from None


def _sheet(name: str, entry: Any) -> OwnSheet | None:
    """Return the sheet in an entry of own-sheets.json, or None if no hub can play by the sheet."""
    with contextlib.suppress(*BAD_CONTENT):
        options = {str(option): str(text) for option, text in entry["options"].items()}
        sheet = OwnSheet(clean_name(entry["title"]), str(entry["base"]), options)
        if sheet.name == name and sheet.base in BASES and _is_asked(sheet):
            check(sheet)
            return sheet
    return None


def _is_asked(sheet: OwnSheet) -> bool:
    """Return whether answers in the form could have made this sheet."""
    asked = {option for group in GROUPS.values() for option in group}
    return all(
        option in asked
        and (text in answers_to(option) or option in RANGES)
        and text != says(sheet.base, option)
        for option, text in sheet.options.items()
    )


def rows(translator: Translator, sheets: Mapping[str, OwnSheet]) -> list[HouseRow]:
    bases = {row.house: row for row in house_rows(translator)}
    return [
        bases[sheet.base]._replace(
            house=sheet.name,
            title=sheet.title,
            description="; ".join(differences(translator, sheet))
            or translator("own_sheet.no_difference"),
            players=_players(sheet, bases[sheet.base].players),
        )
        for sheet in sheets.values()
    ]


def _players(
    sheet: OwnSheet, of_base: Mapping[int, tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """Return {set: (fewest players, most players)} for the sets whose tiles suffice for the deal.
    of_base: the same for the sheet's base."""
    if "deal" not in sheet.options:
        return dict(of_base)
    found = {}
    with known(sheet.family):
        index = _index(sheet.name)
        for set_ in of_base:
            hands = house_info.hands(index, 0, set_)
            most = house_info.most_seats(index, set_) if hands is None else 1 + len(hands)
            if most > 1:
                found[set_] = (2, most)
    return found
