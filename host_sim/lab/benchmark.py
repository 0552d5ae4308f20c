# SPDX-License-Identifier: MIT
"""Measures the performance of the firmware on the emulated Pico.

Readers, pixels and USB are measured at the pins of the Pico; the rules core, the journal and the
heap are measured by a few lines of MicroPython. All times are emulated, so every run gives the
same figures.
"""

import functools
import random
import statistics
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from host_sim.board.chips.flash_image import SIZE
from host_sim.board.chips.mfrc522_chip import FDT_US, air_us
from host_sim.board.chips.ntag import NTAG213, Answer, Frame
from host_sim.board.hub.simulated_hub import seating, uid
from host_sim.board.pico import build_firmware
from host_sim.board.pico.emulated_hub import EmulatedHub
from host_sim.lab import worker_pool
from host_sim.table.games import KINDS
from roundhouse import constants, tiles
from roundhouse.constants import MOST_SEATS, SEATS, USUAL_STATIONS, slot_name
from roundhouse.games import fields

WUPA, READ, HLTA = 0x52, 0x30, 0x50
AIR_US = 233  # a WUPA frame and the time a tag has to answer: the least possible
SLOW_US = 5000  # the longest time that a Type 2 tag may take to answer a READ
# Measure the image that is released, or modules as files where it cannot be built.
FROZEN = build_firmware.can_freeze()
COMMON_CALLS = 4026  # SPI calls of a widely used MicroPython driver on an empty slot, see README
# A game -> a house of it, the folder with its rules.
GAMES = {
    game: (house, folder)
    for folder, kind in KINDS.items()
    for game, house in kind.MEASURED.items()
}
WORST_TAPS = 40  # taps in each of WORST_RUNS
WORST_RUNS = 2
MATCHES = 10  # matches of each house in which flash erases are counted
# The largest table: fourteen people at a board with as many stations.
LARGE = "puremco", 18, tuple(SEATS)
LARGE_GAME = next(game for game, (house, _) in GAMES.items() if house == LARGE[0])
QUICK_HOUSE = "puremco"  # the house whose heap `measure_quickly` measures
# A longer pause on the bus begins another visit: a READ is silent for 2 ms, and a slot is polled
# again after 5 ms at the earliest, because its antenna was off.
PAUSE_US = 3000


class TimedTag(NTAG213):
    """A tag that measures how long the hub takes to read it.

    read_us: the microseconds that the hub took to read the tag, from the last WUPA command before
        the first READ command to the next HLTA command; 0 until then
    answers_us: the microseconds from the end of a READ command to the tag's answer
    """

    def __init__(self, uid: bytes, text: str, answers_us: int = FDT_US) -> None:
        super().__init__(uid, text)
        self.read_us = 0
        self._late_us = answers_us - FDT_US
        self._woken_us = 0
        self._was_read = False

    def hear(self, frame: Frame) -> Answer | None:
        """Answer a frame like any tag, but answer a READ command only after `answers_us`; record
        the times."""
        bits, count = frame
        assert self.chip is not None
        now = self.chip.clock.us
        if count == 7 and bits == WUPA and not self._was_read:
            self._woken_us = now
        elif count == 32 and bits & 0xFF == HLTA and self._was_read and not self.read_us:
            self.read_us = now + air_us(count, 2) - self._woken_us
        answer = super().hear(frame)
        if answer and count == 32 and bits & 0xFF == READ:
            self._was_read = True
            answer = answer[0], answer[1] + self._late_us
        return answer


