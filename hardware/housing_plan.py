# SPDX-License-Identifier: MIT
"""The measures of the housing: the places of its contents and the lengths of its ribbons.

Lengths are in mm. The origin is in the middle of the base's underside, and z points up. The upper
edge of the hub's board, with the Pico's USB socket, is towards +y. A sector is modelled along the
x axis and then turned. The sector of M is towards -y; the stations follow clockwise, seen from
above. The solids are in housing.py.

In a sector the reader is next to the drum, its header outwards, in the socket of the slot board.
The lamps are at the rim: the drum is higher than the lids, and would hide lamps beside it from the
seats behind it.

The sizes of bought parts come first. They differ between shops: measure yours.
"""

import math
from dataclasses import dataclass

from hardware import pinmap
from hardware.kicad_files import HUB12, HUB16, SLOT, Board, Box, Place, Project, around

STATIONS = range(4, 15)

# from a shop: usual dimensions, none of them measured on a real piece
READER = (40.0, 60.0, 1.6)  # RC522 board: across, along, thick
READER_DEEP = 4.0  # its components
HEADER = 2.5  # its row of pins, from its outer end
ANTENNA = 40.0  # the middle of its antenna, from the same end
JOINTS = 1.0  # how high its solder joints may stand out on the smooth side
PLASTIC, SOCKET = 2.5, 8.5  # of the reader's pins, and of the socket they stand in
PLUG = (23.0, 9.0, 7.5)  # a ribbon's plug: across, out of the header, high
RIBBON = 14 * 1.27  # across
INLET = (20.6, 14.4, 6.0)  # USB-C breakout: across, deep, high with its socket
INLET_PLUG = 13.0  # across, with its cover
TAPE = 1.0  # below the inlet, at most
USB_PLUG = (12.0, 15.0, 9.0)  # the angled micro-USB plug in the Pico: across, deep, high
SWITCH = 7.3  # the slot's push button, with its stem
PIEZO = 7.0  # high, with its leads bent
BOOTSEL = (5.39, 10.63)  # of the Pico's own button, from its pin 1
TILE = (52.0, 27.0)  # a domino of 51 x 26 with some room
TILE_THICK = 9.5  # of a professional set; sets of 6.4 to 12.7 are sold
TAG = 25.0  # a sticker, across

# of the print
WALL = 2.0
LID = 2.0
THIN = 1.4  # over a reader
SKIN = 0.4  # over its solder joints
AIR = 0.3  # under a lid, where a reader is not quite flat: a guess
LADDER = tuple(0.8 + 0.4 * n for n in range(9))  # of plastic, to try a reader through
FLOOR = 2.4
GAP = 0.2  # to a neighbour, each
ROOM = 0.4  # around the contents
COLUMN = 3.5  # radius of a column for a screw
POST = 3.0  # of a slot board
BITE = 1.5  # how far a column reaches into the wall beside it
STAND = 6.0  # of the hub over the floor
HIGH, LOW = 52.0, 26.0  # drum and sectors over the table
LAP = 3.0  # half of how far the floors overlap the base's rim
CABLE = (20.0, 8.0)  # openings for the ribbons
LAMP_HOLE = 5.2
STEM = 11.6  # of a button's cap
RIM = 3.0  # high, around reader and lamps
BED = 220.0
AN_HOUR = 12.0  # cm3 that a printer lays down in an hour: a guess
SLOT_UNDER = THIN + READER[2] + PLASTIC + SOCKET  # from a lid's top to a slot board's
LIGHT_SIDE = 7.8  # of light box and diffuser, across
CHAMBER = 6.2  # inside, around a lamp
E_AT = (
    9.0,
    -17.0,
)  # of E's slot board, as Plan.slot_at: the engine lies in the middle of the drum

# of the players' eyes: how far from the middle, how high over the table
EYES = tuple((far, high) for far in (600.0, 700.0) for high in (350.0, 400.0))

# of a ribbon
BENDS = 30.0  # up out of the hub's header, down to the floor, up to the slot board
SLACK = 20.0
STEP = 10.0  # ribbons are cut in steps of this


# how high parts stand over a board, with socket, plug and bend of the cable: catalogue heights
# and some room, by a word in the footprint's name; the first match counts
HEIGHTS = (
    ("IDC-Header_2x07_P2.54mm_Vertical", 20.0),
    ("IDC-Header_2x07_P2.54mm_Horizontal", 8.9),
    ("Module:", 15.0),
    ("CP_Radial_D10", 20.0),
    ("CP_Radial", 12.0),
    ("TerminalBlock", 11.0),
    ("Fuse", 12.0),
    ("PinSocket", 8.5),
    ("P2.54mm_Vertical", 14.0),  # with the plugs of jumper wires
    ("Buzzer", 7.0),
    ("SW_PUSH-12mm", 4.3),
    ("SW_PUSH_6mm", 4.3),
    ("_0805", 1.6),
    ("LED_WS2812B", 1.7),
    ("SOT-23", 1.6),
    ("", 3.0),
)
PINS_BELOW = 2.5  # how far leads stand out below a board
JOINT = 0.8  # around the middle of a lead


