# SPDX-License-Identifier: MIT
"""The referee of the line games is right in cases that scripts and evenings do not show."""

from pathlib import Path

import pytest
from line_scripts import LineScript, Wrong
from positions import tile

from host_sim.table.games import house_info
from host_sim.table.games.line_games import sheets as line_sheets
from host_sim.table.games.line_games.referee import Referee as LineReferee
from roundhouse import tiles
from roundhouse.constants import E, M
from roundhouse.games import houses

FOLDER = Path(__file__).parents[1] / "scripts" / "games"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.table")))
def test_the_scripts_hold_for_the_referee(name):
    LineScript().run((FOLDER / name).read_text(), name)


def test_a_script_that_does_not_hold_is_noticed():
    with pytest.raises(Wrong, match="story:3: expect turn 3: it is 1"):
        LineScript().run("players 3\ngiven engine 12-12\nexpect turn 3", "story")


def story(text):
    """Carry out script lines; return the referee after the last one."""
    script = LineScript()
    script.run(text, "story")
    return script.referee


def table(house, lines="", **given):
    """Return a referee in the middle of a round.

    lines: the laid tiles, the opening tile first, such as `12-12; 1 12-5 5-7; 2 12-3`
    given: `players` is the count of players; any other NAME=VALUE becomes a line
        `given NAME VALUE`
    """
    opening, *rest = [part.strip() for part in lines.split(";")]
    said = ["house " + house, "players %d" % given.pop("players", 3), "given engine " + opening]
    said += ["given train " + line for line in rest]
    said += ["given %s %s" % pair for pair in given.items()]
    return story("\n".join([*said, "expect phase play"]))


def tap(r, text, slot, **how):
    return r.tap(slot, tile(text), **how)


@pytest.mark.parametrize("house", line_sheets.HOUSES)
def test_the_referees_sheets_and_the_hubs_have_the_same_numbers(house):
    """The referee's own rule sheets agree with the hub's: sets, options, seats and hands."""
    index = houses.HOUSES.index(house)
    assert house_info.own_set(index) == line_sheets.OWN_SET.get(house, 12)
    assert {option: tuple(values) for option, _, values, _ in houses.options(index)} == (
        line_sheets.VALUES
    )
    for words in [[house]] + [[house, variant] for variant in line_sheets.VARIANTS]:
        preset = house_info.in_words(index, houses.preset(*houses.parse(words)))
        assert dict(preset) == line_sheets.options_of(words), words
    for set_ in line_sheets.SETS:
        most = line_sheets.most_seats(house, set_)
        assert house_info.most_seats(index, set_) == most
        for seats in range(2, most + 1):
            options = line_sheets.options_of([house])
            size = line_sheets.hand_size(house, options, set_, seats)
            assert house_info.hand_size(index, set_, seats) == size, (set_, seats)


def test_3_the_highest_double_opens_and_is_the_turn_of_its_holder():
    r = LineReferee("classic", 12, (1, 2, 3))
    r.press(E)
    r.deal({1: [tile("12-11")], 2: [tile("3-3")], 3: [tile("8-8"), tile("1-0")]}, [])
    assert r.highest() == (3, tile("8-8"))
    assert tap(r, "8-8", 3) == "ok"
    view = r.view()
    assert (view["engine"], view["turn"], view["by"], view["did"]) == ("8-8", 1, 3, "opened")
    assert view["hands"] == {"1": 9, "2": 9, "3": 8}


def test_x7_without_a_double_the_highest_tile_opens():
    r = LineReferee("matador", 9, (1, 2))
    r.press(E)
    r.deal({1: [tile("8-6"), tile("9-4")], 2: [tile("9-5")]}, [])
    assert r.highest() == (2, tile("9-5")), "equal sums: the higher half"
    assert tap(r, "9-5", 2) == "ok" and r.turn == 1
    assert r.view()["engine"] == "9-5" and r.view()["sides"] == {"9": 1, "5": 1}


def test_x7_classic_mixes_again():
    r = LineReferee("classic", 9, (1, 2))
    r.press(E)
    r.deal({1: [tile("8-6")], 2: [tile("9-5")]}, [])
    assert r.highest() is None


def test_x10_who_sees_the_table_goes_by_how_it_lies():
    r = table("matador", "9-9; 1 1-4")
    r.deal({1: [], 2: [tile("7-0"), tile("3-0"), tile("2-0")], 3: []}, [])
    tap(r, "7-3", 1, layout=(None, 3))
    assert [tiles.text(t) for slot, t in r.moves() if slot == 1] == ["7-0"]
    assert tap(r, "3-0", 1) == "ok", "the hub cannot know"


def test_a_line_begins_on_any_empty_slot_as_long_as_there_is_one():
    r = LineReferee("classic", 12, (1, 2), stations=4)
    tap(r, "12-12", 1)
    for text, slot in (("12-1", 4), ("12-2", M), ("12-3", 3), ("12-12", 2)):
        tap(r, text, slot)
    assert r.view()["playable"] == ["1", "2", "3", "4", "M"] and r.view()["sides"] == {"12": 1}
    assert [tap(r, "3-3", 3), tap(r, "3-4", 1), tap(r, "3-5", 2)] == ["ok"] * 3
    assert r.lines.room == 1 and r.view()["sides"] == {}, "every slot has a line"


def test_nothing_fits_any_more():
    r = table("classic two-ends", "0-0; 1 0-1; 2 0-2", players=2)
    assert not r.dead()
    r.laid |= {t for t in range(91) if {1, 2} & {tiles.HIGH[t], tiles.LOW[t]}}
    assert r.dead()
