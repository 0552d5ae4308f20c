# SPDX-License-Identifier: MIT
"""The performance table as lines: what, the figure, the goal."""

from host_sim.checks import benchmark


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


def _rows_of_taps(f, goals):
    """Return the rows of a kind of taps; goals: to the light, to the line."""
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


def rows(f):
    """Return the table: what, the figure, the goal."""
    sweeps, kib = f["sweeps"], 1024
    poll, record, start = sweeps[2], f["record"], f["start"]
    return [
        (
            "empty slot, select to deselect",
            "%d SPI calls, %d bytes, %.2f ms, worst %.2f"
            % (poll["calls"], poll["bytes"], poll["us"] / 1000, poll["worst_us"] / 1000),
            "12 calls, 0.6 ms",
        ),
        ("  of that on the air", "%.2f ms" % (benchmark.AIR_US / 1000), ""),
        (
            "  a widely used driver",
            "%d SPI calls, %d times as many"
            % (benchmark.COMMON_CALLS, benchmark.COMMON_CALLS // poll["calls"]),
            "50 times",
        ),
        *(
            (
                what,
                "%.1f ms for 12 polls, a slot's worst %.1f" % (swept["ms"], swept["worst_ms"]),
                goal,
            )
            for what, swept, goal in zip(
                ("sweep of 12, 1 field on", "  one warming ahead", "  two warming ahead"),
                sweeps,
                ("", "65 ms", "40 ms"),
            )
        ),
        ("%d taps, half where it may play" % f["taps"]["taps"], "", ""),
        *_rows_of_taps(f["taps"], ("50 ms", "120 ms", "10 ms")),
        ("%d nowhere playable, slow tags" % f["worst_taps"]["taps"], "", ""),
        *_rows_of_taps(f["worst_taps"], ("60 ms", "130 ms", "")),
        *(row for game, figures in f["games"].items() for row in _rows_of(game, figures)),
        (
            "input that changes the game",
            "%.0f ms, worst %.0f" % (f["change"]["median"] / 1000, f["change"]["worst"] / 1000),
            "500 ms",
        ),
        (
            "journal record, call to return",
            "%.1f ms on average, worst %.0f; %.2f erases"
            % (record["mean"] / 1000, record["worst"] / 1000, record["erases"]),
            "0.2 erases",
        ),
        *(
            (what, "light %d ms, the line's end %d ms" % tuple(start[name]), "1000 ms")
            for what, name in (("power on, a new flash", "new"), ("  into a round", "resumed"))
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
