# SPDX-License-Identifier: MIT
"""A reader chip on a simulated bus, for tests of the chip and of drivers."""

from typing import Any

from host_sim.board.chips import machine
from host_sim.board.chips.mfrc522_chip import (
    BitFramingReg,
    CollReg,
    ComIrqReg,
    CommandReg,
    ControlReg,
    ErrorReg,
    FIFODataReg,
    FIFOLevelReg,
    MFRC522Chip,
    ModeReg,
    RxModeReg,
    TModeReg,
    TPrescalerReg,
    TReloadRegH,
    TReloadRegL,
    TxASKReg,
    TxControlReg,
    TxModeReg,
)


class Bench:
    """One reader chip on an SPI bus, driven register by register."""

    def __init__(self, baudrate: int = 4_000_000) -> None:
        self.clock = machine.power_up()
        self.chip = MFRC522Chip(self.clock)
        machine.attach(0, "cs", self.chip)
        self.cs = machine.Pin("cs", machine.Pin.OUT, value=1)
        self.spi = machine.SPI(0, baudrate=baudrate)
        self.clock.sleep_ms(5)

    def put(self, reg: int, *values: int) -> None:
        self.cs(0)
        self.spi.write(bytes((reg << 1,) + values))
        self.cs(1)

    def get(self, *regs: int) -> Any:
        out = bytes(0x80 | reg << 1 for reg in regs) + b"\x00"
        into = bytearray(len(out))
        self.cs(0)
        self.spi.write_readinto(out, into)
        self.cs(1)
        return into[1] if len(regs) == 1 else bytes(into[1:])

    def set_up(self) -> None:
        for reg, value in (
            (TModeReg, 0x80),
            (TPrescalerReg, 0x43),
            (TReloadRegH, 0),
            (TReloadRegL, 30),
            (TxASKReg, 0x40),
        ):
            self.put(reg, value)
        self.put(ModeReg, 0x3D)
        self.put(CollReg, 0x00)
        self.put(TxControlReg, 0x83)
        self.clock.sleep_ms(5)

    def talk(
        self, data: bytes, framing: int = 0, crc: int = 0, wait_us: int = 6000
    ) -> tuple[int, int, bytes, int]:
        """Send a frame; return (ComIrq, Error, bytes of the FIFO, RxLastBits)."""
        self.put(TxModeReg, crc)
        self.put(RxModeReg, crc)
        self.put(CommandReg, 0x00)
        self.put(ComIrqReg, 0x7F)
        self.put(FIFOLevelReg, 0x80)
        self.put(FIFODataReg, *data)
        self.put(BitFramingReg, framing)
        self.put(CommandReg, 0x0C)
        self.put(BitFramingReg, framing | 0x80)
        self.clock.sleep_us(wait_us)
        irq, error, level, control = self.get(ComIrqReg, ErrorReg, FIFOLevelReg, ControlReg)
        return (
            irq,
            error,
            self.get(*[FIFODataReg] * level)
            if level > 1
            else bytes(self.get(FIFODataReg) for _ in range(level)),
            control & 7,
        )
