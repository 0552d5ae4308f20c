# SPDX-License-Identifier: MIT
"""A hub on USB: find its port, send lines to its console and read the answers."""

import collections
import json
import os
import time
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

import serial
from serial.tools import list_ports

from host_sim.maker import CommandError
from host_sim.table.console_line import ConsoleLine

RASPBERRY = 0x2E8A  # USB vendor of a Pico that runs MicroPython
EXPORT_S = 60  # seconds to wait for the end of an export
ANSWER_S = 5  # seconds to wait for the hub's answer
LONGEST = 65536  # bytes without a line end
SHOWN = 100  # characters of a line in an error text

NO_BOARD = """no Pico found. Plug it in with a cable that carries data. A new Pico has no
MicroPython yet: hold BOOTSEL while plugging it in, and copy MicroPython's official RPI_PICO UF2
(1.25 or newer) onto the drive RPI-RP2 that appears; then try again. `make uf2` needs no tools."""
NO_PORT = "there is no port %s; there are: %s"
SEVERAL = "several boards: %s. Say which one: PORT=%s"


class PortInfo(Protocol):
    """A serial port, with the attributes that pyserial's list_ports gives it."""

    device: str
    vid: int | None


def pico_ports(ports: Iterable[PortInfo] | None = None) -> list[str]:
    """Return the names of the serial ports to which a Pico is connected.

    ports: the ports to search, or None for all ports of this machine.
    """
    return [
        p.device for p in (list_ports.comports() if ports is None else ports) if p.vid == RASPBERRY
    ]


def find_port(port: str | None = None, ports: Iterable[PortInfo] | None = None) -> str:
    """Return the serial port to use: `port` if it is given, otherwise the only port with a Pico.

    ports: the ports to search, or None for all of this machine

    Raises CommandError in these cases:

    - `port` is a path that does not exist.
    - `port` is not given, and no port has a Pico.
    - `port` is not given, and several ports have a Pico.
    """
    found = pico_ports(ports)
    if port:
        if port.startswith("/") and not os.path.exists(port):
            raise CommandError(NO_PORT % (port, ", ".join(found) or "none with a Pico"))
        return port
    if not found:
        raise CommandError(NO_BOARD)
    if len(found) > 1:
        raise CommandError(SEVERAL % (", ".join(found), found[0]))
    return found[0]


IN_TEST = "in its self-test"  # part of the hub's answer to any line that is typed then


class HubConsole:
    """The console of a hub on a serial port. Raises CommandError if the port cannot be opened."""

    def __init__(self, port: str) -> None:
        try:
            self.serial = serial.Serial(port, 115200, timeout=0.2)
        except (OSError, serial.SerialException) as error:
            raise CommandError("%s cannot be opened: %s" % (port, error)) from None
        self._rest = b""
        self._recent: collections.deque[bytes] = collections.deque(maxlen=5)

    def ask(self, command: str) -> ConsoleLine:
        """Send a command to the hub and return the answer. Raises CommandError if the hub
        does not answer."""
        for answer in self.send(command, ANSWER_S):
            if IN_TEST in answer.get("error", "") and not command.startswith("selftest"):
                raise CommandError(answer["error"])
            if not {"error", "selftest", "lock"}.isdisjoint(answer):
                return answer
            if answer.get("input") == command:
                return answer
            if command.startswith("read ") and isinstance(answer.get("tag"), str):
                return answer
        raise CommandError(
            "the hub does not answer; is its firmware running? Reset it and try again"
            + self.recent_lines()
        )

    def export(self) -> str:
        """Return the hub's answer to `export`, as the text of a file. Raises CommandError if the
        hub has nothing to export, or does not answer."""
        kept = []
        for line in self.send("export", EXPORT_S):
            if "segment" in line or line.get("input") == "export":
                kept.append(json.dumps(line) + "\n")
            elif "error" in line:
                raise CommandError("nothing was saved: %s" % line["error"])
            if line.get("input") == "export":
                return "".join(kept)
        raise CommandError("the export did not end within %d s" % EXPORT_S + self.recent_lines())

    def close(self) -> None:
        self.serial.close()

    def send(self, command: str, seconds: float) -> Iterator[ConsoleLine]:
        """Send a command to the hub, then yield the lines that the hub prints in the next
        `seconds`, as dicts."""
        self.serial.reset_input_buffer()
        self._rest = b""
        self._recent.clear()
        self.serial.write(command.encode() + b"\n")
        yield from self.lines(seconds)

    def lines(self, seconds: float) -> Iterator[ConsoleLine]:
        """Yield the lines that the hub prints in the next `seconds`, as dicts.

        Only `recent_lines` shows lines that are not JSON objects. Raises CommandError if the hub
        is unplugged.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self._rest += self.serial.read(256)
            except (OSError, TypeError) as error:  # pyserial, when the cable is pulled
                raise CommandError(
                    "the hub is gone: %s. Plug it in and try again" % error
                ) from None
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                self._recent.append(line)
                answer = _json_object(line)
                if answer is not None:
                    yield answer
            if len(self._rest) > LONGEST:
                self._rest = b""

    def recent_lines(self) -> str:
        """Return the last lines received, as text to append to an error message."""
        if not self._recent:
            return ". Nothing came over the line"
        lines = [line.decode("ascii", "replace").strip()[:SHOWN] for line in self._recent]
        return ". What came last:\n  " + "\n  ".join(lines)


def _json_object(line: bytes) -> ConsoleLine | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast(ConsoleLine, value) if isinstance(value, dict) else None
