# SPDX-License-Identifier: MIT
"""The round housing of a hub12: a drum in the middle, a sector for every station and for M.

The hub's board stands on the base inside the drum, E's slot is under the drum's lid. Each sector
has its slot board towards the hub, under lamps and button, and the reader outside of it, under
the place for the tile: a hand that lays a tile comes from outside and leaves the lamps in sight.
Everything prints without supports: lids face down. The measures are in housing_plan.py; where the
boards' holes and parts are is read from the board files.
"""

import functools
import itertools
import math

from build123d import Box, Cone, Cylinder, Polygon, Pos, Rot, extrude

from hardware import housing_plan as plan
from hardware import slot_layout
from hardware.housing_plan import (
    BED,
    CABLE,
    COLUMN,
    E_FROM,
    FLOOR,
    GAP,
    HIGH,
    LADDER,
    LAP,
    LID,
    LOW,
    POST,
    READER,
    RIM,
    ROOM,
    SLOT_UNDER,
    STAND,
    THIN,
    WALL,
)
from hardware.solid_checks import (
    HANGING,
    ON_TABLE,
    clash,
    clashes,
    column,
    groove,
    ladder,
    leaking,
    overhang,
    words,
    write,
)

SCREW, HEAD, PILOT = 3.4, 6.4, 2.5  # M3, countersunk, into plastic
NUMBER = (8.0, -6.45, 9.0)  # of a station: from the slot board's edge, across, high
CHAMBER = 7.0  # inside, around a lamp
LIGHT_SIDE = 8.9  # of light box and diffuser, across
LIGHT_LONG = 3 * slot_layout.PIXEL_STEP + CHAMBER + 2.0
DIFFUSER = 0.8
LAMP_HIGH = 1.8  # what stands on the slot board beside and under the light box
SOUND_WAY = 2.0  # half of how wide the piezo's way out is at least


