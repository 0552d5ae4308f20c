# SPDX-License-Identifier: MIT
"""The round housing of a hub12: a drum in the middle, a sector for every station and for M.

The board stands on the base inside the drum, E's reader is under the drum's lid. Each sector has a
reader under a thin lid, four lamps and a button. Everything prints without supports: lids face
down. Where the board's holes and parts are is read from the board file; what comes from a shop and
may differ from one to another (reader, strip, button, inlet) stands in the constants: measure
yours.

Lengths in mm. In place the middle of the base's underside is the origin, z up; the board's upper
edge, with the Pico's socket, lies towards y. A sector is built around the x axis, then turned.
"""

import functools
import itertools
import math

from build123d import (
    Align,
    Box,
    Cone,
    Cylinder,
    Polygon,
    Pos,
    Rot,
    export_step,
    export_stl,
    extrude,
)

# from a shop: usual dimensions, none of them measured on a piece of ours
READER = (40.0, 60.0, 1.6)  # RC522 board: across, along, thick
READER_DEEP = 4.0  # its components
PLUG = (20.6, 3.0, 18.0)  # eight wires' plug on its header, at one end, straight down
PITCH = 1000 / 144  # of the pixels on their strip
STRIP = 12.0  # wide
BUTTON = (12.2, 16.0, 20.0)  # its hole, its nut across, its depth under the lid
INLET = (20.6, 13.0, 6.0)  # USB-C breakout: across, deep, high with its socket
INLET_PLUG = 13.0  # across, with its cover
SCREW, HEAD, PILOT = 3.4, 6.4, 2.5  # M3, countersunk, into plastic

# of the print
WALL = 2.0
LID = 2.0
THIN = 1.2  # over a reader
FLOOR = 2.4
GAP = 0.2  # to a neighbour, each
ROOM = 0.4  # around what is put in
LAMPS_AT, BUTTON_AT = -11.0, 17.0  # across, of a sector's axis
COLUMN = 3.5  # radius of what a screw goes into
STAND = 6.0  # of the board over the floor
HIGH, LOW = 46.0, 28.0  # drum and sectors over the table
LAP = 3.0  # half of how far the floors lie on the base's rim
CABLE = (18.0, 8.0)  # openings for the slots' cables
CHAIN = (10.0, 5.0)  # for the pixels' wires, from sector to sector
LIGHT_DEEP = 6.0  # from diffuser to pixel
RIM = 3.0  # high, around reader and lamps
BED = 220.0

ON_TABLE = (Align.CENTER, Align.CENTER, Align.MIN)
HANGING = (Align.CENTER, Align.CENTER, Align.MAX)


