# SPDX-License-Identifier: MIT
"""The reader driver without the hub: its package is complete, and the examples in its README
run."""

import json
import re
import shutil
import subprocess
import sys
import types

import driver_package
import pytest

from host_sim.board.chips import machine
from host_sim.board.chips.mfrc522_chip import MFRC522Chip
from host_sim.board.chips.ntag import NTAG213, MifareClassic
from host_sim.board.hub.simulated_hub import configured
from host_sim.command_line import preflight
from host_sim.lab import driver_memory

README = driver_package.FIRMWARE / "roundhouse" / "drivers" / "README.md"
EXAMPLES = dict(
    re.findall(r"^## ([^\n]+)\n[^#]*?```python\n(.*?)```", README.read_text(), re.M | re.S)
)
FIRST_PAGE = driver_package.FIRMWARE.parent / "README.md"
EXAMPLES["the first page"] = EXAMPLES["Four readers"].partition("readers = ")[0] + "\n".join(
    [
        "reset = Pin(17, Pin.OUT)",
        *re.findall(
            r"^    (readers = .*)\n    (while .*)\n    (print.*)$", FIRST_PAGE.read_text(), re.M
        )[0],
    ]
)
UID = bytes.fromhex("04112233445566")


class Over(BaseException):
    """Raised to end an example."""


