# SPDX-License-Identifier: MIT
"""config.py, checked: every mistake is named with what would be right."""

from roundhouse import boards, tiles
from roundhouse.games import houses
from roundhouse.palettes import PALETTES

GPIOS = tuple(range(23)) + (26, 27, 28)
# What only some of them can be, the ADC's inputs and SPI0's signals: RP2040 datasheet, table 2 of
# "GPIO functions".
OFFERED = {
    "sense": (26, 27, 28),
    "miso": (0, 4, 16, 20),
    "sck": (2, 6, 18, 22),
    "mosi": (3, 7, 19, 23),
}
LISTS = ("address", "selects", "buttons")  # of pins, the last two one for each slot

NUMBERS = {  # name -> lowest, highest
    "BRIGHTNESS": (1, 255),
    "MILLIAMPS": (50, 5000),
    "FIELDS": (1, 3),
    "NIGHT_MINUTES": (0, 1440),
    "NIGHT_BRIGHTNESS": (1, 255),
}
OTHERS = ("HOUSE", "SET", "WIRING", "STATIONS", "HINTS", "PALETTE", "SOUND", "PINS", "FAMILY")
USB = "usb"  # MILLIAMPS as the supply offers them
NAMES = OTHERS + tuple(sorted(NUMBERS))


class BadConfig(Exception):
    """config.py cannot be used; the text says which line and what it could be."""


def check(config):
    """Return (house, variants) of a config module; raise BadConfig at the first mistake.

    Afterwards config.PINS has every pin of its board, not only those that differ, and of the
    lists one pin a slot. config.LINES are the slots' lines on decoder and shift registers: with
    fewer stations M and E stay on the last two.
    """
    for name in NAMES:
        if not hasattr(config, name):
            raise BadConfig("config.py: %s is missing" % name)
    try:
        houses.families(config.FAMILY)
    except (ValueError, AttributeError, TypeError) as error:
        raise BadConfig(
            'config.py: FAMILY: %s (its form is {"name": ("jassshop", {"lock": "no"})})' % error
        ) from None
    try:
        rules = houses.parse(config.HOUSE.split())
    except (ValueError, AttributeError) as error:
        raise BadConfig("config.py: HOUSE = %r: %s" % (config.HOUSE, error)) from None
    if config.SET is not None:
        _one_of("SET", config.SET, tiles.SETS + (None,))
    _one_of("WIRING", config.WIRING, sorted(boards.PINS))
    _number("STATIONS", config.STATIONS, 2, boards.STATIONS[config.WIRING])
    for name in NUMBERS:
        if name == "MILLIAMPS" and config.MILLIAMPS == USB:
            if "sense" not in boards.PINS[config.WIRING]:
                able = " or ".join([b for b in sorted(boards.PINS) if "sense" in boards.PINS[b]])
                raise BadConfig(
                    'config.py: MILLIAMPS = "usb": only a %s hears what its supply offers;'
                    " 100 is safe" % able
                )
            continue
        _number(name, getattr(config, name), NUMBERS[name][0], NUMBERS[name][1])
    _one_of("HINTS", config.HINTS, (True, False))
    _one_of("SOUND", config.SOUND, (True, False))
    _one_of("PALETTE", config.PALETTE, sorted(PALETTES))
    _pins(config)
    return rules


def _pins(config):
    """Check config.PINS, and complete them."""
    if not isinstance(config.PINS, dict):
        raise BadConfig("config.py: PINS = %r; it is {name: GPIO number}" % (config.PINS,))
    whole = dict(boards.PINS[config.WIRING])
    for name in config.PINS:
        if name not in whole:
            names = " ".join(sorted(whole))
            raise BadConfig('config.py: PINS["%s"]: %s has %s' % (name, config.WIRING, names))
    whole.update(config.PINS)
    taken = {}
    for name in sorted(whole):
        if name == "piezo" and not config.SOUND or name == "sense" and config.MILLIAMPS != USB:
            continue
        if name in LISTS:
            whole[name] = _list(name, whole[name], config.STATIONS)
        _take(name, whole[name] if name in LISTS else (whole[name],), taken)
    config.PINS = whole
    most = boards.STATIONS[config.WIRING]
    config.LINES = tuple(range(config.STATIONS)) + (most, most + 1)


def _list(name, pins, stations):
    """Return a list's pins without those of slots that are left out."""
    count = 4 if name == "address" else stations + 2
    if not isinstance(pins, (tuple, list)) or len(pins) < count:
        raise BadConfig('config.py: PINS["%s"] wants %d pins' % (name, count))
    if name == "address":
        return pins
    return tuple(pins[:stations]) + tuple(pins[-2:])  # M and E keep their places


def _take(name, pins, taken):
    """Check that a name's pins exist, are free and can do its work; note them in taken.

    taken: {pin: name}.
    """
    for pin in pins:
        if pin not in GPIOS or pin is True or pin is False:
            raise BadConfig(
                'config.py: PINS["%s"]: there is no GP%s; a Pico has GP0..GP22 and GP26..GP28'
                % (name, pin)
            )
        if pin in taken:
            raise BadConfig('config.py: GP%d is both "%s" and "%s"' % (pin, taken[pin], name))
        taken[pin] = name
    if name in OFFERED and pins[0] not in OFFERED[name]:
        offered = " ".join(["GP%d" % n for n in OFFERED[name]])
        raise BadConfig(
            'config.py: PINS["%s"] is GP%d; it is one of %s' % (name, pins[0], offered)
        )


def _one_of(name, value, values):
    if not isinstance(value, type(values[0])) or value not in values:
        words = " ".join([str(v) for v in values])
        raise BadConfig("config.py: %s = %r; it is one of %s" % (name, value, words))


def _number(name, value, low, high):
    if not isinstance(value, int) or value is True or value is False or not low <= value <= high:
        raise BadConfig("config.py: %s = %r; it is %d..%d" % (name, value, low, high))
