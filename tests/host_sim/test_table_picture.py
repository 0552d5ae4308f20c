# SPDX-License-Identifier: MIT
"""The picture of the table: every tile once, within the picture, and legible."""

import copy
import functools
import itertools
import math
import operator
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import hub_actions
import pytest

from host_sim.__main__ import main
from host_sim.app.handouts import table_poster
from host_sim.app.players import lamp_verified_match
from host_sim.app.views import lamp_css, lamp_text, legend, table_picture, tile_faces
from host_sim.app.views.i18n import LAMPS, LANGUAGES, Translator
from host_sim.app.views.lamp_css import contrast
from host_sim.app.views.stable_layout import KeptLayout
from host_sim.app.views.table_names import first_names
from host_sim.app.views.table_picture import SEAT_COLOURS, SQUARE
from host_sim.commands import picture
from host_sim.table.model import TableModel
from roundhouse import lamp_letters
from roundhouse.constants import MOST_SEATS

PICTURES = Path(table_picture.__file__).resolve().parent / "pictures"
ROOMS = ((390, 400), (900, 700), (1300, 1000))
PHONE = ROOMS[0]
FOURTEEN_NAMES = (
    *("Christopher Lee", "Ana", "Bartholomew", "Zoe", "Wilhelmina", "Ulla", "Maximiliane"),
    *("Ida", "Jo-Anne", "Ben", "Mamie Lucie", "Grandmother", "Leo", "Kim"),
)
MATCHES = (
    *(("puremco", 12, 2), ("puremco", 12, 8), ("jassshop", 15, 10), ("puremco", 18, 14)),
    ("classic", 12, 4),
)


def seen_after(text):
    table = TableModel()
    *lines, state = hub_actions.played(text + "say state\n").lines
    for line in lines:
        table.take(line)
    if lines:  # the lamps as they answered, before `state` was asked
        state = {**state, "lamps": lines[-1]["lamps"]}
    table.take(state)
    return table


def whole_rounds(house, set_, players):
    """Return the models of the table after every input in a round of bots."""
    moments = []
    table = TableModel()

    def told(said, line, board, match):
        table.take(line)
        moments.append(copy.copy(table))
        moments[-1].trains = copy.deepcopy(table.trains)

    lamp_verified_match.play(house, set_, players, 1, 3, told)
    return moments


SMALLEST, *LARGER = MATCHES


@pytest.fixture(
    scope="module",
    params=[SMALLEST, *(pytest.param(one, marks=pytest.mark.slow) for one in LARGER)],
    ids=str,
)
def moments(request):
    """Return every seventh model of a round, the last one included."""
    return whole_rounds(*request.param)[::-1][::7]


def parsed(image):
    return ElementTree.fromstring(re.sub(r'\sxmlns="[^"]*"', "", image))


def tiles_in(image):
    return sorted(re.findall(r'<g class="laid[^"]*" data-tile="([^"]*)"', image))


def on_table(seen):
    tiles = [tile for train in seen.trains.values() for tile in train]
    return sorted(tiles + ([seen.state["engine"]] if seen.state["engine"] else []))


def groups(image, kind):
    found = parsed(image).iter()
    return [one for one in found if kind in one.get("class", "").split()]


# ---- all that is on the table, once ----


@pytest.mark.slow
def test_every_tile_is_drawn_once(moments):
    for seen in moments:
        for room in ROOMS:
            assert tiles_in(table_picture.svg(seen, room=room)) == on_table(seen)


@pytest.mark.slow
def test_everything_lies_within_the_room(moments):
    for seen in moments:
        for room in ROOMS:
            image = table_picture.svg(seen, room=room)
            for x, y in re.findall(
                r'data-tile="[^"]*" transform="translate\((\S+) (\S+)\)', image
            ):
                assert 0 < float(x) < room[0] and 0 < float(y) < room[1]


