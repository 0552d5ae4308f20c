# SPDX-License-Identifier: MIT
"""The fuzzer: feeds invalid input to the tag reader, console, config.py, journal and views.

No case may raise an exception. The tag reader must read the same tile as an independent decoder.
The library hypothesis generates the cases, and reduces those that fail. Every generated case is
also mutated MUTATIONS times (see `fuzz_cases`). The same seed gives the same cases.
"""

import email.message
import functools
import json
import random
import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import hypothesis
import ndef
from hypothesis import strategies as st

from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.lab import bent_files, fuzz_cases, mutated_lines
from host_sim.lab.fuzz_cases import GONE
from roundhouse import constants, games, journal, settings, tags
from roundhouse.games.match import Match

MUTATIONS = 19  # mutations of each generated case


UNSEEN = (
    r"[\x00-\x20\x7f-\xa0\xad\u061c\u180b-\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    r"\u3000\ufe00-\ufe0f\ufeff]+"
)


def plain(text: str) -> str:
    """Return a text as the hub prints it: in lower case, with `-` for each typographic dash, and
    nothing around it that cannot be seen. A typed tile such as `06 / 3` becomes `6-3`."""
    for capital in string.ascii_uppercase:
        text = text.replace(capital, capital.lower())
    text = re.sub("[\u2010-\u2015\u2212]", "-", re.sub(f"^{UNSEEN}|{UNSEEN}\\Z", "", text))
    tile = re.fullmatch("([0-9]{1,2})(?: *[-/] *| +)([0-9]{1,2})", text)
    return "%d-%d" % (int(tile[1]), int(tile[2])) if tile else text


def denied(image: bytes | bytearray, text: str) -> str | None:
    """Return None if ndeflib finds a text in the first NDEF TLV of a tag's memory, else why
    not."""
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
    texts = [said for said in map(_text, records) if said is not None]
    return None if text in map(plain, texts) else "only %s" % texts


def _text(record: ndef.Record) -> str | None:
    """Return the text of a Text or text/plain record, or None."""
    data, charset = record.data, "utf-8"
    if record.type == "urn:nfc:wkt:T":
        if not data or data[0] & 0x40 or data[0] & 0x3F >= len(data):
            return None
        if data[0] & 0x80:
            charset = "utf-16"
        data = data[1 + (data[0] & 0x3F) :]
    else:
        head = email.message.Message()
        head["Content-Type"] = record.type
        if head.get_content_type() != "text/plain" or record.type.count("/") != 1:
            return None
        charset = str(head.get_content_charset("utf-8"))
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        charset = "utf-16"
    elif charset == "utf-16":
        charset = "utf-16-be"  # Python takes the machine's own order
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return None


# ---- what is tried ----


def tag_memory(image: bytes) -> None:
    """Call tags.text and tags.length for a tag's memory as the tag driver does, and check the
    results."""
    memory = bytearray(image)
    n = len(memory)
    text = tags.text(memory, n)
    if text is not None:
        assert tags.parse(tags.plain(text.encode())) is not None, text
        assert denied(memory, text) is None, (text, denied(memory, text))
    for have in range(0, n + 1, 16):
        want = tags.length(memory, have)
        assert want >= 0
        if want <= have:
            assert tags.text(memory, have) == text
            break


@functools.lru_cache
def _board() -> SimulatedHub:
    """Return a simulated hub in the middle of a round, the same for all console lines."""
    board = SimulatedHub(configured(SET=6))
    for seat in ("1", "2", "3"):
        board.press(seat)
    board.tap("6-6", "1")
    return board


def console_line(data: bytes) -> None:
    """Check that the console answers each line once, and that an error changes nothing."""
    board = _board()
    hub, port = board.hub, board.port
    before = bytes(hub.table.state)
    del board.lines[:]
    port._in += data + b"\n"
    hub.read_line()
    while port._in:
        hub.read_line()
    for _ in range(60):
        hub.console.flush()
    answers = [json.loads(line) for line in port.lines]
    del port.lines[:]
    if any("selftest" in line for line in answers):
        board.command("selftest end")
    typed = [line for line in data.replace(b"\r", b"\n").split(b"\n") if line.strip(b" ")]
    assert len(answers) <= len(typed) + 1, answers
    for line in answers:
        assert not {"input", "error", "help", "selftest", "lock", "tag"}.isdisjoint(line), line
    if answers and all("error" in line for line in answers):
        assert bytes(hub.table.state) == before
    if b"export" in [line.strip() for line in typed]:
        board.run_until(lambda: board.lines and board.lines[-1].get("input") == "export", 10_000)


