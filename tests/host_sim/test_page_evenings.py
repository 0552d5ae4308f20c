# SPDX-License-Identifier: MIT
"""The statistics of people in a real browser: shown, saved, and added on another device."""

import json
import os

import pytest
from page_browsers import (
    AXE,
    DESK,
    ENGLISH,
    LOOKS,
    PHONE,
    Visitor,
    kept,
    needs_axe,
    needs_browser,
    round_is_over,
    served_from,
    visiting,
)
from test_backup import unzipped

from host_sim.app.session.match_store import MatchStore

pytestmark = [pytest.mark.slow, needs_browser]


def evening(folder):
    """Save two matches with a finished round: one of Ana, Bo and Zoe, one of Ana and bots."""
    kept(folder, round_is_over, people=(1, 2, 3))
    kept(folder, round_is_over, people=(1,), house="block", seed=2)


def open_evenings(visitor):
    visitor.close_dialogs()
    visitor.open_menu("evenings")
    visitor.wait("dialog table.people")
    visitor.wait("dialog [role=status]", state="detached")  # all matches are read


def rows(visitor):
    """Return {name: the other cells of the row} of the table of people."""
    cells = visitor.page.eval_on_selector_all(
        ".people tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
    )
    return {name: more for name, *more in cells}


def test_statistics_from_the_first_look_to_another_device(browser, tmp_path):
    evening(tmp_path / "one")
    with served_from(tmp_path / "one") as served:
        visitor = Visitor(browser, PHONE).open(served.address)
        open_evenings(visitor)
        assert {name: more[:2] for name, more in rows(visitor).items()} == {
            "Ana": ["1", "2"],
            "Bo": ["1", "1"],
            "Zoe": ["1", "1"],
        }
        visitor.do("dialog [data-do='open evenings block']")
        visitor.wait("[aria-pressed=true]", has_text=ENGLISH("games.block"))
        assert [*rows(visitor)] == ["Ana"]
        with visitor.page.expect_download() as download:
            visitor.do("dialog [data-do='evenings-save']")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert json.loads(file.read_text())["roundhouse"] == "evenings"
        visitor.check()
    with served_from(tmp_path / "other") as served:
        visitor = Visitor(browser, DESK).open(served.address)
        visitor.do("dialog .foot .main")  # the first match of this device
        visitor.wait(".tile-button")
        visitor.close_dialogs()
        visitor.open_menu("evenings")
        visitor.page.set_input_files("[data-file=evenings-add]", file)
        visitor.wait("dialog .error", has_text=ENGLISH("evenings.added", count=2))
        assert sorted(rows(visitor)) == ["Ana", "Bo", "Zoe"]
        visitor.check()


@needs_axe
def test_the_statistics_can_be_read_at_every_size(browser, tmp_path):
    evening(tmp_path)
    with visiting(browser, tmp_path) as visitor:
        open_evenings(visitor)
        for (width, height), scheme in LOOKS:
            visitor.page.emulate_media(color_scheme=scheme)
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert visitor.flaws() == [], (width, height, scheme)
        visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = visitor.page.evaluate("axe.run('dialog').then(result => result.violations)")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_everything_of_one_device_is_taken_in_on_another(browser, tmp_path):
    """The file comes in several pieces."""
    evening(tmp_path / "one")
    first, _ = (path for path in (tmp_path / "one").glob("*/match.json"))
    (tmp_path / "one" / "evenings.json").write_text(json.dumps({"x": os.urandom(350_000).hex()}))
    with served_from(tmp_path / "one") as served:
        visitor = Visitor(browser, PHONE).open(served.address)
        visitor.close_dialogs()
        visitor.do("[data-do='open menu']")
        with visitor.page.expect_download() as download:
            visitor.do("dialog [data-do='save all']")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert first.read_bytes() in unzipped(file.read_bytes()).values()
        assert file.stat().st_size > 300_000
        visitor.check()
    with served_from(tmp_path / "other") as served:
        visitor = Visitor(browser, DESK).open(served.address)
        visitor.do("dialog .foot .main")  # the first match of this device
        visitor.wait(".tile-button")
        visitor.close_dialogs()
        visitor.open_menu("open take-in")
        visitor.page.set_input_files("[data-file=piece]", file)
        taken = ENGLISH("backup.taken", what=ENGLISH("evenings.matches", count=2))
        visitor.wait("dialog .error", has_text=taken)
        visitor.check()
    assert len(MatchStore(tmp_path / "other").matches()) == 3
