# SPDX-License-Identifier: MIT
"""The program finds, reads and loses a hub on a serial line, here a simulated one."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import serial
from hub_actions import quick_hub
from page_clients import Browser, Counter, CounterApp, running

from host_sim.__main__ import main
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable, ShownTable
from host_sim.app.page.viewer import Viewer
from host_sim.app.people.name_store import NameStore, parse
from host_sim.app.server import hub_port, text_output
from host_sim.app.server.hub_port import HubPort, open_error
from host_sim.app.views.i18n import LANGUAGES, TABLE, Translator
from host_sim.board.hub.simulated_hub import configured
from host_sim.table.model import Moment
from host_sim.table.streams import HubStream

pty = pytest.importorskip("pty")
tty = pytest.importorskip("tty")
ROOT = Path(__file__).resolve().parents[2]


class HubOnWire:
    """A simulated hub whose console is a pseudo-terminal, `port`; `unplug` pulls the cable."""

    def __init__(self, board=None):
        self.board = board or quick_hub(configured(SET=6))
        self._told = len(self.board.lines)
        self.typed = b""
        self._wire, slave = pty.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        os.close(slave)

    def answer(self):
        """Carry out the commands that were typed, and write the hub's lines."""
        os.set_blocking(self._wire, False)
        try:
            self.typed += os.read(self._wire, 1000)
        except OSError:
            return  # nothing is typed, or the other end is gone
        *lines, self.typed = self.typed.split(b"\r\n")
        for line in lines:
            self.board.command(line.decode())
        self.tell()

    def tell(self):
        lines = self.board.lines[self._told :]
        self._told += len(lines)
        self.write("".join(json.dumps(line) + "\n" for line in lines).encode())

    def write(self, data):
        os.set_blocking(self._wire, True)
        os.write(self._wire, data)

    def unplug(self):
        os.close(self._wire)


@pytest.fixture
def wires(monkeypatch):
    """Return a list, empty at first, of the hubs that HubPort finds."""
    monkeypatch.setattr(hub_port, "SCAN_S", 0.02)
    monkeypatch.setattr(hub_port, "READ_S", 0.02)
    return []


@pytest.fixture
def line(wires):
    line = HubPort(lambda: [wire.port for wire in wires])
    yield line.start()
    line.close()


def until(done, wires=()):
    """Let hubs answer until done() is true."""
    for _ in range(2000):
        if done():
            return
        for wire in list(wires):
            wire.answer()
        threading.Event().wait(0.01)
    raise AssertionError("it did not come")


def polled(line, found):
    found += [said["input"] for said in line.poll()]
    return found


def test_a_hub_is_found_lost_and_found_again(line, wires):
    until(lambda: line.status() == ("usb.none", {}))
    found = []
    wires.append(HubOnWire())
    until(lambda: polled(line, found) and line.status()[0] == "usb.here", wires)
    assert found == ["state"]
    for seat in ("1", "2"):
        wires[0].board.press(seat)
    wires[0].tell()
    until(lambda: len(polled(line, found)) == 4, wires)
    assert found == ["state", "press 1", "press 2", "state"], "and then the lamps at rest"
    board = wires[0].board
    wires.pop().unplug()
    until(lambda: line.status()[0] == "usb.lost")
    line.send("this is said to nobody")
    wires.append(HubOnWire(board))
    until(lambda: polled(line, found) and len(found) == 5, wires)
    assert found[4] == "state" and line.status()[0] == "usb.here"


def test_junk_on_the_wire(line, wires):
    wires.append(HubOnWire())
    found = []
    until(lambda: polled(line, found) and line.status()[0] == "usb.here", wires)
    wires[0].write(b'\xff\xfe\n{"input": "half')
    wires[0].write(b' a line"}\n{"input": 5}\n[]\nMPY: soft reboot\r\n')
    wires[0].board.press("3")
    wires[0].tell()
    until(lambda: len(polled(line, found)) == 3, wires)
    assert found == ["state", "press 3", "state"]


def test_several_boards(line, wires):
    wires += [HubOnWire(), HubOnWire()]
    until(lambda: line.status()[0] == "usb.several")
    ports = [wire.port for wire in wires]
    assert line.status()[1] == {"ports": ", ".join(ports), "port": ports[0]}
    wires.pop().unplug()
    until(lambda: not line.poll() and line.status()[0] == "usb.here", wires)


def test_the_port_that_was_named(wires):
    wire = HubOnWire()
    line = HubPort(lambda: 1 / 0, wire.port).start()
    until(lambda: not line.poll() and line.status()[0] == "usb.here", [wire])
    line.close()
    line = HubPort(lambda: 1 / 0, "/dev/none-of-that-name").start()
    until(lambda: line.status()[0] == "usb.gone")
    line.close()


