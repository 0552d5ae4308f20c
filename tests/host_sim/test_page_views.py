# SPDX-License-Identifier: MIT
"""The page in a real browser: what it looks and sounds like, in which language, to whom."""

import pytest
from page_browsers import (
    DESK,
    SIZES,
    Visitor,
    a_round_is_over,
    first_turn,
    kept,
    needs_browser,
    program,
)

pytestmark = [pytest.mark.slow, needs_browser]

# Whatever can be pressed or filled in, and has no name to say: a list of it.
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


def everywhere(visitor, what):
    """Nothing is wrong with how it looks, at every size, light and dark."""
    page = visitor.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert visitor.flaws() == [], (what, width, height, scheme)
    assert page.evaluate(NAMELESS) == [], what


def test_every_view_at_every_size(browser, tmp_path):
    kept(tmp_path, a_round_is_over)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = Visitor(browser, DESK).open(served.address)
        visitor.wait("dialog [data-do=next]")
        everywhere(visitor, "the end of a round")
        visitor.do("dialog [data-do='open rounds']")
        visitor.wait("dialog .history")
        everywhere(visitor, "all rounds")
        visitor.shut()
        visitor.opens()
        everywhere(visitor, "the menu")
        for name in ("seats", "matches", "new"):
            visitor.shut()
            visitor.opens("open " + name)
            visitor.wait("dialog input")
            everywhere(visitor, name)
        visitor.shut()
        visitor.opens("open matches", "look-back")
        visitor.wait(".tape")
        for _ in range(3):
            visitor.changes(lambda: visitor.do(".tape [data-do='tape on']"), "#lesson")
        everywhere(visitor, "looking back")
        visitor.opens("learn")
        visitor.wait(".lesson p")
        everywhere(visitor, "the lesson")
        visitor.check(served.address)


def test_a_tone_and_none(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = Visitor(browser)
        page = visitor.page
        page.add_init_script(LISTEN)
        visitor.open(served.address)
        visitor.wait(".tile-button")
        visitor.do("#hand [data-do='pace quick']")

        def sounds():
            """Take back and do again: the hub says yes."""
            for what in (".tile-button.fits", ".places button", "#hand [data-do=back]"):
                if what != ".places button" or visitor.there(what):
                    visitor.wait(what)
                    visitor.changes(lambda what=what: visitor.do(what))
            visitor.wait(".tile-button.fits")
            return page.evaluate("window.tones")

        assert sounds() > 0
        visitor.changes(lambda: visitor.do("#head [data-do=sound]"), "#head")
        before = page.evaluate("window.tones")
        assert sounds() == before
        page.reload()
        visitor.wait("#head [data-do=sound][aria-pressed=false]")
        visitor.wait(".tile-button.fits")
        page.keyboard.press("Escape")  # a gesture: from here on it could be heard
        assert sounds() == 0
        visitor.changes(lambda: visitor.do("#head [data-do=sound]"), "#head")
        assert sounds() > 0
        visitor.check(served.address)


def test_languages(browser, tmp_path):
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = Visitor(browser, locale="fr-CH").open(served.address)
        page = visitor.page
        visitor.wait("dialog h1", has_text="À quoi jouons-nous")
        assert page.get_attribute("html", "lang") == "fr"
        german = Visitor(browser, locale="fr-CH")
        german.open(served.address.replace("/#", "/?lang=de#"))
        german.wait("dialog h1", has_text="Was spielen wir?")
        german.do(".foot.first .main")
        german.page.wait_for_selector("dialog[open]", state="hidden")
        german.opens("speak en")
        german.page.wait_for_selector('html[lang="en"]')  # the word Menu is German, too
        german.wait("dialog h1", has_text="Menu")
        german.page.goto(served.address.split("#")[0])
        german.wait(".story li", has_text="joins.")
        for one in (visitor, german):
            one.check(served.address)


def test_a_screen_reader_hears_the_story(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = Visitor(browser).open(served.address)
        page = visitor.page
        visitor.wait(".tile-button")
        visitor.do("#hand [data-do='pace quick']")
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
        visitor.do(".places button")
        page.wait_for_function(
            "was => document.getElementById('live').textContent !== was", arg=heard
        )
        visitor.wait(".scores li.now", has_text="Ana")
        assert "laid " + tile in " ".join(page.locator(".story li").all_inner_texts())
        page.locator("#head [data-do='open legend']").focus()
        visitor.changes(lambda: page.keyboard.press("u"))
        assert page.evaluate("document.activeElement.dataset.do") == "open legend"
        assert page.evaluate(NAMELESS) == []
        visitor.check(served.address)
