# SPDX-License-Identifier: MIT
"""config.py of a real hub, read and changed from the page."""

import contextlib
import json
import os
import random
import re
import time
import types
from pathlib import Path

import pytest
from hub_actions import quick_hub

import roundhouse
from host_sim.app.page import hub_settings
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.views.i18n import TABLE
from host_sim.board.chips import flash_image
from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulator import IMAGE
from host_sim.board.pico.pty_port import HubOnPty
from host_sim.table.raw_repl import START
from host_sim.table.streams import HubStream

SHIPPED = Path(roundhouse.__file__).parent.parent / "config.py"
SAYS = TABLE["en"]["hub_config"]


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("", ""),
        ('"""Ours."""\nBRIGHTNESS = 60  # dim\nSTATIONS = (1, 2, 4)\n', ""),
        ("BRIGHTNES = 60\n", "BRIGHTNES"),
        ("BRIGHTNESS = 600\n", "BRIGHTNESS"),
        ("BRIGHTNESS = \n", "line 1: "),
        ("SET = 9\nimport os\n", "line 2: NAME = value"),
        ("SET = open('x')\n", "line 1: SET = a plain value"),
        ("SET = BRIGHTNESS = 9\n", "line 1: NAME = value"),
        ('\nHOUSE = "\\N{LATIN SMALL LETTER P}uremco"\n', "line 2: \\N in a text"),
        ('HOUSE = "puremco"  # \\N{DASH}\n', ""),
        ('HOUSE = r"\\N"\n', "HOUSE"),
        ('HOUSE = B"puremco"\n', 'line 1: B"'),
        ("\x0cSET = 12\n", "line 1: delete the hidden character U+000C"),
        ("\ufeffSET = 12\n", "line 1: delete the hidden character U+FEFF"),
        ("SET = 12\n\0", "line 2: delete the hidden character U+0000"),
        ("\uff33\uff25\uff34 = 12\n", "line 1: \uff33\uff25\uff34; type it in plain letters"),
        ("SET = \u0661\u0662\n", "line 1: "),
        ('FAMILY = {["idaho"]: ("jassshop", {})}\n', "line 1: FAMILY = a plain value"),
        ("SET = " + "-" * 15_000 + "1\n", "line 1: "),
        ("SET = " + "(" * 15_000 + "\n", "line 1: "),
        ("SET = " + "9" * 5_000 + "\n", "line 1: "),
        ("__class__ = 5\n", "line 1: there is no setting __class__"),
        ("SET = {**{}}\n", "line 1: SET = a plain value"),
        ("# " + "x" * 16384 + "\n", "at most 16384"),
    ],
    ids=lambda value: value[:30],
)
def test_a_mistake_is_named_before_anything_is_written(text, wrong):
    found = hub_settings.mistake(text)
    assert wrong in found and bool(found) == bool(wrong)


def bent(draw, text):
    """Return the text of a config.py with a few of its pieces replaced by strange ones."""
    pieces = re.split(r"(\W)", text)
    for _ in range(draw.choice((1, 1, 2, 3))):
        pieces[draw.randrange(len(pieces))] = draw.choice(STRANGE)
    return "".join(pieces)


STRANGE = (
    *("", " ", "\t", "\n", "\r", "\x0b", "\x0c", "\x1f", "\xa0", "\xe9", "\u2028", "\u3000"),
    *(
        "\uff19",
        "\uff08",
        "\u0669",
        "'",
        '"',
        '"""',
        "\\",
        "\\N",
        "\\N{DASH}",
        "\\x",
        "\\u00e9",
        "#",
    ),
    *(
        "1_0",
        "0x1F",
        "0B11",
        "0o17",
        "017",
        "1e3",
        "1E3",
        "1j",
        "10j",
        "True",
        "None",
        "...",
        "lambda",
    ),
    *("r'a'", "R'a'", "u'a'", "b'a'", "Rb'a'", "f'a'", "'a' 'b'", "'a' b'b'", "-1", "+1", "not 1"),
    *("(", ")", "[", "]", "{", "}", ",", ":", ";", "=", ":=", "*", "**", "@", "!", "$", "?"),
)


def test_what_is_written_can_be_read_by_the_board():
    """MicroPython's own compiler reads each text in which no mistake is found."""
    draw = random.Random(4)
    text = 'HOUSE = "puremco"\nSTATIONS = (1, 2, 4)  # left out: 3\nSET = 12\nSOUND = True\n'
    texts = {bent(draw, text) for _ in range(3000)}
    good = [one for one in sorted(texts) if not hub_settings.mistake(one)]
    assert 200 < len(good) < len(texts) / 2
    for one in good:
        assert build_firmware.why_not_compiled(one.encode()) == "", one


