# SPDX-License-Identifier: MIT
"""The lamps on a screen: their colours against the wood, and their movement as CSS.

A lamp's inner part has the class of its lamp and letter, `l0-t`; what moves it is made of the
levels of roundhouse.lamps. A double counts by two classes more, its number and how many count
together: `n2 of3`. What repeats has begun at the page's beginning: whoever shows it sets the
startTime of all animations named lamp-... to 0, so that they go together, as on the hub. What is
shown once is named once-...
"""

from functools import cache, lru_cache

from host_sim.views import lamp_text
from roundhouse import lamps

WOOD = "#4a3222"  # the lightest that lies around a lamp
CONTRAST = 3.2  # of a lamp that means something against the wood, at its brightest
TICK = 1 << lamps.TICK_SHIFT  # ms
STEADY = 0.72  # a lamp that never moves is never weaker: a screen has no dark room around it
SMOOTH = 8  # ticks between two points of a curve
MOST = 11  # doubles that may count together
PAUSE = 40  # ticks of darkness where what is shown once is explained
TOLD = 25  # the highest number that is told in flashes

_ROWS = {}  # {(lamp, letter): (rhythm, levels, which of the row's letters)}
for (_k, _letters, _, _, _), (_rhythm, _levels), _ in lamps.LETTERS:
    for _n, _letter in enumerate(_letters, 1):
        _ROWS[_k, _letter] = (_rhythm, _levels, _n)


def together(row):
    """Return the lamps that tell one thing together with that of a row of lamps.LETTERS: as a rule
    it is one lamp."""
    (_, *looks), *others = row
    return [
        found[0][0] for found in lamps.LETTERS if [*found[0][1:], *found[1:]] == [*looks, *others]
    ]


