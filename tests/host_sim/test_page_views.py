# SPDX-License-Identifier: MIT
"""The page in a real browser: layout, sound, languages, and a screen reader."""

import pytest
from page_browsers import (
    ENGLISH,
    LOOKS,
    PLACE,
    Visitor,
    every_view,
    first_turn,
    needs_browser,
    round_is_over,
    visiting,
)

from host_sim.app.views import whole_languages
from host_sim.app.views.i18n import Translator

pytestmark = [pytest.mark.slow, needs_browser]

# A list of the buttons and fields that have no accessible name.
NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, [role=button]")]
  .filter((one) => one.checkVisibility() && one.type !== "hidden")
  .filter((one) => {
    const label = one.closest("label") ?? document.querySelector(`label[for="${one.id}"]`);
    const words = one.getAttribute("aria-label") ?? (one.matches("input, select")
      ? label?.textContent : one.textContent);
    return !/[\\p{L}\\p{N}]/u.test(words ?? "");
  }).map((one) => one.outerHTML.slice(0, 120))"""

LISTEN = """
const Real = AudioContext;
window.tones = 0;
window.AudioContext = class extends Real {
  createOscillator() { window.tones += 1; return super.createOscillator(); }
};
"""


def check_all_sizes(visitor, what):
    """Check the layout at every window size, in the dark and the light colour scheme."""
    page = visitor.page
    for (width, height), scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert visitor.flaws() == [], (what, width, height, scheme)
    assert page.evaluate(NAMELESS) == [], what


def test_every_view_at_every_size(browser, tmp_path):
    with visiting(browser, tmp_path, round_is_over) as visitor:
        visitor.wait("dialog [data-do=next]")
        check_all_sizes(visitor, "the end of a round")
        visitor.do("dialog [data-do='open rounds']")
        visitor.wait("dialog .history")
        check_all_sizes(visitor, "all rounds")
        visitor.close_dialogs()
        for view in every_view(visitor):
            check_all_sizes(visitor, view)


def test_a_tone_and_none(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, script=LISTEN) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        visitor.hurry()

        def sounds():
            """Lay a tile and take it back; return how many tones have been played so far."""
            for what in (".tile-button.fits", PLACE):
                visitor.wait(what)
                visitor.changes(lambda what=what: visitor.do(what))
            visitor.take_back()
            visitor.wait(".tile-button.fits")
            return page.evaluate("window.tones")

        assert sounds() > 0
        visitor.open_menu("open comfort", "sound")
        visitor.wait("dialog [data-do=sound][aria-pressed=false]")
        visitor.close_dialogs()
        before = page.evaluate("window.tones")
        assert sounds() == before
        page.reload()
        visitor.wait(".tile-button.fits")
        visitor.open_menu("open comfort")
        visitor.wait("dialog [data-do=sound][aria-pressed=false]")
        visitor.close_dialogs()
        page.keyboard.press("Escape")  # a user gesture, after which a browser allows sound
        assert sounds() == 0
        page.keyboard.press("s")  # the key for what the button in the menu does
        page.wait_for_function("() => window.tones > 0")  # it plays a tone when it is switched on
        before = page.evaluate("window.tones")
        assert sounds() > before


@pytest.mark.skipif(
    not {"de", "fr"} <= {*whole_languages.whole()}, reason="German or French lacks a sentence"
)
def test_languages(browser, tmp_path):
    with visiting(browser, tmp_path, locale="fr-CH") as visitor:
        visitor.wait("dialog legend", has_text=Translator("fr")("page.which_game"))
        visitor.wait("html[lang=fr]")
        german = Visitor(browser, locale="fr-CH")
        german.open(visitor.address.replace("/#", "/?lang=de#"))
        german.wait("dialog legend", has_text=Translator("de")("page.which_game"))
        german.do(".foot.first .main")
        german.page.wait_for_selector("dialog[open]", state="hidden")
        german.open_menu("speak en")
        german.page.wait_for_selector('html[lang="en"]')  # the word Menu is German, too
        german.wait("dialog h1", has_text="Menu")
        german.page.goto(visitor.address.split("#")[0])
        german.wait(".story li", has_text=ENGLISH("story.joined", name="").strip())
        german.check()


def test_a_screen_reader_hears_the_story(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        visitor.hurry()
        live = page.locator("#live")
        assert (live.get_attribute("role"), live.get_attribute("aria-live")) == (
            "status",
            "polite",
        )
        page.locator("#hand [data-do=sort]").focus()
        heard = live.inner_text()
        page.locator(".tile-button.fits").first.focus()
        tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        page.keyboard.press("Enter")
        visitor.wait(".tile-button.chosen")
        assert page.evaluate("document.activeElement.dataset.drag") == tile
        page.locator("#hand [data-do=sort]").focus()
        visitor.do(PLACE)
        page.wait_for_function(
            "was => document.getElementById('live').textContent !== was", arg=heard
        )
        visitor.wait(".scores li.now", has_text="Ana")
        assert "laid " + tile in " ".join(page.locator(".story li").all_inner_texts())
        page.locator("#head [data-do='open legend']").focus()
        page.keyboard.press("u")
        visitor.wait("dialog[open]")  # others have played since: it asks
        page.keyboard.press("Escape")
        visitor.wait("dialog[open]", state="detached")
        assert page.evaluate("document.activeElement.dataset.do") == "open legend"
        assert page.evaluate(NAMELESS) == []
