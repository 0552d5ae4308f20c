# SPDX-License-Identifier: MIT
"""The performance table: the firmware on the emulated Pico, measured from outside.

Readers, pixels and USB are looked at where they meet the Pico's pins; what has no pin (the rules
core, the journal, the heap) is timed by a few lines of MicroPython on the same Pico. All times
are emulated, so that every run gives the same figures on any machine. The hub is the `hub12` that
config.py describes, in the middle of a round, its lamps moving.
"""

import concurrent.futures
import functools
import os
import random
import statistics

from host_sim.chips.ntag import NTAG213
from host_sim.hub.simulated_hub import configured, uid
from host_sim.pico import compiled
from host_sim.pico.emulated_hub import EmulatedHub
from roundhouse import games, tiles, words
from roundhouse.words import slot_name

WUPA = 0x52
AIR_US = 233  # a WUPA frame, and the time in which no tag answers: less is not possible
COMMON_CALLS = 4026  # SPI calls of a widely used MicroPython driver on an empty slot, see README
TAPS = 75  # in each of RUNS runs
# A game -> a house of it, the module with its rules.
GAMES = {
    "mexican-train": ("puremco", "mexican_train"),
    "classic": ("classic", "lines"),
    "matador": ("matador", "lines"),
    "tiddle-a-wink": ("tiddle-a-wink", "lines"),
    "draw": ("draw", "lines"),
    "block": ("block", "lines"),
}
RUNS = 4
PAUSE_US = 1500  # this long without a byte, and it is another visit


class Probe(EmulatedHub):
    """A board that writes down who is selected when, and every frame."""

    def _connect(self):
        super()._connect()
        # [place, first us, last us, selections, bytes, whether tags were asked, the us of the
        # last but two and the last but one]
        self.visits = []
        self.frames = []  # (us, bytes)
        for place, wire in enumerate(self.selects):
            wire.watchers.append(functools.partial(self._select, place))

    def _select(self, place, level):
        now = self.clock.us
        last = self.visits[-1] if self.visits else None
        if level:
            last[6:], last[2] = (last[7], last[2]), now
        elif last and last[0] == place and now - last[2] < PAUSE_US:
            last[3] += 1
        else:
            self.visits.append([place, now, now, 1, 0, False, now, now])

    def spi(self, byte):
        """Count a byte of the reader in use, and notice when tags are asked."""
        visit = self.visits[-1]
        visit[4] += 1
        visit[5] = visit[5] or byte == WUPA
        return super().spi(byte)

    def frame(self, grb):
        """Keep when a frame came, and its bytes."""
        self.frames.append((self.clock.us, grb))
        super().frame(grb)


class Snippet(EmulatedHub):
    """A Pico that runs a few lines of MicroPython; `result` is the JSON object they print."""

    def __init__(self, code, files=None):
        self.result = None
        hub = {"hub_main.py": compiled.firmware()["main.py"]}  # as it is on the board
        super().__init__(files={**hub, **(files or {}), "main.py": (PARTS + code).encode()})

    def _booted(self, count):
        self.run_until(lambda: "figures" in (self.lines or self.said or [""])[-1], 60000)
        if not self.lines:
            raise RuntimeError("\n".join(self.said))
        self.result = self.lines[-1]
        return True


