# SPDX-License-Identifier: MIT
"""The hub12 circuit: its parts, where they stand in the schematic, and what they connect.

A net is a name; `PARTS` says for each part which net each pin is on. Schematic and board are
drawn from this list, KiCad's own checks compare the two, and `hardware.netlist` compares what
comes out with the pin map.
"""

from dataclasses import dataclass

from hardware import pinmap

SLOTS = [*map(str, range(1, 11)), "M", "E"]
READER = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")  # an RC522 board's own order
GROUPS = "ABCD"  # of three slots that share a driver for SCK and one for MOSI
PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
# GPIO -> pin of the Pico (its datasheet, figure 2)
PICO_PINS = dict(
    zip(
        (*range(16), *range(16, 22), 22, 26, 27, 28),
        (
            1,
            2,
            4,
            5,
            6,
            7,
            9,
            10,
            11,
            12,
            14,
            15,
            16,
            17,
            19,
            20,
            21,
            22,
            24,
            25,
            26,
            27,
            29,
            31,
            32,
            34,
        ),
    )
)
GATES_125 = ((2, 1, 3), (5, 4, 6), (9, 10, 8), (12, 13, 11))  # input, /OE, output
GATES_244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))
INPUTS_165 = (6, 5, 4, 3, 14, 13, 12, 11)  # D7 .. D0: D7 comes out first

DIP = "Package_DIP:DIP-%d_W7.62mm"
AXIAL = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
STANDING = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P2.54mm_Vertical"
BLOCK = "TerminalBlock_Phoenix:TerminalBlock_Phoenix_PT-1,5-%d-3.5-H_1x0%d_P3.50mm_Horizontal"
DISC = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"


@dataclass
class Part:
    """ref: R1; symbol, footprint: of KiCad's libraries; value: as printed; part: key into
    parts.toml; units: [(unit, x, y, angle)], mm in the schematic; pins: {number: net or None}."""

    ref: str
    symbol: str
    value: str
    footprint: str
    part: str
    units: list
    pins: dict
    dnp: bool = False


def parts(board=None):
    """Return the list of Parts of hub12, wired as the pin map says (board: another map)."""
    return list(_parts(board or pinmap.load()["hub12"]))


