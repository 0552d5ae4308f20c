# SPDX-License-Identifier: MIT
"""The hub's serial line: one JSON object per line out, one command per line in.

Lines out wait in a ring until the host takes them; a host that does not read never stops the
hub: then the newest lines are dropped and counted. The JSON is written by hand, because the order
of its keys is part of the format and the board's dicts have none.
"""

from roundhouse import constants, tiles

LONGEST = 160  # bytes of a command line


class Console:
    """Lines in and out over a port with `read() -> byte or -1` and `write(buf) -> bytes taken`."""

    def __init__(self, port, ring=2560):
        self.port = port
        self.dropped = 0  # lines that found no room since the last that did
        self._line = bytearray(LONGEST)
        self._n = 0
        self._ring = bytearray(ring)
        self._view = memoryview(self._ring)
        self._first = 0  # place of the oldest byte that waits
        self._waiting = 0

    def read(self):
        """Take waiting bytes; return a command line as text when one is whole, else None.

        Raises ValueError for a line that is too long or not plain text.
        """
        byte = self.port.read()
        while byte >= 0:
            if byte == 10 or byte == 13:
                n, self._n = self._n, 0
                if n > LONGEST:
                    raise ValueError("a line has at most %d characters" % LONGEST)
                if n:
                    return _plain(self._line, n)
            elif self._n < LONGEST:
                self._line[self._n] = byte
                self._n += 1
            else:
                self._n = LONGEST + 1
            byte = self.port.read()
        return None

    def put(self, line):
        """Queue a line of ASCII text, or drop and count it."""
        if self.dropped and self._room(len(line) + 24):
            self._put('{"dropped": %d}\n' % self.dropped)
            self.dropped = 0
        if self.dropped or not self._room(len(line) + 1):
            self.dropped += 1
            return
        self._put(line)
        # without memory for it, or the next line would stand behind this one
        self._ring[(self._first + self._waiting) % len(self._ring)] = 10
        self._waiting += 1

    def flush(self):
        """Hand waiting bytes to the host, as many as it takes now; return whether it took some."""
        before = self._waiting
        while self._waiting:
            end = min(self._first + self._waiting, len(self._ring), self._first + 64)
            taken = self.port.write(self._view[self._first : end])
            if not taken:
                break
            self._first = (self._first + taken) % len(self._ring)
            self._waiting -= taken
        return self._waiting != before

    @property
    def waiting(self):
        """Bytes the host has not taken yet."""
        return self._waiting

    def _room(self, n):
        return self._waiting + n <= len(self._ring)

    def _put(self, text):
        data = text.encode()
        size = len(self._ring)
        at = (self._first + self._waiting) % size
        room = min(len(data), size - at)  # up to the ring's end; the rest goes to its beginning
        self._ring[at : at + room] = data[:room]
        self._ring[: len(data) - room] = data[room:]
        self._waiting += len(data)


def _plain(buf, n):
    for i in range(n):
        if not 32 <= buf[i] <= 126:
            raise ValueError("a line is plain ASCII text")
    return bytes(buf[:n]).decode().strip()


def error(text):
    """Return the line for bad input."""
    return '{"error": %s}' % quote(text)


def quote(text):
    """Return a JSON string of ASCII text."""
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def line(said, verdict, by, did, t, lamps, more=""):
    """Return the JSON line for an input: `said` is its text, `t` the match, `lamps` bytes.

    by: the seat whose input it was, 0 for nobody's; did: what it was in a word, None for nothing.
    more: further keys, each with `, ` before it: see report.py.
    """
    play = t.phase == constants.PLAY
    doubles = []
    slot = t.double(0)
    while slot >= 0:
        doubles.append(slot)
        slot = t.double(len(doubles))
    seats = _of(t.joined)
    ends = _of(t.begun) if t.phase >= constants.PLAY else ()
    winners = _of(t.winners)
    opening = "null" if t.opening == constants.NONE else quote(tiles.text(t.opening))
    out = [
        '{"input": %s, "verdict": "%s"' % (quote(said), constants.VERDICTS[verdict]),
        '"by": %s, "did": %s' % (by or "null", quote(did) if did else "null"),
        '"phase": "%s", "round": %d' % (constants.PHASES[t.phase], t.round),
        '"engine": %s, "turn": %s' % (opening, t.turn if play else "null"),
        '"drawn": %s' % ("true" if play and t.drawn else "false"),
        '"open": %s' % _slots(_of(t.open_mask)),
        '"doubles": %s' % _slots(doubles),
        '"playable": %s' % _slots(_of(t.playable)),
        '"ends": %s%s%s' % (by_slot(ends, lambda n: _end(t, n)), _sides(t.sides), _gain(t, did)),
        '"hands": %s' % by_slot(seats, t.hand),
        '"boneyard": %d' % t.boneyard,
        '"scores": %s' % by_slot(seats, lambda n: points(t.total(n))),
        '"winner": %s' % (winners or "null"),
        '"lamps": "%s"' % bytes(lamps).decode(),
    ]
    return ", ".join(out) + more + "}"


def _of(mask):
    """The stations, and M, in a mask."""
    return [slot for slot in range(1, 12) if mask >> slot & 1]


def _slots(slots):
    return "[%s]" % ", ".join(['"%s"' % constants.slot_name(n) for n in slots])


def by_slot(slots, value):
    """Return a JSON object: for each of the slots its name and value(slot)."""
    return "{%s}" % ", ".join(['"%s": %s' % (constants.slot_name(n), value(n)) for n in slots])


def _end(t, slot):
    if t.second_end(slot) == constants.NONE:
        return t.end(slot)
    return "[%d, %d]" % (t.end(slot), t.second_end(slot))


def _sides(sides):
    """The places where a line may begin, in a game that has some."""
    if sides is None:
        return ""
    return ', "sides": {%s}' % ", ".join(['"%d": %d' % side for side in sides])


def _gain(t, did):
    """The points that the input has brought in play; what took one back has brought none."""
    return ', "gain": ' + points(t.gain) if t.gain and did == t.did else ""


def points(doubled):
    """Return doubled points as text: 51 is `25.5`."""
    return "%d.5" % (doubled // 2) if doubled & 1 else "%d" % (doubled // 2)