@dataclass
class Envelope:
    """The space that a board takes up. The origin is in the middle of the board, and y points up.

    size: width, height and thickness of the board.
    holes: (x, y, diameter) of each hole.
    parts: (reference, height above the board, box) of each part.
    pins: (reference, depth below the board, box) of the leads of each part.
    """

    size: tuple[float, float, float]
    holes: list[tuple[float, float, float]]
    parts: list[tuple[str, float, Box]]
    pins: list[tuple[str, float, Box]]


def envelope(board: Board) -> Envelope:
    """Return the space that a board takes up. Raise ValueError if a part is on the back
    of the board."""
    wide, high = board.size
    found = Envelope((wide, high, board.thickness), [], [], [])

    def room(places: list[Place]) -> Box:
        return around([(x - wide / 2, high / 2 - y) for x, y in places])

    for part in board.footprints.values():
        if part.layer != "F.Cu":
            raise ValueError("%s is on the back, where the housing has no room" % part.ref)
        if "MountingHole" in part.name:
            x, y, *_ = room([part.place])
            found.holes.append((x, y, part.pads[0].drill))
        if "MountingHole" in part.name or "Fiducial" in part.name:
            continue
        height = next(height for name, height in HEIGHTS if name in part.name)
        x1, y1, x2, y2 = part.outline("F.CrtYd") or (0.0, 0.0, 0.0, 0.0)
        corners = [part.on_board(x, y) for x in (x1, x2) for y in (y1, y2)]
        found.parts.append((part.ref, height, room(corners)))
        if any(pad.drill for pad in part.pads):
            x1, y1, x2, y2 = room([pad.place for pad in part.pads])
            box = (x1 - JOINT, y1 - JOINT, x2 + JOINT, y2 + JOINT)
            found.pins.append((part.ref, PINS_BELOW, box))
    return found