@pytest.mark.parametrize(
    "line", ["open('it-ran', 'w').close()", "SET = open('it-ran', 'w')", "import it_ran", "\xff"]
)
def test_a_boards_config_is_not_executed_here(tmp_path, monkeypatch, line):
    """The emulated Pico at a port is wired by the config.py in its flash."""
    monkeypatch.chdir(tmp_path)
    found = {"config.py": SHIPPED.read_bytes() + ("\nSTATIONS = 4\n" + line).encode("latin-1")}
    emulator = types.SimpleNamespace(read_files=lambda: flash_image.pack(found))
    hub = types.SimpleNamespace(emulator=emulator, config=configured())
    assert not HubOnPty._follow_config(hub)
    assert not list(tmp_path.iterdir()) and hub.config.STATIONS == configured().STATIONS


def test_the_config_that_ships_can_be_written():
    assert hub_settings.mistake(SHIPPED.read_text()) == ""


def test_the_program_writes_the_text_byte_for_byte(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.py").write_text("SET = 6\n")
    text = SHIPPED.read_text() + "# Größe\n"
    exec(hub_settings.write_program(text), {})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"config.py": text}
    exec(hub_settings.write_program(""), {})
    assert (tmp_path / "config.py").read_bytes() == b""


class Board:
    """The page of a hub's owner, connected to a simulated hub that also has MicroPython's
    prompt."""

    def __init__(self):
        self.source = HubStream()
        self.app = App(LiveTable(self.source, {}))
        self.source.opened("COM3")
        self.board = quick_hub(configured())
        self.source.received(self.line(self.board.command("state")))
        self.app.step()
        self.page = ViewerPage(self.app, Rights(owner=True), "en")

    @staticmethod
    def line(said):
        return json.dumps(said).encode() + b"\n"

    def answers(self, output=b"", wrong=b""):
        """Answer the page as MicroPython's prompt does; return the program that the page sent.

        output: what the program prints
        wrong: the error that the program raises, as MicroPython prints it
        """
        sent = self.source.take_output()
        if sent == b"\r\x03":
            self.source.received(b"\r\n>>> ")
            return self.answers(output, wrong)
        if sent == b"\r\x01":
            self.source.received(b"raw REPL; CTRL-B to exit\r\n>")
            return self.answers(output, wrong)
        self.source.received(b"OK%s\x04%s\x04>" % (output, wrong))
        self.app.step()
        return sent.decode()

    def does(self, action, **fields):
        assert self.page.handle({"do": action, "fields": fields})
        self.app.step()

    def shows(self):
        return re.sub("<[^>]+>", " ", str(self.page.components()["dialog"])).strip()


@pytest.fixture
def board():
    board = Board()
    board.does("open hub-config")
    board.does("hub-config read")
    return board


def test_it_is_read_changed_and_written(board):
    assert SAYS["reading"].replace("...", "…") in board.shows()
    assert "config.py" in board.answers(b"SET = 9\n".hex().encode() + b"\r\n")
    assert "SET = 9" in board.shows()
    board.does("hub-config write", text="SET = 8\r\n")
    assert "SET" in board.shows() and "Not written" in board.shows()
    assert "SET = 8" in board.shows(), "what was typed stays"
    assert board.source.take_output() == b""
    board.does("hub-config write", text="SET = 12\r\n")
    assert b"SET = 12\n".hex() in board.answers()
    assert board.source.take_output().startswith(b"import machine\nmachine.reset()")
    board.source.received(board.line(board.board.command("state")))
    board.app.step()
    assert SAYS["written"] in board.shows()


@pytest.mark.parametrize(
    "text",
    ["", "SET = 9", 'WIRING = "breadboard"\nHOUSE = "free"  # ours\n', SHIPPED.read_text()],
)
def test_what_is_missing_is_added_with_its_default(text):
    added = hub_settings.lines_to_add(text)
    assert (added == "") == (text == SHIPPED.read_text())
    whole = text + "\n" + added
    assert hub_settings.lines_to_add(whole) == "" == hub_settings.mistake(whole)
    assert ("STATIONS = 8\n" in added) == text.startswith("WIRING")
    assert hub_settings.lines_to_add("SET = \n") == "", "it has to be corrected first"


