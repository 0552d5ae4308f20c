# SPDX-License-Identifier: MIT
"""What a viewer takes away: the table as a picture or as a script, the match as a file."""

from host_sim.hub import match_export
from host_sim.views import table_poster

PNG = 2800  # pixels of its width


def download(view, what):
    """Return a file for the shell to save, {"name", "text", "type"}; None where there is none."""
    if what in ("svg", "png") and view.state:
        names = {seat: view.name(seat) for seat in view.state["scores"]}
        picture = table_poster.svg(view.table.seen, names, view.say)
        file = {"name": "roundhouse." + what, "text": picture, "type": "image/svg+xml"}
        return {**file, "png": PNG} if what == "png" else file
    if what == "match":
        text = view.app.export()
        if text:
            return {"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
    if what == "position":
        text = view.app.export()
        if text:
            lines = "\n".join(match_export.script(text)) + "\n"
            return {"name": "roundhouse-position.table", "text": lines, "type": "text/plain"}
    return None
