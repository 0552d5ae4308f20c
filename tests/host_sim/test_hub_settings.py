# SPDX-License-Identifier: MIT
"""config.py of a real hub, read and changed from the page."""

import json
import re
from pathlib import Path

import pytest
from hub_actions import quick_hub

import roundhouse
from host_sim.app.page import hub_settings
from host_sim.app.page.app import App
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.views.i18n import TABLE
from host_sim.board.hub.simulated_hub import configured
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
    ],
)
def test_a_mistake_is_named_before_anything_is_written(text, wrong):
    found = hub_settings.mistake(text)
    assert wrong in found and bool(found) == bool(wrong)


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
