# SPDX-License-Identifier: MIT
"""Records matches as the firmware of a commit keeps them: matches/FORMAT.xz, each made once.

    .venv/bin/python tests/tools/record_matches.py 6846325    # 1.0.0, format 2
    .venv/bin/python tests/tools/record_matches.py 539c71a5   # before 1.1.0, format 5
    .venv/bin/python tests/tools/record_matches.py 37e3eb1c   # before 1.1.0, format 6

A checkout of the commit plays the matches itself, in a process of its own: all houses, some with
options of a family, every kind of input, take-backs and redos. Every later firmware has to read
the same matches from the same bytes (test_recorded_matches.py).

A file is compressed. It begins with a line of JSON, which has for each match:

    segments  the length of each segment of its journal
    steps     a letter for each step: i for an input, b for one taken back, r for one repeated
    grew      for each step, the bytes from the end of the last step's first write to its own's

Then come the bytes of all segments, and a digest of the match after each step.
"""

import json
import lzma
import random
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "firmware" / "matches"
MATCHES = 200
STEPS = 80  # inputs in each, besides take-backs and redos
DIGEST = 2  # bytes

# What everybody at the table can ask of a match: what 1.0.0 has by the same name, and by another.
ASKED = (
    *("phase", "round", "set", "opening", "turn", "drawn", "boneyard", "out", "joined", "begun"),
    *("open_mask", "due", "playable", "winners"),
)
RENAMED = (("catchable", "to_catch"), ("to_count", "waiting"), ("most_win", "plus_points"))
BY_SLOT = ("end", "second_end", "hand", "counted", "points", "total")
MASKS = ("begun", "open_mask", "playable")  # M can be in them
OLD_M = 11  # before format 7
DOUBLE, IS_LAID = ("open_double", "double"), ("is_laid", "laid")


class Recorded(NamedTuple):
    """A recorded match.

    segments: the bytes of each file of its journal
    steps: see above
    ends: for each step the bytes that were written then, of all segments one after the other
    digests: one for each step
    """

    segments: list[bytes]
    steps: str
    ends: list[int]
    digests: list[bytes]


def facts(match: Any) -> dict[str, Any]:
    """Return what can be asked of a match of either firmware, by today's names."""
    double, is_laid = _of(match, DOUBLE), _of(match, IS_LAID)
    tiles = (match.set + 1) * (match.set + 2) // 2
    m = match.slots.bit_length() - 1

    def folded(name: str, value: int) -> int:
        """Return what was answered by a firmware whose M is slot 11."""
        if name in ("due", DOUBLE[0]):
            return OLD_M if value == m else value
        return value & (1 << OLD_M) - 1 | value >> m << OLD_M if name in MASKS else value

    return {
        **{name: folded(name, int(getattr(match, name))) for name in ASKED},
        **{names[0]: int(_of(match, names)) for names in RENAMED},
        **{
            "%s %d" % (name, n): getattr(match, name)(m if n == OLD_M else n)
            for name in BY_SLOT
            for n in range(OLD_M + 1)
        },
        DOUBLE[0]: [folded(DOUBLE[0], double(i)) for i in range(4)],
        IS_LAID[0]: [tile for tile in range(tiles) if is_laid(tile)],
    }


def _of(match: Any, names: tuple[str, str]) -> Any:
    """Return a match's attribute, by the first name that it has."""
    return getattr(match, names[0]) if hasattr(match, names[0]) else getattr(match, names[1])


def digest(match: Any) -> bytes:
    return zlib.crc32(repr([*facts(match).values()]).encode()).to_bytes(4, "little")[:DIGEST]


