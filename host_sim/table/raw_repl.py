# SPDX-License-Identifier: MIT
"""Runs programs on a board through MicroPython's raw REPL, and receives their output. No function
here waits for the board.

https://docs.micropython.org/en/latest/reference/repl.html#raw-mode-and-raw-paste-mode
"""

from collections.abc import Callable

STOP = b"\r\x03"  # Ctrl-C: ends the program that runs
PROMPT = b">>> "
ENTER = b"\r\x01"  # Ctrl-A
BANNER = b"raw REPL; CTRL-B to exit\r\n>"
RUN = b"\x04"  # Ctrl-D: the program is complete; also ends its output, and what went wrong
LEAVE = b"\x02\n"  # Ctrl-B: leaves the raw REPL for the prompt, which is printed then
START = b"\x02\x04"  # Ctrl-B, and at the prompt Ctrl-D: the board's own program starts
RESET = b"import machine\nmachine.reset()\n" + RUN

Done = Callable[[bytes | None], object]


class RawRepl:
    """A board whose own program was stopped, so that other programs can run on it."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send
        self._heard = b""
        self._awaited = PROMPT
        self._waiting: list[tuple[bytes, Done]] = []
        self._is_ready = False
        send(STOP)

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def run(self, program: str, done: Done) -> None:
        """Run a program after the programs that are already waiting.

        done: called with the output, or with None after an exception or a wrong answer
        """
        self._waiting.append((program.encode(), done))
        if self._is_ready and len(self._waiting) == 1:
            self._begin()

    def receive(self, data: bytes) -> None:
        self._heard += data
        if not self._is_ready:
            self._enter()
        elif self._waiting and self._heard.count(RUN) >= 2 and self._heard.endswith(b">"):
            (_, done), *self._waiting = self._waiting
            output, wrong, _ = self._heard.split(RUN, 2)
            self._heard = b""
            if self._waiting:
                self._begin()
            done(output[2:] if output.startswith(b"OK") and not wrong else None)

    def reset(self) -> None:
        """Reset the board, so that its own program starts again."""
        self._send(RESET)

    def give_up(self) -> None:
        """Drop all waiting programs, calling each `done` with None."""
        waiting, self._waiting = self._waiting, []
        for _, done in waiting:
            done(None)

    def _enter(self) -> None:
        if self._awaited not in self._heard:
            return
        self._heard = b""
        if self._awaited == PROMPT:
            self._awaited = BANNER
            self._send(ENTER)
            return
        self._is_ready = True
        if self._waiting:
            self._begin()

    def _begin(self) -> None:
        self._send(self._waiting[0][0] + RUN)
