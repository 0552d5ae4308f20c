# SPDX-License-Identifier: MIT
"""The table at a script's end as a picture: SVG, or PNG by the file's name.

Status 1: an expectation failed; 2: a line is none, or a file cannot be read or written.
"""

import sys
from pathlib import Path

from host_sim.needs import HUB

GROUP = "look"
HELP = "the table at a script's end, as SVG or PNG"


def options(parser):
    parser.add_argument("file", help="a table script")
    parser.add_argument("-o", "--out", default="hub.svg", help="where to, .svg or .png")


def needs(args):
    return (*HUB, "resvg_py") if args.out.endswith(".png") else HUB


def run(args):
    from host_sim.hub.table_script import Bad, Failed
    from host_sim.views import table_poster

    try:
        if not args.out.endswith((".svg", ".png")):
            raise Bad("%s: a picture is .svg or .png" % args.out)
        seen, said = seen_at_the_end(args.file)
        image = table_poster.svg(seen, last=said)
        if args.out.endswith(".png"):
            import resvg_py

            Path(args.out).write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=image)))
        else:
            Path(args.out).write_text(image)
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    except (Bad, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except UnicodeDecodeError as error:
        print("%s: %s" % (args.file, error), file=sys.stderr)
        return 2
    return 0


def seen_at_the_end(path):
    """Play a table script; return the TableState at its end, and its last sentence."""
    from host_sim.hub.table_script import Bad, Script
    from host_sim.views.speech import Speech
    from host_sim.views.story import Story
    from host_sim.views.table_state import TableState

    seen, story, told = TableState(), Story(Speech("en"), {}), [""]
    script = Script()
    script.run(Path(path).read_text(), str(path))
    if not script.board:
        raise Bad("%s: nothing happens in it" % path)
    for line in script.board.lines:
        seen.line(line)
        told += [said.text for said in story.line(line)]
    seen.line({**script.board.say("state"), "lamps": seen.state["lamps"]})
    return seen, told[-1]
