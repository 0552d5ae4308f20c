# SPDX-License-Identifier: MIT
"""Shared by the tests of the static page: a plain file server, and tabs that show the page."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from page_browsers import BUTTON, DESK, PLACE, TIMEOUT_MS, Size, Visitor
from playwright.sync_api import Browser

from host_sim.app.site import build_site
from host_sim.command_line.preflight import is_available

needs_pyodide = pytest.mark.skipif(not is_available("pyodide"), reason="no Pyodide: `make site`")


class Silent(http.server.SimpleHTTPRequestHandler):
    """Python's own file server without its log."""

    def log_message(self, *_: object) -> None:
        pass


class FileServer:
    """A plain file server for a folder whose sub-folder `there` has the site. Call `stop` to end
    it."""

    def __init__(self, folder: Path | str, kind: type[Silent] = Silent) -> None:
        handler = functools.partial(kind, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = "http://127.0.0.1:%d/there/" % self._server.server_address[1]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def served(folder: Path | str, kind: type[Silent] = Silent) -> Iterator[FileServer]:
    server = FileServer(folder, kind)
    try:
        yield server
    finally:
        server.stop()


class SiteVisitor(Visitor):
    """A visitor of the static page; `tab` opens another tab in the same browser."""

    def __init__(
        self, browser: Browser, address: str, size: Size = DESK, before: str = "", **more: Any
    ) -> None:
        super().__init__(browser, size, **more)
        self.address = address
        if before:
            self.context.add_init_script(before)

    def open(self, more: str = "") -> Self:
        """Open the page, and wait until Python shows it."""
        self.page.goto(self.address + more)
        self.ready()
        return self

    def ready(self) -> None:
        """Wait until Python shows the page."""
        self.page.wait_for_selector("#head .brand", state="attached")

    def tab(self) -> "SiteVisitor":
        other = object.__new__(SiteVisitor)
        other.__dict__.update(self.__dict__)
        other.page = self.context.new_page()
        other.page.set_default_timeout(TIMEOUT_MS)
        other.page.on("console", self._console)
        other.page.on("pageerror", self._page_error)
        return other

    def open_new_match(self) -> None:
        """Go to the form of a new match, from any state of the page."""
        if not self.shows("dialog[open] .foot.first"):
            self.close_dialogs()
            self.open_menu("open new")
            self.wait("dialog[open] .foot.first")

    def only_tab(self) -> None:
        lost = "dialog[open] [data-do=take-over]"
        (self.page,) = [page for page in self.context.pages if not page.locator(lost).count()]
        for page in self.context.pages:
            if page != self.page:
                page.close()

    def begin(self, house: str = "puremco", **chosen: str) -> None:
        page = self.page
        page.check("input[name=house][value=%s]" % house)
        page.locator("#more:not([open]) > summary").click()
        for name, value in {"set": "6", **chosen}.items():
            page.select_option("select[name=%s]" % name, value)
        self.do(".foot.first .main")
        page.wait_for_selector("dialog[open]", state="hidden")
        self.hurry()

    def play(self, count: int) -> None:
        """Make `count` moves: lay a tile that fits, or press the button."""
        page = self.page
        for _ in range(count):
            page.wait_for_selector(".tile-button.fits, #hand .act [data-do=button]")
            shown = page.locator("#hand").inner_html()
            for what in (PLACE, ".tile-button.fits", BUTTON):
                if self.shows(what):
                    self.do(what)
                    break
            page.wait_for_function(
                "was => document.querySelector('#hand').innerHTML !== was", arg=shown
            )

    def hand(self) -> list[str]:
        return self.page.locator("#hand [data-tile]").evaluate_all(
            "all => all.map((one) => one.dataset.tile)"
        )

    def notice(self) -> str:
        """Wait for the notice in front of the page; return its text."""
        self.page.wait_for_selector("#notice:not([hidden])")
        return self.page.locator("#notice").inner_text()


class OpenedPage:
    def __init__(self, browser: Browser, address: str, **more: Any) -> None:
        self._new = functools.partial(SiteVisitor, browser, address, **more)
        self._free: SiteVisitor | None = None

    @contextlib.contextmanager
    def lend(self, session: pytest.Session) -> Iterator[SiteVisitor]:
        """Lend the page, with the form of a new match, to a test; a failed test's page is not used
        again."""
        visitor, self._free = self._free or self._new().open(), None
        failed = session.testsfailed
        try:
            visitor.open_new_match()
            yield visitor
            visitor.check()
            if session.testsfailed == failed and not visitor.page.is_closed():
                visitor.only_tab()
                self._free = visitor
        finally:
            if not self._free:
                visitor.context.close()


def built(folder: Path, node: Path | None = None) -> dict[str, int]:
    """Build the site in the sub-folder `there` of a folder; return {file: size in bytes}."""
    return build_site.build(folder / "there", node)
