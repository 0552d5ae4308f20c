# SPDX-License-Identifier: MIT
"""What is printed on a board: names, values, labels, revision and date, each where it is free.

Runs under KiCad's own Python.
"""

import math

import pcbnew

GAP = 0.16  # mm, between a text and whatever it must not touch
SIZES = (0.8, 0.12)  # height and stroke of names and values
WITH_VALUE = ("R", "C", "D", "F", "Q", "U")  # beside these the value is printed too
SHIFTS = tuple(0.15 * n for n in range(-28, 29))


def print_on(board, project, layout, at):
    """Put all texts onto a board; at: mm from its corner to KiCad's point."""
    page = _Page(board)
    for text, x, y, size, angle, side in layout.texts(layout.PLACES):
        item = _text(board, text, at(x, y), size, angle, side)
        page.taken[side].append(_box(item))
    footprints = sorted(board.GetFootprints(), key=lambda f: f.GetReference())
    for footprint in footprints:
        name = footprint.Reference()
        if footprint.GetReference().startswith(layout.HIDDEN):
            name.SetVisible(False)  # a label says more
        elif not page.find(footprint, name):
            print("no room for the name of", footprint.GetReference())
    for footprint in footprints:
        value = footprint.Value()
        if footprint.GetReference()[0] in WITH_VALUE and footprint.GetReference() != "U1":
            value.SetLayer(pcbnew.F_SilkS)
            if not page.find(footprint, value, 3.6):
                value.SetLayer(pcbnew.F_Fab)
    wide, high = layout.SIZE
    stamp = "%s rev %s  %s" % (project.title, project.revision, project.date)
    item = _text(board, stamp, at(wide / 2, high / 2), 1.0, 0, "B")
    page.anywhere(item, at, wide, high)


class _Page:
    """What is taken on both sides."""

    def __init__(self, board):
        self.taken = {"F": [], "B": []}
        self.edge = board.GetBoardEdgesBoundingBox()
        self.edge.Inflate(-pcbnew.FromMM(0.5))
        for footprint in board.GetFootprints():
            for pad in footprint.Pads():
                hole = pad.GetAttribute() != pcbnew.PAD_ATTRIB_SMD
                for side in "FB" if hole else "F":
                    self.taken[side].append(_box(pad))
            for item in footprint.GraphicalItems():
                if item.GetLayer() == pcbnew.F_SilkS:
                    self.taken["F"] += _pieces(item)

    def free(self, item, side):
        """Whether nothing else is where a text is."""
        box = _box(item)
        return self.edge.Contains(item.GetBoundingBox()) and not any(
            a[0] < box[2] and box[0] < a[2] and a[1] < box[3] and box[1] < a[3]
            for a in self.taken[side]
        )

    def find(self, footprint, text, far=9.0):
        """Move a part's text to the nearest place beside or inside it that is free, at
        most so far away; whether there is one."""
        height, stroke = SIZES
        text.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(height), pcbnew.FromMM(height)))
        text.SetTextThickness(pcbnew.FromMM(stroke))
        text.SetKeepUpright(True)
        text.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_CENTER)
        text.SetVertJustify(pcbnew.GR_TEXT_V_ALIGN_CENTER)
        body = footprint.GetBoundingBox(False)
        middle = body.GetCenter()
        spots = []
        for turn in (0, 90):
            for dx in SHIFTS:
                for dy in SHIFTS:
                    x = middle.x + pcbnew.FromMM(dx) * (1 + body.GetWidth() // 8000000)
                    y = middle.y + pcbnew.FromMM(dy) * (1 + body.GetHeight() // 8000000)
                    if abs(dx) + abs(dy) > far:
                        continue
                    spots.append((abs(dx) + abs(dy) + (0.01 if turn else 0), turn, x, y))
        for _, turn, x, y in sorted(spots):
            text.SetTextAngleDegrees(turn)
            text.SetPosition(pcbnew.VECTOR2I(x, y))
            if self.free(text, "F"):
                self.taken["F"].append(_box(text))
                return True
        return False

    def anywhere(self, item, at, wide, high):
        """Move a text on the back to where it is free, from the middle outwards."""
        spots = sorted(
            (abs(x - wide / 2) + abs(y - high / 2), x, y)
            for x in range(5, int(wide) - 4)
            for y in range(3, int(high) - 2)
        )
        for _, x, y in spots:
            item.SetPosition(at(x, y))
            if self.free(item, "B"):
                return
        raise ValueError("no room for %s" % item.GetText())


def _text(board, text, place, size, angle, side):
    item = pcbnew.PCB_TEXT(board)
    item.SetText(text)
    item.SetPosition(place)
    item.SetLayer(pcbnew.F_SilkS if side == "F" else pcbnew.B_SilkS)
    item.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(size), pcbnew.FromMM(size)))
    item.SetTextThickness(pcbnew.FromMM(round(0.15 * size, 2) if size < 1.5 else 0.3))
    item.SetTextAngleDegrees(angle)
    item.SetMirrored(side == "B")
    board.Add(item)
    return item


def _box(item):
    box = item.GetBoundingBox()
    gap = pcbnew.FromMM(GAP) / 2
    return (
        box.GetLeft() - gap,
        box.GetTop() - gap,
        box.GetRight() + gap,
        box.GetBottom() + gap,
    )


def _pieces(item):
    """The boxes of a line or a circle in pieces, of anything else the one around it."""
    shape = item.GetShape() if isinstance(item, pcbnew.PCB_SHAPE) else None
    if shape == pcbnew.SHAPE_T_SEGMENT:
        a, b = item.GetStart(), item.GetEnd()
        steps = 1 if a.x == b.x or a.y == b.y else 8
        points = [
            (a.x + (b.x - a.x) * k / steps, a.y + (b.y - a.y) * k / steps)
            for k in range(steps + 1)
        ]
    elif shape == pcbnew.SHAPE_T_CIRCLE:
        middle, radius = item.GetCenter(), item.GetRadius()
        turns = [math.tau * k / 32 for k in range(33)]
        points = [
            (middle.x + radius * math.cos(t), middle.y + radius * math.sin(t)) for t in turns
        ]
    else:
        return [_box(item)]
    gap = item.GetWidth() / 2 + pcbnew.FromMM(GAP) / 2
    return [
        (
            min(p[0], q[0]) - gap,
            min(p[1], q[1]) - gap,
            max(p[0], q[0]) + gap,
            max(p[1], q[1]) + gap,
        )
        for p, q in zip(points, points[1:])
    ]
