# SPDX-License-Identifier: MIT
"""The files that a viewer can save: the table as a picture or a script, the match as an export,
and the guide."""

import base64
from collections.abc import Callable
from typing import TypeVar

from host_sim.app.handouts import guide, house_guide, table_poster
from host_sim.app.page.viewer import Message, Viewer
from host_sim.app.people import own_sheets
from host_sim.app.session import backup
from host_sim.board.hub import match_export

PNG_WIDTH = 2800  # pixels
Made = TypeVar("Made")


def of_house(viewer: Viewer, make: Callable[[guide.House], Made]) -> Made | None:
    """Return make(house) for the house that is played. Return None if there is no table, or if
    this program does not know the house."""
    model = viewer.table.model
    family = own_sheets.family_of(viewer.session.metadata) if viewer.table.kind == "play" else {}
    if not viewer.state or not model.house:
        return None
    try:
        with own_sheets.known(family):
            return make(house_guide.house(model.house, model.set))
    except ValueError:  # a house of a real hub's own
        return None


def everything(viewer: Viewer) -> Message | None:
    """Return all that is stored as one file, for the owner."""
    if not viewer.rights.owner or not viewer.app.store:
        return None
    text = base64.b64encode(backup.save(viewer.app.store.folder).data).decode()
    return {"name": backup.NAME, "text": text, "type": "application/zip", "bytes": True}


def file(viewer: Viewer, kind: str) -> Message | None:
    """Return a file for the browser to save, as a dict with the keys "name", "text" and "type", or
    None. With the key "bytes", the text is Base64.

    kind: `all`, `svg`, `png`, `match`, `position` or `guide`. For `png`, the file
        contains an SVG that the browser converts.
    """
    if kind == "all":
        return everything(viewer)
    if kind in ("svg", "png") and viewer.state:
        names = {seat: viewer.seat_name(seat) for seat in viewer.state["scores"]}
        svg = table_poster.svg(viewer.table.model, names, viewer.translate)
        picture = {"name": "roundhouse." + kind, "text": svg, "type": "image/svg+xml"}
        return {**picture, "png": PNG_WIDTH} if kind == "png" else picture
    if kind == "guide":
        page = of_house(viewer, lambda house: guide.page(house, viewer.language))
        if not page:
            return None
        return {"name": "roundhouse-guide.html", "text": page, "type": "text/html"}
    text = viewer.app.export() if kind in ("match", "position") else ""
    if not text:
        return None
    if kind == "match":
        return {"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
    script = "\n".join(match_export.script(text)) + "\n"
    return {"name": "roundhouse-position.table", "text": script, "type": "text/plain"}