@pytest.fixture
def board(tmp_path, monkeypatch):
    """Return a board with four readers at the README's pins; Python finds only the package."""
    for _, name in json.loads(driver_package.PACKAGE.read_text())["urls"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(driver_package.FIRMWARE / name, tmp_path / name)
    for name in [name for name in sys.modules if name.split(".")[0] == "roundhouse"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    clock = machine.power_up()
    chips = [MFRC522Chip(clock) for _ in range(4)]
    for number, chip in enumerate(chips):
        machine.attach(0, number, chip)
        machine.wire(17).watchers.append(chip.reset_pin)
    yield types.SimpleNamespace(clock=clock, chips=chips, events={}, folder=tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "roundhouse"]:
        del sys.modules[name]


def run(board, monkeypatch, title, ms=600):
    """Run a README example for `ms` simulated milliseconds. `board.events` is {ms: function to
    call at that time}."""
    time = types.ModuleType("time")
    clock = board.clock

    def passing(name):
        def call(*args):
            due = [at for at in board.events if at <= clock.us // 1000]
            for at in sorted(due):
                board.events.pop(at)()
            if clock.us > ms * 1000:
                raise Over
            return getattr(clock, name)(*args)

        return call

    for name in ("ticks_us", "ticks_ms", "sleep_us", "sleep_ms"):
        setattr(time, name, passing(name))
    time.ticks_diff, time.ticks_add = clock.ticks_diff, clock.ticks_add
    monkeypatch.setitem(sys.modules, "time", time)
    monkeypatch.setitem(sys.modules, "machine", machine)
    try:
        exec(compile(EXAMPLES[title], title, "exec"), {"__name__": "__main__"})
    except Over:
        pass
    import roundhouse

    assert roundhouse.__file__.startswith(str(board.folder)), "the package's own files"


def test_a_reader_prints_a_tags_text_each_time_it_comes(board, monkeypatch, capsys):
    tag = NTAG213(UID, "hello")
    chip = board.chips[0]
    board.events = {
        300: lambda: chip.put(tag),
        600: lambda: chip.take(tag),
        1000: lambda: chip.put(tag),
    }
    run(board, monkeypatch, "One reader", 1200)
    assert capsys.readouterr().out == "[b'hello']\n[b'hello']\n"


def test_two_tags_print_both(board, monkeypatch, capsys):
    tags = [NTAG213(UID, "hello"), NTAG213(UID[:-1] + b"\x77", "world")]
    board.events = {300: lambda: [board.chips[0].put(tag) for tag in tags]}
    run(board, monkeypatch, "One reader", 900)
    assert {*capsys.readouterr().out.splitlines()} == {"[b'hello']", "[b'world']"}


def test_a_reader_that_does_not_answer_is_said(board, monkeypatch, capsys):
    board.chips[0].dead = 0
    run(board, monkeypatch, "One reader", 900)
    assert "no reader answers: look at its wires\n" in capsys.readouterr().out


def test_a_mifare_classic_is_said(board, monkeypatch, capsys):
    board.events = {300: lambda: board.chips[0].put(MifareClassic(UID[:4]))}
    run(board, monkeypatch, "Writing a tag")
    assert "this is a MIFARE Classic; lay an NTAG\n" in capsys.readouterr().out


def test_a_bus_that_is_too_fast_falls_back(board, monkeypatch, capsys):
    board.chips[0].most_baud = 2_000_000
    board.events = {600: lambda: board.chips[3].put(NTAG213(UID, "hello"))}
    run(board, monkeypatch, "Four readers", 1500)
    said = capsys.readouterr().out.splitlines()
    assert "reader 0 needs a slower bus: all use 1 MHz" in said, said
    assert said[-1] == "reader 3 has [b'hello']"


def test_four_readers_say_which_of_them_it_was(board, monkeypatch, capsys):
    board.chips[1].dead = 0
    board.events = {300: lambda: board.chips[3].put(NTAG213(UID, "hello"))}
    run(board, monkeypatch, "Four readers")
    said = {*capsys.readouterr().out.splitlines()}  # a fault is said again after each reset
    assert sorted(said) == ["reader 1 does not work", "reader 3 has [b'hello']"]


def test_three_lines_of_the_first_page_read_a_tag(board, monkeypatch, capsys):
    board.events = {300: lambda: board.chips[2].put(NTAG213(UID, "12-7"))}
    run(board, monkeypatch, "the first page")
    assert capsys.readouterr().out == "reader 2 has 12-7\n"


def test_a_tag_is_written(board, monkeypatch, capsys):
    tag = NTAG213(UID)
    board.events = {300: lambda: board.chips[0].put(tag)}
    run(board, monkeypatch, "Writing a tag")
    assert capsys.readouterr().out == "written\n"
    from roundhouse import tags

    texts = []
    tags.read(tag.memory[12:60], 48, texts)
    assert texts == [b"hello"]


def test_a_locked_tag_is_said(board, monkeypatch, capsys):
    tag = NTAG213(UID, lock_tlv=True)
    tag.memory[10] = tag.memory[11] = 0xFF  # the static lock bytes
    board.chips[0].put(tag)
    run(board, monkeypatch, "Writing a tag")
    assert "locked" in capsys.readouterr().out


def test_an_empty_reader_takes_few_calls(board):
    """As the README says, a poll of an empty reader takes eight calls of the SPI bus."""
    from roundhouse import tags
    from roundhouse.drivers.mfrc522 import MFRC522
    from roundhouse.drivers.presence import Readers

    spi = machine.SPI(0, baudrate=4_000_000)
    chip = MFRC522(spi, [machine.Pin(0, machine.Pin.OUT, value=1)], None, board.clock)
    readers = Readers(chip, board.clock, tags.length, 1)
    polls = calls = 0
    while polls < 50:
        before = spi.bus.calls
        if readers.step() >= 0:
            polls += 1
            calls = max(calls, spi.bus.calls - before)
    assert calls == 8 + 3


@pytest.mark.slow
@pytest.mark.skipif(
    bool(preflight.missing(preflight.pico_needs())), reason="no image: `make micropython`"
)
def test_its_memory():
    """The driver takes as many bytes of memory as the README says."""
    found = driver_memory.measure()
    assert 20_000 < found["modules"] < 26_000
    assert 3_000 < found["one"] < 4_500
    assert found["all"] < found["one"] + 200 * (driver_memory.READERS - 1)


@pytest.mark.slow
@pytest.mark.skipif(
    bool(preflight.missing(preflight.pico_needs())), reason="no image: `make micropython`"
)
def test_mpremote_installs_it_and_a_tag_is_read_on_the_emulated_pico(tmp_path):
    from host_sim.board.pico.pty_port import NewPico

    example = tmp_path / "example.py"
    example.write_text(EXAMPLES["One reader"])
    board = NewPico(configured(WIRING="breadboard", STATIONS=4))
    remote = [sys.executable, "-m", "mpremote", "connect", board.port_name]
    root = driver_package.FIRMWARE.parent
    try:
        install = [*remote, "mip", "install", "firmware/drivers.json"]
        subprocess.run(install, cwd=root, check=True, capture_output=True)
        running = subprocess.Popen([*remote, "run", example], stdout=subprocess.PIPE, text=True)
        with board.lock:
            board.later(500, lambda: board.chips[0].put(NTAG213(UID, "hello")))
        assert running.stdout.readline() == "[b'hello']\n"
        running.kill()
        running.communicate()
    finally:
        board.close()
