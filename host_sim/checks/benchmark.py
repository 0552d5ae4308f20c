# SPDX-License-Identifier: MIT
"""The performance table: the firmware on the emulated Pico, measured from outside.

Readers, pixels and USB are looked at where they meet the Pico's pins; what has no pin (the rules
core, the journal, the heap) is timed by a few lines of MicroPython on the same Pico. All times
are emulated, so that every run gives the same figures on any machine. The hub is the `hub12` that
config.py describes, in the middle of a round, its lamps moving.
"""

import functools
import random
import statistics

from host_sim.checks import worker_pool
from host_sim.chips.mfrc522_chip import FDT_US, air_us
from host_sim.chips.ntag import NTAG213
from host_sim.games import KINDS, are_trains
from host_sim.hub.simulated_hub import configured, uid
from host_sim.pico import compiled_firmware
from host_sim.pico.emulated_hub import EmulatedHub
from roundhouse import constants, tiles
from roundhouse.constants import slot_name
from roundhouse.games import fields

WUPA, READ, HLTA = 0x52, 0x30, 0x50
AIR_US = 233  # a WUPA frame, and the time in which no tag answers: less is not possible
SLOW_US = 5000  # the longest a Type 2 tag may take to answer a READ
COMMON_CALLS = 4026  # SPI calls of a widely used MicroPython driver on an empty slot, see README
TAPS = 75  # in each of RUNS runs
# A game -> a house of it, the folder with its rules.
GAMES = {
    game: (house, folder)
    for folder, kind in KINDS.items()
    for game, house in kind.MEASURED.items()
}
RUNS = 4
WORST_TAPS = 40  # in each of WORST_RUNS
WORST_RUNS = 2
# This long without a byte, and it is another visit: a READ is silent for 2 ms, and a slot is asked
# again after 5 ms at the earliest, because its antenna was off.
PAUSE_US = 3000


class TimedTag(NTAG213):
    """A tag that knows how long it took the hub to read it: `read_us`, from the beginning of the
    WUPA to the end of the first HLTA behind a READ; 0 before that. answers_us: from the end of a
    READ to its answer."""

    def __init__(self, uid, text, answers_us=FDT_US):
        super().__init__(uid, text)
        self.read_us = 0
        self._late_us = answers_us - FDT_US
        self._woken_us = None
        self._was_read = False

    def hear(self, frame):
        """Answer as any other, READ perhaps later; note the times."""
        bits, count = frame
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
    """A board that writes down who is selected when, and every frame."""

    def _connect(self):
        super()._connect()
        self.on_us = self.clock.us  # power
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
            if last:
                last[6:], last[2] = (last[7], last[2]), now
        elif last and last[0] == place and now - last[2] < PAUSE_US:
            last[3] += 1
        else:
            self.visits.append([place, now, now, 1, 0, False, now, now])

    def spi(self, byte):
        """Count a byte of the reader in use, and notice when tags are asked."""
        if self.visits:  # else in the middle of one that began before they were counted
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
        super().__init__(files={**(files or {}), "main.py": (PARTS + code).encode()})

    def _booted(self, count):
        self.run_until(lambda: "figures" in (self.lines or self.said or [""])[-1], 60000)
        if not self.lines:
            raise RuntimeError("\n".join(self.said))
        self.result = self.lines[-1]
        return True


