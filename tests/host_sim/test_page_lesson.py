# SPDX-License-Identifier: MIT
"""The lesson in a real browser: do what the page asks for, to the end and beyond."""

import re

import pytest
import test_lesson
from page_browsers import ENGLISH, PHONE, PLACE, Visitor, needs_browser, served_from, visiting

from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import Translator

pytestmark = [pytest.mark.slow, needs_browser]
WANTED = (PLACE, ".tile-button.wanted:not(.chosen)", "#hand .act .wanted")


def follow(visitor, until=None):
    """Click what the lesson asks for, until the step `until` or the end."""
    page = visitor.page
    looked_at = set()
    for _ in range(80):
        page.wait_for_selector(
            "#hand .wanted, #lesson [data-do='learn forgotten'], #lesson .lesson .main"
        )
        step = page.locator(".lesson b").inner_text().split()[1]
        if step not in looked_at:
            looked_at.add(step)
            assert visitor.flaws() == [], step
            assert visitor.share_of_the_table() >= 0.4, step
        if step == until or visitor.shows("#lesson button:not(.ghost)"):
            return
        what = visitor.first_shown(WANTED)
        if what:
            visitor.changes(lambda what=what: visitor.do(what))
    raise AssertionError("the lesson does not end: %s" % shown_steps(visitor))


def shown_steps(visitor):
    found = re.findall(r"<b>\D*(\d+)", " ".join(visitor.received("lesson")))
    return [step for step, before in zip(found, ["", *found]) if step != before]


def test_eight_steps_left_and_taken_up(browser, tmp_path):
    with served_from(tmp_path) as served:
        visitor = Visitor(browser, PHONE, locale="fr").open(served.address)  # the longest words
        page = visitor.page
        visitor.do("dialog [data-do=learn]")
        visitor.wait(".lesson")
        visitor.hurry()
        follow(visitor, until="4")
        assert shown_steps(visitor) == ["1", "2", "3", "4"]
        text, hand = page.locator(".lesson p").inner_text(), visitor.hand()
        visitor.do("#lesson [data-do='open new']")
        visitor.do("dialog [data-do=learn]")
        page.wait_for_selector("dialog[open]", state="hidden")
        assert (page.locator(".lesson p").inner_text(), visitor.hand()) == (text, hand)
        served.kill()
        served.start()
        again = Visitor(browser, PHONE, locale="fr").open(served.address)
        again.wait("dialog [data-do=learn]")
        again.do("dialog [data-do=learn]")
        again.wait("#hand .wanted")
        again.hurry()
        assert (again.page.locator(".lesson p").inner_text(), again.hand()) == (text, hand)
        follow(again)
        assert shown_steps(again) == ["4", "5", "6", "7", "8"]

        real_round = Translator("fr")("page.real_round")
        again.wait("dialog [data-do=next]", has_text=real_round)
        assert again.flaws() == []
        again.close_dialogs()
        again.wait("#lesson [data-do=real-round]", has_text=real_round)
        again.do("#lesson [data-do=real-round]")
        again.page.wait_for_selector(".lesson", state="hidden")
        round_1 = Translator("fr")("page.round", number=1)
        again.wait("#head .house", has_text=round_1, state="attached")
        again.wait(".tile-button")

        again.open_menu("learn")
        again.wait(".lesson")
        again.check()


def test_a_forgotten_tile(browser, tmp_path):
    """The lesson `forgotten` can be begun after the last step of `round`."""
    lesson = MatchStore(tmp_path).lesson("round")
    test_lesson.goes_on(lesson, until=lesson.steps)
    lesson.session.close()
    with visiting(browser, tmp_path) as visitor:
        visitor.do("dialog [data-do=learn]")
        visitor.wait(".lesson")
        visitor.hurry()
        follow(visitor)
        visitor.wait("dialog [data-do=next]")
        visitor.wait("dialog .learned", has_text=ENGLISH("lesson.round_end"))
        visitor.do("dialog [data-do='learn forgotten']")
        visitor.wait(".lesson svg")
        assert visitor.flaws() == []
        follow(visitor)
        assert shown_steps(visitor)[-1] == "3"
        visitor.do("#lesson .main")
        visitor.page.wait_for_selector(".lesson", state="hidden")
        visitor.wait(".tile-button")
