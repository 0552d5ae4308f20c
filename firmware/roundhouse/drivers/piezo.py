# SPDX-License-Identifier: MIT
"""A passive piezo: a click for yes, a low tone for no. Nothing waits for it."""


class Piezo:
    """pwm: MicroPython's PWM on the piezo's pin."""

    YES = (2400, 25)  # Hz, ms
    NO = (220, 160)

    def __init__(self, pwm, ticks_diff, ticks_add):
        self._pwm = pwm
        self._diff = ticks_diff
        self._add = ticks_add
        self._until = 0
        self._on = False
        pwm.duty_u16(0)

    def play(self, tone, now):
        """Begin YES or NO at `now` (ms ticks)."""
        self._pwm.freq(tone[0])
        self._pwm.duty_u16(32768)
        self._until = self._add(now, tone[1])
        self._on = True

    def step(self, now):
        """End the tone whose time is over."""
        if self._on and self._diff(now, self._until) >= 0:
            self._on = False
            self._pwm.duty_u16(0)
