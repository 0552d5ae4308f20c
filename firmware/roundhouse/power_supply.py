# SPDX-License-Identifier: MIT
"""Power: the current that parts draw, the current that the USB-C supply offers, and the voltage.

A supply announces its current by the voltage on one of the inlet's two CC pins: about 0.4 V for
its default current, 0.9 V for 1.5 A, or 1.7 V for 3 A. The supply has a pull-up to 5 V of 56, 22
or 10 kOhm, and the hub a pull-down of 5.1 kOhm (USB Type-C specification). A 100 kOhm resistor
from each pin to the ADC halves this voltage. No voltage counts as the default current.

The voltage is measured as VSYS, after the Pico's diode, 0.1 to 0.4 V below the supply's (Raspberry
Pi Pico datasheet, 4.4). The ADC's fourth input has a third of VSYS.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# (least mV at the ADC, mA that the supply gives, mA of them for the pixels, fields on at once)
OFFERS = ((640, 3000, 2000, 4), (330, 1500, 900, 3), (0, 500, 100, 1))
READINGS = 8  # averaged

# What other parts draw, mA. Readers: MFRC522 datasheet, and RC522 boards as measured by others.
FIELD_MA = 100  # a reader with its field on, at most
IDLE_MA = 13  # with its field off
HUB_MA = 60  # the Pico and the logic chips: an assumption, to be measured


LEAST_MV = 3000  # a lower reading is not VSYS
LOW = (
    '{"warning": "VSYS is %s V, below 4.3: the lights take less current; a shorter cable or a '
    'stronger supply helps"}'
)


def vsys(adc: "Any") -> str:
    """Return VSYS in volts as text, such as `4.87`; "" if VSYS is not measured. adc: a machine.ADC
    that measures VSYS / 3, or None."""
    if not adc:
        return ""
    total = 0
    for _ in range(READINGS):
        total += adc.read_u16()
    millivolts = total // READINGS * 9900 // 65535
    return (
        "%d.%02d" % (millivolts // 1000, millivolts % 1000 // 10) if millivolts > LEAST_MV else ""
    )


def said(adc: "Any") -> str:
    """Return `, "vsys": 4.98`, to be added to a JSON object; "" if VSYS is not measured."""
    volts = vsys(adc)
    return ', "vsys": ' + volts if volts else ""


def offer(adc: "Any") -> tuple[int, int, int]:
    """Return (mA that the supply offers, mA left for the pixels, count of antennas that may be on
    at once). adc: a machine.ADC at CC_SENSE."""
    total = 0
    for _ in range(READINGS):
        total += adc.read_u16()
    millivolts = total * 3300 // (65535 * READINGS)
    at = 0
    while millivolts < OFFERS[at][0]:
        at += 1
    return OFFERS[at][1:]
