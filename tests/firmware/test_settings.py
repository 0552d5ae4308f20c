# SPDX-License-Identifier: MIT
"""config.py: the good one passes, every mistake is named with its remedy."""

import pytest

from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import boards, settings
from roundhouse.games import houses


def pins(**changes):
    return {"PINS": changes}


def test_the_one_that_ships():
    assert settings.check(configured()) == (4, 0)
    assert settings.check(configured(WIRING="breadboard", STATIONS=8)) == (4, 0)
    assert settings.check(configured(HOUSE="jassshop no-lock")) == (2, 16)
    assert settings.check(configured(HOUSE="matador ten", SET=None)) == (7, 16)


def test_without_a_set_a_house_has_its_own():
    assert configured().SET is None, "as it ships"
    for house, set_, expected in (
        ("puremco", None, 12),
        ("matador", None, 9),
        ("matador", 12, 12),
        ("classic", 6, 6),
    ):
        board = SimulatedHub(configured(HOUSE=house, SET=set_))
        assert board.inputs[0]["set"] == expected, house


def test_a_family_may_start_from_the_sheet_of_any_game():
    own = {"grandma": ("matador", {"total": "ten"}), "aunt": ("quebec", {"lock": "no"})}
    try:
        assert settings.check(configured(HOUSE="grandma tie-each", FAMILY=own)) == (12, 256)
        board = SimulatedHub(configured(HOUSE="grandma", SET=None, FAMILY=own))
        line = board.inputs[0]
        assert (line["game"], line["house"], line["set"]) == ("matador", "grandma", 9)
    finally:
        houses.families({})


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"HOUSE": "monopoly"}, "no house monopoly; there are original quebec"),
        ({"HOUSE": "puremco no-brakes"}, "no variant no-brakes; there are laid-out"),
        ({"HOUSE": 7}, "HOUSE = 7"),
        ({"HOUSE": ""}, "there are original"),
        ({"HOUSE": "matador no-lock"}, "no variant no-lock; there are every-double"),
        ({"FAMILY": {"aunt": ("matador", {"lock": "no"})}}, "no option lock; there are doubles"),
        ({"FAMILY": {"matador": ("puremco", {})}}, "wants a new name"),
        ({"FAMILY": ["aunt"]}, "its form is"),
        ({"SET": 10}, "SET = 10; it is one of 6 9 12 15 18"),
        ({"SET": "12"}, "SET = '12'"),
        ({"WIRING": "hub13"}, "WIRING = 'hub13'; it is one of breadboard hub12"),
        ({"STATIONS": 11}, "STATIONS = 11; it is 2..10"),
        ({"STATIONS": 9, "WIRING": "breadboard"}, "STATIONS = 9; it is 2..8"),
        ({"STATIONS": 4.0}, "STATIONS = 4.0"),
        ({"BRIGHTNESS": 0}, "BRIGHTNESS = 0; it is 1..255"),
        ({"BRIGHTNESS": True}, "BRIGHTNESS = True"),
        ({"MILLIAMPS": 20000}, "MILLIAMPS = 20000; it is 50..5000"),
        ({"FIELDS": 4}, "FIELDS = 4; it is 1..3"),
        ({"HINTS": "yes"}, "HINTS = 'yes'; it is one of True False"),
        (pins(lights=40), 'PINS["lights"]: there is no GP40; a Pico has GP0..GP22'),
        (pins(lights=23), "no GP23"),
        (pins(lights="28"), "no GP28"),
        (pins(lights=17), 'GP17 is both "lights" and "reset"'),
        (pins(address=(0, 1, 2)), 'PINS["address"] wants 4 pins'),
        (pins(address=3), 'PINS["address"] wants 4 pins'),
        (pins(selects=(0, 1)), 'PINS["selects"]: hub12 has address clock data enable lights'),
        ({"MILLIAMPS": "usb", **pins(sense=21)}, 'PINS["sense"] is GP21; it is one of GP26'),
        ({"MILLIAMPS": "usb", "WIRING": "breadboard", "STATIONS": 8}, "only a hub12 hears"),
        ({"MILLIAMPS": "USB"}, "MILLIAMPS = 'USB'; it is 50..5000"),
        ({"SOUND": 1}, "SOUND = 1; it is one of True False"),
        ({"SOUND": True, **pins(piezo=28)}, 'GP28 is both "lights" and "piezo"'),
        (pins(sck=10), 'PINS["sck"] is GP10; it is one of GP2 GP6 GP18 GP22'),
    ],
)
def test_mistakes(changes, said):
    with pytest.raises(settings.BadConfig) as mistake:
        settings.check(configured(**changes))
    assert said in str(mistake.value)
    assert str(mistake.value).startswith("config.py: ")


@pytest.mark.parametrize("name", settings.NAMES)
def test_what_is_missing_is_named(name):
    config = configured()
    delattr(config, name)
    with pytest.raises(settings.BadConfig, match="%s is missing" % name):
        settings.check(config)


def test_pins_that_differ_join_those_of_the_board():
    config = configured(PINS={"lights": 27, "piezo": 27})
    settings.check(config)
    assert config.PINS["lights"] == 27
    assert config.PINS["address"] == boards.PINS["hub12"]["address"]
    assert boards.PINS["hub12"]["lights"] == 28, "the board's own map stays"


def test_no_board_is_built_from_a_mistake():
    with pytest.raises(settings.BadConfig):
        SimulatedHub(configured(SET=13))


def test_m_and_e_keep_their_connectors_where_stations_are_left_out():
    config = configured(STATIONS=4)
    settings.check(config)
    assert config.LINES == (0, 1, 2, 3, 10, 11)
    config = configured(WIRING="breadboard", STATIONS=4)
    settings.check(config)
    settings.check(config)  # again, as at the next power-up
    assert config.PINS["selects"] == (0, 1, 2, 3, 8, 9)
    assert config.PINS["buttons"] == (10, 11, 12, 13, 22, 26)
