# SPDX-License-Identifier: MIT
"""Checks config.py: names a mistake and what would be right."""

from roundhouse import boards, tiles
from roundhouse.constants import USUAL_STATIONS, E, M
from roundhouse.drivers.reader import CHIPS
from roundhouse.games import houses
from roundhouse.palettes import PALETTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


GPIOS: tuple[int, ...] = tuple(range(23)) + (26, 27, 28)
# GPIOs that can be an ADC input or a signal of SPI0: RP2040 datasheet, table 2 of "GPIO
# functions".
OFFERED: dict[str, tuple[int, ...]] = {
    "sense": (26, 27, 28),
    "miso": (0, 4, 16, 20),
    "sck": (2, 6, 18, 22),
    "mosi": (3, 7, 19),
}
LISTS = ("address", "selects", "buttons")  # lists of pins; the last two have one for each slot

# settings that config.py leaves out; the config.py that ships has the same values
DEFAULTS: "dict[str, Any]" = {
    "HOUSE": "puremco",
    "SET": None,
    "FAMILY": {},
    "WIRING": boards.USUAL,
    "STATIONS": USUAL_STATIONS,  # or as many as the board has
    "ENGINE_SLOT": True,
    "BRIGHTNESS": 96,
    "MILLIAMPS": 500,
    "COLOR_ORDER": "GRB",
    "HINTS": True,
    "PALETTE": "standard",
    "NIGHT_MINUTES": 15,
    "NIGHT_BRIGHTNESS": 24,
    "READER": "mfrc522",
    "FIELDS": 3,
    "BAUD": 4000000,
    "SOUND": True,
    "PINS": {},
}
NAMES: tuple[str, ...] = tuple(sorted(DEFAULTS))
NUMBERS = {  # name -> lowest, highest
    "BRIGHTNESS": (1, 255),
    "MILLIAMPS": (50, 5000),
    "FIELDS": (1, 4),
    "BAUD": (500000, 8000000),
    "NIGHT_MINUTES": (0, 1440),
    "NIGHT_BRIGHTNESS": (1, 255),
}
FAINTEST = 2  # of 255; at 1 every lit lamp is the same, and none is seen to breathe
ORDERS = ("GRB", "RGB", "BGR", "RBG", "GBR", "BRG")  # of a pixel's colours on the wire
USB = "usb"  # MILLIAMPS: what the supply offers
MADE = ("LINES", "REMARK", "SLOTS")  # added by `check`
FORM = '{"name": ("jassshop", {"lock": "no"})}'  # of FAMILY


class BadConfig(Exception):
    """Raised for a mistake in config.py. The text names the setting and its valid values."""


def check(config: "Any") -> tuple[int, int]:
    """Check a config module, and return (house, variants). Raise BadConfig at the first mistake.

    Afterwards config has every setting. config.REMARK names those that were missing or replaced,
    or is "". config.SLOTS lists the slots: stations, M, E. config.PINS has every pin of the board;
    its lists, except `address`, have one pin per slot. config.LINES has each slot's line on the
    decoders and shift registers, if the board has any. Without ENGINE_SLOT, pins and lines end
    with those of M.
    """
    _complete(config)
    _one_of("ENGINE_SLOT", config.ENGINE_SLOT, (True, False))
    config.SLOTS = _stations(config.STATIONS, boards.STATIONS[config.WIRING]) + (M, E)
    for name in NUMBERS:
        if name == "MILLIAMPS" and config.MILLIAMPS == USB:
            _sense(config.WIRING)
        else:
            _number(name, getattr(config, name), NUMBERS[name][0], NUMBERS[name][1])
    for name in ("BRIGHTNESS", "NIGHT_BRIGHTNESS"):
        if getattr(config, name) < FAINTEST:
            _remark(config, "at %s = 1 no lamp breathes; the hub takes %d" % (name, FAINTEST))
            setattr(config, name, FAINTEST)
    if config.NIGHT_BRIGHTNESS > config.BRIGHTNESS:
        _remark(
            config,
            "NIGHT_BRIGHTNESS = %d is above BRIGHTNESS; the hub takes %d"
            % (config.NIGHT_BRIGHTNESS, config.BRIGHTNESS),
        )
        config.NIGHT_BRIGHTNESS = config.BRIGHTNESS
    if config.SET is not None:
        _one_of("SET", config.SET, tiles.SETS + (None,))
    _one_of("READER", config.READER, CHIPS)
    _one_of("COLOR_ORDER", config.COLOR_ORDER, ORDERS)
    _one_of("HINTS", config.HINTS, (True, False))
    _one_of("SOUND", config.SOUND, (True, False))
    _one_of("PALETTE", config.PALETTE, sorted(PALETTES))
    rules = _rules(config)
    _pins(config)
    return rules


