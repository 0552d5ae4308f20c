# SPDX-License-Identifier: MIT
"""Files that a viewer can save: the table as a picture or a script, the match as an export."""

from host_sim.hub import match_export
from host_sim.page.viewer import Message, Viewer
from host_sim.views import table_poster

PNG_WIDTH = 2800  # pixels


def file(viewer: Viewer, kind: str) -> Message | None:
    """Return a file for the browser to save, as {"name", "text", "type"}, or None if there is
    none.

    kind: `svg`, `png`, `match` or `position`. For `png` the file contains an SVG that the browser
    converts.
    """
    if kind in ("svg", "png") and viewer.state:
        names = {seat: viewer.seat_name(seat) for seat in viewer.state["scores"]}
        svg = table_poster.svg(viewer.table.model, names, viewer.translate)
        picture = {"name": "roundhouse." + kind, "text": svg, "type": "image/svg+xml"}
        return {**picture, "png": PNG_WIDTH} if kind == "png" else picture
    text = viewer.app.export() if kind in ("match", "position") else ""
    if not text:
        return None
    if kind == "match":
        return {"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
    script = "\n".join(match_export.script(text)) + "\n"
    return {"name": "roundhouse-position.table", "text": script, "type": "text/plain"}
