# SPDX-License-Identifier: MIT
"""The addresses of the page: its URLs with the owner's key, its QR code, and the allowed host
names."""

import ipaddress
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import segno

from host_sim.app.people.kept_file import read_file, replace

FIRST_PORT = 8000
FIRST_OUTSIDE = 8100  # for a proxy or tunnel
PORTS = 20  # number of ports that are tried
KEY_BYTES = 16
KEY_FILE = 1000  # bytes of the key's file, at most

LOCALHOST = "127.0.0.1"
NO_ADDRESS = "0.0.0.0"
QUIET_ZONE = 2  # light modules around a QR code; the standard asks for 4, phones read 2


def page_url(host: str, port: int, key: str = "", lang: str = "") -> str:
    """Return the page's URL. The owner's key is after the `#`, which a browser does not send to
    the server."""
    query = "?lang=" + lang if lang else ""
    return "http://%s:%d/%s%s" % (host, port, query, "#key=" + key if key else "")


def room_address() -> str:
    """Return this machine's address in the local network, or "" if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.1", 9))  # RFC 5737: reserved; nothing is sent
            found = out.getsockname()[0]
        except OSError:
            return ""
    return "" if found.startswith("127.") or found == NO_ADDRESS else found


def is_own_host(host: str) -> bool:
    """Return whether a request's Host header names this machine: an IP address, localhost or its
    own name.

    A stranger could make any other name point here (DNS rebinding).
    """
    name = host.strip()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") < 2:
        name = name.partition(":")[0]
    name = name.lower().rstrip(".")
    own = socket.gethostname().lower()
    if name in ("localhost", own, own.partition(".")[0], own.partition(".")[0] + ".local"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def network(address: str) -> str:
    """Return what one household has: an IPv4 address, or the /64 of an IPv6 address. Return "" for
    any other text."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False))


def qr_code(text: str, colour: bool = False) -> str:
    """Return a QR code as lines of block characters. Each line is two modules (squares) high; the
    light modules are filled.

    colour: whether to print light modules white, and dark ones black; if false, the terminal's
        colours are used
    """
    code = segno.make(text, micro=False)
    rows: list[list[int | None]] = [list(row) for row in code.matrix_iter(border=QUIET_ZONE)]
    if len(rows) % 2:
        rows.append([None] * len(rows[0]))  # the lower half of the last line is empty
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2]):
        pairs = zip(upper, lower)
        line = "".join(" \u2584\u2580\u2588"[2 * (a == 0) + (b == 0)] for a, b in pairs)
        lines.append("\x1b[38;5;231;48;5;16m%s\x1b[0m" % line if colour else line)
    return "\n".join(lines)


def owner_key(folder: str | Path) -> str:
    """Return the owner's key. It is saved in `folder`, so that open pages work after a restart."""
    path = Path(folder, "page-key.txt")
    try:
        kept = read_file(path, KEY_FILE).decode("ascii").strip()
        if len(kept) == 2 * KEY_BYTES and kept.isalnum():
            return kept
    except (OSError, ValueError):
        pass
    key = secrets.token_hex(KEY_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(path):  # else it is not ours
            replace(str(path), (key + "\n").encode())
    except OSError:
        pass  # the folder cannot be written: use this key once
    return key


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
