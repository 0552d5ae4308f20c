# SPDX-License-Identifier: MIT
"""Puts the journal in an export onto a hub over USB, so that its match goes on there."""

import contextlib
import hashlib
import json
from collections.abc import Callable

from host_sim.board.hub import match_export
from host_sim.maker import CommandError, flasher, usb_hub

HAS_MATCHES = """this hub has matches of its own. To put others in their place, name a file in
which they are saved first: --replace FILE. Nothing was changed."""
NO_STATION = "the match has a seat at %s, where this hub has no station. Nothing was changed."
OLDER_HUB = """the firmware on this hub is too old for the match (format %d, it reads up to %d):
update it with `make flash`. Nothing was changed."""
NOT_AS_SENT = "not as sent: %s. Try again; if it stays so, the flash is worn"

# Code for the board: prints the newest format of a journal that its firmware reads.
READ_FORMAT = """
import sys, json
sys.path.insert(0, ".frozen")
from roundhouse import constants
print(json.dumps(getattr(constants, "FORMAT", 0)))
"""


def load(port: str, text: str, keep: Callable[[str], object] | None = None) -> int:
    """Put the matches in an export onto the hub at a serial port, start the hub again, and return
    the count of files.

    keep: called with an export of the hub's own matches before they are replaced; None if they
        may not be replaced

    Raises match_export.NoExport if the text is not a complete export, and CommandError if the hub
    cannot carry on the match, or has matches and `keep` is None. Then the hub stays as it is.
    """
    *_, line = match_export.read(text)
    hub = usb_hub.HubConsole(port)
    try:
        own = hub.export()
    finally:
        hub.close()
    missing = [seat for seat in line["scores"] if seat not in _stations(own)]
    if missing:
        raise CommandError(NO_STATION % ", ".join(missing))
    if has_matches(own):
        if not keep:
            raise CommandError(HAS_MATCHES)
        keep(own)
    segments = match_export.segments_of(text)
    files = {"journal/%08d.rhj" % number: data for number, data in segments.items()}
    try:
        _replace(port, files)
    except CommandError:
        with contextlib.suppress(CommandError):
            flasher.mpremote(port, [["reset"]])
        raise
    flasher.mpremote(port, [["reset"]])
    return len(files)


def _stations(text: str) -> set[str]:
    """Return the stations of the hub that printed an export. The hub names them only if they are
    not the first ones."""
    line = json.loads(text.splitlines()[-1])
    slots = len(line["lamps"]) // 4  # the stations, M and E
    return set(line.get("stations") or map(str, range(1, slots - 1)))


def has_matches(text: str) -> bool:
    """Return whether an export has more than an empty lobby. A journal that cannot be read has."""
    try:
        lines = match_export.read(text)
    except match_export.NoExport:
        return True
    return any(line["phase"] != "lobby" or line["scores"] for line in lines)


def _replace(port: str, files: dict[str, bytes]) -> None:
    """Replace the journal's files on the board."""
    newest = max(data[3] for data in files.values())
    reads = flasher.run_json(port, READ_FORMAT)
    if newest > reads:
        raise CommandError(OLDER_HUB % (newest, reads))
    there = flasher.run_json(port, flasher.LIST)
    old = [name for name in there if name.startswith("journal/") and name.endswith(".rhj")]
    flasher.remove(port, old, there)
    flasher.copy(port, files, there)
    now = flasher.run_json(port, flasher.LIST)
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    wrong = [name for name in sums if now.get(name) != sums[name]]
    if wrong:
        raise CommandError(NOT_AS_SENT % ", ".join(wrong))
