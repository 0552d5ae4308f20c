# SPDX-License-Identifier: MIT
"""The page on a television, on phones held either way, zoomed, spoken aloud, and installed."""

import json
import re
import urllib.request

import pytest
from page_browsers import (
    ENGLISH,
    PHONE,
    TELEVISION,
    Visitor,
    first_turn,
    launched,
    needs_browser,
    play_one,
    visiting,
)

from host_sim.app.page.spoken import in_words
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import Translator

SIDEWAYS, ZOOMED = (844, 390), (640, 400)  # a phone on its side; 1280 x 800 at 200 %


def eight_at_a_table(folder):
    """Save a match with eight seats, at the turn of seat 5, the only person."""
    names = dict(enumerate(("Ana", "Bo", "Zoe", "Kim", "Ulla", "Max", "Ida", "Otto"), 1))
    session = MatchStore(folder).new(
        house="puremco", set_=12, seats=tuple(names), people=(5,), names=names, seed=1
    )
    while session.waits_for().kind != "person":
        session.act()
    session.close()


def px(visitor, selector, name="fontSize"):
    """Return the style property `name`, in px, of the first element that matches a selector."""
    return visitor.page.locator(selector).first.evaluate(
        "(one, name) => parseFloat(getComputedStyle(one)[name])", name
    )


# ---- a television ----

HUB = "() => Math.max(...[...document.querySelectorAll('svg.table > circle')]" + (
    ".map((one) => one.getBoundingClientRect().width))"
)


def television_of(visitor, browser):
    return Visitor(browser, TELEVISION).open(visitor.address.replace("/#", "/?tv#"))


@pytest.mark.slow
@needs_browser
def test_a_television_shows_no_hand_and_all_of_it_is_large(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, size=TELEVISION, host=True) as desk:
        television = television_of(desk, browser)
        television.wait(".tv .join svg")
        assert not television.received("hand") or set(television.received("hand")) == {""}
        assert not television.shows(".tile-button")
        for large in (".scores .name", ".scores b"):
            assert px(television, large) >= 40, large
        assert px(television, "#turn p") >= 70
        code = television.page.locator(".join svg").bounding_box()
        assert min(code["width"], code["height"]) >= 440, "a tenth of 3 m on a usual television"
        desk.wait(".tile-button")
        table = television.page.locator("#table").bounding_box()
        usual = 0.496 * table["height"]  # beside long trains
        assert television.page.evaluate(HUB) >= 1.39 * usual, "twice the area beside short trains"
        television.page.keyboard.press(" ")  # nor is there anything to play with
        assert television.flaws() == []
        desk.open_menu("television")
        desk.wait("body.tv #table > svg")
        desk.page.wait_for_selector(".tile-button", state="detached")
        assert "?tv" in desk.page.url
        desk.page.reload()
        desk.wait("body.tv #table > svg")
        assert not desk.shows(".tile-button")
        desk.open_menu("television")
        desk.wait(".tile-button")
        television.check()


@pytest.mark.slow
@needs_browser
def test_the_code_goes_into_a_corner_when_every_seat_is_taken(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, host=True) as desk:
        phone = desk.guest()
        phone.do("#hand [data-do='open seats']")
        phone.page.fill("form[data-do='take-seat 3'] input", "Eva")
        phone.do("form[data-do='take-seat 3'] button")
        television = television_of(desk, browser)
        television.wait(".join.small svg")
        box = television.page.locator(".join.small svg").bounding_box()
        assert box["width"] < 250 and box["x"] < 40 and box["y"] + box["height"] > 1000
        assert television.shows(".story li"), "there is room for the story then"
        assert not television.shows("dialog[open]"), "no curtain on a television"
        television.check()


# ---- phones ----

# The visible buttons and fields that are smaller than 44 px.
SMALL = """() => [...document.querySelectorAll("button, select, input:not([type])")]
  .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
  .map(([one, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${one.outerHTML}`)
"""


