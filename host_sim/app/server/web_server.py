# SPDX-License-Identifier: MIT
"""Serves the page over HTTP: its files, and a web socket for each viewer."""

import asyncio
import contextlib
import errno
import hashlib
import mimetypes
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from microdot import Microdot, Request, Response
from microdot.websocket import WebSocket, WebSocketError

from host_sim.app import page
from host_sim.app.server import addresses, web_socket
from host_sim.app.server.broadcaster import LARGEST, TIMEOUT_S, Broadcaster
from host_sim.app.server.connections import Connections, Listener, limits_for, max_open_files
from host_sim.app.server.doors import Door, OutsideDoor
from host_sim.app.server.outsiders import COOKIE, COOKIE_S, Visitor
from host_sim.app.views.i18n import Translator
from host_sim.app.views.whole_languages import preferred_language

STATIC = Path(page.__file__).with_name("static")
WebSocket.max_message_length = LARGEST
Request.max_body_length = Request.max_content_length = 4096  # no request needs a body
BACKLOG = 100  # connections that the system queues
HEADERS = {
    "Cache-Control": "no-cache",  # revalidate with the ETag
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self' %s; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# notices a browser that vanished: seconds of silence, seconds between probes, probes
KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


class NoPort(Exception):
    """Raised if no port is free; the message is a key in `views/sentences`."""

    def __init__(self, key: str, port: int) -> None:
        super().__init__(key)
        self.port = port


def request_language(request: Request | None) -> str:
    """Return the language in a request's `?lang=`, or else the language that the browser
    prefers."""
    if not request:
        return preferred_language("")
    named = request.args.get("lang", "")
    return preferred_language(named + "," + request.headers.get("Accept-Language", ""), named)


def headers(request: Request | None) -> dict[str, str]:
    """Return the headers of every response through the door of a request."""
    writer: Any = request.sock[1] if request else None
    source = writer.door.socket_source if writer else Door.socket_source
    return {"Content-Security-Policy": POLICY % source, **HEADERS}


def refuse(request: Request | None, status: int, key: str, reason: str) -> Response:
    """Return a response of one sentence.

    reason: the HTTP reason phrase
    """
    text = Translator(request_language(request))("server." + key) + "\n"
    more = {"Content-Type": "text/plain; charset=UTF-8"}
    return Response(text, status, more | headers(request), reason)


def take_port(
    port: int | None = None,
    usual: int | None = None,
    room: str = "",
    first: int | None = None,
) -> socket.socket:
    """Return a socket that listens on a port of this machine alone. Raises NoPort if no port is
    free.

    port: the only port to try, or None for any
    usual: the port to try first if `port` is None, or None
    room: the address in the local network on which the port must be free, too, or ""
    first: the first of the ports to try after `usual`, or None for the page's usual ones
    """
    first = first or addresses.FIRST_PORT
    ports = [*([usual] if usual else []), *range(first, first + addresses.PORTS), 0]
    if port is not None:
        ports = [port]
    for number in ports:
        try:
            found = socket.create_server((addresses.LOCALHOST, number), backlog=BACKLOG)
            if room:
                with contextlib.ExitStack() as unless_free:
                    unless_free.callback(found.close)
                    socket.create_server((room, found.getsockname()[1])).close()
                    unless_free.pop_all()
            return found
        except (OSError, OverflowError) as error:
            key = "denied" if getattr(error, "errno", 0) == errno.EACCES else "taken"
    raise NoPort("server." + key, ports[-1])


def unless_gone(handler: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """Return a handler that is quiet about a browser that goes away while it is answered. Microdot
    would print a traceback."""

    async def handle(request: Request, **more: str) -> Response:
        try:
            return await handler(request, **more)
        except OSError:
            return Response.already_handled

    return handle


class WebServer(Microdot):
    """The web server of one table.

    notify: a function (key, **values) that prints a sentence for the owner.
    """

    def __init__(
        self, broadcaster: Broadcaster, notify: Callable[..., None] | None = None
    ) -> None:
        super().__init__()
        self.broadcaster = broadcaster
        self._notify = notify
        self.door = Door(Connections(limits_for(max_open_files()), notify))
        self.get("/live")(unless_gone(self._live))
        self.post("/seat")(unless_gone(self._seat))
        self.get("/")(unless_gone(self._file))
        self.get("/<path:name>")(unless_gone(self._file))
        self.errorhandler(404)(self._no_page)
        self.errorhandler(405)(self._only_get)
        self.errorhandler(413)(self._bad_request)
        self.errorhandler(400)(self._bad_request)

    def listener(self, listening: socket.socket, door: Door | None = None) -> Listener:
        """Return a Listener of this server for a listening socket.

        door: None for the door of this machine and the local network
        """
        return Listener(listening, door or self.door, self.handle_request)

    def outside(self, name: str) -> OutsideDoor:
        """Return a door for browsers that know this machine by a public name. It gets two fifths
        of the files that this program may open, most of them for invited people."""
        files = max_open_files()
        self.door.connections.limits = limits_for(files * 3 // 5)
        limits = limits_for(files * 2 // 5)
        limits = limits._replace(owners=limits.guests, guests=limits.owners)
        return OutsideDoor(Connections(limits, self._notify), name)

    async def handle_request(self, reader: Any, writer: Any) -> None:
        """Override Microdot's method: add a time limit, and answer invalid requests without a
        traceback."""
        request = None
        try:
            peer = writer.get_extra_info("peername")
            async with asyncio.timeout(TIMEOUT_S):  # wait_for may swallow a cancellation
                request = await Request.create(self, reader, writer, peer)
        except (ValueError, IndexError, EOFError, TimeoutError):
            pass
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
            return
        try:
            answer = await self.dispatch_request(request)
            if answer is not Response.already_handled:
                async with asyncio.timeout(TIMEOUT_S):
                    await answer.write(writer)
                async with asyncio.timeout(TIMEOUT_S):
                    await writer.aclose()
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # the browser has gone or reads nothing, or the server ends: asyncio would log it
        finally:
            writer.transport.abort()  # do not wait for a browser that reads nothing

    async def dispatch_request(self, req: Any) -> Any:
        """Override Microdot's method: refuse a request whose Host header does not name this
        machine as its door does."""
        if req:
            writer = req.sock[1]
            if not writer.door.is_host(req.headers.get("Host", "")):
                return refuse(req, 403, "elsewhere", "Forbidden")
            if writer.door.is_outside:
                network = writer.door.address("", req.headers)
                cookie = req.cookies.get(COOKIE, "")
                writer.connection.is_own = self.broadcaster.outsiders.is_invited(cookie)
                writer.door.connections.name(writer.connection, network)
        return await super().dispatch_request(req)

    async def _file(self, request: Request, name: str = "page.html") -> Response:
        try:
            files = {
                path.relative_to(STATIC).as_posix(): path
                for path in STATIC.rglob("*")
                if path.is_file()
            }
            data = files[name].read_bytes() if name in files else None
        except OSError:  # too many files are open
            return refuse(request, 503, "full", "Service Unavailable")
        if data is None:
            return await self._no_page(request)
        etag = '"%s"' % hashlib.sha256(data).hexdigest()[:20]
        if request.headers.get("If-None-Match") == etag:
            return Response(b"", 304, {"ETag": etag, **headers(request)}, "Not Modified")
        type_ = mimetypes.guess_type(name)[0] or "application/octet-stream"
        type_ = {"js": "text/javascript", "html": "text/html"}.get(name.rpartition(".")[2], type_)
        if type_.startswith("text/"):
            type_ += "; charset=UTF-8"
        return Response(data, 200, {"Content-Type": type_, "ETag": etag, **headers(request)})

    async def _live(self, request: Request) -> Response:
        writer: Any = request.sock[1]
        door: Door = writer.door
        origin = request.headers.get("Origin")
        if origin is not None and not door.is_origin(origin, request.headers["Host"]):
            return refuse(request, 403, "cross_site", "Forbidden")
        tcp_socket = writer.get_extra_info("socket")
        tcp_socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE.items():
            if hasattr(socket, name):
                tcp_socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        socket_of_page = await web_socket.upgrade(request)
        admit = partial(door.connections.admit, writer.connection)
        is_local = door.is_local((writer.get_extra_info("peername") or ("",))[0])
        visitor = None
        if door.is_outside:
            visitor = Visitor(writer.connection.address, request.cookies.get(COOKIE, ""))
        language = request_language(request)
        await self.broadcaster.serve(socket_of_page, language, admit, is_local, visitor)
        try:
            async with asyncio.timeout(1):
                await socket_of_page.close()
        except (OSError, TimeoutError, WebSocketError):
            pass
        return Response.already_handled

    async def _seat(self, request: Request) -> Response:
        """Give a browser outside the cookie for its ticket."""
        writer: Any = request.sock[1]
        door: Door = writer.door
        origin = request.headers.get("Origin", "")
        if not door.is_outside or not door.is_origin(origin, request.headers["Host"]):
            return refuse(request, 403, "cross_site", "Forbidden")
        invitations = self.broadcaster.app.invitations
        secret = invitations.cookie(request.headers.get("X-Ticket", "")) if invitations else ""
        answer = Response(b"", 204, headers(request), "No Content")
        if secret:
            how = "Path=/; Max-Age=%d; Secure; HttpOnly; SameSite=Strict" % COOKIE_S
            answer.headers["Set-Cookie"] = "%s=%s; %s" % (COOKIE, secret, how)
        return answer

    async def _no_page(self, request: Request) -> Response:
        return refuse(request, 404, "no_page", "Not Found")

    async def _only_get(self, request: Request) -> Response:
        return refuse(request, 405, "only_get", "Method Not Allowed")

    async def _bad_request(self, request: Request) -> Response:
        return refuse(request, 400, "bad_request", "Bad Request")