def luminance(colour):
    """Return how light #rrggbb is, 0..1, as WCAG 2 has it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    """Return the contrast of two colours, 1..21, as WCAG 2 has it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def over(colour, opacity, ground):
    """Return the colour that is seen where one lies over a ground."""
    pairs = [(int(colour[n : n + 2], 16), int(ground[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#%02x%02x%02x" % tuple(round(a * opacity + b * (1 - opacity)) for a, b in pairs)


def opacity(level):
    """Return how much of a lamp is seen at a level, 0..255, so that it looks half as bright where
    the hub's does."""
    return (level / 255) ** 0.45


@cache
def brightest(k, letter):
    """Return the opacity of lamp k's letter where it is brightest; steady ones are at least
    STEADY."""
    rhythm, levels, _ = _ROWS.get((k, letter), (lamps.ONCE, b"\xff", 0))
    if rhythm == lamps.COUNTS:
        return opacity(levels[0])
    return max(opacity(max(levels)), STEADY if len(levels) == 1 else 0)


@cache
def colour(k, letter):
    """Return the colour on a screen of lamp k's letter: the palette's, lightened until it is seen
    against the wood."""
    hue = "#%02x%02x%02x" % lamp_text.hue(k, letter)
    share = 0
    while contrast(over(_lighter(hue, share), brightest(k, letter), WOOD), WOOD) < CONTRAST:
        share += 0.04
    return _lighter(hue, share)


def _lighter(hue, share):
    return over("#ffffff", share, hue)


def classes(k, letter, most=0, number=0):
    """Return the classes that move a lamp's inner part.

    most: how many doubles count together; number: what is told in flashes.
    """
    if letter == "*":
        return "l%d-star" % k
    found = "l%d-%s" % (k, letter)
    rhythm, levels, n = _ROWS.get((k, letter), (lamps.ONCE, b"", 0))
    if rhythm == lamps.COUNTS:
        return found + " n%d of%d dark%d" % (n, max(n, most), levels[2])
    if rhythm == lamps.TELLS and 0 < number <= TOLD:
        return found + " tells%d" % number
    return found


def counting(letters):
    """Return how many doubles count together in {slot: four letters}."""
    found = (_ROWS.get((lamps.DOUBLE, four[lamps.DOUBLE])) for four in letters.values())
    return max((row[2] for row in found if row and row[0] == lamps.COUNTS), default=0)


def sign(k, letter):
    """Return the sign that tells lamp k's letter where it does not move."""
    return lamp_text.glyph(k, letter)


def once(k, letter):
    """Return whether a letter is lit a moment only, when its input has been."""
    return _ROWS.get((k, letter), (None,))[0] == lamps.ONCE


# ---- the movement as CSS ----


def _points(levels, most=8):
    """Return ([(tick, opacity), ...], whether lines join them); so many changes are steps."""
    changes = [n for n in range(len(levels)) if not n or levels[n] != levels[n - 1]]
    if len(changes) <= most:
        return [(n, opacity(levels[n])) for n in changes], False
    picked = sorted({*range(0, len(levels), SMOOTH), levels.index(max(levels))})
    return [(n, opacity(levels[n])) for n in picked], True


def _frames(name, points, ticks, last):
    """The keyframes of a rhythm; last: the opacity at its end."""
    stops = ["%.4g%%{opacity:%.3g}" % (100 * tick / ticks, light) for tick, light in points]
    return "@keyframes %s{%s100%%{opacity:%.3g}}" % (name, "".join(stops), last)


def _moved(k, letter, levels, again):
    """The rules of a letter that has a level for every tick; what is shown once comes again where
    it is explained."""
    name = "l%d-%s" % (k, letter)
    if len(levels) == 1:
        return [".%s{opacity:%.3g}" % (name, brightest(k, letter))]
    if again:
        return [_rule("lamp-" + name, name, levels, "infinite")]
    often = _rule("lamp-" + name, name + ".again", levels + bytes(PAUSE), "infinite")
    return [_rule("once-" + name, name, levels, "1 forwards"), often]


def _rule(name, chosen, levels, times):
    points, smooth = _points(levels)
    last = points[0][1] if smooth and times == "infinite" else 0
    return "%s.%s{animation:%s %dms %s %s}" % (
        *(_frames(name, points, len(levels), last), chosen, name, len(levels) * TICK),
        *("linear" if smooth else "step-end", times),
    )


def _count(n, most, dark):
    """The n-th double's pulses while so many count; its letter says how light they are."""
    ticks = most * lamps.BEAT + lamps.REST
    stops = ["0%{opacity:var(--glow)}"]
    for beat in range(n):
        at = lamps.LEAD + beat * lamps.BEAT
        stops.append("%.4g%%{opacity:0}" % (100 * at / ticks))
        stops.append("%.4g%%{opacity:var(--pulse)}" % (100 * (at + dark) / ticks))
    stops.append(
        "%.4g%%,100%%{opacity:var(--glow)}" % (100 * (lamps.LEAD + n * lamps.BEAT) / ticks)
    )
    name = "lamp-%d-of-%d-%d" % (n, most, dark)
    return "@keyframes %s{%s}.n%d.of%d.dark%d{animation:%s %dms step-end infinite}" % (
        *(name, "".join(stops), n, most, dark, name, ticks * TICK),
    )


def _told(number):
    """A number in flashes, tens long and ones short, as the lamps' example has twelve."""
    tens, ones = divmod(number, 10)
    wave = lamps.steps((0, 8), *((255, 8), (0, 4)) * tens, (0, 8), *((255, 4), (0, 4)) * ones)
    wave += bytes(max(0, len(lamps.TWELVE) - len(wave)))
    points, _ = _points(wave, 2 * number + 2)
    name = "tells%d" % number
    return "%s.%s.%s{animation:%s %dms step-end infinite}" % (
        *(_frames("lamp-" + name, points, len(wave), 0), name, name),
        *("lamp-" + name, len(wave) * TICK),
    )


@lru_cache(maxsize=1)
def css():
    """Return the style of all lamps: colours are in the picture, here is what moves them.

    Whoever wants less movement sees steady lamps with their signs.
    """
    out = [".lamp .sign{display:none}"]
    for (k, letter), (rhythm, levels, _) in _ROWS.items():
        if rhythm == lamps.COUNTS:
            pulse, glow, _ = levels
            out.append(
                ".l%d-%s{--pulse:%.3g;--glow:%.3g}" % (k, letter, opacity(pulse), opacity(glow))
            )
        else:
            out += _moved(k, letter, levels, rhythm != lamps.ONCE)
    darks = sorted({levels[2] for rhythm, levels, _ in _ROWS.values() if rhythm == lamps.COUNTS})
    for most in range(1, MOST + 1):
        out += [_count(n, most, dark) for n in range(1, most + 1) for dark in darks]
    out += [_told(number) for number in range(1, TOLD + 1)]
    out.append("@keyframes lamp-star{0%,100%{opacity:1}50%{opacity:.2}}")
    for k in range(4):
        out.append(".l%d-star{animation:lamp-star 640ms %dms infinite}" % (k, -160 * k))
    still = ['.lamp [class^="l"]{animation:none!important}', ".lamp .sign{display:inline}"]
    still += [
        ".l%d-%s{opacity:%.3g}" % (k, letter, brightest(k, letter))
        for k, letter in _ROWS
        if brightest(k, letter) < 1
    ]
    out.append("@media (prefers-reduced-motion:reduce){%s}" % "".join(still))
    return "\n".join(out)
