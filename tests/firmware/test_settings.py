# SPDX-License-Identifier: MIT
"""The repository's config.py is accepted, and every mistake is named with its remedy."""

import ast
import functools
import json
import math
import re
import types

import pytest
from hub_actions import quick_hub
from mistakes import mistakes

from host_sim.board.hub.simulated_hub import configured
from roundhouse import boards, crash, settings
from roundhouse.constants import M
from roundhouse.games import houses


def test_the_one_that_ships():
    assert settings.check(configured()) == (4, 0)
    assert settings.check(configured(WIRING="breadboard", STATIONS=8)) == (4, 0)
    assert settings.check(configured(HOUSE="jassshop no-lock")) == (2, 16)
    assert settings.check(configured(HOUSE="matador ten", SET=None)) == (8, 16)


def test_without_a_set_a_house_has_its_own():
    assert configured().SET is None, "as it ships"
    for house, set_, expected in (
        ("puremco", None, 12),
        ("matador", None, 9),
        ("matador", 12, 12),
        ("classic", 6, 6),
    ):
        board = quick_hub(configured(HOUSE=house, SET=set_))
        assert board.inputs[0]["set"] == expected, house


def test_a_family_may_start_from_the_sheet_of_any_game():
    own = {"grandma": ("matador", {"total": "ten"}), "aunt": ("quebec", {"lock": "no"})}
    try:
        found = settings.check(configured(HOUSE="grandma tie-each", FAMILY=own))
        assert found == (houses.HOUSES.index("grandma"), 256)
        board = quick_hub(configured(HOUSE="grandma", SET=None, FAMILY=own))
        line = board.inputs[0]
        assert (line["game"], line["house"], line["set"]) == ("matador", "grandma", 9)
    finally:
        houses.set_family({})


@pytest.mark.parametrize("lines, said", mistakes("config.py"))
def test_mistakes(lines, said):
    changes = {
        name: ast.literal_eval(value)
        for name, value in (line.split(" = ", 1) for line in lines.split("; "))
    }
    text = mistake(configured(**changes))
    assert said in text
    assert text.startswith("config.py: ")
    for name, value in remedies(text, changes):
        mended = {**changes, name: value}
        if name not in settings.NAMES:
            mended = {value: settings.DEFAULTS[value]}
        if value == "breadboard":  # which has room for fewer
            mended["STATIONS"] = 8
        settings.check(configured(**mended))
    houses.set_family({})


def mistake(config):
    with pytest.raises(settings.BadConfig) as error:
        settings.check(config)
    return str(error.value)


def remedies(text, changes):
    """Yield (setting, value) for each remedy in an error text; for a misspelt name, yield (name,
    right name). A text of an unknown form fails the test."""
    text = text.replace("-N", "-3")  # a number of one's own
    if "is both" in text or "needs a new name" in text or "is there twice" in text:
        return  # any other pin, any other name
    name = re.search(r"[A-Za-z_]+", text.removeprefix("config.py: ").removeprefix("there is no "))
    name = "MILLIAMPS" if "100 is safe" in text else name[0]
    if name == "STATIONS" and "as in" in text:
        yield name, ast.literal_eval(text.split("as in ")[1])
    elif "did you mean" in text:
        yield text.split("setting ")[1].split(";")[0], re.search(r"mean (\w+)\?", text)[1]
    elif "100 is safe" in text:
        yield name, 100
    elif name == "PINS":
        yield from pins_offered(text, changes)
    elif name == "FAMILY":
        yield from families_offered(text)
    elif "there are" in text:
        words = re.search(r"there are (.*)", text)[1].split()
        house = changes["HOUSE"] if "no variant" in text else ""
        yield from [
            (name, "%s %s" % (house.split()[0], word) if house else word) for word in words
        ]
    elif "in quotes, like" in text:
        yield name, re.search('"(.*)"', text)[1]
    else:
        yield from values_offered(name, text)


def values_offered(name, text):
    offer = re.search("it is (one of )?(.*?)(, with.*|, in quotes)?$", text)
    if offer[1]:
        for word in offer[2].split():
            yield (
                name,
                word
                if name in ("WIRING", "PALETTE", "READER", "COLOR_ORDER")
                else ast.literal_eval(word),
            )
    else:
        low, high = re.match(r"(\d+)\.\.(\d+)", offer[2]).groups()
        yield from ((name, int(low)), (name, int(high)))
        if "usb" in offer[2]:
            yield name, "usb"