class Housing:
    """The printed parts and what they hold, for 4 to 10 stations.

    board, slot: the two boards, as pcb_reader.load reads them. Solids are made when somebody asks.
    """

    def __init__(self, board, slot, stations=10):
        self.plan = plan.Plan(stations)
        self.board = board
        self.slot = slot
        self.columns = self._columns()

    @functools.cached_property
    def parts(self):
        """What is printed: {name: (solid in place, how many, how it lies on the bed)}."""
        station = self._station()
        sectors = self.plan.sectors
        return {
            "base": (self._base(), 1, Rot(0, 0, 0)),
            "drum": (self._drum(), 1, Rot(180, 0, 0)),
            "station": (station, self.plan.stations, Rot(180, 0, 0)),
            "station-m": (station - self._inlet_opening(), 1, Rot(180, 0, 0)),
            "floor": (self._floor(), sectors, Rot(180, 0, 0)),
            "diffuser": (self._diffuser(), sectors + 1, Rot(0, 0, 0)),
            "light-box": (self._light_box(), sectors + 1, Rot(180, 0, 0)),
            "cap": (self._cap(), sectors + 1, Rot(0, 0, 0)),
            "ladder": (ladder(LADDER), 1, Rot(0, 0, 0)),
        }

    @functools.cached_property
    def on_board(self):
        """The hub's board and what stands on it: {name: solid in place}."""
        return self._board()

    @functools.cached_property
    def contents(self):
        """What is inside, of the drum and of one sector: {name: solid in place}."""
        return {**self.on_board, **self._in_the_drum(), **self._in_a_sector()}

    @property
    def outer(self):
        """Its radius."""
        return self.plan.outer

    # ---- where things are ----

    def turn(self, n):
        """Return the turn that takes the x axis to the n-th sector: M first, then clockwise."""
        return Rot(0, 0, -2 * self.plan.half * n - 90)

    def to_drum(self):
        """Return where what belongs to a sector's slot is in the drum."""
        return Pos(E_FROM - self.plan.slot_from, 0, HIGH - LOW)

    def _columns(self):
        """Angles at which the drum is screwed to its base: near the middles of the board's
        edges, between the ribbons' openings and away from the Pico's plug."""
        door = math.degrees((CABLE[0] / 2 + COLUMN + 0.6) / self.plan.drum)
        plug = math.degrees((plan.USB_PLUG[0] / 2 + COLUMN + 0.3) / (self.plan.drum - 2 * COLUMN))
        taken = [(self.plan.angle(str(n)) % 360, door) for n in range(self.plan.sectors)]
        taken.append((90.0, plug))

        def free(angle):
            return all(abs((angle - at + 180) % 360 - 180) >= clear for at, clear in taken)

        turns = sorted((d / 4 for d in range(-120, 121)), key=lambda d: (abs(d), d))
        return [next(a + d for d in turns if free(a + d)) for a in (0, 90, 180, 270)]

    # ---- printed ----

    def _sector(self, r1, r2, z1, z2, inset=0.0):
        """A piece of the ring, walls that much further in."""
        ring = Cylinder(r2 - inset, z2 - z1, align=ON_TABLE)
        ring -= Cylinder(r1 + inset, z2 - z1, align=ON_TABLE)
        half = math.radians(self.plan.half)
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
        inner, outer = self.plan.inner, self.plan.outer
        whole = self._sector(inner, outer, FLOOR, LOW)
        body = whole - self._sector(inner, outer, FLOOR, LOW - LID, WALL)
        for x, y in self.plan.inner_screws + self.plan.outer_screws:
            body += whole & column(x, y, FLOOR, COLUMN, LOW - 0.1)
        for x, y in self.plan.inner_screws + self.plan.outer_screws:
            body -= _pilot(x, y)
        # the reader's rim ends where the sector does
        body = self._lid(body, LOW, self.plan.slot_from) & whole
        return body - Pos(inner, 0, FLOOR) * Box(4 * WALL, *CABLE, align=ON_TABLE)

    def _drum(self):
        high = HIGH - FLOOR
        body = Cylinder(self.plan.drum, high, align=ON_TABLE)
        body -= Cylinder(self.plan.drum - WALL, high - LID, align=ON_TABLE)
        body = Pos(0, 0, FLOOR) * body
        for x, y in self._column_places():
            body += column(x, y, FLOOR, COLUMN, HIGH - 0.1)
            body -= _pilot(x, y)
        body = self._lid(body, HIGH, E_FROM)
        x, y, high = NUMBER
        body -= Pos(E_FROM + x, y, HIGH) * words("E", high)
        # a stick through these reaches the Pico's BOOTSEL and the reset button
        for x, y in (plan.bootsel(), plan.reset()):
            body -= Pos(x, y, HIGH) * Cylinder(2.5, 3 * LID)
        for n in range(self.plan.sectors):
            opening = Pos(self.plan.drum, 0, FLOOR) * Box(4 * WALL, *CABLE, align=ON_TABLE)
            body -= self.turn(n) * opening
        return body

    def _column_places(self):
        r = self.plan.drum - WALL - COLUMN + plan.BITE
        return [
            (r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for a in self.columns
        ]

    def _lid(self, body, top, start):
        """Make a lid hold a slot board and its reader, and show where the tile goes; start: of
        the slot board along x."""
        under = top - LID
        wide, long, _ = READER
        reader = start + plan.reader_from()
        middle = reader + long / 2
        pocket = Box(long + 2 * ROOM, wide + 2 * ROOM, RIM + LID - THIN, align=HANGING)
        rim = Box(long + 2 * ROOM + 2 * WALL, wide + 2 * ROOM + 2 * WALL, RIM, align=HANGING)
        body += Pos(middle, 0, under) * rim
        for x, y in self._posts(start):
            post = Cylinder(POST, SLOT_UNDER - LID, align=HANGING)
            body += Pos(x, y, under) * post
        body += self._light_frame(start, under)
        body -= Pos(middle, 0, top - THIN) * pocket
        body -= self._light(start, under) * Box(
            LIGHT_LONG + ROOM, LIGHT_SIDE + ROOM, RIM, align=HANGING
        )
        for x, y in self._posts(start):
            pilot = Cylinder(PILOT / 2, 7.0, align=ON_TABLE)
            body -= Pos(x, y, top - SLOT_UNDER) * pilot
        # its solder joints stand in here, so that it lies flat
        joints = Box(4.0, 22.5, THIN - plan.SKIN, align=ON_TABLE)
        body -= Pos(reader + plan.HEADER, 0, top - THIN) * joints
        for x, y in plan.lamps():
            body -= Pos(start + x, y, top) * Cylinder(plan.LAMP_HOLE / 2, 3 * LID)
        x, y = plan.button()
        body -= Pos(start + x, y, top) * Cylinder(plan.STEM / 2 + 0.2, 3 * LID)
        return body - Pos(reader + plan.ANTENNA, 0, top) * _tile()

    def _posts(self, start):
        """Where a slot board is screwed on."""
        places = (plan.on_slot(*slot_layout.PLACES[name][:2]) for name in ("H1", "H2"))
        return [(start + x, y) for x, y in places]

    def _light(self, start, z):
        """Where the middle of the lamps is."""
        xs = [x for x, _ in plan.lamps()]
        return Pos(start + sum(xs) / 4, plan.lamps()[0][1], z)

    def _light_frame(self, start, z):
        """A frame around diffuser and light box, hanging; open towards the reader."""
        frame = Box(LIGHT_LONG + ROOM + WALL, LIGHT_SIDE + ROOM + 2 * WALL, RIM, align=HANGING)
        return self._light(start, z) * Pos(-WALL / 2, 0, 0) * frame

    def engraved(self, number):
        """Return a station's lid with its number; M's, with the opening for the inlet."""
        body = self.parts["station-m" if number == "M" else "station"][0]
        x, y, high = NUMBER
        return body - Pos(self.plan.slot_from + x, y, LOW) * words(number, high)

    def _base(self):
        thin = FLOOR / 2
        body = Cylinder(self.plan.rim, FLOOR, align=ON_TABLE)
        body += Cylinder(self.plan.rim + 2 * LAP, thin - 0.05, align=ON_TABLE)
        for x, y, _ in self.board.holes:
            body += Pos(x, y, FLOOR) * Cylinder(COLUMN + 0.5, STAND, align=ON_TABLE)
            body -= Pos(x, y, thin) * Cylinder(PILOT / 2, FLOOR + STAND, align=ON_TABLE)
        for x, y in self._column_places():
            body -= _countersunk(x, y)
        for n in range(self.plan.sectors):
            for x, y in self.plan.inner_screws:
                body -= self.turn(n) * _countersunk(x, y)
        return body

    def _floor(self):
        thin = FLOOR / 2
        rim, outer = self.plan.rim, self.plan.outer
        body = self._sector(rim + 2 * LAP + GAP, outer, 0, FLOOR)
        body += self._sector(rim + GAP, rim + 3 * LAP, thin + 0.05, FLOOR)
        for x, y in self.plan.outer_screws:
            body -= _countersunk(x, y)
        return body

    def _diffuser(self):
        """In translucent white: a strip with four studs that fill the lid's holes."""
        start = self.plan.slot_from
        body = Box(LIGHT_LONG, LIGHT_SIDE, DIFFUSER, align=HANGING)
        body = self._light(start, LOW - LID) * body
        for x, y in plan.lamps():
            stud = Cylinder(plan.LAMP_HOLE / 2 - 0.1, LID + 0.1, align=ON_TABLE)
            body += Pos(start + x, y, LOW - LID - 0.1) * stud
        return body

    def _light_box(self):
        """Between diffuser and slot board: a chamber a pixel."""
        start = self.plan.slot_from
        deep = SLOT_UNDER - LID - DIFFUSER - LAMP_HIGH
        body = Box(LIGHT_LONG, LIGHT_SIDE, deep, align=HANGING)
        body = self._light(start, LOW - LID - DIFFUSER) * body
        for x, y in plan.lamps():
            chamber = Box(CHAMBER, CHAMBER, 3 * deep)
            body -= Pos(start + x, y, LOW - LID) * chamber
        return body

    def _cap(self):
        """Stands on the slot's push button, its stem through the lid."""
        x, y = plan.button()
        foot = LOW - SLOT_UNDER + plan.SWITCH + 0.2
        wide = Cylinder(plan.STEM / 2 + 1.5, LOW - LID - 0.3 - foot, align=ON_TABLE)
        stem = Cylinder(plan.STEM / 2, LOW + 1.5 - foot, align=ON_TABLE)
        return Pos(self.plan.slot_from + x, y, foot) * (wide + stem)

    def _inlet_place(self):
        """Against the outer wall of M's sector, under the reader."""
        return math.sqrt((self.outer - WALL) ** 2 - (plan.INLET[0] / 2) ** 2) - 0.3, 0.0

    def _inlet_opening(self):
        x, y = self._inlet_place()
        return Pos(x, y, FLOOR) * Box(6 * WALL, plan.INLET_PLUG, plan.INLET[2] + 1, align=ON_TABLE)

    # ---- what they hold ----

    def _board(self):
        found = {
            name: Pos(0, 0, self.plan.board_at) * solid
            for name, solid in pieces(self.board, "board").items()
        }
        x, y, _ = plan.hub_layout.PLACES["U1"]
        x, y = plan.on_hub(x + 8.89, 0)
        wide, deep, high = plan.USB_PLUG
        plug = Pos(x, y + deep / 2 + 0.2, self.plan.board_at + 12.0) * Box(
            wide, deep, high, align=ON_TABLE
        )
        return {**found, "the Pico's plug": plug}

    def screws_through(self, holes):
        """Return {name: solid} of the screws that the base's stands take, over the stands."""
        return {
            "screw %d" % n: Pos(x, y, self.plan.board_at) * Cylinder(1.5, 8.0, align=ON_TABLE)
            for n, (x, y, _) in enumerate(holes, 1)
        }

    def sound(self):
        """Return the air through which the piezo is heard: from over it to under the hole that
        leads to the reset button, and up through the drum's lid."""
        (x1, y1), (x2, y2) = plan.piezo(), plan.reset()
        z = self.plan.board_at + self.board.size[2] + plan.PIEZO + 0.5
        turn = Rot(0, 0, math.degrees(math.atan2(y2 - y1, x2 - x1)))
        along = Box(math.dist((x1, y1), (x2, y2)), 2 * SOUND_WAY, 2 * SOUND_WAY, align=ON_TABLE)
        up = Cylinder(SOUND_WAY, HIGH + 1.0 - z, align=ON_TABLE)
        return Pos((x1 + x2) / 2, (y1 + y2) / 2, z) * turn * along + Pos(x2, y2, z) * up

    def _slot(self, name, top, start):
        """A slot board with its parts in one piece, its plug and its reader."""
        wide, long, thick = READER
        there = Pos(start + slot_layout.H / 2, 0, top - SLOT_UNDER - self.slot.size[2])
        there *= Rot(0, 0, 90)
        held = list(pieces(self.slot, "slot").values())
        reader = Pos(start + plan.reader_from() + long / 2, 0, 0)
        under = top - THIN
        deep = Box(long - 12, wide - 4, plan.READER_DEEP, align=HANGING)
        plug = Box(plan.PLUG[1], plan.PLUG[0], plan.PLUG[2], align=ON_TABLE)
        across = slot_layout.PLACES["J1"][0] + 7.62
        x, y = plan.on_slot(across, 0)
        return {
            name + " slot": there * held[0].fuse(*held[1:]),
            name + " reader": reader * Pos(0, 0, under) * Box(long, wide, thick, align=HANGING)
            + reader * Pos(6, 0, under - thick) * deep,
            name + " plug": Pos(start + x - plan.PLUG[1] / 2, y, top - SLOT_UNDER + 1.0) * plug,
        }

    def _in_the_drum(self):
        return self._slot("E", HIGH, E_FROM)

    def _in_a_sector(self):
        x, y = self._inlet_place()
        inlet = Box(plan.INLET[1], plan.INLET[0], plan.INLET[2], align=ON_TABLE)
        return {
            **self._slot("station", LOW, self.plan.slot_from),
            "inlet": Pos(x - plan.INLET[1] / 2, y, FLOOR) * inlet,
        }

    # ---- does it fit ----

    def unprintable(self):
        """Return the parts that do not fit on a bed, want supports, or whose files a slicer would
        stumble over, a line each."""
        wrong = []
        for name, (solid, _, lie) in self.parts.items():
            solid = lie * solid
            size = solid.bounding_box().size
            if max(size.X, size.Y, size.Z) > BED:
                wrong.append("%s is %.0f x %.0f x %.0f mm" % (name, size.X, size.Y, size.Z))
            hanging = overhang(solid)
            if hanging > 0.5:
                wrong.append("%s has %.1f mm2 hanging in the air" % (name, hanging))
        return wrong + leaking({name: solid for name, (solid, _, _) in self.parts.items()})

    def clashes(self, holes=None):
        """Return what is where something else is already, a line each; holes: of another board's
        stands, where the screws come from."""
        printed = {name: solid for name, (solid, _, _) in self.parts.items() if name != "ladder"}
        # everything else that is inside, a piece each; the board's parts do not touch each other
        board = {k: v for k, v in self.contents.items() if k in self.on_board}
        inside = {k: v for k, v in self.contents.items() if k not in self.on_board}
        screws = self.screws_through(holes or self.board.holes)
        wrong = []
        for a, b in itertools.combinations(printed, 2):
            if (a, b) != ("station", "station-m"):  # one or the other
                wrong += clash(a, printed[a], b, printed[b])
        turn = Rot(0, 0, 2 * self.plan.half)
        for a in ("station-m", "floor"):
            wrong += clash("the next station", turn * printed["station"], a, printed[a])
        for name, shell in printed.items():
            wrong += clashes(name, shell, board | screws)
            others = dict(inside)
            if name == "station":
                del others["inlet"]  # it is in M's
            wrong += clashes(name, shell, others)
        for a, b in itertools.combinations(inside, 2):
            wrong += clash(a, inside[a], b, inside[b])
        for name, thing in inside.items():
            wrong += clashes(name, thing, board)
        for name, screw in screws.items():
            wrong += clashes(name, screw, board)
        return wrong + clashes("the piezo's way out", self.sound(), {**printed, **board, **inside})


def export(housing, folder):
    """Write each part as it lies on the bed, STL and STEP, the stations with their numbers; a name
    says how many are wanted."""
    for name, (solid, count, lie) in housing.parts.items():
        if name == "station":
            for number in range(1, count + 1):
                write(housing.engraved(str(number)), lie, folder / ("station-%d-x1" % number))
        elif name == "station-m":
            write(housing.engraved("M"), lie, folder / "station-m-x1")
        else:
            write(solid, lie, folder / ("%s-x%d" % (name, count)))


def pieces(board, name):
    """Return a board, its parts and their pins as {name: solid}; its lower side is z = 0."""
    wide, high, thick = board.size
    solid = Box(wide, high, thick, align=ON_TABLE)
    for x, y, drill in board.holes:
        solid -= Pos(x, y, 0) * Cylinder(drill / 2, 4 * thick)
    found = {name: solid}
    for ref, height, x1, y1, x2, y2 in board.parts:
        box = Box(x2 - x1, y2 - y1, height, align=ON_TABLE)
        found[ref] = Pos((x1 + x2) / 2, (y1 + y2) / 2, thick) * box
    for ref, deep, x1, y1, x2, y2 in board.pins:
        box = Box(x2 - x1, y2 - y1, deep, align=HANGING)
        found[ref + "'s pins"] = Pos((x1 + x2) / 2, (y1 + y2) / 2, 0) * box
    return found


def _tile():
    """The groove around the place of a tile, its long side across."""
    long, wide = (side / 2 for side in plan.TILE)
    return groove([(-wide, -long), (wide, -long), (wide, long), (-wide, long)], closed=True)


def _pilot(x, y):
    return Pos(x, y, FLOOR) * Cylinder(PILOT / 2, 12.0, align=ON_TABLE)


def _countersunk(x, y):
    hole = Cylinder(SCREW / 2, 3 * FLOOR)
    head = Cone(HEAD / 2, SCREW / 2, (HEAD - SCREW) / 2, align=ON_TABLE)
    return Pos(x, y, 0) * (hole + head)