PARTS = """
import gc, json, os, time
from roundhouse import games, journal, tiles, words
from roundhouse.games.match import PASSES, Match
from roundhouse.drivers import files
"""
INPUTS = """
t = Match()
with open("match", "rb") as f:
    match = f.read()
total = worst = most = count = 0
for i in range(0, len(match), 3):
    kind = match[i] >> 4
    play = t.turn
    at = time.ticks_us()
    t.apply(kind, match[i] & 15, match[i + 1] | match[i + 2] << 8, True)
    t.playable
    took = time.ticks_diff(time.ticks_us(), at)
    if kind == words.RULES:
        games.give_back(t)
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
worst = 0
for house in (6, 2, 7, 4, 8):  # Mexican Train and a line game in turn
    games.give_back(t)
    gc.collect()
    at = time.ticks_us()
    t.apply(words.RULES, house, 0)
    worst = max(worst, time.ticks_diff(time.ticks_us(), at))
print(json.dumps({"figures": 1, "worst": worst}))
"""
RECORDS = """
t = Match()
os.mkdir("journal")
j = journal.Journal(files, "journal", t)
j.resume()
total = worst = 0
for i in range(300):
    at = time.ticks_us()
    j.record(words.TAP, 1 + i % 10, i % 90)
    took = time.ticks_diff(time.ticks_us(), at)
    total += took
    worst = max(worst, took)
print(json.dumps({"figures": 1, "mean": total // 300, "worst": worst}))
"""
HEAP = """
free = low = now = 1 << 20
import hub_main
h = hub_main.start(hub_main.load())
h.console.put = lambda line: None
def typed(line):
    from roundhouse import commands
    commands.run(h, line)
    hub_main.tidy(h)
typed("house %s")
for seat in (1, 3, 6, 8):
    h.input(words.PRESS, seat, 0, "press", seat)
h.input(words.TAP, 3, tiles.double(h.table.set), "tap 12-12 3", 3)
for i in range(60):  # refused and accepted, drawn, and not passed so often that all have
    h.input(words.TAP, 1 + i %% 10, i, "tap", 1 + i %% 10)
    low = min(low, gc.mem_free())
    hub_main.tidy(h)
    if h.table.state[PASSES] < 2:
        h.input(words.PRESS, h.table.turn, 0, "press", h.table.turn)
        low = min(low, gc.mem_free())
        hub_main.tidy(h)
    for _ in range(5):
        h.step()
for _ in range(300):
    h.step()
gc.collect()
free = gc.mem_free()
for _ in range(1000):
    h.step()
now = gc.mem_free()
typed("state")
for _ in range(300):
    h.step()
gc.collect()
behind = gc.mem_free()
print()
print(json.dumps({"figures": 1, "play": h.table.turn > 0, "free": free, "behind": behind,
    "low": low, "grown": free - now}))
"""


def in_play(fields=None):
    """Return a Probe with four seats in the middle of a round."""
    board = Probe(configured(FIELDS=fields) if fields else configured())
    for seat in (1, 3, 6, 8):
        board.press(str(seat))
    board.tap("12-12", "3")
    board.tap("12-5", "3")
    board.run(700)
    return board


def sweep(fields):
    """Return (ms from one poll of a slot to its next, and of an empty slot's poll: selections of
    the chip, bytes, us), medians in a second and a half of play."""
    board = in_play(fields)
    board.visits.clear()
    board.run(1500)
    polls = [visit for visit in board.visits[1:-1] if visit[5]]
    ms = (polls[-1][1] - polls[0][1]) / 1000 * len(board.slots) / (len(polls) - 1)
    # the last two selections of a visit switch the field off and see that it is
    calls, count = (statistics.median_low(v[i] for v in polls) for i in (3, 4))
    us = statistics.median_low(v[6] - v[1] for v in polls)
    return round(ms, 1), (calls - 2, count - 4, us)


def answered(grb, place):
    """Whether a slot's answer pixel is green or red in a frame's G, R, B bytes."""
    green, red, blue = grb[12 * place + 9 : 12 * place + 12]
    return max(green, red) > 3 * min(green, red) + blue


def taps(seed, count=TAPS):
    """Return (ms to the first light, ms to the line, us of the read) of taps at random moments.

    Half of them on slots where the seat to move may play, the others anywhere; every tag is new,
    and no slot is used twice in a row, so that no answer hides the next.
    """
    board = in_play()
    chance = random.Random(seed)
    numbers = (
        chance.sample(range(tiles.size(12)), count)
        if count <= 91
        else [chance.randrange(tiles.size(12)) for _ in range(count)]
    )
    lights, lines, reads = [], [], []
    slot = None
    for n, number in enumerate(numbers):
        board.run(chance.uniform(450, 550))
        anywhere = [slot_name(other) for other in board.slots]
        playable = board.inputs[-1]["playable"] if n % 2 else anywhere
        slot = chance.choice([name for name in playable if name != slot] or anywhere)
        place = board.place(slot)
        board.frames.clear()
        board.visits[:-1] = []
        before, at = len(board.inputs), board.clock.us
        board.put(NTAG213(uid("%d %d" % (n, number)), tiles.text(number)), slot)
        if not board.line_after(before):
            raise RuntimeError("a tap on %s was not answered" % slot)
        lines.append((board.clock.us - at) / 1000)
        while not any(answered(grb, place) for _, grb in board.frames):
            board.run(5)
        lights.append((next(us for us, g in board.frames if answered(g, place)) - at) / 1000)
        reads.append(max(v[2] - v[1] for v in board.visits if v[0] == place))
        board.remove(slot)
        if board.inputs[-1]["phase"] != "play":
            break
    return lights, lines, reads


