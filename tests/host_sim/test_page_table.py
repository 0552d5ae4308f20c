# SPDX-License-Identifier: MIT
"""At the table in a real browser: dragging, keys, taking back, ends, and being killed."""

import pytest
from page_browsers import (
    DESK,
    PHONE,
    Visitor,
    a_round_is_over,
    first_turn,
    kept,
    needs_browser,
    play_round,
    program,
)

pytestmark = needs_browser


def sits_down(browser, served, size=DESK):
    """A page whose hand is to move, with bots that do not take long."""
    visitor = Visitor(browser, size).open(served.address)
    visitor.wait(".tile-button")
    visitor.do("#hand [data-do='pace quick']")
    visitor.wait(".paces .on[data-do='pace quick']")
    return visitor


def middle(visitor, selector):
    box = visitor.page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags(visitor, what, where):
    """Drag one thing to another, with the mouse or a finger."""
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
    visitor.page.wait_for_timeout(150)  # a finger that rests: else it is a swipe, and what is
    touches("touchMove", (to_x, to_y))  # tapped next would only stop that
    touches("touchEnd")


def is_dragged(browser, folder, size):
    kept(folder, first_turn)
    with program("play", "--folder", str(folder), "--at", "0") as served:
        visitor = sits_down(browser, served, size)
        page = visitor.page
        hand = visitor.hand()
        first, last = ".tile-button >> nth=0", ".tile-button >> nth=-1"
        visitor.changes(lambda: drags(visitor, last, first))
        assert visitor.hand() == [hand[-1], *hand[:-1]]
        assert not visitor.there(".tile-button.chosen"), "the click that ends a drag is none"
        tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        drags(visitor, ".tile-button.fits", "#head .turn")
        assert tile in visitor.hand() and not visitor.there(".lifted")
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        place = page.locator(".places [data-do^=lay]").first.get_attribute("data-do").split()[-1]
        visitor.changes(lambda: page.keyboard.press("Escape"))
        where = "[data-drop='%s'] .next rect" % place
        visitor.changes(lambda: drags(visitor, ".tile-button.fits", where))
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        assert tile not in visitor.hand()
        visitor.check(served.address)


@pytest.mark.slow
def test_a_tile_is_dragged_with_the_mouse(browser, tmp_path):
    is_dragged(browser, tmp_path, DESK)


@pytest.mark.slow
def test_a_tile_is_dragged_with_a_finger(browser, tmp_path):
    is_dragged(browser, tmp_path, PHONE)


