# SPDX-License-Identifier: MIT
"""Every input of the match, kept across power cuts; take-back and resume come from here.

The journal is a chain of small files, the segments. A segment holds the state with which it began
and the records of the inputs since then, 3 bytes each with a check; a full one is followed by the
next. What a segment says is therefore complete in itself: the table as it stands is its first
state and a few dozen inputs, whatever the length of the match.

A choice of rules is no record: a segment begins with it, and the state there says all that was
chosen. So a match keeps its rules whatever config.py calls a house by then.

Taking back appends a record, so that nothing written is ever changed. When a segment has no input
left, the one before it is copied without its last, and that copy is written from then on. Where
the segment began with a choice of rules, that is what is taken back, and the copy has all inputs.

    header   4  "RHJ" and the format's number
             4  this segment's number   4  the number of the one before it, 0 for none
             2  number of the match
             1  16 * kind of the choice of rules it began with, 0 for none
             2  length of the state     n  the state, packed       2  check
    record   1  kind * 16 + slot        2  value                   2  check

Numbers are little-endian. A check is the low half of a CRC-32: the header's of all before it, a
record's of the segment's number (4), the record's place in the segment from 0 on (2) and the 3
bytes before it. A record is good in its own place alone.

A state's last byte is the format under which its match began: a match is read to its end as it
began. Nothing is written behind what an older format says: a copy carries on. The table packs and
unpacks its state; how older formats packed theirs, it knows.

A power cut leaves at most a record or a segment unfinished, never acknowledged. Anything else that
cannot be read is damage, or another firmware's: `trouble` says so, and the file stays.
"""

import binascii
import struct

from roundhouse import constants

try:
    from micropython import const
except ImportError:

    def const(value):
        return value


FORMAT = constants.FORMAT
_OLDEST = const(2)  # format that is read
_MAGIC = b"RHJ" + bytes((FORMAT,))
_HEADER = const("<4sIIHBH")  # before the state: see above
_SIZE = const(17)  # its bytes
RECORD = const(5)
_UNDO = const(15)  # a kind of its own: the last input was taken back
LAID = const(14)  # another: a tile already on a slot when the journal began; never taken back
CHOICES = (constants.RULES, constants.SET)  # kinds with which a segment begins
# Bytes of a full segment: LittleFS keeps it beside its name, without a block of its own. It erases
# half as often again where a full one has 489, 495 or 496: see tests/README.md.
FULL = const(493)
# Why a segment, or what follows its records, cannot be read.
TORN = const(1)  # unfinished
DAMAGED = const(2)
NEWER = const(3)  # of a newer firmware
OLDER = const(4)
EMPTY = const(5)  # a power cut while it was begun
_NAME = "%08d.rhj"  # a segment's file
LAST = const(99999999)  # number of a segment; no flash lives to see it
_NONSENSE = (IndexError, KeyError, ValueError)  # from a table, for bytes no firmware wrote
_NO_SPACE = const(28)  # of OSError: ENOSPC
_NO_NUMBER = const(34)  # ERANGE
_KEEP = const(3)  # matches before the running one that stay on flash


