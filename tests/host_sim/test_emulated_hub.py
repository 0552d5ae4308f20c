# SPDX-License-Identifier: MIT
"""The hub on the emulated Pico: start, Ctrl-C, crashes, power cuts, mistakes in config.py."""

import contextlib

import pytest
from littlefs.errors import LittleFSError

from host_sim.board.chips import flash_image
from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.board.pico.emulator import IMAGE
from host_sim.board.pico.pty_port import HubOnPty
from roundhouse.first_config import MISSING

pytestmark = pytest.mark.skipif(
    not IMAGE.exists(), reason="no MicroPython image: `make micropython` builds it (on Debian)"
)

BROKEN = """
from roundhouse import hub
def broken(self, *said):
    raise ValueError("a wire fell off")
hub.Hub._press_seat = broken
"""


def table(line):
    """Return a console line's part about the table's state."""
    others = (
        "input",
        "verdict",
        "by",
        "did",
        "lamps",
        "game",
        "house",
        "set",
        "trains",
        "version",
    )
    return {k: v for k, v in line.items() if k not in others}


@pytest.fixture
def board():
    return EmulatedHub(configured(STATIONS=4))


@pytest.fixture
def playing(board):
    for seat in "123":
        board.press(seat)
    board.tap("12-12", "2")
    board.tap("12-5", "2")
    return board


def test_the_first_light_and_the_lobby():
    lit = []
    frame = EmulatedHub.frame

    class Board(EmulatedHub):
        def frame(self, grb):
            if any(grb):
                lit.append(self.ms - start)
            frame(self, grb)

    start = 0
    board = Board(configured(STATIONS=4))
    start = board.ms
    lit.clear()
    board.unplug()
    assert lit[0] < 500, lit[0]
    assert board.ms - start < 1200
    assert board.inputs[-1]["input"] == "power-up"


@pytest.mark.slow
def test_files_without_config_py_run_by_the_defaults_and_say_so_each_time():
    """A hub without config.py, as mip installs it, uses the defaults, and says so at every
    start."""
    board = EmulatedHub(configured(), files={"config.py": None})
    assert board.press("1")["verdict"] == "ok"
    board.unplug()
    assert [line["remark"] for line in board.lines if "remark" in line] == [MISSING] * 2
    assert [line for line in board.lines if "error" in line] == []


@pytest.mark.slow
@pytest.mark.parametrize("cc_sense, least, most", [(0, 48, 100), (840, 300, 2000)])
def test_the_supply_is_asked_and_the_piezo_plays(cc_sense, least, most):
    config = configured(MILLIAMPS="usb", SOUND=True, BRIGHTNESS=255)
    board = EmulatedHub(config, cc_sense=cc_sense)
    assert board.press("1")["verdict"] == "ok"
    assert board.tap("1-2", "1")["verdict"] == "not-now"
    drawn = []
    board._frame = lambda grb, old=board._frame: (old(grb), drawn.append(board.milliamps))
    board.command("selftest")
    board.run(600)  # all pixels red
    assert least < max(drawn) <= most
    board.command("selftest end")
    assert board.press("1")["verdict"] == "ok" and not board.said
    board.emulator.type(b"\x03")  # in the middle of a tone
    board.run(500)
    assert list(board.lines[-1]) == ["stopped"]


