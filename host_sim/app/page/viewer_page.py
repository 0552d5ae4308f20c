# SPDX-License-Identifier: MIT
"""The page of one viewer. It handles the viewer's clicks and keys, and returns the components that
changed.

The browser sends {"do": "words", "fields": {...}} for a click and {"key": "Enter"} for a key. Both
also have "at", the browser's time in ms. The first of the words names an action (actions.py).
Every viewer may look at the table, and act for the seats that their browser claimed; only the
owner may do anything else.
"""

import time
from collections.abc import Callable, Mapping
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
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer import Message, Viewer
from host_sim.app.views import lamp_css
from host_sim.table import safety_net

# importing these modules registers their actions and dialogs
FEATURES = (people_statistics, hub_control, hub_settings, match_link, own_sheet, spoken)
LAMPS = lamp_css.css()
COMPONENTS: Mapping[str, Callable[[Viewer], h.Node]] = {
    "lamps": lambda viewer: Markup(LAMPS),
    "head": components.head,
    "table": lambda viewer: [
        components.table(viewer),
        None if dialogs.current(viewer) else components.requests(viewer),
    ],
    "scores": components.scores,
    "join": components.join,
    "story": components.story,
    "lesson": components.lesson,
    "hand": hand_panel.panel,
    "live": components.live,
    "dialog": dialogs.render,
}
LATEST_MS = 1e15  # later than any browser's clock
LONGEST = 500_000  # characters of a form field, such as an export or many evenings


class ViewerPage:
    """The page of one viewer.

    language: one of LANGUAGES. Any other value gives English.
    """

    def __init__(self, app: App, rights: Rights, language: str = "en") -> None:
        self.viewer = Viewer(app, rights, language)
        self._shown: dict[str, str] = {}
        self._broken: set[str] = set()  # the components that could not be made last time

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
        self.viewer.clicks.event_s = at / 1000
        key, words = event.get("key"), event.get("do")
        if isinstance(key, str):
            return actions.press_key(self.viewer, key)
        return isinstance(words, str) and actions.perform(self.viewer, words[:200], fields)

    def components(self) -> dict[str, str]:
        """Return {HTML element id: HTML} of all components of the page. A component that cannot be
        made stays as it was, and an error message says so once."""
        hub_settings.close(self.viewer)
        self.viewer.follow()
        line = self.viewer.state or {}
        made = {}
        for name, make in COMPONENTS.items():
            with safety_net.under(line):
                made[name] = str(h.fragment[make(self.viewer)])
        broken = COMPONENTS.keys() - made.keys()
        if broken - self._broken:
            self.viewer.send(error=self.viewer.translate("server.broke"))
        self._broken = broken
        return {name: made.get(name, self._shown.get(name, "")) for name in COMPONENTS}

    def close(self) -> None:
        """The browser has gone: start a hub again that this viewer has stopped."""
        self.viewer.dialog.close()
        hub_settings.close(self.viewer)

    def messages(self) -> list[Message]:
        """Return the messages to send to the browser: first the changed components, then the
        queued messages."""
        components = self.components()
        spoken.speak(self.viewer)
        changed = {id_: html for id_, html in components.items() if self._shown.get(id_) != html}
        self._shown = components
        return [*([{"show": changed}] if changed else []), *self.viewer.take_messages()]
