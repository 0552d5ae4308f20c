# SPDX-License-Identifier: MIT
"""The rule sheets as data: complete, and as the rule matrix has them."""

from roundhouse.games import houses

OPTIONS = houses.table(0)
VARIANTS = houses.variants(0)


def refused(work, *words):
    try:
        work()
    except ValueError as error:
        for word in words:
            assert word in str(error), str(error)
        return
    raise AssertionError("accepted")


def value(option, house):
    says = {row[0]: row[3] for row in OPTIONS}
    return says[option][houses.HOUSES.index(house)]


def test_every_row_is_whole():
    for option, _point, values, says in OPTIONS:
        assert len(says) == len(houses.HOUSES), option
        for word in says:
            assert word in values, (option, word)


def test_every_option_has_another_value_somewhere():
    varied = [option for _, (option, _) in VARIANTS]
    for option, _point, _values, says in OPTIONS:
        alone = len(set(says)) == 1 and option not in varied
        assert not alone or option == "last-double", option  # M9: a family may choose it


def test_presets_of_the_sheets():
    # the rule matrix, line by line where the sheets differ
    assert [value("engine", h) for h in houses.HOUSES] == [
        "pulled",
        "pulled",
        "in-hand",
        "highest",
        "pulled",
        "any",
    ]
    assert [value("second-double", h) for h in houses.HOUSES][:5] == [
        "drawn",
        "drawn",
        "no",
        "no",
        "third",
    ]
    assert [h for h in houses.HOUSES if value("lift", h) == "yes"] == ["original"]
    assert [h for h in houses.HOUSES if value("boneyard-ends", h) == "yes"] == ["quebec"]
    assert [h for h in houses.HOUSES if value("drawn-elsewhere", h) == "yes"] == ["quebec"]
    assert [h for h in houses.HOUSES if value("penalty", h) == "caught"] == ["goliath"]
    assert [h for h in houses.HOUSES if value("not-begun", h) == "own"] == ["jassshop", "goliath"]
    assert value("first-turn", "quebec") == "starter-own"
    assert value("first-turn", "jassshop") == "own"
    assert [h for h in houses.HOUSES if value("last-two", h) == "no"] == [
        "quebec",
        "jassshop",
        "goliath",
    ]


def test_hands_of_the_sheets():
    hands = [[houses.hand_size(h, 12, n) for n in range(2, 9)] for h in range(len(houses.HOUSES))]
    assert hands[0] == hands[1] == [16, 16, 15, 14, 12, 10, 9]
    assert hands[2] == [15, 15, 15, 12, 12, 10, 10]
    assert hands[3] == [15, 15, 15, 11, 11, 8, 8]
    assert hands[4] == [16, 15, 14, 12, 11, 10, 9]
    assert [houses.hand_size(2, 12, n) for n in (9, 10)] == [8, 8]
    assert [houses.hand_size(0, 9, n) for n in (2, 3, 4)] == [15, 13, 10]


def test_hands_without_a_sheet():
    # the largest h <= 16 with seats * h <= 0.8 of the tiles besides the engine
    assert [houses.hand_size(4, 9, n) for n in (2, 3, 4)] == [16, 14, 10]
    assert [houses.hand_size(4, 6, n) for n in (2, 3, 4)] == [10, 7, 5]
    assert [houses.hand_size(4, 15, n) for n in (8, 9, 10)] == [13, 12, 10]
    assert houses.hand_size(4, 18, 9) == 16


def test_seats():
    names = houses.HOUSES
    assert [houses.most_seats(names.index("puremco"), n) for n in (6, 9, 12, 15, 18)] == [
        4,
        4,
        8,
        10,
        10,
    ]
    assert houses.most_seats(names.index("jassshop"), 12) == 10
    assert houses.most_seats(names.index("goliath"), 12) == 8
    assert houses.most_seats(names.index("original"), 9) == 4


def test_words():
    assert houses.parse(["jassshop", "no-lock", "laid-out"]) == (2, 1 << 4 | 1)
    refused(lambda: houses.parse(["monopoly"]), "monopoly", "puremco")
    refused(lambda: houses.parse([]), "puremco")
    refused(lambda: houses.parse(["puremco", "no-brakes"]), "no-brakes", "plus-points")
    refused(lambda: houses.setting(0, "colour", "red"), "colour", "second-tile")
    refused(lambda: houses.setting(0, "lock", "perhaps"), "perhaps", "yes no")


def test_a_variant_changes_its_options_alone():
    plain = houses.preset(2)
    for bit, (_, (changed_option, word)) in enumerate(VARIANTS):
        changed = houses.preset(2, 1 << bit)
        for row, entry in enumerate(OPTIONS):
            index = plain[row]
            if entry[0] == changed_option:
                place, index = houses.setting(2, entry[0], word)
                assert place == row
            assert changed[row] == index, entry[0]


def test_families_come_in_the_order_of_their_names():
    # the order of a dict is not the same on every board, and the journal keeps a house's place
    base = ("puremco", {"lock": "no"})
    for own in ({"b": base, "a": base}, {"a": base, "b": base}):
        houses.families(own)
        assert houses.HOUSES[6:] == ["a", "b"]
    houses.families({})
    assert houses.HOUSES[6:] == []


def test_a_family_house_that_is_gone_has_the_seats_of_free():
    houses.families({"grandma": ("goliath", {"lock": "no"})})
    assert houses.sheet(6) == "goliath"
    houses.families({})
    assert houses.sheet(6) == "free"
    assert houses.preset(6) == houses.preset(5)