@pytest.mark.slow
def test_a_flash_write_cuts_off_no_frame_and_the_makers_door(playing):
    """A flash write shortens no frame. While MicroPython's prompt is in use, the largest free
    piece of the heap has at least 24 KiB.

    MicroPython's table of names may need a piece of 8 KB in the middle of an evening.
    """
    board = playing
    erases, programs = board.erases, board.programs
    for _ in range(12):
        if board.erases > erases and board.programs > programs:
            break
        assert board.press(str(board.inputs[-1]["turn"]))["verdict"] == "ok"
    assert board.programs > programs and board.erases > erases
    assert board.short_frames == 0
    board.run(700)
    assert board.short_frames == 0
    before = table(board.inputs[-1])
    board.command("export")
    assert any(board.picture)
    board.emulator.type(b"\xa1gversion\x03\x03\r\n")  # a program that probes every port
    board.run_until(lambda: any("Raspberry Pi Pico" in line for line in board.said), 5000)
    assert list(board.lines[-1]) == ["stopped"]
    assert not any(board.picture), "the lamps are dark"
    assert "MicroPython " in "".join(board.said) and "Traceback" not in "".join(board.said)
    board.emulator.type(b"import micropython; micropython.mem_info()\r\n")
    board.run_until(lambda: any("max free sz" in line for line in board.said), 5000)
    (line,) = [line for line in board.said if "max free sz" in line]
    blocks = int(line.split("max free sz:")[1])
    assert 16 * blocks >= 24 * 1024, line
    board.run(10000)
    assert board.resets == [], "the watchdog is off"
    for again in (b"\x04", b"\x03import machine; machine.reset()\r\n"):
        board.emulator.type(again)
        assert board.line_after(len(board.inputs), 3000)
        board.run(500)
        assert table(board.inputs[-1]) == before and any(board.picture)
    assert board.resets == [2]


def changed(what, into):
    """Return {path: source} of a boot.py in which `into` replaces `what`."""
    source = (build_firmware.FIRMWARE / "roundhouse" / "boot.py").read_bytes()
    assert what in source
    return {"roundhouse/boot.py": source.replace(what, into)}


@pytest.mark.slow
def test_a_stopped_hub_is_dark_without_a_config_too():
    source = (build_firmware.FIRMWARE / "config.py").read_bytes() + b"BRIGHTNESS = lots\n"

    class Board(EmulatedHub):
        def _booted(self, count):
            return self.run_until(lambda: len(self.lines) > 1, 9000)

    board = Board(files={"config.py": source})
    board.emulator.type(b"\x03")
    board.run(500)
    assert list(board.lines[-1]) == ["stopped"] and not any(board.picture)


@pytest.mark.slow
def test_the_watchdog_bites_a_hub_that_hangs():
    # it says its first line, and then sleeps where the watchdog is not fed
    hangs = b"while hub.step() or hub.console.waiting or not time.sleep(1):"
    board = EmulatedHub(configured(STATIONS=4), files=changed(b"if hub.step():", hangs))
    count = len(board.inputs)
    assert board.line_after(count, 12000)
    assert board.resets == [1]


@pytest.mark.slow
def test_an_exception_is_said_shown_kept_and_survived(playing):
    before = table(playing.inputs[-1])
    image = flash_image.unpack(playing.emulator.read_files())
    match = {path: data for path, data in image.items() if path.startswith("journal/")}
    broken = changed(b"def random", BROKEN.encode() + b"\ndef random")
    board = EmulatedHub(configured(STATIONS=4), files={**match, **broken})
    assert table(board.inputs[-1]) == before
    count = len(board.inputs)
    board.run(300)  # after its first line it makes a folder, which takes longer than a press
    board.press_down("1")
    board.run(100)
    board.press_up("1")
    assert board.line_after(count, 4000)
    errors = [line["error"] for line in board.lines if "error" in line]
    assert errors == [
        "ValueError: a wire fell off; the hub starts again, crash.txt has where it happened"
    ]
    assert table(board.inputs[-1]) == before
    crash = flash_image.unpack(board.emulator.read_files())["crash.txt"].decode()
    assert "ValueError: a wire fell off" in crash and "roundhouse/hub.py" in crash
    assert board.resets == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "config, said",
    [
        ("HOUSE = (\n", "config.py, line"),
        ("HOUSE = quebec\n", "quebec: text needs quotes, as in HOUSE ="),
        ("SOUND = true\n", "true is written True"),
        ("STATIONS = (1\uff0c2)\n", "a wide letter of another keyboard"),
        ("  SET = 9\n", "a setting begins its line"),
        ("HOUSE = 'monopoly'\n", "no house monopoly; there are original"),
        ("HOUSE = “puremco”\n", "curly quotes; type straight ones"),
        (b"HOUSE = 'caf\xe9'\n", "is not UTF-8; save the file as UTF-8"),
        ("HOUSE\u200b = 'quebec'\n", "a letter that cannot be seen"),
        ("BRIGHTNES = 5\n", "there is no setting BRIGHTNES; did you mean BRIGHTNESS?"),
        ('PINS = {"lights": 28.0}\n', "28.0 is not a pin; it is a whole number"),
    ],
)
def test_a_broken_config_blinks_and_is_named(config, said):
    source = (build_firmware.FIRMWARE / "config.py").read_bytes()
    source += config if isinstance(config, bytes) else config.encode()
    reds = []

    class Board(EmulatedHub):
        def _booted(self, count):
            return self.run_until(lambda: len(self.lines) > 1, 9000)

        def frame(self, grb):
            reds.append(grb[1] > grb[0])
            super().frame(grb)

    board = Board(files={"config.py": source})
    assert said in board.lines[0]["error"]
    assert board.lines[1] == board.lines[0], "again for a host that connects later"
    assert [red for red, other in zip(reds, reds[1:]) if red != other], "it blinks"


