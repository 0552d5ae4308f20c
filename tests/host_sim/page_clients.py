# SPDX-License-Identifier: MIT
"""Shared by the tests of the server: an app to show, a running server, a minimal browser."""

import asyncio
import base64
import contextlib
import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from host_sim.app.page.rights import Rights
from host_sim.app.server.broadcaster import Broadcaster
from host_sim.app.server.room import Room
from host_sim.app.server.web_server import WebServer, take_port

KEY = "k" * 32
Response = tuple[int, dict[str, str], bytes]  # status, headers, body


class Counter:
    """Stands in for the table: counts inputs, and nothing moves by itself."""

    kind = "watch"
    trouble = None

    def __init__(self) -> None:
        self.version = self.count = self.steps = self.forgotten = 0
        self.names: dict[int, str] = {}
        self.moments: list[Any] = []
        self.left: float | None = None

    def due(self) -> float | None:
        self.asked = getattr(self, "asked", 0) + 1
        return self.left

    def step(self) -> None:
        self.steps += 1
        self.left = None
        self.count += 10
        self.version += 1


class CounterApp:
    is_room_let_in: bool | None = None
    room_url = room_trouble = match_id = ""
    invitations = None

    def __init__(self, table: Counter | None = None) -> None:
        self.table = table or Counter()

    state_key = property(lambda self: self.table.version)
    names = property(lambda self: self.table.names)
    moments = property(lambda self: self.table.moments)
    forgotten = property(lambda self: self.table.forgotten)
    trouble = None

    def due(self) -> float | None:
        return self.table.due()

    def step(self) -> None:
        self.table.step()

    def close(self) -> None:
        pass


class CounterPage:
    """A page with three components and a few actions."""

    def __init__(self, app: Any, rights: Rights, language: str) -> None:
        self.table = app.table
        self.rights = rights
        self.language = language
        self.shown: dict[str, str] = {}
        self.more: list[dict[str, Any]] = []
        self.big = 0

    def close(self) -> None:
        """The browser has gone."""

    def handle(self, event: Mapping[str, str]) -> None:
        match event.get("do", "").split():
            case ["add"] if self.rights.owner:
                self.table.count += 1
                self.table.version += 1
            case ["later"]:
                self.table.left = 0.01
            case ["ring"]:
                self.more.append({"sound": "yes"})
            case ["big"]:
                self.big += 1
                self.table.version += 1
            case ["break"]:
                raise RuntimeError("a fault in the page")

    def messages(self) -> list[dict[str, Any]]:
        who = "%s %s %s" % (self.rights.owner, self.rights.browser_id, self.language)
        now = {
            "who": who,
            "count": str(self.table.count),
            "big": "%d" % self.big * 10**6 * self.big,
        }
        show = {name: html for name, html in now.items() if self.shown.get(name) != html}
        self.shown = now
        more, self.more = self.more, []
        return [*([{"show": show}] if show else []), *more]


