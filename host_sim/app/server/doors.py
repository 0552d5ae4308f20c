# SPDX-License-Identifier: MIT
"""The doors through which browsers come in. Each belongs to a listening socket, and says which
Host and Origin headers it takes, whose address counts, and how many may come."""

from collections.abc import Mapping

from host_sim.app.server import addresses
from host_sim.app.server.connections import Connections

Headers = Mapping[str, str]


class Door:
    """A door for this machine and the local network."""

    is_outside = False
    socket_source = "ws:"  # for `connect-src`; older browsers do not take 'self' for it

    def __init__(self, connections: Connections) -> None:
        self.connections = connections

    def is_own(self, peer: str, local: str) -> bool:
        """Return whether a new connection is from one of the owner's addresses.

        local: this machine's own address on the same connection
        """
        return self.connections.is_own(peer, local)

    def is_local(self, peer: str) -> bool:
        return addresses.is_loopback(peer)

    def is_host(self, host: str) -> bool:
        return addresses.is_own_host(host)

    def is_origin(self, origin: str, host: str) -> bool:
        return origin.lower() == "http://" + host.lower()

    def address(self, peer: str, headers: Headers) -> str:
        """Return the browser's address, or "" if it is unknown."""
        return peer


class OutsideDoor(Door):
    """A door behind a proxy or a tunnel. Every browser that comes in here is from outside,
    whatever its headers say.

    name: the public name, perhaps with a port
    """

    is_outside = True

    def __init__(self, connections: Connections, name: str) -> None:
        super().__init__(connections)
        self.name = name
        self.socket_source = "wss://" + name

    def is_own(self, peer: str, local: str) -> bool:
        return False

    def is_local(self, peer: str) -> bool:
        return False

    def is_host(self, host: str) -> bool:
        return host.strip().lower() in (self.name, self.name + ":443")

    def is_origin(self, origin: str, host: str) -> bool:
        return origin.lower() == "https://" + self.name

    def address(self, peer: str, headers: Headers) -> str:
        """Return the network that the proxy names last in X-Forwarded-For. A tunnel names none,
        and all entries before the last one are the browser's own words."""
        last = headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        return addresses.network(last)