class Probe(EmulatedHub):
    """A hub that records every frame of its lamps, and when each reader is selected.

    files: as for EmulatedHub. If given, the firmware runs from the file system, because files
        cannot replace modules frozen into the image.
    """

    def __init__(
        self, config: Any = None, files: Mapping[str, bytes | None] | None = None
    ) -> None:
        super().__init__(config, files=files, frozen=FROZEN and not files)

    def _connect(self) -> None:
        super()._connect()
        self.on_us = self.clock.us  # power on
        # [place, us of the first and the last edge, selections, bytes, whether tags were polled,
        # us of the last edge but two and the last but one]
        self.visits: list[list[Any]] = []
        self.frames: list[tuple[int, bytes]] = []  # (us, bytes)
        for place, wire in enumerate(self.selects):
            wire.watchers.append(functools.partial(self._select, place))

    def _select(self, place: int, level: int) -> None:
        now = self.clock.us
        last = self.visits[-1] if self.visits else None
        if level:
            if last:
                last[6:], last[2] = (last[7], last[2]), now
        elif last and last[0] == place and now - last[2] < PAUSE_US:
            last[3] += 1
        else:
            self.visits.append([place, now, now, 1, 0, False, now, now])

    def spi(self, byte: int) -> tuple[int, bool]:
        """Exchange a byte with the selected reader and count it; record the time of a poll."""
        if self.visits:  # else the visit began before counting did
            visit = self.visits[-1]
            visit[4] += 1
            visit[5] = visit[5] or byte == WUPA
        return super().spi(byte)

    def frame(self, grb: bytes) -> None:
        self.frames.append((self.clock.us, grb))
        super().frame(grb)


class Snippet(EmulatedHub):
    """A Pico that runs a few lines of MicroPython. `result` is the JSON object that these lines
    print. A hub that is frozen into the image is first ended with Ctrl-C."""

    def __init__(self, code: str, config: Any = None) -> None:
        self.result: dict[str, Any] = {}
        self._figures = False
        code = PARTS + code
        super().__init__(
            config, files={"snippet.py" if FROZEN else "main.py": code.encode()}, frozen=FROZEN
        )

    def _booted(self, count: int) -> bool:
        if FROZEN:
            super()._booted(count)
            self.emulator.type(b"\x03")  # ends the hub
            self.run_until(lambda: any("help()" in text for text in self.said), 2000)
            self.lines.clear()
            self.emulator.type(b"import snippet\r")
        self.run_until(lambda: "figures" in (self.lines or self.said or [""])[-1], 60000)
        if not self.lines:
            raise RuntimeError("\n".join(self.said))
        self.result = dict(self.lines[-1])
        return True


PARTS = (
    """
import gc, json, os, time
from roundhouse import games, journal, tiles, constants
from roundhouse.games.match import Match
from roundhouse.drivers import files
FOLDER = "bench"  # for the measured journal
PASSED = %d
"""
    % fields.PASSED
)
INPUTS = """
t = Match()
total = worst = most = count = 0
for i in range(0, len(match), 3):
    kind = match[i] >> 4
    play = t.turn
    at = time.ticks_us()
    t.apply(kind, match[i] & 15, match[i + 1] | match[i + 2] << 8, True)
    t.playable
    took = time.ticks_diff(time.ticks_us(), at)
    if kind == constants.RULES:
        games.free_unused(t)
        continue
    if play:
        total += took
        count += 1
        worst = max(worst, took)
    else:
        most = max(most, took)
        gc.collect()
print(json.dumps({"figures": 1, "mean": total // count, "worst": worst, "most": most}))
"""
CHANGE = """
t = Match()
took = []
for house in (6, 2, 7, 4, 8):  # Mexican Train and a line game in turn
    games.free_unused(t)
    gc.collect()
    at = time.ticks_us()
    t.apply(constants.RULES, house, 0)
    took.append(time.ticks_diff(time.ticks_us(), at))
took.sort()
print(json.dumps({"figures": 1, "median": took[2], "worst": took[-1]}))
"""
RECORDS = """
t = Match()
os.mkdir(FOLDER)
j = journal.Journal(files.FlashFolder(files, FOLDER), FOLDER, t)
j.resume()
total = worst = 0
for i in range(300):
    at = time.ticks_us()
    j.record(constants.TAP, 1 + i % 10, i % 90)
    took = time.ticks_diff(time.ticks_us(), at)
    total += took
    worst = max(worst, took)
    while j.prepare():  # as the hub does after an input
        pass
print(json.dumps({"figures": 1, "mean": total // 300, "worst": worst}))
"""
HEAP = """
free = low = 1 << 20
from roundhouse import boot
boot.JOURNAL = FOLDER
h = boot.start(boot.load())
h.console.put = lambda line: None
def typed(line):
    from roundhouse import commands
    commands.run(h, line)
    boot.tidy(h)
for line in %r:
    typed(line)
for seat in %r:
    h.input(constants.PRESS, seat, 0, "press", seat)
h.input(constants.TAP, 3, tiles.double(h.table.set), "tap 12-12 3", 3)
for i in range(60):  # refused and accepted taps, draws, and not as many passes as seats
    h.input(constants.TAP, 1 + i %% 10, i, "tap", 1 + i %% 10)
    low = min(low, gc.mem_free())
    boot.tidy(h)
    passed = h.table.state[PASSED]
    if not passed & passed - 1:
        h.input(constants.PRESS, h.table.turn, 0, "press", h.table.turn)
        low = min(low, gc.mem_free())
        boot.tidy(h)
    for _ in range(5):
        h.step()
for _ in range(300):
    h.step()
gc.collect()
free = gc.mem_free()
# what a pass allocates and frees at once is counted, too: until the collector starts by itself
old = gc.threshold()
gc.threshold(8192)
gc.collect()
junk = bytearray(2048)
junk = None
now = gc.mem_free()
passes = 0
while passes < 3000 and gc.mem_free() < now + 1024:
    for _ in range(10):
        h.step()
    passes += 10
allocated = 6144 // passes if passes < 3000 else 0
gc.threshold(old)
typed("state")
for _ in range(300):
    h.step()
gc.collect()
behind = gc.mem_free()
print()
print(json.dumps({"figures": 1, "play": h.table.turn > 0, "free": free, "behind": behind,
    "low": low, "allocated": allocated}))
"""


