# SPDX-License-Identifier: MIT
"""The commands for makers: the flasher on the emulated Pico, tags and self-test over a serial
line."""

import io
import json
import types

import flash_sample
import pytest

from host_sim.__main__ import main
from host_sim.board.chips import flash_image
from host_sim.board.chips.ntag import NTAG213
from host_sim.board.hub import match_export
from host_sim.board.hub.simulated_hub import SimulatedHub, configured
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.board.pico.emulator import IMAGE
from host_sim.commands import selftest
from host_sim.commands import tags as tags_command
from host_sim.maker import CommandError, flasher, mip_package, usb_hub
from roundhouse import VERSION, tags
from roundhouse.first_config import MISSING

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)


def port(device, vid):
    return types.SimpleNamespace(device=device, vid=vid)


def test_which_port():
    assert usb_hub.find_port("COM7", []) == "COM7"
    assert usb_hub.find_port("/dev/null", []) == "/dev/null"
    with pytest.raises(CommandError, match="there is no port /dev/nope; there are: b"):
        usb_hub.find_port("/dev/nope", [port("b", 0x2E8A)])
    assert usb_hub.find_port(None, [port("a", None), port("b", 0x2E8A), port("c", 0x1A86)]) == "b"
    with pytest.raises(CommandError, match="BOOTSEL"):
        usb_hub.find_port(None, [port("a", 0x1A86)])
    with pytest.raises(CommandError, match="several boards: a, b. Say which one: PORT=a"):
        usb_hub.find_port(None, [port("a", 0x2E8A), port("b", 0x2E8A)])


def test_no_port_and_no_python(tmp_path):
    with pytest.raises(CommandError, match="does not answer as MicroPython"):
        flasher.flash(str(tmp_path / "none"))
    with pytest.raises(CommandError, match="cannot be opened"):
        usb_hub.HubConsole(str(tmp_path / "none"))


