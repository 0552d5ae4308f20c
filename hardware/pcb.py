# SPDX-License-Identifier: MIT
"""A board: its parts where the layout says, and the tracks between them.

Runs under the Python that has KiCad's `pcbnew`:
`PYTHONHASHSEED=0 python3 -m hardware.pcb NAME FILE`.
"""

import sys
from pathlib import Path

import pcbnew

from hardware import board_projects, hub_layout, router, schematic, silkscreen, slot_layout

ORIGIN = 50.8  # of the board in KiCad's sheet, both ways
FOOTPRINTS = Path("/usr/share/kicad/footprints")
LAYOUTS = {"hub12": hub_layout, "slot": slot_layout}


def main(name, path):
    """Draw the board of a project into a new .kicad_pcb at that path, its pours filled."""
    project = next(p for p in board_projects.PROJECTS if p.name == name)
    board = Board(project, LAYOUTS[name], pcbnew.NewBoard(str(path))).build()
    pcbnew.SaveBoard(str(path), board)
    # filled once it is read again: only then KiCad keeps to the project's rules
    board = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board)


def at(x, y):
    """Return KiCad's point for mm from the board's upper left corner."""
    return pcbnew.VECTOR2I(
        pcbnew.FromMM(round(ORIGIN + x, 4)), pcbnew.FromMM(round(ORIGIN + y, 4))
    )


