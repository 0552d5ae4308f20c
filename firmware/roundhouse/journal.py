# SPDX-License-Identifier: MIT
"""The journal: every input of the match on flash, safe across power cuts. Undo and resume use it.

The journal is a chain of small files, the segments. A segment holds a state of the match and a
record for each input since; when it is full, the next segment begins. So the table can be restored
from one segment.

A choice of rules is not a record: it begins a new segment, whose state includes the rules. So a
match keeps its rules even if config.py changes the house.

Taking back an input appends a record; bytes on flash are never changed. If no input is left in the
current segment, the previous segment is copied without its last input, and the copy becomes
current. But if the segment that has no input left began with a choice of rules, this choice is
taken back, and the copy keeps all inputs.

    header   4  "RHJ" and the format's number
             4  this segment's number   4  the number of the one before it, 0 for none
             2  number of the match
             1  16 * kind of the choice of rules that began the segment, 0 for none
             2  length of the state     4  `n` before the first record (see below)
             n  the state, packed       2  check
    record   1  kind * 16 + slot        2  value                   2  check

Numbers are little-endian. A check is the low half of a CRC-32: the header's over all bytes before
it; a record's over the segment's number (4), the record's index (2) and the 3 bytes before the
check. So a record is valid only in its own place.

Each line on the console has `n`, the count of changes of this journal: accepted inputs, inputs
taken back and repeated, choices of rules. It never goes back. A segment's `n` is that in its
header and its records. Segment f ends below 50 * (f + 1), so a journal that has lost something
goes on with 50 * the number of the next segment.

A state names the format under which its match began (games.fields: READING); inputs keep their
meaning under it until the match ends. After an undo back to the lobby, a new input begins a match
of the current format, but a repeated input keeps the old format. A segment of an older format is
never written to; new records go into a copy of it in the current format. games.saved_state packs
and unpacks states.

A power cut leaves at most one record or segment unfinished, whose input has no console line yet.
Any other unreadable file is damaged or comes from other firmware; `trouble` names the reason, and
the file is kept.

    >>> import tempfile
    >>> from roundhouse.constants import PRESS
    >>> from roundhouse.drivers import files
    >>> from roundhouse.games.match import Match
    >>> from roundhouse.journal import Journal
    >>> folder, match = tempfile.TemporaryDirectory(), Match()
    >>> journal = Journal(files, folder.name, match)
    >>> journal.resume()  # no journal yet: a new one is begun
    -1
    >>> for seat in (1, 2):
    ...     _ = match.press(seat)
    ...     journal.record(PRESS, seat, 0)
    >>> journal.take_back() == (PRESS, 2)
    True
    >>> after_a_power_cut = Match()
    >>> Journal(files, folder.name, after_a_power_cut).resume()  # inputs repeated
    1
    >>> after_a_power_cut.state == match.state
    True
"""

import binascii
import struct

from roundhouse import constants
from roundhouse.constants import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from roundhouse.games.match import Match


FORMAT: int = constants.FORMAT
_OLDEST = const(2)  # the oldest format that can be read
_MAGIC = b"RHJ" + bytes((FORMAT,))
_HEADER = const("<4sIIHBHI")  # up to the state: see above
_SIZE = const(21)  # bytes of it
_OLD_HEADER = const("<4sIIHBH")  # before format 7
_OLD_SIZE = const(17)
RECORD = const(5)
UNDO = const(15)  # kind of a record: the last input was taken back
LAID = const(14)  # kind of a record: a tile on the table before the journal began; never undone
CHOICES: tuple[int, ...] = (constants.RULES, constants.SET)  # kinds that begin a segment
# Bytes of a full segment, at most. LittleFS stores it inline with its name, without a block of its
# own.
FULL = const(493)
MOST = const(48)  # records in a full segment, at most
_NUMBERS = const(50)  # of `n` for each segment: its records and how it began
# Why a segment, or the bytes after its records, cannot be read.
TORN = const(1)  # unfinished
DAMAGED = const(2)
NEWER = const(3)  # of a newer firmware
OLDER = const(4)
EMPTY = const(5)  # the power was cut while it was being begun
_NAME = "%08d.rhj"  # a segment's file
LAST = const(99999999)  # the highest number of a segment; no flash lives that long
_NONSENSE = (IndexError, KeyError, ValueError)  # raised for bytes that no firmware wrote
_NO_SPACE = const(28)  # OSError: ENOSPC
_NO_NUMBER = const(34)  # OSError: ERANGE
_UNREADABLE = const(5)  # OSError: EIO
_KEEP = const(3)  # matches before the current one that stay on flash
_EARLY = const(2)  # records before a segment is full from which `prepare` begins the next one
_TAIL = const(40)  # last bytes of a segment that are nowhere else
_COMMIT = const(32)  # bytes that LittleFS writes besides a small file's content, at most
_BEGIN = const(768)  # bytes that a new segment takes on flash, after an input that begins one


