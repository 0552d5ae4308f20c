# SPDX-License-Identifier: MIT
"""Rare operations on a journal: undo across segments, redo, and the lobby at power-up.

This module is loaded only when one of these operations is needed.
"""

from roundhouse import constants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from roundhouse.games.match import Match
    from roundhouse.journal import Journal


def take_back(journal: "Journal", laid: int) -> tuple[int, int] | None:
    """Take back the last input when the current segment (file) of the journal has no input left.

    laid: the one kind of input that cannot be taken back, see Journal.

    Returns the input's (kind, slot), or None if nothing can be taken back.
    """
    left, began, back = journal.number, journal.began, journal.back
    while back:
        older = journal.read(back)
        if older.wrong:
            return None
        live = older.live
        if began or live:
            last: bytes | bytearray = bytes([began, 0, 0])
            if not began:
                last, live = live[-3:], live[:-3]
            if last[0] >> 4 == laid:
                return None
            match, journal.match = journal.match, older.match
            try:
                journal.begin(older.back, older.state, live, older.began, 1)
            except OSError:
                journal.match = match
                raise
            if began:
                journal.chosen.append(left)
            return journal.taken(last)
        left, began, back = back, older.began, older.back
    return None


def redo(journal: "Journal", choices: "Sequence[int]") -> tuple[int, int] | None:
    """Repeat the input that was taken back last, see Journal.redo. choices: the kinds of input
    that begin a new segment (file)."""
    undone, chosen, table = journal.undone, journal.chosen, journal.table
    if not undone:
        return None
    kind, slot, value = undone[-3] >> 4, undone[-3] & 15, undone[-2] | undone[-1] << 8
    if kind in choices:
        left = journal.read(chosen[-1])
        if left.wrong:
            return None
        journal.choose(kind, left.state)
        journal.chosen = chosen[:-1]
        journal.restore()
    else:
        was = table.phase
        if table.apply(kind, slot, value, True):
            return None
        journal.lobby = None  # the match goes on as it began
        try:
            journal.record(kind, slot, value, table.phase == constants.LOBBY != was)
        except OSError:
            journal.restore()
            raise
        journal.chosen = chosen
        journal.note_lobby()
    journal.undone = undone[:-3]
    return kind, slot


def begin_again(journal: "Journal") -> None:
    """Begin a segment (file) whose state is the lobby `journal.lobby`. The lobby and the match get
    the current format.

    Call this after the table accepted a new input in the lobby, and before recording this input.
    If this function raises OSError, the caller must restore the table.
    """
    table, after = journal.table, bytes(journal.table.state)
    assert journal.lobby is not None
    table.restore(journal.lobby)
    table.new_format()
    journal.begin(journal.number, bytes(table.state))
    journal.lobby = None
    table.restore(after)
    table.new_format()


def resume(table: "Match", journal: "Journal", lobby: bytes) -> None:
    """At power-up, give a match without seats the rules of config.py, unless its rules were chosen
    on the hub. Any other match keeps its rules, as the current firmware defines them.

    lobby: the state of an empty lobby with the rules of config.py.
    """
    was = bytes(table.state)
    began, back = journal.began, journal.back
    while back and not began:
        older = journal.read(back)
        if older.wrong or older.match != journal.match:
            break
        began, back = older.began, older.back
    table.new_format()
    kept = bytes(table.state)
    if began or table.joined:
        lobby = kept
    if lobby != was:
        journal.go_on(lobby, int(lobby != kept))
