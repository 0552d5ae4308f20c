# SPDX-License-Identifier: MIT
"""The hub never draws more than the USB-C supply offers."""

import pytest
from hub_actions import quick_hub

from host_sim.board.chips import machine
from host_sim.board.hub.simulated_hub import configured
from roundhouse import power_supply
from roundhouse.power_supply import FIELD_MA, HUB_MA, IDLE_MA, OFFERS

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
    assert power_supply.offer(machine.ADC(26))[0] == milliamps


@pytest.mark.parametrize("milliamps, pixels, fields", [offer[1:] for offer in OFFERS])
def test_everything_together_is_within_the_offer(milliamps, pixels, fields):
    readers = fields * FIELD_MA + (READERS - fields) * IDLE_MA
    assert pixels + readers + HUB_MA <= milliamps


@pytest.mark.parametrize("cc_sense, pixels, fields", [(0, 100, 1), (470, 900, 3), (840, 2000, 4)])
def test_the_hub_keeps_to_it(cc_sense, pixels, fields):
    board = quick_hub(configured(MILLIAMPS="usb", BRIGHTNESS=255, FIELDS=4), cc_sense=cc_sense)
    # the bytes of a frame that weigh so much: see Strip
    assert board.hub.strip._most == min((pixels - 48) * 255 // 20, 48 * 3 * 255)
    assert board.hub.reader.schedule.fields == fields
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.command("selftest")
    board.run(6000)
    assert 48 < board.milliamps <= pixels


def test_fewer_fields_in_the_config_stay_fewer():
    assert quick_hub(configured(MILLIAMPS="usb", FIELDS=1)).hub.reader.schedule.fields == 1


# ---- what arrives: VSYS ----


def warnings(board):
    return [line["warning"] for line in board.lines if "warning" in line]


def test_state_and_the_self_test_say_what_arrives():
    board = quick_hub(vsys=4725)
    assert board.command("state")["vsys"] == 4.72
    assert "vsys" not in board.command("undo"), "nothing else does"
    board.command("selftest")
    board.run(200)
    board.port.type("selftest end")
    board.run(200)
    assert board.lines[-1]["selftest"] == "end" and board.lines[-1]["vsys"] == 4.72
    assert warnings(board) == []


def test_a_board_that_does_not_measure_it_says_nothing():
    board = quick_hub(vsys=300)  # such as a Pico W, where another chip has the pin
    board.run(20000)
    assert "vsys" not in board.command("state")
    assert warnings(board) == [] and board.hub.strip.share == 8


@pytest.mark.slow
def test_the_lights_follow_a_supply_that_sags():
    """While VSYS is too low, the budget loses two eighths every four seconds; when VSYS is good
    again, the budget regains one eighth a minute. A low VSYS is reported once."""
    board = quick_hub(configured(MILLIAMPS=900, BRIGHTNESS=255))
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.tap("12-12", "2")
    board.run(10000)
    assert warnings(board) == [] and board.hub.strip.share == 8
    board.set_vsys(4350)
    board.run(10000)
    assert warnings(board) == [], "it is 4.3 V from which on it is too low"
    board.set_vsys(4210)
    board.run(4500)
    assert warnings(board) == [
        "VSYS is 4.20 V, below 4.3: the lights take less current; a shorter cable or a stronger "
        "supply helps"
    ]
    assert board.hub.strip.share == 6
    board.run(20000)
    assert board.hub.strip.share == 1, "never all of it"
    board.set_vsys(4400)
    board.run(70000)
    assert board.hub.strip.share == 1, "neither low nor well"
    board.set_vsys(4800)
    board.run(70000)
    assert board.hub.strip.share == 2
    assert len(warnings(board)) == 1


def test_a_frame_draws_its_share_at_most():
    board = quick_hub(configured(MILLIAMPS=300, BRIGHTNESS=255), vsys=4000)
    board.run(20000)
    assert board.hub.strip.share == 1
    board.command("selftest")
    most = []
    for _ in range(100):
        board.run(20)
        most.append(board.milliamps)
    assert 0 < max(most) <= 48 + 300 / 8