class Board:
    """A board on its way: project and layout, and KiCad's board that is filled from them."""

    def __init__(self, project, layout, board):
        self.project = project
        self.layout = layout
        self.board = board
        self.library = schematic.Library()
        self.nets = {}
        self.wide = {
            net for _, _, nets in layout.CLASSES.values() for net in nets if net not in layout.THIN
        }

    def build(self):
        """Fill the board; return it."""
        pcbnew.KIID.SeedGenerator(1)
        self.board.SetCopperLayerCount(self.layout.LAYERS)
        self._title()
        parts = self.project.parts()
        self._nets(parts)
        for part in parts:
            self._place(part)
        self._outline()
        for net, x, y in self.layout.STITCHES:
            self._via(self.nets[net], x, y)
        self._route()
        for pour in self.layout.POURS:
            self._pour(*pour)
        silkscreen.print_on(self.board, self.project, self.layout, at)
        return self.board

    def _title(self):
        title = self.board.GetTitleBlock()
        title.SetTitle(self.project.title)
        title.SetRevision(self.project.revision)
        title.SetDate(self.project.date)
        self.board.SetTitleBlock(title)

    def _nets(self, parts):
        for name in sorted({net for part in parts for net in part.pins.values() if net}):
            # KiCad calls a net that a label names by its sheet
            full = name if name in schematic.POWER else "/" + name
            self.nets[name] = pcbnew.NETINFO_ITEM(self.board, full)
            self.board.Add(self.nets[name])

    def _place(self, part):
        library, name = part.footprint.split(":")
        footprint = pcbnew.FootprintLoad(str(FOOTPRINTS / (library + ".pretty")), name)
        footprint.SetFPID(pcbnew.LIB_ID(library, name))
        footprint.SetReference(part.ref)
        footprint.SetValue(part.value)
        path = schematic.uid(self.project.name, "part", part.ref, part.units[0][0])
        footprint.SetPath(pcbnew.KIID_PATH("/" + path))
        footprint.SetSheetname("/")
        footprint.SetSheetfile(self.project.sheet.name)
        footprint.SetDNP(part.dnp)
        footprint.SetExcludedFromBOM(not part.part)
        self.board.Add(footprint)
        x, y, angle = self.layout.PLACES[part.ref]
        footprint.SetPosition(at(x, y))
        footprint.SetOrientationDegrees(angle)
        for pad in footprint.Pads():
            number = pad.GetNumber()
            if not number:
                continue
            net = part.pins.get(int(number))
            if net:
                pad.SetNet(self.nets[net])
            else:
                self._unconnected(part, pad, number)

    def _unconnected(self, part, pad, number):
        """A pin with a cross has a net of its own name, as KiCad's schematic gives it."""
        name = ""
        for body in schematic.find(self.library.get(part.symbol), "symbol"):
            for pin in schematic.find(body, "pin"):
                if schematic.one(pin, "number")[1] == number:
                    name = schematic.one(pin, "name")[1]
        pin = (
            "Pad%s" % number
            if name in ("~", "")
            else "%s-Pad%s" % (name.replace("/", "{slash}"), number)
        )
        net = pcbnew.NETINFO_ITEM(self.board, "unconnected-(%s-%s)" % (part.ref, pin))
        self.board.Add(net)
        pad.SetNet(net)

    # ---- tracks ----

    def _route(self):
        pads = self._pads()
        closed = [(layer, *box) for layer, boxes in self.layout.CLOSED.items() for box in boxes]
        way = router.Router(
            *self.layout.SIZE,
            pads,
            closed,
            self.wide,
            self._planes(),
            back=1.0 if self.layout.LAYERS == 4 else 6.0,
        )
        routes = way.route(say=lambda text: print(text, flush=True))
        for net in sorted(routes):
            for path in routes[net]:
                self._tracks(self.nets[net], way, path, self._width(net))
        self._stubs(way, pads)

    def _planes(self):
        """Return {net: function of x and y} of the pours that a via reaches."""
        planes = {}
        whole = [pour for pour in self.layout.POURS if pour[1] != "F"]
        for net, layer, corners, priority, _ in whole:
            above = [p[2] for p in whole if p[1] == layer and p[3] > priority]

            def there(x, y, corners=corners, above=above):
                spots = [(x + dx, y + dy) for dx in (-0.6, 0, 0.6) for dy in (-0.6, 0, 0.6)]
                return all(inside(corners, *s) for s in spots) and not any(
                    inside(other, *s) for other in above for s in spots
                )

            planes[net] = there
        return planes

    def _pads(self):
        """Return the router's pads: those of the parts, and the vias that are there already."""
        pads = [router.Pad(net, x, y, 0.3, 0.3, True, True) for net, x, y in self.layout.STITCHES]
        pours = [p for p in self.layout.POURS if p[1] == "F" and p[4]]
        for footprint in self.board.GetFootprints():
            for pad in footprint.Pads():
                box = pad.GetBoundingBox()
                x = pcbnew.ToMM(pad.GetPosition().x) - ORIGIN
                y = pcbnew.ToMM(pad.GetPosition().y) - ORIGIN
                hx, hy = pcbnew.ToMM(box.GetWidth()) / 2, pcbnew.ToMM(box.GetHeight()) / 2
                net = pad.GetNetname().removeprefix("/")
                hole = pad.GetAttribute() != pcbnew.PAD_ATTRIB_SMD
                if not pad.GetNumber():
                    if hole:
                        pads.append(router.Pad(None, x, y, hx + 0.2, hy + 0.2))
                elif net.startswith("unconnected-"):
                    pads.append(router.Pad(None, x, y, hx, hy, hole))
                else:
                    joined = any(net == p[0] and inside(p[2], x, y) for p in pours)
                    pads.append(router.Pad(net, x, y, hx, hy, hole, joined))
        return sorted(pads, key=lambda p: (p.net or "", p.x, p.y))

    def _tracks(self, net, way, path, width):
        """Straight runs of a path as tracks, changes of layer as vias."""
        places = [way.place(node) for node in path]
        start = 0
        for k in range(1, len(places)):
            here, before = places[k], places[k - 1]
            if here[2] != before[2]:
                self._via(net, *here[:2])
                start = k
                continue
            after = places[k + 1] if k + 1 < len(places) else None
            if after is None or after[2] != here[2] or _way(here, after) != _way(before, here):
                self._track(net, places[start], here, here[2], width)
                start = k

    def _via(self, net, x, y):
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(at(x, y))
        via.SetWidth(pcbnew.FromMM(2 * router.VIA))
        via.SetDrill(pcbnew.FromMM(0.3))
        via.SetNet(net)
        self.board.Add(via)

    def _width(self, net):
        """Return the width of a net's tracks, mm."""
        return 2 * (router.WIDE if net in self.wide else router.THIN)

    def _track(self, net, a, b, layer, width):
        track = pcbnew.PCB_TRACK(self.board)
        track.SetStart(at(*a[:2]))
        track.SetEnd(at(*b[:2]))
        track.SetLayer(pcbnew.B_Cu if layer else pcbnew.F_Cu)
        track.SetWidth(pcbnew.FromMM(width))
        track.SetNet(net)
        self.board.Add(track)

    def _stubs(self, way, pads):
        """From a pad's centre to the node that stands for it, where the two are not the same."""
        ends = {}
        for net, paths in way.routes.items():
            for path in paths:
                for node in path:
                    i, j = node % way.w, node // way.w % way.h
                    ends.setdefault((net, i, j), set()).add(way.place(node)[2])
        for pad in pads:
            if not pad.net:
                continue
            i, j = way.foot(pad)
            gx, gy = i * router.GRID, j * router.GRID
            layers = ends.get((pad.net, i, j), set())
            if abs(gx - pad.x) + abs(gy - pad.y) > 0.01 and layers:
                layer = min(layers) if pad.hole else 0
                width = self._width(pad.net)
                self._track(self.nets[pad.net], (pad.x, pad.y), (gx, gy), layer, width)

    # ---- pours and outline ----

    def _pour(self, net, layer, corners, priority, solid):
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(self.board.GetLayerID(layer + ".Cu"))
        zone.SetNet(self.nets[net])
        zone.SetAssignedPriority(priority)
        zone.SetLocalClearance(pcbnew.FromMM(0.25))
        zone.SetMinThickness(pcbnew.FromMM(0.25))
        zone.SetPadConnection(
            pcbnew.ZONE_CONNECTION_FULL if solid else pcbnew.ZONE_CONNECTION_THERMAL
        )
        zone.SetThermalReliefGap(pcbnew.FromMM(0.25))
        zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in corners:
            outline.Append(at(x, y))
        self.board.Add(zone)

    def _outline(self):
        wide, high = self.layout.SIZE
        corners = [(0, 0), (wide, 0), (wide, high), (0, high)]
        for a, b in zip(corners, corners[1:] + corners[:1]):
            line = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(at(*a))
            line.SetEnd(at(*b))
            line.SetLayer(pcbnew.Edge_Cuts)
            line.SetWidth(pcbnew.FromMM(0.1))
            self.board.Add(line)


def inside(corners, x, y):
    """Return whether a point is inside a polygon."""
    found = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            found = not found
    return found


def _way(a, b):
    return round(b[0] - a[0], 3), round(b[1] - a[1], 3)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