def in_play(fields: int | None = None, stations: int = USUAL_STATIONS) -> Probe:
    """Return a Probe with four seats in the middle of a round.

    fields: how many antenna fields may be on at once; None for the firmware's default
    stations: of the board
    """
    board = Probe(seating(stations, **({"FIELDS": fields} if fields else {})))
    for seat in (1, 3, 6, 8):
        board.press(str(seat))
    board.tap("12-12", "3")
    board.tap("12-5", "3")
    board.run(700)
    return board


def sweep(fields: int, stations: int = USUAL_STATIONS) -> dict[str, Any]:
    """Return the figures of `sweep_of` for a new hub with at most `fields` antenna fields on."""
    return sweep_of(in_play(fields, stations))


def sweep_of(board: Probe) -> dict[str, Any]:
    """Return figures about the polls of the readers during 1.5 seconds of play.

    "ms": the average time in ms between two polls of a slot
    "worst_ms": the longest such time

    All other figures are about the poll of an empty slot:

    "calls": how often the reader's chip is selected (median)
    "bytes": the bytes on the bus (median)
    "us": the microseconds from the first selection to the end of the last (median)
    "worst_us": the longest such time
    """
    board.visits.clear()
    board.run(1500)
    polls = [visit for visit in board.visits[1:-1] if visit[5]]
    ms = (polls[-1][1] - polls[0][1]) / 1000 * len(board.slots) / (len(polls) - 1)
    began: dict[int, int] = {}
    gaps = []
    for visit in polls:
        if visit[0] in began:
            gaps.append((visit[1] - began[visit[0]]) / 1000)
        began[visit[0]] = visit[1]
    # the last two selections of a visit switch the field off and check that
    calls, count = (statistics.median_low(v[i] for v in polls) for i in (3, 4))
    took = [v[6] - v[1] for v in polls]
    return {
        "ms": round(ms, 1),
        "worst_ms": round(max(gaps), 1),
        "calls": calls - 2,
        "bytes": count - 4,
        "us": statistics.median_low(took),
        "worst_us": max(took),
    }


def answered(grb: bytes, place: int) -> bool:
    """Return whether the answer pixel of a slot is green or red.

    grb: a frame's bytes, in the order green, red, blue
    place: the index of the slot
    """
    green, red, blue = grb[12 * place + 9 : 12 * place + 12]
    return max(green, red) > 3 * min(green, red) + blue


Tap = tuple[float, float, int, bool]


def taps(seed: int, count: int, worst: bool = False) -> list[Tap]:
    """Run `taps_on` for a new Probe, and return what `taps_on` returns."""
    return taps_on(in_play(), seed, count, worst)


