# SPDX-License-Identifier: MIT
"""The page's server: viewers, rights, junk, ports and addresses, over real sockets."""

import asyncio
import io
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import segno
from page_clients import KEY, Browser, Counter, CounterApp, CounterPage, ask, running, talk

from host_sim.app.server import addresses, web_server
from host_sim.app.server.broadcaster import LARGEST, BadMessage, Broadcaster, parse_event
from host_sim.app.server.launcher import PageLauncher
from host_sim.app.views.i18n import TABLE, Translator
from host_sim.app.views.whole_languages import preferred_language
from host_sim.maker import CommandError
from host_sim.table.model import Moment

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server():
    with running() as one:
        yield one


@pytest.fixture
def nothing_printed(capfd):
    """Check that no request makes the server print a traceback."""
    yield
    assert capfd.readouterr().err == ""


# ---- viewers ----


def test_two_viewers_see_what_one_of_them_does(server):
    owner = Browser(server.port, KEY, me="a1")
    guest = Browser(server.port, me="b2", lang="de")
    assert owner.shown["who"] == "True a1 en"
    assert guest.shown["who"] == "False b2 de"
    owner.send({"do": "add"})
    for browser in (owner, guest):
        browser.until(lambda browser=browser: browser.shown["count"] == "1")
        assert browser.got[-1] == {"show": {"count": "1"}}, "only what has changed"


def test_who_has_no_key_changes_nothing(server, nothing_printed):
    for key in ("", "x", KEY[:-1], KEY + "k", "\u00e4", KEY.upper()):
        guest = Browser(server.port, key)
        guest.send({"do": "add"})
        guest.send({"do": "ring"})
        guest.until(lambda guest=guest: guest.got[-1] == {"sound": "yes"})
        assert guest.shown["count"] == "0"
    assert server.app.table.count == 0


@pytest.mark.parametrize("path", ["/live", "/", "/page.css"])
def test_a_browser_that_goes_away_while_it_is_answered(server, nothing_printed, path):
    upgrade = (
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port)) as sock:
            sock.sendall((upgrade % (path, server.port)).encode())
            reset = struct.pack("ii", 1, 0)  # a RST in place of a FIN
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    assert Browser(server.port, KEY).shown["who"].startswith("True")


def test_what_is_said_once_is_said_to_one(server):
    one, other = Browser(server.port), Browser(server.port)
    one.send({"do": "ring"})
    one.until(lambda: {"sound": "yes"} in one.got)
    other.send({"do": "later"})
    other.until(lambda: other.shown["count"] == "10")
    assert {"sound": "yes"} not in other.got


def test_the_table_moves_when_it_is_due_and_not_before(server):
    browser = Browser(server.port)
    table = server.app.table
    assert table.steps == 0
    browser.send({"do": "later"})
    browser.until(lambda: browser.shown["count"] == "10")
    asked = table.asked
    browser.send({"do": "ring"})
    browser.until(lambda: browser.got[-1] == {"sound": "yes"})
    assert table.steps == 1
    assert table.asked <= asked + 3, "nobody asks a table again and again"


def test_another_thread_wakes_the_table(server):
    browser = Browser(server.port)
    server.app.table.left = 0
    server.broadcaster.wake()
    browser.until(lambda: browser.shown["count"] == "10")


def until(condition):
    """Wait until another thread makes a condition true."""
    pause = threading.Event()
    for _ in range(1200):
        if condition():
            return
        pause.wait(0.1)
    raise AssertionError("not met in two minutes")


def until_viewers(server, count):
    until(lambda: len(server.broadcaster.viewers) == count)


def test_a_viewer_that_takes_nothing_holds_nobody_up(server, monkeypatch):
    owner, stalled = Browser(server.port, KEY), Browser(server.port)
    with monkeypatch.context() as soon:  # for the stalled one; the owner has all its time
        soon.setattr("host_sim.app.server.broadcaster.TIMEOUT_S", 0.5)
        for _ in range(30):  # megabytes each, of which the stalled one reads none
            stalled.send({"do": "big"})
        until(lambda: server.app.table.version == 30)
    owner.send({"do": "add"})
    owner.until(lambda: owner.shown["count"] == "1")
    until_viewers(server, 1)
    again = Browser(server.port)
    assert set(again.shown) == {"who", "count", "big"}, "who comes again gets everything"


