# SPDX-License-Identifier: MIT
"""The console, a serial line: one JSON object per line out, one command per line in.

Lines wait in a ring buffer until the host reads them; when it is full, new lines are dropped and
counted. The JSON is built by hand, because MicroPython's dicts do not keep the order of keys. It
is built from prepared pieces, because a Pico takes 0.1 ms to create a string.
"""

from roundhouse import constants, tiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from roundhouse.games.match import Match


LONGEST = 160  # bytes of a command line
RING = 2560  # bytes for lines that wait: the longest, `state` after many tiles, and one more
LARGE_RING = 3840  # the same with more stations than usual
_IGNORED = LONGEST + 1  # instead of the number of bytes: the rest of the line is ignored
_PASS = 64  # bytes taken in a pass of the loop
_BRACE = 123  # {
_QUOTED = tuple(['"%s"' % name for name in constants.SLOTS])
_FEW = tuple([str(n) for n in range(19)])  # as text: numbers on tiles, most counts


class Console:
    """The console. port: an object with `read()`, which returns a byte or -1, and `write(buf)`,
    which returns the number of bytes accepted."""

    def __init__(self, port: "Any", ring: int = RING) -> None:
        self.port = port
        self.dropped = 0  # lines dropped since the last line that was queued
        self._line = bytearray(LONGEST)
        self._n = 0
        self._ring = bytearray(ring)
        self._view = memoryview(self._ring)
        self._first = 0  # index of the oldest byte that waits
        self._waiting = 0

    def read(self) -> str | None:
        """Read at most 64 bytes that have arrived. Return a command line as text if a line is
        complete, else None. Lines that begin with `{` (the hub's own, echoed by the host) are
        ignored.

        Raises ValueError if a line is too long or is not plain ASCII.
        """
        for _ in range(_PASS):
            byte = self.port.read()
            if byte < 0:
                break
            n = self._n
            if byte == 10 or byte == 13:
                self._n = 0
                if 0 < n <= LONGEST:
                    return _plain(self._line, n)
            elif byte == _BRACE and not n:
                self._n = _IGNORED
            elif n < LONGEST:
                self._line[n] = byte
                self._n = n + 1
            elif n == LONGEST:
                self._n = _IGNORED
                raise ValueError("a line has at most %d characters" % LONGEST)
        return None

    def put(self, line: str, left: int = 0) -> None:
        """Queue a line of ASCII text for sending if at least `left` bytes of the buffer stay free;
        otherwise drop the line and count it."""
        if self.dropped and self._room(len(line) + 24 + left):
            self._put('{"dropped": %d}\n' % self.dropped)
            self.dropped = 0
        if self.dropped or not self._room(len(line) + 1 + left):
            self.dropped += 1
            return
        self._put(line)
        # written without allocating, so that the line is complete even when memory is short
        self._ring[(self._first + self._waiting) % len(self._ring)] = 10
        self._waiting += 1

    def flush(self) -> bool:
        """Send queued bytes in pieces of at most 64, until the host accepts only part of a piece.
        Return whether it accepted at least one whole piece."""
        whole = False
        while self._waiting:
            size = min(self._waiting, len(self._ring) - self._first, 64)
            taken = self.port.write(self._view[self._first : self._first + size])
            self._first = (self._first + taken) % len(self._ring)
            self._waiting -= taken
            if taken < size:
                break
            whole = True
        return whole

    @property
    def waiting(self) -> int:
        """The number of queued bytes that the host has not accepted yet."""
        return self._waiting

    def _room(self, n: int) -> bool:
        return self._waiting + n <= len(self._ring)

    def _put(self, text: str) -> None:
        data = text.encode()
        size = len(self._ring)
        at = (self._first + self._waiting) % size
        room = min(len(data), size - at)  # up to the ring's end; the rest goes to its beginning
        self._ring[at : at + room] = data[:room]
        self._ring[: len(data) - room] = data[room:]
        self._waiting += len(data)


def _plain(buf: bytearray, n: int) -> str:
    for i in range(n):
        if not 32 <= buf[i] <= 126:
            raise ValueError("a line is plain ASCII text")
    return bytes(buf[:n]).decode().strip()


def error(text: str) -> str:
    return '{"error": %s}' % _ascii(quote(text))


def remark(text: str) -> str:
    return '{"remark": %s}' % _ascii(quote(text))


def _ascii(text: str) -> str:
    """Return a JSON string with other than ASCII characters, as in a file's name, escaped."""
    return "".join([c if c < "\x7f" else "\\u%04x" % min(ord(c), 0xFFFD) for c in text])


