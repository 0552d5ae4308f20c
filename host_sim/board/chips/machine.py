# SPDX-License-Identifier: MIT
"""Stand-ins for MicroPython's `machine`: pins, SPI and watchdog of one simulated board.

`power_up(clock)` starts a board with nothing connected. Devices are then connected with
`attach(bus, select, device)` and `wire(pin)`.
"""

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from host_sim.board.chips.clock import Clock

SPI_CALL_US = 20  # a call takes this long besides its bytes (measured on an RP2040)

Buffer = bytes | bytearray | memoryview


class Device(Protocol):
    """The interface of a device on an SPI bus.

    A device can also have `most_baud`: the highest bit rate that the device or its cable can
    follow.
    """

    def select(self) -> None:
        """React to the select wire going low."""

    def write(self, buf: Buffer, /) -> None:
        """Take the bytes that are sent, without answering."""

    def exchange(self, out: Buffer, /) -> bytes | bytearray:
        """Take the bytes that are sent and return the same number of bytes."""


class Net:
    """A net: some connected pins, and the electrical level that they share.

    watchers: functions that are called with the level when it changes
    """

    __slots__ = ("level", "watchers", "driven")

    def __init__(self, level: int = 0) -> None:
        self.level = level
        self.watchers: list[Callable[[int], object]] = []
        self.driven = False

    def set(self, level: int) -> None:
        """Set the level, 0 or 1, and call the watchers if it changes."""
        if level != self.level:
            self.level = level
            for watch in self.watchers:
                watch(level)

    def drive(self, level: int) -> None:
        """Set the level from outside the Pico, as a button or a chip does."""
        self.driven = True
        self.set(level)


class _Bus:
    def __init__(self) -> None:
        self.selected: list[Device] = []
        # byte -> byte: how another device that drives MISO changes it
        self.held: Callable[[int], int] | None = None
        self.calls = 0
        self.bytes = 0
        self.clashes = 0  # times that two devices were selected at once

    def attach(self, select: Net, device: Device) -> None:
        def watch(level: int) -> None:
            if level:
                self.selected.remove(device)
            else:
                if self.selected:
                    self.clashes += 1
                self.selected.append(device)
                device.select()

        select.watchers.append(watch)


clock = Clock()
_wires: dict[Hashable, Net] = {}
_buses: dict[int, _Bus] = {}
millivolts: dict[Hashable, int] = {}  # pin -> mV on it
tones: list[tuple[int, Hashable, int]] = []


def power_up(new_clock: Clock | None = None) -> Clock:
    """Start a board with nothing connected; return its clock. new_clock: the clock, or None for a
    new one."""
    global clock
    clock = new_clock or Clock()
    _wires.clear()
    _buses.clear()
    millivolts.clear()
    tones.clear()
    return clock


def wire(pin: Hashable) -> Net:
    if pin not in _wires:
        _wires[pin] = Net()
    return _wires[pin]


def bus(number: int) -> _Bus:
    if number not in _buses:
        _buses[number] = _Bus()
    return _buses[number]


def attach(number: int, select: Hashable, device: Device) -> None:
    cs = wire(select)
    cs.level = 1
    bus(number).attach(cs, device)


class Pin:
    """A pin of the board, by number. All objects with the same number share one net."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(
        self, id: Hashable, mode: int = -1, pull: int | None = -1, value: object = None
    ) -> None:
        self.id = id
        self.wire = wire(id)
        self.init(mode, pull, value)

    def init(self, mode: int = -1, pull: int | None = -1, value: object = None) -> None:
        """Set the level of the pin.

        mode: has no effect
        pull: PULL_UP sets the level to 1, PULL_DOWN to 0, unless a button or chip drives the net
        value: the level as true or false; None to use `pull`
        """
        if value is not None:
            self.wire.set(1 if value else 0)
        elif pull in (self.PULL_UP, self.PULL_DOWN) and not self.wire.driven:
            self.wire.set(1 if pull == self.PULL_UP else 0)

    def __call__(self, level: object = None) -> int | None:
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

    def on(self) -> None:
        self(1)

    def off(self) -> None:
        self(0)


class ADC:
    """An analogue input. `machine.millivolts` is {pin: its voltage in mV}."""

    def __init__(self, pin: Hashable) -> None:
        self.pin = pin

    def read_u16(self) -> int:
        """Return the voltage as a number 0..65535, where 65535 is 3.3 V."""
        return min(65535, millivolts.get(self.pin, 0) * 65535 // 3300)


class PWM:
    """A tone on a pin. `machine.tones` lists all changes as (us, pin, Hz); Hz is 0 for silence."""

    def __init__(self, pin: Pin) -> None:
        self.pin = pin.id
        self.hz = 0

    def freq(self, hz: int) -> None:
        """Set the frequency in Hz. The next call of duty_u16 starts the tone."""
        self.hz = hz

    def duty_u16(self, duty: int) -> None:
        """Start the tone, or stop it if `duty` is 0."""
        tones.append((clock.us, self.pin, self.hz if duty else 0))


class SPI:
    """One SPI bus in mode 0. A call takes SPI_CALL_US plus the time that its bytes take at the bit
    rate."""

    MSB = 0
    LSB = 1

    def __init__(self, id: int, baudrate: int = 1_000_000, **settings: Any) -> None:
        self.id = id
        self.bus = bus(id)
        self.init(baudrate, **settings)

    def init(self, baudrate: int = 1_000_000, **settings: Any) -> None:
        """Set the bit rate, in bits per second."""
        self.baudrate = baudrate

    def deinit(self) -> None:
        """Do nothing: there is nothing to free."""

    # The steps of a call are repeated in each method: half of the simulation's time is spent here.

    def write(self, buf: Buffer) -> None:
        bus = self.bus
        baudrate = self.baudrate
        count = len(buf)
        bus.calls += 1
        bus.bytes += count
        clock.us += SPI_CALL_US + (8_000_000 * count + baudrate - 1) // baudrate
        for device in bus.selected:
            if baudrate <= getattr(device, "most_baud", baudrate):
                device.write(buf)

    def write_readinto(self, out: Buffer, into: bytearray | memoryview) -> None:
        """Send `out` and receive the same number of bytes into `into`. Raises ValueError if the
        lengths differ."""
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

    def readinto(self, buf: bytearray | memoryview, write: int = 0) -> None:
        """Fill `buf` with received bytes. Meanwhile, send the byte `write` repeatedly."""
        self.write_readinto(bytes((write,)) * len(buf), buf)

    def read(self, count: int, write: int = 0) -> bytes:
        """Receive and return `count` bytes. Meanwhile, send the byte `write` repeatedly."""
        buf = bytearray(count)
        self.readinto(buf, write)
        return bytes(buf)


class WDT:
    """A watchdog, which raises an error if `feed` is called too late."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        self.timeout_us = timeout * 1000
        self.fed = clock.us

    def feed(self) -> None:
        """Restart the time limit. Raises RuntimeError if the time limit has been exceeded."""
        if clock.us - self.fed > self.timeout_us:
            raise RuntimeError("the watchdog was not fed for %d us" % (clock.us - self.fed))
        self.fed = clock.us
