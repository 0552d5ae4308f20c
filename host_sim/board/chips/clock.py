# SPDX-License-Identifier: MIT
"""The clock of a simulated board, with the functions of MicroPython's `time`."""

PERIOD = 1 << 30  # MicroPython's ticks wrap here on 32-bit boards
CALL_US = 2  # reading the time takes this long, so that a waiting loop ends


class Clock:
    """Simulated time in microseconds, `us`. Time passes with bus transfers, sleeps and reading the
    time."""

    def __init__(self, us: int = 0) -> None:
        self.us = us

    def ticks_us(self) -> int:
        self.us += CALL_US
        return self.us & (PERIOD - 1)

    def ticks_ms(self) -> int:
        self.us += CALL_US
        return self.us // 1000 & (PERIOD - 1)

    @staticmethod
    def ticks_add(ticks: int, delta: int) -> int:
        return (ticks + delta) & (PERIOD - 1)

    @staticmethod
    def ticks_diff(end: int, start: int) -> int:
        return ((end - start + PERIOD // 2) & (PERIOD - 1)) - PERIOD // 2

    def sleep_us(self, us: int) -> None:
        if us > 0:
            self.us += us

    def sleep_ms(self, ms: int) -> None:
        self.sleep_us(ms * 1000)

    def sleep(self, seconds: float) -> None:
        self.sleep_us(int(seconds * 1_000_000))

    def time(self) -> int:
        return self.us // 1_000_000
