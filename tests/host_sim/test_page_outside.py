# SPDX-License-Identifier: MIT
"""An invited person's browser, through a relay with TLS, as a tunnel is."""

import asyncio
import contextlib
import re
import ssl
import subprocess
import threading

import pytest
from page_browsers import DESK, PHONE, Visitor, launched
from page_clients import KEY, running

from host_sim.app.page.app import App
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.session.match_store import MatchStore

pytestmark = pytest.mark.slow
NAME = "dominoes.example"


class Relay:
    """Takes TLS on a port of its own, and passes all bytes on."""

    def __init__(self, folder, to):
        self._to = to
        words = "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem -subj"
        command = ["openssl", *words.split(), "/CN=" + NAME]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True).start()
        assert self._ready.wait(20)

    async def _run(self):
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ended.wait()
        server.close()

    async def _pass_on(self, reader, writer):
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self._to)

        async def copy(source, sink):
            with contextlib.suppress(OSError):
                while data := await source.read(65536):
                    sink.write(data)
                    await sink.drain()
            sink.close()

        await asyncio.gather(copy(reader, other_writer), copy(other_reader, writer))

    def end(self):
        self._loop.call_soon_threadsafe(self._ended.set)


@pytest.fixture
def page(tmp_path):
    app = App(store=MatchStore(tmp_path / "matches"))
    app.start_match(house="puremco", set_=6, seats=(1, 2), people=(1,), names={}, seed=3)
    app.open_outside("https://%s/" % NAME)
    with running(app, make_page=ViewerPage, outside=NAME) as found:
        yield found


@pytest.fixture
def elsewhere(browser, page, tmp_path):
    """A browser that reaches the page's public name by the relay."""
    relay = Relay(tmp_path, page.outside_port)
    rule = "--host-resolver-rules=MAP %s:443 127.0.0.1:%d" % (NAME, relay.port)
    found = launched(browser.browser_type, rule)
    yield found
    found.close()
    relay.end()


def link_from(browser, page):
    """Let the owner make a link for seat 2 on the page; return it."""
    owner = Visitor(browser, DESK)
    owner.page.goto("http://127.0.0.1:%d/?lang=en#key=%s" % (page.port, KEY))
    owner.open_menu("open invite")
    owner.page.select_option("dialog [name=seat]", "2")
    owner.page.fill("dialog [name=name]", "Ana")
    owner.page.click("dialog form [type=submit]")
    owner.page.wait_for_selector("dialog [name=link]")
    assert owner.flaws() == []
    return owner, owner.page.input_value("dialog [name=link]")


def test_a_cousin_comes_in_and_stays(browser, elsewhere, page):
    owner, link = link_from(browser, page)
    assert re.fullmatch(r"https://%s/#join=[\w-]{22}" % re.escape(NAME), link)
    cousin = Visitor(elsewhere, PHONE, ignore_https_errors=True, locale="en")
    cousin.page.goto(link)
    cousin.page.click("dialog [data-do=join]")
    cousin.page.wait_for_selector("#table svg")
    cousin.page.wait_for_function("() => !location.hash")
    assert page.app.table.session.people == {1, 2}
    owner.page.click("dialog .close")
    owner.page.wait_for_selector("#scores :text('Ana')")
    cousin.page.reload()
    cousin.page.wait_for_selector("#table svg")
    assert not any(KEY in address or "join=" in address for address in cousin.asked)
    assert cousin.page.evaluate("document.cookie") == "", "scripts do not see it"
    invitation = page.app.invitations.of(page.app.match_id)[0]
    owner.open_menu("open invite")
    owner.page.click('dialog [data-do="withdraw %s"]' % invitation.id)
    cousin.page.wait_for_selector("dialog :text('private')")


def test_who_has_no_link_reads_one_sentence(elsewhere, page):
    stranger = Visitor(elsewhere, PHONE, ignore_https_errors=True, locale="en")
    stranger.page.goto("https://%s/" % NAME)
    stranger.page.wait_for_selector("dialog :text('private')")
    assert stranger.page.locator("dialog button").count() == 0
    assert stranger.page.locator("#table svg").count() == 0


def test_a_browser_that_keeps_nothing_does_not_use_the_link_up(browser, elsewhere, page):
    _, link = link_from(browser, page)
    cousin = Visitor(elsewhere, PHONE, ignore_https_errors=True, locale="en")
    cousin.page.route("**/seat", lambda route: route.fulfill(status=204))
    cousin.page.goto(link)
    cousin.page.click("dialog [data-do=join]")
    cousin.page.wait_for_selector("dialog :text('still good')")
    assert page.app.invitations.of(page.app.match_id)[0].is_open