def test_a_click_adds_what_is_missing(board):
    board.answers(b"SET = 9\n".hex().encode() + b"\r\n")
    assert SAYS["add"] in board.shows()
    board.does("hub-config add", text="SET = 6\r\n")
    shown = board.shows()
    assert "SET = 6\n" in shown and "\nBRIGHTNESS = " in shown and "SET = 9" not in shown
    assert SAYS["add"] not in shown
    assert board.source.take_output() == b"", "nothing is written yet"


def test_a_hub_without_one_is_shown_an_empty_one(board):
    board.answers(b"none\r\n")
    assert "takes the defaults" in board.shows()
    board.does("hub-config leave")
    assert board.source.take_output().startswith(b"import machine")


@pytest.mark.parametrize(
    "data, says",
    [
        (b"SET = 12\n# caf\xe9\n", "line 2 is not UTF-8"),
        (b"# notes\n" * 3000 + b"SET = 12\n", "it has 24009 characters"),
    ],
)
def test_what_could_not_be_written_back_is_not_shown_to_be_changed(board, data, says):
    board.answers(data.hex().encode())
    assert board.source.take_output().startswith(b"import machine")
    board.source.received(board.line(board.board.command("state")))
    board.app.step()
    assert says in board.shows() and "<textarea" not in str(board.page.components()["dialog"])


@pytest.mark.parametrize(
    "heard",
    [
        b'{"error": "config.py: there is no setting SETT"}\n',
        b'{"stopped": "by Ctrl-C"}\n',
        b"MicroPython v1.26.1\r\n>>> ",
    ],
)
def test_a_hub_that_prints_no_state_has_settings_too(heard):
    source = HubStream()
    app = App(LiveTable(source, {}))
    source.opened("COM3")
    page = ViewerPage(app, Rights(True, "own"), "en")
    app.step()
    source.received(heard)
    app.step()
    page.handle({"do": "open hub"})
    assert 'data-do="open hub-config"' in page.components()["dialog"]
    page.handle({"do": "open hub-config"})
    source.take_output()
    assert page.handle({"do": "hub-config read"})
    assert source.take_output() == b"\r\x03"


@pytest.mark.parametrize("heard", [b'{"stopped": "by Ctrl-C"}\n', b"MicroPython v1.26.1\r\n>>> "])
def test_a_hub_at_its_prompt_is_started_by_a_click(heard):
    source = HubStream()
    app = App(LiveTable(source, {}))
    page, guest = (ViewerPage(app, Rights(owner, "me"), "en") for owner in (True, False))
    source.opened("COM3")
    app.step()
    assert "hub-start" not in str(page.components()) and not page.handle({"do": "hub-start"})
    source.received(heard)
    app.step()
    source.take_output()
    assert SAYS["stands_still"] in page.components()["turn"]
    assert "hub-start" in page.components()["table"]
    assert "hub-start" not in str(guest.components()) and not guest.handle({"do": "hub-start"})
    assert page.handle({"do": "hub-start"})
    assert source.take_output() == b"\x02\x04" and source.status()[0] == "usb.asking"
    assert "hub-start" not in page.components()["table"]


