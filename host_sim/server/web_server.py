# SPDX-License-Identifier: MIT
"""The page behind HTTP: its files, a web socket for each viewer, an answer for the rest."""

import asyncio
import errno
import hashlib
import mimetypes
import socket
from functools import partial
from pathlib import Path

from microdot import Microdot, Request, Response
from microdot.websocket import WebSocket, WebSocketError, websocket_upgrade

from host_sim import page
from host_sim.server import addresses
from host_sim.server.connections import Connections, Listener, may_open, places
from host_sim.server.viewers import LARGEST, PATIENCE_S
from host_sim.views.i18n import Translator, negotiate_language

STATIC = Path(page.__file__).with_name("static")
WebSocket.max_message_length = LARGEST
Request.max_body_length = Request.max_content_length = 4096  # nobody has to send a body
WAITING = 100  # connections that the system holds until they are taken
HEADERS = {
    "Cache-Control": "no-cache",  # to be asked for anew, with its ETag
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'self' ws:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
# A browser that has gone without a word is noticed: seconds of silence, between tries, tries.
KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


class PortUnavailable(Exception):
    """No port to listen at; the text is the key of a sentence, `port` which one it was."""

    def __init__(self, key, port):
        super().__init__(key)
        self.port = port


def asked_language(request):
    """Return the language of a request: `?lang=`, else the browser's."""
    if not request:
        return negotiate_language("")
    return negotiate_language(
        request.args.get("lang", "") + "," + request.headers.get("Accept-Language", "")
    )


def refuse(request, status, key, reason):
    """Return an answer that is one sentence."""
    said = Translator(asked_language(request))("server." + key)
    kind = {"Content-Type": "text/plain; charset=UTF-8", **HEADERS}
    return Response(said + "\n", status, kind, reason)


class WebServer(Microdot):
    """The server of one table.

    broadcaster: a Broadcaster; static: the folder of the page's files; tell: as Connections'.
    """

    def __init__(self, broadcaster, static=STATIC, tell=None):
        super().__init__()
        self.broadcaster = broadcaster
        self.connections = Connections(places(may_open()), tell)
        self.static = static
        self.get("/live")(self._live)
        self.get("/")(self._file)
        self.get("/<path:name>")(self._file)
        self.errorhandler(404)(self._no_page)
        self.errorhandler(405)(self._only_get)
        self.errorhandler(413)(self._bad_request)
        self.errorhandler(400)(self._bad_request)

    async def listen(self, everywhere=False, at=None):
        """Listen at a port, or at the next free one; return (a Listener, port).

        Raises PortUnavailable.
        """
        host = addresses.ANYWHERE if everywhere else addresses.HOME
        first = addresses.FIRST_PORT
        tried = [at] if at is not None else [*range(first, first + addresses.PORTS), 0]
        for port in tried:
            try:
                taken = socket.create_server((host, port), backlog=WAITING)
                found = Listener(taken, self.connections, self.handle_request)
                return found, taken.getsockname()[1]
            except (OSError, OverflowError) as error:
                key = "denied" if getattr(error, "errno", 0) == errno.EACCES else "taken"
        raise PortUnavailable("server." + key, tried[-1])

    async def handle_request(self, reader, writer):
        """As Microdot's, but what is no request gets a plain answer in time, and no traceback."""
        request = None
        try:
            peer = writer.get_extra_info("peername")
            async with asyncio.timeout(PATIENCE_S):  # wait_for may miss that all is to end
                request = await Request.create(self, reader, writer, peer)
        except (ValueError, IndexError, EOFError, TimeoutError):
            pass
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
            return
        try:
            answer = await self.dispatch_request(request)
            if answer is not Response.already_handled:
                async with asyncio.timeout(PATIENCE_S):
                    await answer.write(writer)
                async with asyncio.timeout(PATIENCE_S):
                    await writer.aclose()
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # it is gone, takes nothing, or the server ends: asyncio would say that aloud
        finally:
            writer.transport.abort()  # nothing is held up for a browser that takes nothing

    async def dispatch_request(self, req):
        """As Microdot's, for those who ask under a name that is ours."""
        if req and not addresses.may_ask(req.headers.get("Host", "")):
            return refuse(req, 403, "elsewhere", "Forbidden")
        return await super().dispatch_request(req)

    async def _file(self, request, name="page.html"):
        try:
            files = {
                path.relative_to(self.static).as_posix(): path
                for path in self.static.rglob("*")
                if path.is_file()
            }
            data = files[name].read_bytes() if name in files else None
        except OSError:  # too many files are open
            return refuse(request, 503, "full", "Service Unavailable")
        if data is None:
            return await self._no_page(request)
        tag = '"%s"' % hashlib.sha256(data).hexdigest()[:20]
        if request.headers.get("If-None-Match") == tag:
            return Response(b"", 304, {"ETag": tag, **HEADERS}, "Not Modified")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind = {"js": "text/javascript", "html": "text/html"}.get(name.rpartition(".")[2], kind)
        if kind.startswith("text/"):
            kind += "; charset=UTF-8"
        return Response(data, 200, {"Content-Type": kind, "ETag": tag, **HEADERS})

    async def _live(self, request):
        origin = request.headers.get("Origin")
        if origin is not None and origin.lower() != "http://" + request.headers["Host"].lower():
            return refuse(request, 403, "cross_site", "Forbidden")
        connection = request.sock[1].get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        viewer = await websocket_upgrade(request)
        admit = partial(self.connections.admit, request.sock[1].connection)
        await self.broadcaster.welcome(viewer, asked_language(request), admit)
        try:
            async with asyncio.timeout(1):
                await viewer.close()
        except (OSError, TimeoutError, WebSocketError):
            pass
        return Response.already_handled

    async def _no_page(self, request):
        return refuse(request, 404, "no_page", "Not Found")

    async def _only_get(self, request):
        return refuse(request, 405, "only_get", "Method Not Allowed")

    async def _bad_request(self, request):
        return refuse(request, 400, "bad_request", "Bad Request")