@dataclass
class Plan:
    stations: int = 10

    def __post_init__(self) -> None:
        if self.stations not in STATIONS:
            raise ValueError("a housing has 4 to 14 stations, not %d" % self.stations)
        self.sectors = self.stations + 1  # and M
        self.half = 180 / self.sectors  # degrees
        self.hub = hub(self.stations)
        # the drum holds the hub
        self.drum = math.hypot(*self.hub.board.size) / 2 + 1.3 + WALL
        self.inner = self.drum + 2 * GAP
        self.screws = self.inner + WALL + COLUMN - BITE  # radius of the inner screws
        self.rim = self.screws + 4.0  # the floors overlap from here
        self.slot_at = self._slot_at()
        self.outer = self._outer(self.slot_at)
        self.outer_screws_at = self.outer - WALL - COLUMN + BITE  # radius
        self.board_at = FLOOR + STAND
        self.inlet = self._inlet(self.slot_at)
        self.inner_screws = self._in_sector(self.screws)
        self.outer_screws = self._in_sector(self.outer_screws_at)

    def _slot_at(self) -> Place:
        """Return the place of the middle of the slot board's inner edge: as far inwards as the
        drum, the sector's sides, its columns and M's inlet allow, and as near the sector's
        middle."""
        x = self.inner + THIN + ROOM + READER[1] / 2 - reader()[0]
        while True:
            least, most = self._aside(x)
            y = min(max(0.0, least), most)
            if least <= most and not self._on_column(x, y):
                while y >= least:
                    if self._inlet_fits((x, y)):
                        return x, y
                    y -= 0.1
            x += 0.1

    def _aside(self, x: float) -> tuple[float, float]:
        """Return how far, at least and at most, the slot board can be to the left of the sector's
        middle."""
        half = math.radians(self.half)
        wall, edge = (GAP + WALL + ROOM) / math.cos(half), GAP / math.cos(half)
        wide, long, _ = READER
        # inner corners, and how far they stay from the sector's edge
        out, left = reader()
        lefts = [(out - long / 2, left + wide / 2, wall)]
        out, left = antenna()
        lefts.append((out - TILE[1] / 2, left + TILE[0] / 2, edge))
        out, left = plug()
        rights = [(out - PLUG[1] / 2, left - PLUG[0] / 2, wall)]
        rights.append((0.0, -SLOT.board.size[0] / 2, wall))
        return (
            max(far - (x + out) * math.tan(half) - right for out, right, far in rights),
            min((x + out) * math.tan(half) - far - left for out, left, far in lefts),
        )

    def _on_column(self, x: float, y: float) -> bool:
        """Return whether the reader would be in the way of an inner screw's column."""
        out, left = reader()
        corner = x + out - READER[1] / 2 - ROOM, y + left + READER[0] / 2 + ROOM
        at = self._in_sector(self.screws)[0]
        near = max(at[0], corner[0]), min(at[1], corner[1])
        return math.dist(at, near) < COLUMN

    def _inlet(self, slot_at: Place) -> tuple[float, float]:
        """Return the place of the inlet in M's sector, beside the slot board and away from the
        reader: (radius of the middle of its outer edge, its angle in degrees)."""
        across, deep, _ = INLET
        edge = math.sqrt((self._outer(slot_at) - WALL) ** 2 - (across / 2) ** 2) - 0.3
        board = slot_at[1] + SLOT.board.size[0] / 2
        return edge, math.degrees(math.asin((board + across / 2 + ROOM) / (edge - deep)))

    def _inlet_fits(self, slot_at: Place) -> bool:
        """Return whether the inlet has room between slot board, sector's side and column."""
        across, deep, _ = INLET
        edge, degrees = self._inlet(slot_at)
        turn, half = math.radians(degrees), math.radians(self.half)
        x, y = self._in_sector(self._outer(slot_at) - WALL - COLUMN + BITE)[0]
        # from the inlet: outwards, left
        out, left = (
            x * math.cos(turn) + y * math.sin(turn),
            y * math.cos(turn) - x * math.sin(turn),
        )
        near = min(max(out, edge - deep), edge), min(max(left, -across / 2), across / 2)
        side = (edge - deep) * math.sin(half - turn) - across / 2 * math.cos(half - turn)
        return math.dist((out, left), near) >= COLUMN and side >= GAP + WALL

    def _outer(self, slot_at: Place) -> float:
        """Return the outer radius of the housing, around board, reader and light."""
        x, y = slot_at
        half = SLOT.board.size[0] / 2
        out, left = light()
        ends = [(SLOT.board.size[1], side) for side in (-half, half)]
        ends += [
            (out + LIGHT_SIDE / 2, left + side) for side in (-light_long() / 2, light_long() / 2)
        ]
        return (
            max(math.hypot(x + out + ROOM / 2, abs(y + left) + ROOM / 2) for out, left in ends)
            + WALL
        )

    def lamp_places(self) -> dict[tuple[str, int], Place]:
        """Return {(slot, lamp from 1 to 4): its place in the housing}, without E's."""
        found = {}
        x, y = self.slot_at
        for slot in [*map(str, range(1, self.stations + 1)), "M"]:
            turn = math.radians(self.angle(slot))
            for n, (out, left) in enumerate(lamps(), 1):
                a, b = x + out, y + left
                found[slot, n] = (
                    a * math.cos(turn) - b * math.sin(turn),
                    a * math.sin(turn) + b * math.cos(turn),
                )
        return found

    def hidden(self) -> list[str]:
        """Return the lamps that the drum hides from somebody's eyes, one line of text each."""
        wrong = []
        for seat in range(1, self.stations + 1):
            turn = math.radians(self.angle(str(seat)))
            for far, high in EYES:
                eye = far * math.cos(turn), far * math.sin(turn)
                wrong += [
                    "from seat %d, eyes %.0f mm out and %.0f up: lamp %d of %s"
                    % (seat, far, high, lamp, slot)
                    for (slot, lamp), place in self.lamp_places().items()
                    if self._in_the_way(place, eye, high)
                ]
        return wrong

    def _in_the_way(self, lamp: Place, eye: Place, high: float) -> bool:
        """Return whether the drum is between a lamp and an eye. high: of the eye, over the
        table."""
        (x, y), (dx, dy) = lamp, (eye[0] - lamp[0], eye[1] - lamp[1])
        # where the line enters the drum's circle, as a part of the way from lamp to eye
        long, along = dx * dx + dy * dy, x * dx + y * dy
        root = along * along - long * (x * x + y * y - self.drum * self.drum)
        if root < 0 or along > 0:
            return False
        return LOW + (high - LOW) * (-along - math.sqrt(root)) / long < HIGH

    def plug_at(self) -> Place:
        """Return the place of the ribbon's plug in a sector."""
        (x, y), (out, left) = self.slot_at, plug()
        return x + out, y + left

    def _in_sector(self, radius: float) -> list[Place]:
        """Return the places of a sector's two screws, `radius` mm from the middle of the
        housing."""
        angle = math.radians(self.half) - math.asin((GAP + WALL + COLUMN - BITE) / radius)
        return [(radius * math.cos(a), radius * math.sin(a)) for a in (angle, -angle)]

    def angle(self, slot: str) -> float:
        """Return the angle of a slot's sector in degrees. slot: "1" to "14" or "M"."""
        return -90 - 2 * self.half * (0 if slot == "M" else int(slot))

    def ribbons(self) -> dict[str, float]:
        """Return {slot: length in mm of its ribbon, from plug to plug}. The length is the straight
        way from the header through the drum's opening to the slot board, plus bends and slack,
        rounded up to a whole step."""
        found: dict[str, float] = {}
        for slot in [*map(str, range(1, self.stations + 1)), "M", "E"]:
            x, y = self.header(slot)
            if slot == "E":
                out, left = plug()
                way = math.dist((x, y), (E_AT[0] + out, E_AT[1] + left)) + HIGH - self.board_at
            else:
                turn = math.radians(self.angle(slot))
                door = self.drum * math.cos(turn), self.drum * math.sin(turn)
                way = math.dist((x, y), door) + math.dist((self.drum, 0.0), self.plug_at())
            found[slot] = STEP * math.ceil((way + BENDS + SLACK) / STEP)
        return found

    def header(self, slot: str) -> Place:
        """Return the middle of a slot's header on the hub's board, as a place in the housing."""
        return self.on_hub(*_centre([pad.place for pad in self.hub.board.header(slot).pads]))

    def on_hub(self, x: float, y: float) -> Place:
        """Return the place in the housing of a point (x, y) on the hub's board."""
        wide, high = self.hub.board.size
        return x - wide / 2, high / 2 - y

    def bootsel(self) -> Place:
        """Return the place of the Pico's BOOTSEL button in the housing."""
        return self.on_hub(*self.hub.board["U1"].on_board(*BOOTSEL))

    def reset(self) -> Place:
        """Return the place of the hub's reset button in the housing."""
        return self.on_hub(*self.hub.board["SW1"].on_board(3.25, 2.25))

    def piezo(self) -> Place:
        """Return the place in the housing of the piezo's middle."""
        return self.on_hub(*self.hub.board["BZ1"].on_board(2.5, 0))


