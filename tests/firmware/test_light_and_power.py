# SPDX-License-Identifier: MIT
"""The light of the whole hub: every frame is within the current budget. The lamps are dimmed at
night until the first input."""

import pytest
from hub_actions import quick_hub
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from host_sim.board.hub.simulated_hub import OverBudget, configured
from roundhouse.palettes import PALETTES


def lively(board):
    """Run a lobby, a round, refusals, a hold, a count, a finished match and the self-test."""
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.tap("6-6", "1")
    board.tap("6-5", "1")
    board.tap("1-1", "2")
    board.hold("1")
    board.press("E")
    board.tap("6-3", "2")
    for seat in ("1", "1", "2", "2", "3", "3"):
        board.press(seat)
    board.run(5000)
    board.press("E")
    board.run(4000)
    board.command("selftest")
    board.run(6000)
    board.command("selftest end")
    board.run(500)


@pytest.mark.slow
@settings(max_examples=8, phases=(Phase.explicit, Phase.generate))
@given(
    st.integers(50, 2000),
    st.integers(1, 255),
    st.sampled_from(sorted(PALETTES)),
    st.sampled_from((4, 7, 10)),
)
def test_no_frame_is_over_the_budget(milliamps, brightness, palette, stations):
    board = quick_hub(
        configured(
            MILLIAMPS=milliamps, BRIGHTNESS=brightness, PALETTE=palette, STATIONS=stations, SET=6
        )
    )
    lively(board)
    assert board.milliamps > 0


def test_a_frame_over_the_budget_is_noticed():
    with pytest.raises(OverBudget):
        quick_hub(configured(MILLIAMPS=50), corrupt_frame=lambda grb: b"\xff" * len(grb))


@pytest.mark.slow
def test_night_comes_after_idle_minutes_and_goes_with_the_first_input():
    config = configured(NIGHT_MINUTES=2, NIGHT_BRIGHTNESS=10, BRIGHTNESS=100)
    board = quick_hub(config, coarse_waits=True)
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")

    def brightest(ms):
        most = [0]
        add_frame = board.lamp_reader.add_frame
        board.lamp_reader.add_frame = lambda now, grb: (most.append(max(grb)), add_frame(now, grb))
        board.run(ms)
        board.lamp_reader.add_frame = add_frame
        return max(most)

    day = brightest(5000)
    board.pause(110_000)
    assert brightest(4000) == day
    board.run(8000)
    night = brightest(4000)
    assert 0 < night <= 12 < day
    assert board.lamp_reader.turn() == 1, "still to be read"
    count = len(board.inputs)
    frames = []
    add_frame = board.lamp_reader.add_frame
    board.lamp_reader.add_frame = lambda now, grb: (frames.append(max(grb)), add_frame(now, grb))
    board.put("0-0", "1")
    board.line_after(count)
    board.run(40)
    answered = next(level for level in frames if level > night)
    assert answered >= 90, "the first frame of the answer has the full light"
    assert brightest(1000) >= day - 2
    board.remove("1")
    board.pause(140_000)
    board.press_down("2")
    board.run(100)
    assert brightest(3000) > night, "a button wakes it as well"


@pytest.mark.parametrize("brightness", [1, 2, 3, 4, 8, 15])
@pytest.mark.parametrize("palette", sorted(PALETTES))
def test_a_breath_is_seen_at_every_brightness(brightness, palette):
    config = configured(BRIGHTNESS=brightness, NIGHT_BRIGHTNESS=brightness, PALETTE=palette)
    board = quick_hub(config, coarse_waits=True)
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    for _ in range(4):
        board.run(700)
        board.lamp_reader.reset(board.ms)
        assert board.settle() and board.lamp_reader.turn() == 1


def frames_of(order):
    """Return (frames that pixels with this colour order show, the strip's last buffer)."""
    board = quick_hub(configured(COLOR_ORDER=order))
    frames = []
    add_frame = board.lamp_reader.add_frame
    board.lamp_reader.add_frame = lambda now, grb: (frames.append(grb), add_frame(now, grb))
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    return frames, bytes(board.hub.strip._buf)


@pytest.mark.parametrize("order", ["RGB", "BRG"])
def test_pixels_with_another_order_show_the_same_colours(order):
    usual, sent = frames_of("GRB")
    others, sent_to_others = frames_of(order)
    assert usual == others and sent != sent_to_others
    for at in range(0, len(sent), 3):
        shown = dict(zip("GRB", sent[at : at + 3]))
        assert [shown[colour] for colour in order] == list(sent_to_others[at : at + 3])


def test_no_night_where_none_is_wanted():
    config = configured(NIGHT_MINUTES=0, BRIGHTNESS=100, NIGHT_BRIGHTNESS=10)
    board = quick_hub(config, coarse_waits=True)
    board.run(1000)
    assert board.hub.strip.brightness == 100, "nor does it come at once"
    board.pause(200_000)
    assert board.hub.strip.brightness == 100
