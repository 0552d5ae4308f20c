# SPDX-License-Identifier: MIT
"""The table as described by the hub's console lines. Only this module interprets these lines.

The model does not know the rules of play.
"""

import copy
from typing import Literal, NamedTuple

from host_sim.table import inputs, safety_net
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games import are_trains, sum_of
from host_sim.table.inputs import Gesture
from host_sim.table.schema import shown
from roundhouse import constants, lamp_letters

Points = int | float  # 12 or 25.5


class Round(NamedTuple):
    """A finished round.

    engine: the engine or the opening tile, or None
    points: {seat: points gained in the round}
    left: {seat: tiles left in the hand}
    out: the seat that went out, or None
    """

    number: int
    engine: str | None
    points: dict[int, Points]
    left: dict[int, list[str]]
    out: int | None


class Scores(NamedTuple):
    """The scores as known after a console line.

    rounds: the finished rounds, oldest first
    left: {seat: tiles counted so far at the end of the current round}
    out: the seat that went out in the current round, or None
    done: the seats whose tiles have been counted in the current round
    house: the house and its variants, as typed on the console
    option: the value of the house's option `score`, or None if no line has shown it
    began: {seat: total at the beginning of the current round}, or None before the first line
    put_right: {seat: points by which its total was corrected, apart from any round}
    """

    rounds: tuple[Round, ...] = ()
    left: dict[int, list[str]] = {}
    out: int | None = None
    done: frozenset[int] = frozenset()
    house: tuple[str, ...] = ()
    option: str | None = None
    began: dict[str, Points] | None = None
    put_right: dict[int, Points] = {}


class Moment:
    """A console line, with what the model knew at its arrival.

    line: the console line; a line about an input always has the keys `by` and `did`
    before: the previous line about an input, or this line if it is the first
    first: whether this is the first line about an input
    gesture: the input; an empty Gesture for other lines
    missed: whether the model missed inputs
    undone: the Moment of the input that this line takes back or puts back, or None
    deal: the probable count of tiles dealt to each seat, if it is one more than the hub assumes;
        otherwise None
    """

    def __init__(self, line: ConsoleLine) -> None:
        self.line = line
        self.before = line
        self.first = False
        self.gesture = Gesture()
        self.missed = False
        self.undone: Moment | None = None
        self.scores_before = self.scores = Scores()
        self.deal: int | None = None


