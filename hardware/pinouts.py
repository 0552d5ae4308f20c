# SPDX-License-Identifier: MIT
"""The pin numbers of the Pico, the reader, the ribbon and the chips, from their datasheets."""

# of a Pico (its datasheet, figure 2)
V33, GROUND, VSYS, VBUS = 36, 38, 39, 40
_PICO_OTHERS = (3, 8, 13, 18, 23, 28, 30, 33)  # ground, RUN, AGND
# GPIO -> pin: GP0..GP22 and GP26..GP28, in order around the others
PICO_PINS = dict(
    zip((*range(23), 26, 27, 28), (pin for pin in range(1, 35) if pin not in _PICO_OTHERS))
)
READER = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")  # an RC522 board's own order
# of the 2x7 ribbon, pins 1..14: pixels in and out on 3 and 4, so that a jumper across the two rows
# bridges a slot that is not there; ground beside every fast signal
RIBBON = (
    *("5V", "GND", "PIX_IN", "PIX_OUT", "GND", "SCK", "GND"),
    *("MOSI", "MISO", "GND", "SDA", "RST", "BTN", "3.3V"),
)

# 74HC138: A0 A1 A2, the enables that are active low and high, Y0..Y7
HC138 = ((1, 2, 3), (4, 5), (6,), (15, 14, 13, 12, 11, 10, 9, 7))
HC165 = {"data": 9, "serial": 10, "load": 1, "clock": 2, "inhibit": 15}
HC165_INPUTS = (6, 5, 4, 3, 14, 13, 12, 11)  # D7..D0: D7 comes out first
# input, output of each gate; the enables are pins 1 and 19
AHC244 = ((2, 18), (4, 16), (6, 14), (8, 12), (17, 3), (15, 5), (13, 7), (11, 9))
GATE = (2, 1, 4)  # 74AHCT1G125 and 74LVC1G125: input, /OE, output
GATES_125 = ((2, 1, 3), (5, 4, 6), (9, 10, 8), (12, 13, 11))  # 74HC125: input, /OE, output
PIXEL = {"5V": 1, "out": 2, "GND": 3, "in": 4}  # WS2812B
