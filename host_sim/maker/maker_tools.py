# SPDX-License-Identifier: MIT
"""For makers, over USB: put the firmware onto a Pico, try its parts, write a set of tags.

    python -m host_sim flash [--port P] [--config] [--journal]
    python -m host_sim uf2 [FILE]
    python -m host_sim selftest [--port P]
    python -m host_sim tags [--port P] [--set N] [--slot S] [--lock]
    python -m host_sim tag TEXT

mpremote does the copying; everything else is lines to the hub's own console.
"""

import hashlib
import json
import sys
import time
from pathlib import Path

import serial
from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport
from serial.tools import list_ports

from host_sim.chips import flash_image
from host_sim.pico import compiled
from roundhouse import tags as ndef
from roundhouse import tiles, writing

RASPBERRY = 0x2E8A  # USB vendor of a Pico that runs MicroPython
ROOT = compiled.ROOT
PATIENCE_S = 5  # for the hub's answer
KEPT = ("config.py",)  # on the board, unless told otherwise

NO_BOARD = """no Pico found. Plug it in with a cable that carries data. A new Pico has no
MicroPython yet: hold BOOTSEL while plugging it in, and copy MicroPython's official RPI_PICO UF2
(1.25 or newer) onto the drive RPI-RP2 that appears; then try again. `make uf2` wants no tools."""
SEVERAL = "several boards: %s. Say which one: PORT=%s"
NO_PYTHON = """%s does not answer as MicroPython (%s). Close other programs that use the port; if
that does not help, hold BOOTSEL while plugging it in and copy MicroPython's official RPI_PICO UF2
onto the drive RPI-RP2."""
UF2_SAYS = """%s: %d KiB. Hold BOOTSEL while plugging the Pico in and copy MicroPython's official
RPI_PICO UF2 onto the drive RPI-RP2; then the same again with this file. It replaces config.py and
the journal."""
TEST_SAYS = """first all pixels red, green, blue, then one light through all of them. Then press
every button and lay a tag on every slot; hold a button for a second to end."""
FOR_EVER = """every tag will be locked: it can never be written again, not even by you. Type
`for ever` to go on: """
NO_TEXT = """%r is no text the hub knows. It is a tile 12-7, or a card: `seat 3`, undo, override,
next, scores, `house NAME [VARIANT...]`, `set N`"""


class Trouble(Exception):
    """Something a maker can put right; the text says how."""


def find_port(port=None, ports=None):
    """Return the port to use: the one named, or the only Pico there is. Raises Trouble."""
    if port:
        return port
    found = [
        p.device for p in (list_ports.comports() if ports is None else ports) if p.vid == RASPBERRY
    ]
    if not found:
        raise Trouble(NO_BOARD)
    if len(found) > 1:
        raise Trouble(SEVERAL % (", ".join(found), found[0]))
    return found[0]


# ---- flash ----


def flash(port=None, config=False, journal=False, out=sys.stdout):
    """Copy the compiled firmware onto the board, verify every file, and start it."""
    port = find_port(port)
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
                print("%2d of %d  %s" % (n, len(files), name), file=out)
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
        print("%d files verified%s" % (len(files), kept), file=out)
        board.exec_raw_no_follow("import machine; machine.reset()")
    finally:
        board.close()
    print("the hub starts; hold any of its buttons at power-up for the self-test", file=out)
    return 0


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


def uf2(path=None, out=sys.stdout):
    """Write the file system as a UF2 beside MicroPython's own: both are dragged onto the board."""
    path = Path(path or ROOT / "build" / "roundhouse.uf2")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(flash_image.uf2(flash_image.pack(compiled.firmware())))
    print(UF2_SAYS % (path, path.stat().st_size // 1024), file=out)
    return 0


# ---- a hub's console ----


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


def selftest(port=None, out=sys.stdout, seconds=600):
    """Start the self-test, print what it finds, and a table at the end."""
    hub = HubConsole(find_port(port))
    hub.ask("selftest")
    print(TEST_SAYS, file=out)
    parts = {}
    for line in hub.lines(seconds):
        if "slot" in line:
            for part in ("reader", "button", "tag"):
                if part in line:
                    parts.setdefault(line["slot"], {})[part] = line[part]
                    print("slot %-2s %-6s %s" % (line["slot"], part, line[part]), file=out)
        elif line.get("selftest") == "end":
            print("\nslot  reader  button  tag", file=out)
            for slot in [*map(str, range(1, 11)), "M", "E"]:
                if slot in parts:
                    got = [parts[slot].get(part, "-") for part in ("reader", "button", "tag")]
                    print("%-4s  %-6s  %-6s  %s" % (slot, *got), file=out)
            broken = line["readers"]
            print("readers that do not answer: %s" % (" ".join(broken) or "none"), file=out)
            return 1 if broken else 0
    raise Trouble("the self-test did not end within %d s" % seconds)


# ---- tags ----


def tag(text, out=sys.stdout):
    """Print the pages of a tag that carries a text, for who writes it with something else."""
    meaning = ndef.parse(text)
    if not meaning:
        raise Trouble(NO_TEXT % text)
    data = writing.message(text)
    print("one NDEF Text record; pages of an NTAG213, 215 or 216:", file=out)
    for at in range(0, len(data), 4):
        print("page %2d  %s" % (4 + at // 4, data[at : at + 4].hex(" ")), file=out)
    return 0


def tags(port=None, set_=12, slot="E", progress=None, ask=input, out=sys.stdout, lock=False):
    """Walk through writing a set, one tag for every tile; go on where the last time ended.

    progress: the file that remembers what is written. ask: reads a line, "" goes on, "s" skips,
    "q" ends, and at the beginning "a" starts anew. lock: make every tag read-only once it is
    written, which is asked for again here, since it is for ever.
    """
    if lock and ask(FOR_EVER) != "for ever":
        print("nothing was locked or written", file=out)
        return 0
    hub = HubConsole(find_port(port))
    progress = Path(progress or ROOT / "build" / ("tags-%d.txt" % set_))
    progress.parent.mkdir(parents=True, exist_ok=True)
    written = progress.read_text().split() if progress.exists() else []
    wanted = [tiles.text(t) for t in range(tiles.size(set_))]
    if written:
        there = "%d of %d are written. Enter goes on, a starts anew: "
        if ask(there % (len(written), len(wanted))) == "a":
            written = []
    for n, text in enumerate(wanted, 1):
        if text in written:
            continue
        lay = "%d of %d: lay a tag for %s on %s, then Enter (s skips, q ends): "
        while True:
            said = ask(lay % (n, len(wanted), text, slot))
            if said == "q":
                return 0
            if said == "s":
                break
            answer = hub.ask("write %s %s" % (text, slot))
            if answer.get("verdict") != "ok":
                print(answer.get("error", answer.get("verdict")), file=out)
                continue
            if lock:
                hub.ask("lock %s" % slot)
                answer = hub.ask("lock %s" % slot)
                if answer.get("verdict") != "ok":
                    print("written, not locked: %s" % answer.get("error"), file=out)
            if text not in written:
                written.append(text)
                progress.write_text("\n".join(written) + "\n")
            if ask("written and read back. A second one for its other side? y or Enter: ") != "y":
                break
    print("%d of %d tiles have a tag" % (len(written), len(wanted)), file=out)
    return 0
