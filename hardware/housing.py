# SPDX-License-Identifier: MIT
"""The round housing of a hub: a drum in the middle, and a sector for every station and for M.

The hub's board stands inside the drum, with E's slot board under the lid. In each sector the
reader is next to the drum, and the slot board at the rim: lamps beside the drum would be hidden by
it from the seats behind it.

All parts can be printed without supports, the lids face down. The measures are in housing_plan.py
and the boards' .kicad_pcb files.
"""

import functools
import itertools
import math
from pathlib import Path

from build123d import Box, Cone, Cylinder, Location, Part, Polygon, Pos, Rot, extrude

from hardware import housing_plan as plan
from hardware.housing_plan import (
    BED,
    CABLE,
    CHAMBER,
    COLUMN,
    E_AT,
    FLOOR,
    GAP,
    HIGH,
    LADDER,
    LAP,
    LID,
    LIGHT_SIDE,
    LOW,
    POST,
    READER,
    RIM,
    ROOM,
    SLOT_UNDER,
    STAND,
    THIN,
    WALL,
    Envelope,
)
from hardware.kicad_files import SLOT, Place
from hardware.solid_checks import (
    HANGING,
    ON_TABLE,
    between,
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
NUMBER = (10.0, -16.5, 9.0)  # of a station: from the slot board's edge, across, high
LIGHT_LONG = plan.light_long()
DIFFUSER = 0.8
LAMP_HIGH = 1.8  # of the parts on the slot board beside and under the light box
SOUND_WAY = 2.0  # half of the least width of the piezo's way out
Solids = dict[str, Part]


class Housing:
    """The printed parts and everything inside them, for 4 to 14 stations.

    board, slot: the envelopes of the hub and of a slot board.
    """

    def __init__(self, board: Envelope, slot: Envelope, stations: int = 10) -> None:
        self.plan = plan.Plan(stations)
        self.board = board
        self.slot = slot
        self.columns = self._columns()
        self._engraved: dict[str, Part] = {}

    @functools.cached_property
    def parts(self) -> dict[str, tuple[Part, int, Location]]:
        """The printed parts: {name: (solid in place, count of copies, rotation for printing)}."""
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
    def on_board(self) -> Solids:
        """The hub's board and its parts: {name: solid in place}."""
        return self._board()

    @functools.cached_property
    def contents(self) -> Solids:
        """Everything inside the drum and inside one sector: {name: solid in place}."""
        return {**self.on_board, **self._in_the_drum(), **self._in_a_sector()}

    @property
    def outer(self) -> float:
        """The outer radius of the housing in mm."""
        return self.plan.outer

    # ---- places ----

    def turn(self, n: int) -> Location:
        """Return the rotation from the x axis to the n-th sector: M's first, then the stations
        clockwise."""
        return Rot(0, 0, -2 * self.plan.half * n - 90)

    def to_drum(self) -> Location:
        """Return the translation of a slot's parts from a sector to slot E in the drum."""
        (x, y), (to_x, to_y) = self.plan.slot_at, E_AT
        return Pos(to_x - x, to_y - y, HIGH - LOW)

    def _columns(self) -> list[float]:
        """Return the angles of the screws that hold the drum on its base."""
        door = math.degrees((CABLE[0] / 2 + COLUMN + 0.6) / self.plan.drum)
        plug = math.degrees((plan.USB_PLUG[0] / 2 + COLUMN + 0.3) / (self.plan.drum - 2 * COLUMN))
        taken = [(self.plan.angle(str(n)) % 360, door) for n in range(self.plan.sectors)]
        taken.append((90.0, plug))

        def free(angle: float) -> bool:
            return all(abs((angle - at + 180) % 360 - 180) >= clear for at, clear in taken)

        turns = sorted((d / 4 for d in range(-120, 121)), key=lambda d: (abs(d), d))
        return [next(a + d for d in turns if free(a + d)) for a in (0, 90, 180, 270)]

    # ---- printed ----

    def _sector(self, r1: float, r2: float, z1: float, z2: float, inset: float = 0.0) -> Part:
        """Return a sector of a ring. inset: how far its outer wall and its sides are moved
        inwards."""
        ring = Cylinder(r2 - inset, z2 - z1, align=ON_TABLE)
        ring -= Cylinder(r1, z2 - z1, align=ON_TABLE)
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

    def _station(self) -> Part:
        inner, outer = self.plan.inner, self.plan.outer
        whole = self._sector(inner, outer, FLOOR, LOW)
        # open towards the drum, which is its inner wall
        body = whole - self._sector(inner - WALL, outer, FLOOR, LOW - LID, WALL)
        # a side is only a rim under the lid, between its columns
        first, last = self.plan.screws + COLUMN, self.plan.outer_screws_at - COLUMN
        body -= self._sector(first, last, FLOOR, LOW - LID - RIM)
        for x, y in self.plan.inner_screws + self.plan.outer_screws:
            body += whole & column(x, y, FLOOR, COLUMN, LOW - 0.1)
        for x, y in self.plan.inner_screws + self.plan.outer_screws:
            body -= _pilot(x, y)
        # the reader's rim ends where the sector does
        return self._lid(body, LOW, self.plan.slot_at) & whole

    def _drum(self) -> Part:
        high = HIGH - FLOOR
        body = Cylinder(self.plan.drum, high, align=ON_TABLE)
        body -= Cylinder(self.plan.drum - WALL, high - LID, align=ON_TABLE)
        body = Pos(0, 0, FLOOR) * body
        for x, y in self._column_places():
            body += column(x, y, FLOOR, COLUMN, HIGH - 0.1)
            body -= _pilot(x, y)
        body = self._lid(body, HIGH, E_AT)
        body -= self._number("E", HIGH, E_AT)
        # a stick through these reaches the Pico's BOOTSEL and the reset button
        for x, y in (self.plan.bootsel(), self.plan.reset()):
            body -= Pos(x, y, HIGH) * Cylinder(2.5, 3 * LID)
        for n in range(self.plan.sectors):
            opening = Pos(self.plan.drum, 0, FLOOR) * Box(4 * WALL, *CABLE, align=ON_TABLE)
            body -= self.turn(n) * opening
        return body

    def _column_places(self) -> list[Place]:
        r = self.plan.drum - WALL - COLUMN + plan.BITE
        return [
            (r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for a in self.columns
        ]

    def _lid(self, body: Part, top: float, start: Place) -> Part:
        """Return a lid with holders for a slot board and its reader, and the mark for the tile.
        start: the place of the middle of the slot board's inner edge."""
        under = top - LID
        wide, long, _ = READER
        there = Pos(*start, 0)
        reader = there * Pos(*plan.reader(), 0)
        pocket = Box(long + 2 * ROOM, wide + 2 * ROOM, RIM + LID - THIN, align=HANGING)
        rim = Box(long + 2 * ROOM + 2 * WALL, wide + 2 * ROOM + 2 * WALL, RIM, align=HANGING)
        body += reader * Pos(0, 0, under) * rim
        for x, y in self._posts():
            body += there * Pos(x, y, under) * Cylinder(POST, SLOT_UNDER - LID, align=HANGING)
        light = there * Pos(*plan.light(), under)
        # as far as into the outer wall
        body += (
            light
            * Pos(plan.BITE / 2, 0, 0)
            * Box(
                LIGHT_SIDE + ROOM + 2 * WALL + plan.BITE,
                LIGHT_LONG + ROOM + 2 * WALL,
                RIM,
                align=HANGING,
            )
        )
        body -= reader * Pos(0, 0, top - THIN) * pocket
        body -= light * Box(LIGHT_SIDE + ROOM, LIGHT_LONG + ROOM, RIM, align=HANGING)
        for x, y in self._posts():
            pilot = Cylinder(PILOT / 2, 7.0, align=ON_TABLE)
            body -= there * Pos(x, y, top - SLOT_UNDER) * pilot
        # a recess for its solder joints, so that the reader is flat
        joints = Box(4.0, 22.5, THIN - plan.SKIN, align=ON_TABLE)
        body -= reader * Pos(long / 2 - plan.HEADER, 0, top - THIN) * joints
        for x, y in plan.lamps():
            body -= there * Pos(x, y, top) * Cylinder(plan.LAMP_HOLE / 2, 3 * LID)
        cap = Cylinder(plan.STEM / 2 + 0.2, 3 * LID)
        body -= there * Pos(*plan.button(), top) * cap
        return body - there * Pos(*plan.antenna(), top) * _tile()

    def _posts(self) -> list[Place]:
        """Return the places of a slot board's screws, in the coordinates of `on_slot`."""
        return [plan.on_slot(*SLOT.board[name].place) for name in ("H1", "H2")]

    def _number(self, number: str, top: float, start: Place) -> Part:
        """Return the grooves of a slot's number in its lid. top, start: as in `_lid`."""
        x, y, high = NUMBER
        return Pos(start[0] + x, start[1] + y, top) * words(number, high)

    def engraved(self, number: str) -> Part:
        """Return the lid of a station or of M, engraved with `number`. M's lid also has the
        opening for the inlet."""
        if number not in self._engraved:
            self._engraved[number] = self._engrave(number)
        return self._engraved[number]

    def _engrave(self, number: str) -> Part:
        body = self.parts["station-m" if number == "M" else "station"][0]
        return body - self._number(number, LOW, self.plan.slot_at)

    def _base(self) -> Part:
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

    def _floor(self) -> Part:
        thin = FLOOR / 2
        rim, outer = self.plan.rim, self.plan.outer
        body = self._sector(rim + 2 * LAP + GAP, outer, 0, FLOOR)
        body += self._sector(rim + GAP, rim + 3 * LAP, thin + 0.05, FLOOR)
        for x, y in self.plan.outer_screws:
            body -= _countersunk(x, y)
        return body

    def _diffuser(self) -> Part:
        """Return the diffuser: a strip with four studs for holes of the lid."""
        there = Pos(*self.plan.slot_at, LOW - LID)
        body = there * Pos(*plan.light(), 0) * Box(LIGHT_SIDE, LIGHT_LONG, DIFFUSER, align=HANGING)
        for x, y in plan.lamps():
            stud = Cylinder(plan.LAMP_HOLE / 2 - 0.1, LID + 0.1, align=ON_TABLE)
            body += there * Pos(x, y, -0.1) * stud
        return body

    def _light_box(self) -> Part:
        there = Pos(*self.plan.slot_at, LOW - LID - DIFFUSER)
        deep = SLOT_UNDER - LID - DIFFUSER - LAMP_HIGH
        body = there * Pos(*plan.light(), 0) * Box(LIGHT_SIDE, LIGHT_LONG, deep, align=HANGING)
        for x, y in plan.lamps():
            body -= there * Pos(x, y, 0) * Box(CHAMBER, CHAMBER, 3 * deep)
        return body

    def _cap(self) -> Part:
        """Return the cap of a slot's push button."""
        foot = LOW - SLOT_UNDER + plan.SWITCH + 0.2
        wide = Cylinder(plan.STEM / 2 + 1.5, LOW - LID - 0.3 - foot, align=ON_TABLE)
        stem = Cylinder(plan.STEM / 2, LOW + 1.5 - foot, align=ON_TABLE)
        return Pos(*self.plan.slot_at, foot) * Pos(*plan.button(), 0) * (wide + stem)

    def _inlet_place(self) -> Location:
        """Return the place of the inlet's outer edge in M's sector."""
        edge, turn = self.plan.inlet
        return Rot(0, 0, turn) * Pos(edge, 0, FLOOR)

    def _inlet_opening(self) -> Part:
        high = plan.INLET[2] + plan.TAPE
        return self._inlet_place() * Box(6 * WALL, plan.INLET_PLUG, high, align=ON_TABLE)

    # ---- what they hold ----

    def _board(self) -> Solids:
        found = {
            name: Pos(0, 0, self.plan.board_at) * solid
            for name, solid in pieces(self.board, "board").items()
        }
        x, y = self.plan.on_hub(self.plan.hub.board["U1"].place[0] + 8.89, 0)
        wide, deep, high = plan.USB_PLUG
        plug = Pos(x, y + deep / 2 + 0.2, self.plan.board_at + 12.0) * Box(
            wide, deep, high, align=ON_TABLE
        )
        return {**found, "the Pico's plug": plug}

    def screws_through(self, holes: list[tuple[float, float, float]]) -> Solids:
        """Return {name: solid} for the upper parts of the board's screws, which are above the
        base's stands. holes: (x, y, diameter) for each stand."""
        return {
            "screw %d" % n: Pos(x, y, self.plan.board_at) * Cylinder(1.5, 8.0, align=ON_TABLE)
            for n, (x, y, _) in enumerate(holes, 1)
        }

    def sound(self) -> Part:
        """Return the path of the piezo's sound, as a solid. The path leads to below the hole for
        the reset button, then up through this hole."""
        (x1, y1), (x2, y2) = self.plan.piezo(), self.plan.reset()
        z = self.plan.board_at + self.board.size[2] + plan.PIEZO + 0.5
        along = Box(math.dist((x1, y1), (x2, y2)), 2 * SOUND_WAY, 2 * SOUND_WAY, align=ON_TABLE)
        up = Cylinder(SOUND_WAY, HIGH + 1.0 - z, align=ON_TABLE)
        return between((x1, y1), (x2, y2), z) * along + Pos(x2, y2, z) * up

    def _slot(self, name: str, top: float, start: Place) -> Solids:
        """Return {name: solid} for one slot: the slot board with its parts, the plug, and the
        reader.

        name: the slot's name; each key begins with it.
        top: the height of the upper side of the lid.
        start: the place of the middle of the slot board's inner edge.
        """
        wide, long, thick = READER
        there = Pos(*start, 0)
        held = list(pieces(self.slot, "slot").values())
        board = Pos(self.slot.size[1] / 2, 0, top - SLOT_UNDER - self.slot.size[2]) * Rot(0, 0, 90)
        reader = there * Pos(*plan.reader(), top - THIN)
        deep = Box(long - 12, wide - 4, plan.READER_DEEP, align=HANGING)
        plug = Box(plan.PLUG[1], plan.PLUG[0], plan.PLUG[2], align=ON_TABLE)
        return {
            name + " slot": there * board * held[0].fuse(*held[1:]),
            name + " reader": reader * Box(long, wide, thick, align=HANGING)
            + reader * Pos(-6, 0, -thick) * deep,
            name + " plug": there * Pos(*plan.plug(), top - SLOT_UNDER + 1.0) * plug,
        }

    def _in_the_drum(self) -> Solids:
        return self._slot("E", HIGH, E_AT)

    def _in_a_sector(self) -> Solids:
        across, deep, high = plan.INLET
        inlet = Pos(-deep / 2, 0, 0) * Box(deep, across, high, align=ON_TABLE)
        return {
            **self._slot("station", LOW, self.plan.slot_at),
            "inlet": self._inlet_place() * inlet,
        }

    # ---- does it fit ----

    def unprintable(self) -> list[str]:
        """Return the parts that are too big to print, need supports, or are not one closed body,
        one line of text each."""
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

    def clashes(self, holes: list[tuple[float, float, float]] | None = None) -> list[str]:
        """Return the pairs of solids that overlap, one line of text each. holes: (x, y, diameter)
        for each stand in the base, or None for the holes of the board."""
        printed = {name: solid for name, (solid, _, _) in self.parts.items() if name != "ladder"}
        # the board's parts do not touch each other, which KiCad checks
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


def export(housing: Housing, folder: Path) -> None:
    """Write each part as STL and STEP, rotated for printing, and the lids with the stations'
    numbers. Each file name ends with the count of copies needed."""
    for name, (solid, count, lie) in housing.parts.items():
        if name == "station":
            for number in range(1, count + 1):
                write(housing.engraved(str(number)), lie, folder / ("station-%d-x1" % number))
        elif name == "station-m":
            write(housing.engraved("M"), lie, folder / "station-m-x1")
        else:
            write(solid, lie, folder / ("%s-x%d" % (name, count)))


def pieces(board: Envelope, name: str) -> Solids:
    """Return {name: solid} for a board, its parts and their pins. The board's lower side is at z =
    0."""
    wide, high, thick = board.size
    solid = Box(wide, high, thick, align=ON_TABLE)
    for x, y, drill in board.holes:
        solid -= Pos(x, y, 0) * Cylinder(drill / 2, 4 * thick)
    found = {name: solid}
    for ref, height, (x1, y1, x2, y2) in board.parts:
        box = Box(x2 - x1, y2 - y1, height, align=ON_TABLE)
        found[ref] = Pos((x1 + x2) / 2, (y1 + y2) / 2, thick) * box
    for ref, deep, (x1, y1, x2, y2) in board.pins:
        box = Box(x2 - x1, y2 - y1, deep, align=HANGING)
        found[ref + "'s pins"] = Pos((x1 + x2) / 2, (y1 + y2) / 2, 0) * box
    return found


def _tile() -> Part:
    long, wide = (side / 2 for side in plan.TILE)
    return groove([(-wide, -long), (wide, -long), (wide, long), (-wide, long)], closed=True)


def _pilot(x: float, y: float) -> Part:
    return Pos(x, y, FLOOR) * Cylinder(PILOT / 2, 12.0, align=ON_TABLE)


def _countersunk(x: float, y: float) -> Part:
    hole = Cylinder(SCREW / 2, 3 * FLOOR)
    head = Cone(HEAD / 2, SCREW / 2, (HEAD - SCREW) / 2, align=ON_TABLE)
    return Pos(x, y, 0) * (hole + head)
