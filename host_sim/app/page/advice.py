# SPDX-License-Identifier: MIT
"""The page's advice to a viewer: a hint, or the answer to a click that the table did not
accept."""

import time
from typing import NamedTuple

from host_sim.app.session.player_view import Hint
from host_sim.app.views.i18n import Said, Translator, in_sentences
from host_sim.app.views.table_names import capitalized

ANSWER_S = 4  # least seconds for which an answer stays while others play on


class Answer(NamedTuple):
    """The answer to a click that the table did not accept.

    said: why, and what to do instead
    tile: the refused tile, or None
    again: whether this move was also refused before; if so, the page offers to lay the tile anyway
    at: the time of the answer, in seconds of time.monotonic()
    """

    said: tuple[Said, ...]
    slot: str
    tile: str | None
    again: bool
    at: float

    def text(self, translate: Translator) -> str:
        """Return what was said, in the language of a Translator."""
        return in_sentences(*(capitalized(translate.again(one)) for one in self.said))


class Advice:
    """The advice that a viewer sees now, and what the viewer has been told since the last accepted
    input."""

    def __init__(self) -> None:
        self.hint: Hint | None = None
        self.answer: Answer | None = None
        self.refused_move: tuple[str, str] | None = None  # (tile, slot), since the last accepted
        self.pass_asked = False  # whether a pass has been refused because a tile fits

    def refuse(
        self, said: tuple[Said, ...], slot: str, tile: str | None, is_same_press: bool
    ) -> Answer:
        """Set the answer to a refused click, and return it.

        said, slot, tile: as in Answer
        is_same_press: whether the click may be the second half of a double click
        """
        move = (tile, slot) if tile else None
        again = move is not None and self.refused_move == move and not is_same_press
        self.refused_move = move
        self.answer = Answer(said, slot, tile, again, time.monotonic())
        return self.answer

    def forget(self) -> None:
        """Forget the hint and the refused move after an accepted input, and the answer after
        ANSWER_S seconds."""
        self.hint = self.refused_move = None
        self.pass_asked = False
        if self.answer and time.monotonic() - self.answer.at > ANSWER_S:
            self.answer = None
