# SPDX-License-Identifier: MIT
"""Tests boot.py without a board: crashes, pauses between restarts, unloaded modules, USB output.

tests/host_sim/test_emulated_hub.py tests the same on the emulated Pico.
"""

import importlib
import json
import sys
import types

import pytest

import roundhouse.drivers
from host_sim.board.chips import machine
from host_sim.board.chips.clock import PERIOD, Clock
from roundhouse import crash
from roundhouse.console import Console


class Ended(BaseException):
    """Raised to end a test's hub; boot.py does not catch it."""


class Time:
    """A clock that advances by the time slept, and records each sleep."""

    def __init__(self):
        self.ms = 0
        self.slept = []

    def ticks_ms(self):
        return self.ms % PERIOD

    ticks_diff = staticmethod(Clock.ticks_diff)

    def sleep(self, seconds):
        self.ms += 1000 * seconds
        self.slept.append(seconds)

    def sleep_ms(self, ms):
        self.ms += ms


@pytest.fixture
def boot(monkeypatch, tmp_path):
    """Import `boot`. `boot.lit` lists the calls of boot.lamp as (pin, colour); `boot.real_lamp` is
    the real function."""
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setitem(sys.modules, "neopixel", types.ModuleType("neopixel"))
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module("roundhouse.boot")
    monkeypatch.setattr(module, "time", Time())
    monkeypatch.setattr(module.gc, "threshold", lambda size: None, raising=False)  # MicroPython's
    module.lit = []
    module.real_lamp = module.lamp
    monkeypatch.setattr(module, "lamp", lambda pin, rgb: module.lit.append((pin, rgb)))
    monkeypatch.setattr(crash, "trace", lambda error: "x" * 600 + "the end\n")
    yield module
    del sys.modules["roundhouse.boot"], roundhouse.boot


class Watchdog:
    def __init__(self):
        self.fed = 0

    def feed(self):
        self.fed += 1


CONFIG = types.SimpleNamespace(PINS={"lights": 28})


class Endpoint:
    """MicroPython's side of the USB serial line, and the registers of the USB controller, by
    address.

    host: the bytes that the host takes at each check for a waiting packet, or None for no host
    """

    def __init__(self, host, asleep=False):
        self.host, self.asleep = host, asleep
        self.packet = self.buffered = self.taken = 0
        self.sent = b""
        self.waited_ms = 0

    def __getitem__(self, register):
        if register == 0x50110050:
            return 16 * (self.asleep or self.host is None)
        if register == 0x50110000:
            return 5 * (self.host is not None)
        assert register == 0x50100090
        if self.host is not None and not self.asleep:
            self.taken += min(self.packet, self.host)
            self.packet -= min(self.packet, self.host)
            self._flush()
        return 0xA400 if self.packet else 0x2000

    def _flush(self):
        if not self.packet and not self.asleep:
            self.packet = min(64, self.buffered)
            self.buffered -= self.packet

    def ipoll(self, timeout):
        return iter([1] if self.host is None or self.buffered < 256 else [])

    def write(self, buf):
        if self.host is None:
            self.sent += bytes(buf)
            return len(buf)  # it overwrites what is older
        fits = min(len(buf), 256 - self.buffered)
        self.sent += bytes(buf[:fits])
        self.waited_ms += 500 * (fits < len(buf))
        self.buffered += fits
        self._flush()
        return fits


@pytest.mark.parametrize(
    "host, asleep, first, most",
    [
        (64, False, 250, 640),  # it reads
        (8, False, 250, 640),  # it reads slowly
        (0, False, 250, 296),  # it does not
        (64, True, 42, 256),  # it sleeps
        (None, False, 640, 640),  # there is none
    ],
)
def test_the_host_gets_only_what_surely_fits(boot, monkeypatch, host, asleep, first, most):
    endpoint = Endpoint(host, asleep)
    monkeypatch.setattr(boot.machine, "mem16", endpoint, raising=False)
    monkeypatch.setattr(boot.sys, "stdout", types.SimpleNamespace(buffer=endpoint))
    usb = boot.Usb.__new__(boot.Usb)
    usb._out, usb._byte, usb._room = endpoint, bytearray(1), 0
    console = Console(usb, 1024)
    said = "".join("%d " % n for n in range(300))[:637]
    for start, end in ((0, 39), (39, 48), (48, 637)):
        console.put(said[start:end])
        console.flush()
    assert 640 - console.waiting >= first, "in a pass of the loop each"
    for _ in range(100):
        console.flush()
    assert 640 - console.waiting == most
    lines = "%s\n%s\n%s\n" % (said[:39], said[39:48], said[48:])
    assert endpoint.sent.decode() == lines[:most], "byte for byte, also one at a time"
    assert endpoint.waited_ms == 0


