# SPDX-License-Identifier: MIT
"""Every input of the match, kept across power cuts; take-back and resume come from here.

The journal is a chain of small files, the segments. A segment holds the state with which it began
and the records of the inputs since then, 3 bytes each with a number and a check; a full one is
followed by the next. What a segment says is therefore complete in itself: the table as it stands
is its first state and a few dozen inputs, whatever the length of the match.

Taking back appends a record, so that nothing written is ever changed. When all inputs of a segment
have been taken back, the one before it is copied without its last input, and that copy is written
from then on.

    header   4  "RHJ" and the format's number
             4  this segment's number   4  the number of the one before it, 0 for none
             2  number of the match     2  length of the state
             n  the state               2  check
    record   1  kind * 16 + slot        2  value        1  place in the segment        2  check

Numbers are little-endian; a check is the low half of the CRC-32 of all before it in its part.

A power cut leaves at most a record or a segment unfinished, and those were never acknowledged.
Anything else that cannot be read is damage, or the work of a newer firmware: `trouble` says so,
and the file stays where it is.
"""

import binascii
import struct

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


FORMAT = 1
_MAGIC = const(b"RHJ\x01")  # its last byte is FORMAT
_HEADER = const("<4sIIHH")  # before the state: see above
_SIZE = const(16)  # its bytes
RECORD = const(6)
FULL = const(496)  # bytes a file may have so that LittleFS keeps it beside its name: no block
_UNDO = const(15)  # a kind of its own: the last input was taken back
LAID = const(14)  # another: a tile already on a slot when the journal began; never taken back
# Why a segment, or what follows its records, cannot be read.
TORN = const(1)  # unfinished
DAMAGED = const(2)
NEWER = const(3)
_NO_SPACE = const(28)  # of OSError: ENOSPC
_KEEP = const(3)  # matches before the running one that stay on flash


class Segment:
    """What a segment's file says.

    data: the file's bytes, or None where it cannot be read; number: the segment's; size: bytes
    of a table's state.

    wrong: 0, or why nothing can be read: TORN, DAMAGED or NEWER. Only where it is 0 are there
    match: its number, from 1 on; back: the number of the segment before it, 0 for none;
    state: the bytes it began with; live: the inputs still standing, 3 bytes each; places: whole
    records; torn: 0 where nothing follows them, TORN for a record that was cut off, DAMAGED for
    more.
    """

    def __init__(self, data, number, size):
        self.wrong = _wrong(data, number, size)
        if self.wrong:
            return
        _, _, self.back, self.match, _ = struct.unpack_from(_HEADER, data)
        self.state = data[_SIZE : _SIZE + size]
        live = bytearray()
        i = _SIZE + size + 2
        places = 0
        while i + RECORD <= len(data):
            body = data[i : i + 4]
            if data[i + 4 : i + 6] != _check(body) or body[3] != places & 255:
                break
            if body[0] >> 4 == _UNDO:
                live = live[:-3]
            else:
                live.extend(body[:3])
            i += RECORD
            places += 1
        self.live = live
        self.places = places
        rest = len(data) - i
        self.torn = DAMAGED if rest >= RECORD else TORN if rest else 0