def test_a_page_that_breaks_does_not_end_the_server(server, capfd):
    browser = Browser(server.port, KEY)
    browser.send({"do": "break"})
    browser.until(lambda: "error" in browser.got[-1])
    assert browser.got[-1]["error"].startswith("Something went wrong in the program")
    assert "a fault in the page" in capfd.readouterr().err, "a fault of ours is shown"
    browser.send({"do": "add"})
    browser.until(lambda: browser.shown["count"] == "1")


def test_who_goes_is_forgotten(server):
    browser = Browser(server.port)
    assert len(server.broadcaster.viewers) == 1
    browser.close()
    until_viewers(server, 0)


def test_the_room_may_be_full(server, monkeypatch):
    monkeypatch.setattr("host_sim.app.server.connections.GUESTS_PER_ADDRESS", 1)
    first = Browser(server.port)
    second = Browser(server.port, greets=False)
    second.send({"hello": {}})
    assert second.read() == {"error": Translator("en")("server.full")}
    assert second.read() is None
    first.send({"do": "ring"})
    first.until(lambda: first.got[-1] == {"sound": "yes"})


# ---- junk ----

JUNK = [
    "",
    "{",
    "null",
    "7",
    "[]",
    '"add"',
    "{}",
    '{"do": 7}',
    '{"do": ["add"]}',
    '{"key": null}',
    '{"do": "add", "fields": []}',
    '{"do": "add", "fields": {"a": 1}}',
    '{"do": "add", "more": NaN}',
    '{"do": "\\ud800"}',
    '{"hello": 1}',
    '{"hello": {"key": 5}}',
    "[" * 100_000,
    '{"do": ' * 3000,
    "1" * 5000,
]


@pytest.mark.parametrize("text", [junk for junk in JUNK if junk])
def test_junk_is_answered_once_and_changes_nothing(server, nothing_printed, text):
    browser = Browser(server.port, KEY)
    browser.send(text)
    browser.until(lambda: len(browser.got) > 1)
    assert browser.got[1] == {"error": Translator("en")("server.junk")}
    browser.send({"do": "add"})
    browser.until(lambda: browser.shown["count"] == "1")
    assert len(browser.got) == 3


@pytest.mark.parametrize("text", JUNK)
def test_an_event_is_read_or_not_understood(text):
    with pytest.raises(BadMessage):
        parse_event(text)


@pytest.mark.parametrize("text", [*JUNK[1:], '{"do": "add"}', '{"hello": {"me": "<b>"}}'])
def test_who_does_not_say_hello_is_sent_away(server, nothing_printed, text):
    browser = Browser(server.port, greets=False)
    browser.send(text)
    assert browser.read() == {"error": Translator("en")("server.junk")}
    assert browser.read() is None
    assert server.app.table.count == 0


def test_too_much_at_once(server, nothing_printed):
    browser = Browser(server.port, KEY, lang="fr")
    browser._out.sendall(b"\x81\xff" + (LARGEST + 1).to_bytes(8, "big") + b"\1\2\3\4")
    browser.until(lambda: "error" in browser.got[-1])
    assert browser.got[-1]["error"].startswith("C\u2019\u00e9tait trop")
    assert browser.read() is None
    assert Browser(server.port).shown["count"] == "0"


def test_a_message_in_several_frames(server, nothing_printed):
    """Chromium sends a long message so."""
    browser = Browser(server.port, KEY)
    browser.send_bytes(b'{"do"', last=False)
    for part in (b': "a', b"dd"):
        browser.send_bytes(b"pong", 10)  # may come between
        browser.send_bytes(part, 0, last=False)
    browser.send_bytes(b'"}', 0)
    browser.until(lambda: browser.shown["count"] == "1")
    half = LARGEST // 2 + 1
    browser.send_bytes(b"x" * half, last=False)
    browser.send_bytes(b"x" * half, 0)
    browser.until(lambda: "error" in browser.got[-1])
    assert browser.read() is None


def test_frames_that_are_no_text(server, nothing_printed):
    for opcode, data in ((1, b"\xff\xfe"), (2, b"\0\1"), (0, b"x"), (5, b"x"), (9, b"ping")):
        browser = Browser(server.port, KEY)
        browser.send_bytes(data, opcode)
        browser.close()
    assert Browser(server.port).shown["count"] == "0"


