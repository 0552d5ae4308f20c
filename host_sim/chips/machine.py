# SPDX-License-Identifier: MIT
"""Stand-ins for MicroPython's `machine`: pins, SPI and watchdog of one simulated board.

`power_up(clock)` gives a board with nothing connected. The simulator then connects devices with
`attach(bus, select, device)` and `wire(pin)`, and the firmware makes its `Pin`s and `SPI`s as on
the Pico: by number.
"""

from host_sim.chips.clock import Clock

SPI_CALL_US = 20  # a call costs more than its bytes (measured on an RP2040)


class Wire:
    """What a pin is connected to: a level, and whoever watches it change.

    `watchers` are callables (level) -> None.
    """

    __slots__ = ("level", "watchers", "driven")

    def __init__(self, level=0):
        self.level = level
        self.watchers = []
        self.driven = False

    def set(self, level):
        """Change the level, 0 or 1; who watches is told where it is another."""
        if level != self.level:
            self.level = level
            for watch in self.watchers:
                watch(level)

    def drive(self, level):
        """Change it from outside, a hand or a chip: no pull of a pin counts any more."""
        self.driven = True
        self.set(level)


class _Bus:
    """The devices on one SPI bus, and what went over it."""

    def __init__(self):
        self.selected = []
        self.held = None  # byte -> byte: what somebody else who drives MISO makes of it
        self.calls = 0
        self.bytes = 0
        self.clashes = 0  # times that two devices were selected at once

    def attach(self, select, device):
        def watch(level):
            if level:
                self.selected.remove(device)
            else:
                if self.selected:
                    self.clashes += 1
                self.selected.append(device)
                device.select()

        select.watchers.append(watch)


clock = Clock()
_wires = {}
_buses = {}
millivolts = {}  # pin -> mV on it
tones = []


def power_up(new_clock=None):
    """A board with nothing connected to it, on the given clock (or a new one)."""
    global clock
    clock = new_clock or Clock()
    _wires.clear()
    _buses.clear()
    millivolts.clear()
    tones.clear()
    return clock


def wire(pin):
    """The wire at a pin (any hashable name)."""
    if pin not in _wires:
        _wires[pin] = Wire()
    return _wires[pin]


def bus(number):
    """The SPI bus of that number; its `calls` and `bytes` count what went over it."""
    if number not in _buses:
        _buses[number] = _Bus()
    return _buses[number]


def attach(number, select, device):
    """Connect a device to a bus, selected while the pin `select` is low (it has a pull-up).

    A device has select(), write(bytes) and exchange(bytes) -> bytes; and most_baud, where it or
    its cable cannot keep up with every speed.
    """
    cs = wire(select)
    cs.level = 1
    bus(number).attach(cs, device)


class Pin:
    """A pin of the board, by number; two objects of one number share its wire."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, id, mode=-1, pull=-1, value=None):
        self.id = id
        self.wire = wire(id)
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        """Set a level, or a pull where nobody drives the wire."""
        if value is not None:
            self.wire.set(1 if value else 0)
        elif pull in (self.PULL_UP, self.PULL_DOWN) and not self.wire.driven:
            self.wire.set(1 if pull == self.PULL_UP else 0)

    def __call__(self, level=None):
        wire = self.wire
        if level is None:
            return wire.level
        level = 1 if level else 0
        if level != wire.level:
            wire.level = level
            for watch in wire.watchers:
                watch(level)
        return None

    value = __call__

    def on(self):
        """Set the pin to 1."""
        self(1)

    def off(self):
        """Set the pin to 0."""
        self(0)


class ADC:
    """An analogue input: 16 bits of 3.3 V; `millivolts` says what is on a pin."""

    def __init__(self, pin):
        self.pin = pin

    def read_u16(self):
        """Return the voltage, 0..65535 of 3.3 V."""
        return min(65535, millivolts.get(self.pin, 0) * 65535 // 3300)


class PWM:
    """A tone on a pin: `tones` has (us, pin, Hz or 0) for every change."""

    def __init__(self, pin):
        self.pin = pin.id
        self.hz = 0

    def freq(self, hz):
        """Set the tone; it sounds with the next duty."""
        self.hz = hz

    def duty_u16(self, duty):
        """Start the tone, or stop it with 0."""
        tones.append((clock.us, self.pin, self.hz if duty else 0))


class SPI:
    """One bus in mode 0. Every call costs SPI_CALL_US and its bytes at the baud rate."""

    MSB = 0
    LSB = 1

    def __init__(self, id, baudrate=1_000_000, **settings):
        self.id = id
        self.bus = bus(id)
        self.init(baudrate, **settings)

    def init(self, baudrate=1_000_000, **settings):
        """Set the baud rate, in bits a second."""
        self.baudrate = baudrate

    def deinit(self):
        """There is nothing to free."""

    # What every call on the bus does is written out: half of a simulated second is spent here.

    def write(self, buf):
        """Send bytes to whoever is selected."""
        bus = self.bus
        baudrate = self.baudrate
        count = len(buf)
        bus.calls += 1
        bus.bytes += count
        clock.us += SPI_CALL_US + (8_000_000 * count + baudrate - 1) // baudrate
        for device in bus.selected:
            if baudrate <= getattr(device, "most_baud", baudrate):
                device.write(buf)

    def write_readinto(self, out, into):
        """Send bytes and take as many; ValueError where the lengths differ."""
        count = len(out)
        if count != len(into):
            raise ValueError("buffers must be the same length")
        bus = self.bus
        baudrate = self.baudrate
        bus.calls += 1
        bus.bytes += count
        clock.us += SPI_CALL_US + (8_000_000 * count + baudrate - 1) // baudrate
        selected = bus.selected
        if len(selected) == 1:
            (device,) = selected
            into[:] = device.exchange(out)
            if baudrate > getattr(device, "most_baud", baudrate):  # every bit one clock late
                into[:] = bytes([byte >> 1 for byte in into])
        else:
            level = 0x00 if selected else 0xFF  # two chips pull against each other; none: idle
            for device in selected:
                device.write(out)
            for k in range(count):
                into[k] = level
        if bus.held:
            into[:] = bytes([bus.held(byte) for byte in into])

    def readinto(self, buf, write=0):
        """Fill a buffer while sending that byte again and again."""
        self.write_readinto(bytes((write,)) * len(buf), buf)

    def read(self, count, write=0):
        """Return so many bytes."""
        buf = bytearray(count)
        self.readinto(buf, write)
        return bytes(buf)


class WDT:
    """A watchdog that tells when it would have bitten: at the first feed that comes too late."""

    def __init__(self, id=0, timeout=5000):
        self.timeout_us = timeout * 1000
        self.fed = clock.us

    def feed(self):
        """Start the time anew; RuntimeError where it had run out."""
        if clock.us - self.fed > self.timeout_us:
            raise RuntimeError("the watchdog was not fed for %d us" % (clock.us - self.fed))
        self.fed = clock.us
