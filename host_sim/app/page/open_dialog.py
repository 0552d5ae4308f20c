# SPDX-License-Identifier: MIT
"""The dialog that a viewer has open, and what they have filled in there."""

from collections.abc import Iterable, Mapping

from host_sim.app.views.i18n import Translator
from host_sim.table.player_names import free_name


class OpenDialog:
    """The open dialog of a viewer, if there is one."""

    def __init__(self) -> None:
        self.words: list[str] | None = None  # the words that opened it: ["remove", "3"]
        self.form: dict[str, str] = {}  # its fields, as far as they are filled in
        self.error = ""  # a sentence about those fields
        self.free_names: dict[str, str] = {}  # {field: name}, offered for names that were taken
        self.pieces: list[str] = []  # of a file that arrives
        self.asked_seat: int | None = None  # the seat that the viewer has asked for
        self.closed_ending: tuple[str, int] | None = None  # the end of a round that was dismissed

    def open(self, *words: str, form: dict[str, str] | None = None, error: str = "") -> None:
        """Open a dialog.

        words, form, error: as the attributes
        """
        self.words, self.form = [*words], form or {}
        self.error, self.free_names, self.pieces = error, {}, []

    def close(self) -> None:
        self.words = None

    def clear_error(self) -> None:
        self.error, self.free_names = "", {}

    def are_free(
        self, translate: Translator, names: Mapping[str, str], others: Iterable[str] = ()
    ) -> bool:
        """Return whether all names differ from each other and from `others`. For each name that is
        already used, offer another name in the form's field and set an error message.

        names: {field: name}
        """
        self.free_names, seen = {}, list(others)
        for field, name in names.items():
            free = free_name(name, seen)
            seen.append(free)
            if free != name:
                self.free_names[field] = free
                self.error = translate("page.name_taken", name=name, free=free)
        return not self.free_names
