# SPDX-License-Identifier: MIT
"""The score sheet of a match: the points of each round, the ranks, and the tiles left in the
hands."""

from typing import NamedTuple

from host_sim.table.model import Points, Round, TableModel


class Rank(NamedTuple):
    """A seat's row in the ranking.

    place: from 1; seats with equal totals share a place
    hand: the count of tiles, or None if the hub does not count tiles
    out: whether the seat went out in the current round or, between rounds, in the round just
        played
    """

    place: int
    seat: int
    total: Points
    hand: int | None
    out: bool


class ScoreSheet:
    def __init__(self, table: TableModel) -> None:
        self.table = table

    @property
    def rounds(self) -> list[Round]:
        """The finished rounds, oldest first."""
        return list(self.table.scores.rounds)

    @property
    def left_now(self) -> dict[int, list[str]]:
        """The tiles counted so far at the end of a round, {seat: [tile text, ...]}."""
        return self.table.scores.left

    @property
    def most_win(self) -> bool:
        """Whether the most points win, deduced from the hub's lines."""
        line, scores = self.table.state, self.table.scores
        if line and line["winner"]:
            totals = line["scores"].values()
            best = line["scores"][str(line["winner"][0])]
            if min(totals) != max(totals):
                return best == max(totals)
        if any(row.out and row.points.get(row.out, 0) > 0 for row in scores.rounds):
            return True
        if line and "sides" in line:
            return True
        return scores.option == "plus" or "plus-points" in scores.house

    def ranks(self) -> list[Rank]:
        """Return a Rank for every seat, the best first. Seats with the same place are in the order
        of their numbers."""
        line, scores = self.table.state, self.table.scores
        if not line:
            return []
        sign = -1 if self.most_win else 1
        worth = {int(seat): sign * total for seat, total in line["scores"].items()}
        out = scores.out
        if out is None and line["phase"] in ("engine", "finished") and scores.rounds:
            out = scores.rounds[-1].out
        return [
            Rank(
                1 + sum(other < worth[seat] for other in worth.values()),
                seat,
                line["scores"][str(seat)],
                line["hands"].get(str(seat), 0),
                seat == out,
            )
            for seat in sorted(worth, key=lambda seat: (worth[seat], seat))
        ]
