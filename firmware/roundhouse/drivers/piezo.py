# SPDX-License-Identifier: MIT
"""Plays short tunes on a passive piezo. They mean the same as the lights. The hub never waits for
a tune to end."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


# name -> tones, as Hz (0: silence), ms, Hz, ms, ...
TUNES: dict[str, tuple[int, ...]] = {
    "yes": (2400, 25),
    "no": (220, 160),
    "turn": (2400, 25, 0, 60, 880, 60, 1320, 90),
    "knock": (440, 40, 0, 70, 440, 40),
    "out": (880, 80, 1100, 80, 1320, 80, 1760, 200),
    "round": (1320, 120, 1100, 120, 880, 200),
    "match": (880, 120, 1320, 120, 1100, 120, 1320, 120, 1760, 400),
}
QUIET = "quiet"  # an empty file of this name beside the journal silences the piezo
LOUDNESS = 4000  # duty of 65535: a narrow pulse is a soft tone


class Piezo:
    def __init__(
        self,
        pwm: "Any",
        ticks_diff: "Callable[[int, int], int]",
        ticks_add: "Callable[[int, int], int]",
    ) -> None:
        self.quiet = False
        self._pwm = pwm
        self._diff = ticks_diff
        self._add = ticks_add
        self._until = 0
        self._tune: tuple[int, ...] = ()
        self._at = 0  # index of the current tone in the tune; the tune's length when it is over
        pwm.duty_u16(0)

    def silence(self, quiet: bool) -> None:
        """Switch sound off (quiet is true) or on, beginning with the next tune."""
        self.quiet = quiet

    def play(self, tune: str, now: int) -> None:
        """Start a tune, one of TUNES, in place of a tune that is playing. now: the time in ms
        ticks."""
        if not self.quiet:
            self._tune = TUNES[tune]
            self._at = 0
            self._sound(now)

    def step(self, now: int) -> None:
        """Start the next tone of the tune if the current tone is over. now: the time in ms
        ticks."""
        if self._at < len(self._tune) and self._diff(now, self._until) >= 0:
            self._at += 2
            self._sound(now)

    def _sound(self, now: int) -> None:
        hz = 0
        if self._at < len(self._tune):
            hz = self._tune[self._at]
            self._until = self._add(now, self._tune[self._at + 1])
        if hz:
            self._pwm.freq(hz)
        self._pwm.duty_u16(LOUDNESS if hz else 0)
