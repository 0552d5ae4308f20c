# SPDX-License-Identifier: MIT
"""The lesson: eight short steps on a fixed deal, and a tile that nobody tapped.

A lesson is a MatchSession that begins in mid-round with tiles that are always the same, and in
which the bots' moves are written down. How far somebody has got is read from the table: as many of
the moves as stand there. So it can be left and gone on with anywhere, like every match. Who does
something else that the rules allow is asked to take it back, and nobody moves until then.
"""

import collections

from host_sim.hub.position_setup import PositionSetup
from host_sim.session.dealt_hands import Dealer, tile_number
from host_sim.session.match_metadata import JOURNAL, METADATA, read_metadata
from host_sim.session.match_session import MatchSession, Waiting
from roundhouse import constants, tiles
from roundhouse.games import houses

LEARNER = 1
SEATS = (1, 2, 3)
SET = 9
NAMES = {2: "Bo", 3: "Zoe"}

# What to point at: a tile and where it goes, a button (draw, pass, knock), or taking back.
Wanted = collections.namedtuple("Wanted", "tile slot button back", defaults=(None, None, None, 0))

# hands: what each holds; drawn: what comes next from the boneyard; moves: step, seat and what it
# does, a tile and a slot or a button; by: whom the hub books the first of them on.
Topic = collections.namedtuple("Topic", "hands drawn moves")

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
            *("6 1 7-6 2", "6 2 6-0 2", "6 3 4-0 3"),  # somebody else's open train
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
# In "forgotten" the first tap is made before it is taken back, and booked on the learner.
WRONG = "tap 9-4 M"

Move = collections.namedtuple("Move", "step seat tile slot button")


def moves_of(topic):
    """Return the Moves of a topic, in their order."""
    found = []
    for row in TOPICS[topic].moves:
        step, seat, what, *slot = row.split()
        tile = (what, slot[0], None) if slot else (None, None, what)
        found.append(Move(int(step), int(seat), *tile))
    return found


class LessonSession(MatchSession):
    """The match of a lesson; the bots do what is written down, and nobody moves while the learner
    has left the way. When the lesson is over it is a match like any other."""

    KIND = "lesson"

    def _set_up(self, folder, kept):
        self.moves = moves_of(kept["topic"])
        super()._set_up(folder, kept)

    def _dealer(self):
        topic = TOPICS[self.kept["topic"]]
        hands = {
            seat: [tile_number(text) for text in hand.split()]
            for seat, hand in topic.hands.items()
        }
        drawn = [tile_number(text) for text in topic.drawn.split()]
        known = {*drawn, tiles.double(SET), *(tile for hand in hands.values() for tile in hand)}
        rest = [tile for tile in range(tiles.size(SET)) if tile not in known]
        fixed = {1: (hands, [*rest, *reversed(drawn)])}
        return Dealer(self.seed, self.set, self.options, self.trains, fixed)

    def _power_on(self):
        """The hub finds the beginning of the lesson on its flash, as after a power cut."""
        if not self.files.segments():
            begins = PositionSetup(*houses.parse([self.house]), SET, SEATS, constants.STATIONS)
            begins.line(["engine", "%d-%d" % (SET, SET)])
            begins.line(["fresh", *map(str, SEATS)])
            for seat, hand in self._dealer().deal(1, {})[0].items():
                begins.line(["hand", str(seat), str(len(hand))])
            self.files.put(JOURNAL + "/00000001.rhj", begins.segment())
        return super()._power_on()

    # ---- how far ----

    @property
    def noticed(self):
        """Whether the tap that was booked on somebody else has been taken back, where there is
        one."""
        return self.kept["topic"] == "round" or self.kept.get("noticed", False)

    def way(self):
        """Return (moves of the lesson that stand on the table, whether anything else does)."""
        done = 0
        for move, line in zip(self.moves, self.past):
            if line["by"] != move.seat or line["input"] != _input(move):
                break
            done += 1
        return done, done < len(self.moves) and len(self.past) > done

    def is_over(self):
        """Whether all moves of the lesson have been made."""
        return self.noticed and self.way()[0] == len(self.moves)

    def waits_for(self):
        """As of every match; in the lesson those are next whose move is written down."""
        if self.is_over():
            topic = self.kept["topic"]
            return super().waits_for() if topic == "round" else Waiting("over", None)
        if not self.noticed and not self.past:
            return Waiting("bot", 2)
        done, astray = self.way()
        if astray or self.moves[done].seat == LEARNER:
            knock = not astray and self.moves[done].button == "knock"
            return Waiting("knock" if knock else "person", LEARNER)
        return Waiting("bot", self.moves[done].seat)

    def act(self):
        """As of every match; a bot does what is written down for it."""
        if self.is_over():
            return super().act()
        if self.waits_for().kind != "bot":
            return False
        if not self.noticed:
            return self.taps(tile_number(WRONG.split()[1]), "M")
        move = self.moves[self.way()[0]]
        return (
            self.taps(tile_number(move.tile), move.slot) if move.tile else self.presses(move.seat)
        )

    def take_back(self, own=None):
        """As of every match."""
        wrong = not self.noticed and self.past and self.past[0]["input"] == WRONG
        taken = super().take_back(own)
        if wrong and not self.past:
            self.kept["noticed"] = True
            self.save()
        return taken

    def no_knock(self):
        """In the lesson somebody waits for the knock, however long it takes."""
        if self.is_over():
            super().no_knock()


