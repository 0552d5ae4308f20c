# SPDX-License-Identifier: MIT
"""Writing and locking tags: a refused tag is unchanged, and a locked tag stays locked."""

import pytest
from hub_actions import quick_hub

from host_sim.board.chips.ntag import NTAG213, NTAG216, BusTicket, MifareClassic, Tag
from host_sim.board.hub.simulated_hub import uid
from roundhouse import tag_writer, tags

LONG = "house jassshop no-lock lift plus-points blank-50"


def locked(page):
    tag = NTAG213(uid("x"), "11-5")
    tag.lock(page)
    return tag


def protected(page, reading=False):
    tag = NTAG213(uid("x"), "11-5")
    tag.protect(page, reading)
    return tag


def marked(tag):
    """Note in the container that the tag cannot be written, as a library does that sets a
    password."""
    tag.memory[15] = 0x88
    return tag


def of_version(version):
    tag = NTAG213(uid("x"), "11-5")
    tag.memory[13] = version
    return tag


class NTAG210(NTAG213):
    """One of the other NTAGs; its size is none of the three."""

    version = bytes((0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0B, 0x03))


class Ultralight(NTAG213):
    """A MIFARE Ultralight, which does not know GET_VERSION."""

    def _command(self, data):
        return self._refuse(0) if data[:1] == b"\x60" else super()._command(data)


@pytest.mark.parametrize(
    "tag, text, remedy",
    [
        (locked(4), "12-7", "locked"),
        (locked(7), "12-7", "locked"),  # the last page of the text
        (locked(8), "12-7", None),  # after it
        (locked(17), LONG, "locked"),
        (locked(39), "12-7", None),
        (locked(39), LONG, "locked"),  # in the second lock byte
        (protected(4), "12-7", "password"),
        (protected(0), "12-7", "password"),
        (protected(0, reading=True), "12-7", "password"),
        (protected(3, reading=True), "12-7", "password"),
        (protected(4, reading=True), "12-7", "password"),
        (protected(7, reading=True), "12-7", "password"),
        (marked(protected(4)), "12-7", "password"),
        (marked(NTAG213(uid("x"), "11-5")), "12-7", "locked"),
        (protected(16), "12-7", None),
        (MifareClassic(b"\x01\x02\x03\x04"), "12-7", "MIFARE Classic"),
        (BusTicket(uid("x")), "12-7", "not an NTAG"),
        (of_version(0x00), "12-7", "not an NTAG"),
        (of_version(0x11), "12-7", None),
        (of_version(0x20), "12-7", "not an NTAG"),
    ],
)
def test_a_tag_that_cannot_be_written_is_left_as_it_was(tag, text, remedy):
    board = quick_hub()
    board.put(tag, "4")
    board.run(400)
    before = memory_of(tag)
    answer = board.command("write %s 4" % text)
    if remedy is None:
        assert answer["verdict"] == "ok"
        assert tags.text(tag.memory[12:160], 148) == text
    else:
        assert remedy in answer["error"]
        assert memory_of(tag) == before


def memory_of(tag: Tag):
    return bytes(getattr(tag, "memory", b""))


@pytest.mark.parametrize(
    "kind, size", [(NTAG213, 0x12), (NTAG216, 0x6D), (NTAG210, 0x06), (Ultralight, 0x06)]
)
def test_a_tag_without_a_container_gets_one(kind, size):
    """Some are delivered like this: nothing but zeros."""
    board = quick_hub()
    tag = kind(uid("x"), bytes(48))
    tag.memory[12:16] = bytes(4)
    board.put(tag, "4")
    board.run(400)
    assert board.command("read 4")["tag"] == ""
    if size == 0x06:
        assert "does not fit" in board.command("write %s 4" % LONG)["error"]
        assert tag.memory[12:16] == bytes(4)
    assert board.command("write 12-7 4")["verdict"] == "ok"
    assert tag.memory[12:16] == bytes((0xE1, 0x10, size, 0))
    assert tags.text(tag.memory[12:60], 48) == "12-7"
    assert board.command("write 12-8 4")["verdict"] == "ok", "as any other tag"


def of_memory(text):
    """Return a tag with these bytes, in hexadecimal, from page 4 on."""
    tag = NTAG213(uid("x"))
    data = bytes.fromhex(text)
    tag.memory[16 : 16 + len(data)] = data
    return tag


