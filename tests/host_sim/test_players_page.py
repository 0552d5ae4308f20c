# SPDX-License-Identifier: MIT
"""The printed guide says what the lamps show, and fits on a page."""

import shutil
import subprocess
from pathlib import Path

import pytest

from host_sim.views import players_page, table_state
from roundhouse import lamps

PAGE = Path(__file__).resolve().parents[2] / "hardware" / "players.html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def test_the_page_in_the_repository_is_the_one_that_is_made():
    assert PAGE.read_text() == players_page.page(), "python -m host_sim guide"


def test_every_lamp_and_every_refusal_is_explained(monkeypatch):
    page = players_page.page()
    for (_, _, _, _, at_rest), _, (moves, tells) in lamps.LETTERS:
        words = '<td class="how">%s</td><td>%s</td>' % (moves, tells)
        assert page.count(words) == (0 if at_rest else 1), words
    for word in table_state.REASONS:
        assert word == "fault" or "<i>%s</i>" % word in page
    new = ((3, "z", "?", "hint", ""), (lamps.REPEATS, b"\x01"), ("hums", "all is well"))
    monkeypatch.setattr(lamps, "LETTERS", [*lamps.LETTERS, new])
    assert '<td class="how">hums</td><td>all is well</td>' in players_page.page()
    assert players_page.page() != PAGE.read_text(), "a new lamp is noticed"


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
def test_it_prints_on_one_page(tmp_path):
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
            PAGE,
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    assert pdf.read_bytes().count(b"/Type /Page\n") == 1
