# SPDX-License-Identifier: MIT
"""The door for a proxy or tunnel: every browser that comes in there is from outside."""

import pytest
from page_clients import KEY, Browser, CounterApp, CounterPage, ask, running

from host_sim.app.server import addresses
from host_sim.app.server.broadcaster import Broadcaster
from host_sim.app.server.connections import NEW_PER_ADDRESS, Connection, Connections, limits_for
from host_sim.app.server.web_server import WebServer
from host_sim.command_line import arguments

NAME = "dominoes.example"
CAME_BY = ["Host: " + NAME, "Origin: https://" + NAME]


@pytest.fixture(scope="module")
def page():
    with running(outside=NAME) as found:
        yield found


def far(page, key="", headers=CAME_BY, me=""):
    """Return a browser outside."""
    return Browser(page.outside_port, key, headers=headers, me=me, host=None)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((NAME, 200), (NAME.upper() + ":443", 200)),
        *(("localhost", 403), ("127.0.0.1", 403), ("", 403), ("evil." + NAME, 403)),
        *((NAME + ":80", 403), (NAME + ".", 403), ("192.168.17.5:8100", 403)),
    ],
)
def test_outside_only_the_public_name_is_known(page, host, status):
    assert ask(page.outside_port, "GET /", host=host or " ")[0] == status


@pytest.mark.parametrize("host", [NAME, NAME + ":443"])
def test_the_owners_port_does_not_know_the_public_name(page, host):
    assert ask(page.port, "GET /", host=host)[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://" + NAME,
        "https://evil.example",
        "https://%s:444" % NAME,
        "null",
        "http://localhost",
    ],
)
def test_outside_another_origin_opens_no_socket(page, origin):
    with pytest.raises(AssertionError):
        far(page, headers=[CAME_BY[0], "Origin: " + origin])


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["X-Forwarded-For: 127.0.0.1"],
        ["X-Forwarded-Host: localhost", "Forwarded: for=127.0.0.1;host=localhost"],
        ["X-Real-IP: ::1"],
    ],
)
def test_outside_nobody_is_the_owner(page, more):
    """The owner's key opens nothing there, whatever the headers say."""
    browser = far(page, KEY, [*CAME_BY, *more], me="own")
    assert "ask the person" in browser.shown["dialog"] and set(browser.shown) == {"dialog"}
    before = page.app.table.count
    browser.send({"do": "add"})
    browser.send({"do": "let-in yes"})
    local = Browser(page.port, KEY)
    assert local.shown["count"] == str(before)
    assert "own" not in page.app.present, "nobody outside says which browser it is"


def test_the_owners_port_reads_no_forwarded_header(page):
    browser = Browser(page.port, KEY, headers=["X-Forwarded-For: 203.0.113.9"])
    assert browser.shown["who"].startswith("True")


def test_the_policy_follows_the_door(page):
    policy = "content-security-policy"
    assert (
        "connect-src 'self' wss://%s;" % NAME in ask(page.outside_port, "GET /", NAME)[1][policy]
    )
    assert "connect-src 'self' ws:;" in ask(page.port, "GET /")[1][policy]
    _, refused, _ = ask(page.outside_port, "GET /", "localhost")
    assert "wss://" in refused[policy]


@pytest.mark.parametrize(
    ("said", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9, junk", ""),
        *(("", ""), (",", ""), ("203.0.113.9:4711", "")),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_the_address_is_the_last_that_the_proxy_names(page, said, network):
    assert page.door.address("", {"X-Forwarded-For": said}) == network


def test_limits_outside_are_by_the_address_that_the_proxy_names():
    connections = Connections(limits_for(1024))
    closed = []
    for n in range(NEW_PER_ADDRESS + 1):
        one = Connection("", False, lambda n=n: closed.append(n))
        connections.add(one)
        connections.name(one, addresses.network("2001:db8::%x" % n))
    assert closed == [0], "the oldest of one household"
    for _ in range(NEW_PER_ADDRESS + 1):
        one = Connection("", False, lambda: closed.append("unknown"))
        connections.add(one)
        connections.name(one, "")
    assert "unknown" not in closed, "a tunnel names none"


@pytest.mark.parametrize("files", [64, 256, 1024, 4096])
def test_both_doors_together_are_fewer_than_may_be_opened(files, monkeypatch):
    monkeypatch.setattr("host_sim.app.server.web_server.max_open_files", lambda: files)
    web_server = WebServer(Broadcaster(CounterApp(), CounterPage, KEY))
    outside = web_server.outside(NAME).connections.limits
    home = web_server.door.connections.limits
    assert min(outside) > 0
    assert outside.owners > 2 * outside.guests, "those who are invited have more room"
    assert sum(outside) + sum(home) <= files * 5 / 8


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("8000", 8000),
        ("https://dominoes.example", "dominoes.example"),
        ("https://Dominoes.example:443/", "dominoes.example"),
        ("https://dominoes.example:8443", "dominoes.example:8443"),
        ("https://münchen.example", "xn--mnchen-3ya.example"),
    ],
)
def test_a_place_is_a_port_or_a_public_address(text, place):
    assert arguments.place(text) == place


@pytest.mark.parametrize(
    "text",
    [
        *("http://dominoes.example", "dominoes.example", "https://localhost", "https://"),
        *("https://a.example/table", "https://me:word@a.example", "https://a.example?x", "70000"),
        *("https://a.example:99999", "https://a.example#x", "https://a..example", "a"),
    ],
)
def test_any_other_place_is_refused(text):
    with pytest.raises(arguments.argparse.ArgumentTypeError):
        arguments.place(text)
