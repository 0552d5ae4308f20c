# SPDX-License-Identifier: MIT
"""People whom the owner invites from outside: by a link, once, for one seat."""

import json
import re
import socket
import stat

import pytest
from page_clients import KEY, Browser, running, talk

from host_sim.app.page import actions, dialogs
from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server.outsiders import COOKIE, MOST_WRONG, MOST_WRONG_OF_ALL, WrongLinks
from host_sim.app.session.invitations import FILE, LASTS_S, TICKET_S, Invitations
from host_sim.app.session.match_store import MatchStore

NAME = "dominoes.example"
URL = "https://%s/" % NAME


@pytest.fixture
def app(tmp_path):
    app = App(store=MatchStore(tmp_path))
    app.start_match(house="puremco", set_=9, seats=(1, 2, 3), people=(1, 2), names={})
    app.open_outside(URL)
    session = app.table.session
    for seat in (1, 2):
        session.stand_up(seat)
    while not all(app.table.player_view.hand(seat) for seat in (1, 2, 3)):
        session.act()
    for seat in (1, 2):
        session.sit_down(seat)
    return app


@pytest.fixture
def page(app):
    with running(app, make_page=ViewerPage, outside=NAME) as found:
        yield found


def far(page, cookie="", network="203.0.113.9", **hello):
    """Return a browser outside that has said hello."""
    headers = ["Origin: https://" + NAME, "X-Forwarded-For: " + network]
    headers += ["Cookie: %s=%s" % (COOKIE, cookie)] if cookie else []
    browser = Browser(page.outside_port, headers=headers, host="Host: " + NAME, greets=False)
    browser.send({"hello": {"key": KEY, "me": "", "lang": "en", **hello}})
    browser.until(lambda: browser.shown)
    return browser


def link_to(page, seat, name="Ana"):
    """Let the owner make a link; return its secret."""
    owner = Browser(page.port, KEY, lang="en")
    owner.send({"do": "open invite"})
    owner.send({"do": "invite", "fields": {"seat": str(seat), "name": name}})
    pattern = re.escape(URL) + r"#join=([\w-]+)"
    owner.until(lambda: re.search(pattern, owner.shown.get("dialog", "")))
    secret = re.search(pattern, owner.shown["dialog"])[1]
    owner.close()
    return secret


def knock(page, secret, **how):
    """Click *Come in* with a link; return the answer: a ticket, or a sentence."""
    browser = far(page, link="1", **how)
    assert "Come in" in browser.shown["dialog"]
    browser.send({"do": "join", "fields": {"secret": secret}})
    browser.until(lambda: "Come in" not in browser.shown["dialog"] or "ticket" in browser.got[-1])
    browser.close()
    return browser.got[-1].get("ticket") or browser.shown["dialog"]


def cookie_for(page, ticket, origin="https://" + NAME):
    """Return the cookie that a ticket gives, "" for none."""
    head = "POST /seat HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nX-Ticket: %s\r\n\r\n"
    _, headers, _ = talk(page.outside_port, (head % (NAME, origin, ticket)).encode())
    said = headers.get("set-cookie", "")
    for word in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/;") if said else ():
        assert word in said
    assert "Domain" not in said
    return said.partition("=")[2].partition(";")[0]


def come_in(page, secret):
    """Return the cookie of an invited browser that has come in."""
    cookie = cookie_for(page, knock(page, secret))
    assert cookie
    far(page, cookie).close()
    return cookie


def test_a_link_gives_a_seat_once(page, app):
    secret = link_to(page, 3)
    cookie = cookie_for(page, knock(page, secret))
    guest = far(page, cookie)
    assert "hand" in guest.shown and app.table.session.names[3] == "Ana"
    assert 3 in app.table.session.people
    for tile in app.table.player_view.hand(3):
        assert 'data-do="pick %s"' % tile in guest.shown["hand"]
    assert "used on another device" in knock(page, secret)
    assert far(page, cookie).shown["hand"] == guest.shown["hand"], "after a reload, too"


