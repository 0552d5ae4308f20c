# SPDX-License-Identifier: MIT
"""Reads and checks match.json, the file that describes the match in a folder."""

import contextlib
import json
import math
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from host_sim.app.people import own_sheets
from host_sim.app.people.kept_file import BAD_CONTENT, read_file
from host_sim.app.players.bot_levels import STRENGTHS
from host_sim.board.hub.simulated_hub import seating
from host_sim.table.games import house_info
from host_sim.table.player_names import clean_names
from roundhouse import constants, settings, tiles
from roundhouse.constants import MOST_SEATS

METADATA = "match.json"  # a folder with this file is a match's folder
JOURNAL = "journal"  # the folder of the hub's flash, beside it
FORMAT = 1
MOST = 1_000_000  # bytes of match.json
# why a match is not in the list of matches: keys of sentences, page.why_...
REASONS = ("damaged", "newer", "rules", "broken", "disk")


def utc_time() -> str:
    """Return the current time in UTC, like `2026-11-22T19:15:07+00:00`."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Unreadable(Exception):
    """Raised for a match that cannot be read or carried on.

    reason: one of REASONS.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read(folder: str | Path, kind: str = "match") -> dict[str, Any] | None:
    """Return the metadata of the match in a folder, or None without valid metadata of this
    kind."""
    with contextlib.suppress(Unreadable):
        return load(folder, kind)
    return None


def load(folder: str | Path, kind: str = "match") -> dict[str, Any]:
    """Return the metadata of the match in a folder. Raises Unreadable without valid metadata of
    this kind.

    kind: `match` or `lesson`
    """
    try:
        return parse(read_file(Path(folder) / METADATA, MOST), kind)
    except OSError:
        raise Unreadable("disk") from None


def parse(data: bytes, kind: str = "match") -> dict[str, Any]:
    """Return the metadata in the content of a match.json. Raises Unreadable without valid metadata
    of this kind.

    kind: `match` or `lesson`
    """
    try:
        metadata = json.loads(data.decode())
        if metadata["roundhouse"] != kind:
            raise Unreadable("damaged")
        if metadata["format"] > FORMAT:
            raise Unreadable("newer")
        reason = "" if _is_sound(metadata) else "damaged"
    except BAD_CONTENT:
        reason = "damaged"
    if not reason and not _has_rules(metadata):
        reason = "rules"
    if reason:
        raise Unreadable(reason)
    return cast(dict[str, Any], metadata)


def hub_config(metadata: Mapping[str, Any]) -> SimpleNamespace:
    """Return the configuration of the hub at which the match is played."""
    family = own_sheets.family_of(metadata)
    more = {"FAMILY": family} if family else {}
    rules = {"HOUSE": metadata["house"], "SET": metadata["set"]}
    return seating(max(metadata["seats"]), **rules, **more)


def _has_rules(metadata: dict[str, Any]) -> bool:
    """Return whether a hub can play by the match's rules, with its seats."""
    try:
        with own_sheets.known(own_sheets.family_of(metadata)):
            index, chosen = settings.check(hub_config(metadata))
            return len(metadata["seats"]) <= house_info.most_seats(index, metadata["set"], chosen)
    except (settings.BadConfig, *BAD_CONTENT):
        return False


def _is_sound(metadata: dict[str, Any]) -> bool:
    """Return whether metadata has everything that a match needs, apart from its rules. This
    function can also raise one of BAD_CONTENT in place of returning False."""
    seats = _seats(metadata["seats"])
    state = metadata.get("told") or {"scores": {}, "round": 0, "phase": "", "winner": None}
    return (
        metadata["format"] == FORMAT
        and metadata["set"] in tiles.SETS
        and len(seats) >= 2
        and _seats(metadata["people"]) <= seats
        and {int(seat) for seat in clean_names(metadata["names"])} <= seats
        and metadata["house"].isprintable()
        and metadata["strength"] in STRENGTHS
        and type(metadata["seed"]) is int
        and type(metadata.get("stops_after", 0)) is int
        and type(metadata.get("open_hands", False)) is bool
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
    if not all(type(seat) is int and 1 <= seat <= MOST_SEATS for seat in value):
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