def pauses(boot, monkeypatch, runs):
    """Start a hub that crashes after each of the times `runs`, in ms. Return boot's pauses between
    the starts, in seconds."""
    between = []

    def start(config):
        between.append(len(boot.time.slept))
        if len(between) > len(runs):
            raise Ended
        boot.time.ms += runs[len(between) - 1]
        raise ValueError("a crash")

    monkeypatch.setattr(boot, "start", start)
    with pytest.raises(Ended):
        boot.run(CONFIG, Watchdog())
    return [after - before for before, after in zip(between, between[1:])]


def test_a_loop_of_crashes_slows_down(boot, monkeypatch):
    assert pauses(boot, monkeypatch, [0] * 9) == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_hub_that_ran_well_for_a_minute_starts_at_once(boot, monkeypatch):
    assert pauses(boot, monkeypatch, [0, 0, 60000, 60001, 0]) == [1, 2, 4, 1, 2]
    for days in (3, 6.3, 7, 9, 12.3, 13):
        assert pauses(boot, monkeypatch, [0, 0, round(days * 86400_000)]) == [1, 2, 1], days


def test_an_exception_is_said_kept_and_shown(boot, monkeypatch, capsys, tmp_path):
    pauses(boot, monkeypatch, [0])
    said = json.loads(capsys.readouterr().out)["error"]
    assert said == "ValueError: a crash; the hub starts again, crash.txt has where it happened"
    kept = (tmp_path / "crash.txt").read_text()
    assert len(kept) == 480 and kept.endswith("xthe end\n")
    assert boot.lit == [(28, (60, 0, 0))]


def test_a_crash_that_memory_is_too_short_to_tell_is_told_all_the_same(
    boot, monkeypatch, capsys, tmp_path
):
    def short(*_):
        raise MemoryError

    (tmp_path / "crash.txt").write_text("of the crash before")
    monkeypatch.setattr(crash, "trace", short)
    assert pauses(boot, monkeypatch, [0, 0]) == [1, 2]
    monkeypatch.setattr(boot, "lamp", short)
    pauses(boot, monkeypatch, [0])
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line]
    assert said[-1] == json.loads(boot.SHORT)
    assert (tmp_path / "crash.txt").read_text() == "of the crash before"


def test_no_memory_before_there_is_a_hub_is_a_reset(boot, monkeypatch, capsys):
    def load():
        raise MemoryError

    def reset():
        raise Ended

    monkeypatch.setattr(boot, "load", load)
    monkeypatch.setattr(machine, "reset", reset, raising=False)
    with pytest.raises(Ended):
        boot.main()
    assert json.loads(capsys.readouterr().out) == json.loads(boot.SHORT)
    assert boot.time.slept == [5], "time to read it"


@pytest.mark.parametrize("config", [None, types.SimpleNamespace(PINS={"lights": 21})])
def test_ctrl_c_darkens_the_lamps_and_is_said(boot, monkeypatch, capsys, config):
    dark, no_more = [], []

    class NeoPixel:
        def __init__(self, pin, pixels):
            self.write = lambda: dark.append(pixels)

    def ctrl_c(*_):
        raise KeyboardInterrupt

    micropython = types.SimpleNamespace(kbd_intr=no_more.append)
    monkeypatch.setitem(sys.modules, "micropython", micropython)
    monkeypatch.setattr(boot.neopixel, "NeoPixel", NeoPixel, raising=False)
    monkeypatch.setattr(boot, "Watchdog", lambda: types.SimpleNamespace(stop=lambda: None))
    monkeypatch.setattr(boot, "run", ctrl_c)
    if config:
        config.SLOTS, config.SOUND = (1, 2, 11, 0), False
    monkeypatch.setattr(boot, "load", (lambda: config) if config else ctrl_c)
    boot.main()
    assert dark == [16 if config else 48] and no_more == [-1], "a second Ctrl-C changes nothing"
    said = capsys.readouterr().out
    assert said.startswith("\n{"), "the line before may be half out"
    assert list(json.loads(said)) == ["stopped"]


