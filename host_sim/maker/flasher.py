# SPDX-License-Identifier: MIT
"""The firmware onto a Pico over USB: mpremote copies, and every file is verified."""

import hashlib
import json
from pathlib import Path

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from host_sim.maker import Trouble
from host_sim.pico import compiled

KEPT = ("config.py",)  # on the board, unless told otherwise
NO_PYTHON = """%s does not answer as MicroPython (%s). Close other programs that use the port; if
that does not help, hold BOOTSEL while plugging it in and copy MicroPython's official RPI_PICO UF2
onto the drive RPI-RP2."""

# What runs on the board: the first prints {path: SHA-256} of all that is there.
LIST = """
import os, hashlib, binascii, json
found = {}
def look(folder):
    for name, kind, *_ in os.ilistdir(folder or "/"):
        path = folder + name
        if kind == 0x4000:
            look(path + "/")
        else:
            h = hashlib.sha256()
            with open(path, "rb") as f:
                while True:
                    part = f.read(512)
                    if not part:
                        break
                    h.update(part)
            found[path] = binascii.hexlify(h.digest()).decode()
look("")
print(json.dumps(found))
"""
FOLDERS = """
import os
for path in %r:
    at = ""
    for part in path.split("/"):
        at = at + "/" + part if at else part
        try:
            os.mkdir(at)
        except OSError:
            pass
"""


def flash(port, config=False, journal=False):
    """Copy the compiled firmware onto the board, verify every file, and start it.

    config: replace config.py too; journal: forget the matches. Raises Trouble.
    """
    try:
        board = SerialTransport(port, baudrate=115200)
        board.enter_raw_repl(soft_reset=False)
    except (TransportError, OSError) as error:
        raise Trouble(NO_PYTHON % (port, error)) from None
    try:
        there = json.loads(board.exec(LIST))
        files = compiled.firmware()
        if not config:
            files = {
                name: data for name, data in files.items() if name not in KEPT or name not in there
            }
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        folders = sorted({str(Path(name).parent) for name in files} - {"."})
        board.exec(FOLDERS % (folders,))
        for n, (name, data) in enumerate(sorted(files.items()), 1):
            if there.get(name) != sums[name]:
                print("%2d of %d  %s" % (n, len(files), name))
                board.fs_writefile(name, data)
        for name in there:  # what an older firmware left behind
            old = name.startswith("roundhouse/") and name not in files
            if old or (journal and name.startswith("journal/")):
                board.fs_rmfile(name)
        now = json.loads(board.exec(LIST))
        wrong = [name for name in sums if now.get(name) != sums[name]]
        if wrong:
            wrong = ", ".join(wrong)
            raise Trouble("not as sent: %s. Try again; if it stays so, the flash is worn" % wrong)
        kept = [name for name in KEPT if name not in files]
        kept = ", %s kept" % " ".join(kept) if kept else ""
        print("%d files verified%s" % (len(files), kept))
        board.exec_raw_no_follow("import machine; machine.reset()")
    finally:
        board.close()