def taps_on(board: Probe, seed: int, count: int, worst: bool = False) -> list[Tap]:
    """Tap `count` tags at random moments; return one tuple per tap.

    Every second tap is on a slot where the seat to move may play; the taps between are on any
    slot. Every tag is new. If possible, no slot is tapped twice in a row, so that the answers can
    be told apart.

    The tuple has four values:

    - the ms from laying the tag to the end of the first frame that shows the answer
    - the ms from laying the tag to the last byte of the console line
    - TimedTag.read_us
    - whether flash was erased during the tap

    worst: if true, all taps are on slots where the seat to move may not play, with tags that take
        SLOW_US to answer
    """
    chance = random.Random(seed)
    numbers = (
        chance.sample(range(tiles.size(12)), count)
        if count <= 91
        else [chance.randrange(tiles.size(12)) for _ in range(count)]
    )
    found = []
    slot = ""
    for n, number in enumerate(numbers):
        board.run(chance.uniform(450, 550))
        anywhere = [slot_name(other) for other in board.slots]
        playable = board.inputs[-1]["playable"]
        if worst:
            among = [name for name in anywhere if name not in playable]
        else:
            among = playable if n % 2 else anywhere
        slot = chance.choice([name for name in among if name != slot] or anywhere)
        place = board.place(slot)
        board.frames.clear()
        tag = TimedTag(
            uid("%d %d" % (n, number)), tiles.text(number), SLOW_US if worst else FDT_US
        )
        before, erases, at = len(board.inputs), board.erases, board.clock.us
        board.put(tag, slot)
        if not board.line_after(before):
            raise RuntimeError("a tap on %s was not answered" % slot)
        line = board.clock.us - at
        while not any(answered(grb, place) for _, grb in board.frames):
            board.run(5)
        light = next(us for us, grb in board.frames if answered(grb, place)) - at
        found.append((light / 1000, line / 1000, tag.read_us, board.erases > erases))
        board.remove(slot)
        if board.inputs[-1]["phase"] != "play":
            break
    return found


class Dragged(Probe):
    """A new Pico after roundhouse.uf2 was dragged onto it. Its flash has no files yet."""

    def _image(self) -> bytes | None:
        return b"\xff" * SIZE if FROZEN else super()._image()


def start_up(stations: int = USUAL_STATIONS) -> dict[str, tuple[int, ...]]:
    """Measure how long the hub takes to start.

    stations: of the board, for all but the first start of a new Pico

    Return {"dragged": times of the first start of a new Pico, "new": times of a new hub that has
    its config.py, "resumed": times in the middle of a round}. The times are (ms from power-on
    until the end of the first frame that is not dark, ms from power-on until the last byte of the
    first console line).
    """
    found = {}
    config = seating(stations)
    for name, make in (
        ("dragged", Dragged),
        ("new", lambda: Probe(config)),
        ("resumed", lambda: in_play(stations=stations)),
    ):
        board = make()
        if name == "resumed":
            board.unplug()
        first = next(us for us, grb in board.frames if any(grb))
        found[name] = tuple(round((us - board.on_us) / 1000) for us in (first, board.clock.us))
    return found


def typed_houses() -> tuple[float, ...]:
    """Return the ms from Enter to the last byte of the line, when `house ...` is typed in the
    lobby: (median, worst, share of the lines with an erase)."""
    board, chance = Probe(), random.Random(1)
    took, erased = [], 0
    for name in 2 * ("quebec", "classic", "puremco", "draw", "original", "matador"):
        board.run(chance.uniform(100, 1000))
        before, erases, at = len(board.inputs), board.erases, board.clock.us
        board.emulator.type(b"house %s\r\n" % name.encode())
        if not board.line_after(before):
            raise RuntimeError("house %s was not answered" % name)
        took.append((board.clock.us - at) / 1000)
        erased += board.erases > erases
    return statistics.median(took), max(took), erased / len(took)


def inputs(game: str, large: bool = False) -> dict[str, int]:
    """Return the microseconds that the rules of a game take for an input, over a round in each
    house, or at the table LARGE.

    "mean": the average during a round
    "worst": the longest during a round
    "most": the longest between rounds, when modules are loaded
    """
    return Snippet(inputs_of(game, large)).result