def _remark(config: "Any", text: str) -> None:
    config.REMARK = (config.REMARK + "; " if config.REMARK else "config.py: ") + text


def _stations(there: "Any", most: int) -> tuple[int, ...]:
    """Return the stations, ascending, that STATIONS (a count or a list) stands for."""
    if not isinstance(there, (tuple, list)):
        _number("STATIONS", there, 2, most)
        return tuple(range(1, there + 1))
    for n in there:
        if not isinstance(n, int) or n is True or n is False or not 1 <= n <= most:
            raise BadConfig(
                "config.py: STATIONS = %r: %r is not a station; each of them is 1..%d, as in "
                "(1, 2, 4, 7)" % (there, n, most)
            )
        if there.count(n) > 1:
            raise BadConfig("config.py: STATIONS = %r: station %d is there twice" % (there, n))
    if len(there) < 2:
        raise BadConfig(
            "config.py: STATIONS = %r; it is two stations at least, as in (1, 2)" % (there,)
        )
    return tuple(sorted(there))


def _complete(config: "Any") -> None:
    """Check the names of the settings, and give missing settings their defaults."""
    remarks = []
    for name in list(config.__dict__):  # dir() would ask it for every name there is
        if not name.startswith("_") and name not in NAMES and name not in MADE:
            from roundhouse import crash

            raise BadConfig(crash.setting(name, getattr(config, name), NAMES))
    missing = [name for name in NAMES if not hasattr(config, name)]
    for name in missing:
        setattr(config, name, DEFAULTS[name])
    _one_of("WIRING", config.WIRING, sorted(boards.PINS))
    if "STATIONS" in missing:
        config.STATIONS = min(config.STATIONS, boards.STATIONS[config.WIRING])
    if missing:
        takes = ", ".join(["%s = %r" % (name, getattr(config, name)) for name in missing])
        what = ", ".join(missing) + (" is" if len(missing) == 1 else " are")
        remarks.append("%s missing; the hub takes %s" % (what, takes))
    if missing or not hasattr(config, "REMARK"):  # keep the one of an earlier check
        config.REMARK = "config.py: " + "; ".join(remarks) if remarks else ""


def _sense(wiring: str) -> None:
    """Called for MILLIAMPS = "usb". Raise BadConfig if the board cannot measure what the supply
    offers."""
    if "sense" not in boards.PINS[wiring]:
        able = " or ".join([b for b in sorted(boards.PINS) if "sense" in boards.PINS[b]])
        raise BadConfig(
            'config.py: MILLIAMPS = "usb": only a %s hears what its supply offers; 100 is safe'
            % able
        )


def _rules(config: "Any") -> tuple[int, int]:
    """Add the houses of FAMILY to the known houses; return (house, variants) for HOUSE."""
    if not isinstance(config.FAMILY, dict):
        raise BadConfig("config.py: FAMILY = %r; its form is %s" % (config.FAMILY, FORM))
    own = {}
    for name, house in config.FAMILY.items():
        small = name.lower() if houses.is_name(name) else ""
        if not small or small in own:
            raise BadConfig("config.py: FAMILY: %s: %s" % (name, houses.NAMED))
        own[small] = house
        if (
            not isinstance(house, (tuple, list))
            or len(house) != 2
            or not isinstance(house[1], dict)
        ):
            raise BadConfig('config.py: FAMILY["%s"] = %r; its form is %s' % (name, house, FORM))
        for option, word in house[1].items():
            if not isinstance(word, str):
                raise BadConfig(
                    'config.py: FAMILY["%s"]: "%s": %r; it is text in quotes, "%s"'
                    % (name, option, word, word)
                )
    try:
        houses.set_family(own)
    except ValueError as error:
        raise BadConfig("config.py: FAMILY: %s" % error) from None
    if not isinstance(config.HOUSE, str):
        raise BadConfig(
            'config.py: HOUSE = %r; it is text in quotes, like "%s"'
            % (config.HOUSE, DEFAULTS["HOUSE"])
        )
    words = config.HOUSE.lower().split()
    for word in words:
        if words.count(word) > 1:
            raise BadConfig("config.py: HOUSE = %r: %s is there twice" % (config.HOUSE, word))
    try:
        return houses.parse(words)
    except ValueError as error:
        raise BadConfig("config.py: HOUSE = %r: %s" % (config.HOUSE, error)) from None


