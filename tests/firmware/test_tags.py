# SPDX-License-Identifier: MIT
"""Tag memory to text and meaning. The tests also run on a MicroPython VM."""

from roundhouse import constants, tag_writer, tags

CC = b"\xe1\x10\x12\x00"
FACTORY = b"\x01\x03\xa0\x0c\x34"  # the lock-control TLV an NTAG213 leaves the factory with


def record(payload, head=0xD1, kind=b"T", name=None):
    """Return an NDEF record; the bits SR and IL of `head` decide its form."""
    out = bytes((head, len(kind)))
    if head & 0x10:
        out += bytes((len(payload),))
    else:
        out += bytes((0, 0, len(payload) >> 8, len(payload) & 0xFF))
    if head & 0x08:
        out += bytes((len(name),))
    return out + kind + (name or b"") + payload


def text_payload(words, language=b"en"):
    return bytes((len(language),)) + language + words


def tlv(message):
    if len(message) < 255:
        return bytes((3, len(message))) + message
    return bytes((3, 255, len(message) >> 8, len(message) & 0xFF)) + message


def memory(*parts):
    return bytearray(CC + b"".join(parts) + b"\xfe")


def read(image):
    return tags.text(image, len(image))


def test_a_text_record_is_read():
    assert read(memory(tlv(record(text_payload(b"12-7"))))) == "12-7"


def test_any_language_code():
    for language in (b"", b"e", b"de", b"en-US", b"zh-Hant-TW", b"x" * 63):
        assert read(memory(tlv(record(text_payload(b"3-3", language))))) == "3-3", language


def test_tlvs_before_the_message():
    message = tlv(record(text_payload(b"9-0")))
    proprietary = b"\xfd\xff\x01\x00" + b"z" * 256
    for before in (FACTORY, b"\x00" * 7, b"\x02\x03\x00\x00\x00", b"\xfd\x02ab", proprietary):
        image = memory(FACTORY, before, message)
        image[2] = 0x6D
        assert read(image) == "9-0", before


def test_record_forms():
    assert read(memory(tlv(record(text_payload(b"9-0"), 0xC1)))) == "9-0"
    assert read(memory(tlv(record(text_payload(b"9-0"), 0xD9, name=b"id")))) == "9-0"
    assert read(memory(tlv(record(text_payload(b"9-0"), 0xC9, name=b"")))) == "9-0"


def test_other_records_around_the_text():
    link = record(b"\x04example.org", 0x11, b"U")
    words = record(text_payload(b"6-5"), 0x11)
    card = record(b"BEGIN:VCARD" * 30, 0x02, b"text/vcard")  # long: SR is 0
    other = record(text_payload(b"hello"), 0x11)
    for parts in (
        [link, words],
        [words, link],
        [card, words, link],
        [other, words],
        [link] * 3 + [words],
    ):
        message = bytearray(b"".join(parts))
        message[0] |= 0x80
        message[len(message) - len(parts[-1])] |= 0x40
        image = memory(FACTORY, tlv(bytes(message)))
        image[2] = 0x6D
        assert read(image) == "6-5", parts


