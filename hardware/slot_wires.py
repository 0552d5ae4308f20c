# SPDX-License-Identifier: MIT
"""How the wires of the slot board's schematic run; the steps are those of schematic_wires.py."""

WIRES = {
    "GND": ["J1.2 >1 ! >1 *"],
    "+5V": [
        "J1.1 <1 ! <2 ^2 +",
        "D1.1 ^3.5 + (C1.1)",
        "D2.1 ^3.5 + (C2.1)",
        "D3.1 ^3.5 + (C3.1)",
        "D4.1 ^3.5 + (C4.1) (C7.1)",
    ],
    "+3V3": [
        "J2.8 <1 v3 (C6.1) >2 ! >2 +",
        "U1.5 ^2 + (C5.1)",
    ],
    "SCK": ["J1.6 >8 * J2.2"],
    "MOSI": ["J1.8 >8 * J2.3"],
    "RST": ["J1.12 >8 * x132.08 |J2.7"],
    "SDA": ["J1.11 <2 y77.47 x83.82 * U1.1", "R1.2 y77.47", "J2.1 x106.68"],
    "MISO_READER": ["J2.4 x161.29 R2.1", "U1.2 >2 * x161.29"],
    "MISO_GATE": ["R3.1 >1 * U1.4"],
    "MISO": ["J1.9 <3 y90.17 x73.66 * R3.2"],
    "BTN": ["J1.13 <1 y69.85 >1 * SW1.1"],
    "PIX_IN": ["J1.3 x30.48 y142.24 >2 * (R4.1) D1.4"],
    "PIX_1": ["D1.2 >2 * D2.4"],
    "PIX_2": ["D2.2 >2 * D3.4"],
    "PIX_3": ["D3.2 >2 * D4.4"],
    "PIX_LAST": ["D4.2 >4 * R5.1"],
    "PIX_OUT": ["J1.4 >7 ^9 >8 * x248.92 y142.24 R5.2"],
}
