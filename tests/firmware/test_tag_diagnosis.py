# SPDX-License-Identifier: MIT
"""A tag that cannot be read: the console line has the reason, and the tag's text if it has one."""

import pytest
from hub_actions import quick_hub
from test_tags import record, text_payload

from host_sim.board.chips.ntag import NTAG213, BusTicket, MifareClassic, Phone, message_tlv
from host_sim.board.hub.simulated_hub import uid

TILE = record(text_payload(b"12-7"))


def says(words):
    return NTAG213(uid(words), words)


def holds(memory):
    """Return a tag with these bytes of memory from page 4 on."""
    tag = NTAG213(uid("one"))
    tag.memory[16 : 16 + len(memory)] = memory
    return tag


def secret(page):
    """Return a tag that is read from `page` on only with a password."""
    tag = says("12-7")
    tag.protect(page, reading=True)
    return tag


def of_container(container):
    tag = NTAG213(uid("one"))
    tag.memory[12:16] = container
    tag.memory[16:64] = bytes(48)
    return tag


def spelt(*codes):
    """Return a tag whose text consists of these bytes."""
    return holds(message_tlv(record(text_payload(bytes(codes)))))


@pytest.mark.parametrize(
    "laid, why, text",
    [
        ([says("12=7")], "text", "12=7"),
        ([says("house monopoly")], "text", "house monopoly"),
        ([says('a "quoted" \\ and a long tale')], "text", 'a "quoted" \\ and a l'),
        ([says(" Stra\u00dfe \U0001f3b2\x07\x85 ")], "text", "Stra\u00dfe \U0001f3b2"),
        ([says("\U0001f3b2" * 30)], "text", "\U0001f3b2" * 20),
        ([spelt(0x41, 0xFF, 0x42)], "text", "AB"),
        ([NTAG213(uid("blank"))], "empty", None),
        ([says(" \n")], "empty", None),
        ([holds(b"\x03\x00\xfe")], "empty", None),
        ([says("12-\u200b7")], "text", "12-(U+200B)7"),
        ([says("12\xa0-\0007")], "text", "12(U+00A0)-(U+0000)7"),
        ([NTAG213(uid("zeros"), bytes(144))], "empty", None),
        ([of_container(bytes(4))], "empty", None),
        ([NTAG213(uid("one"), bytes(144)), NTAG213(uid("two"), bytes(144))], "empty", None),
        ([holds(message_tlv(record(b"\x04example.org", kind=b"U")))], "other", None),
        ([holds(message_tlv(record(b"BEGIN:VCARD", 0xD2, b"text/vcard")))], "other", None),
        ([holds(message_tlv(record(b"", 0xD0, b"")))], "empty", None),  # as a phone empties it
        ([BusTicket(uid("bus"))], "kind", None),
        ([Phone()], "kind", None),
        ([MifareClassic(b"\x01\x02\x03\x04")], "classic", None),
        *[([secret(page)], "password", None) for page in range(8)],
        ([of_container(b"\xe1\x20\x12\x00")], "kind", None),
        ([says("12-7"), says("12-6")], "two", None),
        ([says("12-7"), NTAG213(uid("blank"))], "two", None),
        ([NTAG213(uid("blank")), NTAG213(uid("other"))], "empty", None),
        ([says("12-7"), NTAG213(uid("same"), "12-7")], None, None),
        ([holds(b"\x03\xf0" + TILE)], "torn", None),  # longer than the tag
        ([holds(b"\x03\x20" + TILE)], "torn", None),  # zeros after the record
        ([holds(message_tlv(TILE[:-1]))], "torn", None),
        ([holds(message_tlv(bytes((TILE[0] & 0xBF,)) + TILE[1:]))], "torn", None),
    ],
)
def test_the_line_says_why(laid, why, text, monkeypatch):
    board = quick_hub()
    board.press("1")
    for tag in laid:
        board.put(tag, "4")
    before, sent = len(board.inputs), bytearray()
    receive = board.port.receive
    monkeypatch.setattr(board.port, "receive", lambda data: (sent.extend(data), receive(data)))
    board.run(1500)
    (line,) = board.inputs[before:]
    assert sent.isascii()
    assert (line.get("why"), line.get("text")) == (why, text)
    assert (line["verdict"] == "unreadable") == (why is not None)
    keys = ["why", "text"][: (why is not None) + (text is not None)]
    if text == "house monopoly":
        keys.append("wrong")
        assert line["wrong"].startswith("no house monopoly; there are original ")
    after = list(line).index("verdict") + 1
    assert list(line)[after : after + len(keys)] == keys, "in the manual's order"
    if len(laid) == 1:
        _the_console_says_the_same(board, why, text)


REMEDIES = {"kind": "not an NTAG", "classic": "MIFARE Classic", "password": "has a password"}


def _the_console_says_the_same(board, why, text):
    read, written = board.command("read 4"), board.command("write 12-7 4")
    if "error" in read:
        assert REMEDIES[why] in read["error"]
    else:
        said = {None: "12-7", "empty": ""}.get(why, "?")
        if text == "house monopoly":  # it might be the house of another hub
            said, why, text = text, None, None
        assert (read["tag"], read.get("text")) == (said, text)
        assert read.get("why") == (why if said == "?" else None)
    if why in REMEDIES:
        assert REMEDIES[why] in written["error"]
    else:
        assert written["verdict"] == "ok"


def test_half_a_text_behind_a_password_is_no_tile():
    """Pages behind a password are read as zeros, so 12-12 may look like 12-1."""
    for language in (b"", b"e", b"en", b"eng", b"en-U"):
        for page in range(4, 12):
            for size in (b"12-12", b"2-10"):
                tag = holds(message_tlv(record(text_payload(size, language))))
                tag.protect(page, reading=True)
                board = quick_hub()
                line = board.tap(tag, "4")
                if line["verdict"] == "unreadable":
                    assert line["why"] == "password", (language, page)
                else:
                    assert line["input"] == "tap %s 4" % size.decode(), (language, page)
