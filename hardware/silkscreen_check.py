# SPDX-License-Identifier: MIT
"""Checks that every name printed on a board is next to the part or pad that it names, and that no
chip can be taken for another."""

import math

from hardware import pinmap
from hardware.kicad_files import Board, Footprint, Project, natural
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
UNNAMED = ("H", "TP", "J", "FID")  # holes, marks, and what a text names better
VALUED = ("U", "R", "C", "D", "Q")  # what a value tells from others
FAR = 4.0  # mm from a pin to its name, at most
FIDUCIALS = 3  # by which an assembler's machine finds the board


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
    wrong += _chips(board)
    boards = pinmap.load()
    if project.name not in boards:
        return wrong + _slot(board)
    return wrong + _hub(board, pinmap.slots(boards[project.name]))


def unprinted(board: Board) -> list[Footprint]:
    """Return the parts without a printed value that could be taken for others: those of another
    value have the same package."""
    parts = [part for part in board.footprints.values() if part.ref.startswith(VALUED)]
    values: dict[str, set[str]] = {}
    for part in parts:
        values.setdefault(part.name, set()).add(part.value)
    found = [part for part in parts if not part.valued and len(values[part.name]) > 1]
    return sorted(found, key=lambda part: natural(part.ref))


def _chips(board: Board) -> list[str]:
    """Return a line of text for each chip whose value is not printed, or printed beside another
    part."""
    wrong = [
        "%s: its value, %s, is not printed" % (part.ref, part.value)
        for part in unprinted(board)
        if part.ref[0] == "U"
    ]
    pads = [(pad.place, part.ref) for part in board.footprints.values() for pad in part.pads]
    for part in board.footprints.values():
        if part.ref[0] == "U" and part.valued:
            _, near = min(pads, key=lambda pad: math.dist(part.value_place, pad[0]))
            if near != part.ref:
                wrong.append("%s: its value is printed at %s" % (part.ref, near))
    return wrong


def names_at(board: Board, ref: str) -> list[str]:
    """Return the texts printed next to the numbered pads of a part or test point, one text for
    each pad."""
    return [board.beside(pad.place).words for pad in board[ref].pads if pad.number]


def _hub(board: Board, slots: list[str]) -> list[str]:
    wrong = []
    marks = sum(part.name.startswith("Fiducial:") for part in board.footprints.values())
    if marks < FIDUCIALS:
        wrong.append("%d fiducials, an assembler needs %d" % (marks, FIDUCIALS))
    pins = [(pad.place, slot) for slot in slots for pad in board.header(slot).pads]
    for slot in slots:
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
