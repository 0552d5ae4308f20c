# SPDX-License-Identifier: MIT
"""The inputs that stand: a view keeps something for each, and a take-back gives it up again."""


class UndoStack:
    """What a view keeps for every input that stands, oldest first in `kept`."""

    def __init__(self):
        self.kept = []
        self._taken = []  # what was taken back and can be put back, the newest last

    def add(self, thing):
        """Keep something for one more input; what was taken back is gone for good."""
        self.kept.append(thing)
        self._taken.clear()

    def take_back(self):
        """Give up the newest and return it; None where this view did not see that input."""
        if not self.kept:
            return None
        self._taken.append(self.kept.pop())
        return self._taken[-1]

    def put_back(self):
        """Keep what was given up last and return it; None where there is nothing."""
        if not self._taken:
            return None
        self.kept.append(self._taken.pop())
        return self.kept[-1]

    def clear(self):
        """Forget all of it: inputs were missed."""
        self.kept.clear()
        self._taken.clear()
