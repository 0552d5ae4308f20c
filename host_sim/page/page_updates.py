# SPDX-License-Identifier: MIT
"""What the browser of a PageView has not been told yet: the pieces that differ, and one-off
words."""


class PageUpdates:
    """Of one viewer's page, a page_view.PageView."""

    def __init__(self, view):
        self._view = view
        self._shown = {}

    def messages(self):
        """Return the messages for the shell, dicts; none where nothing is new."""
        pieces, extras = self._view.pieces(), self._view.extras()
        show = {name: html for name, html in pieces.items() if self._shown.get(name) != html}
        show.update({name: "" for name in self._shown if name not in pieces})
        self._shown = dict(pieces)
        return [*([{"show": show}] if show else []), *extras]
