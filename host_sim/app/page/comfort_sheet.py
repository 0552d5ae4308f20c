# SPDX-License-Identifier: MIT
"""The comfort sheet: a dialog with all that makes the page comfortable for one person."""

from collections.abc import Mapping, Sequence

import htpy as h

from host_sim.app.page import dialogs
from host_sim.app.page.actions import ALL, Fields, action
from host_sim.app.page.comfort import CHOICES
from host_sim.app.page.elements import choice_button, close_button
from host_sim.app.page.shown_tables import PACES
from host_sim.app.page.sounds import SPOKEN
from host_sim.app.page.viewer import Viewer


@dialogs.dialog("comfort", dialogs.anyone, "comfort.title", dialogs.SETTINGS)
def sheet(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    spoken = {
        "spoken " + mode: (translate("spoken." + mode), mode == viewer.sound.spoken)
        for mode in SPOKEN
    }
    paces = {
        "pace " + pace: (translate("page.pace_" + pace), pace == viewer.app.pace) for pace in PACES
    }
    has_bots = viewer.table.kind == "play" and viewer.rights.owner
    return [
        close_button(viewer),
        h.h1[translate("comfort.title")],
        switch(translate("page.pace"), paces) if has_bots else None,
        sound(viewer),
        h.p[translate("comfort.falls_asleep")] if viewer.falls_asleep else None,
        switch(translate("spoken.title"), spoken),
        [choice(viewer, name) for name in CHOICES],
    ]


def choice(viewer: Viewer, name: str) -> h.Node:
    """Return the switch of a choice.

    name: a key of CHOICES
    """
    translate = viewer.translate
    buttons = {}
    for value in CHOICES[name]:
        text = (
            translate("comfort.percent", number=value)
            if value.isdecimal()
            else translate("comfort.%s_%s" % (name, value))
        )
        buttons["comfort %s %s" % (name, value)] = (text, value == viewer.comfort[name])
    return switch(translate("comfort." + name), buttons)


def switch(title: str, buttons: Mapping[str, tuple[str, bool]]) -> h.Node:
    """Return buttons of which one is chosen at a time.

    buttons: {the words that the browser sends: (the button's text, whether it is chosen)}
    """
    return h.p(".switch", role="group", aria_label=title)[
        h.span[title],
        [choice_button(text, words, is_on) for words, (text, is_on) in buttons.items()],
    ]


def sound(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    return h.form(".volume", data_change="volume")[
        choice_button(["♪ ", translate("page.sound")], "sound", not viewer.sound.muted),
        h.label[
            translate("page.volume"),
            h.input(
                type="range", name="volume", min="0", max="100", value=str(viewer.sound.volume)
            ),
        ],
    ]


@action("comfort", ALL, 2)
def choose(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Choose a value of one of CHOICES."""
    name, value = args[:2]
    if value not in CHOICES.get(name, ()):
        return False
    viewer.comfort[name] = value
    viewer.send(keep={name: value})
    return True


@action("falls-asleep", ALL)
def note_that_screen_falls_asleep(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Note that the browser cannot keep the screen awake."""
    viewer.falls_asleep = True
    return True
