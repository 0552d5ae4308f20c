# SPDX-License-Identifier: MIT
"""Drives the MFRC522 chips of a board: one SPI bus, one chip select each, a shared reset line.

One object drives all chips; its interface is in the docstring of `reader`. Registers and bits are
those of the NXP MFRC522 datasheet, chapter 9 (tables 20 to 148).

`exchange` runs 500 times a second, so it makes few calls and no buffers. No interrupt line is
used: it sleeps until the known time of the answer and then asks the chip.
"""

from roundhouse.drivers import const
from roundhouse.drivers.reader import DEAD, GARBLED, NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


_CommandReg = const(0x01)
_ComIrqReg = const(0x04)
_ErrorReg = const(0x06)
_FIFODataReg = const(0x09)
_FIFOLevelReg = const(0x0A)
_ControlReg = const(0x0C)
_BitFramingReg = const(0x0D)
_CollReg = const(0x0E)
_ModeReg = const(0x11)
_TxModeReg = const(0x12)
_RxModeReg = const(0x13)
_TxControlReg = const(0x14)
_TxASKReg = const(0x15)
_RFCfgReg = const(0x26)
_TModeReg = const(0x2A)
_TPrescalerReg = const(0x2B)
_TReloadRegH = const(0x2C)
_TReloadRegL = const(0x2D)
_VersionReg = const(0x37)

# CommandReg
_Idle = const(0x00)
_Transceive = const(0x0C)
_SoftReset = const(0x0F)
_PowerDown = const(0x10)  # not ready yet: the oscillator starts
# ComIrqReg
_Set1 = const(0x80)  # written as 0, it clears the bits that are 1; always reads 0
_RxIRq = const(0x20)
_ErrIRq = const(0x02)
_TimerIRq = const(0x01)
_AllIRq = const(0x7F)
# ErrorReg
_CollErr = const(0x08)
_AnyErr = const(0x1F)  # BufferOvfl, CollErr, CRCErr, ParityErr, ProtocolErr
# FIFOLevelReg
_FlushBuffer = const(0x80)
_FIFOLevel = const(0x7F)
# ControlReg
_TStopNow = const(0x80)
_RxLastBits = const(0x07)
# BitFramingReg
_StartSend = const(0x80)
# CollReg
_CollPosNotValid = const(0x20)
_CollPos = const(0x1F)
# TxModeReg, RxModeReg
_CRCEn = const(0x80)
# TxControlReg
_FieldOff = const(0x80)  # InvTx2RFOn
_FieldOn = const(0x83)  # and Tx1RFEn, Tx2RFEn
_FieldBits = const(0xFB)  # all but the reserved one

# The settings of a chip, in the order in which they are written: register << 16 | mask << 8 |
# value. The bits of the mask are read back. Others are reserved, report on a frame, or read
# otherwise on some clones that work: the gain does on chips of version 0x82.
_SET_UP = const(
    (
        _ModeReg << 16 | 0xAB3D,  # MSBFirst, TxWaitRF, PolMFin, CRCPreset: 0x6363, TxWaitRF
        _CollReg << 16 | 0x8000,  # ValuesAfterColl: bits after a collision are cleared
        _TxModeReg << 16 | 0xF800,  # 106 kbit/s; CRCEn when a frame needs it
        _RxModeReg << 16 | 0xFC00,
        _TModeReg << 16 | 0xFF80,  # TAuto: the timer starts by itself at the end of a frame
        _TPrescalerReg << 16 | 0xFF43,  # 10 us a tick: (2 * 0x43 + 1) / 13.56 MHz
        # The fifth bit of an answer stops the timer; it comes 150 us after the frame. 25 ticks are
        # enough, except for frames that need more patience.
        _TReloadRegH << 16 | 0xFF00,
        _TReloadRegL << 16 | 0xFF00 | 25,
        _TxASKReg << 16 | 0x4040,  # Force100ASK: type A
        _RFCfgReg << 16 | 0x58,  # RxGain 5 of 7 (38 dB): the highest gave false removals
        _BitFramingReg << 16,  # every frame writes it
        _TxControlReg << 16 | _FieldBits << 8 | _FieldOff,  # comes last: its value changes
    )
)

