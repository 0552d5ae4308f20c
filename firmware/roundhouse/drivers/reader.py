# SPDX-License-Identifier: MIT
"""What a reader is: the contract the hub counts on, and the one a chip has to keep.

The hub asks for readers, one a slot, slots counted from 0 in board order. `presence.Readers` is
what it gets, whatever the chip:

    step()           do the next bit of work: the slot that was polled, or -1; waits at most
                     0.7 ms for an antenna
    new              then: FAULT, RESET, SLOW, or how many new tags lie there; each is told once
    images, sizes    of the first two of them: memory from page 3 on, and how much is valid; where
                     two READs from page 4 on settle it, page 3 is what it may at most be
    healthy(i)       whether the reader of slot i works
    is_there(i)      whether anything answers on slot i, asked now
    slowed           the slot whose reader works only at the bus's slower step, at which all are
                     asked since; -1: none
    version(i)       the number its chip gives itself; 0 and 255: there is none
    favour(mask)     ask the slots whose bit is set more often
    while_waiting(call)    what to call in the time a tag takes to answer

Writing needs more of it: held_tag.py holds one tag and reads and writes its pages.

The readers ask for a chip, which stands for all slots of a board. config.py's READER is the name
of its module, one of CHIPS; the module has a class of the same name in capitals, made as MFRC522
is, with these names:

    count            slots
    reset(i)         bring the chip of slot i to a known state, its antenna off
    slow(on)         speak to all at the slower step of what joins them, or not; whether it has one
    reset_all()      the same for all, also for those that do not listen any more
    SETTLE_US        from either of them until set_up() may be called
    set_up(i)        make it ready; whether it is there and took its settings
    holds(i)         whether it is there and still has them
    versions         what each said of itself when it was asked last; 0 and 255: not there
    field(i, on)     switch the antenna of slot i; whether it is off for sure where it is to be
    select(i)        exchange() speaks through slot i from now on, as after all of the above
    out, answer      memoryviews: 7 bytes to send at least, 18 to receive; what answers a frame of
                     7 bits need not be kept
    exchange(size, framing, kind)    send out[:size]: bytes received, NOTHING, GARBLED or DEAD
    bits             how many of the last byte received are valid; 0: all 8
    coll             where answers collided, 1..32; 0: they did not; 33: that cannot be said
    rest()           done with this slot for now
    not_before       None, or the us before which the next short frame (framing 7) must not be
                     sent; None behind it
    meanwhile        None, or what exchange() calls when there is more than 1 ms to wait

framing: how many bits of the last byte are sent (0: all 8), and in bits 4 to 6 the place of the
first bit received in its byte.
kind: (crc, patience, look_us, limit_us). crc: bit 0, CRC_A is appended to what is sent; bit 1,
it is checked, and taken off, what comes. patience: how long after the frame an answer may begin:
0, 0.25 ms; 1, 5 ms (READ); 2, 10 ms (WRITE). In us from the frame's first bit: when to look for
the answer for the first time, and when to give up a chip that has not said anything; 0: nobody
answers this frame, which is through by look_us, and that it was sent is not known.
coll counts from bit 0 of the first byte received. Some chips count from the UID's first bit
instead; iso14443.py finds that out by itself.
"""

# Chips that have a module here. What fits the contract is a frame modem: one that sends and hears
# any frame, also one of seven bits or with a last byte in part, says where answers collided, and
# is driven by its registers. Those are the MFRC5xx, the PN511 and PN512, and the CLRC663 with its
# relatives. What selects tags by itself, behind commands of its own, does not fit: a PN532 or a
# PN7150 gives a UID at a time, after milliseconds, and cannot be asked for single bits of it.
CHIPS = ("mfrc522",)

FAULT = -1  # the reader does not work
RESET = -2  # and all have been reset for it
SLOW = -3  # it worked again at the bus's slower step, to which all have been put

# What held_tag.py says of a tag and its pages; 0 is success.
NO_TAG = 1
TWO_TAGS = 2
FOREIGN = 3  # no Type 2 tag
REFUSED = 4  # the tag does not allow it
TORN = 5  # the tag left, or could not be understood

# What exchange() says where it does not say how many bytes came.
NOTHING = -1  # nobody answered in time
GARBLED = -2  # something answered; what came of it is in `answer`
DEAD = -3  # the chip does not work
