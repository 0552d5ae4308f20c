# SPDX-License-Identifier: MIT
"""Turns the `given` lines of a table script into a journal segment that begins in mid-round.

Apart from the firmware's games, only this module writes the bytes of a match's state.
"""

from collections.abc import Callable, Sequence

from roundhouse import constants, journal, line_keys, tags, tiles
from roundhouse.constants import MOST_SEATS, slot_number
from roundhouse.games import between_rounds, fields, match, slot_masks
from roundhouse.games.mexican_train import play

Where = tuple[int, str] | None  # number and text of a script's line


class BadGiven(ValueError):
    """Raised if a `given` line of a table script describes something impossible.

    at: the line's place in the script; None for the line that was added last
    """

    def __init__(self, text: str, at: Where = None) -> None:
        super().__init__(text)
        self.at = at


def parse_tile(text: str) -> int:
    """Return the tile that a text such as `12-5` stands for. Raise ValueError if it is not a
    tile."""
    meaning = tags.parse(tags.plain(text.encode()))
    if not meaning or meaning[0] != "tile":
        raise ValueError("%s is not a tile" % text)
    return tiles.tile(meaning[1], meaning[2])


def parse_seat(text: str) -> int:
    """Return the seat whose number is in a text. Raise ValueError if no hub has it."""
    return parse_number(text, 1, MOST_SEATS)


def parse_number(text: str, low: int, high: int) -> int:
    """Return the number in a text. Raise ValueError if it is not within low..high."""
    if text.isascii() and text.isdigit() and len(text) < 7 and low <= int(text) <= high:
        return int(text)
    raise ValueError("%s is not a number from %d to %d" % (text[:20], low, high))


