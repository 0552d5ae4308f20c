# SPDX-License-Identifier: MIT
"""Sources of console lines for a view: a hub connected by USB, or a recorded match.

Both have `poll`, which processes new lines, and `due`, the seconds until `poll` should be called.
"""

import collections
import json
import time
from collections.abc import Callable, Mapping
from typing import cast

from host_sim.table.console_line import ConsoleLine
from host_sim.table.raw_repl import LEAVE, PROMPT, START, Done, RawRepl
from host_sim.table.schema import ABOUT, known

LONGEST = 65536  # bytes of a line; a hub's longest has a few thousand
LATE = 1.0  # seconds after which a deadline is void: this program was stopped, as by a lid
AT_PROMPT = ("usb.plain", "usb.stopped")  # the hub's program has ended
UNANSWERED = ("usb.asking", "usb.silent")


class LineParser:
    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[ConsoleLine]:
        """Add received bytes; return the lines that are now complete."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            self._rest = b""
        found = []
        for text in whole:
            try:
                line = known(json.loads(text))
            except (ValueError, RecursionError):
                continue
            if line:
                found.append(line)
        return found


# ---- a hub on a wire ----


class HubStream:
    """Receives the lines of a hub over a connection, such as a serial port.

    The connection's owner calls `opened`, `received` and `closed` from any thread, and sends the
    result of `take_output` to the hub.

    wake: a function that is called, from any thread, when the result of `due` may have changed
    """

    after_input = 0.7  # seconds; an answer's light takes 0.6
    patience = 5  # seconds until a silent hub is asked again
    restart = 2  # seconds until a board that was reset is asked

    def __init__(self) -> None:
        self.wake: Callable[[], object] = lambda: None
        self._lines: collections.deque[ConsoleLine] = collections.deque()  # not polled yet
        self._output: collections.deque[bytes] = collections.deque(maxlen=50)
        self._parser = LineParser()
        self._heard = b""  # the last bytes
        self._ask_at: float | None = None
        self._status_is_new = False
        self._status: tuple[str, dict[str, str]] = ("usb.looking", {})
        self._port = ""
        self._asked = self._answered = False  # since it connected
        self._repl: RawRepl | None = None
        self._was_probed = False  # for a raw REPL, since it connected
        self._was_in_repl = False  # a prompt means that the raw REPL was left: it starts again
        self._results: collections.deque[tuple[Done, bytes | None]] = collections.deque()
        self._give_up_at = 0.0

    def opened(self, port: str) -> None:
        """Start a connection; the owner calls this after opening the port."""
        self._parser = LineParser()
        self._heard = b""
        self._asked = self._answered = self._was_probed = False
        self._repl = None
        self._results.clear()
        self._output.clear()
        self._port = port
        self._ask_at = time.monotonic()
        self.set_status("usb.asking", port=port)

    def received(self, data: bytes) -> None:
        if self._repl:
            self._repl.receive(data)
            self.wake()
            return
        self._heard = (self._heard + data)[-len(PROMPT) :]
        if self._heard == PROMPT and self._asked and self._status[0] in UNANSWERED:
            self._ask_at = None
            self.set_status("usb.plain", port=self._port)
            if self._was_in_repl:
                self.start_again()
        for line in self._parser.feed(data):
            is_running = "stopped" not in line
            if is_running and not self._answered:
                self._ask_at = None
                self._was_in_repl = False
                self.set_status("usb.here", port=self._port)
            elif not is_running:  # it answers again when it has started again
                self._ask_at = None
                self.set_status("usb.stopped", port=self._port)
            self._answered = is_running
            self._lines.append(line)
        if self._lines:
            self.wake()

    def closed(self, port: str) -> None:
        """Set the status to `usb.lost`; the owner calls this after the port was closed."""
        self._was_in_repl = self._was_in_repl or self._repl is not None
        self._ask_at = self._repl = None
        self._results.clear()
        self.set_status("usb.lost", port=port)

    def close(self) -> None:
        """Stop watching the hub; does nothing here."""

    def set_status(self, key: str, **values: str) -> None:
        if self._status != (key, values):
            self._status = (key, values)
            self._status_is_new = True
            self.wake()

    def status(self) -> tuple[str, dict[str, str]]:
        """Return the status of the connection as (key of a sentence, {name: value}). The key is
        `usb.here` if the hub answers."""
        return self._status

    def take_output(self) -> bytes:
        found = b""
        while self._output:
            found += self._output.popleft()
        return found

    def due(self) -> float | None:
        """Return the seconds until `poll` should be called; None to wait for `wake`."""
        if self._lines or self._results or self._status_is_new:
            return 0
        at = self._give_up_at if self._repl and self._repl.is_busy else self._ask_at
        return None if at is None else max(0, at - time.monotonic())

    def poll(self) -> list[ConsoleLine]:
        """Return the lines received since the last call. Ask the hub for `state` if a request is
        due."""
        self._status_is_new = False
        now = time.monotonic()
        if self._repl:
            if self._repl.is_busy and now >= self._give_up_at:
                if now < self._give_up_at + LATE:
                    self._repl.give_up()
                else:
                    self._give_up_at = now + self.patience
            while self._results:
                done, output = self._results.popleft()
                done(output)
            return []
        found = []
        while self._lines:
            found.append(self._lines.popleft())
        if any(line.get("input", "state") != "state" for line in found):
            self._ask_at = now + self.after_input
        elif self._ask_at is not None and now >= self._ask_at:
            if self._asked and not self._answered and now < self._ask_at + LATE:
                self._note_silence()
            self._ask_at = None if self._answered else now + self.patience
            self._asked = True
            self.send("state")
        return found

    def _note_silence(self) -> None:
        """Set the status to `usb.silent`. The first time, send what makes a raw REPL show the
        prompt: a page that was killed, or whose port was pulled, can leave a board there."""
        self.set_status("usb.silent", port=self._port)
        if not self._was_probed:
            self._was_probed = self._was_in_repl = True
            self._output.append(LEAVE)

    def send(self, text: str) -> None:
        """Send a text to the hub's console as one line. Its end is Enter at MicroPython's prompt,
        too, which answers."""
        self._output.append(text.encode() + b"\r\n")

    def run(self, program: str, done: Done) -> None:
        """Run a program on the hub's board. The hub's own program is stopped until `start_again`.

        done: see RawRepl.run; `poll` calls it, in its own thread
        """
        if not self._repl:
            self._repl = RawRepl(self._output.append)
        self._give_up_at = time.monotonic() + self.patience
        self._repl.run(program, lambda output: self._results.append((done, output)))
        self.wake()

    def start_again(self) -> None:
        """Start the hub's program again if it was stopped by `run`, or if the board is at
        MicroPython's prompt."""
        if self._repl:
            self._repl.reset()
        elif self._status[0] in AT_PROMPT:
            self._output.append(START)
        else:
            return
        self._repl, self._was_in_repl = None, False
        self._results.clear()
        self._parser = LineParser()
        self._asked = self._answered = False
        self._ask_at = time.monotonic() + self.restart
        self.set_status("usb.asking", port=self._port)

    @property
    def is_in_repl(self) -> bool:
        """Whether `run` has stopped the hub's program."""
        return self._repl is not None