class Running:
    """A server in a thread.

    room: whether it has a door to the room, which listens when the app lets the room in
    outside: the public name of its door for a proxy, or ""

    port, outside_port: of the local socket and of the proxy's
    told: the keys of the sentences about the room
    """

    def __init__(
        self,
        app: Any,
        make_page: Any = CounterPage,
        port: int | None = 0,
        listeners: Sequence[Any] = (),
        room: bool = False,
        outside: str = "",
    ) -> None:
        self.app = app
        self.told: list[str] = []
        self.broadcaster = Broadcaster(app, make_page, KEY, listeners)
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(port, room, outside)), daemon=True
        )
        self._thread.start()
        assert self._ready.wait(20)

    async def _run(self, port: int | None, room: bool, outside: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        web_server = WebServer(self.broadcaster)
        sockets = [take_port(port), *([take_port(0)] if outside else [])]
        self.port, self.outside_port = (sockets[n].getsockname()[1] for n in (0, -1))
        self.door = web_server.outside(outside) if outside else web_server.door
        self.server = web_server.listener(sockets[0])
        listeners = [self.server]
        if outside:
            listeners.append(web_server.listener(sockets[1], self.door))
        for listener in listeners:
            await listener.start_serving()
        tasks = [asyncio.create_task(self.broadcaster.run())]
        if room:
            door = Room(web_server, self.port, lambda key, **values: self.told.append(key))
            tasks.append(asyncio.create_task(door.follow()))
        self._ready.set()
        await self._ended.wait()
        for task in tasks:
            task.cancel()
        for listener in listeners:
            listener.close()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()


@contextlib.contextmanager
def running(app: Any = None, **how: Any) -> Iterator[Running]:
    """Run a server for the duration of a `with` block.

    app: the app to show, or None for a CounterApp
    """
    server = Running(app or CounterApp(), **how)
    try:
        yield server
    finally:
        server.end()


def ask(port: int, head: str, host: str | None = None) -> Response:
    """Send a request; return (status, {header: value}, body) of the response.

    head: the request line without its version, such as `GET /`, then further header lines
    """
    first, *rest = head.split("\n")
    lines = [first + " HTTP/1.1", "Host: " + (host or "127.0.0.1:%d" % port), *rest, "", ""]
    return talk(port, "\r\n".join(lines).encode())


def talk(port: int, data: bytes, seconds: float = 20) -> Response:
    """Send bytes; return (status, {header: value}, body) of the response."""
    with socket.create_connection(("127.0.0.1", port), seconds) as out:
        out.sendall(data)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while part := out.recv(65536):
                answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in rest)
    return int(first.split()[1]), {k.lower(): v for k, v in headers.items()}, body


class Browser:
    """A viewer's web socket, and the page that the viewer received.

    shown: {component: its HTML}
    got: every message; raw: their bytes
    """

    def __init__(
        self,
        port: int,
        key: str = "",
        me: str = "",
        lang: str = "",
        headers: Sequence[str] = (),
        greets: bool = True,
        seconds: float = 20,
        at: str = "127.0.0.1",
        host: str | None = "",
    ) -> None:
        self.shown: dict[str, str] = {}
        self.got: list[dict[str, Any]] = []
        self.raw = bytearray()
        self._out = socket.create_connection((at, port), seconds)
        self._in = self._out.makefile("rb")
        self._out.sendall(
            "\r\n".join(
                [
                    "GET /live HTTP/1.1",
                    *([] if host is None else [host or "Host: %s:%d" % (at, port)]),
                    *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
                    "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(),
                    *(*headers, "", ""),
                ]
            ).encode()
        )
        assert b" 101 " in self._in.readline()
        while self._in.readline() != b"\r\n":
            pass
        if greets:
            self.send({"hello": {"key": key, "me": me, "lang": lang}})
            self.until(lambda: self.shown)

    def send(self, event: Any) -> None:
        self.send_bytes((event if isinstance(event, str) else json.dumps(event)).encode())

    def send_bytes(self, data: bytes, opcode: int = 1, last: bool = True) -> None:
        """Send a frame, masked as a browser does (RFC 6455, 5.2).

        last: whether it is the last of its message
        """
        mask = b"\1\2\3\4"
        size = len(data)
        long = struct.pack(">H", size) if size < 65536 else struct.pack(">Q", size)
        length = bytes([0x80 | size]) if size < 126 else bytes([254 + (size > 65535)]) + long
        body = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        self._out.sendall(bytes([0x80 * last | opcode]) + length + mask + body)

    def read(self) -> dict[str, Any] | None:
        """Return the next message, or None if the server has closed the connection."""
        head = self._in.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return None
        size = head[1]
        if size > 125:
            size = int.from_bytes(self._in.read(2 if size == 126 else 8), "big")
        data = self._in.read(size)
        self.raw += data
        message = json.loads(data)
        self.shown.update(message.get("show", {}))
        self.got.append(message)
        return message

    def until(self, done: Callable[[], object]) -> None:
        while not done():
            assert self.read() is not None, "closed; it showed %s" % self.shown

    def close(self) -> None:
        """Close the connection without a closing handshake."""
        self._in.close()
        self._out.close()
