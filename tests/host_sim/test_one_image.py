# SPDX-License-Identifier: MIT
"""MicroPython and the firmware in one image: config.py, older files, updates, power cuts."""

import json

import pytest

from host_sim.board.chips import flash_image
from host_sim.board.hub.simulated_hub import configured
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.board.pico.emulator import IMAGE
from roundhouse import VERSION, old_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not build_firmware.can_freeze(),
        reason="no build tree of MicroPython: `make micropython` makes it (on Debian)",
    ),
]
KEPT = build_firmware.ROOT / "tests" / "firmware" / "of_1_0_0" / "puremco-play.jsonl"
TABLE = ("phase", "engine", "turn", "ends", "hands", "boneyard", "scores", "playable")
CONFIG = (build_firmware.FIRMWARE / "config.py").read_bytes()
WROTE = {"remark": "config.py was missing; the hub wrote one, with the defaults"}


def files_of(board):
    return flash_image.unpack(board.emulator.read_files())


def test_a_board_without_config_writes_one_and_says_so():
    board = EmulatedHub(files={"config.py": None}, frozen=True)
    assert board.lines[0] == WROTE and board.lines[1]["input"] == "power-up"
    assert board.press("3")["did"] == "joined"
    assert files_of(board)["config.py"] == CONFIG
    board.unplug()
    assert WROTE not in board.lines[1:], "said once"
    assert board.inputs[-1]["hands"] == {"3": 0}


def test_a_power_cut_leaves_a_whole_config_or_none():
    class Board(EmulatedHub):
        def _booted(self, count):
            return super()._booted(count) or not self.emulator.powered

    board = Board(frozen=True)
    seen = set()
    for operation in range(1, 99):
        board.emulator.write_files(flash_image.pack({}))
        board.emulator.cut(operation, torn=operation % 2 == 1)
        board.unplug()
        whole = board.emulator.powered
        board.emulator.cut(0)
        config = files_of(board).get("config.py")
        assert config in (None, CONFIG), "cut at flash operation %d" % operation
        seen.add(config)
        board.unplug()
        assert files_of(board)["config.py"] == CONFIG
        assert "config.new" not in files_of(board)
        if whole:
            break
    assert whole and seen == {None, CONFIG} and operation > 3


# ---- one file to drag ----


def uf2():
    return flash_image.uf2(build_firmware.frozen().read_bytes(), 0)


class Dragged(EmulatedHub):
    """An emulated hub that may fail to start."""

    def _booted(self, count):
        super()._booted(count)
        return True

    def drag(self, file):
        """Drag a UF2 file onto the drive; return the first console line after that, or None."""
        count = len(self.inputs)
        self.emulator.drag(file)
        return self.line_after(count, 3000)


@pytest.fixture
def of_1_0_0(tmp_path):
    """Yield a hub as 1.0.0 left it: MicroPython in the image, the firmware as files, a match in
    play."""
    matches = tmp_path / "journal"
    matches.mkdir()
    settings, *rest = [json.loads(line) for line in KEPT.read_text().splitlines()]
    for one in rest:
        if "segment" in one:
            path = matches / ("%08d.rhj" % one["segment"])
            path.write_bytes(bytes.fromhex(one["data"]))
    init = (build_firmware.FIRMWARE / "roundhouse" / "__init__.py").read_bytes()
    files = {
        "roundhouse/__init__.py": init.replace(VERSION.encode(), b"1.0.0"),
        "main.py": b"from roundhouse.boot import main\n\nmain()\n",
        "letters/mine.txt": b"mine",
    }
    board = Dragged(configured(**settings["config"]), matches, files=files)
    yield board
    board.emulator.cut(0)
    # other tests share this Pico; nothing of a longer image stays behind
    whole = IMAGE.read_bytes().ljust(flash_image.OFFSET, b"\0")
    board.emulator.drag(flash_image.uf2(whole, 0))


def table(line):
    return {key: line[key] for key in TABLE}


def test_an_update_from_files_keeps_config_and_match(of_1_0_0):
    board = of_1_0_0
    before, kept = board.inputs[-1], files_of(board)
    assert before["version"] == "1.0.0" and before["phase"] == "play"
    line = board.drag(uf2())
    assert line["version"] == VERSION and table(line) == table(before)
    assert "config" not in line, "config.py says the same house"
    assert files_of(board) == kept
    assert board.tap("5-4", "6")["did"] == "laid"
    before = board.inputs[-1]
    board.unplug()
    assert table(board.inputs[-1]) == table(before)
    assert not [line for line in board.lines if "error" in line]


# ---- files of an older version ----

OLD = {
    name: build_firmware.firmware()[name]
    for name in ("roundhouse/__init__.mpy", "roundhouse/drivers/strip.mpy", "roundhouse/hub.mpy")
}
OWN = {
    "roundhouse/drivers/mine.py": b"mine",
    "roundhouse/games/match.mpy": b"changed",
    "letters/mine.txt": b"mine",
    "journal/quiet": b"",
}
STAY = {"remark": old_files.STAYS % ("roundhouse/drivers/mine.py, roundhouse/games/match.mpy", "")}


class WithOldFiles(EmulatedHub):
    """A hub whose image has the firmware; it may lose its power."""

    def __init__(self):
        super().__init__(configured(STATIONS=4), files={**OLD, **OWN}, frozen=True)

    def _booted(self, count):
        return super()._booted(count) or not self.emulator.powered

    def rest(self):
        """Make no input until the hub names the files that stay, or the power is off."""
        self.lines.clear()
        return self.run_until(lambda: STAY in self.lines, 9000)


