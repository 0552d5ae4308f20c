# SPDX-License-Identifier: MIT
"""Requests for a seat: each belongs to a phone, and its code to the owner's screen."""

import pytest
from page_clients import KEY, Browser, running

from host_sim.app.page import seat_claims
from host_sim.app.page.app import App
from host_sim.app.page.seat_claims import ASK_S, MOST_WRONG, REST_S, SIGNS, WAITS_S, SeatClaims
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.match_store import MatchStore


class Match:
    """What SeatClaims needs of a match."""

    def __init__(self):
        self.metadata = {}
        self.people = {1, 2, 3}

    def save(self):
        pass


@pytest.fixture
def clock(monkeypatch):
    """Return [the seconds of time.monotonic()]."""
    now = [1000.0]
    monkeypatch.setattr(seat_claims.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def claims(clock):
    return SeatClaims(Match())


def test_who_asks_first_shuts_nobody_out(claims):
    claims.claim(2, "bo's old phone")
    assert claims.ask(2, "stranger") and claims.ask(2, "bo's new phone")
    first, second = claims.requests()
    assert first.sign != second.sign and first.number != second.number
    assert not claims.grant(3, "stranger"), "it did not ask for this seat"
    assert claims.grant(2, "bo's new phone") and claims.seats == {2: "bo's new phone"}
    assert claims.requests() == [] and not claims.grant(2, "stranger")


def test_a_code_is_good_for_its_phone_and_its_seat(claims):
    for seat, me in ((2, "bo"), (2, "stranger"), (3, "eva")):
        claims.ask(seat, me)
    codes = {request.browser_id: request.code for request in claims.requests()}
    claims.requests()[1].code = "another"
    assert not claims.prove(2, "stranger", codes["bo"])
    assert not claims.prove(2, "eva", codes["eva"])
    assert claims.prove(3, "eva", codes["eva"]) and claims.prove(2, "bo", codes["bo"])


def test_a_phone_asks_for_one_seat_at_a_time(claims):
    claims.ask(2, "bo")
    claims.ask(3, "bo")
    assert [request.seat for request in claims.requests()] == [3]
    claims.refuse("bo")
    assert not claims.ask(1, "bo"), "it was refused"


def test_no_two_requests_have_one_sign(claims):
    for n in range(3 * len(SIGNS)):
        assert claims.ask(2, str(n)), "always: the oldest request ends"
        signs = [request.sign for request in claims.requests()]
        assert len(signs) == len(set(signs)) == min(n + 1, len(SIGNS))


def test_each_wrong_code_makes_that_phone_wait_longer(claims, clock):
    claims.ask(2, "stranger")
    claims.ask(2, "bo")
    for wait in (*WAITS_S, WAITS_S[-1]):
        assert not claims.prove(2, "stranger", "wrong") and claims.wait_s("stranger") == wait
        request = claims.request_of("stranger", 2)
        assert not claims.prove(2, "stranger", request.code), "it waits"
        assert claims.due() <= clock[0] + wait
        clock[0] += wait
        assert claims.expire() and claims.wait_s("stranger") == 0
        assert claims.request_of("stranger", 2), "it may try again without asking again"
    assert claims.ask(2, "bo") and claims.wait_s("bo") == 0
    assert claims.prove(2, "bo", claims.request_of("bo", 2).code)
    assert claims.due() is None or claims.due() > clock[0]


def test_asking_again_ends_no_wait(claims, clock):
    claims.ask(2, "stranger")
    claims.prove(2, "stranger", "wrong")
    claims.ask(2, "stranger")
    assert not claims.prove(2, "stranger", claims.request_of("stranger", 2).code)
    clock[0] += ASK_S
    claims.expire()
    assert claims.request_of("stranger", 2) is None, "the new request lasts as long as any"


def test_codes_rest_after_many_wrong_ones(claims, clock):
    for n in range(MOST_WRONG):
        assert not claims.codes_rest()
        claims.ask(2, str(n))
        claims.prove(2, str(n), "wrong")
    claims.ask(2, "bo")
    code = claims.request_of("bo", 2).code
    assert claims.codes_rest() and not claims.prove(2, "bo", code)
    clock[0] += REST_S - 1
    claims.ask(2, "bo")
    assert not claims.prove(2, "bo", claims.request_of("bo", 2).code)
    assert claims.due() <= clock[0] + 1
    clock[0] += 1
    assert claims.expire() and not claims.codes_rest()
    claims.ask(2, "bo")
    assert claims.prove(2, "bo", claims.request_of("bo", 2).code)


def test_few_wrong_codes_an_hour_are_no_reason_to_rest(claims, clock):
    for n in range(3 * MOST_WRONG):
        claims.ask(2, str(n))
        claims.prove(2, str(n), "wrong")
        clock[0] += REST_S / (MOST_WRONG - 1)
        assert not claims.codes_rest()


def test_the_owner_may_hand_a_seat_over_while_codes_rest(claims):
    for n in range(MOST_WRONG):
        claims.ask(2, str(n))
        claims.prove(2, str(n), "wrong")
    claims.ask(2, "bo")
    assert claims.grant(2, "bo")


def test_the_code_is_not_in_any_byte_sent_to_the_phone(tmp_path, monkeypatch):
    monkeypatch.setattr(seat_claims, "DIGITS", 40)  # so that no picture has it by chance
    app = App(store=MatchStore(tmp_path), seed=1)
    app.start_match(house="puremco", set_=6, seats=(1, 2, 3), people=(1, 2), names={2: "Bo"})
    codes = set()

    with running(app, make_page=ViewerPage) as server:
        owner = Browser(server.port, KEY, me="owner")
        asking = Browser(server.port, me="phone")
        other = Browser(server.port, me="other")

        def asks(browser):
            browser.send({"do": "open seats"})
            browser.send({"do": "ask-seat 2"})
            browser.until(lambda: "prove-seat 2" in browser.shown["dialog"])
            codes.update(request.code for request in app.table.seat_claims.requests())

        def after(event, word):
            asking.send(event)
            asking.until(lambda: word in "".join(asking.shown.values()))

        asks(asking)
        asks(other)
        for code in codes:
            owner.until(lambda code=code: code in owner.shown["table"])
        after({"do": "speak de"}, "Dein Zeichen")
        after({"do": "prove-seat 2", "fields": {"code": "1"}}, "Das war ein anderer Code")
        after({"do": "open menu"}, 'data-do="television"')
        after({"do": "television"}, "join")
        asking.send({"do": "television"})
        again = Browser(server.port, me="phone")
        again.send({"do": "open seats"})
        again.until(lambda: "Your sign" in again.shown["dialog"])
        (request,) = (one for one in app.table.seat_claims.requests() if one.browser_id == "phone")
        owner.send({"do": "hand-over %d" % request.number})
        asking.until(lambda: "tile-button" in asking.shown["hand"])
        heard = bytes(owner.raw).decode()
        assert len(codes) == 2 and all(code in heard for code in codes)
        for browser in (asking, other, again):
            assert not [code for code in codes if code in bytes(browser.raw).decode()]
    app.close()