class Journal:
    """The segments in a folder, for one table.

    files: the file system, as drivers.files has it: `open(path, mode)`, `listdir(folder)`,
    `remove(path)`, which raise OSError. folder: must exist. The table's state never changes its
    size.

    Methods that write raise OSError where the flash refuses; the journal is then as it was.
    """

    def __init__(self, files, folder, table):
        self.folder = folder
        self.table = table
        self.number = 0  # of the segment that is written
        self.back = 0
        self.match = 1
        self.trouble = ""  # what `resume` found wrong
        self._files = files
        self._file = None  # that of the segment, open once something was written
        self._places = 0  # records in it
        self._torn = 0  # TORN or DAMAGED: bytes after them that are none
        self._start = bytearray(table.state)  # the state it began with
        self._live = bytearray()  # its inputs that were not taken back, 3 bytes each
        self._undone = bytearray()  # inputs that were, for `redo`, 3 bytes each
        self._room = (FULL - _SIZE - len(table.state) - 2) // RECORD

    def resume(self):
        """Bring the table to where the journal ends; begin a new one where there is none.

        Returns the number of inputs repeated, or -1 for a new journal. Never raises: where the
        flash refuses, inputs will be.
        """
        self.trouble = ""
        for number in reversed(self.numbers()):
            wrong = self._load(number)
            if wrong == NEWER:
                self.trouble = (
                    "segment %d is of a newer firmware; a new match begins beside it" % number
                )
                self._after_newer()
                break
            if not wrong:
                if self._torn == DAMAGED and not self.trouble:
                    kept = (number, self._places)
                    self.trouble = "segment %d is damaged after %d of its inputs" % kept
                self._replay()
                return len(self._live) // 3
            if wrong == DAMAGED and not self.trouble:
                self.trouble = "segment %d is damaged; its inputs are lost" % number
            # else torn while it was begun: the one before it is complete
        try:
            self._begin(0, self.table.state)
        except OSError:
            self.trouble = self.trouble or "the flash cannot be written; no input can be kept"
        return -1

    def record(self, kind, slot, value, new_match=False):
        """Keep an input the table has accepted. Taken back inputs cannot be repeated then."""
        self._append(kind, slot, value)
        self._live.extend(bytes([kind << 4 | slot, value & 255, value >> 8]))
        self._undone = bytearray()
        if new_match:
            self.match += 1
            self._prune()
        if new_match or self._places >= self._room:
            self._next()

    def take_back(self):
        """Take back the last accepted input; return its (kind, slot), or None without one."""
        if self._live:
            last = self._live[-3:]
            if last[0] >> 4 == LAID:
                return None
            self._append(_UNDO, 0, 0)
            self._live = self._live[:-3]
            self._undone.extend(last)
            self._replay()
            if self._places >= self._room:
                self._next()
            return last[0] >> 4, last[0] & 15
        number, undone, last = self.number, self._undone, None
        try:
            while not last and self.back and not self._load(self.back):
                if self._live and self._live[-3] >> 4 != LAID:
                    taken = self._live[-3:]
                    self._begin(self.back, self._start, self._live[:-3])
                    last = taken
        finally:
            if not last:
                self._load(number)
            self._undone = undone
            self._replay()
        if not last:
            return None
        undone.extend(last)
        return last[0] >> 4, last[0] & 15

    def redo(self):
        """Return the input that was taken back last as (kind, slot, value), or None."""
        return _input(self._undone, len(self._undone) - 3) if self._undone else None

    def redone(self):
        """The input of `redo` was accepted again: keep it without forgetting the others."""
        rest = self._undone[:-3]
        self.record(*self.redo())
        self._undone = rest

    def restore(self):
        """Bring the table back to what is written: after a record that could not be kept."""
        self._replay()

    def inputs(self):
        """Yield the accepted inputs still standing, newest first, as (kind, slot, value)."""
        live, back = self._live, self.back
        while True:
            for i in range(len(live) - 3, -1, -3):
                yield _input(live, i)
            if not back:
                return
            older = self.read(back)
            if older.wrong:
                return
            live, back = older.live, older.back

    def numbers(self):
        """Return the numbers of the segments there are, oldest first."""
        names = [name[:-4] for name in self._files.listdir(self.folder) if name.endswith(".rhj")]
        return sorted([int(name) for name in names if len(name) == 8 and name.isdigit()])

    def segments(self):
        """Yield (number, bytes) of every segment, oldest first; those that fail are left out."""
        for number in self.numbers():
            try:
                with self._files.open(self._path(number), "rb") as file:
                    data = file.read()
            except OSError:
                continue
            yield number, data

    def read(self, number):
        """Return the Segment of a number, as its file is now."""
        try:
            with self._files.open(self._path(number), "rb") as file:
                data = file.read()
        except OSError:
            data = None
        return Segment(data, number, len(self._start))

    # ---- files ----

    def _path(self, number):
        return "%s/%08d.rhj" % (self.folder, number)

    def _load(self, number):
        """Make a segment the one that is written; returns 0, or why it cannot be."""
        found = self.read(number)
        if found.wrong:
            return found.wrong
        self.close()
        self.number = number
        self.match = found.match
        self.back = found.back
        self._start[:] = found.state
        self._live = found.live
        self._places = found.places
        self._torn = found.torn
        self._undone = bytearray()
        return 0

    def _after_newer(self):
        """Count matches on from those that can be read."""
        for number in self.numbers():
            older = self.read(number)
            if not older.wrong:
                self.match = older.match + 1

    def close(self):
        """Let go of the file; what was kept is on flash already."""
        if self._file:
            try:
                self._file.close()
            except OSError:
                pass
            self._file = None

    def _replay(self):
        table = self.table
        table.restore(self._start)
        live = self._live
        for i in range(0, len(live), 3):
            kind, slot, value = _input(live, i)
            if kind != LAID:
                table.apply(kind, slot, value, True)

    def _append(self, kind, slot, value):
        if self._torn or not self.number:  # nothing is ever written after a torn record
            self._begin(self.back, self._start, self._live)
        body = bytes([kind << 4 | slot, value & 255, value >> 8, self._places & 255])
        self._torn = TORN
        try:
            if not self._file:
                self._file = self._files.open(self._path(self.number), "ab")
            self._file.write(body + _check(body))
            self._file.flush()
        except OSError as error:
            self.close()
            if not self._make_room(error):
                raise
            self._append(kind, slot, value)
            return
        self._torn = 0
        self._places += 1

    def _next(self):
        """Begin a new segment; where the flash refuses, with a later input: the old is whole."""
        try:
            self._begin(self.number, self.table.state)
        except OSError:
            pass

    def _begin(self, back, state, live=b""):
        """Begin the next segment with a state, and inputs that stand already."""
        numbers = self.numbers()
        number = numbers[-1] + 1 if numbers else 1
        while True:
            try:
                with self._files.open(self._path(number), "wb") as file:
                    file.write(segment(number, back, self.match, state, live))
                break
            except OSError as error:
                self._remove(number)
                if not self._make_room(error):
                    raise
        self.close()
        self.number, self.back = number, back
        self._start[:] = state
        self._live = bytearray(live)
        self._places = len(live) // 3
        self._torn = 0

    def _prune(self):
        """Remove the segments of matches that are long over."""
        for number in self.numbers():
            older = self.read(number)
            if older.wrong == NEWER:
                continue
            if not older.wrong and older.match >= self.match - _KEEP:
                return
            self._remove(number)

    def _make_room(self, error):
        """Where the flash is full: remove the oldest match that is over. Whether it went."""
        if error.args[0] != _NO_SPACE:
            return False
        oldest = None
        for number in self.numbers():
            older = self.read(number)
            if older.wrong:
                continue
            if older.match == self.match or oldest not in (None, older.match):
                break
            if not self._remove(number):
                return False
            oldest = older.match
        return oldest is not None

    def _remove(self, number):
        try:
            self._files.remove(self._path(number))
        except OSError:
            return False
        return True


