# SPDX-License-Identifier: MIT
"""What the lamps celebrate and count out when somebody goes out, or a round or the match ends;
loaded only then."""

from roundhouse import animations, constants

NOWHERE = 255  # the place of a slot that a board does not have


def show(table, lights, was, out):
    """A phase has ended, `was`: with the last tile of a seat, with everything counted, or with
    points in play. Who had gone out by then is first in the round, whatever the others hold."""
    if table.phase == constants.SCORING:
        celebrate(lights, animations.OUT, (table.out,))
        return
    seats = _seats(table)
    if was == constants.SCORING or table.phase == constants.ENGINE:
        for seat in seats:
            points(lights, seat, table.points(seat) // 2)
    if table.phase == constants.FINISHED:
        winners = [seat for seat in seats if table.winners >> seat & 1]
        celebrate(lights, animations.MATCH, winners)
        return
    best_first = sorted(seats, key=table.points, reverse=table.plus_points)
    if out in best_first:
        best_first.remove(out)
        best_first.insert(0, out)
    celebrate(lights, animations.ROUND, best_first)


def totals(table, lights):
    """Count out everybody's points of the match in light."""
    for seat in _seats(table):
        points(lights, seat, table.total(seat) // 2)


def celebrate(lights, kind, who):
    """Ask for an animation of at most 2.5 s; who: the slots it is about.

    kind is one of roundhouse.animations. OUT: the one that laid its last tile; ROUND: all seats,
    best first; MATCH: the winners.
    """
    places = [lights.place(slot) for slot in who if lights.place(slot) != NOWHERE]
    if places:
        lights.party().ask(kind, places)


def points(lights, slot, n):
    """Ask for a seat's points, 0..999, to be counted out on its slot: (hundreds,) tens, ones.

    Seats asked for before the next frame count together, in at most 4 s.
    """
    if lights.place(slot) != NOWHERE:
        lights.party().count_out(lights.place(slot), n)


def _seats(table):
    return [seat for seat in range(1, 11) if table.joined >> seat & 1]
