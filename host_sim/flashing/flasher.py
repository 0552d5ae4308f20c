# SPDX-License-Identifier: MIT
"""The firmware onto a Pico over USB: mpremote's commands copy, and every file is verified."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from host_sim.flashing import UserError
from host_sim.pico import compiled_firmware

KEPT = ("config.py",)  # on the board, unless told otherwise
NO_PYTHON = """%s does not answer as MicroPython (%s). Close other programs that use the port; if
that does not help, hold BOOTSEL while plugging it in and copy MicroPython's official RPI_PICO UF2
onto the drive RPI-RP2."""

WRONG_BOARD = """%s is a board of another kind (%s): Roundhouse runs on a Raspberry Pi Pico with
RP2040. Nothing was copied."""
TOO_OLD = """%s has MicroPython %s, which is too old: hold BOOTSEL while plugging it in and copy
MicroPython's official RPI_PICO UF2, 1.25 or newer, onto the drive RPI-RP2. The matches stay.
Nothing was copied."""
TOO_NEW = """%s has MicroPython %s, which reads other compiled files than this Roundhouse makes:
use a newer Roundhouse, or hold BOOTSEL while plugging it in and copy MicroPython's official
RPI_PICO UF2 1.25 onto the drive RPI-RP2. The matches stay. Nothing was copied."""
KEEPS = """This board was played at. A match that seats have joined keeps its rules, and so does
what was chosen at the hub: for HOUSE of config.py let the match end or forget it, and type
`house %s`; or flash with JOURNAL=1, which forgets it. An empty lobby takes config.py's."""
OLDEST = (1, 25)
MPY = 6  # the version of .mpy files that mpy-cross makes

# What runs on the board: prints what it is, [machine, version, .mpy version, firmware].
PROBE = """
import sys, json
what = sys.implementation
try:
    from roundhouse import VERSION
except Exception:
    VERSION = ""
print(json.dumps([getattr(what, "_machine", ""), list(what.version)[:3],
    getattr(what, "_mpy", 0) & 255, VERSION]))
"""
# The same: prints {path: SHA-256} of all that is there; a folder has "".
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

    told: is called with each line as it comes. Raises UserError with mpremote's own reason.
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
            try:
                for line in process.stdout:
                    said.append(line)
                    if told:
                        told(line)
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            errors.seek(0)
            lines = (errors.read() or "".join(said)).split("\n")
            raise UserError([line.strip() for line in lines if line.strip()][-1])
    return "".join(said)


def flash(port, config=False, journal=False):
    """Copy the compiled firmware onto the board, verify every file, and start it.

    config: replace config.py too; journal: forget the matches. Raises UserError, before anything
    is copied where it is the wrong board or its MicroPython too old.
    """
    before = probe(port)
    there = asked(port, LIST)
    files = compiled_firmware.firmware()
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
    now = asked(port, LIST)
    wrong = [name for name in sums if now.get(name) != sums[name]]
    if wrong:
        wrong = ", ".join(wrong)
        raise UserError("not as sent: %s. Try again; if it stays so, the flash is worn" % wrong)
    kept = [name for name in KEPT if name not in files]
    kept = ", %s kept (CONFIG=1 replaces it)" % " ".join(kept) if kept else ""
    print("%d files verified%s" % (len(files), kept))
    print(versions(before))
    if config and not journal and any(name.startswith("journal/") for name in there):
        import config as own

        print(KEEPS % own.HOUSE)
    mpremote(port, [["reset"]])


def asked(port, code):
    """Run code on the board; return the JSON value that its last line is. Raises UserError."""
    try:
        said = mpremote(port, [["exec", code]])
        return json.loads(said.strip().split("\n")[-1])
    except (UserError, ValueError) as error:
        raise UserError(NO_PYTHON % (port, error)) from None


def probe(port):
    """Return the version of the firmware that is on the board, "" where there is none. Raises
    UserError where Roundhouse does not run on it."""
    found = asked(port, PROBE)
    try:
        machine, version, mpy, firmware = found
        version = tuple(version[:3])
        told = ".".join(map(str, version))
    except (TypeError, ValueError):
        raise UserError(NO_PYTHON % (port, "it says %s" % (found,))) from None
    if "RP2040" not in machine:
        raise UserError(WRONG_BOARD % (port, machine or "no Pico"))
    if version < OLDEST or mpy != MPY:
        raise UserError(TOO_OLD % (port, told) if version < OLDEST else TOO_NEW % (port, told))
    return firmware


def versions(before):
    """Return the line that names the firmware's version, and the one before."""
    from roundhouse import VERSION

    if not before:
        return "Roundhouse %s" % VERSION
    return "Roundhouse %s%s" % (VERSION, "" if before == VERSION else ", it was %s" % before)


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
