# SPDX-License-Identifier: MIT
"""A hub on USB: which port it is, and its console as question and answer."""

import json
import time

import serial
from serial.tools import list_ports

from host_sim.maker import Trouble

RASPBERRY = 0x2E8A  # USB vendor of a Pico that runs MicroPython
PATIENCE_S = 5  # for the hub's answer

NO_BOARD = """no Pico found. Plug it in with a cable that carries data. A new Pico has no
MicroPython yet: hold BOOTSEL while plugging it in, and copy MicroPython's official RPI_PICO UF2
(1.25 or newer) onto the drive RPI-RP2 that appears; then try again. `make uf2` wants no tools."""
SEVERAL = "several boards: %s. Say which one: PORT=%s"


def boards(ports=None):
    """Return the ports with a Pico on them."""
    return [
        p.device for p in (list_ports.comports() if ports is None else ports) if p.vid == RASPBERRY
    ]


def find_port(port=None, ports=None):
    """Return the port to use: the one named, or the only Pico there is. Raises Trouble."""
    if port:
        return port
    found = boards(ports)
    if not found:
        raise Trouble(NO_BOARD)
    if len(found) > 1:
        raise Trouble(SEVERAL % (", ".join(found), found[0]))
    return found[0]


class HubConsole:
    """The console of a hub on a serial port."""

    def __init__(self, port):
        try:
            self.line = serial.Serial(port, 115200, timeout=0.2)
        except (OSError, serial.SerialException) as error:
            raise Trouble("%s cannot be opened: %s" % (port, error)) from None
        self._rest = b""

    def ask(self, command):
        """Send a line; return its answer as a dict. Raises Trouble where none comes.

        What happens at the table meanwhile is no answer: a blank tag that is laid down says so.
        """
        self.line.reset_input_buffer()
        self._rest = b""
        self.line.write(command.encode() + b"\n")
        for answer in self.lines(PATIENCE_S):
            if not {"error", "selftest", "lock"}.isdisjoint(answer):
                return answer
            if answer.get("input") == command:
                return answer
        raise Trouble("the hub does not answer; is its firmware running? Reset it and try again")

    def lines(self, seconds):
        """Yield what the hub says within so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._rest += self.line.read(256)
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                try:
                    yield json.loads(line)
                except ValueError:
                    continue
