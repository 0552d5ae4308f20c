# SPDX-License-Identifier: MIT
"""What makes the page comfortable: the sheet with its choices, keys, names for a screen reader."""

import re

import pytest
from page_browsers import DESK, ENGLISH, PHONE, first_turn, needs_browser, visiting
from test_viewer_page import bots_play, owner, started_app

from host_sim.app.page.comfort import CHOICES, from_fields
from host_sim.app.views.i18n import LANGUAGES
from host_sim.app.views.lamp_css import WOOD, contrast

# ---- the sheet ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_is_offered_and_kept(tmp_path, language):
    page = owner(started_app(tmp_path), language)
    assert page.handle({"do": "open comfort"})
    for name, values in CHOICES.items():
        for value in reversed(values):
            words = "comfort %s %s" % (name, value)
            assert page.handle({"do": words})
            *_, kept = page.messages()
            assert kept == {"keep": {name: value}}
            dialog = page.components()["dialog"]
            pressed = re.findall('data-do="(comfort %s [^"]*)" aria-pressed="true"' % name, dialog)
            assert pressed == [words]


def test_what_a_browser_kept_is_taken_up_unless_it_is_junk(tmp_path):
    page = owner(started_app(tmp_path))
    kept = {"text": "150", "hand": "left", "motion": "junk", "letters": "off"}
    assert page.handle({"do": "kept", "fields": kept})
    assert page.viewer.comfort == {**from_fields({}), **kept, "motion": "system"}
    for junk in ("text 999", "junk 100", "text"):
        assert not page.handle({"do": "comfort " + junk})


def test_each_switch_is_in_one_place(tmp_path):
    page = owner(started_app(tmp_path))
    bots_play(page.viewer.app)
    words = re.compile('data-(?:do|change)="(sound|volume|spoken|pace|comfort)[ "]')
    assert not words.search("".join(page.components().values()))
    for dialog, count in (("menu", 0), ("comfort", 5)):
        assert page.handle({"do": "open " + dialog})
        assert len(set(words.findall("".join(page.components().values())))) == count


def test_letters_are_no_keys_if_they_are_switched_off(tmp_path):
    page = owner(started_app(tmp_path))
    assert bots_play(page.viewer.app) == ("person", 1)
    assert page.handle({"key": "s"}) and page.handle({"key": "h"})
    assert page.handle({"do": "comfort letters off"})
    for key in ("s", "h", "u", "1", "?", "m"):
        assert not page.handle({"key": key})
    assert page.handle({"key": "ArrowRight"}) and page.viewer.chosen_tile


SIZES = """() => {
  const height = (one) => document.querySelector(one).getBoundingClientRect().height;
  return [height("#hand .tile-button svg"), parseFloat(getComputedStyle(document.body).fontSize)];
}"""
COLUMNS = """() => ["acts", "ends"].map((name) => {
  const one = document.querySelector("#hand .act").appendChild(document.createElement("button"));
  one.className = name;
  const { left } = one.getBoundingClientRect();
  one.remove();
  return left;
})"""
MOVING = """() => document.getAnimations()
  .filter(({ animationName }) => /^(lamp|once)/.test(animationName)).length"""


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("size", [PHONE, DESK, (360, 640), (844, 390)])
def test_sizes_and_the_left_hand_are_seen_at_once_and_after_a_reload(browser, tmp_path, size):
    with visiting(browser, tmp_path, first_turn, size) as visitor:
        page = visitor.page
        visitor.wait(".tile-button.fits")
        tile, text = page.evaluate(SIZES)
        acts, ends = page.evaluate(COLUMNS)
        assert acts < ends
        words = ["comfort text 125", "comfort tiles 150", "comfort hand left"]
        visitor.open_menu("open comfort", *words)
        visitor.wait("dialog .on[data-do='comfort hand left']")
        visitor.close_dialogs()
        for _ in range(2):
            larger, words_are = page.evaluate(SIZES)
            assert words_are == pytest.approx(1.25 * text)
            assert larger > tile or size[1] < 400, "held sideways, all room is used"
            acts, ends = page.evaluate(COLUMNS)
            assert ends < acts
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.reload()
            visitor.wait(".tile-button.fits")


@pytest.mark.slow
@needs_browser
def test_motion_is_reduced_by_choice(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        page.emulate_media(reduced_motion="no-preference")
        page.wait_for_function("() => (%s)() > 0" % MOVING)
        visitor.open_menu("open comfort", "comfort motion still")
        page.wait_for_function("() => (%s)() === 0" % MOVING)
        page.reload()
        visitor.wait(".tile-button.fits")
        assert page.evaluate(MOVING) == 0
        visitor.open_menu("open comfort", "comfort motion system")
        page.wait_for_function("() => (%s)() > 0" % MOVING)


# ---- a screen reader ----


@pytest.mark.slow
@needs_browser
def test_arrow_keys_say_the_tile_and_enter_lays_it(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        visitor.wait(".tile-button.fits")
        hand = visitor.hand()
        said = "document.activeElement.getAttribute('aria-label')"
        for key, tile in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
            page.keyboard.press(key)
            page.wait_for_function(
                "tile => document.activeElement.dataset.drag === tile"
                " && document.activeElement.getAttribute('aria-pressed') === 'true'",
                arg=hand[tile],
            )
            assert page.evaluate(said).startswith(hand[tile])
        fits = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        for _ in range(hand.index(fits)):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("tile => document.activeElement.dataset.drag === tile", arg=fits)
        assert ENGLISH("page.fits", places="").strip() in page.evaluate(said)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "tile => !document.querySelector(`.tile-button[data-drag='${tile}']`)"
            " || document.querySelector('.answer')",
            arg=fits,
        )


@pytest.mark.slow
@needs_browser
def test_a_dialog_is_named_by_its_heading(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        visitor.wait(".tile-button")
        dialogs = {"menu": "page.menu", "legend": "page.rules_and_lamps"}
        for name, key in dialogs.items():
            visitor.do("#head [data-do='open %s']" % name)
            visitor.page.get_by_role("dialog", name=ENGLISH(key), exact=True).wait_for()
            visitor.close_dialogs()


@pytest.mark.slow
@needs_browser
def test_the_focus_on_a_station_is_seen(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        stations = page.locator("#table .button").count()
        page.locator("#table .button").first.focus()
        for _ in range(stations):
            look = page.evaluate(
                "() => { const style = getComputedStyle(document.activeElement"
                ".querySelector('.touch')); return [style.stroke, style.strokeWidth]; }"
            )
            assert look == ["rgb(255, 255, 255)", "3px"]
            page.keyboard.press("Tab")
        felt = page.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--felt')"
        )
        assert all(contrast("#ffffff", ground) >= 3 for ground in (felt.strip(), WOOD))
