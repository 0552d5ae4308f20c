# SPDX-License-Identifier: MIT
"""How the wires of hub12's schematic run; the steps are those of schematic_wires.py.

What goes to all twelve slots has labels where its wires would cover the sheet.
"""

from hardware.circuit import GATES_244, INPUTS_165, SLOTS
from hardware.hub_circuit import GROUPS

WIRES = {
    # inlet, fuse, clamp, two transistors, 5 V
    "VUSB": ["J13.1 >0.5 * >3 ! F1.1"],
    "VFUSED": ["F1.2 (D2.1) * (C6.1) Q1.3", "U10.5 ^1 >1 *", "U11.5 ^1 >1 *"],
    "VMID": ["Q1.2 (C7.1) * (R11.1) ! Q2.2"],
    "SOFT": ["Q1.1 R12.1", "R12.1 y66.04 >1 * (C7.2) (R11.2) (Q2.1) C8.2"],
    "+5V": ["Q2.3 (C8.1) ! (C1.1) + D1.2", "R7.1 <1 +"],
    # VSYS, for the readers' regulator and the Pico
    "VSYS": ["D1.1 >1 ! (C2.1) U3.1", "C2.1 y35.56 >2 * U1.39"],
    "3V3_READERS": ["U3.3 (C3.1) >1 * C4.1"],
    # what the supply offers
    "CC1": ["J13.3 x48.26 y114.3 >1 * U10.1", "U10.6 >1 * (R1.1) R3.1"],
    "CC2": ["J13.4 x45.72 y116.84 >2 * U10.3", "U10.4 x76.2 y134.62 (R2.1) >1 * R4.1"],
    "CC_SENSE": ["R3.2 (C9.1) x193.04 * U1.31", "R4.2 x110.49 y114.3"],
    "AGND": ["C9.2 v1 x193.04 * U1.33"],
    "USB_N": ["J13.5 x43.18 y160.02 >3 * U11.1", "U11.6 >3 * J14.2"],
    "USB_P": ["J13.6 x40.64 y162.56 >4 * U11.3", "U11.4 >3 * J14.3"],
    # around the Pico
    "MISO": ["U1.21 <0.5 * R6.2"],
    "RESET_PICO": ["U1.22 <1 * R10.1"],
    "RUN": ["U1.30 >1 * SW1.1"],
    # pixels and piezo
    "LIGHTS": ["U1.34 x269.24 y228.6 >1 * U4.2"],
    "5V_LOGIC": ["R7.2 U4.5", "U4.5 y210.82 >1 * >5 ! C11.1"],
    "LIGHTS_5V": ["U4.4 >1 * R8.1"],
    "PIEZO": ["U1.29 x264.16 y259.08 >1 * R9.1"],
    "PIEZO_OUT": ["R9.2 >1 * BZ1.1"],
    # chip selects: a line down for each, from one chip to the other
    "ENABLE": ["U1.6 >2 * x388.62", "R5.2 |U6.4", "U5.4 x388.62"],
    "A0": ["U1.1 >2 * x391.16", "U5.1 x391.16 |U6.1"],
    "A1": ["U1.2 >2 * x393.7", "U5.2 x393.7 |U6.2"],
    "A2": ["U1.4 >2 * x396.24", "U5.3 x396.24 |U6.3"],
    "A3": ["U1.5 >2 * x398.78", "U5.5 x398.78 |U6.6"],
    # buttons: along under the chips, and up to each
    "LOAD": ["U1.7 >2 * x378.46 y223.52 x525.78 |U7.1", "U8.1 x419.1 y223.52"],
    "CLOCK": ["U1.9 >2 * x375.92 y226.06 x528.32 |U7.2", "U8.2 x421.64 y226.06"],
    "DATA": ["U1.10 >2 * x373.38 y228.6 x574.04 |U7.9"],
    "CHAIN": ["U8.9 >2 * U7.10"],
    "+3V3": [
        *("U5.16 ^1 + C12.1", "U6.16 ^1 + C13.1", "U8.16 ^4 + C15.1", "U7.16 ^4 + C14.1"),
        *("U8.11 <1 y182.88", "U8.12 <1", "U8.13 <1", "U8.14 <6 y172.72 +"),
        *("R61.1 ^1 x528.32 +", "R69.1 ^1 x416.56 +", "U2.20 y209.55 + C10.1"),
        *("R%d.1 ^1" % (61 + i) for i in range(12)),
    ],
    "GND": ["U2.1 <2 v3 +", "U2.19 <2 y248.92", "U4.1 ^1 >2 v0.5 +", "BZ1.2 <1 v1 +"],
}


def _add(net, *ways):
    WIRES.setdefault(net, []).extend(ways)


# the spare pins, to their header beside the Pico; the lowest turns down first
for _i, _pin in enumerate((11, 12, 14, 15, 16, 17, 19, 20)):
    _beside = _pin - 10
    _add("GP%d" % (8 + _i), "U1.%d x%.2f y%.2f >0.5 * J15.%d")
    WIRES["GP%d" % (8 + _i)][-1] %= (_pin, 345.44 - 2.54 * _i, 109.22 + 2.54 * _beside, _beside)
# the bus: four inputs together, and from each output to three resistors
for _i, (_into, _out) in enumerate(GATES_244):
    _half, _letter = divmod(_i, 4)
    _signal, _join, _above = (("SCK", 113.03, 0), ("MOSI", 166.37, 5.08))[_half]
    _to = "<2 *" if _letter == 0 else "y%.2f" % (226.06 + 10.16 * _half)
    _add(_signal, "U2.%d <2 %s" % (_into, _to))
    _net = "%s_%s" % (_signal, GROUPS[_letter])
    _first, _row = (21, 41)[_half] + 3 * _letter, 207.01 + 20.32 * _letter
    # MOSI's pass above the resistors of SCK
    _way = "U2.%d x%.2f y%.2f x101.6 *" % (_out, 78.74 + 2.54 * _i, _row - _above)
    _add(_net, _way + " x%.2f y%.2f R%d.1" % (_join, _row, _first))
    for _more in (_first + 1, _first + 2):
        _add(_net, "R%d.1 x%.2f y%.2f" % (_more, _join, _row))
# the buttons' pull-ups
for _i, _name in enumerate(SLOTS):
    _chip, _left = ("U7", 469.9) if _i < 8 else ("U8", 391.16)
    _row = 193.04 - 2.54 * (_i % 8)
    _add("BTN_" + _name, "%s.%d x%.2f *" % (_chip, INPUTS_165[_i % 8], _left))
    _add("BTN_" + _name, "R%d.2 y%.2f" % (61 + _i, _row))
# the slots: the chain from one to the next, and under each row what all share
for _i in range(12):
    _ref, _low = "J%d" % (_i + 1), 337.82 + 43.18 * (_i // 6)
    for _net, _pin, _far, _down in (
        ("MISO", 9, "<5", 0),
        ("RESET", 12, ">5", 2.54),
        ("3V3_READERS", 14, ">3", 5.08),
    ):
        _end = " x35.56 *" if _i % 6 == 0 else " x35.56"
        _add(_net, "%s.%d %s y%.2f" % (_ref, _pin, _far, _low + _down) + _end)
    if _i == 5:
        _add("PIX_" + SLOTS[5], "J6.4 x459.74 y347.98 x254 * x30.48 |J7.3")
    elif _i < 11:
        _add("PIX_" + SLOTS[_i], "%s.4 >4 * J%d.3" % (_ref, _i + 2))