class Housing:
    """The printed parts and what they hold, for 4 to 10 stations.

    `parts`: {name: (solid in place, how many, how it lies on the bed)}; `contents`: {name: solid
    in place}, of the drum and of one sector.
    """

    def __init__(self, board, stations=10):
        if not 4 <= stations <= 10:
            raise ValueError("a housing has 4 to 10 stations, not %d" % stations)
        self.board = board
        self.sectors = stations + 1  # and M
        self.half = 180 / self.sectors  # degrees
        corner = math.hypot(board.size[0], board.size[1]) / 2
        # the drum holds the board; its sectors must be as wide as a reader where that begins
        self.drum = corner + 1.3 + WALL
        self.inner = self.drum + 2 * GAP
        self.screws = self.inner + 5.6  # radius on which the inner screws stand
        wide = READER[0] / 2 + ROOM + WALL + GAP
        self.reader_from = max(
            self.screws + COLUMN + 1.0, wide / math.tan(math.radians(self.half))
        )
        self.rim = self.screws + 4.0  # the floors lap from here
        self.lamps = self.reader_from + READER[1] + ROOM + WALL + BUTTON[1] / 2 + 0.2
        self.outer = self.lamps + BUTTON[1] / 2 + 2.0 + WALL
        self.board_at = FLOOR + STAND
        self.columns = self._columns()
        self.inner_screws = self._in_sector(self.screws)
        self.outer_screws = self._in_sector(self.outer - WALL - COLUMN - 0.5)

        station = self._station()
        self.parts = {
            "base": (self._base(), 1, Rot(0, 0, 0)),
            "drum": (self._drum(), 1, Rot(180, 0, 0)),
            "station": (station, stations, Rot(180, 0, 0)),
            "station-m": (station - self._inlet_opening(), 1, Rot(180, 0, 0)),
            "floor": (self._floor(), self.sectors, Rot(180, 0, 0)),
            "diffuser": (self._diffuser(), self.sectors + 1, Rot(0, 0, 0)),
            "light-box": (self._light_box(), self.sectors + 1, Rot(180, 0, 0)),
        }
        board = self._board()
        self.on_board = frozenset(board)
        self.contents = {**board, **self._in_the_drum(), **self._in_a_sector()}

    # ---- where things are ----

    def turn(self, n):
        """Return the turn that takes the x axis to the n-th sector: M first, then clockwise."""
        return Rot(0, 0, -2 * self.half * n - 90)

    def _columns(self):
        """Angles at which the drum is screwed to its base: near the middles of the board's
        edges, between the cables' openings."""
        clear = math.degrees((CABLE[0] / 2 + COLUMN + 1) / self.drum)
        centres = [(2 * self.half * n - 90) % 360 for n in range(self.sectors)]

        def free(angle):
            return all(abs((angle - c + 180) % 360 - 180) >= clear for c in centres)

        return [
            next(a + d for d in sorted(range(-30, 31), key=lambda d: (abs(d), d)) if free(a + d))
            for a in (0, 90, 180, 270)
        ]

    def _in_sector(self, radius):
        """Places of a sector's two screws at a radius, in its corners."""
        angle = math.radians(self.half) - math.asin((GAP + WALL + COLUMN) / radius)
        return [(radius * math.cos(a), radius * math.sin(a)) for a in (angle, -angle)]

    # ---- printed ----

    def _sector(self, r1, r2, z1, z2, inset=0.0):
        """A piece of the ring, walls that much further in."""
        ring = Cylinder(r2 - inset, z2 - z1, align=ON_TABLE)
        ring -= Cylinder(r1 + inset, z2 - z1, align=ON_TABLE)
        half = math.radians(self.half)
        apex = (GAP + inset) / math.sin(half)
        far = 2 * r2
        wedge = extrude(
            Polygon(
                (apex, 0),
                (apex + far, -far * math.tan(half)),
                (apex + far, far * math.tan(half)),
                align=None,
            ),
            z2 - z1,
        )
        return Pos(0, 0, z1) * (ring & wedge)

    def _station(self):
        body = self._sector(self.inner, self.outer, FLOOR, LOW)
        body -= self._sector(self.inner, self.outer, FLOOR, LOW - LID, WALL)
        for x, y in self.inner_screws + self.outer_screws:
            body += self._sector(self.inner, self.outer, FLOOR, LOW) & _column(x, y, LOW - 0.1)
            body -= _pilot(x, y)
        body = self._lid(body, LOW, *self._sector_places())
        body -= Pos(self.inner, 0, FLOOR) * Box(4 * WALL, *CABLE, align=ON_TABLE)
        # the pixels' wires go through both side walls
        across = Box(CHAIN[0], 4 * self.outer, CHAIN[1], align=ON_TABLE)
        body -= Pos(self.lamps - 14, 0, FLOOR) * across
        return body

    def _drum(self):
        high = HIGH - FLOOR
        body = Cylinder(self.drum, high, align=ON_TABLE)
        body -= Cylinder(self.drum - WALL, high - LID, align=ON_TABLE)
        body = Pos(0, 0, FLOOR) * body
        for x, y in self._column_places():
            body += _column(x, y, HIGH - 0.1)
            body -= _pilot(x, y)
        body = self._lid(body, HIGH, *self._drum_places())
        for n in range(self.sectors):
            opening = Pos(self.drum, 0, FLOOR) * Box(4 * WALL, *CABLE, align=ON_TABLE)
            body -= self.turn(n) * opening
        return body

    def _column_places(self):
        r = self.drum - WALL - COLUMN + 0.5
        return [
            (r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for a in self.columns
        ]

    def _sector_places(self):
        """Reader, lamps and button of a sector: (x, y, turn)."""
        reader = (self.reader_from + READER[1] / 2, 0, -90)  # its plug towards the drum
        return reader, (self.lamps, LAMPS_AT, 90), (self.lamps, BUTTON_AT)

    def lamp_places(self):
        """Where a sector's lamps are, and the drum's: as locations."""
        return _at(self._sector_places()[1], LOW), _at(self._drum_places()[1], HIGH)

    def _drum_places(self):
        """The same of the drum: the reader's plug, the lamps and the button over flat parts."""
        return (0, 17.0, 0), (LAMPS_AT, -28.0, 0), (BUTTON_AT, -28.0)

    def _lid(self, body, top, reader, lamps, button):
        """Make a lid hold a reader, four lamps and a button."""
        under = top - LID
        wide, long, _ = READER
        pocket = Box(wide + 2 * ROOM, long + 2 * ROOM, RIM + LID - THIN, align=HANGING)
        rim = Box(wide + 2 * ROOM + 2 * WALL, long + 2 * ROOM + 2 * WALL, RIM, align=HANGING)
        # open where the plug is, and nothing sticks out of the walls
        rim -= Pos(0, -long / 2, 0) * Box(PLUG[0] + 2, 4 * WALL, RIM, align=HANGING)
        body += _at(reader, under) * rim
        body -= _at(reader, top - THIN) * pocket
        body += _at(lamps, under) * _light_rim()
        for i in range(4):
            hole = Pos((i - 1.5) * PITCH, 0, 0) * Cylinder(2.6, 3 * LID)
            body -= _at(lamps, top) * hole
        body -= Pos(*button, top) * Cylinder(BUTTON[0] / 2, 3 * LID)
        return body

    def _base(self):
        thin = FLOOR / 2
        body = Cylinder(self.rim, FLOOR, align=ON_TABLE)
        body += Cylinder(self.rim + 2 * LAP, thin - 0.05, align=ON_TABLE)
        for x, y, _ in self.board.holes:
            body += Pos(x, y, FLOOR) * Cylinder(COLUMN + 0.5, STAND, align=ON_TABLE)
            body -= Pos(x, y, thin) * Cylinder(PILOT / 2, FLOOR + STAND, align=ON_TABLE)
        for x, y in self._column_places():
            body -= _countersunk(x, y)
        for n in range(self.sectors):
            for x, y in self.inner_screws:
                body -= self.turn(n) * _countersunk(x, y)
        return body

    def _floor(self):
        thin = FLOOR / 2
        body = self._sector(self.rim + 2 * LAP + GAP, self.outer, 0, FLOOR)
        body += self._sector(self.rim + GAP, self.rim + 3 * LAP, thin + 0.05, FLOOR)
        for x, y in self.outer_screws:
            body -= _countersunk(x, y)
        return body

    def _diffuser(self):
        """In translucent white: a strip with four studs that fill the lid's holes."""
        lamps = self._sector_places()[1]
        body = Box(4 * PITCH + 0.6, STRIP, 0.8, align=HANGING)
        for i in range(4):
            stud = Cylinder(2.5, LID, align=ON_TABLE)
            body += Pos((i - 1.5) * PITCH, 0, 0) * stud
        return _at(lamps, LOW - LID) * body

    def _light_box(self):
        """Between diffuser and strip: a chamber a pixel."""
        lamps = self._sector_places()[1]
        body = Box(4 * PITCH + 0.6, STRIP, LIGHT_DEEP, align=HANGING)
        for i in range(4):
            chamber = Box(PITCH - 1.2, STRIP - 2.4, LIGHT_DEEP, align=HANGING)
            body -= Pos((i - 1.5) * PITCH, 0, 0) * chamber
        return _at(lamps, LOW - LID - 0.8) * body

    def _inlet_place(self):
        """Against the outer wall of M's sector, under the lamps."""
        across = abs(LAMPS_AT) + INLET[0] / 2
        return math.sqrt((self.outer - WALL) ** 2 - across**2) - 0.3, LAMPS_AT

    def _inlet_opening(self):
        x, y = self._inlet_place()
        return Pos(x, y, FLOOR) * Box(6 * WALL, INLET_PLUG, INLET[2] + 1, align=ON_TABLE)

    # ---- what they hold ----

    def _board(self):
        wide, high, thick = self.board.size
        solid = Pos(0, 0, self.board_at) * Box(wide, high, thick, align=ON_TABLE)
        for x, y, drill in self.board.holes:
            solid -= Pos(x, y, self.board_at) * Cylinder(drill / 2, 4 * thick)
        found = {"board": solid}
        for ref, height, x1, y1, x2, y2 in self.board.parts:
            box = Box(x2 - x1, y2 - y1, height, align=ON_TABLE)
            found[ref] = Pos((x1 + x2) / 2, (y1 + y2) / 2, self.board_at + thick) * box
        for ref, deep, x1, y1, x2, y2 in self.board.pins:
            box = Box(x2 - x1, y2 - y1, deep, align=HANGING)
            found[ref + "'s pins"] = Pos((x1 + x2) / 2, (y1 + y2) / 2, self.board_at) * box
        return found

    def screws_through(self, holes):
        """Return {name: solid} of the screws that the base's stands take, over the stands."""
        return {
            "screw %d" % n: Pos(x, y, self.board_at) * Cylinder(1.5, 8.0, align=ON_TABLE)
            for n, (x, y, _) in enumerate(holes, 1)
        }

    def _slot(self, name, top, reader, lamps, button):
        wide, long, thick = READER
        under = top - THIN
        deep = Box(wide - 4, long - 12, READER_DEEP, align=HANGING)
        plug = Pos(0, -long / 2 + 2.5, 0) * Box(*PLUG, align=HANGING)
        light = top - LID - 0.8 - LIGHT_DEEP
        return {
            name + " reader": _at(reader, under) * Box(*READER, align=HANGING)
            + _at(reader, under - thick) * deep,
            name + " plug": _at(reader, under - thick) * plug,
            name + " pixels": _at(lamps, light) * Box(4 * PITCH, STRIP, 2.0, align=HANGING),
            name + " button": Pos(*button, top - LID)
            * Cylinder(BUTTON[1] / 2, BUTTON[2], align=HANGING),
        }

    def _in_the_drum(self):
        return self._slot("E", HIGH, *self._drum_places())

    def _in_a_sector(self):
        x, y = self._inlet_place()
        inlet = Box(INLET[1], *INLET[::2], align=ON_TABLE)
        return {
            **self._slot("station", LOW, *self._sector_places()),
            "inlet": Pos(x - INLET[1] / 2, y, FLOOR) * inlet,
        }

    # ---- does it fit ----

    def unprintable(self):
        """Return the parts that do not fit on a bed or want supports, a line each."""
        wrong = []
        for name, (solid, _, lie) in self.parts.items():
            solid = lie * solid
            size = solid.bounding_box().size
            if max(size.X, size.Y, size.Z) > BED:
                wrong.append("%s is %.0f x %.0f x %.0f mm" % (name, size.X, size.Y, size.Z))
            hanging = overhang(solid)
            if hanging > 0.5:
                wrong.append("%s has %.1f mm2 hanging in the air" % (name, hanging))
            if len(solid.solids()) != 1:
                wrong.append("%s is in %d pieces" % (name, len(solid.solids())))
        return wrong

    def clashes(self, holes=None):
        """Return what is where something else is already, a line each; holes: of another board's
        stands, where the screws come from."""
        printed = {name: solid for name, (solid, _, _) in self.parts.items()}
        # everything else that is inside, a piece each; the board's parts do not touch each other
        board = {k: v for k, v in self.contents.items() if k in self.on_board}
        inside = {k: v for k, v in self.contents.items() if k not in self.on_board}
        screws = self.screws_through(holes or self.board.holes)
        wrong = []
        for a, b in itertools.combinations(printed, 2):
            if (a, b) != ("station", "station-m"):  # one or the other
                wrong += _clash(a, printed[a], b, printed[b])
        turn = Rot(0, 0, 2 * self.half)
        for a in ("station-m", "floor"):
            wrong += _clash("the next station", turn * printed["station"], a, printed[a])
        for name, shell in printed.items():
            wrong += _clashes(name, shell, board | screws)
            others = dict(inside)
            if name == "station":
                del others["inlet"]  # it is in M's
            wrong += _clashes(name, shell, others)
        for a, b in itertools.combinations(inside, 2):
            wrong += _clash(a, inside[a], b, inside[b])
        for name, thing in inside.items():
            wrong += _clashes(name, thing, board)
        for name, screw in screws.items():
            wrong += _clashes(name, screw, board)
        return wrong


def export(housing, folder):
    """Write each part as it lies on the bed, STL and STEP; its name says how many are wanted."""
    for name, (solid, count, lie) in housing.parts.items():
        solid = lie * solid
        solid = Pos(0, 0, -solid.bounding_box().min.Z) * solid
        file = folder / ("%s-x%d" % (name, count))
        export_stl(solid, str(file) + ".stl")
        export_step(solid, str(file) + ".step")


def overhang(solid):
    """Return the area, mm2, that hangs in the air when a solid is printed as it lies: what looks
    down more steeply than 45 degrees and is not on the bed."""
    corners, triangles = solid.tessellate(0.05)
    corners = [(corner.X, corner.Y, corner.Z) for corner in corners]  # plain numbers are quicker
    bed = min(z for _, _, z in corners)
    area = 0.0
    for a, b, c in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners[a], corners[b], corners[c]
        if max(az, bz, cz) <= bed + 0.01:
            continue
        bx, by, bz, cx, cy, cz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        across = (by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx)
        length = math.hypot(*across)
        if across[2] / length < -0.72:
            area += length / 2
    return area


def _at(place, z):
    x, y, turn = place
    return Pos(x, y, z) * Rot(0, 0, turn)


def _light_rim():
    """A frame around diffuser and light box, hanging."""
    wide, high = 4 * PITCH + 0.6 + ROOM, STRIP + ROOM
    frame = Box(wide + 2 * WALL, high + 2 * WALL, RIM, align=HANGING)
    return frame - Box(wide, high, RIM, align=HANGING)


def _column(x, y, top):
    return Pos(x, y, FLOOR) * Cylinder(COLUMN, top - FLOOR, align=ON_TABLE)


def _pilot(x, y):
    return Pos(x, y, FLOOR) * Cylinder(PILOT / 2, 12.0, align=ON_TABLE)


def _countersunk(x, y):
    hole = Cylinder(SCREW / 2, 3 * FLOOR)
    head = Cone(HEAD / 2, SCREW / 2, (HEAD - SCREW) / 2, align=ON_TABLE)
    return Pos(x, y, 0) * (hole + head)


def _clashes(a, one, others):
    """The same for many."""
    return [line for b, other in others.items() for line in _clash(a, one, b, other)]


def _clash(a, one, b, other):
    """Return a line if two solids share more than a touch."""
    volume = _shared(one, other) if _near(one, other) else 0
    return ["%s and %s share %.1f mm3" % (a, b, volume)] if volume else []


@functools.lru_cache(1000)
def _box(shape):
    """Return the box around a shape, worked out once: shapes that lie alike are equal."""
    return shape.bounding_box()


def _near(one, other):
    """Return whether the boxes around two shapes overlap."""
    p, q = _box(one), _box(other)
    return all(
        max(getattr(p.min, axis), getattr(q.min, axis)) + 0.001
        < min(getattr(p.max, axis), getattr(q.max, axis))
        for axis in "XYZ"
    )


def _shared(one, other):
    """Return the volume that two shapes share, 0 where it is no more than a touch."""
    shared = one & other
    volume = 0.0 if shared is None else sum(solid.volume for solid in shared.solids())
    return volume if volume > 0.01 else 0.0
