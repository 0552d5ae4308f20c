# SPDX-License-Identifier: MIT
"""A hub on a serial port: found by itself, and found again after its cable was pulled."""

import errno
import os
import threading

import serial

from host_sim.views.line_streams import HubSource

READ_S = 0.1  # how long a read waits, and so what is to be typed
LOOK_S = 1.0  # between two looks for a hub


class SerialLine(HubSource):
    """Reads and writes in a thread of its own, from `start` to `close`.

    boards: returns the ports on which a board may be; port: the one to use instead, or None.
    """

    def __init__(self, boards, port=None):
        super().__init__()
        self.boards = boards
        self.port = port
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        """Begin to look for the hub; return self."""
        self._thread.start()
        return self

    def close(self):
        """Let go of the port."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self):
        while not self._ends.is_set():
            port = self._find()
            line = port and self._open(port)
            if line:
                with line:
                    self._listen(line, port)
            self._ends.wait(LOOK_S)

    def _is_lost(self):
        return self.status()[0] == "usb.lost"

    def _find(self):
        if self.port:
            return self.port
        found = self.boards()
        if not found:
            # who has just been told that the hub is lost need not read that there is none
            if not self._is_lost():
                self.stands("usb.none")
        elif len(found) > 1:
            self.stands("usb.several", ports=", ".join(found), port=found[0])
        return found[0] if len(found) == 1 else None

    def _open(self, port):
        """Return the port, open; None, and why is said."""
        try:
            return serial.Serial(port, 115200, timeout=READ_S, write_timeout=1, exclusive=True)
        except (OSError, ValueError) as error:  # serial.SerialException is an OSError
            key, values = why_not(port, error)
            if key != "usb.gone" or not self._is_lost():
                self.stands(key, port=port, **values)
            return None

    def _listen(self, line, port):
        self.opened(port)
        try:
            while not self._ends.is_set():
                data = line.read(max(1, line.in_waiting))
                if data:
                    self.heard(data)
                typed = self.typed()
                if typed:
                    line.write(typed)
        except (OSError, TypeError):  # TypeError: what pyserial has for a port closed meanwhile
            self.closed(port)


def why_not(port, error):
    """Return what to tell of a port that cannot be opened: (key, {name: what fills it})."""
    number = getattr(error, "errno", None)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusive" in str(error):
        return "usb.busy", {}
    if number == errno.EACCES or "PermissionError" in str(error):
        group = group_of(port)
        # Windows calls a port denied that another program has open
        return ("usb.denied", {"group": group}) if group else ("usb.busy", {})
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFound" in str(error):
        return "usb.gone", {}
    return "usb.odd", {"error": str(error).split("\n")[0]}


def group_of(port):
    """Return the group whose members may open a port; "" where there are no such groups."""
    try:
        import grp

        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (ImportError, OSError, KeyError):
        return ""