def inputs_of(game: str, large: bool = False) -> str:
    """Return the MicroPython code of a Snippet that times the inputs of one round in each house of
    a game, or at the table LARGE."""
    from host_sim.lab.hub_adapters import CoreHub
    from host_sim.lab.refereed_evening import Evening
    from host_sim.table.games import house_info
    from roundhouse.games import houses

    match = bytearray()
    for number, house in enumerate(houses.HOUSES):
        if large and house != LARGE[0] or house_info.game(number) != game:
            continue
        set_, seats = LARGE[1:] if large else (house_info.own_set(number), (2, 5, 7, 9))
        stations = house_info.stations(len(seats))
        hub = CoreHub(house, set_, seats, number, stations)
        Evening(hub, house, set_, seats, number, stations=stations).play(1)
        chosen = (constants.RULES, number, 0), (constants.SET, 0, set_)
        for kind, slot, value in (*chosen, *reversed(list(hub.journal.inputs()))):
            match += bytes((kind << 4 | slot, value & 255, value >> 8))
        match += bytes((constants.FORGET << 4, 0, 0))
        hub.close()
    return "match = %r\n%s" % (bytes(match), INPUTS)


def change() -> dict[str, int]:
    """Return the microseconds of an input that switches to another game: "median" and "worst"."""
    return Snippet(CHANGE).result


def record_time() -> dict[str, float]:
    """Return the microseconds to write a journal record: "mean" and "worst"."""
    return Snippet(RECORDS).result


def heap(house: str, large: bool = False) -> dict[str, int]:
    """Return figures about the heap while a house is played, in bytes; or the table LARGE.

    "free": free after a garbage collection
    "low": the least free after an input
    "behind": free after a console command and a garbage collection
    "allocated": allocated by a pass of the main loop on average, and perhaps freed by it
    """
    config = seating(max(LARGE[2])) if large else None
    result = Snippet(heap_of(house, large), config).result
    if not result["play"]:
        raise RuntimeError("%s: the round is over before it is measured" % house)
    return result


def heap_of(house: str, large: bool = False) -> str:
    """Return the MicroPython code of the Snippet for `heap`."""
    set_, seats = LARGE[1:] if large else (None, (1, 3, 6, 8))
    return HEAP % (["house " + house] + ["set %s" % set_] * large, seats)


def sizes() -> dict[str, int]:
    """Return {module: size of its compiled .mpy file in bytes}."""
    return {
        name: len(data)
        for name, data in build_firmware.firmware().items()
        if name.endswith(".mpy")
    }


def rules_kib(module: str) -> tuple[float, ...]:
    """Return three compiled sizes of a game in KiB.

    - its rules: the modules `play` and `rounds`
    - its rule sheets
    - its rules and the modules that all games share

    module: the folder of the game
    """
    found = {n.split("/games/")[1][:-4]: s for n, s in sizes().items() if "/games/" in n}
    own = found[module + "/play"] + found[module + "/rounds"]
    shared = sum(size for name, size in found.items() if "/" not in name)
    return tuple(round(n / 1024, 1) for n in (own, found[module + "/sheets"], own + shared))


def p99(values: list[float]) -> float:
    return sorted(values)[round(0.99 * (len(values) - 1))]


def of_taps(found: list[Tap]) -> dict[str, Any]:
    """Return the figures of a list of taps.

    "taps": the count of taps during which flash was not erased
    "light", "line": (median, 99th percentile, worst) of these taps in ms
    "read_us": (median, worst) of these taps in microseconds
    "erased": for the taps during which flash was erased: (count, longest time to the light in ms,
        longest time to the console line in ms)
    """
    kept = [tap for tap in found if not tap[3]]
    erased = [tap for tap in found if tap[3]]

    def three(i: int) -> tuple[float, ...]:
        values = [tap[i] for tap in kept]
        return tuple(round(v, 1) for v in (statistics.median(values), p99(values), max(values)))

    reads = [tap[2] for tap in kept]
    return {
        "taps": len(kept),
        "light": three(0),
        "line": three(1),
        "read_us": (statistics.median_low(reads), max(reads)),
        "erased": (
            len(erased),
            *(round(max((t[i] for t in erased), default=0), 1) for i in (0, 1)),
        ),
    }


def _build() -> None:
    if FROZEN:
        build_firmware.frozen()
    else:
        build_firmware.firmware()


