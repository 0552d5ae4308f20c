# SPDX-License-Identifier: MIT
"""Whole matches of bots, through chip, driver, hub, table, journal and pixels."""

import io
import json
import re

import pytest
from hub_actions import quick_hub

from host_sim.__main__ import main
from host_sim.app.players import lamp_verified_match
from host_sim.app.players.bot_match import BotMatch
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.table.games.tile_rules import Disagreement
from roundhouse.games import houses
from roundhouse.games.line_games import sheets as lines_sheets

# house, set, players, rounds, seed; the bots compare the hub's totals with their own hands after
# every round, and every line is compared with the lights. Each game has a whole match.
MATCHES = (
    ("puremco", 12, 8, 2, 3),
    ("puremco", 18, 10, 1, 6),
    ("puremco", 6, 2, 7, 7),
    ("original", 12, 3, 2, 8),
    ("quebec", 12, 4, 2, 9),
    ("jassshop laid-out plus-points one-foreign-tile", 12, 3, 2, 11),
    ("goliath", 12, 4, 2, 12),
    ("free", 6, 3, 5, 1),
    ("cardinal deal-4 upward", 6, 2, 7, 15),
    ("puremco deal-any", 6, 2, 3, 16),
    ("jassshop deal-any rounds-2", 9, 3, 9, 18),
    ("puremco deal-5-4 first-3", 6, 3, 9, 19),
    ("classic", 6, 3, 20, 1),
    ("classic first-double tie-shared", 12, 7, 3, 2),
    ("matador", 9, 4, 20, 3),
    ("matador ten every-double", 12, 8, 2, 4),
    ("tiddle-a-wink", 12, 10, 20, 5),
    ("draw blank-50", 9, 2, 20, 6),
    ("block tie-each", 6, 4, 30, 7),
)
_PLAYED = {match[0].split()[0] for match in MATCHES}
MATCHES += tuple((house, 6, 3, 2, 1) for house in houses.HOUSES if house not in _PLAYED)
# Clubs' own sheets, as config.py's FAMILY has them (firmware/RULES.md, O)
CLUBS = {
    "idaho": (
        "jassshop",
        {"deal": "16 15 14 13 12 11 10", "first-turn": "any", "not-begun": "any"},
    ),
    "florida": ("puremco", {"deal": "12", "first-engine": "9"}),
    "texas": ("puremco", {"deal": "12 11 10 12 11 10 9"}),
}
CLUB_MATCHES = (  # house, set, seats, rounds
    ("florida", 6, (1, 2), 7),
    ("texas", 6, (3, 8), 7),
    ("cardinal", 6, (1, 5, 9), 7),
    ("idaho", 9, (1, 4, 6), 10),
)
SHORT = (  # the others take 1 to 3 s of processor time each
    *(("original", 12, 3), ("matador ten every-double", 12, 8)),
    *(("tiddle-a-wink", 12, 10), ("puremco deal-any", 6, 2)),
)


def marked():
    slow = pytest.mark.slow
    return [pytest.param(match, marks=() if match[:3] in SHORT else slow) for match in MATCHES]


@pytest.mark.parametrize("match", marked(), ids=lambda m: "%s-%d-%d" % m[:3])
def test_a_match_ends_as_the_hands_say(match):
    house, set_, players, rounds, seed = match
    board = SimulatedHub(seed=seed, coarse_waits=True)
    played, board = lamp_verified_match.play(
        house, set_, players, rounds, seed, slips=0.05, board=board
    )
    line = played.line
    assert line["phase"] == "finished"
    assert line["scores"] == {str(seat): points for seat, points in played.totals.items()}
    most_win = "plus-points" in house or house.split()[0] in lines_sheets.HOUSES
    best = max if most_win else min
    target = best(played.totals.values())
    assert line["winner"] == [seat for seat, n in played.totals.items() if n == target]
    assert played.refusals > 0 or house == "free", "the slips were refused"


class ByButtons(BotMatch):
    """A match on a hub whose config.py has the rules."""

    def join(self):
        for seat in self.seats:
            self.press(seat)


def club_matches():
    slow = pytest.mark.slow
    return [pytest.param(*row, marks=() if row[0] == "texas" else slow) for row in CLUB_MATCHES]