def parse_points(text: str) -> float:
    """Return a number of points, such as 7 or 7.5, from a word of a script. Raise ValueError for
    any other word."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= MOST_POINTS or 2 * value % 1:
        raise ValueError("%s is not a number of points" % text[:20])
    return value


MOST_POINTS = 99999  # more than any match has
MOST_TILES = 190  # of the largest set
# words that only Mexican Train has
TRAINS_ONLY = ("marker", "double", "fresh", "waiting", "lap", "lap-of")
WORDS = {  # (least, most) words that follow each; one word if it is not listed
    "train": (2, 2 * MOST_TILES),
    "marker": (1, constants.M),
    "fresh": (1, MOST_SEATS),
    "waiting": (1, MOST_SEATS),
    "hand": (2, 2),
    "score": (1, MOST_SEATS),
    "points": (1, MOST_SEATS),
    "away": (1, MOST_SEATS),
    "coming": (1, MOST_SEATS),
    "owing": (1, MOST_SEATS),
    "forgot": (1, MOST_SEATS),
    "passed": (1, MOST_SEATS),
    "lap": (2, 2),
    "lap-of": (3, MOST_SEATS + 1),
}
FORCED = 1  # in a tile's record: the rules refused it
ENOUGH = 99  # tiles in hand while given tiles are laid, so that no seat goes out


class PositionSetup:
    """Sets up a position from the `given` lines of a table script. `segment` returns a journal
    file that begins with the position.

    Raises ValueError for too few or too many seats.

    house, variants: as houses.parse returns them
    slots: a mask of the board's slots
    """

    def __init__(
        self, house: int, variants: int, set_: int, seats: Sequence[int], slots: int
    ) -> None:
        self.match = match.Match(house, variants, set_, slots)
        self.has_trains = line_keys.game(self.match) == "mexican-train"
        self.any_tile = dict(line_keys.options(self.match)).get("enforce") == "tiles"
        self.turn: int | None = None
        self._at: Where = None
        if len(seats) < 2:
            raise ValueError("players: a round in progress needs at least 2")
        most = between_rounds.max_seats(self.match, self.match.set)
        if len(seats) > most:
            text = "players: %s with the set %d has at most %d"
            raise ValueError(text % (line_keys.house(self.match), self.match.set, most))
        s = self.match.state
        for seat in seats:
            slot_masks.add(s, fields.SEATS, seat)
        self.seats = sorted(seats)
        s[fields.PHASE] = constants.PLAY
        s[fields.ROUND] = 1
        s[fields.STARTER] = s[fields.TURN] = self.seats[0]
        dealt = self.match.hand_size()
        self.hands = dict.fromkeys(self.seats, dealt)
        self.uncounted = dealt == constants.NONE
        self.boneyard: int | None = constants.NONE if self.uncounted else None
        self.passes = 0  # in a row, before the turn
        self.lap = 0  # turns left in which a last double may be covered
        self.last = 0  # the seat that laid last
        self.laid = bytearray()  # inputs of 3 bytes
        self.trains: list[tuple[Where, int, list[tuple[int, bool]]]] = []  # slot, (tile, forced)s
        self.doubles: list[tuple[Where, int]] = []  # slots

    def add(self, parts: Sequence[str], at: Where = None) -> None:
        """Add a `given` line. Raises ValueError if the line cannot be true.

        at: the line's place in the script, for errors that only `segment` finds
        """
        word, rest = parts[0], parts[1:]
        if word not in self.GIVEN:
            raise ValueError("no given %s" % word)
        least, most = WORDS.get(word, (1, 1))
        if not least <= len(rest) <= most:
            raise ValueError("%s words are needed" % ("more" if len(rest) < least else "fewer"))
        self._at = at
        if word in TRAINS_ONLY and not self.has_trains:
            raise ValueError("given %s means nothing in a line game" % word)
        self.GIVEN[word](self, rest)

    # ---- what can be given; rest: the words after it ----

    def _engine(self, rest: Sequence[str]) -> None:
        opening = parse_tile(rest[0])
        m = self.match
        if m.opening != constants.NONE:
            raise ValueError("the engine is given already")
        if tiles.HIGH[opening] > m.set:
            raise ValueError("%s is not in the set" % rest[0])
        if self.has_trains:
            end = tiles.HIGH[opening]
            if end != tiles.LOW[opening]:
                raise ValueError("%s is not a double" % rest[0])
            for slot in range(1, constants.SLOT_COUNT):
                m.state[fields.END + slot] = end
        elif not m.rounds.may_open(m, opening, m.set):
            raise ValueError("%s does not open a round" % rest[0])
        m.state[fields.OPENING_TILE] = opening
        m.lay(opening)

    def _train(self, rest: Sequence[str]) -> None:
        slot = slot_number(rest[0])
        m = self.match
        if slot == constants.E or not m.slots >> slot & 1:
            raise ValueError("no train begins at %s" % rest[0])
        laid, forced = [], False
        for text in rest[1:]:
            if text == "override":
                forced = True
                continue
            laid.append((parse_tile(text), forced))
            forced = False
        if forced or not laid:
            raise ValueError("a tile follows on override")
        self.trains.append((self._at, slot, laid))

    def _marker(self, rest: Sequence[str]) -> None:
        for text in rest:
            slot = slot_number(text)
            if slot == constants.E:
                raise ValueError("E has no marker")
            slot_masks.add(self.match.state, fields.OPEN, slot)

    def _double(self, rest: Sequence[str]) -> None:
        slot = slot_number(rest[0])
        if slot in [other for _, other in self.doubles]:
            raise ValueError("%s is given twice" % rest[0])
        self.doubles.append((self._at, slot))

    def _starter(self, rest: Sequence[str]) -> None:
        self.match.state[fields.STARTER] = parse_seat(rest[0])

    def _turn(self, rest: Sequence[str]) -> None:
        self.turn = self._seat(rest[0])

    def _fresh(self, rest: Sequence[str]) -> None:
        for text in rest:
            slot_masks.add(self.match.state, fields.FRESH, self._seat(text))

    def _waiting(self, rest: Sequence[str]) -> None:
        """Set the slots of the doubles that ended a first train."""
        for text in rest:
            slot_masks.add(self.match.state, fields.WAITING, parse_seat(text))

    def _hand(self, rest: Sequence[str]) -> None:
        self._need_counts()
        self.hands[self._seat(rest[0])] = parse_number(rest[1], 0, MOST_TILES)

    def _boneyard(self, rest: Sequence[str]) -> None:
        self._need_counts()
        self.boneyard = parse_number(rest[0], 0, MOST_TILES)

    def _need_counts(self) -> None:
        if self.uncounted:
            raise ValueError("a house with deal-any has no counts")

    def _round(self, rest: Sequence[str]) -> None:
        self.match.state[fields.ROUND] = parse_number(rest[0], 1, 99)

    def _score(self, rest: Sequence[str]) -> None:
        for pair in rest:
            seat, _, text = pair.partition("=")
            self.match.set_total(self._seat(seat), int(2 * parse_points(text)))

    def _away(self, rest: Sequence[str]) -> None:
        """Set the points of seats outside this round. A seat begins with these points when it
        joins."""
        for pair in rest:
            text, _, points = pair.partition("=")
            seat = parse_seat(text)
            if seat in self.seats:
                raise ValueError("%d is a seat of this round" % seat)
            self.match.set_total(seat, int(2 * parse_points(points)))
            slot_masks.add(self.match.state, fields.KEPT, seat)

    def _reading(self, rest: Sequence[str]) -> None:
        """Set the version of the journal's format, 2 or more, with which the match began."""
        self.match.state[fields.READING] = parse_number(rest[0], 2, constants.FORMAT)

    def _points(self, rest: Sequence[str]) -> None:
        """Set the points that seats got in the previous round. rest: words such as `1=3`."""
        for pair in rest:
            seat, _, text = pair.partition("=")
            doubled = int(2 * parse_points(text))
            if doubled > 0xFFFF:
                raise ValueError("%s points are more than a round has" % text)
            self.match.set_points(parse_seat(seat), doubled)

    def _coming(self, rest: Sequence[str]) -> None:
        for text in rest:
            slot_masks.add(self.match.state, fields.COMING, parse_seat(text))

    def _owing(self, rest: Sequence[str]) -> None:
        """Set the seats that have left in this round, and get its worst points."""
        for text in rest:
            seat = parse_seat(text)
            if seat not in slot_masks.seats_of(slot_masks.mask(self.match.state, fields.KEPT)):
                raise ValueError("seat %d is not away" % seat)
            self.match.state[fields.HANDS + seat] = 1

    def _passes(self, rest: Sequence[str]) -> None:
        """Set how many seats before the turn have passed in a row."""
        self.passes = parse_number(rest[0], 0, len(self.seats))

    def _passed(self, rest: Sequence[str]) -> None:
        for text in rest:
            slot_masks.add(self.match.state, fields.PASSED, self._seat(text))

    def _last(self, rest: Sequence[str]) -> None:
        self.last = self._seat(rest[0])

    def _knocked(self, rest: Sequence[str]) -> None:
        self.last = self._seat(rest[0])
        self.match.state[fields.NOTICE] = 1

    def _forgot(self, rest: Sequence[str]) -> None:
        for text in rest:
            slot_masks.add(self.match.state, fields.FORGOT, self._seat(text))

    def _lap(self, rest: Sequence[str]) -> None:
        """Set how many turns are left to cover a double that a seat laid as its last tile.

        rest: the count of turns, and the seat
        """
        self.lap = parse_seat(rest[0])
        self.match.state[fields.OUT] = parse_seat(rest[1])  # it may have left since

    def _lap_of(self, rest: Sequence[str]) -> None:
        """Set the seats that may still cover a double that a seat laid as its last tile.

        rest: these seats, the word `out`, and that seat
        """
        if rest[-2] != "out":
            raise ValueError("its form is: given lap-of 2 3 out 1")
        out = parse_seat(rest[-1])
        for text in rest[:-2]:
            if self._seat(text) == out:
                raise ValueError("seat %d went out" % out)
            slot_masks.add(self.match.state, fields.LAP, self._seat(text))
        self.match.state[fields.OUT] = out

    GIVEN: dict[str, Callable[["PositionSetup", Sequence[str]], None]] = {
        "engine": _engine,
        "train": _train,
        "marker": _marker,
        "double": _double,
        "starter": _starter,
        "turn": _turn,
        "fresh": _fresh,
        "waiting": _waiting,
        "hand": _hand,
        "boneyard": _boneyard,
        "round": _round,
        "score": _score,
        "points": _points,
        "away": _away,
        "reading": _reading,
        "coming": _coming,
        "owing": _owing,
        "passes": _passes,
        "passed": _passed,
        "last": _last,
        "knocked": _knocked,
        "forgot": _forgot,
        "lap": _lap,
        "lap-of": _lap_of,
    }

    def segment(self) -> bytes:
        """Return the bytes of a journal file (segment) that begins with this position. Raises
        BadGiven or ValueError if the position is impossible."""
        m, s = self.match, self.match.state
        if m.opening == constants.NONE:
            raise ValueError("given engine is missing")
        if not self.has_trains:
            s[fields.HANDS + self.seats[0]] = ENOUGH
            m.rounds.opened(m, self.seats[0], m.opening, 0)
        for at, slot, laid in self.trains:
            for tile, forced in laid:
                self._lay(at, slot, tile, forced)
        for at, slot in self.doubles:
            self._open_double(at, slot)
        s[fields.TURN] = self.turn or self.seats[0]
        s[fields.LAST] = self.last
        self._set_counted()
        for seat, count in self.hands.items():
            s[fields.HANDS + seat] = count
        if self.boneyard is None:
            laid_count = sum(m.is_laid(tile) for tile in range(tiles.size(m.set)))
            self.boneyard = max(0, tiles.size(m.set) - laid_count - sum(self.hands.values()))
        s[fields.BONEYARD] = self.boneyard
        if self.has_trains:
            unowned = m.begun & ~m.joined
            self._check_unowned(unowned)
            slot_masks.put(s, fields.OPEN, slot_masks.mask(s, fields.OPEN) | unowned)
        return bytes(journal.segment(1, 0, 1, m.saved_state.pack(s), self.laid))

    def _set_counted(self) -> None:
        """Set the passes and the lap that were given as counts."""
        m, s = self.match, self.match.state
        if m.reading < constants.SETS_OF_SEATS:
            if self.passes:
                slot_masks.put(s, fields.PASSED, self.passes)
            if self.lap:
                slot_masks.put(s, fields.LAP, self.lap)
            return
        place = self.seats.index(m.turn)
        clockwise = self.seats[place:] + self.seats[:place]
        for seat in clockwise[len(clockwise) - self.passes :]:
            slot_masks.add(s, fields.PASSED, seat)
        for seat in [seat for seat in clockwise if seat != m.out][: self.lap]:
            slot_masks.add(s, fields.LAP, seat)

    def _check_unowned(self, unowned: int) -> None:
        """Raise BadGiven if the house has only one Mexican Train, but a train at another slot has
        no seat and no marker. unowned: a mask of the slots that have a train but no seat."""
        m = self.match
        if dict(line_keys.options(m))["mexican"] == "one":
            marked = slot_masks.mask(m.state, fields.OPEN) | 1 << constants.M
            for at, slot, _ in self.trains:
                if unowned & ~marked & 1 << slot:
                    raise BadGiven("no train begins at %d: give it a marker" % slot, at)

    def _lay(self, at: Where, slot: int, tile: int, forced: bool) -> None:
        """Lay the next tile of a train, by the rules unless `forced`. at: the `given` line, for
        errors."""
        m = self.match
        if tiles.HIGH[tile] > m.set:
            raise BadGiven("%s is not in the set" % tiles.text(tile), at)
        if m.is_laid(tile):
            raise BadGiven("%s is already on the table" % tiles.text(tile), at)
        if self.has_trains:
            self._extend_train(at, slot, tile, forced)
        else:
            self._extend_line(at, slot, tile, forced)
        slot_masks.add(m.state, fields.BEGUN, slot)
        self.laid += bytes((journal.LAID << 4 | slot, tile, FORCED if forced else 0))

    def _extend_train(self, at: Where, slot: int, tile: int, forced: bool) -> None:
        s = self.match.state
        ends = [
            end for end in (s[fields.END + slot], s[fields.END2 + slot]) if end != constants.NONE
        ]
        joins = tiles.HIGH[tile] in ends or tiles.LOW[tile] in ends
        if not joins and not forced and not self.any_tile:
            last = " or ".join(map(str, ends))
            raise BadGiven("%s does not follow on %s" % (tiles.text(tile), last), at)
        play._extend(s, slot, tile)
        self.match.lay(tile)

    def _extend_line(self, at: Where, slot: int, tile: int, forced: bool) -> None:
        m = self.match
        verdict = constants.OK if forced else m.game.may_lay(m, slot, tile)
        if verdict:
            raise BadGiven("%s: %s" % (tiles.text(tile), constants.VERDICTS[verdict]), at)
        m.lay(tile)
        m.state[fields.HANDS + m.turn] = ENOUGH
        m.game.tile_laid(m, slot, tile)

    def _open_double(self, at: Where, slot: int) -> None:
        """Add the double at the end of a slot's train to the end of the list of open doubles."""
        s = self.match.state
        ends = [laid[-1][0] for _, other, laid in self.trains if other == slot]
        if not ends or tiles.HIGH[ends[-1]] != tiles.LOW[ends[-1]]:
            raise BadGiven("there is no double at the end of %s" % constants.slot_name(slot), at)
        s[fields.DOUBLES + s[fields.OPEN_DOUBLES]] = slot
        s[fields.OPEN_DOUBLES] += 1

    def _seat(self, text: str) -> int:
        if text not in [str(seat) for seat in self.seats]:
            raise ValueError("%s is not a seat of this match" % text)
        return int(text)
