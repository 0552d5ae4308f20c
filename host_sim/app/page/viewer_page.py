# SPDX-License-Identifier: MIT
"""The page of one viewer. It handles the viewer's clicks and keys, and returns the components that
changed.

The browser sends {"do": "words", "fields": {...}} for a click and {"key": "Enter"} for a key. Both
also have "at", the browser's time in ms. The first of the words names an action (actions.py).
Every viewer may look at the table, and act for the seats that their browser claimed; only the
owner may do anything else.
"""

import time
from typing import Any

import htpy as h
from markupsafe import Markup

from host_sim.app.page import (
    actions,
    components,
    dialogs,
    hand_panel,
    hub_control,
    hub_settings,
    match_link,
    own_sheet,
    people_statistics,
    spoken,
)
from host_sim.app.page.app import App
from host_sim.app.page.viewer import Message, Rights, Viewer
from host_sim.app.views import lamp_css

# importing these modules registers their actions and dialogs
FEATURES = (people_statistics, hub_control, hub_settings, match_link, own_sheet, spoken)
LAMPS = lamp_css.css()
LATEST_MS = 1e15  # later than any browser's clock
LONGEST = 500_000  # characters of a form field, such as an export or many evenings


class ViewerPage:
    """The page of one viewer.

    language: one of LANGUAGES. Any other value gives English.
    """

    def __init__(self, app: App, rights: Rights, language: str = "en") -> None:
        self.viewer = Viewer(app, rights, language)
        self._shown: dict[str, str] = {}

    def handle(self, event: Any) -> bool:
        """Handle an event from the browser; return whether the event changed anything."""
        if not isinstance(event, dict):
            return False
        fields = event.get("fields", {})
        if not isinstance(fields, dict) or not all(
            isinstance(value, str) and len(value) <= LONGEST for value in fields.values()
        ):
            return False
        at = event.get("at")
        if not isinstance(at, (int, float)) or not 0 <= at < LATEST_MS:
            at = 1000 * time.time()
        self.viewer.event_s = at / 1000
        key, words = event.get("key"), event.get("do")
        if isinstance(key, str):
            return actions.press_key(self.viewer, key)
        return isinstance(words, str) and actions.perform(self.viewer, words[:200], fields)

    def components(self) -> dict[str, str]:
        """Return {HTML element id: HTML} of all components of the page."""
        viewer = self.viewer
        viewer.follow()
        dialog = dialogs.render(viewer)
        nodes = {
            "lamps": Markup(LAMPS),
            "head": components.head(viewer),
            "table": [components.table(viewer), None if dialog else components.requests(viewer)],
            "scores": components.scores(viewer),
            "join": components.join(viewer),
            "story": components.story(viewer),
            "lesson": components.lesson(viewer),
            "hand": hand_panel.panel(viewer),
            "live": components.live(viewer),
            "dialog": dialog,
        }
        return {name: str(h.fragment[node]) for name, node in nodes.items()}

    def messages(self) -> list[Message]:
        """Return the messages to send to the browser: first the changed components, then the
        queued messages."""
        components = self.components()
        spoken.speak(self.viewer)
        changed = {id_: html for id_, html in components.items() if self._shown.get(id_) != html}
        self._shown = components
        return [*([{"show": changed}] if changed else []), *self.viewer.take_messages()]
