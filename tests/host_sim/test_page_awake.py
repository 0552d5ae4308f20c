# SPDX-License-Identifier: MIT
"""A phone that sleeps: on one's own turn the page keeps the screen awake."""

import socket

import pytest
from page_browsers import (
    ENGLISH,
    PHONE,
    PLACE,
    Visitor,
    first_turn,
    kept,
    launched,
    needs_browser,
    served_from,
    visiting,
)

from host_sim.app.server.web_server import STATIC

pytestmark = [pytest.mark.slow, needs_browser]

NAME = socket.gethostname().partition(".")[0].lower() + ".local"  # the server's own, not localhost

LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = { released: false, release() { this.released = true; } };
  window.locks.push(lock);
  return lock;
} } });
"""
HELD = "() => window.locks.filter(({ released }) => !released).length === %d"
PLAYS = """() => {
  const video = document.querySelector("video");
  return Boolean(video && !video.paused && video.currentTime > 0);
}"""
REFUSED = """HTMLMediaElement.prototype.play = () =>
  Promise.reject(new DOMException("no", "NotAllowedError"));"""


def lay(visitor):
    visitor.do(".tile-button.fits")
    visitor.do(PLACE)


def test_a_lock_is_taken_on_ones_own_turn_and_again_when_the_page_is_seen(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, PHONE, script=LOCKS) as visitor:
        page = visitor.page
        visitor.wait(".tile-button.fits")
        page.wait_for_function(HELD % 1)
        page.evaluate(
            "() => { window.locks[0].released = true;"
            " document.dispatchEvent(new Event('visibilitychange')); }"
        )
        page.wait_for_function(HELD % 1)
        assert page.evaluate("window.locks.length") == 2
        assert page.locator("video").count() == 0
        lay(visitor)
        page.wait_for_function(HELD % 0)


@pytest.fixture
def elsewhere(browser):
    """A browser for which the server has a name that is not localhost."""
    found = launched(browser.browser_type, "--host-resolver-rules=MAP %s 127.0.0.1" % NAME)
    yield found
    found.close()


def test_in_the_room_a_video_keeps_the_screen_awake(elsewhere, tmp_path):
    kept(tmp_path, first_turn)
    with served_from(tmp_path, "--host") as served:
        visitor = Visitor(elsewhere, PHONE).open(served.address.replace("127.0.0.1", NAME))
        page = visitor.page
        visitor.wait(".tile-button.fits")
        assert page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [False, False]
        assert page.locator("video").count() == 0, "no browser plays one before a touch"
        visitor.do(".tile-button.fits")
        page.wait_for_function(PLAYS)
        assert page.evaluate(
            "() => { const { playsInline, muted, loop } = document.querySelector('video');"
            " return playsInline && muted && loop; }"
        )
        box = page.locator("video").bounding_box()
        assert (box["width"], box["height"]) == PHONE, "a small one counts for nothing"
        assert visitor.flaws() == []
        visitor.do(PLACE)
        page.wait_for_function("() => document.querySelector('video').paused")
        visitor.check()


def test_a_browser_that_refuses_both_is_told_in_the_comfort_sheet(elsewhere, tmp_path):
    kept(tmp_path, first_turn)
    says = ENGLISH("comfort.falls_asleep")
    with served_from(tmp_path, "--host") as served:
        visitor = Visitor(elsewhere, PHONE)
        visitor.context.add_init_script(REFUSED)
        visitor.open(served.address.replace("127.0.0.1", NAME))
        visitor.wait(".tile-button.fits")
        visitor.do(".tile-button.fits")
        visitor.open_menu("open comfort")
        visitor.wait("dialog p", has_text=says)
        visitor.check()


def test_a_touch_that_is_answered_by_the_video_says_nothing(elsewhere, tmp_path):
    kept(tmp_path, first_turn)
    with served_from(tmp_path, "--host") as served:
        visitor = Visitor(elsewhere, PHONE).open(served.address.replace("127.0.0.1", NAME))
        visitor.do(".tile-button.fits")
        visitor.page.wait_for_function(PLAYS)
        visitor.open_menu("open comfort")
        visitor.wait("dialog .switch")
        assert ENGLISH("comfort.falls_asleep") not in visitor.page.inner_text("dialog")


def test_the_video_is_small():
    assert (STATIC / "awake_video.js").stat().st_size < 5000
