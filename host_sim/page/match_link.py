# SPDX-License-Identifier: MIT
"""A match in a link: its export and the players' names, packed small enough for an address."""

import base64
import json
import zlib

import htpy as h

from host_sim.hub import match_export
from host_sim.page import actions, dialogs
from host_sim.views.player_names import clean_names

SIGN = "#match="  # what stands before it in an address
LONGEST = 100_000  # characters of a link: what people send each other takes no more
LARGEST = 1_000_000  # bytes of a match; a longer one is no match


def packed(text, names):
    """Return an export and {seat: name} as text for an address."""
    data = json.dumps([names, text], ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpacked(text):
    """Return (export, names) of what `packed` made. Raises match_export.NotAnExport."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        data = zlib.decompressobj().decompress(data, LARGEST)
        names, export = json.loads(data)
        names = {str(int(seat)): name for seat, name in names.items() if 1 <= int(seat) <= 10}
        names = clean_names(names)
    except (ValueError, TypeError, AttributeError, zlib.error, RecursionError) as error:
        raise match_export.NotAnExport(str(error)) from None
    if not isinstance(export, str):
        raise match_export.NotAnExport("no text")
    return export, names


@actions.action("look-at-link", actions.OWNER)
def look_at_link(view, words, fields):
    """Look back at the match that a link carries."""
    try:
        view.app.look_at(*unpacked(fields.get("text", "")))
    except match_export.NotAnExport:
        view.tell(error=view.say("site.no_match_in_link"))
        return True
    actions.began(view)
    return True


def link(view):
    """The link to the match on the table, to be sent to somebody."""
    address = view.app.home + SIGN + packed(view.app.export(), view.table.names)
    if len(address) > LONGEST:
        said = [h.p[view.say("site.link_too_long")]]
    else:
        copy = dialogs.button(view.say("site.copy_link"), "copy-link", "main", autofocus=True)
        said = [
            h.p[view.say("site.link_how")],
            h.input(name="link", readonly=True, value=address, aria_label=view.say("site.link")),
            dialogs.foot(copy),
        ]
    return [dialogs.close_button(view), h.h1[view.say("site.link")], said]


def has_link(view):
    """Return whether the match on the table can be sent as a link."""
    return bool(view.app.home and view.table.kind in ("play", "replay"))


dialogs.register("link", link, has_link, "site.link")
