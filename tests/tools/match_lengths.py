# SPDX-License-Identifier: MIT
"""Measures how long matches are, by self-play: the tables of host_sim/app/people/match_lengths.py.

A cell of a table is the mean of some rounds of one house, set and number of players: more of them
with the house's own set, which most people choose.
"""

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "firmware")]

from host_sim.lab.selfplay import SelfPlay  # noqa: E402
from host_sim.table.games import house_info, offered, tile_rules  # noqa: E402
from roundhouse import tiles  # noqa: E402
from roundhouse.games import houses  # noqa: E402

FILE = ROOT / "host_sim" / "app" / "people" / "match_lengths.py"
OWN_SET_ROUNDS, ROUNDS = 200, 50
SEED = 1
ENFORCES_NOTHING = "free"  # no honest play can be measured
TEXT = '''\
# SPDX-License-Identifier: MIT
"""How long rounds and matches are, from self-play: `make made`.

Both tables are {house: {highest number on the tiles: numbers for 2, 3, 4 ... players}}.
"""

Table = dict[str, dict[int, tuple[int, ...]]]

# turns in a round
TURNS: Table = {
%s}

# rounds in a match, in games that are played for points
ROUNDS: Table = {
%s}
'''


def cell(house: str, set_: int, players: int) -> tuple[int, int]:
    """Return (turns in a round, rounds in a match) of a house, as whole numbers."""
    index = houses.HOUSES.index(house)
    play = SelfPlay(index, 0, set_, players, SEED)
    wanted = OWN_SET_ROUNDS if set_ == house_info.own_set(index) else ROUNDS
    matches = 0
    while play.rounds < wanted:
        play.match()
        matches += 1
    return round(play.turns / play.rounds), round(play.rounds / matches)


def is_for_points(house: str) -> bool:
    return "target" in tile_rules.options_of(houses.HOUSES.index(house), 0)


def text() -> str:
    """Return the module with the tables. This takes a minute or two."""
    turns, rounds = {}, {}
    for house in offered():
        if house == ENFORCES_NOTHING:
            continue
        index = houses.HOUSES.index(house)
        cells = {
            set_: [
                cell(house, set_, players)
                for players in range(2, 1 + house_info.most_seats(index, set_))
            ]
            for set_ in tiles.SETS
        }
        turns[house] = _row(house, cells, lambda one: one[0])
        if is_for_points(house):
            rounds[house] = _row(house, cells, lambda one: one[1])
    return TEXT % ("".join(turns.values()), "".join(rounds.values()))


def _row(
    house: str,
    cells: dict[int, list[tuple[int, int]]],
    number: Callable[[tuple[int, int]], int],
) -> str:
    lines = [
        "        %d: (%s),\n" % (set_, ", ".join(str(number(one)) for one in row))
        for set_, row in cells.items()
    ]
    return '    "%s": {\n%s    },\n' % (house, "".join(lines))
