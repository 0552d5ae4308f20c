# SPDX-License-Identifier: MIT
"""What the lamps celebrate and count out when somebody goes out, a round ends or the match does;
loaded then."""

from roundhouse import animations, words


def show(table, lights, was, out):
    """A phase has ended, `was`: with the last tile of a seat, or with everything counted. Who had
    gone out by then is first in the round, whatever the others hold."""
    if was != words.SCORING:
        lights.celebrate(animations.OUT, (table.out,))
        return
    seats = _seats(table)
    for seat in seats:
        lights.points(seat, table.points(seat) // 2)
    if table.phase == words.FINISHED:
        winners = [seat for seat in seats if table.winners >> seat & 1]
        lights.celebrate(animations.MATCH, winners)
        return
    best_first = sorted(seats, key=table.points, reverse=table.plus_points)
    if out in best_first:
        best_first.remove(out)
        best_first.insert(0, out)
    lights.celebrate(animations.ROUND, best_first)


def totals(table, lights):
    """Count out everybody's points of the match in light."""
    for seat in _seats(table):
        lights.points(seat, table.total(seat) // 2)


def _seats(table):
    return [seat for seat in range(1, 11) if table.joined >> seat & 1]
