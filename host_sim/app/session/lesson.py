# SPDX-License-Identifier: MIT
"""The two lessons: eight short steps on a fixed deal, and a forgotten tap.

A lesson is a MatchSession that begins in mid-round, with fixed hands and a planned move for every
turn. The count of planned moves on the table is the progress, so a lesson can be left and resumed
at any point. A learner who makes a different move is asked to take it back, and the bots wait for
that.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from host_sim.app.players.dealt_hands import Dealer, parse_tile
from host_sim.app.session import match_metadata
from host_sim.app.session.match_metadata import JOURNAL
from host_sim.app.session.match_session import MatchSession, Waiting
from host_sim.app.views.i18n import Translator
from host_sim.app.views.table_names import bot_names
from host_sim.board.hub.position_setup import PositionSetup
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.table.inputs import Gesture
from roundhouse import constants, tiles
from roundhouse.games import houses

LEARNER = 1
SEATS = (1, 2, 3)
SET = 9
BOTS = (2, 3)


class Wanted(NamedTuple):
    """The move that the learner is asked to make.

    tile, slot: what to lay and where, or None
    button: what to press the button for (draw, pass or knock), or None
    back: whether to take a move back instead
    """

    tile: str | None = None
    slot: str | None = None
    button: str | None = None
    back: bool = False


class Topic(NamedTuple):
    """The hands, the drawn tiles and the planned moves of a lesson."""

    hands: dict[int, str]  # by seat
    drawn: str  # the next tiles of the boneyard
    moves: tuple[str, ...]  # step, seat, and a tile with its slot or a button


class Move(NamedTuple):
    """A planned move of a seat.

    step: the number of its step in the lesson
    tile, slot: what to lay and where, or None
    """

    step: int
    seat: int
    tile: str | None
    slot: str | None
    button: str | None

    @property
    def gesture(self) -> Gesture:
        """The move as the hub reports it."""
        if self.tile and self.slot:
            return Gesture("tile", self.tile, self.slot)
        return Gesture("press", "", str(self.seat))


TOPICS = {
    "round": Topic(
        {
            1: "9-5 5-2 9-3 7-6 6-6 8-1 8-4",
            2: "9-4 4-1 7-1 6-0 5-0 5-4 8-5",
            3: "9-8 8-7 7-0 6-2 4-0 5-1 8-6",
        },
        "6-1 8-0 6-5 4-3",
        (
            *("1 1 9-5 1", "1 2 9-4 2", "1 3 9-8 3"),  # the aim
            *("2 1 5-2 1", "2 2 4-1 2", "2 3 8-7 3"),  # your train
            *("3 1 9-3 M", "3 2 7-1 2", "3 3 7-0 3"),  # the Mexican Train
            "4 1 draw",  # drawing
            *("5 1 pass", "5 2 draw", "5 2 pass", "5 3 6-2 1"),  # passing, and the marker
            *("6 1 7-6 2", "6 2 6-0 2", "6 3 4-0 3"),  # an open train of another seat
            *("7 1 6-6 1", "7 1 6-1 1", "7 2 5-0 2", "7 3 draw", "7 3 pass"),  # a double
            *("8 1 8-1 1", "8 1 knock", "8 2 5-4 2", "8 3 draw", "8 3 4-3 3", "8 1 8-4 1"),
        ),
    ),
    "forgotten": Topic(
        {1: "9-5 5-2 5-4", 2: "9-4 8-4 7-1", 3: "9-8 6-6 3-0"},
        "",
        ("3 1 9-5 1", "3 2 9-4 M"),
    ),
}
# In "forgotten" a bot taps out of turn first: the tap counts as the learner's, who takes it back.
WRONG = Gesture("tile", "9-4", "M")


def moves_of(topic: str) -> list[Move]:
    found = []
    for row in TOPICS[topic].moves:
        step, seat, what, *slots = row.split()
        if slots:
            found.append(Move(int(step), int(seat), what, slots[0], None))
        else:
            found.append(Move(int(step), int(seat), None, None, what))
    return found


class LessonSession(MatchSession):
    """The match of a lesson. Bots make their planned moves, but wait while the learner has to take
    a move back. After the lesson, it is like any other match."""

    KIND = "lesson"

    def _set_up(self, folder: Path, metadata: dict[str, Any]) -> None:
        self.planned = moves_of(metadata["topic"])
        super()._set_up(folder, metadata)

    def _make_dealer(self) -> Dealer:
        topic = TOPICS[self.metadata["topic"]]
        hands = {
            seat: [parse_tile(text) for text in hand.split()] for seat, hand in topic.hands.items()
        }
        drawn = [parse_tile(text) for text in topic.drawn.split()]
        known = {*drawn, tiles.double(SET), *(tile for hand in hands.values() for tile in hand)}
        rest = [tile for tile in range(tiles.size(SET)) if tile not in known]
        fixed = {1: (hands, [*rest, *reversed(drawn)])}
        return Dealer(self.seed, self.set, self.house, fixed)

    def _power_on(self) -> SimulatedHub:
        """Return a simulated hub that continues the lesson's match from the saved journal. If no
        journal is saved, begin one with the start of the lesson."""
        if not self.files.segments():
            house, variants = houses.parse([self.house])
            setup = PositionSetup(house, variants, SET, SEATS, constants.STATIONS)
            setup.add(["engine", "%d-%d" % (SET, SET)])
            setup.add(["fresh", *map(str, SEATS)])
            for seat, hand in self._make_dealer().deal(1, {})[0].items():
                setup.add(["hand", str(seat), str(len(hand))])
            self.files.put(JOURNAL + "/00000001.rhj", setup.segment())
        return super()._power_on()

    # ---- progress ----

    @property
    def noticed(self) -> bool:
        """Whether the learner has taken back the bot's wrong tap; true in a lesson without a wrong
        tap."""
        return self.metadata["topic"] == "round" or bool(self.metadata.get("noticed"))

    def progress(self) -> tuple[int, bool]:
        """Return (number of planned moves made so far, whether an unplanned move was made after
        them)."""
        done = 0
        for move, moment in zip(self.planned, self.standing):
            if moment.line["by"] != move.seat or moment.gesture != move.gesture:
                break
            done += 1
        return done, done < len(self.planned) and len(self.past) > done

    def is_over(self) -> bool:
        """Return whether all planned moves have been made."""
        return self.noticed and self.progress()[0] == len(self.planned)

    def waits_for(self) -> Waiting:
        """Return what the match waits for. During the lesson, it is the seat with the next planned
        move, or the learner while a move must be taken back.

        After the lesson, the match of the topic `round` continues like any other; the match of the
        topic `forgotten` is over.
        """
        if self.is_over():
            topic = self.metadata["topic"]
            return super().waits_for() if topic == "round" else Waiting("over", None)
        if not self.noticed and not self.past:
            return Waiting("bot", 2)
        done, astray = self.progress()
        if astray or self.planned[done].seat == LEARNER:
            knock = not astray and self.planned[done].button == "knock"
            return Waiting("knock" if knock else "person", LEARNER)
        return Waiting("bot", self.planned[done].seat)

    def act(self) -> bool:
        """Let a bot make its planned move or, after the lesson, act as in any match. Return
        whether anything was done."""
        if self.is_over():
            return super().act()
        if self.waits_for().kind != "bot":
            return False
        if not self.noticed:
            return self.tap(parse_tile(WRONG.tile), WRONG.slot)
        move = self.planned[self.progress()[0]]
        if move.tile and move.slot:
            return self.tap(parse_tile(move.tile), move.slot)
        return self.press(move.seat)

    def take_back(self, own: int | None = None) -> bool:
        """Take back inputs. If the bot's wrong tap is taken back, store this in the metadata."""
        wrong = not self.noticed and [m.gesture for m in self.standing[:1]] == [WRONG]
        taken = super().take_back(own)
        if wrong and not self.past:
            self.metadata["noticed"] = True
            self.save()
        return taken

    def skip_knock(self) -> None:
        if self.is_over():
            super().skip_knock()


