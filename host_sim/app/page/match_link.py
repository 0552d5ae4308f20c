# SPDX-License-Identifier: MIT
"""A link that contains a match: its export and the players' names, compressed."""

import base64
import json
import zlib
from collections.abc import Sequence

import htpy as h

from host_sim.app.page import actions
from host_sim.app.page.dialogs import SAVE, dialog
from host_sim.app.page.elements import button, button_row, close_button
from host_sim.app.page.viewer import Viewer
from host_sim.board.hub import match_export
from host_sim.table.player_names import clean_names
from roundhouse.constants import MOST_SEATS

PREFIX = "#match="  # what precedes a match in an address
LONGEST = 100_000  # characters; messengers cut longer links
LARGEST = 1_000_000  # bytes; no uncompressed match is longer


def pack(text: str, names: dict[str, str]) -> str:
    """Compress an export and the players' names, and return them as text for a link."""
    data = json.dumps([names, text], ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpack(text: str) -> tuple[str, dict[str, str]]:
    """Return (export, {seat: player's name}) from a text made by `pack`. Raises
    match_export.NoExport for other texts."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        data = zlib.decompressobj().decompress(data, LARGEST)
        names, export = json.loads(data)
        names = {
            str(int(seat)): name for seat, name in names.items() if 1 <= int(seat) <= MOST_SEATS
        }
        names = clean_names(names)
    except (ValueError, TypeError, AttributeError, zlib.error, RecursionError) as error:
        raise match_export.NoExport(str(error)) from None
    if not isinstance(export, str):
        raise match_export.NoExport("the link holds no text")
    return export, names


@actions.action("look-at-link", actions.OWNER)
def replay_link(viewer: Viewer, args: Sequence[str], fields: actions.Fields) -> bool:
    try:
        viewer.app.replay_export(*unpack(fields.get("text", "")))
    except match_export.NoExport:
        viewer.send(error=viewer.translate("site.no_match_in_link"))
        return True
    viewer.replayed.step_to(viewer.replayed.recording.last)
    actions.clear_view(viewer)
    return True


def has_link(viewer: Viewer) -> bool:
    """Return whether this viewer may share the current match as a link."""
    is_match = viewer.table.kind in ("play", "replay")
    return viewer.rights.owner and is_match and bool(viewer.app.site_url)


@dialog("link", has_link, "site.link", SAVE)
def link(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    url = viewer.app.site_url + PREFIX + pack(viewer.app.export(), viewer.table.names)
    title = [close_button(viewer), h.h1[translate("site.link")]]
    if len(url) > LONGEST:
        return [*title, h.p[translate("site.link_too_long")]]
    return [
        *title,
        h.p[translate("site.link_how")],
        h.input(name="link", readonly=True, value=url, aria_label=translate("site.link")),
        button_row(button(translate("site.copy_link"), "copy-link", "main", autofocus=True)),
    ]