def test_a_tags_bytes_are_what_the_hub_reads(capsys):
    assert main(["tag", "12-7"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line[:9] for line in lines] == ["page %2d  " % (4 + n) for n in range(len(lines))]
    data = bytes.fromhex("".join(line[9:] for line in lines))
    assert tags.text(b"\xe1\x10\x12\x00" + data, 4 + len(data)) == "12-7"
    assert main(["tag", "hello"]) == 1
    assert "not a text that the hub knows" in capsys.readouterr().err


def test_the_readmes_sample_counts_every_file_but_config():
    kept = [name for name in build_firmware.firmware() if name != "config.py"]
    assert "%d of %d  %s\n" % (len(kept), len(kept), max(kept)) in flash_sample.sample()


def test_without_a_build_tree_a_uf2_holds_the_file_system(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(build_firmware, "can_freeze", lambda: False)
    assert main(["uf2", str(tmp_path / "r.uf2")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The firmware's files alone") and "replaces everything" in said
    data = (tmp_path / "r.uf2").read_bytes()
    image = bytearray(b"\xff" * flash_image.BLOCK * flash_image.BLOCKS)
    for at in range(0, len(data), 512):
        block = data[at : at + 512]
        where = int.from_bytes(block[12:16], "little") - 0x10000000 - flash_image.OFFSET
        image[where : where + 256] = block[32 : 32 + 256]
        assert int.from_bytes(block[20:24], "little") == at // 512
        assert int.from_bytes(block[24:28], "little") == len(data) // 512
    assert flash_image.unpack(image) == build_firmware.firmware()


# A board that mpremote's commands reach: a folder. Where `spoilt` stands in it, copies are torn.
BOARD = """
import hashlib, json, os, sys
from pathlib import Path
port, words = Path(sys.argv[2]), sys.argv[4:]
assert sys.argv[1] == "connect" and sys.argv[3] == "resume"
commands = " ".join(word if " " not in word else "LIST" for word in words).split(" + ")
for command in commands:
    with open(port / "said", "a") as log:
        print(command, file=log)
    match command.replace(":", "").split():
        case ["exec", _] if any("sys.implementation" in word for word in words):
            said = port / "is"
            is_ = '["Pico with RP2040", [1, 25, 0], 6, "", false]'
            print("a boot.py that prints\\n" + (said.read_text() if said.exists() else is_))
        case ["exec", _] if any("config.read()" in word for word in words):
            print(json.dumps((port / "flash" / "config.py").read_bytes().hex()))
        case ["exec", _] if any("constants" in word for word in words):
            print((port / "format").read_text() if (port / "format").exists() else 7)
        case ["exec", _]:
            here = port / "flash"
            sums = {
                p.relative_to(here).as_posix(): p.is_file()
                and hashlib.sha256(p.read_bytes()).hexdigest() or ""
                for p in here.glob("**/*")
            }
            print(json.dumps(sums))
        case ["fs", "mkdir", folder]:
            (port / "flash" / folder).mkdir()
        case ["fs", "cp", source, path]:
            print("cp", source, path)
            if (port / "full").exists():
                sys.exit("Traceback:\\n  line 1\\nmpremote: cp: No space left on device")
            data = Path(source).read_bytes()
            (port / "flash" / path).write_bytes(data[(port / "spoilt").exists():])
        case ["fs", "rm", *paths]:
            for path in paths:
                (port / "flash" / path).unlink()
        case ["fs", "rmdir", folder]:
            (port / "flash" / folder).rmdir()
        case ["reset"]:
            pass
"""


@pytest.fixture
def folder_board(tmp_path, monkeypatch):
    (tmp_path / "flash").mkdir()
    (tmp_path / "mpremote").mkdir()
    (tmp_path / "mpremote" / "__main__.py").write_text(BOARD)
    (tmp_path / "mpremote" / "__init__.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def on_board(board):
    flash = board / "flash"
    return {
        p.relative_to(flash).as_posix(): p.read_bytes() for p in flash.glob("**/*") if p.is_file()
    }


def test_a_new_board_gets_all_and_then_what_changed(folder_board, capsys):
    flasher.flash(str(folder_board))
    assert on_board(folder_board) == build_firmware.firmware()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == " 1 of %d  config.py" % len(build_firmware.firmware())
    assert said[-2:] == [
        "%d files verified" % len(build_firmware.firmware()),
        "Roundhouse %s" % VERSION,
    ]
    (folder_board / "is").write_text('["Pico W with RP2040", [1, 26, 0], 6, "0.1.0", false]')
    flash = folder_board / "flash"
    (flash / "config.py").write_text("SET = 9")
    (flash / "main.py").write_text("old")
    (flash / "roundhouse" / "gone.mpy").write_text("old")
    (flash / "journal").mkdir()
    (flash / "journal" / "1").write_text("a match")
    flasher.flash(str(folder_board))
    said = capsys.readouterr().out.splitlines()
    differing = "\n".join(flasher.differences(b"SET = 9", build_firmware.config_source()))
    assert differing.startswith("    HOUSE = missing on the board, 'puremco' here\n")
    assert "    SET = 9 on the board, None here\n" in differing
    assert said == [
        " 1 of 1  main.py",
        "%d files verified, config.py kept (CONFIG=1 replaces it)"
        % (len(on_board(folder_board)) - 2),
        "Roundhouse %s, it was 0.1.0" % VERSION,
        *flasher.DIFFERS.replace("%s", differing).splitlines(),
    ]
    assert "    make flash CONFIG=1" in said
    assert (flash / "config.py").read_text() == "SET = 9"
    assert (flash / "journal" / "1").exists() and not (flash / "roundhouse" / "gone.mpy").exists()
    flasher.flash(str(folder_board), replace_config=True)
    said = capsys.readouterr().out
    assert "keeps its rules" in said and "type\n`house puremco`;" in said
    (flash / "config.py").write_text("SET = 9")
    flasher.flash(str(folder_board), replace_config=True, forget_matches=True)
    assert "house puremco" not in capsys.readouterr().out
    assert on_board(folder_board) == build_firmware.firmware()
    assert (folder_board / "said").read_text().endswith("\nreset\n")


def test_config_is_looked_at_before_anything_is_copied(folder_board, monkeypatch, tmp_path):
    config = (build_firmware.FIRMWARE / "config.py").read_bytes()
    monkeypatch.setattr(
        build_firmware, "config_source", lambda: config + b"match SET:\n  case _: 1"
    )
    with pytest.raises(CommandError, match=r"^config.py, line \d+: SyntaxError.* Nothing was cop"):
        flasher.flash(str(folder_board))
    assert on_board(folder_board) == {}


@pytest.mark.parametrize(
    "board, said",
    [
        (b"SET = 9  # \xc3\xa9\n", "    the settings are the same, the text around them is not"),
        (
            b'WIRING = "breadboard"\nSET = 9',
            "    WIRING = 'breadboard' on the board, missing here",
        ),
        (b"SET = \xff", "    the one on the board has a mistake"),
    ],
)
def test_what_differs_between_two_config_files(board, said):
    assert flasher.differences(board, b"SET = 9\n") == [said]


def test_a_byte_order_mark_stays_off_the_board(monkeypatch, tmp_path):
    (tmp_path / "main.py").write_bytes(b"")
    (tmp_path / "config.py").write_bytes(b"\xef\xbb\xbfSET = 9\n")
    monkeypatch.setattr(build_firmware, "FIRMWARE", tmp_path)
    monkeypatch.setattr(build_firmware, "sources", list)
    assert build_firmware.firmware()["config.py"] == b"SET = 9\n"
    frozen = build_firmware.frozen_sources()[build_firmware.DEFAULT_CONFIG]
    assert frozen == b"TEXT = 'SET = 9\\n'\n"


def test_files_of_an_older_version_go_and_nothing_else(folder_board, capsys):
    (folder_board / "is").write_text('["Pico with RP2040", [1, 26, 1], 6, "1.1.0", true]')
    flash = folder_board / "flash"
    main_py = (
        "# SPDX-License-Identifier: MIT\n"
        '"""What MicroPython runs at power-up. It compiles this file at every start, so the '
        'program is in\nroundhouse/power_up.py, which is on the board compiled."""\n\n'
        "from roundhouse.power_up import main\n\nmain()\n"
    )
    owners = {
        "config.py": "SET = 9",
        "boot.py": "# mine",
        "crash.txt": "x",
        "journal/00000001.rhj": "a match",
        "lib/roundhouse.py": "mine",
        "roundhouse/games/letter.txt": "mine",
    }
    ours = ("roundhouse/power_up.mpy", "roundhouse/drivers/spi.mpy", "roundhouse/games/a.py")
    for name, text in {**owners, **dict.fromkeys(ours, "old"), "main.py": main_py}.items():
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        (flash / name).write_text(text)
    flasher.flash(str(folder_board))
    assert on_board(folder_board) == {name: text.encode() for name, text in owners.items()}
    assert not (flash / "roundhouse" / "drivers").exists()
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == [
        "0 files verified, config.py kept (CONFIG=1 replaces it)",
        "4 files of an older version removed",
    ]
    assert said[2].startswith("MicroPython and Roundhouse 1.1.0 are in one image on this board")
    (flash / "roundhouse" / "games" / "letter.txt").unlink()
    (flash / "main.py").write_text("print('mine')")
    flasher.flash(str(folder_board), replace_config=True)
    assert (flash / "main.py").read_text() == "print('mine')"
    assert on_board(folder_board)["config.py"] == build_firmware.firmware()["config.py"]
    assert "files of an older" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "what, said",
    [
        (
            ["Raspberry Pi Pico 2 with RP2350", [1, 25, 0], 6, "", False],
            "^[^\n]* is a Pico 2: Roundhouse needs a Pico or Pico W[^\n]*$",
        ),
        (["Generic ESP32 module with ESP32", [1, 25, 0], 6, "", False], "another kind"),
        (["", [9, 2, 0], 6, "", False], "another kind .no Pico"),
        (
            ["Raspberry Pi Pico with RP2040", [1, 24, 1], 6, "", False],
            "MicroPython 1.24.1, which is too old",
        ),
        (
            ["Raspberry Pi Pico with RP2040", [1, 99, 0], 7, "", False],
            "MicroPython 1.99.0, which reads",
        ),
        (7, "does not answer as MicroPython .it printed 7"),
        ([1, 2], "does not answer as MicroPython"),
    ],
)
def test_the_wrong_board_is_named_before_anything_is_copied(folder_board, what, said):
    (folder_board / "is").write_text(json.dumps(what))
    with pytest.raises(CommandError, match=said):
        flasher.flash(str(folder_board))
    assert on_board(folder_board) == {}
    assert (folder_board / "said").read_text().splitlines() == ["exec LIST"]


# ---- a Pico that prints anything ----

ANYTHING = [b"1", b"null", b"[]", b'"slot"', b"[" * 9000, b"\xff\xfe{", b"", b"hello", b"{}"]
ANYTHING += [b'{"slot": 5, "reader": []}', b'{"slot": "99", "tag": 1}', b'{"selftest": 7}']


class Line:
    """A serial line that returns the given byte strings, one per read, and then nothing."""

    def __init__(self, *said):
        self.said = list(said)
        self.typed = b""

    def reset_input_buffer(self):
        pass

    def write(self, data):
        self.typed += data

    def read(self, size):
        if self.said and isinstance(self.said[0], type):
            raise self.said[0]
        return self.said.pop(0) if self.said else b""


def console_on(monkeypatch, *said):
    """Return a HubConsole with a short timeout, whose Pico prints the given lines."""
    line = Line(*[part + b"\n" if isinstance(part, bytes) else part for part in said])
    monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line)
    monkeypatch.setattr(usb_hub, "ANSWER_S", 0.05)
    return usb_hub.HubConsole("COM1")


def test_a_pico_that_prints_anything_is_no_hub(monkeypatch):
    hub = console_on(monkeypatch, *ANYTHING[:-1])
    with pytest.raises(CommandError) as trouble:
        hub.ask("write 12-7")
    told = str(trouble.value).splitlines()
    assert told[0].startswith("the hub does not answer") and told[0].endswith("What came last:")
    assert told[1:] and all(len(line) < 110 for line in told[1:])
    with pytest.raises(CommandError, match="Nothing came over the line"):
        console_on(monkeypatch).ask("state")
    with pytest.raises(CommandError, match="the hub is gone"):
        console_on(monkeypatch, OSError).ask("state")


def test_a_self_test_among_anything(monkeypatch, capsys):
    said = [b'{"selftest": "begin"}', *ANYTHING, b'{"slot": "4", "reader": "fault"}']
    said += [b'{"slot": "3", "tag": "12-7", "uid": "04"}', b'{"selftest": "end", "vsys": 4.2}']
    line = console_on(monkeypatch, *said).serial
    monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line)
    assert main(["selftest", "--port", "x"]) == 1
    out = capsys.readouterr().out
    assert "readers that do not answer: 4" in out and "VSYS: 4.2 V, below 4.3" in out
    assert "slot 3  tag    12-7" in out


@pytest.mark.parametrize(
    "answers, now, order",
    [
        ([""], "GRB", None),
        (["Red, green, blue"], "GRB", None),
        (["g r b"], "GRB", "RGB"),  # sent as green, red, blue to pixels that take red first
        (["what", "rrg", "green red blue"], "GRB", "RGB"),
        (["brg"], "RGB", "BRG"),
        (["gbr"], "BGR", "RBG"),
        (["q"], "GRB", None),
    ],
)
def test_a_self_test_asks_for_the_colours(monkeypatch, capsys, answers, now, order):
    import config

    said = [b'{"selftest": "begin"}', b'{"selftest": "end", "readers": []}']
    line = console_on(monkeypatch, *said).serial
    monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line)
    monkeypatch.setattr("sys.stdin", types.SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: answers.pop(0))
    monkeypatch.setattr(config, "COLOR_ORDER", now)
    assert main(["selftest", "--port", "x"]) == (1 if order else 0)
    assert answers == []
    out = capsys.readouterr().out
    assert ('COLOR_ORDER = "%s"\nand type: make flash CONFIG=1' % order in out) == bool(order)
    assert ("COLOR_ORDER" in out) == bool(order)


def test_a_self_test_that_does_not_end_prints_what_was_seen(monkeypatch, capsys):
    line = console_on(
        monkeypatch, b'{"selftest": "begin"}', b'{"slot": "2", "reader": "0x92"}', b"7"
    )
    monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line.serial)
    monkeypatch.setattr(selftest, "LONGEST_S", 0.05)
    assert main(["selftest", "--port", "x"]) == 1
    told = capsys.readouterr()
    assert "2     0x92" in told.out, "the table"
    assert "did not end within" in told.err and told.err.rstrip().endswith("7")