class Wire:
    """A HubStream at the port of an emulated Pico, as a program that has the port open."""

    def __init__(self, pico):
        self.source = HubStream()
        self.source.patience, self.source.restart = 1, 0.5  # nothing else uses the port
        self.app = App(LiveTable(self.source, {}))
        self.page = ViewerPage(self.app, Rights(True, "own"), "en")
        self._port = os.open(pico.port_name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.source.opened("COM3")

    def until(self, done):
        end = time.monotonic() + 120
        while not done():
            assert time.monotonic() < end, (self.source.status(), self.app.table.client.config)
            with contextlib.suppress(BlockingIOError):
                self.source.received(os.read(self._port, 65536))
            if self.app.due() == 0:
                self.app.step()
            os.write(self._port, self.source.take_output())
            time.sleep(0.01)

    def opens_settings(self):
        self.until(lambda: self.source.status()[0] == "usb.here" and self.page.viewer.state)
        assert self.page.handle({"do": "open hub-config"})
        self.until(self._has_read_settings)

    def _has_read_settings(self):
        """Ask for the settings at first, and again, with more patience, if the page gave up
        because this machine is busy; return whether they are there."""
        client = self.app.table.client
        if not client.config and self.page.handle({"do": "hub-config read"}):
            self.source.patience *= 2
        return client.config and client.config.text is not None

    def ends(self):
        os.close(self._port)


@pytest.mark.slow
@pytest.mark.skipif(not IMAGE.exists(), reason="no MicroPython image: make micropython")
def test_a_board_that_was_left_in_its_settings_starts_again():
    """On an emulated Pico: the program was killed; its port was taken away; its page typed on the
    port with its last breath; an editor left the prompt."""
    pico = HubOnPty(configured(SET=6, HOUSE="puremco", STATIONS=4))
    try:
        with pico.lock:
            assert pico.press("1")["verdict"] == pico.press("2")["verdict"] == "ok"
        killed = Wire(pico)
        killed.opens_settings()
        killed.ends()

        wire = Wire(pico)
        wire.opens_settings()  # it starts first
        assert list(wire.page.viewer.state["scores"]) == ["1", "2"], "and its match goes on"
        wire.source.closed("COM3")
        wire.app.step()
        wire.source.opened("COM3")
        wire.opens_settings()
        os.write(wire._port, START)
        wire.ends()

        wire = Wire(pico)
        wire.until(lambda: wire.source.status()[0] == "usb.here")
        assert b"\x02" not in wire.source.take_output()
        os.write(wire._port, b"\x03")
        wire.until(lambda: wire.source.status()[0] == "usb.stopped")
        assert wire.page.handle({"do": "hub-start"})
        wire.until(lambda: wire.source.status()[0] == "usb.here")
        wire.ends()
    finally:
        pico.close()


def test_a_board_that_raises_is_started_again(board):
    board.answers(wrong=b"OSError: 5")
    assert board.source.take_output().startswith(b"import machine")
    board.source.received(board.line(board.board.command("state")))
    board.app.step()
    assert SAYS["failed"] in board.shows()


@pytest.mark.parametrize(
    "output", [b"hello from boot.py\r\n534554\r\n", b"5345\xff", b"534", b"", b"none\r\nnone"]
)
def test_a_board_that_prints_something_else_too_is_started_again(board, output):
    board.answers(output)
    board.app.step()
    assert board.app.table.client.answer == ("hub_config.failed", {})
    assert board.app.table.client.config is None
    assert b"machine.reset" in board.source.take_output()


def test_no_answer_is_taken_after_the_hub_was_started_again(board):
    board.source.take_output()
    board.source.received(b"\r\n>>> raw REPL; CTRL-B to exit\r\n>")
    board.source.received(b"raw REPL; CTRL-B to exit\r\n>")
    board.source.received(b"OK534554\x04\x04>")
    board.does("hub-config leave")
    assert board.app.table.client.config is None


@pytest.mark.parametrize(
    "end",
    [
        lambda board: board.does("close"),
        lambda board: board.page.handle({"key": "Escape"}),
        lambda board: board.does("open hub"),
        lambda board: board.page.close(),  # the tab was closed, or the browser killed
        lambda board: board.app.close(),  # Ctrl-C
    ],
    ids=["cross", "key", "other dialog", "tab", "program"],
)
@pytest.mark.parametrize("is_read", [True, False], ids=["read", "reading"])
def test_whatever_closes_the_settings_starts_the_hub_again(board, end, is_read):
    if is_read:
        board.answers(b"534554")
    board.page.messages()
    board.source.take_output()
    end(board)
    board.page.messages()
    assert board.source.take_output().endswith(b"import machine\nmachine.reset()\n\x04")
    assert board.app.table.client.config is None
    board.page.messages()
    assert board.source.take_output() == b"", "once"


def test_another_viewer_does_not_start_the_hub_again(board):
    board.answers(b"534554")
    guest = ViewerPage(board.app, Rights(False, "guest"), "en")
    assert SAYS["stands_still"] in guest.components()["turn"]
    guest.close()
    assert board.source.take_output() == b"" and "<textarea" in board.page.components()["dialog"]


def test_a_hub_that_stands_still_is_asked_nothing_else(board):
    board.answers(b"none\r\n")
    board.does("hub-export")
    board.does("hub-test begin")
    board.does("hub-write 6-5")
    assert board.source.take_output() == b""
    board.does("hub-config leave")
    assert board.source.take_output().startswith(b"import machine")


def test_the_owner_alone_may(board):
    phone = ViewerPage(board.app, Rights(), "en")
    assert not phone.handle({"do": "hub-config leave", "fields": {}})
    assert not phone.handle({"do": "open hub-config", "fields": {}})
