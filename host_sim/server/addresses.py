# SPDX-License-Identifier: MIT
"""Addresses of the page: who may ask under which name, the room's one, as a QR code too."""

import ipaddress
import os
import secrets
import socket
import sys
from pathlib import Path

import segno

FIRST_PORT = 8000
PORTS = 20  # that are tried one after the other
KEY_BYTES = 16

HOME = "127.0.0.1"  # this machine only
ANYWHERE = "0.0.0.0"
QUIET = 2  # modules of light around a QR code; 4 are the standard's, phones take 2


def page(host, port, key="", lang=""):
    """Return the page's address. The key stands behind #, which no browser sends to anybody."""
    asked = "?lang=" + lang if lang else ""
    return "http://%s:%d/%s%s" % (host, port, asked, "#key=" + key if key else "")


def room():
    """Return this machine's address in the network it would use; "" where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.1", 9))  # RFC 5737: nobody's; nothing is sent
            found = out.getsockname()[0]
        except OSError:
            return ""
    return "" if found.startswith("127.") or found == ANYWHERE else found


def may_ask(host):
    """Return whether a request's Host is this machine and not a name that somebody else made up
    and lets point here: an address in figures, localhost, or what the machine is called."""
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


def qr(address, colour=False):
    """Return a QR code as lines of half blocks, what is light printed, or in black on white."""
    rows = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([None] * len(rows[0]))  # below the last row: nothing
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2]):
        pairs = zip(upper, lower)
        line = "".join(" \u2584\u2580\u2588"[2 * (a == 0) + (b == 0)] for a, b in pairs)
        lines.append("\x1b[38;5;231;48;5;16m%s\x1b[0m" % line if colour else line)
    return "\n".join(lines)


def own_key(folder):
    """Return the key of whoever starts the server, kept in a folder: a page that stands open goes
    on when the server is started again."""
    path = Path(folder, "page-key.txt")
    try:
        kept = path.read_text(encoding="ascii").strip()
        if len(kept) == 2 * KEY_BYTES and kept.isalnum():
            return kept
    except (OSError, ValueError):
        pass
    key = secrets.token_hex(KEY_BYTES)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(key + "\n")
    except OSError:
        pass  # a folder that cannot be written, a file that is not ours: a key for this once
    return key


def shows_browser(environ=os.environ, platform=sys.platform):
    """Return whether a browser opened here is one that somebody sees."""
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return False
    if platform in ("darwin", "win32"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