# ---- tags: marks, cards, and a set that is tagged already ----


def test_a_set_that_is_tagged_is_checked(monkeypatch, tmp_path, capsys):
    wanted = tags_command.tiles_of(6)
    said = [b"1", b'{"selftest": "begin"}', b'{"slot": "E", "reader": "0x92"}']
    for n, text in enumerate([*wanted[:-2], wanted[3], "12-7", "?"]):
        uid = 3 if n == len(wanted) - 2 + 0 else n
        said.append(json.dumps({"slot": "E", "tag": text, "uid": "%02x" % (uid + 100)}).encode())
    said.append(json.dumps({"slot": "E", "tag": wanted[5], "uid": "other"}).encode())
    for why in tags_command.HELD:
        said.append(json.dumps({"slot": "E", "tag": "?", "why": why, "text": "12=7"}).encode())
    hub = console_on(monkeypatch, *said, b'{"selftest": "end", "readers": []}')
    kept = tmp_path / "tags.txt"
    assert tags_command.check_set(hub, wanted, kept) == 1
    out = capsys.readouterr().out
    assert "26 of 28 have a tag" in out
    assert "missing: %s, %s\n" % tuple(wanted[-2:]) in out
    assert "sides of one tile): %s\n" % wanted[5] in out, "the same tag laid twice is one"
    for held in (
        *tags_command.HELD.values(),
        tags_command.UNKNOWN,
        "12-7, which is none of this set",
    ):
        assert "the tag holds " + held.replace("%s", "12=7") + "\n" in out
    marks = tags_command.read_marks(kept)
    assert len(marks) == 26 and marks[wanted[5]] == tags_command.TWICE
    asked = []
    monkeypatch.setattr(
        "builtins.input", lambda question: asked.append(question) or "q"[: len(asked) - 1]
    )
    tags_command.write_set(hub, wanted, "E", False, kept)
    assert asked[1].startswith("27 of 28: lay a tag for %s" % wanted[-2]), "goes on with these"


