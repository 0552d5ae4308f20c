# SPDX-License-Identifier: MIT
"""Table scripts: one line per input or expectation, driven through the whole firmware."""

import json
import tempfile
from pathlib import Path

from host_sim.hub.position_setup import MOST_TILES, PositionSetup, number, points
from host_sim.hub.simulated_hub import PRESS_MS, SimulatedHub, configured
from roundhouse import constants, settings, tiles
from roundhouse.constants import slot_name, slot_number
from roundhouse.games import houses

SETUP = ("stations", "house", "set", "players", "given")
MANY = 99
WORDS = {  # how many words a line has behind its first, at least and at most
    **dict.fromkeys(("stations", "house", "players", "given", "say", "expect"), (1, MANY)),
    **dict.fromkeys(("set", "press", "hold", "remove", "down", "up", "wait"), (1, 1)),
    **dict.fromkeys(("fault", "repair"), (1, 1)),
    **dict.fromkeys(("tap", "override", "put"), (2, MANY)),
    "unplug": (0, 0),
}
EXPECT = {  # the same, behind an expectation's; a verdict has none
    **dict.fromkeys(("open", "double", "playable", "winner", "ran", "flashing"), (0, MANY)),
    **dict.fromkeys(("flashed", "calls", "takes"), (1, 1)),
    **dict.fromkeys(("phase", "boneyard", "round", "drawn", "gain"), (1, 1)),
    **dict.fromkeys(("end", "score"), (1, MANY)),
    "turn": (0, 1),
    "hand": (2, 2),
    "answer": (2, 2),
}
LOOKS = (
    "answer",
    "ran",
    "flashing",
    "flashed",
    "calls",
    "takes",
)  # read from the lights, by a method each
ANSWERS = {"green": "g", "red": "r", "white": "w", "violet": "v", "none": ""}
GLANCE_MS = 100  # an answer that follows on another has begun by then
RAN_MS = 700  # a light round the rim is over by then
LOOK_MS = 1300  # long enough to tell a quick lamp from a slow one
TOLD_MS = 8000  # in which a number is told twice
LONGEST_MS = 3_600_000  # that a line can wait
STILL_MS = 400  # how long an input is given that may well stay without an answer


class ExpectationFailed(Exception):
    """An expectation does not hold; the text says which and what was there instead."""


class ScriptSyntaxError(Exception):
    """A line that is no script line."""


def count(rest, wanted):
    """ValueError where there are more or fewer words than (least, most)."""
    if not wanted[0] <= len(rest) <= wanted[1]:
        raise ValueError("%s words are needed" % ("more" if len(rest) < wanted[0] else "fewer"))


