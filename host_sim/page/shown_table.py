# SPDX-License-Identifier: MIT
"""The table that a page shows: its console lines, and what moves by itself."""

from host_sim.views.table_state import TableState


class ShownTable:
    """A table to look at. Its lines come from a source of views/line_sources.

    lines: all that the hub said, oldest first; names: {"3": "Zoe"}; version: rises with
    everything that changes what is shown.
    """

    kind = "watch"

    def __init__(self, source, names=None):
        self.source = source
        self.names = dict(names or {})
        self.seen = TableState(self.names)
        self.lines = []
        self.version = 0

    def hear(self, line):
        """Take one of the hub's lines."""
        self.lines.append(line)
        self.seen.line(line)
        self.version += 1

    def due(self):
        """Return the seconds until `step` wants to be called; None: nothing moves by itself."""
        return 0.05

    def step(self):
        """Let time pass: take what the source has said."""
        for line in self.source.poll():
            self.hear(line)