class TableModel:
    """The model of one table.

    moment: the Moment of the newest line about an input, or None
    trains: {slot: [tile text, ...]}, in the order they were laid
    trains_known: whether `trains` is complete; after missed lines or a take-back, it is incomplete
        until the hub has answered `state`
    faults: {slot: the broken part, "reader" or "button"}
    game: the game's name on the console
    house: the house and its variants, as typed on the console
    set: the highest number on the tiles
    stations: the names of the stations, or None for 1, 2, 3 ...
    scores: the Scores after the newest line
    standing: the Moments of the inputs not taken back, oldest first
    undone: the Moments of the inputs that can be put back, the next one last
    last_round: the table at the end of the last finished round, or None
    """

    def __init__(self) -> None:
        self.moment: Moment | None = None
        self.trains: dict[str, list[str]] = {}
        self.trains_known = False
        self.faults: dict[str, str] = {}
        self.game, self.house, self.set = "mexican-train", "", 12
        self.stations: list[str] | None = None
        self.scores = Scores()
        self.standing: list[Moment] = []
        self.undone: list[Moment] = []
        self.last_round: TableModel | None = None
        self._closing: Moment | None = None  # of the input that ended the play of the last round
        self._dealt: int | None = None  # tiles that the hub counted for each seat of this round

    @property
    def state(self) -> ConsoleLine | None:
        """The newest line about an input, or None if there is none."""
        return self.moment.line if self.moment else None

    # ---- taking lines ----

    def take(self, line: ConsoleLine) -> Moment:
        """Update the model with the next line of the hub, and return the line as a Moment. After
        an error, the Moment is about an unknown line, and `trains` is incomplete."""
        moment = Moment(line)
        with safety_net.under(line):
            self._take(moment)
            return moment
        self._forget_inputs()
        self.trains_known = False
        return Moment({"unknown": [shown(line.get("input", line))]})

    def _take(self, moment: Moment) -> None:
        line = moment.line
        if "input" in line:
            self._input(moment)
        elif "slot" in line and ("reader" in line or "button" in line):
            self._health(line)
        elif "dropped" in line:
            self._forget_inputs()

    def _input(self, moment: Moment) -> None:
        before = self.state
        line = moment.line
        moment.before, moment.first = before or line, before is None
        moment.gesture = inputs.parse(line["input"])
        moment.missed = line["verdict"] == "ok" and inputs.missed(line, moment.before)
        self.moment = moment
        if "game" in line:
            self.game, self.house, self.set = line["game"], line["house"], line["set"]
            self.stations = line.get("stations")
        self._lay(moment)
        self._count_deal(moment)
        if self.scores.began is None:
            self.scores = self.scores._replace(began=line["scores"])
        moment.scores_before = self.scores
        if line["verdict"] == "ok":
            self._stand(moment)
        moment.scores = self.scores

    def _health(self, line: ConsoleLine) -> None:
        part: Literal["reader", "button"] = "reader" if "reader" in line else "button"
        if line[part] in ("fault", "stuck", "loose"):
            self.faults[line["slot"]] = part
        elif line[part] not in ("reset", "slow"):
            self.faults.pop(line["slot"], None)

    def _lay(self, moment: Moment) -> None:
        line, before, gesture = moment.line, moment.before, moment.gesture
        if line["verdict"] == "ok" and (before["phase"], line["phase"]) != ("play", "play"):
            self._keep_round(moment)
        if "trains" in line:
            self.trains = {slot: list(tiles) for slot, tiles in line["trains"].items()}
            self.trains_known = True
        elif line["verdict"] != "ok":
            return
        elif line["phase"] != "play":
            if line["phase"] in ("lobby", "engine"):
                self.trains, self.trains_known = {}, True
            elif line["did"] == "laid" and before["phase"] == "play":
                self.trains.setdefault(gesture.slot, []).append(gesture.tile)
        elif self._goes_on(moment):
            return
        elif moment.first or before["round"] != line["round"] or before["phase"] != "play":
            self.trains = {}
            self.trains_known = not line["ends"]
        elif gesture.tile:
            self.trains.setdefault(gesture.slot, []).append(gesture.tile)
        elif moment.missed or line["did"] in ("took-back", "put-back"):
            self.trains_known = False

    def _keep_round(self, moment: Moment) -> None:
        line, before, gesture = moment.line, moment.before, moment.gesture
        if before["phase"] == "play":
            self._closing = moment
            if line["phase"] in ("engine", "finished") and line["did"] == "laid":
                self.trains.setdefault(gesture.slot, []).append(gesture.tile)
        closing = self._closing
        if line["phase"] != "engine" or before["phase"] not in ("play", "scoring") or not closing:
            return
        last = Moment(closing.line)
        if closing.line["phase"] == "engine":  # its hands and lamps are of the next round
            last.line = {
                **closing.before,
                "input": closing.line["input"],
                "verdict": closing.line["verdict"],
                "did": closing.line["did"],
                "by": closing.line["by"],
            }
        last.gesture = closing.gesture
        self.last_round = copy.copy(self)
        self.last_round.moment, self.last_round.trains = last, self.trains

    def _goes_on(self, moment: Moment) -> bool:
        line, before = moment.line, moment.before
        again = line["did"] == "put-back" and (before["phase"], line["phase"]) == (
            "scoring",
            "play",
        )
        return again or inputs.is_still_held(line, before)

    def _count_deal(self, moment: Moment) -> None:
        """Set `moment.deal` if the players were probably dealt one tile more than the hub
        assumes."""
        line, before = moment.line, moment.before
        if line["verdict"] != "ok":
            return
        if line["round"] != before["round"]:
            counts = [n for n in line["hands"].values() if n is not None]
            is_deal = line["did"] not in ("showed", "took-back", "put-back")
            self._dealt = max(counts, default=None) if is_deal else None
        elif inputs.is_still_held(line, before) and self._dealt and are_trains(self.game):
            asked = any(inputs.is_still_held(m.line, m.before) for m in self.standing)
            moment.deal = None if asked else self._dealt + 1

    # ---- inputs that stand ----

    def _stand(self, moment: Moment) -> None:
        line = moment.line
        if moment.missed:
            self._forget_inputs()
        if line["did"] == "took-back":
            if self.standing:
                moment.undone = self.standing.pop()
                self.undone.append(moment.undone)
                self.scores = moment.undone.scores_before
            else:
                self.scores = _unseen(self.scores, line)
        elif line["did"] == "put-back":
            if self.undone:
                moment.undone = self.undone.pop()
                self.standing.append(moment.undone)
                self.scores = moment.undone.scores
            else:
                self.scores = _next(self.scores, moment)
        else:
            if "house" in line:
                option = line.get("rules", {}).get("score", self.scores.option)
                house = tuple(line["house"].split())
                self.scores = self.scores._replace(house=house, option=option)
            if line["did"] != "showed":
                self.scores = _next(self.scores, moment)
                self.standing.append(moment)
                self.undone.clear()

    def _forget_inputs(self) -> None:
        self.standing.clear()
        self.undone.clear()

    # ---- what is on the table ----

    def lamps(self) -> dict[str, str]:
        """Return {slot: the letters of its four lamps}, in the order in which the hub lists its
        slots."""
        letters = self.state["lamps"] if self.state else ""
        count = len(letters) // 4
        stations = self.stations or []
        if len(stations) + 2 != count:
            stations = list(constants.SLOTS[1 : count - 1])
        slots = [*stations, "M", "E"] if count else []
        return {slot: letters[4 * n : 4 * n + 4] for n, slot in enumerate(slots)}

    def lacks_tiles(self) -> bool:
        """Return whether the set has too few tiles for the deal, as the lamps say in the lobby."""
        return self.lamps().get("E", ".")[lamp_letters.TURN] == "l"

    def train(self, slot: str) -> list[tuple[int, int]]:
        """Return the tiles of a slot's train or line as (inner number, outer number), turned so
        that as many halves as possible match.

        If possible, the last tile's outer number is the end that the hub reports.
        """
        state = self.state or {}
        end = state.get("ends", {}).get(slot)
        ends = end if isinstance(end, list) else [end]
        engine = state.get("engine")
        first = int(engine.split("-")[0]) if engine and are_trains(self.game) else None
        # the number at the end -> (how many joined, the tiles so far)
        turned: dict[int | None, tuple[int, list[tuple[int, int]]]] = {first: (0, [])}
        for text in self.trains.get(slot, ()):
            a, b = map(int, text.split("-"))
            longer: dict[int | None, tuple[int, list[tuple[int, int]]]] = {}
            for inner, outer in ((a, b), (b, a)):
                joined, before = max(
                    ((row[0] + self._join(end, inner), row[1]) for end, row in turned.items()),
                    key=lambda row: row[0],
                )
                longer.setdefault(outer, (joined, [*before, (inner, outer)]))
            turned = longer
        return max(turned.items(), key=lambda item: item[1][0] + (item[0] in ends))[1][1]

    def is_across(self, inner: int, outer: int) -> bool:
        """Return whether a tile is laid crosswise, as doubles are in games without a fixed sum."""
        return inner == outer and self._sum is None

    def _join(self, end: int | None, half: int) -> bool:
        """Return whether two touching halves match: they are equal, or have the game's fixed
        sum."""
        if self._sum is None:
            return end == half
        return end is not None and end + half == self._sum

    @property
    def _sum(self) -> int | None:
        return sum_of(self.game, self.house, self.set)