class Script:
    """One script on one board. `said` is called with (line of the script, console object).

    make: what makes the board, called with (config, folder) like `SimulatedHub`.
    """

    def __init__(self, said=None, config=None, make=SimulatedHub):
        self.said = said or (lambda line, answer: None)
        self.config = config
        self.make = make
        self.house = []
        self.set = None
        self.players = []
        self.given = None
        self.board = None
        self.at = None  # number and text of the line
        self.answer = None  # the console object of the last input

    def run(self, text, name="script"):
        """Run a script's text; raise ExpectationFailed or ScriptSyntaxError with `name:line:
        ...`."""
        for at, raw in enumerate(text.splitlines(), 1):
            parts = raw.split("#")[0].split()
            if not parts:
                continue
            line = " ".join(parts)
            self.at = at, line
            try:
                self.line(parts, line)
            except ExpectationFailed as error:
                raise ExpectationFailed(
                    f"{name}:{at}: {line}: {error}{self._on_table()}"
                ) from None
            except ValueError as error:
                at, line = getattr(error, "at", (at, line))
                raise ScriptSyntaxError(f"{name}:{at}: {line}: {error}") from None

    def line(self, parts, line):
        """Carry out one line; ValueError where it is none."""
        word, rest = parts[0], parts[1:]
        if word not in WORDS:
            raise ValueError("no such line")
        count(rest, WORDS[word])
        if word in SETUP:
            if self.board:
                raise ValueError("comes before the first input")
            self._set_up(word, rest)
            return
        if not self.board:
            self._start()
        if word == "expect":
            self._expect(rest)
            return
        do = getattr(self, "_do_" + word)
        self.board.eyes.reset(self.board.ms)
        before = len(self.board.lines)
        answer = do(rest, line)
        if answer is None:
            answer = self._silent(word, rest, self.board.lines[before:])
        self.answer = dict(answer)
        self.said(line, {"input": line, **{k: v for k, v in answer.items() if k != "input"}})

    # ---- setting up ----

    def _set_up(self, word, rest):
        if self.given and word != "given":
            raise ValueError("comes before what is given")
        if word == "stations":
            self._set_stations(rest)
        elif word == "house":
            houses.parse(rest)
            self.house = rest
        elif word == "set":
            if rest[0] not in map(str, tiles.SETS):
                raise ValueError("a set is one of %s" % " ".join(map(str, tiles.SETS)))
            self.set = int(rest[0])
        elif word == "players":
            seats = [number(n, 1, 10) for n in rest]
            for seat in seats:
                if seats.count(seat) > 1:
                    raise ValueError("%d is there twice" % seat)
            self.players = list(range(1, seats[0] + 1)) if len(seats) == 1 else seats
        else:
            if not self.given:
                self._begin_given()
            self.given.line(rest, self.at)

    def _set_stations(self, rest):
        """The stations there are: on a board of a script's own."""
        there = tuple(number(n, 1, 10) for n in rest)
        values = {name: getattr(self.config or configured(), name) for name in settings.NAMES}
        self.config = configured(**{**values, "STATIONS": there})
        try:
            settings.check(self.config)
        except settings.BadConfig as error:
            raise ValueError(str(error).removeprefix("config.py: ")) from None

    def _begin_given(self):
        config = self.config or configured()
        house, variants = houses.parse(self.house or config.HOUSE.split())
        settings.check(config)
        slots = sum(1 << slot for slot in config.SLOTS if slot)
        self.given = PositionSetup(house, variants, self.set or config.SET, self.players, slots)

    def _start(self):
        if self.given:
            # the givens are a journal from which the firmware resumes
            folder = tempfile.TemporaryDirectory(prefix="roundhouse-")
            (Path(folder.name) / "00000001.rhj").write_bytes(self.given.segment())
            self.board = self.make(self.config, folder.name)
            self.board._temporary = folder
        else:
            self.board = self.make(self.config)
            if self.house:
                self.board.say("house " + " ".join(self.house))
            if self.set:
                self.board.say("set %d" % self.set)
            for seat in self.players:
                self.board.press(str(seat))
        self.answer = self.board.inputs[-1]

    # ---- inputs ----

    def _do_tap(self, rest, line):
        return self.board.tap(" ".join(rest[:-1]), rest[-1])

    def _do_override(self, rest, line):
        return self.board.override(" ".join(rest[:-1]), rest[-1])

    def _do_press(self, rest, line):
        return self.board.press(rest[0])

    def _do_hold(self, rest, line):
        return self.board.hold(rest[0])

    def _do_put(self, rest, line):
        before = len(self.board.inputs)
        self.board.put(" ".join(rest[:-1]), rest[-1])
        return self.board.line_after(before, STILL_MS)

    def _do_remove(self, rest, line):
        self.board.remove(rest[0])
        self.board.pause(STILL_MS)

    def _do_down(self, rest, line):
        before = len(self.board.inputs)
        self.board.press_down(rest[0])
        return self.board.line_after(before, PRESS_MS)

    def _do_up(self, rest, line):
        before = len(self.board.inputs)
        self.board.press_up(rest[0])
        return self.board.line_after(before, STILL_MS)

    def _do_say(self, rest, line):
        return self.board.say(line[len("say") :].strip())

    def _do_wait(self, rest, line):
        text = rest[0]
        before = len(self.board.inputs)
        try:
            ms = float(text[:-2]) if text.endswith("ms") else 1000 * float(text.removesuffix("s"))
        except ValueError:
            ms = -1
        if not 0 <= ms <= LONGEST_MS:
            raise ValueError("wait takes 0..%d s, or ms" % (LONGEST_MS // 1000))
        self.board.pause(ms)
        return self.board.inputs[-1] if len(self.board.inputs) > before else None

    def _do_unplug(self, rest, line):
        self.board.unplug()
        self.board.eyes.reset(self.board.ms)  # the first light stood still while the hub started
        return self.board.inputs[-1]

    def _do_fault(self, rest, line):
        self.board.fault(rest[0])
        self.board.pause(3 * STILL_MS)

    def _do_repair(self, rest, line):
        self.board.repair(rest[0])
        self.board.pause(5 * STILL_MS)

    def _silent(self, word, rest, lines):
        """What stands for an input the hub said nothing to: the table as it was.

        A tap that a dead reader did not see is `fault`; a tap, a press or a typed line without any
        effect has no verdict; letting time pass is `ok`.
        """
        answer = dict(self.board.inputs[-1])
        answer["verdict"] = "ok"
        if word in ("tap", "override", "press", "hold", "say"):
            answer["verdict"] = None
            if word in ("tap", "override") and self.board.place(rest[-1]) in self.board.dead:
                answer["verdict"] = "fault"
        return answer

    # ---- expectations ----

    def _expect(self, parts):
        word, rest = parts[0], parts[1:]
        count(rest, EXPECT.get(word, (0, 0)))
        verdict = self.answer.get("verdict")
        if word == "refused":
            self._same(verdict not in ("ok", None) or "error" in self.answer, True, verdict)
        elif word in constants.VERDICTS:
            self._same(verdict, word)
        elif word in ("turn", "open", "double"):
            self._expect_light(word, rest)
        elif word in LOOKS:
            getattr(self, "_expect_" + word)(rest)
        else:
            self._expect_line(word, rest)

    def _expect_light(self, word, rest):
        board = self.board
        if not board.settle():
            raise ExpectationFailed("the lights cannot be read")
        if word == "turn":
            self._same(
                board.eyes.turn(), number(rest[0], 0, 10) if rest and rest[0] != "none" else 0
            )
            return
        seen = board.eyes.open() if word == "open" else board.eyes.doubles()
        wanted = [slot_number(name) for name in rest]
        if word == "open":
            wanted.sort()
        shown = " ".join(slot_name(slot) for slot in seen) or "none"
        self._same(list(seen), wanted, shown)

    def _expect_answer(self, rest):
        """An answer lamp has been green, red or white, or still is dark or faulty."""
        slot, colour = slot_number(rest[0]), rest[1]
        if colour not in ANSWERS:
            raise ValueError("an answer is one of %s" % " ".join(ANSWERS))
        self.board.pause(GLANCE_MS)
        seen = self.board.eyes.beside(slot)
        if colour in ("green", "red", "white"):  # which may be over
            seen = self.board.eyes.answer(slot)
        self._same(ANSWERS.get(colour), seen if seen in "grwv" else "", seen or "dark")

    def _expect_ran(self, rest):
        """A light has run round the rim, past these slots; none: there was none."""
        self.board.pause(RAN_MS)
        seen = self.board.eyes.ran()
        wanted = [slot_number(name) for name in rest]
        self._same(seen, wanted, " ".join(slot_name(slot) for slot in seen) or "none")

    def _expect_flashing(self, rest):
        """The open lamps of these slots flash: they would take the tile that was refused."""
        self.board.pause(RAN_MS)
        seen = self.board.eyes.flashing()
        wanted = [slot_number(name) for name in rest]
        self._same(seen, wanted, " ".join(slot_name(slot) for slot in seen) or "none")

    def _expect_flashed(self, rest):
        """A seat's turn lamp has given one long flash."""
        self.board.pause(RAN_MS)
        self._same(self.board.eyes.flashed(), number(rest[0], 0, 10))

    def _expect_calls(self, rest):
        """The seat that is called to count next: its turn lamp is the quickest."""
        self.board.settle()
        self.board.pause(LOOK_MS)
        self._same(self.board.eyes.calls(LOOK_MS), number(rest[0], 0, 10))

    def _expect_takes(self, rest):
        """The number that E counts out."""
        self.board.pause(TOLD_MS)
        self._same(self.board.eyes.takes(), number(rest[0], 0, MOST_TILES))

    def _expect_line(self, word, rest):
        line = self.board.inputs[-1]
        if word == "playable":
            self._same(sorted(line["playable"]), sorted(rest))
        elif word == "phase":
            self._same(line["phase"], rest[0])
        elif word == "hand":
            self._same(line["hands"].get(rest[0]), number(rest[1], 0, MOST_TILES))
        elif word == "boneyard":
            self._same(line["boneyard"], number(rest[0], 0, MOST_TILES))
        elif word == "round":
            self._same(line["round"], number(rest[0], 0, MOST_TILES))
        elif word == "end":
            self._expect_end(
                line["ends"], rest[0], [number(n, 0, tiles.HIGHEST) for n in rest[1:]]
            )
        elif word == "drawn":
            self._same("yes" if line["drawn"] else "no", rest[0])
        elif word == "score":
            wanted = {seat: points(n) for seat, _, n in (pair.partition("=") for pair in rest)}
            self._same({seat: line["scores"].get(seat) for seat in wanted}, wanted)
        elif word == "gain":
            self._same(line.get("gain", 0), points(rest[0]))
        elif word == "winner":
            self._same(line["winner"] or [], [number(n, 1, 10) for n in rest])
        else:
            raise ValueError("nothing to expect by that name")

    def _expect_end(self, ends, slot, wanted):
        """One number, or the two of an end that the next tile decides, higher first."""
        if not 1 <= len(wanted) <= 2:
            raise ValueError("an end has one number or two")
        seen = ends.get(slot, [])
        seen = seen if isinstance(seen, list) else [seen]
        self._same(seen, wanted, " ".join(map(str, seen)) or "none")

    def _same(self, seen, wanted, shown=None):
        if seen != wanted:
            raise ExpectationFailed("it is %s" % (shown if shown is not None else seen,))

    def _on_table(self):
        line = self.board.inputs[-1]
        keys = ("phase", "turn", "open", "doubles", "playable", "ends", "hands", "boneyard")
        return "\n    on the table: " + json.dumps({key: line[key] for key in keys})