def matches(format_: int) -> Iterator[Recorded]:
    """Yield the recorded matches of a format."""
    head, _, data = lzma.decompress((FOLDER / ("%d.xz" % format_)).read_bytes()).partition(b"\n")
    at = 0

    def taken(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    for match in json.loads(head):
        segments = [taken(size) for size in match["segments"]]
        ends = [sum(match["grew"][: n + 1]) for n in range(len(match["grew"]))]
        yield Recorded(segments, match["steps"], ends, [taken(DIGEST) for _ in ends])


# ---- in the commit's own process ----


class Files:
    """Files in memory. Nothing is removed, so all that was ever written can be read."""

    def __init__(self) -> None:
        self.data: dict[str, bytearray] = {}
        self.first = 0  # how many bytes had been written after the first write of a step

    def listdir(self, folder: str) -> list[str]:
        return [path.split("/")[1] for path in self.data]

    def remove(self, path: str) -> None:
        pass

    def open(self, path: str, mode: str) -> "File":
        if mode == "wb":
            self.data[path] = bytearray()
        return File(self, path)

    @property
    def size(self) -> int:
        return sum(map(len, self.data.values()))


class File:
    def __init__(self, files: Files, path: str) -> None:
        self.files, self.path = files, path

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def read(self) -> bytes:
        return bytes(self.files.data[self.path])

    def write(self, data: bytes) -> None:
        self.files.data[self.path] += data
        self.files.first = self.files.first or self.files.size

    def flush(self) -> None:
        pass

    close = flush


class Player:
    """Plays a match by chance, on the firmware that is imported; keeps what it wrote."""

    def __init__(self, seed: int) -> None:
        from roundhouse import journal
        from roundhouse.games.match import Match

        try:
            from roundhouse import constants as words
        except ImportError:  # as 1.0.0 calls it
            from roundhouse import words  # type: ignore[attr-defined,no-redef]
        self.words: Any = words
        self.chance = random.Random(seed)
        self.files = Files()
        self.table: Any = Match()
        self.journal: Any = journal.Journal(self.files, "journal", self.table)
        self.journal.resume()
        self.steps = ""
        self.ends = [0]
        self.digests: list[bytes] = []
        self.house(seed)

    def noted(self, step: str) -> None:
        self.steps += step
        self.ends.append(self.files.first)
        self.digests.append(digest(self.table))

    def do(self, kind: int, slot: int = 0, value: int = 0) -> bool:
        """Make an input as the hub does; return whether it was accepted."""
        was, before, self.files.first = self.table.phase, bytes(self.table.state), 0
        try:
            if self.table.apply(kind, slot, value):
                return False
        except ValueError:  # 1.0.0 did not accept points below 0, in its own way
            self.table.restore(before)
            return False
        ended = self.table.phase == self.words.LOBBY != was
        self.journal.record(kind, slot, value, ended)
        self.noted("i")
        return True

    def house(self, seed: int) -> None:
        """Choose a house: each in turn, and every other time with options of a family."""
        from roundhouse.games import houses

        set_family: Any = getattr(houses, "set_family", None) or houses.families  # type: ignore[attr-defined]
        options: Any = getattr(houses, "options", None) or houses.table  # type: ignore[attr-defined]
        set_family({})
        house = seed % len(houses.HOUSES)
        while seed // len(houses.HOUSES) % 2:
            rows = self.chance.sample(list(options(house)), 3)
            try:
                changes = {row[0]: self.chance.choice(row[2]) for row in rows}
                set_family({"ours": (houses.HOUSES[house], changes)})
            except ValueError:
                continue  # words that do not go together
            house = houses.HOUSES.index("ours")
            break
        self.do(self.words.RULES, house, 0)
        self.do(self.words.SET, 0, self.chance.choice((6, 6, 6, 9, 12)))

    def play(self) -> Recorded:
        back = set(self.chance.sample(range(5, STEPS), 3))
        while self.steps.count("i") < STEPS:
            self.any_input()
            if self.steps.count("i") in back:
                back.remove(self.steps.count("i"))
                self.back_and_forth()
        segments = [bytes(data) for data in self.files.data.values()]
        return Recorded(segments, self.steps, self.ends[1:], self.digests)

    def back_and_forth(self) -> None:
        count = self.chance.randint(1, 8)
        for step, move in (("b", self.journal.take_back), ("r", self.journal.redo)):
            for _ in range(count):
                self.files.first = 0
                if move() is None:
                    break
                self.noted(step)
            count = self.chance.randint(1, count)

    def any_input(self) -> None:
        w, chance, phase = self.words, self.chance, self.table.phase
        by_phase: dict[int, dict[int, float]] = {
            w.LOBBY: {w.PRESS: 9, w.TAP: 3, w.JOIN: 1, w.LEAVE: 1, w.SET: 1},
            w.ENGINE: {w.TAP: 12, w.PRESS: 3, w.FORGET: 0.1},
            w.PLAY: {w.TAP: 20, w.PRESS: 6, w.OVERRIDE: 1, w.DRAW: 1, w.MARKER: 1, w.TURN: 1},
            w.SCORING: {w.TAP: 6, w.PRESS: 4, w.SCORE: 1},
            w.FINISHED: {w.PRESS: 3, w.SCORE: 1, w.FORGET: 0.3},
        }
        rarely = dict.fromkeys((w.JOIN, w.LEAVE, w.BONEYARD, w.SCORE, w.FORGET), 0.15)
        rarely[w.HAND] = 2 if phase == w.PLAY else 0.3
        likely = {**rarely, **by_phase[phase]}
        for _ in range(99):
            (kind,) = chance.choices(list(likely), list(likely.values()))
            if any(self.do(kind, *what) for what in self.candidates(kind)):
                return
        raise AssertionError("nothing is accepted")

    def candidates(self, kind: int) -> list[tuple[int, int]]:
        """Return (slot, value) of inputs of a kind, some of which may be accepted."""
        w, chance, table = self.words, self.chance, self.table
        if kind in (w.TAP, w.OVERRIDE):
            tiles = range((table.set + 1) * (table.set + 2) // 2)
            drawn = chance.randrange(256) << 8 if table.phase < w.PLAY else 0
            pairs = [(slot, tile | drawn) for slot in range(12) for tile in tiles]
            return chance.sample(pairs, len(pairs))
        seats = [seat for seat in range(1, 11) if table.joined >> seat & 1] or [1]
        slot = chance.choice([*seats, *seats, *range(12)])
        if kind == w.PRESS:
            return [(chance.choice([table.turn] * 4 + [slot]), 0)]
        values = {
            w.HAND: (1, 1, 1, 1, 2, 3, 7),
            w.BONEYARD: (0, 0, 1, 5, 40),
            w.SCORE: (0, 5, 17, 60, 200, *((w.TOTAL | 7,) if hasattr(w, "TOTAL") else ())),
            w.SET: (6, 6, 9, 12, 15, 18),
            w.JOIN: (0, 0, 1, 26) if hasattr(w, "FORMAT") else (0,),
        }
        return [
            (0 if kind == w.SET else max(1, min(slot, 10)), chance.choice(values.get(kind, (0,))))
        ]


def play() -> bytes:
    """Play all matches on the firmware that is imported; return what a file has, uncompressed."""
    played = [Player(seed).play() for seed in range(MATCHES)]
    head = [
        {
            "segments": list(map(len, match.segments)),
            "steps": match.steps,
            "grew": [end - before for end, before in zip(match.ends, [0, *match.ends])],
        }
        for match in played
    ]
    data = [b"".join(match.segments + match.digests) for match in played]
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(data)


def record(commit: str) -> None:
    """Let a commit's firmware play, and keep what it did."""
    with tempfile.TemporaryDirectory() as folder:
        tree = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*tree, "add", "--quiet", "--detach", folder, commit], check=True)
        try:
            argv = [sys.executable, __file__, "--play", folder + "/firmware"]
            found = subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout
        finally:
            subprocess.run([*tree, "remove", "--force", folder], check=True)
    format_ = found.partition(b"\n")[2][3]
    path = FOLDER / ("%d.xz" % format_)
    if path.exists():
        sys.exit("%s is there, and is kept for good" % path.relative_to(ROOT))
    FOLDER.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(found, preset=9 | lzma.PRESET_EXTREME))
    print("%s: %d bytes" % (path.relative_to(ROOT), path.stat().st_size))


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        sys.path.insert(0, sys.argv[2])
        sys.stdout.buffer.write(play())
    else:
        record(sys.argv[1])
