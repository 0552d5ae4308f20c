# SPDX-License-Identifier: MIT
"""How many connections there may be, of one address and in all, and which one is closed for
another.

A connection is new until its browser has said who it is. A new one is always taken: where that is
one too many, the oldest new one of the address with most of them is closed, so that connections
that say nothing keep nothing out. The machine itself, and an address from which the key was
shown, have places of their own, and so have the viewers who show the key.
"""

import asyncio
import collections
import contextlib
import errno
import ipaddress
import time

MOST = 400  # connections in all, where the program may open enough
FILES = 1024  # that it may open, where the system does not say
EACH_NEW = 24  # of one address that have not said who they are; a page that loads needs 7
EACH = 32  # viewers of one address who show no key
HEAD = 64 * 1024  # bytes of a request, at most
SILENCE_S = 60  # between two lines about connections that were closed
PAUSE_S = 0.1  # before the next try, where a connection could not be taken
CLOSING_S = 0.005  # the same, where another one has just been closed for it
NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

# own_new, new: connections that have not said who they are, of the owner's addresses and others;
# owners, guests: viewers with the key and without it
Places = collections.namedtuple("Places", "own_new new owners guests")


def may_open():
    """Return how many files the program may open, connections among them."""
    try:
        import resource

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return MOST * 8 if files == resource.RLIM_INFINITY else files
    except (ImportError, OSError):  # Windows
        return FILES


def places(files):
    """Return the Places of a program that may open so many files: three eighths stay for all the
    rest that it opens."""
    most = min(MOST, files * 5 // 8)
    return Places(most // 8, most // 4, most // 8, most // 2)


class Connection:
    """One connection. address: the other end's; own: it is the owner's, as far as one can tell
    before it has said so; close: what ends it."""

    def __init__(self, address, own, close=None):
        self.address = address
        self.own = own
        self.close = close
        self.transport = None


class Connections:
    """All connections of a server.

    tell(key, **values): tells the owner a sentence, once in SILENCE_S at most; clock: seconds.
    """

    def __init__(self, places_, tell=None, clock=time.monotonic):
        self.places = places_
        self.new = []  # oldest first
        self.viewers = {True: [], False: []}  # by whether they show the key
        self._owners = set()  # addresses from which the key was shown
        self._tell = tell or (lambda key, **values: None)
        self._clock = clock
        self._quiet_until = None

    def is_own(self, address, here):
        """Return whether an address is the owner's: the machine itself, reached at `here`, or
        one from which the key was shown."""
        if address == here or address in self._owners:
            return True
        try:
            return ipaddress.ip_address(address).is_loopback
        except ValueError:
            return False

    def enter(self, one):
        """Take a new Connection; where it is one too many, another one is closed."""
        self.new.append(one)
        rivals = [other for other in self.new if other.own == one.own]
        counted = collections.Counter(other.address for other in rivals)
        if counted[one.address] > EACH_NEW:
            self._close_oldest(rivals, one.address)
        elif len(rivals) > (self.places.own_new if one.own else self.places.new):
            self._close_oldest(rivals, counted.most_common(1)[0][0])

    def admit(self, one, owner):
        """A browser has said who it is; return whether there is a place for it. owner: it has
        shown the key."""
        if one not in self.new:
            return False  # it was closed meanwhile
        looking = self.viewers[owner]
        if owner:
            self._owners.add(one.address)
            full = len(looking) >= self.places.owners
        else:
            of_address = [other for other in looking if other.address == one.address]
            full = len(looking) >= self.places.guests or len(of_address) >= EACH
        if full:
            self._say("server.crowded", address=one.address)
            return False
        self.new.remove(one)
        looking.append(one)
        return True

    def leave(self, one):
        """A connection is closed."""
        for some in (self.new, *self.viewers.values()):
            if one in some:
                some.remove(one)

    def out_of_files(self):
        """A connection could not be taken: the program may open nothing more. Return whether
        another one was closed for it."""
        strangers = [one for one in self.new if not one.own] or self.new
        if strangers:
            self._drop(strangers[0])
        self._say("server.no_files")
        return bool(strangers)

    def _close_oldest(self, rivals, address):
        self._drop(next(one for one in rivals if one.address == address))
        self._say("server.crowded", address=address)

    def _drop(self, one):
        self.new.remove(one)
        one.close()

    def _say(self, key, **values):
        now = self._clock()
        if self._quiet_until is None or now >= self._quiet_until:
            self._quiet_until = now + SILENCE_S
            with contextlib.suppress(OSError):
                self._tell(key, **values)


class RequestReader(asyncio.StreamReader):
    """A stream whose lines, the head of a request, are not endless."""

    _head = 0

    async def readline(self):
        line = await super().readline()
        self._head += len(line)
        if self._head > HEAD:
            raise ValueError("the head of a request is too long")
        return line


class Writer(asyncio.StreamWriter):
    """A stream as Microdot writes to it; connection: the Connection it belongs to."""

    connection = None

    async def awrite(self, data):
        """Write, and wait until the other end takes it."""
        self.write(data)
        await self.drain()

    async def aclose(self):
        """Close, and wait until that is done."""
        self.close()
        await self.wait_closed()


class Listener:
    """Takes connections at a socket that listens.

    serve(reader, writer): a coroutine function that answers one. sockets, start_serving and close
    are those of an asyncio.Server.
    """

    def __init__(self, listening, connections, serve):
        listening.setblocking(False)
        self.sockets = [listening]
        self._connections = connections
        self._serve = serve
        self._task = None

    async def start_serving(self):
        """Begin to take connections."""
        self._task = asyncio.create_task(self._accept(*self.sockets))

    def close(self):
        """Take no more; those that are open stay."""
        if self._task:
            self._task.cancel()
        else:
            self.sockets[0].close()

    async def _accept(self, listening):
        loop = asyncio.get_running_loop()
        with listening:
            while True:
                try:
                    taken, peer = await loop.sock_accept(listening)
                    self._enter(taken, peer[0], taken.getsockname()[0])
                    await asyncio.sleep(0)  # everybody else's turn
                except OSError as error:
                    full = error.errno in NO_FILES
                    closed = full and self._connections.out_of_files()
                    await asyncio.sleep(CLOSING_S if closed else PAUSE_S)

    def _enter(self, taken, address, here):
        one = Connection(address, self._connections.is_own(address, here))
        task = asyncio.create_task(self._run(one, taken))
        task.add_done_callback(lambda task: self._end(one, taken))
        one.close = task.cancel
        self._connections.enter(one)

    async def _run(self, one, taken):
        loop = asyncio.get_running_loop()
        reader = RequestReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        one.transport, _ = await loop.connect_accepted_socket(lambda: protocol, taken)
        writer = Writer(one.transport, protocol, reader, loop)
        writer.connection = one
        await self._serve(reader, writer)

    def _end(self, one, taken):
        self._connections.leave(one)
        if one.transport:
            one.transport.abort()
        else:
            taken.close()  # it was closed before it was looked at
