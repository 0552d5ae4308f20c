# SPDX-License-Identifier: MIT
"""The lamps on a screen: their colours on the hub's wood, and their rhythms as CSS animations.

Lamp `k`, 0..3, of a slot shows what `letter` stands for (see roundhouse.lamp_letters). The inner
part of a lamp has a CSS class like `l0-t`. The second of three open doubles also has the classes
`n2 of3`.

Animations that repeat are named `lamp-...`, and the page synchronizes them. Animations that run
once are named `once-...`.
"""

from functools import cache, lru_cache
from typing import Any

from host_sim.app.views import lamp_text
from roundhouse import lamp_letters

WOOD = "#4a3222"  # the lightest colour around a lamp
WELL = "#1d130c"  # the colour of a dark lamp, and below a lit one
CONTRAST = 3.2  # at least, of a lit lamp against the wood, at its dimmest
TICK = 1 << lamp_letters.TICK_SHIFT  # ms
STEADY = 0.72  # least opacity of a steady lamp: there is no dark room around a screen
FAINTEST = 0.4  # opacity of a lamp that is hardly lit on the hub; a dark one has 0
SKY = "#a8e6ff"  # blue is lightened with it; with white it would look violet, like a fault
STEP, FAST_STEP = 6, 4  # ticks between two steps of a curve, and of one that is as short as FAST
FAST = 16  # ticks
MOST = 11  # doubles that may count together
PAUSE = 40  # dark ticks before a one-time animation repeats in the legend
HIGHEST_NUMBER = 25  # that is shown in flashes

# {(lamp, letter): (rhythm, levels, which of the row's letters)}
_ROWS: dict[tuple[int, str], tuple[Any, bytes, int]] = {}
for (_k, _letters, *_), (_rhythm, _levels), _words in lamp_letters.LETTERS:
    for _n, _letter in enumerate(_letters, 1):
        _ROWS[_k, _letter] = (_rhythm, _levels, _n)


def lamps_of(row: Any) -> list[int]:
    """Return the lamps, 0..3, to which a row of lamp_letters.LETTERS applies."""
    (_, *looks), *others = row
    return [
        found[0][0]
        for found in lamp_letters.LETTERS
        if [*found[0][1:], *found[1:]] == [*looks, *others]
    ]


