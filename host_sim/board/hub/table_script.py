# SPDX-License-Identifier: MIT
"""Runs table scripts through the whole firmware. Each line of a script sets up the table, is an
input, or states what the hub must show."""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

from host_sim.board.hub.lamp_reader import counted
from host_sim.board.hub.position_setup import (
    MOST_TILES,
    BadGiven,
    PositionSetup,
    Where,
    parse_number,
    parse_points,
    parse_seat,
)
from host_sim.board.hub.simulated_hub import PRESS_MS, SimulatedHub, configured, seating
from host_sim.table.console_line import ConsoleLine
from roundhouse import boards, console, constants, settings, tiles
from roundhouse.constants import MOST_SEATS, slot_name, slot_number
from roundhouse.games import between_rounds, houses
from roundhouse.games.match import Match

SETUP = ("stations", "absent", "house", "set", "players", "given")
MANY = 99
WORDS = {  # how many words follow a line's first, (least, most)
    **dict.fromkeys(("stations", "house", "players", "given", "say", "expect"), (1, MANY)),
    **dict.fromkeys(("set", "press", "hold", "remove", "down", "up", "wait"), (1, 1)),
    **dict.fromkeys(("fault", "repair", "absent"), (1, 1)),
    **dict.fromkeys(("tap", "override", "put"), (2, MANY)),
    "unplug": (0, 0),
}
EXPECT = {  # the same for an expectation; a verdict has none
    **dict.fromkeys(("open", "double", "playable", "winner", "ran", "flashing"), (0, MANY)),
    **dict.fromkeys(("flashed", "calls", "takes", "by", "did"), (1, 1)),
    **dict.fromkeys(("phase", "boneyard", "round", "drawn", "gain"), (1, 1)),
    **dict.fromkeys(("end", "score"), (1, MANY)),
    "turn": (0, 1),
    "hand": (2, 2),
    "answer": (2, 2),
}
LAMP_EXPECTATIONS = ("answer", "ran", "flashing", "flashed", "calls", "takes")
ANSWERS = {"green": "g", "red": "r", "white": "w", "violet": "v", "none": ""}
GLANCE_MS = 100  # by then an answer that follows another has begun
RAN_MS = 700  # by then a light running round the rim has finished
CALL_MS = 1300  # long enough to tell a quick lamp from a slow one
COUNT_OUT_MS = 9500  # the time in which E counts a number out twice, whenever it begins
LONGEST_WAIT_MS = 3_600_000
STILL_MS = 400  # how long to wait for a line that may not come


class ExpectationFailed(Exception):
    """Raised if an expectation does not hold; the text says what was found instead."""


class ScriptError(Exception):
    """Raised for a line that is not valid in a script."""


def check_count(words: Sequence[str], limits: tuple[int, int]) -> None:
    """Raise ValueError if the number of words is not within `limits`, a pair (least, most)."""
    least, most = limits
    if not least <= len(words) <= most:
        raise ValueError("%s words are needed" % ("more" if len(words) < least else "fewer"))


def parse_count(text: str) -> int | None:
    """Return a count of tiles from a word of a script. Return None for the word `none`, which
    means that the hub does not count tiles."""
    return None if text == "none" else parse_number(text, 0, MOST_TILES)


