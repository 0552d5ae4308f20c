# SPDX-License-Identifier: MIT
"""The hub12 board: where each part stands, and the tracks between them.

Runs under the Python that has KiCad's `pcbnew`: `PYTHONHASHSEED=0 python3 -m hardware.pcb FILE`.
"""

import sys
from pathlib import Path

import pcbnew

from hardware import circuit, kicad_project, router, schematic, supply_copper

SIZE = 100.0  # mm, square: the size that fabs sell cheapest
ORIGIN = 50.8  # of the board in KiCad's sheet, both ways
HOLE = 3.175  # of a mounting hole from both edges
FOOTPRINTS = Path("/usr/share/kicad/footprints")

BANK_X = (6.35, 70.485)  # first pins of the slots' connectors, left and right
BANK_Y, BANK_STEP = 10.795, 7.62

# ref -> x, y of its first pad and angle, mm from the board's upper left corner
PLACES = {
    "U1": (38.1, 3.175, 0),
    "J16": (33.02, 28.575, 0),
    "J18": (60.96, 38.735, 180),
    "U4": (59.69, 4.445, 0),
    "C13": (66.04, 29.21, 90),
    "R15": (66.04, 41.275, 90),
    "R16": (62.23, 51.435, 90),
    "J17": (66.04, 51.435, 180),
    "U9": (6.35, 66.675, 90),
    "U10": (27.94, 66.675, 90),
    "U12": (49.53, 66.675, 90),
    "U11": (78.74, 66.675, 90),
    "C9": (24.765, 65.405, 90),
    "C10": (46.355, 65.405, 90),
    "C12": (75.565, 65.405, 90),
    "C11": (97.155, 65.405, 90),
    "RN1": (5.08, 69.85, 0),
    "R5": (33.02, 15.24, 90),
    "R14": (33.02, 25.4, 90),
    "RN2": (76.2, 69.85, 0),
    "U7": (3.175, 80.645, 90),
    "U5": (27.94, 80.645, 90),
    "U6": (52.07, 80.645, 90),
    "U8": (76.2, 80.645, 90),
    "C7": (24.765, 79.375, 90),
    "C5": (48.895, 79.375, 90),
    "C6": (73.025, 79.375, 90),
    "C8": (97.155, 79.375, 90),
    "R1": (8.89, 83.82, 0),
    "R2": (20.32, 83.82, 0),
    "R3": (8.89, 86.995, 0),
    "R4": (20.32, 86.995, 0),
    "C4": (31.75, 83.82, 0),
    "J13": (11.43, 93.98, 0),
    "F1": (31.75, 95.25, 0),
    "C3": (33.02, 88.265, 0),
    "C1": (43.18, 94.615, 0),
    "D1": (60.96, 87.63, 180),
    "R17": (40.64, 87.63, 0),
    "U3": (53.975, 94.615, 0),
    "C2": (64.135, 94.615, 90),
    "J14": (69.215, 93.98, 0),
    "J15": (83.82, 93.98, 0),
    "H1": (HOLE, HOLE, 0),
    "H2": (SIZE - HOLE, HOLE, 0),
    "H3": (HOLE, SIZE - HOLE, 0),
    "H4": (SIZE - HOLE, SIZE - HOLE, 0),
}
# the terminations beside their drivers
for _i, _r in enumerate((6, 10, 7, 11, 8, 12, 9, 13)):
    PLACES["R%d" % _r] = (41.91 + 5.715 * _i, 55.88, 0)
