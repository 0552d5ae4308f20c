# SPDX-License-Identifier: MIT
"""Makes the guide's tables of what to measure on a hub from its netlist."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from hardware.kicad_files import natural
from hardware.netlist import Names
from hardware.pinouts import RIBBON
from hardware.silkscreen_check import NAMES

Answer = TypeVar("Answer")
Row = tuple[str, str, str]  # where, what it must be, what is wrong if not
RAILS = ("+5V", "VSYS", "3V3_READERS", "+3V3")  # each has a test point
INLET = "J13"
LEAST_CHARGING = 100  # uF; a meter sees a smaller capacitor charge only for a moment
WHERE = "between", "must be", "if not"
AT = "at", "must be", "if not"
# pairs of neighbours in a header of two rows
ACROSS = [(n, n + 1) for n in range(1, len(RIBBON), 2)]
ALONG = [(n, n + 2) for n in range(1, len(RIBBON) - 1)]
NEIGHBOURS = ACROSS + ALONG


def without_supply(pins: Names, values: Names) -> Iterator[Row]:
    """Yield what to measure before any supply is plugged in.

    pins, values: of a hub, as `netlist.load` returns them.
    """
    of = _parts_by_net(pins)
    headers = _headers(values)
    for rail in RAILS:
        yield _to_ground(rail, of, values)
    for one, other in (("3V3_READERS", "+3V3"), ("+5V", "VSYS")):
        yield _apart(one, other, of)
    yield _inlet(pins, of)
    for numbers, refs in _alike({ref: _on(pins, ref, "GND") for ref in headers}):
        yield "%s: pins %s, each to GND" % (_span(refs), _and(numbers)), "0 Ω", "a cold joint"
    for points, refs in _alike({ref: _at_points(pins, ref) for ref in headers}):
        to = ", ".join("pin %d to %s" % point for point in points)
        yield "%s: %s" % (_span(refs), to), "0 Ω", "a cold joint"
    yield from _neighbours(pins, headers)
    yield from _chain(pins, values, headers)
    yield from _cc(pins, of, values)


def first_power(pins: Names, values: Names) -> Iterator[Row]:
    """Yield what to measure when the board has its supply for the first time, without the Pico."""
    of = _parts_by_net(pins)
    (fuse,) = _between(of, pins["%s.1" % INLET], "F")
    switches = sorted((ref for ref in values if ref[0] == "Q"), key=natural)
    (diode,) = _both(of, "+5V", "VSYS")
    regulator = next(ref for ref in of["3V3_READERS"] if ref[0] == "U")
    yield (
        "5V",
        "4.75 to 5.25 V",
        "0 V: no 5.1 kΩ on CC (section 4), the inlet reversed, or %s has opened: unplug, look for "
        "a bridge; about 0.6 V less: %s the wrong way round" % (fuse, _and(switches, "or")),
    )
    yield (
        "VSYS",
        "0.1 to 0.4 V below 5V",
        "the same as 5V: %s bridged; 0 V: %s the wrong way round" % (diode, diode),
    )
    yield "3V3R", "3.2 to 3.4 V", "%s is another part, or badly soldered" % regulator
    yield "3V3", "0 V", "a bridge to 3V3R: the Pico would be fed backwards"
    fed = [NAMES[net] for net in RAILS if net in NAMES]
    for points, refs in _alike({ref: _at_points(pins, ref) for ref in _headers(values)}):
        for number, name in points:
            if name in fed:
                yield "%s, pin %d" % (_span(refs), number), "as %s" % name, "a cold joint"


def _headers(values: Names) -> list[str]:
    """Return the references of the slots' headers, in their order."""
    return sorted((ref for ref, value in values.items() if value.startswith("slot ")), key=natural)


def _parts_by_net(pins: Names) -> dict[str, list[str]]:
    """Return {net: [reference, ...]}, each part once and in order."""
    found: dict[str, set[str]] = {}
    for pin, net in pins.items():
        found.setdefault(net, set()).add(pin.partition(".")[0])
    return {net: sorted(refs, key=natural) for net, refs in found.items()}


def _both(of: dict[str, list[str]], one: str, other: str) -> list[str]:
    """Return the parts with two legs that connect two nets."""
    return [ref for ref in of[one] if ref in of[other] and ref[0] in "RDFL"]


def _between(of: dict[str, list[str]], net: str, kind: str) -> list[str]:
    return [ref for ref in of[net] if ref[0] == kind]


def _to_ground(rail: str, of: dict[str, list[str]], values: Names) -> Row:
    slow = [
        ref
        for ref in of[rail]
        if ref[0] == "C" and values[ref].split("u")[0].isdigit()
        if int(values[ref].split("u")[0]) >= LEAST_CHARGING
    ]
    must = "climbing above 1 kΩ while %s charges" % _and(slow) if slow else "above 1 kΩ"
    chips = [ref for ref in of[rail] if ref[0] == "U" and ref != "U1"]  # the Pico is not there
    places = chips + [ref for ref in of[rail] if ref[0] == "C" and ref not in slow]
    if len(chips) > 2:  # each has a capacitor of its own
        places = chips
    if any(values[ref].startswith("slot ") for ref in of[rail]):
        places.append("a header")
    wrong = "a bridge at %s" % _and(places, "or")
    if slow:
        wrong += "; %s the wrong way round" % _and(slow)
    return "%s and GND" % NAMES.get(rail, rail), must, wrong


