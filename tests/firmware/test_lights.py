# SPDX-License-Identifier: MIT
"""The lamps as letters, and their movement. The tests also run on a MicroPython VM."""

import gc

import roundhouse.lights
from roundhouse import round_end_lights
from roundhouse.animations import MATCH, OUT, ROUND
from roundhouse.constants import ENGINE, FINISHED, LOBBY, PLAY, SCORING, SLOT_COUNT, E, M
from roundhouse.lamp_letters import (
    ANSWER,
    COUNTS,
    DOUBLE,
    FAST_SWELL,
    LETTERS,
    ONCE,
    REST,
    RISE,
    SWELL,
)
from roundhouse.palettes import PALETTES

# These take seconds on the VM, where the others draw every letter and animation.
HOST_ONLY = (
    "test_an_animation_goes_on_around_a_refusal",
    "test_movement_alone_tells_the_lamps_apart",
)
PALETTE = PALETTES["standard"]


def Lights(slots, table=None, **options):  # noqa: N802
    """Return a Lights object with the standard palette, which shows `table` if given."""
    lights = roundhouse.lights.Lights(slots, PALETTE, **options)
    if table:
        lights.show(table)
    return lights


SLOTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0)


class Table:
    turn = joined = open_mask = playable = inviting = to_count = next_to_count = winners = 0
    drawn = lacks_tiles = False
    due = -1
    places = {}

    def __init__(self, phase=PLAY, **more):
        self.phase = phase
        for name, value in more.items():
            setattr(self, name, value)

    def hand_size(self):
        return 15

    def open_double(self, i):
        for slot in range(SLOT_COUNT):
            before = 0
            for other in range(SLOT_COUNT):
                before += 0 < self.rank(other) < self.rank(slot)
            if self.rank(slot) and before == i:
                return slot
        return -1

    def rank(self, slot):
        return self.places.get(slot, 0)

    def __repr__(self):
        return repr(self.__dict__)


def mask(*slots):
    return sum(1 << slot for slot in slots)


def lamps(lights, now=None):
    """Return the letters that the pixels show, such as "t... .o.h".

    now: the time in ms ticks for an update before the letters are read; None for no update
    """
    if now is not None:
        lights.update(now)
    text = bytes(lights.lamps).decode()
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def shown(table, slots=SLOTS, now=0, **options):
    return lamps(Lights(slots, table, **options), now)


