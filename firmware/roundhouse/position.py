# SPDX-License-Identifier: MIT
"""Writes the table as a script that recreates it, for the command `position`. Loaded only then.

The simulator can run the script. The script has the rules and seats, `given` lines for the newest
state that they can describe (a lobby, or the beginning of a turn), and the inputs since.
"""

from roundhouse import constants, journal, line_keys, tiles
from roundhouse.games import at, houses
from roundhouse.games.match import Match
from roundhouse.games.slot_masks import mask, seats_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from roundhouse.journal import Journal


_TILES = 12  # in one line of a train
# The console's words for the kinds from constants.JOIN on, in their order.
_CORRECTIONS = ("join", "leave", "hand", "boneyard", "turn", "marker", "score")


def lines(table: "Match", kept: "Journal", meanwhile: "Callable[[], object]") -> list[str]:
    """Return the lines of a table script that recreates the current table. kept: the journal.

    This may take long, so meanwhile() is called between inputs.
    """
    m = Match(slots=table.slots)
    state, since = _newest(m, kept, meanwhile)
    m.restore(state)
    out = _rules(m, _needed(m, since))
    if m.phase == constants.PLAY:
        _given(out, m)
        _trains(out, m, kept, len(since) // 3, meanwhile)
        _given_then(out, m)
    for i in range(0, len(since), 3):
        meanwhile()
        kind, slot, value = since[i] >> 4, since[i] & 15, since[i + 1] | since[i + 2] << 8
        said = _said(kind, slot, value)
        out += said
        if m.apply(kind, slot, value):  # it has to be repeated to count
            out += said
            m.apply(kind, slot, value, True)
    return out


def _newest(
    m: "Match", kept: "Journal", meanwhile: "Callable[[], object]"
) -> tuple[bytes | bytearray, bytes]:
    """Return (state, inputs): the newest state that `given` lines can describe, and the inputs
    since then, 3 bytes each. m: a Match to replay inputs on."""
    number, after = kept.number, b""
    while True:
        segment = kept.read(number)
        if segment.wrong:
            raise ValueError("segment %d cannot be read" % number)
        state, live = segment.state, segment.live
        m.restore(state)
        found: bytes | bytearray | None = state if _can_be_given(m) else None
        start = 0
        for i in range(0, len(live), 3):
            meanwhile()
            if live[i] >> 4 == journal.LAID:
                start = i + 3 if found else start
                continue
            m.apply(live[i] >> 4, live[i] & 15, live[i + 1] | live[i + 2] << 8, True)
            if _can_be_given(m):
                found, start = bytes(m.state), i + 3
        if found:
            return found, bytes(live[start:]) + after
        number, after = segment.back, live + after  # type: ignore[assignment]


def _can_be_given(m: "Match") -> bool:
    """Return whether `given` lines can describe the state: in the lobby, or at the beginning of a
    turn."""
    if m.phase == constants.PLAY:
        before = bytes(m.state)
        m.game.clear_turn(m)
        same = before == m.state
        m.state[:] = before
        return same
    return m.phase == constants.LOBBY


def _needed(m: "Match", since: bytes) -> int:
    """Return a mask of the stations that the script needs: those of this board, those of the match
    and those in the inputs `since`. since: 3 bytes for each input."""
    found = m.slots | m.joined | mask(m.state, at.COMING) | m.begun
    for i in range(0, len(since), 3):
        found |= 1 << (since[i] & 15)
    return found & constants.STATIONS


def _rules(m: "Match", there: int) -> list[str]:
    """Return the lines for the board, the rules and the seats. there: a mask of the board's
    stations."""
    out = []
    if there != (2 << constants.USUAL_STATIONS) - 2:
        out.append("stations " + _numbers(there))
    out += ["house " + _house(m), "set %d" % m.set]
    if m.joined:
        out.append("players " + _players(m.joined))
    return out


def _house(m: "Match") -> str:
    """Return the house and its variants in words. Other hubs do not know a family's house, so this
    house is written as sheet, name and changed options: `puremco name=grandma first-turn=own`."""
    said = line_keys.house(m)
    if not m.state[at.NAME]:
        return said
    name, *variants = said.split()
    _, sheet = m.sheet()
    base = houses.HOUSES.index(sheet)
    as_in_sheet = houses.words_of(m.state[at.GAME], houses.preset(base))
    chosen = [row for bit, row in enumerate(houses.variants(base)) if m.variants >> bit & 1]
    by_variants = [change[0] for _, change in chosen]
    out = [sheet] + variants + ["name=" + name]
    for option, value in line_keys.options(m):
        if option not in by_variants and (option, value) not in as_in_sheet:
            out.append("%s=%s" % (option, value.replace(" ", "-")))
    return " ".join(out)


def _players(seats: int) -> str:
    """Return the seats for the line `players`. A single seat is written twice, because one number
    means a count."""
    return _numbers(seats) if seats & seats - 1 else "%s %s" % ((_numbers(seats),) * 2)


def _numbers(seats: int) -> str:
    return " ".join([str(seat) for seat in seats_of(seats)])


def _given(out: list[str], m: "Match") -> None:
    """Append the `given` lines that come before those for the trains."""
    s = m.state
    out += ["given engine " + tiles.text(m.opening), "given round %d" % m.round]
    if m.reading != constants.FORMAT:
        out.append("given reading %d" % m.reading)
    away = list(seats_of(mask(s, at.KEPT)))
    scored = [n for n in constants.SEATS if m.total(n) and n not in away]
    gained = [n for n in constants.SEATS if m.points(n)]
    for word, of, seats in (
        ("score", m.total, scored),
        ("points", m.points, gained),
        ("away", m.total, away),
    ):
        pairs = ["%d=%s" % (n, _half(of(n))) for n in seats]
        if pairs:
            out.append("given %s %s" % (word, " ".join(pairs)))
    owing = [seat for seat in away if m.hand(seat)]
    if owing:
        out.append("given owing " + " ".join([str(seat) for seat in owing]))
    if mask(s, at.COMING):
        out.append("given coming " + _numbers(mask(s, at.COMING)))


def _half(doubled: int) -> str:
    return "%d.5" % (doubled // 2) if doubled & 1 else str(doubled // 2)


def _trains(
    out: list[str], m: "Match", kept: "Journal", since: int, meanwhile: "Callable[[], object]"
) -> None:
    """Append the lines for the tiles of the round, in the order laid, with `override` where a tile
    was laid against the rules."""
    laid, seen = [], []
    for n, (kind, slot, value) in enumerate(kept.inputs()):
        meanwhile()
        if n < since:
            continue
        if kind == constants.TAP and value & 255 == m.opening:
            break
        if kind in (constants.TAP, constants.OVERRIDE, journal.LAID):
            if value & 255 in seen or not m.is_laid(value & 255):
                continue  # its holder showed it, and the round went on
            seen.append(value & 255)
            forced = kind == constants.OVERRIDE or kind == journal.LAID and value >> 8
            laid.append((slot, ("override " if forced else "") + tiles.text(value & 255)))
    where = 0
    here: list[str] = []
    for slot, said in reversed(laid):
        if here and (slot != where or len(here) == _TILES):
            out.append("given train %s %s" % (constants.slot_name(where), " ".join(here)))
            here = []
        where = slot
        here.append(said)
    if here:
        out.append("given train %s %s" % (constants.slot_name(where), " ".join(here)))


def _given_then(out: list[str], m: "Match") -> None:
    """Append the `given` lines that come after those for the trains."""
    s = m.state
    out += ["given " + said for said in m.rounds.given_lines(m)]
    out += ["given starter %d" % s[at.STARTER], "given turn %d" % m.turn]
    if m.boneyard != constants.NONE:
        out += ["given hand %d %d" % (seat, m.hand(seat)) for seat in seats_of(m.joined)]
        out.append("given boneyard %d" % m.boneyard)
    passed = mask(s, at.PASSED)
    if passed and m.reading < constants.SETS_OF_SEATS:
        out.append("given passes %d" % passed)
    elif passed:
        out.append("given passed " + _numbers(passed))
    if s[at.LAST]:
        word = "knocked" if s[at.NOTICE] else "last"
        out.append("given %s %d" % (word, s[at.LAST]))
    if m.catchable:
        out.append("given forgot " + _numbers(m.catchable))


def _said(kind: int, slot: int, value: int) -> list[str]:
    name = constants.slot_name(slot)
    if kind in (constants.TAP, constants.OVERRIDE):
        word = "tap" if kind == constants.TAP else "override"
        return ["%s %s %s" % (word, tiles.text(value & 255), name)]
    if kind == constants.PRESS:
        return ["press " + name]
    if kind == constants.DRAW:
        return ["down E", "press " + name, "up E"]
    said = "say " + _CORRECTIONS[kind - constants.JOIN]
    if kind == constants.SCORE and value & constants.TOTAL:
        return ["say total %d %d" % (slot, value & ~constants.TOTAL)]
    if kind != constants.BONEYARD:
        said += " %d" % slot
    if kind == constants.JOIN and value:
        return [said + " %d" % (value - 1)]
    return [
        said + " %d" % value
        if kind in (constants.HAND, constants.BONEYARD, constants.SCORE)
        else said
    ]