def pins_offered(text, changes):
    if "it is {name" in text:
        yield "PINS", {"lights": 27}
        return
    key = re.search(r'PINS\["(\w+)"\]', text)[1]
    for number in re.findall(r"free: (.*)\)", text):
        for pin in number.split():
            yield "PINS", {key: int(pin[2:])}
    if "needs" in text:
        yield "PINS", {key: (0, 1, 2, 3, 8, 9)[: int(re.search(r"needs (\d+)", text)[1])]}
    elif "is not a pin" in text:
        assert "GP27 is 27" in text
        yield "PINS", {"lights": 27}
    elif "hub12 has" in text:
        for name in text.split("hub12 has ")[1].split():
            yield "PINS", {name: boards.PINS["hub12"][name]}


def families_offered(text):
    if "its form is" in text:
        yield "FAMILY", ast.literal_eval(re.search(r"its form is (.*)$", text)[1])
    elif "in quotes" in text:
        yield "FAMILY", {"aunt": ("jassshop", {"blank": re.search(r'quotes, "(.*)"$', text)[1]})}
    else:
        for word in re.search(r"there are (.*)", text)[1].split():
            base = (word, {}) if "no house" in text else ("matador", {})
            if "no option" in text:
                said = houses.options(houses.HOUSES.index("matador"))
                base[1][word] = next(values[0] for name, _, values, _ in said if name == word)
            yield "FAMILY", {"aunt": base}


def test_every_pin_that_is_offered_is_one_that_a_pico_has():
    for name, pins in settings.OFFERED.items():
        assert set(pins) <= set(settings.GPIOS), name


def test_what_the_defaults_are_config_py_says_too():
    assert vars(configured()) == settings.DEFAULTS


@pytest.mark.parametrize("name", settings.NAMES)
def test_what_is_missing_has_its_default_and_is_said_at_power_up(name):
    config = configured()
    delattr(config, name)
    board = quick_hub(config)
    said = [line for line in board.lines if "remark" in line]
    default = "%s = %r" % (name, settings.DEFAULTS[name])
    assert [line["remark"] for line in said] == [
        "config.py: %s is missing; the hub takes %s" % (name, default)
    ]
    assert board.inputs[0]["verdict"] == "ok"
    if name != "PINS":  # completed since
        assert getattr(config, name) == settings.DEFAULTS[name]
    full = configured(**{name: ast.literal_eval(default.partition(" = ")[2])})
    assert [line for line in quick_hub(full).lines if "remark" in line] == [], "as it says"


def test_an_empty_file_is_a_hub_too():
    config = types.SimpleNamespace()
    board = quick_hub(config)
    (said,) = [line["remark"] for line in board.lines if "remark" in line]
    assert said.count(", ") == 2 * (len(settings.NAMES) - 1) and " are missing; " in said
    assert board.inputs[0]["house"] == "puremco"
    board.unplug()
    assert [line["remark"] for line in board.lines if "remark" in line] == [said] * 2


def test_stations_that_are_missing_are_as_many_as_the_board_has():
    config = configured(WIRING="breadboard")
    del config.STATIONS
    settings.check(config)
    assert config.STATIONS == 8
    assert config.REMARK == "config.py: STATIONS is missing; the hub takes STATIONS = 8"


def test_a_name_of_the_makers_own_begins_with_a_line():
    assert settings.check(configured(_mine=5)) == (4, 0)


@pytest.mark.parametrize("written", ["Grandma", "gran-d2", "x" * 16, "7"])
def test_a_familys_name_is_said_by_a_card_a_line_and_config_py(written):
    own = {written: ("jassshop", {"lock": "no"})}
    try:
        board = quick_hub(configured(HOUSE=written, FAMILY=own))
        assert board.inputs[0]["house"] == written.lower()
        for said in (written, written.lower(), written.upper()):
            assert board.command("house quebec")["house"] == "quebec"
            assert board.command("house " + said)["house"] == written.lower()
            assert board.command("house quebec")["house"] == "quebec"
            assert board.tap("house " + said, "3")["verdict"] == "ok"
            assert board.command("state")["house"] == written.lower()
    finally:
        houses.set_family({})


def test_pins_that_differ_join_those_of_the_board():
    config = configured(PINS={"lights": 27, "piezo": 27}, SOUND=False)
    settings.check(config)
    assert config.PINS["lights"] == 27
    assert config.PINS["address"] == boards.PINS["hub12"]["address"]
    assert boards.PINS["hub12"]["lights"] == 28, "the board's own map stays"