def test_a_link_is_not_used_up_before_the_cookie_comes_back(page):
    """A messenger's preview opens it, a browser that keeps nothing gets a cookie."""
    secret = link_to(page, 3)
    for _ in range(2):
        assert cookie_for(page, knock(page, secret))
    browser = far(page, link="1", tried="1")
    assert "still good" in browser.shown["dialog"] and "Come in" not in browser.shown["dialog"]
    come_in(page, secret)


def test_who_only_looks_sees_no_hand(page, app):
    secret = link_to(page, 0, "Bo")
    first, second = (cookie_for(page, knock(page, secret)) for _ in range(2))
    watcher, another = far(page, first), far(page, second)
    assert watcher.shown["table"] and another.shown["table"]
    for tile in app.table.player_view.hand(1):
        assert 'data-do="pick %s"' % tile not in watcher.shown["hand"]
    watcher.send({"do": "slot 1"})
    watcher.send({"do": "button"})
    assert app.table.session.people == {1, 2}


@pytest.mark.parametrize("secret", ["", "x", "A" * 22, "A" * 5000])
def test_a_wrong_link_opens_nothing(page, secret):
    link_to(page, 3)
    browser = far(page, link="1")
    browser.send({"do": "join", "fields": {"secret": secret}})
    if len(secret) < 200:
        browser.until(lambda: "not right" in browser.shown["dialog"])
    assert not any("ticket" in message for message in browser.got)
    assert set(browser.shown) == {"dialog"}


def test_a_right_link_comes_in_although_others_guess(page):
    secret = link_to(page, 3)
    for _ in range(MOST_WRONG):
        assert "not right" in knock(page, "junk")
    assert "Wait ten minutes" in knock(page, "junk")
    assert "not right" in knock(page, "junk", network="198.51.100.1"), "somebody else"
    assert cookie_for(page, knock(page, secret))


def test_wrong_links_are_counted_for_a_while():
    now = [0.0]
    wrong = WrongLinks(lambda: now[0])
    for n in range(MOST_WRONG_OF_ALL):
        wrong.add("2001:db8:%x::/64" % n)
    assert wrong.are_too_many("203.0.113.9"), "many networks together"
    now[0] += 601
    assert not wrong.are_too_many("203.0.113.9")
    for _ in range(MOST_WRONG):
        wrong.add("")
    assert not wrong.are_too_many(""), "a tunnel names no network"


@pytest.mark.parametrize("how", ["withdrawn", "another match", "another link"])
def test_whose_invitation_ends_is_shut_out(page, app, how):
    cookie = come_in(page, link_to(page, 3))
    guest = far(page, cookie)
    owner = Browser(page.port, KEY, lang="en")
    if how == "withdrawn":
        owner.send({"do": "withdraw " + app.invitations.of(app.match_id)[0].id})
    elif how == "another link":
        link_to(page, 3)
    else:
        owner.send({"do": "open new"})
        owner.send({"do": "start", "fields": {"house": "puremco", "set": "6", "players": "3"}})
    while guest.read() is not None:
        pass
    stranger = far(page, cookie)
    assert set(stranger.shown) == {"dialog"}


def test_a_link_ends_after_fourteen_days(tmp_path):
    now = [1e9]
    kept = Invitations(tmp_path, lambda: now[0])
    secret = kept.invite("match", 3, "Ana")
    assert kept.with_link("match", secret) and not kept.with_link("other", secret)
    now[0] += LASTS_S
    assert not kept.with_link("match", secret)


def test_a_ticket_is_good_once_and_for_a_minute(tmp_path):
    now = [1e9]
    kept = Invitations(tmp_path, lambda: now[0])
    kept.invite("match", 3, "Ana")
    invitation = kept.of("match")[0]
    ticket = kept.ticket(invitation)
    assert kept.cookie(ticket) and not kept.cookie(ticket)
    late = kept.ticket(invitation)
    now[0] += TICKET_S
    assert not kept.cookie(late)


