# SPDX-License-Identifier: MIT
"""Saves everything of a folder of matches as one zip file, and adds the content of such a file to
another folder.

Nothing in that folder is overwritten or removed. The file may come from anywhere. So only files
that this program could have written are read from it, and each is checked as if it were read from
the folder.
"""

import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from host_sim.app.people import people_statistics
from host_sim.app.people.kept_file import BAD_CONTENT, read_file
from host_sim.app.people.name_store import NameStore
from host_sim.app.people.own_sheets import OwnSheets
from host_sim.app.people.people_statistics import Evenings, NoEvenings
from host_sim.app.session import match_metadata
from host_sim.app.session.durable_files import JOURNAL_FILE
from host_sim.app.session.lesson import TOPICS, LessonSession
from host_sim.app.session.match_metadata import JOURNAL, METADATA, Unreadable
from host_sim.app.session.match_session import MatchSession
from host_sim.app.session.match_store import MatchStore
from host_sim.app.views.i18n import Translator
from host_sim.board.hub import match_export
from host_sim.table.player_names import printable

NAME = "roundhouse.zip"
LARGEST = 50_000_000  # bytes of the zip file
LARGEST_INSIDE = 200_000_000  # bytes of all files in it; they are held in memory
LONGEST = {METADATA: match_metadata.MOST, "rhj": 4096, "quiet": 64, "json": 10_000_000}  # bytes
EVENINGS, SHEETS, NAMES = people_statistics.FILE, "own-sheets.json", "names.json"
SOME = 10  # names that the answer lists
_ID = re.compile(r"[\w-]{1,100}", re.ASCII)  # a folder's name that every system and browser takes
_PLACE = re.compile(
    r"([\w.-]{1,100})/(%s|%s/(?:%s))" % (re.escape(METADATA), JOURNAL, JOURNAL_FILE.pattern),
    re.ASCII,
)
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)

# {(name of the match's folder, or "" for a file beside them; name): content, or None for a file
# that is damaged or too long}
Files = dict[tuple[str, str], bytes | None]


class NoBackup(ValueError):
    """Raised for a file that `save` cannot have written."""


class Saved(NamedTuple):
    """A saved folder.

    data: the zip file
    matches: how many matches are in it, without lessons
    left_out: (name, reason) of the matches that could not be read
    """

    data: bytes
    matches: int
    left_out: list[tuple[str, str]]


class TakenIn(NamedTuple):
    """What was added to a folder.

    matches: how many matches, without lessons
    known: how many matches were there already
    sheets: how many own rule sheets
    results: how many results of matches from other devices, for the statistics
    names: whether the seats at a real hub got their names
    left_out: (name, reason) of what could not be read; reason as in Unreadable, or `full` for a
        rule sheet
    """

    matches: int
    known: int
    sheets: int
    results: int
    names: bool
    left_out: list[tuple[str, str]]


# ---- saving ----


def save(folder: Path) -> Saved:
    """Return everything that this program has saved in a folder of matches. Raises OSError if the
    folder cannot be read."""
    out = io.BytesIO()
    matches, left_out = 0, []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (EVENINGS, SHEETS, NAMES):
            if _is_file(folder / name):
                _write(archive, name, read_file(folder / name))
        for number, path in enumerate(_folders(folder)):
            try:
                kind, files = _match_files(path)
            except Unreadable as error:
                left_out.append((printable(path.name) or "?", error.reason))
                continue
            matches += kind == MatchSession.KIND
            place = path.name if _ID.fullmatch(path.name) else "match.%d" % number
            for name, data in files.items():
                _write(archive, "%s/%s" % (place, name), data)
    return Saved(out.getvalue(), matches, left_out)


def _folders(folder: Path) -> list[Path]:
    """Return the sub-folders with a METADATA file, without links, sorted by name."""
    with os.scandir(folder) as inside:
        found = [Path(entry.path) for entry in inside if entry.is_dir(follow_symlinks=False)]
    return sorted(path for path in found if _is_file(path / METADATA))


