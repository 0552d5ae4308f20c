# SPDX-License-Identifier: MIT
"""Junk for everything that comes from outside: tags, console, config.py, journal.

hypothesis makes the cases: random, and good ones that were bent, cut and shuffled; the same seed
makes the same ones. For none may there be an exception, for none a wrong tile: what the hub reads
from a tag an independent decoder must find there too. A case that fails is printed as small as it
can be made.
"""

import functools
import json
import re
import string

import hypothesis
import ndef
from hypothesis import strategies as st

from host_sim.chips import fake_flash
from host_sim.chips.ntag import NTAG213, message_tlv
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import boards, games, journal, settings, tags, tiles, words
from roundhouse.games.match import Match

CC = b"\xe1\x10\x12\x00"
LONG_CC = b"\xe1\x10\x6d\x00"
TEXTS = ("12-7", "0-0", "7-12", "18-18", "seat 3", "undo", "house quebec lift", "set 9", "scores")
PHONES = ("12\u20137", "Seat 3", "House Quebec Lift", "7\u221212")  # what their keyboards write


def plain(text):
    """A text as the hub is to say it: capitals and a phone's dashes are small letters and `-`."""
    for capital in string.ascii_uppercase:
        text = text.replace(capital, capital.lower())
    return re.sub("[\u2010-\u2015\u2212]", "-", text.strip(" \t\r\n"))


def denied(image, said):
    """Why ndeflib does not find `said` in the first NDEF TLV of this memory; None if it does."""
    at = 4
    while image[at] != 3:
        if image[at] == 0:
            at += 1
        elif image[at] == 0xFE:
            return "no message"
        else:
            size = image[at + 1]
            at += 2 + size if size < 255 else 4 + (image[at + 2] << 8 | image[at + 3])
    size = image[at + 1]
    start = at + 2
    if size == 255:
        size = image[at + 2] << 8 | image[at + 3]
        start = at + 4
    message = bytes(image[start : start + size])
    if len(message) != size:
        return "torn"
    try:
        records = list(ndef.message_decoder(message, errors="relax", known_types={}))
    except (ndef.DecodeError, ValueError) as error:
        if "record type string" in str(error):  # another record's media type without a "/"
            return None
        return str(error)
    texts = []
    for r in records:
        if r.type == "urn:nfc:wkt:T":
            try:
                texts.append(ndef.TextRecord._decode_payload(r.data, "strict").text)
            except (ndef.DecodeError, ValueError):
                pass  # another record than ours
    return None if said in map(plain, texts) else "only %s" % texts


# ---- bending what is good ----


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


def bent(good):
    """A strategy: one of these byte strings, with some bytes changed, cut out or doubled."""
    change = st.tuples(st.integers(0, 10**6), st.integers(0, 255), st.sampled_from("====-+x"))

    def bend(data, changes, cut):
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

    cuts = st.one_of(st.just(0), st.integers(0, 10**6))
    return st.builds(bend, st.sampled_from(good), st.lists(change, max_size=4), cuts)


# ---- what is tried ----


def tag_memory(image):
    """tags.text and tags.length, as the driver calls them."""
    image = bytearray(image)
    n = len(image)
    said = tags.text(image, n)
    if said is not None:
        assert tags.parse(said) is not None, said
        assert denied(image, said) is None, (said, denied(image, said))
    for have in range(0, n + 1, 16):
        want = tags.length(image, have)
        assert want >= 0
        if want <= have:
            assert tags.text(image, have) == said
            break


@functools.lru_cache
def _board():
    """Return a hub in the middle of a round; every line meets it as the last one left it."""
    board = SimulatedHub(configured(SET=6))
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.tap("6-6", "1")
    return board


def console_line(data):
    """Bytes typed, a line's end behind them: one answer a line, an error changes nothing."""
    board = _board()
    hub, port = board.hub, board.port
    before = bytes(hub.table.state)
    del board.lines[:]
    port._in += data + b"\n"
    hub.listen()
    while port._in:
        hub.listen()
    for _ in range(60):
        hub.console.flush()
    said = [json.loads(line) for line in port.lines]
    del port.lines[:]
    if any("selftest" in line for line in said):  # the same word ends it
        board.say("selftest")
    typed = [line for line in data.replace(b"\r", b"\n").split(b"\n") if line.strip()]
    assert len(said) <= len(typed) + 1, said
    for line in said:
        assert not {"input", "error", "help", "selftest", "lock"}.isdisjoint(line), line
    if said and all("error" in line for line in said):
        assert bytes(hub.table.state) == before
    if b"export" in [line.strip() for line in typed]:
        board.run_until(lambda: board.lines and board.lines[-1].get("input") == "export", 10_000)


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
    return st.one_of(found, found, bent([w.encode() for w in WORDS if w]), st.binary(max_size=200))


GONE = "gone"


