# SPDX-License-Identifier: MIT
"""The self-test: every pixel, reader and button shown and tried, with or without a PC.

First all pixels in red, green, blue, then one light through all of them. Then every slot shows
what is still to be tried: its first pixel is red until its button was pressed, its last one blue
until a tag was read there; done is green, and violet is a reader that does not answer. It ends by
itself when all is done, by a button held for a second, or by `selftest` on the console.
"""

import binascii

from roundhouse import console, constants, power, tags
from roundhouse.drivers import buttons

ALL_MS = 700  # each colour on all pixels
DOT_MS = 30  # each pixel alone
FRAME_MS = 20
LEVEL = 80  # of 255, before the strip's own brightness

TRIED = (0, 2 * LEVEL, 0)
BUTTON = (2 * LEVEL, 0, 0)
READER = (0, 0, 2 * LEVEL)
FAULT = (LEVEL, 0, 2 * LEVEL)


class SelfTest:
    """One run, on parts of a Hub: `step` until that is False, then `end`."""

    def __init__(self, slots, reader, strip, console, time):
        self._slots = slots
        self._reader = reader
        self._strip = strip
        self._console = console
        self._time = time
        self._all = (1 << len(slots)) - 1
        self._pressed = 0  # masks by place
        self._tags = 0
        self._began = time.ticks_ms()
        self._frame_at = self._began
        self._told = 0  # readers whose health has been said
        self._rgb = bytearray(12 * len(slots))

    def step(self, event, which):
        """One pass of the loop; returns whether another one is needed.

        event: what the button at place `which` did, as drivers.buttons has it; 0 for nothing.
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

    def end(self):
        """Say what was not tried or does not work."""
        self._console.put(
            '{"selftest": "end", "readers": %s, "buttons": %s, "tags": %s%s}'
            % (
                self._names(self._faulty()),
                self._names(self._all & ~self._pressed),
                self._names(self._all & ~self._tags),
                power.said(self._strip.supply),
            )
        )

    def _told_to_end(self):
        try:
            return self._console.read() == "selftest"
        except ValueError:
            return False

    def _button(self, event, place):
        """A button did something; False where it ends the test."""
        if event == buttons.HOLD or event == buttons.LONG:
            return False
        if event == buttons.PRESS:
            self._pressed |= 1 << place
            self._say(place, "button", "ok")
        elif event == buttons.STUCK:
            self._say(place, "button", "stuck")
            if not (self._pressed or self._tags):
                return False  # a broken button asked for this, nobody else
        return True

    def _polled(self, place):
        reader = self._reader
        if not self._told >> place & 1:
            self._told |= 1 << place
            well = reader.healthy(place)
            self._say(place, "reader", "0x%02x" % reader.version(place) if well else "fault")
        if reader.new > 0:
            self._tags |= 1 << place
            text = tags.text(reader.images[0], reader.sizes[0])
            self._say(place, "tag", text if text else "?", self._uid())

    def _faulty(self):
        mask = 0
        for place in range(len(self._slots)):
            if not self._reader.healthy(place):
                mask |= 1 << place
        return mask

    def _names(self, mask):
        slots = self._slots
        names = [constants.slot_name(slots[p]) for p in range(len(slots)) if mask >> p & 1]
        return "[%s]" % ", ".join(['"%s"' % name for name in names])

    def _uid(self):
        """Return the key with the UID of the tag that was met last."""
        kept = self._reader.tag.uid
        last = 4 * kept[0] - 2  # where its last level begins; the others' first byte says: go on
        uid = b""
        for at in range(2, last, 4):
            uid += kept[at + 1 : at + 4]
        return ', "uid": "%s"' % binascii.hexlify(uid + kept[last : last + 4]).decode()

    def _say(self, place, part, word, more=""):
        name = constants.slot_name(self._slots[place])
        word = console.quote(word)
        self._console.put('{"slot": "%s", "%s": %s%s}' % (name, part, word, more))

    def _show(self, ms):
        rgb = self._rgb
        for i in range(len(rgb)):
            rgb[i] = 0
        pixels = len(rgb) // 3
        dot = (ms - 3 * ALL_MS) // DOT_MS
        if dot < 0:
            for i in range(ms // ALL_MS, len(rgb), 3):
                rgb[i] = LEVEL
        elif dot < pixels:
            for i in range(3 * dot, 3 * dot + 3):
                rgb[i] = LEVEL
        else:
            faulty = self._faulty()
            for place in range(len(self._slots)):
                self._pixel(12 * place, TRIED if self._pressed >> place & 1 else BUTTON)
                tried = TRIED if self._tags >> place & 1 else READER
                self._pixel(12 * place + 9, FAULT if faulty >> place & 1 else tried)
        self._strip.show(rgb)

    def _pixel(self, i, colour):
        for k in range(3):
            self._rgb[i + k] = colour[k]
