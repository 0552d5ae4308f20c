# SPDX-License-Identifier: MIT
"""The story as plain lines of text in the terminal, as it happens."""

import os
import re
import select
import sys
import threading

from host_sim.views.i18n import LANGUAGES, Translator
from host_sim.views.player_names import printable
from host_sim.views.story import Story

CHECK_S = 1.0  # how often it is looked whether somebody still reads


def terminal_language(environ=os.environ):
    """Return the language of a terminal, of those there are."""
    said = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    name = re.split("[_.@]", said)[0].lower()
    return name if name in LANGUAGES else "en"


class StoryPrinter:
    """Tells a table's lines, and how a hub on a wire stands.

    source: the HubSource behind the table, or None.
    """

    def __init__(self, language, out=None, source=None):
        self.language = language
        self.out = out or sys.stdout
        self.source = source
        self.names = {}
        self._lines = None
        self._heard = 0
        self._house = None
        self._said = None  # what was told of the source

    def __call__(self, app):
        """Tell what is new in an app: of a match that has just been opened, nothing yet."""
        self.names.clear()
        self.names.update(app.names)
        if app.lines is not self._lines or len(app.lines) < self._heard:
            self._lines, self._heard, self._house = app.lines, 0, None
            self._hear(len(app.lines))
        self._tell_status()
        for said in self._hear(len(app.lines)):
            self.say(said.text)

    def _hear(self, end):
        """Return the StorySentences of the lines up to `end` that were not heard yet."""
        found = []
        while self._heard < end:
            line = self._lines[self._heard]
            house = str(line.get("house", self._house or "")).split(" ")[0]
            if house != self._house:
                self._house = house
                self._story = Story(Translator(self.language, house), self.names)
                for earlier in self._lines[: self._heard]:
                    self._story.line(earlier)
            self._heard += 1
            found += self._story.line(line)
        return found

    def _tell_status(self):
        """Tell how the wire stands, where that is news."""
        status = self.source and self.source.status()
        if status and status != self._said:
            self._said = status
            key, values = status
            self.say(Translator(self.language)(key, **values))

    def say(self, text):
        """Print a line at once."""
        print_line(text, self.out)


def print_line(text, out):
    """Print a line at once: nothing in it does more than show, and a letter that the terminal
    lacks is a question mark."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    print(printable(text).encode(encoding, "replace").decode(encoding), file=out, flush=True)


class LineLog:
    """A source's lines, as an app has them: for a StoryPrinter without a page."""

    def __init__(self, names):
        self.names = names
        self.lines = []


def print_story(source, names, teller):
    """Tell a source's story as lines until Ctrl-C, or until nobody reads or types any more."""
    told = LineLog(names)
    news = threading.Event()
    ended = threading.Event()
    source.wake = news.set
    threading.Thread(target=_wait_for_end, args=(ended, news), daemon=True).start()
    try:
        while not ended.is_set() and _somebody_reads(teller.out):
            news.clear()
            told.lines += source.poll()
            teller(told)
            due = source.due()
            news.wait(CHECK_S if due is None else min(due, CHECK_S))
    except KeyboardInterrupt:
        return
    except BrokenPipeError:
        # the interpreter flushes once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wait_for_end(ended, news):
    """Wait until the terminal or pipe that types is closed; /dev/null is neither."""
    stdin = sys.stdin
    if stdin is None or stdin.closed or os.path.samestat(os.fstat(0), os.stat(os.devnull)):
        return
    try:
        while stdin.buffer.read1(4096):
            pass
    except (OSError, ValueError):
        pass
    ended.set()
    news.set()


def _somebody_reads(out):
    """Return whether the pipe that is written to has a reader; True where that is not known."""
    try:
        watched = select.poll()
        watched.register(out.fileno(), 0)
        return not any(what & (select.POLLERR | select.POLLHUP) for _, what in watched.poll(0))
    except (AttributeError, OSError, ValueError):
        return True
