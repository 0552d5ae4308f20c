# SPDX-License-Identifier: MIT
"""The program inside the browser: one App with one viewer.

No function here waits. The browser's worker calls `step` after the seconds that `due` returns.
"""

import json
import os
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from host_sim.app.page import actions
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.people.name_store import NameStore
from host_sim.app.session.match_store import MatchStore
from host_sim.table.raw_repl import START
from host_sim.table.streams import HubStream

PORT = "USB"  # shown as the port's name, which a browser hides


class BrowserPage:
    """The page of the person at this browser. Methods that return text return messages for the
    page, as JSON.

    hello: the settings, as JSON with these keys:
        lang: the language
        home: the page's address
        folder: the folder of the matches, or "" if another tab uses it
        keeps: whether the matches are stored
        tv: whether the page is opened for a television
        serial: whether the browser can connect to a real hub
        match: the text in a link to a match, or ""
    """

    def __init__(self, hello: str) -> None:
        settings = json.loads(hello)
        self._folder = settings["folder"]
        self._changes = FolderChanges(self._folder)
        self._changes.take()
        self.app = App(store=MatchStore(self._folder) if self._folder else None)
        self.app.site_url = settings["home"]
        self.app.has_web_serial = settings["serial"]
        self.page = ViewerPage(
            self.app, Rights(owner=True, television=bool(settings.get("tv"))), settings["lang"]
        )
        self.viewer = self.page.viewer
        self._source: WebSerialSource | None = None
        self._at_end = ""  # what the page types on the hub's console when it is closed
        if self._folder and not settings["keeps"]:
            self.viewer.send(error=self.viewer.translate("site.keeps_nothing"))
        self._safely(self._first_table, settings["match"])

    def _first_table(self, link: str) -> None:
        """Show the match in a link. Without a link, continue the match played last."""
        if link:
            self.page.handle({"do": "look-at-link", "fields": {"text": link}})
        if self.app.table.kind == "empty" and self._folder:
            self.app.continue_match()
        if self.app.table.kind != "empty":
            self.viewer.dialog.close()

    def _safely(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function; show a sentence if it raises an unexpected error."""
        try:
            return function(*args)
        except Exception:
            traceback.print_exc()
            self.viewer.send(error=self.viewer.translate("site.went_wrong"))
            return None

    # ---- what the worker calls ----

    def messages(self) -> str:
        """Return messages about what has changed since the last call."""
        messages = self._safely(self.page.messages)
        if messages is None:
            messages = self.viewer.take_messages()
        typed = self._source.take_output() if self._source else b""
        if typed:
            messages.append({"typed": typed.decode()})
        at_end = START.decode() if self._source and self._source.is_in_repl else ""
        if at_end != self._at_end:
            self._at_end = at_end
            messages.append({"typedAtEnd": at_end})
        if self._source and self._source.is_closed:
            self._source = None
            messages.append({"serial": "close"})
        return json.dumps(messages)

    def handle(self, event: str) -> str:
        """Handle an event, as JSON, from the page; return the messages for the page."""
        self._safely(lambda: self.page.handle(json.loads(event)))
        return self.messages()

    def due(self) -> float | None:
        """Return the seconds until the next `step`, or None if the table waits for an input."""
        return self.app.due()

    def step(self) -> str:
        """Do what is due at the table, such as a bot's move; return the messages for the page."""
        self._safely(self.app.step)
        return self.messages()

    def take_changed_files(self) -> dict[str, bytes | None]:
        """Return {path: content, or None if deleted} for the files changed since the last call."""
        return self._changes.take()

    def report_storage_failure(self) -> str:
        """Return the messages that say that the browser could not store the files."""
        return json.dumps([{"error": self.viewer.translate("site.not_kept")}])

    # ---- a real hub ----

    def set_connected(self, is_open: bool) -> str:
        """Note whether the hub's serial port is open; return the messages for the page."""
        if is_open:
            if not self._source:
                self._source = WebSerialSource()
                self._safely(self._watch, self._source)
            self._source.opened(PORT)
        elif self._source:
            self._source.closed(PORT)
        return self._poll()

    def _watch(self, source: HubStream) -> None:
        names = NameStore(self._folder) if self._folder else None
        self.app.watch(source, names.names if names else {}, names.save if names else None)
        actions.clear_view(self.viewer)

    def receive(self, data: Any) -> str:
        """Take data from the hub and return the messages for the page.

        data: bytes, or a JavaScript Uint8Array.
        """
        if self._source:
            self._source.received(data.to_bytes() if hasattr(data, "to_bytes") else bytes(data))
        return self._poll()

    def _poll(self) -> str:
        if self.app.due() == 0:
            self._safely(self.app.step)
        return self.messages()


class WebSerialSource(HubStream):
    is_closed = False

    def close(self) -> None:
        """Ask the worker to close the serial port."""
        self.is_closed = True


class FolderChanges:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._before: dict[str, tuple[int, int, int]] = {}

    def take(self) -> dict[str, bytes | None]:
        """Return {path in the folder: content, or None if deleted} for the files changed since the
        last call."""
        now = dict(_versions(self._folder, "")) if self._folder else {}
        changes: dict[str, bytes | None] = {path: None for path in self._before if path not in now}
        for path, version in now.items():
            if self._before.get(path) != version:
                with open("%s/%s" % (self._folder, path), "rb") as file:
                    changes[path] = file.read()
        self._before = now
        return changes


def _versions(folder: str, inside: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield (path, version) for every file in a folder; each write changes the version."""
    try:
        entries = list(os.scandir(folder + "/" + inside))
    except FileNotFoundError:
        return
    for entry in entries:
        path = inside + entry.name
        if entry.is_dir():
            yield from _versions(folder, path + "/")
        else:
            stat = entry.stat()
            yield path, (stat.st_ino, stat.st_mtime_ns, stat.st_size)
