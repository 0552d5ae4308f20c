# SPDX-License-Identifier: MIT
"""The door that lets other devices in the room open the page, on real sockets. 127.0.0.2 and
127.0.0.3 stand for this machine's addresses in two networks."""

import contextlib
import socket
import sys
import threading

import pytest
from page_clients import KEY, Browser, CounterApp, running

from host_sim.app.page.app import App
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server import addresses, room
from host_sim.app.server.launcher import PageLauncher

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 listens on Linux alone")

HOME, CAFE = "127.0.0.2", "127.0.0.3"


class Network:
    """Where this machine is; "" for nowhere."""

    def __init__(self) -> None:
        self.address = HOME


@pytest.fixture
def network(monkeypatch):
    found = Network()
    monkeypatch.setattr(addresses, "room_address", lambda: found.address)
    monkeypatch.setattr(room, "LOOK_S", 0.01)
    return found


def is_at(page, address):
    """Return whether a page listens on an address."""
    try:
        socket.create_connection((address, page.port), 20).close()
    except ConnectionRefusedError:
        return False
    return True


@contextlib.contextmanager
def served(app=None):
    app = app or App()
    app.is_room_let_in = False
    with running(app, make_page=ViewerPage, room=True) as found:
        yield found


def shows(browser, words):
    browser.until(lambda: words in browser.shown.get("dialog", ""))


def until_closed(browser):
    with contextlib.suppress(ConnectionResetError):
        while browser.read() is not None:
            pass


def test_a_button_opens_the_door_and_closes_it(network):
    with served() as page:
        assert not is_at(page, HOME)
        owner = Browser(page.port, KEY)
        owner.send({"do": "open phones"})
        shows(owner, "Let phones in")
        owner.send({"do": "let-in yes"})
        shows(owner, "http://%s:%d/" % (HOME, page.port))
        assert "<svg" in owner.shown["dialog"] and KEY not in owner.shown["dialog"]
        guest = Browser(page.port, at=HOME, me="guest")
        owner.send({"do": "let-in no"})
        shows(owner, "Let phones in")
        until_closed(guest)
        assert not is_at(page, HOME)
        owner.send({"do": "close"})
        owner.until(lambda: not owner.shown["dialog"])
        assert page.told == ["server.room", "server.room_closed"]


def test_a_guest_does_not_open_it(network):
    with served() as page:
        guest, owner = Browser(page.port), Browser(page.port, KEY)
        guest.send({"do": "open phones"})
        guest.send({"do": "let-in yes"})
        owner.send({"do": "open phones"})
        shows(owner, "Let phones in")
        assert "Let phones in" not in guest.shown.get("dialog", "")
        assert page.app.is_room_let_in is False and not is_at(page, HOME)


def test_another_network_is_followed(network):
    with served() as page:
        owner = Browser(page.port, KEY)
        owner.send({"do": "let-in yes"})
        owner.send({"do": "open phones"})
        shows(owner, HOME)
        guest = Browser(page.port, at=HOME)
        network.address = CAFE
        shows(owner, CAFE)
        until_closed(guest)
        assert not is_at(page, HOME) and is_at(page, CAFE)
        network.address = ""
        shows(owner, "in no network")
        assert not is_at(page, CAFE)
        network.address = HOME
        shows(owner, "http://%s" % HOME)
        told = ["server.room", "server.room", "server.no_room", "server.room"]
        assert page.told == told


def test_a_port_that_another_program_has_in_the_network(network):
    with served() as page, socket.create_server((HOME, page.port)):
        owner = Browser(page.port, KEY)
        owner.send({"do": "open phones"})
        owner.send({"do": "let-in yes"})
        shows(owner, "Another program uses")
        assert page.told == ["server.room_taken"], "once, however often it is tried"


def test_from_the_command_line_the_port_is_free_there_too(network):
    with socket.create_server((HOME, 0)) as other:
        port = other.getsockname()[1]
        with PageLauncher(shared=True).port_taken(port) as found:
            assert found != port
        with PageLauncher().port_taken(port) as found:
            assert found == port, "nobody else is let in"


def test_a_seat_stays_whose_it_is(network, tmp_path):
    from host_sim.app.session.match_store import MatchStore

    app = App(store=MatchStore(tmp_path))
    app.start_match(house="puremco", set_=9, seats=(1, 2, 3), people=(1, 2), names={})
    with served(app) as page:
        owner = Browser(page.port, KEY)
        owner.send({"do": "let-in yes"})
        owner.send({"do": "open phones"})
        shows(owner, HOME)
        guest = Browser(page.port, at=HOME, me="guest")
        guest.send({"do": "take-seat 3", "fields": {"name": "Ana"}})
        guest.until(lambda: "Ana" in guest.shown.get("scores", ""))
        owner.send({"do": "let-in no"})
        until_closed(guest)
        assert app.table.seat_claims.seats[3] == "guest"


def test_the_door_is_shut_with_the_program(network):
    app = CounterApp()
    app.is_room_let_in = True
    with running(app, room=True) as page:
        for _ in range(1000):
            if app.room_url:
                break
            threading.Event().wait(0.01)
        assert is_at(page, HOME)
    assert not is_at(page, HOME)