@pytest.mark.slow
@needs_browser
def test_a_phone_shows_eight_scores_ones_own_first_and_targets_for_fingers(browser, tmp_path):
    eight_at_a_table(tmp_path)
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        visitor.wait(".tile-button")
        boxes = [one.bounding_box() for one in visitor.page.locator(".scores li").all()]
        assert len(boxes) == 8
        for box in boxes:
            assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]
        own = visitor.page.locator(".scores li.own").bounding_box()
        assert (own["y"], own["x"]) == min((box["y"], box["x"]) for box in boxes)
        assert visitor.page.locator(".scores li.own .name").inner_text() == "Ulla"
        assert visitor.page.evaluate(SMALL) == []
        table = visitor.page.locator("#table").bounding_box()
        assert table["height"] >= 0.4 * PHONE[1]
        assert visitor.flaws() == []
        hand = visitor.page.locator("#hand .tiles").bounding_box()
        last = visitor.page.locator(".tile-button").last.bounding_box()
        assert len(visitor.hand()) < 12 or last["y"] > hand["y"] + 50, "two rows"
        assert last["y"] + last["height"] <= hand["y"] + hand["height"] + 1


@pytest.mark.slow
@needs_browser
def test_table_hand_and_buttons_are_on_a_low_screen_together(browser, tmp_path):
    eight_at_a_table(tmp_path)
    with visiting(browser, tmp_path, size=SIDEWAYS) as visitor:
        visitor.wait(".tile-button")
        for size in (SIDEWAYS, ZOOMED):
            visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
            assert visitor.flaws() == [], size
            boxes = {
                what: visitor.page.locator(what).first.bounding_box()
                for what in ("#table > svg", "#hand .tiles", ".tile-button", "#hand .act")
            }
            boxes[".scores"] = visitor.page.locator(".scores").first.bounding_box()
            for what, box in boxes.items():
                assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1, (what, size)
                assert box["y"] >= 0 and box["y"] + box["height"] <= size[1] + 1, (what, size)
            assert boxes["#table > svg"]["height"] >= 0.5 * size[1], size
            assert visitor.page.evaluate(SMALL) == [], size


# ---- large text ----

# The font sizes, in px, of the texts outside pictures.
TEXTS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (walk.currentNode.textContent.trim() && !element.closest("svg, noscript"))
      sizes.push([walk.currentNode.textContent, parseFloat(getComputedStyle(element).fontSize)]);
  }
  return sizes;
}"""
# The buttons that are partly beyond the left or the right edge of the screen.
BEYOND = """() => [...document.querySelectorAll("button")].filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML, one.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.right > document.documentElement.clientWidth)
  .map(([button]) => button)"""


@pytest.mark.slow
@needs_browser
def test_all_text_has_the_size_that_the_browser_is_set_to(browser, tmp_path):
    large = launched(browser.browser_type, "--blink-settings=defaultFontSize=32")
    with visiting(browser, tmp_path, first_turn, size=PHONE) as usual:
        usual.wait(".tile-button")
        twice_as_large = {"width": 2 * PHONE[0], "height": 2 * PHONE[1]}  # for the same layout
        visitor = Visitor(large, PHONE).open(usual.address)
        visitor.page.set_viewport_size(twice_as_large)
        visitor.wait(".tile-button")
        twice = [[text, 2 * size] for text, size in usual.page.evaluate(TEXTS)]
        assert visitor.page.evaluate(TEXTS) == twice
        for size in (PHONE, SIDEWAYS):
            visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
            assert visitor.flaws() == [], size
            assert visitor.page.evaluate(BEYOND) == [], size
            assert visitor.share_of_the_table() >= 0.4, size
            hand = visitor.page.locator("#hand .tiles").bounding_box()
            tile = visitor.page.locator(".tile-button").first.bounding_box()
            assert tile["height"] <= hand["height"], size
        visitor.check()
    large.close()


SHIFTS = """() => {
  window.shifts = 0;
  window.shifted = [];
  // the story moves on, and the tiles that stay in a hand close ranks
  const isMeant = ({ node }) =>
    !node || Boolean((node.closest ? node : node.parentElement)?.closest("#story, .tiles"));
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      const found = one.sources.filter((source) => !isMeant(source));
      if (!found.length) continue;
      window.shifts += one.value;
      const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
      for (const { node, previousRect, currentRect } of found)
        window.shifted.push([node.textContent.slice(0, 60), box(previousRect), box(currentRect)]);
    }
  }).observe({ type: "layout-shift" });
}"""


@pytest.mark.slow
@needs_browser
def test_nothing_shifts_when_a_button_appears(browser, tmp_path):
    """Nothing shifts on a desktop. For a phone, see
    `test_a_round_of_double_taps_does_what_was_meant`."""
    with visiting(browser, tmp_path, first_turn, set_=9) as visitor:
        visitor.wait(".tile-button")
        visitor.hurry()
        assert visitor.flaws() == []  # the picture has its final size
        heights = "() => ['#table', '#hand'].map((id) => document.querySelector(id).clientHeight)"
        visitor.page.evaluate(SHIFTS)
        before = visitor.page.evaluate(heights)
        for _ in range(8):
            visitor.wait("dialog[open], .tile-button.fits, #hand .act [data-do=button]")
            if visitor.shows("dialog[open]"):
                break
            play_one(visitor)
            assert visitor.page.evaluate(heights) == before
        assert visitor.page.evaluate("window.shifts") < 0.05, visitor.page.evaluate(
            "window.shifted"
        )


# ---- spoken aloud ----


@pytest.mark.parametrize(
    "language, text, said",
    [
        ("en", "Ana laid 6-4 on their own train.", "Ana laid six four on their own train."),
        ("en", "Bo laid 12-12 in the middle.", "Bo laid double twelve in the middle."),
        ("de", "Zoe hat 1 Stein und 0 Punkte.", "Zoe hat 1 Stein und 0 Punkte."),
        ("de", "Ana legt 6-0 an.", "Ana legt sechs null an."),
        ("fr", "Ana pose 18-18.", "Ana pose double dix-huit."),
    ],
)
def test_tiles_are_said_as_at_a_table(language, text, said):
    assert in_words(text, Translator(language)) == said


VOICE = """
window.said = [];
const voices = [{ lang: "fr-FR" }, { lang: "en-GB" }];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices,
  addEventListener() {},
  cancel: () => window.said.push(null),
  speak: (one) => window.said.push([one.lang, one.text]),
} });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
NO_VOICE = """
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [], addEventListener: (_, tell) => tell(), cancel() {}, speak() {} } });
"""
SAID = "() => window.said.filter(Boolean).map(([, text]) => text).join(' | ')"