def test_a_callback_that_raises_does_not_end_the_thread_of_the_port(line, wires, capsys):
    raised = []

    def wake():
        raised.append(True)
        raise RuntimeError("planted")

    line.wake = wake
    wires.append(HubOnWire())
    until(lambda: raised, wires)
    line.wake = lambda: None
    found = []
    until(lambda: polled(line, found) and line.status()[0] == "usb.here", wires)
    assert "planted" in capsys.readouterr().err


def test_what_is_sent_at_the_end_is_written(wires):
    line = HubPort(lambda: [wire.port for wire in wires]).start()
    wires.append(HubOnWire())
    until(lambda: not line.poll() and line.status()[0] == "usb.here", wires)
    kept_open = os.open(wires[0].port, os.O_RDWR | os.O_NOCTTY)  # else the system drops what waits
    line.send("undo")
    line.close()
    until(lambda: "undo" in [said["input"] for said in wires[0].board.inputs], wires)
    os.close(kept_open)


def test_a_port_that_another_program_has(line, wires):
    wire = HubOnWire()
    with serial.Serial(wire.port, exclusive=True):
        wires.append(wire)
        until(lambda: line.status() == ("usb.busy", {"port": wire.port}))
    until(lambda: not line.poll() and line.status()[0] == "usb.here", wires)


def test_why_a_port_cannot_be_opened(tmp_path):
    port = tmp_path / "port"
    port.touch()
    denied = serial.SerialException(errno.EACCES, "could not open port")
    key, values = open_error(port, denied)
    assert key == "usb.denied" and values == {"group": port.group()}
    assert open_error("COM3", serial.SerialException("PermissionError(13, ...)"))[0] == "usb.busy"
    assert open_error(port, serial.SerialException(errno.EBUSY, ""))[0] == "usb.busy"
    assert open_error(port, serial.SerialException(errno.ENOENT, ""))[0] == "usb.gone"
    assert open_error(port, OSError(errno.EIO, "odd\nthing")) == (
        "usb.odd",
        {"error": "[Errno %d] odd" % errno.EIO},
    )
    filled = {"port": "P", "ports": "P, Q", "group": "G", "error": "E"}
    for row in TABLE["en"]["usb"]:
        for language in LANGUAGES:
            said = Translator(language)("usb." + row, **filled)
            assert said.endswith((".", "?", "P"))


class Answering:
    """A context manager that lets a hub answer in a thread while the test reads."""

    def __init__(self, wire):
        self.wire = wire
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._ends.wait(0.02):
            self.wire.answer()

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()


def watching(wire, folder, *more):
    """Start `watch` with Ana at station 4; return its process once it has found the hub."""
    command = ["watch", wire.port, "--lang", "en", "--names", "4=Ana", *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "host_sim", *command],
        cwd=ROOT,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    first = process.stdout.readline()
    with Answering(wire):
        said = first
        while "The hub is here" not in said:
            said = process.stdout.readline()
            assert said, "it has ended"
    return process, first


# ---- on the page ----


class Wired(Counter):
    """A table that counts the console lines that it receives from a hub."""

    def __init__(self, source):
        super().__init__()
        self.source = source

    def due(self):
        return self.source.due()

    def step(self):
        self.moments += [Moment(line) for line in self.source.poll()]
        self.count = len(self.moments)
        self.version += 1


def test_two_viewers_watch_a_hub_and_its_cable_is_pulled(line, wires):
    table = Wired(line)
    with running(CounterApp(table)) as server:
        line.wake = server.broadcaster.wake
        wires.append(HubOnWire())
        viewers = [Browser(server.port), Browser(server.port, lang="fr")]
        until(lambda: table.count == 1, wires)
        wires[0].board.press("4")
        wires[0].tell()
        until(lambda: table.count == 3, wires)
        board = wires[0].board
        wires.pop().unplug()
        until(lambda: line.status()[0] == "usb.lost")
        wires.append(HubOnWire(board))
        until(lambda: table.count == 4, wires)
        for viewer in viewers:
            viewer.until(lambda viewer=viewer: viewer.shown["count"] == "4")


def test_the_command_shows_a_hub_on_the_page(tmp_path):
    wire = HubOnWire()
    process, first = watching(wire, tmp_path, "--no-browser")
    viewer = Browser(int(re.search(r":(\d+)/", first)[1]))
    before = dict(viewer.shown)
    wire.board.press("4")
    wire.tell()
    assert "Ana" in process.stdout.readline()
    viewer.until(lambda: viewer.shown != before)
    wire.unplug()
    assert "unplugged" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert out.split() == ["Stopped."]


# ---- names ----


