# SPDX-License-Identifier: MIT
"""A tag that cannot be read: the console line has the reason, and the tag's text if it has one."""

import pytest
from hub_actions import quick_hub
from test_tags import record, text_payload

from host_sim.board.chips.ntag import NTAG213, BusTicket, message_tlv
from host_sim.board.hub.simulated_hub import uid

TILE = record(text_payload(b"12-7"))


def says(words):
    return NTAG213(uid(words), words)


def holds(memory):
    """Return a tag with these bytes of memory from page 4 on."""
    tag = NTAG213(uid("one"))
    tag.memory[16 : 16 + len(memory)] = memory
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
        ([holds(message_tlv(record(b"\x04example.org", kind=b"U")))], "empty", None),
        ([BusTicket(uid("bus"))], "kind", None),
        ([of_container(bytes(4))], "kind", None),
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
    after = list(line).index("verdict") + 1
    assert list(line)[after : after + len(keys)] == keys, "in the manual's order"
