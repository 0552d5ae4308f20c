# SPDX-License-Identifier: MIT
"""What a board without config.py does at power-up. test_settings tests mistakes in a config.py."""

import sys
import types

import pytest

import roundhouse
from roundhouse import config_loader, crash, first_config, settings


@pytest.fixture
def board(monkeypatch, tmp_path):
    """Return a board without files. The board's list `lit` gets (pin, colour) for each light that
    config_loader switches on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "config", raising=False)
    return types.SimpleNamespace(folder=tmp_path, lit=[])


@pytest.fixture
def image(monkeypatch):
    """Let the firmware seem part of MicroPython's image, with a module default_config."""
    module = types.ModuleType("roundhouse.default_config")
    module.TEXT = "BRIGHTNESS = 7\n"
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(roundhouse, "default_config", module, raising=False)
    monkeypatch.setattr(roundhouse, "FROZEN", True)


def load(board):
    return config_loader.load(lambda pin, rgb: board.lit.append((pin, rgb)))


def test_a_board_without_config_runs_by_the_defaults_and_writes_one(board, image):
    config, wrong = load(board)
    assert wrong is None and board.lit[0] == (28, (12, 8, 4))
    assert {name: getattr(config, name) for name in settings.NAMES if name != "PINS"} == {
        name: value for name, value in settings.DEFAULTS.items() if name != "PINS"
    }
    assert config.REMARK == "config.py was missing; the hub wrote one, with the defaults"
    assert {path.name: path.read_text() for path in board.folder.iterdir()} == {
        "config.py": "BRIGHTNESS = 7\n"
    }


def test_what_a_power_cut_left_half_written_is_written_again(board, image):
    (board.folder / "config.new").write_text("BRIGHT")
    load(board)
    assert [path.name for path in board.folder.iterdir()] == ["config.py"]


def test_firmware_as_files_runs_by_the_defaults_and_writes_nothing(board):
    config, wrong = load(board)
    assert wrong is None and config.REMARK == first_config.MISSING
    assert config.BRIGHTNESS == 96
    assert not list(board.folder.iterdir())


def test_a_flash_that_cannot_be_written_keeps_no_hub_from_starting(board, image, monkeypatch):
    def full(old, new):
        raise OSError(28)

    monkeypatch.setattr(first_config.os, "rename", full)
    config, wrong = load(board)
    assert wrong is None and config.REMARK == first_config.NONE


@pytest.mark.parametrize(
    "text, odd",
    [
        (b"\xef\xbb\xbf# one\nBRIGHTNES = 7\n", "a byte-order mark"),  # Python itself skips it
        ("BRIGHTNESS = 7\n".encode("utf-16"), "it is saved as UTF-16"),
        ("BRIGHTNESS = 7\n".encode("utf-16-le"), "it is saved as UTF-16"),
        ("# ours\nHOUSE = “puremco”\n".encode("cp1252"), "line 2 is not UTF-8"),
        (b"HOUSE = 'caf\xe9'\n", "line 1 is not UTF-8"),
    ],
)
def test_what_an_editor_adds_unseen_is_named_with_the_remedy(board, monkeypatch, text, odd):
    monkeypatch.setattr(crash, "trace", str)
    (board.folder / "config.py").write_bytes(text)
    config, wrong = load(board)
    assert config is None
    assert wrong.startswith("config.py: " + odd) and "as UTF-8 without BOM" in wrong


@pytest.mark.parametrize(
    "text, said",
    [
        (b"<!DOCTYPE html>\n<html><pre>BRIGHTNESS = 7</pre></html>", "a web page (HTML)"),
        (b"\n  <html>BRIGHTNESS = 7", "a web page (HTML)"),
        (b"{\\rtf1\\ansi BRIGHTNESS = 7}", "a formatted text (RTF)"),
        (b"PK\x03\x04\x14\0\x06\0", "a document of a word processor"),
        (b"%PDF-1.4", "a PDF"),
        (bytes(512), "it is all zeros"),
        ("STATIONS = (1\uff0c2\uff0c4)\n".encode(), "line 1: a wide letter"),
        ("SET = 9\nBRIGHTNESS\uff1d7\n".encode(), "line 2: a wide letter"),
        (b"HOUSE = quebec\n", 'line 1: quebec: text needs quotes, as in HOUSE = "quebec"'),
        (
            b"SET = 9\nHOUSE = quebec\n",
            'line 2: quebec: text needs quotes, as in HOUSE = "quebec"',
        ),
        (b"SOUND = false\n", "line 1: false is written False"),
        (b"SET = none  # by the tile\n", "line 1: none is written None"),
        (b"STATIONS == 4\n", "line 1: a setting has one =, as in STATIONS = ..."),
        (b"SET = 9\n  HOUSE = 'free'\n", "line 2: a setting begins its line"),
    ],
)
def test_what_beginners_save_is_named_with_the_remedy(board, monkeypatch, text, said):
    def trace(error):
        line = getattr(error, "lineno", None) or error.__traceback__
        while not isinstance(line, int):
            line = line.tb_next or line.tb_lineno
        return '  File "config.py", line %d' % line

    monkeypatch.setattr(crash, "trace", trace)
    (board.folder / "config.py").write_bytes(text)
    config, wrong = load(board)
    assert config is None
    assert (
        wrong.startswith("config.py")
        and said in wrong
        and wrong.endswith("; correct it and reset")
    )


@pytest.mark.parametrize("name", ["config.py.txt", "config (1).py", "Config.py", "config.rtf"])
def test_a_config_by_another_name_is_named_and_nothing_is_written(board, image, name):
    (board.folder / name).write_text("BRIGHTNESS = 9\n")
    config, wrong = load(board)
    assert wrong is None and config.BRIGHTNESS == 96
    assert config.REMARK.startswith("there is no config.py, but %s; rename it" % name)
    assert [path.name for path in board.folder.iterdir()] == [name]


def test_a_folder_by_the_name_of_config(board, image):
    (board.folder / "config.py").mkdir()
    config, wrong = load(board)
    assert wrong is None and config.BRIGHTNESS == 96
    assert config.REMARK == first_config.FOLDER


def test_a_config_that_imports_what_is_not_there_is_a_mistake(board, image, monkeypatch):
    monkeypatch.setattr(crash, "trace", str)
    text = "import nowhere\n"
    (board.folder / "config.py").write_text(text)
    config, wrong = load(board)
    assert config is None and "nowhere" in wrong and wrong.endswith("correct it and reset")
    assert (board.folder / "config.py").read_text() == text
