# SPDX-License-Identifier: MIT
"""The page plays the tune that the hub's own piezo starts at the same input."""

from pathlib import Path

import pytest
from hub_actions import quick_hub

from host_sim.app.page import sounds
from host_sim.board.hub.table_script import ExpectationFailed, Script
from host_sim.table.model import TableModel
from roundhouse.drivers import piezo

FOLDER = Path(__file__).resolve().parents[1] / "scripts"
SCRIPTS = sorted(
    path.relative_to(FOLDER).as_posix()
    for folder in ("match", "people", "games")  # every kind of input there is
    for path in (FOLDER / folder).glob("*.table")
)


class Ear:
    """Compares, for each line of a hub, the tune of the hub's piezo with that of the page."""

    def __init__(self, monkeypatch):
        self.played = []
        self.wrong = []
        self.heard = set()
        self.table = TableModel()
        play = piezo.Piezo.play

        def begin(player, tune, now):
            self.played.append(tune)
            play(player, tune, now)

        monkeypatch.setattr(piezo.Piezo, "play", begin)

    def compare(self, board, told):
        """Compare the tunes for the lines from index `told` on; return the count of lines so
        far."""
        for line in board.lines[told:]:
            if "input" not in line:
                continue
            name = sounds.tune(self.table.take(line))
            if name != (self.played[-1] if self.played else None):
                self.wrong.append(
                    (line["input"], line["verdict"], line.get("did"), name, self.played)
                )
            self.heard.add(name)
        self.played = []
        return len(board.lines)


def listen(name, monkeypatch):
    """Run a script one input at a time; return the Ear that has heard it."""
    ear = Ear(monkeypatch)
    script = Script(make_board=quick_hub)
    told = 0
    board = None
    for text in (FOLDER / name).read_text().splitlines():
        words = text.split("#")[0].split()
        if not words or words[0] in ("expect", "unplug", "down", "up", "put", "remove", "wait"):
            continue
        try:
            script.run_line(words, text)
        except (ExpectationFailed, ValueError):
            return ear
        if script.board is not board:
            board, told = script.board, len(script.board.lines) if script.board else 0
            ear.table, ear.played = TableModel(), []
            for line in board.inputs if board else ():
                ear.table.take(line)
        elif board:
            told = ear.compare(board, told)
    return ear


@pytest.mark.parametrize("name", SCRIPTS[::3])
def test_the_page_plays_what_the_hub_plays(name, monkeypatch):
    assert listen(name, monkeypatch).wrong == []
