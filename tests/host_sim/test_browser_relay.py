# SPDX-License-Identifier: MIT
"""The scoreboard in a browser: headless Chromium looks at the page that textual-serve makes."""

import asyncio
import base64
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from PIL import Image

from host_sim.hub.simulated_hub import SimulatedHub
from host_sim.views.browser_relay import Relay
from host_sim.views.line_sources import Tail

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ROOT = Path(__file__).resolve().parents[2]

SERVE = """
import sys
sys.path.insert(0, %r)
from host_sim.views import browser_relay
from host_sim.views.line_sources import Tail
browser_relay.serve(Tail(%r), %d)
"""


def lines():
    """Console lines of a table in play."""
    board = SimulatedHub()
    for seat in ("1", "2"):
        board.press(seat)
    board.tap("12-12", "1")
    board.tap("12-5", "1")
    board.run(1000)
    board.say("state")
    return board.lines


def free_port():
    with socket.socket() as port:
        port.bind(("localhost", 0))
        return port.getsockname()[1]


def test_the_relay_passes_lines_on_and_nothing_back(tmp_path):
    asked = []

    class Source:
        def poll(self):
            waiting, said[:] = list(said), []
            return waiting

        def send(self, text):
            asked.append(text)

    said = lines()
    wanted = list(said)
    relay = Relay(Source(), tmp_path / "lines")
    relay.start()
    tail, got = Tail(tmp_path / "lines"), []
    end = time.monotonic() + 10
    while len(got) < len(wanted) and time.monotonic() < end:
        got += tail.poll()
        time.sleep(0.02)
    tail.send("undo")
    relay.ends.set()
    relay.join()
    assert got == wanted
    assert set(asked) == {"state"}


async def look(port, debug, seconds):
    """Let Chromium show the page for a while; return its screenshot and the page's text."""
    import aiohttp

    async with aiohttp.ClientSession() as session:
        for _ in range(100):
            try:
                async with session.get("http://localhost:%d/json" % debug) as answer:
                    page = next(p for p in await answer.json() if p["type"] == "page")
                break
            except (aiohttp.ClientError, StopIteration):
                await asyncio.sleep(0.2)
        async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as wire:

            async def call(method, **params):
                await wire.send_json({"id": 1, "method": method, "params": params})
                while True:
                    said = json.loads((await wire.receive()).data)
                    if said.get("id") == 1:
                        return said["result"]

            await call("Page.navigate", url="http://localhost:%d" % port)
            await asyncio.sleep(seconds)
            shot = await call("Page.captureScreenshot")
            return base64.b64decode(shot["data"])


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
def test_a_browser_shows_the_table(tmp_path):
    path = tmp_path / "said"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines()))
    port, debug = free_port(), free_port()
    code = SERVE % (str(ROOT), str(path), port)
    server = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"ROUNDHOUSE_TEST": str(port)},
    )
    chromium = subprocess.Popen(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,800",
            "--user-data-dir=%s" % (tmp_path / "profile"),
            "--remote-debugging-port=%d" % debug,
            "about:blank",
        ],
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen("http://localhost:%d" % port).close()
                break
            except OSError:
                time.sleep(0.2)
        for seconds in (5, 10, 20, 40):  # until the picture has come, on a busy machine too
            shot = asyncio.run(look(port, debug, seconds))
            (tmp_path / "shot.png").write_bytes(shot)
            if colours(shot):
                break
        assert colours(shot), "the open lamp's blue or the turn lamp's amber"
    finally:
        chromium.terminate()
        server.terminate()
        chromium.wait()
        server.wait()
    end = time.monotonic() + 20
    while views(port) and time.monotonic() < end:
        time.sleep(0.2)
    assert not views(port), "a view ends with its server"


def views(port):
    """The processes of views that server started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if b"ROUNDHOUSE_TEST=%d" % port in path.read_bytes():
                found.append(path)
        except OSError:
            continue
    return found


def colours(png):
    """Whether the lamps' colours are in the picture: seat 2's turn lamp, amber."""
    amber = 0
    for r, g, b in Image.open(io.BytesIO(png)).convert("RGB").get_flattened_data():
        amber += r > 90 and r > g + 15 > b + 30 and abs(g - 0.78 * r) < 0.12 * r
    return amber > 20
