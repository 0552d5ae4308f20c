# SPDX-License-Identifier: MIT
"""What a story must never say, and whom each sentence must name; held against a hub's lines."""

import re

from host_sim.views import reported_input
from host_sim.views.i18n import LANGUAGES, Translator
from host_sim.views.story import KINDS, Story
from host_sim.views.table_phrases import first_names
from roundhouse import constants
from roundhouse.games import houses

NAMES = first_names(range(1, 11))
MACHINE = re.compile(r"\bpress|dr[üu]ck|\bappu[iy]|\bpression|verdict|[{}]", re.I)
NUMBERED = re.compile(r"(?:seat|player|station|platz|spieler|bahnhof|place|joueur|gare) (\d+)")
MINUSES = {word for word in constants.VERDICTS if "-" in word} | {
    word
    for house in range(len(houses.HOUSES))
    for word, _ in houses.variants(house)
    if "-" in word
}
SILENT = ("state", "export", "help", "selftest")
AT_A_SLOT = ("joined", "left", "knocked", "out", "counted", "done")
THEIR_TURN = ("laid", "drew", "passed")


def wrong(lines, told=None):
    """Return what is wrong with the story of a hub's lines, a text each, in all languages.

    Lines of older firmware are checked by what can be seen of them.
    told: a list to which all (language, line, [Said, ...]) are added.
    """
    found = []
    for language in LANGUAGES:
        story = Story(Translator(language), NAMES)
        before = None
        for line in lines:
            said = story.line(line)
            if told is not None:
                told.append((language, line, said))
            complaints = [*language_of(said, line, before or line)]
            if "input" in line:
                before, earlier = reported_input.fill_in(line, before), before
                complaints += people_of(said, before, earlier)
            found += ["%s: %s: %s" % (line.get("input"), what, said) for what in complaints]
    return found


def language_of(said, line, before):
    """Yield what is wrong with the words."""
    seats = {*line.get("scores", ()), *before.get("scores", ())}
    for text, kind, _ in said:
        if kind not in KINDS:
            yield "no kind of a sentence"
        if not re.match(r"[A-ZÀÉÎ0-9]", text) or text[-1] not in ".!":
            yield "no sentence"
        if kind != "health" and MACHINE.search(text):
            yield "machine talk"
        if any(re.search(r"\b%s\b" % word, text) for word in MINUSES):
            yield "a word of the console"
        if seats & set(NUMBERED.findall(text.lower())):
            yield "a number for somebody with a name"


def people_of(said, line, before):
    """Yield where another person is named than the one who did it, by what was tapped and by
    whose turn the line before it said it was."""
    parts = line["input"].split()
    did = line["did"]
    if line["verdict"] != "ok":
        if [one.kind for one in said] != ["refused"]:
            yield "a refusal is told"
        if line["verdict"] == "not-your-turn" and NAMES[str(line["turn"])] not in said[0].text:
            yield "whose turn it is"
        return
    if not said:
        if parts[0] not in SILENT:
            yield "nothing is told"
        return
    slot = slot_of(parts)
    who = None
    if did in THEIR_TURN and before and before["phase"] == "play":
        who = before["turn"]
    elif did in AT_A_SLOT:
        who = int(slot)
    if who and not (said[0].seat == who and said[0].text.startswith(NAMES[str(who)] + " ")):
        yield "it was %s" % NAMES[str(who)]
    elsewhere = did == "laid" and "sides" not in line and slot in before["scores"]
    if elsewhere and slot != str(who) and NAMES[slot] not in said[0].text:
        yield "whose train it is"


def slot_of(parts):
    """Return the slot that an input's words name: where a card lies is not the seat it names."""
    if parts[0] in ("join", "leave", "score"):
        return parts[1]
    return parts[2] if parts[:2] == ["tap", "seat"] else parts[-1]