@pytest.mark.parametrize("house, set_, seats, rounds", club_matches())
def test_a_club_plays_by_its_sheet_without_the_console(house, set_, seats, rounds):
    config = configured(FAMILY=CLUBS, HOUSE=house, SET=set_)
    board = SimulatedHub(config, seed=len(seats), coarse_waits=True)

    def check(action, line):
        lamp_verified_match.compare(board, line)
        board.lamp_reader.reset(board.ms)

    match = ByButtons(board, seats, house, set_, set_, slips=0.05, on_input=check)
    assert match.play(99)["phase"] == "finished"
    assert match.line["winner"] and match.line["round"] == rounds
    assert {line["input"].split()[0] for line in board.inputs} == {"power-up", "tap", "press"}
    dealt = {line["round"]: line["hands"] for line in reversed(board.inputs) if line["round"]}
    deal = CLUBS[house][1]["deal"].split() if house in CLUBS else None
    if deal:
        size = int(deal[min(len(seats) - 2, len(deal) - 1)])
        assert {max(hands.values()) for hands in dealt.values()} == {size}
    engines = [line["engine"] for line in board.inputs if line["did"] == "opened"]
    assert engines == ["%d-%d" % (n, n) for n in reversed(range(rounds))]


def test_seats_may_be_anywhere():
    board = quick_hub()
    match = BotMatch(board, (2, 5, 9), "puremco", 12, seed=3)
    match.play(1)
    assert set(match.line["scores"]) == {"2", "5", "9"}


@pytest.mark.slow
def test_a_breadboard_plays_as_well():
    config = configured(WIRING="breadboard", STATIONS=8)
    board = SimulatedHub(config, coarse_waits=True)
    match, _ = lamp_verified_match.play("puremco", 6, 3, 1, 4, board=board)
    assert match.line["phase"] == "finished"


@pytest.mark.parametrize("lamp, key", [(0, "turn"), (1, "open"), (2, "doubles")])
def test_a_lamp_that_is_dark_is_seen(lamp, key):
    """The comparison of the lamps with the console line fails if a lamp is always dark."""

    def dark(grb):
        broken = bytearray(grb)
        for slot in range(0, len(grb), 12):
            broken[slot + 3 * lamp : slot + 3 * lamp + 3] = b"\0\0\0"
        return bytes(broken)

    with pytest.raises(Disagreement, match=key):
        lamp_verified_match.play(
            "puremco", 12, 4, 13, 1, board=SimulatedHub(corrupt_frame=dark, coarse_waits=True)
        )


def test_a_miscount_is_seen():
    board = quick_hub()
    match = BotMatch(board, (1, 2), "puremco", 6, seed=1)
    match.join()
    while match.act():
        pass
    match.compare_points()
    loser = next(seat for seat in match.seats if match.hands[seat])
    match.hands[loser].pop()
    with pytest.raises(Disagreement, match="the hub counts"):
        match.compare_points()


SMALL = ["demo", "--set", "6", "--players", "2"]


def test_what_demo_prints(capsys):
    assert main([*SMALL, "--seed", "2"]) == 0
    text = capsys.readouterr().out
    assert "6-6 lies in the middle, and" in text and "Ana laid " in text
    assert "--- round 1 of 1" in text
    assert "tap " not in text and "press" not in text
    told = [line for line in text.splitlines() if re.search(" 1....   2....   M", line)]
    assert len(told) > 20 and all(line[0] != " " and line[56:58] == "  " for line in told)
    assert "lights and lines agreed at each" in text


def test_json_has_the_line_of_every_input(capsys):
    assert main([*SMALL, "--seed", "2", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(line["verdict"] for line in lines)
    assert lines[-1]["phase"] == "finished"


def test_a_deal_for_which_there_are_too_few_tiles_is_named(capsys):
    assert main([*SMALL, "--house", "puremco deal-20"]) == 2
    assert "puremco with set 6: too few tiles for that deal" in capsys.readouterr().err


def test_no_tiles_are_told_that_the_hub_does_not_count(capsys):
    assert main([*SMALL, "--house", "puremco deal-any"]) == 0
    text = capsys.readouterr().out
    assert "is out! The round is over." in text or "You have ended the round." in text
    assert "--- round 1 of 1; 12 inputs" in text and "None" not in text


def test_too_many_players_are_named(capsys):
    assert main(["demo", "--set", "9", "--players", "5"]) == 2
    assert "2..4 players" in capsys.readouterr().err


def test_a_terminal_gets_a_bar_that_fills(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    assert main(SMALL) == 0
    bars = [part.split("\r")[0] for part in out.getvalue().split("[") if part[:1] in "#."]
    filled = [bar.split("]")[0].count("#") for bar in bars if "]" in bar]
    assert filled[0] < 10 and max(filled) == 40
    assert "winner" in out.getvalue() or "points" in out.getvalue()