class Segment:
    """The content of one of the journal's files: a match's state and the inputs after it.

    data: the file's bytes, or None if the file cannot be read.
    table: a Match, used to unpack the state.

    wrong    0, or the reason why the segment cannot be read: TORN, DAMAGED, NEWER, OLDER or EMPTY;
             the other attributes are then not set
    match    number of the match, from 1
    back     number of the segment before this one, 0 for none
    began    16 * the kind of the choice of rules that began the segment, 0 for none
    state    the match's state at the segment's beginning, in the current format
    live     the inputs that were not taken back, 3 bytes each
    records  number of complete records
    first    offset of the first record
    before   `n` before the first record
    is_older whether it has an older format
    room     number of records in a full segment
    torn     0 if a record may be appended; TORN if the last record was cut off, or if the segment
             has an older format; DAMAGED if bytes that are not a record follow the records
    """

    match: int
    back: int
    began: int

    def __init__(self, data: bytes | None, number: int, table: "Match") -> None:
        self.wrong: int = _wrong(data, number, table)
        if self.wrong or data is None:
            return
        _, _, self.back, self.match, self.began, length = struct.unpack_from(_OLD_HEADER, data)
        self.is_older: bool = data[3] < FORMAT
        size = _OLD_SIZE if self.is_older else _SIZE
        i = size + length
        packer = table.saved_state
        try:
            self.state: bytearray = packer.unpack(data[size:i], data[3])
        except packer.Newer:
            self.wrong = NEWER
            return
        except _NONSENSE:
            self.wrong = DAMAGED
            return
        live = bytearray()
        i += 2
        self.first: int = i
        records = 0
        while i + RECORD <= len(data):
            body = data[i : i + 3]
            if data[i : i + RECORD] != _record(number, records, body) or body[0] >> 4 in CHOICES:
                break
            if body[0] >> 4 == UNDO:
                live = live[:-3]
            else:
                live.extend(body)
                if self.is_older:
                    live[-3] = body[0] & 0xF0 | packer.moved(body[0] & 15)
            i += RECORD
            records += 1
        before = _NUMBERS * number
        if not self.is_older:
            before = struct.unpack_from("<I", data, _OLD_SIZE)[0] - _laid(live)
        self.before: int = before
        self.live: bytearray = live
        self.records: int = records
        self.room: int = _room(length)
        rest = len(data) - i
        self.torn: int = DAMAGED if rest >= RECORD else TORN if rest or self.is_older else 0

    @property
    def n(self) -> int:
        return self.before + self.records