def test_tiles_do_not_lie_on_each_other(moments):
    """Two tiles' centres are at least a tile's width apart, unless both are in a pile."""
    place = re.compile(
        r'data-tile="[^"]*" transform="translate\((\S+) (\S+)\) rotate\(\S+\) scale\((\S+)\)">'
        r"(?!<g)"
    )
    for seen in moments:
        laid = [tuple(map(float, one)) for one in place.findall(table_picture.svg(seen))]
        for n, (x, y, scale) in enumerate(laid):
            for other in laid[:n]:
                apart = ((x - other[0]) ** 2 + (y - other[1]) ** 2) ** 0.5
                assert apart >= 20 * min(scale, other[2]), (laid[n], other)


def test_the_last_tile_is_always_seen(moments):
    for seen in moments:
        image = table_picture.svg(seen, room=PHONE)
        for slot, train in seen.trains.items():
            if train:
                drawn = image.partition('data-slot="%s"' % slot)[2].partition('class="slot')[0]
                last = drawn.partition('data-tile="%s"' % train[-1])[2].partition('class="')[2]
                assert last.startswith("edge"), "a face, not in the pile: %s" % train[-1]


def test_a_picture_is_told_once_and_again_the_same(moments):
    for seen in moments:
        assert table_picture.svg(seen) == table_picture.svg(seen)


# ---- slots ----

FOUR = "house puremco\nplayers 1 3 5 7\ngiven engine 12-12\ngiven train 3 12-4\ngiven turn 3\n"


def slots_in(image):
    return [group.get("data-slot") for group in groups(image, "slot")]


def test_only_the_stations_in_play():
    image = table_picture.svg(seen_after(FOUR + "tap 4-5 3\n"))
    assert slots_in(image) == ["1", "3", "5", "7", "M", "E"]


def test_in_the_lobby_every_station_is_there_to_sit_down():
    image = table_picture.svg(seen_after("press 2\n"), {"2": "Bo", "3": "Zoe"})
    assert slots_in(image) == [*map(str, range(1, 11)), "M", "E"]
    assert ">Bo</textPath>" in image
    assert "Zoe" not in image, "who has not sat down"


def test_a_slot_says_where_to_lay_and_who_sits_there():
    seen = seen_after(FOUR + "tap 4-5 3\n")
    image = table_picture.svg(seen, {"3": "Zoe & <Bo>"}, marked={"3"})
    zoe = next(group for group in groups(image, "slot") if group.get("data-slot") == "3")
    assert zoe.get("data-do") == "slot 3" and zoe.get("data-drop") == "3"
    button = groups(ElementTree.tostring(zoe, "unicode"), "button")[0]
    assert button.get("role") == "button" and button.get("tabindex") == "0"
    label = button.get("aria-label")
    assert label.startswith("Zoe & <Bo 13, Zoe & <Bo>, 13 tiles in hand, Station 3, "), (
        "what is written on the plate comes first, so that it can be asked for"
    )
    assert "your tile fits here" in label
    assert "marked" in zoe.get("class").split()


def label_of(image, slot):
    """Return the text that a screen reader reads for a slot."""
    found = next(one for one in groups(image, "slot") if one.get("data-slot") == slot)
    return groups(ElementTree.tostring(found, "unicode"), "button")[0].get("aria-label")


def test_a_slot_says_that_it_is_open_and_which_double_is_due():
    seen = seen_after(FOUR + "tap 4-4 3\npress 3\npress 3\n")
    assert seen.state["doubles"] == ["3"] and "3" in seen.state["open"]
    label = label_of(table_picture.svg(seen, {"3": "Zoe"}), "3")
    assert "open to everybody" in label and "its double must be closed now" in label
    seen.state["doubles"].insert(0, "4")
    assert "number 2 to be closed" in label_of(table_picture.svg(seen, {"3": "Zoe"}), "3")


def test_the_turn_is_marked():
    seen = seen_after(FOUR)
    now = [one.get("data-slot") for one in groups(table_picture.svg(seen), "now")]
    assert now == ["3"]


