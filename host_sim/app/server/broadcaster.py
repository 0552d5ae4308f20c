# SPDX-License-Identifier: MIT
"""The web sockets of all viewers, and the task that makes the table act when an action is due.

The changes for a browser are computed when the browser is ready for them, so that nothing
accumulates for a slow browser. A browser that stops receiving is disconnected, and gets the whole
page when it connects again.
"""

import asyncio
import collections
import hmac
import json
import re
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

from microdot.websocket import WebSocket, WebSocketError

from host_sim.app.page.app import App
from host_sim.app.page.rights import Rights
from host_sim.app.page.stranger_page import StrangerPage
from host_sim.app.page.viewer import Message
from host_sim.app.page.viewer_page import ViewerPage
from host_sim.app.server.outsiders import Outsiders, Visitor
from host_sim.app.views.i18n import Translator
from host_sim.app.views.whole_languages import preferred_language

LARGEST = 512 * 1024  # bytes of a message; an export is one message
TIMEOUT_S = 10.0  # until a browser must have read, or sent `hello`
BROWSER_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class BadMessage(ValueError):
    """Raised for a message that the page never sends; its text is the key of the reply."""


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)


def parse_event(text: str | bytes) -> dict[str, Any]:
    """Return the event in a browser's JSON message. Raises BadMessage if the page would never send
    such a message."""
    try:
        event = json.loads(text, parse_constant=_refuse_constant)  # no NaN, no Infinity
        json.dumps(event, ensure_ascii=False).encode()  # no half of a surrogate pair
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


class ViewerSocket:
    def __init__(
        self,
        socket: WebSocket,
        page: ViewerPage | StrangerPage,
        browser_id: str,
        language: str,
    ) -> None:
        self.browser_id = browser_id
        self.socket = socket
        self.page = page
        self.language = language
        self.is_over = False  # its invitation has ended
        self.changed = asyncio.Event()
        self.changed.set()
        self._errors: collections.deque[dict[str, str]] = collections.deque(maxlen=20)

    def report(self, key: str) -> None:
        """Send an error to this viewer alone.

        key: the key of the error's sentence.
        """
        self._errors.append({"error": Translator(self.language)(key)})
        self.changed.set()

    async def send_changes(self) -> None:
        """Send every change of the page to the browser, until the browser stops reading, or may no
        longer see it."""
        while True:
            await self.changed.wait()
            self.changed.clear()
            if self.is_over:
                return
            for message in self._messages():
                text = json.dumps(message, separators=(",", ":"))
                async with asyncio.timeout(TIMEOUT_S):  # wait_for may swallow a cancellation
                    await self.socket.send(text)

    def _messages(self) -> list[Message]:
        try:
            messages = self.page.messages()
        except Exception:
            traceback.print_exc()
            return [{"error": Translator(self.language)("server.broke")}]
        while self._errors:
            messages.append(self._errors.popleft())
        return messages


