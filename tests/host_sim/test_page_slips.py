# SPDX-License-Identifier: MIT
"""Slips of the hand in a real browser: double clicks, taps out of turn, tiles that do not fit."""

import double_taps
import pytest
from page_browsers import (
    BUTTON,
    DESK,
    ENGLISH,
    PHONE,
    PLACE,
    first_turn,
    needs_browser,
    round_is_over,
    visiting,
)

from host_sim.app.session.match_store import MatchStore
from host_sim.app.session.player_view import PlayerView

pytestmark = [pytest.mark.slow, needs_browser]

PASSED = ENGLISH("story.passed", name="Ana")


def until(folder, house, reached):
    """Let bots play, at most 300 steps, until reached(PlayerView, waiting) is true with a person
    at Ana's seat. Return whether it became true."""
    session = MatchStore(folder).new(
        house=house,
        set_=6,
        seats=(1, 2, 3),
        people=(),
        names={1: "Ana", 2: "Bo", 3: "Zoe"},
        seed=1,
    )
    view = PlayerView(session)
    for _ in range(300):
        session.sit_down(1)
        done = reached(view, session.waits_for())
        if done:
            break
        session.stand_up(1)
        if not session.act():
            session.next_round()
    session.close()
    return done


def on_turn(view, waits):
    return waits == ("person", 1)


def must_draw(view, waits):
    """Return whether it is Ana's turn, none of her tiles fits, and her button means draw."""
    return on_turn(view, waits) and not view.fits(1) and view.button(1) == "draw"


def may_begin_a_line(view, waits):
    """Return whether it is Ana's turn and one of her tiles fits at more than four places."""
    return on_turn(view, waits) and any(len(view.places(1, tile)) > 4 for tile in view.fits(1))


def test_a_double_click_draws_once(browser, tmp_path):
    assert until(tmp_path, "puremco", must_draw)
    with visiting(browser, tmp_path) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        hand = visitor.hand()
        box = page.locator(BUTTON).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for _ in range(3):
            page.mouse.click(x, y)
            page.wait_for_timeout(150)
        page.wait_for_timeout(400)
        assert len(visitor.hand()) == len(hand) + 1
        assert page.locator(".story li", has_text=PASSED).count() == 0
        assert page.locator("#turn").inner_text() == ENGLISH("page.your_turn", name="Ana")
        for other in page.locator("#hand .act .ends").all():
            there = other.bounding_box()
            assert there["x"] >= box["x"] + box["width"], "what ends the turn is elsewhere"
        page.keyboard.down(" ")  # a key that is held
        for _ in range(3):
            page.keyboard.down(" ")
        page.keyboard.up(" ")
        page.wait_for_timeout(800)
        assert page.locator(".story li", has_text=PASSED).count() <= 1


def test_two_presses_within_half_a_second_are_one_press_of_the_button(browser, tmp_path):
    """Two clicks within half a second count as one press, even if the page replaces the button
    between the clicks."""
    assert until(tmp_path, "puremco", must_draw)
    with visiting(browser, tmp_path) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        page.evaluate("Date.now = () => 1000")
        page.evaluate(
            """(button) => new Promise((clicked) => {
              document.querySelector(button).click();
              new MutationObserver((_, seen) => {
                const next = document.querySelector(button);
                if (!next?.classList.contains("ends")) return;
                seen.disconnect();
                next.click();
                clicked();
              }).observe(document.getElementById("hand"), { childList: true, subtree: true });
            })""",
            BUTTON,
        )
        visitor.changes(lambda: visitor.do("#hand [data-do=sort]"))  # handled after the clicks
        told = page.locator("#story").inner_text()
        assert ENGLISH("story.drew", name="Ana") in told and PASSED not in told
        page.evaluate("Date.now = () => 1600")
        visitor.do(BUTTON)  # later it is a press, which says that the drawn tile fits
        visitor.wait("#table .answer", has_text=ENGLISH("page.pass_anyway"))
        assert PASSED not in page.locator("#story").inner_text()
        page.evaluate("Date.now = () => 2200")
        visitor.do(BUTTON)
        visitor.wait(".story li", has_text=PASSED)