def test_what_a_phones_keyboard_makes_of_it():
    dashes = [("12%s7" % dash, "12-7") for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"]
    for written, meant in dashes + [
        ("Undo", "undo"),
        ("SEAT 3", "seat 3"),
        ("House Jassshop No-Lock", "house jassshop no-lock"),
        (" Set 9\n", "set 9"),
        ("house jassshop no\u2011lock", "house jassshop no-lock"),
    ]:
        image = memory(tlv(record(text_payload(written.encode()))))
        assert read(image) == tags.plain(written.encode()).decode() == meant, written
        assert (
            tags.parse(tags.plain(written.encode()))
            == tags.parse(tags.plain(meant.encode()))
            is not None
        ), written
    # what only looks like a letter, a dash or a space is none; nor is a torn one
    for other in ("set\u00a09", "12\u20167", "12\u200f7", "12\u22137", "bloc\u212a", "\u0130"):
        image = memory(tlv(record(text_payload(("house " + other).encode()))))
        assert read(image) is None and tags.plain(other.encode()).decode() == "", other
    for torn in (b"12\xe2\x80", b"12\xe2\x807", b"\x93 12-7", b"12\xe2\x88\x93-7", b"12\xff7"):
        assert read(memory(tlv(record(text_payload(torn))))) is None, torn


def test_what_cannot_be_seen_around_a_text():
    """An end-of-string byte of a library, and what phones copy along."""
    for unseen in "\0\a\x7f\x85\xa0\xad\u061c\u200b\u200e\u202f\u2066\u2069\u3000\ufe0f\ufeff":
        for around in (unseen, unseen + " ", unseen * 3):
            for written in (around + "12-7", "12-7" + around, around + "12-7" + around):
                for payload in (
                    text_payload(written.encode()),
                    b"\x82en" + utf16(written),
                    b"\x82en\xff\xfe" + utf16(written, little=True),
                ):
                    assert read(memory(tlv(record(payload)))) == "12-7", repr(written)
        for within in ("12-%s7", "12%s-7", "1%s2-7"):
            image = memory(tlv(record(text_payload((within % unseen).encode()))))
            assert read(image) is None, repr(within % unseen)


def test_zeros_of_a_torn_tag_are_no_end_of_a_text():
    """A new tag that a phone left half written: where no page was written, zeros follow."""
    for language in (b"", b"e", b"en", b"eng"):
        whole = memory(FACTORY, tlv(record(text_payload(b"12-12", language))))
        for end in range(4, len(whole)):
            torn = whole[:end] + bytes(len(whole) - end)
            assert read(torn) in (None, "12-12"), (language, end)


def test_a_tile_as_people_type_it():
    for written, meant in (
        ("12 - 7", "12-7"),
        ("12- 7", "12-7"),
        ("12/7", "12-7"),
        ("7 / 12", "7-12"),
        ("12 7", "12-7"),
        ("12  7", "12-7"),
        ("12 \u2013 7", "12-7"),
        ("06-03", "6-3"),
        ("00 00", "0-0"),
    ):
        image = memory(tlv(record(text_payload(written.encode()))))
        assert read(image) == tags.plain(written.encode()).decode() == meant, written


def utf16(text, little=False):
    order = "little" if little else "big"
    return b"".join([ord(one).to_bytes(2, order) for one in text])


def test_texts_in_utf16():
    big, little = b"\xfe\xff", b"\xff\xfe"
    card = utf16("House Jassshop no") + b"\x20\x11" + utf16("lock")
    for said, meant in (
        (utf16("12-7"), "12-7"),
        (big + utf16("12-7"), "12-7"),
        (little + utf16("12-7", True), "12-7"),
        (card, "house jassshop no-lock"),
        (utf16("12-7", True), None),  # the low byte first, and no mark
        (little + utf16("12-7"), None),
        (utf16("12-7")[:-1], None),
        (utf16("12-7") + b"\xd8\x3c", None),  # half a pair
        (b"\xdf\xb2" + utf16("12-7"), None),
        (b"", None),
        (big, None),
    ):
        image = memory(tlv(record(b"\x82en" + said)))
        assert read(image) == meant, said


def test_records_of_the_type_text_plain():
    for kind, said, meant in (
        (b"text/plain", b"12-7", "12-7"),
        (b"TEXT/Plain", b"seat 3", "seat 3"),
        (b"text/plain;charset=utf-8", b"12\xe2\x80\x937", "12-7"),
        (b'text/plain; charset="US-ASCII"', b"12-7", "12-7"),
        (b"text/plain;charset=utf-16", utf16("12-7"), "12-7"),
        (b"text/plain; charset=UTF-16LE", utf16("12-7", True), "12-7"),
        (b"text/plain", b"\xff\xfe" + utf16("12-7", True), "12-7"),
        (b"text/plain;charset=utf-16", utf16("12-7")[1:], None),
        (b"text/html", b"12-7", None),
        (b"text/plainer", b"12-7", None),
    ):
        image = memory(tlv(record(said, 0xD2, kind)))
        assert read(image) == meant, (kind, said)


def test_a_short_message_in_the_long_form_of_a_length():
    words = record(text_payload(b"12-7"))
    long = bytes((3, 255, 0, len(words))) + words
    for before in (b"", FACTORY, b"\xfd\xff\x00\x02ab", b"\x01\xff\x00\x00"):
        image = memory(before, long)
        assert read(image) == "12-7", before
        n = len(image) - 1
        assert tags.length(image, n - 1) == n == tags.length(image, n), before
    assert read(memory(bytes((3, 255, 0, len(words) + 200)) + words)) is None


def test_what_is_no_text_of_ours():
    for payload in (
        b"\x42en12-7",  # reserved bit
        b"\x0aen12-7",  # language longer than the payload
        b"",
        text_payload(b"12\xc2\xb27"),
        text_payload(b"13-19"),
    ):
        assert read(memory(tlv(record(payload)))) is None, payload
    assert read(memory(tlv(record(b"\x00http://12-7", 0xD1, b"U")))) is None
    assert read(memory(tlv(record(text_payload(b"12-7"), 0xD2)))) is None  # media type "T"
    assert read(memory(tlv(b""))) is None
    assert read(memory(FACTORY)) is None
    assert read(memory()) is None
    assert read(bytearray(148)) is None
    assert read(bytearray(b"\xff" * 148)) is None


def test_a_broken_message_has_no_text():
    good = record(text_payload(b"12-7"))
    for wrong in (
        bytes((good[0] & 0x7F,)) + good[1:],  # no message begin
        bytes((good[0] & 0xBF,)) + good[1:],  # no message end
        good + good,  # two ends
        good + b"\x00",  # something behind the end
        good[:-1],  # a byte short
        bytes((good[0] | 0x20,)) + good[1:],  # a chunk that never ends
        bytes((good[0] & 0xF8 | 6,)) + good[1:],  # "unchanged" without a chunk before
        record(b"", 0x90, b"x") + record(text_payload(b"12-7"), 0x51),  # "empty" with a type
    ):
        assert read(memory(tlv(wrong))) is None, wrong


def test_a_chunked_text_is_passed_over():
    chunks = record(text_payload(b"1-1"), 0xB1) + record(b"2", 0x16, b"")
    assert read(memory(tlv(chunks + record(text_payload(b"6-5"), 0x51)))) == "6-5"
    chunks = record(text_payload(b"1-1"), 0xB1) + record(b"2", 0x56, b"")
    assert read(memory(tlv(chunks))) is None


def test_the_container_decides_how_far_a_message_reaches():
    image = memory(tlv(record(text_payload(b"12-7"))))
    image[2] = 1  # 8 bytes, but the message has 15
    assert read(image) is None
    image[2] = 2
    assert read(image) == "12-7"
    image[0] = 0xE2
    assert read(image) is None
    image[0:2] = b"\xe1\x20"
    assert read(image) is None


def test_length_asks_for_no_byte_too_few():
    """Reading only length() bytes gives the same text as reading everything."""
    long = record(text_payload(b"x" * 290), 0x81) + record(text_payload(b"12-7"), 0x51)
    for parts in (
        [tlv(record(text_payload(b"12-7")))],
        [FACTORY, tlv(record(text_payload(b"0-0")))],
        [tlv(long)],
    ):
        image = memory(*parts) + bytes(600)
        image[2] = 0x6D
        n = 0
        for _ in range(600):
            want = tags.length(image, n)
            if want <= n:
                break
            n += 1
        assert want <= n
        assert tags.text(image[:n] + b"\xff" * 300, n) == read(image) is not None
        assert tags.text(image, n - 1) is None, "a torn read has no text"


def test_length_of_what_is_no_ndef_tag_is_what_is_there():
    for image in (
        bytearray(16),
        bytearray(b"\xff" * 16),
        bytearray(b"\xe1\x20\x12\x00" + b"\x03\x0b" + b"\xd1" * 10),
    ):
        assert tags.length(image, 16) == 16


def test_tiles():
    for high in range(19):
        for low in range(high + 1):
            assert tags.parse(b"%d-%d" % (high, low)) == ("tile", high, low)
            assert tags.parse(b"%d-%d" % (low, high)) == ("tile", high, low)
    for typed in (" 12-7\r\n", "\ufeff12-7"):
        assert tags.parse(tags.plain(typed.encode())) == ("tile", 12, 7)
    for wrong in (
        "19-0",
        "0-19",
        "012-7",
        "12-007",
        "12//7",
        "12/-7",
        "-12 7",
        "12 7 3",
        "12 7-3",
        "12\t7",
        "12\\7",
        "12:7",
        "000-0",
        "12-",
        "-7",
        "-",
        "1-2-3",
        "+1-2",
        "1--2",
        "--1-2",
        "12_7",
        "1_2-7",
        "12-7x",
        "x12-7",
        "12-7 8-8",
        "1e1-2",
        "0x1-2",
        "\u0661-\u0662",
        "\u00b9-2",
        "12\u2013\u20137",
        "\uff11-2",
        "100-1",
        "12.0-7",
        "",
        " ",
        "7",
    ):
        assert tags.parse(tags.plain(wrong.encode())) is None, wrong


def test_cards():
    for n in constants.SEATS:
        assert tags.parse(b"seat %d" % n) == ("seat", n)
    for n in (6, 9, 12, 15, 18):
        assert tags.parse(b"set %d" % n) == ("set", n)
    for word in ("undo", "override", "next", "scores"):
        assert tags.parse(tags.plain(word.encode())) == (word,)
    assert tags.parse(b"house jassshop no-lock") == ("house", "jassshop", ("no-lock",))
    assert tags.parse(b"house goliath") == ("house", "goliath", ())
    assert tags.parse(b"house free blank-25 lift") == ("house", "free", ("blank-25", "lift"))
    for wrong in (
        "seat 0",
        "seat 15",
        "seat 01",
        "seat",
        "seat 1 2",
        "seat1",
        "Seat3",
        "set 7",
        "set 19",
        "set -6",
        "house",
        "house jass\u00e9",
        "undo 3",
        "undo undo",
        "scores?",
        "hello",
    ):
        assert tags.parse(tags.plain(wrong.encode())) is None, wrong


def test_what_is_written_is_read():
    for words in ("12-7", "0-0", "seat 10", "house jassshop no-lock one-foreign-tile", "set 18"):
        image = tag_writer.message(words)
        assert len(image) % 4 == 0
        assert read(bytearray(CC) + image) == words
    image = tag_writer.message("1: 120  2: 45 " * 30, "scores")
    assert image[1] == 0xFF and len(image) % 4 == 0
    assert read(bytearray(b"\xe1\x10\x6d\x00") + image) == "scores"
    assert read(bytearray(CC) + tag_writer.message("Max: 12, Zo\u00eb: 3", "scores")) == "scores"