PYTHONS = re.compile(r"' object |object (?:has|is|does)|argument|Traceback")


def config_file(changes: Mapping[str, Any]) -> None:
    """Check that the firmware accepts changed settings of config.py or refuses them in one
    sentence. changes: {setting: value, or GONE to remove the setting}"""
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
    for name in games.family:  # cards and lines can contain it
        assert tags.parse(tags.plain(("house " + name).encode())) == ("house", name, ()), name
    for pin in config.PINS.values():
        assert {type(n) for n in (pin if isinstance(pin, tuple | list) else [pin])} == {int}, pin


class _Files:
    """A fast file system in a dict, with the functions that the journal needs."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def listdir(self, folder: str) -> list[str]:
        return list(self.files)

    def remove(self, path: str) -> None:
        del self.files[path.split("/")[1]]

    def open(self, path: str, mode: str) -> "_InDict":
        name = path.split("/")[1]
        if mode == "rb" and name not in self.files:
            raise OSError(2)
        if mode == "wb":
            self.files[name] = b""
        return _InDict(self.files, name)


class _InDict:
    def __init__(self, files: dict[str, bytes], name: str) -> None:
        self.files, self.name = files, name

    def read(self) -> bytes:
        return self.files[self.name]

    def write(self, data: bytes) -> None:
        self.files[self.name] = self.files.get(self.name, b"") + bytes(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


def journal_segments(found: Sequence[bytes]) -> None:
    """Check that the hub starts with these files (segments) of a journal, reports damage only
    once, and stores new inputs."""
    files = _Files({"%08d.rhj" % n: data for n, data in enumerate(found, 1)})
    state = None
    for _ in range(2):
        t = Match()
        j = journal.Journal(files, "journal", t)
        j.resume()
        if state is not None:
            assert bytes(t.state) == state
            assert not j.trouble, "damage is reported once"
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


TARGETS: dict[
    str, tuple[Callable[[Any], None], Callable[[], Any], Callable[..., Any]]
] = {  # a check, a strategy of cases, a mutation of one
    "tag": (tag_memory, fuzz_cases.memories, fuzz_cases.mutate_bytes),
    "console": (console_line, fuzz_cases.lines, fuzz_cases.mutate_line),
    "config": (config_file, fuzz_cases.configs, fuzz_cases.mutate_config),
    "journal": (journal_segments, fuzz_cases.journals, fuzz_cases.mutate_journal),
    "files": (bent_files.check, fuzz_cases.any_bytes, bent_files.mutate),
    "lines": (mutated_lines.check_views, fuzz_cases.any_bytes, mutated_lines.mutate),
}


def attack(target: str, cases: int, seed: int) -> tuple[int, str | None]:
    """Run test cases on a target. Return (count of cases run, None or a description of the
    failure)."""
    check, make, mutate = TARGETS[target]
    tried = [0]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=-(-cases // (1 + MUTATIONS)),
        deadline=None,
        database=None,
        report_multiple_bugs=False,  # only the first one, reduced as far as possible
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    @hypothesis.given(make(), st.integers(0, 2**32))
    def run(drawn: Any, beside: int) -> None:
        rng = random.Random(beside)
        case = drawn
        for _ in range(1 + MUTATIONS):
            tried[0] += 1
            try:
                check(case)
            except Exception as error:
                error.add_note("the case: %r" % (case,))
                raise
            case = mutate(rng, drawn)

    try:
        run()
    except Exception as error:  # any error is a finding
        return tried[0], "%s: %s: %s\n%s" % (
            target,
            type(error).__name__,
            error,
            "\n".join(getattr(error, "__notes__", ())),
        )
    return tried[0], None