# ---- scores ----


def _unseen(scores: Scores, line: ConsoleLine) -> Scores:
    """Return the Scores after a take-back of an input that the model does not know."""
    done = line["round"] - (line["phase"] != "finished")
    rounds = tuple(row for row in scores.rounds if row.number <= done)
    return scores._replace(rounds=rounds, left={}, began=line["scores"])


def _next(scores: Scores, moment: Moment) -> Scores:
    line, before, gesture = moment.line, moment.before, moment.gesture
    if line["phase"] == "lobby":
        return Scores(house=scores.house, option=scores.option, began=line["scores"])
    if inputs.round_ended(line, before):
        rounds = (*scores.rounds, _finished(scores, line, before))
        return scores._replace(rounds=rounds, left={}, out=None, began=line["scores"])
    if line["did"] == "corrected" and gesture.word == "score" and scores.rounds:
        return _corrected(scores, line, before)
    if line["did"] == "corrected" and gesture.word == "total":
        return _put_right(scores, line, before)
    if line["phase"] in ("engine", "play"):
        return scores._replace(left={}, out=None, done=frozenset())
    if before["phase"] == "play":
        gone = [int(seat) for seat, count in line["hands"].items() if count == 0]
        if line["did"] == "out" and line["by"]:
            gone = [line["by"]]
        out = gone[0] if gone else None
        return scores._replace(left={}, out=out, done=frozenset(gone))
    if line["did"] == "counted":
        seat = int(gesture.slot)
        counted = [*scores.left.get(seat, ()), gesture.what]
        left = {**scores.left, seat: counted}
        return scores._replace(left=left, done=scores.done - {seat})
    if line["did"] == "done" and line["by"]:
        return scores._replace(done=scores.done | {line["by"]})
    return scores


def _finished(scores: Scores, line: ConsoleLine, before: ConsoleLine) -> Round:
    began = scores.began or {}
    points = {
        int(seat): whole(total - began.get(seat, 0))
        for seat, total in line["scores"].items()
        if seat in before["scores"]
    }
    return Round(before["round"], before["engine"], points, scores.left, scores.out)


def _corrected(scores: Scores, line: ConsoleLine, before: ConsoleLine) -> Scores:
    *older, last = scores.rounds
    points, began = dict(last.points), dict(scores.began or {})
    for seat, total in line["scores"].items():
        if int(seat) in points:
            by = total - before["scores"][seat]
            points[int(seat)] = whole(points[int(seat)] + by)
            began[seat] = began.get(seat, 0) + by
    return scores._replace(rounds=(*older, last._replace(points=points)), began=began)


def _put_right(scores: Scores, line: ConsoleLine, before: ConsoleLine) -> Scores:
    put_right, began = dict(scores.put_right), dict(scores.began or {})
    for seat, total in line["scores"].items():
        by = total - before["scores"].get(seat, total)
        if by:
            put_right[int(seat)] = whole(put_right.get(int(seat), 0) + by)
            began[seat] = began.get(seat, 0) + by
    return scores._replace(put_right=put_right, began=began)


def whole(points: Points) -> Points:
    """Return points as an int if they have no fraction; otherwise return them unchanged."""
    return int(points) if points == int(points) else points
