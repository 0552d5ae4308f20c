# SPDX-License-Identifier: MIT
"""Checks that every name printed on a board is next to the part or pad that it names."""

import math

from hardware.kicad_files import Board, Project
from hardware.pinmap import SLOTS
from hardware.pinouts import READER

NAMES = {  # net -> its printed name, where the two differ
    "+5V": "5V",
    "+3V3": "3V3",
    "3V3_READERS": "3V3R",
    "RESET": "RST",
    "PIX_E": "PIX END",
    "VUSB": "5V",
    "USB_N": "D-",
    "USB_P": "D+",
}
LAMPS = ("turn", "open", "double", "answer")  # of a slot, from left to right
UNNAMED = ("H", "TP", "J", "FID")  # holes, what a text names better, and fiducials
FAR = 4.0  # mm from a pin to its name, at most


def mistakes(project: Project) -> list[str]:
    """Return the names and labels that are misprinted or missing, one line of text each."""
    board = project.board
    wrong = [
        "%s is not printed" % part.ref
        for part in board.footprints.values()
        if not part.named and not part.ref.startswith(UNNAMED)
    ]
    stamp = "%(title)s rev %(rev)s  %(date)s" % board.title
    if stamp not in [text.words for text in board.texts if text.layer == "B.SilkS"]:
        wrong.append("the back does not say %r" % stamp)
    if board.title != project.schematic.title:
        wrong.append("the schematic's title block is %s" % project.schematic.title)
    return wrong + (_hub(board) if project.name == "hub12" else _slot(board))


def names_at(board: Board, ref: str) -> list[str]:
    """Return the texts printed next to the numbered pads of a part or test point, one text for
    each pad."""
    return [board.beside(pad.place).words for pad in board[ref].pads if pad.number]


def _hub(board: Board) -> list[str]:
    wrong = []
    pins = [(pad.place, slot) for slot in SLOTS for pad in board.header(slot).pads]
    for slot in SLOTS:
        place = board.printed(slot)
        _, near = min(pins, key=lambda pin: math.dist(place, pin[0]))
        if near != slot:
            wrong.append("%s is printed at the header of slot %s" % (slot, near))
    for ref in ["J13"] + [ref for ref in board.footprints if ref.startswith("TP")]:
        wrong += _pins(board, ref, [NAMES.get(p.net, p.net) for p in board[ref].pads], "F.SilkS")
    return wrong


def _slot(board: Board) -> list[str]:
    wrong = _pins(board, "J2", list(READER), "B.SilkS")
    for n, lamp in enumerate(LAMPS, 1):
        words = board.beside(board["D%d" % n].place).words
        if words != lamp:
            wrong.append("D%d: %s is printed, not %s" % (n, words, lamp))
    return wrong


def _pins(board: Board, ref: str, names: list[str], layer: str) -> list[str]:
    """Return a line of text for each pad of a part that has the wrong text next to it.

    names: the expected text for each pad.
    layer: the layer with the texts.
    """
    wrong = []
    for pad, name in zip(board[ref].pads, names):
        text = board.beside(pad.place, layer)
        if text.words != name or math.dist(text.place, pad.place) > FAR:
            wrong.append("%s.%s: %s is printed, not %s" % (ref, pad.number, text.words, name))
    return wrong