def test_a_line_that_is_half_out_is_ended_first(boot, monkeypatch, capsys):
    pauses(boot, monkeypatch, [0])
    assert capsys.readouterr().out.startswith("\n{")
    assert boot.SHORT.startswith("\n{")


def test_a_module_with_nothing_but_a_name_is_forgotten(boot):
    """mend() removes a module that MicroPython kept without content when memory ran out."""
    sys.modules["of_this_test"] = None
    boot.mend()
    assert "of_this_test" not in sys.modules


def test_the_watchdog_is_fed_while_the_hub_waits(boot, monkeypatch):
    watchdog = Watchdog()
    crashes = iter([ValueError, ValueError, Ended])

    def start(config):
        raise next(crashes)

    monkeypatch.setattr(boot, "start", start)
    with pytest.raises(Ended):
        boot.run(CONFIG, watchdog)
    assert watchdog.fed == len(boot.time.slept) == 3


def test_every_pass_is_fed_and_tidied_up_where_it_says_so(boot, monkeypatch):
    watchdog, tidied, passes = Watchdog(), [], iter([False, True, False])

    class Hub:
        def step(self):
            for tidy in passes:
                return tidy
            raise Ended

    monkeypatch.setattr(boot, "start", lambda config: Hub())
    monkeypatch.setattr(boot, "tidy", lambda hub: tidied.append(watchdog.fed))
    with pytest.raises(Ended):
        boot.run(CONFIG, watchdog)
    assert (watchdog.fed, tidied) == (4, [2])


def test_a_module_that_is_forgotten_is_gone_from_both_places(boot):
    for name in ("of_this_test", "drivers.of_this_test"):
        module = types.ModuleType("roundhouse." + name)
        sys.modules[module.__name__] = module
    roundhouse.of_this_test = roundhouse.drivers.of_this_test = module
    roundhouse.forget("of_this_test", "never_imported", "drivers.of_this_test")
    assert not [name for name in sys.modules if name.endswith("of_this_test")]
    assert not hasattr(roundhouse, "of_this_test")
    assert not hasattr(roundhouse.drivers, "of_this_test")


def test_a_wrong_config_is_said_and_blinks_until_it_is_corrected(boot, monkeypatch, capsys):
    time, lit = Time(), []
    monkeypatch.setattr(crash, "time", time)

    def lamp(pin, rgb):
        if len(lit) == 24:
            raise Ended
        lit.append((time.ms, pin, rgb))

    with pytest.raises(Ended):
        crash.blink('SET = "caf\u00e9"\n', lamp)
    lines = [json.loads(line)["error"] for line in capsys.readouterr().out.splitlines()]
    assert lines == ['SET = "caf?"?'] * 3, "every four seconds, with two times three blinks"
    red, dark = (40, 0, 0), (0, 0, 0)
    assert lit == [
        (2000 * n + blink + wait, 28, rgb)
        for n in range(4)
        for blink in (0, 300, 600)
        for wait, rgb in ((0, red), (150, dark))
    ]


@pytest.mark.parametrize(
    "order, sent",
    [(None, "grb"), ("GRB", "grb"), ("RGB", "rgb"), ("BRG", "brg"), ("RRG", "grb"), (7, "grb")],
)
def test_the_first_lamp_has_the_order_of_config(boot, monkeypatch, order, sent):
    """The lamp has the colour order in config.py, even with a mistake elsewhere in the file."""
    pixels = []

    class NeoPixel:
        def __init__(self, pin, n):
            self.buf = bytearray(3 * n)

        def write(self):
            pixels.append(bytes(self.buf))

    monkeypatch.setattr(sys.modules["neopixel"], "NeoPixel", NeoPixel, raising=False)
    settings = {} if order is None else {"COLOR_ORDER": order}
    monkeypatch.setitem(sys.modules, "config", types.SimpleNamespace(**settings))
    boot.real_lamp(28, (40, 30, 20))
    levels = {"r": 40, "g": 30, "b": 20}
    assert pixels == [bytes(levels[colour] for colour in sent)]
