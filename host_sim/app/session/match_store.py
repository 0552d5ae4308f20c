# SPDX-License-Identifier: MIT
"""The matches in a folder, each in its own sub-folder. They can be listed, begun, resumed and
removed; removing deletes only files that this program wrote."""

import contextlib
import itertools
import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from host_sim.app.people import own_sheets
from host_sim.app.people.kept_file import BAD_CONTENT, NEW_SUFFIX, replace
from host_sim.app.people.kept_match import KeptMatch
from host_sim.app.players.dealt_hands import Dealer
from host_sim.app.session import match_metadata
from host_sim.app.session.durable_files import JOURNAL_FILE, DurableFiles
from host_sim.app.session.lesson import LEARNER, Lesson, has_lesson
from host_sim.app.session.match_metadata import JOURNAL, METADATA, Unreadable, utc_time
from host_sim.app.session.match_session import MatchSession
from host_sim.table.player_names import clean_names, printable

_NO_MATCH = "there is no match %s"


class RecordedMatch(NamedTuple):
    """What a replay of a saved match needs.

    segments: {number: bytes} of the journal's files
    names: {seat: name}
    dealer: the Dealer that dealt the match's hands
    """

    segments: dict[int, bytes]
    names: dict[str, str]
    dealer: Dealer


class MatchStore:
    """A folder of saved matches. Other files in it are left alone.

    Each call of `matches` sets:

    strange: the sub-folders that could not be read as matches
    unreadable: (printable name, reason) of the strange sub-folders that contain the METADATA file
        of a match or cannot be entered; reason as in match_metadata.Unreadable
    trouble: the OSError if the folder could not be read, else None
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.strange: list[str] = []
        self.unreadable: list[tuple[str, str]] = []
        self.trouble: OSError | None = None
        self._broken: set[str] = set()  # the matches that could not be carried on

    def matches(self) -> list[KeptMatch]:
        """Return all matches; the most recently played match comes first."""
        found = []
        self.strange, self.unreadable = [], []
        for path in self._folders():
            try:
                found.append(_kept(path.name, self._metadata(path)))
            except Unreadable as error:
                if path.name != JOURNAL and not match_metadata.read(path, "lesson"):
                    self.strange.append(path.name)
                    if _has_metadata(path):
                        self.unreadable.append((printable(path.name) or "?", error.reason))
        return sorted(found, key=lambda match: (_timestamp(match.played), match.id), reverse=True)

    def find(self, id_: str) -> KeptMatch | None:
        try:
            return _kept(id_, self._load(id_)[1])
        except KeyError:
            return None

    def _folders(self) -> list[Path]:
        self.trouble = None
        try:
            with os.scandir(self.folder) as inside:
                return sorted(Path(entry.path) for entry in inside if _may_be_folder(entry))
        except FileNotFoundError:
            pass
        except OSError as error:
            self.trouble = error
        return []

    def new(self, **rules: Any) -> MatchSession:
        """Begin a match with the given rules, and return the match. The rules are keyword
        arguments of MatchSession."""
        return MatchSession(self._fresh(), **rules)

    def lesson(self, topic: str, name: str = "") -> Lesson:
        """Return the newest lesson on a topic, resumed; return a new lesson if there is none or if
        the newest is done.

        name: the learner's name, or "" for the name in the resumed lesson
        """
        begun = sorted(self.folder.glob("lesson-%s-*/" % topic))
        begun = [path for path in begun if has_lesson(path)]
        if begun:
            with contextlib.suppress(*BAD_CONTENT):
                last = Lesson(begun[-1], topic)
                if not last.done:
                    if name:
                        last.session.sit_down(LEARNER, name)
                    return last
                last.session.close()
        return Lesson(
            self._fresh("lesson-%s-" % topic), topic, names={LEARNER: name} if name else {}
        )

    def forget_names(self, seats_of: Callable[[dict[int, str]], Collection[int]]) -> None:
        """Take names out of all matches and lessons. Raises OSError if the folder cannot be
        written.

        seats_of: a function ({seat: name} of a match) that returns the seats that lose their names
        """
        for path in self._folders():
            metadata = match_metadata.read(path) or match_metadata.read(path, "lesson")
            if not metadata or path.is_symlink():
                continue
            names = clean_names(metadata["names"])
            gone = seats_of({int(seat): name for seat, name in names.items()})
            if gone:
                kept = {seat: name for seat, name in names.items() if int(seat) not in gone}
                content = json.dumps({**metadata, "names": kept}, indent=1)
                replace(str(path / METADATA), content.encode())

    def add(self, id_: str, files: Mapping[str, bytes]) -> str:
        """Add a match from elsewhere, and return its id: `id_`, or another one if a folder of that
        name exists. Raises OSError if the folder cannot be written; then nothing was added.

        files: {name: content}, METADATA among them
        """
        folder = self._new_folder(id_)
        try:
            (folder / JOURNAL).mkdir(mode=0o700)
            for name in sorted(files, key=lambda name: name == METADATA):
                replace(str(folder / name), files[name])
        except OSError:
            self.discard(folder.name)
            raise
        return folder.name

    def discard(self, id_: str) -> None:
        """Delete what `add` has written under an id, as far as possible."""
        path = self.folder / id_
        with contextlib.suppress(OSError):
            _remove_files(path)

    def _fresh(self, prefix: str = "") -> Path:
        """Return the path of a new folder for a match, named by the current time. If the folder
        cannot be created now, the match creates it later."""
        name = prefix + re.sub("[:T]", "-", utc_time()[:19])
        try:
            return self._new_folder(name)
        except OSError:
            return self.folder / name

    def _new_folder(self, base: str) -> Path:
        """Make a folder for a match, named `base` or, if that is taken, `base` and a number.
        Raises OSError if that fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            path = self.folder / (base if number == 1 else "%s-%d" % (base, number))
            with contextlib.suppress(FileExistsError):
                path.mkdir(mode=0o700)  # its seed reveals every hand
                break
        return path

    def open(self, id_: str) -> MatchSession:
        """Return a match, to be continued or just looked at. Raises KeyError if no match has this
        id, OSError if it cannot be read, and Unreadable if it cannot be carried on."""
        path, _ = self._load(id_)
        with self._checked(id_):
            session = MatchSession.resume(path)
        if not session:
            raise KeyError(_NO_MATCH % id_)
        return session

    @contextlib.contextmanager
    def _checked(self, id_: str) -> Iterator[None]:
        """Raise Unreadable, and leave the match out of `matches` from now on, if the `with` block
        cannot use what the match's files say."""
        try:
            yield
        except OSError:
            raise
        except Exception as error:
            self._broken.add(id_)
            self.unreadable.append((printable(id_) or "?", "broken"))
            raise Unreadable("broken") from error

    def segments(self, id_: str) -> dict[int, bytes]:
        """Return {number: bytes} of the files, called segments, that make up a match's journal.
        The match may be in progress. Raises KeyError if no match has this id."""
        return _segments(self._load(id_)[0])

    def recorded(self, id_: str) -> RecordedMatch:
        """Return what a replay of a match needs, even if the match is in progress. Raises KeyError
        if no match has this id, and Unreadable if it cannot be replayed."""
        path, metadata = self._load(id_)
        with self._checked(id_), own_sheets.known(own_sheets.family_of(metadata)):
            dealer = Dealer(metadata["seed"], metadata["set"], metadata["house"])
        return RecordedMatch(_segments(path), clean_names(metadata["names"]), dealer)

    def remove(self, id_: str) -> bool:
        """Delete a match's files, and its folder if the folder is empty then. Return whether the
        folder was deleted. Raises KeyError if no match has this id."""
        path, _ = self._load(id_)
        _remove_files(path)
        return not path.exists()

    def _load(self, id_: str) -> tuple[Path, dict[str, Any]]:
        """Return (folder, metadata) of a match. Raises KeyError if no match has this id."""
        path = self.folder / id_
        if path.parent == self.folder and id_ not in ("", ".", ".."):
            with contextlib.suppress(Unreadable):
                return path, self._metadata(path)
        raise KeyError(_NO_MATCH % id_)

    def _metadata(self, path: Path) -> dict[str, Any]:
        """Return the metadata of the match in a folder. Raises Unreadable if the folder is a link,
        has no match, or has a match that could not be carried on."""
        if path.is_symlink():
            raise Unreadable("damaged")
        if path.name in self._broken:
            raise Unreadable("broken")
        return match_metadata.load(path)


