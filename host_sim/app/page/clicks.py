# SPDX-License-Identifier: MIT
"""The times of a viewer's clicks and keys, which tell a double click from two clicks."""

from host_sim.app.page import shown_tables


class Clicks:
    """The times of a viewer's clicks and keys, in seconds by the browser's clock.

    event_s: when the browser sent its last event
    """

    def __init__(self) -> None:
        self.event_s = 0.0
        self._picked_s = 0.0  # when a tile of the hand was last clicked
        self._acted_s = -1.0  # when the viewer last did something at the table

    def pick(self) -> bool:
        """Note that the last event is a click on a tile of the hand. Return whether it comes
        shortly after such a click."""
        before, self._picked_s = self._picked_s, self.event_s
        return abs(self.event_s - before) < shown_tables.PRESS_S

    def act(self) -> None:
        """Note that the viewer has done something at the table with the last event."""
        self._acted_s = self.event_s

    def is_same_press(self) -> bool:
        """Return whether the last event comes shortly after the viewer's last action, as the
        second half of a double click or key press. Such an event must not answer a dialog that the
        first half has opened."""
        return abs(self.event_s - self._acted_s) < shown_tables.PRESS_S
