# SPDX-License-Identifier: MIT
"""At the table in a real browser: dragging, keys, take-backs, ends of rounds, and a killed
program."""

import contextlib

import pytest
from page_browsers import (
    DESK,
    ENGLISH,
    PHONE,
    PLACE,
    Visitor,
    first_turn,
    kept,
    needs_browser,
    round_is_over,
    served_from,
    visiting,
)

pytestmark = needs_browser


@contextlib.contextmanager
def at_table(browser, folder, until=first_turn, size=DESK):
    """Yield a page whose player is to move, with quick bots; check it at the end."""
    with visiting(browser, folder, until, size) as visitor:
        on_turn(visitor)
        yield visitor


@pytest.fixture
def visitor(browser, tmp_path):
    with at_table(browser, tmp_path) as found:
        yield found


def on_turn(visitor):
    """Wait until the page shows a hand, and set the bots to quick."""
    visitor.wait(".tile-button")
    visitor.hurry()


def middle(visitor, selector):
    box = visitor.page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags(visitor, what, where):
    """Drag one element to another with the mouse or a finger."""
    (x, y), (to_x, to_y) = middle(visitor, what), middle(visitor, where)
    steps = [(x + (to_x - x) * n / 5, y + (to_y - y) * n / 5) for n in range(1, 6)]
    if not visitor.touch:
        visitor.page.mouse.move(x, y)
        visitor.page.mouse.down()
        for at in steps:
            visitor.page.mouse.move(*at)
        visitor.page.mouse.up()
        return
    finger = visitor.context.new_cdp_session(visitor.page)

    def touches(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touches("touchStart", (x, y))
    for at in steps:
        touches("touchMove", at)
    visitor.page.wait_for_timeout(150)  # the finger rests: after a swipe
    touches("touchMove", (to_x, to_y))  # the next tap would only stop the swipe
    touches("touchEnd")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_tile_is_dragged(browser, tmp_path, size):
    with at_table(browser, tmp_path, size=size) as visitor:
        page = visitor.page
        hand = visitor.hand()
        first, last = ".tile-button >> nth=0", ".tile-button >> nth=-1"
        visitor.changes(lambda: drags(visitor, last, first))
        assert visitor.hand() == [hand[-1], *hand[:-1]]
        assert not visitor.shows(".tile-button.chosen"), "the end of a drag is not a click"
        tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        drags(visitor, ".tile-button.fits", "#turn")
        assert tile in visitor.hand() and not visitor.shows(".lifted")
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        place = page.locator("#table .marked").first.get_attribute("data-slot")
        visitor.changes(lambda: page.keyboard.press("Escape"))
        where = "[data-drop='%s'] .next rect" % place
        visitor.changes(lambda: drags(visitor, ".tile-button.fits", where))
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        assert tile not in visitor.hand()


@pytest.mark.slow
def test_a_round_by_keys_alone(visitor):
    page = visitor.page
    used = set()

    def press(key, piece="#hand"):
        used.add(key)
        visitor.changes(lambda: page.keyboard.press(key), piece)

    press("?", "#dialog")
    assert visitor.shows("dialog .legend")
    visitor.close_dialogs()
    press("ArrowRight")
    assert page.locator(".tile-button").first.get_attribute("aria-pressed") == "true"
    press("ArrowLeft")
    assert page.locator(".tile-button").last.get_attribute("aria-pressed") == "true"
    press("Escape")
    assert not visitor.shows(".tile-button.chosen")
    for _ in range(60):
        page.wait_for_selector(
            "dialog[open] [data-do=next], .tile-button.fits, #hand .act [data-do=button]"
        )
        if visitor.shows("dialog[open]"):
            break
        if visitor.shows(".tile-button.fits"):
            press("h")
            visitor.wait(PLACE)
            slots = page.eval_on_selector_all(
                "#table .marked", "all => all.map(one => one.dataset.slot)"
            )
            key = {"M": "m", "10": "0"}.get(slots[0], slots[0])
            press("Enter" if len(slots) == 1 and "Enter" not in used else key)
            if "u" not in used and visitor.shows("#hand [data-do=back]"):
                used.add("u")
                visitor.take_back("u")
        else:
            press(" ")
    assert {"h", " ", "u", "Enter"} < used and used & set("m123")
    press("n", "#dialog")
    visitor.wait("#head .house", has_text=ENGLISH("page.round", number=2), state="attached")


MARK = """() => {
  for (const one of document.querySelectorAll(".slot, .lamp, .tile-button")) one.isOld = true;
  window.blink = () =>
    document.getAnimations().filter((one) => one.animationName?.startsWith("lamp"));
  window.before = window.blink();
}"""
# {slots, lamps, tiles: [how many are the elements of before, how many there are],
# blinking: how many animations of lamps run on, inPhase: whether all are at the same time}
KEPT = """() => {
  const count = (name) => {
    const all = [...document.querySelectorAll(name)];
    return [all.filter((one) => one.isOld).length, all.length];
  };
  const now = window.blink();
  return {
    slots: count(".slot"), lamps: count(".lamp"), tiles: count(".tile-button"),
    blinking: window.before.filter((one) => now.includes(one)).length,
    inPhase: now.every(({ currentTime }) => currentTime === now[0].currentTime),
  };
}"""


@pytest.mark.slow
def test_elements_that_stay_are_kept_and_lamps_blink_on(browser, tmp_path):
    with at_table(browser, tmp_path) as visitor:
        page = visitor.page
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate(MARK)
        hand = visitor.hand()
        tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        visitor.do(".tile-button.fits")
        visitor.wait("#table .marked", state="attached")
        found = page.evaluate(KEPT)
        assert found["blinking"] and found["inPhase"]
        visitor.do(PLACE)
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        found = page.evaluate(KEPT)
        assert found["slots"] == [5, 5] and found["lamps"] == [20, 20]
        assert found["tiles"] == [len(hand) - 1] * 2


@pytest.mark.slow
def test_the_mouse_does_not_leave_enter_on_a_button(visitor):
    page = visitor.page
    visitor.changes(lambda: visitor.do("#hand [data-do=sort]"))
    hand = visitor.hand()
    tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
    while not visitor.shows(".chosen[data-drag='%s']" % tile):
        visitor.changes(lambda: page.keyboard.press("ArrowRight"))
    page.keyboard.press("Enter")  # it fits in two places: Enter does not lay it, nor sort again
    visitor.changes(lambda: page.keyboard.press("1"))
    assert visitor.hand() == [one for one in hand if one != tile]


def is_there_again(visitor, hand, laid):
    visitor.wait(".tile-button")
    assert visitor.hand() == hand
    assert visitor.page.locator("#table .laid").count() == laid


@pytest.mark.slow
def test_killed_and_there_again(browser, tmp_path):
    kept(tmp_path, first_turn)
    with served_from(tmp_path) as served:
        visitor = Visitor(browser).open(served.address)
        on_turn(visitor)
        page = visitor.page
        visitor.changes(lambda: page.keyboard.press("ArrowUp"))
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        visitor.changes(lambda: visitor.do(PLACE))
        visitor.wait(".scores li.now", has_text="Ana")
        hand, laid = visitor.hand(), page.locator("#table .laid").count()
        served.kill()
        visitor.wait("#notice", has_text=ENGLISH("server.lost"))
        served.start()
        page.wait_for_selector("#notice", state="hidden")
        is_there_again(visitor, hand, laid)
        visitor.changes(lambda: page.keyboard.press("ArrowRight"))
        visitor.context.close()
        again = Visitor(browser).open(served.address)
        is_there_again(again, hand, laid)
        again.check()
        assert [words for words in visitor.wrong if "ERR_CONNECTION" not in words] == []


@pytest.mark.slow
def test_the_list_of_matches(browser, tmp_path):
    for until, seed in ((round_is_over, 1), (first_turn, 2), (first_turn, 3)):
        kept(tmp_path, until, seed=seed)
    strange = tmp_path / "a folder of somebody's"
    strange.mkdir()
    (strange / "match.json").write_text("{}")
    first, second, third = (path.name for path in sorted(tmp_path.glob("20*")))
    with at_table(browser, tmp_path, until=None) as visitor:
        page = visitor.page
        hand = visitor.hand()
        visitor.open_menu("open matches")
        visitor.wait("dialog .matches")
        assert page.locator("dialog .matches tr").count() == 3
        assert page.locator("dialog [data-do^='open remove']").count() == 2, "not what is played"
        visitor.do("dialog [data-do='open remove %s']" % second)
        visitor.wait("dialog h1", has_text=ENGLISH("page.remove_really", names="Ana, Bo, Zoe"))
        page.keyboard.press("Enter")  # what is safe
        visitor.wait("dialog .matches")
        assert (tmp_path / second).exists()
        visitor.do("dialog [data-do='open remove %s']" % second)
        visitor.do("dialog [data-do='remove %s']" % second)
        page.wait_for_function("() => document.querySelectorAll('.matches tr').length === 2")
        left = {path.name for path in tmp_path.iterdir() if path.is_dir()}
        assert left == {first, third, strange.name}
        visitor.do("dialog [data-do='look-back %s']" % first)
        visitor.wait(".tape")
        visitor.open_menu("open matches")
        visitor.do("dialog [data-do='carry-on %s']" % first)
        visitor.wait("dialog [data-do=next]")
        visitor.close_dialogs()
        visitor.open_menu("open matches", "carry-on " + third)
        visitor.wait(".tile-button.fits")
        assert visitor.hand() == hand
