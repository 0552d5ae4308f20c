# SPDX-License-Identifier: MIT
"""The form of a new match, the rules beside the lamps, and the volume, in a real browser."""

from pathlib import Path

import pytest
from page_browsers import (
    DESK,
    ENGLISH,
    PHONE,
    SIZES,
    first_turn,
    needs_browser,
    visiting,
)

pytestmark = [pytest.mark.slow, needs_browser]


def test_the_form_begins_with_one_large_button(browser, tmp_path):
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        page = visitor.page
        visitor.wait("dialog .ways")
        for width, height in reversed(SIZES):
            page.set_viewport_size({"width": width, "height": height})
            begin = page.locator(".foot.first .main").bounding_box()
            for way in page.locator(".ways .link").all():
                box = way.bounding_box()
                assert box["y"] >= begin["y"] + begin["height"], width
                assert box["width"] < 0.6 * begin["width"], width
                line = way.evaluate("one => getComputedStyle(one).textDecorationLine")
                assert line == "underline", "a link, not a tab"
        name = page.locator("input[name=name1]")
        assert name.input_value() == "" and name.get_attribute("placeholder") == "you"
        assert not visitor.shows("select[name=strength]"), "folded away"
        page.locator("#more > summary").click()
        assert visitor.shows("select[name=strength]") and visitor.flaws() == []
        levels = page.locator("select[name=strength] option").all_inner_texts()
        assert levels == ["easy", "medium", "hard"]
        shown = page.locator(".games > label b").all_inner_texts()
        assert shown[:2] == ["Mexican Train", "Classic dominoes"]
        assert not visitor.shows("input[name=house][value=quebec]"), "folded away"
        page.locator("#other-sheets summary").click()
        assert visitor.shows("input[name=house][value=quebec]") and visitor.flaws() == []
        page.check("input[name=house][value=quebec]")
        visitor.wait(".rules", has_text="from Quebec")
        assert visitor.shows("input[name=house][value=quebec]"), "stays open"
        visitor.do(".foot.first .main")
        page.wait_for_selector("dialog[open]", state="hidden")
        names = sorted(page.locator(".scores .name").all_inner_texts())
        assert names == ["Bo", "Kim", "Zoe", "you"]


def test_hands_that_lie_open_are_a_tick_and_an_eye(browser, tmp_path):
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        page = visitor.page
        visitor.wait("dialog .ways")
        page.locator("#more > summary").click()
        box = page.locator("input[name=open]")
        assert not box.is_checked(), "off unless somebody ticks it"
        page.locator("label", has=box).click()
        assert visitor.flaws() == []
        visitor.do(".foot.first .main")
        page.wait_for_selector("dialog[open]", state="hidden")
        visitor.wait("#hand .whose .eye")
        assert page.locator(".scores li .eye").count() == 4
        visitor.do(".all-hands")
        visitor.wait("dialog .faces >> nth=3")
        assert visitor.flaws() == []


@pytest.mark.parametrize("size, house", [(DESK, "puremco"), (PHONE, "classic")], ids=str)
def test_rules_and_lamps_are_one_tap_away(browser, tmp_path, size, house):
    with visiting(browser, tmp_path, first_turn, size=size, house=house) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        visitor.do("#head [data-do='open legend']")
        visitor.wait("dialog .guide .answers h2 >> nth=3")
        title = "Mexican Train" if house == "puremco" else "Classic dominoes"
        assert title in page.locator("dialog .guide h2").first.inner_text()
        rules = page.locator("dialog .guide").first.bounding_box()
        lamps = page.locator("dialog .legend").bounding_box()
        if size == PHONE:
            assert lamps["y"] >= rules["y"] + rules["height"]
        else:
            assert lamps["x"] >= rules["x"] + rules["width"], "beside the rules"
        helps = page.locator("dialog .guide.helps").bounding_box()
        assert helps["y"] >= lamps["y"] + lamps["height"], "the back of the guide"
        assert ENGLISH("guide.when") in page.locator("dialog .guide.helps").inner_text()
        assert visitor.flaws() == []
        with page.expect_download() as saved:
            visitor.do("dialog [data-do='save guide']")
        printed = Path(saved.value.path()).read_text()
        assert printed.count('class="side') == 2 and ENGLISH("guide.when") in printed


LISTEN = """
const Real = AudioContext;
window.loudest = [];
window.AudioContext = class extends Real {
  createGain() {
    const gain = super.createGain();
    const ramp = gain.gain.linearRampToValueAtTime.bind(gain.gain);
    gain.gain.linearRampToValueAtTime = (value, time) => {
      window.loudest.push(value);
      return ramp(value, time);
    };
    return gain;
  }
};
"""


def test_the_volume_is_set_and_kept(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, script=LISTEN) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")

        def loudness(percent):
            page.evaluate("window.loudest = []")
            page.locator("input[name=volume]").fill(percent)
            page.wait_for_function("() => Math.max(...window.loudest) > 0")
            return page.evaluate("Math.max(...window.loudest)")

        visitor.open_menu("open comfort")
        loud, quiet = loudness("100"), loudness("25")
        assert quiet == pytest.approx(loud / 4)
        page.reload()
        visitor.wait(".tile-button")
        visitor.open_menu("open comfort")
        page.wait_for_function(
            "() => document.querySelector('input[name=volume]')?.value === '25'"
        )
        page.locator("input[name=volume]").fill("0")
        visitor.wait("dialog [data-do=sound][aria-pressed=false]")
