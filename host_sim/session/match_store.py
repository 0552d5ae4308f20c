# SPDX-License-Identifier: MIT
"""The matches kept in a folder, one sub-folder each: listed, begun, gone on with, exported.

Nothing is removed unless somebody asks for it, and then only files that this program wrote.
"""

import collections
import contextlib
import os
import re
import shutil
import tempfile
from datetime import datetime
from pathlib import Path

from host_sim.session.dealt_hands import dealer_of
from host_sim.session.durable_files import BESIDE, OURS
from host_sim.session.lesson import Lesson, is_there
from host_sim.session.match_metadata import JOURNAL, METADATA, read_metadata, utc_time
from host_sim.session.match_session import MatchSession
from host_sim.views.player_names import clean_names
from host_sim.views.table_phrases import FIRST_NAMES

# What a list shows of a match. id: its folder's name; names: {seat: text}; people: the seats that
# are no bots'; house: in words; begun, played: times with their zone; totals: {seat: points}.
KeptMatch = collections.namedtuple(
    "KeptMatch", "id names people seats house set begun played round phase totals winner"
)


class MatchStore:
    """A folder of matches. What is in it beside them is left alone; `strange` names the folders
    that the last `matches` could not make anything of, `trouble` is the OSError why it could not
    look, or None."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.strange = []
        self.trouble = None

    def matches(self):
        """Return a KeptMatch for each, newest first, by when it was played last."""
        found = []
        self.strange = []
        for path in self._folders():
            match = _match(path)
            if match:
                found.append(match)
            elif path.name != JOURNAL and not read_metadata(path, "lesson"):
                self.strange.append(path.name)
        return sorted(found, key=lambda match: (_moment(match.played), match.id), reverse=True)

    def _folders(self):
        self.trouble = None
        try:
            with os.scandir(self.folder) as inside:
                return sorted(Path(entry.path) for entry in inside if entry.is_dir())
        except FileNotFoundError:
            pass
        except OSError as error:
            self.trouble = error
        return []

    def new(self, **rules):
        """Begin a match; rules: as MatchSession takes them. Returns it."""
        return MatchSession(self._fresh(), **rules)

    def lesson(self, topic):
        """Begin a Lesson, or go on with the last one where it is not done; returns it."""
        begun = sorted(self.folder.glob("lesson-%s-*/" % topic))
        begun = [path for path in begun if is_there(path)]
        if begun:
            last = Lesson(begun[-1], topic)
            if not last.done:
                return last
            last.session.close()
        return Lesson(self._fresh("lesson-%s-" % topic), topic, names={1: FIRST_NAMES[0]})

    def _fresh(self, before=""):
        """Return a folder that was not there, named by the time. Where none can be made now, the
        match makes it as soon as it can."""
        name = base = before + re.sub("[:T]", "-", utc_time()[:19])
        others = 1
        while True:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                (self.folder / name).mkdir(mode=0o700)  # its seed says every hand
            except OSError as error:
                if not isinstance(error, FileExistsError) or not self.folder.is_dir():
                    return self.folder / name
            else:
                return self.folder / name
            others += 1
            name = "%s-%d" % (base, others)

    def open(self, id_):
        """Go on with a match, or look at a finished one; KeyError where there is none, OSError
        where it cannot be read."""
        return MatchSession.resume(self._path(id_))

    def export(self, id_):
        """Return what the match's hub answers to `export`, a text for each line; KeyError where
        there is no such match. It may be in play meanwhile: a copy is asked."""
        with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder:
            copy = shutil.copytree(self._path(id_), Path(folder) / id_)
            return MatchSession.resume(copy).export()

    def dealer(self, id_):
        """Return who dealt a match, a dealt_hands.Dealer; KeyError where there is none."""
        return dealer_of(read_metadata(self._path(id_)))

    def remove(self, id_):
        """Remove a match for good: the files that this program wrote. Returns whether its folder
        went too: it stays where anything else is in it. KeyError where there is no such match."""
        path = self._path(id_)
        journal = path / JOURNAL
        if journal.is_dir() and not journal.is_symlink():
            for file in journal.iterdir():
                if OURS.fullmatch(file.name.removesuffix(BESIDE)):
                    file.unlink()
        (path / (METADATA + BESIDE)).unlink(missing_ok=True)
        (path / METADATA).unlink()
        with contextlib.suppress(OSError):  # not empty
            journal.rmdir()
        with contextlib.suppress(OSError):
            path.rmdir()
        return not path.exists()

    def _path(self, id_):
        path = self.folder / id_
        if path.parent != self.folder or id_ in ("", ".", "..") or not _match(path):
            raise KeyError("no match %s" % id_)
        return path


def _moment(text):
    """Return a time as it is kept as seconds; older versions wrote local times with their zone."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return 0


def _match(path):
    """Return the KeptMatch of a folder, or None."""
    kept = None if path.is_symlink() else read_metadata(path)
    if not kept:
        return None
    told = kept.get("told") or {"round": 0, "phase": "lobby", "scores": {}, "winner": None}
    return KeptMatch(
        path.name,
        {int(seat): name for seat, name in clean_names(kept["names"]).items()},
        kept["people"],
        kept["seats"],
        kept["house"],
        kept["set"],
        kept["begun"],
        kept["played"],
        told["round"],
        told["phase"],
        {int(seat): points for seat, points in told["scores"].items()},
        told["winner"],
    )
