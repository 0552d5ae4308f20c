# SPDX-License-Identifier: MIT
"""The rule sheets side by side, a family's own house, and the console's answer to a change."""

import importlib
import re

import pytest
from guide_pages import TRAIN_GAMES
from hub_actions import quick_hub

from host_sim.__main__ import main
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.games import KINDS, house_info
from roundhouse import games, line_keys, settings
from roundhouse.games import houses

GRANDMA = {"grandma": ("jassshop", {"lock": "no", "blank": "25"})}

WITH_NUMBERS = {
    "deal-N": "deal any 1..30",
    "rounds-N": "rounds 1..19",
    "first-N": "first-engine 0..18",
}


def printed(capsys, *which):
    """Return {title: (names of houses, {first cell: rest of the row}, {variant word: meaning})} of
    the tables that `houses` prints."""
    assert main(["houses", *which]) == 0
    found = {}
    text, said, _ = capsys.readouterr().out.rpartition("(point: ")
    assert said
    for block in text.strip().split("\n\n"):
        title, head, *lines = block.splitlines()
        at = lines.index("variant words, after a house's name:")
        rows = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in lines[:at])
        words = dict(line.split(maxsplit=1) for line in lines[at + 1 :])
        found[title] = (re.split(r"\s{2,}", head)[2:], rows, words)
    return found


def test_every_game_has_a_table_with_its_options_houses_and_words(capsys):
    found = printed(capsys)
    assert list(found)[:2] == ["Mexican Train", "The line games"]
    assert sum((columns for columns, _, _ in found.values()), []) == houses.HOUSES
    for columns, rows, words in found.values():
        first = houses.HOUSES.index(columns[0])
        for option, point, values, says in houses.options(first):
            if values[0] != "-":  # a further number of the row before it
                assert rows[option].split() == [point, *says]
        told = {word: " ".join(change) for word, change in houses.variants(first)}
        assert {**told, **WITH_NUMBERS} == {**words, **WITH_NUMBERS}
    assert found["Mexican Train"][2].items() >= WITH_NUMBERS.items()
    trains, lines = (rows for _, rows, _ in list(found.values())[:2])
    assert trains["deal"].split() == ["O1", *["sheet"] * len(found["Mexican Train"][0])]
    assert "16 15 14 12 11 10 9" in trains["hands, set 12"]
    assert "16 16 16 16 16 15 13 12 10 9 9 8 7" in trains["hands, set 15"]
    seats = dict(zip(found["Mexican Train"][0], trains["seats, set 18"].split()[1:]))
    assert (seats["puremco"], seats["free"], seats["goliath"]) == ("2-14", "2-14", "2-10")
    assert lines["hands, set 9"].startswith("X1     7 7 7 7 7    7 7 7 7 7 5 5")
    assert lines["seats, set 6"].split()[:6] == ["C15", "2-4", "2-4", "2-5", "2-4", "2-4"]
    assert lines["set, if none is chosen"].split()[:6] == ["X2", "12", "9", "12", "12", "12"]


@pytest.mark.parametrize(
    "which, columns",
    [
        ("classic", ["classic"]),
        ("quebec", ["quebec"]),
        ("mexican-train", [*TRAIN_GAMES]),
    ],
)
def test_one_game_or_one_house_alone(capsys, which, columns):
    ((shown, _, _),) = printed(capsys, which).values()
    assert shown == columns


def test_an_unknown_game_is_named_with_those_there_are(capsys):
    assert main(["houses", "bingo"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("no bingo; there are mexican-train original ")
    assert said.endswith(" %s\n" % houses.HOUSES[-1])


def test_a_point_is_said_for_every_kind_of_game():
    assert [len(KINDS[game].POINTS) for game in games.GAMES] == [3] * len(games.GAMES)


def test_a_family_has_its_own_house():
    board = quick_hub(configured(FAMILY=GRANDMA))
    line = board.command("house grandma")
    assert line["verdict"] == "ok"
    table = board.hub.table
    assert (dict(line_keys.options(table))["lock"], dict(line_keys.options(table))["blank"]) == (
        "no",
        "25",
    )
    assert dict(line_keys.options(table))["engine"] == "in-hand", "the rest is the sheet's"
    assert house_info.hand_size(houses.HOUSES.index("grandma"), 12, 5) == 12
    board.press("1")
    board.press("2")
    board.tap("12-12", "1")
    before = bytes(table.state)
    board.unplug()
    assert bytes(board.hub.table.state) == before


@pytest.mark.parametrize(
    "family, said",
    [
        ({"x": ("monopoly", {})}, "no house monopoly; there are original"),
        ({"x": ("quebec", {"locks": "no"})}, "no option locks; there are engine"),
        ({"x": ("quebec", {"lock": "maybe"})}, "no lock maybe; there are yes no"),
        ({"x": ("classic", {"lock": "no"})}, "no option lock; there are doubles join"),
        ({"quebec": ("original", {})}, "a new name of at most 16 letters"),
        ({"two words": ("original", {})}, "a new name of at most 16 letters"),
        ({"x": "quebec"}, "FAMILY"),
        ("x", "FAMILY"),
    ],
)
def test_a_familys_mistake_is_named(family, said):
    with pytest.raises(settings.BadConfig, match="config.py: FAMILY") as mistake:
        settings.check(configured(FAMILY=family))
    assert said in str(mistake.value)


def test_a_change_of_house_says_what_changed():
    board = quick_hub()
    assert board.command("house original")["rules"] == {
        "second-double": "drawn",
        "lift": "yes",
    }
    assert board.command("house original no-lock")["rules"] == {"lock": "no"}
    assert board.command("house original no-lock")["rules"] == {}
    assert "rules" not in board.command("set 9")


def test_another_game_says_all_its_options():
    board = quick_hub()
    line = board.command("house matador five-each")
    assert (line["game"], line["house"], line["set"]) == ("matador", "matador five-each", 9)
    matador = houses.HOUSES.index("matador")
    assert line["rules"] == {
        **dict(house_info.in_words(matador, houses.preset(matador))),
        "hand": "five",
    }
    assert board.command("house matador")["rules"] == {"hand": "sheet"}


def test_what_games_declare_is_what_the_firmware_has():
    assert sorted(KINDS) == sorted(games.GAMES)
    for folder, kind in KINDS.items():
        sheets = games.sheets(games.GAMES.index(folder))
        assert sorted({*sheets.GAMES}) == sorted(kind.NAMES)
        assert sorted(sheets.HOUSES) == sorted(kind.HOUSES + kind.LAST)
        assert {*kind.MEASURED} == {*kind.NAMES} and {*kind.MEASURED.values()} <= {*sheets.HOUSES}


@pytest.mark.parametrize("game", KINDS)
def test_a_game_has_all_its_files(game):
    for part in ("bot", "guide", "referee", "soak_players"):
        importlib.import_module("host_sim.table.games.%s.%s" % (game, part))