def test_ctrl_c_ends_a_check(monkeypatch, tmp_path, capsys):
    one = b'{"slot": "E", "tag": "0-0", "uid": "04"}'
    hub = console_on(monkeypatch, b'{"selftest": "begin"}', one, KeyboardInterrupt)
    assert tags_command.check_set(hub, ["0-0"], tmp_path / "tags.txt") == 0
    assert hub.serial.typed == b"selftest\nselftest end\n", "the hub plays again"
    assert "all are there" in capsys.readouterr().out


def test_ctrl_d_ends_the_walk_as_q_does(monkeypatch, tmp_path, capsys):
    def nothing_more(question):
        raise EOFError

    monkeypatch.setattr("builtins.input", nothing_more)
    assert tags_command.write_set(None, ["0-0"], "E", False, tmp_path / "tags.txt") == 0
    assert "0 of 1 have a tag" in capsys.readouterr().out


def test_writing_marks_what_is_missing_doubtful_or_twice(monkeypatch, tmp_path, capsys):
    answers = ["", "", "s", "", "y", "", "", "s", "", ""]
    monkeypatch.setattr("builtins.input", lambda question: answers.pop(0))
    verdicts = ["error", "error", "ok", "ok", "ok"]

    class Hub:
        def ask(self, command):
            if command == "read E":
                return {"slot": "E", "tag": ""}
            said = verdicts.pop(0)
            return {"error": "slot E: no tag"} if said == "error" else {"verdict": "ok"}

    wanted = ["seat 1", "seat 2", "seat 3", "seat 4"]
    kept = tmp_path / "tags.txt"
    tags_command.write_set(Hub(), wanted, "E", False, kept)
    out = capsys.readouterr().out
    assert "2 of 4 have a tag" in out
    assert "doubtful (skipped, or its tag refused; try another): seat 1\n" in out
    assert "one tile): seat 2\n" in out
    assert "missing: seat 3\n" in out
    assert kept.read_text() == "seat 1\t?\nseat 2\t2\nseat 4\n"


