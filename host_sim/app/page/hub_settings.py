# SPDX-License-Identifier: MIT
"""The part of the page that reads, changes and writes config.py on the board of a real hub.

Meanwhile the hub's program is stopped; afterwards the hub continues its match.
"""

import types
from collections.abc import Sequence

import htpy as h

from host_sim.app.page.actions import OWNER, Fields, action
from host_sim.app.page.components import stands_still
from host_sim.app.page.dialogs import dialog
from host_sim.app.page.elements import button, button_row, close_button
from host_sim.app.page.hub_client import LONGEST, ConfigFile
from host_sim.app.page.hub_control import answer, board_of, hub, is_watched
from host_sim.app.page.shown_tables import LiveTable
from host_sim.app.page.viewer import Viewer
from host_sim.board.hub import config_text
from roundhouse import boards, settings

PART = 64  # bytes that a line of the program below writes
READ = """
import binascii
try:
    with open("config.py", "rb") as file:
        print(binascii.hexlify(file.read()).decode())
except OSError:
    print("none")
"""
# A power cut leaves the old file or the new one.
WRITE = """
import binascii, os
with open("config.new", "wb") as file:
%s
os.rename("config.new", "config.py")
"""


def mistake(text: str) -> str:
    """Return a message that says what is wrong with the text of a config.py, or ""."""
    if len(text) > LONGEST:
        return "%d characters; at most %d" % (len(text), LONGEST)
    try:
        settings.check(types.SimpleNamespace(**config_text.values_of(text)))
    except (config_text.Mistake, settings.BadConfig) as error:
        return str(error)
    return ""


def lines_to_add(text: str) -> str:
    """Return the settings that the text of a config.py lacks, with their defaults, as the lines to
    add; "" if it lacks none, or cannot be read."""
    try:
        there = config_text.values_of(text)
        most = boards.STATIONS[there.get("WIRING", settings.DEFAULTS["WIRING"])]
    except (config_text.Mistake, KeyError, TypeError):
        return ""
    defaults = {**settings.DEFAULTS, "STATIONS": min(settings.DEFAULTS["STATIONS"], most)}
    return "".join("%s = %r\n" % (n, defaults[n]) for n in settings.NAMES if n not in there)


def write_program(text: str) -> str:
    """Return the program that writes a config.py on the board."""
    data = text.encode()
    parts = [data[at : at + PART].hex() for at in range(0, len(data), PART)]
    line = '    file.write(binascii.unhexlify("%s"))'
    return WRITE % "\n".join(line % part for part in parts or [""])


# ---- actions ----


@action("hub-config", OWNER, 1)
def change(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Read the hub's config.py, write it, add to its text what it lacks, or leave it unchanged.
    args: `read`, `write`, `add` or `leave`."""
    client = board_of(viewer)
    if not client:
        return False
    table = viewer.watched
    if args[0] == "read" and not client.config:
        client.read_config(READ, table.mark_changed)
        client.editor = viewer
    elif args[0] in ("write", "add") and client.config and client.config.text is not None:
        text = fields.get("text", "").replace("\r\n", "\n")
        if args[0] == "add":
            added = lines_to_add(text)
            text = text.rstrip("\n") + "\n" * bool(text.strip()) + added if added else text
            client.config = ConfigFile(text)
            return table.mark_changed()
        client.config = ConfigFile(text, wrong=mistake(text))
        if not client.config.wrong:
            client.write_config(write_program(text), table.mark_changed)
    elif args[0] == "leave" and client.config:
        client.leave_config()
    else:
        return False
    return table.mark_changed()


@action("hub-start", OWNER)
def start(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Start the hub's program, which stands at MicroPython's prompt."""
    client = board_of(viewer)
    if not client or not stands_still(viewer):
        return False
    client.start()
    return viewer.watched.mark_changed()


def close(viewer: Viewer) -> None:
    """Start the hub again if this viewer stopped it and no longer shows the dialog."""
    table = viewer.table
    is_open = viewer.dialog.words and viewer.dialog.words[0] == "hub-config"
    if isinstance(table, LiveTable) and table.client.editor is viewer and not is_open:
        table.client.leave_config()
        table.mark_changed()


# ---- dialog ----


@dialog("hub-config", is_watched)
def config(viewer: Viewer) -> h.Node:
    client = board_of(viewer)
    if not client:
        return hub(viewer)
    translate = viewer.translate
    head = [close_button(viewer), h.h1[translate("hub_config.title")]]
    found = client.config
    if not found:
        start = button(translate("hub_config.read"), "hub-config read", "main", autofocus=True)
        return [*head, h.p[translate("hub_config.how")], answer(viewer, client), button_row(start)]
    if found.text is None:
        return [*head, h.p(role="status")[translate("hub_config.reading")]]
    wrong = translate("hub_config.wrong", why=found.wrong) if found.wrong else None
    return h.form(data_do="hub-config write")[
        *head,
        h.p[translate("hub_config.edit" if found.text else "hub_config.none")],
        wrong and h.p(".reply", role="alert")[wrong],
        h.textarea(
            ".code",
            name="text",
            rows=16,
            maxlength=LONGEST,
            spellcheck="false",
            autocapitalize="off",
            aria_label="config.py",
        )["\n" + found.text],
        button_row(
            h.button(".main")[translate("hub_config.write")],
            h.button(data_do="hub-config add")[translate("hub_config.add")]
            if lines_to_add(found.text)
            else None,
            button(translate("hub_config.leave"), "hub-config leave"),
        ),
    ]