@pytest.mark.slow
@pytest.mark.parametrize(
    "file, said",
    [
        (b"<!DOCTYPE html>\n<html><pre>SET = 9</pre></html>\n", "a web page (HTML)"),
        (b"{\\rtf1 SET = 9}", "a formatted text (RTF)"),
        (bytes(700), "it is all zeros"),
    ],
)
def test_a_config_that_is_another_file_is_named(file, said):
    class Board(EmulatedHub):
        def _booted(self, count):
            return self.run_until(lambda: len(self.lines) > 1, 9000)

    assert said in Board(files={"config.py": file}).lines[0]["error"]


def filled():
    """Return a hub whose flash is full; there is no journal yet."""
    for size in range(1_200_000, 0, -4096):
        with contextlib.suppress(LittleFSError):
            return EmulatedHub(configured(STATIONS=4), files={"filler.bin": b"\xa5" * size})
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "make, said",
    [
        (filled, "the flash cannot be written; no input can be kept"),
        (
            lambda: EmulatedHub(configured(STATIONS=4), files={"journal": b"notes"}),
            "journal is a file, not a folder; remove it",
        ),
    ],
)
def test_a_board_that_can_keep_nothing_says_so_and_is_up(make, said):
    board = make()
    (error,) = [line["error"] for line in board.lines if "error" in line]
    assert said in error
    assert board.inputs[-1]["input"] == "power-up"
    assert board.press("1")["verdict"] == "fault"
    assert board.command("sound off")["verdict"] in ("fault", "not-now")
    board.run(3000)
    assert board.resets == []


def test_a_config_that_lacks_a_setting_is_said_and_plays():
    source = (build_firmware.FIRMWARE / "config.py").read_bytes()
    board = EmulatedHub(files={"config.py": source.replace(b"\nFIELDS = 3\n", b"\n")})
    assert board.lines[0] == {"remark": "config.py: FIELDS is missing; the hub takes FIELDS = 3"}
    assert board.inputs[0]["input"] == "power-up"
    assert board.press("3")["did"] == "joined"


@pytest.mark.slow
def test_power_cuts_come_back_to_the_same_table(playing):
    board = playing
    tiles = iter(("12-4", "12-7", "12-9", "5-1", "12-3", "12-11"))
    turn = board.inputs[-1]["turn"]
    cuts = 0
    for operation, torn in ((1, False), (1, True), (2, False), (2, True)):
        before = table(board.inputs[-1])
        board.emulator.cut(operation, torn)
        tile = next(tiles)
        place = str(turn) if operation == 1 else "M"
        board.put(tile, place)
        count = len(board.inputs)
        board.line_after(count, 1500)
        after = table(board.inputs[-1]) if len(board.inputs) > count else None
        board.remove(place)
        if not board.emulator.powered:
            cuts += 1
        board.emulator.cut(0)
        board.unplug()
        now = table(board.inputs[-1])
        if after:
            assert now == after, "what was said is kept"
        else:
            assert now == before or now["boneyard"] == before["boneyard"]
        turn = now["turn"]
    assert cuts


