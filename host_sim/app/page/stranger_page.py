# SPDX-License-Identifier: MIT
"""The page of somebody outside who has no invitation: one sentence, and nothing of the table."""

from typing import Any

import htpy as h

from host_sim.app.page.viewer import Message
from host_sim.app.views.i18n import Translator


class StrangerPage:
    def __init__(self, language: str) -> None:
        translate = Translator(language)
        shown = h.fragment[h.h1["Roundhouse"], h.p[translate("outside.stranger")]]
        self._messages: list[Message] = [
            {"show": {"dialog": str(shown)}},
            {"language": language, "lost": translate("server.lost")},
        ]

    def handle(self, event: Any) -> bool:
        return False

    def close(self) -> None:
        """The browser has gone."""

    def messages(self) -> list[Message]:
        """Return the messages to send to the browser: all of them the first time."""
        messages, self._messages = self._messages, []
        return messages
