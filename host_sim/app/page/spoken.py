# SPDX-License-Identifier: MIT
"""The news that a browser says aloud. Each viewer chooses turns, scores, everything or nothing."""

import re
from collections.abc import Sequence

from host_sim.app.page.actions import ALL, Fields, action
from host_sim.app.page.components import is_awaited, seat_on_turn, whose_turn
from host_sim.app.page.sounds import SPOKEN
from host_sim.app.page.viewer import Viewer
from host_sim.app.views.i18n import Translator, in_sentences

SCORES = ("round", "match", "done", "out")  # kinds of sentences about points
VIBRATION_MS = 200
HIGHEST = 18  # number of pips
TILE = re.compile(r"\b(\d{1,2})-(\d{1,2})\b")


def in_words(text: str, translate: Translator) -> str:
    """Return a text with its tiles in words: `6-4` becomes "six four", and `6-6` "double six". A
    number alone stays a number, which a voice says as its language does."""

    def pips(number: str) -> str:
        known = int(number) <= HIGHEST
        return translate("numbers.n%d" % int(number)) if known else number

    def tile(found: re.Match[str]) -> str:
        high, low = found.groups()
        if high == low:
            return translate("numbers.double", number=pips(high))
        return "%s %s" % (pips(high), pips(low))

    return TILE.sub(tile, text)


def text(viewer: Viewer) -> str:
    """Return the news, chosen by `viewer.sound.spoken`, for the browser to say aloud now; "" for
    silence."""
    mode, state = viewer.sound.spoken, viewer.state
    sentences, is_new_turn = viewer.follower.news
    found = []
    if mode == "everything":
        found = [said.text for said in sentences]
    elif mode == "scores":
        found = [said.text for said in sentences if said.kind in SCORES]
    seat = state["turn"] if state and state["phase"] == "play" else None
    if mode in ("turns", "everything") and is_new_turn and seat:
        found.append(whose_turn(viewer, seat))
    return in_words(in_sentences(*found), viewer.translate)


def speak(viewer: Viewer) -> None:
    """Let the browser say aloud the news since the last call, as chosen by the viewer, and let a
    phone vibrate at the beginning of the viewer's own turn, unless its sound is off."""
    said = text(viewer)
    seat = seat_on_turn(viewer) if viewer.follower.news[1] else None
    if seat and is_awaited(viewer, seat) and not viewer.sound.muted:
        viewer.send(vibrate=VIBRATION_MS)
    viewer.follower.news = ([], False)
    if said:
        viewer.send(say={"text": said, "language": viewer.language})


@action("spoken", ALL, 1)
def choose(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Choose which news the browser says aloud, and announce it."""
    if args[0] not in SPOKEN:
        return False
    viewer.sound.spoken = args[0]
    viewer.send(keep={"spoken": args[0]})
    begins = "" if args[0] == "off" else viewer.translate("spoken.begins_" + args[0])
    viewer.send(say={"text": begins, "language": viewer.language})
    return True


@action("no-voice", ALL)
def find_no_voice(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Stop saying news aloud, because the browser has no voice for the viewer's language."""
    viewer.sound.spoken = "off"
    viewer.send(error=viewer.translate("spoken.no_voice"), keep={"spoken": "off"})
    return True
