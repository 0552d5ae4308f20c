# SPDX-License-Identifier: MIT
"""A hub on a serial port."""

import errno
import os
import threading
import traceback
from collections.abc import Callable, Sequence

import serial

from host_sim.table.streams import HubStream

READ_S = 0.1  # longest wait of a read, and so of a line to the hub
SCAN_S = 1.0  # seconds between two scans for a hub


class HubPort(HubStream):
    """Reads and writes a hub's serial port in its own thread, from `start` to `close`.

    boards: a function that returns the ports where a hub can be
    port: the only port to use, or None
    """

    def __init__(self, boards: Callable[[], Sequence[str]], port: str | None = None) -> None:
        super().__init__()
        self.boards = boards
        self.port = port
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> "HubPort":
        """Start the thread that looks for the hub; return self."""
        self._thread.start()
        return self

    def close(self) -> None:
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self._connect()
            except Exception:  # of a callback: the port goes on without it
                traceback.print_exc()
            self._ends.wait(SCAN_S)

    def _connect(self) -> None:
        name = self._find()
        port = self._open(name) if name else None
        if name and port:
            with port:
                self._transfer(port, name)

    def _is_lost(self) -> bool:
        return self.status()[0] == "usb.lost"

    def _find(self) -> str | None:
        if self.port:
            return self.port
        found = self.boards()
        if not found:
            # "unplugged" is more exact than "none found": keep it
            if not self._is_lost():
                self.set_status("usb.none")
        elif len(found) > 1:
            self.set_status("usb.several", ports=", ".join(found), port=found[0])
        return found[0] if len(found) == 1 else None

    def _open(self, name: str) -> serial.Serial | None:
        """Open a port and return it, or set the status to the reason and return None."""
        try:
            return serial.Serial(name, 115200, timeout=READ_S, write_timeout=1, exclusive=True)
        except (OSError, ValueError) as error:  # serial.SerialException is an OSError
            key, values = open_error(name, error)
            if key != "usb.gone" or not self._is_lost():
                self.set_status(key, port=name, **values)
            return None

    def _transfer(self, port: serial.Serial, name: str) -> None:
        """Read from and write to the port until the hub is unplugged or `close` is called."""
        self.opened(name)
        try:
            while not self._ends.is_set():
                data = port.read(max(1, port.in_waiting))
                if data:
                    self.received(data)
                self._write_output(port)
            self._write_output(port)  # such as a last reset
        except (OSError, TypeError):  # pyserial raises TypeError if the port was closed meanwhile
            self.closed(name)

    def _write_output(self, port: serial.Serial) -> None:
        typed = self.take_output()
        if typed:
            port.write(typed)


def open_error(port: str | os.PathLike[str], error: Exception) -> tuple[str, dict[str, str]]:
    """Return (key, {placeholder: value}) of the sentence about a port that cannot be opened."""
    number = getattr(error, "errno", None)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusive" in str(error):
        return "usb.busy", {}
    if number == errno.EACCES or "PermissionError" in str(error):
        group = port_group(port)
        # Windows denies access to a port that another program has open
        return ("usb.denied", {"group": group}) if group else ("usb.busy", {})
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFound" in str(error):
        return "usb.gone", {}
    return "usb.odd", {"error": str(error).split("\n")[0]}


def port_group(port: str | os.PathLike[str]) -> str:
    """Return the name of the user group that may open a port, or "" if the system does not have
    groups."""
    try:
        import grp

        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (ImportError, OSError, KeyError):
        return ""
