# SPDX-License-Identifier: MIT
"""Feedback in light and sound when an input is accepted, refused or taken back.

In the next frame the answer lamp of the input's slot lights up. If the input is refused, the lamps
that explain the refusal light up too. After the console line a light runs from the seat that made
the input to the seat to move. If the tapped tile is already on the table, its slot flashes.
"""

from roundhouse import constants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from roundhouse.drivers.piezo import Piezo
    from roundhouse.games.match import Match
    from roundhouse.journal import Journal
    from roundhouse.lights import Lights

    _Before = tuple[int, int, int]  # phase, seat that had laid its last tile, seat to move


class Feedback:
    def __init__(
        self, table: "Match", lights: "Lights", piezo: "Piezo | None", time: "Any"
    ) -> None:
        self._table = table
        self._lights = lights
        self.piezo = piezo
        self._time = time

    def answer(self, where: int, letter: str, tune: str | None = None) -> int:
        """Light the answer lamp of slot `where` and play a tune. Return the time of the answer in
        ms ticks. letter: "g" for accepted, "r" for refused, "w" for taken back."""
        now = self._time.ticks_ms()
        self._lights.answer(where, letter, now)
        if self.piezo:
            self.piezo.play(tune or ("no" if letter == "r" else "yes"), now)
        return now

    def accepted(self, where: int, before: "_Before") -> None:
        """Show the table after an accepted input at slot `where`. before: (phase, seat that had
        laid its last tile, seat to move) before the input."""
        table = self._table
        self._lights.show(table)
        now = self.answer(where, "g", self._tune(*before))
        if table.fined:
            self._lights.call(table.fined, 0, now)

    def _tune(self, phase: int, out: int, turn: int) -> str:
        table = self._table
        if table.phase == constants.FINISHED != phase:
            return "match"
        if constants.PLAY != table.phase != phase > constants.ENGINE:
            return "out" if table.out and table.out != out else "round"
        if table.did == "knocked":
            return "knock"
        return "turn" if table.turn and table.turn != turn else "yes"

    def refused(self, verdict: int, where: int, tile: int = 0) -> None:
        """Show a refusal at slot `where`: a red blink, and the lamps that explain the verdict."""
        table, lights = self._table, self._lights
        now = self.answer(where, "r")
        if verdict in (constants.DOUBLE_FIRST, constants.COVER_IT):
            lights.call(table.due, 2, now)
        elif verdict in (constants.NOT_YOUR_TURN, constants.OWN_FIRST):
            lights.call(table.turn, 0, now)
        elif verdict == constants.CLOSED:
            lights.call(where, 1, now)
        elif verdict == constants.NO_MATCH:
            self._call_all(table.fits(tile), 1, now)
        elif verdict == constants.NOT_AN_ENGINE:
            self._call_all(table.inviting, 0, now)

    def _call_all(self, slots: int, k: int, now: int) -> None:
        """Make lamp k of every slot in a mask blink for attention."""
        for slot in range(constants.SLOT_COUNT):
            if slots >> slot & 1:
                self._lights.call(slot, k, now)

    def celebrate(self, before: "_Before") -> None:
        """Celebrate if an accepted input emptied a hand, or ended a round or the match. before: as
        in `accepted`."""
        phase, out, _ = before
        table = self._table
        if table.phase in (phase, constants.PLAY):  # in play: the round begins, or continues (O12)
            return
        decided = phase == constants.PLAY and table.phase != constants.SCORING  # by points in play
        if decided or phase == constants.SCORING or phase < constants.SCORING and table.out:
            from roundhouse import round_end_lights

            round_end_lights.show(table, self._lights, phase, out)

    def follow_up(
        self,
        verdict: int,
        where: int,
        tile: int,
        journal: "Journal",
        meanwhile: "Callable[[], object]",
    ) -> None:
        """Show the feedback after the console line. After an accepted input, a light runs from the
        seat that made the input to the seat to move. If the tapped tile is already on the table,
        the slot where the tile was laid lights up green.

        meanwhile: a function that is called repeatedly during long work.
        """
        table = self._table
        now = self._time.ticks_ms()
        if verdict == constants.OK:
            if table.by and table.turn:
                self._lights.run(table.by, table.turn, now)
        elif verdict == constants.ON_TABLE:
            from roundhouse import line_keys

            for slot, laid in line_keys.trains(table, journal, meanwhile).items():
                if tile in laid and slot != where:
                    self._lights.answer(slot, "g", now)