# TReloadReg's high byte by patience: with it 25 ticks become 0.25, 5.4 and 10.7 ms.
_RELOAD = const(b"\x00\x02\x04")

_SHORT = const(7)  # the framing of REQA and WUPA
_READ = const(0x80)  # the bit of an address byte that requests a read

_MOST = const(19)  # longest answer: a READ's 16 bytes, its CRC, and one to notice a longer one


class MFRC522:
    """All MFRC522 chips of a board. The constructor resets the chips; set_up() must follow.

    spi: an SPI bus with write(buf), readinto(buf, byte) and write_readinto(out, in), in mode 0 and
        at most 10 MHz.
    selects: at most 30 functions: selects[i](0) selects slot i, selects[i](1) deselects it. A
        function is valid only until another index is used.
    reset: the shared NRSTPD line (a machine.Pin), or None.
    clock: an object with ticks_us, ticks_diff and sleep_us.
    speeds: the bit rates of the bus, (normal, slower), or None if it has only one.

    versions[i]: slot i's VersionReg as read last: 0x91 or 0x92 for NXP's chips, others for clones.
    wrong[i]: the register for which set_up() refused the chip of slot i, or 0.
    """

    SETTLE_US = 5000  # crystal and 37.74 us (8.8.2), with much to spare

    def __init__(
        self,
        spi: "Any",
        selects: "Sequence[Callable[[int], object]]",
        reset: "Any",
        clock: "Any",
        speeds: tuple[int, int] | None = None,
    ) -> None:
        count = len(selects)
        self.count: int = count
        self.meanwhile: Callable[[], object] | None = None
        self.not_before: int | None = None
        self.bits = 0
        self.coll = 0
        self._spi = spi
        self._speeds = speeds
        self._write = spi.write
        self._selects = selects
        self._clock = clock
        self._ticks_us = clock.ticks_us
        self._cs: Any = None  # select function of the selected slot
        self._slot = 0
        self.versions = bytearray(count)
        self.wrong = bytearray(count)
        self._wrong = 0  # the first register that `holds` found without its setting
        self._crc = 0  # the selected chip's CRCEn bits: see `kind` in reader.py
        self._patience = 0  # and its timer
        out = memoryview(bytearray(8))
        out[0] = _FIFODataReg << 1
        self.out: memoryview = out[1:]
        self._outs = []  # slices of the FIFO address and `out`, by size
        for n in range(8):
            self._outs.append(out[: n + 1])
        came = memoryview(bytearray(_MOST + 1))
        self.answer: memoryview = came[1:]
        self._ins = []  # slices for an answer, by size
        for n in range(_MOST + 1):
            self._ins.append(came[: n + 1])
        self._two = bytearray(2)
        # Writes that send a frame, besides the frame itself and its framing; each needs a chip
        # select of its own. Idle ends the previous command, which may still be receiving into the
        # FIFO (10.2). Then the FIFO is filled, StartSend is written as 0, because the datasheet
        # does not say whether it falls back by itself, and Transceive waits for it (10.3.1.8). The
        # order is that of the drivers in common use.
        self._steps = (
            bytes([_CommandReg << 1, _Idle]),
            bytes([_FIFOLevelReg << 1, _FlushBuffer]),
            bytes([_ComIrqReg << 1, _AllIRq]),
            bytes([_CommandReg << 1, _Transceive]),
        )
        # Bursts of reads: the value of each register comes in the byte after its address.
        ask = [_ComIrqReg, _ErrorReg, _FIFOLevelReg, _ControlReg, _CollReg]
        check = [_VersionReg]
        should = []
        masks = []
        for row in _SET_UP:
            if row & 0xFF00:
                check.append(row >> 16)
                should.append(row & 0xFF)
                masks.append(row >> 8 & 0xFF)
        self._should = bytearray(should)  # values of the registers that are read back
        self._masks = bytes(masks)
        self._lit = bytearray(count)  # each slot's TxControlReg
        self._ask = _reading(ask)
        self._told = bytearray(len(ask) + 1)
        self._check = _reading(check)
        self._checked = bytearray(len(check) + 1)
        for i in range(count):
            selects[i](1)
        self._reset = reset
        self.reset_all()
        clock.sleep_us(self.SETTLE_US)

    # ---- health ----

    def reset(self, i: int) -> None:
        """Reset the chip of slot i by a command."""
        self.select(i)
        self._put(_CommandReg, _SoftReset)

    def reset_all(self) -> None:
        """Reset all chips by their shared reset line, if there is one."""
        if self._reset:
            self._reset(0)
            self._clock.sleep_us(100)
            self._reset(1)

    def set_up(self, i: int) -> bool:
        """Write all settings to the chip of slot i; return whether the chip has kept them. Return
        False while the chip is starting."""
        self.select(i)
        self._lit[i] = _FieldOff
        if self._get(_CommandReg) & _PowerDown:
            self.holds(i)  # is it there?
            self.wrong[i] = 0
            return False
        # change one first: a chip that hangs could still have all of them
        self._put(_TModeReg, 0)
        well = not self.holds(i) and self._there(i)
        if well:
            for row in _SET_UP:
                self._put(row >> 16, row & 0xFF)
            well = self.holds(i)
        self.wrong[i] = 0 if well else self._wrong
        self._crc = self._patience = 0
        return well

    def holds(self, i: int) -> bool:
        """Return whether slot i has a chip that still has its settings."""
        self.select(i)
        self._cs(0)
        self._spi.write_readinto(self._check, self._checked)
        self._cs(1)
        has = self._checked
        self.versions[i] = has[1]
        self._wrong = 0
        if not self._there(i):
            return False
        should = self._should
        masks = self._masks
        should[-1] = self._lit[i]
        for k in range(len(masks)):
            if (has[k + 2] ^ should[k]) & masks[k]:
                self._wrong = self._check[k + 1] >> 1 & 0x3F
                return False
        return True

    def _there(self, i: int) -> bool:
        """Return whether slot i has a chip, by the VersionReg read last."""
        return self.versions[i] != 0 and self.versions[i] != 0xFF

    def slow(self, on: int) -> bool:
        """Switch the bus to its slower speed (1) or its normal speed (0). Return whether the bus
        has a slower speed."""
        if self._speeds:
            self._spi.init(baudrate=self._speeds[on])
        return self._speeds is not None

    # ---- the air ----

    def select(self, i: int) -> None:
        """Select slot i: the following calls use its chip."""
        self._slot = i
        self._cs = self._selects[i]

    def field(self, i: int, on: bool) -> bool:
        """Switch the antenna of slot i on or off. Return False if the chip does not confirm that
        it is off."""
        if i != self._slot:
            self.select(i)
        two = self._two
        two[0] = _TxControlReg << 1
        two[1] = self._lit[i] = _FieldOn if on else _FieldOff
        cs = self._cs
        cs(0)
        self._write(two)
        cs(1)
        if on:
            return True
        return self._get(_TxControlReg) & _FieldBits == _FieldOff

    def rest(self) -> None:
        """Set the selected chip back to its normal settings: no checksum, shortest time limit for
        an answer. exchange() relies on each chip having these settings when it is selected."""
        if self._crc or self._patience:
            self._switch(0, 0)

    def exchange(self, size: int, framing: int, kind: tuple[int, int, int, int]) -> int:
        """Send the first `size` bytes of `out`, and receive into `answer`. framing, kind: see
        `reader`.

        Returns the count of bytes received, and sets `bits` and `coll`; or returns NOTHING,
        GARBLED or DEAD.
        """
        crc, patience, look_us, limit_us = kind
        cs = self._cs
        write = self._write
        if crc != self._crc or patience != self._patience:
            self._switch(crc, patience)
        if framing == _SHORT and self.not_before is not None:
            self._hold()
        idle, flush, clear, transceive = self._steps
        two = self._two
        two[0] = _BitFramingReg << 1
        two[1] = framing
        # written out, to avoid every call: this runs 500 times a second
        cs(0)
        write(idle)
        cs(1)
        cs(0)
        write(flush)
        cs(1)
        cs(0)
        write(self._outs[size])
        cs(1)
        cs(0)
        write(clear)
        cs(1)
        cs(0)
        write(two)
        cs(1)
        cs(0)
        write(transceive)
        cs(1)
        two[1] = framing | _StartSend
        cs(0)
        write(two)
        cs(1)
        start = self._ticks_us()
        self.coll = 0
        self.bits = 0
        if look_us > 1000 and self.meanwhile:
            self.meanwhile()
            look_us -= self._clock.ticks_diff(self._ticks_us(), start)
        if look_us > 900:  # in two steps: a sleep of 1 ms may take over 1.1 ms on a Pico
            self._clock.sleep_us(900)
            look_us -= 900
        if look_us > 0:
            self._clock.sleep_us(look_us)
        if limit_us:
            return self._heard(framing, start, limit_us)
        two[0] = _ControlReg << 1
        two[1] = _TStopNow  # or it might run out in the next exchange, and hide that answer
        cs(0)
        write(two)
        cs(1)
        return NOTHING

    def _hold(self) -> None:
        """Wait until the time `not_before` (see `reader`), and clear it."""
        left = self._clock.ticks_diff(self.not_before, self._ticks_us())
        self.not_before = None
        if left > 0:
            self._clock.sleep_us(left)

    def _heard(self, framing: int, start: int, limit_us: int) -> int:
        """Wait for an answer and read it; the chip counts as dead if it is silent until limit_us
        after `start`. Returns what exchange() returns."""
        cs = self._cs
        told = self._told
        while True:
            cs(0)
            self._spi.write_readinto(self._ask, told)
            cs(1)
            irq = told[1]
            if irq & _Set1:  # no chip drives the line
                return DEAD
            if irq & (_RxIRq | _TimerIRq):
                break
            if self._clock.ticks_diff(self._ticks_us(), start) > limit_us:
                return DEAD
        if not irq & _RxIRq:
            return GARBLED if irq & _ErrIRq else NOTHING
        size = told[3] & _FIFOLevel
        self.bits = told[4] & _RxLastBits
        if not 0 < size <= _MOST:
            size = GARBLED
        elif framing != _SHORT:
            cs(0)
            self._spi.readinto(self._ins[size], _READ | _FIFODataReg << 1)
            cs(1)
        error = told[2]
        if not error & _AnyErr:
            return size
        if error & _CollErr:
            coll = told[5]
            self.coll = 33 if coll & _CollPosNotValid else ((coll - 1) & _CollPos) + 1
        return GARBLED

    # ---- registers ----

    def _get(self, register: int) -> int:
        cs = self._cs
        cs(0)
        self._spi.readinto(self._ins[1], _READ | register << 1)
        cs(1)
        return self.answer[0]

    def _put(self, register: int, value: int) -> None:
        two = self._two
        two[0] = register << 1
        two[1] = value
        cs = self._cs
        cs(0)
        self._write(two)
        cs(1)

    def _switch(self, crc: int, patience: int) -> None:
        """Set the checksum CRC_A and the `patience` (see reader.py) of the selected chip."""
        cs = self._cs
        write = self._write
        two = self._two
        change = crc ^ self._crc
        self._crc = crc
        if change & 1:
            two[0] = _TxModeReg << 1
            two[1] = crc << 7 & _CRCEn
            cs(0)
            write(two)
            cs(1)
        if change & 2:
            two[0] = _RxModeReg << 1
            two[1] = crc << 6 & _CRCEn
            cs(0)
            write(two)
            cs(1)
        if patience != self._patience:
            self._patience = patience
            two[0] = _TReloadRegH << 1
            two[1] = _RELOAD[patience]
            cs(0)
            write(two)
            cs(1)


def _reading(registers: list[int]) -> bytearray:
    """Return the bytes to send to read these registers in one transfer."""
    asks = bytearray(len(registers) + 1)
    for k in range(len(registers)):
        asks[k] = _READ | registers[k] << 1
    return asks