@pytest.mark.slow
def test_a_round_by_keys_alone(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        used = set()

        def press(key, piece="#hand"):
            used.add(key)
            visitor.changes(lambda: page.keyboard.press(key), piece)

        press("?", "#dialog")
        assert visitor.there("dialog .legend")
        visitor.shut()
        press("ArrowRight")
        assert page.locator(".tile-button").first.get_attribute("aria-pressed") == "true"
        press("ArrowLeft")
        assert page.locator(".tile-button").last.get_attribute("aria-pressed") == "true"
        press("Escape")
        assert not visitor.there(".tile-button.chosen")
        for _ in range(60):
            page.wait_for_selector(
                "dialog[open] [data-do=next], .tile-button.fits, #hand .act [data-do=button]"
            )
            if visitor.there("dialog[open]"):
                break
            if visitor.there(".tile-button.fits"):
                press("h")
                visitor.wait(".places button")
                slots = page.eval_on_selector_all(
                    ".places button", "all => all.map(one => one.dataset.do.split(' ')[2])"
                )
                key = {"M": "m", "10": "0"}.get(slots[0], slots[0])
                press("Enter" if len(slots) == 1 and "Enter" not in used else key)
                if "u" not in used and visitor.there("#hand [data-do=back]"):
                    press("u")
            else:
                press(" ")
        assert {"h", " ", "u", "Enter"} < used and used & set("m123")
        press("n", "#dialog")
        visitor.wait(".story li", has_text="Round 2")
        visitor.check(served.address)


@pytest.mark.slow
def test_the_mouse_does_not_leave_enter_on_a_button(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        visitor.changes(lambda: visitor.do("#hand [data-do=sort]"))
        hand = visitor.hand()
        tile = page.locator(".tile-button.fits").first.get_attribute("data-drag")
        while not visitor.there(".chosen[data-drag='%s']" % tile):
            visitor.changes(lambda: page.keyboard.press("ArrowRight"))
        page.keyboard.press("Enter")  # it fits in two places: that lays nothing, nor sorts again
        visitor.changes(lambda: page.keyboard.press("1"))
        assert visitor.hand() == [one for one in hand if one != tile]
        visitor.check(served.address)


@pytest.mark.slow
def test_take_back_and_hint(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        hand = visitor.hand()
        visitor.changes(lambda: visitor.do("#head [data-do=hint]"))
        tile = page.locator(".tile-button.chosen").get_attribute("data-drag")
        assert tile in page.locator("#hand .hint").inner_text(), "and why"
        visitor.do(".places button")
        visitor.wait("#hand [data-do=back]", has_text=tile)
        visitor.changes(lambda: visitor.do("#hand [data-do=back]"))
        visitor.wait(".tile-button[data-drag='%s']" % tile)
        assert set(visitor.hand()) == set(hand)
        visitor.wait(".story li", has_text="pick up %s" % tile)
        visitor.check(served.address)


@pytest.mark.slow
def test_a_refused_tile(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        other = ".tile-button:not(.fits)"
        tile = visitor.page.locator(other).first.get_attribute("data-drag")
        visitor.changes(lambda: visitor.do(other))
        visitor.do("[data-slot='1'] .next rect")
        visitor.wait(".story li.refused", has_text=tile)
        assert tile in visitor.hand()
        visitor.do("#hand [data-do^=override]")
        visitor.wait("#table [data-tile='%s']" % tile, state="attached")
        assert tile not in visitor.hand()
        visitor.check(served.address)


def last_turns(waits, line):
    """The last round, and somebody has next to nothing left."""
    few = line["hands"] and min(line["hands"].values()) <= 2
    return waits.kind == "person" and line["round"] == 7 and few


@pytest.mark.slow
def test_a_winner_is_celebrated(browser, tmp_path):
    kept(tmp_path, last_turns)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        play_round(visitor)
        visitor.wait("dialog .confetti", state="attached")
        totals = page.locator("dialog tbody b").all_inner_texts()
        names = page.locator("dialog tbody td:first-child").all_inner_texts()
        assert len(totals) == 3 and [float(one) for one in totals] == sorted(map(float, totals))
        assert page.locator("dialog h1").inner_text() == "%s wins the match!" % names[0]
        assert visitor.flaws() == []
        visitor.do("dialog [data-do='open rounds']")
        visitor.wait("dialog .history")
        assert page.locator("dialog .history tbody tr").count() == 7
        assert page.locator("dialog .history tfoot b").all_inner_texts() == totals
        visitor.shut()
        visitor.opens("open matches")
        visitor.wait("dialog .matches", has_text="over")
        assert not visitor.there("dialog [data-do^='carry-on']")
        visitor.check(served.address)


@pytest.mark.slow
def test_a_curtain_between_two_people(browser, tmp_path):
    kept(tmp_path, first_turn, people=(1, 2))
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = Visitor(browser).open(served.address)
        page = visitor.page
        held = []
        for _ in range(2):
            visitor.wait("dialog [data-do=curtain]")
            before = len(visitor.frames)
            assert not visitor.there(".tile-button") and visitor.hand() == []
            name = page.locator("dialog h1").inner_text().split(",")[0]
            page.keyboard.press("Enter")
            visitor.wait(".tile-button")
            assert page.locator("#hand .whose b").inner_text() == name
            held.append((name, visitor.hand()))
            told = "".join(visitor.frames[:before])
            others = [tile for who, hand in held if who == name for tile in hand]
            assert not any('data-drag=\\"%s\\"' % tile in told for tile in others)
            visitor.do("#hand [data-do='pace quick']")
            play_round(visitor)
        assert {who for who, _ in held} == {"Ana", "Bo"}
        visitor.check(served.address)


def is_there_again(visitor, hand, laid):
    visitor.wait(".tile-button")
    assert visitor.hand() == hand
    assert visitor.page.locator("#table .laid").count() == laid


@pytest.mark.slow
def test_killed_and_there_again(browser, tmp_path):
    kept(tmp_path, first_turn)
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        visitor.changes(lambda: page.keyboard.press("ArrowUp"))
        visitor.changes(lambda: visitor.do(".tile-button.fits"))
        visitor.changes(lambda: visitor.do(".places button"))
        visitor.wait(".scores li.now", has_text="Ana")
        hand, laid = visitor.hand(), page.locator("#table .laid").count()
        served.kill()
        visitor.wait("#wire", has_text="connection is lost")
        served.start()
        page.wait_for_selector("#wire", state="hidden")
        is_there_again(visitor, hand, laid)
        visitor.changes(lambda: page.keyboard.press("ArrowRight"))
        visitor.context.close()
        again = Visitor(browser).open(served.address)
        is_there_again(again, hand, laid)
        again.check(served.address)
        assert [words for words in visitor.wrong if "ERR_CONNECTION" not in words] == []


@pytest.mark.slow
def test_the_list_of_matches(browser, tmp_path):
    for until, seed in ((a_round_is_over, 1), (first_turn, 2), (first_turn, 3)):
        kept(tmp_path, until, seed=seed)
    strange = tmp_path / "a folder of somebody's"
    strange.mkdir()
    (strange / "match.json").write_text("{}")
    first, second, third = (path.name for path in sorted(tmp_path.glob("20*")))
    with program("play", "--folder", str(tmp_path), "--at", "0") as served:
        visitor = sits_down(browser, served)
        page = visitor.page
        hand = visitor.hand()
        visitor.opens("open matches")
        visitor.wait("dialog .matches")
        assert page.locator("dialog .matches tr").count() == 3
        assert page.locator("dialog [data-do^='open remove']").count() == 2, "not what is played"
        visitor.do("dialog [data-do='open remove %s']" % second)
        visitor.wait("dialog h1", has_text="Delete the match of Ana, Bo, Zoe?")
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
        visitor.opens("open matches")
        visitor.do("dialog [data-do='carry-on %s']" % first)
        visitor.wait("dialog [data-do=next]")
        visitor.shut()
        visitor.opens("open matches", "carry-on " + third)
        visitor.wait(".tile-button.fits")
        assert visitor.hand() == hand
        visitor.check(served.address)
