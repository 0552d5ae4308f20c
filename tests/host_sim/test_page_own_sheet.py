# SPDX-License-Identifier: MIT
"""Users make their own rule sheet in a real browser, save it and play by it."""

import pytest
from page_browsers import PHONE, needs_browser, visiting

pytestmark = [pytest.mark.slow, needs_browser]


def checked(visitor, name):
    return visitor.page.locator("[name='%s']:checked" % name).get_attribute("value")


def test_a_sheet_from_the_first_question_to_the_first_tile(browser, tmp_path):
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        page = visitor.page
        visitor.do("dialog [data-do='open own']")
        visitor.wait("form.own")
        assert visitor.flaws() == []
        page.fill("[name=title]", "Tante Öl")
        page.evaluate("document.querySelector('dialog').scrollTop = 0")
        summary = page.locator(".own .changes").bounding_box()
        assert summary["y"] + summary["height"] < PHONE[1], "in sight before its place"
        page.select_option("[name=base]", "jassshop")
        visitor.wait(".changes", has_text="Jass-Shop")
        assert checked(visitor, "answer-second-tile") == "double"
        page.fill("[name=typed-deal]", "7, 6")
        page.locator("[name=typed-deal]").press("Tab")
        visitor.wait(".changes li", has_text="7 tiles with 2 players, 6 with more")
        assert checked(visitor, "answer-deal") == "number"
        page.check("[name=answer-rounds][value=free]")
        visitor.wait(".changes li >> nth=1")
        assert page.input_value("[name=title]") == "Tante Öl"
        visitor.do("dialog .foot .main")
        visitor.wait("pre.config", has_text='"tante-oel": ("jassshop", {"deal": "7 6"')
        assert visitor.flaws() == []
        with page.expect_download() as download:
            visitor.do("[data-do='own-guide tante-oel']")
        assert download.value.suggested_filename == "roundhouse-tante-oel.html"
        visitor.do("[data-do='own-play tante-oel']")
        visitor.wait("[name=house][value=tante-oel]")
        assert checked(visitor, "house") == "tante-oel" and visitor.flaws() == []
        page.locator("#more > summary").click()
        page.select_option("[name=set]", "6")
        page.select_option("[name=players]", "2")
        visitor.do("dialog .foot .main")
        visitor.wait(".tile-button")
        assert len(visitor.hand()) in (6, 7)  # the starter lays the double
        visitor.check()
