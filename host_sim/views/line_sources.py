# SPDX-License-Identifier: MIT
"""Where a view's console lines come from: a hub on a wire, a file that grows, a recorded match."""

import json
import time
from pathlib import Path


class Source:
    """Where a view's lines come from; this one says nothing."""

    title = ""
    fresh = False  # it has just come, and nobody has asked yet how the table stands
    over = False  # it has ended for good

    def poll(self):
        """Return the console lines since the last call, as dicts."""
        return []

    def send(self, text):
        """Type a line into the console, where there is one."""

    def status(self):
        """Return how it stands, in a few words."""
        return ""


class SerialLine(Source):
    """A hub on a serial port; found by itself, and again after it was unplugged.

    find: returns the port's name; what it raises is shown, and it is asked again.
    """

    title = "watching"

    def __init__(self, find):
        self.find = find
        self.line = None
        self.port = None
        self.tried = 0.0
        self.rest = b""
        self.trouble = "looking for a hub"

    def poll(self):
        """Return what the hub said, whole lines; none while there is no hub."""
        if not self.line and not self._connect():
            return []
        import serial

        try:
            self.rest += self.line.read(4096)
        except (OSError, serial.SerialException):
            self._lost()
            return []
        *whole, self.rest = self.rest.split(b"\n")
        found = []
        for line in whole:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if isinstance(said, dict):
                found.append(said)
        return found

    def send(self, text):
        """Type a line, where there is a hub."""
        import serial

        if self.line:
            try:
                self.line.write(text.encode() + b"\n")
            except (OSError, serial.SerialException):
                self._lost()

    def status(self):
        return self.trouble or str(self.port)

    def _connect(self):
        import serial

        if time.monotonic() - self.tried < 0.5:
            return False
        self.tried = time.monotonic()
        try:
            self.port = self.find()
            self.line = serial.Serial(self.port, 115200, timeout=0, write_timeout=0.2)
        except Exception as error:  # no port, several, or one that is in use: said, tried again
            self.trouble = str(error).split("\n")[0].split(". ")[0]
            return False
        self.trouble, self.rest = "", b""
        self.fresh = True
        return True

    def _lost(self):
        self.line.close()
        self.line = None
        self.trouble = "%s is unplugged; waiting" % self.port


ABOUT = ("game", "house", "set")  # what seldom changes, and only some lines say


def _with_their_game(lines):
    """Return lines of which each says what the match is, as far as those before it did."""
    about = {}
    found = []
    for line in lines:
        about.update({key: line[key] for key in ABOUT if key in line})
        found.append({**line, **about})
    return found


class Tape(Source):
    """Lines of a replay: one at a time, forward and back, by itself or by hand."""

    def __init__(self, lines, title="replay"):
        self.lines = _with_their_game(lines)
        self.title = title
        self.at = 0
        self.runs = False
        self.pause = 1.0  # seconds a line
        self.due = 0.0
        self.waiting = [self.lines[0]]

    def poll(self):
        now = time.monotonic()
        if self.runs and now >= self.due:
            self.due = now + self.pause
            self.step(1)
            self.runs = self.at < len(self.lines) - 1
        waiting, self.waiting = self.waiting, []
        return waiting

    def step(self, count):
        self.go(self.at + count)

    def go(self, at):
        """Show line number `at`, or the nearest there is."""
        self.at = max(0, min(len(self.lines) - 1, at))
        self.waiting = [self.lines[self.at]]

    def round(self, way):
        """To the beginning of the next round, or of this or an earlier one."""
        here = [
            n
            for n in range(1, len(self.lines))
            if self.lines[n]["round"] != self.lines[n - 1]["round"]
        ]
        later = [n for n in here if n > self.at]
        before = [n for n in here if n < self.at]
        self.go((later or [len(self.lines) - 1])[0] if way > 0 else (before or [0])[-1])

    def status(self):
        speed = "plays, %g a second" % (1 / self.pause) if self.runs else "stands"
        return "input %d of %d, %s" % (self.at, len(self.lines) - 1, speed)


class Tail(Source):
    """Lines from a file that grows: a source for the view."""

    def __init__(self, path, title="Roundhouse"):
        self.title = title
        self.path = Path(path)
        self._file = open(path, encoding="utf-8")
        self._rest = ""

    def poll(self):
        self._rest += self._file.read()
        *whole, self._rest = self._rest.split("\n")
        return [json.loads(line) for line in whole]

    @property
    def over(self):
        """Whoever wrote it has ended and taken it away."""
        return not self.path.exists()
