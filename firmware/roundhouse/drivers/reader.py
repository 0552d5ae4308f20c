# SPDX-License-Identifier: MIT
"""What a reader is: the contract the hub counts on, and the one a chip has to keep.

The hub asks for readers, one a slot, slots counted from 0 in board order. `presence.Readers` is
what it gets, whatever the chip:

    step()            the next bit of work: the slot that was polled, or -1; never waits
    new               after step(): FAULT, or how many new tags there are, each told once
    images, sizes     of the first two of them: memory from page 3 on, and how much is valid
    healthy(i)        whether the reader of slot i works
    version(i)        the number its chip gives itself; 0 and 255: none is there
    favour(mask)      ask the slots whose bit is set more often
    while_waiting(f)  call f in the time a tag takes to answer
    hold(i)           select the one tag on slot i: 0, FAULT, NO_TAG, TWO_TAGS, FOREIGN, TORN
    read_page(p)      four pages of the held tag into page_data: 0, REFUSED, TORN, FAULT
    write_page(p, data, at)    one page of it, from data[at..at+3]: the same
    uid()             its UID
    let_go(i, result) done with it; returns result

The readers ask for a chip, which stands for all slots of a board. `mfrc522.MFRC522` is one;
another chip is another module with these names:

    count             slots
    SETTLE_US         from reset() until set_up() may be called
    reset(i)          bring the chip of slot i to a known state, its antenna off
    set_up(i)         make it ready, antenna off; whether it is there and took the settings
    holds(i)          whether it is there and has its settings still
    versions          versions[i]: what it said of itself when set up; 0 and 255: not there
    field(i, on)      the antenna of slot i
    select(i)         exchange() speaks through slot i from now on; so it does after all above
    out, answer       memoryviews: 7 bytes to send at least, 18 to receive
    exchange(size, framing, kind)    send out[:size]; bytes received, NOTHING, GARBLED or DEAD
    bits              of the last byte received; 0: all 8
    coll              where answers collided, 1..32; 0: they did not; 33: it cannot be said
    rest()            done with this slot for now
    meanwhile         None, or what exchange() calls once while it waits for more than 1 ms

framing: how many bits of the last byte are sent (0: all 8), and in bits 4 to 6 the place of the
first bit received in its byte.
kind: (crc, patience, look_us, limit_us). crc: bit 0, CRC_A is appended to what is sent; bit 1,
it is checked, and taken off, what comes. patience: how long after the frame an answer may begin:
0, 0.25 ms; 1, 5 ms (READ); 2, 10 ms (WRITE). In us from the frame's first bit: when a look for the
answer is worth while, and when a chip that has not said anything is given up.
coll counts from bit 0 of the first byte received. Some chips count from the UID's first bit
instead; iso14443.py finds that out by itself.
"""

FAULT = -1  # the reader does not work

# What hold() and the pages say; 0 is success.
NO_TAG = 1
TWO_TAGS = 2
FOREIGN = 3  # no Type 2 tag
REFUSED = 4  # the tag does not allow it
TORN = 5  # the tag left, or could not be understood

# What exchange() says where it does not say how many bytes came.
NOTHING = -1  # nobody answered in time
GARBLED = -2  # something answered; what came of it is in `answer`
DEAD = -3  # the chip does not work
