# SPDX-License-Identifier: MIT
"""More connections than the limits allow: the owner's page still works, and the log stays
short."""

import asyncio
import collections
import contextlib
import errno
import random
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from page_clients import KEY, Browser, ask, running, talk
from test_server import PROGRAM, started

from host_sim.app.server import connections as limits
from host_sim.app.server.connections import (
    GUESTS_PER_ADDRESS,
    NEW_PER_ADDRESS,
    NOTIFY_S,
    Connection,
    Connections,
)
from host_sim.app.server.doors import Door

resource = pytest.importorskip("resource")
ROOT = Path(__file__).resolve().parents[2]
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1"


@contextlib.contextmanager
def playing(folder, files=256):
    """Run `play` as a program with a limit on open files; yield (port, key, end).

    key: the key in the address of the owner's page
    end: a function that ends the program and returns what the program printed
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    command = ["play", "--house", "puremco", "--set", "6", "--seed", "1"]
    page = ["--folder", str(folder), "--no-browser", "--at", "0", "--lang", "en"]
    process = subprocess.Popen(
        [sys.executable, "-m", "host_sim", *command, *page],
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
    """Open connections that send some bytes and then nothing more."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), 20)
            stack.enter_context(one)
            with contextlib.suppress(OSError):
                one.sendall(data)
        yield


def begin_match(port, key, set_):
    owner = Browser(port, key, me="own")
    owner.until(lambda: "data-tile" in owner.shown["hand"])
    before = owner.shown["hand"]
    owner.send({"do": "start", "fields": {"house": "puremco", "players": "2", "set": set_}})
    owner.until(lambda: owner.shown["hand"] != before and "data-tile" in owner.shown["hand"])
    assert not [said for said in owner.got if "error" in said]
    owner.close()


def is_quiet(told):
    """Return whether a program printed no error and at most one line about connections."""
    out, err = told
    return err == "" and len(re.findall("onnections", out)) <= 1 and len(out.splitlines()) < 20


@pytest.mark.slow
def test_half_open_connections_are_not_in_the_owners_way(tmp_path):
    with playing(tmp_path) as (port, key, end):
        with connections(port, 300, HALF):
            begin_match(port, key, "9")
            with connections(port, 60, b""):
                begin_match(port, key, "12")
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
        assert looking == GUESTS_PER_ADDRESS
        owner = Browser(port, KEY)
        owner.send({"do": "add"})
        owner.until(lambda: owner.shown["count"] == "1")
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert is_quiet(told) and "Too many connections from 127.0.0.1" in told[0], told


FULL = """
kept = []
try:
    while True:
        kept.append(open("/dev/null"))
except OSError:
    del kept[-12:]
"""


def test_a_program_that_may_open_nothing_more_goes_on():
    limit = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (256, 256))\n"
    start = "launcher = PageLauncher("
    # what the server needs is imported, then all but a few of its files are taken
    loaded = "import host_sim.app.server.hub_port, encodings.idna, traceback\n"
    program = limit + PROGRAM.replace(start, loaded + FULL + start)
    process, port = started(0, program)
    with contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        with connections(port, 60, HALF):
            owner = Browser(port, KEY)
            owner.send({"do": "add"})
            owner.until(lambda: owner.shown["count"] == "1")
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)
    assert told[1] == ""
    assert told[0].count("lets the program open nothing more") == 1


def test_a_file_that_cannot_be_read_now_is_answered(capfd, monkeypatch):
    def fails(path):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Path, "read_bytes", fails)
    with running() as server:
        assert ask(server.port, "GET /")[0] == 503
    assert capfd.readouterr().err == ""


def test_a_request_whose_head_never_ends():
    with running() as server:
        lines = b"X-Y: %s\r\n" % (b"z" * 1000) * 100
        assert talk(server.port, b"GET / HTTP/1.1\r\n" + lines + b"\r\n")[0] == 400


# ---- who is closed for whom ----


class Crowd:
    """A Connections object with connections that have no sockets.

    told: the keys of the sentences printed for the owner
    """

    def __init__(self, files=256):
        self.told = []
        self.now = 0
        self.closed = []
        self.all = Connections(
            limits.limits_for(files), lambda key, **values: self.told.append(key), lambda: self.now
        )

    def enter(self, address):
        one = Connection(address, self.all.is_own(address, "192.168.1.2"))
        one.close = lambda: self.closed.append(one)
        self.all.add(one)
        return one


GUEST, OTHER, OWN = "192.168.1.7", "192.168.1.8", "127.0.0.1"