def _pins(config: "Any") -> None:
    """Check config.PINS, and add the pins of the board that it lacks."""
    if not isinstance(config.PINS, dict):
        raise BadConfig("config.py: PINS = %r; it is {name: GPIO number}" % (config.PINS,))
    whole: dict[str, Any] = dict(boards.PINS[config.WIRING])
    for name in config.PINS:
        if name not in whole:
            names = " ".join(sorted(whole))
            raise BadConfig('config.py: PINS["%s"]: %s has %s' % (name, config.WIRING, names))
    whole.update(config.PINS)
    taken: dict[int, str] = {}
    for name in sorted(whole):
        if name in LISTS:
            whole[name] = _list(name, whole[name], config.SLOTS[:-2], 1 + config.ENGINE_SLOT)
        idle = name == "piezo" and not config.SOUND or name == "sense" and config.MILLIAMPS != USB
        _take(name, whole[name] if name in LISTS else (whole[name],), {} if idle else taken)
    for pin, name in sorted(taken.items()):
        if name in OFFERED and pin not in OFFERED[name]:
            offered = " ".join(["GP%d" % n for n in OFFERED[name]])
            free = " ".join(["GP%d" % n for n in OFFERED[name] if n not in taken])
            raise BadConfig(
                'config.py: PINS["%s"] is GP%d; it is one of %s (free: %s)'
                % (name, pin, offered, free or "none")
            )
    config.PINS = whole
    lines = boards.LINES.get(config.WIRING, ())
    if lines:
        more = lines[-2:][: 1 + config.ENGINE_SLOT]
        lines = tuple([lines[n - 1] for n in config.SLOTS[:-2]]) + more
    config.LINES = lines


def _list(name: str, pins: "Any", stations: tuple[int, ...], more: int) -> "Sequence[Any]":
    """Return the pins under `name` in config.PINS, without the pins of slots not in use. Raise
    BadConfig for a wrong count.

    pins: the pins of the slots in use; or of all stations from 1 to at least the last in use, then
        of M and E.
    more: how many slots besides the stations are in use: 2 are M and E, 1 is M.
    """
    count = 4 if name == "address" else len(stations) + more
    has = len(pins) if isinstance(pins, (tuple, list)) else 0
    if name == "address" or has == count:
        if has != count:
            raise BadConfig('config.py: PINS["%s"] needs %d pins' % (name, count))
        return pins
    if has < stations[-1] + 2:
        raise BadConfig('config.py: PINS["%s"] needs %d pins' % (name, count))
    return tuple([pins[n - 1] for n in stations]) + tuple(pins[-2:][:more])


def _take(name: str, pins: "Sequence[Any]", taken: dict[int, str]) -> None:
    """Check that the pins of a signal exist and are free; add them to `taken`, {pin: name}."""
    for pin in pins:
        if not isinstance(pin, int) or pin is True or pin is False:
            raise BadConfig(
                'config.py: PINS["%s"]: %r is not a pin; it is a whole number without quotes, '
                "GP27 is 27" % (name, pin)
            )
        if pin not in GPIOS:
            raise BadConfig(
                'config.py: PINS["%s"]: there is no GP%d; a Pico has GP0..GP22 and GP26..GP28'
                % (name, pin)
            )
        if pin in taken:
            raise BadConfig('config.py: GP%d is both "%s" and "%s"' % (pin, taken[pin], name))
        taken[pin] = name


def _one_of(name: str, value: object, values: "Sequence[object]") -> None:
    """Raise BadConfig unless a setting's value is one of `values` and has the type of the first
    value."""
    if not isinstance(value, type(values[0])) or value not in values:
        words = " ".join([str(v) for v in values])
        more = _written(value)
        if isinstance(values[0], str):
            more = "" if isinstance(value, str) else ", in quotes"
        raise BadConfig("config.py: %s = %r; it is one of %s%s" % (name, value, words, more))


def _number(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or value is True or value is False or not low <= value <= high:
        more = ' or "usb"' if name == "MILLIAMPS" else _written(value)
        raise BadConfig("config.py: %s = %r; it is %d..%d%s" % (name, value, low, high, more))


def _written(value: object) -> str:
    """Return a hint for an error text about a number: "without quotes" for a str, "without a
    point" for a float, else ""."""
    if isinstance(value, str):
        return ", without quotes"
    return ", without a point" if isinstance(value, float) else ""
