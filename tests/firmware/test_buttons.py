# SPDX-License-Identifier: MIT
"""Buttons: presses and holds from sampled levels."""

from host_sim.board.chips.clock import Clock
from roundhouse.drivers import buttons as b


class Hand:
    """A hand at the buttons. `do` holds the buttons `down` for `ms` milliseconds, in steps of 5
    ms, and returns [(event, button), ...]."""

    def __init__(self, now=0):
        self.mask = 0
        self.now = now
        self.buttons = b.Buttons(lambda: self.mask, 4, Clock.ticks_diff)

    def do(self, ms, *down):
        self.mask = sum(1 << i for i in down)
        events = []
        for _ in range(0, ms, 5):
            self.now = Clock.ticks_add(self.now, 5)
            event = self.buttons.scan(self.now)
            if event:
                events.append((event, self.buttons.which))
        return events


def test_a_press_acts_when_let_go():
    hand = Hand()
    assert hand.do(300, 2) == []
    assert hand.do(50) == [(b.PRESS, 2)]
    assert hand.do(1000) == []


def test_bounces_are_one_press():
    hand = Hand()
    events = []
    for _ in range(4):
        events += hand.do(5, 1) + hand.do(5)
    events += hand.do(100, 1)
    for _ in range(4):
        events += hand.do(5) + hand.do(5, 1)
    assert events + hand.do(100) == [(b.PRESS, 1)]


def test_a_spike_is_nothing():
    hand = Hand()
    assert hand.do(10, 1) + hand.do(500) == []


def test_a_short_press_counts_while_the_hub_is_busy():
    for away, events in ((80, [(b.PRESS, 1)]), (25, [])):
        hand = Hand()
        assert hand.do(100) + hand.do(5, 1) == []
        hand.now += away  # and the button is up again at the next look
        assert hand.do(100) == events


def test_how_long_it_was_down_says_what_it_meant():
    for ms, events in (
        (950, [(b.PRESS, 0)]),
        (1100, [(b.HOLD, 0)]),
        (2900, [(b.HOLD, 0)]),
        (3100, []),
        (4900, []),
        (5100, [(b.LONG, 0)]),
    ):
        hand = Hand()
        assert hand.do(ms, 0) == []
        assert hand.do(100) == events, ms


def test_stuck_and_free():
    hand = Hand()
    assert hand.do(10100, 3) == [(b.STUCK, 3)]
    assert hand.buttons.down == 0
    assert hand.do(60000, 3) == []
    assert hand.do(100) == [(b.FREE, 3)]
    assert hand.do(600) + hand.do(100, 3) + hand.do(100) == [(b.PRESS, 3)]


def test_two_presses_within_half_a_second_are_one():
    hand = Hand()
    assert hand.do(100, 0) + hand.do(100) + hand.do(100, 0) + hand.do(100) == [(b.PRESS, 0)]
    assert hand.do(300) + hand.do(100, 0) + hand.do(100) == [(b.PRESS, 0)]


def test_another_button_is_another_press():
    hand = Hand()
    events = hand.do(100, 0) + hand.do(100) + hand.do(100, 1) + hand.do(100)
    assert events == [(b.PRESS, 0), (b.PRESS, 1)]


def test_together():
    hand = Hand()
    assert hand.do(100, 0, 1, 2) == []
    assert sorted(hand.do(100)) == [(b.PRESS, 0), (b.PRESS, 1), (b.PRESS, 2)]


def test_a_used_button_says_nothing():
    hand = Hand()
    hand.do(100, 1)
    assert hand.buttons.down == 2
    hand.buttons.use(1)
    assert hand.buttons.held_ms(1, hand.now) == 0
    assert hand.do(100) == []
    assert hand.do(500) + hand.do(100, 1) + hand.do(100) == [(b.PRESS, 1)]


def test_how_long_it_is_held():
    hand = Hand()
    hand.do(2000, 1)
    assert 1950 <= hand.buttons.held_ms(1, hand.now) <= 2000
    assert hand.buttons.held_ms(0, hand.now) == 0


def test_ticks_wrap():
    hand = Hand((1 << 30) - 700)
    assert hand.do(1200, 1) == []
    assert hand.do(100) == [(b.HOLD, 1)]
