# SPDX-License-Identifier: MIT
"""The page in a real browser: a match is played, replayed and continued as a player would do
it."""

import pytest
from page_browsers import (
    DESK,
    ENGLISH,
    LOOKS,
    PHONE,
    Visitor,
    needs_browser,
    play_round,
    served_from,
)

pytestmark = needs_browser


@pytest.fixture
def table(tmp_path):
    """Run `play` without any saved match."""
    with served_from(tmp_path) as served:
        yield served


def begin(visitor, house="puremco", **chosen):
    page = visitor.page
    page.check("input[name=house][value=%s]" % house)
    page.locator("#more > summary").click()
    for name, value in chosen.items():
        page.select_option("select[name=%s]" % name, value)
    visitor.do(".foot.first .main")
    page.wait_for_selector("dialog[open]", state="hidden")


@pytest.mark.slow
def test_nothing_is_too_wide_too_small_or_too_pale(browser, table):
    """No layout from the form to the first turn has a flaw."""
    visitor = Visitor(browser, PHONE).open(table.address)
    page = visitor.page
    page.wait_for_selector("dialog[open]")
    assert visitor.flaws() == []
    begin(visitor)
    page.wait_for_selector(".tile-button.fits, #hand .act [data-do=button]")
    for (width, height), scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert visitor.flaws() == [], (width, height, scheme)
        for what in ("#turn", ".tile-button", "#hand .act button"):
            box = page.locator(what).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (what, width)
            assert box["y"] >= 0 and box["y"] + box["height"] <= height, (
                "%s on the first screen, %d px wide" % (what, width)
            )
    visitor.check()


def test_a_round_is_played_to_its_end(browser, table):
    visitor = Visitor(browser, PHONE).open(table.address)
    begin(visitor, "classic", set="6")
    visitor.hurry()
    play_round(visitor)
    page = visitor.page
    page.wait_for_selector("dialog [data-do=next]")  # all is counted
    assert page.locator("dialog tbody tr").count() == 4
    assert visitor.flaws() == []
    totals = page.locator("dialog td b").all_inner_texts()
    assert any(float(total) > 0 for total in totals)
    visitor.do("dialog [data-do=next]")
    page.wait_for_selector("dialog[open]", state="hidden")
    visitor.wait("#head .house", has_text=ENGLISH("page.round", number=2), state="attached")
    visitor.check()


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_twelve_play_a_round_with_the_double_fifteen(browser, table, size):
    visitor = Visitor(browser, size).open(table.address)
    begin(visitor, set="15", players="12")
    visitor.wait("#hand .tile-button")
    assert visitor.page.locator(".scores li").count() == 12
    assert visitor.page.locator(".scores .square").count() == 2
    visitor.hurry()
    play_round(visitor)
    visitor.wait("dialog [data-do=next]")
    assert visitor.page.locator("dialog tbody tr").count() == 12
    assert visitor.flaws() == []
    visitor.check()


@pytest.mark.slow
def test_a_button_that_is_replaced_while_it_is_pressed_is_clicked(browser, table):
    visitor = Visitor(browser).open(table.address)
    page = visitor.page
    page.wait_for_selector("dialog[open] .foot.first .main")
    box = page.locator(".foot.first .main").bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    made = len(visitor.received("dialog"))
    page.evaluate(
        """() => {
          const field = document.querySelector("select[name=set]");
          field.value = "9";
          field.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    while len(visitor.received("dialog")) == made:
        page.wait_for_timeout(20)
    page.mouse.up()
    page.wait_for_selector("dialog[open]", state="hidden")


@pytest.mark.slow
def test_a_dialog_that_changes_keeps_focus_caret_typed_text_and_open_details(browser, table):
    visitor = Visitor(browser).open(table.address)
    page = visitor.page
    page.wait_for_selector("dialog[open] input[name=name1]")
    page.locator("#more > summary").click()
    page.locator("#rules summary").click()
    page.check("#rules input[type=checkbox] >> nth=0")
    page.fill("input[name=name1]", "Zoe")
    page.keyboard.press("ArrowLeft")
    page.evaluate("() => { document.querySelector('dialog').scrollTop = 40; }")
    made = len(visitor.received("dialog"))
    page.evaluate(
        """() => {
          const field = document.querySelector("select[name=players]");
          field.value = "2";
          field.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    while len(visitor.received("dialog")) == made:
        page.wait_for_timeout(20)
    state = """() => {
      const { name, value, selectionStart } = document.activeElement;
      const open = ["more", "rules"].every((id) => document.getElementById(id).open);
      return [name, value, selectionStart, open, document.querySelector("dialog").scrollTop];
    }"""
    assert page.evaluate(state) == ["name1", "Zoe", 2, True, 40]
    assert page.locator("#rules input[type=checkbox]").first.is_checked()
    visitor.check()
