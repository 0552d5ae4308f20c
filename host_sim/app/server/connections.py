# SPDX-License-Identifier: MIT
"""Limits the number of connections per address and in total, and chooses which to close.

A connection is new until its browser has sent its first message. A new connection is always
accepted. If there are then too many, the oldest new connection of the address with the most new
connections is closed. So idle connections cannot lock out a browser.

The owner's addresses are those of this machine and all addresses that have sent the owner's key.
New connections from the owner's addresses have their own limit, and so have viewers with the
owner's key.
"""

import asyncio
import collections
import contextlib
import errno
import ipaddress
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from host_sim.app.server.doors import Door

MOST = 400  # connections in all, if the program may open enough files
DEFAULT_FILES = 1024  # files it may open, if the system has no limit
NEW_PER_ADDRESS = 24  # new connections; a page that loads needs 7
GUESTS_PER_ADDRESS = 32  # viewers without the key
LONGEST_HEAD = 64 * 1024  # bytes of a request's head
NOTIFY_S = 60  # seconds between two lines about closed connections
RETRY_S = 0.1  # wait after a connection could not be accepted
CLOSING_S = 0.005  # the same wait if another connection was just closed
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Limits(NamedTuple):
    """The most connections of each kind.

    own_new: new connections from the owner's addresses
    new: new connections from other addresses
    owners: viewers with the owner's key
    guests: viewers without the owner's key
    """

    own_new: int
    new: int
    owners: int
    guests: int


def max_open_files() -> int:
    """Return how many files, including connections, this program may have open at once."""
    try:
        import resource

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return MOST * 8 if files == resource.RLIM_INFINITY else files
    except (ImportError, OSError):  # Windows
        return DEFAULT_FILES