PLACES.update({"TP%d" % (1 + i): (43.18 + 5.08 * i, 84.455, 0) for i in range(10)})
for _i in range(12):
    PLACES["J%d" % (_i + 1)] = (BANK_X[_i // 6], BANK_Y + BANK_STEP * (_i % 6), 0)

# (net, layer, x1, y1, x2, y2): copper that carries amperes
POURS = (
    ("+5V", "F", 35.56, 89.535, 91.44, 99.3),
    ("VUSB", "F", 8.89, 91.44, 33.655, 99.3),
)
# the pixels' current comes back through GND on the back: along the lower edge, where nothing else
# may cross, and up to the pins that it goes through; those are joined without thermal relief
RETURN = (8.0, 95.9, 92.0, 99.6)
RETURN_PINS = supply_copper.PATHS[-1][-1]
WIDE = [net for _, _, nets in kicad_project.CLASSES.values() for net in nets]


def main(path):
    """Draw the board into a new .kicad_pcb at that path, its pours filled."""
    board = build(pcbnew.NewBoard(str(path)), circuit.parts())
    pcbnew.SaveBoard(str(path), board)
    # filled once it is read again: only then KiCad keeps to the project's rules
    board = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)


def build(board, parts):
    """Fill a new board; return it."""
    pcbnew.KIID.SeedGenerator(1)
    nets = _nets(board, parts)
    for part in parts:
        _place(board, part, nets)
    _outline(board)
    pads = _pads(board)
    closed = [(0, x1, y1, x2, y2, net) for net, _, x1, y1, x2, y2 in POURS]
    # the Pico's footprint wants no copper where a Pico W has its antenna
    closed += [(layer, 39.87, 44.3, 54.1, 53.31, None) for layer in (0, 1)]
    closed += [(1, *box, "GND") for box in _returns(board)]
    way = router.Router(SIZE, SIZE, pads, closed, WIDE)
    routes = way.route(say=lambda text: print(text, flush=True))
    for net in sorted(routes):
        for route in routes[net]:
            _tracks(board, nets[net], way, route, _width(net))
    _stubs(board, nets, way, pads)
    for net, layer, *box in POURS:
        _pour(board, nets[net], layer, box, 2, solid=True)
    for layer in "FB":
        _pour(board, nets["GND"], layer, (0.4, 0.4, SIZE - 0.4, SIZE - 0.4), 0)
    _texts(board)
    return board


def _returns(board):
    """Make solid what the pixels' current comes back through; return the boxes kept for it."""
    x1, y1, x2, y2 = RETURN
    boxes = [RETURN]
    for name in RETURN_PINS:
        ref, number = name.split(".")
        pad = board.FindFootprintByReference(ref).FindPadByNumber(number)
        pad.SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_FULL)
        x = pcbnew.ToMM(pad.GetPosition().x) - ORIGIN
        boxes.append((x - 1.7, y1 - 3.5, x + 1.7, y1))
    return boxes


def at(x, y):
    """Return KiCad's point for mm from the board's upper left corner."""
    return pcbnew.VECTOR2I(
        pcbnew.FromMM(round(ORIGIN + x, 4)), pcbnew.FromMM(round(ORIGIN + y, 4))
    )


def _nets(board, parts):
    names = sorted({net for part in parts for net in part.pins.values() if net})
    nets = {}
    for name in names:
        # KiCad calls a net that a label names by its sheet
        full = name if name in schematic.POWER else "/" + name
        nets[name] = pcbnew.NETINFO_ITEM(board, full)
        board.Add(nets[name])
    return nets


def _place(board, part, nets):
    library, name = part.footprint.split(":")
    footprint = pcbnew.FootprintLoad(str(FOOTPRINTS / (library + ".pretty")), name)
    footprint.SetFPID(pcbnew.LIB_ID(library, name))
    footprint.SetReference(part.ref)
    footprint.SetValue(part.value)
    footprint.SetPath(pcbnew.KIID_PATH("/" + schematic.uid("part", part.ref, part.units[0][0])))
    footprint.SetSheetname("/")
    footprint.SetSheetfile("hub12.kicad_sch")
    footprint.SetDNP(part.dnp)
    footprint.SetExcludedFromBOM(not part.part)
    board.Add(footprint)
    x, y, angle = PLACES[part.ref]
    footprint.SetPosition(at(x, y))
    footprint.SetOrientationDegrees(angle)
    for pad in footprint.Pads():
        number = pad.GetNumber()
        if not number:
            continue
        net = part.pins.get(int(number))
        if net:
            pad.SetNet(nets[net])
        else:
            _unconnected(board, part, pad, number)


def _unconnected(board, part, pad, number):
    """A pin with a cross has a net of its own name, as KiCad's schematic gives it."""
    library = schematic.Library()
    symbol = library.get(part.symbol)
    name = ""
    for body in schematic.find(symbol, "symbol"):
        for pin in schematic.find(body, "pin"):
            if schematic.one(pin, "number")[1] == number:
                name = schematic.one(pin, "name")[1]
    pin = (
        "Pad%s" % number
        if name in ("~", "")
        else "%s-Pad%s" % (name.replace("/", "{slash}"), number)
    )
    net = pcbnew.NETINFO_ITEM(board, "unconnected-(%s-%s)" % (part.ref, pin))
    board.Add(net)
    pad.SetNet(net)


