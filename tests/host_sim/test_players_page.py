# SPDX-License-Identifier: MIT
"""The printed guide tells how a game is played and what the lamps show, and fits on a page."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from host_sim.__main__ import main
from host_sim.commands import guide
from host_sim.views import line_game_guide, players_page, table_state
from roundhouse import lamps
from roundhouse.games import houses, lines_sheets

PAGE = Path(__file__).resolve().parents[2] / "hardware" / "players.html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LINE_GAMES = lines_sheets.HOUSES


def test_the_page_in_the_repository_is_the_one_that_is_made():
    assert PAGE.read_text() == players_page.page(), "python -m host_sim guide"


def lamp_row(moves, tells):
    return '<td class="how">%s</td><td>%s</td>' % (moves, tells)


def test_every_lamp_and_every_refusal_is_explained(monkeypatch):
    page = players_page.page()
    for (_, _, _, _, at_rest), _, told in lamps.LETTERS:
        calls = at_rest not in ("", ".")  # what was lit before tells the rest
        assert page.count(lamp_row(*told)) == (0 if calls else 1), told
    for word in table_state.REASONS:
        assert word == "fault" or "<i>%s</i>" % word in page
    new = ((3, "z", "?", "hint", ""), (lamps.REPEATS, b"\x01"), ("hums", "all is well"))
    monkeypatch.setattr(lamps, "LETTERS", [*lamps.LETTERS, new])
    assert lamp_row("hums", "all is well") in players_page.page()
    assert players_page.page() != PAGE.read_text(), "a new lamp is noticed"


def test_a_page_is_about_the_game_in_config(tmp_path, monkeypatch):
    import config

    to = tmp_path / "players.html"
    assert main(["guide", "-o", str(to)]) == 0
    assert to.read_text() == PAGE.read_text()
    monkeypatch.setattr(config, "HOUSE", "matador")
    assert main(["guide", "-o", str(to)]) == 0
    page = to.read_text()
    assert "how to play Matador" in page and "make 10" in page and "<i>set 9</i>" in page
    monkeypatch.setattr(config, "SET", 12)
    assert main(["guide", "-o", str(to)]) == 0
    assert "make 13" in to.read_text() and "12-1, 11-2" in to.read_text()
    monkeypatch.setattr(config, "FAMILY", {"club": ("draw", {"target": "150"})})
    assert main(["guide", "--house", "club", "-o", str(to)]) == 0
    assert "how to play Draw" in to.read_text() and "150 points win" in to.read_text()


def test_a_page_about_no_game(tmp_path, capsys):
    to = tmp_path / "players.html"
    assert main(["guide", "--house", "bingo", "-o", str(to)]) == 2
    assert "no house bingo; there are original" in capsys.readouterr().err
    assert not to.exists()


def test_classic_can_be_played_from_its_page():
    page = guide.page("classic")
    for told in (
        "Whoever has the highest double lays it in the middle.",
        "one half touches an equal number, at the end of a line, or at a free side of a double",
        "take one tile after the other until one does, and lay it; none left: pass.",
        "19 and 12 give 14 + 7 = 21. 100 points win the match.",
        "<b>double 6</b>: 2-4 players 5 tiles; <b>double 9</b>: 2-6 players 7 tiles; "
        "<b>double 12, 15, 18</b>: 2-7 players 9 tiles.",
        "tap the opening tile on your own station",
        "on an empty slot it begins a new line at a double",
        "press M: each seat's total",
        "<i>totals</i>: M's button",
        "<i>house classic</i>, <i>set 12</i>",
    ):
        assert told in page, told
    for word in table_state.REASONS_OF_LINES:
        assert word == "fault" or "<i>%s</i>" % word in page


@pytest.mark.parametrize("game", LINE_GAMES)
def test_a_line_games_page_speaks_of_no_train_and_no_engine(game):
    text = guide.page(game).replace("<i>not-an-engine</i>", "")
    assert not re.findall(r"[^.;<>]*\b(?:train|engine|knock|caught)\b[^.;<>]*", text.lower())
    assert text.count("<td><b>6</b></td>") == 1 and "<td><b>7</b></td>" not in text


@pytest.mark.parametrize("game", LINE_GAMES)
def test_every_lamp_is_explained_or_never_lit(game):
    """What a page leaves out is a double's lamp, and a draw where nobody draws."""
    page = guide.page(game)
    draws = "until" if game not in ("tiddle-a-wink", "block") else "none"
    never = {(lamps.TURN, "f")} | ({(lamps.TURN, "d")} if draws == "none" else set())
    for (k, letters, _, _, at_rest), _, (moves, tells) in lamps.LETTERS:
        if at_rest not in ("", "."):
            continue
        told = line_game_guide.TELLS.get((k, letters[0]), tells)
        if (k, letters[0]) == (lamps.TURN, "d"):
            told = line_game_guide.DRAWN["until"]
        hidden = k == lamps.DOUBLE or (k, letters[0]) in never
        assert page.count(lamp_row(moves, told)) == (0 if hidden else 1), (letters, told)


def test_every_value_of_an_option_has_its_words():
    said = {
        "opening": line_game_guide.OPENING,
        "join": line_game_guide.JOIN,
        "doubles": line_game_guide.DOUBLES,
        "draw": line_game_guide.DRAW,
        "again": line_game_guide.AGAIN,
        "tie": line_game_guide.TIE,
        "blank": line_game_guide.BLANK,
    }
    rows = {row[0]: row[2] for row in houses.table(houses.HOUSES.index("classic"))}
    for option, words in said.items():
        assert list(words) == rows[option], option
    assert set(rows) - set(said) == {"total", "target", "hand"}, "numbers, said as they are"


@pytest.mark.parametrize("word", [row.split(":")[0] for row in lines_sheets.VARIANTS])
def test_every_variant_word_changes_the_page(word):
    game = "matador" if word in ("ten", "five-each") else "classic"
    if word == "ten":
        assert "make 10" in guide.page("matador ten", 12) and "make 13" in guide.page(game, 12)
        return
    plain = guide.page(game).replace("house " + game, "")
    changed = guide.page("%s %s" % (game, word)).replace("house %s %s" % (game, word), "")
    same = word in ("every-double", "to-100")  # as the sheet has it
    assert (plain == changed) == same


@pytest.mark.parametrize(
    "total, set_, tiles",
    [
        ("set", 6, "6-1, 5-2, 4-3, 0-0"),
        ("set", 9, "9-1, 8-2, 7-3, 6-4, 5-5, 0-0"),
        ("set", 12, "12-1, 11-2, 10-3, 9-4, 8-5, 7-6, 0-0"),
        ("ten", 12, "9-1, 8-2, 7-3, 6-4, 5-5, 0-0"),
    ],
)
def test_the_matadors(total, set_, tiles):
    assert line_game_guide.matadors({"total": total}, set_) == tiles


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
@pytest.mark.parametrize("house", ["puremco", "classic blank-25", "matador ten tie-shared"])
def test_it_prints_on_one_page(tmp_path, house):
    page = tmp_path / "players.html"
    page.write_text(guide.page(house))
    pdf = tmp_path / "guide.pdf"
    subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            "--user-data-dir=%s" % (tmp_path / "profile"),
            "--print-to-pdf=%s" % pdf,
            page,
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    assert pdf.read_bytes().count(b"/Type /Page\n") == 1
