# SPDX-License-Identifier: MIT
"""Buttons: presses and holds from sampled levels."""

from host_sim.board.chips.clock import Clock
from roundhouse.drivers import buttons as b


class Hand:
    """A hand at the buttons. `do` holds the buttons `down` for `ms` milliseconds, in steps of 5
    ms, and returns [(event, button), ...]."""

    def __init__(self, now=0, count=4):
        self.mask = 0
        self.now = now
        self.buttons = b.Buttons(lambda: self.mask, count, Clock.ticks_diff)

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


def test_a_press_counts_wherever_the_hub_stands_still():
    """80 ms with bounces of 10 ms, while the looks pause for up to 60 ms at any time."""
    for pause in range(10, 65, 5):
        for begin in range(0, 200, 5):
            hand = Hand()
            events = []
            for ms in range(5, 1000, 5):
                bounces = 100 <= ms < 120 or 180 <= ms < 200
                hand.mask = 2 if 100 <= ms < 200 and not (bounces and ms & 1) else 0
                if not begin <= ms - 50 < begin + pause:
                    event = hand.buttons.scan(ms)
                    if event:
                        events.append((event, hand.buttons.which))
            assert events == [(b.PRESS, 1)], (pause, begin)


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
    for count, together in ((12, 6), (6, 4), (4, 2), (3, 2)):
        hand = Hand(count=count)
        assert hand.do(100, *range(together)) == []
        assert sorted(hand.do(100)) == [(b.PRESS, i) for i in range(together)]


def test_worn_contacts_press_once_and_hold_through():
    """For all bounces and gaps of up to 25 ms, wherever the hub's looks fall."""
    for ms in (5, 10, 15, 20, 25):
        for meant, held in (((b.PRESS, 1), 200), ((b.HOLD, 1), 1500), ((b.LONG, 1), 6000)):
            hand = Hand()
            events = hand.do(ms, 1) + hand.do(ms) + hand.do(held // 2, 1)
            events += hand.do(ms) + hand.do(held // 2, 1)
            events += hand.do(ms) + hand.do(ms, 1) + hand.do(1000)
            assert events == [meant], (ms, held)


def test_a_loose_wire_is_no_input():
    """Said once, however often the levels jump, and until they have been right for a second."""
    for count, many in ((12, 7), (12, 12), (7, 7), (6, 5), (4, 3), (3, 3)):
        hand = Hand(count=count)
        events = []
        for ms in (30, 200, 900):
            events += hand.do(ms, *range(many)) + hand.do(ms)
        assert [event for event, _ in events] == [b.LOOSE], (count, many)
        assert hand.buttons.loose and not hand.buttons.down
        assert [event for event, _ in hand.do(200)] == [b.RIGHT] and not hand.buttons.loose
        assert hand.do(100, 0) + hand.do(100) == [(b.PRESS, 0)]


def test_a_wire_that_stays_loose_stays_one_fault():
    hand = Hand(count=12)
    assert len(hand.do(60_000, *range(12))) == 1 and hand.buttons.loose
    assert not hand.buttons.any_down(), "nobody asks for a self-test"
    assert [event for event, _ in hand.do(1100)] == [b.RIGHT]


def test_what_was_down_while_the_wire_was_loose_is_no_input():
    hand = Hand(count=12)
    hand.do(500, 3)
    assert [event for event, _ in hand.do(30, *range(12))] == [b.LOOSE]
    assert [event for event, _ in hand.do(1100, 3, 5)] == [b.RIGHT]
    assert hand.buttons.down == 0 and hand.do(500) == []
    assert hand.do(100, 5) + hand.do(100) == [(b.PRESS, 5)]


def test_a_button_that_was_stuck_before_the_wire_was_loose():
    for after in ((2,), ()):
        hand = Hand(count=12)
        assert hand.do(10_100, 2) == [(b.STUCK, 2)]
        hand.do(30, *range(12))
        events = hand.do(1200, *after) + hand.do(100)
        assert [event for event, _ in events] == [b.RIGHT, b.FREE] and not hand.buttons.stuck


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
