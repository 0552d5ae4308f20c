# SPDX-License-Identifier: MIT
"""Every input of the match, kept across power cuts; take-back and resume come from here.

The journal is a chain of small files, the segments. A segment holds the state with which it began
and the records of the inputs since then, 3 bytes each with a number and a check; a full one is
followed by the next. What a segment says is therefore complete in itself: the table as it stands
is its first state and a few dozen inputs, whatever the length of the match.

Taking back appends a record, so that nothing written is ever changed. When all inputs of a segment
are taken back, the one before it is copied without its last input and goes on from there.

    header   4  "RHJ" and the format's number
             4  this segment's number   4  the number of the one before it, 0 for none
             2  number of the match     2  length of the state
             n  the state               2  check
    record   1  kind * 16 + slot        2  value        1  place in the segment        2  check

Numbers are little-endian; a check is the low half of the CRC-32 of all before it in its part.
"""

import binascii
import os

MAGIC = b"RHJ\x01"
HEADER = 16  # bytes before the state
RECORD = 6
FULL = 496  # bytes a file may have so that LittleFS keeps it beside its name, without a block
UNDO = 15  # a kind of its own: the last input was taken back
LAID = 14  # another: a tile that lay on a slot already when the journal began; never taken back
KEEP = 3  # matches before the running one that stay on flash


class Journal:
    """The segments in a folder, for one table. `folder` must exist; state sizes must not change.

    Methods that write raise OSError where the flash refuses; the journal then stands as before.
    """

    def __init__(self, folder, table):
        self.folder = folder
        self.table = table
        self.number = 0  # of the segment that is written
        self.back = 0
        self.match = 1
        self.file = None
        self._places = 0  # records in that file
        self._torn = False  # and bytes behind them that are none
        self._start = bytearray(len(table.state))  # the state it began with
        self._live = bytearray()  # its inputs that were not taken back, 3 bytes each
        self._undone = bytearray()  # inputs that were, for `redo`, 3 bytes each
        self._room = (FULL - HEADER - len(table.state) - 2) // RECORD

    def resume(self):
        """Bring the table to where the journal ends; begin a new one where there is none.

        Returns the number of inputs repeated, or -1 for a new journal.
        """
        numbers = self.numbers()
        while numbers:
            if self._load(numbers[-1]):
                self._replay()
                if not self._torn:
                    self.file = open(self._path(self.number), "ab")
                return len(self._live) // 3
            numbers.pop()  # torn while it was begun: the one before it is complete
        self._begin(0, self.table.state)
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
            self._append(UNDO, 0, 0)
            self._live = self._live[:-3]
            self._undone.extend(last)
            self._replay()
            if self._places >= self._room:
                self._next()
            return last[0] >> 4, last[0] & 15
        number, undone, last = self.number, self._undone, None
        try:
            while not last and self.back and self._load(self.back):
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
        """Return the input taken back last as (kind, slot, value) and put it behind; or None."""
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
            whole = _read(self._path(back)) if back else None
            if not whole:
                return
            live, back = whole[3], whole[1]

    def numbers(self):
        """Return the numbers of the segments there are, oldest first."""
        return sorted([int(f[:8]) for f in os.listdir(self.folder) if f.endswith(".rhj")])

    # ---- files ----

    def _path(self, number):
        return "%s/%08d.rhj" % (self.folder, number)

    def _load(self, number):
        whole = _read(self._path(number))
        if not whole or len(whole[2]) != len(self._start):
            return False
        self.match, self.back, state, self._live, self._places, self._torn = whole
        self.number = number
        self._start[:] = state
        self._undone = bytearray()
        return True

    def _replay(self):
        table = self.table
        table.restore(self._start)
        live = self._live
        for i in range(0, len(live), 3):
            kind, slot, value = _input(live, i)
            if kind != LAID:
                table.apply(kind, slot, value, True)

    def _append(self, kind, slot, value):
        if self._torn:  # nothing is ever written behind a torn record
            self._begin(self.back, self._start, self._live)
        body = bytes([kind << 4 | slot, value & 255, value >> 8, self._places & 255])
        self._torn = True
        self.file.write(body + _check(body))
        self.file.flush()
        self._torn = False
        self._places += 1

    def _next(self):
        """Go on in a new segment; where the flash refuses, later: the old one is whole."""
        try:
            self._begin(self.number, self.table.state)
        except OSError:
            pass

    def _begin(self, back, state, live=b""):
        """Begin the next segment with a state, and inputs that stand already."""
        numbers = self.numbers()
        number = numbers[-1] + 1 if numbers else 1
        file = open(self._path(number), "wb")
        try:
            file.write(segment(number, back, self.match, state, live))
            file.flush()
        except OSError:
            file.close()
            os.remove(self._path(number))
            raise
        if self.file:
            self.file.close()
        self.file = file
        self.number, self.back = number, back
        self._start[:] = state
        self._live = bytearray(live)
        self._places = len(live) // 3
        self._torn = False

    def _prune(self):
        """Remove the segments of matches that are long over."""
        for number in self.numbers():
            whole = _read(self._path(number))
            if whole and whole[0] >= self.match - KEEP:
                return
            os.remove(self._path(number))


def segment(number, back, match, state, live=b""):
    """Return the bytes of a segment: its header, the state, and records for inputs of 3 bytes."""
    out = MAGIC + _bytes(number, 4) + _bytes(back, 4) + _bytes(match, 2)
    out += _bytes(len(state), 2) + bytes(state)
    out += _check(out)
    for i in range(0, len(live), 3):
        body = bytes(live[i : i + 3]) + bytes([i // 3 & 255])
        out += body + _check(body)
    return out


def _read(path):
    """Return a segment as (match, back, state, live, places, torn); None for none or a torn one.

    live: the inputs standing, 3 bytes each; places: whole records; torn: more bytes follow them.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    size = HEADER + _int(data, 14, 2) if len(data) > HEADER else len(data)
    if data[:4] != MAGIC or data[size : size + 2] != _check(data[:size]):
        return None
    live = bytearray()
    i = size + 2
    places = 0
    while i + RECORD <= len(data):
        body = data[i : i + 4]
        if data[i + 4 : i + 6] != _check(body) or body[3] != places & 255:
            break
        if body[0] >> 4 == UNDO:
            live = live[:-3]
        else:
            live.extend(body[:3])
        i += RECORD
        places += 1
    return _int(data, 12, 2), _int(data, 8, 4), data[HEADER:size], live, places, i < len(data)


def _input(inputs, i):
    return inputs[i] >> 4, inputs[i] & 15, inputs[i + 1] | inputs[i + 2] << 8


def _check(data):
    return _bytes(binascii.crc32(data) & 0xFFFF, 2)


def _bytes(n, size):
    return bytes([n >> 8 * i & 255 for i in range(size)])


def _int(data, at, size):
    n = 0
    for i in range(size):
        n |= data[at + i] << 8 * i
    return n
