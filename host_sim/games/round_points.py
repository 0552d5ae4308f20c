# SPDX-License-Identifier: MIT
"""What the referees count by when a round is over. r: a referee, the picture of that round."""

from roundhouse import tiles


def left_over(r):
    """Return {seat: pips} of the tiles that were counted."""
    blank = int(r.options["blank"])
    return {
        seat: sum(tiles.HIGH[t] + tiles.LOW[t] if t else blank for t in held)
        for seat, held in r.counted.items()
    }


def lowest(r, left):
    """Return who went out, or the seats that hold least."""
    if r.out is not None:
        return [r.out]
    return [seat for seat in r.seats if left[seat] == min(left.values())]
