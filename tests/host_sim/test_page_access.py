# SPDX-License-Identifier: MIT
"""Accessibility of the page: axe finds no violation in any state."""

import re

import pytest
from page_browsers import (
    AXE,
    DESK,
    PHONE,
    every_view,
    first_turn,
    needs_axe,
    needs_browser,
    round_is_over,
    visiting,
)

from host_sim.app.views.lamp_css import WELL, WOOD, blend, contrast

pytestmark = [pytest.mark.slow, needs_browser, needs_axe]

# What a screen reader is told is on the page, behind a dialog nothing else.
HEADINGS = """() => [...(document.querySelector("dialog[open]") ?? document)
  .querySelectorAll("h1")].map((one) => one.textContent)"""


def findings(visitor, what):
    """Check a state of the page with axe. Also check that the page has one main heading."""
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = visitor.page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    shown = [
        "%s: %s" % (one["id"], node["html"][:200])
        for one in found  # one line for each element
        for node in one["nodes"]
    ]
    assert shown == [], what
    assert len(visitor.page.evaluate(HEADINGS)) == 1, what


def test_axe_finds_nothing(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, size=PHONE) as visitor:
        visitor.wait(".tile-button.fits")
        visitor.hurry()
        findings(visitor, "my turn")
        visitor.do(".tile-button.fits")
        visitor.wait(".tile-button.chosen")
        findings(visitor, "a tile is chosen")
        for view in every_view(visitor):
            findings(visitor, view)
        guest = visitor.guest(DESK)
        guest.wait("#hand .looking")
        findings(guest, "looking on")


def test_axe_finds_nothing_at_the_end_of_a_round(browser, tmp_path):
    with visiting(browser, tmp_path, round_is_over) as visitor:
        visitor.wait("dialog [data-do=next]")
        findings(visitor, "the end of a round")


# What each lamp of the legend looks like at every step: [[its classes, its colour, opacity], ...].
# What comes after the last step of a lamp that flashes once is dark.
LAMPS = """() => [...document.querySelectorAll(".legend .lamp > g")].flatMap((lamp) => {
  const fill = getComputedStyle(lamp.querySelector("circle:nth-of-type(2)")).fill;
  const look = () => [lamp.getAttribute("class"), fill, Number(getComputedStyle(lamp).opacity)];
  return lamp.getAnimations().flatMap((animation) => {
    const { duration } = animation.effect.getTiming();
    return animation.effect.getKeyframes().slice(0, -1).map(({ computedOffset }) => {
      animation.currentTime = computedOffset * duration + 1;
      return look();
    });
  }).concat(lamp.getAnimations().length ? [] : [look()]);
})"""


def test_a_lit_lamp_is_seen_in_every_phase_of_its_rhythm(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        visitor.page.emulate_media(reduced_motion="no-preference")
        visitor.wait(".tile-button")
        visitor.do("#head [data-do='open legend']")
        visitor.wait(".legend .lamp", state="attached")
        looks = visitor.page.evaluate(LAMPS)
        assert len({classes for classes, _, _ in looks}) > 25
        for classes, fill, opacity in looks:
            red, green, blue = map(int, re.findall(r"\d+", fill))
            if opacity:  # a lamp that is dark for a moment shows nothing
                seen = blend("#%02x%02x%02x" % (red, green, blue), opacity, WELL)
                assert contrast(seen, WOOD) >= 3, (classes, opacity)


# The animations that run by themselves and so have a frame drawn sixty times a second.
RUNNING = """() => document.getAnimations()
  .filter((one) => one.playState === "running").map((one) => one.animationName)"""


def test_nothing_moves_by_itself_while_a_lamp_breathes(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        page.emulate_media(reduced_motion="no-preference")
        visitor.wait(".tile-button.fits")
        visitor.do(".tile-button.fits")
        visitor.wait("#table .marked", state="attached")
        page.wait_for_function("() => (%s)().length === 0" % RUNNING)
        light = "Number(getComputedStyle(document.querySelector('.l0-t')).opacity)"
        seen = page.evaluate(light)
        page.wait_for_function("was => %s !== was" % light, arg=seen)  # it does breathe


def test_the_story_is_scrolled_by_keys_and_the_hand_is_a_landmark(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as visitor:
        page = visitor.page
        visitor.wait(".tile-button")
        story = page.get_by_role("list", name="What happened")
        story.focus()
        assert story.evaluate("(one) => one === document.activeElement")
        place = page.get_by_role("region", name="Your place at the table")
        assert place.get_by_role("button").count() >= len(visitor.hand())
        assert (
            page.get_by_role("button", name="Ana, 7 tiles in hand, my train, station 1").count()
            == 1
        )
        page.get_by_role("button", name="Ana, 7 tiles in hand").focus()
