# SPDX-License-Identifier: MIT
"""The rule sheets as data: complete, and equal to the rule matrix."""

from positions import do, new

from host_sim.table.games import house_info
from roundhouse import games, tiles
from roundhouse.games import houses
from roundhouse.games.match import Match

CLASSIC = houses.HOUSES.index("classic")
TRAINS = houses.HOUSES[:CLASSIC]  # Mexican Train's sheets
LINES = list(games.sheets(1).HOUSES)
SHEETS = LINES[:5]  # of the rule matrix
OWN = len(houses.HOUSES)  # where a family's houses begin
OPTIONS = houses.options(0)


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


def line_value(option, house):
    says = {row[0]: row[3] for row in houses.options(CLASSIC)}
    return says[option][LINES.index(house)]


def test_the_sheets_of_all_games_and_the_game_of_each():
    # A kept match knows them by their places: a new one comes last.
    assert TRAINS == ["original", "quebec", "jassshop", "goliath", "puremco", "free", "cardinal"]
    assert LINES[:5] == ["classic", "matador", "tiddle-a-wink", "draw", "block"]
    games = [house_info.game(n) for n in range(len(TRAINS + LINES))]
    assert games == ["mexican-train"] * len(TRAINS) + LINES
    places = [(0, n, "") for n in range(len(TRAINS))] + [(1, n, "") for n in range(len(LINES))]
    assert [houses.identify(n) for n in range(len(places))] == places


def test_every_row_is_whole():
    for house in (0, CLASSIC):
        for option, _point, values, says in houses.options(house):
            assert len(says) == len(TRAINS if house == 0 else LINES), option
            assert set(says) <= set(values), option


def test_every_option_has_another_value_somewhere():
    for house in (0, CLASSIC):
        varied = [change[0] for _, change in houses.variants(house)]
        for option, _point, _values, says in houses.options(house):
            assert len(set(says)) > 1 or option in varied, option


def test_every_word_of_the_sheets_can_be_chosen():
    for house in (0, CLASSIC):
        assert 14 <= len(houses.variants(house)) <= 32, "the state has so many bits"
        for bit, (_, change) in enumerate(houses.variants(house)):
            if len(change) > 1:
                ((row, place),) = houses.lookup(houses.options(house), *change)
                assert houses.preset(house, 1 << bit)[row] == place
            assert Match(house, 1 << bit).variants == 1 << bit


def test_presets_of_the_sheets():
    # the rule matrix, line by line where the sheets differ
    assert [value("engine", h) for h in TRAINS] == [
        "pulled",
        "pulled",
        "in-hand",
        "highest",
        "pulled",
        "any",
        "in-hand",
    ]
    assert [value("second-double", h) for h in TRAINS][:5] == [
        "drawn",
        "drawn",
        "no",
        "no",
        "third",
    ]
    assert [h for h in TRAINS if value("lift", h) == "yes"] == ["original"]
    assert [h for h in TRAINS if value("boneyard-ends", h) == "yes"] == ["quebec"]
    assert [h for h in TRAINS if value("drawn-elsewhere", h) == "yes"] == ["quebec"]
    assert [h for h in TRAINS if value("penalty", h) == "caught"] == ["goliath"]
    assert [h for h in TRAINS if value("not-begun", h) == "own"] == ["jassshop", "goliath"]
    assert value("first-turn", "quebec") == "starter-own"
    assert value("first-turn", "jassshop") == "own"
    assert [h for h in TRAINS if value("last-two", h) == "no"] == [
        "quebec",
        "jassshop",
        "goliath",
        "cardinal",
    ]
    differs = {row[0] for row in OPTIONS if value(row[0], "cardinal") != value(row[0], "jassshop")}
    assert differs == {"first-turn", "not-begun"}


def test_hands_of_the_sheets():
    hands = [[house_info.hand_size(h, 12, n) for n in range(2, 9)] for h in range(7)]
    assert hands[0] == hands[1] == [16, 16, 15, 14, 12, 10, 9]
    assert hands[2] == [15, 15, 15, 12, 12, 10, 10]
    assert hands[3] == [15, 15, 15, 11, 11, 8, 8]
    assert hands[4] == [16, 15, 14, 12, 11, 10, 9]
    assert hands[6] == [15, 15, 15, 12, 12, 11, 11]
    for house in (2, 3):
        assert [house_info.hand_size(house, 12, n) for n in (9, 10)] == [8, 8]
    assert [house_info.hand_size(3, 15, n) for n in (9, 10)] == [12, 10], "by the formula"
    assert [house_info.hand_size(0, 9, n) for n in (2, 3, 4)] == [15, 13, 10]