@pytest.mark.slow
def test_a_reader_that_is_dead_at_power_up():
    """A reader that is dead at power-up is reported, and the other slots work. It works after its
    repair."""
    board = EmulatedHub(configured(STATIONS=(1, 3, 4), BAUD=2_000_000), vsys=4500)
    assert 4.48 <= board.command("state")["vsys"] <= 4.5
    board.fault("3")
    board.unplug()
    board.run(500)
    said = [line for line in board.lines if "reader" in line]
    assert said == [{"slot": "3", "reader": "fault", "pixels": ["3", "4", "M", "E"]}]
    for slot in ("1", "4", "M"):
        assert board.tap("seat 4", slot)["verdict"] == "ok"
    board.repair("3")
    board.run(1500)
    assert board.lines[-1] == {"slot": "3", "reader": "ok"}
    assert board.tap("seat 3", "3")["verdict"] == "ok"


@pytest.mark.slow
def test_a_press_counts_while_the_hub_answers_state(board):
    board.run(1000)
    for turn, into_ms in enumerate(range(0, 150, 20)):
        seat = "1234"[turn % 4]  # presses of one button within half a second are one
        count = len(board.inputs)
        board.port.type("state")
        board.run(into_ms)
        board.press_down(seat)
        board.run(80)
        board.press_up(seat)
        board.run_until(lambda count=count: len(board.inputs) > count + 1, 700)
        said = [line["input"] for line in board.inputs[count:]]
        assert sorted(said) == ["press " + seat, "state"], (into_ms, said)


@pytest.mark.slow
def test_a_hand_is_not_answered_by_what_a_program_asks_meanwhile():
    board = HubOnPty(configured(STATIONS=4))
    with board.lock:
        board.emulator.type(b"state\n")
        said = board.tap("6-5", "1")
        board.run_until(lambda: len(board.inputs) > 2, 1000)  # either may be answered first
    board.close()
    assert said["input"] == "tap 6-5 1"
    assert sorted(line["input"] for line in board.inputs[1:]) == ["state", "tap 6-5 1"]


@pytest.mark.slow
def test_a_host_that_holds_back_does_not_stop_the_hub():
    """The hub drops lines, and works, while a program keeps the port open without reading."""
    shown = []

    class Board(EmulatedHub):
        def frame(self, grb):
            shown.append(self.clock.us)
            super().frame(grb)

    board = Board(configured())
    for seat in "123":
        board.press(seat)
    board.tap("12-12", "E")
    board.run(500)
    board.port.open = False
    board.fault("7")  # short lines, then the match's
    board.run(700)
    board.repair("7")
    board.run(700)
    count = len(shown)
    for tile, slot in (("12-7", "1"), ("12-5", "2"), ("12-6", "3")) * 3:
        board.put(tile, slot)
        board.run(150)
        board.remove(slot)
        board.run(150)
    gaps = [b - a for a, b in zip(shown[count - 1 :], shown[count:])]
    assert max(gaps) < 120_000, "microseconds without a frame"
    board.emulator.hold_back(2)
    board.run(100)
    board.port.open = True
    board.run(500)
    board.press("7")
    taps = [line["input"] for line in board.inputs if line["input"].startswith("tap 12-")]
    assert taps[1:4] == ["tap 12-7 1", "tap 12-5 2", "tap 12-6 3"], "all that the ring holds"
    assert any("dropped" in line for line in board.lines)
    assert board.inputs[-1]["input"] == "press 7" and not board.said