def _match_files(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return (kind, {name: content}) of the files of a match or lesson. Raises Unreadable if there
    is none in the folder."""
    try:
        content = read_file(path / METADATA, match_metadata.MOST)
        files = {METADATA: content}
        kind = _kind_and_metadata(content)[0]
        journal = path / JOURNAL
        if journal.is_dir() and not journal.is_symlink():
            for file in sorted(journal.iterdir()):
                if JOURNAL_FILE.fullmatch(file.name) and _is_file(file):
                    files["%s/%s" % (JOURNAL, file.name)] = read_file(file)
    except OSError:
        raise Unreadable("disk") from None
    return kind, files


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file to an archive. The same files always make the same archive."""
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    archive.writestr(info, data)


# ---- taking in ----


def read(data: bytes) -> Files:
    """Return the files in a saved file that this program could have written. Raises NoBackup if
    `save` cannot have written the file."""
    if len(data) > LARGEST:
        raise NoBackup("it is too long")
    found: Files = {}
    room = LARGEST_INSIDE
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                match = _PLACE.fullmatch(info.filename)
                place, name = match.groups() if match else ("", info.filename)
                if place or name in (EVENINGS, SHEETS, NAMES):
                    content = _content(archive, info, min(room, _longest(name)))
                    room -= len(content or b"")
                    found[place, name] = content
    except _BAD_ZIP as error:
        raise NoBackup(str(error)) from None
    if not found:
        raise NoBackup("nothing of a folder of matches is in it")
    return found


def take_in(files: Files, store: MatchStore, evenings: Evenings, sheets: OwnSheets) -> TakenIn:
    """Add what a saved file has to a folder's matches, evenings, own sheets and names. Raises
    OSError if the folder cannot be written; then no match was added.

    files: as returned by `read`
    """
    matches: dict[str, dict[str, bytes | None]] = {}
    for (place, name), content in files.items():
        if place:
            matches.setdefault(place, {})[name] = content
    left_out: list[tuple[str, str]] = []
    here = {_mark(metadata) for metadata in _all_metadata(store.folder)}
    added: list[str] = []
    counts = {"known": 0, "matches": 0}
    try:
        for place, parts in sorted(matches.items()):
            try:
                kind, metadata = _checked(parts)
            except Unreadable as error:
                left_out.append((place, error.reason))
                continue
            is_new = _mark(metadata) not in here
            if kind == MatchSession.KIND:
                counts["matches" if is_new else "known"] += 1
            if is_new:
                here.add(_mark(metadata))
                id_ = _id_for(place, kind, metadata)
                added.append(store.add(id_, {name: part or b"" for name, part in parts.items()}))
    except OSError:
        for id_ in added:
            store.discard(id_)
        raise
    results = _take_in_evenings(files.get(("", EVENINGS), b""), evenings, left_out)
    new_sheets = _take_in_sheets(files.get(("", SHEETS), b""), sheets, left_out)
    names = _take_in_names(files.get(("", NAMES), b""), store.folder, left_out)
    evenings.refresh()
    return TakenIn(counts["matches"], counts["known"], new_sheets, results, names, left_out)


def _longest(name: str) -> int:
    return LONGEST.get(name) or LONGEST[name.rpartition(".")[2].rpartition("/")[2]]


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes | None:
    """Return the content of a file in an archive, or None if it is damaged or longer than `most`
    bytes."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return None
    try:
        with archive.open(info) as file:
            content = file.read(most + 1)
    except (*_BAD_ZIP, ValueError):
        return None
    return content if len(content) <= most else None


def _kind_and_metadata(content: bytes) -> tuple[str, dict[str, Any]]:
    """Return (kind, metadata) from the content of a match.json. Raises Unreadable for neither a
    match nor a lesson."""
    try:
        return MatchSession.KIND, match_metadata.parse(content, MatchSession.KIND)
    except Unreadable as error:
        if error.reason != "damaged":
            raise
    metadata = match_metadata.parse(content, LessonSession.KIND)
    if metadata.get("topic") not in TOPICS:
        raise Unreadable("damaged")
    return LessonSession.KIND, metadata


def _checked(parts: dict[str, bytes | None]) -> tuple[str, dict[str, Any]]:
    """Return (kind, metadata) of a match in a saved file. Raises Unreadable if a folder with these
    files would not be listed as a match, or has a journal that no hub can read.

    parts: {name: content, or None if it is damaged}
    """
    if None in parts.values():
        raise Unreadable("damaged")
    kind, metadata = _kind_and_metadata(parts.get(METADATA) or b"")
    segments = {
        int(Path(name).stem): data
        for name, data in parts.items()
        if data is not None and name.endswith(".rhj")
    }
    try:
        if segments:
            match_export.check(segments)
    except match_export.NoExport:
        raise Unreadable("damaged") from None
    return kind, metadata


def _mark(metadata: dict[str, Any]) -> tuple[object, ...]:
    """Return a value that identifies a match, in any folder."""
    keys = ("roundhouse", "begun", "seed", "house", "set")
    return (*(metadata[key] for key in keys), *metadata["seats"])


def _all_metadata(folder: Path) -> Iterator[dict[str, Any]]:
    try:
        paths = _folders(folder)
    except FileNotFoundError:
        return
    for path in paths:
        for kind in (MatchSession.KIND, LessonSession.KIND):
            metadata = match_metadata.read(path, kind)
            if metadata:
                yield metadata


def _id_for(place: str, kind: str, metadata: dict[str, Any]) -> str:
    """Return the name of the folder for a match, to be changed if it is taken.

    place: its name in the saved file
    """
    prefix = "lesson-%s-" % metadata["topic"] if kind == LessonSession.KIND else ""
    if _ID.fullmatch(place) and place.startswith(prefix):
        return place
    return prefix + (re.sub("[^0-9]+", "-", metadata["begun"][:19]).strip("-") or "match")


def _take_in_evenings(
    content: bytes | None, evenings: Evenings, left_out: list[tuple[str, str]]
) -> int:
    """Add the results in an evenings.json; return how many are new."""
    if content == b"":
        return 0
    try:
        results, aliases = people_statistics.read((content or b"").decode())
    except (NoEvenings, ValueError) as error:
        is_newer = isinstance(error, NoEvenings) and error.is_newer
        left_out.append((EVENINGS, "newer" if is_newer else "damaged"))
        return 0
    return evenings.add(results, aliases) if results or aliases else 0


def _take_in_sheets(
    content: bytes | None, sheets: OwnSheets, left_out: list[tuple[str, str]]
) -> int:
    """Add the own rule sheets in an own-sheets.json; return how many are new."""
    if content == b"":
        return 0
    try:
        added, not_added = sheets.add(content or b"")
    except BAD_CONTENT:
        added, not_added = 0, [(SHEETS, "damaged")]
    left_out += not_added
    return added


def _take_in_names(content: bytes | None, folder: Path, left_out: list[tuple[str, str]]) -> bool:
    """Take the names in a names.json if the folder has none; return whether that was done."""
    if content == b"":
        return False
    kept = NameStore(folder)
    try:
        names = NameStore.parse(content or b"")
    except BAD_CONTENT:
        left_out.append((NAMES, "damaged"))
        return False
    if kept.names or not names:
        return False
    kept.save(names)
    return True


# ---- in words ----


def saved_text(translate: Translator, saved: Saved) -> str:
    """Return one answer that says what was saved."""
    what = translate("evenings.matches", count=saved.matches)
    return " ".join([translate("backup.saved", what=what), *_left_out(translate, saved.left_out)])


def taken_text(translate: Translator, taken: TakenIn) -> str:
    """Return one answer that says what was taken in, what was there already and what was left
    out."""
    counts = (
        ("evenings.matches", taken.matches),
        ("backup.sheets", taken.sheets),
        ("backup.results", taken.results),
    )
    what = [translate(key, count=count) for key, count in counts if count]
    what += [translate("backup.names")] * taken.names
    found = [translate("backup.taken", what=", ".join(what)) if what else translate("backup.none")]
    if taken.known:
        found.append(translate("backup.known", count=taken.known))
    return " ".join([*found, *_left_out(translate, taken.left_out)])


def _left_out(translate: Translator, left_out: list[tuple[str, str]]) -> list[str]:
    named = ["%s (%s)" % (name, translate("backup.why_" + why)) for name, why in left_out[:SOME]]
    named += ["..."] * (len(left_out) > SOME)
    return [translate("backup.left_out", what=", ".join(named))] if named else []
