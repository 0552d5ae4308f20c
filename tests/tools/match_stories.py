# SPDX-License-Identifier: MIT
"""The story of one short match of each game, in each language, for people to read and for a test
to keep."""

import functools
from pathlib import Path

from host_sim.app.players.bot_match import BotMatch
from host_sim.app.views.i18n import Translator
from host_sim.app.views.story import Story
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.table.console_line import ConsoleLine
from host_sim.table.model import TableModel

FOLDER = Path(__file__).resolve().parents[1] / "host_sim" / "stories"
# house and set: a small set makes a short match
MATCHES = {
    "goliath penalty-always": 6,
    "classic": 6,
    "matador": 6,
    "tiddle-a-wink": 6,
    "draw": 6,
    "block": 6,
}
NAMES = {"1": "Ana", "2": "Inés", "3": "Olga"}  # before some of them words change
SLIPS = 0.15  # so that something is refused


@functools.cache
def lines(house: str) -> list[ConsoleLine]:
    board = SimulatedHub()
    seats = [*map(int, NAMES)]
    match = BotMatch(board, seats, house, MATCHES[house], seed=3, slips=SLIPS)
    match.play(1)
    board.hold("1")
    board.command("redo")
    return [*board.lines]


def text(language: str) -> str:
    """Return a match of each game as sentences, one line for each input."""
    found = []
    for house in MATCHES:
        story, table = Story(Translator(language), NAMES), TableModel()
        told = [story.sentences(table.take(line)) for line in lines(house)]
        said = [" ".join(sentence.text for sentence in one) for one in told]
        found.append("# %s\n%s\n" % (house, "\n".join(filter(None, said))))
    return "\n".join(found)
