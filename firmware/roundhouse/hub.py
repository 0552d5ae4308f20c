# SPDX-License-Identifier: MIT
"""One step of the loop: readers and buttons -> table -> journal -> lights -> console.

The hub knows gestures and time; what they mean for the match only the table knows. Every input
goes through `input`: the table's verdict, the answer's first frame, the journal, the console's
line, in this order.
"""

from roundhouse import console, constants, tags, tiles
from roundhouse.drivers import buttons
from roundhouse.drivers.reader import FAULT, RESET
from roundhouse.drivers.strip import FULL
from roundhouse.feedback import Feedback

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


_FRAME_MS = const(20)
_SCAN_MS = const(10)
_FORGET_MS = const(5000)  # after the long hold, the time for the press that forgets the match


class Hub:
    """The parts of one board, and the loop over them.

    slots: the slot of each place, in board order; reader, buttons and lights count by place.
    chance: a callable that returns 0..255, for the starter the hub draws.
    piezo: a drivers.piezo.Piezo, or None for a silent hub. config: the house in config.py, in
    words, and its rules. short: memory ran out in the last pass, and the next goes on from what
    is written.

    What carries out a card or a console line (commands, writing) reads `table`, `slots`,
    `reader`, `strip`, `journal` and `answers`, and asks for everything else by a method whose name
    has no underscore. They take a slot as `where`: it shows the answer.
    """

    def __init__(
        self,
        table,
        slots,
        reader,
        buttons,
        lights,
        strip,
        journal,
        console,
        time,
        chance,
        piezo,
        config,
    ):
        self.table = table
        self.slots = slots
        self.reader = reader
        self.buttons = buttons
        self.lights = lights
        self.strip = strip
        self.journal = journal
        self.console = console
        self.time = time
        self.chance = chance
        self.feedback = Feedback(table, lights, piezo, time)
        self._rgb = bytearray(12 * len(slots))
        self._day = strip.brightness
        self._night = 0  # brightness when nobody has done anything for so long; 0: never
        self._idle_ms = 0
        self._active_at = time.ticks_ms()
        self._frame_at = self._scan_at = time.ticks_ms()
        self._faulty = 0  # mask by place: the reader does not answer
        self._share = FULL  # of the budget, as was said last
        self._override = False  # the override card was tapped
        self._forget = -1  # place of the button that was held for the match to be forgotten
        self._forget_at = 0
        self._counting = constants.E  # the slot whose button was held last
        self._event = 0  # what a button did and nobody has heard yet
        self._which = 0
        self._answered = False  # a line was said, and nothing tidied up since
        self._last = None  # verdict, slot and tile of the input it was for
        self._test = None  # the self-test that runs
        self.short = False
        self._where = constants.E  # where somebody did something last
        self._job = None  # an iterator whose steps each put a line on the console
        self._asked = (None, 0)  # what was asked for once, and when
        self._config = config
        reader.while_waiting(self.scan)

    def night(self, minutes, brightness):
        """Dim the lamps after so many minutes without an input; 0: never."""
        self._idle_ms = minutes * 60000
        self._night = brightness if minutes else 0

    def _wake(self, where=constants.E):
        """Somebody did something at a slot: full light, in the very frame that answers."""
        self._where = where
        self._active_at = self.time.ticks_ms()
        self.strip.brightness = self._day

    def step(self):
        """One pass of the loop; returns whether an input was answered, and the host has its line
        or takes none: then it is a good moment to collect garbage, of which a pass without an
        input makes none."""
        try:
            time = self.time
            if self._test or self.short:
                self._step_of_else()
                return False
            if self.scan():
                self.listen()
            if self._event:
                event, self._event = self._event, 0
                self._wake(self.slots[self._which])
                self._button(event, self._which, time.ticks_ms())
            place = self.reader.step()
            if place >= 0 and (self.reader.new or self._faulty):
                self._read(place)
            now = time.ticks_ms()  # reading and answering took their time
            if time.ticks_diff(now, self._frame_at) >= 0:
                self._frame_at = time.ticks_add(now, _FRAME_MS)
                self._frame(now)
            flows = self.console.flush()
            if self._job and not self.console.waiting:
                try:
                    next(self._job)
                except StopIteration:
                    self._job = None
            if not self._answered or flows:
                return False
            self._answered = False
            if self._last:
                self.feedback.follow(*self._last, self.journal, self.scan)
                self._last = None
            return True
        except MemoryError:
            if self.short:
                raise  # it is too short to go on
            self.short = True
            return True

    def _step_of_else(self):
        """A pass in which the match has to wait: memory ran out in the last, or the self-test."""
        if self.short:
            from roundhouse import commands

            self.lights.redraw()
            commands.recover(self, self._where)
            self.short = False
            return
        self.scan()
        event, self._event = self._event, 0
        if not self._test.step(event, self._which):
            self._test.end()
            self._test = None
            self.lights.redraw()

    def scan(self):
        """Look at the buttons, in the middle of reading a tag too; return whether it was time."""
        time = self.time
        now = time.ticks_ms()
        if self._event or time.ticks_diff(now, self._scan_at) < 0:
            return False
        self._scan_at = time.ticks_add(now, _SCAN_MS)
        self._event = self.buttons.scan(now)
        self._which = self.buttons.which
        return True

    # ---- inputs ----

    def input(self, kind, slot, value, said, where):
        """Give the table an input; answer at slot `where`, keep it, and say it as `said`: a text,
        or (word, bytes, slot) of a tile, which become one when the light is out."""
        table = self.table
        before = table.phase, table.out, table.turn
        chooses = kind == constants.RULES or kind == constants.SET
        rules = table.rules if kind == constants.RULES else None
        table.gain = 0
        verdict = table.apply(kind, slot, value)
        if verdict:
            self._refused(verdict, where, value & 255)
        else:
            self._first(where, "g")
            self.feedback.accepted(where, before)
            self._frame(self.time.ticks_ms())
            self.favour()
            try:
                new_match = table.phase == constants.LOBBY != before[0]
                self.journal.record(kind, slot, value, new_match)
            except OSError:
                self.journal.restore()
                self.lights.show(table)
                verdict = constants.FAULT
                self._refused(verdict, where)
            else:
                self.feedback.ended(before)
        more = ""
        if chooses:
            from roundhouse import report  # rarely needed: until then its memory stays free

            more = report.about(table)
            if rules:
                more += report.changed(table, rules)
        if verdict:
            self.say(said, verdict, more=more)
        else:
            self.say(said, verdict, table.by, table.did, more)
        self._last = verdict, where, value & 255

    def _refused(self, verdict, where, tile=0):
        self._first(where, "r")
        self.feedback.refused(verdict, where, tile)
        self._frame(self.time.ticks_ms())

    # ---- readers ----

    def _read(self, place):
        """What the reader of a place says after a poll."""
        reader = self.reader
        new = reader.new
        slot = self.slots[place]
        if new < FAULT:
            self._health(place, "reader", "reset" if new == RESET else "slow")
        elif (new < 0) != bool(self._faulty >> place & 1):
            self._faulty ^= 1 << place
            self._health(place, "reader", "fault" if new < 0 else "ok")
        if new <= 0:
            return
        self._wake(slot)
        held = self.buttons.down >> place & 1
        if held:
            self.buttons.use(place)  # whatever was tapped, letting go is no input
        found = tags.read(reader.images[0], reader.sizes[0])
        if new > 1 and tags.read(reader.images[1], reader.sizes[1]) != found:
            found = None
        if not found:
            self.refuse("tap ? " + constants.slot_name(slot), constants.UNREADABLE, slot)
        elif found[1][0] == "tile":
            said, (_, high, low) = found
            self._tile(tiles.tile(high, low), said, slot, held)
        else:
            self._card(found[1], found[0].decode(), slot, place, held)

    def _card(self, meaning, said, slot, place, held):
        """A card was laid on a slot."""
        kind = meaning[0]
        line = "tap %s %s" % (said, constants.slot_name(slot))
        if kind == "seat":
            self._press_seat(meaning[1], line, slot)
        elif kind == "next":
            self.press(constants.E, line, slot)
        elif kind == "totals":
            self.totals(line, slot)
        elif kind == "undo":
            self.take_back(line, slot)
        elif kind == "override":
            self._override = True
            self.accept(line, slot)
        elif kind == "quiet":
            from roundhouse import commands

            commands.sound(self, None, line, slot)
        elif kind == "scores":
            from roundhouse import tag_writer

            tag_writer.scores(self, line, place)
        else:  # house, set: the words are those of the console
            from roundhouse import commands

            try:
                rule = commands.correction(said)
            except ValueError:
                self.refuse(line, constants.UNREADABLE, slot)
                return
            self.input(rule[0], rule[1], rule[2], line, slot)

    def _tile(self, tile, said, slot, held):
        override = self._override or held
        self._override = False
        if override and self.table.phase == constants.PLAY:
            kind, word = constants.OVERRIDE, "override"
        else:
            kind, word = constants.TAP, "tap"
            if self.table.phase < constants.PLAY and slot == constants.E:
                tile |= self.chance() << 8
        self.input(kind, slot, tile, (word, said, slot), slot)

    def press(self, slot, said, where):
        """A slot's button, or the card or the line that stands for it. M's button shows the totals
        where nobody is to be caught; the card `totals` does so always."""
        if slot == constants.M and not self.table.to_catch:
            self.totals(said, where)
        else:
            self.input(constants.PRESS, slot, 0, said, where)

    def totals(self, said, where):
        """Count out everybody's totals, which is no input of the match."""
        from roundhouse import round_end_lights  # rarely needed in play

        round_end_lights.totals(self.table, self.lights)
        self.accept(said, where)

    def _press_seat(self, slot, said, where):
        """A seat's button or card; with E held down it is a draw."""
        engine = self.slots.index(constants.E)
        if slot != constants.E and self.buttons.down >> engine & 1:
            self.buttons.use(engine)
            self.input(constants.DRAW, slot, 0, said.replace("press", "draw"), where)
        else:
            self.press(slot, said, where)

    # ---- buttons ----

    def _button(self, event, place, now):
        slot = self.slots[place]
        name = constants.slot_name(slot)
        if event == buttons.STUCK or event == buttons.FREE:
            self._health(place, "button", "stuck" if event == buttons.STUCK else "ok")
        elif event == buttons.LONG:
            self._forget = place
            self._forget_at = now
        elif event == buttons.HOLD:
            self.take_back("hold " + name, slot)
        elif place == self._forget and self.time.ticks_diff(now, self._forget_at) <= _FORGET_MS:
            self._forget = -1
            self.input(constants.FORGET, 0, 0, "forget " + name, slot)
        else:
            self._press_seat(slot, "press " + name, slot)
        if event != buttons.LONG:
            self._forget = -1

    def take_back(self, said, where):
        """Take back the last accepted input; its slot blinks white."""
        try:
            taken = self.journal.take_back()
        except OSError:
            self.refuse(said, constants.FAULT, where)
            return
        if not taken:
            self.refuse(said, constants.NOT_NOW, where)
            return
        self.show_again("w", taken[1])
        self.say(said, constants.OK, 0, "took-back")

    def show_again(self, letter, slot):
        """Show the table, which went back or on: the answer is where that input was made."""
        self._last = None
        self.lights.show(self.table)
        self.favour()
        self._frame(self.feedback.show(slot, letter))

    # ---- console ----

    def listen(self):
        """Carry out a console line, where a whole one was typed."""
        try:
            line = self.console.read()
            if line:
                self._wake()
                from roundhouse import commands  # rarely needed: until then its memory stays free

                self.scan()
                commands.run(self, line)
        except ValueError as error:
            self.tell(console.error(str(error)))

    def say(self, said, verdict, by=0, did=None, more=""):
        """Put the line for an input on the console; see console.line."""
        self._answered = True
        if isinstance(said, tuple):
            word, text, slot = said
            said = "%s %s %s" % (word, text.decode(), constants.slot_name(slot))
        self.lights.letters(self.time.ticks_ms())
        self.tell(console.line(said, verdict, by, did, self.table, self.lights.lamps, more))

    def show(self, said, trains=False, more=""):
        """Say what changes nothing: the match by its game and house, the round's tiles if wanted,
        the house that config.py has where that is another one, and `more`."""
        from roundhouse import report  # rarely needed: until then its memory stays free

        self.scan()
        table = self.table
        about = report.about(table)
        if trains:
            about += report.laid(report.trains(table, self.journal, self.scan))
        about += report.config(table, *self._config)
        self.scan()
        self.say(said, constants.OK, 0, "showed", about + more)

    def tell(self, line):
        """Put any other line on the console."""
        self.console.put(line)

    def refuse(self, said, verdict, where):
        """An input has come to nothing: answer at a slot, and say why."""
        self._refused(verdict, where)
        self.say(said, verdict)

    def accept(self, said, where):
        """Something was done that is no input of the match: answer at a slot, and say so."""
        self.answer(where, "g")
        self.say(said, constants.OK, 0, "showed")

    def answer(self, where, letter):
        """Show an answer at a slot: "g" accepted, "r" refused."""
        self.feedback.show(where, letter)

    # ---- what commands and cards begin ----

    def begin(self, steps):
        """Take the steps of an iterator, each when the host has taken all lines before."""
        self._job = steps

    def asked_twice(self, what, within_ms):
        """Return whether the same was asked for the last time this was called, at most so many
        ms ago; after that it counts as not asked. None: nothing is asked, and that is forgotten.
        """
        before, at = self._asked
        now = self.time.ticks_ms()
        sure = what == before is not None and self.time.ticks_diff(now, at) <= within_ms
        self._asked = (None if sure else what, now)
        return sure

    def begin_test(self):
        """Begin the self-test: from now on it has the board, not the match."""
        from roundhouse.selftest import SelfTest  # rarely needed: its memory stays free

        self._test = SelfTest(self.slots, self.reader, self.strip, self.console, self.time)
        self.tell('{"selftest": "begin"}')

    # ---- lights ----

    def _health(self, place, part, word):
        slot = self.slots[place]
        self.lights.fault(slot, word != "ok")
        more = ""
        if word == "fault" and not self.reader.is_there(place):
            from roundhouse import report  # rarely needed: until then its memory stays free

            more = report.behind(self.slots, place)
        name = constants.slot_name(slot)
        self.tell('{"slot": "%s", "%s": "%s"%s}' % (name, part, word, more))

    def favour(self):
        """Ask the slots on which the next tile may be laid more often."""
        playable = self.table.playable
        mask = 0
        for place in range(len(self.slots)):
            if playable >> self.slots[place] & 1:
                mask |= 1 << place
        self.reader.favour(mask)

    def _first(self, where, letter):
        self.strip.show(self._rgb, self.lights.first(where, letter, self._rgb))

    def _frame(self, now):
        if self.feedback.piezo:
            self.feedback.piezo.step(now)
        if self._night and self.time.ticks_diff(now, self._active_at) >= self._idle_ms:
            if self.buttons.down:
                self._wake()
            else:
                self.strip.brightness = self._night
        longest = 0
        if self.buttons.down:
            for place in range(len(self.slots)):
                held = self.buttons.held_ms(place, now)
                if held > longest:
                    longest = held
                    self._counting = self.slots[place]
        self.lights.count_up(self._counting, longest)
        changed = self.lights.frame(now, self._rgb)
        if self.lights.runs and not self.strip.spares(self._rgb):
            self.lights.dim()
            changed |= self.lights.frame(now, self._rgb)
        self.strip.show(self._rgb, changed)
        share = self.strip.share
        if share != self._share:
            if self._share == FULL:
                from roundhouse import power  # rarely needed: until then its memory stays free

                self.tell(power.LOW % power.vsys(self.strip.supply))
            self._share = share
