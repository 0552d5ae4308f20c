# SPDX-License-Identifier: MIT
"""The end of a round and of a match in a real browser, with a rematch or a take-back."""

import pytest
from page_browsers import (
    DESK,
    ENGLISH,
    PHONE,
    PLACE,
    first_turn,
    kept,
    needs_browser,
    round_is_over,
    visiting,
)

pytestmark = [pytest.mark.slow, needs_browser]


ROWS = """() => Object.fromEntries(
  [...document.querySelectorAll("dialog tbody tr")].map(({ cells }) =>
    [cells[0].innerText, [cells[1].innerText, cells[1].querySelectorAll("svg").length]]))"""


def rows(visitor):
    """Return {player: [text, count of tiles]} for the left-over tiles that the dialog shows."""
    return visitor.page.evaluate(ROWS)


def counting_begins(waits, line):
    return line["phase"] == "scoring"


def test_until_a_seat_is_done_it_counts(browser, tmp_path):
    with visiting(browser, tmp_path, counting_begins, house="goliath", seed=3) as visitor:
        visitor.wait("#hand .turned-up")
        seen = []
        visitor.wait("dialog tbody")
        for _ in range(60):
            over = visitor.shows("dialog [data-do=next], dialog [data-do=rematch]")
            seen.append(rows(visitor))
            if over:
                break
            visitor.page.wait_for_timeout(300)
        counting = [shown for shown in seen if "still counting" in str(shown)]
        assert counting, "somebody was still counting"
        hands = visitor.page.locator("#hand .turned-up p").all()
        held = {
            hand.locator("b").inner_text(): hand.locator(".faces > svg").count() for hand in hands
        }
        for shown in counting:
            for name, (text, tiles) in shown.items():
                if "still counting" not in text:
                    assert tiles == held[name], "done"
                    assert (text == "nothing") == (tiles == 0)
        last = seen[-1]
        assert {name: tiles for name, (_, tiles) in last.items()} == held
        assert not any("counting" in text for text, _ in last.values())


@pytest.mark.parametrize("size", [PHONE, DESK], ids="{0[0]}x{0[1]}".format)
def test_the_finished_round_stays_to_be_looked_at(browser, tmp_path, size):
    session = kept(tmp_path, round_is_over, set_=6)
    laid = sum(moment.line["did"] == "laid" for moment in session.moments)
    with visiting(browser, tmp_path, size=size) as visitor:
        page = visitor.page
        visitor.wait("dialog [data-do=next]")
        assert page.locator("#table .laid").count() == laid + 1, "and the engine"
        assert page.locator("#table .laid.new").count() <= 1
        assert page.locator("#hand .turned-up p").count() == 3
        assert page.locator("dialog p").first.inner_text().startswith("Round 1 of 7.")
        assert visitor.shows("dialog p:has-text('The next round begins with 5-5.')")
        table = page.locator("#table").bounding_box()
        box = page.locator("dialog").bounding_box()
        if size == PHONE:
            assert box["y"] - table["y"] > 200, "below the table"
        else:
            assert box["x"] - table["x"] > table["width"] / 2, "beside the table"
        shade = page.evaluate(
            "getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor"
        )
        assert shade == "rgba(0, 0, 0, 0)" and visitor.flaws() == []
        visitor.do("dialog [data-do='open rounds']")
        visitor.wait("dialog .history")
        row = page.locator("dialog .history tbody tr")
        assert row.locator("th svg").count() == 1, "the engine"
        assert row.locator(".won").count() >= 1 and row.locator("td small").count() == 3
        visitor.close_dialogs()
        assert page.locator("#table .laid").count() == laid + 1
        visitor.do("#hand [data-do=next]")
        visitor.wait(".tile-button")
        assert page.locator("#table .laid").count() < laid


def test_a_winner_is_celebrated_and_a_rematch_is_one_click(browser, tmp_path):
    with visiting(
        browser,
        tmp_path,
        lambda waits, line: line["round"] == 2 and counting_begins(waits, line),
        house="puremco rounds-2",
    ) as visitor:
        page = visitor.page
        visitor.wait("dialog [data-do=rematch]")
        visitor.wait("dialog .confetti", state="attached")
        names = page.locator("dialog tbody td:first-child").all_inner_texts()
        points = page.locator("dialog tbody b").all_inner_texts()
        totals = dict(zip(names, points))
        assert len(totals) == 3 and [float(one) for one in points] == sorted(map(float, points))
        assert page.locator("dialog h1").inner_text() == ENGLISH("page.won", name=names[0])
        assert visitor.flaws() == []
        visitor.do("dialog [data-do='open rounds']")
        visitor.wait("dialog .history")
        assert page.locator("dialog .history tbody tr").count() == 2
        seats = page.locator("dialog .history thead th").all_inner_texts()[1:]
        shown = page.locator("dialog .history tfoot b").all_inner_texts()
        assert dict(zip(seats, shown)) == totals
        visitor.close_dialogs()
        visitor.open_menu("open matches")
        visitor.wait("dialog .matches", has_text="over")
        assert not visitor.shows("dialog [data-do^='carry-on']")
        shown = page.locator("dialog .matches tr").first.inner_text()
        assert all("%s %s" % one in shown for one in totals.items()), (totals, shown)
        assert page.locator("dialog .matches .best").count() >= 1
        visitor.close_dialogs()
        page.reload()
        visitor.do("dialog [data-do=rematch]")
        visitor.wait(".tile-button")
        names = page.locator(".scores .name").all_inner_texts()
        assert sorted(names) == sorted(totals)
        assert page.locator(".scores .rank").all_inner_texts() == ["–"] * 3, "nobody is first yet"


def test_taking_back_asks_and_is_put_back(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, size=PHONE) as visitor:
        page = visitor.page
        visitor.wait(".tile-button.fits")
        visitor.hurry()
        tile = page.locator(".tile-button.fits").first.get_attribute("data-tile")
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        visitor.do(PLACE)
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        visitor.wait("#turn", has_text=ENGLISH("page.your_turn", name="Ana"))
        hand, laid = visitor.hand(), page.locator("#table .laid").count()
        story = page.locator(".story li").count()
        for _ in range(3):  # ten clicks do not make ten moves
            visitor.do("#hand [data-do=back]")
            visitor.wait("dialog h1", has_text=tile)
            assert visitor.flaws() == []
            visitor.do("dialog [data-do=close]")
            page.wait_for_selector("dialog[open]", state="hidden")
        assert page.locator(".story li").count() == story and visitor.hand() == hand
        visitor.do("#hand [data-do=back]")
        visitor.do("dialog [data-do='back sure']")
        visitor.wait("#hand [data-do=redo]", has_text=tile)
        assert tile in visitor.hand() and visitor.flaws() == []
        visitor.do("#hand [data-do=redo]")
        page.wait_for_selector("#hand [data-do=redo]", state="detached")
        page.wait_for_function(
            "count => document.querySelectorAll('#table .laid').length === count", arg=laid
        )
        assert visitor.hand() == hand
        visitor.do("#hand [data-do=back]")
        visitor.do("dialog [data-do='back sure']")
        visitor.wait("#hand [data-do=redo]")
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        visitor.do(PLACE)
        page.wait_for_selector("#hand [data-do=redo]", state="detached")
