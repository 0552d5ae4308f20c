# SPDX-License-Identifier: MIT
"""Makes the performance table: each row has a measured quantity, its figure and its goal."""

from typing import Any

from host_sim.lab import benchmark
from host_sim.lab.benchmark_rounds import STACK_SIZE

Row = tuple[str, ...]  # what, the figure, the goal
KIB = 1024
HEAP_GOAL = "185 KiB, lowest 155" if benchmark.FROZEN else "145 KiB"
BOARD_LACKS = (
    "needs the emulated Pico: readers, lamps, taps and the start are measured at its pins"
)


def _input_row(name: str, took: dict[str, int]) -> Row:
    """Return the table row of an input in a game. took: from benchmark.inputs."""
    figures = took["mean"] / 1000, took["worst"] / 1000, took["most"] / 1000
    what = "%.2f ms in play, worst %.1f ms; between rounds worst %.1f ms" % figures
    return name, what, "1.1, worst 2 ms; 15 ms"


def _heap_rows(heap: dict[str, int]) -> list[Row]:
    """Return the table rows about the heap. heap: from benchmark.heap."""
    free = tuple(heap[name] / KIB for name in ("free", "behind", "low"))
    what = "%.1f KiB, after a command %.1f KiB, lowest %.1f KiB" % free
    return [
        ("  heap free in play", what, HEAP_GOAL),
        ("  allocated in a pass", "%d bytes" % heap["allocated"], "0"),
    ]


def _rows_of(game: str, f: dict[str, Any]) -> list[Row]:
    """Return the table rows of a game. f: from benchmark.measure."""
    kib = "%.1f KiB, its sheets %.1f, with what all games share %.1f" % tuple(f["kib"])
    return [
        (game + ": compiled", kib, "10 KiB; 16 KiB in all"),
        _input_row("  an input", f["input_us"]),
        *_heap_rows(f["heap"]),
    ]


def _change_row(took: dict[str, int]) -> Row:
    what = "%.0f ms, worst %.0f" % (took["median"] / 1000, took["worst"] / 1000)
    return "input that changes the game", what, "40 ms"


def _driver_row(driver: dict[str, int]) -> Row:
    text = "%.1f KiB of heap as sources, a reader %.1f, four %.1f"
    figures = (driver[part] / KIB for part in ("modules", "one", "all"))
    return "the reader driver alone", text % tuple(figures), ""


def _wear_row(wear: dict[str, float]) -> Row:
    text = "%.2f of flash, at most %.2f of a house; an input waits for %.4f"
    figures = wear["mean"], wear["worst"], wear["waited_for"]
    return "  ten matches a house: erases", text % figures, "0.2 an input"


def board_rows(found: dict[str, Any]) -> list[Row]:
    """Return the figures that a real Pico can measure by itself, as rows (measured quantity,
    figure), and a last row that refers to the emulated Pico."""
    rows = []
    for game, figures in found["games"].items():
        rows.append(_input_row(game + ": an input", figures["input_us"]))
        rows += _heap_rows(figures["heap"])
    record = found["record"]
    taken = "%.1f ms on average, worst %.0f" % (record["mean"] / 1000, record["worst"] / 1000)
    rows += [_change_row(found["change"]), ("journal record, call to return", taken)]
    return [row[:2] for row in (*rows, ("everything else", BOARD_LACKS))]


def _rows_of_taps(f: dict[str, Any], goals: tuple[str, str, str]) -> list[Row]:
    """Return the table rows of one kind of taps.

    f: from benchmark.of_taps
    goals: for the light, the console line and reading the tag
    """
    rows = [
        (what, "%.1f ms, 99th percentile %.1f, worst %.1f" % f[name], goal)
        for what, name, goal in zip(
            ("  laid, to the light's frame", "  laid, to the line's end"), ("light", "line"), goals
        )
    ]
    return [
        *rows,
        (
            "  WUPA to the end of HLTA",
            "%.1f ms, worst %.1f" % tuple(us / 1000 for us in f["read_us"]),
            goals[2],
        ),
        ("  an erase in the way", "%d taps: light %.1f ms, line %.1f at worst" % f["erased"], ""),
    ]


def _tap_row(what: str, found: tuple[float, ...], goal: str) -> Row:
    """Return a table row. found: (taps, median, 99th percentile, worst) in ms."""
    return what, "%d inputs: %.1f ms, 99th percentile %.1f, worst %.1f" % tuple(found), goal


def _rows_of_rounds(f: dict[str, Any], title: str = "whole rounds, three fields") -> list[Row]:
    """Return the table rows of whole rounds. f: from benchmark_rounds.figures."""
    return [
        (title, "an erase during %.2f of the taps" % f["erased"], ""),
        _tap_row("  light, where it may play", f["light_playable"], "44, worst 46 ms"),
        _tap_row("  light, on any slot", f["light"], "44, worst 46 ms"),
        _tap_row("  line's end, accepted", f["accepted"], "64 ms"),
        _tap_row("  line's end, refused", f["refused"], "64 ms"),
        _tap_row("  line's end, ends a round", f["ends"], "worst 75 ms"),
        _tap_row("  light, ends a round", f["ends_light"], "worst 46 ms"),
        _tap_row("  WUPA to the end of HLTA", f["read"], "10 ms"),
        _tap_row("between rounds: light", f["between_light"], "worst 55 ms"),
        _tap_row("  light, opens a round", f["opens_light"], "worst 55 ms"),
        _tap_row("  line's end", f["between_line"], "worst 110 ms"),
    ]


