# SPDX-License-Identifier: MIT
"""Mutates the console lines of a hub and checks that no view fails on them. Most are still valid
JSON.

The lines are recorded from simulated matches when the fuzzer starts.
"""

import functools
import json
import random
from collections.abc import Mapping
from typing import Any

from host_sim.app.page import sounds
from host_sim.app.page.app import App
from host_sim.app.page.hub_client import HubClient
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.players.bot_match import BotMatch
from host_sim.app.views.i18n import LANGUAGES, Translator
from host_sim.app.views.story import Story
from host_sim.board.chips.ntag import BusTicket
from host_sim.board.hub.simulated_hub import SimulatedHub, configured, uid
from host_sim.table import safety_net
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import TableModel
from host_sim.table.player_names import printable
from host_sim.table.schema import known
from host_sim.table.scores import ScoreSheet
from host_sim.table.streams import HubStream, LineParser

HOUSES = ("puremco", "goliath", "puremco deal-any", "matador", "tiddle-a-wink")
PAGE_EVERY = 50  # every n-th case is also shown by the page, in every language
WORDS = (
    *("", "ok", "too-late", "paused", "swapped", "play", "lobby", "scoring", "finished", "engine"),
    *("laid", "drew", "opened", "counted", "done", "took-back", "put-back", "showed", "chose"),
    *("12-12", "19-19", "-1", "x-y", "0-0", "6-6", "M", "E", "1", "3", "10", "11", "0", "null"),
    *("mexican-train", "chess", "draw", "jassshop no-lock", "grandma", "18.0.0", "0.0.1"),
    *("tap 12-5 3", "tap", "tap ? 1", "press", "press 11", "undo", "redo", "score 1 x", "house"),
    *("unreadable", "text", "torn", "two"),
    *("....", "t..g", "zzzz", "\x1b[2J", "\u202e", "\ud800", "<b>&", "x" * 3000),
)
NUMBERS = (0, 1, -1, 2, 3, 6, 11, 12, 18, 19, 190, 255, 256, 0.5, 1e308, 10**400, True, None)
ADDED = (
    "n",
    "wind",
    "game",
    "set",
    "house",
    "version",
    "stations",
    "sides",
    "trains",
    "rules",
    "gain",
    "why",
    "text",
)


SAYS = ("input", "did", "by", "verdict", "phase", "turn")  # what was done
OTHERS: tuple[ConsoleLine, ...] = (  # a line of each kind that has no input
    {"slot": "4", "reader": "ok"},
    {"slot": "M", "button": "stuck"},
    {"slot": "E", "button": "loose"},
    {"segment": 3, "data": "00"},
    {"script": "press 3"},
    {"dropped": 2},
    {"error": "slot 4: no tag"},
    {"selftest": "begin"},
    {"selftest": "end", "readers": ["4"], "buttons": [], "tags": ["1"]},
    {"slot": "4", "tag": "12-5", "uid": "04aa"},
    {"warning": "VSYS is 4.1 V"},
    {"remark": "config.py: FIELDS is missing; the hub takes FIELDS = 3"},
    {"stopped": "by Ctrl-C"},
    {"slot": "4", "lock": "12-5", "sure": "lay it again"},
)


@functools.lru_cache
def recorded() -> list[ConsoleLine]:
    """Return the console lines of one round in each of HOUSES."""
    found: list[ConsoleLine] = []
    for seed, house in enumerate(HOUSES, 1):
        board = SimulatedHub(configured(), seed=seed)
        match = BotMatch(board, (1, 3, 4), house, 6, seed, slips=0.2)
        match.play(1)
        board.command("state")
        board.hold("3")
        board.command("redo")
        board.tap(BusTicket(uid("bus")), "M")
        board.tap("12=7", "M")
        found += board.lines
    return found