def test_names_of_the_command_line():
    assert parse("1=Ana,3=Bo") == {"1": "Ana", "3": "Bo"}
    assert parse(" 2 = Zo\u00eb ") == {"2": "Zo\u00eb"} and parse("") == {}
    for wrong in ("Ana", "x=Ana", "0=Ana", "15=Ana", "3=", "1=Ana,,2", "\u00b2=Ana"):
        with pytest.raises(ValueError, match="seat from 1 to 14"):
            parse(wrong)


def test_names_are_kept(tmp_path):
    folder = tmp_path / "new"
    kept = NameStore(folder)
    assert kept.names == {}
    kept.save({})
    assert not folder.exists(), "nothing to keep"
    kept.save({"3": "Zo\u00eb"})
    assert NameStore(folder).names == {"3": "Zo\u00eb"}
    for junk in ("", "[]", "5", '{"x": "Ana"}', '{"3": {}}', '{"99": "Ana"}', "[" * 99999):
        (folder / "names.json").write_text(junk)
        assert NameStore(folder).names == {}


# ---- as lines of text ----


@pytest.mark.parametrize("ends", ["the pipe it is typed on", "Ctrl-C", "the pipe it tells on"])
def test_the_story_as_lines(tmp_path, ends):
    wire = HubOnWire()
    process, _ = watching(wire, tmp_path, "--plain")
    wire.board.press("4")
    wire.tell()
    line = process.stdout.readline()
    assert "Ana" in line and "\x1b" not in line
    assert NameStore(tmp_path / "roundhouse").names == {"4": "Ana"}
    if ends == "Ctrl-C":
        process.send_signal(signal.SIGINT)
    elif ends == "the pipe it is typed on":
        process.stdin.close()
    else:
        process.stdout.close()
    assert process.wait(20) == 0
    assert process.stderr.read() == ""


def test_a_hub_that_hinders_is_told_of_once():
    source, out = HubStream(), io.StringIO()
    told = text_output.StoryPrinter("de", out, source)
    table = ShownTable()
    for _ in range(3):
        told(table)
    assert out.getvalue() == Translator("de")("usb.looking") + "\n"
    source.set_status("usb.none")
    told(table)
    assert out.getvalue().splitlines()[1].startswith("Kein Hub gefunden: steck")


@pytest.mark.parametrize("burst", [1, 3, 8])
def test_a_hub_that_is_watched_for_long_is_not_kept_for_ever(monkeypatch, burst):
    """A line is shown once on the page and once in the terminal, and later dropped from memory."""
    monkeypatch.setattr(ShownTable, "most", 8)
    source, out = HubStream(), io.StringIO()
    source.set_status("usb.none")
    app = App(LiveTable(source))
    viewer, printer = Viewer(app, Rights()), text_output.StoryPrinter("en", out, source)
    printer(app)
    slots = [str(1 + n // 2 % 10) for n in range(120)]
    words = ["stuck" if n % 2 else "ok" for n in range(120)]
    on_page = []
    for n in range(0, 120, burst):
        for slot, word in zip(slots[n : n + burst], words[n : n + burst]):
            source.received(b'{"slot": "%s", "button": "%s"}\n' % (slot.encode(), word.encode()))
        app.step()
        viewer.follower.news = ([], False)
        viewer.follow()
        on_page += [sentence.text for sentence in viewer.follower.news[0]]
        printer(app)
        assert len(app.moments) <= 16
    wanted = [
        "The button at station %s %s" % (slot, "is stuck." if word == "stuck" else "works again.")
        for slot, word in zip(slots, words)
    ]
    assert on_page == wanted
    assert [line for line in out.getvalue().splitlines() if "button" in line] == wanted
    assert app.forgotten + len(app.moments) == 120


def test_inputs_long_ago_are_not_kept_to_be_taken_back(monkeypatch):
    monkeypatch.setattr(ShownTable, "most", 8)
    board, table = quick_hub(configured()), ShownTable()
    for _ in range(20):
        table.take(board.press("1"))
    assert len(table.moments) <= 16 and len(table.model.standing) <= 16


def test_the_terminals_language():
    assert text_output.terminal_language({}) == "en"
    assert text_output.terminal_language({"LANG": "de_CH.UTF-8"}) == "de"
    assert text_output.terminal_language({"LC_ALL": "C", "LANG": "fr_FR"}) == "en"


def test_words_that_are_no_names(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["watch", "--plain", "--names", "Ana"])
    assert ended.value.code == 2
    assert "1=Ana" in capsys.readouterr().err


def test_a_file_that_is_no_export(tmp_path, monkeypatch, capsys):
    poem = tmp_path / "poem.txt"
    for data in (b"roses are red\n", b"\xff\x00\x80", b""):
        poem.write_bytes(data)
        assert main(["replay", str(poem), "--lang", "en"]) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith("%s is not a match that a hub exported." % poem)
    assert main(["replay", str(tmp_path), "--lang", "de"]) == 2
    assert "l\u00e4sst sich nicht lesen" in capsys.readouterr().err