def luminance(colour: str) -> float:
    """Return the relative luminance, 0..1, of a colour given as #rrggbb (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1..21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def blend(colour: str, opacity: float, ground: str) -> str:
    """Return the colour of `colour` painted over `ground` with an opacity, 0..1."""
    pairs = [(int(colour[n : n + 2], 16), int(ground[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#%02x%02x%02x" % tuple(round(a * opacity + b * (1 - opacity)) for a, b in pairs)


def opacity(level: int) -> float:
    """Return the opacity on the screen for a lamp's brightness on the hub, 0..255. The opacity is
    0 for a dark lamp, FAINTEST..1 for a lit lamp."""
    return FAINTEST + (1 - FAINTEST) * (level / 255) ** 0.45 if level else 0


@cache
def brightest(k: int, letter: str) -> float:
    """Return the highest opacity, 0..1, that a lamp reaches on the screen: at least STEADY for a
    steady lamp."""
    rhythm, levels, _ = _ROWS.get((k, letter), (lamp_letters.ONCE, b"\xff", 0))
    if rhythm == lamp_letters.COUNTS:
        return opacity(levels[0])
    return max(opacity(max(levels)), STEADY if len(levels) == 1 else 0)


@cache
def dimmest(k: int, letter: str) -> float:
    """Return the lowest opacity, 0..1, that a lamp has while it is lit."""
    rhythm, levels, _ = _ROWS.get((k, letter), (lamp_letters.ONCE, b"\xff", 0))
    lit = levels[:2] if rhythm == lamp_letters.COUNTS else [level for level in levels if level]
    return (
        min(opacity(min(lit)), brightest(k, letter)) if len(levels) > 1 else brightest(k, letter)
    )


@cache
def colour(k: int, letter: str) -> str:
    """Return the colour of a lamp on the screen. It is lightened for a contrast of at least
    CONTRAST with the wood."""
    hue = "#%02x%02x%02x" % lamp_text.hue(k, letter)
    share = 0.0
    while contrast(blend(_lighter(hue, share), dimmest(k, letter), WELL), WOOD) < CONTRAST:
        share += 0.04
    return _lighter(hue, share)


def _lighter(hue: str, share: float) -> str:
    red, green, blue = (int(hue[n : n + 2], 16) for n in (1, 3, 5))
    return blend(SKY if red <= green < blue else "#ffffff", share, hue)


def classes(k: int, letter: str, most: int = 0, number: int = 0) -> str:
    """Return the CSS classes that animate the inner part of a lamp.

    most: the count of open doubles, for a lamp that marks one of them
    number: the number to show, for a lamp that shows a number as flashes
    """
    if letter == "*":
        return "l%d-star" % k
    found = "l%d-%s" % (k, letter)
    rhythm, levels, n = _ROWS.get((k, letter), (lamp_letters.ONCE, b"", 0))
    if rhythm == lamp_letters.COUNTS:
        return found + " n%d of%d dark%d" % (n, max(n, most), levels[2])
    if rhythm == lamp_letters.TELLS and 0 < number <= HIGHEST_NUMBER:
        return found + " tells%d" % number
    return found


def double_count(letters: dict[str, str]) -> int:
    """Return the count of open doubles that the lamps' pulses show.

    letters: {slot: the letters of its four lamps}
    """
    found = (
        _ROWS.get((lamp_letters.DOUBLE, four[lamp_letters.DOUBLE])) for four in letters.values()
    )
    return max((row[2] for row in found if row and row[0] == lamp_letters.COUNTS), default=0)


def sign(k: int, letter: str) -> str:
    """Return the glyph shown for a lamp without animations."""
    return lamp_text.glyph(k, letter)


def is_once(k: int, letter: str) -> bool:
    """Return whether a lamp shows its signal only once, for a moment."""
    row = _ROWS.get((k, letter))
    return row is not None and row[0] == lamp_letters.ONCE


# ---- animations ----


def _points(levels: bytes, most: int = 8) -> list[tuple[int, float]]:
    """Return the steps of an animation as [(tick, opacity), ...]: a step for each change of the
    brightness or, for more than `most` changes, steps at regular intervals and at the peak.

    levels: the brightness, 0..255, at each tick
    """
    changes = [n for n in range(len(levels)) if not n or levels[n] != levels[n - 1]]
    if len(changes) > most:
        step = FAST_STEP if len(levels) <= FAST else STEP
        changes = sorted({*range(0, len(levels), step), levels.index(max(levels))})
    return [(n, opacity(levels[n])) for n in changes]


def _frames(name: str, points: list[tuple[int, float]], ticks: int) -> str:
    """Return the CSS keyframes of an animation.

    points: (tick, opacity) for some ticks
    """
    stops = ["%.4g%%{opacity:%.3g}" % (100 * tick / ticks, light) for tick, light in points]
    return "@keyframes %s{%s100%%{opacity:0}}" % (name, "".join(stops))


def _level_rules(k: int, letter: str, levels: bytes, repeats: bool) -> list[str]:
    """Return the CSS rules for a lamp whose brightness is given for each tick. A lamp that does
    not repeat gets a second rule, for the legend.

    levels: the brightness, 0..255, at each tick
    repeats: whether the animation repeats on the table
    """
    name = "l%d-%s" % (k, letter)
    if len(levels) == 1:
        return [".%s{opacity:%.3g}" % (name, brightest(k, letter))]
    if repeats:
        return [_rule("lamp-" + name, name, levels, "infinite")]
    in_legend = _rule("lamp-" + name, name + ".again", levels + bytes(PAUSE), "infinite")
    return [_rule("once-" + name, name, levels, "1 forwards"), in_legend]


def _rule(name: str, selector: str, levels: bytes, times: str) -> str:
    return "%s.%s{animation:%s %dms step-end %s}" % (
        *(_frames(name, _points(levels), len(levels)), selector, name, len(levels) * TICK),
        times,
    )


def _count_rule(n: int, most: int, dark: int) -> str:
    """Return the CSS rule for the lamp of the n-th open double, which pulses n times.

    most: the number of open doubles
    dark: the ticks for which the lamp is dark before each pulse
    """
    ticks = most * lamp_letters.BEAT + lamp_letters.REST
    stops = ["0%{opacity:var(--glow)}"]
    for beat in range(n):
        at = lamp_letters.LEAD + beat * lamp_letters.BEAT
        stops.append("%.4g%%{opacity:0}" % (100 * at / ticks))
        stops.append("%.4g%%{opacity:var(--pulse)}" % (100 * (at + dark) / ticks))
    stops.append(
        "%.4g%%,100%%{opacity:var(--glow)}"
        % (100 * (lamp_letters.LEAD + n * lamp_letters.BEAT) / ticks)
    )
    name = "lamp-%d-of-%d-%d" % (n, most, dark)
    return "@keyframes %s{%s}.n%d.of%d.dark%d{animation:%s %dms step-end infinite}" % (
        *(name, "".join(stops), n, most, dark, name, ticks * TICK),
    )


def _number_rule(number: int) -> str:
    """Return the CSS rule for a number as long flashes (tens) and short flashes (units)."""
    tens, ones = divmod(number, 10)
    wave = lamp_letters.steps(
        (0, 8), *((255, 8), (0, 4)) * tens, (0, 8), *((255, 4), (0, 4)) * ones
    )
    wave += bytes(max(0, len(lamp_letters.TWELVE) - len(wave)))
    points = _points(wave, 2 * number + 2)
    name = "tells%d" % number
    return "%s.%s.%s{animation:%s %dms step-end infinite}" % (
        *(_frames("lamp-" + name, points, len(wave)), name, name),
        *("lamp-" + name, len(wave) * TICK),
    )


@lru_cache(maxsize=1)
def css() -> str:
    """Return the CSS animations of all lamps.

    With reduced motion, the lamps are steady and show glyphs.
    """
    out = [".lamp .sign{display:none}"]
    for (k, letter), (rhythm, levels, _) in _ROWS.items():
        if rhythm == lamp_letters.COUNTS:
            pulse, glow, _ = levels
            out.append(
                ".l%d-%s{--pulse:%.3g;--glow:%.3g}" % (k, letter, opacity(pulse), opacity(glow))
            )
        else:
            out += _level_rules(k, letter, levels, rhythm != lamp_letters.ONCE)
    darks = sorted(
        {levels[2] for rhythm, levels, _ in _ROWS.values() if rhythm == lamp_letters.COUNTS}
    )
    for most in range(1, MOST + 1):
        out += [_count_rule(n, most, dark) for n in range(1, most + 1) for dark in darks]
    out += [_number_rule(number) for number in range(1, HIGHEST_NUMBER + 1)]
    dim = opacity(1)
    for k in range(4):  # one lamp after the other is bright
        bright = "%d%%{opacity:1}%d%%{opacity:%.3g}" % (25 * k, 25 * k + 25, dim)
        first = "" if not k else "0%%{opacity:%.3g}" % dim
        out.append("@keyframes lamp-star%d{%s%s}" % (k, first, bright))
        out.append(".l%d-star{animation:lamp-star%d 640ms step-end infinite}" % (k, k))
    still = ['.lamp [class^="l"]{animation:none!important}', ".lamp .sign{display:inline}"]
    still += [
        ".l%d-%s{opacity:%.3g}" % (k, letter, brightest(k, letter))
        for k, letter in _ROWS
        if brightest(k, letter) < 1
    ]
    out.append("@media (prefers-reduced-motion:reduce){%s}" % "".join(still))
    return "\n".join(out)