# ---- a recorded match ----


def _with_game(lines: list[ConsoleLine]) -> list[ConsoleLine]:
    """Return the lines. Each line without the keys about the game gets these keys from the nearest
    earlier line that has the keys."""
    about: dict[str, object] = {}
    found = []
    for whole in lines:
        line: Mapping[str, object] = whole
        if ABOUT[0] in line:
            about = {key: line[key] for key in (*ABOUT, "stations") if key in line}
        found.append(cast(ConsoleLine, {**line, **about}))
    return found


class Recording:
    """The lines of a recorded match.

    at: the index of the line that is shown
    pause: the seconds for each line during playback
    """

    def __init__(self, lines: list[ConsoleLine]) -> None:
        self.lines = _with_game(lines)
        self.at = 0
        self.pause = 1.0
        self._next_at: float | None = None  # while it plays

    @property
    def last(self) -> int:
        return len(self.lines) - 1

    @property
    def is_playing(self) -> bool:
        return self._next_at is not None

    def play(self) -> None:
        """Start automatic playback, from the beginning if the last line is shown."""
        if self.at == self.last:
            self.at = 0
        self._next_at = time.monotonic() + self.pause

    def stop(self) -> None:
        self._next_at = None

    def due(self) -> float | None:
        """Return the seconds until the next line, or None if playback is stopped."""
        return None if self._next_at is None else max(0, self._next_at - time.monotonic())

    def poll(self) -> None:
        """Show the next line if its time has come; playback stops at the last line."""
        now = time.monotonic()
        if self._next_at is not None and now >= self._next_at:
            self.step(1)
            self._next_at = now + self.pause if self.at < self.last else None

    def step(self, count: int) -> None:
        """Move forwards by `count` lines, or backwards if `count` is negative."""
        self.go(self.at + count)

    def go(self, at: int) -> None:
        """Show the line with index `at`, limited to the first and the last line."""
        self.at = max(0, min(self.last, at))

    def round(self, by: int) -> None:
        """Move to the start of a round.

        by: 1 for the next round; -1 for the current round, or for the previous round if the
            current round's first line is shown
        """
        starts = self.round_starts()
        later = [n for n in starts if n > self.at]
        before = [n for n in starts if n < self.at]
        self.go((later or [self.last])[0] if by > 0 else (before or [0])[-1])

    def round_starts(self) -> list[int]:
        """Return the index of each line with which another round begins."""
        rounds = [line["round"] for line in self.lines]
        return [n for n in range(1, len(rounds)) if rounds[n] != rounds[n - 1]]
