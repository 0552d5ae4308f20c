# SPDX-License-Identifier: MIT
"""Matches on the rules core alone: honest players are never refused and count the same points."""

import io
import itertools
import json

import pytest

from host_sim.lab import selfplay
from host_sim.lab.selfplay import SelfPlay
from host_sim.table.games import house_info
from host_sim.table.games.line_games import bot as line_bots
from roundhouse.games import houses
from roundhouse.games.line_games import sheets as lines_sheets

LINES = lines_sheets.HOUSES
HOUSES = [house for house in houses.HOUSES if house not in ("free", *LINES)]
VARIANTS = [
    (house, word)
    for house in HOUSES
    for word in house_info.variant_words(houses.HOUSES.index(house))
]
OF_LINES = [name for name, _ in houses.variants(houses.HOUSES.index("classic"))]


@pytest.mark.parametrize(
    "house", [*LINES, *(pytest.param(house, marks=pytest.mark.slow) for house in HOUSES)]
)
@pytest.mark.parametrize("set_", (6, 9, 12, 15, 18))
def test_every_house_and_set(house, set_):
    index = houses.HOUSES.index(house)
    for players in range(2, house_info.most_seats(index, set_) + 1):
        game = SelfPlay(index, 0, set_, players, seed=players)
        game.match()
        assert game.turns > 2 * game.rounds
        if house in LINES:
            target = 2 * int(game.options["target"])
            assert max(game.core.total(seat) for seat in range(1, players + 1)) >= target
        else:
            assert game.rounds == (13 if house == "goliath" else set_ + 1)


@pytest.mark.parametrize(
    "house, variant",
    [*VARIANTS, *itertools.product(LINES, OF_LINES)],
)
def test_every_variant(house, variant):
    index, variants = houses.parse([house, variant])
    SelfPlay(index, variants, 12, 6 if house in LINES else 4, seed=1).match()


def test_a_line_game_is_played_with_its_own_set():
    out = io.StringIO()
    assert selfplay.run("matador", None, 8, 2, 5, as_json=True, out=out) == 0
    with_nine = io.StringIO()
    selfplay.run("matador", 9, 8, 2, 5, as_json=True, out=with_nine)
    assert json.loads(out.getvalue())["turns"] == json.loads(with_nine.getvalue())["turns"]


def test_a_line_game_counted_wrongly_is_unfair(monkeypatch):
    monkeypatch.setattr(line_bots, "points", lambda left, *_: dict.fromkeys(left, 1))
    with pytest.raises(selfplay.Unfair, match="seat . gained 1"):
        SelfPlay(houses.HOUSES.index("classic"), 0, 6, 2, seed=1).match()


def test_the_same_seed_plays_the_same():
    lines = []
    for _ in range(2):
        out = io.StringIO()
        assert selfplay.run("puremco", 9, 3, 2, 5, as_json=True, out=out) == 0
        lines.append(json.loads(out.getvalue().splitlines()[-1]))
    assert lines[0]["turns"] == lines[1]["turns"] > 0
    assert lines[0]["rounds"] == 20
    assert list(lines[0]) == ["rounds", "turns", "seconds"]


def test_a_wrong_count_is_unfair():
    game = SelfPlay(houses.HOUSES.index("puremco"), 0, 6, 2, seed=1)
    game.options["blank"] = "7"  # the players count the double blank otherwise than the core
    with pytest.raises(selfplay.Unfair):
        for _ in range(20):
            game.match()


def test_free_and_too_many_players_are_refused(capsys):
    assert selfplay.run("free", 12, 4, 1, 1) == 2
    assert selfplay.run("puremco", 12, 9, 1, 1) == 2
    assert "2..8 players" in capsys.readouterr().err
