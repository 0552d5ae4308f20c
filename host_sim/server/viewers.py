# SPDX-License-Identifier: MIT
"""Who looks at the table: a web socket each, told what has changed; and the table's own time.

Nobody waits for anybody. What a slow browser has not been told yet is worked out anew when it is
ready, so nothing piles up; one that takes nothing is dropped, and asks for everything again.
"""

import asyncio
import collections
import hmac
import json
import re
import traceback

from microdot.websocket import WebSocketError

from host_sim.page.page_updates import PageUpdates
from host_sim.page.page_view import Rights
from host_sim.views.i18n import Translator, negotiate_language

LARGEST = 512 * 1024  # bytes of a message; an export that is looked back at comes in one
PATIENCE_S = 10.0  # for a browser that takes nothing, or has not said who it is
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what a browser calls itself


class BadMessage(ValueError):
    """A message that is not one of the page's; the text is the key of what is answered."""


def _no_number(text):
    raise ValueError(text)


def event_of(text):
    """Return the event, a dict, that a browser has sent. Raises BadMessage."""
    try:
        event = json.loads(text, parse_constant=_no_number)  # NaN
        json.dumps(event, ensure_ascii=False).encode()  # nor half a character a text
    except (ValueError, TypeError, RecursionError):
        raise BadMessage("server.junk") from None
    if not isinstance(event, dict):
        raise BadMessage("server.junk")
    words = [event[key] for key in ("do", "key") if key in event]
    tables = [event[key] for key in ("fields", "hello") if key in event]
    if not words and "hello" not in event or not all(isinstance(one, dict) for one in tables):
        raise BadMessage("server.junk")
    words += [value for table in tables for value in table.values()]
    if not all(isinstance(word, str) for word in words):
        raise BadMessage("server.junk")
    return event


class Viewer:
    """One browser that shows the page."""

    def __init__(self, socket, view, language):
        self.socket = socket
        self.view = view
        self.language = language
        self.news = asyncio.Event()
        self.news.set()
        self._page = PageUpdates(view)
        self._answers = collections.deque(maxlen=20)

    def answer(self, key):
        """Tell this one alone a sentence about what it has sent."""
        self._answers.append({"error": Translator(self.language)(key)})
        self.news.set()

    async def tell(self):
        """Send what has changed, whenever there is something; until the browser takes no more."""
        while True:
            await self.news.wait()
            self.news.clear()
            for message in self._messages():
                text = json.dumps(message, separators=(",", ":"))
                async with asyncio.timeout(PATIENCE_S):  # wait_for may miss that all is to end
                    await self.socket.send(text)

    def _messages(self):
        try:
            messages = self._page.messages()
        except Exception:
            traceback.print_exc()
            return [{"error": Translator(self.language)("server.broke")}]
        while self._answers:
            messages.append(self._answers.popleft())
        return messages


class Broadcaster:
    """All who look at one app's table, and the task that lets its time pass.

    make_view(app, rights, language) makes a viewer's page. key: what the owner's browser shows.
    told: functions that are called with the app after every change.
    """

    def __init__(self, app, make_view, key, told=()):
        self.app = app
        self.make_view = make_view
        self.key = key
        self.told = told
        self.viewers = set()
        self._news = asyncio.Event()
        self._loop = None
        self._version = None

    def wake(self):
        """The table may be due earlier than it said: to be called from any thread."""
        loop = self._loop
        if loop and not loop.is_closed():
            loop.call_soon_threadsafe(self._news.set)

    async def go_on(self):
        """Let the table's time pass, without end. Where nothing moves, nothing is done."""
        self._loop = asyncio.get_running_loop()
        while True:
            self._tell_all()
            self._news.clear()
            due = self.app.due()
            if due is None or due > 0:
                try:
                    async with asyncio.timeout(due):
                        await self._news.wait()
                    continue
                except TimeoutError:
                    pass
            try:
                self.app.step()
            except Exception:
                traceback.print_exc()
                await asyncio.sleep(1)
            await asyncio.sleep(0)  # everybody else's turn

    def _tell_all(self):
        """After a change: all are told, the page's viewers and those who asked for it."""
        if self.app.version == self._version:
            return
        self._version = self.app.version
        for viewer in self.viewers:
            viewer.news.set()
        for tell in self.told:
            tell(self.app)

    async def welcome(self, socket, language, admit):
        """Show a browser the page for as long as it stays.

        language: the one it likes best; admit(owner): whether there is a place for it.
        """
        viewer = teller = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                hello = await socket.receive()
            viewer = self._viewer(socket, hello, language, admit)
            self.viewers.add(viewer)
            teller = asyncio.create_task(viewer.tell())
            hears = asyncio.create_task(self._hear(viewer))
            tasks = (teller, hears)
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await self._end(tasks)
        except BadMessage as wrong:
            await self._refuse(socket, language, str(wrong))
        except WebSocketError as wrong:
            if "large" in str(wrong):
                spoken = viewer.language if viewer else language
                await self._refuse(socket, spoken, "server.too_long")
        except (OSError, EOFError, UnicodeDecodeError, TimeoutError):
            pass  # it is gone, or never was a browser
        finally:
            self.viewers.discard(viewer)

    async def _end(self, tasks):
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    async def _refuse(self, socket, language, key):
        text = json.dumps({"error": Translator(language)(key)})
        try:
            async with asyncio.timeout(PATIENCE_S):
                await socket.send(text)
        except (OSError, TimeoutError):
            pass

    def _viewer(self, socket, text, language, admit):
        """Return the Viewer that says hello. Raises BadMessage where there is no place."""
        hello = event_of(text).get("hello")
        me = hello.get("me", "") if hello else None
        if hello is None or me and not NAME.fullmatch(me):
            raise BadMessage("server.junk")
        owner = hmac.compare_digest(hello.get("key", "").encode(), self.key.encode())
        if hello.get("lang"):
            language = negotiate_language(hello["lang"])
        if not admit(owner):
            raise BadMessage("server.full")
        return Viewer(socket, self.make_view(self.app, Rights(owner, me), language), language)

    async def _hear(self, viewer):
        while True:
            text = await viewer.socket.receive()
            try:
                event = event_of(text)
                if "hello" not in event:
                    viewer.view.take(event)
            except BadMessage as wrong:
                viewer.answer(str(wrong))
            except Exception:
                traceback.print_exc()
                viewer.answer("server.broke")
            viewer.news.set()
            self._news.set()
            await asyncio.sleep(0)  # everybody else's turn