@pytest.mark.parametrize(
    "data, status",
    [
        (b"\r\n\r\n", 400),
        (b"hello\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 403),  # no Host
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999\r\n\r\n", 413),
    ],
)
def test_what_is_no_request(server, nothing_printed, data, status):
    got, headers, body = talk(server.port, data)
    assert got in (status, 400)
    assert headers["content-type"].startswith("text/plain")
    assert len(body.decode().splitlines()) == 1


def test_a_request_that_never_ends_is_given_up(server, monkeypatch):
    monkeypatch.setattr(web_server, "TIMEOUT_S", 0.2)
    assert talk(server.port, b"GET / HTTP/1.1\r\nHost: x")[0] == 400


@pytest.mark.parametrize(
    "path", ["/nothing", "/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd", "/x/"]
)
def test_there_is_only_the_page(server, nothing_printed, path):
    status, _, body = ask(server.port, "GET " + path)
    assert (status, body.decode()) == (404, Translator("en")("server.no_page") + "\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_one_can_only_look(server, nothing_printed, method):
    for path in ("/", "/page.js", "/live"):
        assert ask(server.port, "%s %s" % (method, path))[0] == 405


def test_live_without_a_web_socket(server, nothing_printed):
    status, _, body = ask(server.port, "GET /live\nAccept-Language: de")
    assert (status, body.decode()) == (400, Translator("de")("server.bad_request") + "\n")


# ---- who may ask ----


@pytest.mark.parametrize(
    "host, may",
    [
        ("127.0.0.1:8000", True),
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("192.168.1.20:8000", True),
        ("[::1]:8000", True),
        (socket.gethostname() + ":8000", True),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_a_name_somebody_made_up_is_refused(server, host, may):
    """A made-up host name, by which a website could read the page, is refused."""
    assert addresses.is_own_host(host) is may
    if host:
        assert ask(server.port, "GET /", host)[0] == (200 if may else 403)
        assert ask(server.port, "GET /live", host)[0] == (400 if may else 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:%d", ""])
def test_another_website_opens_no_socket(server, nothing_printed, origin):
    origin = origin.replace("%d", str(server.port))
    upgrade = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Key: eA=="
    status, _, body = ask(server.port, "GET /live\nOrigin: %s\n%s" % (origin, upgrade))
    assert (status, body.decode()) == (403, Translator("en")("server.cross_site") + "\n")


def test_the_page_itself_opens_one(server):
    mine = Browser(server.port, headers=["Origin: http://127.0.0.1:%d" % server.port])
    assert mine.shown["count"] == "0"


# ---- files ----


def test_the_files_of_the_page(server):
    status, headers, body = ask(server.port, "GET /")
    assert status == 200 and body == (web_server.STATIC / "page.html").read_bytes()
    assert headers["content-type"] == "text/html; charset=UTF-8"
    assert "default-src 'self'" in headers["content-security-policy"]
    status, headers, body = ask(server.port, "GET /page.js?x=1")
    assert headers["content-type"] == "text/javascript; charset=UTF-8"
    again = ask(server.port, "GET /page.js\nIf-None-Match: " + headers["etag"])
    assert (again[0], again[2]) == (304, b"")
    assert ask(server.port, "HEAD /page.js")[::2] == (200, b"")


# ---- languages ----


@pytest.mark.parametrize(
    "header, language",
    [
        ("", "en"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("pt,fr;q=0.5,en;q=0.9", "en"),
        ("zxx", "en"),
        ("fr;q=x, de;q=0", "en"),
        ("en;q=0.1, FR", "fr"),
    ],
)
def test_the_browsers_language(server, header, language):
    assert preferred_language(header) == language
    got = Browser(server.port, headers=["Accept-Language: " + header])
    assert got.shown["who"].endswith(language)
    if header:  # what its page says itself counts more
        got = Browser(server.port, headers=["Accept-Language: fr"], lang=header)
        assert got.shown["who"].endswith(language)
    got = Browser(server.port, lang="fr", headers=["Accept-Language: " + header])
    assert got.shown["who"].endswith("fr")


def test_what_is_refused_is_said_in_the_language_of_the_address(server):
    german = Translator("de")("server.no_page") + "\n"
    assert ask(server.port, "GET /nowhere?lang=de")[2].decode() == german


def test_every_sentence_of_the_server_is_said_somewhere():
    code = "".join(
        path.read_text()
        for path in [*(ROOT / "host_sim").glob("**/*.py")]
        if path.parent.name in ("server", "commands", "views", "page")
    )
    for section in ("server", "usb"):
        for name in TABLE["en"][section]:
            assert re.search(r'"(%s\.)?%s"' % (section, name), code), name


# ---- ports and addresses ----


def test_the_next_free_port_is_taken(monkeypatch):
    with running() as first:
        monkeypatch.setattr(addresses, "FIRST_PORT", first.port)
        with running(port=None) as second:
            assert first.port < second.port <= first.port + addresses.PORTS


def test_the_port_of_last_time_is_taken_again(monkeypatch):
    with running() as another:
        usual = another.port
        with PageLauncher().port_taken(usual) as port:
            assert port != usual, "another program has it"
    with PageLauncher().port_taken(usual) as port:
        assert port == usual
    with PageLauncher(port=0).port_taken(usual) as port:
        assert port != usual, "a port that is asked for comes first"


def test_who_looks_at_the_page_is_known(server):
    one = Browser(server.port, me="one")
    two = Browser(server.port, me="two")
    until(lambda: server.app.present == {"one", "two"})
    one.close()
    until(lambda: server.app.present == {"two"})
    two.close()
    until(lambda: server.app.present == set())


def test_a_port_that_was_asked_for_and_is_taken():
    with running() as first:
        opened = PageLauncher("en", port=first.port, browser=False)
        with pytest.raises(
            CommandError, match="Port %d is in use by another program" % first.port
        ):
            opened.serve(first.app, CounterPage, KEY)
    with pytest.raises(CommandError, match="Port 99999 "):
        PageLauncher("en", port=99999, browser=False).serve(first.app, CounterPage, KEY)


def modules(text):
    """Return the rows of a QR code that was printed with half blocks; 1 stands for dark."""
    rows = []
    for line in text.splitlines():
        pairs = [" \u2584\u2580\u2588".index(sign) for sign in line]
        rows += [[1 - (pair >> 1) for pair in pairs], [1 - (pair & 1) for pair in pairs]]
    return rows


def test_the_qr_code_is_the_address():
    address = "http://192.168.17.5:8000/?lang=de"
    said = modules(addresses.qr_code(address))
    wanted = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=2)]
    assert said[: len(wanted)] == wanted
    assert modules(addresses.qr_code(address.replace("5:", "6:"))) != said
    plain = re.sub(r"\x1b\[[0-9;]*m", "", addresses.qr_code(address, colour=True))
    assert modules(plain) == said


def test_the_greeting(capsys):
    opened = PageLauncher("de", shared=True)
    mine = addresses.page_url("127.0.0.1", 8001, KEY)
    said = "\n".join(opened._greeting(mine, True))
    assert mine.endswith(":8001/#key=" + KEY) and mine in said
    assert "Strg-C" in said and "host_sim type" in said
    assert "Handys" not in said
    room = addresses.page_url("192.168.17.5", 8001)
    assert room == "http://192.168.17.5:8001/", "without the key: it lets everybody look"
    opened._tell_room("server.room", address=room)
    said = capsys.readouterr().out
    assert room in said and addresses.qr_code(room) in said
    assert "\x1b" not in said
    said = "\n".join(PageLauncher("en")._greeting(mine, False))
    assert "Ctrl-C" in said and "type" not in said and "Phones" not in said
    assert "Phones in this room" in "\n".join(PageLauncher("en")._greeting(mine, True))


def test_the_key_is_kept_and_nobody_elses_file_is_touched(tmp_path):
    key = addresses.owner_key(tmp_path / "new")
    assert len(key) == 32 and addresses.owner_key(tmp_path / "new") == key
    if os.name == "posix":
        assert (tmp_path / "new" / "page-key.txt").stat().st_mode & 0o77 == 0
    (tmp_path / "page-key.txt").write_text("a poem\n")
    assert addresses.owner_key(tmp_path) != addresses.owner_key(tmp_path)
    assert (tmp_path / "page-key.txt").read_text() == "a poem\n"


def test_where_a_browser_is_seen():
    assert not addresses.has_display({}, "linux")
    assert addresses.has_display({"DISPLAY": ":0"}, "linux")
    assert not addresses.has_display({"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}, "linux")
    assert not addresses.has_display({"SSH_CONNECTION": "a b"}, "darwin")
    assert addresses.has_display({}, "darwin")


# ---- a process of its own ----

PROGRAM = """
import sys
from page_clients import KEY, CounterPage, CounterApp
from host_sim.app.server.launcher import PageLauncher
launcher = PageLauncher("en", port=int(sys.argv[1]), browser=False)
sys.exit(launcher.serve(CounterApp(), CounterPage, KEY))
"""


def started(port, program=PROGRAM):
    """Start a server as its own process; return (process, port) once it listens."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "%s:%s" % (ROOT, ROOT / "tests" / "host_sim")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = process.stdout.readline()
    return process, int(re.search(r":(\d+)/", said)[1])


def test_killed_and_started_again_at_the_same_port():
    process, port = started(0)
    browser = Browser(port, KEY)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    with pytest.raises((AssertionError, ConnectionResetError)):
        browser.until(lambda: False)
    process, same = started(port)
    assert same == port
    browser, stalled = Browser(port, KEY), Browser(port, KEY)
    silent = socket.create_connection(("127.0.0.1", port))
    assert browser.shown["who"].startswith("True")
    for _ in range(8):
        stalled.send({"do": "big"})
    browser.send({"do": "add"})
    browser.until(lambda: browser.shown["count"] == "1")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out.splitlines()[-1] == "Stopped." and err == ""
    silent.close()


def test_idle_costs_nothing(monkeypatch):
    """An idle server asks the table only once, even when the event loop's clock jumps an hour."""
    table = Counter()

    async def asked():
        """Return how often the table was asked, as [before the clock jumped, in all]."""
        loop = asyncio.get_running_loop()
        task = loop.create_task(Broadcaster(CounterApp(table), CounterPage, KEY).run())
        counts = []
        for hours in (0, 1):
            later = loop.time() + hours * 3600
            monkeypatch.setattr(loop, "time", lambda later=later: later)
            for _ in range(10):
                await asyncio.sleep(0)
            counts.append(table.asked)
        task.cancel()
        return counts

    assert asyncio.run(asked()) == [1, 1]


def test_the_terminal_tells_what_is_new():
    from host_sim.app.server.text_output import StoryPrinter

    table, out = Counter(), io.StringIO()
    old = {"slot": "4", "reader": "fault"}
    table.moments = [Moment(old), Moment({"slot": "4", "reader": "0x92"})]
    told = StoryPrinter("en", out)
    told(table)
    assert out.getvalue() == "", "what was there before is told to nobody"
    table.moments.append(Moment({"slot": "7", "button": "stuck"}))
    told(table)
    told(table)
    first = out.getvalue()
    assert len(first.splitlines()) == 1
    table.moments = [Moment(old)]
    told(table)
    table.moments.append(Moment({"slot": "7", "button": "stuck"}))
    told(table)
    assert out.getvalue() == 2 * first, "another match"


def test_a_listener_that_fails_does_not_end_the_server(capsys):
    heard = []

    def fails(app):
        raise KeyError("selftest")

    with running(listeners=[fails, heard.append]) as server:
        browser = Browser(server.port, KEY)
        browser.send({"do": "add"})
        browser.until(lambda: browser.shown["count"] == "1")
        browser.close()
    assert len(heard) > 1
    assert "KeyError: 'selftest'" in capsys.readouterr().err


def test_a_line_that_cannot_be_told_does_not_end_the_story(monkeypatch, capsys):
    from host_sim.app.page.shown_tables import ShownTable
    from host_sim.app.server import text_output
    from host_sim.table.streams import HubStream

    source, out = HubStream(), io.StringIO()
    source.set_status("usb.none")
    table, told = ShownTable(), text_output.StoryPrinter("en", out, source)
    text_output._tell(source, table, told)
    monkeypatch.setattr(ShownTable, "take", lambda table, line: line["selftest"])
    source.received(b'{"slot": "4", "reader": "fault"}\n')
    text_output._tell(source, table, told)
    monkeypatch.undo()
    source.received(b'{"slot": "7", "button": "stuck"}\n')
    text_output._tell(source, table, told)
    assert out.getvalue().splitlines()[2:] == ["The button at station 7 is stuck."]
    assert "KeyError" in capsys.readouterr().err


class Taker:
    """A writer to a browser that reads nothing."""

    def __init__(self):
        self.transport = self

    def get_extra_info(self, name):
        pass

    def abort(self):
        pass

    async def awrite(self, data):
        await asyncio.sleep(60)


@pytest.mark.parametrize("moment", ["news", "a request"])
def test_the_end_is_heard_in_the_very_moment(moment):
    async def run():
        broadcaster = Broadcaster(CounterApp(), CounterPage, KEY)
        reader = asyncio.StreamReader()
        server = web_server.WebServer(broadcaster)
        begun = broadcaster.run() if moment == "news" else server.handle_request(reader, Taker())
        task = asyncio.create_task(begun)
        for _ in range(5):
            await asyncio.sleep(0)
        if moment == "news":
            broadcaster.wake()
            await asyncio.sleep(0)
        else:
            reader.feed_data(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(0)
        task.cancel()
        ended, _ = await asyncio.wait({task}, timeout=5)
        return ended

    assert asyncio.run(run())
