# SPDX-License-Identifier: MIT
"""The lamps on a screen are visible against the wood, and move as the hub's do."""

import colorsys
import re

import pytest

from host_sim.app.views import lamp_css, lamp_text
from host_sim.app.views.lamp_css import blend, contrast
from roundhouse import lamp_letters

ALL = [
    pytest.param(k, letter, id="%d-%s" % (k, letter))
    for (k, letters, _, _, _), _, _ in lamp_letters.LETTERS
    for letter in letters
]
CSS = lamp_css.css()


def animation(chosen):
    """Return the animation of a CSS rule as ({percent: opacity text}, milliseconds, list of the
    rule's other words)."""
    rule = re.search(
        r"^(?:@keyframes.*\}\}|)\.%s\{animation:([^}]*)\}" % re.escape(chosen), CSS, re.M
    )
    name, length, *words = rule[1].split()
    frames = re.search(r"@keyframes %s\{((?:[^{}]*\{[^}]*\})*)\}" % re.escape(name), CSS)[1]
    stops = {}
    for percents, light in re.findall(r"([^{}]*)\{opacity:([^}]*)\}", frames):
        for percent in percents.split(","):
            stops[float(percent.rstrip("%"))] = light
    return stops, int(length.removesuffix("ms")), words


def light(stops, share):
    """Return the opacity of a step animation after a share, 0 to 1, of its duration."""
    return stops[max(at for at in stops if at <= 100 * share + 0.01)]


def test_contrast_is_as_wcag_has_it():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("k, letter", ALL)
def test_a_lamp_is_seen_against_the_wood_as_long_as_it_is_lit(k, letter):
    _, (rhythm, levels), _ = next(
        row for row in lamp_letters.LETTERS if row[0][0] == k and letter in row[0][1]
    )
    if len(levels) == 1:
        lit = [lamp_css.brightest(k, letter)]
    else:  # the third number of a count is a time
        lit = map(lamp_css.opacity, levels[:2] if rhythm == lamp_letters.COUNTS else levels)
    for opacity in filter(None, lit):
        seen = blend(lamp_css.colour(k, letter), opacity, lamp_css.WELL)
        assert contrast(seen, lamp_css.WOOD) >= 3, opacity


def hue(colour):
    """Return the angle of a colour on the colour wheel: 240 is blue, 120 green."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return 360 * colorsys.rgb_to_hsv(red, green, blue)[0]


def test_the_hint_at_rest_is_blue_and_a_fault_violet():
    assert 190 < hue(lamp_css.colour(lamp_letters.ANSWER, "h")) < 225
    assert 260 < hue(lamp_css.colour(lamp_letters.ANSWER, "v")) < 300


@pytest.mark.parametrize("k, letter", ALL)
def test_a_sign_can_be_read_on_its_lamp(k, letter):
    seen = blend(lamp_css.colour(k, letter), lamp_css.brightest(k, letter), lamp_css.WOOD)
    assert contrast(seen, "#111111") >= 3


@pytest.mark.parametrize("k, letter", ALL)
def test_every_lamp_moves_as_long_as_on_the_hub(k, letter):
    (_, _, _, _, _), (rhythm, levels), _ = next(
        row for row in lamp_letters.LETTERS if row[0][0] == k and letter in row[0][1]
    )
    name = "l%d-%s" % (k, letter)
    if rhythm == lamp_letters.COUNTS:
        assert re.search(r"\.%s\{--pulse:" % name, CSS)
    elif len(levels) == 1:
        assert re.search(r"\.%s\{opacity:" % name, CSS)
    else:
        stops, length, words = animation(name)
        assert length == 32 * len(levels)
        assert ("infinite" in words) is (rhythm != lamp_letters.ONCE)
        assert "step-end" in words, "a browser draws steps alone, not every frame"
        steps = [round(at * len(levels) / 100) for at in stops if at < 100]
        is_curve = len(set(levels)) > 8
        assert levels.index(max(levels)) in steps
        assert not is_curve or len(steps) >= len(levels) // 6
        for tick in steps if is_curve else range(len(levels)):
            drawn = float(light(stops, tick / len(levels)))
            assert drawn == pytest.approx(lamp_css.opacity(levels[tick]), abs=0.01), tick


@pytest.mark.parametrize("most", [1, 2, 5, 11])
@pytest.mark.parametrize("letter", "ABCDEabcdeNOPQR")
def test_a_double_pulses_as_often_as_its_place_says(letter, most):
    place = (
        "ABCDEFGHIJK".find(letter) + "abcdefghijk".find(letter) + "NOPQRSTUVWX".find(letter) + 3
    )
    if place > most:
        return
    chosen = lamp_css.classes(lamp_letters.DOUBLE, letter, most).split()
    stops, length, words = animation(".".join(chosen[1:]))
    ticks = length // lamp_css.TICK
    assert "step-end" in words and ticks == most * lamp_letters.BEAT + lamp_letters.REST
    pulse, glow, _ = next(
        row[1][1] for row in lamp_letters.LETTERS if letter in row[0][1] and row[0][0] == 2
    )
    named = {"var(--pulse)": pulse, "var(--glow)": glow, "0": 0}
    for tick in range(ticks):
        drawn = named[light(stops, tick / ticks)]
        assert drawn == lamp_text.level(lamp_letters.DOUBLE, letter, tick, most), tick


def test_twelve_tiles_are_told_as_the_lamps_have_it():
    stops, length, _ = animation("tells12.tells12")
    ticks = len(lamp_letters.TWELVE)
    assert length == ticks * lamp_css.TICK
    for tick, level in enumerate(lamp_letters.TWELVE):
        assert float(light(stops, tick / ticks)) == lamp_css.opacity(level), tick


def test_how_many_doubles_count_together():
    assert lamp_css.double_count({"1": "..A.", "2": "..b.", "E": "...."}) == 2
    assert lamp_css.double_count({"1": "...."}) == 0


def test_whoever_wants_less_movement_sees_signs():
    still = CSS.partition("@media (prefers-reduced-motion:reduce)")[2]
    assert "animation:none!important" in still and ".lamp .sign{display:inline}" in still


def test_what_a_lamp_may_be_is_styled():
    for k in range(4):
        assert ".%s{" % lamp_css.classes(k, "*") in CSS