class Journal:
    """The journal of a Match: a folder of files (segments).

    files: a FlashFolder for a folder in flash, or a file system like drivers.files: `open(path,
        mode)`, `listdir(folder)` and `remove(path)`, which raise OSError.
    folder: the path of the folder, which must exist.

    Methods that write raise OSError if the flash fails; the journal is then unchanged.
    """

    def __init__(self, files: "Any", folder: str, table: "Match") -> None:
        self.folder = folder
        self.table = table
        self.number = 0  # of the segment that is being written
        self.back = 0
        self.match = 1
        self.trouble = ""  # what `resume` found wrong, as text
        self.files = files
        self._file: Any = None  # the segment's file, once something was appended
        self.began = 0  # as Segment.began
        self._records = 0  # records in it
        self._before = 0  # as Segment.before
        self._torn = 0  # TORN or DAMAGED: nothing may be appended
        self._start = bytearray(table.state)  # the state it began with
        self._live = bytearray()  # its inputs that were not taken back, 3 bytes each
        self.undone = bytearray()  # inputs that were taken back, for `redo`, 3 bytes each
        # for each choice of rules in `undone` a segment that began with it
        self.chosen: list[int] = []
        # the table's state in the lobby of a match of an older format
        self.lobby: bytes | None = None
        self._to_prune = False  # a match has begun, and `prepare` has older ones to remove
        self._room = 0  # records in a full segment
        self._flash_room: Any = getattr(files, "flash_room", None)
        # the segment's bytes, while `prepare` looks for them on flash
        self._newest: bytes | None = None
        self._rewrites = 0  # how often it may still write them again
        self._free = 0  # bytes that were free in their block, when `prepare` last looked
        self._prepared = (0, 0)  # number of the segment and records in it, when that was done

    def resume(self) -> int:
        """Repeat the inputs in the journal, so that the match is as before the power was off. If
        no journal can be read, begin a new one.

        Returns the count of inputs repeated, or -1 for a new journal. Never raises an exception;
        as long as the flash fails, the hub refuses all inputs.
        """
        self.trouble = ""
        self._before = -self._records  # n is 0
        self.close()  # flush before reading
        lost = cut = newest = 0  # numbers: of the newest damaged segment, torn one, and of all
        for number in reversed(self.numbers()):
            newest = newest or number
            if number == LAST:
                self.trouble = "segment %d has the last number: remove its file" % number
            wrong = self._load(number, newest)
            if not wrong:
                self._carry_on(lost, cut, newest)
                return len(self._live) // 3
            if wrong in (NEWER, OLDER):
                whose = "a newer" if wrong == NEWER else "an older"
                text = "segment %d is of %s firmware; a new match begins beside it"
                text %= number, whose
                self.trouble = self.trouble or text
                for number in self.numbers():  # number matches on from those that can be read
                    older = self.read(number)
                    if not older.wrong:
                        self.match = older.match + 1
                        self._before = max(self._before, older.n - self._records)
                break
            if wrong == DAMAGED:
                lost = lost or number
            elif wrong == TORN:
                cut = cut or number
        self._note_lost(lost or cut)
        if self.trouble:
            self._skip(newest)
        self.go_on(bytes(self.table.state))
        return -1

    @property
    def n(self) -> int:
        return self._before + self._records

    def _skip(self, newest: int) -> None:
        """Let `n` go on behind all that a journal can have said before. newest: the number of its
        newest segment."""
        self._before = max(self.n, _NUMBERS * (newest + 1)) - self._records

    def go_on(self, state: bytes | bytearray, more: int = 0) -> None:
        """Begin a new segment (file) with a state set without an input, for instance at power-up.
        If the flash fails, set `trouble`. more: as for `begin`."""
        try:
            self.begin(self.number, state, more=more)
        except OSError:
            self.trouble = self.trouble or "the flash cannot be written; no input can be kept"
        self.restore()

    def record(self, kind: int, slot: int, value: int, new_match: bool = False) -> None:
        """Append an input that the table has accepted. Inputs that were taken back before can no
        longer be repeated."""
        if self.lobby:
            from roundhouse import journal_undo

            journal_undo.begin_again(self)
        if kind in CHOICES:
            self.choose(kind, self.table.state)
        else:
            self._append(kind, slot, value)
            self._live.extend(bytes([kind << 4 | slot, value & 255, value >> 8]))
        self.undone, self.chosen = bytearray(), []
        if new_match:
            self.match += 1
            self._to_prune = True
        if new_match or self._records >= self._room:
            self._next()

    def prepare(self) -> bool:
        """Do one piece of slow work in idle time, up to 90 ms, so that the next input need not
        wait for it: begin a segment early, open the file, remove old matches, or let LittleFS
        erase a block. Return whether more work may be left. A power cut during this work loses no
        input."""
        if self._torn or not self.number:
            return False  # the next input copies the segment
        try:
            if self._flash_room and self.files.prepare():
                return True
            if self._records >= self._room - _EARLY:
                self.begin(self.number, self.table.state)
                return True
            if self._to_prune:
                self._to_prune = self._prune()
                return True
            if self._flash_room and self._prepared != (self.number, self._records):
                self._erase_ahead()
                return True
            if not self._file:
                self._file = self.files.open(self._path(self.number), "ab")
        except OSError:
            self.close()  # the next input tries again
        return False

    def _erase_ahead(self) -> None:
        """Make LittleFS erase a block now if the next record would need it. The next call may have
        to continue."""
        path = self._path(self.number)
        if not self._newest:
            self._newest = self._data(self.number)
            if not self._newest:
                raise OSError(_UNREADABLE)
            self._rewrites = 5  # at most: each may take one of the last free pages
        free = self._flash_room.free(self._newest[-_TAIL:])
        if free is None:
            return
        wanted = len(self._newest) + RECORD + _COMMIT
        if self.table.phase in (constants.LOBBY, constants.FINISHED):
            wanted += _BEGIN
        if self._rewrites and 0 <= free < wanted:
            self._rewrites -= 1
            self.close()
            with self.files.open(path, "r+b") as file:
                file.write(_MAGIC[:3])  # as they are: LittleFS writes the whole file again
            return  # and look again
        self._newest = None
        self._prepared = (self.number, self._records)
        if free > self._free:
            # LittleFS has erased another block and moved there. A file that was open meanwhile
            # does not know that this block is erased: it would erase one for each record.
            self.close()
        self._free = free

    def take_back(self) -> tuple[int, int] | None:
        """Take back the last accepted input. Return its (kind, slot), with slot E for a choice of
        rules; or None if nothing can be taken back."""
        if not self._live:
            from roundhouse import journal_undo

            return journal_undo.take_back(self, LAID)
        last = self._live[-3:]
        if last[0] >> 4 == LAID:
            return None
        self._append(UNDO, 0, 0)
        self._live = self._live[:-3]
        taken = self.taken(last)
        if self._records >= self._room:
            self._next()
        return taken

    def taken(self, last: bytes | bytearray) -> tuple[int, int]:
        """Restore the match after an input was removed from the journal, and return the input's
        (kind, slot). last: the removed input, 3 bytes."""
        self.undone.extend(last)
        self.restore()
        return last[0] >> 4, last[0] & 15

    def redo(self) -> tuple[int, int] | None:
        """Repeat the input that was taken back last. If several inputs were taken back, further
        calls repeat the others.

        Returns the input's (kind, slot), or None if nothing was taken back or the table refuses
        the input. If the flash fails, the table is unchanged.
        """
        from roundhouse import journal_undo

        return journal_undo.redo(self, CHOICES)

    def inputs(self) -> "Iterator[tuple[int, int, int]]":
        """Yield (kind, slot, value) of each input not taken back, newest first, without choices of
        rules."""
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

    def numbers(self) -> list[int]:
        """Return the numbers of all segments (files), oldest first."""
        found = []
        for name in self.files.listdir(self.folder):
            if len(name) == 12 and name.endswith(".rhj"):
                digits = name[:-4]
                if min(digits) >= "0" and max(digits) <= "9":
                    found.append(int(digits))
        return sorted(found)

    def segments(self) -> "Iterator[tuple[int, bytes]]":
        """Yield (number, bytes) of every segment (file) that can be read, oldest first."""
        for number in self.numbers():
            data = self._data(number)
            if data is not None:
                yield number, data

    def read(self, number: int) -> "Segment":
        return Segment(self._data(number), number, self.table)

    # ---- files ----

    def _path(self, number: int) -> str:
        return self.folder + "/" + _NAME % number

    def _data(self, number: int) -> bytes | None:
        try:
            with self.files.open(self._path(number), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _load(self, number: int, newest: int) -> int:
        """Make a segment (file) the current one. Return 0, or the reason why it cannot be read.
        newest: the number of the newest segment."""
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
        self._live, self._records, self._before = found.live, found.records, found.before
        self._room = found.room
        self._torn = found.torn
        if found.is_older:
            self._skip(newest)
        self.undone, self.chosen = bytearray(), []
        return 0

    def _carry_on(self, lost: int, cut: int, newest: int) -> None:
        """Continue from the loaded segment (file), the newest that can be read.

        lost, cut, newest: the numbers of the newest damaged segment, of the newest unfinished one,
        and of the newest of all; 0 for none.
        """
        over = self.restore()
        complete = over or self._records >= self._room
        self._note_lost(lost or (0 if complete or self._torn else cut))
        if self._torn == DAMAGED and not self.trouble:
            kept = (self.number, self._records)
            self.trouble = "segment %d is damaged after %d of its inputs" % kept
        if self.trouble:
            self._skip(newest)
        if newest != self.number:
            self._torn = self._torn or TORN  # only the newest segment may be written to
        if complete:
            self.match += over
            self._next()

    def _note_lost(self, number: int) -> None:
        if number and not self.trouble:
            self.trouble = "segment %d is damaged; its inputs are lost" % number

    def close(self) -> None:
        """Close the file. All records are on flash already."""
        if self._file:
            try:
                self._file.close()
            except OSError:
                pass
            self._file = None

    def restore(self) -> bool:
        """Set the table to the state that the journal describes. Return whether the last input
        ended its match. The first input that the table refuses, and all inputs after it, are left
        out as damaged."""
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
                self._records = i // 3
                self.restore()
                self._torn = DAMAGED
                return False
            over = table.phase == constants.LOBBY != was
        self.note_lobby()
        return over

    def note_lobby(self) -> None:
        """Set the attribute `lobby` for journal_undo.begin_again: to the table's state, if the
        match has an older format and has not begun; otherwise to None."""
        table = self.table
        older = table.phase == constants.LOBBY and table.reading != FORMAT
        self.lobby = bytes(table.state) if older else None

    def _whole(self) -> None:
        """Begin a new segment (file) if nothing may be appended to the current one."""
        if self._torn or not self.number:
            self.begin(self.back, self._start, self._live, self.began)

    def choose(self, kind: int, state: bytes | bytearray) -> None:
        """Begin a new segment (file) with a choice of rules. state: the match's state after it."""
        self._whole()
        self.begin(self.number, state, b"", kind << 4, 1)

    def _append(self, kind: int, slot: int, value: int) -> None:
        self._whole()
        body = bytes([kind << 4 | slot, value & 255, value >> 8])
        self._torn = TORN
        try:
            if not self._file:
                self._file = self.files.open(self._path(self.number), "ab")
            self._file.write(_record(self.number, self._records, body))
            self._file.flush()
        except OSError as error:
            self.close()
            if not self._make_room(error):
                raise
            self._append(kind, slot, value)
            return
        self._torn = 0
        self._records += 1

    def _next(self) -> None:
        """Begin the next segment (file); if the flash fails, the next input tries again."""
        try:
            self.begin(self.number, self.table.state)
        except OSError:
            pass

    def begin(
        self,
        back: int,
        state: bytes | bytearray,
        live: bytes | bytearray = b"",
        began: int = 0,
        more: int = 0,
    ) -> None:
        """Begin the next segment (file).

        state: the match's state at its beginning.
        live: the inputs since then, 3 bytes each.
        back, began: see Segment.
        more: 1 if the segment begins with another change, which `n` counts, else 0.
        """
        numbers = self.numbers()
        number = numbers[-1] + 1 if numbers else 1
        if number > LAST:
            raise OSError(_NO_NUMBER)
        packed = self.table.saved_state.pack(state)
        laid = _laid(live)
        before = max(0, self.n + more - len(live) // 3 + laid)
        data = segment(number, back, self.match, packed, live, began, before)
        self.close()
        while True:
            try:
                with self.files.open(self._path(number), "wb") as file:
                    file.write(data)
                break
            except OSError as error:
                self._remove(number)
                if not self._make_room(error):
                    raise
        self.number, self.back, self.began = number, back, began
        self._start[:] = state
        self._live = bytearray(live)
        self._records = len(live) // 3
        self._before = before - laid
        self._room = _room(len(packed))
        self._torn = 0

    def _prune(self) -> bool:
        """Remove the oldest segment (file) that is damaged or belongs to a match before the last
        _KEEP matches. Segments of other firmware stay. Return whether a segment was removed."""
        for number in self.numbers():
            older = self.read(number)
            if older.wrong in (NEWER, OLDER):
                continue
            if not older.wrong and older.match >= self.match - _KEEP:
                break
            return self._remove(number)
        return False

    def _make_room(self, error: OSError) -> bool:
        """If `error` says that the flash is full, remove the oldest finished match. Return whether
        a match was removed."""
        if error.args[0] != _NO_SPACE:
            return False
        oldest: int | None = None
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

    def _remove(self, number: int) -> bool:
        try:
            self.files.remove(self._path(number))
        except OSError:
            return False
        return True


def segment(
    number: int,
    back: int,
    match: int,
    packed: bytes,
    live: bytes | bytearray = b"",
    began: int = 0,
    before: int = 0,
) -> bytes:
    """Return the bytes of a journal segment.

    live: the inputs, 3 bytes each. back, began: see Segment.
    before: `n` before the first record, and one more for each record of a tile that was LAID.
    """
    out = struct.pack(
        _HEADER, _MAGIC, number, back, match & 0xFFFF, began, len(packed), before & 0xFFFFFFFF
    )
    out += packed
    out += _check(out)
    for i in range(0, len(live), 3):
        out += _record(number, i // 3, bytes(live[i : i + 3]))
    return out


def _laid(live: bytes | bytearray) -> int:
    """Return how many of the records are tiles that were LAID before, not inputs."""
    return len([i for i in range(0, len(live), 3) if live[i] >> 4 == LAID])


def _room(packed: int) -> int:
    """Return how many records fit into a segment. packed: the size of its state."""
    return min(MOST, (FULL - _SIZE - packed - 2) // RECORD)


def _record(number: int, place: int, body: bytes) -> bytes:
    """Return an input's record. number: the segment's number; place: the record's index; body: the
    input's 3 bytes."""
    return body + _check(struct.pack("<IH", number, place & 0xFFFF) + body)


def _wrong(data: bytes | None, number: int, table: "Match") -> int:
    """Return 0 if a segment can be read, else the reason (see Segment.wrong)."""
    if data is None:
        return DAMAGED
    if not data:
        return EMPTY
    if data[:3] != _MAGIC[: min(3, len(data))]:
        return DAMAGED
    if len(data) > 3 and not _OLDEST <= data[3] <= FORMAT:
        return NEWER if data[3] > FORMAT else OLDER
    if len(data) < _OLD_SIZE:
        return TORN
    _, own, back, _, _, length = struct.unpack_from(_OLD_HEADER, data)
    if own != number or back >= number:
        return DAMAGED  # perhaps of another journal; a chain only leads back
    size = _OLD_SIZE if data[3] < FORMAT else _SIZE
    end = size + length
    if length >= 4 > len(data) - size:
        return TORN
    if length < 4 or length != table.saved_state.size(data[size : size + 4], data[3]):
        return DAMAGED
    if len(data) < end + 2:
        return TORN
    return 0 if data[end : end + 2] == _check(data[:end]) else DAMAGED


def unpacked(inputs: bytes | bytearray, i: int) -> tuple[int, int, int]:
    """Return (kind, slot, value) of the input at inputs[i:i + 3]."""
    return inputs[i] >> 4, inputs[i] & 15, inputs[i + 1] | inputs[i + 2] << 8


def _check(data: bytes) -> bytes:
    return struct.pack("<H", binascii.crc32(data) & 0xFFFF)
