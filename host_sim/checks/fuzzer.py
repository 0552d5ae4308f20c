# SPDX-License-Identifier: MIT
"""Junk for everything that comes from outside: tags, console, config.py, journal, a hub's lines.

For no case may there be an exception, for none a wrong tile: what the hub reads from a tag an
independent decoder must find there too. hypothesis draws cases, and beside each stand NEAR others
that a plain random generator bent from it (`fuzz_cases`); the same seed makes the same ones. A
drawn case that fails is printed as small as it can be made.
"""

import functools
import json
import random
import re
import string

import hypothesis
import ndef
from hypothesis import strategies as st

from host_sim.checks import fuzz_cases, mutated_lines
from host_sim.checks.fuzz_cases import GONE
from host_sim.hub.simulated_hub import SimulatedHub, configured
from roundhouse import constants, games, journal, settings, tags
from roundhouse.games.match import Match

NEAR = 19


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
    typed = [line for line in data.replace(b"\r", b"\n").split(b"\n") if line.strip(b" ")]
    assert len(said) <= len(typed) + 1, said
    for line in said:
        assert not {"input", "error", "help", "selftest", "lock"}.isdisjoint(line), line
    if said and all("error" in line for line in said):
        assert bytes(hub.table.state) == before
    if b"export" in [line.strip() for line in typed]:
        board.run_until(lambda: board.lines and board.lines[-1].get("input") == "export", 10_000)


PYTHONS = re.compile(r"' object |object (?:has|is|does)|argument|Traceback")


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
        assert not PYTHONS.search(str(wrong)), wrong
        return
    for name in games.own:  # a card and a line can say it
        assert tags.parse("house " + name) == ("house", name, ()), name
    for pin in config.PINS.values():
        assert {type(n) for n in (pin if isinstance(pin, tuple | list) else [pin])} == {int}, pin


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
            (constants.PRESS, 1, 0),
            (constants.TAP, 1, 3),
            (constants.FORGET, 0, 0),
            (constants.SET, 0, 9),
            (constants.PRESS, 2, 0),
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


TARGETS = {  # what is tried, a strategy of cases, and what makes one near another
    "tag": (tag_memory, fuzz_cases.memories, fuzz_cases.near_bytes),
    "console": (console_line, fuzz_cases.lines, fuzz_cases.near_line),
    "config": (config_file, fuzz_cases.configs, fuzz_cases.near_config),
    "journal": (journal_segments, fuzz_cases.journals, fuzz_cases.near_journal),
    "lines": (mutated_lines.through_views, fuzz_cases.any_bytes, mutated_lines.near),
}


def attack(target, cases, seed):
    """Try so many cases on a target; return (cases tried, None or what failed)."""
    check, make, near = TARGETS[target]
    tried = [0]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=-(-cases // (1 + NEAR)),
        deadline=None,
        database=None,
        report_multiple_bugs=False,  # the first one, as small as it can be made
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    @hypothesis.given(make(), st.integers(0, 2**32))
    def run(drawn, beside):
        draw = random.Random(beside)
        case = drawn
        for _ in range(1 + NEAR):
            tried[0] += 1
            try:
                check(case)
            except Exception as error:
                error.add_note("the case: %r" % (case,))
                raise
            case = near(draw, drawn)

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