@pytest.mark.parametrize("me", ["1", "5", "7"])
def test_the_viewer_sits_at_the_bottom(me):
    drawn = table_picture.TablePicture(seen_after(FOUR), bottom=int(me))
    assert drawn.turns[me] == 180
    x, y = drawn.point(180, 100)
    assert (round(x), round(y)) == (500, 600)
    after = drawn.shown[(drawn.shown.index(me) + 1) % len(drawn.shown)]
    assert 180 < drawn.turns[after] < 270, "clockwise: to the left of who sits at the bottom"


def test_of_places_where_a_line_may_begin_one_is_enough():
    seen = seen_after(
        "house classic\nset 12\nplayers 1 4\ngiven engine 11-11\ngiven turn 4\n"
        "given train 1 11-9\ngiven train 4 11-2\n"
    )
    assert len(seen.state["playable"]) == 11
    assert slots_in(table_picture.svg(seen)) == ["1", "2", "4", "E"]


def test_a_finger_finds_a_slot():
    """On a phone of 390 x 400 pixels, the area of each slot holds a circle of 44 pixels."""
    drawn = table_picture.TablePicture(seen_after("press 2\n"), room=PHONE)
    path = drawn._touch(180)
    near, far = (float(r) for r in re.findall(r"A(\S+) \S+ 0 0", path))
    assert far - near >= 44
    middle = far - 22
    assert 2 * middle * 3.1416 * drawn.half / 180 >= 44


# ---- many seats ----

NARROW = ((320, 170), (360, 250), *ROOMS)
BOLD_DIGIT = 0.7  # of the height, in the widest usual font


@functools.cache
def seen_with(seats):
    """Return the model of a table of stations 1 to `seats` in play, each with twelve tiles."""
    lines = ["house puremco", "set 18", "players %d" % seats, "given engine 18-18", "given turn 1"]
    return seen_after(
        "\n".join([*lines, *("given hand %d 12" % s for s in range(1, seats + 1))]) + "\n"
    )


def plates(image):
    """Return {slot: (text on the plate, height of its letters, length of its path)}."""
    found = {}
    for group in groups(image, "slot"):
        path = group.find(".//*[@id='name-%s']" % group.get("data-slot"))
        if path is not None:
            radius, wide, *ends = re.match(
                r"M(?P<x>\S+) (?P<y>\S+)A(\S+) \S+ 0 (\d) \d (\S+) (\S+)", path.get("d")
            ).group(3, 4, "x", "y", 5, 6)
            x, y, to_x, to_y = map(float, ends)
            half = math.asin(min(1, math.hypot(to_x - x, to_y - y) / 2 / float(radius)))
            angle = 2 * math.pi - 2 * half if wide == "1" else 2 * half
            words = next(one for one in group.iter("text") if one.find("textPath") is not None)
            text = "".join(words.itertext())
            found[group.get("data-slot")] = (
                text,
                float(words.get("font-size")),
                angle * float(radius),
            )
    return found


@pytest.mark.parametrize("room", NARROW, ids=str)
@pytest.mark.parametrize("television", [None, False, True], ids=["still", "page", "television"])
def test_a_number_is_whole_on_every_plate(room, television):
    for seats in (2, 4, *range(8, MOST_SEATS + 1)):
        layout = None if television is None else KeptLayout(is_television=television)
        shown = plates(table_picture.svg(seen_with(seats), room=room, kept=layout))
        assert len(shown) == seats + 1
        for slot, (text, letters, length) in shown.items():
            number, _, count = text.replace("Mexican Train", "M").partition(" ")
            assert number == slot and count in ("", "12"), (seats, slot, text)
            assert BOLD_DIGIT * letters * len(text) < length, "the end of the path cuts the text"


def test_a_player_without_a_name_keeps_the_number():
    names = {str(seat): "player %d" % seat for seat in range(1, 15)}
    shown = plates(table_picture.svg(seen_with(14), names))
    assert all(shown[seat][0].split(" ")[0] == seat for seat in names)


