# SPDX-License-Identifier: MIT
"""Where a view's console lines come from: a hub at the other end of a wire, a recorded match.

Each is asked by `due` when it has something, and need not be asked in between.
"""

import collections
import json
import time

from host_sim.views.line_validation import ABOUT, validated

LONGEST = 65536  # bytes of a line; a hub's longest has some thousand


class LineDecoder:
    """Bytes from a wire, cut into a hub's lines; junk among them is left out."""

    def __init__(self):
        self._rest = b""

    def take(self, data):
        """Return the lines, dicts, that are whole with these bytes."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            self._rest = b""
        found = []
        for line in whole:
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                continue
            line = validated(said)
            if line:
                found.append(line)
        return found


# ---- a hub on a wire ----


class HubSource:
    """A hub at the other end of a wire.

    Whoever has the wire says `opened`, `heard` and `closed`, from any thread, or `stands` why it
    cannot be had; and writes what `typed` gives. The hub is asked for `state` when it comes, and
    once more when its answer to an input is over: then the lamps are those at rest.

    wake: is called, from any thread, where `due` may have changed; whoever waits sets it.
    """

    after_input = 0.7  # seconds; an answer's light takes 0.6
    patience = 5  # seconds for a hub that says nothing, before it is asked again

    def __init__(self):
        self.wake = lambda: None
        self._said = collections.deque()  # lines that nobody has polled
        self._typed = collections.deque(maxlen=50)
        self._cut = LineDecoder()
        self._ask_at = None
        self._news = False
        self._status = ("usb.looking", {})
        self._port = ""
        self._asked = self._spoken = False  # it was asked, it has said something since it came

    def opened(self, port):
        """The wire is there."""
        self._cut = LineDecoder()
        self._asked = self._spoken = False
        self._typed.clear()
        self._port = port
        self._ask_at = time.monotonic()
        self.stands("usb.asking", port=port)

    def heard(self, data):
        """These bytes came."""
        for line in self._cut.take(data):
            if not self._spoken:
                self._spoken = True
                self._ask_at = None
                self.stands("usb.here", port=self._port)
            self._said.append(line)
        if self._said:
            self.wake()

    def closed(self, port):
        """The wire is gone."""
        self._ask_at = None
        self.stands("usb.lost", port=port)

    def stands(self, key, **values):
        """Say how it stands with the wire."""
        if self._status != (key, values):
            self._status = (key, values)
            self._news = True
            self.wake()

    def status(self):
        """Return how it stands, (key of a sentence, {name: what fills it}); `usb.here`: well."""
        return self._status

    def typed(self):
        """Return the bytes that are to be written now."""
        found = b""
        while self._typed:
            found += self._typed.popleft()
        return found

    def due(self):
        """Return the seconds until `poll` has something; None: not before `wake` is called."""
        if self._said or self._news:
            return 0
        ask_at = self._ask_at
        return None if ask_at is None else max(0, ask_at - time.monotonic())

    def poll(self):
        """Return what the hub said; and ask it, where it is time to."""
        self._news = False
        now = time.monotonic()
        found = []
        while self._said:
            found.append(self._said.popleft())
        if any(line.get("input", "state") != "state" for line in found):
            self._ask_at = now + self.after_input
        elif self._ask_at is not None and now >= self._ask_at:
            self._ask_at = None if self._spoken else now + self.patience
            if self._asked and not self._spoken:
                self.stands("usb.silent", port=self._port)
            self._asked = True
            self.send("state")
        return found

    def send(self, text):
        """Type a line into the hub's console, where there is one."""
        self._typed.append(text.encode() + b"\n")


# ---- a recorded match ----


def _with_their_game(lines):
    """Return lines of which each says what the match is, as far as those before it did."""
    about = {}
    found = []
    for line in lines:
        if ABOUT[0] in line:
            about = {key: line[key] for key in (*ABOUT, "stations") if key in line}
        found.append({**line, **about})
    return found


class Recording:
    """Lines of a replay: one at a time, forward and back, by itself or by hand.

    lines: all of them, dicts; at: the number of the one that is shown; pause: seconds a line while
    it goes on by itself.
    """

    def __init__(self, lines):
        self.lines = _with_their_game(lines)
        self.at = 0
        self.pause = 1.0
        self._next_at = None  # while it goes on by itself

    @property
    def last(self):
        """The number of the last line."""
        return len(self.lines) - 1

    @property
    def runs(self):
        """Whether it goes on by itself."""
        return self._next_at is not None

    def play(self):
        """Go on by itself, from the beginning where it is at the end."""
        if self.at == self.last:
            self.at = 0
        self._next_at = time.monotonic() + self.pause

    def stop(self):
        """Stand still."""
        self._next_at = None

    def due(self):
        """Return the seconds until the next line's turn; None while it stands."""
        return max(0, self._next_at - time.monotonic()) if self.runs else None

    def poll(self):
        """Show the next line, where its time has come; at the end it stands."""
        now = time.monotonic()
        if self.runs and now >= self._next_at:
            self.step(1)
            self._next_at = now + self.pause if self.at < self.last else None

    def step(self, count):
        """So many lines on, or back."""
        self.go(self.at + count)

    def go(self, at):
        """Show line number `at`, or the nearest there is."""
        self.at = max(0, min(self.last, at))

    def round(self, way):
        """To the beginning of the next round, or of this or an earlier one."""
        rounds = [line["round"] for line in self.lines]
        here = [n for n in range(1, len(rounds)) if rounds[n] != rounds[n - 1]]
        later = [n for n in here if n > self.at]
        before = [n for n in here if n < self.at]
        self.go((later or [self.last])[0] if way > 0 else (before or [0])[-1])