def config_file(changes):
    """Values in config.py (GONE: it lacks that setting): it is accepted, or one sentence says what
    is wrong with it, in words of ours and not in Python's."""
    config = configured(**changes)
    for name, value in changes.items():
        if value == GONE:
            delattr(config, name)
    try:
        settings.check(config)
    except settings.BadConfig as wrong:
        assert str(wrong).startswith("config.py: "), wrong
        assert "object" not in str(wrong), wrong
        return
    for name in games.own:  # a card and a line can say it
        assert tags.parse("house " + name) == ("house", name, ()), name
    for pin in config.PINS.values():
        assert {type(n) for n in (pin if isinstance(pin, tuple | list) else [pin])} == {int}, pin


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
    pins = st.dictionaries(st.sampled_from(sorted(boards.PINS["hub12"])), nested, max_size=3)
    house = st.tuples(st.sampled_from(("jassshop", "matador")), st.just({}))
    own = st.one_of(st.text(max_size=6), st.text("aZ-7 ", max_size=17), st.integers())
    families = st.dictionaries(own, st.one_of(nested, house), max_size=3)
    names = st.sampled_from(settings.NAMES)
    wrong = st.dictionaries(names, nested, min_size=1, max_size=3)
    return st.one_of(
        wrong,
        st.dictionaries(names, st.just(GONE), max_size=len(settings.NAMES)),
        st.dictionaries(bent_name(), leaf, max_size=2),
        st.builds(lambda p: {"PINS": {**good["PINS"], **p}}, pins),
        st.builds(lambda f: {"FAMILY": f}, families),
    )


def bent_name():
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
        (words.PRESS, 1, 0),
        (words.PRESS, 2, 0),
        (words.TAP, 1, tiles.double(12)),
    ):
        t.apply(kind, slot, value)
        j.record(kind, slot, value)
    for _ in range(60):
        t.apply(words.PRESS, t.turn, 0)
        j.record(words.PRESS, t.turn, 0)
    return [data for _, data in j.segments()]


class _Files:
    """Files in a dict: what the journal needs of a file system, at the speed of a fuzzer."""

    def __init__(self, files):
        self.files = files

    def listdir(self, folder):
        return list(self.files)

    def remove(self, path):
        del self.files[path.split("/")[1]]

    def open(self, path, mode):
        name = path.split("/")[1]
        if mode == "rb" and name not in self.files:
            raise OSError(2)
        if mode == "wb":
            self.files[name] = b""
        return _InDict(self.files, name)


class _InDict:
    def __init__(self, files, name):
        self.files, self.name = files, name

    def read(self):
        return self.files[self.name]

    def write(self, data):
        self.files[self.name] = self.files.get(self.name, b"") + bytes(data)

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def nonsense():
    """A strategy: a segment without a damaged byte, but whose inputs no table has accepted."""
    kinds = st.sampled_from((words.TAP, words.TAP, words.PRESS, words.PRESS, *range(16)))
    inputs = st.tuples(
        kinds, st.integers(0, 11), st.integers(0, 255), st.sampled_from((0, 0, 255))
    )

    def whole(inputs, began):
        live = b"".join(bytes((kind << 4 | slot, *value)) for kind, slot, *value in inputs)
        return journal.segment(1, 0, 1, Match().state, live, began << 4)

    choices = st.sampled_from((0, words.RULES, words.SET))
    return st.builds(whole, st.lists(inputs, max_size=12), choices)


def journal_segments(found):
    """Segments of any bytes: the hub starts, says what is damaged, and keeps what comes then."""
    files = _Files({"%08d.rhj" % n: data for n, data in enumerate(found, 1)})
    state = None
    for _ in range(2):
        t = Match()
        j = journal.Journal(files, "journal", t)
        j.resume()
        if state is not None:
            assert bytes(t.state) == state
            assert not j.trouble, "it is said once"
            return
        for kind, slot, value in (
            (words.PRESS, 1, 0),
            (words.TAP, 1, 3),
            (words.FORGET, 0, 0),
            (words.SET, 0, 9),
            (words.PRESS, 2, 0),
        ):
            if not t.apply(kind, slot, value):
                j.record(kind, slot, value)
        j.take_back()
        j.take_back()
        before = bytes(t.state)
        if j.redo():
            assert j.take_back() is not None
            assert bytes(t.state) == before
        state = bytes(t.state)


TARGETS = {
    "tag": (
        tag_memory,
        lambda: st.one_of(
            bent(messages()),
            bent(messages()),
            st.binary(max_size=160),
            st.binary(max_size=160).map(lambda body: CC + body),
        ),
    ),
    "console": (console_line, lines),
    "config": (config_file, configs),
    "journal": (
        journal_segments,
        lambda: st.lists(
            st.one_of(bent(segments()), bent(segments()), nonsense(), st.binary(max_size=500)),
            max_size=3,
        ),
    ),
}


def attack(target, cases, seed):
    """Try so many cases on a target; return (cases tried, None or what failed)."""
    check, make = TARGETS[target]
    tried = [0]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=cases,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    @hypothesis.given(make())
    def run(case):
        tried[0] += 1
        check(case)

    try:
        run()
    except Exception as error:  # whatever it is, it is what the fuzzer looks for
        return tried[0], "%s: %s: %s\n%s" % (
            target,
            type(error).__name__,
            error,
            "\n".join(getattr(error, "__notes__", ())),
        )
    return tried[0], None