def _remove_files(path: Path) -> None:
    """Delete the files that this program wrote in a match's folder, and the folder if it is empty
    then."""
    journal = path / JOURNAL
    if journal.is_dir() and not journal.is_symlink():
        for file in journal.iterdir():
            if JOURNAL_FILE.fullmatch(file.name.removesuffix(NEW_SUFFIX)):
                file.unlink()
    (path / (METADATA + NEW_SUFFIX)).unlink(missing_ok=True)
    (path / METADATA).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # not empty
        journal.rmdir()
    with contextlib.suppress(OSError):
        path.rmdir()


def _may_be_folder(entry: "os.DirEntry[str]") -> bool:
    """Return whether an entry of a folder is a sub-folder, or cannot be examined."""
    try:
        return entry.is_dir()
    except OSError:
        return True


def _has_metadata(folder: Path) -> bool:
    """Return whether a folder has the METADATA file of a match, or cannot be entered."""
    try:
        os.lstat(folder / METADATA)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def _timestamp(text: str) -> float:
    """Return a saved time in seconds since 1970."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return 0


def _segments(path: Path) -> dict[int, bytes]:
    return DurableFiles(path, JOURNAL).segments()


def _kept(id_: str, metadata: dict[str, Any]) -> KeptMatch:
    state = metadata.get("told") or {"round": 0, "phase": "lobby", "scores": {}, "winner": None}
    return KeptMatch(
        id_,
        {int(seat): name for seat, name in clean_names(metadata["names"]).items()},
        metadata["people"],
        metadata["seats"],
        metadata["house"],
        metadata["set"],
        metadata["begun"],
        metadata["played"],
        state["round"],
        state["phase"],
        {int(seat): points for seat, points in state["scores"].items()},
        state["winner"],
    )
