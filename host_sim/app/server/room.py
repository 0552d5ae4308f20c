# SPDX-License-Identifier: MIT
"""Lets other devices in the room open the page: a second socket on this machine's address in the
local network, beside the local one and on the same port. The App says whether it is open."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable

from host_sim.app.server import addresses
from host_sim.app.server.connections import Listener
from host_sim.app.server.web_server import BACKLOG, WebServer

LOOK_S = 5.0  # between two looks at the network


class Room:
    """The room's door.

    port: of the local socket
    tell: a function (key, **values) that prints a sentence for the owner
    """

    def __init__(
        self, web_server: WebServer, port: int, tell: Callable[..., None], lang: str = ""
    ) -> None:
        self._app = web_server.broadcaster.app
        self._web_server = web_server
        self._port = port
        self._tell = tell
        self._lang = lang
        self._asked = asyncio.Event()
        self._address = ""  # where the door is open
        self._listener: Listener | None = None

    async def follow(self) -> None:
        """Open and close the door as the App wants, and follow the network, until cancelled."""
        self._app.on_room = self._asked.set
        try:
            while True:
                self._asked.clear()
                await self.look()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S if self._app.is_room_let_in else None):
                        await self._asked.wait()
        finally:
            if self._listener:
                self._listener.end()

    async def look(self) -> None:
        """Open or close the door if the App or the network has changed."""
        is_wanted = bool(self._app.is_room_let_in)
        address = addresses.room_address() if is_wanted else ""
        if self._listener and address == self._address:
            return
        if self._listener:
            self._listener.end()
            self._listener = None
        url, trouble = "", ""
        if address:
            try:
                await self._open(address)
                url = addresses.page_url(address, self._port, lang=self._lang)
            except OSError as error:
                is_gone = error.errno == errno.EADDRNOTAVAIL
                trouble = "server.no_room" if is_gone else "server.room_taken"
        elif is_wanted:
            trouble = "server.no_room"
        self._show(url, trouble)

    async def _open(self, address: str) -> None:
        listening = socket.create_server((address, self._port), backlog=BACKLOG)
        self._listener = self._web_server.listener(listening)
        self._address = address
        await self._listener.start_serving()

    def _show(self, url: str, trouble: str) -> None:
        before = self._app.room_url, self._app.room_trouble
        if (url, trouble) == before:
            return
        self._app.room_url, self._app.room_trouble = url, trouble
        self._web_server.broadcaster.wake()
        if url:
            self._tell("server.room", address=url)
        elif trouble:
            self._tell(trouble)
        else:
            self._tell("server.room_closed")
