# SPDX-License-Identifier: MIT
"""Reads and checks match.json, the file that describes the match in a folder."""

import contextlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from host_sim.games import house_info
from host_sim.session import own_sheets
from host_sim.session.bot_levels import STRENGTHS
from host_sim.views.player_names import clean_names
from roundhouse import tiles
from roundhouse.games import houses

METADATA = "match.json"  # the file that makes a folder a match's
JOURNAL = "journal"  # the folder of the hub's flash, beside it
FORMAT = 1


def utc_time() -> str:
    """Return the current time in UTC, like `2026-11-22T19:15:07+00:00`."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read(folder: str | Path, kind: str = "match") -> dict[str, Any] | None:
    """Return the metadata of the match in a folder, or None if there is no valid metadata.

    kind: `match` or `lesson`; metadata of the other kind gives None
    """
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        metadata = json.loads((Path(folder) / METADATA).read_text(encoding="utf-8"))
        return metadata if metadata["roundhouse"] == kind and _is_sound(metadata) else None
    return None


def _is_sound(metadata: dict[str, Any]) -> bool:
    """Return whether metadata has everything that a match needs. If something is missing or wrong,
    this may also raise KeyError, TypeError, ValueError or AttributeError."""
    with own_sheets.known(own_sheets.family_of(metadata)):
        index, _ = houses.parse(metadata["house"].split())
        most_seats = house_info.most_seats(index, metadata["set"])
    seats = {int(seat) for seat in metadata["seats"]}
    state = metadata.get("told") or {"scores": {}, "round": 0, "phase": "", "winner": None}
    return (
        metadata["format"] == FORMAT
        and metadata["set"] in tiles.SETS
        and 2 <= len(seats) <= most_seats
        and set(metadata["people"]) <= seats
        and {int(seat) for seat in clean_names(metadata["names"])} <= seats
        and metadata["strength"] in STRENGTHS
        and isinstance(metadata["seed"], int)
        and isinstance(metadata["order"], dict)
        and isinstance(metadata["begun"] + metadata["played"], str)
        and {int(seat) for seat in state["scores"]} <= seats
        and {"round", "phase", "winner"} <= set(state)
    )
