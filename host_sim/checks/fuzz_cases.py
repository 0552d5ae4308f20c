# SPDX-License-Identifier: MIT
"""Test cases for the fuzzer. Strategies of the library hypothesis generate them, and functions
mutate the generated cases.

Hypothesis generates well-structured cases slowly; mutating a case is fast. The functions
`mutate_*` take a random.Random and a case, and return a similar case.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import ndef
from hypothesis import strategies as st

from host_sim.chips import fake_flash
from host_sim.chips.ntag import NTAG213, message_tlv
from host_sim.hub.simulated_hub import configured
from roundhouse import boards, constants, journal, settings, tiles
from roundhouse.games.match import Match

Strategy = st.SearchStrategy
Change = tuple[int, int, str]  # a place, a value, one of HOW

GONE = "gone"  # a setting that config.py lacks
PIN_NAMES = sorted(boards.PINS["hub12"])
CC = b"\xe1\x10\x12\x00"  # of an NTAG213, and of a tag longer than any
LONG_CC = b"\xe1\x10\x6d\x00"
TEXTS = ("12-7", "0-0", "7-12", "18-18", "seat 3", "undo", "house quebec lift", "set 9", "scores")
PHONES = ("12\u20137", "Seat 3", "House Quebec Lift", "7\u221212")  # what their keyboards write


@functools.lru_cache
def messages() -> list[bytes]:
    """Return possible contents of a tag's memory, each as bytes. Each content has a valid NDEF
    message. In some, the message has several records. In some, another TLV block precedes the
    message."""
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


def any_bytes() -> Strategy[bytes]:
    """Return a Hypothesis strategy for arbitrary bytes."""
    return st.binary(max_size=200)


def mutate(data: bytes, changes: Iterable[Change], cut: int) -> bytes:
    """Return the bytes with the changes applied, truncated to `cut` bytes unless `cut` is 0.

    An offset of a change is taken modulo the length. `cut` is taken modulo the length plus one.
    """
    out = bytearray(data)
    for at, value, how in changes:
        at %= len(out) or 1
        if how == "=":
            out[at : at + 1] = bytes((value,))
        elif how == "x":
            out[at : at + 1] = bytes((out[at] ^ 1 << value % 8,)) if out else b""
        elif how == "-":
            del out[at : at + value % 9]
        else:
            out[at:at] = out[at : at + value % 9]
    return bytes(out[: cut % (len(out) + 1)] if cut else out)


HOW = "====-+x"


def mutated(good: Sequence[bytes]) -> Strategy[bytes]:
    """Return a Hypothesis strategy that takes one of the given byte strings and changes, removes
    or repeats some of its bytes."""
    change = st.tuples(st.integers(0, 10**6), st.integers(0, 255), st.sampled_from(HOW))
    cuts = st.one_of(st.just(0), st.integers(0, 10**6))
    return st.builds(mutate, st.sampled_from(good), st.lists(change, max_size=4), cuts)


def mutate_bytes(rng: Random, data: bytes) -> bytes:
    """Return a copy of `data` with one to three random changes, sometimes truncated."""
    changes = [
        (rng.randrange(10**6), rng.randrange(256), rng.choice(HOW))
        for _ in range(rng.randrange(1, 4))
    ]
    return mutate(data, changes, 0 if rng.random() < 0.8 else rng.randrange(1, 10**6))


def mutate_line(rng: Random, line: bytes) -> bytes:
    """Return a copy of the console line with some bytes changed, or with a word inserted, removed
    or replaced."""
    if rng.random() < 0.3:
        return mutate_bytes(rng, line)
    typed = line.split(b" ")
    at = rng.randrange(len(typed))
    new = rng.choice(WORDS) if rng.random() < 0.7 else str(rng.randrange(-5, 400))
    typed[at : at + rng.randrange(2)] = [new.encode()] * rng.randrange(2)
    return b" ".join(typed)


def mutate_journal(rng: Random, found: Sequence[bytes]) -> list[bytes]:
    """Return the files (segments) of a journal with one of them mutated, or with another file
    added."""
    found = list(found)
    at = rng.randrange(len(found) + 1)
    if at == len(found):
        return [*found, mutate_bytes(rng, rng.choice(segments()))][-3:]
    found[at] = mutate_bytes(rng, found[at])
    return found


def mutate_config(rng: Random, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings for config.py with one value replaced, often by a value of another type. The
    value GONE removes the setting."""
    changes = dict(changes)
    name = rng.choice([*changes, rng.choice(settings.NAMES)])
    old = changes.get(name, getattr(configured(), name, None))
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        3,
        12,
        28.0,
        5000,
        "",
        "3",
        "puremco",
        "quebec lift",
        GONE,
    ]
    values += [old, [old], (old, old), {"a": old}, {old: 1} if isinstance(old, str) else [], ()]
    if isinstance(old, dict):
        values += [{**old, key: value} for key, value in zip(PIN_NAMES, values)]
    changes[name] = rng.choice(values)
    return changes


