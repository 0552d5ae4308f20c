# SPDX-License-Identifier: MIT
"""Adds a check to an image for the Pico, so that the image starts only if it was copied
completely.

The RP2040's boot loader writes a UF2 file page by page, and erases each sector before its first
page. Interrupted copying leaves the new program at the beginning of the flash, the old content
after it, and perhaps a partly written sector.

A sealed image has one more sector at its end, which contains:

- a table with the last word of every sector
- a routine that compares these words with the flash
- a mark, as the last word

The reset vector leads to code that looks for the mark and runs the routine. If anything is
missing, that code returns to the boot loader, and the drive RPI-RP2 appears again.

The code is in entries of the vector table that the RP2040 does not use: 4 to 10, and the
interrupts 26 to 31 (RP2040 datasheet, 2.3.2 "Interrupts" and 2.4.5.3 "Exceptions"). Section 2.8.3
describes how to call a function of the boot ROM.
"""

import hashlib
import struct
from collections.abc import Iterator

XIP = 0x10000000  # where the flash is in memory
SECTOR = 4096
RESET = 0x104  # the reset vector's place in the image; the vector table is at 0x100
CHECK = 0x110  # exceptions 4 to 10
LOADER = 0x1A8  # interrupts 26 to 31
END = 0x1C0  # of the vector table
ERASED = b"\xff\xff\xff\xff"
THUMB = 1  # added to the address of code


def seal(image: bytes) -> bytes:
    """Return an image with an added start-up check, padded to whole sectors. The check returns to
    the boot loader if any part of the image is missing in the flash.

    image: a program for the RP2040 from the start of flash. Raises ValueError if it uses the
    vectors of the check, or is too long.
    """
    for first, after in ((CHECK, CHECK + 28), (LOADER, END)):
        if len({image[at : at + 4] for at in range(first, after, 4)}) != 1:
            raise ValueError("the vector table of this image has no room for the check")
    (reset,) = struct.unpack_from("<I", image, RESET)
    mark = hashlib.sha256(image).digest()[:4]
    if mark == ERASED:
        mark = bytes(4)
    sealed = bytearray(image + b"\xff" * (-len(image) % SECTOR))
    routine = XIP + len(sealed)
    struct.pack_into(
        "<8HI4sI", sealed, CHECK, *_CHECK, routine + SECTOR - 4, mark, routine | THUMB
    )
    struct.pack_into("<10H4s", sealed, LOADER, *_LOADER, b"UB\0\0")
    struct.pack_into("<I", sealed, RESET, XIP + CHECK | THUMB)
    code = struct.pack("<12HII", *_ROUTINE, XIP + LOADER | THUMB, reset)
    table = b"".join(struct.pack("<I4s", XIP + at, word) for at, word in _last_words(sealed))
    added = (code + table + bytes(4)).ljust(SECTOR - 4, b"\xff") + mark
    if len(added) != SECTOR:
        raise ValueError("the image is too long for the table of its sectors")
    return bytes(sealed + added)


def _last_words(image: bytearray) -> Iterator[tuple[int, bytes]]:
    """Yield (address, word) for each sector of the image: the last 4-byte word that differs from
    erased flash."""
    for sector in range(0, len(image), SECTOR):
        for at in range(sector + SECTOR - 4, sector - 4, -4):
            if image[at : at + 4] != ERASED:
                yield at, bytes(image[at : at + 4])
                break


_CHECK = (
    0x4803,  # ldr r0, address of the mark
    0x6800,  # ldr r0, [r0]
    0x4903,  # ldr r1, mark
    0x4288,  # cmp r0, r1
    0x4803,  # ldr r0, routine
    0xD145,  # bne LOADER
    0x4700,  # bx r0
    0x46C0,  # nop
)
_LOADER = (
    0x2314,  # movs r3, #0x14: the boot ROM's table of functions, and at 0x18 its search
    0x8818,  # ldrh r0, [r3]
    0x889A,  # ldrh r2, [r3, #4]
    0x4903,  # ldr r1, "UB"
    0x4790,  # blx r2
    0x4602,  # mov r2, r0
    0x2000,  # movs r0, #0
    0x2100,  # movs r1, #0
    0x4710,  # bx r2: reset_usb_boot(0, 0)
    0x46C0,  # nop
)
_ROUTINE = (
    0xA407,  # adr r4, table
    0xCC03,  # next: ldmia r4!, {r0, r1}: an address, and the word there
    0x2800,  # cmp r0, #0
    0xD004,  # beq whole
    0x6802,  # ldr r2, [r0]
    0x428A,  # cmp r2, r1
    0xD0F9,  # beq next
    0x4802,  # ldr r0, LOADER
    0x4700,  # bx r0
    0x4802,  # whole: ldr r0, reset
    0x4700,  # bx r0
    0x46C0,  # nop
)
