# SPDX-License-Identifier: MIT
"""A hub on USB: which port it is, and its console as question and answer."""

import collections
import json
import os
import time

import serial
from serial.tools import list_ports

from host_sim.flashing import UserError

RASPBERRY = 0x2E8A  # USB vendor of a Pico that runs MicroPython
PATIENCE_S = 5  # for the hub's answer
LONGEST = 65536  # bytes without an end of line
SHOWN = 100  # letters of a line, in an error

NO_BOARD = """no Pico found. Plug it in with a cable that carries data. A new Pico has no
MicroPython yet: hold BOOTSEL while plugging it in, and copy MicroPython's official RPI_PICO UF2
(1.25 or newer) onto the drive RPI-RP2 that appears; then try again. `make uf2` needs no tools."""
NO_PORT = "there is no port %s; there are: %s"
SEVERAL = "several boards: %s. Say which one: PORT=%s"


def boards(ports=None):
    """Return the ports with a Pico on them."""
    return [
        p.device for p in (list_ports.comports() if ports is None else ports) if p.vid == RASPBERRY
    ]


def find_port(port=None, ports=None):
    """Return the port to use: the one named, or the only Pico there is. Raises UserError."""
    found = boards(ports)
    if port:
        if port.startswith("/") and not os.path.exists(port):
            raise UserError(NO_PORT % (port, ", ".join(found) or "none with a Pico"))
        return port
    if not found:
        raise UserError(NO_BOARD)
    if len(found) > 1:
        raise UserError(SEVERAL % (", ".join(found), found[0]))
    return found[0]


class HubConsole:
    """The console of a hub on a serial port."""

    def __init__(self, port):
        try:
            self.line = serial.Serial(port, 115200, timeout=0.2)
        except (OSError, serial.SerialException) as error:
            raise UserError("%s cannot be opened: %s" % (port, error)) from None
        self._rest = b""
        self._last = collections.deque(maxlen=5)

    def ask(self, command):
        """Send a line; return its answer as a dict. Raises UserError where none comes.

        What happens at the table meanwhile is no answer: a blank tag that is laid down says so.
        """
        for answer in self.told(command, PATIENCE_S):
            if not {"error", "selftest", "lock"}.isdisjoint(answer):
                return answer
            if answer.get("input") == command:
                return answer
        raise UserError(
            "the hub does not answer; is its firmware running? Reset it and try again"
            + self.seen()
        )

    def told(self, command, seconds):
        """Send a line; yield what the hub says within so many seconds."""
        self.line.reset_input_buffer()
        self._rest = b""
        self._last.clear()
        self.line.write(command.encode() + b"\n")
        yield from self.lines(seconds)

    def lines(self, seconds):
        """Yield what the hub says within so many seconds, as dicts; whatever else comes is only
        kept for `seen`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self._rest += self.line.read(256)
            except (OSError, TypeError) as error:  # what pyserial has for a cable that was pulled
                raise UserError("the hub is gone: %s. Plug it in and try again" % error) from None
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                self._last.append(line)
                said = _object(line)
                if said is not None:
                    yield said
            if len(self._rest) > LONGEST:
                self._rest = b""

    def seen(self):
        """Return what came last, for an error's end: what a Pico prints that is no hub."""
        if not self._last:
            return ". Nothing came over the line"
        lines = [line.decode("ascii", "replace").strip()[:SHOWN] for line in self._last]
        return ". What came last:\n  " + "\n  ".join(lines)


def _object(line):
    """Return the JSON object that a line is, or None."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
