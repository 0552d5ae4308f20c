# SPDX-License-Identifier: MIT
"""Opens a table's page: starts a server, prints its address and opens a browser."""

import argparse
import asyncio
import contextlib
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from host_sim import COMMAND
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server import addresses, text_output
from host_sim.app.server.broadcaster import Broadcaster
from host_sim.app.server.connections import Listener
from host_sim.app.server.room import Room
from host_sim.app.server.web_server import NoPort, WebServer, take_port
from host_sim.app.views.i18n import Translator
from host_sim.maker import CommandError
from host_sim.table.streams import HubStream

START_S = 2.0  # how long another program may take to tell its address


class PageLauncher:
    """Opens pages according to the options on the command line.

    lang: "" for the language of the browser and the terminal
    shared: whether other people in the room are let in from the start
    port: None for the next free port
    outside: the page's public name, or ""
    outside_port: the port for a proxy of that name, None for the next free one
    colour: whether the QR code may be black on white
    """

    def __init__(
        self,
        lang: str = "",
        shared: bool = False,
        port: int | None = None,
        browser: bool = True,
        colour: bool = False,
        outside: str = "",
        outside_port: int | None = None,
    ) -> None:
        self.lang = lang
        self.language = lang or text_output.terminal_language()
        self.translate = Translator(self.language)
        self.shared = shared
        self.port = port
        self.browser = browser
        self.colour = colour
        self.outside = outside
        self.outside_port = outside_port
        self._listening: socket.socket | None = None  # taken by `port_taken`

    @classmethod
    def from_args(cls, args: argparse.Namespace, colour: bool = False) -> "PageLauncher":
        """Return a launcher for the command line's parsed arguments, which `command.add_page`
        defines."""
        outside = args.at if isinstance(args.at, str) else ""
        port = None if outside else args.at
        outside_port = getattr(args, "at_port", None)
        browser = not args.no_browser
        return cls(args.lang, args.host, port, browser, colour, outside, outside_port)

    def open_running(self, url: str, look: Callable[[], str] = str) -> int:
        """Open the page of another program that already plays these matches; return the exit
        status.

        url: that page's address, or "" if it is not known yet
        look: a function that returns the address, or ""; called repeatedly for a few seconds while
            `url` is ""
        """
        ends = time.monotonic() + START_S
        while not url and time.monotonic() < ends:
            time.sleep(0.05)
            url = look()
        if url:
            self.print_sentence("server.played", address=url)
        else:
            self.print_sentence("server.played_there")
        if url and self.browser and addresses.has_display():
            webbrowser.open(url)
        return 0

    @contextlib.contextmanager
    def port_taken(self, usual: int | None = None) -> Iterator[int]:
        """Return a context manager that reserves the port for `serve`; its value is the port.
        Raises CommandError if no port is free.

        usual: the preferred port, which pages and phones know, or None
        """
        try:
            self._listening = self._take_port(usual)
        except NoPort as error:
            raise self._no_port(error) from None
        try:
            yield self._listening.getsockname()[1]
        finally:
            self._listening.close()
            self._listening = None

    def _take_port(self, usual: int | None = None) -> socket.socket:
        room = addresses.room_address() if self.shared else ""
        return take_port(self.port, usual, room)

    def _no_port(self, error: NoPort) -> CommandError:
        return CommandError(self.translate(str(error), port=error.port))

    def serve(
        self,
        app: App,
        make_page: Callable[[App, Rights, str], ViewerPage],
        key: str,
        source: HubStream | None = None,
        listeners: Iterable[Callable[[App], None]] = (),
        playing: bool = False,
        on_url: Callable[[str], None] | None = None,
    ) -> int:
        """Serve an App until Ctrl-C; return the exit status. Raises CommandError if no port is
        free.

        make_page, key, listeners: as for Broadcaster
        source: a real hub, which wakes the Broadcaster from another thread, or None
        playing: whether matches are played and stored
        """
        broadcaster = Broadcaster(app, make_page, key, listeners, self.lang)
        if source:
            source.wake = broadcaster.wake
        try:
            asyncio.run(self._serve(broadcaster, playing, on_url))
        except NoPort as error:
            raise self._no_port(error) from None
        except KeyboardInterrupt:
            print()
            print(self.translate("server.stopped"))
        finally:
            app.close()
        return 0

    async def _serve(
        self, broadcaster: Broadcaster, playing: bool, on_url: Callable[[str], None] | None
    ) -> None:
        web_server = WebServer(broadcaster, notify=self.print_sentence)
        listening = self._listening or self._take_port()
        port = listening.getsockname()[1]
        server = web_server.listener(listening)
        room = Room(web_server, port, self._tell_room, self.lang)
        outside = self._outside(web_server)
        try:
            await server.start_serving()
            if outside:
                await outside.start_serving()
            url = addresses.page_url(addresses.LOCALHOST, port, broadcaster.key, self.lang)
            if on_url:
                on_url(url)
            broadcaster.app.is_room_let_in = self.shared
            for line in self._greeting(url, playing):
                print(line)
            if outside:
                broadcaster.app.open_outside("https://%s/" % self.outside)
                inside = outside.sockets[0].getsockname()[1]
                print(self.translate("outside.forward", name=self.outside, port=inside))
            await room.look()
            sys.stdout.flush()
            if self.browser and addresses.has_display():
                threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
            following = asyncio.create_task(room.follow())
            try:
                await broadcaster.run()
            finally:
                following.cancel()
        finally:
            server.close()
            if outside:
                outside.close()

    def _outside(self, web_server: WebServer) -> Listener | None:
        if not self.outside:
            return None
        listening = take_port(self.outside_port, first=addresses.FIRST_OUTSIDE)
        return web_server.listener(listening, web_server.outside(self.outside))

    def print_sentence(self, key: str, **values: Any) -> None:
        text_output.print_line(self.translate(key, **values), sys.stdout)

    def _tell_room(self, key: str, **values: Any) -> None:
        self.print_sentence(key, **values)
        if key == "server.room":
            print(addresses.qr_code(values["address"], self.colour), flush=True)

    def _greeting(self, url: str, playing: bool) -> Iterator[str]:
        yield self.translate("server.address", address=url)
        if self.shared:
            yield self.translate("server.yours")
        elif playing:
            yield self.translate("server.phones", entry=self.translate("page.phones"))
        yield self.translate("server.stop" if playing else "server.stop_looking")
        if playing:
            yield self.translate("server.type", command=COMMAND + " type")
        yield ""