def limits_for(files: int) -> Limits:
    """Return the Limits for a program that may have this many files open; three eighths stay free
    for other uses."""
    most = min(MOST, files * 5 // 8)
    return Limits(most // 8, most // 4, most // 8, most // 2)


class Connection:
    """One connection to a browser.

    address: "" if it is unknown
    close: ends the connection
    """

    def __init__(
        self, address: str, is_own: bool, close: Callable[[], object] | None = None
    ) -> None:
        self.address = address
        self.is_own = is_own
        self.close = close or (lambda: None)
        self.transport: asyncio.Transport | None = None


class Connections:
    """All connections of a server.

    notify: a function (key, **values) that prints a sentence for the owner, at most once in
        NOTIFY_S seconds
    """

    def __init__(
        self,
        limits: Limits,
        notify: Callable[..., None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits
        self.new: list[Connection] = []  # oldest first
        self.owners: list[Connection] = []
        self.guests: list[Connection] = []
        self._own_addresses: set[str] = set()  # have sent the owner's key
        self._notify_owner = notify or (lambda key, **values: None)
        self._clock = clock
        self._quiet_until: float | None = None

    def is_own(self, address: str, local: str) -> bool:
        """Return whether an address is one of the owner's.

        local: this machine's own address on the same connection.
        """
        if address == local or address in self._own_addresses:
            return True
        try:
            return ipaddress.ip_address(address).is_loopback
        except ValueError:
            return False

    def add(self, connection: Connection) -> None:
        """Add a new connection. If there are now too many new connections, close the oldest one:
        from the address of `connection` if that address has too many, otherwise from the address
        that has the most."""
        self.new.append(connection)
        rivals = [other for other in self.new if other.is_own == connection.is_own]
        counts = collections.Counter(other.address for other in rivals)
        limit = self.limits.own_new if connection.is_own else self.limits.new
        if connection.address and counts[connection.address] > NEW_PER_ADDRESS:
            self._close_oldest(rivals, connection.address)
        elif len(rivals) > limit:
            self._close_oldest(rivals, counts.most_common(1)[0][0])

    def name(self, connection: Connection, address: str) -> None:
        """Set a new connection's address once its head tells it. If there are now too many of that
        address, close its oldest one."""
        connection.address = address
        rivals = [other for other in self.new if other.address == address]
        if address and len(rivals) > NEW_PER_ADDRESS:
            self._close_oldest(rivals, address)

    def admit(self, connection: Connection, is_owner: bool) -> bool:
        """Turn a new connection into a viewer's. Return False if there are too many viewers, or if
        the connection has been closed."""
        if connection not in self.new:
            return False  # it was closed meanwhile
        if is_owner:
            self._own_addresses.add(connection.address)
            is_full = len(self.owners) >= self.limits.owners
        else:
            others = [other.address for other in self.guests if other.address]
            is_full = len(self.guests) >= self.limits.guests
            is_full = is_full or others.count(connection.address) >= GUESTS_PER_ADDRESS
        if is_full:
            self._notify("server.crowded", address=connection.address)
            return False
        self.new.remove(connection)
        (self.owners if is_owner else self.guests).append(connection)
        return True

    def remove(self, connection: Connection) -> None:
        for group in (self.new, self.owners, self.guests):
            if connection in group:
                group.remove(connection)

    def out_of_files(self) -> bool:
        """Close a new connection, because file descriptors have run out; return False if there is
        no new connection."""
        candidates = [one for one in self.new if not one.is_own] or self.new
        if candidates:
            self._close(candidates[0])
        self._notify("server.no_files")
        return bool(candidates)

    def _close_oldest(self, rivals: Iterable[Connection], address: str) -> None:
        self._close(next(one for one in rivals if one.address == address))
        self._notify("server.crowded", address=address)

    def _close(self, connection: Connection) -> None:
        self.new.remove(connection)
        connection.close()

    def _notify(self, key: str, **values: Any) -> None:
        now = self._clock()
        if self._quiet_until is None or now >= self._quiet_until:
            self._quiet_until = now + NOTIFY_S
            with contextlib.suppress(OSError):
                self._notify_owner(key, **values)


class RequestReader(asyncio.StreamReader):
    """A stream reader that limits the length of an HTTP request's head."""

    _head = 0  # bytes of the head so far

    async def readline(self) -> bytes:
        line = await super().readline()
        self._head += len(line)
        if self._head > LONGEST_HEAD:
            raise ValueError("a request's head is longer than %d bytes" % LONGEST_HEAD)
        return line


class Writer(asyncio.StreamWriter):
    """A stream writer with the methods that the web framework Microdot calls.

    door: through which the connection came in
    """

    connection: Connection
    door: "Door"

    async def awrite(self, data: bytes) -> None:
        """Write data, then wait while the stream has too much unsent data."""
        self.write(data)
        await self.drain()

    async def aclose(self) -> None:
        self.close()
        await self.wait_closed()


class Listener:
    """Accepts connections on listening sockets.

    serve: a coroutine function (reader, writer) that handles one connection

    `sockets`, `start_serving` and `close` are named as in asyncio.Server.
    """

    def __init__(
        self,
        listening: socket.socket,
        door: "Door",
        serve: Callable[[RequestReader, Writer], Awaitable[None]],
    ) -> None:
        listening.setblocking(False)
        self.sockets = [listening]
        self._door = door
        self._connections = door.connections
        self._serve = serve
        self._task: asyncio.Task[None] | None = None
        self._accepted: set[Connection] = set()

    async def start_serving(self) -> None:
        self._task = asyncio.create_task(self._accept(*self.sockets))

    def close(self) -> None:
        """Stop accepting connections. Open connections stay open."""
        if self._task:
            self._task.cancel()
        else:
            self.sockets[0].close()

    def end(self) -> None:
        """Stop accepting connections, and close those that were accepted."""
        self.close()
        for connection in self._accepted:
            connection.close()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with listening:
            while True:
                try:
                    accepted, peer = await loop.sock_accept(listening)
                    self._start(accepted, peer[0], accepted.getsockname()[0])
                    await asyncio.sleep(0)  # let other tasks run
                except OSError as error:
                    is_full = error.errno in OUT_OF_FILES
                    has_closed = is_full and self._connections.out_of_files()
                    await asyncio.sleep(CLOSING_S if has_closed else RETRY_S)

    def _start(self, accepted: socket.socket, address: str, local: str) -> None:
        known = "" if self._door.is_outside else address
        connection = Connection(known, self._door.is_own(address, local))
        task = asyncio.create_task(self._run(connection, accepted))
        task.add_done_callback(lambda task: self._end(connection, accepted))
        connection.close = task.cancel
        self._accepted.add(connection)
        self._connections.add(connection)

    async def _run(self, connection: Connection, accepted: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        reader = RequestReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, accepted)
        connection.transport = transport
        writer = Writer(transport, protocol, reader, loop)
        writer.connection = connection
        writer.door = self._door
        await self._serve(reader, writer)

    def _end(self, connection: Connection, accepted: socket.socket) -> None:
        self._accepted.discard(connection)
        self._connections.remove(connection)
        if connection.transport:
            connection.transport.abort()
        else:
            accepted.close()  # it was closed before its task ran
