# SPDX-License-Identifier: MIT
"""Opens a table's page: a server, its address in the terminal, a browser that shows it."""

import asyncio
import sys
import threading
import webbrowser

from host_sim.maker import Trouble
from host_sim.server import addresses, told_lines
from host_sim.server.viewers import Company
from host_sim.server.web_server import NoPort, WebServer
from host_sim.views.speech import Speech

TYPE = ".venv/bin/python -m host_sim type"


def as_asked(args, colour=False):
    """Return the OpenPage that the options of commands.add_page ask for."""
    return OpenPage(args.lang, args.host, args.at, not args.no_browser, colour)


class OpenPage:
    """How a page is opened, in the words of the command line.

    lang: the language that was asked for, "" for the browser's and the terminal's own; everywhere:
    the room may look; at: the port, None for the next free one; browser: one is opened; colour:
    the QR code may be black on white.
    """

    def __init__(self, lang="", everywhere=False, at=None, browser=True, colour=False):
        self.lang = lang
        self.language = lang or told_lines.language()
        self.speech = Speech(self.language)
        self.everywhere = everywhere
        self.at = at
        self.browser = browser
        self.colour = colour

    def elsewhere(self, address):
        """Say that the matches are being played by another program, and open its page; return the
        exit status."""
        print(self.speech("server.played", address=address or "?"))
        if address and self.browser and addresses.shows_browser():
            webbrowser.open(address)
        return 0

    def serve(self, hall, make_desk, key, source=None, told=(), playing=False, at=None):
        """Serve a Hall until Ctrl-C; return the exit status.

        source: what wakes its table from another thread; told: as Company's; playing: whether
        there is a match of ours to be kept; at: called with the page's address. Raises Trouble
        where there is no port.
        """
        company = Company(hall, make_desk, key, told)
        if source:
            source.wake = company.wake
        try:
            asyncio.run(self._serve(company, playing, at))
        except NoPort as error:
            raise Trouble(self.speech(str(error), port=error.port)) from None
        except KeyboardInterrupt:
            print()
            print(self.speech("server.stopped"))
        finally:
            hall.close()
        return 0

    async def _serve(self, company, playing, at):
        server, port = await WebServer(company, tell=self.tell).listen(self.everywhere, self.at)
        try:
            await server.start_serving()
            address = addresses.page(addresses.HOME, port, company.key, self.lang)
            if at:
                at(address)
            room = addresses.room() if self.everywhere else ""
            company.hall.address = addresses.page(room, port, lang=self.lang) if room else ""
            for line in self._greeting(address, company.hall.address, playing):
                print(line)
            sys.stdout.flush()
            if self.browser and addresses.shows_browser():
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
            await company.go_on()
        finally:
            server.close()

    def tell(self, key, **values):
        """Tell the owner a sentence in the terminal."""
        told_lines.print_line(self.speech(key, **values), sys.stdout)

    def _greeting(self, address, room, playing):
        """Yield what the terminal says first."""
        yield self.speech("server.address", address=address)
        if self.everywhere:
            yield self.speech("server.yours")
            if room:
                yield self.speech("server.room", address=room)
                yield addresses.qr(room, self.colour)
            else:
                yield self.speech("server.no_room")
        yield self.speech("server.stop" if playing else "server.stop_looking")
        if playing:
            yield self.speech("server.type", command=TYPE)
        yield ""