def _apart(one: str, other: str, of: dict[str, list[str]]) -> Row:
    where = "%s and %s" % (NAMES.get(one, one), NAMES.get(other, other))
    joined = _both(of, one, other)
    if not joined:
        return where, "open (above 100 kΩ)", "a bridge: these two never meet"
    if any(ref[0] != "D" for ref in joined):
        raise ValueError("%s: %s is not a diode" % (where, _and(joined)))
    return where, "open, or a diode one way", "%s bridged" % _and(joined)


def _inlet(pins: Names, of: dict[str, list[str]]) -> Row:
    (fuse,) = _between(of, pins[INLET + ".1"], "F")
    fused = next(
        pins[leg] for leg in (fuse + ".1", fuse + ".2") if pins[leg] != pins[INLET + ".1"]
    )
    (diode,) = _both(of, fused, "GND")
    wrong = "%s the wrong way round, or shorted" % diode
    return "%s, 5V and GND" % INLET, "above 1 kΩ one way, a diode the other", wrong


def _on(pins: Names, ref: str, net: str) -> tuple[int, ...]:
    """Return the numbers of a header's pins on a net."""
    return tuple(n for n in range(1, len(RIBBON) + 1) if pins.get("%s.%d" % (ref, n)) == net)


def _at_points(pins: Names, ref: str) -> tuple[tuple[int, str], ...]:
    """Return (number, printed name of the test point) of the header's pins that have one and are
    not ground."""
    points = {net for pin, net in pins.items() if pin.startswith("TP")} - {"GND"}
    shared = {net for net in points if sum(net == other for other in pins.values()) > 3}
    found = [(n, pins.get("%s.%d" % (ref, n), "")) for n in range(1, len(RIBBON) + 1)]
    return tuple((n, NAMES.get(net, net)) for n, net in found if net in shared)


def _neighbours(pins: Names, headers: list[str]) -> Iterator[Row]:
    """Yield which neighbours of a header are one net, and which must not be connected."""

    def beeping(ref: str) -> tuple[tuple[int, int], ...]:
        nets = [
            (pins.get("%s.%d" % (ref, a)), pins.get("%s.%d" % (ref, b))) for a, b in NEIGHBOURS
        ]
        return tuple(pair for pair, (a, b) in zip(NEIGHBOURS, nets) if a is not None and a == b)

    for pairs, refs in _alike({ref: beeping(ref) for ref in headers}):
        for a, b in pairs:
            net = pins["%s.%d" % (refs[0], a)]
            why = "0 Ω: both are %s" % NAMES.get(net, net)
            yield "%s: pins %d and %d" % (_span(refs), a, b), why, "a cold joint"
        where = "%s, other neighbours: %s; %s" % (_span(refs), _run(ACROSS), _run(ALONG))
        where += "".join(", not %d-%d" % pair for pair in pairs)
        yield where, "no 0 Ω", "a bridge under the header"


def _run(pairs: list[tuple[int, int]]) -> str:
    """Return pairs that go on alike as "1-2, 3-4 .. 13-14"."""
    first, second, *_, last = ["%d-%d" % pair for pair in pairs]
    return "%s, %s .. %s" % (first, second, last)


def _chain(pins: Names, values: Names, headers: list[str]) -> Iterator[Row]:
    """Yield one row for the pixels' chain, with the slots in the order of the wires."""
    out, into = RIBBON.index("PIX_OUT") + 1, RIBBON.index("PIX_IN") + 1
    first = next(ref for ref in headers if pins["%s.%d" % (ref, into)] == "PIXELS")
    order = [first]
    while True:
        net = pins["%s.%d" % (order[-1], out)]
        after = [ref for ref in headers if pins["%s.%d" % (ref, into)] == net]
        if not after:
            break
        order += after
    if len(order) != len(headers):
        raise ValueError("the chain ends after %s" % values[order[-1]])
    slots = [values[ref].removeprefix("slot ") for ref in order]
    if slots == [*map(str, range(1, len(slots) - 1)), "M", "E"]:
        slots = [slots[0], "%s .. %s" % (slots[1], slots[-3]), *slots[-2:]]
    where = "each header's pin %d to the next one's pin %d: %s" % (out, into, ", ".join(slots))
    yield where, "0 Ω", "a cold joint: the pixels' chain"


def _cc(pins: Names, of: dict[str, list[str]], values: Names) -> Iterator[Row]:
    nets = [net for net in ("CC1", "CC2") if INLET in of[net]]
    pulled = {values[ref] for net in nets for ref in _both(of, net, "GND")}
    if pulled != {"5k1"}:
        raise ValueError("CC1 and CC2 are pulled down by %s" % ", ".join(sorted(pulled)))
    where = "%s: %s, the inlet on it" % (INLET, ", ".join("%s to GND" % net for net in nets))
    yield where, "5.1 kΩ each", "see below"


def _alike(answers: Mapping[str, Answer]) -> list[tuple[Answer, list[str]]]:
    """Return [(answer, the headers that have it), ...]."""
    found: dict[Answer, list[str]] = {}
    for ref, answer in answers.items():
        found.setdefault(answer, []).append(ref)
    return list(found.items())


def _span(refs: list[str]) -> str:
    """Return "J1 to J12 and J15": three and more that follow each other as one."""
    runs: list[list[str]] = []
    for ref in refs:
        if runs and natural(ref)[1] == natural(runs[-1][-1])[1] + 1:
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return _and([word for run in runs for word in _ends(run)])


def _ends(refs: list[str]) -> list[str]:
    return ["%s to %s" % (refs[0], refs[-1])] if len(refs) > 2 else refs


def _and(words: Sequence[object], last: str = "and") -> str:
    """Return "1", "1 and 2" or "1, 2 and 3"."""
    texts = [str(word) for word in words]
    return (" %s " % last).join([", ".join(texts[:-1]), texts[-1]][-min(len(texts), 2) :])
