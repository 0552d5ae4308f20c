# SPDX-License-Identifier: MIT
"""What runs inside the browser: an app with one view, called by the worker in which Python runs.

Nothing waits here: the worker calls, and calls `step` again when `due` says so.
"""

import json
import os
import traceback

from host_sim.page import actions
from host_sim.page.app_state import AppState
from host_sim.page.page_updates import PageUpdates
from host_sim.page.page_view import PageView, Rights
from host_sim.session.match_store import MatchStore
from host_sim.session.name_store import NameStore
from host_sim.views.line_streams import HubSource

PORT = "USB"  # what a port is called: the browser does not say more


class BrowserPage:
    """The page of the one who sits at this browser.

    hello, as JSON: lang, the language; home, the page's address; folder, where the matches are,
    "" where another tab has them; keeps: whether they are kept; serial: whether there is a way to
    a real hub; match: what a link carries, or "". Whatever answers to the worker returns JSON: the
    messages for the page.
    """

    def __init__(self, hello):
        told = json.loads(hello)
        self._folder = told["folder"]
        self._written = ChangedFiles(self._folder)
        self._written.changed()
        self.app = AppState(store=MatchStore(self._folder) if self._folder else None)
        self.app.home = told["home"]
        self.app.serial = told["serial"]
        self.view = PageView(self.app, Rights(owner=True), told["lang"])
        self._news = PageUpdates(self.view)
        self._source = None
        if self._folder and not told["keeps"]:
            self.view.tell(error=self.view.say("site.keeps_nothing"))
        self._safely(self._first_table, told["match"])

    def _first_table(self, match):
        """Show what a link carries, or go on with the match played last."""
        view = self.view
        if match:
            view.take({"do": "look-at-link", "fields": {"text": match}})
        if self.app.table.kind == "empty" and self._folder:
            self.app.carry_on()
        if self.app.table.kind != "empty":
            view.dialog = None

    def _safely(self, act, *args):
        """Do something; what should not happen is said in a sentence, and the page stays."""
        try:
            return act(*args)
        except Exception:
            traceback.print_exc()
            self.view.tell(error=self.view.say("site.went_wrong"))
            return None

    # ---- what the worker calls ----

    def news(self):
        """Return what is new."""
        messages = self._safely(self._news.messages)
        if messages is None:
            messages = self.view.extras()
        typed = self._source.typed() if self._source else b""
        if typed:
            messages.append({"typed": typed.decode()})
        if self._source and self._source.is_closed:
            self._source = None
            messages.append({"cable": "close"})
        return json.dumps(messages)

    def take(self, event):
        """Take an event of the page, as JSON."""
        self._safely(lambda: self.view.take(json.loads(event)))
        return self.news()

    def due(self):
        """Return the seconds until `step` is to be called; None: not before the next input."""
        return self.app.due()

    def step(self):
        """Let the table's time pass."""
        self._safely(self.app.step)
        return self.news()

    def changed(self):
        """Return {path: its bytes, or None where it is gone} of what was written or removed."""
        return self._written.changed()

    def not_kept(self):
        """The browser did not keep something."""
        return json.dumps([{"error": self.view.say("site.not_kept")}])

    # ---- a real hub ----

    def plugged(self, here):
        """The cable to a hub is there, or it is gone."""
        if here:
            if not self._source:
                self._source = CableSource()
                self._safely(self._watch)
            self._source.opened(PORT)
        elif self._source:
            self._source.closed(PORT)
        return self._now()

    def _watch(self):
        names = NameStore(self._folder) if self._folder else None
        self.app.watch(self._source, names.names if names else {}, names and names.keep)
        actions.began(self.view)

    def heard(self, data):
        """Bytes came from the hub."""
        if self._source:
            self._source.heard(data.to_bytes() if hasattr(data, "to_bytes") else bytes(data))
        return self._now()

    def _now(self):
        """Let the table take what the hub said at once."""
        if self.app.due() == 0:
            self._safely(self.app.step)
        return self.news()


class CableSource(HubSource):
    """A hub behind the page's cable. is_closed: nobody looks at it any more."""

    is_closed = False

    def close(self):
        """Let go of the port."""
        self.is_closed = True


class ChangedFiles:
    """What changes in a folder: files as they were when it was last asked."""

    def __init__(self, folder):
        self._folder = folder
        self._before = {}

    def changed(self):
        """Return {path in the folder: bytes, None: gone} of what changed since the last call."""
        now = dict(_files(self._folder, "")) if self._folder else {}
        found = {path: None for path in self._before if path not in now}
        for path, how in now.items():
            if self._before.get(path) != how:
                with open("%s/%s" % (self._folder, path), "rb") as file:
                    found[path] = file.read()
        self._before = now
        return found


def _files(folder, inside):
    """Yield (path, what tells that it was written anew) of all files in a folder."""
    try:
        entries = list(os.scandir(folder + "/" + inside))
    except FileNotFoundError:
        return
    for entry in entries:
        path = inside + entry.name
        if entry.is_dir():
            yield from _files(folder, path + "/")
        else:
            stat = entry.stat()
            yield path, (stat.st_ino, stat.st_mtime_ns, stat.st_size)
