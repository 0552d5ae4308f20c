# SPDX-License-Identifier: MIT
"""Cases for the fuzzer: what hypothesis draws, and what a plain random generator bends from that.

Drawing gives structure and costs much; bending a drawn case costs little. `near_*` take a
random.Random and a case, and return a case near it.
"""

import functools

import ndef
from hypothesis import strategies as st

from host_sim.chips import fake_flash
from host_sim.chips.ntag import NTAG213, message_tlv
from host_sim.hub.simulated_hub import configured
from roundhouse import boards, constants, journal, settings, tiles
from roundhouse.games.match import Match

GONE = "gone"  # a setting that config.py lacks
PIN_NAMES = sorted(boards.PINS["hub12"])
CC = b"\xe1\x10\x12\x00"  # of an NTAG213, and of one that is longer than any
LONG_CC = b"\xe1\x10\x6d\x00"
TEXTS = ("12-7", "0-0", "7-12", "18-18", "seat 3", "undo", "house quebec lift", "set 9", "scores")
PHONES = ("12\u20137", "Seat 3", "House Quebec Lift", "7\u221212")  # what their keyboards write


@functools.lru_cache
def messages():
    """Return memories with a good message: alone, behind a lock TLV, among other records."""
    found = []
    for text in TEXTS + PHONES:
        ours = ndef.TextRecord(text)
        for records in (
            [ours],
            [ndef.UriRecord("https://example.org/12-7"), ours],
            [ours, ndef.TextRecord("hello", "de")],
            [ndef.Record("text/plain", "x", b"1-1" * 90), ours],
        ):
            tlv = message_tlv(b"".join(ndef.message_encoder(records)))
            found += [LONG_CC + tlv, LONG_CC + NTAG213.factory + tlv, CC + b"\x00\x00" + tlv]
    return found


def any_bytes():
    """Return a strategy of bytes from a wire."""
    return st.binary(max_size=200)


def mutate(data, changes, cut):
    """Return bytes with changes (place, value, one of HOW), cut off at `cut` where that is not 0;
    places may lie beyond the end."""
    data = bytearray(data)
    for at, value, how in changes:
        at %= len(data) or 1
        if how == "=":
            data[at : at + 1] = bytes((value,))
        elif how == "x":
            data[at : at + 1] = bytes((data[at] ^ 1 << value % 8,)) if data else b""
        elif how == "-":
            del data[at : at + value % 9]
        else:
            data[at:at] = data[at : at + value % 9]
    return bytes(data[: cut % (len(data) + 1)] if cut else data)


HOW = "====-+x"


def mutated(good):
    """A strategy: one of these byte strings, with some bytes changed, cut out or doubled."""
    change = st.tuples(st.integers(0, 10**6), st.integers(0, 255), st.sampled_from(HOW))
    cuts = st.one_of(st.just(0), st.integers(0, 10**6))
    return st.builds(mutate, st.sampled_from(good), st.lists(change, max_size=4), cuts)


def near_bytes(draw, data):
    """Return a byte string near this one; draw: a random.Random."""
    changes = [
        (draw.randrange(10**6), draw.randrange(256), draw.choice(HOW))
        for _ in range(draw.randrange(1, 4))
    ]
    return mutate(data, changes, 0 if draw.random() < 0.8 else draw.randrange(1, 10**6))


def near_line(draw, line):
    """Return a console line near this one: bytes bent, or a word put in, taken out or changed."""
    if draw.random() < 0.3:
        return near_bytes(draw, line)
    typed = line.split(b" ")
    at = draw.randrange(len(typed))
    new = draw.choice(WORDS) if draw.random() < 0.7 else str(draw.randrange(-5, 400))
    typed[at : at + draw.randrange(2)] = [new.encode()] * draw.randrange(2)
    return b" ".join(typed)


def near_journal(draw, found):
    """Return segments near these: one of them bent, doubled, or another one."""
    found = list(found)
    at = draw.randrange(len(found) + 1)
    if at == len(found):
        return [*found, near_bytes(draw, draw.choice(segments()))][-3:]
    found[at] = near_bytes(draw, found[at])
    return found


def near_config(draw, changes):
    """Return settings near these: one value of another type, place or name."""
    changes = dict(changes)
    name = draw.choice([*changes, draw.choice(settings.NAMES)])
    old = changes.get(name, getattr(configured(), name, None))
    values = [None, True, 0, -1, 3, 12, 28.0, 5000, "", "3", "puremco", "quebec lift", GONE]
    values += [old, [old], (old, old), {"a": old}, {old: 1} if isinstance(old, str) else [], ()]
    if isinstance(old, dict):
        values += [{**old, key: value} for key, value in zip(PIN_NAMES, values)]
    changes[name] = draw.choice(values)
    return changes


