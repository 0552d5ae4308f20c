# SPDX-License-Identifier: MIT
"""The two interfaces of readers: the one that the hub uses, and the one of a reader chip.

The hub uses all readers of a board through one object, presence.Readers, with any chip. Readers
are numbered like slots, from 0 in board order:

    step()           do the next piece of work; return the slot that was polled, or -1. Waits at
                     most 0.7 ms for an antenna
    new              result of step(): FAULT, RESET, SLOW, or the number of new tags; each tag is
                     reported only once
    images, sizes    for each of the first two new tags: its memory from page 3 on, and the number
                     of valid bytes in it. A tag with a short text is read only from page 4 on; in
                     its image, page 3 states the largest possible memory size
    remember(i, ms)  report the new tags of the last step, on slot i, again only after they were
                     silent for this long, 160 to 2550 ms; without it, for 160 ms
    healthy(i)       whether the reader of slot i works
    rests(i)         whether it is tried only now and then, because it failed again and again
    is_there(i)      whether any chip answers on slot i; asks the chip at this moment
    slowed           a slot whose reader works only at the slower bus speed; -1: none. If there is
                     such a slot, all readers use the slower speed
    version(i)       version of the chip; 0 and 255: no chip
    register(i)      register that did not keep its value when the chip was last set up; 0: none
    while_waiting(call)    set a function to be called while a tag takes time to answer

To write tags, tag_access.py holds one tag and reads and writes its pages.

Readers use one chip object for all slots of a board. READER in config.py names the module of the
chip, one of CHIPS. The chip's class has the module's name in capitals. The class is constructed
like MFRC522, and its object has these names:

    count            number of slots
    reset(i)         bring the chip of slot i to a known state, antenna off
    reset_all()      do the same for all chips, even for those that no longer react to commands
    SETTLE_US        time in us after either reset until set_up() may be called; set_up() returns
                     False while the chip is still starting
    slow(on)         use the slower bus speed for all (1), or the normal one (0); return whether
                     there is a slower one
    set_up(i)        write the settings; return whether a chip is there and has kept them
    holds(i)         whether a chip is there and still has its settings
    versions         version of each chip as read last; 0 and 255: no chip
    wrong            the register that made set_up() refuse each chip; 0: none
    field(i, on)     switch the antenna of slot i on or off; return False if the chip does not
                     confirm that the antenna is off
    select(i)        let exchange() use slot i from now on; all methods above that take a slot also
                     select it
    out, answer      memoryviews: at least 7 bytes to send, 18 to receive; the answer to a frame of
                     7 bits need not be stored
    exchange(size, framing, kind)    send out[:size]; return bytes received, NOTHING, GARBLED, DEAD
    bits             number of valid bits in the last byte received; 0: all 8
    coll             bit where answers collided, 1..32; 0: none did; 33: unknown
    rest()           end the work with the selected slot for now
    not_before       None, or the time in us before which the next short frame (framing 7) must not
                     be sent; it is None again after this frame
    meanwhile        None, or a function that exchange() calls when it has to wait more than 1 ms

framing: in bits 0 to 2, the number of bits to send of the last byte (0: all 8). In bits 4 to 6,
the position at which the first bit received is stored in its byte.

kind: (crc, patience, look_us, limit_us)

    crc              bit 0: append CRC_A when sending; bit 1: check and remove it when receiving
    patience         time after the frame within which an answer must begin: 0: 0.25 ms; 1: 5 ms
                     (READ); 2: 10 ms (WRITE)
    look_us          us from the frame's first bit until the first look for the answer
    limit_us         us from this look until a silent chip counts as dead; 0: the frame has no
                     answer, and is over by look_us

A chip counts coll either from bit 0 of the first byte received or from the UID's first bit;
iso14443.py finds out which.
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
CLASSIC = 6  # a MIFARE Classic, like the card and the fob that come with many readers

# What exchange() returns instead of a number of bytes.
NOTHING = -1  # no answer in time
GARBLED = -2  # an answer with errors; the bytes received are in `answer`
DEAD = -3  # the chip does not work
