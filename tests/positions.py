# SPDX-License-Identifier: MIT
"""Makes positions for tests from inputs that are written as words."""

from roundhouse import commands, constants, line_keys, tags, tiles
from roundhouse.constants import USUAL_STATIONS
from roundhouse.games import fields, houses
from roundhouse.games.match import Match

STATIONS = (2 << USUAL_STATIONS) - 2  # mask of those of a usual board


def new(house: str = "puremco", set_: int | None = None) -> Match:
    """Return a table in its lobby, such as `new("jassshop no-lock")`.

    set_: the highest number on the tiles, or None for the house's own set
    """
    index, variants = houses.parse(house.split())
    return Match(index, variants, set_, slots=STATIONS)


def tile(text: str) -> int:
    meaning = tags.parse(tags.plain(text.encode()))
    assert meaning, text
    return tiles.tile(meaning[1], meaning[2])


def do(t: Match, line: str) -> str:
    """Carry out one or more inputs, separated by commas, and return the last verdict. An input is
    `tap 12-5 3`, `override 7-1 M`, `press 3`, or a console line."""
    verdict = 0
    for part in line.split(","):
        parts = part.split()
        if parts[0] in ("tap", "override"):
            kind = constants.TAP if parts[0] == "tap" else constants.OVERRIDE
            verdict = t.apply(kind, constants.slot_number(parts[2]), tile(parts[1]))
        elif parts[0] in ("press", "draw"):
            kind = constants.PRESS if parts[0] == "press" else constants.DRAW
            verdict = t.apply(kind, constants.slot_number(parts[1]))
        elif parts[0] == "forget":
            verdict = t.apply(constants.FORGET)
        else:
            kind, slot, value = commands.correction(part.strip())
            verdict = t.apply(kind, slot, value)
    return constants.VERDICTS[verdict]


def opened(
    house: str = "classic",
    tile: str = "6-6",
    seats: int = 3,
    set_: int | None = None,
    starter: int = 1,
    then: str = "",
) -> Match:
    """Return a line game in play.

    tile: the opening tile, which seat `starter` lays
    then: further inputs, as for `do`
    """
    t = new(house, set_)
    for seat in range(1, seats + 1):
        t.press(seat)
    t.press(constants.E)
    do(t, "tap %s %d" % (tile, starter))
    if then:
        do(t, then)
    return t


def begun(
    house: str = "puremco",
    seats: int = 3,
    engine: str = "12-12",
    set_: int = 12,
    trains: str = "",
    hands: int = 15,
    starter: int = 1,
) -> Match:
    """Return a game of Mexican Train in play. The `trains`, such as "1:12-5 5-7, M:12-9", are laid
    by overrides.

    Each seat has had its first turn and holds `hands` tiles. Seat 1 is to move.
    """
    t = new(house, set_)
    for seat in range(1, seats + 1):
        t.press(seat)
    do(t, "tap %s %d" % (engine, starter))
    for train in trains.split(","):
        if train:
            slot, laid = train.strip().split(":")
            for text in laid.split():
                do(t, "override %s %s" % (text, slot))
                settle(t)
    for _ in range(seats):  # now every seat has had its first turn
        do(t, "turn %d" % (t.turn,))
        skip(t)
    for seat in range(1, seats + 1):
        do(t, "hand %d %d" % (seat, hands))
    do(t, "turn 1")
    return t


def settle(t: Match) -> None:
    """If a double is open after an override, let the seat to move pass without effects (see
    `skip`)."""
    if t.open_double(0) >= 0:
        skip(t)


def skip(t: Match) -> None:
    """Let the seat to move pass; then remove its marker and put the drawn tile back into the
    boneyard."""
    seat, marked, boneyard = t.turn, t.open_mask, t.boneyard
    hand = t.hand(seat)
    t.press(seat)
    if t.turn == seat:
        t.press(seat)
    if t.phase == constants.PLAY and (t.open_mask ^ marked) >> seat & 1:
        do(t, "marker %d" % seat)
    do(t, "hand %d %d" % (seat, hand))
    do(t, "boneyard %d" % boneyard)


def slots(mask: int) -> str:
    """Return the slots of a mask as the console names them: `"1 3 M"`."""
    return " ".join([constants.slot_name(n) for n in range(constants.SLOT_COUNT) if mask >> n & 1])


# ---- examples: positions, inputs and what is expected of them, as text ----


def examples(path: str, ending: str = ".positions") -> list[tuple[str, list[str]]]:
    """Return [(title, [line, ...]), ...] for the examples in the text file beside a test module.

    An example begins with its title, `# ...`. If rows such as `| a | b |` follow, the example is
    played once for each row; $1 and $2 stand for the row's cells. tests/README.md lists the lines.
    """
    found = []
    with open(path[: path.rindex(".")] + ending) as file:
        for block in file.read().split("\n\n"):
            lines = [line.split(" #")[0].rstrip() for line in block.strip().split("\n")]
            title = " ".join([line[2:] for line in lines if line.startswith("# ")])
            rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
            body = [line for line in lines if line and line[0] not in "#|"]
            for row in rows or [[]]:
                if body:
                    found.append((title + "|".join(row), [_filled(line, row) for line in body]))
    return found


