# SPDX-License-Identifier: MIT
"""Keeps the layout of a table's trains from one picture to the next, so that tiles stay in place.

A growing train keeps its fold while there is room. Otherwise it is folded again, or all trains are
drawn smaller. Either way, the new layout has room for more tiles, and is made between two turns if
possible.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from host_sim.app.views import train_layout
from host_sim.app.views.train_layout import Fold, Kinds, Room, Sizes

SPARE = (4, 2, 1, 0)  # tiles for which a new fold leaves room, if possible
LAST_SHOWN = (8, 6, 4, 3, 2, 1)  # tiles shown after a pile, if possible
NONE_HIDDEN = range(0)


class Size(NamedTuple):
    """A size at which a table can be drawn.

    scale: the size of the hub, 1 for the usual size
    sizes: the distances and widths for train_layout at this size
    """

    scale: float
    width: float
    sizes: Sizes


class Sectors(NamedTuple):
    """The sectors of the table in which trains are drawn.

    degrees: {slot: direction of its sector's axis, in degrees}
    half: half of the angle of each sector
    room: (width, height) of the table
    """

    degrees: Mapping[str, float]
    half: float
    room: Room


class Train(NamedTuple):
    """The places of a train's tiles in the picture.

    fold: the positions of the tiles and of the pile (see train_layout.Fold)
    hidden: the indices of the tiles shown as a pile, if there are too many
    """

    fold: Fold
    hidden: range

    def indices(self, count: int) -> list[int | None]:
        """Return a list with one item for each place of the train: the index of the tile at this
        place, or None if the pile is at this place. The pile stands for all hidden tiles.

        count: the count of tiles, plus 1 for the next tile
        """
        return _without(range(count), self.hidden, None)


def _without(items: Sequence[Any], hidden: range, pile: Any) -> list[Any]:
    if not hidden:
        return list(items)
    return [*items[: hidden.start], pile, *items[hidden.stop :]]


class KeptLayout:
    """The layout of the trains in one viewer's pictures.

    is_television: whether names are read from four metres

    trains: {slot: its Train}
    shown: the slots shown since the round began
    refolds: how often trains were laid out again from their first tile, or at another size
    """

    def __init__(self, is_television: bool = False) -> None:
        self.is_television = is_television
        self.trains: dict[str, Train] = {}
        self.size: Size | None = None
        self.shown: set[str] = set()
        self.refolds = 0
        self._round: Any = None
        self._sectors: Sectors | None = None
        self._turn: Any = None

    def begin(self, round_: Any, slots: Sequence[str]) -> None:
        """Add `slots` to `shown`. At the first call in a round, forget the old layout first.

        round_: a value that is different for each round
        """
        if round_ != self._round:
            self._round, self._sectors, self.shown, self.trains = round_, None, set(), {}
        self.shown.update(slots)

    def update(
        self, sectors: Sectors, candidates: Sequence[Size], kinds: Mapping[str, Kinds], turn: Any
    ) -> None:
        """Lay out trains, moving as few tiles as possible.

        candidates: the possible sizes, the largest first
        kinds: {slot: SHORT, LONG or LAST for each tile (see train_layout)}
        """
        is_between_turns, self._turn = turn != self._turn, turn
        before, size = dict(self.trains), self.size
        turned = sectors != self._sectors
        if turned or self.size not in candidates:
            self._sectors = sectors
            self._draw_at(candidates, kinds)
        else:
            assert self.size
            self._grow(self.size, candidates, kinds, is_between_turns)
        self.refolds += any(
            slot in self.trains
            and (turned or self.size != size or _moved(train, self.trains[slot]))
            for slot, train in before.items()
        )

    def _grow(
        self,
        size: Size,
        candidates: Sequence[Size],
        kinds: Mapping[str, Kinds],
        is_between_turns: bool,
    ) -> None:
        smaller = candidates[candidates.index(size) + 1 :]
        for slot, some in kinds.items():
            train = self._extended(slot, some, size)
            if train and not (is_between_turns and self._is_full(slot, train, size)):
                self.trains[slot] = train
                continue
            spare = SPARE[:-1] if train else SPARE
            new = self._whole(slot, some, size, spare)
            if not new and not smaller:
                new = self._piled(slot, some, size, spare)
            if not new and not train:
                self._draw_at(smaller, kinds)
                return
            self.trains[slot] = new or train  # type: ignore[assignment]

    def _where(self, slot: str, size: Size) -> tuple[float, float, Room, Sizes]:
        assert self._sectors
        sectors = self._sectors
        return round(sectors.degrees[slot], 3), sectors.half, sectors.room, size.sizes

    def _extended(self, slot: str, kinds: Kinds, size: Size) -> Train | None:
        """Return a slot's Train after a change at the train's end; all other tiles keep their
        places. Return None if a tile would have to move, or if the slot has no Train yet."""
        train = self.trains.get(slot)
        if not train or train.hidden and len(kinds) - 1 < train.hidden.stop:
            return None
        drawn = tuple(_without(kinds, train.hidden, train_layout.LONG))
        fold = train_layout.extended(train.fold, *self._where(slot, size), drawn)
        return Train(fold, train.hidden) if fold else None

    def _is_full(self, slot: str, train: Train, size: Size) -> bool:
        longer = (*train.fold.kinds[:-1], train_layout.LONG, train_layout.LAST)
        return train_layout.extended(train.fold, *self._where(slot, size), longer) is None

    def _whole(self, slot: str, kinds: Kinds, size: Size, spare: Sequence[int]) -> Train | None:
        """Return a new Train with places for all tiles, or None if there is no room.

        spare: counts of further tiles to leave room for, tried in order
        """
        where = self._where(slot, size)
        folds = (train_layout.spacious(*where, kinds, more) for more in spare)
        return next((Train(fold, NONE_HIDDEN) for fold in folds if fold), None)

    def _piled(self, slot: str, kinds: Kinds, size: Size, spare: Sequence[int]) -> Train | None:
        """Return a new Train in which a pile replaces some tiles, or None if there is no room. The
        arguments are those of `_whole`."""
        tiles = len(kinds) - 1
        where = self._where(slot, size)
        for more in spare:
            for first in (1, 0):
                for last in LAST_SHOWN:
                    hidden = range(first, tiles - last)
                    if len(hidden) < 2:
                        continue
                    drawn = tuple(_without(kinds, hidden, train_layout.LONG))
                    fold = train_layout.spacious(*where, drawn, more)
                    if fold:
                        return Train(fold, hidden)
        if spare[-1]:
            return None
        return Train(train_layout.pile(size.sizes, tiles > 0), range(tiles))

    def _draw_at(self, candidates: Sequence[Size], kinds: Mapping[str, Kinds]) -> None:
        """Lay out all trains again. Use the largest size that has room for another tile on each
        train, or else the largest size that has room for all tiles, or else piles at the smallest
        size."""
        longest = sorted(kinds, key=lambda slot: -len(kinds[slot]))
        for spare in (SPARE[:-1], SPARE):
            for size in candidates:
                found: dict[str, Train] = {}
                for slot in longest:
                    train = self._whole(slot, kinds[slot], size, spare)
                    if not train:
                        break
                    found[slot] = train
                else:
                    self.trains, self.size = found, size
                    return
        self.size = size = candidates[-1]
        for slot in longest:
            train = self._whole(slot, kinds[slot], size, SPARE[:-1])
            train = train or self._piled(slot, kinds[slot], size, SPARE)
            assert train
            self.trains[slot] = train


def _moved(before: Train, after: Train) -> bool:
    """Return whether a tile that was drawn before has moved, or is now in a pile."""
    places = min(len(before.fold.places), len(after.fold.places)) - 1
    return before.hidden != after.hidden or (
        before.fold.places[:places] != after.fold.places[:places]
    )