def series(lights, pixel, begin, ms, step=32):
    """Return the grey levels of a pixel over time, as a colour-blind eye sees them."""
    out = bytearray(3 * len(lights.lamps))
    greys = []
    for now in range(begin, begin + ms, step):
        lights.frame(now & 0x3FFFFFFF, out)
        r, g, b = out[3 * pixel], out[3 * pixel + 1], out[3 * pixel + 2]
        greys.append((299 * r + 587 * g + 114 * b + 999) // 1000)
    return greys


# Letters


def test_lobby_shows_who_joined_and_the_invitation_where_the_engine_may_be_laid():
    four = (1, 2, 3, 0)
    assert shown(Table(LOBBY, joined=0), four) == ".... .... .... ...."
    assert shown(Table(LOBBY, joined=mask(2)), four) == ".... j... .... ...."
    assert shown(Table(LOBBY, joined=mask(1, 3), inviting=mask(0)), four) == "j... .... j... e..."
    seats = Table(LOBBY, joined=mask(1, 3), inviting=mask(1, 3))
    assert shown(seats, four) == "e... .... e... ...."
    four_seats = Table(LOBBY, joined=mask(1, 2, 3), lacks_tiles=True)
    assert shown(four_seats, four) == "j... j... j... l..."


def test_engine_phase_asks_for_the_engine_where_it_is_taken():
    five = (1, 2, 11, 0)
    assert shown(Table(ENGINE, joined=mask(1, 2), inviting=mask(0)), five) == ".... .... .... ennn"
    assert (
        shown(Table(ENGINE, joined=mask(1, 2), inviting=mask(1, 2)), five) == "e... e... .... .nnn"
    )


def test_e_pulses_in_play_when_nothing_fits_any_more():
    assert shown(Table(turn=1, inviting=mask(0)), (1, 2, 0)) == "t... .... e..."
    assert shown(Table(turn=1, drawn=True, inviting=mask(0)), (1, 2, 0)) == "d... .... e..."


def test_a_fined_seat_blinks_on_its_turn_lamp():
    lights = Lights((1, 2), Table(turn=2))
    lights.call(1, 0, 0)
    assert lamps(lights, 0) == "f... t..."
    assert lamps(lights, 1500) == ".... t..."


def test_play_shows_turn_open_trains_doubles_and_hints():
    table = Table(
        turn=2,
        open_mask=mask(1, 11),
        places={3: 1, 1: 2, 11: 11},
        due=3,
        playable=mask(3),
    )
    assert shown(table, (1, 2, 3, 11, 0)) == ".ob. t... ..Ah .ok. ...."
    table.drawn = True
    table.due = -1
    assert shown(table, (1, 2, 3, 11, 0)) == ".ob. d... ..ah .ok. ...."


def test_hints_can_be_switched_off():
    table = Table(turn=1, playable=mask(1))
    assert shown(table, (1, 2)) == "t..h ...."
    assert shown(table, (1, 2), hint=False) == "t... ...."


def test_scoring_and_finish_show_seats_only():
    table = Table(SCORING, turn=1, open_mask=mask(1), places={1: 1}, to_count=mask(2))
    assert shown(table, (1, 2)) == ".... c..."
    table = Table(SCORING, to_count=mask(1, 2, 3), next_to_count=2)
    assert shown(table, (1, 2, 3)) == "c... C... c..."
    table = Table(FINISHED, winners=mask(1, 2), open_mask=mask(1))
    assert shown(table, (1, 2, 3)) == "W... W... ...."


def test_a_board_has_its_slots_in_any_order():
    table = Table(turn=2, open_mask=mask(11))
    assert shown(table, (0, 11, 2, 1)) == ".... .o.. t... ...."


def test_an_answer_is_shown_and_goes():
    for letter, least, most in (("g", 300, 400), ("r", 600, 800), ("w", 400, 600)):
        lights = Lights((1, 2), Table(turn=1, playable=mask(2)))
        lights.answer(2, letter, 1000)
        assert lamps(lights, 1000) == "t... ..." + letter
        assert lamps(lights, 1000 + least) == "t... ..." + letter
        assert lamps(lights, 1000 + most) == "t... ...h"


def test_a_fault_stays_until_repaired():
    lights = Lights((1, 2))
    lights.set_fault(2, True)
    lights.set_fault(2, True)
    assert lamps(lights, 0) == ".... ...v"
    lights.answer(2, "r", 100)
    assert lamps(lights, 100) == ".... ...r"
    assert lamps(lights, 100000) == ".... ...v"
    lights.set_fault(2, False)
    assert lamps(lights, 100000) == ".... ...."


def test_a_refusal_points_at_its_reason():
    lights = Lights((1, 2, 3, 0), Table(turn=1, open_mask=mask(2), places={3: 1, 1: 2}, due=3))
    lights.answer(2, "r", 500)
    for slot, k in ((1, 0), (2, 1), (3, 1), (3, 2), (1, 2), (2, 2)):
        lights.call(slot, k, 500)
    assert lamps(lights, 500) == "T.b. .O.r .xN. ...."
    assert lamps(lights, 1100) == "T.b. .O.r .xN. ...."
    assert lamps(lights, 1300) == "t.b. .o.. ..A. ...."
    lights.show(Table(turn=1, drawn=True))
    lights.call(1, 0, 1400)
    assert lamps(lights, 1400) == "D... .... .... ...."
    lights.show(Table(ENGINE, inviting=1))
    lights.call(0, 0, 2800)
    assert lamps(lights, 2800) == ".... .... .... Ennn"


def test_an_accepted_input_ends_the_calls_for_attention():
    lights = Lights((1, 2), Table(turn=1))
    lights.answer(2, "r", 0)
    lights.call(1, 0, 0)
    assert lamps(lights, 100) == "T... ...r"
    lights.answer(1, "g", 200)
    assert lamps(lights, 200) == "t..g ...r"


def test_slots_of_a_larger_board_are_ignored():
    lights = Lights((1, 2))
    lights.answer(7, "g", 0)
    lights.call(7, 1, 0)
    lights.set_fault(7, True)
    lights.show_hold(7, 3000)
    round_end_lights.points(lights, 7, 30)
    round_end_lights.celebrate(lights, OUT, (7,))
    assert lamps(lights, 0) == ".... ...."


def test_the_hold_counts_up_around_the_board():
    lights = Lights((1, 2, 3, 4))
    words = []
    for ms in (400, 999, 1000, 2999, 3000, 3500, 4100, 4900, 5000, 9000, 0):
        lights.show_hold(3, ms)
        words.append("".join(word[3] for word in lamps(lights, 0).split()))
    assert words[:5] == ["....", "....", "..u.", "..u.", "...."]
    assert words[5:] == ["..k.", "..kk", "k.kk", "kkkk", "kkkk", "...."]


def test_let_go_is_said_where_the_button_is_that_was_asked_last():
    lights = Lights((1, 2, 3, 4))
    for slot, said in ((3, "..u."), (1, "u..."), (1, "u..."), (4, "...u")):
        lights.show_hold(slot, 1500)
        assert "".join(word[3] for word in lamps(lights, 0).split()) == said


def test_taken_back_is_dark_first_where_the_lamp_said_let_go():
    lights = Lights((1, 2))
    lights.show_hold(1, 1200)
    assert max(series(lights, 3, 0, 320)) == 255
    lights.answer(1, "w", 320)
    lights.show_hold(1, 0)
    assert series(lights, 3, 320, 200)[:4] == [0, 0, 255, 255]


def rim(first, last, slots=SLOTS, **more):
    """Let a light run along the rim from one seat to another. Return (slots that it lights, ms
    that it takes)."""
    lights = Lights(slots, Table(turn=last))
    for place in more.get("faulty", ()):
        lights.set_fault(place, True)
    if "answered" in more:
        lights.answer(more["answered"], "g", 96)
    lights.run(first, last, 100)
    rgb = bytearray(12 * len(slots))
    order = []
    over = 0
    for now in range(100, 1000, 32):
        lights.frame(now, rgb)
        for place in range(len(slots)):
            i = 4 * place + 3
            if lights.lamps[i] == ord("b") and any(rgb[3 * i : 3 * i + 3]):
                over = now - 100
                if slots[place] not in order:
                    order.append(slots[place])
    return order, over


def test_a_light_runs_round_the_rim_the_shorter_way():
    assert rim(2, 4)[0] == [2, 3, 4]
    assert rim(4, 2)[0] == [4, 3, 2]
    assert rim(9, 2)[0] == [9, 10, 11, 1, 2], "M lies between the last station and the first"
    assert rim(2, 9)[0] == [2, 1, 11, 10, 9]
    assert rim(1, 2)[0] == [1, 2]
    assert rim(8, 3)[0] == [8, 7, 6, 5, 4, 3]
    five = (1, 2, 3, 4, 5, 11, 0)
    assert rim(5, 2, five)[0] == [5, 11, 1, 2], "clockwise, where both are as short"
    assert rim(2, 5, five)[0] == [2, 3, 4, 5]
    for first in range(1, 11):
        for last in range(1, 11):
            if first != last:
                assert 300 < rim(first, last)[1] <= 600, (first, last)


def test_what_runs_by_gives_way():
    assert rim(2, 4, faulty=(3,))[0] == [2, 4], "a fault is never hidden"
    assert rim(2, 4, answered=2)[0] == [3, 4], "nor an answer"
    lights = Lights((1, 2, 3, 4, 11, 0), Table(turn=3))
    lights.run(1, 3, 0)
    assert lights.runs and lamps(lights, 40) == "...b ...b t..b .... .... ...."
    lights.set_fault(2, True)
    assert lamps(lights, 72) == "...b ...v t..b .... .... ...."
    lights.answer(4, "r", 104)
    assert lamps(lights, 104) == ".... ...v t... ...r .... ...." and not lights.runs
    lights.run(3, 3, 2000)
    assert lamps(lights, 2000) == ".... ...v B... .... .... ...."
    lights.end_run()
    assert lamps(lights, 2040) == ".... ...v t... .... .... ...." and not lights.runs
    lights.run(3, 3, 3000)
    assert lamps(lights, 3500)[10] == "B"
    assert lamps(lights, 3600)[10] == "t"
    lights.run(1, 3, 5000)
    lamps(lights, 5700)
    assert lamps(lights, 5700) == ".... ...v t... .... .... ....", "nothing is left of it"
    assert not lights.runs


def test_e_counts_out_the_tiles_to_take():
    lights = Lights((1, 2, 11, 0), Table(ENGINE, inviting=1))
    levels = series(lights, 13, 0, 3008)
    assert series(lights, 14, 6016, 3008) == series(lights, 15, 9024, 3008) == levels
    flashes = "".join("#" if level else "." for level in levels).split(".")
    lengths = [len(flash) for flash in flashes if flash]
    assert lengths == [8] + 5 * [4], "fifteen: a long one for the ten, five short ones"
    lights.show(Table(turn=1))
    assert lamps(lights, 9100) == "t... .... .... ...."


def test_answers_end_across_the_wrap_of_the_ticks():
    end = 1 << 30
    for start in (end - 1, end - 200, end - 352):
        lights = Lights((1, 2), Table(turn=1, places={2: 3}, due=2))
        out = bytearray(24)
        lights.answer(1, "g", start)
        for ms in range(0, 300, 20):
            lights.frame((start + ms) % end, out)
            assert out[9:12] != b"\0\0\0", (start, ms)
        lights.update((start + 400) % end)
        assert lamps(lights) == "t... ..C."


# Movement


def test_a_frame_says_whether_it_changed():
    lights = Lights(SLOTS, Table(SCORING))
    out = bytearray(144)
    assert lights.frame(0, out)
    assert not any(lights.frame(now, out) for now in range(20, 5000, 20))
    lights.show(Table(turn=3))
    assert lights.frame(5000, out)
    assert out[24] and sum(out) == sum(out[24:27])
    lights.show(Table(SCORING))
    assert lights.frame(5001, out)
    assert not any(out)


def test_the_answer_is_in_the_first_frame():
    for now in range(1000, 1040):
        lights = Lights((1, 2))
        out = bytearray(24)
        lights.show(Table(turn=1))
        lights.frame(now - 1, out)
        lights.show(Table(turn=2))
        lights.answer(1, "g", now)
        assert lights.frame(now, out)
        assert out[9:12] == bytes(PALETTE["accepted"]) and out[12], now


def test_green_is_lit_for_300_ms_also_when_it_comes_again():
    for start in range(1000, 1032, 3):
        lights = Lights((1,))
        lights.answer(1, "g", start)
        assert sum(level > 0 for level in series(lights, 3, start, 600, 1)) >= 300
        lights.answer(1, "g", start + 100)
        lights.answer(1, "g", start + 200)
        again = series(lights, 3, start + 200, 600, 1)
        assert again[0] == 0 and sum(level > 0 for level in again) >= 300, start


def test_a_turn_lamp_is_never_dark():
    for drawn in (False, True):
        for called in (False, True):
            lights = Lights((1,), Table(turn=1, drawn=drawn))
            if called:
                lights.call(1, 0, 0)
            assert min(series(lights, 0, 0, 6400)) > 0


def pulses(levels):
    """Return the count of pulses before each glow. A glow is light that lasts longer than any
    pulse."""
    counts = []
    gaps = run = 0
    for level in levels:
        if level:
            run += 1
            if run == 10 and gaps:
                counts.append(gaps)
                gaps = 0
        else:
            gaps += run > 0
            run = 0
    return counts


def test_doubles_count_their_place_together():
    places = {slot: slot for slot in range(1, 12)}
    for due in (1, 11, -1):
        lights = Lights(SLOTS, Table(turn=1, places=places, due=due))
        lights.answer(1, "g", 777)
        for place in range(11):
            levels = series(lights, 4 * place + 2, 777, 8400)
            assert levels[0] > 0
            assert pulses(levels) == [place + 1] * 2, (due, place)
            lights.answer(1, "g", 777)


def test_doubles_after_the_eleventh_count_eleven():
    slots = tuple(range(1, SLOT_COUNT)) + (E,)
    for due in (-1, 1, M):
        lights = Lights(slots, Table(turn=1, places={slot: slot for slot in slots}, due=due))
        for slot in (10, 11, 12, M):
            lights.answer(1, "g", 777)
            levels = series(lights, 4 * (slot - 1) + 2, 777, 8400)
            assert pulses(levels) == [min(slot, 11)] * 2, (due, slot)


def test_a_change_without_an_answer_glows_before_it_counts():
    lights = Lights((1, 2), Table(turn=1, places={1: 1}, due=1))
    for begin in range(0, 2000, 117):
        series(lights, 6, begin, 64)
        lights.show(Table(turn=1, places={2: 2}, due=2))
        levels = series(lights, 6, begin + 64, 3200)
        assert min(levels[:17]) > 0, (begin, levels)
        assert pulses(levels) == [2, 2]
        lights.show(Table(turn=1, places={1: 1}, due=1))


def test_such_a_glow_is_as_long_before_one_pulse_as_before_three():
    for place in (1, 2, 3):
        lights = Lights((1, 2), Table(turn=1))
        series(lights, 2, 0, 640)
        lights.show(Table(turn=1, places={1: place}, due=1))
        levels = series(lights, 2, 640, 1600)
        assert levels.index(0) == REST, (place, levels)


def test_the_due_double_is_the_brightest():
    lights = Lights(SLOTS, Table(turn=1, places={4: 1, 5: 2}, due=4))
    due = max(series(lights, 14, 0, 2000))
    assert due > 2 * max(series(lights, 18, 0, 2000))
    lights.answer(1, "r", 2000)
    lights.call(4, 2, 2000)
    assert max(series(lights, 14, 2000, 700)) > due


def letter_series():
    """Return {lamp, 0 to 3: {letter: grey levels every 32 ms}} for all letters."""
    found = {}

    def add(k, letter, ms, table, then=None, slot=1):
        lights = Lights(SLOTS, table)
        if then:
            then(lights)
        pixel = 4 * SLOTS.index(slot) + k
        lights.update(0)
        assert lights.lamps[pixel] == ord(letter), (letter, lamps(lights))
        found.setdefault(k, {})[letter] = series(lights, pixel, 0, ms)

    def called(k):
        return lambda lights: lights.call(1, k, 0)

    def answered(slot, letter):
        return lambda lights: lights.answer(slot, letter, 0)

    def refused(lights):
        lights.answer(2, "r", 0)
        lights.call(1, 2, 0)

    to_play = Table(turn=2, playable=2)
    for k, letter, ms, table, then in (
        (0, "t", 3200, Table(turn=1), None),
        (0, "T", 640, Table(turn=1), called(0)),
        (0, "d", 3200, Table(turn=1, drawn=True), None),
        (0, "D", 640, Table(turn=1, drawn=True), called(0)),
        (0, "f", 640, Table(turn=2), called(0)),
        (0, "B", 3200, Table(turn=1), lambda lights: lights.run(1, 1, 0)),
        (0, "j", 3200, Table(LOBBY, joined=2), None),
        (0, "c", 3200, Table(SCORING, to_count=2), None),
        (0, "C", 3200, Table(SCORING, to_count=6, next_to_count=1), None),
        (0, "W", 3200, Table(FINISHED, winners=2), None),
        (1, "o", 640, Table(open_mask=2), None),
        (1, "O", 640, Table(open_mask=2), called(1)),
        (1, "x", 640, Table(), called(1)),
        (2, "N", 640, Table(places={1: 1}, due=1), refused),
        (3, "g", 3200, None, answered(1, "g")),
        (3, "r", 3200, None, answered(1, "r")),
        (3, "w", 3200, None, answered(1, "w")),
        (3, "h", 3200, to_play, None),
        (3, "v", 3200, to_play, lambda lights: lights.set_fault(1, True)),
        (3, "u", 3200, to_play, lambda lights: lights.show_hold(1, 1000)),
        (3, "k", 3200, to_play, lambda lights: lights.show_hold(1, 4000)),
        (3, "b", 3200, None, lambda lights: lights.run(1, 2, 0)),
    ):
        add(k, letter, ms, table, then)
    # The letters that only slot E shows.
    add(0, "e", 3200, Table(ENGINE, inviting=1), None, 0)
    add(0, "l", 3840, Table(LOBBY, joined=6, lacks_tiles=True), None, 0)
    for k in (1, 2, 3):
        add(k, "n", 4160, Table(ENGINE), None, 0)
    for n in (1, 2, 3, 4, 10, 11):
        for base, due in ((64, 1), (96, -1)):
            add(2, chr(base + n), 4160, Table(places={1: n}, due=due), answered(2, "g"))
        lights = Lights(SLOTS, Table(places={1: n}, due=1))
        refused(lights)
        lights.update(0)
        assert lights.lamps[2] == 77 + n
    return found


def alike(a, b):
    """Return whether two repeating series of grey levels look alike. The shorter one must occur in
    the longer one, both scaled to the same maximum, with a tolerance of 15 %."""
    if len(a) > len(b):
        a, b = b, a
    top = max(a)
    for shift in range(len(b)):
        window = [b[(shift + i) % len(b)] for i in range(len(a))]
        peak = max(window) or 1
        for i in range(len(a)):
            if abs(a[i] * 100 // top - window[i] * 100 // peak) > 15:
                break
        else:
            return True
    return False


SWELLS = {SWELL: "slowly", FAST_SWELL: "fast", RISE: "rises"}


def told(levels):
    """Return brightness levels as a text such as `0x3 255x2`: level, "x", ticks."""
    runs = []
    for level in levels:
        if not runs or runs[-1][0] != level:
            runs.append([level, 0])
        runs[-1][1] += 1
    return " ".join(["%sx%d" % (level, ticks) for level, ticks in runs])


def look(row):
    """Return a row's look as a text in the form of `told`, in which a word of SWELLS stands for
    each swell."""
    _, (rhythm, levels), _ = row
    if rhythm == COUNTS:
        return "counts %d %d %d" % levels
    shown = told(levels)
    for swell, word in SWELLS.items():
        shown = shown.replace(told(swell), word)
    return shown + " once" * (rhythm == ONCE)


# By lamp: each letter, and its levels, each for a number of ticks of 32 ms.
LOOKS = (
    {
        "t": "slowly",
        "d": "fast",
        "j": "40x1",
        "c": "160x20 0x20",
        "C": "255x5 0x5",
        "e": "rises",
        "W": "200x40 0x3 200x3 0x3",
        "l": "255x3 0x6 255x3 0x48",
        "B": "255x18 once",
        "T": "255x4 110x4",
        "D": "255x2 110x2",
        "E": "255x4 110x4",
        "f": "255x4 0x4",
    },
    {
        "o": "150x1",
        "O": "255x4 110x4",
        "x": "255x3 0x3",
        "n": "0x8 255x8 0x12 255x4 0x4 255x4 0x54",
    },
    {
        "A": "counts 200 24 4",
        "a": "counts 64 12 7",
        "N": "counts 255 112 4",
        "n": "0x8 255x8 0x12 255x4 0x4 255x4 0x54",
    },
    {
        "g": "255x12 once",
        "r": "255x5 0x4 255x5 0x9 once",
        "w": "255x5 191x1 143x1 107x1 80x1 60x1 45x1 33x1 25x1 19x1 14x1 10x1 once",
        "b": "255x3 70x2 once",
        "u": "255x7 120x2",
        "h": "28x1",
        "v": "160x30 0x30",
        "k": "220x2 90x2",
        "n": "0x8 255x8 0x12 255x4 0x4 255x4 0x54",
    },
)


def test_each_letter_looks_as_it_is_drawn_here():
    for k in range(4):
        rows = [row for row in LETTERS if row[0][0] == k]
        assert {row[0][1][0]: look(row) for row in rows} == LOOKS[k]


def test_movement_alone_tells_the_lamps_apart():
    for k, letters in letter_series().items():
        names = sorted(letters)
        for i in range(len(names)):
            assert max(letters[names[i]]) > 0, (k, names[i])
            for j in range(i):
                a, b = letters[names[i]], letters[names[j]]
                assert not alike(a, b), (k, names[i], names[j], a, b)


def test_every_letter_has_a_movement_of_its_own():
    drawn = letter_series()
    for (k, letters, _, _, _), _, _ in LETTERS:
        assert letters == "E" or letters[0] in drawn[k], (k, letters)
    assert sum(len(letters) for letters in drawn.values()) >= len(LETTERS)


def test_the_first_three_lamps_of_a_slot_never_look_alike():
    for palette in PALETTES.values():
        never_alike(palette)


def never_alike(palette):
    # They differ in which channels are dark, so at any brightness. Animations show that they are
    # animations by lighting the three alike.
    by_lamp = [set(), set(), set()]
    for (k, letters, _, hue, _), _, _ in LETTERS:
        if k <= DOUBLE and letters != "n":  # which is E's, beside its e
            by_lamp[k].add(tuple(level > 0 for level in palette[hue]))
    assert not by_lamp[0] & by_lamp[1] & by_lamp[2]
    assert not by_lamp[1] & by_lamp[2]
    answers = [
        tuple(level > 0 for level in palette[hue])
        for (k, letters, _, hue, _), _, _ in LETTERS
        if k == ANSWER and letters not in "un"  # u announces a w
    ]
    assert len(set(answers)) == len(answers)


# Animations


def run(lights, begin, ms=9000):
    """Draw frames for `ms` ms; return [(ms, letters), ...] for the first frame and every change.

    begin: the time of the first frame in ms ticks
    """
    out = bytearray(3 * len(lights.lamps))
    found = []
    for now in range(begin, begin + ms, 20):
        lights.frame(now, out)
        text = lamps(lights)
        if not found or found[-1][1] != text:
            found.append((now - begin, text))
    return found


def test_animations_cover_lamps_and_end():
    for kind, who, covered in (
        (OUT, (2,), "t... **** .o.."),
        (ROUND, (3, 2), "t... **** ****"),
        (MATCH, (1,), "**** **** ****"),
    ):
        lights = Lights((1, 2, 3), Table(turn=1, open_mask=mask(3)))
        round_end_lights.celebrate(lights, kind, who)
        found = run(lights, 1000)
        assert [text for _, text in found] == [covered, "t... .... .o.."]
        assert found[1][0] <= 2500


def test_seats_count_their_points_together_then_the_ranks_follow():
    lights = Lights((1, 2, 3))
    round_end_lights.celebrate(lights, ROUND, (2, 3, 1))
    round_end_lights.points(lights, 1, 12)
    round_end_lights.points(lights, 3, 8)
    texts = [text for _, text in run(lights, 0)]
    assert texts == ["**** .... ****", "**** **** ****", ".... .... ...."]


def test_an_accepted_input_ends_the_animations_that_wait_too():
    lights = Lights((1, 2))
    round_end_lights.points(lights, 1, 12)
    round_end_lights.celebrate(lights, ROUND, (1, 2))
    run(lights, 0, 500)
    lights.answer(2, "g", 500)
    assert [text for _, text in run(lights, 500)] == [".... ...g", ".... ...."]


def test_an_animation_goes_on_around_a_refusal():
    for slot in (2, 3, 4, 5):
        for begin in range(0, 900, 61):
            lights = Lights((1, 2, 3, 4, 5))
            round_end_lights.celebrate(lights, MATCH, (1,))
            out = bytearray(60)
            for now in range(0, 2500, 16):
                if begin <= now < begin + 16:
                    lights.answer(slot, "r", now)
                lights.frame(now, out)
                again = bytearray(60)
                lights.redraw()
                lights.frame(now, again)
                assert again == out, (slot, begin, now)


def test_ranks_light_up_best_first():
    slots = (1, 2, 3, 4, 5)
    lights = Lights(slots)
    round_end_lights.celebrate(lights, ROUND, (4, 2, 5, 1, 3))
    out = bytearray(60)
    order = []
    for now in range(0, 2300, 20):
        lights.frame(now, out)
        for i in range(5):
            if out[12 * i] and slots[i] not in order:
                order.append(slots[i])
    assert order == [4, 2, 5, 1, 3]


def test_an_accepted_input_ends_an_animation_but_not_its_own():
    lights = Lights((1, 2))
    out = bytearray(24)
    lights.show(Table(turn=1))
    for first in (True, False):
        # The hub may ask for its animation before or after it answers.
        if first:
            round_end_lights.celebrate(lights, OUT, (2,))
        lights.answer(2, "g", 0)
        if not first:
            round_end_lights.celebrate(lights, OUT, (2,))
        lights.frame(0, out)
        assert lamps(lights) == "t... ***g"
        lights.answer(1, "r", 500)
        assert lamps(lights, 500) == "t..r ****"
        lights.answer(1, "w", 600)
        assert lamps(lights, 600) == "t..w ...."


def test_a_frame_drawn_on_the_last_one_is_a_frame_drawn_anew():
    seed = 7
    steady = Lights((1, 2, 3, 4, 11, 0))
    out = bytearray(72)
    now = 0
    for _ in range(400):
        calls = []
        for _ in range(3):
            seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF
            a, b, c = seed >> 8 & 15, seed >> 12 & 3, seed >> 14 & 15
            slot = 1 + b
            calls.append(
                (
                    lambda to, s=slot, t=a: to.show(
                        Table(turn=s, places={s: 1, 11: 2}, due=s, open_mask=t, playable=t)
                    ),
                    lambda to, s=slot, t=a: to.show(Table(SCORING, to_count=t)),
                    lambda to, s=slot, t=a, at=now: to.answer(s, "grw"[t % 3], at),
                    lambda to, s=slot, t=a, at=now: to.call(s, t % 3, at),
                    lambda to, s=slot, t=a: to.set_fault(s, t & 1),
                    lambda to, s=slot, t=a: to.show_hold(s, t * 350),
                    lambda to, s=slot, t=a: round_end_lights.celebrate(
                        to, (OUT, ROUND, MATCH)[t % 3], (s, 4)
                    ),
                    lambda to, s=slot, t=a: round_end_lights.points(to, s, t * 5),
                )[c & 7]
            )
        calls[0](steady)
        steady.update(now)
        calls[1](steady)
        calls[2](steady)
        steady.frame(now, out)
        again = bytearray(b"\x55" * 72)
        steady.redraw()
        steady.frame(now, again)
        assert again == out, (now, lamps(steady), out, again)
        now += 20 + (seed >> 20 & 255)


# The board's memory


def test_a_running_board_allocates_nothing():
    if not hasattr(gc, "mem_alloc"):
        return
    lights = Lights(SLOTS)
    table = Table(turn=1, open_mask=6, places={3: 1, 4: 2}, due=3, playable=8)
    out = bytearray(144)
    lights.show(table)
    lights.set_fault(5, True)
    for _ in range(2):  # the first round grows what is made once
        gc.collect()
        before = gc.mem_alloc()
        for now in range(0, 6900, 23):
            lights.show(table)
            lights.frame(now, out)
            lights.update(now)
        grown = gc.mem_alloc() - before
    assert grown == 0, grown


def test_the_first_light_is_the_answers_and_the_frame_behind_it_adds_the_rest():
    """`flash` changes only the pixel of the answer. The next whole frame keeps that pixel and
    reports all other changes."""
    board = Table(turn=2, playable=0b110)
    for letter in "gr":
        lights = Lights(range(12))
        out = bytearray(144)
        lights.show(board)
        lights.frame(0, out)
        before = bytes(out)
        assert lights.flash(3, letter, out) == 1 << 3
        first = bytes(out)
        assert first[:45] == before[:45] and first[48:] == before[48:] != first[45:48]
        lights.answer(3, letter, 5)
        changed = lights.frame(5, out)
        assert out[45:48] == first[45:48]
        for place in range(12):
            i = 12 * place
            assert out[i : i + 12] == first[i : i + 12] or changed >> place & 1
        assert lights.flash(3, letter, out) == 1 << 3
        assert out[45:48] == bytes(3), "it is being answered: dark first"
        lights.answer(3, letter, 10)
        for now in range(10, 64, 8):
            lights.frame(now, out)
            assert out[45:48] == bytes(3)
        lights.frame(96, out)
        assert out[45:48] == first[45:48], "and then the same again"
        other = "r" if letter == "g" else "g"
        assert lights.flash(3, other, out) == 1 << 3 and out[45:48] not in (first[45:48], bytes(3))