WORDS = (
    "state",
    "undo",
    "redo",
    "next",
    "house",
    "set",
    "join",
    "leave",
    "hand",
    "boneyard",
    "turn",
    "marker",
    "score",
    "write",
    "lock",
    "export",
    "selftest",
    "help",
    "quebec",
    "jassshop",
    "no-lock",
    "1",
    "2",
    "3",
    "10",
    "11",
    "M",
    "E",
    "0",
    "-1",
    "12",
    "9",
    "999999",
    "12-7",
    "seat",
    "import os",
    "__import__('os')",
    "eval(1)",
    "open('main.py')",
    "\x00",
    "\xff",
    '"',
    "\\",
    "{}",
)


def lines():
    word = st.one_of(st.sampled_from(WORDS), st.integers(-5, 400).map(str), st.text(max_size=6))
    found = st.lists(word, max_size=6).map(lambda w: " ".join(w).encode())
    return st.one_of(
        found, found, mutated([w.encode() for w in WORDS if w]), st.binary(max_size=200)
    )


def configs():
    """A strategy: {name: value} that config.py says otherwise, most of it nonsense."""
    leaf = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 5000),
        st.floats(allow_nan=False),
        st.text(max_size=8),
        st.sampled_from(
            (
                "puremco",
                "quebec lift",
                "hub12",
                "breadboard",
                "jassshop",
                "lock",
                "no",
                "blank",
                "25",
            )
        ),
    )
    nested = st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.one_of(st.text(max_size=5), st.integers()), inner, max_size=3),
        ),
        max_leaves=6,
    )
    good = vars(configured())
    pins = st.dictionaries(st.sampled_from(PIN_NAMES), nested, max_size=3)
    house = st.tuples(st.sampled_from(("jassshop", "matador")), st.just({}))
    own = st.one_of(st.text(max_size=6), st.text("aZ-7 ", max_size=17), st.integers())
    families = st.dictionaries(own, st.one_of(nested, house), max_size=3)
    names = st.sampled_from(settings.NAMES)
    wrong = st.dictionaries(names, nested, min_size=1, max_size=3)
    return st.one_of(
        wrong,
        st.dictionaries(names, st.just(GONE), max_size=len(settings.NAMES)),
        st.dictionaries(mutated_name(), leaf, max_size=2),
        st.builds(lambda p: {"PINS": {**good["PINS"], **p}}, pins),
        st.builds(lambda f: {"FAMILY": f}, families),
    )


def mutated_name():
    """A strategy: the name of a setting with a letter changed, or no name at all."""
    name = st.sampled_from(settings.NAMES)
    return st.one_of(
        st.builds(lambda n, at, new: n[: at % len(n)] + new, name, st.integers(0, 9), st.text()),
        name.map(str.lower),
    )


@functools.lru_cache
def segments():
    """Return good segments of a running match."""
    flash = fake_flash.Flash(blocks=16)
    flash.mkdir("journal")
    t = Match()
    j = journal.Journal(flash, "journal", t)
    j.resume()
    for kind, slot, value in (
        (constants.PRESS, 1, 0),
        (constants.PRESS, 2, 0),
        (constants.TAP, 1, tiles.double(12)),
    ):
        t.apply(kind, slot, value)
        j.record(kind, slot, value)
    for _ in range(60):
        t.apply(constants.PRESS, t.turn, 0)
        j.record(constants.PRESS, t.turn, 0)
    return [data for _, data in j.segments()]


def nonsense():
    """A strategy: a segment without a damaged byte, but whose inputs no table has accepted."""
    kinds = st.sampled_from(
        (constants.TAP, constants.TAP, constants.PRESS, constants.PRESS, *range(16))
    )
    inputs = st.tuples(
        kinds, st.integers(0, 11), st.integers(0, 255), st.sampled_from((0, 0, 255))
    )

    table = Match()

    def whole(inputs, began):
        live = b"".join(bytes((kind << 4 | slot, *value)) for kind, slot, *value in inputs)
        return journal.segment(1, 0, 1, table.kept.packed(table.state), live, began << 4)

    choices = st.sampled_from((0, constants.RULES, constants.SET))
    return st.builds(whole, st.lists(inputs, max_size=12), choices)


def memories():
    """A strategy: what a tag's memory may hold from its capability container on."""
    good = mutated(messages())
    body = st.binary(max_size=160)
    return st.one_of(good, good, body, body.map(lambda body: CC + body))


def journals():
    """A strategy: up to three segments, of which most were good ones."""
    good = mutated(segments())
    return st.lists(st.one_of(good, good, nonsense(), st.binary(max_size=500)), max_size=3)