def test_nothing_that_is_wide_on_a_plate_is_cut_by_the_end_of_its_path():
    wide = dict.fromkeys(map(str, range(1, 15)), "WWWWWWWWWW")
    for seats in (4, 10, 14):
        for text, letters, length in plates(table_picture.svg(seen_with(seats), wide)).values():
            name, _, count = text.partition(" ")
            assert letters * (len(name) + BOLD_DIGIT * len(count)) < length, text


@pytest.mark.parametrize("television, room", [(False, (940, 512)), (True, (1344, 907))])
def test_names_of_fourteen_can_be_read(television, room):
    """On a desk of 1280 x 800 and on a television, whose letters are 25 of 1080 px or more."""
    names = {str(seat): name for seat, name in enumerate(FOURTEEN_NAMES, 1)}
    layout = KeptLayout(is_television=television)
    shown = plates(table_picture.svg(seen_with(14), names, room=room, kept=layout))
    for seat, name in names.items():
        text, letters, _ = shown[seat]
        assert text.startswith(name[:4]) and letters >= (25 if television else 13)


@pytest.mark.parametrize("seats", [2, 4, 10, 11, 14])
def test_the_rows_of_a_poster_end_above_the_sentence(seats):
    last = "Wilhelmina laid 13-2 on the train of Bartholomew and must close the double. " * 2
    image = parsed(table_poster.svg(seen_with(seats), last=last))
    rows = {one.text: float(one.get("y")) for one in image.iter("text") if one.get("y")}
    first = rows[table_poster._broken(last, 22)[0]]
    assert max(rows["Station %d" % seat] for seat in range(1, seats + 1)) < first - 22
    apart = rows["Station 2"] - rows["Station 1"]
    assert apart == 46 if seats <= 4 else apart >= 26


# ---- lamps ----


def test_every_lamp_is_there_and_lit_as_the_line_says(moments):
    for seen in moments:
        image = table_picture.svg(seen)
        lamps = {group.get("data-lamp"): group for group in groups(image, "lamp")}
        for slot in slots_in(image):
            for k, letter in enumerate(seen.lamps()[slot]):
                lit = [one for one in lamps["%s.%d" % (slot, k)] if one.tag == "g"]
                if letter == ".":
                    assert not lit
                else:
                    most = lamp_css.double_count(seen.lamps())
                    assert (
                        lit[0].get("class").split()[0]
                        == lamp_css.classes(k, letter, most).split()[0]
                    )


def test_what_flashes_once_is_left_out_for_who_has_seen_it():
    seen = seen_after(FOUR + "tap 4-5 3\n")
    assert 'class="l3-g"' in table_picture.svg(seen)
    assert 'class="l3-g"' not in table_picture.svg(seen, fresh=False)
    assert 'class="l0-t"' in table_picture.svg(seen, fresh=False)


# ---- words and colours ----


def test_undecided_ends_are_both_shown():
    seen = seen_after("house matador\nplayers 3\npress E\ntap 9-6 2\ntap 4-1 1\n")
    image = table_picture.svg(seen)
    assert ">4 1</text>" in image
    assert "the line here ends with 4 1" in image
    assert table_picture.sides(seen, Translator("en")).endswith("9 (1\u00d7), 6 (1\u00d7)")


def test_a_train_that_may_be_begun_says_its_number():
    seen = seen_after(FOUR)
    assert seen.state["ends"] == {"3": 4} and "M" in seen.state["playable"]
    train = table_picture.svg(seen).partition('data-slot="M"')[2].partition('class="slot')[0]
    assert ">12</text>" in train


@pytest.mark.parametrize("slot", SEAT_COLOURS)
def test_what_stands_on_a_plate_can_be_read(slot):
    assert contrast(SEAT_COLOURS[slot], table_picture.PLATE_INK) >= 4.5