def test_two_cookies_of_one_link_bring_one_browser_in(tmp_path):
    kept = Invitations(tmp_path)
    kept.invite("match", 3, "Ana")
    invitation = kept.of("match")[0]
    first, second = (kept.cookie(kept.ticket(invitation)) for _ in range(2))
    assert kept.with_cookie("match", second) and not kept.with_cookie("match", first)
    assert Invitations(tmp_path).with_cookie("match", second), "after a restart, too"


def test_no_secret_is_kept(page, app, tmp_path):
    secret = link_to(page, 3)
    cookie = come_in(page, secret)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    for path in files:
        assert secret.encode() not in path.read_bytes()
        assert cookie.encode() not in path.read_bytes()
    row = json.loads((tmp_path / FILE).read_text())[0]
    assert row["link"] not in app.export()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "junk",
        "{}",
        "[1]",
        '[{"id": 1}]',
        '[{"id": "a", "match_id": "m", "seat": "x", "name": "", "made": 1, "link": ""}]',
        "[[[[" * 9999,
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    kept = Invitations(tmp_path)
    assert kept.of("match") == []
    assert kept.invite("match", 1, "")
    assert Invitations(tmp_path).of("match")
    assert text in [path.read_text() for path in tmp_path.iterdir()]


@pytest.mark.parametrize("origin", ["https://evil.example", "http://" + NAME, ""])
def test_another_site_gets_no_cookie(page, origin):
    assert not cookie_for(page, knock(page, link_to(page, 3)), origin)


def test_at_home_nobody_gets_a_cookie(page):
    ticket = knock(page, link_to(page, 3))
    head = "POST /seat HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Ticket: %s\r\n\r\n" % ticket
    status, headers, _ = talk(page.port, head.encode())
    assert status == 403 and "set-cookie" not in headers


def test_at_home_nobody_says_they_are_far(page, app):
    """The browser id of an invited person is known to nobody's browser, and is none."""
    come_in(page, link_to(page, 3))
    id_ = app.table.seat_claims.seats[3]
    with socket.create_connection(("127.0.0.1", page.port)):
        browser = Browser(page.port, greets=False)
        browser.send({"hello": {"key": "", "me": id_, "lang": "en"}})
        with pytest.raises(AssertionError, match="closed"):
            browser.until(lambda: browser.shown)


def test_what_an_invited_person_may_send(page, app):
    """Every action that the page knows: only those on the list do anything."""
    cookie = come_in(page, link_to(page, 3))
    guest = far(page, cookie)
    viewer = next(one for one in page.broadcaster.viewers if one.browser_id).page.viewer
    assert viewer.rights == Rights(False, app.table.seat_claims.seats[3], outside=True)
    guest.close()
    for word, (_, who, _) in actions.ACTIONS.items():
        if word not in actions.OUTSIDE:
            assert not actions.perform(viewer, word + " 3 3", {}), word
        assert who != actions.OWNER or word not in actions.OUTSIDE, word
    for name in dialogs.DIALOGS:
        assert dialogs.may_open(viewer, name) <= (name in dialogs.OUTSIDE), name


def test_a_seat_of_a_phone_in_the_room_stays_with_it(page, app):
    secret = link_to(page, 3)
    phone = Browser(page.port, me="phone")
    phone.send({"do": "take-seat 3", "fields": {"name": "Cleo"}})
    phone.until(lambda: "Cleo" in phone.shown.get("scores", ""))
    guest = far(page, cookie_for(page, knock(page, secret)))
    assert app.table.seat_claims.seats[3] == "phone"
    for tile in app.table.player_view.hand(3):
        assert 'data-do="pick %s"' % tile not in guest.shown["hand"]


def test_only_the_owner_invites(page, app):
    phone = Browser(page.port, me="phone", lang="en")
    phone.send({"do": "invite", "fields": {"seat": "3", "name": "Ana"}})
    phone.send({"do": "open invite"})
    phone.send({"do": "open legend"})
    phone.until(lambda: phone.shown.get("dialog"))
    assert app.invitations.of(app.match_id) == [] and "join=" not in phone.shown["dialog"]