def segment(number, back, match, state, live=b""):
    """Return the bytes of a segment: its header, the state, and records for inputs of 3 bytes."""
    out = struct.pack(_HEADER, _MAGIC, number, back, match & 0xFFFF, len(state)) + bytes(state)
    out += _check(out)
    for i in range(0, len(live), 3):
        body = bytes(live[i : i + 3]) + bytes([i // 3 & 255])
        out += body + _check(body)
    return out


def _wrong(data, number, size):
    """Why a segment's bytes cannot be read (see Segment), or 0."""
    if data is None:
        return DAMAGED
    if data[:3] == _MAGIC[:3] and len(data) > 3 and data[3] > FORMAT:
        return NEWER
    end = _SIZE + size
    if len(data) < end + 2:
        return TORN
    magic, own, back, _, length = struct.unpack_from(_HEADER, data)
    if magic != _MAGIC or length != size or data[end : end + 2] != _check(data[:end]):
        return DAMAGED
    if own != number or back >= number:
        return DAMAGED  # of another journal; and a chain only ever leads back
    return 0


def _input(inputs, i):
    return inputs[i] >> 4, inputs[i] & 15, inputs[i + 1] | inputs[i + 2] << 8


def _check(data):
    return struct.pack("<H", binascii.crc32(data) & 0xFFFF)
