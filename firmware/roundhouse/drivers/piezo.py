# SPDX-License-Identifier: MIT
"""A passive piezo: short tunes that say what the lights say. Nothing waits for it."""

# What can be heard: tone after tone its Hz (0: silence) and its ms.
TUNES = {
    "yes": (2400, 25),
    "no": (220, 160),
    "turn": (2400, 25, 0, 60, 880, 60, 1320, 90),
    "knock": (440, 40, 0, 70, 440, 40),
    "out": (880, 80, 1100, 80, 1320, 80, 1760, 200),
    "round": (1320, 120, 1100, 120, 880, 200),
    "match": (880, 120, 1320, 120, 1100, 120, 1320, 120, 1760, 400),
}
QUIET = "quiet"  # an empty file beside the journal: nothing is to be heard
LOUDNESS = 4000  # of 65535 at each moment: a narrow pulse is a soft tone


class Piezo:
    """pwm: MicroPython's PWM on the piezo's pin. quiet: whether nothing is to be heard."""

    def __init__(self, pwm, ticks_diff, ticks_add):
        self.quiet = False
        self._pwm = pwm
        self._diff = ticks_diff
        self._add = ticks_add
        self._until = 0
        self._tune = ()
        self._at = 0  # of the tone that is heard, in the tune; its length where none is
        pwm.duty_u16(0)

    def silence(self, quiet):
        """From the next tune on nothing is to be heard, or everything again."""
        self.quiet = quiet

    def play(self, tune, now):
        """Begin one of TUNES at `now` (ms ticks), in place of the one that is heard."""
        if not self.quiet:
            self._tune = TUNES[tune]
            self._at = 0
            self._sound(now)

    def step(self, now):
        """Go on to the next tone where one is over."""
        if self._at < len(self._tune) and self._diff(now, self._until) >= 0:
            self._at += 2
            self._sound(now)

    def _sound(self, now):
        hz = 0
        if self._at < len(self._tune):
            hz = self._tune[self._at]
            self._until = self._add(now, self._tune[self._at + 1])
        if hz:
            self._pwm.freq(hz)
        self._pwm.duty_u16(LOUDNESS if hz else 0)
