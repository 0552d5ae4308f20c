# SPDX-License-Identifier: MIT
"""Power: what draws how much, and what the USB-C supply offers.

A supply says what it offers by the voltage on one of the inlet's two CC pins: about 0.4, 0.9 or
1.7 V for its default current, 1.5 A or 3 A, with its pull-up of 56, 22 or 10 kOhm to 5 V and 5.1
kOhm at our end (USB Type-C specification). 100 kOhm from each of the two to the ADC halve that.
A supply that says nothing counts as one that offers least.
"""

# at least so many mV at the ADC -> mA that the supply gives, mA of them for the pixels, fields on
# at once
OFFERS = ((640, 3000, 2000, 3), (330, 1500, 900, 3), (0, 500, 100, 1))
READINGS = 8  # averaged

# What else draws from it, mA. A reader: MFRC522 datasheet, and RC522 boards as measured by others.
FIELD_MA = 100  # a reader with its field on, at most
IDLE_MA = 13  # with its field off
HUB_MA = 60  # the Pico and the logic chips: an assumption, to be measured


def offer(adc):
    """Return (mA, mA for the pixels, fields) of the supply; adc: a machine.ADC at CC_SENSE."""
    total = 0
    for _ in range(READINGS):
        total += adc.read_u16()
    millivolts = total * 3300 // (65535 * READINGS)
    at = 0
    while millivolts < OFFERS[at][0]:
        at += 1
    return OFFERS[at][1:]
