# SPDX-License-Identifier: MIT
"""Checks that a story names the right people and uses no words of the console."""

import re
from collections.abc import Iterable, Iterator, Sequence

from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.story import KINDS, Sentence, Story
from host_sim.app.views.table_names import first_names
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import Moment, TableModel
from roundhouse import constants
from roundhouse.games import houses

NAMES = first_names(constants.SEATS)
# words that speak of pressing: a story says what was done, not with which button
PRESSING = {
    "en": r"\bpress",
    "de": r"dr[üu]ck",
    "fr": r"\bappu[iy]|\bpression",
    "es": r"\bpuls|\bpresion|\boprim|\bapret",
    "it": r"\bprem[aeiou]|\bpression|\bschiacc",
    "nl": r"\bdruk|\bingedruk",
}
VARIANTS = [word for house in range(len(houses.HOUSES)) for word, _ in houses.variants(house)]
MINUSES = "|".join({word for word in (*constants.VERDICTS, *VARIANTS) if "-" in word})
CONSOLE = re.compile(r"\b(?:%s)\b" % MINUSES)
SILENT = ("state", "export", "help", "selftest")
AT_A_SLOT = ("joined", "left", "knocked", "out", "counted", "done")
THEIR_TURN = ("laid", "drew", "passed")

Told = tuple[str, ConsoleLine, list[Sentence]]  # language, line, what was said


def wrong(lines: Iterable[ConsoleLine], told: list[Told] | None = None) -> list[str]:
    """Tell the story of console lines in all languages; return one text for each fault in the
    story.

    told: a list that gets (language, line, [Sentence, ...]) for every line
    """
    found = []
    for language in LANGUAGES:
        translator = Translator(language)
        story, table = Story(translator, NAMES), TableModel()
        machine = re.compile(PRESSING[language] + "|verdict|[{}]", re.I)
        for line in lines:
            seats = set(table.state["scores"]) if table.state else set()
            moment = table.take(line)
            said = story.sentences(moment)
            if told is not None:
                told.append((language, line, said))
            seats |= {*line.get("scores", ())}
            complaints = [*language_of(said, machine), *numbered(said, seats, translator)]
            if "input" in line:
                complaints += people_of(said, moment)
            found += ["%s: %s: %s" % (line.get("input"), what, said) for what in complaints]
    return found


def numbered(said: Sequence[Sentence], seats: set[str], translator: Translator) -> Iterator[str]:
    """Yield a complaint for each sentence that calls a player with a name by a number.

    seats: the seats whose players have names
    """
    for seat in seats:
        called = translator("story.player", number=seat).lower()
        for text, _, _ in said:
            if re.search(r"\b%s\b(?!-)" % re.escape(called), text.lower()):
                yield "a number for somebody with a name"
            places = (translator(key, slot=seat) for key in ("where.number", "to.number"))
            if any(re.search(re.escape(place) + r"(?!\d)", text) for place in places):
                yield "a number for the station of somebody with a name"


def language_of(said: Sequence[Sentence], machine: re.Pattern[str]) -> Iterator[str]:
    """Yield a complaint for each fault in the wording of sentences.

    machine: what no sentence says
    """
    for text, kind, _ in said:
        if kind not in KINDS:
            yield "no kind of a sentence"
        if not re.match("[¡¿]?[A-ZÀ-Ý0-9]", text) or text[-1] not in ".!":
            yield "no sentence"
        if kind != "health" and machine.search(text):
            yield "machine talk"
        if CONSOLE.search(text):
            yield "a word of the console"


def people_of(said: Sequence[Sentence], moment: Moment) -> Iterator[str]:
    """Yield a complaint for each sentence that names the wrong person."""
    line, before, slot = moment.line, moment.before, moment.gesture.slot
    did = line["did"]
    if line["verdict"] != "ok":
        if [one.kind for one in said] != ["refused"]:
            yield "a refusal is told"
        if line["verdict"] == "not-your-turn" and NAMES[str(line["turn"])] not in said[0].text:
            yield "whose turn it is"
        return
    if not said:
        if moment.gesture.word not in SILENT:
            yield "nothing is told"
        return
    who = None
    if did in THEIR_TURN and not moment.first and before["phase"] == "play":
        who = before["turn"]
    elif did in AT_A_SLOT:
        who = int(slot)
    if who and not (said[0].seat == who and said[0].text.startswith(NAMES[str(who)] + " ")):
        yield "it was %s" % NAMES[str(who)]
    elsewhere = did == "laid" and "sides" not in line and slot in before["scores"]
    if elsewhere and slot != str(who) and NAMES[slot] not in said[0].text:
        yield "whose train it is"
