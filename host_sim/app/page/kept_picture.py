# SPDX-License-Identifier: MIT
"""The picture of the table as a viewer sees it. It is drawn again only if it changes."""

from typing import Any

from host_sim.app.page.shown_tables import ShownTable
from host_sim.app.views import table_picture
from host_sim.app.views.i18n import Translator
from host_sim.app.views.stable_layout import KeptLayout
from host_sim.table.model import TableModel


class KeptPicture:
    """The picture of the table that a viewer saw last."""

    def __init__(self, is_television: bool) -> None:
        self.size = (1000, 1000)  # width, height in the browser's pixels
        self._svg = ""
        self.forget(is_television)

    def forget(self, is_television: bool) -> None:
        """Lay out the next picture without regard to the last one."""
        self._layout = KeptLayout(is_television)
        self._key: Any = None  # the values that the picture depends on

    def svg(
        self,
        table: ShownTable,
        model: TableModel,
        names: dict[str, str],
        translate: Translator,
        seat: int | None,
        bottom: int | None,
        marked: frozenset[str],
    ) -> str:
        """Return a picture of the table as SVG. After a line from the hub, only the first picture
        has flashing answer lamps.

        model: the model of the table that the picture shows
        names: {seat: player's name}
        seat: the seat whose hand the viewer sees, or None
        bottom: the seat drawn at the bottom of the picture, or None
        marked: the slots with a rim
        """
        is_current = model is table.model
        moment = (table, table.epoch, table.count)
        key = (
            *(moment, is_current, seat, bottom, marked),
            *(self.size, translate.language, tuple(names.items())),
        )
        if self._key != key:
            is_new = not self._key or self._key[0] != moment
            self._key = key
            self._svg = table_picture.svg(
                model,
                names,
                translate,
                me=seat,
                room=self.size,
                marked=marked,
                fresh=is_new and is_current,
                kept=self._layout,
                bottom=bottom,
            )
        return self._svg