def measure_quickly() -> dict[str, Any]:
    """Return the most important figures, in the form of `measure`. Taps are measured in only one
    round, played slowly and in haste, and polls of the readers only with `fields` = 3."""
    from host_sim.lab import benchmark_rounds

    _build()
    with worker_pool.pool() as pool:
        waiting: list[Future[Any]] = [
            pool.submit(benchmark_rounds.play, benchmark_rounds.QUICK),
            pool.submit(benchmark_rounds.play, benchmark_rounds.QUICK, benchmark_rounds.HASTE_MS),
            pool.submit(start_up),
            pool.submit(heap, QUICK_HOUSE),
            pool.submit(sweep, 3),
        ]
        worker_pool.follow("bench", waiting)
        tapped, haste, start, free, swept = [run.result() for run in waiting]
    return {
        "sweeps": [swept],
        "rounds": benchmark_rounds.figures(tapped),
        "haste": benchmark_rounds.figures(haste),
        "games": {QUICK_HOUSE: {"heap": free}},
        "start": start,
    }


def measure() -> dict[str, Any]:
    from host_sim.lab import benchmark_rounds, driver_memory, flash_wear

    _build()
    with worker_pool.pool() as pool:
        played_rounds = range(benchmark_rounds.LARGE)
        tapped = [pool.submit(benchmark_rounds.play, number) for number in played_rounds]

        def sample(**how: Any) -> list[Future[list[benchmark_rounds.TapTimes]]]:
            played = functools.partial(benchmark_rounds.play, **how)
            return [pool.submit(played, number) for number in benchmark_rounds.SAMPLE]

        single = {
            "12": sample(FIELDS=1),
            "10": sample(FIELDS=1, WIRING="breadboard", STATIONS=8),
        }
        four = sample(FIELDS=4)
        haste = sample(pause_ms=benchmark_rounds.HASTE_MS)
        worst = [pool.submit(taps, seed, WORST_TAPS, True) for seed in range(WORST_RUNS)]
        swept = [pool.submit(sweep, fields) for fields in (1, 2, 3, 4)]
        others = {
            name: pool.submit(work)
            for name, work in (
                *(("start", start_up), ("change", change), ("record", record_time)),
                *(("driver", driver_memory.measure), ("typed", typed_houses)),
                ("stack", benchmark_rounds.stack_left),
            )
        }
        large: dict[str, Future[Any]] = {
            "taps": pool.submit(benchmark_rounds.play, benchmark_rounds.LARGE),
            "start": pool.submit(start_up, MOST_SEATS),
            "inputs": pool.submit(inputs, LARGE_GAME, True),
            "heap": pool.submit(heap, LARGE[0], True),
            **{str(fields): pool.submit(sweep, fields, MOST_SEATS) for fields in (1, 2, 3)},
        }
        many = large.values()
        wear = [pool.submit(flash_wear.wear, house, MATCHES) for house in flash_wear.HOUSES]
        played = {
            game: (module, pool.submit(inputs, game), pool.submit(heap, house))
            for game, (house, module) in GAMES.items()
        }
        rules = [run for _, *runs in played.values() for run in runs]
        alone = [run for runs in single.values() for run in runs]
        taps_of: list[Any] = [*tapped, *alone, *four, *haste, *worst]
        worker_pool.follow("bench", [*taps_of, *swept, *others.values(), *rules, *wear, *many])
        return {
            "large": {
                **{name: run.result() for name, run in large.items()},
                "taps": benchmark_rounds.figures(large["taps"].result()),
            },
            "sweeps": [run.result() for run in swept],
            "rounds": benchmark_rounds.figures([tap for run in tapped for tap in run.result()]),
            "one_field": {
                slots: benchmark_rounds.figures([tap for run in runs for tap in run.result()])
                for slots, runs in single.items()
            },
            "four_fields": benchmark_rounds.figures([t for run in four for t in run.result()]),
            "haste": benchmark_rounds.figures([t for run in haste for t in run.result()]),
            "worst_taps": of_taps([tap for run in worst for tap in run.result()]),
            **{name: run.result() for name, run in others.items()},
            "wear": flash_wear.figures([run.result() for run in wear]),
            "games": {
                game: {"kib": rules_kib(module), "input_us": took.result(), "heap": free.result()}
                for game, (module, took, free) in played.items()
            },
            "sizes": sizes(),
        }
