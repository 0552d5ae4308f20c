# SPDX-License-Identifier: MIT
"""Calculates the edges of the lines to the readers that have no driver of their own: each chip
select, straight from a 74HC138 over a ribbon, and the reset line, which branches to all readers.

A chip select that is long for the speed of its edge overshoots at the reader. The reset line has a
resistor at the Pico: it does not ring, but it is slow. Units are ns, mm, pF, ohms and volts.
"""

import math
from dataclasses import dataclass, field

from hardware import housing_plan, miso_timing
from hardware.kicad_files import HUB12, SLOT, Board, Project
from hardware.miso_timing import MisoLine, between

SUPPLY = 3.3
WAVE = 110.0  # ohms, of a ribbon's wire beside a ground; a track has less and rings less
STEP = 0.05  # ns
READER_OVER = 0.5  # MFRC522 (NXP, rev. 3.9, limiting values): above its supply, or below ground
RESET_LOW = 100.0  # the same, reset timing: low for that long at least
RESET_HELD = 100_000.0  # roundhouse/drivers/mfrc522.py, reset_all


@dataclass(frozen=True)
class Decoder:
    """rise: the time of an edge from 10 to 90 %. ohms: of an output. Both are typical: a datasheet
    has no fastest."""

    rise: float
    ohms: float


DECODERS = {
    # 74HC138 (Nexperia, rev. 5): 19 ns at 2 V, 7 ns at 4.5 V, 50 pF; low with 0.15 V at 4 mA and
    # 4.5 V, 0.16 V at 5.2 mA and 6 V
    "74HC138": Decoder(
        between(SUPPLY, (2.0, 19.0), (4.5, 7.0)),
        between(SUPPLY, (4.5, 150 / 4.0), (6.0, 160 / 5.2)),
    ),
    # estimates: no datasheet has the time of an edge
    "74AHC138": Decoder(4.0, 25.0),
    "74LVC138": Decoder(2.5, 15.0),
}


def overshoot(decoder: Decoder, length: float, load: float) -> float:
    """Return by how many volts an edge overshoots at the reader.

    The wire is a lossless line with two waves on it, one each way, in steps of STEP.

    length: of the wire in mm. load: the capacitance at the reader's end.
    """
    line = MisoLine()
    steps = max(1, round(length * line.flight / STEP))
    there, back = [0.0] * steps, [0.0] * steps
    charged = 1 - math.exp(-1000 * STEP / (WAVE * load))
    whole = decoder.rise / 0.8
    volts = highest = 0.0
    for step in range(round((whole + 20 * length * line.flight) / STEP)):
        arrives, returns = there.pop(0), back.pop(0)
        driven = SUPPLY * min(1.0, step * STEP / whole)
        ends = (driven * WAVE + 2 * returns * decoder.ohms) / (WAVE + decoder.ohms)
        there.append(ends - returns)
        volts += (2 * arrives - volts) * charged
        back.append(volts - arrives)
        highest = max(highest, volts)
    return highest - SUPPLY


def select_lengths(hub: Project, slot: Project) -> dict[str, float]:
    """Return {slot: mm of wire from the decoder to the reader} of the longest way that any number
    of stations has."""
    ways: dict[str, float] = {}
    for plan in map(housing_plan.Plan, housing_plan.STATIONS):
        if plan.hub.name != hub.name:
            continue
        for name, ribbon in plan.ribbons().items():
            way = ribbon + _track(hub.board, "CS_" + name) + _track(slot.board, "SDA")
            ways[name] = max(way, ways.get(name, 0.0))
    return ways


def _track(board: Board, net: str) -> float:
    return sum(math.dist(track.start, track.end) for track in board.tracks if track.net == net)


@dataclass(frozen=True)
class Reset:
    """The reset line. ohms: of its resistor, and of the Pico's pad, which is an estimate."""

    ohms: float
    line: MisoLine = field(default_factory=MisoLine)
    pad: float = 50.0

    def capacitance(self) -> float:
        return self.line.miso() + self.line.reader_input * len(self.line.lengths())

    def settled(self) -> float:
        """Return how long an edge takes until every reader has seen it: 0.3 of the supply for
        low, 0.7 for high (MFRC522, characteristics)."""
        return math.log(1 / 0.3) * (self.ohms + self.pad) * self.capacitance() / 1000


def verdict(hub: Project = HUB12, slot: Project = SLOT) -> tuple[list[str], str]:
    """Return (mistakes, text to print)."""
    board, line = hub.board, miso_timing.fitted(hub)
    wrong, over = [], {}
    for name, length in select_lengths(hub, slot).items():
        value = board[_on(board, "CS_" + name, "U")].value
        if value not in DECODERS:
            return ["the edge of a %s is not known" % value], ""
        # with little at the reader, and with as much as the check of MISO takes
        loads = line.reader_input, line.reader_input + line.slot_board
        over[name] = max(overshoot(DECODERS[value], length, load) for load in loads)
        if over[name] > READER_OVER:
            words = name, value, over[name], length, READER_OVER
            wrong.append(
                "CS of %s: a %s overshoots by %.2f V after %.0f mm, more than %.1f" % words
            )
    reset = Reset(_ohms(board[_on(board, "RESET", "R")].value), line)
    low = RESET_HELD - reset.settled()
    if low < RESET_LOW:
        wrong.append("RST: low for %.0f ns, less than %.0f" % (low, RESET_LOW))
    worst = max(over, key=lambda name: over[name])
    said = "%s: CS overshoots by %.2f V at most (%s), of %.1f; RST, %.0f pF, settles in %.0f ns"
    return wrong, said % (
        hub.name,
        over[worst],
        worst,
        READER_OVER,
        reset.capacitance(),
        reset.settled(),
    )


def _on(board: Board, net: str, kind: str) -> str:
    """Return the one part of a kind on a net."""
    (ref,) = {pin.split(".")[0] for pin, of in board.pins.items() if of == net and pin[0] == kind}
    return ref


def _ohms(value: str) -> float:
    """Return the ohms of a value like "100R" or "10k"."""
    return float(value[:-1]) * {"R": 1.0, "k": 1000.0}[value[-1]]