def test_hands_without_a_sheet():
    # the largest h <= 16 with seats * h <= 0.8 of the tiles besides the engine
    assert [house_info.hand_size(4, 9, n) for n in (2, 3, 4)] == [16, 14, 10]
    assert [house_info.hand_size(4, 6, n) for n in (2, 3, 4)] == [10, 7, 5]
    assert [house_info.hand_size(4, 15, n) for n in (8, 9, 10)] == [13, 12, 10]
    assert house_info.hand_size(4, 18, 9) == 16


def test_seats():
    # A1, A6, M1, M17, with each of the sets
    seats = {
        "original": [4, 4, 8, 8, 8],
        "quebec": [4, 4, 8, 8, 8],
        "jassshop": [10] * 5,
        "goliath": [10] * 5,
        "puremco": [4, 4, 8, 14, 14],
        "free": [14] * 5,
        "cardinal": [8] * 5,
    }
    for house in TRAINS:
        number = houses.HOUSES.index(house)
        assert [house_info.most_seats(number, n) for n in tiles.SETS] == seats[house], house


HANDS_BY_THE_FORMULA = {  # of puremco: [(tiles for each of 2, 3 ... 14 seats, boneyard), ...]
    15: [(16, 103), (16, 87), (16, 71), (16, 55), (16, 39), (15, 30), (13, 31), (12, 27), (10, 35)]
    + [(9, 36), (9, 27), (8, 31), (7, 37)],
    18: [(16, 189 - 16 * seats) for seats in range(2, 10)]
    + [(15, 39), (13, 46), (12, 45), (11, 46), (10, 49)],
}


def test_hands_of_two_to_fourteen_seats():
    house = houses.HOUSES.index("puremco")
    for set_, dealt in HANDS_BY_THE_FORMULA.items():
        assert house_info.hands(house, 0, set_) == [hand for hand, _ in dealt]
        for seats, (hand, boneyard) in enumerate(dealt, 2):
            assert house_info.hand_size(house, set_, seats) == hand
            assert house_info.left("puremco", set_, seats) == boneyard
            t = Match(house, set_=set_)
            do(t, ", ".join("press %d" % seat for seat in range(1, seats + 1)) + ", press E")
            assert [t.hand(seat) for seat in range(1, seats + 1)] == [hand] * seats
            assert t.boneyard == boneyard, (set_, seats)


def test_an_own_deal_seats_as_many_as_its_tiles_allow():
    deal = "deal-16-15-14-12-11-10-9-8-8"
    for house in TRAINS:
        apart = 0 if value("engine", house) in ("in-hand", "highest") else 1
        for set_ in tiles.SETS:
            hands = house_info.hands(*houses.parse([house, deal]), set_)
            numbers = [16, 15, 14, 12, 11, 10, 9, 8, 8, 8, 8, 8, 8]
            enough = [n * hand <= tiles.size(set_) - apart for n, hand in enumerate(numbers, 2)]
            wanted = [hand if fits else 0 for hand, fits in zip(numbers, enough)]
            while wanted and not wanted[-1]:
                wanted.pop()
            assert hands == wanted, (house, set_)
    assert len(house_info.hands(*houses.parse(["puremco", deal]), 12)) == 10, "for eleven seats"
    assert len(house_info.hands(*houses.parse(["goliath", deal]), 15)) == 13, "for fourteen"


def test_a_deal_has_a_number_for_each_count_of_seats():
    numbers = [str(n) for n in range(16, 16 - 13, -1)]
    house, variants = houses.parse(["puremco", "deal-" + "-".join(numbers)])
    assert house_info.hands(house, variants, 18) == list(map(int, numbers))
    said = dict(house_info.in_words(house, houses.preset(house, variants)))
    assert said["deal"] == " ".join(numbers)
    numbers.append("3")
    refused(lambda: houses.parse(["puremco", "deal-" + "-".join(numbers)]), "1 to 13 words")


