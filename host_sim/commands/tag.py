# SPDX-License-Identifier: MIT
"""The pages of a tag that carries a text, for whoever writes it with something else."""

GROUP = "make"
HELP = "the bytes of one tag"
NO_TEXT = """%r is no text the hub knows. It is a tile 12-7, or a card: `seat 3`, undo, override,
next, scores, `house NAME [VARIANT...]`, `set N`"""


def options(parser):
    parser.add_argument("text", nargs="+", help="12-7, seat 3, undo ...")


def needs(args):
    return ()


def run(args):
    from host_sim.flashing import UserError
    from roundhouse import tag_writer, tags

    text = " ".join(args.text)
    if not tags.parse(text):
        raise UserError(NO_TEXT % text)
    data = tag_writer.message(text)
    print("one NDEF Text record; pages of an NTAG213, 215 or 216:")
    for at in range(0, len(data), 4):
        print("page %2d  %s" % (4 + at // 4, data[at : at + 4].hex(" ")))
    return 0
