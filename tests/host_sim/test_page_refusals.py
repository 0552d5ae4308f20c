# SPDX-License-Identifier: MIT
"""What a browser may refuse: storage, sound, the clipboard. The page plays on, and says what it
cannot do."""

import pytest
from page_browsers import DESK, ENGLISH, PHONE, first_turn, needs_browser, visiting

pytestmark = needs_browser

# A built-in browser of a QR scanner, blocked cookies, a full store.
STORES = {
    "none": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get() { return null; } });""",
    "blocked": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() { throw new DOMException("no", "SecurityError"); } });""",
    "full": """Storage.prototype.setItem = () => {
      throw new DOMException("no", "QuotaExceededError"); };""",
}


@pytest.mark.parametrize("store", STORES)
def test_without_storage_the_page_plays_and_says_so(browser, tmp_path, store):
    with visiting(browser, tmp_path, first_turn, PHONE, script=STORES[store]) as visitor:
        visitor.wait("#notice", has_text=ENGLISH("page.browser_keeps_nothing"))
        visitor.wait(".tile-button")  # it is the owner's page, though the key cannot be kept
        visitor.open_menu("open comfort", "sound")
        visitor.wait("[data-do=sound][aria-pressed=false]")


def test_a_browser_that_keeps_all_is_told_nothing(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        visitor.wait(".tile-button")
        assert visitor.page.locator("#notice").is_hidden()


# An audio context that a phone call, the lock screen or the browser itself has stopped.
AUDIO = """window.made = []; window.heard = 0; window.lost = 0;
const Real = AudioContext;
window.AudioContext = class extends Real {
  constructor() { super(); made.push(this); this.now = "running"; }
  get state() { return this.now; }
  resume() { this.now = "running"; return super.resume(); }
  createOscillator() {
    this.now === "running" ? heard++ : lost++;
    return super.createOscillator();
  }
};"""


@pytest.mark.parametrize("how", ["interrupted", "suspended", "closed"])
def test_sound_comes_back_with_the_next_click(browser, tmp_path, how):
    with visiting(browser, tmp_path, first_turn, script=AUDIO) as visitor:
        page = visitor.page
        visitor.open_menu("open comfort")
        volume = page.locator("input[name=volume]")  # plays a tune when it is changed
        volume.fill("90")
        page.wait_for_function("() => window.heard > 0")
        page.evaluate("how => made.forEach((one) => { one.now = how; })", how)
        heard = page.evaluate("window.heard")
        page.locator("dialog h1").first.click()
        volume.fill("80")
        page.wait_for_function("heard => window.heard > heard", arg=heard)
        assert page.evaluate("window.lost") == 0


def test_without_sound_the_page_plays(browser, tmp_path):
    script = "window.AudioContext = class { constructor() { throw new Error('none'); } };"
    with visiting(browser, tmp_path, first_turn, script=script) as visitor:
        visitor.do(".tile-button")
        visitor.wait(".tile-button.chosen")


CLIPBOARDS = {
    "none": ("Object.defineProperty(navigator, 'clipboard', { get() { return undefined; } });", 1),
    "refuses": ("navigator.clipboard.writeText = () => Promise.reject(new Error('no'));", 1),
    "and no copying": (
        "Object.defineProperty(navigator, 'clipboard', { get() { return undefined; } });"
        "Document.prototype.execCommand = () => false;",
        0,
    ),
}


@pytest.mark.parametrize("kind", CLIPBOARDS)
def test_copying_works_another_way_or_says_that_it_does_not(browser, tmp_path, kind):
    script, works = CLIPBOARDS[kind]
    script += "window.copied = ''; document.addEventListener('copy', () => {"
    script += " window.copied = document.activeElement.value; });"
    with visiting(browser, tmp_path, script=script) as visitor:
        page = visitor.page
        visitor.do("dialog [data-do='open own']")
        page.fill("[name=title]", "Aunt")
        page.fill("[name=typed-deal]", "7, 6")
        page.locator("[name=typed-deal]").press("Tab")
        visitor.wait(".changes li", has_text="7 tiles")
        visitor.do("dialog .foot .main")
        visitor.wait("pre.config")
        page.locator("[data-copy]").click()
        if works:
            page.wait_for_selector("[data-copy].on")
            assert "FAMILY" in page.evaluate("window.copied")
        else:
            visitor.wait("#notice", has_text=ENGLISH("page.not_copied"))
        assert page.locator("textarea.heard").count() == 0


TYPE_AT_ONCE = """field => {
  document.querySelector("[name=answer-lock][value=no]").click();
  field.select();
  document.execCommand("insertText", false, "7, 6");
}"""


def test_an_answer_does_not_replace_what_was_typed_since(browser, tmp_path):
    with visiting(browser, tmp_path) as visitor:
        page = visitor.page
        visitor.do("dialog [data-do='open own']")
        deal = page.locator("[name=typed-deal]")
        deal.evaluate(TYPE_AT_ONCE)
        visitor.wait(".changes li")  # the answer to the click
        assert deal.input_value() == "7, 6"
        deal.press("Tab")
        visitor.wait(".changes li", has_text="7 tiles")


# ---- what is heard and seen otherwise ----


def test_a_notice_stands_where_screen_readers_listen(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, script=STORES["full"]) as visitor:
        visitor.wait("#notice", has_text=ENGLISH("page.browser_keeps_nothing"))
        assert visitor.page.evaluate("Boolean(document.querySelector('[role=alert] > #notice'))")


LOOK = """([chosen, other]) => {
  const look = (one) => {
    const style = getComputedStyle(document.querySelector(one));
    return ["backgroundColor", "borderColor", "outlineStyle"].map((name) => style[name]).join();
  };
  return [look(chosen), look(other)];
}"""


def test_what_is_chosen_looks_chosen_in_forced_colours(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, DESK) as visitor:
        page = visitor.page
        page.emulate_media(forced_colors="active")
        visitor.do(".tile-button.fits")
        visitor.wait(".tile-button.chosen")
        pairs = [
            (".tile-button.chosen", ".tile-button:not(.chosen)"),
            (".scores li.now", ".scores li:not(.now)"),
            (".scores li:nth-child(2) .dot", ".scores li:nth-child(3) .dot"),
        ]
        for pair in pairs:
            chosen, other = page.evaluate(LOOK, pair)
            assert chosen != other, pair
        visitor.open_menu("open comfort")
        visitor.wait(".switch .on")
        chosen, other = page.evaluate(LOOK, (".switch .on", ".switch button:not(.on)"))
        assert chosen != other
        visitor.close_dialogs()
        visitor.open_menu("open new")
        visitor.wait(".games label.on")
        chosen, other = page.evaluate(LOOK, (".games label.on", ".games label:not(.on)"))
        assert chosen != other