def test_the_hub_removes_what_a_release_wrote_and_names_the_rest():
    board = WithOldFiles()
    assert board.lines[0]["input"] == "power-up", "first the line, then the files"
    kept = files_of(board)
    assert kept.keys() >= OLD.keys()
    for seat in "12":
        assert board.press(seat)["did"] == "joined"
    assert board.rest()
    assert files_of(board).keys() == kept.keys() - OLD.keys()
    assert files_of(board).items() >= OWN.items() and files_of(board)["config.py"]
    board.unplug()
    assert board.inputs[-1]["hands"] == {"1": 0, "2": 0}
    assert board.rest(), "they are named as long as they are there"


def test_a_file_goes_in_each_second_without_an_input():
    board = WithOldFiles()
    for n in range(6):
        board.press("12"[n % 2])
        board.run_until(lambda: False, 700)
    assert files_of(board).keys() >= OLD.keys()
    left = [len(OLD)]
    for _ in range(10):
        board.run_until(lambda: False, 500)
        left.append(len(files_of(board).keys() & OLD))
    assert left[-1] == 0 and all(a - b <= 1 for a, b in zip(left, left[1:])), left


def test_a_power_cut_while_old_files_are_removed_loses_nothing():
    board = WithOldFiles()
    kept = board.emulator.read_files()
    config = files_of(board)["config.py"]
    left = set()
    for operation in range(1, 99):
        board.emulator.write_files(kept)
        board.emulator.cut(operation, torn=operation % 2 == 1)
        board.unplug()
        done = board.rest()
        board.emulator.cut(0)
        now = files_of(board)
        assert now.items() >= OWN.items() and now["config.py"] == config, operation
        assert all(now.get(name, data) == data for name, data in OLD.items())
        left.add(len(now.keys() & OLD))
        if done:
            break
        board.unplug()
        assert board.rest() and not files_of(board).keys() & OLD
    assert done and left == {0, 1, 2, 3}


@pytest.mark.parametrize("again", [True, False])
def test_a_half_copied_file_starts_nothing_and_loses_nothing(of_1_0_0, again):
    """A hub with an incomplete UF2 file does not start, and keeps its files and match.

    again: whether the hub already has the image of this file; if not, the hub has version 1.0.0
    """
    board = of_1_0_0
    kept, before = files_of(board), board.inputs[-1]
    whole = uf2()
    blocks = len(whole) // 512
    stops = (1, 2, 15, 16, 17, 100, blocks // 2, blocks - 16, blocks - 1)
    if again:  # whole sectors would be the same as before: the image would be whole
        stops = (1, 17, blocks - 1)
    for stop in stops:
        if again:
            board.drag(whole)
        assert board.drag(whole[: 512 * stop]) is None
        board.resets.clear()
        count = len(board.inputs)
        board.unplug()
        assert len(board.inputs) == count, "%d of %d blocks" % (stop, blocks)
        if stop > 1:  # one block alone has no code that could look for the others
            assert board.resets == [3], "the drive appears again"
        assert files_of(board) == kept
    line = board.drag(whole)
    assert table(line) == table(before)


def test_power_cuts_after_the_update_lose_no_config_and_no_match(of_1_0_0):
    board = of_1_0_0
    board.drag(uf2())
    kept, before = board.emulator.read_files(), board.inputs[-1]
    config = files_of(board)["config.py"]
    seen = set()
    for operation in range(1, 99):
        board.emulator.write_files(kept)
        board.unplug()
        board.emulator.cut(operation, torn=operation % 2 == 1)
        board.put("5-4", "6")
        count = len(board.inputs)
        said = board.line_after(count, 1500)
        whole = board.emulator.powered
        board.remove("6")
        board.emulator.cut(0)
        board.unplug()
        now = board.inputs[-1]
        assert files_of(board)["config.py"] == config
        assert now["hands"]["6"] == (3 if said else now["hands"]["6"]), "said, then kept"
        assert now["hands"]["6"] == 3 or table(now) == table(before)
        seen.add(now["hands"]["6"])
        if whole:
            break
    assert whole and seen == {3, 4} and operation > 2


def test_power_cuts_during_a_round_come_back_to_the_same_table():
    board = Dragged(configured(STATIONS=4), frozen=True)
    for seat in "123":
        board.press(seat)
    board.tap("12-12", "2")
    tiles = iter("12-%d" % n for n in range(12))
    cuts = 0
    cut_at = [(1, False), (1, True), (2, False), (2, True), (3, True), (4, False), (5, True)]
    for operation, torn in cut_at:
        before = table(board.inputs[-1])
        board.emulator.cut(operation, torn)
        place, count = str(before["turn"]), len(board.inputs)
        board.put(next(tiles), place)
        board.line_after(count, 1500)
        after = table(board.inputs[-1]) if len(board.inputs) > count else None
        board.remove(place)
        cuts += not board.emulator.powered
        board.emulator.cut(0)
        board.unplug()
        now = table(board.inputs[-1])
        if after:
            assert now == after
        elif now != before:  # kept, and the power went before the line
            held = before["hands"][place]
            assert now["hands"] == {**before["hands"], place: held - 1}
    assert cuts