WORDS = (
    *("state", "undo", "redo", "next", "house", "set", "join", "leave", "hand", "boneyard"),
    *("turn", "marker", "score", "write", "lock", "read", "export", "selftest", "help", "quebec"),
    *("deal-15-12", "deal-any", "rounds-6", "first-9", "upward", "deal-", "deal-31", "first-"),
    *("jassshop", "no-lock", "1", "2", "3", "10", "11", "M", "E", "0", "-1", "12", "9"),
    *("999999", "12-7", "seat", "import os", "__import__('os')", "eval(1)"),
    *("open('main.py')", "\x00", "\xff", '"', "\\", "{}"),
)


def lines() -> Strategy[bytes]:
    """Return a Hypothesis strategy for lines typed at the console."""
    word = st.one_of(st.sampled_from(WORDS), st.integers(-5, 400).map(str), st.text(max_size=6))
    found = st.lists(word, max_size=6).map(lambda w: " ".join(w).encode())
    return st.one_of(
        found, found, mutated([w.encode() for w in WORDS if w]), st.binary(max_size=200)
    )


def configs() -> Strategy[dict[str, Any]]:
    """Return a Hypothesis strategy for changed settings {name: value}, most of which are
    invalid."""
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
    house: Strategy[Any] = st.tuples(st.sampled_from(("jassshop", "matador")), st.just({}))
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


def mutated_name() -> Strategy[str]:
    """Return a Hypothesis strategy for misspelt names of settings. Such a name has changed letters
    or is in lower case."""
    name = st.sampled_from(settings.NAMES)
    return st.one_of(
        st.builds(lambda n, at, new: n[: at % len(n)] + new, name, st.integers(0, 9), st.text()),
        name.map(str.lower),
    )


@functools.lru_cache
def segments() -> list[bytes]:
    """Return the bytes of valid journal files (segments) of a match in progress."""
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


def nonsense() -> Strategy[bytes]:
    """Return a Hypothesis strategy for undamaged journal files (segments) with inputs that the
    rules refuse."""
    kinds = st.sampled_from(
        (constants.TAP, constants.TAP, constants.PRESS, constants.PRESS, *range(16))
    )
    inputs = st.tuples(
        kinds, st.integers(0, 11), st.integers(0, 255), st.sampled_from((0, 0, 255))
    )

    table = Match()

    def whole(inputs: Iterable[tuple[int, ...]], began: int) -> bytes:
        live = b"".join(bytes((kind << 4 | slot, *value)) for kind, slot, *value in inputs)
        return journal.segment(1, 0, 1, table.saved_state.pack(table.state), live, began << 4)

    choices = st.sampled_from((0, constants.RULES, constants.SET))
    return st.builds(whole, st.lists(inputs, max_size=12), choices)


def memories() -> Strategy[bytes]:
    """Return a Hypothesis strategy for the memory of a tag, starting at its capability
    container."""
    good = mutated(messages())
    body = st.binary(max_size=160)
    return st.one_of(good, good, body, body.map(lambda body: CC + body))


def journals() -> Strategy[list[bytes]]:
    """Return a Hypothesis strategy for journals of up to three files (segments). Most of the files
    are mutated from valid files."""
    good = mutated(segments())
    return st.lists(st.one_of(good, good, nonsense(), st.binary(max_size=500)), max_size=3)
