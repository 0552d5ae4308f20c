# SPDX-License-Identifier: MIT
"""Reads and checks match.json, the file that describes the match in a folder."""

import contextlib
import json
import math
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from host_sim.app.people import own_sheets
from host_sim.app.people.kept_file import read_file
from host_sim.app.players.bot_levels import STRENGTHS
from host_sim.table.games import house_info
from host_sim.table.player_names import clean_names
from roundhouse import constants, tiles
from roundhouse.games import houses

METADATA = "match.json"  # a folder with this file is a match's folder
JOURNAL = "journal"  # the folder of the hub's flash, beside it
FORMAT = 1
_MOST = 1_000_000  # bytes of match.json
_WRONG = (  # the exceptions that a file with other content can cause
    *(OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError),
)


def utc_time() -> str:
    """Return the current time in UTC, like `2026-11-22T19:15:07+00:00`."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read(folder: str | Path, kind: str = "match") -> dict[str, Any] | None:
    """Return the metadata of the match in a folder, or None without valid metadata of this kind.

    kind: `match` or `lesson`
    """
    with contextlib.suppress(*_WRONG):
        metadata = json.loads(read_file(Path(folder) / METADATA, _MOST).decode())
        return metadata if metadata["roundhouse"] == kind and _is_sound(metadata) else None
    return None


def _is_sound(metadata: dict[str, Any]) -> bool:
    """Return whether metadata has everything that a match needs. This function can also raise one
    of _WRONG in place of returning False."""
    with own_sheets.known(own_sheets.family_of(metadata)):
        index, chosen = houses.parse(metadata["house"].split())
        most_seats = house_info.most_seats(index, metadata["set"], chosen)
    seats = _seats(metadata["seats"])
    state = metadata.get("told") or {"scores": {}, "round": 0, "phase": "", "winner": None}
    return (
        metadata["format"] == FORMAT
        and metadata["set"] in tiles.SETS
        and 2 <= len(seats) <= most_seats
        and _seats(metadata["people"]) <= seats
        and {int(seat) for seat in clean_names(metadata["names"])} <= seats
        and metadata["house"].isprintable()
        and metadata["strength"] in STRENGTHS
        and type(metadata["seed"]) is int
        and _are_orders(metadata["order"])
        and (metadata["begun"] + metadata["played"]).isprintable()
        and {int(seat) for seat in state["scores"]} <= seats
        and all(math.isfinite(points) for points in state["scores"].values())
        and type(state["round"]) is int
        and state["phase"] in ("", *constants.PHASES)
        and _seats(state["winner"] or ()) <= seats
        and all(
            seat.isdecimal() and isinstance(browser, str)
            for seat, browser in metadata.get("phones", {}).items()
        )
    )


def _seats(value: Collection[object]) -> set[int]:
    """Return a collection of seats as a set. Raises TypeError or ValueError for anything else."""
    if not all(type(seat) is int and 1 <= seat <= 10 for seat in value):
        raise ValueError("not a seat")
    seats = {seat for seat in value if isinstance(seat, int)}
    if len(seats) < len(value):
        raise ValueError("a seat twice")
    return seats


def _are_orders(value: dict[str, Any]) -> bool:
    return all(
        isinstance(order, int | None)
        if key == "round"
        else isinstance(order, list) and all(isinstance(text, str) for text in order)
        for key, order in value.items()
    )
