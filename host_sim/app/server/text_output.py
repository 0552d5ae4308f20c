# SPDX-License-Identifier: MIT
"""The story printed in the terminal, line by line, as it happens."""

import os
import re
import select
import sys
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from host_sim.app.page.app import App
from host_sim.app.page.shown_tables import ShownTable
from host_sim.app.views import whole_languages
from host_sim.app.views.disk_errors import reason
from host_sim.app.views.i18n import Translator
from host_sim.app.views.story import Sentence, Story
from host_sim.table.model import Moment
from host_sim.table.player_names import printable
from host_sim.table.streams import HubStream

CHECK_S = 1.0  # seconds between two checks that the output has a reader


def terminal_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the terminal's language if it is one of WHOLE, otherwise English."""
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    language = re.split("[_.@]", locale)[0].lower()
    return language if language in whole_languages.WHOLE else "en"


def print_line(text: str, out: TextIO) -> None:
    """Print a line and flush the stream.

    Control characters are left out, and letters unknown to the terminal become question marks.
    """
    encoding = getattr(out, "encoding", None) or "utf-8"
    print(printable(text).encode(encoding, "replace").decode(encoding), file=out, flush=True)


class StoryPrinter:
    """Prints a table's story, the connection status of a real hub, and whether a match can be
    saved.

    folder: the matches' folder, or None
    """

    def __init__(
        self,
        language: str,
        out: TextIO | None = None,
        source: HubStream | None = None,
        folder: Path | str | None = None,
    ) -> None:
        self.language = language
        self.out = out or sys.stdout
        self.source = source
        self.names: dict[str, str] = {}
        self._story = Story(Translator(language), self.names)
        self._moments: list[Moment] = []
        self._forgotten = 0  # the moments of the table that came before these
        self._count = 0  # the number of moments in the story
        self._status: Any = None  # the connection status last printed
        self._folder = folder
        self._disk_error = ""  # the reason last printed why the match cannot be saved

    def __call__(self, table: App | ShownTable) -> None:
        """Print what has happened at a table since the last call."""
        self.names.clear()
        self.names.update(table.names)
        self._count -= max(0, table.forgotten - self._forgotten)
        self._forgotten = table.forgotten
        if table.moments is not self._moments or len(table.moments) < self._count:
            self._moments, self._count = table.moments, 0
            self._story = Story(Translator(self.language), self.names)
            self._new_sentences()
        self._print_status()
        self._print_disk_error(table.trouble)
        for sentence in self._new_sentences():
            print_line(sentence.text, self.out)

    def _new_sentences(self) -> list[Sentence]:
        new = self._moments[max(0, self._count) :]
        self._count = len(self._moments)
        return [sentence for moment in new for sentence in self._story.sentences(moment)]

    def _print_status(self) -> None:
        status = self.source.status() if self.source else None
        if status and status != self._status:
            self._status = status
            key, values = status
            print_line(Translator(self.language)(key, **values), self.out)

    def _print_disk_error(self, error: OSError | None) -> None:
        """If the match can no longer be saved, or can be saved again, print a sentence about this
        change."""
        why = reason(error) if error else ""
        if why == self._disk_error:
            return
        self._disk_error = why
        translate = Translator(self.language)
        text = translate("page.kept_again")
        if error:
            text = translate("page.not_kept_" + why, folder=self._folder, why=error.strerror)
        print_line(text, self.out)


def print_story(source: HubStream, names: dict[str, str], printer: StoryPrinter) -> None:
    """Print the story of a hub until Ctrl-C, or until standard input or output is closed."""
    table = ShownTable(names)
    woken = threading.Event()
    ended = threading.Event()
    source.wake = woken.set
    threading.Thread(target=_wait_for_end, args=(ended, woken), daemon=True).start()
    try:
        while not ended.is_set() and _has_reader(printer.out):
            woken.clear()
            _tell(source, table, printer)
            due = source.due()
            woken.wait(CHECK_S if due is None else min(due, CHECK_S))
    except KeyboardInterrupt:
        return
    except BrokenPipeError:
        # the interpreter flushes stdout again when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(source: HubStream, table: ShownTable, printer: StoryPrinter) -> None:
    """Print the story of the lines that have arrived. If an unexpected error occurs, print the
    error and do not raise it."""
    try:
        for line in source.poll():
            table.take(line)
        printer(table)
    except OSError:
        raise  # the terminal is closed
    except Exception:
        traceback.print_exc()


def _wait_for_end(ended: threading.Event, woken: threading.Event) -> None:
    """Wait until standard input is closed, then set both events. Return at once if standard input
    is /dev/null or was never open."""
    stdin = sys.stdin
    if stdin is None or stdin.closed or os.path.samestat(os.fstat(0), os.stat(os.devnull)):
        return
    try:
        while os.read(0, 4096):
            pass
    except (OSError, ValueError):
        pass
    ended.set()
    woken.set()


def _has_reader(out: TextIO) -> bool:
    """Return whether the pipe to which `out` writes has a reader, or cannot be examined."""
    try:
        poll = select.poll()
        poll.register(out.fileno(), 0)
        return not any(what & (select.POLLERR | select.POLLHUP) for _, what in poll.poll(0))
    except (AttributeError, OSError, ValueError):
        return True
