# SPDX-License-Identifier: MIT
"""The table at a script's end as a picture: SVG, or PNG by the file's name.

Without a script: all that the lamps say.

Status 1: an expectation failed; 2: a line is none, or a file cannot be read or written.
"""

import sys
from pathlib import Path

from host_sim import arguments
from host_sim.preflight import HUB

GROUP = "look"
FILM_S = 0.6  # of each input
HELP = "the table at a script's end, as SVG or PNG"


def options(parser):
    parser.add_argument(
        "file", nargs="?", type=arguments.read_file, help="a table script; none: the lamps"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=arguments.written_file,
        default="hub.svg",
        help="where to, .svg or .png",
    )
    parser.add_argument(
        "--film", action="store_true", help="the script's inputs, one by one (.svg)"
    )


def needs(args):
    return (*HUB, "resvg_py") if args.out.endswith(".png") else HUB


def run(args):
    from host_sim.hub.table_script import ExpectationFailed, ScriptSyntaxError

    try:
        if not args.out.endswith((".svg", ".png")):
            raise ScriptSyntaxError("%s: a picture is .svg or .png" % args.out)
        image = lamps() if not args.file else film(args.file) if args.film else still(args.file)
        if args.out.endswith(".png"):
            import resvg_py

            Path(args.out).write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=image)))
        else:
            Path(args.out).write_text(image, encoding="utf-8")
    except ExpectationFailed as error:
        print(error, file=sys.stderr)
        return 1
    except ScriptSyntaxError as error:
        raise arguments.BadArgument(str(error)) from None
    except UnicodeDecodeError as error:
        raise arguments.BadArgument(arguments.why(error, args.file)) from None
    return 0


def lamps():
    """Return all that the lamps say as SVG."""
    from host_sim.views import lamps_poster

    return lamps_poster.svg()


def still(path):
    """Return the table at a script's end as SVG."""
    from host_sim.views import table_poster

    *_, (seen, said) = moments(path)
    return table_poster.svg(seen, last=said)


def film(path):
    """Return what happens in a script as an SVG that plays by itself."""
    from host_sim.views.table_film import TableAnimation
    from host_sim.views.table_phrases import first_names

    names = first_names(range(1, 11))
    shown = []
    for seen, said in moments(path, names):
        if seen.state["phase"] != "lobby" and seen.state["input"] != "state":
            shown.append((seen.state, seen.lamps(), said))
    seats = {seat: names[seat] for seat in seen.state["hands"]}
    return TableAnimation(seen, shown, seats, FILM_S).svg()


def moments(path, names=None):
    """Play a table script; yield the TableState behind each input, and its last sentence; at the
    end once more, as `state` tells it."""
    from host_sim.hub.table_script import Script, ScriptSyntaxError
    from host_sim.views.i18n import Translator
    from host_sim.views.story import Story
    from host_sim.views.table_state import TableState

    seen, story, told = TableState(), Story(Translator("en"), names or {}), ""
    script = Script()
    script.run(Path(path).read_text(encoding="utf-8"), str(path))
    if not script.board:
        raise ScriptSyntaxError("%s: nothing happens in it" % path)
    for line in list(script.board.lines):
        seen.line(line)
        told = " ".join(said.text for said in story.line(line)) or told
        if "input" in line:
            yield seen, told
    seen.line({**script.board.say("state"), "lamps": seen.state["lamps"]})
    yield seen, told