class Lesson:
    """The lesson in a folder: the saved lesson is resumed; without one, a lesson is begun.

    topic: `round` for the eight steps, or `forgotten` for the forgotten tap
    seed: for the ordinary rounds after the lesson
    names: {seat: name} to use besides the bots' names
    """

    def __init__(
        self,
        folder: str | Path,
        topic: str = "round",
        seed: int = 1,
        names: Mapping[int, str] | None = None,
    ) -> None:
        if topic not in TOPICS:
            raise ValueError("there is no lesson %s; choose one of %s" % (topic, " ".join(TOPICS)))
        metadata = match_metadata.read(folder, LessonSession.KIND)
        resumed = None
        if metadata and metadata.get("topic") in TOPICS:
            resumed = LessonSession.resume(folder)
        self.session = resumed or LessonSession(
            folder,
            SEATS,
            (LEARNER,),
            "puremco",
            SET,
            seed,
            "easy",
            {**bot_names(BOTS, (names or {}).values()), **(names or {})},
            topic=topic,
        )
        self.topic: str = self.session.metadata["topic"]

    @property
    def steps(self) -> int:
        return self.session.planned[-1].step

    @property
    def step(self) -> int:
        """The number of the current step, counted from 1; after the lesson, the number of the last
        step."""
        s = self.session
        if not s.noticed:
            return 2 if s.past else 1
        done = s.progress()[0]
        return s.planned[min(done, len(s.planned) - 1)].step

    @property
    def done(self) -> bool:
        return self.session.is_over()

    @property
    def astray(self) -> bool:
        """Whether the learner has made a move that is not planned and must be taken back."""
        if self.session.noticed:
            return self.session.progress()[1]
        gestures = [moment.gesture for moment in self.session.standing]
        return gestures not in ([], [WRONG])

    def wanted(self) -> Wanted | None:
        """Return what the learner is asked to do now, or None if the bots are to move or the
        lesson is done."""
        s = self.session
        if self.done or s.waits_for().kind == "bot":
            return None
        if self.astray or not s.noticed:
            return Wanted(back=True)
        move = s.planned[s.progress()[0]]
        return Wanted(move.tile, move.slot, move.button, False)

    def title(self, translator: Translator) -> str:
        return translator("lesson.title_" + self.topic)

    def text(self, translator: Translator) -> str:
        """Return what the learner reads now: what to do and why, or what the bots do."""
        names = {**bot_names(BOTS, ()), **self.session.names}
        return translator(self._key(), two=names[2], three=names[3])

    def _key(self) -> str:
        s = self.session
        if self.done:
            return "lesson.%s_end" % self.topic
        if self.astray:
            return "lesson.astray"
        key = "lesson.%s_%d" % (self.topic, self.step)
        if not s.noticed:
            return key if s.past else key + "_after"
        done = s.progress()[0]
        if s.planned[done].seat != LEARNER:
            return key + "_after"
        before = [m for m in s.planned[:done] if m.seat == LEARNER and m.step == self.step]
        return key + ("", "b", "c")[len(before)]


def has_lesson(folder: Path) -> bool:
    return match_metadata.read(folder, LessonSession.KIND) is not None
