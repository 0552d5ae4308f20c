# SPDX-License-Identifier: MIT
"""The one clock of a simulated board, with the face of MicroPython's `time`."""

PERIOD = 1 << 30  # MicroPython's ticks wrap here on 32-bit boards
CALL_US = 2  # what asking the time costs: a waiting loop always ends


class Clock:
    """Simulated time. `us` only ever grows; buses, sleeps and questions move it."""

    def __init__(self, us=0):
        self.us = us

    def ticks_us(self):
        self.us += CALL_US
        return self.us & (PERIOD - 1)

    def ticks_ms(self):
        self.us += CALL_US
        return self.us // 1000 & (PERIOD - 1)

    @staticmethod
    def ticks_add(ticks, delta):
        return (ticks + delta) & (PERIOD - 1)

    @staticmethod
    def ticks_diff(end, start):
        return ((end - start + PERIOD // 2) & (PERIOD - 1)) - PERIOD // 2

    def sleep_us(self, us):
        if us > 0:
            self.us += us

    def sleep_ms(self, ms):
        self.sleep_us(ms * 1000)

    def sleep(self, seconds):
        self.sleep_us(int(seconds * 1_000_000))

    def time(self):
        return self.us // 1_000_000