def _pads(board):
    """Return the router's pads."""
    pads = []
    for footprint in board.GetFootprints():
        for pad in footprint.Pads():
            box = pad.GetBoundingBox()
            x = pcbnew.ToMM(pad.GetPosition().x) - ORIGIN
            y = pcbnew.ToMM(pad.GetPosition().y) - ORIGIN
            hx, hy = pcbnew.ToMM(box.GetWidth()) / 2, pcbnew.ToMM(box.GetHeight()) / 2
            net = pad.GetNetname().removeprefix("/")
            if not pad.GetNumber():
                pads.append((None, x, y, hx + 0.2, hy + 0.2))
            elif net.startswith("unconnected-"):
                pads.append((None, x, y, hx, hy))
            else:
                pads.append((net, x, y, hx, hy))
    return sorted(pads, key=lambda p: (p[0] or "", p[1], p[2]))


def _tracks(board, net, way, path, width):
    """Straight runs of a path as tracks, changes of layer as vias."""
    places = [way.place(node) for node in path]
    start = 0
    for k in range(1, len(places)):
        here, before = places[k], places[k - 1]
        if here[2] != before[2]:
            via = pcbnew.PCB_VIA(board)
            via.SetPosition(at(*here[:2]))
            via.SetWidth(pcbnew.FromMM(2 * router.VIA))
            via.SetDrill(pcbnew.FromMM(0.3))
            via.SetNet(net)
            board.Add(via)
            start = k
            continue
        after = places[k + 1] if k + 1 < len(places) else None
        if after is None or after[2] != here[2] or _way(here, after) != _way(before, here):
            _track(board, net, places[start], here, here[2], width)
            start = k


def _width(net):
    """Return the width of a net's tracks, mm."""
    return 2 * (router.WIDE if net in WIDE else router.THIN)


def _way(a, b):
    return round(b[0] - a[0], 3), round(b[1] - a[1], 3)


def _track(board, net, a, b, layer, width):
    track = pcbnew.PCB_TRACK(board)
    track.SetStart(at(*a[:2]))
    track.SetEnd(at(*b[:2]))
    track.SetLayer(pcbnew.B_Cu if layer else pcbnew.F_Cu)
    track.SetWidth(pcbnew.FromMM(width))
    track.SetNet(net)
    board.Add(track)


def _stubs(board, nets, way, pads):
    """From a pad's centre to the node that stands for it, where the two are not the same."""
    ends = {}
    for net, paths in way.routes.items():
        for path in paths:
            for node in (path[0], path[-1]):
                x, y, layer = way.place(node)
                ends[net, round(x, 3), round(y, 3)] = layer
    for net, x, y, *_ in pads:
        if not net:
            continue
        i, j = way.nearest(x, y)
        gx, gy = i * router.GRID, j * router.GRID
        if abs(gx - x) + abs(gy - y) > 0.01 and (net, round(gx, 3), round(gy, 3)) in ends:
            layer = ends[net, round(gx, 3), round(gy, 3)]
            _track(board, nets[net], (x, y), (gx, gy), layer, _width(net))


def _pour(board, net, layer, box, priority, solid=False):
    zone = pcbnew.ZONE(board)
    zone.SetLayer(pcbnew.F_Cu if layer == "F" else pcbnew.B_Cu)
    zone.SetNet(net)
    zone.SetAssignedPriority(priority)
    zone.SetLocalClearance(pcbnew.FromMM(0.25))
    zone.SetMinThickness(pcbnew.FromMM(0.25))
    zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL if solid else pcbnew.ZONE_CONNECTION_THERMAL)
    zone.SetThermalReliefGap(pcbnew.FromMM(0.3))
    zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
    zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
    x1, y1, x2, y2 = box
    outline = zone.Outline()
    outline.NewOutline()
    for x, y in ((x1, y1), (x2, y1), (x2, y2), (x1, y2)):
        outline.Append(at(x, y))
    board.Add(zone)


def _outline(board):
    corners = [(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)]
    for a, b in zip(corners, corners[1:] + corners[:1]):
        line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
        line.SetStart(at(*a))
        line.SetEnd(at(*b))
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetWidth(pcbnew.FromMM(0.1))
        board.Add(line)