@pytest.mark.parametrize("files", [32, 64, 256, 1024, 20000, 10**9])
def test_all_places_together_are_fewer_than_may_be_opened(files):
    places = limits.limits_for(files)
    assert sum(places) <= min(limits.MOST, files * 5 // 8) and min(places) > 1
    assert limits.limits_for(1024).guests == 200


def test_what_may_be_opened_is_asked(monkeypatch):
    assert limits.max_open_files() > 0
    monkeypatch.setattr(resource, "getrlimit", lambda what: (resource.RLIM_INFINITY,) * 2)
    assert sum(limits.limits_for(limits.max_open_files())) == limits.MOST
    monkeypatch.setitem(sys.modules, "resource", None)
    assert limits.max_open_files() == limits.DEFAULT_FILES


def test_one_address_closes_its_own_oldest_connections():
    crowd = Crowd()
    other = crowd.enter(OTHER)
    own = crowd.enter(OWN)
    many = [crowd.enter(GUEST) for _ in range(NEW_PER_ADDRESS + 3)]
    assert crowd.closed == many[:3]
    assert other in crowd.all.new and own in crowd.all.new


def test_many_addresses_close_those_of_the_greediest():
    crowd = Crowd()
    crowd.enter(OTHER)
    greedy = [crowd.enter(GUEST) for _ in range(NEW_PER_ADDRESS)]
    for n in range(crowd.all.limits.new - NEW_PER_ADDRESS):
        crowd.enter("10.0.0.%d" % n)
    assert crowd.closed == greedy[:1]


def test_the_owners_places_are_the_owners():
    crowd = Crowd()
    for n in range(300):
        crowd.all.admit(crowd.enter("10.0.0.%d" % n), False)
    assert len(crowd.all.guests) == crowd.all.limits.guests
    assert crowd.all.admit(crowd.enter(OWN), True), "this machine, with the key"
    away = crowd.enter(GUEST)
    assert not away.is_own and crowd.all.admit(away, True), "the key alone"
    assert crowd.enter(GUEST).is_own, "the key was shown from there"
    assert crowd.enter("192.168.1.2").is_own, "this machine by its other address"
    assert not crowd.enter(OTHER).is_own and not crowd.enter("?").is_own


def test_a_place_is_free_again():
    crowd = Crowd()
    seated = [crowd.enter(GUEST) for _ in range(NEW_PER_ADDRESS)]
    assert all(crowd.all.admit(one, False) for one in seated)
    more = [crowd.enter(GUEST) for _ in range(GUESTS_PER_ADDRESS - NEW_PER_ADDRESS + 1)]
    assert [crowd.all.admit(one, False) for one in more] == [*([True] * (len(more) - 1)), False]
    crowd.all.remove(seated[0])
    assert crowd.all.admit(more[-1], False)


def test_the_owner_is_told_once_a_minute():
    crowd = Crowd()
    for _ in range(500):
        crowd.enter(GUEST)
        crowd.all.out_of_files()
    assert crowd.told == ["server.crowded"] or crowd.told == ["server.no_files"]
    crowd.now = NOTIFY_S
    for _ in range(500):
        crowd.enter(GUEST)
    assert len(crowd.told) == 2


def test_whatever_comes_and_goes_the_limits_hold():
    chance = random.Random(8)
    crowd = Crowd()
    places = crowd.all.limits
    here = []
    for _ in range(4000):
        match chance.choice(("enter", "enter", "admit", "leave")):
            case "enter":
                here.append(
                    crowd.enter(chance.choice((GUEST, OTHER, OWN, "10.0.0.1", "10.0.0.2")))
                )
            case "admit" if here:
                crowd.all.admit(chance.choice(here), chance.random() < 0.1)
            case "leave" if here and chance.random() < 0.3:
                crowd.all.remove(here.pop(chance.randrange(len(here))))
        own = sum(one.is_own for one in crowd.all.new)
        assert own <= places.own_new and len(crowd.all.new) - own <= places.new
        assert len(crowd.all.owners) <= places.owners
        guests = crowd.all.guests
        assert len(guests) <= places.guests
        assert (
            max(collections.Counter(one.address for one in guests).values(), default=0)
            <= GUESTS_PER_ADDRESS
        )
    assert crowd.closed


def test_a_connection_that_is_closed_before_it_was_looked_at():
    """If a connection is closed before the server handles it, the server closes the connection's
    socket."""

    async def run():
        near, far = socket.socketpair()
        taken = Connections(limits.limits_for(256))
        listener = limits.Listener(near, Door(taken), None)
        one, other = socket.socketpair()
        listener._start(one, OWN, OWN)
        taken.new[0].close()
        for _ in range(3):
            await asyncio.sleep(0)
        assert one.fileno() == -1 and not taken.new
        for end in (near, far, other):
            end.close()

    asyncio.run(run())
