# SPDX-License-Identifier: MIT
"""The rule sheets side by side; a family's own house; what a change of house says."""

import pytest

from host_sim.__main__ import main
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import settings
from roundhouse.games import houses

GRANDMA = {"grandma": ("jassshop", {"lock": "no", "blank": "25"})}


@pytest.fixture(autouse=True)
def _sheets_alone():
    yield
    houses.families({})


def test_every_option_and_house_is_printed(capsys):
    assert main(["houses"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["option", "point", *houses.HOUSES]
    printed = {line.split()[0]: line.split()[2:] for line in lines[1 : len(houses.table(0)) + 1]}
    for option, _, _, says in houses.table(0):
        assert printed[option] == says
    assert any("hands, set 12" in line and "16 15 14 12 11 10 9" in line for line in lines)


def test_a_family_has_its_own_house():
    board = SimulatedHub(configured(FAMILY=GRANDMA))
    line = board.say("house grandma")
    assert line["verdict"] == "ok"
    table = board.hub.table
    assert (table.option("lock"), table.option("blank")) == ("no", "25")
    assert table.option("engine") == "in-hand", "the rest is the sheet's"
    assert houses.hand_size(table.house, 12, 5) == 12
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
        ({"quebec": ("original", {})}, "a new name of one word"),
        ({"two words": ("original", {})}, "a new name of one word"),
        ({"x": "quebec"}, "FAMILY"),
        ("x", "FAMILY"),
    ],
)
def test_a_familys_mistake_is_named(family, said):
    with pytest.raises(settings.BadConfig, match="config.py: FAMILY") as mistake:
        settings.check(configured(FAMILY=family))
    assert said in str(mistake.value)


def test_a_change_of_house_says_what_changed():
    board = SimulatedHub()
    assert board.say("house original")["rules"] == {
        "second-double": "drawn",
        "lift": "yes",
    }
    assert board.say("house original no-lock")["rules"] == {"lock": "no"}
    assert board.say("house original no-lock")["rules"] == {}
    assert "rules" not in board.say("set 9")