class HubWithTags:
    """A hub. `tags` lists the tags, as [UID, text], that are laid on slot E one after the other;
    the first is on the slot now."""

    def __init__(self, *tags):
        self.tags = list(tags)

    def ask(self, command):
        word, *words = command.split()
        if word == "read":
            return {"slot": "E", "tag": self.tags[0][1], "uid": self.tags[0][0]}
        self.tags[0][1] = words[0]
        return {"verdict": "ok"}


@pytest.mark.parametrize(
    "answers, left, kept",
    [
        (["", "", "", "", "", "s"], "0-0", "0-0\n"),  # Enter again and again: the tag stays
        (["", "n", "", "", "yes", "o", "", "q"], "1-0", "1-0\n"),  # asked, and told to
        (["", "", "", "q"], "0-0", "0-0\n"),
        (["", "y", "", "", "q"], "0-0", "0-0\n"),  # the same tag again
        (["", "q"], "0-0", "0-0\n"),
    ],
)
def test_a_tag_that_is_left_on_the_slot_is_not_written_over(
    monkeypatch, tmp_path, answers, left, kept
):
    asked = []
    monkeypatch.setattr(
        "builtins.input",
        lambda question: asked.append(question) or (answers.pop(0) if answers else "q"),
    )
    hub = HubWithTags(["04aa", ""])
    file = tmp_path / "tags.txt"
    tags_command.write_set(hub, ["0-0", "1-0", "1-1"], "E", False, file)
    assert (hub.tags[0][1], file.read_text()) == (left, kept)
    assert answers == []


def test_q_quits_everywhere_and_no_other_word_is_taken(monkeypatch, tmp_path, capsys):
    file = tmp_path / "tags.txt"
    file.write_text("0-0\n")
    for answers in (["q"], ["quit", "Q"], ["", "x", "q"], ["", "", "q"], ["", "", "o", "q"]):
        hub, left = HubWithTags(["04aa", "?"]), list(answers)
        monkeypatch.setattr("builtins.input", lambda question, left=left: left.pop(0))
        tags_command.write_set(hub, ["0-0", "1-0", "1-1"], "E", False, file)
        assert left == []
    said = capsys.readouterr().out
    assert "? quit: it is Enter or a or q\n" in said and "? x: it is Enter or s or q\n" in said


def test_a_hub_that_cannot_read_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("builtins.input", lambda question: "")
    monkeypatch.setattr(
        HubWithTags, "ask", lambda hub, command: {"error": "no command read; try help"}
    )
    with pytest.raises(CommandError, match="`make flash`"):
        tags_command.write_set(HubWithTags(), ["0-0"], "E", False, tmp_path / "tags.txt")


def test_every_card_is_one_that_the_hub_knows():
    cards = tags_command.cards()
    assert len(set(cards)) == len(cards) >= 30
    meanings = {tags.parse(tags.plain(card.encode()))[0] for card in cards}
    assert meanings == {"seat", "set", "house", *(word.decode() for word in tags._WORDS)}


def test_an_export_is_saved(monkeypatch, tmp_path, capsys):
    board = SimulatedHub(configured(STATIONS=(1, 2, 5)))
    for seat in ("1", "5"):
        board.press(seat)
    board.tap("12-12", "5")
    board.port.type("export")
    board.run(1000)
    said = [json.dumps(line).encode() for line in board.lines[-3:]]
    line = console_on(monkeypatch, b"9", *said).serial
    monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line)
    path = tmp_path / "hub.txt"
    assert main(["export", str(path), "--port", "x"]) == 0
    lines = match_export.read(path.read_text())
    assert lines[-1]["turn"] == 5 and lines[-1]["lamps"][8] == "t", "the third station is 5"
    assert len(lines[-1]["lamps"]) == 4 * 5


def match_of_a_hub():
    """Return the simulated hub of a match after three moves, and its export."""
    board = SimulatedHub(configured(STATIONS=(1, 2, 5)))
    for seat in ("1", "5"):
        board.press(seat)
    for tile, slot in (("12-12", "5"), ("12-11", "5"), ("12-10", "1")):
        assert board.tap(tile, slot)["verdict"] == "ok"
    return board, exported(board)


def exported(board):
    at = len(board.lines)
    board.port.type("export")
    board.run(1000)
    return "".join(json.dumps(line) + "\n" for line in board.lines[at:])


