# SPDX-License-Identifier: MIT
"""The command `type` as its user sees it."""

import pytest

from host_sim.__main__ import main
from host_sim.board.hub.simulated_hub import SimulatedHub


@pytest.fixture
def table(monkeypatch, capsys):
    def table(*lines, journal=None):
        lines = iter(lines)

        def read(prompt):
            line = next(lines, None)
            if line is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", read)
        assert main(["type", *(["--journal", str(journal)] if journal else [])]) == 0
        return capsys.readouterr().out.partition("...\n")[2]

    return table


def test_a_round_begins(table):
    text = table("press 1", "press 2", "tap 12-12 2", "tap 12-5 2", "tap 5-5 M")
    assert "seat 2's turn; may play on 2 M" in text
    assert "ends 2:5" in text
    assert "no-match; play; seat 1's turn" in text


def test_cards_console_and_take_back(table):
    text = table(
        "set 9",
        "press 1",
        "press 2",
        "tap 9-9 1",
        "tap undo 7",
        "say state",
        "hold 7",
        "undo",
        "say help",
    )
    assert text.count("lobby") >= 6, "a line of the console needs no `say`"
    assert "house NAME [VARIANT...] [OPTION=VALUE...], set N, join N" in text.replace("\n ", "")


def test_what_is_wrong_is_said_and_the_table_goes_on(table):
    text = table("dance", "press", "tap 12-12 X", "say house monopoly", "press 1")
    assert "no command dance; try help" in text
    assert "? press:" in text
    assert "no slot X; there are 1..14, M and E" in text
    assert "no house monopoly; there are original" in text
    assert text.rstrip().splitlines()[-2].strip() == "ok; lobby"


def test_help_and_quit(table):
    text = table("help", "quit", "press 1")
    assert "override 7-1 3" in text
    assert "ok; lobby" in text.splitlines()[0]
    assert text.count("lobby") == 1


def test_a_journal_goes_on(table, tmp_path):
    table("press 1", "press 2", "tap 12-12 2", journal=tmp_path)
    assert "seat 2's turn" in table(journal=tmp_path).splitlines()[0]


def test_a_damaged_journal_is_said_at_power_up(table, tmp_path):
    table("press 1", "press 2", "tap 12-12 2", journal=tmp_path)
    (segment,) = tmp_path.glob("*.rhj")
    data = bytearray(segment.read_bytes())
    data[-3] ^= 1
    segment.write_bytes(data)
    text = table(journal=tmp_path)
    assert "segment 1 is damaged after" in text.splitlines()[0]


def test_a_hub_that_says_nothing_to_a_line_gave_no_answer(table, monkeypatch):
    monkeypatch.setattr(SimulatedHub, "command", lambda board, text: None)
    assert "no answer; lobby" in table("say state")
