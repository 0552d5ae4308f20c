# SPDX-License-Identifier: MIT
"""Shows celebrations and points with the lamps when a seat goes out, or a round or the match ends.

Loaded only then.
"""

from roundhouse import animations, constants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from roundhouse.games.match import Match
    from roundhouse.lights import Lights


NOWHERE = 255  # place of a slot that a board does not have


def show(table: "Match", lights: "Lights", was: int, out: int) -> None:
    """Celebrate that a seat laid its last tile, that the round is over, or that the match is over.

    was: the phase that has just ended.
    out: the seat that went out, or 0. This seat ranks first in the round.
    """
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
    best_first = sorted(seats, key=table.points, reverse=table.most_win)
    if out in best_first:
        best_first.remove(out)
        best_first.insert(0, out)
    celebrate(lights, animations.ROUND, best_first)


def totals(table: "Match", lights: "Lights") -> None:
    """Show every seat's points of the match in flashes of the lamps."""
    for seat in _seats(table):
        points(lights, seat, table.total(seat) // 2)


def celebrate(lights: "Lights", kind: int, who: "Sequence[int]") -> None:
    """Request an animation, which takes at most 2.5 s. kind: as in Animations.ask. who: the seats,
    as slot numbers."""
    places = [lights.place(slot) for slot in who if lights.place(slot) != NOWHERE]
    if places:
        lights.animations().ask(kind, places)


def points(lights: "Lights", slot: int, n: int) -> None:
    """Request that n points, 0..999, be shown in flashes on a seat's slot: hundreds, tens, ones.

    Requests before the next frame are shown together, in at most 4 s.
    """
    if lights.place(slot) != NOWHERE:
        lights.animations().count_out(lights.place(slot), n)


def _seats(table: "Match") -> list[int]:
    return [seat for seat in constants.SEATS if table.joined >> seat & 1]
