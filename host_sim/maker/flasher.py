# SPDX-License-Identifier: MIT
"""Copy the firmware onto a Pico over USB with mpremote, and verify every file."""

import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from host_sim.board.pico import build_firmware
from host_sim.maker import CommandError

KEPT = ("config.py",)  # stays on the board unless it is to be replaced
NO_PYTHON = """%s does not answer as MicroPython (%s). Close other programs that use the port; if
that does not help, hold BOOTSEL while plugging it in and copy MicroPython's official RPI_PICO UF2
onto the drive RPI-RP2."""

WRONG_BOARD = """%s is a board of another kind (%s): Roundhouse runs on a Raspberry Pi Pico with
RP2040. Nothing was copied."""
PICO_2 = "%s is a Pico 2: Roundhouse needs a Pico or Pico W, with RP2040. Nothing was copied."
IMAGE = """MicroPython and Roundhouse %s are in one image on this board, which comes before files.
To change or update the firmware, drag the file of `make uf2` onto the drive RPI-RP2."""
TOO_OLD = """%s has MicroPython %s, which is too old: hold BOOTSEL while plugging it in and copy
MicroPython's official RPI_PICO UF2, 1.25 or newer, onto the drive RPI-RP2. The matches stay.
Nothing was copied."""
TOO_NEW = """%s has MicroPython %s, which reads other compiled files than this Roundhouse makes:
use a newer Roundhouse, or hold BOOTSEL while plugging it in and copy MicroPython's official
RPI_PICO UF2 1.25 onto the drive RPI-RP2. The matches stay. Nothing was copied."""
KEEPS = """This board was played at. A match that seats have joined keeps its rules, and so does
what was chosen at the hub: for HOUSE of config.py let the match end or forget it, and type
`house %s`; or flash with JOURNAL=1, which forgets it. An empty lobby takes config.py's."""
WRONG_CONFIG = "%s; this Python reads it, the board's does not. Correct it. Nothing was copied."
DIFFERS = """
ATTENTION: the config.py on this board was kept, and it is not the one here:
%s
The hub goes by the one on the board. To replace it by the one here, type
    make flash CONFIG=1"""
OLDEST = (1, 25)
# SHA-256 of each main.py of earlier versions
OLD_MAINS = ("3f7e15b6e58d1b61d70e7f4a6b9c6682c530e44a5b75f52e933e566cf5aa8dd2",)  # 1.0.0
MPY = 6  # the version of .mpy files that mpy-cross makes

# Code for the board: prints [machine, version, .mpy version, firmware, whether it is frozen].
PROBE = """
import sys, json
what = sys.implementation
sys.path.insert(0, ".frozen")
try:
    import roundhouse
    found = [roundhouse.VERSION, getattr(roundhouse, "FROZEN", False)]
except Exception:
    found = ["", False]
print(json.dumps([getattr(what, "_machine", ""), list(what.version)[:3],
    getattr(what, "_mpy", 0) & 255] + found))
"""
# Code for the board: prints {path: SHA-256} of all files; a folder has "".
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
# Code for the board: prints the bytes of config.py in hex.
READ_CONFIG = """
import json, binascii
with open("config.py", "rb") as config:
    print(json.dumps(binascii.hexlify(config.read()).decode()))
"""


