# SPDX-License-Identifier: MIT
"""What a round of Mexican Train gives, once more from the rule sheets."""

from host_sim.games.round_points import left_over, lowest


def of_round(r):
    """Return {seat: doubled points} of this round (K1, K2, K6)."""
    left = left_over(r)
    if r.options["score"] == "penalty":
        return {seat: 2 * points for seat, points in left.items()}
    winners = lowest(r, left)
    others = sum(points for seat, points in left.items() if seat not in winners)
    share = 2 * others // len(winners)
    return {seat: share if seat in winners else 0 for seat in r.seats}
