# SPDX-License-Identifier: MIT
"""What is rarely asked of a journal: to take back more than its segment has, and to repeat what
was taken back. The journal loads it then."""

from roundhouse import words
from roundhouse.journal import CHOICES, LAID, unpacked


def take_back(journal):
    """Take back what came last before the first input of the journal's segment; return its (kind,
    slot), or None without one."""
    left, began, back = journal.number, journal.began, journal.back
    while back:
        older = journal.read(back)
        if older.wrong:
            return None
        live = older.live
        if began or live:
            last = bytes([began, 0, 0])
            if not began:
                last, live = live[-3:], live[:-3]
            if last[0] >> 4 == LAID:
                return None
            match, journal.match = journal.match, older.match
            try:
                journal.begin(older.back, older.state, live, older.began)
            except OSError:
                journal.match = match
                raise
            if began:
                journal.chosen.append(left)
            return journal.taken(last)
        left, began, back = back, older.began, older.back
    return None


def redo(journal):
    """Carry out Journal.redo."""
    undone, chosen, table = journal.undone, journal.chosen, journal.table
    if not undone:
        return None
    kind, slot, value = unpacked(undone, len(undone) - 3)
    if kind in CHOICES:
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
        try:
            journal.record(kind, slot, value, table.phase == words.LOBBY != was)
        except OSError:
            journal.restore()
            raise
        journal.chosen = chosen
    journal.undone = undone[:-3]
    return kind, slot
