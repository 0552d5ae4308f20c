# SPDX-License-Identifier: MIT
"""Random tag memory never raises an exception. An independent decoder finds each text that the
firmware finds."""

import ndef
from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim.board.chips.ntag import message_tlv
from host_sim.lab.fuzz_cases import CC, LONG_CC, TEXTS
from host_sim.lab.fuzzer import denied, plain
from roundhouse import tag_writer, tags

OURS = TEXTS


def check(image):
    n = len(image)
    words = tags.text(image, n)
    if words is not None:
        assert tags.parse(tags.plain(words.encode())) is not None
        assert denied(image, words) is None, (bytes(image), words, denied(image, words))
    want = 0
    for have in range(0, n + 1, 16):  # as the driver reads
        want = tags.length(image, have)
        assert want >= 0
        if want <= have:
            assert tags.text(image, have) == words
            break
    return words


@settings(max_examples=400)
@given(st.binary(max_size=200), st.booleans())
def test_random_memory(body, container):
    check(bytearray((CC if container else b"") + body))


@settings(max_examples=400)
@given(
    st.lists(st.sampled_from(["text", "uri", "smart", "mime"]), max_size=2),
    st.sampled_from(OURS),
    st.sampled_from(["en", "de", "pt-BR", "x" * 40]),
    st.sampled_from(["UTF-8", "UTF-16", "text/plain", "text/plain;charset=utf-16"]),
    st.integers(0, 3),
    st.data(),
)
def test_good_messages_and_their_neighbours(others, words, language, form, place, data):
    make = {
        "text": lambda: ndef.TextRecord("anything"),
        "uri": lambda: ndef.UriRecord("https://example.org/12-7"),
        "smart": lambda: ndef.SmartposterRecord("https://example.org", "12-7"),
        "mime": lambda: ndef.Record("text/vcard", "x", b"12-7" * 65),
    }
    records = [make[kind]() for kind in others]
    if "/" in form:
        ours = ndef.Record(form, "", words.encode(form.partition("=")[2] or "utf-8"))
    else:
        ours = ndef.TextRecord(words, language, form)
    records.insert(min(place, len(records)), ours)
    image = bytearray(LONG_CC + message_tlv(b"".join(ndef.message_encoder(records))))
    assert check(image) == words
    # one byte wrong anywhere: the same text, another one that stands there, or none
    at = data.draw(st.integers(0, len(image) - 1))
    image[at] = data.draw(st.integers(0, 255))
    check(image)
    # torn: the front of the memory is new, the rest is not
    cut = data.draw(st.integers(4, len(image)))
    image[cut:] = bytes(len(image) - cut)
    check(image)


@settings(max_examples=300)
@given(st.text(max_size=20))
def test_parse_never_raises(words):
    meaning = tags.parse(tags.plain(words.encode()))
    if meaning is not None and meaning[0] == "tile":
        assert plain(words) in (
            "%d-%d" % (meaning[1], meaning[2]),
            "%d-%d" % (meaning[2], meaning[1]),
        )


@settings(max_examples=300)
@given(st.text("0123456789-_ /+\u0661\u00b2\uff11\u2013\u2212\u2016", max_size=6))
def test_only_tiles_are_tiles(words):
    meaning = tags.parse(tags.plain(words.encode()))
    real = {"%d-%d" % (a, b): (max(a, b), min(a, b)) for a in range(19) for b in range(19)}
    expected = real.get(plain(words))
    assert meaning == (None if expected is None else ("tile",) + expected)


@settings(max_examples=200)
@given(st.text(max_size=300), st.sampled_from((None,) + OURS))
def test_what_is_written_decodes_independently(words, card):
    image = tag_writer.message(words, card)
    assert len(image) % 4 == 0
    size = image[1] if image[1] < 255 else image[2] << 8 | image[3]
    start = 2 if image[1] < 255 else 4
    records = list(ndef.message_decoder(bytes(image[start : start + size])))
    assert [r.text for r in records] == [words] + ([card] if card else [])
