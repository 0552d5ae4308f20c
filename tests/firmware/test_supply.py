# SPDX-License-Identifier: MIT
"""What the USB-C supply offers is what the hub draws at most."""

import pytest

from host_sim.chips import machine
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import power
from roundhouse.power import FIELD_MA, HUB_MA, IDLE_MA, OFFERS

READERS = 12


@pytest.mark.parametrize(
    "millivolts, milliamps",
    [
        (0, 500),
        (210, 500),
        (300, 500),
        (360, 1500),
        (470, 1500),
        (600, 1500),
        (680, 3000),
        (840, 3000),
    ],
)
def test_the_offer_is_read_from_the_voltage(millivolts, milliamps):
    machine.power_up()
    machine.millivolts[26] = millivolts
    assert power.offer(machine.ADC(26))[0] == milliamps


@pytest.mark.parametrize("milliamps, pixels, fields", [offer[1:] for offer in OFFERS])
def test_everything_together_is_within_the_offer(milliamps, pixels, fields):
    readers = fields * FIELD_MA + (READERS - fields) * IDLE_MA
    assert pixels + readers + HUB_MA <= milliamps


@pytest.mark.parametrize("sensed, pixels, fields", [(0, 100, 1), (470, 900, 3), (840, 2000, 3)])
def test_the_hub_keeps_to_it(sensed, pixels, fields):
    board = SimulatedHub(configured(MILLIAMPS="usb", BRIGHTNESS=255), sensed=sensed)
    # the bytes of a frame that weigh so much: see Strip
    assert board.hub.strip._most == min((pixels - 48) * 255 // 20, 48 * 3 * 255)
    assert board.hub.reader.schedule.fields == fields
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.say("selftest")
    board.run(6000)
    assert 48 < board.milliamps <= pixels


def test_fewer_fields_in_the_config_stay_fewer():
    assert SimulatedHub(configured(MILLIAMPS="usb", FIELDS=1)).hub.reader.schedule.fields == 1
