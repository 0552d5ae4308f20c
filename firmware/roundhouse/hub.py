# SPDX-License-Identifier: MIT
"""The hub: the loop over all parts of one board.

A pass of the loop is the method `step`: it scans buttons, polls one reader, carries out any input,
draws a frame every 20 ms and passes text to the console. A pass never waits, and without an input
it makes no objects.

The hub turns gestures (presses, holds, cards, a tile tapped with a button down) into inputs (kind,
slot, value) for the table, a games.match.Match, which knows the rules. The method `input` has
these steps:

    table.apply        the verdict
    first frame        the answer lamp of the slot, within milliseconds of the tap
    journal.record     on flash
    console            one JSON line
    next frame         all other lamps
    journal.prepare    slow work for the next record

A `place` is an index in board order (stations, M, E); a `slot` is a number of the game. Rarely
needed modules are imported where they are used; boot.tidy frees them.
"""

from roundhouse import console, constants, tags, tiles
from roundhouse.constants import const
from roundhouse.drivers import buttons, within
from roundhouse.drivers.reader import FAULT, RESET
from roundhouse.drivers.strip import FULL
from roundhouse.feedback import Feedback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from roundhouse.console import Console
    from roundhouse.drivers.buttons import Buttons
    from roundhouse.drivers.piezo import Piezo
    from roundhouse.drivers.presence import Readers
    from roundhouse.drivers.strip import Strip
    from roundhouse.games.match import Match
    from roundhouse.journal import Journal
    from roundhouse.lights import Lights


_FRAME_MS = const(20)  # between two frames of the lights
_PAUSE_MS = const(1000)  # without an input, before each step of work that nothing waits for
_SCAN_MS = const(10)  # between two looks at the buttons
_LEFT = const(2304)  # bytes of the console's ring that lines of health leave to those of the match
# A tag at the edge of a reader's field is heard now and then. It is an input again only after it
# was silent for this long: a tile, which rests where it was tapped, and a card, which is like a
# button (drivers.buttons).
_TILE_MS = const(1500)
_CARD_MS = const(500)
_FORGET_MS = const(5000)  # after a long hold, the time for the press that forgets the match


