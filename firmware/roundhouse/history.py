# SPDX-License-Identifier: MIT
"""What is rarely asked of a journal: to take back more than its segment has, to repeat what was
taken back, and to begin a lobby anew. Loaded only then."""

from roundhouse import constants


def take_back(journal, laid):
    """Take back what came last before the first input of the journal's segment; return its (kind,
    slot), or None without one, and for a tile that lay there before (kind `laid`)."""
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
            if last[0] >> 4 == laid:
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


def redo(journal, choices):
    """Carry out Journal.redo; choices: the kinds with which a segment begins."""
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
        try:
            journal.record(kind, slot, value, table.phase == constants.LOBBY != was)
        except OSError:
            journal.restore()
            raise
        journal.chosen = chosen
    journal.undone = undone[:-3]
    return kind, slot


def resume(table, journal, lobby):
    """A lobby at power-up becomes config.py's `lobby`, where nobody has joined it and nothing was
    chosen in it; any other keeps its rules, and the match it begins is read as one of today."""
    was = bytes(table.state)
    began, back = journal.began, journal.back
    while back and not began:
        older = journal.read(back)
        if older.wrong or older.match != journal.match:
            break
        began, back = older.began, older.back
    if began or table.joined:
        table.read_as_today()
        lobby = bytes(table.state)
    if lobby != was:
        journal.go_on(lobby)