def _input(move):
    """Return a move as the hub's line says it."""
    if move.tile:
        return "tap %s %s" % (move.tile, move.slot)
    return "press %d" % move.seat


class Lesson:
    """Somebody's lesson, kept in a folder: begun there, or gone on with.

    topic: `round`, the eight steps, or `forgotten`; seed: of the real rounds behind it. `session`
    is the match: its people, hands, `waits_for` and `act` are those of any MatchSession.
    """

    def __init__(self, folder, topic="round", seed=1, names=None):
        if topic not in TOPICS:
            raise ValueError("no lesson %s; there are %s" % (topic, " ".join(TOPICS)))
        kept = read_metadata(folder, LessonSession.KIND)
        if kept is None or kept.get("topic") not in TOPICS:
            self.session = LessonSession(
                folder,
                SEATS,
                (LEARNER,),
                "puremco",
                SET,
                seed,
                "easy",
                {**NAMES, **(names or {})},
                topic=topic,
            )
        else:
            self.session = LessonSession.resume(folder)
        self.topic = self.session.kept["topic"]

    @property
    def steps(self):
        """How many steps there are."""
        return self.session.moves[-1].step

    @property
    def step(self):
        """The step somebody is at, from 1 on; the last one when it is done."""
        s = self.session
        if not s.noticed:
            return 2 if s.past else 1
        done = s.way()[0]
        return s.moves[min(done, len(s.moves) - 1)].step

    @property
    def done(self):
        """Whether all steps have been done."""
        return self.session.is_over()

    @property
    def astray(self):
        """Whether the learner did something that is not of the lesson, to be taken back."""
        if self.session.noticed:
            return self.session.way()[1]
        return bool(self.session.past) and [p["input"] for p in self.session.past] != [WRONG]

    def wanted(self):
        """Return what the learner is to do, a Wanted, or None where the others move."""
        s = self.session
        if self.done or s.waits_for().kind == "bot":
            return None
        if self.astray or not s.noticed:
            return Wanted(back=True)
        move = s.moves[s.way()[0]]
        return Wanted(move.tile, move.slot, move.button, False)

    def title(self, translator):
        """Return what the lesson is called."""
        return translator("lesson.title_" + self.topic)

    def text(self, translator):
        """Return what to do now and why, or what the others do; `translator`: a Translator."""
        names = {**NAMES, **self.session.names}
        return translator(self._key(), two=names[2], three=names[3])

    def _key(self):
        s = self.session
        if self.done:
            return "lesson.%s_end" % self.topic
        if self.astray:
            return "lesson.astray"
        key = "lesson.%s_%d" % (self.topic, self.step)
        if not s.noticed:
            return key if s.past else key + "_after"
        done = s.way()[0]
        if s.moves[done].seat != LEARNER:
            return key + "_after"
        before = [m for m in s.moves[:done] if m.seat == LEARNER and m.step == self.step]
        return key + ("", "b", "c")[len(before)]

    def to_a_real_round(self):
        """Deal a real round, when the one of the lesson is counted; returns whether it was."""
        if self.session.waits_for().kind != "round":
            return False
        self.session.next_round()
        return True


def is_there(folder):
    """Whether a lesson is kept in a folder."""
    return (folder / METADATA).exists() and read_metadata(folder, LessonSession.KIND) is not None