def quote(text: str) -> str:
    """Return ASCII text as a JSON string."""
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def input_line(
    text: str,
    verdict: int,
    by: int,
    did: str | None,
    t: "Match",
    lamps: bytes | bytearray,
    n: int,
    more: str = "",
    why: str = "",
) -> str:
    """Return the JSON line that the console prints for an input.

    text: the input as the console prints it.
    by: the seat that made the input, or 0.
    did: a word for what the seat did, or None.
    t: the Match after the input.
    lamps: the letter of each lamp, as bytes.
    n: the count of the journal's changes.
    more: JSON keys for the end of the line, each preceded by `, `; line_keys.py makes them.
    why: JSON keys in the same form, for the place after the verdict; tag_diagnosis.py makes them.
    """
    play = t.phase == constants.PLAY
    opening = "null" if t.opening == constants.NONE else quote(tiles.text(t.opening))
    out = ['{"input": ', quote(text), ', "verdict": "', constants.VERDICTS[verdict], '"']
    out += (why, ', "n": ', str(n), ', "by": ', _number(by) if by else "null")
    out += (', "did": ', quote(did) if did else "null")
    out += (', "phase": "', constants.PHASES[t.phase], '", "round": ', _number(t.round))
    out += (', "engine": ', opening, ', "turn": ', _number(t.turn) if play else "null")
    out += (', "drawn": ', "true" if play and t.drawn else "false", ', "open": [')
    _add_slots(out, t.open_mask)
    out.append('], "doubles": [')
    comma, i, slot = "", 0, t.open_double(0)
    while slot >= 0:
        out += (comma, _QUOTED[slot])
        comma, i = ", ", i + 1
        slot = t.open_double(i)
    out.append('], "playable": [')
    _add_slots(out, t.playable)
    out.append('], "ends": {')
    if t.phase >= constants.PLAY:
        _add_by_slot(out, t.begun, lambda slot: _end(t, slot))
    out += ("}", _sides(t.sides), _gain(t, did), ', "hands": {')
    _add_by_slot(out, t.joined, lambda seat: _count(t.hand(seat)))
    out += ('}, "boneyard": ', _count(t.boneyard), ', "scores": {')
    _add_by_slot(out, t.joined, lambda seat: points(t.total(seat)))
    out += ('}, "winner": ', _seats(t.winners), ', "lamps": "', bytes(lamps).decode())
    out += ('"', more, "}")
    return "".join(out)


def _add_slots(out: list[str], mask: int) -> None:
    """Append the names of a mask's slots, except E, to the list `out` as JSON strings."""
    comma = ""
    for slot in range(1, constants.SLOT_COUNT):
        if mask >> slot & 1:
            out += (comma, _QUOTED[slot])
            comma = ", "


def _add_by_slot(out: list[str], mask: int, value: "Callable[[int], str]") -> None:
    """For each slot of a mask except E, append the text `slot: value(slot)`, an item of a JSON
    object, to the list `out`."""
    comma = ""
    for slot in range(1, constants.SLOT_COUNT):
        if mask >> slot & 1:
            out += (comma, _QUOTED[slot], ": ", value(slot))
            comma = ", "


def _number(n: int) -> str:
    return _FEW[n] if n < len(_FEW) else str(n)


def _count(number: int) -> str:
    """Return a count as JSON; `null` if unknown."""
    return "null" if number == constants.NONE else _number(number)


def _seats(mask: int) -> str:
    """Return a JSON list of a mask's seats; `null` if it is empty."""
    return str([seat for seat in constants.SEATS if mask >> seat & 1]) if mask else "null"


def _end(t: "Match", slot: int) -> str:
    if t.second_end(slot) == constants.NONE:
        return _number(t.end(slot))
    return "[%d, %d]" % (t.end(slot), t.second_end(slot))


def _sides(sides: list[tuple[int, int]] | None) -> str:
    """Return the JSON key `sides`. For example, `"sides": {"6": 2}` says that a new line may begin
    with 6 at two places. Return "" if `sides` is None.

    sides: [(number, count of places where a line may begin with it), ...], or None.
    """
    if sides is None:
        return ""
    return ', "sides": {%s}' % ", ".join(['"%d": %d' % side for side in sides])


def _gain(t: "Match", did: str | None) -> str:
    """Return the JSON key with the points that an input earned at once, or ""."""
    return ', "gain": ' + points(t.gain) if t.gain and did == t.did else ""


def points(doubled: int) -> str:
    """Return points as text. doubled: twice the points, so that 51 becomes `25.5`."""
    return str(doubled // 2) + ".5" if doubled & 1 else _number(doubled // 2)