class Script:
    """A table script that is run on one board.

    on_line: called for each input with the script's line and the console line as a dict
    make_board: a function of (config, folder), like `SimulatedHub`
    """

    def __init__(
        self,
        on_line: Callable[[str, ConsoleLine], object] | None = None,
        config: SimpleNamespace | None = None,
        make_board: Callable[..., SimulatedHub] = SimulatedHub,
    ) -> None:
        self.on_line = on_line or (lambda line, answer: None)
        self.config = config
        self.make_board = make_board
        self.house: list[str] = []
        self.set: int | None = None
        self.players: list[int] = []
        self.given: PositionSetup | None = None
        self.board: SimulatedHub | None = None
        self.at: Where = None  # number and text of the line
        self._lines: dict[str, Where] = {}  # of the set-up, by their first words
        self.answer: ConsoleLine = {}  # the console object of the last input

    def run(self, text: str, name: str = "script") -> None:
        """Run a script. Errors are ExpectationFailed or ScriptError; their texts begin with
        `name:line:`."""
        for at, raw in enumerate(text.splitlines(), 1):
            parts = raw.split("#")[0].split()
            if not parts:
                continue
            line = " ".join(parts)
            self.at = at, line
            try:
                self.run_line(parts, line)
            except ExpectationFailed as error:
                text = f"{name}:{at}: {line}: {error}{self._on_table()}"
                raise ExpectationFailed(text) from None
            except ValueError as error:
                at, line = getattr(error, "at", None) or (at, line)
                raise ScriptError(f"{name}:{at}: {line}: {error}") from None

    def run_line(self, parts: Sequence[str], line: str) -> None:
        """Run one line. parts: the words of the line. Raises ExpectationFailed, or ValueError for
        a line that is not valid in a script."""
        word, rest = parts[0], parts[1:]
        if word not in WORDS:
            raise ValueError("there is no such line")
        check_count(rest, WORDS[word])
        if word in SETUP:
            if self.board:
                raise ValueError("comes before the first input")
            self._set_up(word, rest)
            return
        board = self.board or self._start()
        if word == "expect":
            self._expect(board, rest)
            return
        act = getattr(self, "_do_" + word)
        board.lamp_reader.reset(board.ms)
        answer: ConsoleLine = act(board, rest, line) or self._without_answer(board, word, rest)
        self.answer = answer.copy()
        shown: ConsoleLine = {"input": line, **answer}
        shown["input"] = line
        self.on_line(line, shown)

    # ---- setting up ----

    def _set_up(self, word: str, rest: Sequence[str]) -> None:
        if self.given and word != "given":
            raise ValueError("comes before what is given")
        self._lines[word] = self.at
        if word in ("stations", "absent"):
            getattr(self, "_set_" + word)(rest)
        elif word == "house":
            self.house = [word.lower() for word in rest]
            houses.parse(self.house)
        elif word == "set":
            if rest[0] not in map(str, tiles.SETS):
                raise ValueError("a set is one of %s" % " ".join(map(str, tiles.SETS)))
            self.set = int(rest[0])
        elif word == "players":
            seats = [parse_seat(n) for n in rest]
            if len(seats) == 2 and seats[0] == seats[1]:  # this seat alone, in the lobby
                self.players = seats[:1]
                return
            for seat in seats:
                if seats.count(seat) > 1:
                    raise ValueError("seat %d is named twice" % seat)
            self.players = list(range(1, seats[0] + 1)) if len(seats) == 1 else seats
            if "stations" not in self._lines:
                self._seat(max(self.players))
        else:
            self.given = self.given or self._position_setup()
            self.given.add(rest, self.at)

    def _set_stations(self, rest: Sequence[str]) -> None:
        there = tuple(parse_seat(n) for n in rest)
        self._seat(max(there))
        self._configure(STATIONS=there)

    def _set_absent(self, rest: Sequence[str]) -> None:
        if rest[0] != slot_name(constants.E):
            raise ValueError("E alone can be absent")
        self._configure(ENGINE_SLOT=False)

    def _seat(self, most: int) -> None:
        """Take a larger board if the script's own lacks the station `most`."""
        config = self.config or configured()
        if most > boards.STATIONS[config.WIRING]:
            large = seating(most)
            self._configure(WIRING=large.WIRING, STATIONS=large.STATIONS)

    def _configure(self, **changes: object) -> None:
        values = {name: getattr(self.config or configured(), name) for name in settings.NAMES}
        self.config = configured(**{**values, **changes})
        try:
            settings.check(self.config)
        except settings.BadConfig as error:
            raise ValueError(re.sub("^config.py: (FAMILY: )?", "", str(error))) from None

    def _position_setup(self) -> PositionSetup:
        config = self.config or configured()
        settings.check(config)  # and forgets the house of another script
        house, variants = houses.parse(self.house or config.HOUSE.split())
        slots = sum(1 << slot for slot in config.SLOTS if slot)
        return PositionSetup(house, variants, self.set or config.SET, self.players, slots)

    def _most_seats(self) -> int:
        config = self.config or configured()
        house, variants = houses.parse(self.house or config.HOUSE.split())
        m = Match(house, variants, self.set or config.SET)
        return between_rounds.max_seats(m, m.set)

    def _start(self) -> SimulatedHub:
        """Power on the board with the table that the setup lines describe; return the board."""
        if self.given:
            # the firmware resumes from a journal of what is given
            folder = tempfile.TemporaryDirectory(prefix="roundhouse-")
            (Path(folder.name) / "00000001.rhj").write_bytes(self.given.segment())
            self.board = board = self.make_board(self.config, folder.name)
            self._folder = folder  # it is removed with the script
        else:
            house = "house " + " ".join(self.house)
            is_late = len(self.players) > self._most_seats()  # they joined before it was chosen
            if is_long := len(house) > console.LONGEST and not is_late:
                self._configure(HOUSE=" ".join(self.house))
            rules = [house] * (bool(self.house) and not is_long)
            rules += ["set %s" % self.set] * bool(self.set)
            joins = ["press %d" % seat for seat in self.players]
            first = ["house free", "set %d" % tiles.HIGHEST] if is_late else []
            self.board = board = self.make_board(self.config)
            for line in [*first, *joins, *rules] if is_late else [*rules, *joins]:
                self._tell(board, line)
        self.answer = board.inputs[-1]
        return board

    def _tell(self, board: SimulatedHub, line: str) -> None:
        """Give the board a line of the set-up."""
        word, _, rest = line.partition(" ")
        try:
            answer = board.press(rest) if word == "press" else board.command(line)
            said = str(answer.get("error", answer.get("verdict"))) if answer else "no answer"
        except ValueError as error:  # such as a station that the board does not have
            said = str(error)
        if said != "ok":
            where = self._lines.get("players" if word == "press" else word)
            raise BadGiven(said, where)

    # ---- inputs: return the line that answers, or None ----

    def _do_tap(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        return board.tap(" ".join(rest[:-1]), rest[-1])

    def _do_override(
        self, board: SimulatedHub, rest: Sequence[str], line: str
    ) -> ConsoleLine | None:
        return board.override(" ".join(rest[:-1]), rest[-1])

    def _do_press(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        return board.press(rest[0])

    def _do_hold(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        return board.hold(rest[0])

    def _do_put(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        before = len(board.inputs)
        board.put(" ".join(rest[:-1]), rest[-1])
        return board.line_after(before, STILL_MS)

    def _do_remove(self, board: SimulatedHub, rest: Sequence[str], line: str) -> None:
        board.remove(rest[0])
        board.pause(STILL_MS)

    def _do_down(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        before = len(board.inputs)
        board.press_down(rest[0])
        return board.line_after(before, PRESS_MS)

    def _do_up(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        before = len(board.inputs)
        board.press_up(rest[0])
        return board.line_after(before, STILL_MS)

    def _do_say(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        return board.command(line[len("say") :].strip())

    def _do_wait(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine | None:
        text = rest[0]
        before = len(board.inputs)
        try:
            ms = float(text[:-2]) if text.endswith("ms") else 1000 * float(text.removesuffix("s"))
        except ValueError:
            ms = -1
        if not 0 <= ms <= LONGEST_WAIT_MS:
            raise ValueError("wait takes 0..%d s, or ms" % (LONGEST_WAIT_MS // 1000))
        board.pause(ms)
        return board.inputs[-1] if len(board.inputs) > before else None

    def _do_unplug(self, board: SimulatedHub, rest: Sequence[str], line: str) -> ConsoleLine:
        board.unplug()
        board.lamp_reader.reset(board.ms)  # the lamps stood still while the hub started
        return board.inputs[-1]

    def _do_fault(self, board: SimulatedHub, rest: Sequence[str], line: str) -> None:
        board.fault(rest[0])
        board.pause(3 * STILL_MS)

    def _do_repair(self, board: SimulatedHub, rest: Sequence[str], line: str) -> None:
        board.repair(rest[0])
        board.pause(5 * STILL_MS)

    def _without_answer(self, board: SimulatedHub, word: str, rest: Sequence[str]) -> ConsoleLine:
        """Return a console line for an input without an answer: a copy of the newest line, with
        one of these verdicts:

        - `fault` for a tap on a slot whose reader does not work
        - None for any other tap, a press, a hold or a typed line
        - `ok` for all other inputs
        """
        answer = board.inputs[-1].copy()
        answer["verdict"] = "ok"
        if word in ("tap", "override", "press", "hold", "say"):
            answer["verdict"] = None
            if word in ("tap", "override") and board.place(rest[-1]) in board.dead_readers:
                answer["verdict"] = "fault"
        return answer

    # ---- expectations ----

    def _expect(self, board: SimulatedHub, parts: Sequence[str]) -> None:
        word, rest = parts[0], parts[1:]
        check_count(rest, EXPECT.get(word, (0, 0)))
        verdict = self.answer.get("verdict")
        if word == "refused":
            _check(verdict not in ("ok", None) or "error" in self.answer, True, verdict)
        elif word in constants.VERDICTS:
            _check(verdict, word)
        elif word in ("turn", "open", "double"):
            self._expect_light(board, word, rest)
        elif word in ("by", "did"):
            said: Mapping[str, object] = self.answer
            _check(str(said[word] or "none"), rest[0])
        elif word in LAMP_EXPECTATIONS:
            getattr(self, "_expect_" + word)(board, rest)
        else:
            self._expect_line(board.inputs[-1], word, rest)

    def _expect_light(self, board: SimulatedHub, word: str, rest: Sequence[str]) -> None:
        if not board.settle():
            raise ExpectationFailed("the lights cannot be read")
        if word == "turn":
            _check(
                board.lamp_reader.turn(),
                parse_number(rest[0], 0, MOST_SEATS) if rest and rest[0] != "none" else 0,
            )
            return
        seen = board.lamp_reader.open() if word == "open" else board.lamp_reader.doubles()
        wanted = [slot_number(name) for name in rest]
        wanted = sorted(wanted) if word == "open" else counted(wanted)
        shown = " ".join(slot_name(slot) for slot in seen) or "none"
        _check(list(seen), wanted, shown)

    def _expect_answer(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that a slot's answer lamp has answered green, red or white, or is dark or
        violet."""
        slot, colour = slot_number(rest[0]), rest[1]
        if colour not in ANSWERS:
            raise ValueError("an answer is one of %s" % " ".join(ANSWERS))
        board.pause(GLANCE_MS)
        seen = board.lamp_reader.answer_now(slot)
        if colour in ("green", "red", "white"):  # which may have ended
            seen = board.lamp_reader.answer(slot)
        _check(ANSWERS.get(colour), seen if seen in "grwv" else "", seen or "dark")

    def _expect_ran(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that a light has run round the rim past these slots, or that none has run."""
        board.pause(RAN_MS)
        seen = board.lamp_reader.ran()
        wanted = [slot_number(name) for name in rest]
        _check(seen, wanted, " ".join(slot_name(slot) for slot in seen) or "none")

    def _expect_flashing(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that the open lamps of these slots, and no others, have flashed to show where a
        refused tile would fit."""
        board.pause(RAN_MS)
        seen = board.lamp_reader.flashing()
        wanted = [slot_number(name) for name in rest]
        _check(seen, wanted, " ".join(slot_name(slot) for slot in seen) or "none")

    def _expect_flashed(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that a seat's turn lamp has given one long flash."""
        board.pause(RAN_MS)
        _check(board.lamp_reader.flashed(), parse_number(rest[0], 0, MOST_SEATS))

    def _expect_calls(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that the lamps call a seat to count next: its turn lamp blinks fastest."""
        board.settle()
        board.pause(CALL_MS)
        _check(board.lamp_reader.calls(CALL_MS), parse_number(rest[0], 0, MOST_SEATS))

    def _expect_takes(self, board: SimulatedHub, rest: Sequence[str]) -> None:
        """Check that E's lamp counts out this number."""
        board.pause(COUNT_OUT_MS)
        _check(board.lamp_reader.takes(), parse_number(rest[0], 0, MOST_TILES))

    def _expect_line(self, line: ConsoleLine, word: str, rest: Sequence[str]) -> None:
        if word == "playable":
            _check(sorted(line["playable"]), sorted(rest))
        elif word == "phase":
            _check(line["phase"], rest[0])
        elif word == "hand":
            _check(line["hands"].get(rest[0]), parse_count(rest[1]))
        elif word == "boneyard":
            _check(line["boneyard"], parse_count(rest[0]))
        elif word == "round":
            _check(line["round"], parse_number(rest[0], 0, MOST_TILES))
        elif word == "end":
            self._expect_end(
                line["ends"], rest[0], [parse_number(n, 0, tiles.HIGHEST) for n in rest[1:]]
            )
        elif word == "drawn":
            _check("yes" if line["drawn"] else "no", rest[0])
        elif word == "score":
            pairs = [pair.partition("=") for pair in rest]
            wanted = {seat: parse_points(text) for seat, _, text in pairs}
            _check({seat: line["scores"].get(seat) for seat in wanted}, wanted)
        elif word == "gain":
            _check(line.get("gain", 0), parse_points(rest[0]))
        elif word == "winner":
            _check(line["winner"] or [], [parse_seat(n) for n in rest])
        else:
            raise ValueError("there is no such expectation")

    def _expect_end(self, ends: dict[str, int | list[int]], slot: str, wanted: list[int]) -> None:
        """Check the number at the end of a slot's line.

        wanted: [number], or two numbers, the higher one first, if the end may be either
        """
        if not 1 <= len(wanted) <= 2:
            raise ValueError("an end has one number or two")
        seen = ends.get(slot, [])
        seen = seen if isinstance(seen, list) else [seen]
        _check(seen, wanted, " ".join(map(str, seen)) or "none")

    def _on_table(self) -> str:
        if not self.board:
            return ""
        line: Mapping[str, object] = self.board.inputs[-1]
        keys = ("phase", "turn", "open", "doubles", "playable", "ends", "hands", "boneyard")
        return "\n    on the table: " + json.dumps({key: line[key] for key in keys})


def _check(found: object, wanted: object, shown: object = None) -> None:
    """Raise ExpectationFailed if `found` and `wanted` differ. shown: what the error shows; if
    None, the error shows `found`."""
    if found != wanted:
        raise ExpectationFailed("it is %s" % (shown if shown is not None else found,))
