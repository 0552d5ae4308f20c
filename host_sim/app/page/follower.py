# SPDX-License-Identifier: MIT
"""How a viewer follows a table: the sentences about what has happened there, and the news."""

from collections.abc import Sequence
from typing import NamedTuple

from host_sim.app.page import sounds
from host_sim.app.page.shown_tables import ShownTable
from host_sim.app.views.disk_errors import reason
from host_sim.app.views.i18n import Translator
from host_sim.app.views.story import Sentence, Story
from host_sim.table import safety_net
from host_sim.table.model import Moment

LATEST = 60  # sentences that stay on the page


class Reading(NamedTuple):
    """What a Follower has read.

    continues: whether the moments follow those read before; otherwise the story has been retold
        from its start
    tune: the last tune that the hub played, or None
    """

    moments: Sequence[Moment]
    sentences: list[Sentence]
    continues: bool
    tune: str | None


class Follower:
    """Follows the table that a viewer sees.

    table: the table that was read last, or None
    story: the Story of this table
    """

    story: Story

    def __init__(self) -> None:
        self.table: ShownTable | None = None
        self.sentences: list[Sentence] = []  # the story, oldest first
        self.latest: list[Sentence] = []  # the sentences of the last change
        self.begins_turn = False  # whether a turn has begun with the last change
        # not yet said aloud: new sentences, and whether a turn has begun
        self.news: tuple[list[Sentence], bool] = ([], False)
        self._turn: int | None = None
        self._disk_error: str | None = None  # the reason last told
        # the table's epoch, its names and the reader's seat, with which the story is told
        self._told_by: tuple[int, dict[str, str], str] | None = None
        self._read = 0  # moments read so far
        self._refusals: set[str] = set()  # told since the last accepted input

    def retell(self) -> None:
        """Let the next call of `read` retell the story from its start."""
        self._told_by = None

    def read(self, table: ShownTable, language: str, you: str) -> Reading:
        """Read what has happened at the table since the last call.

        you: as in TableNames
        """
        now = (table.epoch, dict(table.names), you)
        continues = table is self.table and now == self._told_by
        start = max(0, self._read - table.forgotten) if continues else 0
        if not continues:
            self.story = Story(Translator(language), table.names, you)
            self.sentences, self.latest = [], []
            self._refusals.clear()
            self._disk_error = None
        self.table, self._told_by = table, now
        self._read = table.forgotten + len(table.moments)
        moments = table.moments[start:]
        sentences: list[Sentence] = []
        tune = None
        for moment in moments:
            sentences += self._unheard(moment)
            with safety_net.under(moment.line):
                tune = sounds.tune(moment) or tune
        return Reading(moments, sentences, continues, tune)

    def _unheard(self, moment: Moment) -> list[Sentence]:
        """Return the sentences about a Moment; a refusal only once, however often it is tried."""
        if moment.line.get("verdict") == "ok":
            self._refusals.clear()
        found = [one for one in self.story.sentences(moment) if one.text not in self._refusals]
        self._refusals.update(one.text for one in found if one.kind == "refused")
        return found

    def disk_error_changed(self, error: OSError | None) -> bool:
        """Return whether saving the match fails for another reason than at the last call, or works
        again."""
        before, self._disk_error = self._disk_error, reason(error) if error else None
        return self._disk_error != before

    def answer(self, sentence: Sentence) -> None:
        """Make an answer to the viewer alone the latest sentence; the story does not tell it."""
        self.latest, self.begins_turn = [sentence], False

    def tell(
        self, sentences: list[Sentence], turns: Sequence[int | None], continues: bool
    ) -> None:
        """Add sentences to the story and to the news.

        turns: the seats whose turn it has been since the last call, and last the seat whose turn
            it is now; None for the time between two rounds
        continues: as in Reading
        """
        self.latest = sentences or self.latest
        self.sentences = [*self.sentences, *sentences][-LATEST:]
        is_new_turn = any(turn != self._turn for turn in turns)
        self._turn = turns[-1]
        if sentences or is_new_turn:
            self.begins_turn = is_new_turn
        unsaid, was_new_turn = self.news
        news = ([*unsaid, *sentences], was_new_turn or is_new_turn)
        self.news = news if continues else ([], False)