def test_other_texts_can_be_read():
    assert contrast(*table_picture.EMPTY_SEAT) >= 4.5
    assert contrast(table_picture.NEXT, table_picture.NEXT_INK) >= 4.5
    assert contrast(table_picture.FITS, table_picture.FITS_INK) >= 4.5
    for ink in (table_poster.INK, table_poster.QUIET):
        assert contrast(table_poster.PAPER, ink) >= 4.5


def test_seat_colours_differ():
    assert len(set(SEAT_COLOURS.values())) == MOST_SEATS + 1 == len(SEAT_COLOURS)
    for n, one in enumerate(SEAT_COLOURS.values()):
        for other in list(SEAT_COLOURS.values())[:n]:
            parts = [(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) ** 2 for i in (1, 3, 5)]
            assert sum(parts) ** 0.5 > 45, (one, other)


# what eyes see that lack a kind of cone, of linear RGB: Machado, Oliveira and Fernandes (2009)
EYES = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen_by(eye, colour):
    """Return a colour as L, a and b of CIELAB, as an eye sees it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (min(1, max(0, sum(map(operator.mul, row, linear)))) for row in EYES[eye])
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
def test_seats_above_ten_are_told_apart_by_shape_or_colour(eye):
    """Their dots are square, which those of the first ten are not."""
    assert {str(seat) for seat in range(11, MOST_SEATS + 1)} == SQUARE
    for one, other in itertools.combinations(SQUARE, 2):
        colours = (seen_by(eye, SEAT_COLOURS[slot]) for slot in (one, other))
        assert math.dist(*colours) > 20, (one, other)


def test_no_text_is_small_on_a_phone(moments):
    for seen in moments:
        image = re.sub(r'<text class="sign".*?</text>', "", table_picture.svg(seen, room=PHONE))
        sizes = [float(size) for size in re.findall(r'font-size="(\S+)"', image)]
        assert sizes and min(sizes) >= 12


# ---- faces ----


@pytest.mark.parametrize("number", range(19))
def test_pips(number):
    places = tile_faces.pips(number)
    assert len(places) == len(set(places)) == number
    assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in places)
    assert contrast(tile_faces.PIPS[number], tile_faces.FACE) >= 3


def test_a_face_has_its_pips_on_the_right_half():
    body = tile_faces.body(3, 18)
    first, second = re.findall(r'd="((?:M\S+ \S+h0)+)"', body)
    along = [[float(x) for x in re.findall(r"M(\S+) ", half)] for half in (first, second)]
    assert len(along[0]) == 3 and max(along[0]) < 0
    assert len(along[1]) == 18 and min(along[1]) > 0


@pytest.mark.parametrize("lying", [False, True])
def test_a_face_stands_alone(lying):
    face = parsed(tile_faces.face(6, 4, lying))
    assert face.get("aria-label") == "6-4"
    _, _, width, height = map(int, face.get("viewBox").split())
    assert (width > height) is lying


# ---- files ----


def test_the_drawing_of_the_lamps_has_every_lamp(tmp_path):
    to = tmp_path / "lamps.svg"
    assert main(["picture", "-o", str(to)]) == 0
    image = to.read_text()
    root = ElementTree.fromstring(image)
    told = " ".join(node.text for node in root.iter("{http://www.w3.org/2000/svg}text"))
    translator = Translator("en")
    for row in lamp_letters.LETTERS:
        k, letters, *_ = row[0]
        assert all(words in told for words in translator.lamp(row))
        assert '"l%d-%s' % (k, letters[len(letters) > 1]) in image
    for node in root.iter("{http://www.w3.org/2000/svg}text"):
        if not node.get("class"):  # words, not a lamp's sign
            long = 0.6 * len(node.text) * float(node.get("font-size"))
            assert float(node.get("x")) + long < 1000, node.text


def test_a_file_is_still_and_needs_nothing_else(tmp_path):
    to = tmp_path / "a.svg"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    image = to.read_text()
    ElementTree.fromstring(image)
    assert "<style" not in image and "l0-t" not in image and "animation" not in image
    *_, (seen, _) = picture.moments(PICTURES / "table.table")
    for slot, letters in seen.lamps().items():
        for k, letter in enumerate(letters):
            if letter != "." and slot in slots_in(image.replace(' xmlns="http', ' x="http')):
                assert lamp_css.colour(k, letter) in image
                assert ">%s</text>" % lamp_text.glyph(k, letter) in image
    assert tiles_in(image) == on_table(seen)
    told = " ".join(re.findall(r">([^<]+)</text>", image))
    assert "12-4 cannot go on your train: close the double at station 7 first." in told
    assert "Still to draw: 21" in told


def shown_at(film, second):
    """Return the film's SVG as seen at a time in seconds."""
    drawing = ElementTree.fromstring(film)
    for parent in drawing.iter():
        for child in list(parent):
            moving = child.find("{http://www.w3.org/2000/svg}animate")
            if moving is None:
                continue
            times = [float(time) for time in moving.get("keyTimes").split(";")]
            share = second / float(moving.get("dur")[:-1])
            now = max(n for n, time in enumerate(times) if time <= share)
            if moving.get("values").split(";")[now] == "hidden":
                parent.remove(child)
    return ElementTree.tostring(drawing, encoding="unicode")


