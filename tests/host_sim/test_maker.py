# SPDX-License-Identifier: MIT
"""What makers run: the flasher on the emulated Pico, tags and self-test over a serial line."""

import io
import json
import types

import pytest

from host_sim.__main__ import main
from host_sim.chips import flash_image
from host_sim.chips.ntag import NTAG213
from host_sim.commands import write_tags
from host_sim.hub.simulated_hub import configured
from host_sim.maker import Trouble, flasher, usb_hub
from host_sim.pico import compiled
from host_sim.pico.emulated_hub import EmulatedHub
from host_sim.pico.emulator import IMAGE
from roundhouse import tags

needs_image = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)


def port(device, vid):
    return types.SimpleNamespace(device=device, vid=vid)


def test_which_port():
    assert usb_hub.find_port("COM7") == "COM7"
    assert usb_hub.find_port(None, [port("a", None), port("b", 0x2E8A), port("c", 0x1A86)]) == "b"
    with pytest.raises(Trouble, match="BOOTSEL"):
        usb_hub.find_port(None, [port("a", 0x1A86)])
    with pytest.raises(Trouble, match="several boards: a, b. Say which one: PORT=a"):
        usb_hub.find_port(None, [port("a", 0x2E8A), port("b", 0x2E8A)])


def test_no_port_and_no_python(tmp_path):
    with pytest.raises(Trouble, match="does not answer as MicroPython"):
        flasher.flash(str(tmp_path / "none"))
    with pytest.raises(Trouble, match="cannot be opened"):
        usb_hub.HubConsole(str(tmp_path / "none"))


def test_a_tags_bytes_are_what_the_hub_reads(capsys):
    assert main(["tag", "12-7"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line[:9] for line in lines] == ["page %2d  " % (4 + n) for n in range(len(lines))]
    data = bytes.fromhex("".join(line[9:] for line in lines))
    assert tags.text(b"\xe1\x10\x12\x00" + data, 4 + len(data)) == "12-7"
    assert main(["tag", "hello"]) == 1
    assert "no text the hub knows" in capsys.readouterr().err


def test_package_json_names_every_file():
    package = json.loads((compiled.ROOT / "package.json").read_text())
    there = {
        (
            path.relative_to(compiled.FIRMWARE).as_posix(),
            path.relative_to(compiled.ROOT).as_posix(),
        )
        for path in compiled.FIRMWARE.glob("**/*.py")
    }
    assert {tuple(pair) for pair in package["urls"]} == there


def test_a_uf2_holds_the_file_system(tmp_path, capsys):
    assert main(["uf2", str(tmp_path / "r.uf2")]) == 0
    assert "BOOTSEL" in capsys.readouterr().out
    data = (tmp_path / "r.uf2").read_bytes()
    image = bytearray(b"\xff" * flash_image.BLOCK * flash_image.BLOCKS)
    for at in range(0, len(data), 512):
        block = data[at : at + 512]
        where = int.from_bytes(block[12:16], "little") - 0x10000000 - flash_image.OFFSET
        image[where : where + 256] = block[32 : 32 + 256]
        assert int.from_bytes(block[20:24], "little") == at // 512
        assert int.from_bytes(block[24:28], "little") == len(data) // 512
    assert flash_image.unpack(image) == compiled.firmware()


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
    assert on_board(folder_board) == compiled.firmware()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == " 1 of %d  config.py" % len(compiled.firmware())
    assert said[-1] == "%d files verified" % len(compiled.firmware())
    flash = folder_board / "flash"
    (flash / "config.py").write_text("SET = 9")
    (flash / "main.py").write_text("old")
    (flash / "roundhouse" / "gone.mpy").write_text("old")
    (flash / "journal").mkdir()
    (flash / "journal" / "1").write_text("a match")
    flasher.flash(str(folder_board))
    said = capsys.readouterr().out.splitlines()
    assert said == [
        " 1 of 1  main.py",
        "%d files verified, config.py kept" % (len(on_board(folder_board)) - 2),
    ]
    assert (flash / "config.py").read_text() == "SET = 9"
    assert (flash / "journal" / "1").exists() and not (flash / "roundhouse" / "gone.mpy").exists()
    flasher.flash(str(folder_board), config=True, journal=True)
    assert on_board(folder_board) == compiled.firmware()
    assert (folder_board / "said").read_text().endswith("\nreset\n")


def test_what_mpremote_says_is_one_line(folder_board):
    (folder_board / "full").touch()
    with pytest.raises(Trouble) as trouble:
        flasher.flash(str(folder_board))
    assert str(trouble.value) == "mpremote: cp: No space left on device"


def test_a_torn_copy_is_found(folder_board):
    (folder_board / "spoilt").touch()
    with pytest.raises(Trouble, match="not as sent: main.py, config.py, "):
        flasher.flash(str(folder_board))
    assert "reset" not in (folder_board / "said").read_text().splitlines()


@needs_image
def test_a_pico_boots_from_two_uf2_files(tmp_path):
    assert main(["uf2", str(tmp_path / "r.uf2")]) == 0
    firmware = tmp_path / "micropython.uf2"
    firmware.write_bytes(flash_image.uf2(IMAGE.read_bytes(), 0))

    class Dragged(EmulatedHub):
        def _image(self):
            return None  # it is in the second file

    board = Dragged(images=(firmware, tmp_path / "r.uf2"))
    assert board.inputs[-1]["phase"] == "lobby"


@needs_image
def test_flashing_keeps_config_and_journal(capsys):
    from host_sim.pico.pty_port import HubOnPty

    old = {"roundhouse/tiles.mpy": b"old", "roundhouse/gone.mpy": b"old"}
    board = HubOnPty(configured(STATIONS=4), files={**old, "main.py": b"print(1)"}, boots=False)
    try:
        assert main(["flash", "--port", board.port_name]) == 0
        said = capsys.readouterr().out
        assert "config.py kept" in said
        assert "roundhouse/tiles.mpy" in said
        assert "roundhouse/games/match.mpy" not in said, "it was there already"
        assert said.endswith("self-test\n")
        board.wait_for(lambda: board.inputs and board.inputs[-1]["input"] == "power-up")
        with board.lock:
            files = flash_image.unpack(board.emulator.read_files())
        assert "roundhouse/gone.mpy" not in files
        wanted = {k: v for k, v in compiled.firmware().items() if k != "config.py"}
        assert {k: v for k, v in files.items() if k in wanted} == wanted
        assert b"STATIONS = 4" in files["config.py"]
    finally:
        board.close()


@needs_image
def test_tags_and_self_test_over_the_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(usb_hub, "PATIENCE_S", 300)  # an emulated hub on a busy machine is slow
    from host_sim.pico.pty_port import HubOnPty

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
        done = tmp_path / "tags.txt"
        monkeypatch.setattr("builtins.input", ask)
        hub = usb_hub.HubConsole(board.port_name)
        write_tags.write_set(hub, 6, "E", False, done)
        out = capsys.readouterr().out
        assert "no tag; lay one on the slot" in out, "the first Enter came too early"
        assert done.read_text().split() == ["0-0", "1-0"]
        assert asked[0].startswith("1 of 28: lay a tag for 0-0 on E")
        asked, answers = [], ["", "q"]
        write_tags.write_set(hub, 6, "E", False, done)
        hub.line.close()
        assert asked[0].startswith("2 of 28 are written")
        assert asked[1].startswith("3 of 28: lay a tag for 1-1")

        class Out(io.StringIO):
            """Holds a button once the test has begun: before, it would mean something else."""

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