@pytest.mark.slow
@needs_browser
def test_a_table_is_spoken_when_asked(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, script=VOICE) as visitor:
        page = visitor.page
        visitor.wait(".tile-button.fits")
        visitor.hurry()
        play_one(visitor)
        assert page.evaluate("window.said") == [], "off until asked"
        visitor.open_menu("open comfort", "spoken everything")
        page.wait_for_function("() => window.said.length === 2")
        assert page.evaluate("window.said") == [None, ["en-GB", "I say everything that happens."]]
        visitor.close_dialogs()
        for _ in range(9):
            visitor.wait(".tile-button.fits, #hand .act [data-do=button]")
            play_one(visitor)
            if " laid " in page.evaluate(SAID):
                break
        page.wait_for_function("() => (%s)().includes('turn')" % SAID)
        assert not re.search(r"\d+-\d+", page.evaluate(SAID)), page.evaluate(SAID)
        said = page.evaluate("window.said")
        assert all(before is None for before, now in zip(said, said[1:]) if now), (
            "what is said is interrupted by the next"
        )
        visitor.open_menu("open comfort", "spoken turns")
        visitor.wait("dialog [data-do='spoken turns'][aria-pressed=true]")
        page.wait_for_function("() => localStorage.getItem('roundhouse-spoken') === 'turns'")
        page.reload()
        visitor.wait(".tile-button")
        visitor.open_menu("open comfort")
        visitor.wait("dialog [data-do='spoken turns'][aria-pressed=true]")


@pytest.mark.slow
@needs_browser
def test_a_browser_without_a_voice_says_so(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, script=NO_VOICE) as visitor:
        visitor.wait(".tile-button")
        visitor.open_menu("open comfort", "spoken scores")
        visitor.wait("#notice", has_text=ENGLISH("spoken.no_voice"))
        visitor.wait("dialog [data-do='spoken off'][aria-pressed=true]")


# ---- installed ----


@pytest.mark.slow
@needs_browser
def test_it_can_be_installed(browser, tmp_path):
    with visiting(browser, tmp_path) as visitor:
        home = visitor.page.evaluate("document.querySelector('link[rel=manifest]').href")
        with urllib.request.urlopen(home) as answer:
            manifest = json.load(answer)
        assert manifest["display"] == "standalone" and manifest["name"] == "Roundhouse"
        sizes = {icon["sizes"]: icon["src"] for icon in manifest["icons"]}
        for side in (192, 512):
            box = visitor.page.evaluate(
                "async (src) => { const one = new Image(); one.src = src; await one.decode();"
                " return [one.naturalWidth, one.naturalHeight]; }",
                sizes["%dx%d" % (side, side)],
            )
            assert box == [side, side]
        session = visitor.context.new_cdp_session(visitor.page)
        found = session.send("Page.getAppManifest")
        assert found["errors"] == [] and found["url"] == home