PARTS = (
    """
import gc, json, os, time
from roundhouse import games, journal, tiles, constants
from roundhouse.games.match import Match
from roundhouse.drivers import files
FOLDER = "bench"  # of the journal that is measured
PASSES = %d
"""
    % fields.PASSES
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
took = []
for house in (6, 2, 7, 4, 8):  # Mexican Train and a line game in turn
    games.give_back(t)
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
j = journal.Journal(files, FOLDER, t)
j.resume()
total = worst = 0
for i in range(300):
    at = time.ticks_us()
    j.record(constants.TAP, 1 + i % 10, i % 90)
    took = time.ticks_diff(time.ticks_us(), at)
    total += took
    worst = max(worst, took)
print(json.dumps({"figures": 1, "mean": total // 300, "worst": worst}))
"""
HEAP = """
free = low = now = 1 << 20
from roundhouse import boot
boot.JOURNAL = FOLDER
h = boot.start(boot.load())
h.console.put = lambda line: None
def typed(line):
    from roundhouse import commands
    commands.run(h, line)
    boot.tidy(h)
typed("house %s")
for seat in (1, 3, 6, 8):
    h.input(constants.PRESS, seat, 0, "press", seat)
h.input(constants.TAP, 3, tiles.double(h.table.set), "tap 12-12 3", 3)
for i in range(60):  # refused and accepted, drawn, and not passed so often that all have
    h.input(constants.TAP, 1 + i %% 10, i, "tap", 1 + i %% 10)
    low = min(low, gc.mem_free())
    boot.tidy(h)
    if h.table.state[PASSES] < 2:
        h.input(constants.PRESS, h.table.turn, 0, "press", h.table.turn)
        low = min(low, gc.mem_free())
        boot.tidy(h)
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
    """Return the figures of `sweep_of` with so many fields on at once."""
    return sweep_of(in_play(fields))


def sweep_of(board):
    """Return figures of a second and a half of play: "ms" from one poll of a slot to its next, the
    median; "worst_ms" the longest; and of an empty slot's poll "calls" (selections of the chip),
    "bytes", "us" (first selection to last deselection), medians, and "worst_us"."""
    board.visits.clear()
    board.run(1500)
    polls = [visit for visit in board.visits[1:-1] if visit[5]]
    ms = (polls[-1][1] - polls[0][1]) / 1000 * len(board.slots) / (len(polls) - 1)
    began = {}
    gaps = []
    for visit in polls:
        if visit[0] in began:
            gaps.append((visit[1] - began[visit[0]]) / 1000)
        began[visit[0]] = visit[1]
    # the last two selections of a visit switch the field off and see that it is
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


def answered(grb, place):
    """Whether a slot's answer pixel is green or red in a frame's G, R, B bytes."""
    green, red, blue = grb[12 * place + 9 : 12 * place + 12]
    return max(green, red) > 3 * min(green, red) + blue


def taps(seed, count=TAPS, worst=False):
    """Return the figures of `taps_on` a board of their own."""
    return taps_on(in_play(), seed, count, worst)


def taps_on(board, seed, count, worst=False):
    """Return taps at random moments: for each (ms from the tag laid to the end of the first frame
    with its answer, ms to the line's last byte, us of the read as TimedTag has it, whether the
    flash was erased meanwhile).

    Half of them on slots where the seat to move may play, the others anywhere; every tag is new,
    and no slot is used twice in a row, so that no answer hides the next. worst: none on a slot
    where the seat may play, and tags that take SLOW_US to answer.
    """
    chance = random.Random(seed)
    numbers = (
        chance.sample(range(tiles.size(12)), count)
        if count <= 91
        else [chance.randrange(tiles.size(12)) for _ in range(count)]
    )
    found = []
    slot = None
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


def start_up():
    """Return {"new": (ms from power to the end of the first frame that is not dark, ms to the last
    byte of the first line), "resumed": the same, into the middle of a round}."""
    found = {}
    for name, board in (("new", Probe()), ("resumed", in_play())):
        if name == "resumed":
            board.unplug()
        first = next(us for us, grb in board.frames if any(grb))
        found[name] = tuple(round((us - board.on_us) / 1000) for us in (first, board.clock.us))
    return found


def inputs(game):
    """Return the us an input takes in a game, over a round of each of its houses: the mean and the
    worst in play, and the worst between rounds, when what it wants is loaded."""
    return Snippet(inputs_of(game)).result


def inputs_of(game):
    """Return the snippet that plays a round of each of a game's houses."""
    from host_sim.checks.line_soak_evening import LineSoakEvening
    from host_sim.checks.soak_evening import SoakEvening
    from host_sim.checks.soak_faults import CoreHub
    from host_sim.games import house_info
    from roundhouse.games import houses

    match = bytearray()
    for number, house in enumerate(houses.HOUSES):
        if house_info.game(number) != game:
            continue
        seats, set_ = (2, 5, 7, 9), house_info.own_set(number)
        hub = CoreHub(house, set_, seats, number)
        evening = SoakEvening if are_trains(game) else LineSoakEvening
        evening(hub, house, set_, seats, number).play(1)
        chosen = (constants.RULES, number, 0), (constants.SET, 0, set_)
        for kind, slot, value in (*chosen, *reversed(list(hub.journal.inputs()))):
            match += bytes((kind << 4 | slot, value & 255, value >> 8))
        match += bytes((constants.FORGET << 4, 0, 0))
        hub.close()
    return "match = %r\n%s" % (bytes(match), INPUTS)


def change():
    """Return the us an input takes that changes the game, median and worst."""
    return Snippet(CHANGE).result


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
    return {
        name: len(data)
        for name, data in compiled_firmware.firmware().items()
        if name.endswith(".mpy")
    }


def rules_kib(module):
    """Return KiB compiled of a game's rules, in play and between rounds, of its sheets, and of the
    rules with all that games share. The sheets are data, read while rules are chosen and tiles are
    dealt."""
    found = {n.split("/games/")[1][:-4]: s for n, s in sizes().items() if "/games/" in n}
    own = found[module + "/play"] + found[module + "/rounds"]
    shared = sum(size for name, size in found.items() if "/" not in name)
    return tuple(round(n / 1024, 1) for n in (own, found[module + "/sheets"], own + shared))


def p99(values):
    return sorted(values)[round(0.99 * (len(values) - 1))]


def of_taps(found):
    """Return {"light", "line": (median, 99th percentile, worst) in ms, "read_us": (median, worst),
    "taps": how many} of what `taps` found; those with an erase in the way are "erased": (how many,
    the latest light and line), and count for nothing else."""
    kept = [tap for tap in found if not tap[3]]
    erased = [tap for tap in found if tap[3]]

    def three(i):
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
            *(round(max(t[i] for t in erased or [(0, 0)]), 1) for i in (0, 1)),
        ),
    }


def measure():
    """Return all figures, a dict; several Picos at a time."""
    compiled_firmware.firmware()  # compiled once, for all
    with worker_pool.pool() as pool:
        tapped = [pool.submit(taps, seed) for seed in range(RUNS)]
        worst = [pool.submit(taps, seed, WORST_TAPS, True) for seed in range(WORST_RUNS)]
        swept = [pool.submit(sweep, fields) for fields in (1, 2, 3)]
        others = {
            name: pool.submit(work)
            for name, work in (("start", start_up), ("change", change), ("record", records))
        }
        played = {
            game: (module, pool.submit(inputs, game), pool.submit(heap, house))
            for game, (house, module) in GAMES.items()
        }
        rules = [run for _, *runs in played.values() for run in runs]
        worker_pool.follow("bench", [*tapped, *worst, *swept, *others.values(), *rules])
        return {
            "sweeps": [run.result() for run in swept],
            "taps": of_taps([tap for run in tapped for tap in run.result()]),
            "worst_taps": of_taps([tap for run in worst for tap in run.result()]),
            **{name: run.result() for name, run in others.items()},
            "games": {
                game: {"kib": rules_kib(module), "input_us": took.result(), "heap": free.result()}
                for game, (module, took, free) in played.items()
            },
            "sizes": sizes(),
        }
