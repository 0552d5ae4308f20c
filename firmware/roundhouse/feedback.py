# SPDX-License-Identifier: MIT
"""Answers: what an input looks and sounds like when it is accepted, refused or taken back.

The answer itself is the lamp of the slot where the input was made, in the first frame after it;
with a refusal comes the lamp that tells why. What follows waits until the console has its line: a
light from the seat that the input was booked on to the one whose turn it is, and for a tile that
is on the table already a look at where it lies.
"""

from roundhouse import constants


class Feedback:
    """The answers of one board: what a match `table` says, onto `lights` and into `piezo`, a
    drivers.piezo.Piezo or None."""

    def __init__(self, table, lights, piezo, time):
        self._table = table
        self._lights = lights
        self.piezo = piezo
        self._time = time

    def show(self, where, letter, tune=None):
        """Answer at a slot: "g" accepted, "r" refused, "w" taken back; return the time, in ms."""
        now = self._time.ticks_ms()
        self._lights.answer(where, letter, now)
        if self.piezo:
            self.piezo.play(tune or ("no" if letter == "r" else "yes"), now)
        return now

    def accepted(self, where, before):
        """Show the table as it is now. before: (phase, who had gone out, whose turn it was)."""
        table = self._table
        self._lights.show(table)
        now = self.show(where, "g", self._tune(*before))
        if table.fined:
            self._lights.why(table.fined, 0, now)

    def _tune(self, phase, out, turn):
        table = self._table
        if table.phase == constants.FINISHED != phase:
            return "match"
        if table.phase != phase > constants.ENGINE:
            return "out" if table.out and table.out != out else "round"
        if table.did == "knocked":
            return "knock"
        return "turn" if table.turn and table.turn != turn else "yes"

    def refused(self, verdict, where, tile=0):
        """A red blink, and the lamps that tell why."""
        table, lights = self._table, self._lights
        now = self.show(where, "r")
        if verdict in (constants.DOUBLE_FIRST, constants.COVER_IT):
            lights.why(table.due, 2, now)
        elif verdict in (constants.NOT_YOUR_TURN, constants.OWN_FIRST):
            lights.why(table.turn, 0, now)
        elif verdict == constants.CLOSED:
            lights.why(where, 1, now)
        elif verdict == constants.NO_MATCH:
            self._call(table.fits(tile), 1, now)
        elif verdict == constants.NOT_AN_ENGINE:
            self._call(table.wants, 0, now)

    def _call(self, slots, k, now):
        """Let lamp k of every slot of a mask call attention."""
        for slot in range(12):
            if slots >> slot & 1:
                self._lights.why(slot, k, now)

    def ended(self, before):
        """Celebrate what has come to its end with an accepted input, if something has."""
        phase, out, _ = before
        table = self._table
        if table.phase == phase:
            return
        decided = phase == constants.PLAY and table.phase != constants.SCORING  # by points in play
        if decided or phase == constants.SCORING or phase < constants.SCORING and table.out:
            from roundhouse import round_end_lights  # no match has them in play

            round_end_lights.show(table, self._lights, phase, out)

    def follow(self, verdict, where, tile, journal, meanwhile):
        """What comes behind the line of an input; meanwhile() is called where that takes long."""
        table = self._table
        now = self._time.ticks_ms()
        if verdict == constants.OK:
            if table.by and table.turn:
                self._lights.run(table.by, table.turn, now)
        elif verdict == constants.ON_TABLE:
            from roundhouse import report  # rarely needed: until then its memory stays free

            for slot, laid in report.trains(table, journal, meanwhile).items():
                if tile in laid and slot != where:
                    self._lights.answer(slot, "g", now)