def start_up():
    """Return ms from power to the first light, and to the hub's first line."""
    board = Probe()
    at = board.clock.us
    board.unplug()
    first = next(us for us, grb in board.frames if any(grb))
    return round((first - at) / 1000), round((board.clock.us - at) / 1000)


def inputs(game):
    """Return the us an input takes in a game, over a round of each of its houses: the mean and the
    worst in play, and the worst between rounds, when what it wants is loaded."""
    from host_sim.checks.evening import Evening
    from host_sim.checks.hubs_under_test import CoreHub
    from host_sim.checks.line_evening import LineEvening
    from host_sim.people import sheets
    from roundhouse.games import houses

    match = bytearray()
    for number, house in enumerate(houses.HOUSES):
        if sheets.game(number) != game:
            continue
        seats, set_ = (2, 5, 7, 9), sheets.own_set(number)
        hub = CoreHub(house, set_, seats, number)
        evening = Evening if game == "mexican-train" else LineEvening
        evening(hub, house, set_, seats, number).play(1)
        chosen = (words.RULES, number, 0), (words.SET, 0, set_)
        for kind, slot, value in (*chosen, *reversed(list(hub.journal.inputs()))):
            match += bytes((kind << 4 | slot, value & 255, value >> 8))
        match += bytes((words.FORGET << 4, 0, 0))
        hub.close()
    return Snippet(INPUTS, {"match": bytes(match)}).result


def change():
    """Return the us of the slowest input that changes the game."""
    return Snippet(CHANGE).result["worst"]


def records():
    """Return the us a journal record takes, mean and worst, and the erases an input costs."""
    board = Snippet(RECORDS)
    return {**board.result, "erases": round(board.erases / 300, 3)}


def heap(house):
    """Return bytes of heap in play of a house: free, lowest before collecting, free behind a
    command on the console, grown in 1000 passes."""
    result = Snippet(HEAP % house).result
    if not result["play"]:
        raise RuntimeError("%s: the round is over before it is measured" % house)
    return result


def sizes():
    """Return {module: bytes of its .mpy}."""
    return {name: len(data) for name, data in compiled.firmware().items() if name.endswith(".mpy")}


def rules_kib(module):
    """Return KiB compiled of a game's rules, of its sheets, and of the rules with all that games
    share. The sheets are read while rules are chosen and tiles are dealt, and are data."""
    found = {n.split("/")[-1][:-4]: s for n, s in sizes().items() if "/games/" in n}
    own = found[module], found[module + "_sheets"]
    others = [name + tail for name in games.GAMES for tail in ("", "_sheets")]
    shared = sum(size for name, size in found.items() if name not in others)
    return tuple(round(size / 1024, 1) for size in (*own, own[0] + shared))


def p99(values):
    return sorted(values)[round(0.99 * (len(values) - 1))]


