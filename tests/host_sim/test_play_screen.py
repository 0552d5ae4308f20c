# SPDX-License-Identifier: MIT
"""Sitting at the table: start screen, a round, refusals, take-back, closing and going on."""

import asyncio

import pytest
from test_terminal_table import screen

from host_sim.people import play_screen
from host_sim.people.people_and_bots import STRENGTHS, Sitting
from host_sim.views.terminal_table import PAIRS
from roundhouse import tiles


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "saved"


def at_table(folder, **more):
    view = play_screen.Play(play_screen.begin(folder, "puremco", 6, 3, "1", "good", "3"), **more)
    view.source.pause = 0.0
    return view


async def until(pilot, done, seconds=20):
    for _ in range(int(seconds / 0.05)):
        if done():
            return
        await pilot.pause(0.05)
    raise AssertionError("it did not come")


def wrong_tile(view):
    """A tile of the hand that fits nowhere."""
    fits = {tile for tile, _ in view.sitting.hints(view.seat())}
    return next(n for n, tile in enumerate(view.hand()) if tile not in fits)


def test_the_start_screen_begins_a_match_and_goes_on_with_it(folder):
    async def go():
        start = play_screen.Start(folder)
        async with start.run_test(size=(90, 50)) as pilot:
            await pilot.pause(0.2)
            assert "go on" not in screen(start)
            for words in ("whose rules", "highest number", "bots included", "same hands"):
                assert words in screen(start)
            start.query_one("#people").value = "1 9"
            await pilot.click("#play")
            await pilot.pause(0.2)
            assert "seats are 1..3" in screen(start)
            start.query_one("#people").value = "1"
            start.query_one("#seed").value = "3"
            await pilot.click("#play")
        sitting = start.return_value
        assert sitting.people == {1} and sitting.line["phase"] == "lobby"
        while sitting.act():
            pass
        start = play_screen.Start(folder)
        async with start.run_test(size=(90, 50)) as pilot:
            await pilot.click("#resume")
        assert start.return_value.hands == sitting.hands
        assert start.return_value.line["turn"] == 1

    asyncio.run(go())


@pytest.mark.parametrize(
    "choice, said",
    [
        (("quebec", 6, 8, "1", "good", ""), "seats at most"),
        (
            ("matador", play_screen.OWN, 9, "1", "good", ""),
            "double 9 seats at most 8",
        ),
        (("puremco", 6, 3, "one", "good", ""), "seats are numbers"),
        (("puremco", 6, 3, "1", "good", "x"), "a seed is a number"),
    ],
)
def test_choices_that_cannot_be(folder, choice, said):
    with pytest.raises(ValueError, match=said):
        play_screen.begin(folder, *choice)


def test_a_round_with_keys_and_mouse(folder):
    view = at_table(folder)

    async def go():
        async with view.run_test(size=(100, 30)) as pilot:
            await until(pilot, view.seat)
            await pilot.pause(0.3)
            assert "your turn, seat 1" in screen(view)
            hand = view.hand()
            for tile in hand:
                assert tiles.text(tile).replace("-", "|") in screen(view)

            # a tile that does not fit is refused, and the log says why
            view.chosen = wrong_tile(view)
            before = view.sitting.line
            await pilot.press("1")
            await pilot.pause(0.3)
            assert "refused, it does not match the train's end" in screen(view)
            assert view.hand() == hand
            assert view.seen.state["hands"] == before["hands"]

            # the arrow keys, a click, Enter
            await pilot.press("right", "left")
            tile, slot = view.sitting.hints(1)[0]
            n = view.hand().index(tile)
            column, row, _, width = view.below.places[n]
            await pilot.click(view.below, offset=(column + 1, row))
            assert view.chosen == n
            right = [pair[1] for pair in PAIRS]
            line = next(y for y, row in view.hub.at.items() if slot in PAIRS[row])
            column = view.hub.size.width - 3 if slot in right else 3
            await pilot.click(view.hub, offset=(column, line))
            await until(pilot, lambda: len(view.sitting.hands[1]) < len(hand))
            assert tile not in view.sitting.hands[1]

            # one back
            await until(pilot, view.seat)
            await pilot.press("u")
            assert sorted(view.sitting.hands[1]) == hand
            await pilot.pause(0.3)
            assert "taken back" in screen(view)

            # what is on the screen is what the hub says
            for seat, count in view.sitting.line["hands"].items():
                assert len(view.sitting.hands[int(seat)]) == count
            assert "yard %d" % view.sitting.line["boneyard"] in screen(view)

            # hint and override
            await pilot.press("h")
            await pilot.pause(0.2)
            assert "hint:" in screen(view)
            view.chosen = wrong_tile(view)
            tile = view.hand()[view.chosen]
            await pilot.press("o", "1")
            await until(pilot, lambda: tile not in view.sitting.hands[1])

    asyncio.run(go())


def test_a_closed_terminal_loses_nothing(folder):
    view = at_table(folder)

    async def go():
        async with view.run_test(size=(100, 30)) as pilot:
            for _ in range(3):
                await until(pilot, view.seat)
                moves = view.sitting.hints(view.seat())
                if moves:
                    view.chosen = view.hand().index(moves[0][0])
                    view.action_lay(moves[0][1])
                else:
                    view.action_press()

    asyncio.run(go())
    kept = view.sitting
    again = Sitting.resume(folder)
    assert again.hands == kept.hands and again.stock == kept.stock
    of_one_line = [
        "input",
        "verdict",
        "by",
        "did",
        "lamps",
        "game",
        "house",
        "set",
        "trains",
        "version",
    ]
    assert {k: v for k, v in again.line.items() if k not in of_one_line} == {
        k: v for k, v in kept.line.items() if k not in of_one_line
    }


def test_what_was_saved_half_is_not_gone_on_with(folder):
    view = at_table(folder)
    while view.sitting.act():
        pass
    (folder / "sitting.json").write_text('{"seats": [1')
    assert Sitting.resume(folder) is None
    assert Sitting.resume(folder / "nothing") is None


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("house", ["puremco", "matador"])
def test_bots_of_every_strength_play_a_match(folder, strength, house):
    sitting = Sitting(folder, (1, 2, 3), (), house, 6, 3, strength)
    steps = 0
    while sitting.act():
        steps += 1
        assert steps < 2000
    assert sitting.line["phase"] == "finished"


@pytest.mark.parametrize("house", play_screen.HOUSES)
def test_every_house_can_be_played(folder, house):
    sitting = Sitting(folder, (1, 2, 3), (), house, 6, 5)
    for _ in range(2000):
        if sitting.line["round"] > 1 or not sitting.act():
            break
    assert sitting.line["round"] > 1


def test_the_tutorial_teaches_step_by_step(folder):
    view = play_screen.Play(
        play_screen.begin(folder, "puremco", 6, 2, "1", "easy", "3"), tutorial=True
    )
    view.source.pause = 0.0

    async def go():
        async with view.run_test(size=(100, 34)) as pilot:
            await until(pilot, view.seat)
            await pilot.pause(0.2)
            assert "1 of 6" in screen(view)
            await pilot.press("right")
            await pilot.pause(0.2)
            assert "2 of 6" in screen(view)
            view.lesson = 3
            await pilot.press("u")
            await pilot.pause(0.2)
            assert "5 of 6" in screen(view) and "[12|5]" in screen(view)
            view.teach(4)
            assert view.lesson == 5

    asyncio.run(go())
