# SPDX-License-Identifier: MIT
"""Tests what an edit of HOUSE, SET or FAMILY in config.py does to a saved match."""

import pytest
from hub_actions import act, quick_hub

from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import configured
from roundhouse import constants
from roundhouse.games import houses

OWN = {"grandma": ("jassshop", {"lock": "no"})}
CHANGED = {"grandma": ("jassshop", {"lock": "no", "blank": "25"})}


class Table:
    """A simulated hub with a journal; `flashed` starts the hub again with other settings."""

    def __init__(self, folder, **changes):
        self.folder = folder
        self.flashed(**changes)

    def flashed(self, **changes):
        houses.set_family({})
        self.hub = quick_hub(
            configured(**{"HOUSE": "puremco", "SET": None, **changes}), self.folder
        )
        assert not [line for line in self.hub.lines if "error" in line]
        return self.line

    @property
    def line(self):
        return self.hub.inputs[-1]

    @property
    def rules(self):
        return self.line["house"], self.line["set"], self.line.get("config")

    def do(self, *lines):
        for line in lines:
            assert act(self.hub, line)["verdict"] == "ok", line
        return self

    def segments(self):
        return {path.name: path.read_bytes() for path in self.folder.glob("*.rhj")}


UNTOUCHED = {
    "new": [],
    "looked at": ["state", "press M", "tap totals 3"],
    "joined and left": ["press 1", "press 2", "press 1", "press 2"],
    "taken back": ["press 1", "undo", "house classic", "undo"],
    "played and forgotten": ["press 1", "press 2", "tap 9-9 1", "forget"],
    "all left after a match": ["set 6", "press 1", "press 2", "press E", "press E", "press E"]
    + ["press 1", "press 2"],
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_where_nobody_has_done_anything_config_counts(name, tmp_path):
    table = Table(tmp_path)
    if name == "played and forgotten":
        table.do("set 9")
    table.do(*UNTOUCHED[name])
    before = table.line["scores"]
    table.flashed(HOUSE="quebec lift", SET=15)
    assert table.rules == ("quebec lift", 15, None)
    assert (table.line["phase"], table.line["scores"]) == ("lobby", before)
    table.hub.unplug()
    assert table.rules == ("quebec lift", 15, None)
    table.flashed(HOUSE="matador")
    assert table.rules == ("matador", 9, None)
    kept = table.segments()
    for _ in range(3):
        table.hub.unplug()
    assert table.segments() == kept, "nothing is written where nothing changed"
    table.do("press 1", "press 2", "press E")
    assert table.line["phase"] == "engine"
    table.flashed()
    assert table.rules == ("matador", 9, "puremco")


@pytest.mark.parametrize("choice", ["house classic", "house puremco", "set 9", "tap house draw 3"])
@pytest.mark.parametrize("then", ["nothing", "redone", "seats forgotten"])
def test_what_was_chosen_in_the_lobby_stays(choice, then, tmp_path):
    table = Table(tmp_path).do(choice)
    chosen = table.do("state").rules[:2]
    if then == "redone":
        table.do("undo", "redo")
    elif then == "seats forgotten":
        table.do("press 1", "forget")
    for _ in range(2):
        line = table.flashed(HOUSE="quebec", SET=15)
        assert table.rules == (*chosen, "quebec")
        assert line["phase"] == "lobby"
    table.do(*["undo"] * (3 if then == "seats forgotten" else 1))
    table.flashed(HOUSE="quebec", SET=15)
    assert table.rules == ("quebec", 15, None), "the choice was taken back"


def test_what_was_chosen_stays_over_more_than_a_segment(tmp_path):
    table = Table(tmp_path).do("house classic", *["join 1", "leave 1"] * 26)
    assert len(table.segments()) == 3
    table.flashed(HOUSE="quebec")
    assert table.rules == ("classic", 12, "quebec")


@pytest.mark.parametrize("phase", ["lobby", "engine", "play", "scoring", "finished"])
def test_where_somebody_has_joined_the_rules_stay(phase, tmp_path):
    lines = ["press 1", "press 2", "press E", "tap 12-12 1", "press E", "press E", "press E"]
    table = Table(tmp_path, HOUSE="original")
    table.do(*lines[: {"lobby": 2, "engine": 3, "play": 4, "scoring": 5, "finished": 7}[phase]])
    table.flashed(HOUSE="quebec", SET=15)
    assert (table.line["phase"], table.rules) == (phase, ("original", 12, "quebec"))


def test_the_seats_of_a_match_that_is_over_keep_its_rules(tmp_path):
    table = Table(tmp_path, HOUSE="original").do("press 1", "press 2", *["press E"] * 3)
    assert (table.line["phase"], table.hub.hub.journal.match) == ("lobby", 2)
    table.flashed(HOUSE="quebec")
    assert table.rules == ("original", 12, "quebec")


def test_a_familys_sheet_that_was_edited_is_named(tmp_path):
    table = Table(tmp_path, HOUSE="grandma", FAMILY=OWN).do("press 1", "press 2")
    table.flashed(HOUSE="grandma", FAMILY=CHANGED)
    assert table.rules == ("grandma", 12, "grandma, changed")
    table.do("state")
    assert table.rules == ("grandma", 12, "grandma, changed")
    table.flashed(HOUSE="grandma", FAMILY=OWN)
    assert table.rules == ("grandma", 12, None)
    table.flashed(HOUSE="grandma lift", FAMILY=OWN)
    assert table.rules == ("grandma", 12, "grandma lift")
    table.flashed(HOUSE="quebec")
    assert table.rules == ("grandma", 12, "quebec")
    table.do("press 1", "press 2")
    table.flashed(HOUSE="grandma", FAMILY=CHANGED)
    assert table.rules == ("grandma", 12, None)
    changed = houses.preset(houses.HOUSES.index("grandma"))
    assert table.hub.hub.table.options == bytes(changed)


def test_what_came_before_an_edit_can_be_taken_back_and_is_told(tmp_path):
    """After an edit of config.py, `undo` brings back a match that was cleared before the edit."""
    table = Table(tmp_path, HOUSE="original").do("press 1", "press 3", "tap 12-12 3", "forget")
    table.flashed(HOUSE="quebec", SET=15)
    table.do("undo", "state")
    assert (table.rules, table.line["turn"]) == (("original", 12, "quebec"), 3)
    table.do("forget")
    table.flashed(HOUSE="quebec", SET=15)
    table.do("press 1", "press 2", "tap 15-15 2")
    lines = match_export.replay({int(name[:8]): data for name, data in table.segments().items()})
    told = [(line["input"], line.get("house"), line["phase"]) for line in lines]
    assert told[-4:] == [
        ("power-up", "quebec", "lobby"),
        ("press 1", None, "lobby"),
        ("press 2", None, "lobby"),
        ("tap 15-15 2", None, "play"),
    ]


def test_a_flash_that_refuses_leaves_the_lobby_as_it_was(tmp_path, monkeypatch):
    table = Table(tmp_path)
    kept = table.segments()
    houses.set_family({})
    from roundhouse.drivers import files

    def refuses(path, mode):
        if mode != "rb":
            raise OSError(5)
        return open(path, mode)

    monkeypatch.setattr(files, "open", refuses, raising=False)
    hub = quick_hub(configured(HOUSE="quebec", SET=None), tmp_path)
    assert "cannot be written" in next(line["error"] for line in hub.lines if "error" in line)
    assert (hub.inputs[-1]["house"], hub.inputs[-1]["config"]) == ("puremco", "quebec")
    assert hub.press("1")["verdict"] == constants.VERDICTS[constants.FAULT]
    monkeypatch.undo()
    assert table.segments() == kept
    table.flashed(HOUSE="quebec")
    assert table.rules == ("quebec", 12, None)