def measure(out=None):
    """Return all figures, a dict; several Picos at a time."""
    compiled.firmware()  # compiled once, for all
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        tapped = [pool.submit(taps, seed) for seed in range(RUNS)]
        swept = [pool.submit(sweep, fields) for fields in (1, 2, 3)]
        others = {
            name: pool.submit(work)
            for name, work in (
                ("start", start_up),
                ("change", change),
                ("record", records),
            )
        }
        played = {
            game: (module, pool.submit(inputs, game), pool.submit(heap, house))
            for game, (house, module) in GAMES.items()
        }
        lights, lines, reads = (
            [value for run in tapped for value in run.result()[i]] for i in range(3)
        )
        calls, count, us = swept[2].result()[1]
        return {
            "poll": {"calls": calls, "bytes": count, "us": us, "air_us": AIR_US},
            "common_calls": COMMON_CALLS,
            "read_us": statistics.median_low(reads),
            "sweep_ms": [run.result()[0] for run in swept],
            "taps": len(lights),
            "light_ms": [round(statistics.median(lights), 1), round(p99(lights), 1)],
            "line_ms": [round(statistics.median(lines), 1), round(p99(lines), 1)],
            "start_ms": others["start"].result(),
            "change_us": others["change"].result(),
            "record_us": others["record"].result(),
            "games": {
                game: {"kib": rules_kib(module), "input_us": took.result(), "heap": free.result()}
                for game, (module, took, free) in played.items()
            },
            "sizes": sizes(),
        }


def _rows_of(game, f):
    """Return a game's rows of the table."""
    took, heap, kib = f["input_us"], f["heap"], 1024
    return [
        (
            game + ": compiled",
            "%.1f KiB, its sheets %.1f, with what all games share %.1f" % tuple(f["kib"]),
            "10 KiB; 16 KiB in all",
        ),
        (
            "  an input",
            "%.2f ms in play, worst %.1f ms; between rounds worst %.1f ms"
            % (took["mean"] / 1000, took["worst"] / 1000, took["most"] / 1000),
            "2 ms",
        ),
        (
            "  heap free in play",
            "%.1f KiB, behind a command %.1f KiB, lowest %.1f KiB"
            % (heap["free"] / kib, heap["behind"] / kib, heap["low"] / kib),
            "150 KiB",
        ),
        ("  grown in 1000 passes", "%d bytes" % heap["grown"], "0"),
    ]


def rows(f):
    """Return the table: what, the figure, the goal."""
    poll, kib = f["poll"], 1024
    sweeps = f["sweep_ms"]
    return [
        (
            "empty slot poll",
            "%d SPI calls, %d bytes, %.2f ms" % (poll["calls"], poll["bytes"], poll["us"] / 1000),
            "12 calls, 0.6 ms",
        ),
        ("  of that on the air", "%.2f ms" % (poll["air_us"] / 1000), ""),
        (
            "  a widely used driver",
            "%d SPI calls, %d times as many"
            % (f["common_calls"], f["common_calls"] // poll["calls"]),
            "50 times",
        ),
        ("new tag, read and known", "%.1f ms" % (f["read_us"] / 1000), ""),
        ("sweep of 12, 1 field on", "%.1f ms" % sweeps[0], ""),
        ("  one warming ahead", "%.1f ms" % sweeps[1], "65 ms"),
        ("  two warming ahead", "%.1f ms" % sweeps[2], "40 ms"),
        (
            "tap to first light",
            "%.1f ms, 99th percentile %.1f ms, of %d taps" % (*f["light_ms"], f["taps"]),
            "60 ms",
        ),
        (
            "tap to console line",
            "%.1f ms, 99th percentile %.1f ms" % tuple(f["line_ms"]),
            "150 ms",
        ),
        *(row for game, figures in f["games"].items() for row in _rows_of(game, figures)),
        ("input that changes the game", "%d ms at most" % (f["change_us"] / 1000), "500 ms"),
        (
            "journal record",
            "%.1f ms, worst %.0f ms, %.2f erases"
            % (
                f["record_us"]["mean"] / 1000,
                f["record_us"]["worst"] / 1000,
                f["record_us"]["erases"],
            ),
            "0.2 erases",
        ),
        (
            "power to first light",
            "%d ms, to the hub's first line %d ms" % tuple(f["start_ms"]),
            "1000 ms",
        ),
        (
            "compiled modules",
            "%.1f KiB, the largest: %s"
            % (
                sum(f["sizes"].values()) / kib,
                ", ".join(
                    "%s %.1f" % (name.split("/")[-1][:-4], size / kib)
                    for name, size in sorted(f["sizes"].items(), key=lambda item: -item[1])[:4]
                ),
            ),
            "",
        ),
    ]
