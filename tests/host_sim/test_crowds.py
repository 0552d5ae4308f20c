# SPDX-License-Identifier: MIT
"""More connections than the table has places for: the owner's page goes on, and quietly."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from page_clients import KEY, Browser
from test_server import started

from host_sim.server.connections import EACH

resource = pytest.importorskip("resource")
ROOT = Path(__file__).resolve().parents[2]
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1"


@contextlib.contextmanager
def playing(folder, files=256):
    """`play` as a program that may open so many files; yields (port, key, how to end it).

    The last one returns what the program printed.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    command = ["play", "--house", "puremco", "--set", "6", "--seed", "1", "--no-browser"]
    process = subprocess.Popen(
        [sys.executable, "-m", "host_sim", *command, "--folder", str(folder), "--lang", "en"],
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def end():
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)

    try:
        found = re.search(r":(\d+)/\S*#key=(\w+)", process.stdout.readline())
        yield int(found[1]), found[2], end
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def connections(port, count, data):
    """So many connections that send some bytes and then nothing."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), 20)
            stack.enter_context(one)
            with contextlib.suppress(OSError):
                one.sendall(data)
        yield


def begins(port, key, set_):
    """The owner looks at the page, and begins another match."""
    owner = Browser(port, key, me="own")
    before = owner.shown["hand"]
    assert "data-tile" in before
    owner.send({"do": "start", "fields": {"house": "puremco", "players": "2", "set": set_}})
    owner.until(lambda: owner.shown["hand"] != before and "data-tile" in owner.shown["hand"])
    assert not [said for said in owner.got if "error" in said]
    owner.close()


def is_quiet(told):
    """Whether a program printed its greeting, one line about a crowd at most, and no error."""
    out, err = told
    return err == "" and len(re.findall("onnections", out)) <= 1 and len(out.splitlines()) < 20


def test_half_open_connections_are_not_in_the_owners_way(tmp_path):
    with playing(tmp_path) as (port, key, end):
        with connections(port, 300, HALF):
            begins(port, key, "9")
            with connections(port, 60, b""):
                begins(port, key, "12")
        told = end()
        assert is_quiet(told), told


def test_two_hundred_guests_of_one_address_lock_nobody_out():
    process, port = started(0)
    with contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        looking = 0
        for _ in range(200):
            guest = Browser(port, greets=False)
            stack.callback(guest.close)
            guest.send({"hello": {"key": "", "me": "", "lang": "en"}})
            looking += "show" in guest.read()
        assert looking == EACH
        owner = Browser(port, KEY)
        owner.send({"do": "add"})
        owner.until(lambda: owner.shown["count"] == "1")
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert is_quiet(told) and "Too many connections from 127.0.0.1" in told[0], told
