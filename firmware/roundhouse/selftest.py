# SPDX-License-Identifier: MIT
"""The self-test: tries every pixel, reader and button, with or without a PC.

First all pixels light up in red, green and blue, then one after another. Then a slot's first pixel
is red until its button has been pressed, and its last pixel is blue until a tag has been read at
the slot. Green means that the part works, violet that the reader does not answer. The test ends if
everything works, if a button is held down for a second, or if the console gets `selftest end`.
"""

import binascii

from roundhouse import console, constants, power_supply, tags
from roundhouse.drivers import buttons

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from roundhouse.console import Console
    from roundhouse.drivers.presence import Readers
    from roundhouse.drivers.strip import Strip


ALL_MS = 700  # each colour, on all pixels
DOT_MS = 30  # each pixel, alone
FRAME_MS = 20
END = "selftest end"
RUNNING = "the hub is in its self-test; say `selftest end`, or hold any button for a second"
LEVEL = 80  # of 255, before the strip's own brightness

TRIED: tuple[int, int, int] = (0, 2 * LEVEL, 0)
BUTTON: tuple[int, int, int] = (2 * LEVEL, 0, 0)
READER: tuple[int, int, int] = (0, 0, 2 * LEVEL)
FAULT: tuple[int, int, int] = (LEVEL, 0, 2 * LEVEL)


class SelfTest:
    """One run of the self-test, on the parts of a Hub. Call `step` until it returns False, then
    `end`."""

    def __init__(
        self,
        slots: "Sequence[int]",
        reader: "Readers",
        strip: "Strip",
        console: "Console",
        time: "Any",
    ) -> None:
        self._slots = slots[: len(reader.works)]  # those that have a reader and a button
        self._reader = reader
        self._strip = strip
        self._console = console
        self._time = time
        self._all = (1 << len(self._slots)) - 1
        self._pressed = 0  # masks by place
        self._tags = 0
        self._began = time.ticks_ms()
        self._frame_at = self._began
        self._told = 0  # readers whose health was put on the console
        self._rgb = bytearray(12 * len(slots))

    def step(self, event: int, which: int) -> bool:
        """Make one pass of the loop; return whether another pass is needed.

        event: an event (see drivers.buttons) of the button at place `which`, or 0.
        """
        time = self._time
        now = time.ticks_ms()
        if self._told_to_end() or event and not self._button(event, which):
            return False
        place = self._reader.step()
        if place >= 0:
            self._polled(place)
        if time.ticks_diff(now, self._frame_at) >= 0:
            self._frame_at = time.ticks_add(now, FRAME_MS)
            self._show(time.ticks_diff(now, self._began))
        self._console.flush()
        return self._pressed != self._all or self._tags | self._faulty() != self._all

    def end(self) -> None:
        """Print on the console which parts were not tested and which do not work."""
        self._console.put(
            '{"selftest": "end", "readers": %s, "buttons": %s, "tags": %s%s}'
            % (
                self._names(self._faulty()),
                self._names(self._all & ~self._pressed),
                self._names(self._all & ~self._tags),
                power_supply.said(self._strip.supply),
            )
        )

    def _told_to_end(self) -> bool:
        try:
            line = self._console.read()
        except ValueError:
            return False
        if line == END:
            return True
        if line:
            self._console.put(console.error(RUNNING))
        return False

    def _button(self, event: int, place: int) -> bool:
        """Handle an event of the button at a place. Return False if the event ends the test."""
        if event == buttons.HOLD or event == buttons.LONG:
            return False
        if event == buttons.PRESS:
            self._pressed |= 1 << place
            self._say(place, "button", "ok")
        elif event == buttons.LOOSE:
            self._say(len(self._slots) - 1, "button", "loose")
        elif event == buttons.STUCK:
            self._say(place, "button", "stuck")
            if not (self._pressed or self._tags):
                return False  # a broken button, held down at power-up, had started the test
        return True

    def _polled(self, place: int) -> None:
        reader = self._reader
        if not self._told >> place & 1:
            self._told |= 1 << place
            well = reader.healthy(place)
            wrong = 0 if well else reader.register(place)
            more = ', "register": "0x%02x"' % wrong if wrong else ""
            self._say(place, "reader", "0x%02x" % reader.version(place) if well else "fault", more)
        if reader.new > 0:
            self._tags |= 1 << place
            text = tags.text(reader.images[0], reader.sizes[0])
            more = self._uid()
            if not text:
                from roundhouse import tag_diagnosis

                more = tag_diagnosis.why(reader, place) + more
            self._say(place, "tag", text or "?", more)

    def _faulty(self) -> int:
        mask = 0
        for place in range(len(self._slots)):
            if not self._reader.healthy(place):
                mask |= 1 << place
        return mask

    def _names(self, mask: int) -> str:
        slots = self._slots
        names = [constants.slot_name(slots[p]) for p in range(len(slots)) if mask >> p & 1]
        return "[%s]" % ", ".join(['"%s"' % name for name in names])

    def _uid(self) -> str:
        """Return the JSON key with the UID of the tag that was read last."""
        kept = self._reader.tag.uid
        last = 4 * kept[0] - 2  # where its last level begins; the others' first byte says: go on
        uid = b""
        for at in range(2, last, 4):
            uid += kept[at + 1 : at + 4]
        return ', "uid": "%s"' % binascii.hexlify(uid + kept[last : last + 4]).decode()

    def _say(self, place: int, part: str, word: str, more: str = "") -> None:
        name = constants.slot_name(self._slots[place])
        word = console.quote(word)
        self._console.put('{"slot": "%s", "%s": %s%s}' % (name, part, word, more))

    def _show(self, ms: int) -> None:
        rgb = self._rgb
        for i in range(len(rgb)):
            rgb[i] = 0
        pixels = len(rgb) // 3
        dot = (ms - 3 * ALL_MS) // DOT_MS
        if 0 <= ms < 3 * ALL_MS:  # negative after a week: see drivers.within
            for i in range(ms // ALL_MS, len(rgb), 3):
                rgb[i] = LEVEL
        elif 0 <= dot < pixels:
            for i in range(3 * dot, 3 * dot + 3):
                rgb[i] = LEVEL
        else:
            faulty = self._faulty()
            for place in range(len(self._slots)):
                self._pixel(12 * place, TRIED if self._pressed >> place & 1 else BUTTON)
                tried = TRIED if self._tags >> place & 1 else READER
                self._pixel(12 * place + 9, FAULT if faulty >> place & 1 else tried)
        self._strip.show(rgb)

    def _pixel(self, i: int, colour: tuple[int, int, int]) -> None:
        for k in range(3):
            self._rgb[i + k] = colour[k]
