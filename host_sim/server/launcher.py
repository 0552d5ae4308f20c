# SPDX-License-Identifier: MIT
"""Opens a table's page: a server, its address in the terminal, a browser that shows it."""

import asyncio
import sys
import threading
import webbrowser

from host_sim.flashing import UserError
from host_sim.server import addresses, text_output
from host_sim.server.viewers import Broadcaster
from host_sim.server.web_server import PortUnavailable, WebServer
from host_sim.views.i18n import Translator

TYPE = ".venv/bin/python -m host_sim type"


def as_asked(args, colour=False):
    """Return the Launcher that the options of commands.add_page ask for."""
    return Launcher(args.lang, args.host, args.at, not args.no_browser, colour)


class Launcher:
    """How a page is opened, in the words of the command line.

    lang: the language that was asked for, "" for the browser's and the terminal's own; everywhere:
    the room may look; at: the port, None for the next free one; browser: one is opened; colour:
    the QR code may be black on white.
    """

    def __init__(self, lang="", everywhere=False, at=None, browser=True, colour=False):
        self.lang = lang
        self.language = lang or text_output.terminal_language()
        self.translator = Translator(self.language)
        self.everywhere = everywhere
        self.at = at
        self.browser = browser
        self.colour = colour

    def elsewhere(self, address):
        """Say that the matches are being played by another program, and open its page; return the
        exit status."""
        print(self.translator("server.played", address=address or "?"))
        if address and self.browser and addresses.shows_browser():
            webbrowser.open(address)
        return 0

    def serve(self, app, make_view, key, source=None, told=(), playing=False, at=None):
        """Serve an AppState until Ctrl-C; return the exit status.

        source: what wakes its table from another thread; told: as Broadcaster's; playing: whether
        there is a match of ours to be kept; at: called with the page's address. Raises UserError
        where there is no port.
        """
        broadcaster = Broadcaster(app, make_view, key, told)
        if source:
            source.wake = broadcaster.wake
        try:
            asyncio.run(self._serve(broadcaster, playing, at))
        except PortUnavailable as error:
            raise UserError(self.translator(str(error), port=error.port)) from None
        except KeyboardInterrupt:
            print()
            print(self.translator("server.stopped"))
        finally:
            app.close()
        return 0

    async def _serve(self, broadcaster, playing, at):
        server, port = await WebServer(broadcaster, tell=self.tell).listen(
            self.everywhere, self.at
        )
        try:
            await server.start_serving()
            address = addresses.page(addresses.HOME, port, broadcaster.key, self.lang)
            if at:
                at(address)
            room = addresses.room() if self.everywhere else ""
            broadcaster.app.address = addresses.page(room, port, lang=self.lang) if room else ""
            for line in self._greeting(address, broadcaster.app.address, playing):
                print(line)
            sys.stdout.flush()
            if self.browser and addresses.shows_browser():
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
            await broadcaster.go_on()
        finally:
            server.close()

    def tell(self, key, **values):
        """Tell the owner a sentence in the terminal."""
        text_output.print_line(self.translator(key, **values), sys.stdout)

    def _greeting(self, address, room, playing):
        """Yield what the terminal says first."""
        yield self.translator("server.address", address=address)
        if self.everywhere:
            yield self.translator("server.yours")
            if room:
                yield self.translator("server.room", address=room)
                yield addresses.qr(room, self.colour)
            else:
                yield self.translator("server.no_room")
        yield self.translator("server.stop" if playing else "server.stop_looking")
        if playing:
            yield self.translator("server.type", command=TYPE)
        yield ""
