# SPDX-License-Identifier: MIT
"""A hub's lines, bent: still JSON, mostly, and no view may stumble over them.

They begin as the lines of real matches, recorded in memory when the fuzzer starts.
"""

import functools
import json

from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.page.app_state import AppState
from host_sim.page.page_view import PageView, Rights
from host_sim.page.sounds import tune_for as tune
from host_sim.page.table_models import WatchedTable
from host_sim.session.bot_match import BotMatch
from host_sim.views.i18n import LANGUAGES, Translator
from host_sim.views.line_streams import HubSource, LineDecoder
from host_sim.views.line_validation import validated
from host_sim.views.player_names import printable
from host_sim.views.score_sheet import ScoreSheet
from host_sim.views.story import Story
from host_sim.views.table_state import TableState

HOUSES = ("puremco", "goliath", "matador", "tiddle-a-wink")
EVERY = 50  # one case in so many is also shown by the page, in every language
WORDS = (
    *("", "ok", "too-late", "paused", "swapped", "play", "lobby", "scoring", "finished", "engine"),
    *("laid", "drew", "opened", "counted", "done", "took-back", "put-back", "showed", "chose"),
    *("12-12", "19-19", "-1", "x-y", "0-0", "6-6", "M", "E", "1", "3", "10", "11", "0", "null"),
    *("mexican-train", "chess", "draw", "jassshop no-lock", "grandma", "18.0.0", "0.0.1"),
    *("tap 12-5 3", "tap", "tap ? 1", "press", "press 11", "undo", "redo", "score 1 x", "house"),
    *("....", "t..g", "zzzz", "\x1b[2J", "\u202e", "\ud800", "<b>&", "x" * 3000),
)
NUMBERS = (0, 1, -1, 2, 3, 6, 11, 12, 18, 19, 190, 255, 256, 0.5, 1e308, 10**30, True, None)
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
)


@functools.lru_cache
def recorded():
    """Return lines of a round by each of HOUSES, dicts."""
    found = []
    for seed, house in enumerate(HOUSES, 1):
        board = SimulatedHub(configured(), seed=seed)
        match = BotMatch(board, (1, 3, 4), house, 6, seed, slips=0.2)
        match.play(1)
        board.say("state")
        board.hold("3")
        board.say("redo")
        found += board.lines
    return found


def value(draw, deep=2):
    """Return a JSON value of any kind."""
    kind = draw.randrange(8 if deep else 5)
    if kind < 3:
        return draw.choice(WORDS)
    if kind < 5:
        return draw.choice(NUMBERS)
    if kind < 7:
        return [value(draw, deep - 1) for _ in range(draw.randrange(4))]
    return {draw.choice(WORDS): value(draw, deep - 1) for _ in range(draw.randrange(4))}


def mutate(draw, line):
    """Return a line with a few things changed."""
    line = json.loads(json.dumps(line))
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        keys = list(line) or [""]
        key = draw.choice(keys)
        how = draw.randrange(9)
        if how < 3:
            line[key] = value(draw)
        elif how == 3:
            line.pop(key, None)
        elif how == 4:
            line[draw.choice(ADDED)] = value(draw)
        elif how == 5:
            other = draw.choice(keys)
            line[key], line[other] = line.get(other), line.get(key)
        elif isinstance(line.get(key), dict) and line[key]:
            line[key][draw.choice([*line[key], *WORDS])] = value(draw, 0)
        elif isinstance(line.get(key), list):
            line[key].insert(0, value(draw, 0))
        else:
            line[key] = draw.choice(WORDS) if draw.random() < 0.6 else draw.choice(NUMBERS)
    return line


def near(draw, case):
    """Return a case: a few lines in a row, most of them as they were said, as bytes of a wire."""
    lines = recorded()
    at = draw.randrange(len(lines))
    found = b""
    for line in lines[at : at + draw.randrange(2, 6)]:
        text = json.dumps(mutate(draw, line) if draw.random() < 0.6 else line).encode()
        if draw.random() < 0.03:
            cut = draw.randrange(len(text))
            text = text[:cut] + bytes((draw.randrange(256),)) + text[cut + 1 :]
        found += text + b"\n"
    return found


@functools.lru_cache
def _speech(language):
    return Translator(language)


_count = [0]


def through_views(data):
    """Bytes of a wire through the parser, the table, the story and the score sheet; now and then
    through the page, with its picture, too."""
    _count[0] += 1
    found = LineDecoder().take(data)
    seen, sheet = TableState(), ScoreSheet()
    stories = [Story(_speech(LANGUAGES[_count[0] % len(LANGUAGES)]), {"1": "Ana"})]
    before = None
    for line in found:
        assert validated(line), "a line that is known once is known again"
        seen.line(line)
        sheet.line(line)
        for story in stories:
            for said in story.line(line):
                assert said.text and said.text == printable(said.text), said
        if "input" in line:
            tune(line, before)
            before = line
    sheet.ranks()
    sheet.rounds  # noqa: B018 - what is worked out when it is asked for
    seen.lamps()
    for slot in seen.trains:
        seen.train(slot)
    if _count[0] % EVERY == 0:
        _through_page(data)


def _through_page(data):
    source = HubSource()
    app = AppState(WatchedTable(source, {"1": "Ana"}))
    views = [PageView(app, Rights(True, "own"), language) for language in LANGUAGES]
    for line in data.splitlines(True):
        source.heard(line)
        app.step()
        for view in views:
            view.pieces()