def group(slot):
    """Return the letter of the SCK and MOSI drivers of a slot, by its place 0..11."""
    return GROUPS[slot // 3]


def _parts(board):
    gpio = _signals(board)
    yield from _power()
    yield from _pico(gpio)
    yield from _selects()
    yield from _buttons()
    yield from _bus()
    yield from _misos()
    yield from _lights()
    yield from _slots()
    yield from _rest()


def _signals(board):
    """Return {GPIO: net}."""
    nets = {pin: "A%d" % i for i, pin in enumerate(board["address"])}
    for name in ("enable", "load", "clock", "data", "miso", "reset", "sck", "mosi", "piezo"):
        nets[board[name]] = name.upper()
    nets[board["sense"]] = "CC_SENSE"
    nets[board["lights"]] = "LIGHTS"
    return nets


def _power():
    yield Part(
        "J13",
        "Connector_Generic:Conn_01x04",
        "USB-C inlet",
        BLOCK % (4, 4),
        "terminal4",
        [(1, 35.56, 60.96, 0)],
        {1: "VUSB", 2: "GND", 3: "CC1", 4: "CC2"},
    )
    yield Part(
        "F1",
        "Device:Polyfuse",
        "3 A",
        "Fuse:Fuse_Bourns_MF-RG300",
        "polyfuse",
        [(1, 63.5, 45.72, 90)],
        {1: "VUSB", 2: "+5V"},
    )
    yield Part(
        "C1",
        "Device:C_Polarized",
        "1000u 10V",
        "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm",
        "c1000u",
        [(1, 81.28, 55.88, 0)],
        {1: "+5V", 2: "GND"},
    )
    yield Part(
        "D1",
        "Diode:1N5819",
        "1N5819",
        "Diode_THT:D_DO-41_SOD81_P10.16mm_Horizontal",
        "schottky",
        [(1, 99.06, 45.72, 180)],
        {1: "VSYS", 2: "+5V"},
    )
    yield Part(
        "C2", "Device:C", "100n", DISC, "c100n", [(1, 114.3, 55.88, 0)], {1: "VSYS", 2: "GND"}
    )
    yield Part(
        "U3",
        "Regulator_Linear:LF33_TO220",
        "LF33CV",
        "Package_TO_SOT_THT:TO-220-3_Vertical",
        "regulator",
        [(1, 132.08, 45.72, 0)],
        {1: "VSYS", 2: "GND", 3: "3V3_READERS"},
    )
    yield Part(
        "C3",
        "Device:C_Polarized",
        "100u 10V",
        "Capacitor_THT:CP_Radial_D5.0mm_P2.50mm",
        "c100u",
        [(1, 152.4, 55.88, 0)],
        {1: "3V3_READERS", 2: "GND"},
    )
    for i in (1, 2):
        x = 50.8 + 30.48 * (i - 1)
        yield Part(
            "R%d" % i,
            "Device:R",
            "5k1",
            AXIAL,
            "r5k1",
            [(1, x, 101.6, 0)],
            {1: "CC%d" % i, 2: "GND"},
            dnp=True,
        )
        yield Part(
            "R%d" % (i + 2),
            "Device:R",
            "100k",
            AXIAL,
            "r100k",
            [(1, x + 15.24, 101.6, 0)],
            {1: "CC%d" % i, 2: "CC_SENSE"},
        )
    yield Part(
        "C4",
        "Device:C",
        "100n",
        DISC,
        "c100n",
        [(1, 116.84, 101.6, 0)],
        {1: "CC_SENSE", 2: "AGND"},
    )


def _pico(gpio):
    pins = dict.fromkeys(PICO_GROUND, "GND")
    for number, pin in PICO_PINS.items():
        pins[pin] = gpio.get(number, "GP%d" % number)
    pins.update({33: "AGND", 30: "RUN", 35: None, 36: "+3V3", 37: None, 39: "VSYS", 40: None})
    yield Part(
        "U1",
        "MCU_Module:RaspberryPi_Pico",
        "Raspberry Pi Pico",
        "Module:RaspberryPi_Pico_Common_THT",
        "pico",
        [(1, 264.16, 91.44, 0)],
        pins,
    )
    # the spare pins' headers stand beside the Pico's own pins, in their order
    for ref, first, count in (("J16", 11, 10), ("J18", 26, 7)):
        yield Part(
            ref,
            "Connector_Generic:Conn_01x%02d" % count,
            "spare pins",
            "Connector_PinHeader_2.54mm:PinHeader_1x%02d_P2.54mm_Vertical" % count,
            "header%d" % count,
            [(1, 337.82, 71.12 if ref == "J16" else 109.22, 0)],
            {i + 1: pins[first + i] for i in range(count)},
        )


def _selects():
    for chip in (0, 1):
        pins = {1: "A0", 2: "A1", 3: "A2", 4: "ENABLE", 8: "GND", 16: "+3V3"}
        # the first is chosen while A3 is low, the second while it is high
        pins.update({5: "A3", 6: "+3V3"} if chip == 0 else {5: "GND", 6: "A3"})
        for output, pin in enumerate((15, 14, 13, 12, 11, 10, 9, 7)):
            slot = 8 * chip + output
            pins[pin] = "CS_" + SLOTS[slot] if slot < len(SLOTS) else None
        yield Part(
            "U%d" % (5 + chip),
            "74xx:74HC138",
            "74HC138",
            DIP % 16,
            "74HC138",
            [(1, 411.48, 58.42 + 48.26 * chip, 0)],
            pins,
        )
        yield _decoupling("C%d" % (5 + chip), 439.42, 48.26 + 48.26 * chip)
    yield Part(
        "R5", "Device:R", "10k", AXIAL, "r10k", [(1, 381.0, 40.64, 0)], {1: "+3V3", 2: "ENABLE"}
    )


def _buttons():
    """Place 0 is D7 of the last chip, whose Q7 goes to the Pico; place 8 D7 of the one before."""
    for chip in (0, 1):
        pins = {8: "GND", 16: "+3V3", 1: "LOAD", 2: "CLOCK", 15: "GND", 7: None}
        pins[9] = "DATA" if chip == 0 else "CHAIN"
        pins[10] = "CHAIN" if chip == 0 else "GND"
        for i, pin in enumerate(INPUTS_165):
            place = 8 * chip + i
            pins[pin] = "BTN_" + SLOTS[place] if place < len(SLOTS) else "SPARE%d" % (place - 11)
        x = 492.76 + 58.42 * chip
        yield Part(
            "U%d" % (7 + chip),
            "74xx:74HC165",
            "74HC165",
            DIP % 16,
            "74HC165",
            [(1, x, 73.66, 0)],
            pins,
        )
        yield _decoupling("C%d" % (7 + chip), x + 20.32, 48.26)
        nets = [pins[pin] for pin in INPUTS_165]
        yield Part(
            "RN%d" % (1 + chip),
            "Device:R_Network08",
            "8x10k",
            "Resistor_THT:R_Array_SIP9",
            "rn10k",
            [(1, x, 119.38, 0)],
            {1: "+3V3", **dict(enumerate(nets, 2))},
        )


def _bus():
    pins = {1: "GND", 19: "GND", 10: "GND", 20: "+3V3"}
    for i, (into, out) in enumerate(GATES_244):
        signal = ("SCK", "MOSI")[i // 4]
        pins[into] = signal
        pins[out] = "%s_%s_DRIVER" % (signal, GROUPS[i % 4])
        yield Part(
            "R%d" % (6 + i),
            "Device:R",
            "68R",
            STANDING,
            "r68",
            [(1, 111.76, 172.72 + 7.62 * i, 90)],
            {1: pins[out], 2: "%s_%s" % (signal, GROUPS[i % 4])},
        )
    yield Part(
        "U12", "74xx:74HC244", "74HC244", DIP % 20, "74HC244", [(1, 55.88, 200.66, 0)], pins
    )
    yield _decoupling("C12", 30.48, 236.22)


def _misos():
    for chip in range(3):
        pins = {7: "GND", 14: "+3V3"}
        units = []
        for gate, (into, enable, out) in enumerate(GATES_125):
            name = SLOTS[4 * chip + gate]
            pins.update({into: "MISO_" + name, enable: "CS_" + name, out: "MISO"})
            units.append((gate + 1, 187.96 + 43.18 * gate, 177.8 + 30.48 * chip, 0))
        units.append((5, 345.44 + 15.24 * (chip % 2), 177.8 + 30.48 * chip, 0))
        yield Part("U%d" % (9 + chip), "74xx:74LS125", "74HC125", DIP % 14, "74HC125", units, pins)
        yield _decoupling("C%d" % (9 + chip), 373.38, 177.8 + 30.48 * chip)
    yield Part(
        "R14", "Device:R", "10k", AXIAL, "r10k", [(1, 160.02, 236.22, 0)], {1: "+3V3", 2: "MISO"}
    )


def _lights():
    into, enable, out = GATES_125[0]
    pins = {into: "LIGHTS", enable: "GND", out: "LIGHTS_5V", 7: "GND", 14: "5V_LOGIC"}
    for into, enable, out in GATES_125[1:]:
        pins.update({into: "GND", enable: "5V_LOGIC", out: None})
    units = [(1, 420.37, 180.34, 0)]
    units += [(gate, 393.7 + 43.18 * (gate - 1), 223.52, 0) for gate in (2, 3, 4)]
    units.append((5, 556.26, 190.5, 0))
    yield Part("U4", "74xx:74AHCT125", "74AHCT125", DIP % 14, "74AHCT125", units, pins)
    yield _decoupling("C13", 571.5, 190.5, "5V_LOGIC")
    yield Part(
        "R17", "Device:R", "10R", AXIAL, "r10", [(1, 533.4, 167.64, 90)], {1: "+5V", 2: "5V_LOGIC"}
    )
    yield Part(
        "R15",
        "Device:R",
        "330R",
        AXIAL,
        "r330",
        [(1, 468.63, 180.34, 90)],
        {1: "LIGHTS_5V", 2: "PIXELS"},
    )
    yield Part(
        "J14",
        "Connector_Generic:Conn_01x03",
        "pixels",
        BLOCK % (3, 3),
        "terminal3",
        [(1, 508.0, 180.34, 0)],
        {1: "+5V", 2: "PIXELS", 3: "GND"},
    )
    yield Part(
        "J15",
        "Connector_Generic:Conn_01x02",
        "pixels' far end",
        BLOCK % (2, 2),
        "terminal2",
        [(1, 530.86, 180.34, 0)],
        {1: "+5V", 2: "GND"},
    )
    yield Part(
        "R16",
        "Device:R",
        "220R",
        AXIAL,
        "r220",
        [(1, 468.63, 203.2, 90)],
        {1: "PIEZO", 2: "PIEZO_OUT"},
    )
    yield Part(
        "J17",
        "Connector_Generic:Conn_01x02",
        "piezo",
        "Connector_PinHeader_2.54mm:PinHeader_1x02_P2.54mm_Vertical",
        "header2",
        [(1, 508.0, 203.2, 0)],
        {1: "PIEZO_OUT", 2: "GND"},
    )


def _slots():
    for i, name in enumerate(SLOTS):
        yield Part(
            "J%d" % (i + 1),
            "Connector_Generic:Conn_01x10",
            "slot " + name,
            "Connector_Molex:Molex_KK-254_AE-6410-10A_1x10_P2.54mm_Vertical",
            "kk10",
            [(1, 38.1 + 45.72 * i, 309.88, 0)],
            {
                1: "CS_" + name,
                2: "SCK_" + group(i),
                3: "MOSI_" + group(i),
                4: "MISO_" + name,
                5: None,
                6: "GND",
                7: "RESET",
                8: "3V3_READERS",
                9: "BTN_" + name,
                10: "GND",
            },
        )


def _rest():
    nets = ("GND", "+5V", "VSYS", "3V3_READERS", "+3V3", "SCK", "MOSI", "MISO", "RESET", "PIXELS")
    for i, net in enumerate(nets):
        yield Part(
            "TP%d" % (i + 1),
            "Connector:TestPoint",
            net,
            "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm",
            "",
            [(1, 35.56 + 20.32 * i, 368.3, 0)],
            {1: net},
        )
    for i in range(4):
        yield Part(
            "H%d" % (i + 1),
            "Mechanical:MountingHole",
            "M3",
            "MountingHole:MountingHole_3.2mm_M3",
            "",
            [(1, 254.0 + 15.24 * i, 368.3, 0)],
            {},
        )


def _decoupling(ref, x, y, net="+3V3"):
    return Part(ref, "Device:C", "100n", DISC, "c100n", [(1, x, y, 0)], {1: net, 2: "GND"})