def test_the_line_games_as_the_sheet_has_them():
    assert [line_value("doubles", h) for h in SHEETS] == ["every", "two", "two", "two", "two"]
    assert [h for h in SHEETS if line_value("join", h) == "sum"] == ["matador"]
    assert [h for h in SHEETS if line_value("opening", h) == "any"] == ["matador"]
    assert [h for h in SHEETS if line_value("draw", h) == "none"] == ["tiddle-a-wink", "block"]
    assert [h for h in SHEETS if line_value("again", h) == "double"] == ["tiddle-a-wink"]
    assert [h for h in SHEETS if line_value("target", h) == "200"] == ["tiddle-a-wink"]
    for option, word in (("total", "set"), ("tie", "none"), ("hand", "sheet"), ("blank", "0")):
        assert [line_value(option, h) for h in SHEETS] == [word] * 5


def test_seats_hands_and_sets_of_the_line_games():
    # C15, C16, X1, X2, W6, W8
    seats = {
        "classic": [4, 6, 7, 7, 7],
        "matador": [4, 8, 8, 8, 8],
        "tiddle-a-wink": [5, 10, 10, 10, 10],
        "draw": [4, 6, 7, 7, 7],
        "block": [4, 6, 7, 7, 7],
    }
    hands = {
        "classic": [[5] * 3, [7] * 5, [9] * 6, [9] * 6, [9] * 6],
        "matador": [[7, 6, 5]] + [[7, 7, 7, 7, 7, 5, 5]] * 4,
        "tiddle-a-wink": [[5] * 4] + [[5] * 9] * 4,
    }
    hands["draw"] = hands["block"] = hands["classic"]
    for name in SHEETS:
        house = houses.HOUSES.index(name)
        most = [house_info.most_seats(house, set_) for set_ in tiles.SETS]
        assert most == seats[name]
        for set_, n, dealt in zip(tiles.SETS, most, hands[name]):
            assert [house_info.hand_size(house, set_, k) for k in range(2, n + 1)] == dealt
            assert n * dealt[-1] <= tiles.size(set_)
        assert house_info.own_set(house) == (9 if name == "matador" else 12)
    assert [house_info.own_set(n) for n in range(CLASSIC)] == [12] * CLASSIC


def test_words():
    assert houses.parse(["jassshop", "no-lock", "laid-out"]) == (2, 1 << 4 | 1)
    refused(lambda: houses.parse(["monopoly"]), "monopoly", "puremco")
    refused(lambda: houses.parse([]), "puremco")
    refused(lambda: houses.parse(["puremco", "no-brakes"]), "no-brakes", "plus-points")
    assert houses.parse(["classic", "first-double", "to-61"]) == (CLASSIC, 1 << 1 | 1 << 11)
    refused(lambda: houses.parse(["classic", "no-lock"]), "no-lock", "tie-each")
    refused(lambda: houses.parse(["puremco", "ten"]), "ten", "plus-points")
    refused(lambda: houses.lookup(houses.options(CLASSIC + 1), "lock", "no"), "lock", "join")
    refused(lambda: houses.lookup(houses.options(0), "colour", "red"), "colour", "second-tile")
    refused(lambda: houses.lookup(houses.options(0), "lock", "perhaps"), "perhaps", "yes no")


def test_a_variant_changes_its_options_alone():
    plain = houses.preset(2)
    for bit, (_, change) in enumerate(houses.variants(2)):
        if len(change) < 2:  # with numbers
            continue
        changed_option, word = change
        changed = houses.preset(2, 1 << bit)
        for row, entry in enumerate(OPTIONS):
            index = plain[row]
            if entry[0] == changed_option:
                ((place, index),) = houses.lookup(houses.options(2), entry[0], word)
                assert place == row
            assert changed[row] == index, entry[0]


def test_families_come_in_the_order_of_their_names():
    # the order of a dict is not the same on every board
    base = ("puremco", {"lock": "no"})
    for own in ({"b": base, "a": base}, {"a": base, "b": base}):
        houses.set_family(own)
        assert houses.HOUSES[OWN:] == ["a", "b"]
    houses.set_family({})
    assert houses.HOUSES[OWN:] == []


