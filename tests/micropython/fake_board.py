# SPDX-License-Identifier: MIT
"""A board for boot.py on the MicroPython VM: pins, bus, pixels, clock and serial line.

Everything here stands where hardware would and takes no heap once it is there, as hardware does
not: what a test measures or denies is the firmware's. Every slot's chip works and no tag lies
anywhere; `read` is what the driver gives the hub when it has read one.
"""

import sys

MASK = (1 << 30) - 1


class Ended(BaseException):
    """What leaves boot.run: it lets that through, as it does Ctrl-C."""


ENDED = Ended()  # raising it takes no memory


class Clock:
    """MicroPython's `time`, which moves when it is told to; a sleep of 0.3 s ends the run."""

    def __init__(self):
        self.us = 0

    def ticks_us(self):
        self.us += 2
        return self.us & MASK

    def ticks_ms(self):
        return self.us // 1000 & MASK

    def ticks_add(self, ticks, delta):
        return (ticks + delta) & MASK

    def ticks_diff(self, end, start):
        return ((end - start + (1 << 29)) & MASK) - (1 << 29)

    def sleep_us(self, us):
        self.us += us

    def sleep_ms(self, ms):
        if ms >= 300:
            raise ENDED
        self.us += 1000 * ms

    def sleep(self, seconds):
        raise ENDED


clock = Clock()


class Pin:
    """A pin; as a chip select, the registers of an MFRC522. It reads 1: no button is down."""

    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, id, mode=-1, pull=-1, value=None):
        self.registers = bytearray(64)

    def __call__(self, level=None):
        if level == 0:
            SPI.registers = self.registers
        return 1


class SPI:
    """The bus: registers keep what is written to them, and no frame is ever answered."""

    registers = None

    def __init__(self, id, baudrate, sck, mosi, miso):
        pass

    def init(self, baudrate):
        pass

    def write(self, buf):
        self.registers[buf[0] >> 1] = buf[1]

    def write_readinto(self, out, into):
        for k in range(len(out) - 1):
            into[k + 1] = self._get(out[k] >> 1 & 63)

    def readinto(self, into, byte):
        into[1] = self._get(byte >> 1 & 63)

    def _get(self, register):
        if register == 0x37:  # VersionReg
            return 0x92
        if register == 0x04:  # ComIrqReg: the timer ran out
            return 0x01
        return self.registers[register]


class ADC:
    def __init__(self, pin):
        pass

    def read_u16(self):
        return 32000  # 4.8 V at VSYS


class PWM:
    def __init__(self, pin):
        pass

    def freq(self, hz):
        pass

    def duty_u16(self, duty):
        pass


class WDT:
    """Ends the run when it has been fed so often."""

    left = 0

    def __init__(self, timeout=0):
        pass

    def feed(self):
        clock.us += 400
        WDT.left -= 1
        if WDT.left < 0:
            raise ENDED

    def stop(self):
        pass


def reset():
    """machine.reset: the board begins again."""
    raise ENDED


class NeoPixel:
    def __init__(self, pin, n):
        self.n = n
        self.buf = bytearray(3 * n)

    def __setitem__(self, i, rgb):
        pass

    def write(self):
        pass


class Port:
    """The serial line: `typed` goes in; what comes out is kept, as far as there is room."""

    def __init__(self):
        self.typed = b""
        self.at = 0
        self.out = bytearray(12000)
        self.size = 0

    def read(self):
        if self.at == len(self.typed):
            return -1
        self.at += 1
        return self.typed[self.at - 1]

    def write(self, buf):
        for byte in buf:
            self.out[self.size] = byte
            self.size += 1
        return len(buf)

    def type(self, line):
        self.typed = line.encode() + b"\n"
        self.at = 0

    def lines(self):
        """Return what came out since the last time."""
        said = bytes(self.out[: self.size]).decode()
        self.size = 0
        return said.split("\n")


port = Port()


class Reader:
    """Stands before the readers' `step`: lays a tag's memory into their image, once."""

    def __init__(self, readers):
        self.readers = readers
        self.step = readers.step
        self.place = -1
        readers.step = self.next

    def put(self, place, memory):
        self.readers.images[0][: len(memory)] = memory
        self.readers.sizes[0] = len(memory)
        self.place = place

    def next(self):
        if self.place < 0:
            return self.step()
        place, self.place = self.place, -1
        self.readers.new = 1
        return place


def install():
    """Return boot, on this board."""
    sys.modules["machine"] = sys.modules[__name__]
    sys.modules["neopixel"] = sys.modules[__name__]
    sys.modules["select"] = sys.modules[__name__]
    sys.modules["time"] = clock
    from roundhouse import boot

    boot.time = clock
    boot.Usb = lambda: port
    boot.Watchdog = WDT
    return boot