def test_a_film_shows_each_moment_of_a_round(tmp_path):
    to = tmp_path / "a.svg"
    assert main(["picture", "--film", str(PICTURES / "round.table"), "-o", str(to)]) == 0
    film = to.read_text()
    moments = [
        (dict(seen.state), {tile for train in seen.trains.values() for tile in train}, said)
        for seen, said in picture.moments(PICTURES / "round.table", first_names((1, 2, 3)))
    ]
    moments = [one for one in moments if one[0]["phase"] != "lobby" and one[0]["input"] != "state"]
    assert len(moments) > 15
    for n, (state, laid, said) in enumerate(moments):
        shown = shown_at(film, (n + 0.5) * picture.FILM_S)
        if state["did"] == "laid":
            laid.add(state["input"].split()[1])
        assert set(re.findall(r'data-tile="([\d-]+)"', shown)) - {state["engine"]} == laid, said
        told = " ".join(re.findall(r">([^<]+)</\S*text>", shown))
        assert said.split(".")[0] in told
        turn = lamp_css.colour(0, "t") in shown
        assert turn == (state["phase"] == "play"), said


def test_a_poster_speaks_a_language():
    seen = seen_after(FOUR)
    image = table_poster.svg(seen, {"3": "Zoe"}, Translator("de"))
    assert ">Noch zu ziehen: " in image and ">Zoe</text>" in image
    assert ">Bahnhof 1</text>" in image


def test_a_png(tmp_path):
    to = tmp_path / "a.png"
    assert main(["picture", str(PICTURES / "table.table"), "-o", str(to)]) == 0
    assert to.read_bytes().startswith(b"\x89PNG")


# ---- the legend ----


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trains", [True, False])
def test_the_legend_has_every_lamp_with_its_words(language, trains):
    translator = Translator(language)
    html = legend.legend(translator, trains)
    parsed(html.replace("<br>", "<br/>"))
    for row in lamp_css.lamp_letters.LETTERS:
        k, letters, *_ = row[0]
        assert re.search(r'class="l%d-[%s][ "]' % (k, letters), html), (k, letters)
        assert all(words in html for words in translator.lamp(row, not trains))
    for k, letter in ((1, "o"), (0, "d"), (3, "h")):
        row = html.partition('class="l%d-%s"' % (k, letter))[2].partition("</p>")[0]
        told = translator("lamps.%s.%s.of_lines" % (LAMPS[k], letter))
        assert row.endswith("<br>" + told) is not trains
    for gesture in ("tap", "press", "hold"):
        assert translator("legend.%s_for" % gesture) in html