def test_a_family_may_play_every_game_by_its_own_rules():
    houses.set_family({"grandma": ("matador", {"total": "ten", "tie": "each"})})
    try:
        house = houses.HOUSES.index("grandma")
        assert (house_info.sheet(house), house_info.game(house)) == ("matador", "matador")
        assert houses.identify(house) == (1, 1, "grandma")
        assert house_info.own_set(house) == 9
        words = dict(house_info.in_words(house, houses.preset(house)))
        assert (words["total"], words["tie"], words["join"]) == ("ten", "each", "sum")
        variant = houses.parse(["grandma", "tie-shared"])
        assert dict(house_info.in_words(house, houses.preset(*variant)))["tie"] == "shared"
    finally:
        houses.set_family({})


def test_a_variant_changes_the_answers_about_its_house():
    for words, hand in (("puremco", 10), ("puremco deal-9", 9), ("puremco deal-any", None)):
        hands = house_info.hands(*houses.parse(words.split()), 6)
        assert (hands and hands[0]) == hand, words


def test_a_family_changes_the_answers_about_its_houses():
    """Neither a name nor a number keeps the answers of the rules that it had before."""

    def answers(name, base, **changes):
        houses.set_family({name: (base, changes)})
        house = houses.HOUSES.index(name)
        assert house == OWN
        hands = house_info.hands(house, 0, 6)
        return house_info.sheet(house), house_info.own_set(house), hands and hands[0]

    try:
        for _ in range(2):
            assert answers("aunt", "puremco") == ("puremco", 12, 10)
            assert answers("aunt", "puremco", deal="9") == ("puremco", 12, 9)
            assert answers("aunt", "puremco", deal="any") == ("puremco", 12, None)
            assert answers("aunt", "matador")[:2] == ("matador", 9)
            assert answers("grandma", "goliath")[:2] == ("goliath", 12)
            for deal in (5, 4):
                house, _ = houses.parse(["puremco", "deal=%d" % deal])
                assert house_info.hands(house, 0, 6)[0] == deal
    finally:
        houses.set_family({})


def test_a_familys_house_deals_what_its_sheet_says():
    # A4, A5: three would get 16 each by the rule for hands without a sheet, not 15
    houses.set_family({"grandma": ("puremco", {"lock": "no"})})
    try:
        t = new("grandma")
        do(t, "press 1, press 2, press 3, press E")
        assert [t.hand(seat) for seat in (1, 2, 3)] == [15] * 3
    finally:
        houses.set_family({})


def test_a_word_and_an_option_are_judged_alike():
    """`first-9` and `first-engine=9`, with each variant, in each house; and in FAMILY. After a
    refused line the houses are as before."""
    for house in houses.HOUSES[:OWN]:
        number = houses.HOUSES.index(house)
        for word, option, value in (
            ("first-9", "first-engine", "9"),
            ("rounds-3", "rounds", "3"),
            ("deal-9-8", "deal", "9 8"),
        ):
            if option not in [row[0] for row in houses.options(number)]:
                continue
            words = [one for one, _ in houses.variants(number) if one[-2:] != "-N"]
            for variants in [[]] + [[one] for one in words]:
                by_word = taken([house] + variants + [word])
                changed = "%s=%s" % (option, value.replace(" ", "-"))
                assert taken([house] + variants + [changed]) == by_word, (house, variants, word)
                assert (games.added != "") == by_word, "a refused line leaves nothing behind"
                houses.set_family({"grandma": (house, {option: value})})
                assert taken(["grandma"] + variants) == by_word, (house, variants, word)
                houses.set_family({})


def taken(words):
    try:
        houses.parse(words)
    except ValueError:
        return False
    return True


def test_what_a_family_cannot_have():
    for own, said in (
        ({"grandma": ("chess", {})}, "matador"),
        ({"grandma": ("matador", {"lock": "no"})}, "join"),
        ({"grandma": ("puremco", {"join": "sum"})}, "lock"),
        ({"matador": ("puremco", {})}, "new name"),
        ({"grand ma": ("puremco", {})}, "new name"),
        ({"grandmother-s-own": ("puremco", {})}, "16 letters"),
        ({"own-%d" % n: ("puremco", {}) for n in range(11)}, "10 houses"),
    ):
        refused(lambda own=own: houses.set_family(own), said)
        houses.set_family({})
    assert games.family == {}
