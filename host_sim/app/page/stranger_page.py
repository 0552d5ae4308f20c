# SPDX-License-Identifier: MIT
"""The page outside the door: a sentence or two, and nothing of the table."""

from collections.abc import Callable
from typing import Any

import htpy as h

from host_sim.app.page.elements import button
from host_sim.app.page.viewer import Message
from host_sim.app.views.i18n import Translator

LONGEST = 200  # characters of a secret


class StrangerPage:
    """The page before the door.

    has_link: whether the browser has a link's secret, which it sends only after a click
    has_tried: whether it got a cookie and did not bring it back
    knock: a function (secret) that returns (ticket, "") or ("", the key of a sentence)
    """

    def __init__(
        self,
        language: str,
        has_link: bool = False,
        has_tried: bool = False,
        knock: Callable[[str], tuple[str, str]] = lambda secret: ("", "outside.wrong"),
    ) -> None:
        self._translate = Translator(language)
        self._knock = knock
        self._messages: list[Message] = []
        key = "outside.no_cookie" if has_tried else "outside.link" if has_link else ""
        self._say(key or "outside.stranger", has_link and not has_tried)
        self._messages.append({"language": language, "lost": self._translate("server.lost")})

    def _say(self, key: str, may_come: bool = False) -> None:
        shown = h.fragment[
            h.h1["Roundhouse"],
            h.p[self._translate(key)],
            button(self._translate("outside.come_in"), "join", "main") if may_come else None,
        ]
        self._messages.append({"show": {"dialog": str(shown)}})

    def handle(self, event: Any) -> bool:
        """Take the secret of a link, which the page sends when *Come in* is clicked."""
        fields = event.get("fields")
        secret = fields.get("secret") if isinstance(fields, dict) else None
        if event.get("do") != "join" or not isinstance(secret, str) or len(secret) > LONGEST:
            return False
        ticket, key = self._knock(secret)
        if ticket:
            self._messages.append({"ticket": ticket})
        else:
            self._say(key)
        return True

    def close(self) -> None:
        """The browser has gone."""

    def messages(self) -> list[Message]:
        """Return the messages to send to the browser since the last call."""
        messages, self._messages = self._messages, []
        return messages
