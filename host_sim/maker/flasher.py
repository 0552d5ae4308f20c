# SPDX-License-Identifier: MIT
"""The firmware onto a Pico over USB: mpremote's commands copy, and every file is verified."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from host_sim.maker import Trouble
from host_sim.pico import compiled

KEPT = ("config.py",)  # on the board, unless told otherwise
NO_PYTHON = """%s does not answer as MicroPython (%s). Close other programs that use the port; if
that does not help, hold BOOTSEL while plugging it in and copy MicroPython's official RPI_PICO UF2
onto the drive RPI-RP2."""

# What runs on the board: prints {path: SHA-256} of all that is there; a folder has "".
LIST = """
import os, hashlib, binascii, json
found = {}
def look(folder):
    for name, kind, *_ in os.ilistdir(folder or "/"):
        path = folder + name
        if kind == 0x4000:
            found[path] = ""
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


def mpremote(port, commands, told=None):
    """Carry out commands of mpremote, lists of words, one after the other; return what they print.

    told: is called with each line as it comes. Raises Trouble with mpremote's own reason.
    """
    words = [word for command in commands for word in (*command, "+")][:-1]
    with tempfile.TemporaryFile("w+") as errors:
        # the board goes on as it is: without `resume` it would be reset first
        with subprocess.Popen(
            [sys.executable, "-m", "mpremote", "connect", port, "resume", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process:
            said = []
            for line in process.stdout:
                said.append(line)
                if told:
                    told(line)
        if process.returncode:
            errors.seek(0)
            lines = (errors.read() or "".join(said)).split("\n")
            raise Trouble([line.strip() for line in lines if line.strip()][-1])
    return "".join(said)


def flash(port, config=False, journal=False):
    """Copy the compiled firmware onto the board, verify every file, and start it.

    config: replace config.py too; journal: forget the matches. Raises Trouble.
    """
    try:
        there = json.loads(mpremote(port, [["exec", LIST]]))
    except (Trouble, ValueError) as error:
        raise Trouble(NO_PYTHON % (port, error)) from None
    files = compiled.firmware()
    if not config:
        files = {
            name: data for name, data in files.items() if name not in KEPT or name not in there
        }
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    old = [name for name in there if there[name] and is_old(name, files, journal)]
    copy(
        port, {name: data for name, data in files.items() if there.get(name) != sums[name]}, there
    )
    if old:
        mpremote(port, [["fs", "rm", *(":" + name for name in old)]])
    now = json.loads(mpremote(port, [["exec", LIST]]))
    wrong = [name for name in sums if now.get(name) != sums[name]]
    if wrong:
        wrong = ", ".join(wrong)
        raise Trouble("not as sent: %s. Try again; if it stays so, the flash is worn" % wrong)
    kept = [name for name in KEPT if name not in files]
    kept = ", %s kept" % " ".join(kept) if kept else ""
    print("%d files verified%s" % (len(files), kept))
    mpremote(port, [["reset"]])


def is_old(name, files, journal):
    """Whether a file on the board goes: of an older firmware, or of a journal to be forgotten."""
    if name.startswith("roundhouse/"):
        return name not in files
    return journal and name.startswith("journal/")


def copy(port, files, there):
    """Copy files, {path: bytes}, onto the board, with the folders that are not there yet."""
    if not files:
        return
    folders = {str(folder) for name in files for folder in PurePosixPath(name).parents} - {
        ".",
        *there,
    }
    commands = [["fs", "mkdir", ":" + folder] for folder in sorted(folders)]
    names = sorted(files)

    def told(line):
        if line.startswith("cp "):
            done.append(line)
            print("%2d of %d  %s" % (len(done), len(names), names[len(done) - 1]), flush=True)

    done = []
    with tempfile.TemporaryDirectory() as folder:
        for n, name in enumerate(names):
            path = Path(folder, str(n))
            path.write_bytes(files[name])
            commands.append(["fs", "cp", str(path), ":" + name])
        mpremote(port, commands, told)
