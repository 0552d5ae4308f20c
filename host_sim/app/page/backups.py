# SPDX-License-Identifier: MIT
"""The dialog that takes in everything that was saved as one file on another computer.

A message cannot hold all of the file, so the browser sends it in numbered pieces: the first one
when the file is chosen, and each other one when the page asks for it.
"""

import base64
from collections.abc import Sequence

import htpy as h

from host_sim.app.page.actions import OWNER, Fields, action, number_in
from host_sim.app.page.dialogs import SAVE, dialog, has_store
from host_sim.app.page.elements import close_button, form_error
from host_sim.app.page.viewer import Viewer
from host_sim.app.session import backup

MOST_PIECES = 2000


@dialog("take-in", has_store, "backup.take_in", SAVE)
def take_in(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    return [
        close_button(viewer),
        h.h1[translate("backup.title")],
        h.p[translate("backup.about")],
        h.label(".file")[
            translate("backup.choose"),
            h.input(type="file", accept=".zip", data_file="piece"),
        ],
        form_error(viewer),
    ]


@action("piece", OWNER, 2)
def receive_piece(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Receive a piece of a saved file; after the last piece, take in the file.

    args: the piece's number from 1, and the count of pieces; 0 pieces are a file that is too large
    """
    app, translate = viewer.app, viewer.translate
    number, count = (number_in(word, MOST_PIECES) for word in args[:2])
    if not app.store or number is None or count is None:
        return False
    if not count:
        return answer(viewer, translate("backup.too_large", count=backup.LARGEST // 1_000_000))
    pieces = [*(viewer.dialog.pieces if number > 1 else ()), fields.get("text", "")]
    if number != len(pieces) or sum(map(len, pieces)) > 2 * backup.LARGEST:
        return answer(viewer, translate("backup.no_file"))
    if number < count:
        text = translate("backup.arriving", count=100 * number // count)
        viewer.send(piece=number + 1)
        return answer(viewer, text, pieces)
    try:
        files = backup.read(b"".join(base64.b64decode(piece, validate=True) for piece in pieces))
    except ValueError:
        return answer(viewer, translate("backup.no_file"))
    return answer(viewer, backup.taken_text(translate, app.take_in(files)))


def answer(viewer: Viewer, text: str, pieces: Sequence[str] = ()) -> bool:
    """Show a sentence in the dialog, keep the pieces that have arrived, and return True."""
    viewer.dialog.open("take-in", error=text)
    viewer.dialog.pieces = [*pieces]
    return True