def random_value(rng: random.Random, deep: int = 2) -> Any:
    """Return a random JSON value. deep: how deeply lists and objects may be nested."""
    kind = rng.randrange(8 if deep else 5)
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 5:
        return rng.choice(NUMBERS)
    if kind < 7:
        return [random_value(rng, deep - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(WORDS): random_value(rng, deep - 1) for _ in range(rng.randrange(4))}


def mutate_line(rng: random.Random, original: Mapping[str, object]) -> dict[str, Any]:
    """Return a copy of a console line with a few random changes."""
    line: dict[str, Any] = json.loads(json.dumps(original))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        keys = list(line) or [""]
        key = rng.choice(keys)
        how = rng.randrange(12)
        if how < 3:
            line[key] = random_value(rng)
        elif how == 3:
            line.pop(key, None)
        elif how == 4:
            line[rng.choice(ADDED)] = random_value(rng)
        elif how == 5:
            other = rng.choice(keys)
            line[key], line[other] = line.get(other), line.get(key)
        elif how == 6:
            line = mix_kinds(rng, line)
        elif how == 7:
            line = mix_words(rng, line)
        elif isinstance(line.get(key), dict) and line[key]:
            line[key][rng.choice([*line[key], *WORDS])] = random_value(rng, 0)
        elif isinstance(line.get(key), list):
            line[key].insert(0, random_value(rng, 0))
        else:
            line[key] = rng.choice(WORDS) if rng.random() < 0.6 else rng.choice(NUMBERS)
    return line


def mix_kinds(rng: random.Random, line: Mapping[str, object]) -> dict[str, Any]:
    """Return `line` or a line of OTHERS, with the keys of a random line of OTHERS added, and
    sometimes with one key removed."""
    first = rng.choice((line, *OTHERS))
    found = {**first, **rng.choice(OTHERS)}
    if rng.random() < 0.5:
        found.pop(rng.choice(list(found)))
    return found


def mix_words(rng: random.Random, line: Mapping[str, object]) -> dict[str, Any]:
    """Return `line` with some of the words by which another line says what was done, and
    sometimes with a word that only newer firmware knows."""
    other: Mapping[str, Any] = rng.choice(recorded())
    words: dict[str, Any] = {"input": "engine 9-9", "did": "swapped"}
    if rng.random() < 0.8:
        words = {key: other[key] for key in SAYS if key in other}
    return {**line, **{key: words[key] for key in words if rng.random() < 0.5}}


def mutate(rng: random.Random, case: bytes) -> bytes:
    """Return a test case in bytes: a few consecutive recorded lines, some mutated."""
    lines = recorded()
    at = rng.randrange(len(lines))
    found = b""
    for line in lines[at : at + rng.randrange(2, 6)]:
        text = json.dumps(mutate_line(rng, line) if rng.random() < 0.6 else line).encode()
        if rng.random() < 0.03:
            cut = rng.randrange(len(text))
            text = text[:cut] + bytes((rng.randrange(256),)) + text[cut + 1 :]
        found += text + b"\n"
    return found


@functools.lru_cache
def _translator(language: str) -> Translator:
    return Translator(language)


_count = [0]


def check_views(data: bytes) -> None:
    """Check the parser, the table, the story and the score sheet with these lines. In every
    PAGE_EVERY-th call, also check the page and its picture. An error that a view survives is
    raised, too."""
    _check_views(data)
    safety_net.raise_caught()


def _check_views(data: bytes) -> None:
    _count[0] += 1
    found = LineParser().feed(data)
    table = TableModel()
    sheet = ScoreSheet(table)
    client = HubClient(HubStream())
    client.send("tap 12-5 3", "real_hub.saved")
    client.export(lambda text: None)
    if _count[0] % 2:
        client.begin_test(("4", "M"))
    stories = [Story(_translator(LANGUAGES[_count[0] % len(LANGUAGES)]), {"1": "Ana"})]
    for line in found:
        assert known(line) or set(line) == {"unknown"}, "a validated line is valid"
        client.receive(line)
        moment = table.take(line)
        for story in stories:
            for sentence in story.sentences(moment):
                assert sentence.text and sentence.text == printable(sentence.text), sentence
        sounds.tune(moment)
    sheet.ranks()
    sheet.rounds  # noqa: B018 - a property that may raise
    table.lamps()
    for slot in table.trains:
        table.train(slot)
    if _count[0] % PAGE_EVERY == 0:
        _check_page(data)


def _check_page(data: bytes) -> None:
    source = HubStream()
    app = App(LiveTable(source, {"1": "Ana"}))
    pages = [ViewerPage(app, Rights(True, "own"), language) for language in LANGUAGES]
    for line in data.splitlines(True):
        source.received(line)
        app.step()
        for page in pages:
            page.components()
