# SPDX-License-Identifier: MIT
"""Power-up: build the board, go on where the journal ends, run the hub for ever."""

import os
import select
import sys
import time

import machine
import neopixel

from roundhouse import console, settings
from roundhouse.board import build

JOURNAL = "journal"


class Usb:
    """The console's port: the USB serial line, without ever waiting for the host."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)

    def read(self):
        """Return a byte that waits, or -1."""
        for _ in self._in.ipoll(0):
            sys.stdin.buffer.readinto(self._byte)
            return self._byte[0]
        return -1

    def write(self, buf):
        """Hand bytes to the host; return how many it took."""
        for _ in self._out.ipoll(0):
            return sys.stdout.buffer.write(buf)
        return 0


def chance():
    """Return a random number 0..255."""
    return os.urandom(1)[0]


def main():
    try:
        import config

        if JOURNAL not in os.listdir():
            os.mkdir(JOURNAL)
        hub = build(config, machine, time, neopixel, Usb(), chance, JOURNAL)
    except (settings.Wrong, SyntaxError) as error:
        print(console.error(str(error)))
        return
    hub.start()
    while True:
        hub.step()


main()
