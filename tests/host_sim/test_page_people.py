# SPDX-License-Identifier: MIT
"""Several browsers at one table, each with its own hand and its player's rights."""

import re

import pytest
from page_browsers import (
    ENGLISH,
    first_turn,
    needs_browser,
    play_one,
    visiting,
)

pytestmark = [pytest.mark.slow, needs_browser]

# Says hello on a connection of its own, as another person in the room could, and sends events.
RAW = """(events) => new Promise((done) => {
  const wire = new WebSocket(`ws://${location.host}/live`);
  const said = [];
  wire.onmessage = (message) => {
    said.push(message.data);
    if (said.length === 1) for (const event of events) wire.send(JSON.stringify(event));
    if (message.data.includes("junk-is-answered") || JSON.parse(message.data).error) {
      wire.close();
      done(said);
    }
  };
  wire.onopen = () => wire.send(JSON.stringify({ hello: { key: "", me: "somebody", lang: "" } }));
})"""


def held(visitor):
    return set(re.findall(r'data-drag="([^"]+)"', " ".join(visitor.received("hand"))))


def test_two_browsers_at_one_table(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn) as mine:
        mine.wait(".tile-button")
        mine.hurry()
        other = mine.guest()
        other.wait("#hand", has_text=ENGLISH("page.looking"))
        assert held(other) == set()

        hand = mine.hand()
        fits = mine.page.locator(".tile-button.fits").first.get_attribute("data-drag")
        words = ["drop %s 1" % fits, "drop %s M" % fits, "pick " + fits, "button", "back", "start"]
        words += ["override %s 1" % fits, "sort", "pace calm", "next", "learn"]
        words += ["leave-seat 1", "take-seat 1", "remove x", "hint", "wait", "main"]
        events = [{"do": word, "fields": {"name": "Mallory"}} for word in words]
        story = mine.page.locator("#story").inner_html()
        said = other.page.evaluate(RAW, [*events, {"do": 5}])
        assert not any("data-drag" in one for one in said)
        assert mine.hand() == hand and mine.page.locator("#story").inner_html() == story
        mine.open_menu("open comfort")
        mine.wait("dialog .on[data-do='pace quick']")
        mine.close_dialogs()

        other.do("#hand [data-do='open seats']")
        other.wait("dialog .seats")
        assert other.flaws() == []
        other.page.fill("form[data-do='take-seat 2'] input", "Eva")
        other.do("form[data-do='take-seat 2'] button")
        other.wait("#hand .whose", has_text="Eva")
        mine.wait(".scores li", has_text="Eva")
        own = other.hand()
        while not other.shows("#hand .act [data-do=button], .tile-button.fits"):
            play_one(mine)
        assert set(own) == set(other.hand())
        play_one(other)
        mine.wait(".story li", has_text="Eva")
        for _ in range(4):
            play_one(mine)
            play_one(other)
        assert held(mine) and held(other) and not held(mine) & held(other)

        other.page.reload()
        other.wait(".tile-button")
        assert other.page.locator("#hand .whose b").inner_text() == "Eva"
        mine.open_menu("open seats")
        mine.wait("dialog .seats", has_text=ENGLISH("page.seat_phone"))
        mine.do("dialog [data-do='leave-seat 2']")
        other.wait("#hand", has_text=ENGLISH("page.looking"))
        other.check()


def test_the_room_is_shown_how_to_come_in(browser, tmp_path):
    with visiting(browser, tmp_path, first_turn, host=True) as visitor:
        visitor.open_menu("open seats")
        visitor.wait("dialog .seats")
        assert visitor.flaws() == []
        room = re.findall(r"http://(?!127)[^\s<]+", visitor.page.locator("dialog").inner_html())
        assert all("key" not in address for address in room)
        assert not room or visitor.shows("dialog .invitation svg")


def test_a_person_gets_the_seat_back_on_another_phone(browser, tmp_path):
    """Another phone gets a lost phone's seat with the code that the screen shows."""
    with visiting(browser, tmp_path, first_turn, host=True) as mine:
        mine.wait(".tile-button")
        eva = mine.guest()
        eva.do("#hand [data-do='open seats']")
        eva.page.fill("form[data-do='take-seat 2'] input", "Ana")
        eva.do("form[data-do='take-seat 2'] button")
        eva.wait("dialog .error", has_text=ENGLISH("page.name_taken", name="Ana", free="Ana 2"))
        assert eva.flaws() == []
        eva.do("form[data-do='take-seat 2'] button")
        eva.wait("#hand .whose", has_text="Ana 2")
        hand = eva.hand()
        eva.context.close()

        again = mine.guest()
        again.wait("#hand", has_text=ENGLISH("page.looking_here"))
        again.do("#hand [data-do='open seats']")
        again.wait("dialog .seats", has_text=ENGLISH("page.phone_away", name="Ana 2"))
        again.do("dialog [data-do='ask-seat 2']")
        again.wait("dialog form[data-do='prove-seat 2']")
        mine.wait("#table .requests b")
        assert again.flaws() == [] and mine.flaws() == []
        said = mine.page.locator("#table .requests b").inner_text()
        again.page.fill("form[data-do='prove-seat 2'] input", re.findall(r"\d+", said)[0])
        again.do("form[data-do='prove-seat 2'] button")
        again.wait("#hand .whose", has_text="Ana 2")
        assert set(again.hand()) == set(hand) and not again.shows("dialog[open]")
        for one in (mine, again):
            one.check()
