# SPDX-License-Identifier: MIT
"""What a round gives to each seat, once more from the rule sheets: what the referees count by.

Both functions get a referee `r`, the picture of a round that is over, and return doubled points.
"""

from host_sim.checks.line_layout import pips


def left_over(r):
    """Return {seat: pips} of the tiles that were counted."""
    blank = int(r.options["blank"])
    return {seat: sum(pips(t) if t else blank for t in held) for seat, held in r.counted.items()}


def lowest(r, left):
    """Return who went out, or the seats that hold least."""
    if r.out is not None:
        return [r.out]
    return [seat for seat in r.seats if left[seat] == min(left.values())]


def of_trains(r):
    """Return {seat: doubled points} of this round (K1, K2, K6)."""
    left = left_over(r)
    if r.options["score"] == "penalty":
        return {seat: 2 * points for seat, points in left.items()}
    winners = lowest(r, left)
    others = sum(points for seat, points in left.items() if seat not in winners)
    share = 2 * others // len(winners)
    return {seat: share if seat in winners else 0 for seat in r.seats}


def of_lines(r):
    """Return {seat: doubled points} of this round: differences to the winner's pips."""
    left = left_over(r)
    if r.out is not None:
        left[r.out] = 0
    winners = lowest(r, left)
    gain = 2 * sum(points - left[winners[0]] for points in left.values())
    if len(winners) > 1:
        tie = r.options["tie"]
        gain = {"none": 0, "shared": gain // len(winners), "each": gain}[tie]
    return {seat: gain if seat in winners else 0 for seat in r.seats}
