# SPDX-License-Identifier: MIT
"""The two interfaces of readers: what the hub expects of Readers, and Readers of a reader chip.

The hub uses all readers of a board through one object, presence.Readers, with any chip. Readers
are numbered like slots, from 0 in board order:

    step()           do the next bit of work; return the slot that was polled, or -1. Waits at most
                     0.7 ms for an antenna
    new              after that: FAULT, RESET, SLOW, or the number of new tags; each is reported
                     only once
    images, sizes    of the first two new tags: memory from page 3 on, and the valid bytes of it.
                     If two READs from page 4 on were enough, page 3 is the most it could be
    healthy(i)       whether the reader of slot i works
    is_there(i)      whether any chip answers on slot i, asked now
    slowed           the slot whose reader works only at the slower bus speed, which is used for
                     all since then; -1: none
    version(i)       version of the chip; 0 and 255: no chip
    register(i)      the register for which the chip was refused when it was set up last; 0: none
    while_waiting(call)    set what is called while a tag takes time to answer

To write tags, tag_access.py holds one tag and reads and writes its pages.

Readers use one chip object for all slots of a board. config.py's READER is the name of its module,
one of CHIPS; the module has a class of that name in capitals, constructed like MFRC522:

    count            number of slots
    reset(i)         bring the chip of slot i to a known state, antenna off
    reset_all()      the same for all, also for chips that no longer listen
    SETTLE_US        time after either of them until set_up() may be called; it returns False
                     while the chip is still starting
    slow(on)         use the slower bus speed for all, or not; return whether there is one
    set_up(i)        write the settings; return whether a chip is there and has them
    holds(i)         whether it is there and still has them
    versions         version of each chip as read last; 0 and 255: no chip
    wrong            the register for which set_up() refused each chip; 0: none
    field(i, on)     switch the antenna of slot i; return False if it does not confirm that it
                     is off
    select(i)        exchange() uses slot i from now on; all of the above select their slot, too
    out, answer      memoryviews: at least 7 bytes to send, 18 to receive; the answer to a frame of
                     7 bits need not be stored
    exchange(size, framing, kind)    send out[:size]; return bytes received, NOTHING, GARBLED, DEAD
    bits             number of valid bits in the last byte received; 0: all 8
    coll             bit where answers collided, 1..32; 0: none did; 33: unknown
    rest()           done with this slot for now
    not_before       None, or the time in us before which the next short frame (framing 7) must not
                     be sent; None again after it
    meanwhile        None, or what exchange() calls when it has to wait for more than 1 ms

framing: number of bits sent of the last byte (0: all 8), and in bits 4 to 6 the position in its
byte of the first bit received.

kind: (crc, patience, look_us, limit_us)

    crc              bit 0: append CRC_A when sending; bit 1: check and remove it when receiving
    patience         time after the frame within which an answer must begin: 0: 0.25 ms; 1: 5 ms
                     (READ); 2: 10 ms (WRITE)
    look_us          us from the frame's first bit until the first look for the answer
    limit_us         us from there until a silent chip counts as dead; 0: the frame has no answer,
                     and is over by look_us

coll counts from bit 0 of the first byte received. Some chips count from the UID's first bit;
iso14443.py finds out by itself.
"""

# Chips that have a module here. A chip fits this contract if it is a frame modem driven by
# registers: it sends and receives any frame, also of 7 bits or with a partial last byte, and
# reports where answers collided. The MFRC5xx, PN511, PN512, and the CLRC663 with its relatives
# are. Chips that select tags by commands of their own are not: a PN532 or PN7150 returns one UID
# at a time, after milliseconds, and cannot be asked for single bits of it.
CHIPS = ("mfrc522",)

FAULT = -1  # the reader does not work
RESET = -2  # it does not work, and all readers were reset because of it
SLOW = -3  # it works at the slower bus speed, which all readers use from now on

# What tag_access.py returns for a tag and its pages; 0 is success.
NO_TAG = 1
TWO_TAGS = 2
FOREIGN = 3  # not a Type 2 tag
REFUSED = 4  # the tag does not allow it
TORN = 5  # the tag left, or could not be understood

# What exchange() returns instead of a number of bytes.
NOTHING = -1  # no answer in time
GARBLED = -2  # an answer with errors; the bytes received are in `answer`
DEAD = -3  # the chip does not work
