# SPDX-License-Identifier: MIT
"""What a match's folder says of it: match.json, read and checked; and the time."""

import contextlib
import json
from datetime import UTC, datetime
from pathlib import Path

from host_sim.games import house_info
from host_sim.session.bot_levels import LEVELS
from host_sim.views.player_names import clean_names
from roundhouse import tiles
from roundhouse.games import houses

METADATA = "match.json"  # says that a folder is one of ours
JOURNAL = "journal"  # the folder of the hub's flash beside it
FORMAT = 1


def utc_time():
    """Return the time now, `2026-11-22T19:15:07+00:00`: the same in every time zone."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_metadata(folder, kind="match"):
    """Return what a match's folder says of it; None where it is none, or cannot be read. kind:
    `lesson` for one of lesson.py's."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads((Path(folder) / METADATA).read_text(encoding="utf-8"))
        return kept if kept["roundhouse"] == kind and _is_sound(kept) else None
    return None


def _is_sound(kept):
    """Return whether all that a match needs is there; one of many errors where it is not."""
    index, _ = houses.parse(kept["house"].split())
    seats = {int(seat) for seat in kept["seats"]}
    told = kept.get("told") or {"scores": {}, "round": 0, "phase": "", "winner": None}
    return (
        kept["format"] == FORMAT
        and kept["set"] in tiles.SETS
        and 2 <= len(seats) <= house_info.most_seats(index, kept["set"])
        and set(kept["people"]) <= seats
        and {int(seat) for seat in clean_names(kept["names"])} <= seats
        and kept["strength"] in LEVELS
        and isinstance(kept["seed"], int)
        and isinstance(kept["order"], dict)
        and isinstance(kept["begun"] + kept["played"], str)
        and {int(seat) for seat in told["scores"]} <= seats
        and {"round", "phase", "winner"} <= set(told)
    )