class Hub:
    """The parts of one board, and the loop over them.

    table: the Match.
    slots: the slot at each place, in board order. Readers, buttons and pixels are numbered by
        place, not by slot. Pixels alone may be there for E, which is last: see `wired`.
    random: a function that returns 0..255, to pick a starter.
    piezo: a drivers.piezo.Piezo, or None for a silent hub.
    config: (the house of config.py in words, the `Match.rules` of that house).

    wired: the slots that have a reader and a button, in board order.
    no_memory: whether memory ran out in the last pass; the next pass then reloads the match from
        the journal.

    commands and tag_writer use only public methods, the constants below and the attributes
    `table`, `slots`, `wired`, `reader`, `strip`, `journal` and `feedback`. In all methods, `text`
    is the input as the console prints it, and `where` is the slot that shows the answer.
    """

    # What work for later waits for, in the order in which it is done:
    SENT = 0  # the lines so far were sent, or the host does not read them
    READ = 1  # the host has read all lines
    PAUSE = 2  # a second without an input, and since the step before

    def __init__(
        self,
        *,
        table: "Match",
        slots: "Sequence[int]",
        reader: "Readers",
        buttons: "Buttons",
        lights: "Lights",
        strip: "Strip",
        journal: "Journal",
        console: "Console",
        time: "Any",
        random: "Any",
        piezo: "Piezo | None",
        config: tuple[str, bytes],
    ) -> None:
        self.table = table
        self.slots = slots
        self.wired = slots[: len(reader.works)]
        self.reader = reader
        self.buttons = buttons
        self.lights = lights
        self.strip = strip
        self.journal = journal
        self.console = console
        self.time = time
        self.random = random
        self.feedback = Feedback(table, lights, piezo, time)
        self._rgb = bytearray(12 * len(slots))
        self._day = strip.brightness
        self._night = 0  # brightness after _idle_ms without an input; 0: never dimmed
        self._idle_ms = 0
        self._awake_at = time.ticks_ms()
        self._frame_at = self._scan_at = time.ticks_ms()
        self._faulty = 0  # mask by place of the readers that do not answer
        self._share = FULL  # eighths of the current budget, as last put on the console
        self._override = False  # the override card was tapped, for the next tile
        self._forget = -1  # place of the button whose press now forgets the match, or -1
        self._forget_at = 0
        self._held_slot = constants.E  # the slot whose button was held last
        self._event = 0  # a button's event that is not handled yet, and its place
        self._event_at = 0
        self._later: dict[int, Iterator[bool]] = {}  # work for later, by what it waits for
        self._paused_at = self._awake_at  # the last step of work for a pause
        self._test: Any = None  # the self-test, while it runs
        self.no_memory = False
        self._last_at = constants.E  # where the last input was made
        self._once = (None, 0)  # the first of two requests, and when it came
        self._config = config
        reader.while_waiting(self.scan)

    def night(self, minutes: int, brightness: int) -> None:
        """Set the night light: after `minutes` without an input (0: never), the lamps are dimmed
        to `brightness`."""
        self._idle_ms = minutes * 60000
        self._night = brightness if minutes else 0

    def _wake(self, where: int = constants.E) -> None:
        """Restore full brightness for an input at slot `where`."""
        self._last_at = where
        self._awake_at = self.time.ticks_ms()
        self.strip.brightness = self._day

    def step(self) -> bool:
        """Make one pass of the loop; return whether to run gc.collect() now: after an input, once
        its console line was sent or the host stopped reading.

        A pass without an input makes no objects.
        """
        try:
            time = self.time
            if self._test or self.no_memory:
                self._suspended()
                return False
            if self.scan():
                self.read_line()
            if self._event:
                event, self._event = self._event, 0
                self._wake(self.slots[self._event_at])
                self._button(event, self._event_at, time.ticks_ms())
            place = self.reader.step()
            if place >= 0 and (self.reader.new or self._faulty):
                self._read(place)
            now = time.ticks_ms()  # again: reading and answering took time
            if time.ticks_diff(now, self._frame_at) >= 0:
                self._frame_at = time.ticks_add(now, _FRAME_MS)
                self._frame(now)
            flows = self.console.flush()
            return self._work(flows, now) if self._later else False
        except MemoryError as error:
            if self.no_memory:
                raise error  # recovering ran out of memory, too (no bare raise in machine code)
            self.no_memory = True
            return True

    def later(self, when: int, steps: "Iterator[bool] | None") -> None:
        """Run an iterator later, a step at a time, and each step only when SENT, READ or PAUSE has
        come true. A step yields whether to run gc.collect().

        The iterator takes the place of the one that waits for the same. None only removes it.
        """
        self._later.pop(when, None)
        if steps:
            self._later[when] = steps

    def _work(self, flows: bool, now: int) -> bool:
        """Make a step of all work whose time has come. Return whether to run gc.collect(). flows:
        whether lines are being sent."""
        collect = False
        for when in (self.SENT, self.READ, self.PAUSE):
            steps = self._later.get(when)
            if steps and self._is_time(when, flows, now):
                del self._later[when]  # one that raises an exception is not to be used again
                try:
                    collect = next(steps) or collect
                    self._later.setdefault(when, steps)  # unless it has set another one
                except StopIteration:
                    pass
        return collect

    def _is_time(self, when: int, flows: bool, now: int) -> bool:
        if when == self.SENT:
            return not flows
        if when == self.READ:
            return not self.console.waiting
        for at in (self._awake_at, self._paused_at):
            if within(self.time.ticks_diff, now, at, _PAUSE_MS):
                return False
        self._paused_at = now
        return True

    def _after_input(self, follow: "tuple[int, int, int] | None") -> "Iterator[bool]":
        """Do what follows on an input's console line. follow: (verdict, where, tile) for
        feedback.follow_up, or None."""
        if follow:
            self.feedback.follow_up(*follow, self.journal, self.scan)
        self._frame(self.time.ticks_ms())
        # before anything else, because the next input is never as far away as now
        more = self.journal.prepare()
        yield True
        while more:
            more = self.journal.prepare()
            yield False

    def _suspended(self) -> None:
        """Make one pass while the match is suspended: memory ran out, or a self-test runs."""
        if self.no_memory:
            from roundhouse import commands

            self.lights.redraw()
            commands.recover(self, self._last_at)
            self.no_memory = False
            return
        self.scan()
        event, self._event = self._event, 0
        now = self.time.ticks_ms()
        if self.feedback.piezo:
            self.feedback.piezo.step(now)
        if not self._test.step(event, self._event_at):
            self._test.end()
            self._test = None
            self.lights.redraw()
            self._frame_at = self._paused_at = now  # they may lie days back
            self._wake()
            self._show_faults()

    def scan(self) -> bool:
        """Scan the buttons if a scan is due; return whether it was due. Readers also call this
        while they wait."""
        time = self.time
        now = time.ticks_ms()
        if self._event or time.ticks_diff(now, self._scan_at) < 0:
            return False
        self._scan_at = time.ticks_add(now, _SCAN_MS)
        self._event = self.buttons.scan(now)
        self._event_at = self.buttons.which
        return True

    # ---- inputs ----

    def input(
        self, kind: int, slot: int, value: int, text: str, where: int, chance: int = 0
    ) -> None:
        """Carry out an input: get the verdict, show the answer at slot `where`, write the input to
        the journal, and put a line on the console. chance: a random byte for a tile that may pick
        a starter."""
        table = self.table
        before = table.phase, table.out, table.turn
        chooses = kind == constants.RULES or kind == constants.SET
        rules = table.rules if kind == constants.RULES else None
        table.gain = 0
        kept = value | chance << 8
        verdict = table.apply(kind, slot, kept)
        if verdict:
            self._show_red(verdict, where, value)
        else:
            self._flash(where, "g")
            self.feedback.accepted(where, before)
            try:
                new_match = table.phase == constants.LOBBY != before[0]
                self.journal.record(kind, slot, kept, new_match)
            except OSError:
                self.journal.restore()
                self.lights.show(table)
                verdict = constants.FAULT
                self._show_red(verdict, where)
            else:
                self.feedback.celebrate(before)
        more = ""
        if chooses:
            from roundhouse import line_keys

            more = line_keys.about(table)
            if rules:
                more += line_keys.changed(table, rules)
        by, did = (0, None) if verdict else (table.by, table.did)
        self.put_input(text, verdict, by, did, more, follow=(verdict, where, value))

    def _show_red(self, verdict: int, where: int, tile: int = 0) -> None:
        self._flash(where, "r")
        self.feedback.refused(verdict, where, tile)

    # ---- readers ----

    def _read(self, place: int) -> None:
        """Handle the result of a poll: new tags, a fault, or a repaired reader."""
        reader = self.reader
        new = reader.new
        slot = self.slots[place]
        if new < FAULT:
            self._health(place, "reader", "reset" if new == RESET else "slow")
        elif (new < 0) != bool(self._faulty >> place & 1) and (new < 0 or not reader.rests(place)):
            self._faulty ^= 1 << place
            self._health(place, "reader", "fault" if new < 0 else "ok")
        if new <= 0:
            return
        self._wake(slot)
        held = self.buttons.down >> place & 1
        if held:
            self.buttons.use(place)  # its release is then not an input
        found = tags.read(reader.images[0], reader.sizes[0])
        if new > 1 and tags.read(reader.images[1], reader.sizes[1]) != found:
            found = None
        if not found:
            self._unreadable("tap ? " + constants.slot_name(slot), slot, place)
        elif found[1][0] == "tile":
            reader.remember(place, _TILE_MS)
            text, (_, high, low) = found
            self._tile(tiles.tile(high, low), text, slot, held)
        else:
            reader.remember(place, _CARD_MS)
            self._card(found[1], found[0].decode(), slot, place, held)

    def _unreadable(self, text: str, where: int, place: int, wrong: str = "") -> None:
        """Refuse a tag without a meaning, and print the reason. wrong: what is wrong with a card
        that chooses rules."""
        self._show_red(constants.UNREADABLE, where)
        from roundhouse import tag_diagnosis

        self.put_input(
            text, constants.UNREADABLE, why=tag_diagnosis.why(self.reader, place, wrong)
        )

    def _card(
        self, meaning: "tuple[Any, ...]", text: str, slot: int, place: int, held: int
    ) -> None:
        """Carry out a card. meaning: as from tags.parse."""
        kind = meaning[0]
        line = "tap %s %s" % (text, constants.slot_name(slot))
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
        else:  # house, set: the same words as on the console
            from roundhouse import commands

            try:
                rule = commands.correction(text)
            except ValueError as error:
                self._unreadable(line, slot, place, str(error))
                return
            self.input(rule[0], rule[1], rule[2], line, slot)

    def _tile(self, tile: int, text: bytes, slot: int, held: int) -> None:
        override = self._override or held
        self._override = False
        if override and self.table.phase == constants.PLAY:
            kind, word = constants.OVERRIDE, "override"
        else:
            kind, word = constants.TAP, "tap"
        draws = self.table.phase < constants.PLAY and slot == constants.E
        line = "%s %s %s" % (word, text.decode(), constants.slot_name(slot))
        self.input(kind, slot, tile, line, slot, self.random() if draws else 0)

    def press(self, slot: int, text: str, where: int) -> None:
        """Handle a press of a slot's button, or a card or command with the same effect.

        If a seat forgot to announce its last tile, M's button makes that seat draw a tile.
        Otherwise M's button shows the totals.
        """
        if slot == constants.M and not self.table.catchable:
            self.totals(text, where)
        else:
            self.input(constants.PRESS, slot, 0, text, where)

    def totals(self, text: str, where: int) -> None:
        """Show all totals in flashes of the lamps."""
        from roundhouse import round_end_lights

        round_end_lights.totals(self.table, self.lights)
        self.accept(text, where)

    def _press_seat(self, slot: int, text: str, where: int) -> None:
        """Handle a press of a seat's button, or a card with the same effect. If E is held down,
        the seat draws."""
        engine = self.slots.index(constants.E)
        if slot != constants.E and self.buttons.down >> engine & 1:
            self.buttons.use(engine)
            self.input(constants.DRAW, slot, 0, text.replace("press", "draw"), where)
        else:
            self.press(slot, text, where)

    # ---- buttons ----

    def _button(self, event: int, place: int, now: int) -> None:
        slot = self.slots[place]
        name = constants.slot_name(slot)
        if event in (buttons.LOOSE, buttons.RIGHT):
            self._button_health(len(self.wired) - 1)
        elif event in (buttons.STUCK, buttons.FREE):
            self._button_health(place)
        elif event == buttons.LONG:
            self._forget = place
            self._forget_at = now
        elif event == buttons.HOLD:
            self.take_back("hold " + name, slot)
        elif place == self._forget and within(
            self.time.ticks_diff, now, self._forget_at, _FORGET_MS
        ):
            self._forget = -1
            self.input(constants.FORGET, 0, 0, "forget " + name, slot)
        else:
            self._press_seat(slot, "press " + name, slot)
        if event != buttons.LONG:
            self._forget = -1

    def take_back(self, text: str, where: int) -> None:
        """Take back the last accepted input; its slot blinks white."""
        try:
            taken = self.journal.take_back()
        except OSError:
            self.refuse(text, constants.FAULT, where)
            return
        if not taken:
            self.refuse(text, constants.NOT_NOW, where)
            return
        self.show_again("w", taken[1])
        self.put_input(text, constants.OK, 0, "took-back")

    def show_again(self, letter: str, slot: int) -> None:
        """Show the table after an undo or a redo, and light the answer lamp of the input's slot.
        letter: as in `Lights.answer`."""
        self.lights.show(self.table)
        self._frame(self.feedback.answer(slot, letter))

    # ---- console ----

    def read_line(self) -> None:
        """Carry out a console command if its line is complete."""
        try:
            line = self.console.read()
            if line:
                self._wake()
                from roundhouse import commands

                self.scan()
                commands.run(self, line)
        except ValueError as error:
            self.put_line(console.error(str(error)))

    def put_input(
        self,
        text: str,
        verdict: int,
        by: int = 0,
        did: str | None = None,
        more: str = "",
        why: str = "",
        follow: tuple[int, int, int] | None = None,
    ) -> None:
        """Put the line for an input on the console. For the parameters see console.input_line, and
        for `follow` see _after_input."""
        self.later(self.SENT, self._after_input(follow))
        self.lights.update(self.time.ticks_ms())
        lamps, n = self.lights.lamps, self.journal.n
        self.put_line(console.input_line(text, verdict, by, did, self.table, lamps, n, more, why))

    def put_state(self, text: str, trains: bool = False, more: str = "") -> None:
        """Put a line on the console that describes the match. The line has the game and the
        match's house. If the match does not have the rules of config.py, the line also has the
        house of config.py.

        trains: whether to add the round's tiles.
        """
        from roundhouse import line_keys

        self.scan()
        table = self.table
        about = line_keys.about(table)
        if trains:
            about += line_keys.laid(line_keys.trains(table, self.journal, self.scan))
        about += line_keys.config(table, *self._config)
        self.scan()
        self.put_input(text, constants.OK, 0, "showed", about + more)

    def put_line(self, line: str) -> None:
        self.console.put(line)

    def refuse(self, text: str, verdict: int, where: int) -> None:
        """Answer a refused input: a red blink and a console line."""
        self._show_red(verdict, where)
        self.put_input(text, verdict)

    def accept(self, text: str, where: int) -> None:
        """Answer an action that is not an input of the match: green light and a console line."""
        self.answer(where, "g")
        self.put_input(text, constants.OK, 0, "showed")

    def answer(self, where: int, letter: str) -> None:
        """Light the answer lamp of slot `where`. letter: "g" for accepted, "r" for refused."""
        self.feedback.answer(where, letter)

    # ---- what commands and cards start ----

    def confirmed(self, what: "Any", within_ms: int) -> bool:
        """Record a request for `what`. If the previous request was also for `what`, at most
        within_ms ago, forget both requests and return True; otherwise return False.

        If `what` is None, only forget the previous request; return False.
        """
        before, at = self._once
        now = self.time.ticks_ms()
        recent = within(self.time.ticks_diff, now, at, within_ms)
        sure = recent and what == before is not None
        self._once = (None if sure else what, now)
        return sure

    def start_test(self) -> None:
        """Start the self-test, which uses the whole board; the match is suspended until it
        ends."""
        from roundhouse.selftest import SelfTest

        self._test = SelfTest(self.slots, self.reader, self.strip, self.console, self.time)
        self.put_line('{"selftest": "begin"}')

    # ---- lights ----

    def _show_faults(self) -> None:
        faulty = self._faulty | self.buttons.stuck
        if self.buttons.loose:
            faulty |= 1 << len(self.wired) - 1
        for place in range(len(self.slots)):
            self.lights.set_fault(self.slots[place], bool(faulty >> place & 1))

    def _button_health(self, place: int) -> None:
        stuck = self.buttons.stuck >> place & 1
        self._health(
            place, "button", "loose" if self.buttons.loose else "stuck" if stuck else "ok"
        )

    def _health(self, place: int, part: str, word: str) -> None:
        slot = self.slots[place]
        self._show_faults()
        more = ""
        if word == "fault":
            if self.reader.register(place):
                more = ', "register": "0x%02x"' % self.reader.register(place)
            elif not self.reader.is_there(place):
                from roundhouse import line_keys

                more = line_keys.behind(self.slots, place)
        name = constants.slot_name(slot)
        self.console.put('{"slot": "%s", "%s": "%s"%s}' % (name, part, word, more), _LEFT)

    def _flash(self, where: int, letter: str) -> None:
        """Light the answer lamp at once. The next frame, with all other lamps, comes after the
        input's line."""
        self.strip.show(self._rgb, self.lights.flash(where, letter, self._rgb))
        self._frame_at = self.time.ticks_add(self.time.ticks_ms(), _FRAME_MS)

    def _frame(self, now: int) -> None:
        if self.feedback.piezo:
            self.feedback.piezo.step(now)
        if self._night and (
            self.strip.brightness != self._day
            or self.time.ticks_diff(now, self._awake_at) >= self._idle_ms
        ):
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
                    self._held_slot = self.slots[place]
        self.lights.show_hold(self._held_slot, longest)
        changed = self.lights.frame(now, self._rgb)
        if self.lights.runs and not self.strip.spares(self._rgb):
            self.lights.end_run()
            changed |= self.lights.frame(now, self._rgb)
        self.strip.show(self._rgb, changed)
        share = self.strip.share
        if share != self._share:
            if self._share == FULL:
                from roundhouse import power_supply

                self.put_line(power_supply.LOW % power_supply.vsys(self.strip.supply))
            self._share = share