@pytest.fixture
def other_hub(folder_board, monkeypatch):
    """A hub that mpremote's commands reach, with a function that starts it from its files."""

    def started(**settings):
        journal = folder_board / "flash" / "journal"
        board = SimulatedHub(configured(**settings), str(journal))
        line = console_on(monkeypatch, b"9", *exported(board).encode().splitlines()).serial
        line.close = lambda: None
        monkeypatch.setattr(usb_hub.serial, "Serial", lambda *args, **kwargs: line)
        board.hub.journal.close()
        return board

    (folder_board / "flash" / "journal").mkdir()
    started.port = str(folder_board)
    started.journal = folder_board / "flash" / "journal"
    started.resets = lambda: (folder_board / "said").read_text().splitlines().count("reset")
    started.format = folder_board / "format"
    return started


def test_a_match_moves_to_another_hub_and_goes_on(other_hub, tmp_path, capsys):
    board, text = match_of_a_hub()
    file = tmp_path / "hub.txt"
    file.write_text(text)
    other_hub(STATIONS=(1, 2, 5))
    (other_hub.journal / "quiet").touch()
    assert main(["load", str(file), "--port", other_hub.port]) == 0
    assert "the match goes on" in capsys.readouterr().out and other_hub.resets() == 1
    assert (other_hub.journal / "quiet").exists()
    there = other_hub(STATIONS=(1, 2, 5))
    keys = ("phase", "round", "turn", "scores", "hands", "trains")
    for one in (board, there):
        one.command("state")
    before, now = board.lines[-1], there.lines[-1]
    assert {key: now.get(key) for key in keys} == {key: before.get(key) for key in keys}
    for one in (board, there):
        assert one.hold("E")["did"] == "took-back" and one.hold("E")["did"] == "took-back"
    assert there.lines[-1]["turn"] == board.lines[-1]["turn"]
    assert there.tap("12-9", "5")["verdict"] == "ok"


def test_a_hub_with_a_match_keeps_it_or_saves_it_first(other_hub, tmp_path, capsys):
    file, saved = tmp_path / "hub.txt", tmp_path / "own.txt"
    file.write_text(match_of_a_hub()[1])
    own = other_hub(STATIONS=(1, 2, 5))
    for card in ("set 9", "set 6", "set 12"):  # each begins another segment
        own.tap(card, "E")
    own.press("2")
    own.hub.journal.close()
    own = other_hub(STATIONS=(1, 2, 5))
    before = on_board(tmp_path)
    assert main(["load", str(file), "--port", other_hub.port]) == 1
    assert "has matches of its own" in capsys.readouterr().err and on_board(tmp_path) == before
    other_hub(STATIONS=(1, 2, 5))
    assert main(["load", str(file), "--replace", str(saved), "--port", other_hub.port]) == 0
    lines = match_export.read(saved.read_text())
    assert [*lines[-1]["scores"]] == ["2"]
    there = other_hub(STATIONS=(1, 2, 5))
    there.command("state")
    assert [*there.lines[-1]["scores"]] == ["1", "5"], "no segment of its own is left"


def test_what_a_hub_cannot_carry_on_is_not_written(other_hub, tmp_path, capsys):
    file = tmp_path / "hub.txt"
    text = match_of_a_hub()[1]
    file.write_text(text)
    other_hub(STATIONS=(1, 2, 3))
    before = on_board(tmp_path)
    assert main(["load", str(file), "--port", other_hub.port]) == 1
    assert "a seat at 5, where this hub has no station" in capsys.readouterr().err
    other_hub(STATIONS=(1, 2, 5))
    before = on_board(tmp_path)
    other_hub.format.write_text("6")
    assert main(["load", str(file), "--port", other_hub.port]) == 1
    assert "too old for the match (format 7" in capsys.readouterr().err
    assert other_hub.resets() == 1, "its program was stopped for the question"
    newer = text.replace(b"RHJ\x07".hex(), b"RHJ\x08".hex())
    for wrong in (newer, text.splitlines()[-1], text.replace('"data": "', '"data": "00')):
        file.write_text(wrong)
        assert main(["load", str(file), "--port", other_hub.port]) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert ("newer" in said) == (wrong == newer)
    assert on_board(tmp_path) == before


