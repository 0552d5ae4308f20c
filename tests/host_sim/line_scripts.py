# SPDX-License-Identifier: MIT
"""Runs table scripts of the line games on the referee alone, without a hub or lights."""

from collections.abc import Callable, Mapping, Sequence

from positions import tile

from host_sim.table.games.line_games.referee import Referee as LineReferee
from roundhouse import constants, tiles
from roundhouse.constants import slot_number


class Wrong(Exception):
    """Raised for an invalid line, or for an expectation that is not met. The text names this line
    or expectation."""


class LineScript:
    """One script. Its lines `house`, `set` and `players` create the referee; its `given` lines set
    the position."""

    def __init__(self) -> None:
        self.house = "classic"
        self.set: int | None = None
        self.seats: Sequence[int] = ()
        self.givens: list[tuple[str, ...]] = []
        self.referee: LineReferee | None = None
        self.past: list[LineReferee] = []
        self.verdict = "ok"

    def run(self, text: str, name: str) -> None:
        """Run the text of a script; raise Wrong with `name:line: ...`."""
        for number, raw in enumerate(text.splitlines(), 1):
            parts = raw.split("#")[0].split()
            if not parts:
                continue
            try:
                getattr(self, "do_" + parts[0])(*parts[1:])
            except Wrong as error:
                raise Wrong("%s:%d: %s: %s" % (name, number, raw, error)) from None

    # ---- setting up ----

    def do_house(self, *house: str) -> None:
        self.house = " ".join(house)

    def do_set(self, highest: str) -> None:
        self.set = int(highest)

    def do_players(self, *seats: str) -> None:
        given = [int(seat) for seat in seats]
        self.seats = range(1, given[0] + 1) if len(given) == 1 else given

    def do_given(self, *parts: str) -> None:
        self.givens.append(parts)

    def start(self) -> LineReferee:
        if self.referee:
            return self.referee
        r = self.referee = LineReferee(self.house, self.set, self.seats)
        if not self.givens:
            return r
        given: dict[str, list[list[str]]] = {}
        for word, *rest in self.givens:
            given.setdefault(word, []).append(rest)
        if given.keys() - {"engine", "train", "hand", "boneyard", "turn", "round", "score"}:
            raise Wrong("no such given: %s" % sorted(given))
        r.open_round()
        r.phase, r.turn = "play", r.seats[0]
        r.opening = tile(given["engine"][0][0])
        r.laid.add(r.opening)
        r.lines.open_with(r.opening)
        for slot, *laid in given.get("train", ()):
            for text in laid:
                self.extend(slot_number(slot), tile(text))
        self.count(given)
        return r

    def extend(self, slot: int, number: int) -> None:
        r = self.start()
        if r.why_not(slot, number) != "ok":
            raise Wrong("%s does not join" % tiles.text(number))
        r.lines.lay(slot, number)
        r.laid.add(number)

    def count(self, given: Mapping[str, list[list[str]]]) -> None:
        r = self.start()
        for seat, hand in given.get("hand", ()):
            r.counts[int(seat)] = int(hand)
        lie = len(r.laid) + sum(r.counts.values())
        r.boneyard = max(0, tiles.size(r.set) - lie)
        for (boneyard,) in given.get("boneyard", ()):
            r.boneyard = int(boneyard)
        for (seat,) in given.get("turn", ()):
            r.turn = int(seat)
        for (number,) in given.get("round", ()):
            r.round = int(number)
        for pairs in given.get("score", ()):
            for seat, _, points in (pair.partition("=") for pair in pairs):
                r.totals[int(seat)] = round(2 * float(points))

    # ---- inputs ----

    def judge(self, act: Callable[[LineReferee], str]) -> None:
        r = self.start()
        before = r.clone()
        self.verdict = act(r)
        if self.verdict == "ok":
            self.past.append(before)

    def do_tap(self, text: str, slot: str) -> None:
        self.judge(lambda r: r.tap(slot_number(slot), tile(text)))

    def do_override(self, text: str, slot: str) -> None:
        self.judge(lambda r: r.tap(slot_number(slot), tile(text), override=True))

    def do_press(self, slot: str) -> None:
        self.judge(lambda r: r.press(slot_number(slot)))

    def do_hold(self, slot: str) -> None:
        self.verdict = "ok" if self.past else "not-now"
        if self.past:
            self.referee = self.past.pop()

    # ---- expectations ----

    def do_expect(self, word: str, *rest: str) -> None:
        view = self.start().view()
        if word in constants.VERDICTS:
            self.same(self.verdict, word)
        elif word == "refused":
            self.same(self.verdict != "ok", True)
        elif word in ("open", "playable", "double"):
            key = "doubles" if word == "double" else word
            self.same(sorted(view[key]), sorted(rest))
        elif word == "end":
            end = view["ends"][rest[0]]
            self.same([end] if isinstance(end, int) else end, [int(n) for n in rest[1:]])
        elif word == "turn":
            self.same(str(view["turn"]).lower(), rest[0])
        elif word == "drawn":
            self.same(view["drawn"], rest[0] == "yes")
        elif word == "phase":
            self.same(view["phase"], rest[0])
        elif word in ("round", "boneyard"):
            self.same(view[word], int(rest[0]))
        elif word == "hand":
            self.same(view["hands"][rest[0]], int(rest[1]))
        elif word == "score":
            wanted = {seat: float(n) for seat, _, n in (pair.partition("=") for pair in rest)}
            self.same({seat: view["scores"][seat] for seat in wanted}, wanted)
        elif word == "winner":
            self.same(view["winner"], [int(n) for n in rest])
        else:
            raise Wrong("nothing to expect by that name")

    def same(self, seen: object, wanted: object) -> None:
        if seen != wanted:
            raise Wrong("it is %s\n%s" % (seen, self.start().view()))
