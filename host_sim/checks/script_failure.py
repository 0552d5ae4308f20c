# SPDX-License-Identifier: MIT
"""What is told of a table script that failed: the table as a picture in words, and the command
that repeats it."""

from host_sim.hub.table_script import Script
from host_sim.views.lamp_text import draw
from host_sim.views.table_state import TableState

COMMAND = ".venv/bin/python -m host_sim script %s"


def told(script: Script, name):
    """Return the lines for a script, which stopped where it failed; name: its file's."""
    board = script.board
    lines = picture(board) if board else ["there is no table yet"]
    return "\n".join(["    " + line for line in lines] + ["again: " + COMMAND % name])


def picture(board):
    """Return the table of a board as lines of text: the match, each train, the lamps."""
    seen = TableState()
    for line in [*board.lines, board.say("state")]:
        if "input" in line:
            seen.line(line)
    state = seen.state
    about = "%s, set %s, round %s: %s" % (seen.house, seen.set, state["round"], state["phase"])
    for key, words in (("engine", "engine %s"), ("turn", "seat %s to move")):
        if state[key]:
            about += ", " + words % state[key]
    about += ", boneyard %s" % state["boneyard"]
    slots = sorted({*seen.trains, *state["hands"]}, key=lambda slot: (slot == "M", slot.zfill(2)))
    told = [about, *(_slot(slot, seen) for slot in slots)]
    return [*told, "lamps  " + draw(state["lamps"], board.slots, colour=False)]


def _slot(slot, seen):
    """Return one slot's line: its hand, what lies there, and what is open or asks for a tile."""
    state = seen.state
    said = "%2s" % slot
    if slot in state["hands"]:
        said += "  %2d in hand" % state["hands"][slot]
    said += "  " + (" ".join(seen.trains.get(slot, ())) or "-")
    marks = [
        (state["open"], "open"),
        (state["doubles"], "double"),
        (state["playable"], "playable"),
    ]
    named = [word for slots, word in marks if slot in map(str, slots)]
    return said + ("  (%s)" % ", ".join(named) if named else "")
