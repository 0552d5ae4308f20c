# SPDX-License-Identifier: MIT
"""Tiles on the page stay where they are: a train keeps its fold while it grows."""

import re

import pytest
from core_session import CoreSession

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views import table_picture
from host_sim.app.views.stable_layout import KeptLayout
from host_sim.table.model import TableModel

ROOMS = ((390, 400), (900, 700))
MATCHES = (("puremco", 12, 2), ("puremco", 12, 8), ("classic", 12, 4), ("quebec", 12, 4))


def places(image):
    return dict(re.findall(r'data-tile="([\d-]+)" transform="([^"]*)"', image))


class Pictures:
    """The pictures of a table, one after every input."""

    def __init__(self, room):
        self.room = room
        self.layout = KeptLayout()
        self.places = {}
        self.refolds = 0
        self.in_turn = 0  # refolds while the turn stayed with the same seat

    def draw(self, table, line, turn):
        """Draw the table after an input. Check that no tile has moved, unless trains were folded
        again."""
        now = places(table_picture.svg(table, room=self.room, kept=self.layout))
        if self.layout.refolds == self.refolds:
            moved = [tile for tile, place in self.places.items() if now.get(tile, place) != place]
            assert not moved, (self.room, line["input"], moved)
        else:
            self.in_turn += table.state["turn"] == turn
        self.places, self.refolds = now, self.layout.refolds


def lines_of_a_round(house, set_, players, seed):
    session = CoreSession(dict.fromkeys(range(1, players + 1), "good"), house, set_, seed)
    session.play(1)
    return session.board.lines


@pytest.mark.parametrize("house, set_, players", MATCHES, ids=lambda value: str(value))
def test_a_tile_is_added_and_nothing_else_moves(house, set_, players):
    table, pictures, turns = TableModel(), [Pictures(room) for room in ROOMS], [None]
    for line in lines_of_a_round(house, set_, players, 2):
        table.take(line)
        for picture in pictures:
            picture.draw(table, line, turns[-1])
        turns.append(table.state["turn"])
    for picture in pictures:
        assert picture.refolds < len(turns) / 4, "trains are folded again too often"
        assert picture.in_turn <= 1, "a train is folded again between two turns"


def test_names_on_a_television_are_large_at_any_length_of_the_trains():
    """40 px of 1080, with the size of the table there."""
    table, layout, scales = TableModel(), KeptLayout(is_television=True), set()
    for line in lines_of_a_round("puremco", 12, 8, 2):
        table.take(line)
        image = table_picture.svg(table, room=(1344, 907), kept=layout)
        sizes = re.findall(r'<text font-size="([\d.]+)"[^>]*><textPath', image)
        assert len(sizes) > 8 and min(map(float, sizes)) >= 40, line["input"]
        scales.add(layout.size.scale)
    assert {1.0, 1.4} <= scales


def test_a_tile_taken_back_leaves_the_others_where_they_are():
    table, layout, before = TableModel(), KeptLayout(), {}
    for line in lines_of_a_round("puremco", 12, 3, 3):
        table.take(line)
        before = places(table_picture.svg(table, kept=layout))
        if len(before) > 30:
            break
    refolds = layout.refolds
    tile = max(table.trains.values(), key=len).pop()
    now = places(table_picture.svg(table, kept=layout))
    assert layout.refolds == refolds and len(before) > 30
    assert now == {one: place for one, place in before.items() if one != tile}


def test_tiles_stay_on_the_page_for_a_whole_round(tmp_path):
    app = App(store=MatchStore(tmp_path), seed=1)
    app.start_match(house="jassshop", set_=6, seats=(1, 2, 3), people=())
    page, before, seen = ViewerPage(app, Rights(True, "own")), "", 0
    page.handle({"do": "room 900 700"})
    while app.table.session.waits_for().kind != "round":
        app.table.apply(lambda session: session.act())
        now = page.components()["table"]
        about = re.findall(r'data-folds="[^"]*"|<svg[^>]* viewBox="[^"]*"', now)[:2]
        if about == re.findall(r'data-folds="[^"]*"|<svg[^>]* viewBox="[^"]*"', before)[:2]:
            there = places(now)
            assert all(there.get(tile, at) == at for tile, at in places(before).items())
            seen += 1
        before = now
    assert seen > 15
