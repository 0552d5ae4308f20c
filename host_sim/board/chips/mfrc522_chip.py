# SPDX-License-Identifier: MIT
"""A model of the MFRC522 reader chip at register and FIFO level, with the field of its antenna.

It models SPI bytes, registers, the timer and ISO 14443-3 frames at 106 kbit/s. Register numbers,
reset values and bit meanings come from the NXP MFRC522 datasheet, tables 20 to 148. The result of
an exchange is computed when the frame is sent, and appears in the registers at the times of the
real chip.
"""

from collections.abc import Callable

from host_sim.board.chips.clock import Clock
from host_sim.board.chips.machine import Buffer
from host_sim.board.chips.ntag import POWER_UP_US, Frame, Tag, crc_a

CommandReg, ComIrqReg, DivIrqReg, ErrorReg = 0x01, 0x04, 0x05, 0x06
Status1Reg, FIFODataReg, FIFOLevelReg = 0x07, 0x09, 0x0A
WaterLevelReg, ControlReg, BitFramingReg, CollReg = 0x0B, 0x0C, 0x0D, 0x0E
ModeReg, TxModeReg, RxModeReg, TxControlReg, TxASKReg = 0x11, 0x12, 0x13, 0x14, 0x15
CRCResultRegH, CRCResultRegL, RFCfgReg = 0x21, 0x22, 0x26
TModeReg, TPrescalerReg, TReloadRegH, TReloadRegL = 0x2A, 0x2B, 0x2C, 0x2D
TCounterValRegH, TCounterValRegL, VersionReg = 0x2E, 0x2F, 0x37

RESET_VALUES = {
    CommandReg: 0x20,  # RcvOff
    0x02: 0x80,  # ComIEnReg: IRqInv
    ComIrqReg: 0x14,  # LoAlertIRq, IdleIRq
    Status1Reg: 0x21,  # CRCReady, LoAlert
    WaterLevelReg: 0x08,
    ControlReg: 0x10,
    CollReg: 0xA0,  # ValuesAfterColl, CollPosNotValid
    ModeReg: 0x3F,
    TxControlReg: 0x80,  # InvTx2RFOn
    0x16: 0x10,  # TxSelReg
    0x17: 0x84,  # RxSelReg
    0x18: 0x84,  # RxThresholdReg
    0x19: 0x4D,  # DemodReg
    0x1C: 0x62,  # MfTxReg
    0x1F: 0xEB,  # SerialSpeedReg
    CRCResultRegH: 0xFF,
    CRCResultRegL: 0xFF,
    0x24: 0x26,  # ModWidthReg
    RFCfgReg: 0x48,
    0x27: 0x88,  # GsNReg
    0x28: 0x20,  # CWGsPReg
    0x29: 0x20,  # ModGsPReg
}
READ_ONLY = (
    ErrorReg,
    Status1Reg,
    CRCResultRegH,
    CRCResultRegL,
    TCounterValRegH,
    TCounterValRegL,
    VersionReg,
)

# CommandReg
Idle, CalcCRC, Transmit, NoCmdChange, Transceive, SoftReset = 0x0, 0x3, 0x4, 0x7, 0xC, 0xF
# ComIrqReg, with Set1 in it and in DivIrqReg
Set1, TxIRq, RxIRq, IdleIRq, ErrIRq, TimerIRq = 0x80, 0x40, 0x20, 0x10, 0x02, 0x01
# ErrorReg
BufferOvfl, CollErr, CRCErr, ParityErr, ProtocolErr = 0x10, 0x08, 0x04, 0x02, 0x01
# others, in the order of their registers
CRCIRq, CRCReady = 0x04, 0x20  # DivIrqReg, Status1Reg
FlushBuffer, TStopNow, TStartNow, StartSend = 0x80, 0x80, 0x40, 0x80
ValuesAfterColl, CollPosNotValid = 0x80, 0x20
TxCRCEn, RxCRCEn, TxRFEn, Force100ASK, TAuto = 0x80, 0x80, 0x03, 0x40, 0x80

PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg bits 1..0, as the shift register holds them
STROBE, STICKY, STRICT = "strobe", "sticky", "strict"  # habits
FDT_US = 91  # frame delay: from the end of the reader's frame to the tag's answer
START_US = 40  # a soft reset until the chip is ready (the oscillator keeps running)
POWER_ON_US = 1200  # the oscillator's start after the reset pin or the supply


def air_us(count: int, end: int) -> int:
    """Return the microseconds that a frame takes over the air.

    count: the count of data bits, without their parity bits
    end: the count of bits that end the frame, after the data and parity bits
    """
    return ((1 + count + count // 8 + end) * 944 + 50) // 100


class MFRC522Chip:
    """One chip and its antenna. `put` and `take` move tags into its field and out of it.

    `on_field(chip, on)` is called when the antenna is switched on or off.

    Attributes and methods that cause faults:

    dead      the byte that a dead chip shows on MISO, 0x00 or 0xFF; None: the chip works
    version   the content of VersionReg; clones have other values than NXP's chips
    forget()  makes the chip lose its settings
    spoil(error, times)    makes the next receptions fail
    no_irq    if true, the interrupt bits never show an event
    hangs     if true, writing has no effect
    grounded  if true, the reset pin stays low
    start_us  the us that the chip takes to start after a reset, during which writing to it has no
              effect; None: as in the datasheet
    noise()   returns the ErrorReg bits to show at a reception, or 0

    Attributes for two differences that are reported between chips:

    keeps_crc: whether a checked CRC stays in the FIFO
    coll_from_uid: whether CollPos in a split frame counts from the start of the UID

    The attribute `habit` chooses the effect of the bit StartSend. The datasheet says only that the
    bit starts a transmission "in combination with the Transceive command" (table 47):

    STROBE   the bit has an effect only when it is written
    STICKY   the bit stays set until it is written as 0. While it is set, the command Transceive
             sends the FIFO, and a byte that enters the FIFO after that is sent at once
    STRICT   like STICKY, but some sequences hang the chip until it is reset:
             - Transceive with an empty FIFO or with StartSend set
             - filling the FIFO while Transceive may send
             - StartSend without Transceive
             - a frame before which the FIFO was not flushed
             - reading more bytes than FIFOLevelReg has

    `upset` names the first sequence that hung the chip, or is "".
    """

    habit = STICKY
    # by the first byte after `select`: the answer to it, and whether the chip then `listens`. A
    # dead chip answers otherwise
    OPENING = bytes(listens for byte in range(256) for listens in (0, byte < 0x80))

    def __init__(self, clock: Clock, version: int = 0x92) -> None:
        self.clock = clock
        self.version = version
        self.dead: int | None = None
        self.no_irq = False
        self.hangs = False
        self.grounded = False
        self.start_us: int | None = None
        self.noise: Callable[[], int] | None = None
        self.keeps_crc = False
        self.coll_from_uid = False
        self.on_field: Callable[[MFRC522Chip, bool], None] | None = None
        self.tags: list[Tag] = []
        self.antenna = False
        self.on_us = 0
        self.held = False  # by the reset pin
        self.sent = 0  # frames
        self.upset = ""
        self._regs = bytearray(64)
        self._fifo = bytearray()
        self._address = -1
        self._spoilt = 0
        self._spoil_left = 0
        self._reset(POWER_ON_US)

    # -- the world around the chip

    def put(self, tag: Tag) -> None:
        tag.chip = self
        tag.placed_us = self.clock.us
        tag.unpower()
        self.tags.append(tag)

    def take(self, tag: Tag) -> None:
        if tag in self.tags:
            self.tags.remove(tag)
            tag.unpower()

    def forget(self) -> None:
        """Reset all registers, as a short drop of the supply voltage does."""
        self._reset(START_US)

    def spoil(self, error: int, times: int = 1) -> None:
        """Make the next `times` receptions fail: ErrorReg shows the bits `error`, and one data bit
        is wrong."""
        self._spoilt = error
        self._spoil_left = times

    def reset_pin(self, level: int) -> None:
        """React to a new level of the reset line; a low level holds the chip in reset."""
        if level and not self.grounded:
            self.held = False
            self._reset(POWER_ON_US)
        else:
            self._reset(POWER_ON_US)
            self.held = True

    # -- SPI

    def select(self) -> None:
        """React to the select line going low: the next byte will be an address."""
        self._address = -1

    def write(self, buf: Buffer) -> None:
        """Take the bytes that are sent: an address, then values for the register at this
        address."""
        if self.dead is not None or self.held:
            return
        if self._address < 0 and not buf[0] & 0x80:
            reg = buf[0] >> 1
            self._address = buf[0]
            if len(buf) == 2:
                self._put(reg, buf[1])
            else:
                for k in range(1, len(buf)):
                    self._put(reg, buf[k])
            return
        self.exchange(buf)

    @property
    def listens(self) -> bool:
        """Whether the chip was given the address of a register to write to."""
        return self._address >= 0 and not self._address & 0x80

    def exchange(self, out: Buffer) -> bytes | bytearray:
        """Take the bytes that are sent and return the same number of bytes."""
        if self.dead is not None or self.held:
            return bytes((self.dead or 0,)) * len(out)
        answer = bytearray(len(out))
        address = self._address
        for k, byte in enumerate(out):
            if address < 0:
                address = byte
            elif address & 0x80:
                answer[k] = self._get(address >> 1 & 0x3F)
                address = byte | 0x80
            else:
                self._put(address >> 1, byte)
        self._address = address
        return answer

    # -- registers

    def _reset(self, ready_us: int) -> None:
        regs = self._regs
        regs[:] = bytes(64)
        for reg, value in RESET_VALUES.items():
            regs[reg] = value
        self._fifo.clear()
        self._flushed = False  # since the last frame
        self._started = False  # StartSend
        self._hung = False
        self._stop()
        self._ready_us = self.clock.us + (ready_us if self.start_us is None else self.start_us)
        self._field(False)

    def _stop(self) -> None:
        self._tx_us: int | None = None
        self._rx_us: int | None = None
        self._timer_us: int | None = None
        self._frames: list[Frame] = []  # of the tags, on the air
        self._pending = False

    def _field(self, on: bool) -> None:
        if on == self.antenna:
            return
        self.antenna = on
        self.on_us = self.clock.us
        for tag in self.tags:
            tag.unpower()
        if self.on_field:
            self.on_field(self, on)

    def _settle(self) -> None:
        """Update the registers to the present time of the clock."""
        now = self.clock.us
        regs = self._regs
        if self._tx_us is not None and now >= self._tx_us:
            self._tx_us = None
            regs[ComIrqReg] |= TxIRq
            if regs[CommandReg] & 0xF == Transmit:
                regs[CommandReg] &= 0xF0
                regs[ComIrqReg] |= IdleIRq
        if self._timer_us is not None and now >= self._timer_us:
            self._timer_us = None
            regs[ComIrqReg] |= TimerIRq
        if self._rx_us is not None and now >= self._rx_us:
            self._rx_us = None
            self._receive()
        self._pending = not (self._tx_us is self._timer_us is self._rx_us is None)

    def _get(self, reg: int) -> int:
        if self._pending:
            self._settle()
        if reg == FIFODataReg:
            if not self._fifo:
                self._hang("the empty FIFO is read")
            return self._fifo.pop(0) if self._fifo else 0
        if reg == FIFOLevelReg:
            return len(self._fifo)
        if reg == VersionReg:
            return self.version
        if reg == ComIrqReg and self.no_irq:
            return 0
        if reg == CommandReg and self.clock.us < self._ready_us:
            return self._regs[reg] | 0x10  # PowerDown: still waking up
        return self._regs[reg]

    def _put(self, reg: int, value: int) -> None:
        if self._pending:
            self._settle()
        write = WRITES[reg]
        if self.hangs or self.start_us is not None and self.clock.us < self._ready_us:
            return
        if write:
            write(self, reg, value)
        else:
            self._regs[reg] = value

    def _put_nothing(self, reg: int, value: int) -> None:
        """Ignore a write to a read-only register."""

    def _hang(self, what: str) -> None:
        """Hang until the next reset if `habit` is STRICT. what: the reason, for the attribute
        `upset`."""
        if self.habit == STRICT:
            self._hung = True
            self.upset = self.upset or what

    def _put_fifo_data(self, reg: int, value: int) -> None:
        transceives = self._regs[CommandReg] & 0xF == Transceive
        if transceives and self._started:
            self._hang("the FIFO is filled while Transceive sends")
        if not self._flushed:
            self._hang("the FIFO was not flushed")
        if len(self._fifo) == 64:
            self._regs[ErrorReg] |= BufferOvfl
            self._regs[ComIrqReg] |= ErrIRq
        else:
            self._fifo.append(value)
        if transceives and self._started:
            self._send()

    def _put_irq(self, reg: int, value: int) -> None:
        if value & Set1:
            self._regs[reg] |= value & 0x7F
        else:
            self._regs[reg] &= ~value & 0x7F

    def _put_fifo_level(self, reg: int, value: int) -> None:
        if value & FlushBuffer:
            self._fifo.clear()
            self._flushed = True
            self._regs[ErrorReg] &= ~BufferOvfl & 0xFF

    def _put_bit_framing(self, reg: int, value: int) -> None:
        self._regs[reg] = value & 0x7F
        self._started = self.habit != STROBE and bool(value & StartSend)
        if value & StartSend:
            if self._regs[CommandReg] & 0xF == Transceive:
                self._send()
            else:
                self._hang("StartSend without Transceive")

    def _put_tx_control(self, reg: int, value: int) -> None:
        self._regs[reg] = value
        self._field(value & TxRFEn == TxRFEn)

    def _put_coll(self, reg: int, value: int) -> None:
        self._regs[reg] = value & ValuesAfterColl | self._regs[reg] & 0x3F

    def _put_control(self, reg: int, value: int) -> None:
        if value & TStopNow:
            self._timer_us = None
        elif value & TStartNow:
            self._timer_us = self.clock.us + self._timer_period()
            self._pending = True

    def _put_command(self, reg: int, value: int) -> None:
        regs = self._regs
        code = value & 0xF
        regs[reg] = value & 0x3F
        if code == NoCmdChange:
            return
        self._rx_us, self._frames = None, []
        if code == SoftReset:
            self._reset(START_US)
        elif code == CalcCRC:
            crc = crc_a(self._fifo, PRESETS[regs[ModeReg] & 3])
            self._fifo.clear()
            regs[CRCResultRegH], regs[CRCResultRegL] = crc >> 8, crc & 0xFF
            regs[DivIrqReg] |= CRCIRq
            regs[Status1Reg] |= CRCReady
        elif code == Transmit:
            self._send()
        elif code == Transceive:
            if self._started or not self._fifo:
                self._hang("Transceive with StartSend set" if self._started else "no data")
            if self._started:
                self._send()
        elif code == Idle:
            regs[reg] &= 0xF0

    def _timer_period(self) -> int:
        regs = self._regs
        prescaler = (regs[TModeReg] & 0xF) << 8 | regs[TPrescalerReg]
        reload = regs[TReloadRegH] << 8 | regs[TReloadRegL]
        return ((reload + 1) * (2 * prescaler + 1) * 100 + 1355) // 1356

    # -- the air

    def _send(self) -> None:
        """Send the bytes in the FIFO, and compute all results of this exchange."""
        regs = self._regs
        clock_us = self.clock.us
        fifo = self._fifo
        last = regs[BitFramingReg] & 7
        count = 8 * len(fifo) - (8 - last if last else 0)
        regs[ErrorReg] = 0
        if count <= 0 or self._hung:
            return
        bits = int.from_bytes(fifo, "little")
        if regs[TxModeReg] & TxCRCEn:
            bits |= crc_a(fifo, PRESETS[regs[ModeReg] & 3]) << count
            count += 16
        bits &= (1 << count) - 1
        fifo.clear()
        self._flushed = False
        self.sent += 1
        sent_us = clock_us + air_us(count, 2)
        self._tx_us = sent_us
        self._pending = True
        self._frames = []
        self._rx_us = None
        if regs[TModeReg] & TAuto:
            self._timer_us = sent_us + self._timer_period()
        if not self.tags or not self.antenna or not regs[TxASKReg] & Force100ASK:
            return  # a type A tag hears nothing but 100 % ASK
        frames = []
        wait_us = FDT_US
        for tag in tuple(self.tags):
            if clock_us - max(self.on_us, tag.placed_us) < POWER_UP_US:
                continue
            answer = tag.hear((bits, count))
            if answer is not None:
                frames.append(answer[0])
                wait_us = FDT_US + answer[1]
        if not frames or regs[CommandReg] & 0xF != Transceive:
            return
        start_us = sent_us + wait_us
        # the timer stops with the fifth received bit, start bit included
        if self._timer_us is not None and self._timer_us > start_us + air_us(4, 0):
            self._timer_us = None
        self._frames = frames
        self._rx_us = start_us + air_us(max(f[1] for f in frames), 1)

    def _receive(self) -> None:
        """Receive the tags' answers: combine their frames bit by bit, and set FIFO and flags."""
        regs = self._regs
        frames, self._frames = self._frames, []
        bits, count = frames[0]
        error = 0
        align = regs[BitFramingReg] >> 4 & 7
        coll = CollPosNotValid
        for other, other_count in frames[1:]:
            differ = bits ^ other
            if differ or other_count != count:
                first = (differ & -differ).bit_length() - 1 if differ else 64
                first = min(first, count, other_count)
                error |= CollErr
                count = max(count, other_count)
                bits = (bits | other) & ((1 << first) - 1)
                place = first + align + 1
                if self.coll_from_uid:
                    place += 40 - count - align
                coll = place & 0x1F if place <= 32 else CollPosNotValid
                if regs[CollReg] & ValuesAfterColl:
                    bits |= other & ~((1 << first) - 1)
        if self._spoil_left:
            self._spoil_left -= 1
            error |= self._spoilt
            bits ^= 1 << (count // 2)
        if self.noise:
            spoilt = self.noise()
            if spoilt:
                error |= spoilt
                bits ^= 1 << (count // 2)
        regs[CollReg] = regs[CollReg] & ValuesAfterColl | coll
        if regs[RxModeReg] & RxCRCEn and not error & CollErr:
            data = bits.to_bytes((count + 7) // 8, "little")
            if count % 8 or count < 24 or crc_a(data, PRESETS[regs[ModeReg] & 3]):
                error |= CRCErr
            elif not self.keeps_crc:
                count -= 16
                bits &= (1 << count) - 1
        bits <<= align
        count += align
        size = (count + 7) // 8
        self._fifo += bits.to_bytes(size, "little")
        if len(self._fifo) > 64:
            del self._fifo[64:]
            error |= BufferOvfl
        regs[ControlReg] = 0x10 | count % 8
        regs[ErrorReg] |= error
        regs[ComIrqReg] |= RxIRq | (ErrIRq if error else 0)


# What writing a register does; None: it is stored.
WRITES: list[Callable[[MFRC522Chip, int, int], None] | None] = [
    MFRC522Chip._put_nothing if reg in READ_ONLY else None for reg in range(64)
]
WRITES[CommandReg] = MFRC522Chip._put_command
WRITES[ComIrqReg] = WRITES[DivIrqReg] = MFRC522Chip._put_irq
WRITES[FIFODataReg] = MFRC522Chip._put_fifo_data
WRITES[FIFOLevelReg] = MFRC522Chip._put_fifo_level
WRITES[ControlReg] = MFRC522Chip._put_control
WRITES[BitFramingReg] = MFRC522Chip._put_bit_framing
WRITES[CollReg] = MFRC522Chip._put_coll
WRITES[TxControlReg] = MFRC522Chip._put_tx_control
