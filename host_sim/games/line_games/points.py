# SPDX-License-Identifier: MIT
"""What a round of a line game gives, once more from the rule sheets."""

from host_sim.games.round_points import left_over, lowest


def of_round(r):
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
