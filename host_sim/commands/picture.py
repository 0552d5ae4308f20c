# SPDX-License-Identifier: MIT
"""The table at a script's end as a picture: SVG, or PNG by the file's name."""

from pathlib import Path

GROUP = "look"
HELP = "the table at a script's end, as SVG or PNG"


def options(parser):
    parser.add_argument("file", help="a table script")
    parser.add_argument("-o", "--out", default="hub.svg", help="where to, .svg or .png")


def run(args):
    from host_sim.views import table_picture

    image = table_picture.svg(seen_at_the_end(args.file))
    if args.out.endswith(".png"):
        import resvg_py

        Path(args.out).write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=image)))
    else:
        Path(args.out).write_text(image)
    return 0


def seen_at_the_end(path):
    """Play a table script; return the TableState at its end, its log the last sentence."""
    from host_sim.hub.table_script import Script
    from host_sim.views.table_state import TableState

    seen = TableState()
    script = Script()
    script.run(Path(path).read_text(), str(path))
    for line in script.board.lines:
        seen.line(line)
    last = seen.log[-1:]
    seen.line({**script.board.say("state"), "lamps": seen.state["lamps"]})
    seen.log = last
    return seen
