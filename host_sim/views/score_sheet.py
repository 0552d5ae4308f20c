# SPDX-License-Identifier: MIT
"""The score sheet of a match, kept from console lines: points by round, ranks, what is left.

It adds up nothing that a line does not say: a round's points are what the totals rose by since it
began, in play or with its last seat's `done`. Points are numbers, 12 or 25.5; seats are too.
"""

from collections import namedtuple

from host_sim.views import reported_input
from host_sim.views.undo_stack import UndoStack

# place: 1 for the best, equal totals share it; total: points of the match; hand: tiles in hand;
# out: whether this seat went out in the round that is played or counted, or in the last one
Rank = namedtuple("Rank", "place seat total hand out")

# What the sheet says at one moment. rounds: finished ones, oldest first; left: ((seat, tile), ...)
# counted in this round; out: who went out in it; house: its words, where a line has said them;
# option: `penalty` or `plus`, where a line has said it; began: {seat: total} when the round began,
# None before the first line.
Sheet = namedtuple("Sheet", "rounds left out house option began")
EMPTY = Sheet((), (), None, (), None, None)


class ScoreSheet:
    """The score sheet of one table. Feed every line of the hub to `line`, in order.

    A take-back brings back what the sheet said before the input, whatever that was.
    """

    def __init__(self):
        self._line = None  # the newest line of an input
        self._sheet = EMPTY
        self._undo_stack = UndoStack()  # of each the Sheets before and after it

    @property
    def rounds(self):
        """The finished rounds, oldest first, a dict each.

        round: its number; engine: the opening tile; points: {seat: points}; left: {seat: [tile
        text, ...]} of the tiles that were counted; out: the seat that went out, or None.
        """
        return [
            {**row, "points": dict(row["points"]), "left": by_seat(row["left"])}
            for row in self._sheet.rounds
        ]

    @property
    def left_now(self):
        """What has been counted so far while a round is counted: {seat: [tile text, ...]}."""
        return by_seat(self._sheet.left)

    @property
    def most_win(self):
        """Whether the most points win, else the fewest do.

        No line says it outright. A winner tells it; a seat that went out and gained points tells
        it too, for where the fewest win it has none. Until then the game and the house do: line
        games and `plus-points` count upwards, so does a house whose `score` option says so.
        """
        line = self._line
        if line and line["winner"]:
            totals = line["scores"].values()
            best = line["scores"][str(line["winner"][0])]
            if min(totals) != max(totals):
                return best == max(totals)
        if any(row["points"].get(row["out"], 0) > 0 for row in self._sheet.rounds):
            return True
        if line and "sides" in line:
            return True
        return self._sheet.option == "plus" or "plus-points" in self._sheet.house

    def ranks(self):
        """Return a Rank for every seat that plays, the best first, equal ones by their seat."""
        line = self._line
        if not line:
            return []
        sign = -1 if self.most_win else 1
        worth = {int(seat): sign * total for seat, total in line["scores"].items()}
        sheet = self._sheet
        out = sheet.out
        if out is None and line["phase"] in ("engine", "finished") and sheet.rounds:
            out = sheet.rounds[-1]["out"]
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

    def line(self, line):
        """Take one line of the console, a dict; whatever it is."""
        if "dropped" in line:
            self._undo_stack.clear()
        if "input" not in line:
            return
        line = reported_input.fill_in(line, self._line)
        before, self._line = self._line or line, line
        if self._sheet.began is None:
            self._sheet = self._sheet._replace(began=line["scores"])
        did = line["did"]
        if line["verdict"] != "ok":
            return
        if reported_input.inputs_missed(line, before):
            self._undo_stack.clear()
        if did == "took-back":
            taken = self._undo_stack.take_back()
            self._sheet = taken[0] if taken else self._unseen(line)
        elif did == "put-back":
            put = self._undo_stack.put_back()
            self._sheet = put[1] if put else self._next(line, before)
        else:
            was = self._sheet
            if "house" in line:
                option = line.get("rules", {}).get("score", was.option)
                house = tuple(line["house"].split())
                self._sheet = was._replace(house=house, option=option)
            if did != "showed":
                self._sheet = self._next(line, before)
                self._undo_stack.add((was, self._sheet))

    def _unseen(self, line):
        """Return the sheet after a take-back of what this one did not see."""
        done = line["round"] - (line["phase"] != "finished")
        rounds = tuple(row for row in self._sheet.rounds if row["round"] <= done)
        return self._sheet._replace(rounds=rounds, left=(), began=line["scores"])

    def _next(self, line, before):
        """Return the sheet after an input."""
        sheet = self._sheet
        if line["phase"] == "lobby":
            return sheet._replace(rounds=(), left=(), out=None, began=line["scores"])
        if reported_input.round_ended(line, before):
            rounds = (*sheet.rounds, self._finished(line, before))
            return sheet._replace(rounds=rounds, left=(), out=None, began=line["scores"])
        gesture = reported_input.parse(line["input"])
        if line["did"] == "corrected" and gesture.word == "score" and sheet.rounds:
            return self._corrected(line, before)
        if line["phase"] in ("engine", "play"):
            return sheet._replace(left=(), out=None)
        if before["phase"] == "play":
            gone = [int(seat) for seat, count in line["hands"].items() if count == 0]
            sheet = sheet._replace(left=(), out=gone[0] if gone else None)
        if line["did"] == "counted":
            counted = (int(gesture.slot), gesture.what)
            return sheet._replace(left=(*sheet.left, counted))
        return sheet

    def _finished(self, line, before):
        sheet = self._sheet
        return {
            "round": before["round"],
            "engine": before["engine"],
            "points": {
                int(seat): whole(total - self._sheet.began.get(seat, 0))
                for seat, total in line["scores"].items()
                if seat in before["scores"]
            },
            "left": sheet.left,
            "out": sheet.out,
        }

    def _corrected(self, line, before):
        """The points of the last round were corrected: by what the totals changed."""
        *older, last = self._sheet.rounds
        points, began = dict(last["points"]), dict(self._sheet.began)
        for seat, total in line["scores"].items():
            if int(seat) in points:
                by = total - before["scores"][seat]
                points[int(seat)] = whole(points[int(seat)] + by)
                began[seat] = began.get(seat, 0) + by
        return self._sheet._replace(rounds=(*older, {**last, "points": points}), began=began)


def by_seat(counted):
    """Return ((seat, tile), ...) as {seat: [tile, ...]}."""
    found = {}
    for seat, tile in counted:
        found.setdefault(seat, []).append(tile)
    return found


def whole(points):
    """Return points as an int where they are whole."""
    return int(points) if points == int(points) else points
