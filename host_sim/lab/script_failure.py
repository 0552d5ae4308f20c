# SPDX-License-Identifier: MIT
"""Reports a failed table script: the table in words, and the command that repeats the failure."""

from collections.abc import Mapping

from host_sim import COMMAND
from host_sim.app.views.lamp_text import draw
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.board.hub.table_script import Script
from host_sim.table.model import TableModel


def report(script: Script, name: str) -> str:
    board = script.board
    lines = picture(board) if board else ["there is no table yet"]
    again = "again: %s script %s" % (COMMAND, name)
    return "\n".join(["    " + line for line in lines] + [again])


def picture(board: SimulatedHub) -> list[str]:
    """Return lines of text about the board's table: the match, each train or line, and the
    lamps."""
    table = TableModel()
    for line in [*board.lines, board.command("state") or {}]:
        table.take(line)
    state = table.state
    if not state:
        return ["no input was answered"]
    about = "%s, set %s, round %s: %s" % (table.house, table.set, state["round"], state["phase"])
    values: Mapping[str, object] = state
    for key, words in (("engine", "engine %s"), ("turn", "seat %s to move")):
        if values[key]:
            about += ", " + words % values[key]
    about += ", boneyard %s" % state["boneyard"]
    slots = sorted({*table.trains, *state["hands"]}, key=lambda slot: (slot == "M", slot.zfill(2)))
    shown = [about, *(_slot(slot, table) for slot in slots)]
    return [*shown, "lamps  " + draw(state["lamps"], board.slots, colour=False)]


def _slot(slot: str, table: TableModel) -> str:
    """Return a line of text about a slot: its seat's count of tiles, its train or line, and
    marks."""
    state = table.state or {}
    text = "%2s" % slot
    if slot in state["hands"]:
        text += "  %2s in hand" % state["hands"][slot]
    text += "  " + (" ".join(table.trains.get(slot, ())) or "-")
    marks = [
        (state["open"], "open"),
        (state["doubles"], "double"),
        (state["playable"], "playable"),
    ]
    words = [word for slots, word in marks if slot in map(str, slots)]
    return text + ("  (%s)" % ", ".join(words) if words else "")