def _rows_in_haste(f: dict[str, Any]) -> list[Row]:
    return [
        _tap_row("at a quick table: light", f["light"], "worst 50 ms"),
        _tap_row("  line's end, accepted", f["accepted"], "worst 80 ms"),
        _tap_row("  line's end, refused", f["refused"], "worst 80 ms"),
    ]


def _poll_row(poll: dict[str, Any]) -> Row:
    """Return the table row of a poll. poll: from benchmark.sweep."""
    return (
        "empty slot, select to deselect",
        "%d SPI calls, %d bytes, %.2f ms, worst %.2f"
        % (poll["calls"], poll["bytes"], poll["us"] / 1000, poll["worst_us"] / 1000),
        "12 calls, 0.6 ms",
    )


def _sweep_row(what: str, swept: dict[str, Any], goal: str) -> Row:
    text = "%.1f ms for 12 polls, a slot's worst %.1f"
    return what, text % (swept["ms"], swept["worst_ms"]), goal


def _start_rows(start: dict[str, Any]) -> list[Row]:
    """Return the table rows of the start. start: from benchmark.start_up."""
    return [
        (what, "light %d ms, the line's end %d ms" % tuple(start[name]), goal)
        for what, name, goal in (
            ("power on, a new flash", "new", "60, 340 ms"),
            ("  a Pico never used before", "dragged", ""),
            ("  into a round", "resumed", "60, 300 ms"),
        )
    ]


def _rows_of_large(f: dict[str, Any]) -> list[Row]:
    """Return the table rows of a board with fourteen stations. f: from `benchmark.measure`."""
    sweeps = tuple(f[str(fields)]["ms"] for fields in (1, 2, 3))
    what = "%.1f ms for 16 polls with one field on, two %.1f, three %.1f" % sweeps
    (_, free, _), (_, allocated, none) = _heap_rows(f["heap"])
    _, lines = _start_rows(f["start"])[::2]
    return [
        ("sixteen slots: sweep", what, "101, 52, 36 ms"),
        _tap_row("  twelve play: light", f["taps"]["light"], "58 ms"),
        _tap_row("  line's end, accepted", f["taps"]["accepted"], "95 ms"),
        ("  power on, into a round", lines[1], "480 ms"),
        ("  fourteen: an input", _input_row("", f["inputs"])[1], "worst 2 ms"),
        ("  heap free in play", free, "185 KiB"),
        ("  allocated in a pass", allocated, none),
    ]


def _stack_row(left: int) -> Row:
    return "C stack never used", "%.1f KiB of %.1f" % (left / KIB, STACK_SIZE / KIB), "1 KiB"


def quick_rows(f: dict[str, Any]) -> list[Row]:
    """Return the rows of the short table. f: from `benchmark.measure_quickly`."""
    (swept,) = f["sweeps"]
    ((house, figures),) = f["games"].items()
    (_, free, goal), (_, allocated, none) = _heap_rows(figures["heap"])
    return [
        _poll_row(swept),
        _sweep_row("sweep of 12, two warming ahead", swept, "40, worst 29.5 ms"),
        *_rows_of_rounds(f["rounds"], "a round, three fields"),
        *_rows_in_haste(f["haste"]),
        (house + ": heap free in play", free, goal),
        (house + ": allocated in a pass", allocated, none),
        *_start_rows(f["start"]),
    ]


def rows(f: dict[str, Any]) -> list[Row]:
    """Return all rows of the table. f: from `benchmark.measure`."""
    sweeps = f["sweeps"]
    poll, record = sweeps[2], f["record"]
    return [
        _poll_row(poll),
        ("  of that on the air", "%.2f ms" % (benchmark.AIR_US / 1000), ""),
        (
            "  a widely used driver",
            "%d SPI calls, %d times as many"
            % (benchmark.COMMON_CALLS, benchmark.COMMON_CALLS // poll["calls"]),
            "50 times",
        ),
        *map(
            _sweep_row,
            (
                *("sweep of 12, 1 field on", "  one warming ahead", "  two warming ahead"),
                "  three, of four fields",
            ),
            sweeps,
            ("", "65 ms", "40, worst 29.5 ms", "21 ms"),
        ),
        *_rows_of_rounds(f["rounds"]),
        *_rows_in_haste(f["haste"]),
        _tap_row("four fields: light", f["four_fields"]["light"], "38, worst 42 ms"),
        _tap_row("  line's end, accepted", f["four_fields"]["accepted"], ""),
        *(
            _tap_row("one field, %s slots: light" % slots, found["light"], goal)
            for (slots, found), goal in zip(f["one_field"].items(), ("95 ms", "80 ms"))
        ),
        *_rows_of_large(f["large"]),
        ("%d nowhere playable, slow tags" % f["worst_taps"]["taps"], "", ""),
        *_rows_of_taps(f["worst_taps"], ("60 ms", "130 ms", "")),
        *(row for game, figures in f["games"].items() for row in _rows_of(game, figures)),
        _change_row(f["change"]),
        (
            "  `house` typed, to its line",
            "%.0f ms, worst %.0f, with an erase in %.2f of them" % f["typed"],
            "",
        ),
        _stack_row(f["stack"]),
        (
            "journal record, call to return",
            "%.1f ms on average, worst %.0f" % (record["mean"] / 1000, record["worst"] / 1000),
            "",
        ),
        _wear_row(f["wear"]),
        *_start_rows(f["start"]),
        _driver_row(f["driver"]),
        (
            "compiled modules",
            "%.1f KiB, the largest: %s"
            % (
                sum(f["sizes"].values()) / KIB,
                ", ".join(
                    "%s %.1f" % (name.split("/")[-1][:-4], size / KIB)
                    for name, size in sorted(f["sizes"].items(), key=lambda item: -item[1])[:4]
                ),
            ),
            "",
        ),
    ]
