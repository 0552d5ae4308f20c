# SPDX-License-Identifier: MIT
"""Print the memory pages of a tag with the given text, for another device to write."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

GROUP = "make"
HELP = "print the bytes of one tag"
NO_TEXT = """%r is not a text that the hub knows. Give a tile 12-7, or a card: `seat 3`, undo,
override, next, scores, `house NAME [VARIANT...] [OPTION=VALUE...]`, `set N`"""


def options(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", help="12-7, seat 3, undo ...")


def needs(args: Namespace) -> Sequence[str]:
    return ()


def run(args: Namespace) -> int:
    from host_sim.maker import CommandError
    from roundhouse import tag_writer, tags

    text = " ".join(args.text)
    if not tags.parse(tags.plain(text.encode())):
        raise CommandError(NO_TEXT % text)
    data = tag_writer.message(text)
    print("one NDEF Text record; pages of an NTAG213, 215 or 216:")
    for at in range(0, len(data), 4):
        print("page %2d  %s" % (4 + at // 4, data[at : at + 4].hex(" ")))
    return 0