@pytest.mark.slow
@needs_image
def test_a_match_moves_from_one_emulated_pico_to_another(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(usb_hub, "EXPORT_S", 300)  # an emulated hub on a busy machine is slow
    from host_sim.board.pico.pty_port import HubOnPty

    file = str(tmp_path / "hub.txt")
    board = HubOnPty(configured(STATIONS=4))
    try:
        with board.lock:
            for seat in ("1", "3"):
                board.press(seat)
            board.tap("12-12", "3")
            before = board.tap("12-11", "3")
        assert main(["export", file, "--port", board.port_name]) == 0
    finally:
        board.close()
    board = HubOnPty(configured(STATIONS=4))
    try:
        assert main(["load", file, "--port", board.port_name]) == 0
        count = len(board.inputs)
        board.wait_for(lambda: len(board.inputs) > count)
        with board.lock:
            now = board.inputs[-1]
            assert (now["turn"], now["scores"]) == (before["turn"], before["scores"])
            assert board.hold("E")["did"] == "took-back"
            assert board.tap("12-10", "3")["verdict"] == "ok"
    finally:
        board.close()


def test_what_mpremote_says_is_one_line(folder_board):
    (folder_board / "full").touch()
    with pytest.raises(CommandError) as trouble:
        flasher.flash(str(folder_board))
    assert str(trouble.value) == "mpremote: cp: No space left on device"


def test_a_torn_copy_is_found(folder_board):
    (folder_board / "spoilt").touch()
    with pytest.raises(CommandError, match="not as sent: main.py, config.py, "):
        flasher.flash(str(folder_board))
    assert "reset" not in (folder_board / "said").read_text().splitlines()


@pytest.mark.slow
@needs_image
def test_a_pico_boots_from_two_uf2_files(tmp_path, monkeypatch):
    monkeypatch.setattr(build_firmware, "can_freeze", lambda: False)
    assert main(["uf2", str(tmp_path / "r.uf2")]) == 0
    firmware = tmp_path / "micropython.uf2"
    firmware.write_bytes(flash_image.uf2(IMAGE.read_bytes(), 0))

    class Dragged(EmulatedHub):
        def _image(self):
            return None  # it is in the second file

    board = Dragged(images=(firmware, tmp_path / "r.uf2"))
    assert board.inputs[-1]["phase"] == "lobby"


@pytest.mark.slow
@needs_image
def test_an_update_in_the_middle_of_a_round(capsys):
    """A hub that `make flash` updates in the middle of a round keeps the round.

    The older sources, which would take precedence over compiled modules, are removed.
    """
    from host_sim.board.pico.pty_port import HubOnPty

    init = (build_firmware.FIRMWARE / "roundhouse" / "__init__.py").read_bytes()
    assert VERSION.encode() in init
    files = {
        "roundhouse/__init__.py": init.replace(VERSION.encode(), b"0.1.9"),
        "roundhouse/tag_writer.mpy": b"old",
        "roundhouse/gone.mpy": b"old",
    }
    board = HubOnPty(configured(STATIONS=(1, 2, 4)), files=files)
    try:
        with board.lock:
            assert board.inputs[-1]["version"] == "0.1.9"
            for seat in ("1", "4"):
                assert board.press(seat)["verdict"] == "ok"
            for tap in (("12-12", "4"), ("12-5", "4"), ("12-3", "1")):
                assert board.tap(*tap)["verdict"] == "ok"
            before = dict(board.inputs[-1])
            count = len(board.inputs)
            kept = flash_image.unpack(board.emulator.read_files())
        assert main(["flash", "--port", board.port_name]) == 0
        said = capsys.readouterr().out
        assert "Roundhouse %s, it was 0.1.9" % VERSION in said and "config.py kept" in said
        assert "roundhouse/tag_writer.mpy" in said
        assert "roundhouse/games/match.mpy" not in said, "it was there already"
        assert said.endswith("a seat joins by its button\n")
        board.wait_for(lambda: len(board.inputs) > count)
        with board.lock:
            now = flash_image.unpack(board.emulator.read_files())
            line = board.inputs[-1]
        assert (line["input"], line["version"]) == ("power-up", VERSION)
        assert line["stations"] == ["1", "2", "4"]
        wanted = {k: v for k, v in build_firmware.firmware().items() if k != "config.py"}
        assert {k: v for k, v in now.items() if k in wanted} == wanted
        assert "roundhouse/gone.mpy" not in now and now["config.py"] == kept["config.py"]
        matches = {path: data for path, data in kept.items() if path.startswith("journal/")}
        assert matches and {path: now[path] for path in matches} == matches, "kept for `export`"
        errors = [said["error"] for said in board.lines if "error" in said]
        keys = ("phase", "engine", "turn", "ends", "hands", "boneyard", "scores", "playable")
        assert {key: line[key] for key in keys} == {key: before[key] for key in keys}
        assert errors == []
    finally:
        board.close()


@pytest.mark.slow
@needs_image
def test_mip_puts_every_file_onto_an_empty_emulated_pico(tmp_path):
    from host_sim.board.pico.pty_port import NewPico

    mip_package.write(tmp_path)
    board = NewPico(configured())
    install = ["mip", "install", "--target", "/", str(tmp_path / "package.json")]
    try:
        flasher.mpremote(board.port_name, [install])
        with board.lock:
            files = flash_image.unpack(board.emulator.read_files())
        assert {**files, "config.py": b""} == {**build_firmware.firmware(), "config.py": b""}
        flasher.mpremote(board.port_name, [["reset"]])
        board.wait_for(lambda: board.inputs)
        assert [line["remark"] for line in board.lines if "remark" in line] == [MISSING]
        assert [line for line in board.lines if "error" in line] == []
    finally:
        board.close()


@pytest.mark.slow
@needs_image
def test_a_new_emulated_pico_is_flashed_played_at_and_wired_as_its_config_says(
    monkeypatch, capsys
):
    from host_sim.board.pico.pty_port import NewPico

    boards = []
    firmware = build_firmware.firmware()
    there = {name for name in firmware if "/" in name and "/drivers/" not in name}

    class AlmostNewPico(NewPico):
        def _image(self):
            return flash_image.pack({name: firmware[name] for name in there})

    monkeypatch.setattr(
        "host_sim.board.pico.pty_port.NewPico",
        lambda *args, paced, **more: boards.append(AlmostNewPico(*args, **more)) or boards[0],
    )

    def flash(*options):
        (board,) = boards
        count = len(board.inputs)
        assert main(["flash", *options, "--port", board.port_name]) == 0
        board.wait_for(lambda: len(board.inputs) > count)

    def typed(prompt):
        return lines.pop(0)()

    def first_flash():
        said.append(capsys.readouterr().out)
        flash()
        copied = capsys.readouterr().out
        assert [name for name in firmware if name + "\n" in copied] == [
            name for name in firmware if name not in there
        ]
        return "press 2"

    def end():
        said.append(capsys.readouterr().out)
        is_wired(boards[0], 10, "left")
        changed = {**firmware, "config.py": firmware["config.py"] + rehearsed}
        monkeypatch.setattr(build_firmware, "firmware", lambda: changed)
        flash("--config")
        is_wired(boards[0], 3, "joined")
        raise EOFError

    def is_wired(board, stations, did):
        with board.lock:
            assert len(board.slots) == stations + 2
            line = board.press(str(board.slots[1]))
            assert line["did"] == did
            assert len(line["lamps"]) == 4 * len(board.slots)
            assert board.tap("set 9", "E")["verdict"] == "ok"
            board.run(1000)
            assert len(board.picture) == 12 * len(board.slots)
            assert any(board.picture) == ("j" in line["lamps"])

    rehearsed = b'\nWIRING = "breadboard"\nSTATIONS = (1, 3, 4)\n'
    said = []
    lines = [lambda: "press 2", first_flash, lambda: "tap 12-12 2", end]
    monkeypatch.setattr("builtins.input", typed)
    assert main(["pico"]) == 0
    port = boards[0].port_name
    assert said[0].startswith("An emulated Pico is at %s until" % port)
    assert said[0].endswith("Else: make flash PORT=%s\n" % port)
    answers = [line.strip() for line in said[1].splitlines() if ";" in line]
    assert answers == ["ok; lobby", "not-now; lobby"], "one seat is no table"


@pytest.mark.parametrize("text", [b"import sys; sys.exit()", b"1 / 0", b"STATIONS = 99", b"x = ("])
def test_a_mistake_in_the_flashed_config_leaves_the_emulated_board_as_it_was(text):
    from host_sim.board.pico.pty_port import HubOnPty

    board = types.SimpleNamespace(config=configured())
    files = flash_image.pack({"config.py": text})
    board.emulator = types.SimpleNamespace(read_files=lambda: files)
    assert HubOnPty._follow_config(board) is False


@pytest.mark.slow
@needs_image
def test_tags_and_self_test_over_the_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(usb_hub, "ANSWER_S", 300)  # an emulated hub on a busy machine is slow
    from host_sim.board.pico.pty_port import HubOnPty

    board = HubOnPty(configured(STATIONS=4))
    try:

        def ask(question):
            asked.append(question)
            said = answers.pop(0)
            with board.lock:
                if said == "lay":
                    board.remove("E")
                    board.put(NTAG213(bytes([4, len(asked), 2, 3, 4, 5, 6])), "E")
                    said = ""
            return said

        asked, answers = [], ["", "lay", "y", "lay", "", "lay", "", "q"]
        monkeypatch.setattr(build_firmware, "ROOT", tmp_path)
        done = tmp_path / "build" / "tags-6.txt"
        monkeypatch.setattr("builtins.input", ask)
        of_six = ["--port", board.port_name, "--set", "6"]
        assert main(["tags", *of_six]) == 0
        out = capsys.readouterr().out
        assert "no tag; lay one on the slot" in out, "the first Enter came too early"
        assert done.read_text() == "0-0\t2\n1-0\n"
        assert asked[0].startswith("1 of 28: lay a tag for 0-0 on E")
        asked, answers = [], ["", "q"]
        assert main(["tags", *of_six]) == 0
        assert asked[0].startswith("2 of 28 are written")
        assert asked[1].startswith("3 of 28: lay a tag for 1-1")

        class Out(io.StringIO):
            """An output stream. When the self-test writes its first text, the stream plans a
            press of station 3's button."""

            def write(self, text):
                if not self.tell():
                    board.later(1500, lambda: board.press_down("3"))
                    board.later(2800, lambda: board.press_up("3"))
                return super().write(text)

        out = Out()
        monkeypatch.setattr("sys.stdout", out)
        assert main(["selftest", "--port", board.port_name]) == 0
        assert "slot E  reader 0x92" in out.getvalue()
        assert "readers that do not answer: none" in out.getvalue()
    finally:
        board.close()