class Segment:
    """What a segment's file says.

    data: the file's bytes, or None where it cannot be read; number: the segment's; table: what
    knows its state's bytes.

    wrong: 0, or why nothing can be read: TORN, DAMAGED, NEWER, OLDER or EMPTY. Only where it is 0
    are there match: its number, from 1 on; back: the number of the segment before it, 0 for none;
    began: 16 * kind of the choice of rules it began with, 0 for none; state: the bytes it began
    with, as this format has them; live: the inputs still standing, 3 bytes each; places: whole
    records; torn: 0 where more may follow them, TORN behind a record that was cut off and in an
    older format, DAMAGED where more does.
    """

    def __init__(self, data, number, table):
        self.wrong = _wrong(data, number, table)
        if self.wrong:
            return
        _, _, self.back, self.match, self.began, length = struct.unpack_from(_HEADER, data)
        i = _SIZE + length
        try:
            self.state = table.kept.unpacked(data[_SIZE:i], data[3])
        except _NONSENSE:
            self.wrong = DAMAGED
            return
        live = bytearray()
        i += 2
        places = 0
        while i + RECORD <= len(data):
            body = data[i : i + 3]
            if data[i : i + RECORD] != _record(number, places, body) or body[0] >> 4 in CHOICES:
                break
            if body[0] >> 4 == _UNDO:
                live = live[:-3]
            else:
                live.extend(body)
            i += RECORD
            places += 1
        self.live = live
        self.places = places
        self.room = _room(length)
        rest = len(data) - i
        self.torn = DAMAGED if rest >= RECORD else TORN if rest or data[3] < FORMAT else 0


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
        self.files = files
        self._file = None  # that of the segment, open once something was written
        self.began = 0  # as Segment.began
        self._places = 0  # records in it
        self._torn = 0  # TORN or DAMAGED: nothing may be written behind them
        self._start = bytearray(table.state)  # the state it began with
        self._live = bytearray()  # its inputs that were not taken back, 3 bytes each
        self.undone = bytearray()  # inputs that were, for `redo`, 3 bytes each
        self.chosen = []  # for each choice of rules among them a segment that began with it
        self._room = 0  # records that it has room for

    def resume(self):
        """Bring the table to where the journal ends; begin a new one where there is none. Returns
        the number of inputs repeated, or -1 for a new journal. Never raises: where the flash
        refuses, inputs will be."""
        self.trouble = ""
        self.close()  # what it has not written yet comes before what is read
        lost = cut = newest = 0  # segments: the newest that is damaged, or cut; the newest
        for number in reversed(self.numbers()):
            newest = newest or number
            if number == LAST:
                self.trouble = "segment %d has the last number: remove its file" % number
            wrong = self._load(number)
            if not wrong:
                self._carry_on(lost, cut, newest)
                return len(self._live) // 3
            if wrong in (NEWER, OLDER):
                said = (number, "a newer" if wrong == NEWER else "an older")
                said = "segment %d is of %s firmware; a new match begins beside it" % said
                self.trouble = self.trouble or said
                for number in self.numbers():  # matches count on from those that can be read
                    older = self.read(number)
                    self.match = self.match if older.wrong else older.match + 1
                break
            if wrong == DAMAGED:
                lost = lost or number
            elif wrong == TORN:
                cut = cut or number
        self._say_lost(lost or cut)
        self.go_on(bytes(self.table.state))
        return -1

    def go_on(self, state):
        """Go on from a state to which no input has led; where the flash refuses that is trouble,
        and all is as it was."""
        try:
            self.begin(self.number, state)
        except OSError:
            self.trouble = self.trouble or "the flash cannot be written; no input can be kept"
        self.restore()

    def record(self, kind, slot, value, new_match=False):
        """Keep an input the table has accepted. Taken back inputs cannot be repeated then."""
        if kind in CHOICES:
            self.choose(kind, self.table.state)
        else:
            self._append(kind, slot, value)
            self._live.extend(bytes([kind << 4 | slot, value & 255, value >> 8]))
        self.undone, self.chosen = bytearray(), []
        if new_match:
            self.match += 1
            self._prune()
        if new_match or self._places >= self._room:
            self._next()

    def take_back(self):
        """Take back the last accepted input; return its (kind, slot), or None without one. A
        choice of rules was made at E."""
        if not self._live:
            from roundhouse import history

            return history.take_back(self, LAID)
        last = self._live[-3:]
        if last[0] >> 4 == LAID:
            return None
        self._append(_UNDO, 0, 0)
        self._live = self._live[:-3]
        taken = self.taken(last)
        if self._places >= self._room:
            self._next()
        return taken

    def taken(self, last):
        """An input was taken back: bring the table there; return its (kind, slot)."""
        self.undone.extend(last)
        self.restore()
        return last[0] >> 4, last[0] & 15

    def redo(self):
        """Repeat the input that was taken back last, and keep it without forgetting the others;
        return its (kind, slot), or None where there is none or the table refuses it. Where the
        flash refuses, the table is as it was, too."""
        from roundhouse import history

        return history.redo(self, CHOICES)

    def inputs(self):
        """Yield the inputs still standing, newest first: (kind, slot, value). No choices."""
        live, back = self._live, self.back
        while True:
            for i in range(len(live) - 3, -1, -3):
                yield unpacked(live, i)
            if not back:
                return
            older = self.read(back)
            if older.wrong:
                return
            live, back = older.live, older.back

    def numbers(self):
        """Return the numbers of the segments there are, oldest first."""
        found = []
        for name in self.files.listdir(self.folder):
            if len(name) == 12 and name.endswith(".rhj"):
                digits = name[:-4]
                if min(digits) >= "0" and max(digits) <= "9":
                    found.append(int(digits))
        return sorted(found)

    def segments(self):
        """Yield (number, bytes) of every segment, oldest first; those that fail are left out."""
        for number in self.numbers():
            data = self._data(number)
            if data is not None:
                yield number, data

    def read(self, number):
        """Return the Segment of a number, as its file is now."""
        return Segment(self._data(number), number, self.table)

    # ---- files ----

    def _path(self, number):
        return self.folder + "/" + _NAME % number

    def _data(self, number):
        try:
            with self.files.open(self._path(number), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _load(self, number):
        """Make a segment the one that is written; returns 0, or why it cannot be."""
        found = self.read(number)
        if found.wrong:
            return found.wrong
        try:
            self.table.restore(found.state)
        except _NONSENSE:
            self.table.restore(self._start)
            return DAMAGED
        self.number, self.match = number, found.match
        self.back, self.began = found.back, found.began
        self._start[:] = found.state
        self._live, self._places = found.live, found.places
        self._room = found.room
        self._torn = found.torn
        self.undone, self.chosen = bytearray(), []
        return 0

    def _carry_on(self, lost, cut, newest):
        """Go on from the segment that was loaded; those behind it cannot be read."""
        over = self.restore()
        complete = over or self._places >= self._room
        self._say_lost(lost or (0 if complete or self._torn else cut))
        if self._torn == DAMAGED and not self.trouble:
            kept = (self.number, self._places)
            self.trouble = "segment %d is damaged after %d of its inputs" % kept
        if newest != self.number:
            self._torn = self._torn or TORN  # what is written now must be the newest
        if complete:
            self.match += over
            self._next()

    def _say_lost(self, number):
        if number and not self.trouble:
            self.trouble = "segment %d is damaged; its inputs are lost" % number

    def close(self):
        """Let go of the file; what was kept is on flash already."""
        if self._file:
            try:
                self._file.close()
            except OSError:
                pass
            self._file = None

    def restore(self):
        """Bring the table to what is written, also after a record that could not be kept; return
        whether the last input ended its match. An input that the table refuses is damage: what
        stands ends before it."""
        table, live, over = self.table, self._live, False
        table.restore(self._start)
        for i in range(0, len(live), 3):
            kind, slot, value = unpacked(live, i)
            was = table.phase
            try:
                refused = kind != LAID and table.apply(kind, slot, value, True)
            except _NONSENSE:
                refused = True
            if refused:
                self._live = live[:i]
                self._places = i // 3
                self.restore()
                self._torn = DAMAGED
                return False
            over = table.phase == constants.LOBBY != was
        return over

    def _whole(self):
        """Nothing is ever written after a torn record, or without a segment: begin another."""
        if self._torn or not self.number:
            self.begin(self.back, self._start, self._live, self.began)

    def choose(self, kind, state):
        """Begin the segment of a choice of rules."""
        self._whole()
        self.begin(self.number, state, b"", kind << 4)

    def _append(self, kind, slot, value):
        self._whole()
        body = bytes([kind << 4 | slot, value & 255, value >> 8])
        self._torn = TORN
        try:
            if not self._file:
                self._file = self.files.open(self._path(self.number), "ab")
            self._file.write(_record(self.number, self._places, body))
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
            self.begin(self.number, self.table.state)
        except OSError:
            pass

    def begin(self, back, state, live=b"", began=0):
        """Begin the next segment with a state, and inputs that stand already."""
        numbers = self.numbers()
        number = numbers[-1] + 1 if numbers else 1
        if number > LAST:
            raise OSError(_NO_NUMBER)
        packed = self.table.kept.packed(state)
        data = segment(number, back, self.match, packed, live, began)
        while True:
            try:
                with self.files.open(self._path(number), "wb") as file:
                    file.write(data)
                break
            except OSError as error:
                self._remove(number)
                if not self._make_room(error):
                    raise
        self.close()
        self.number, self.back, self.began = number, back, began
        self._start[:] = state
        self._live = bytearray(live)
        self._places = len(live) // 3
        self._room = _room(len(packed))
        self._torn = 0

    def _prune(self):
        """Remove the segments of matches that are long over."""
        for number in self.numbers():
            older = self.read(number)
            if older.wrong in (NEWER, OLDER):
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
            self.files.remove(self._path(number))
        except OSError:
            return False
        return True


def segment(number, back, match, packed, live=b"", began=0):
    """Return the bytes of a segment: its header, the packed state, and records for inputs of 3
    bytes; began: as Segment has it."""
    out = struct.pack(_HEADER, _MAGIC, number, back, match & 0xFFFF, began, len(packed)) + packed
    out += _check(out)
    for i in range(0, len(live), 3):
        out += _record(number, i // 3, bytes(live[i : i + 3]))
    return out


def _room(packed):
    """Return how many records a segment has room for behind a packed state of so many bytes."""
    return (FULL - _SIZE - packed - 2) // RECORD


def _record(number, place, body):
    """Return an input's 3 bytes with the check for their place in a segment."""
    return body + _check(struct.pack("<IH", number, place & 0xFFFF) + body)


def _wrong(data, number, table):
    """Why a segment's bytes cannot be read (see Segment), or 0."""
    if data is None:
        return DAMAGED
    if not data:
        return EMPTY
    if data[:3] != _MAGIC[: min(3, len(data))]:
        return DAMAGED
    if len(data) > 3 and not _OLDEST <= data[3] <= FORMAT:
        return NEWER if data[3] > FORMAT else OLDER
    if len(data) < _SIZE:
        return TORN
    _, own, back, _, _, length = struct.unpack_from(_HEADER, data)
    if own != number or back >= number:
        return DAMAGED  # of another journal, perhaps; and a chain only ever leads back
    end = _SIZE + length
    if len(data) < _SIZE + 2:
        return TORN
    if length != table.kept.size(data[_SIZE : _SIZE + 2], data[3]):
        return DAMAGED
    if len(data) < end + 2:
        return TORN
    return 0 if data[end : end + 2] == _check(data[:end]) else DAMAGED


def unpacked(inputs, i):
    return inputs[i] >> 4, inputs[i] & 15, inputs[i + 1] | inputs[i + 2] << 8


def _check(data):
    return struct.pack("<H", binascii.crc32(data) & 0xFFFF)