def _filled(line: str, row: list[str]) -> str:
    for n, word in enumerate(row, 1):
        line = line.replace("$%d" % n, word.strip())
    return line


def check(title: str, lines: list[str]) -> None:
    """Play an example. Raises AssertionError with the example's title, the line and the value
    found."""
    t, kept = new(), b""
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in POSITIONS:
            t = _position(word, rest)
        elif word == "expect":
            for fact in rest.split(", "):
                fact = fact.rstrip()
                found = known(t, fact)
                assert found == fact, "%s: %s; but %s" % (title, line, found)
        elif word == "keep":
            kept = bytes(t.state)
        elif word == "back":
            t.restore(kept)
        elif word == "kept":
            assert bytes(t.state) == kept, "%s: the state has changed" % title
        elif word == "poke":
            _poke(t, *rest.split())
        else:
            inputs, _, verdict = line.partition(": ")
            *before, last = _inputs(inputs)
            given = [do(t, text) for text in before]
            assert given == ["ok"] * len(given), (title, line, given)
            found = do(t, last)
            expected = found != "ok" if verdict == "refused" else found == (verdict or "ok")
            assert expected, (title, line, found)


def _inputs(text: str) -> list[str]:
    """Return the inputs in a line; `lay 12-5 5-6 on 1` is a tap for each tile."""
    found = []
    for part in text.split(", "):
        if part.startswith("lay "):
            tiles_, _, slot = part[4:].partition(" on ")
            found += ["tap %s %s" % (tile_, slot) for tile_ in tiles_.split()]
        else:
            found.append(part)
    return found


def _position(word: str, rest: str) -> Match:
    """Make the table of a line: `begun quebec; seats 2; trains 1:12-5` is `begun("quebec",
    seats=2, trains="1:12-5")`."""
    house, *arguments = rest.split("; ")
    named = {}
    for argument in arguments:
        name, _, value = argument.partition(" ")
        named[name] = int(value) if value.isdigit() else value
    return POSITIONS[word](house, **named)


def _poke(t: Match, name: str, *value: str) -> None:
    """Change a state as no input can: `used 9 13`, `laid 5-5 6-4`, `slots 1 2 M`, `lock yes`."""
    if name == "slots":
        t.slots = sum([1 << constants.slot_number(slot) for slot in value])
    elif name == "laid":
        for text in value:
            t.lay(tile(text))
    elif name in ("room", "used"):
        *slot, number = value
        t.state[getattr(fields, name.upper()) + int(slot[0] if slot else 0)] = int(number)
    else:  # what a family's house can say, and no variant word
        ((row, place),) = houses.lookup(houses.options(0), name, *value)
        t.state[fields.OPTIONS + row] = place


def known(t: Match, fact: str) -> str:
    """Return a fact with its true value, as text.

    `turn 1` becomes `turn 3` if seat 3 is to move.
    """
    name, *rest = fact.split()
    if name in OF_ONE:
        return " ".join((name, rest[0], str(OF_ONE[name](t, rest[0])))).rstrip()
    value = FACTS[name](t) if name in FACTS else getattr(t, name)
    return " ".join((name, slots(value) if name in MASKS else str(value))).rstrip()


def _halved(points: int) -> float:
    return points / 2 if points % 2 else points // 2


def doubles(t: Match) -> str:
    """Return the slots of the open doubles as text, the first to close first."""
    found: list[str] = []
    while t.open_double(len(found)) >= 0:
        found.append(constants.slot_name(t.open_double(len(found))))
    return " ".join(found)


def ends(t: Match) -> str:
    """Return the ends of the lines as text, such as `1:6 3:12/6`; an undecided end has two
    numbers."""
    found = []
    for n in range(1, constants.SLOT_COUNT):
        if t.begun >> n & 1:
            two = "" if t.second_end(n) == constants.NONE else "/%d" % t.second_end(n)
            found.append("%s:%d%s" % (constants.slot_name(n), t.end(n), two))
    return " ".join(found)


POSITIONS: dict = {"new": new, "begun": begun, "opened": opened}
MASKS = ("playable", "open", "inviting", "joined", "winners", "catchable")
FACTS = {
    "phase": lambda t: constants.PHASES[t.phase],
    "open": lambda t: t.open_mask,
    "opening": lambda t: "none" if t.opening == constants.NONE else tiles.text(t.opening),
    "doubles": doubles,
    "ends": ends,
    "places": lambda t: " ".join(["%d:%d" % side for side in t.sides]),
    "room": lambda t: t.state[fields.ROOM],
    "house": lambda t: line_keys.house(t),
}
OF_ONE = {
    "hand": lambda t, seat: t.hand(int(seat)),
    "total": lambda t, seat: _halved(t.total(int(seat))),
    "points": lambda t, seat: _halved(t.points(int(seat))),
    "rank": lambda t, slot: t.rank(constants.slot_number(slot)),
    "fits": lambda t, text: slots(t.fits(tile(text))),
    "rule": lambda t, name: dict(line_keys.options(t))[name],
}