def test_no_board_is_built_from_a_mistake():
    with pytest.raises(settings.BadConfig):
        quick_hub(configured(SET=13))


def test_m_and_e_keep_their_connectors_where_stations_are_left_out():
    config = configured(STATIONS=4)
    settings.check(config)
    assert config.LINES == (0, 1, 2, 3, 10, 11)
    config = configured(WIRING="breadboard", STATIONS=4)
    settings.check(config)
    settings.check(config)  # again, as at the next power-up
    assert config.PINS["selects"] == (0, 1, 2, 3, 8, 9)
    assert config.PINS["buttons"] == (10, 11, 12, 13, 22, 26)


def test_the_stations_there_are_keep_their_connectors():
    config = configured(STATIONS=(7, 1, 4, 2))
    settings.check(config)
    assert config.SLOTS == (1, 2, 4, 7, M, 0)
    assert config.LINES == (0, 1, 3, 6, 10, 11)
    for own in ({}, {"selects": (0, 1, 3, 6, 8, 9)}, {"selects": (0, 1, 14, 3, 4, 5, 6, 8, 9)}):
        config = configured(WIRING="breadboard", STATIONS=[1, 2, 4, 7], PINS=own)
        for _ in range(2):  # again, as at the next power-up
            settings.check(config)
            assert config.PINS["selects"] == (0, 1, 3, 6, 8, 9), own
            assert config.PINS["buttons"] == (10, 11, 13, 20, 22, 26)
    used = configured(WIRING="breadboard", STATIONS=(1, 4), PINS={"piezo": 2})
    settings.check(used)  # station 3's pin is free


def test_a_mistake_is_one_line_of_json_whatever_was_written(capsys):
    def lamp(pin, rgb):
        raise KeyboardInterrupt

    text = mistake(configured(HOUSE='caf\u00e9\n\x07"x'))
    with pytest.raises(KeyboardInterrupt):
        crash.blink(text, lamp)
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["error"].startswith("config.py: HOUSE = 'caf?")


def test_an_import_is_named():
    with pytest.raises(settings.BadConfig, match="import math: it needs no module; take the line"):
        settings.check(configured(math=math))


def test_a_night_brighter_than_the_day_is_said_and_put_right():
    config = configured(BRIGHTNESS=50, NIGHT_BRIGHTNESS=97)
    for _ in range(2):
        settings.check(config)
        assert config.NIGHT_BRIGHTNESS == 50
        assert config.REMARK == (
            "config.py: NIGHT_BRIGHTNESS = 97 is above BRIGHTNESS; the hub takes 50"
        )


def test_a_brightness_at_which_nothing_breathes_is_said_and_put_right():
    config = configured(NIGHT_BRIGHTNESS=1)
    for _ in range(2):
        settings.check(config)
        assert (config.BRIGHTNESS, config.NIGHT_BRIGHTNESS) == (96, 2)
        assert config.REMARK == (
            "config.py: at NIGHT_BRIGHTNESS = 1 no lamp breathes; the hub takes 2"
        )


@pytest.mark.parametrize("name", settings.NAMES)
def test_the_nearest_name_is_offered(name):
    middle = len(name) // 2
    for typed in (
        name.lower(),
        name + "XX",
        "Q" + name,
        name[:middle] + name[middle + 1 :],
        name[:middle] + "Q" + name[middle + 1 :],
    ):
        if typed != name:
            text = mistake(configured(**{typed: 5}))
            assert "there is no setting %s; did you mean %s?" % (typed, name) in text


@functools.cache
def letters_apart(one, other):
    """Return the edit distance of two words."""
    if not one or not other:
        return len(one) + len(other)
    changed = letters_apart(one[1:], other[1:]) + (one[0] != other[0])
    return min(changed, letters_apart(one[1:], other) + 1, letters_apart(one, other[1:]) + 1)


def test_no_name_is_nearer_than_the_one_that_is_offered():
    names = settings.NAMES
    words = {name[:k] + name[k + 2 :] for name in names for k in range(len(name) - 1)}
    words |= {one[: len(one) // 2] + other[len(other) // 2 :] for one in names for other in names}
    for word in sorted(words - {""}):
        offered = letters_apart(word, crash.nearest(word, settings.NAMES))
        assert offered == min(letters_apart(word, name) for name in names), word