def _text(board, text, x, y, size=1.0, angle=0, layer=pcbnew.F_SilkS, thickness=0.15):
    item = pcbnew.PCB_TEXT(board)
    item.SetText(text)
    item.SetPosition(at(x, y))
    item.SetLayer(layer)
    item.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(size), pcbnew.FromMM(size)))
    item.SetTextThickness(pcbnew.FromMM(thickness))
    item.SetTextAngleDegrees(angle)
    item.SetMirrored(layer == pcbnew.B_SilkS)
    board.Add(item)


LABELS = {  # beside the pins of terminals and test points
    "J13": ("5V", "GND", "CC1", "CC2"),
    "J14": ("5V", "DATA", "GND"),
    "J15": ("5V", "GND"),
}
POINTS = ("GND", "5V", "VSYS", "3V3R", "3V3", "SCK", "MOSI", "MISO", "RST", "PIX")
CABLE = ("SDA", "SCK", "MOSI", "MISO", "", "GND", "RST", "3V3", "BTN", "GND")


def _texts(board):
    for footprint in board.GetFootprints():
        _name(footprint)
    for i, name in enumerate(circuit.SLOTS):
        x, y, _ = PLACES["J%d" % (i + 1)]
        _text(board, name, x - 3.4 if i < 6 else x + 26.6, y, 1.8, thickness=0.3)
    for ref, names in LABELS.items():
        x, y, _ = PLACES[ref]
        for i, name in enumerate(names):
            _text(board, name, x + 3.5 * i, y - 4.35, 0.8, thickness=0.12)
    for i, name in enumerate(POINTS):
        x, y, _ = PLACES["TP%d" % (i + 1)]
        _text(board, name, x, y - 1.85, 0.8, thickness=0.12)
    x, y, _ = PLACES["J17"]
    _text(board, "PIEZO", x, y - 4.6, 0.8, thickness=0.12)
    _text(board, "8 x 68R", PLACES["R13"][0] + 7.5, PLACES["R13"][1], 0.8, thickness=0.12)
    # the cables' pins, on the back, where the hand that solders them looks
    for x in BANK_X:
        for i, name in enumerate(CABLE):
            _text(board, name, x + 2.54 * i, BANK_Y + 3.81, 0.8, 90, pcbnew.B_SilkS, 0.12)
    x, y, _ = PLACES["U1"]
    _text(board, "ROUNDHOUSE hub12", x + 7, y + 20, 1.8, 90, thickness=0.3)
    _text(board, "checked by tools, not yet built", x + 11, y + 20, 1.0, 90)


def _name(footprint):
    """Put a part's name where it can be read: inside chips, beside what has no room."""
    ref = footprint.GetReference()
    name = footprint.Reference()
    name.SetTextSize(pcbnew.VECTOR2I(pcbnew.FromMM(0.8), pcbnew.FromMM(0.8)))
    name.SetTextThickness(pcbnew.FromMM(0.12))
    standing = "Vertical" in str(footprint.GetFPID().GetLibItemName()) and ref[0] == "R"
    if standing or ref[:2] == "TP" or ref[0] == "H" or ref[0] == "J" and ref not in ("J16", "J18"):
        name.SetVisible(False)  # they have a label that says more
        return
    x, y, angle = PLACES[ref]
    turn = 0
    box = [pcbnew.ToMM(v) for v in _middle(footprint)]
    mx, my = box[0] - ORIGIN, box[1] - ORIGIN
    if ref[:2] == "RN":
        mx, my, turn = x - 2.5, y, 90
    elif ref[0] == "U" and ref not in ("U1", "U3"):
        turn = 0 if angle else 90
    elif ref == "U1":
        mx, my, turn = x + 3.5, y + 20, 90
    elif ref == "U3":
        mx, my = x + 2.54, y - 4.3
    elif ref in ("J16", "J18"):
        mx, my = x, y + (25.3 if ref == "J16" else 2.4)
    elif ref == "C1":
        mx, my, turn = x - 3.8, y, 90
    elif ref == "C3":
        mx = x + 5.4
    elif angle == 90:
        turn = 90
    name.SetPosition(at(mx, my))
    name.SetTextAngleDegrees(turn)
    name.SetKeepUpright(True)


def _middle(footprint):
    """Return the middle of a part's pads."""
    xs = [pad.GetPosition().x for pad in footprint.Pads()]
    ys = [pad.GetPosition().y for pad in footprint.Pads()]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


if __name__ == "__main__":
    main(Path(sys.argv[1]))