def mpremote(
    port: str,
    commands: Iterable[Iterable[str]],
    on_line: Callable[[str], object] | None = None,
) -> str:
    """Run mpremote commands on the board connected to a serial port, and return their output.
    Raises CommandError with the reason that mpremote printed."""
    words = [word for command in commands for word in (*command, "+")][:-1]
    with tempfile.TemporaryFile("w+") as errors:
        # `resume`: without it the board would be reset first
        with subprocess.Popen(
            [sys.executable, "-m", "mpremote", "connect", port, "resume", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process:
            output = []
            try:
                for line in process.stdout or ():
                    output.append(line)
                    if on_line:
                        on_line(line)
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            errors.seek(0)
            lines = (errors.read() or "".join(output)).split("\n")
            raise CommandError([line.strip() for line in lines if line.strip()][-1])
    return "".join(output)


def flash(port: str, replace_config: bool = False, forget_matches: bool = False) -> None:
    """Copy the compiled firmware onto the board, verify every file, and start the firmware. Also
    remove files of older versions. If the board's image contains the firmware, only config.py is
    copied.

    forget_matches: whether to delete the board's journal

    Raises CommandError if the board or its MicroPython is unsuitable (nothing was copied), or if a
    file differs after copying.
    """
    before, frozen = installed_version(port)
    there = run_json(port, LIST)
    firmware = build_firmware.firmware()
    files = {
        name: data
        for name, data in firmware.items()
        if (name in KEPT or not frozen)
        and (replace_config or name not in KEPT or name not in there)
    }
    wrong_config = build_firmware.why_not_compiled(files.get("config.py", b""))
    if wrong_config:
        raise CommandError(WRONG_CONFIG % wrong_config)
    sums = {name: _sha256(data) for name, data in files.items()}
    old = [name for name in there if is_old(name, there[name], files, forget_matches)]
    if frozen and there.get("main.py") in (*OLD_MAINS, _sha256(firmware["main.py"])):
        old.append("main.py")
    copy(
        port, {name: data for name, data in files.items() if there.get(name) != sums[name]}, there
    )
    remove(port, old, there)
    now = run_json(port, LIST)
    wrong = [name for name in sums if now.get(name) != sums[name]]
    if wrong:
        text = "not as sent: %s. Try again; if it stays so, the flash is worn"
        raise CommandError(text % ", ".join(wrong))
    kept = [name for name in KEPT if name not in files]
    remark = ", %s kept (CONFIG=1 replaces it)" % " ".join(kept) if kept else ""
    print("%d files verified%s" % (len(files), remark))
    if frozen:
        if old:
            print("%d files of an older version removed" % len(old))
        print(IMAGE % before)
    else:
        print(version_line(before))
    if kept and there["config.py"] != _sha256(firmware["config.py"]):
        board = bytes.fromhex(run_json(port, READ_CONFIG))
        print(DIFFERS % "\n".join(differences(board, firmware["config.py"])))
    if (
        replace_config
        and not forget_matches
        and any(name.startswith("journal/") for name in there)
    ):
        import config

        print(KEEPS % config.HOUSE)
    mpremote(port, [["reset"]])


def differences(board: bytes, here: bytes) -> list[str]:
    """Return a line of text for each setting that differs between two config.py files."""
    try:
        there, ours = _settings(board), _settings(here)
    except (SyntaxError, ValueError):  # a null byte is a ValueError
        return ["    the one on the board has a mistake"]
    lines = [
        "    %s = %s on the board, %s here"
        % (name, there.get(name, "missing"), ours.get(name, "missing"))
        for name in dict.fromkeys((*ours, *there))
        if there.get(name) != ours.get(name)
    ]
    return lines or ["    the settings are the same, the text around them is not"]


def _settings(text: bytes) -> dict[str, str]:
    """Return {name: value as Python writes it} for all settings in a config.py file."""
    return {
        target.id: ast.unparse(line.value)
        for line in ast.parse(text).body
        if isinstance(line, ast.Assign)
        for target in line.targets
        if isinstance(target, ast.Name)
    }


def run_json(port: str, code: str) -> Any:
    """Run code on the board and return the JSON value that the code prints last. Raises
    CommandError if the code fails."""
    try:
        output = mpremote(port, [["exec", code]])
        return json.loads(output.strip().split("\n")[-1])
    except (CommandError, ValueError) as error:
        raise CommandError(NO_PYTHON % (port, error)) from None


def installed_version(port: str) -> tuple[str, bool]:
    """Return (version, frozen) of the firmware on the board.

    version: the version, or "" for a board without the firmware
    frozen: whether the firmware is part of the board's image

    Raises CommandError if Roundhouse does not run on that board or on its MicroPython.
    """
    found = run_json(port, PROBE)
    try:
        machine, version, mpy, firmware, frozen = found
        version = tuple(version[:3])
        name = ".".join(map(str, version))
    except (TypeError, ValueError):
        raise CommandError(NO_PYTHON % (port, "it printed %s" % (found,))) from None
    if "RP2350" in machine:
        raise CommandError(PICO_2 % port)
    if "RP2040" not in machine:
        raise CommandError(WRONG_BOARD % (port, machine or "no Pico"))
    if version < OLDEST or mpy != MPY:
        raise CommandError((TOO_OLD if version < OLDEST else TOO_NEW) % (port, name))
    return str(firmware), bool(frozen)


def version_line(before: str) -> str:
    """Return a line of text that names the new version, and the previous one if it differs."""
    from roundhouse import VERSION

    if not before:
        return "Roundhouse %s" % VERSION
    return "Roundhouse %s%s" % (VERSION, "" if before == VERSION else ", it was %s" % before)


def is_old(name: str, checksum: str, files: Mapping[str, bytes], forget_matches: bool) -> bool:
    """Return whether a file on the board must be removed: a module in the folder roundhouse that
    is not in `files` or, if `forget_matches` is true, a file of the journal.

    checksum: "" for a folder
    """
    if not checksum:
        return False
    if name.startswith("roundhouse/") and name.endswith((".mpy", ".py")):
        return name not in files
    return forget_matches and name.startswith("journal/")


def remove(port: str, old: Sequence[str], there: Mapping[str, str]) -> None:
    """Remove files from the board, and then the firmware's empty folders.

    there: {path: checksum} of all that is on the board, with "" for a folder
    """
    if not old:
        return
    commands = [["fs", "rm", *(":" + name for name in old)]]
    left = [name for name in there if there[name] and name not in old]
    for folder in sorted((name for name in there if not there[name]), reverse=True):
        ours = folder == "roundhouse" or folder.startswith("roundhouse/")
        if ours and not any(name.startswith(folder + "/") for name in left):
            commands.append(["fs", "rmdir", ":" + folder])
    mpremote(port, commands)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def copy(port: str, files: Mapping[str, bytes], there: Iterable[str]) -> None:
    """Copy files, {path: content}, onto the board, and make the folders that are missing."""
    if not files:
        return
    folders = {str(folder) for name in files for folder in PurePosixPath(name).parents} - {
        ".",
        *there,
    }
    commands = [["fs", "mkdir", ":" + folder] for folder in sorted(folders)]
    names = sorted(files)

    def count(line: str) -> None:
        if line.startswith("cp "):
            done.append(line)
            print("%2d of %d  %s" % (len(done), len(names), names[len(done) - 1]), flush=True)

    done: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for n, name in enumerate(names):
            path = Path(folder, str(n))
            path.write_bytes(files[name])
            commands.append(["fs", "cp", str(path), ":" + name])
        mpremote(port, commands, count)
