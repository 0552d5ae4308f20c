# SPDX-License-Identifier: MIT
"""What a viewer takes away: the table as a picture or as a script, the match as a file."""

from host_sim.hub import exported_match
from host_sim.views import table_poster

PNG = 2800  # pixels of its width


def made(desk, what):
    """Return a file for the shell to save, {"name", "text", "type"}; None where there is none."""
    if what in ("svg", "png") and desk.state:
        names = {seat: desk.name(seat) for seat in desk.state["scores"]}
        picture = table_poster.svg(desk.table.seen, names, desk.say)
        file = {"name": "roundhouse." + what, "text": picture, "type": "image/svg+xml"}
        return {**file, "png": PNG} if what == "png" else file
    if what == "match":
        text = desk.hall.export()
        if text:
            return {"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
    if what == "position":
        text = desk.hall.export()
        if text:
            lines = "\n".join(exported_match.script(text)) + "\n"
            return {"name": "roundhouse-position.table", "text": lines, "type": "text/plain"}
    return None