class Broadcaster:
    """All viewers of one App, and the task that makes its table act when an action is due.

    make_page: a function (app, rights, language) that returns a viewer's page
    key: the owner's secret
    listeners: functions (app) that are called after each visible change
    named: the language on the command line, which a browser may get even if it is not whole
    """

    def __init__(
        self,
        app: App,
        make_page: Callable[[App, Rights, str], ViewerPage],
        key: str,
        listeners: Iterable[Callable[[App], None]] = (),
        named: str = "",
    ) -> None:
        self.app = app
        self.make_page = make_page
        self.key = key
        self.listeners = listeners
        self.named = named
        self.outsiders = Outsiders(app)
        self.viewers: set[ViewerSocket] = set()
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._version: tuple[object, ...] | None = None

    def wake(self) -> None:
        """Make `run` check at once whether the table has something to do. Any thread may call
        this."""
        loop = self._loop
        if loop and not loop.is_closed():
            loop.call_soon_threadsafe(self._woken.set)

    async def run(self) -> None:
        """Call the App's `step` whenever it is due, forever."""
        self._loop = asyncio.get_running_loop()
        while True:
            self._notify()
            self._woken.clear()
            due = self.app.due()
            if due is None or due > 0:
                try:
                    async with asyncio.timeout(due):
                        await self._woken.wait()
                    continue
                except TimeoutError:
                    pass
            try:
                self.app.step()
            except Exception:
                traceback.print_exc()
                await asyncio.sleep(1)
            await asyncio.sleep(0)  # let other tasks run

    def _notify(self) -> None:
        if self.app.state_key == self._version:
            return
        self._version = self.app.state_key
        for viewer in self.viewers:
            viewer.is_over = self.outsiders.is_over(viewer.browser_id)
            viewer.changed.set()
        for listener in self.listeners:
            try:
                listener(self.app)
            except OSError:
                raise  # the terminal is closed
            except Exception:
                traceback.print_exc()

    async def serve(
        self,
        socket: WebSocket,
        language: str,
        admit: Callable[[bool], bool],
        is_local: bool = False,
        visitor: Visitor | None = None,
    ) -> None:
        """Keep a browser's page up to date while the browser is connected.

        admit: a function (is_owner) that returns whether there is room for another viewer;
            outside, those who are invited are as welcome as an owner
        visitor: a browser outside, or None
        """
        viewer = None
        try:
            async with asyncio.timeout(TIMEOUT_S):
                hello = await socket.receive()
            viewer = self._introduce(socket, hello, language, admit, is_local, visitor)
            self.viewers.add(viewer)
            self._note_present()
            tasks = (
                asyncio.create_task(viewer.send_changes()),
                asyncio.create_task(self._receive(viewer)),
            )
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await self._end(tasks)
        except BadMessage as error:
            await self._send_error(socket, language, str(error))
        except WebSocketError as error:
            if "large" in str(error):
                language = viewer.language if viewer else language
                await self._send_error(socket, language, "server.too_long")
        except (OSError, EOFError, UnicodeDecodeError, TimeoutError):
            pass  # the browser has gone, or was not a browser
        finally:
            if viewer:
                self.viewers.discard(viewer)
                viewer.page.close()
                self._note_present()

    def _note_present(self) -> None:
        self.app.present = frozenset(viewer.browser_id for viewer in self.viewers)
        self._woken.set()

    async def _end(self, tasks: Iterable[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    async def _send_error(self, socket: WebSocket, language: str, key: str) -> None:
        text = json.dumps({"error": Translator(language)(key)})
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await socket.send(text)
        except (OSError, TimeoutError):
            pass

    def _introduce(
        self,
        socket: WebSocket,
        text: str | bytes,
        language: str,
        admit: Callable[[bool], bool],
        is_local: bool,
        visitor: Visitor | None,
    ) -> ViewerSocket:
        """Return the ViewerSocket for a browser whose first message is `text`. Raises BadMessage
        if `text` is not a valid `hello` message, or if there are too many viewers."""
        hello = parse_event(text).get("hello")
        browser_id = hello.get("me", "") if hello else ""
        if hello is None or browser_id and not BROWSER_ID.fullmatch(browser_id):
            raise BadMessage("server.junk")
        if hello.get("lang"):
            language = preferred_language(hello["lang"], self.named)
        if visitor:
            return self._meet(socket, hello, language, admit, visitor)
        is_owner = hmac.compare_digest(hello.get("key", "").encode(), self.key.encode())
        if not admit(is_owner):
            raise BadMessage("server.full")
        rights = Rights(is_owner, browser_id, bool(hello.get("tv")), is_local)
        page = self.make_page(self.app, rights, language)
        return ViewerSocket(socket, page, browser_id, language)

    def _meet(
        self,
        socket: WebSocket,
        hello: dict[str, str],
        language: str,
        admit: Callable[[bool], bool],
        visitor: Visitor,
    ) -> ViewerSocket:
        """Return the ViewerSocket for a browser outside, whose own id and key say nothing."""
        invitation = self.outsiders.invitation(visitor)
        if not admit(invitation is not None):
            raise BadMessage("server.full")
        if invitation:
            id_ = invitation.browser_id
            rights = Rights(False, id_, bool(hello.get("tv")), outside=True)
            return ViewerSocket(socket, self.make_page(self.app, rights, language), id_, language)
        page = StrangerPage(
            language,
            bool(hello.get("link")),
            bool(hello.get("tried")),
            partial(self.outsiders.knock, visitor),
        )
        return ViewerSocket(socket, page, "", language)

    async def _receive(self, viewer: ViewerSocket) -> None:
        while True:
            text = await viewer.socket.receive()
            try:
                event = parse_event(text)
                if "hello" not in event:
                    viewer.page.handle(event)
            except BadMessage as error:
                viewer.report(str(error))
            except Exception:
                traceback.print_exc()
                viewer.report("server.broke")
            viewer.changed.set()
            self._woken.set()
            await asyncio.sleep(0)  # let other tasks run
