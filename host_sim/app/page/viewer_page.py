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
from typing import Any, NamedTuple

import htpy as h
from markupsafe import Markup

from host_sim.app.page import (
    actions,
    backups,
    comfort_sheet,
    components,
    dialogs,
    hand_panel,
    hub_control,
    hub_settings,
    invite_dialog,
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
FEATURES = (
    *(people_statistics, hub_control, hub_settings, match_link, own_sheet, spoken),
    *(comfort_sheet, backups, invite_dialog),
)
LAMPS = lamp_css.css()
LATEST_MS = 1e15  # later than any browser's clock
LONGEST = 500_000  # characters of a form field, such as an export or many evenings


class Component(NamedTuple):
    """A component of the page.

    depends_on: returns all values that the component depends on, besides the viewer. While they
        stay equal, the component is not drawn again.
    """

    draw: Callable[[Viewer], h.Node]
    depends_on: Callable[[Viewer], object]


def table_in_sight(viewer: Viewer) -> object:
    """Return the values that every component about the table depends on."""
    app, table = viewer.app, viewer.table
    return (
        *(table, table.version, table.status(), app.present, app.is_room_let_in),
        *(viewer.language, viewer.rights, viewer.seats.at_screen),
    )


def requests_in_sight(viewer: Viewer) -> object:
    """Return the values that the requests for seats beside the table depend on."""
    if dialogs.current(viewer) or viewer.table.kind != "play" or not viewer.rights.owner:
        return None
    claims = viewer.played.seat_claims
    return claims.requests(), claims.codes_rest()


def table_and_requests(viewer: Viewer) -> h.Node:
    requests = None if dialogs.current(viewer) else components.requests(viewer)
    return [components.table(viewer), requests or components.away(viewer)]


COMPONENTS: Mapping[str, Component] = {
    "lamps": Component(lambda viewer: Markup(LAMPS), lambda viewer: None),
    "title": Component(components.title, table_in_sight),
    "head": Component(components.head, table_in_sight),
    "turn": Component(components.turn, table_in_sight),
    "table": Component(
        table_and_requests,
        lambda viewer: (
            *(table_in_sight(viewer), requests_in_sight(viewer)),
            *(viewer.picture.size, viewer.chosen_tile, viewer.advice.answer),
            viewer.waits_for_phone,
        ),
    ),
    "scores": Component(components.scores, table_in_sight),
    "join": Component(
        components.join, lambda viewer: (table_in_sight(viewer), viewer.app.room_url)
    ),
    "story": Component(
        components.story, lambda viewer: (viewer.language, viewer.follower.sentences)
    ),
    "lesson": Component(components.lesson, table_in_sight),
    "hand": Component(
        hand_panel.panel,
        lambda viewer: (
            table_in_sight(viewer),
            *(viewer.chosen_tile, viewer.advice.hint),
        ),
    ),
    "live": Component(
        components.live,
        lambda viewer: (
            *(table_in_sight(viewer), viewer.follower.latest, viewer.follower.begins_turn),
        ),
    ),
    # an open dialog may show files, which other programs change: it is always drawn
    "dialog": Component(
        dialogs.render, lambda viewer: object() if dialogs.current(viewer) else None
    ),
}


class ViewerPage:
    """The page of one viewer.

    language: one of LANGUAGES. Any other value gives English.
    """

    def __init__(self, app: App, rights: Rights, language: str = "en") -> None:
        self.viewer = Viewer(app, rights, language)
        self._drawn: dict[str, tuple[object, str]] = {}  # {component: (depends on, HTML)}
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
        broken = set(COMPONENTS)
        for name, component in COMPONENTS.items():
            with safety_net.under(line):
                values = component.depends_on(self.viewer)
                if name not in self._drawn or self._drawn[name][0] != values:
                    self._drawn[name] = values, str(h.fragment[component.draw(self.viewer)])
                broken.remove(name)
        if broken - self._broken:
            self.viewer.send(error=self.viewer.translate("server.broke"))
        self._broken = broken
        return {name: self._drawn.get(name, (None, ""))[1] for name in COMPONENTS}

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