# Returns the places of the table, the buttons and the tiles that are not chosen: {name: rectangle}
PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll("#table, #hand, #hand .tiles, #hand button:not(.chosen)")]
    .map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [one.dataset.do ?? (one.id || one.className), [x, y, width, height]];
    }))"""


@pytest.mark.parametrize("language", ["fr"])  # which has the longest words
def test_choosing_a_tile_moves_nothing(browser, tmp_path, language):
    assert until(tmp_path, "puremco", on_turn)
    with visiting(browser, tmp_path, size=PHONE, locale=language) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        page.wait_for_timeout(600)

        def tap(do, chosen):
            before = page.evaluate(PLACES)
            visitor.changes(do)
            page.wait_for_timeout(600)
            after = page.evaluate(PLACES)
            for name in before.keys() & after.keys():
                moved = [abs(a - b) for a, b in zip(before[name], after[name])]
                assert max(moved) <= 1, (name, before[name], after[name])
            assert page.locator(".tile-button.chosen").count() == chosen

        hand = visitor.hand()
        fitting = page.locator(".tile-button.fits").first.get_attribute("data-tile")
        other = page.locator(".tile-button:not(.fits)").first.get_attribute("data-tile")
        for name, chosen in ((fitting, 1), (other, 1), (other, 0), (fitting, 1), (fitting, 0)):
            tap(lambda name=name: visitor.do("[data-tile='%s'].tile-button" % name), chosen)
        tap(lambda: visitor.do("[data-tile='%s'].tile-button" % fitting), 1)
        box = page.locator("#table").bounding_box()
        tap(lambda: page.touchscreen.tap(box["x"] + 20, box["y"] + 20), 0)
        assert visitor.hand() == hand


def test_the_table_keeps_its_height_on_a_phone(browser, tmp_path):
    assert until(tmp_path, "puremco", on_turn)
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        page.wait_for_timeout(300)

        def check(what):
            assert visitor.share_of_the_table() >= 0.4, (what, visitor.share_of_the_table())
            low = page.locator("#hand").bounding_box()
            assert low["y"] + low["height"] <= 845, what
            assert page.locator("#hand [data-do^=lay]").count() == 0, "places are on the picture"

        check("first")
        for tile in page.locator(".tile-button").all()[::3]:
            if "chosen" not in tile.get_attribute("class"):
                visitor.changes(tile.tap)
                check("chosen")
        visitor.changes(lambda: visitor.do("[data-slot='E'] .touch"), "#table")
        check("refused")
        visitor.do("[data-slot='E'] .touch")
        page.wait_for_timeout(300)  # the same answer again
        check("refused again")
        for _ in range(4):
            visitor.wait(".tile-button.fits, %s, dialog[open]" % BUTTON)
            if visitor.shows("dialog[open]") or not visitor.shows(
                ", ".join((PLACE, ".tile-button.fits", BUTTON))
            ):
                break
            for what in (PLACE, ".tile-button.fits", BUTTON):
                if visitor.shows(what):
                    visitor.changes(lambda what=what: visitor.do(what))
                    break
            check("played")


def test_ten_players_leave_the_table_its_height_on_a_phone(browser, tmp_path):
    """The table keeps its height during a turn, and when all hands are turned up."""
    for name, reached in (("turn", first_turn), ("over", round_is_over)):
        match = {"set_": 18, "seats": range(1, 11)}
        with visiting(browser, tmp_path / name, reached, size=PHONE, **match) as visitor:
            visitor.wait(".tile-button" if reached is first_turn else "#hand .turned-up")
            assert visitor.share_of_the_table() >= 0.4, name
            visitor.context.close()


def test_a_line_is_begun_on_the_picture(browser, tmp_path):
    """A tap on an empty station in the picture lays the tile there."""
    assert until(tmp_path, "classic", may_begin_a_line)
    with visiting(browser, tmp_path, size=PHONE) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        for tile in page.locator(".tile-button.fits").all():
            name = tile.get_attribute("data-tile")
            visitor.changes(tile.tap)
            free = page.locator(".slot.marked:not(:has(.laid))")
            if free.count():
                free.first.locator(".next rect").tap()
                visitor.wait("#table [data-tile='%s']" % name, state="attached")
                return
        raise AssertionError("no tile begins a line")


def check_answer(visitor, slot, text):
    page = visitor.page
    if visitor.shows(".answer"):  # any click ends it
        visitor.changes(lambda: visitor.do("[data-do=sort]"), "#table")
    visitor.changes(
        lambda: page.locator("[data-slot='%s']" % slot).dispatch_event("click"), "#table"
    )
    visitor.wait(".answer [role=alert]", has_text=text)
    red = page.locator(".answer p").evaluate("one => getComputedStyle(one).color")
    assert red in ("rgb(179, 38, 30)", "rgb(255, 143, 136)")
    assert visitor.flaws() == []


def test_every_click_on_the_table_is_answered(browser, tmp_path):
    with visiting(
        browser, tmp_path, lambda waits, line: waits == ("person", 2), people=(2,)
    ) as bo:
        bo.wait(".tile-button")
        eva = bo.guest()
        check_answer(eva, "1", ENGLISH("page.tap_looking"))
        eva.do("#hand [data-do='open seats']")
        eva.page.fill("form[data-do='take-seat 3'] input", "Eva")
        eva.do("form[data-do='take-seat 3'] button")
        eva.wait(".tile-button")
        tile = eva.page.locator(".tile-button").first.get_attribute("data-tile")
        check_answer(eva, "3", "Bo is to play now.")
        eva.changes(lambda: eva.do(".tile-button[data-tile='%s']" % tile))
        assert not eva.shows(".answer"), "the next click ends the answer"
        check_answer(eva, "M", "Bo is to play now: %s has to wait." % tile)
        check_answer(eva, "E", "Bo is to play now: %s has to wait." % tile)
        assert tile in eva.hand()
        for slot in ("2", "M", "E"):
            check_answer(bo, slot, "Choose one of your tiles first")
        bo.changes(lambda: bo.do(".tile-button"))
        check_answer(bo, "E", ENGLISH("refused.not-now_play"))
        bo.wait(".story li.refused", has_text=ENGLISH("refused.not-now_play"))
        eva.check()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_refusal_says_who_where_and_what_would_do(browser, tmp_path, size):
    assert until(tmp_path, "puremco", must_draw)
    with visiting(browser, tmp_path, size=size) as visitor:
        visitor.wait(".tile-button")
        page = visitor.page
        assert page.locator("#table [aria-label*='my train, station 1']").count() == 1
        tile = page.locator(".tile-button").first.get_attribute("data-tile")
        visitor.changes(lambda: visitor.do(".tile-button"))
        place = "[data-slot='1'] .next rect"
        visitor.changes(lambda: visitor.do(place), "#table")
        text = page.locator(".answer [role=alert]").inner_text()
        end = page.locator("[data-slot='1'] .next text").text_content()
        assert text == (
            "Ana: %s does not fit on your train, it needs a %s. Draw a tile." % (tile, end)
        )
        box = page.locator(".answer").bounding_box()
        hand = page.locator("#hand").bounding_box()
        assert 0 <= hand["y"] - box["y"] - box["height"] < 20, "above the hand"
        if size == DESK:
            assert box["height"] < 60, "the trains stay in sight"
        assert not visitor.shows(".answer button") and visitor.flaws() == []
        visitor.later()  # a second tap, not half of a double tap
        visitor.changes(lambda: visitor.do(place), "#table")
        anyway = page.locator(".answer button")
        assert anyway.inner_text() == "Lay %s on your train anyway" % tile
        assert visitor.flaws() == []
        anyway.click()
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        assert tile not in visitor.hand() and not visitor.shows(".answer")


def test_a_round_of_double_taps_does_what_was_meant(browser, tmp_path):
    """A round of double taps alone makes the moves that were meant, and the page hardly shifts.
    `make taps` plays every house."""
    meant, took, shifted, sources = double_taps.played(browser, tmp_path, "puremco", PHONE)
    assert meant == took and len(meant) > 3
    assert shifted < double_taps.SHIFT, sources