@pytest.mark.parametrize(
    "tag, said",
    [
        (NTAG213(uid("x"), "11-5"), "11-5"),
        (NTAG216(uid("x"), LONG), LONG),
        (NTAG213(uid("x")), ""),
        (of_memory("0103a00c340300fe"), ""),  # as a factory leaves it
        (of_memory("0303d00000fe"), ""),  # as a phone empties it
        (of_memory("0303d10000fe"), "?"),
        (locked(4), "11-5"),
    ],
)
def test_a_tag_is_read_without_being_changed(tag, said):
    board = quick_hub()
    board.put(tag, "4")
    board.run(400)
    before, match = bytes(tag.memory), board.inputs[-1]
    answer = board.command("read 4")
    why = {"why": "torn"} if said == "?" else {}
    assert answer == {"slot": "4", "tag": said, **why, "uid": tag.uid.hex()}
    assert bytes(tag.memory) == before and board.inputs[-1] == match
    assert "no tag" in board.command("read")["error"]
    assert "error" in board.command("read 4 5")


@pytest.mark.parametrize("kind", [NTAG213, NTAG216])
def test_a_lock_is_asked_for_twice_and_is_for_ever(kind):
    board = quick_hub()
    tag = kind(uid("12-7"), "12-7")
    board.put(tag, "E")
    board.run(400)
    before = bytes(tag.memory)
    asked = board.command("lock")
    assert asked["lock"] == "12-7"
    assert "never be written again" in asked["sure"] and "lock E" in asked["sure"]
    assert bytes(tag.memory) == before, "asked once"
    assert board.command("lock")["verdict"] == "ok"
    assert all(tag.locked(page) for page in range(4, 4 + tag.user_pages))
    assert tag.memory[15] == 0x0F
    assert "locked" in board.command("write 12-8")["error"]
    assert tags.text(tag.memory[12:160], 148) == "12-7"
    board.remove("E")
    board.press("1")
    board.press("2")
    assert board.tap("12-12", "1")["verdict"] == "ok"
    board.put(tag, "2")


def test_what_is_not_locked():
    board = quick_hub()
    assert "no tag" in board.command("lock")["error"]
    blank = board.put(NTAG213(b"\x04blank!"), "E")
    board.run(400)
    assert "write it first" in board.command("lock")["error"]
    assert blank.memory[10:12] == b"\x00\x00"
    board.remove("E")
    one, other = NTAG213(uid("1"), "12-7"), NTAG213(uid("2"), "12-7")
    board.put(one, "E")
    board.run(500)
    assert "sure" in board.command("lock")
    board.remove("E")
    board.put(other, "E")
    board.run(500)
    assert "sure" in board.command("lock"), "another tag is asked about anew"
    board.run(tag_writer.SURE_MS + 500)
    assert "sure" in board.command("lock"), "too late"
    assert one.memory[10:12] == other.memory[10:12] == b"\x00\x00"


def test_another_board_was_not_asked():
    """A hub locks a tag only if its own last answer asked for confirmation."""
    one, other = quick_hub(), quick_hub()
    tags_ = [board.put(NTAG213(uid("12-7"), "12-7"), "E") for board in (one, other)]
    for board in (one, other):
        board.run(500)
    assert "sure" in one.command("lock")
    assert "sure" in other.command("lock")
    one.remove("E")
    one.run(600)
    assert "no tag" in one.command("lock")["error"]
    one.put(tags_[0], "E")
    one.run(500)
    assert "sure" in one.command("lock"), "asked anew after an error"
    assert one.command("lock")["verdict"] == "ok"
    assert tags_[0].memory[10:12] == b"\xff\xff" != tags_[1].memory[10:12]


@pytest.mark.slow
def test_a_torn_lock_can_be_done_again():
    done = set()
    for count in range(0, 400, 11):
        board = quick_hub()
        tag = NTAG213(uid("12-7"), "12-7")
        board.put(tag, "E")
        board.run(400)
        board.command("lock")
        tag.leave_after(count)
        answer = board.command("lock")
        done.add("verdict" in answer)
        tag.leave_after(None)
        board.remove("E")
        board.run(500)
        board.put(tag, "E")
        board.run(500)
        assert tags.text(tag.memory[12:160], 148) == "12-7"
        board.command("lock")
        assert board.command("lock")["verdict"] == "ok"
    assert done == {False, True}


def test_a_text_is_written_as_it_is_compared():
    board = quick_hub()
    tag = board.put(NTAG213(uid("x"), "11-5"), "4")
    board.run(400)
    assert board.command("write House JassShop No-Lock 4")["verdict"] == "ok"
    assert tags.text(tag.memory[12:160], 148) == "house jassshop no-lock"
    assert b"house jassshop no-lock" in tag.memory


def test_behind_the_message_stands_its_end():
    board = quick_hub()
    tag = board.put(NTAG213(uid("x"), "11-5"), "4")
    board.run(400)
    assert board.command("write 12-7 4")["verdict"] == "ok"
    kind, size = tag.memory[16:18]
    assert (kind, tag.memory[18 + size]) == (0x03, 0xFE), "the NDEF message, the terminator"