def hub(stations: int) -> Project:
    """Return the smallest hub with that many stations."""
    pins = pinmap.load()[HUB12.name]
    return HUB12 if stations <= pinmap.stations(pins) else HUB16


def on_slot(x: float, y: float) -> Place:
    """Convert a place on the slot board to (outwards, left) in mm, measured from the middle of the
    board's inner edge. Left is as seen from the hub."""
    return y, x - SLOT.board.size[0] / 2


def reader() -> Place:
    """Return the middle of the reader, in the coordinates of `on_slot`. Its header is at its outer
    end, above J2."""
    out, left = _middle("J2")
    return out + HEADER - READER[1] / 2, left


def antenna() -> Place:
    """Return the middle of the reader's antenna, in the coordinates of `on_slot`."""
    out, left = _middle("J2")
    return out + HEADER - ANTENNA, left


def plug() -> Place:
    """Return the middle of the ribbon's plug before J1, in the coordinates of `on_slot`."""
    return -PLUG[1] / 2, _middle("J1")[1]


def light() -> Place:
    """Return the middle of the four lamps, in the coordinates of `on_slot`."""
    return _centre(lamps())


def _middle(ref: str) -> Place:
    return _centre([on_slot(*pad.place) for pad in SLOT.board[ref].pads])


def _centre(places: list[Place]) -> Place:
    x, y = (sum(along) / len(places) for along in zip(*places))
    return x, y


def light_long() -> float:
    """Return the length in mm of light box and diffuser."""
    return math.dist(lamps()[0], lamps()[3]) + LIGHT_SIDE


def tag_distance(tile: float = 0.0) -> Place:
    """Return the least and the greatest distance in mm between the coils of tag and antenna. They
    differ because an RC522 board can have its coil on the upper or the lower side.

    tile: the mm of tile between the tag and the lid. The sticker's 0.2 mm are not included.
    """
    least = THIN + AIR + tile
    return least, least + READER[2]


def lamps() -> list[Place]:
    """Return the places of the four lamps, from left to right as a player there sees them, in
    the coordinates of `on_slot`."""
    return [on_slot(*SLOT.board["D%d" % n].place) for n in range(1, 5)]


def button() -> Place:
    """Return the place of a slot board's push button, in the coordinates of `on_slot`."""
    x, y = SLOT.board["SW1"].on_board(6.25, 2.5)
    return on_slot(x, y)
