# SPDX-License-Identifier: MIT
"""Reads and writes the memory pages of one tag. Loaded when needed."""

from roundhouse.drivers import const
from roundhouse.drivers.iso14443 import REQA, WUPA
from roundhouse.drivers.reader import (
    CLASSIC,
    DEAD,
    FAULT,
    FOREIGN,
    NO_TAG,
    NOTHING,
    REFUSED,
    TORN,
    TWO_TAGS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from roundhouse.drivers.presence import Readers


# Bytes for the user, divided by 8: of any Type 2 tag; and of NTAG213, 215 and 216, by the byte of
# their version that says so.
_LEAST = const(0x06)
_NTAG_SIZES = {0x0F: 0x12, 0x11: 0x3E, 0x13: 0x6D}


class HeldTag:
    """Access to the memory of the only tag on a slot, between the calls of `hold` and `let_go`.

    readers: a presence.Readers.

    page_data: the 16 bytes read by the last call of read_page.
    """

    def __init__(self, readers: "Readers") -> None:
        self._readers = readers
        self._tag = readers.tag
        self.page_data: memoryview = readers.chip.answer[:16]

    def hold(self, i: int) -> int:
        """Select the only tag on slot i for read_page and write_page, until let_go. Takes about 10
        ms.

        The tag becomes a known one, so it is not reported as a tap. Returns 0, or FAULT, NO_TAG,
        TWO_TAGS, FOREIGN, CLASSIC or TORN.
        """
        readers = self._readers
        if not readers.healthy(i):
            return FAULT
        readers.break_off()
        schedule = readers.schedule
        schedule.warm_up(i)
        if schedule.hung:
            return FAULT
        readers.chip.select(i)
        readers.chip.not_before = schedule.warm_us[i]
        tag = self._tag
        heard = tag.wake(WUPA)
        if heard == NOTHING:
            return NO_TAG
        if heard != DEAD:
            heard = tag.identify()
        if heard == DEAD:
            return FAULT
        if heard < 0:
            return TORN
        tag.halt()
        if tag.split or tag.wake(REQA) != NOTHING:
            return TWO_TAGS
        if tag.wake(WUPA) == NOTHING or tag.greet(tag.uid, 0) < 0:
            return TORN
        if readers.known.find(i, tag.uid) < 0:
            readers.known.learn(i, tag.uid)
        if tag.sak & 0x28 == 0x08:  # NXP AN10833, table 6
            return CLASSIC
        return FOREIGN if tag.sak else 0

    def read_page(self, page: int) -> int:
        """Read four pages of the held tag from `page` on into `page_data`. Return 0, REFUSED, TORN
        or FAULT."""
        return _outcome(self._tag.read(page))

    def write_page(self, page: int, data: bytes | bytearray, at: int = 0) -> int:
        """Write data[at..at+3] to a page of the held tag. Return 0, REFUSED, TORN or FAULT."""
        return _outcome(self._tag.write(page, data, at))

    def capacity(self) -> int:
        """Return how many bytes the held tag has for its user, divided by 8: as many as an NTAG
        says, or the 48 bytes that every Type 2 tag has; < 0 if the tag has left."""
        tag = self._tag
        known = tag.version()
        if known > 0:
            answer = self.page_data
            is_ntag = answer[1] == 0x04 and answer[2] == 0x04
            return _NTAG_SIZES.get(answer[6], _LEAST) if is_ntag else _LEAST
        if known < 0 or tag.wake(WUPA) < 0 or tag.greet(tag.uid, 0) < 0:
            return -1
        return _LEAST

    def uid(self) -> bytes:
        """Return the held tag's UID as bytes, 4 per cascade level."""
        uid = self._tag.uid
        return bytes(uid[2 : 2 + 4 * uid[0]])

    def let_go(self, i: int, result: int = 0) -> int:
        """Send the held tag to sleep and end the polling of slot i for now. Returns `result`."""
        if result == FAULT:
            self._readers.fail(i)
        else:
            self._tag.halt()
        self._readers.chip.rest()
        self._readers.schedule.done(i)
        return result


def _outcome(result: int) -> int:
    """Translate a result of TypeA.read or TypeA.write into 0, REFUSED, TORN or FAULT."""
    if result > 0:
        return 0
    if result == 0:
        return REFUSED
    return FAULT if result == DEAD else TORN
