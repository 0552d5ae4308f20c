# SPDX-License-Identifier: MIT
"""Draw the table at the end of a script into an SVG or PNG file.

Without a script, draw everything that the lamps can show.

Status 1: an expectation failed; 2: a line is wrong, or a file cannot be read or written.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from host_sim.command_line import arguments, command
from host_sim.command_line.preflight import HUB
from roundhouse import constants

if TYPE_CHECKING:
    from host_sim.table.model import TableModel

GROUP = "look"
FILM_S = 0.6  # seconds for each input
HELP = "draw the table at a script's end, as SVG or PNG"


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        type=arguments.readable_file,
        help="a table script; without one: the lamps",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=arguments.writable_file,
        default="hub.svg",
        help="the file to write, .svg or .png",
    )
    parser.add_argument(
        "--film", action="store_true", help="an animation of the script's inputs (.svg)"
    )


def needs(args: Namespace) -> Sequence[str]:
    return (*HUB, "resvg_py") if args.out.endswith(".png") else HUB


def run(args: Namespace) -> int:
    from host_sim.board.hub.table_script import ExpectationFailed, ScriptError

    try:
        if not args.out.endswith((".svg", ".png")):
            raise ScriptError("%s: a picture is .svg or .png" % args.out)
        image = lamps() if not args.file else film(args.file) if args.film else still(args.file)
        if args.out.endswith(".png"):
            import resvg_py

            command.write_file(args.out, bytes(resvg_py.svg_to_bytes(svg_string=image)))
        else:
            command.write_file(args.out, image)
    except ExpectationFailed as error:
        print(error, file=sys.stderr)
        return 1
    except ScriptError as error:
        raise arguments.UnusableArgument(str(error)) from None
    except UnicodeDecodeError as error:
        raise arguments.UnusableArgument(arguments.os_error_text(error, args.file)) from None
    return 0


def lamps() -> str:
    """Return a poster that shows every lamp signal with its meaning, as SVG."""
    from host_sim.app.handouts import lamps_poster

    return lamps_poster.svg()


def still(path: str) -> str:
    """Return a picture of the table at the end of a script, as SVG."""
    from host_sim.app.handouts import table_poster

    *_, (table, sentence) = moments(path)
    return table_poster.svg(table, last=sentence)


def film(path: str) -> str:
    """Return an animated SVG that shows a script's inputs one after the other."""
    from host_sim.app.handouts.table_film import Film
    from host_sim.app.views.table_names import first_names

    names = first_names(constants.SEATS)
    shown = []
    for table, sentence in moments(path, names):
        moment = table.moment
        if moment and moment.line["phase"] != "lobby" and moment.gesture.word != "state":
            shown.append((moment, table.lamps(), sentence))
    seats = {seat: names[seat] for seat in (table.state or {})["hands"]}
    return Film(table, shown, seats, FILM_S).svg()


def moments(path: str, names: Mapping[str, str] | None = None) -> Iterator[tuple[TableModel, str]]:
    """Run a table script; yield (table, text) after each input, and a last pair after the hub's
    answer to `state`. `text` is the newest part of the story."""
    from host_sim.app.views.i18n import Translator
    from host_sim.app.views.story import Story
    from host_sim.board.hub.table_script import Script, ScriptError
    from host_sim.table.model import TableModel

    table, story, text = TableModel(), Story(Translator("en"), dict(names or {})), ""
    script = Script()
    script.run(Path(path).read_text(encoding="utf-8"), str(path))
    if not script.board:
        raise ScriptError("%s: nothing happens in it" % path)
    for line in list(script.board.lines):
        sentences = story.sentences(table.take(line))
        text = " ".join(sentence.text for sentence in sentences) or text
        if "input" in line:
            yield table, text
    lamps = "".join(table.lamps().values())
    table.take({**(script.board.command("state") or {}), "lamps": lamps})
    yield table, text
