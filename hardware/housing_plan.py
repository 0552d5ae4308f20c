# SPDX-License-Identifier: MIT
"""The housing's measures: where what is in it stands, and how long its ribbons are.

Lengths in mm. The middle of the base's underside is the origin, z up; the hub's upper edge, with
the Pico's socket, lies towards y. A sector is built around the x axis, then turned; M's is
towards -y, the stations follow clockwise as seen from above. Numbers only: the solids are in
housing.py.

What comes from a shop and may differ from one to another stands here: measure yours.
"""

import math
from dataclasses import dataclass

from hardware import hub_layout, slot_layout

# from a shop: usual dimensions, none of them measured on a piece of ours
READER = (40.0, 60.0, 1.6)  # RC522 board: across, along, thick
READER_DEEP = 4.0  # its components
HEADER = 2.5  # its row of pins, from the end that looks to the hub
ANTENNA = 40.0  # the middle of its antenna, from the same end
JOINTS = 1.0  # how high its solder joints may stand out on the smooth side
PLASTIC, SOCKET = 2.5, 8.5  # of the reader's pins, and of the socket they stand in
PLUG = (23.0, 9.0, 7.5)  # a ribbon's plug: across, what stands out of the header, high
RIBBON = 14 * 1.27  # across
INLET = (20.6, 14.4, 6.0)  # USB-C breakout: across, deep, high with its socket
INLET_PLUG = 13.0  # across, with its cover
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
AIR = 0.3  # under a lid, where a reader does not lie quite flat: a guess
LADDER = tuple(0.8 + 0.4 * n for n in range(9))  # of plastic, to try a reader through
FLOOR = 2.4
GAP = 0.2  # to a neighbour, each
ROOM = 0.4  # around what is put in
COLUMN = 3.5  # radius of what a screw goes into
POST = 3.0  # of a slot board
BITE = 1.5  # how far a column stands in the wall beside it
STAND = 6.0  # of the hub over the floor
HIGH, LOW = 52.0, 26.0  # drum and sectors over the table
LAP = 3.0  # half of how far the floors lie on the base's rim
CABLE = (20.0, 8.0)  # openings for the ribbons
LAMP_HOLE = 5.2
STEM = 11.6  # of a button's cap
RIM = 3.0  # high, around reader and lamps
BED = 220.0
SLOT_UNDER = THIN + READER[2] + PLASTIC + SOCKET  # from a lid's top to a slot board's
E_FROM = -47.5  # where E's slot board begins, across the drum

# of a ribbon
BENDS = 30.0  # up out of the hub's header, down to the floor, up to the slot board
SLACK = 20.0
STEP = 10.0  # ribbons are cut in steps of this


@dataclass
class Plan:
    """The measures of a housing for 4 to 10 stations."""

    stations: int = 10

    def __post_init__(self):
        if not 4 <= self.stations <= 10:
            raise ValueError("a housing has 4 to 10 stations, not %d" % self.stations)
        self.sectors = self.stations + 1  # and M
        self.half = 180 / self.sectors  # degrees
        tangent = math.tan(math.radians(self.half))
        # the drum holds the hub
        self.drum = math.hypot(*hub_layout.SIZE) / 2 + 1.3 + WALL
        self.inner = self.drum + 2 * GAP
        self.screws = self.inner + 4.9  # radius on which the inner screws stand
        self.rim = self.screws + 4.0  # the floors lap from here
        # a slot board begins where a plug has room before it and the sector is wide enough
        wide = slot_layout.SIZE[0] / 2 + ROOM + (WALL + GAP) / math.cos(math.radians(self.half))
        reader = READER[0] / 2 + ROOM + WALL + GAP
        self.slot_from = max(
            self.inner + WALL + PLUG[1] + 2.0,
            wide / tangent,
            reader / tangent - slot_layout.H,
        )
        end = self.slot_from + reader_from() + READER[1] + ROOM
        self.outer = math.hypot(end, READER[0] / 2 + ROOM) + WALL
        self.board_at = FLOOR + STAND
        self.inner_screws = self._in_sector(self.screws)
        self.outer_screws = self._in_sector(self.outer - WALL - COLUMN + BITE)

    def _in_sector(self, radius):
        """Places of a sector's two screws at a radius, in its corners."""
        angle = math.radians(self.half) - math.asin((GAP + WALL + COLUMN - BITE) / radius)
        return [(radius * math.cos(a), radius * math.sin(a)) for a in (angle, -angle)]

    def angle(self, slot):
        """Return the angle, degrees, of a slot's sector; slot: "1" .. or "M"."""
        return -90 - 2 * self.half * (0 if slot == "M" else int(slot))

    def ribbons(self):
        """Return {slot: mm} of ribbon between the plugs: from the header straight to the opening
        in the drum, straight to the slot board, with bends and slack, in whole steps."""
        found = {}
        for slot in [*map(str, range(1, self.stations + 1)), "M", "E"]:
            x, y = header(slot)
            if slot == "E":
                way = math.dist((x, y), (E_FROM, 0)) + HIGH - self.board_at
            else:
                turn = math.radians(self.angle(slot))
                door = self.drum * math.cos(turn), self.drum * math.sin(turn)
                way = math.dist((x, y), door) + self.slot_from - self.drum
            found[slot] = STEP * math.ceil((way + BENDS + SLACK) / STEP)
        return found


def header(slot):
    """Return x, y of the middle of a slot's header on the hub."""
    number = {"M": 11, "E": 12}.get(slot) or int(slot)
    x, y, turn = hub_layout.PLACES["J%d" % number]
    along, across = 7.62, 1.27
    dx, dy = {
        0: (across, along),
        90: (along, -across),
        180: (-across, -along),
        270: (-along, across),
    }[turn]
    return on_hub(x + dx, y + dy)


def on_hub(x, y):
    """Return x, y in the housing of a place on the hub's board."""
    wide, high = hub_layout.SIZE
    return x - wide / 2, high / 2 - y


def on_slot(x, y):
    """Return how far outwards and how far across, to the left as seen from the hub, a place on
    the slot board is, from the middle of its edge."""
    return y, x - slot_layout.SIZE[0] / 2


def reader_from():
    """Return where the reader begins, from the edge of the slot board."""
    return slot_layout.PLACES["J2"][1] - HEADER


def tag_distance(tile=0.0):
    """Return the least and the most mm from a tag's coil to the antenna's.

    tile: mm of tile between them, 0 where the tag lies on the lid. An RC522 board has its coil on
    the side that looks up or on the other one; the sticker's own 0.2 mm are left out.
    """
    least = THIN + AIR + tile
    return least, least + READER[2]


def lamps():
    """Return the places of the four lamps, from the hub outwards, as `on_slot`."""
    x, y, step = slot_layout.PIXEL_X, slot_layout.PIXEL_Y, slot_layout.PIXEL_STEP
    return [on_slot(x, y + step * i) for i in range(4)]


def button():
    """Return the place of the button, as `on_slot`."""
    x, y, _ = slot_layout.PLACES["SW1"]
    return on_slot(x + 6.25, y + 2.5)


def bootsel():
    """Return x, y of the Pico's own button."""
    x, y, _ = hub_layout.PLACES["U1"]
    return on_hub(x + BOOTSEL[0], y + BOOTSEL[1])


def reset():
    """Return x, y of the hub's reset button."""
    x, y, _ = hub_layout.PLACES["SW1"]
    return on_hub(x + 3.25, y + 2.25)


def piezo():
    """Return x, y of the middle of the piezo."""
    x, y, _ = hub_layout.PLACES["BZ1"]
    return on_hub(x + 2.5, y)
