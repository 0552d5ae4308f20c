# SPDX-License-Identifier: MIT
"""A table in mid-round: the `given` lines of a script as one journal segment.

This is the only place outside the rules core that writes the bytes of its state.
"""

from roundhouse import constants, journal, report, tags, tiles
from roundhouse.constants import slot_number
from roundhouse.games import between_rounds, fields, masks, match
from roundhouse.games.mexican_train import play


def tile(text):
    """Return the tile of a text `12-5`; ValueError where it is none."""
    meaning = tags.parse(text)
    if not meaning or meaning[0] != "tile":
        raise ValueError("%s is no tile" % text)
    return tiles.tile(meaning[1], meaning[2])


def number(text, low, high):
    """Return the number low..high that a text is; ValueError where it is none."""
    if text.isascii() and text.isdigit() and len(text) < 7 and low <= int(text) <= high:
        return int(text)
    raise ValueError("%s is none of %d..%d" % (text[:20], low, high))


def points(text):
    """Return points as a script writes them, whole or a half; ValueError where they are none."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= MOST_POINTS or 2 * value % 1:
        raise ValueError("%s is no number of points" % text[:20])
    return value


MOST_POINTS = 99999  # more than any match has
MOST_TILES = 190  # of the largest set
# What can be given in Mexican Train alone.
OF_TRAINS = ("marker", "double", "fresh", "lap")
WORDS = {  # how many are behind each, at least and at most; else one
    "train": (2, 2 * MOST_TILES),
    "marker": (1, 11),
    "fresh": (1, 10),
    "hand": (2, 2),
    "score": (1, 10),
    "points": (1, 10),
    "coming": (1, 10),
    "forgot": (1, 10),
    "lap": (2, 2),
}
FORCED = 1  # in a tile's record: the rules refused it
ENOUGH = 99  # tiles in the hand of a seat to whom a given tile is counted: it does not go out


class PositionSetup:
    """Collects `given` lines; `segment` then has the bytes of a journal that begins there.

    What cannot be is a ValueError, with the line it is about in its `at` where that is another
    than the last: what hangs on the trains is looked at when all of them are there.

    house, variants: as houses.parse returns them; seats: numbers; slots: as Match takes them.
    """

    def __init__(self, house, variants, set_, seats, slots):
        self.match = match.Match(house, variants, set_, slots)
        self.trains_belong = report.game(self.match) == "mexican-train"
        self.any_tile = dict(report.options(self.match)).get("enforce") == "tiles"
        self.turn = None
        self.at = None
        if len(seats) < 2:
            raise ValueError("players: a round in the middle has two at least")
        most = between_rounds.most_seats(self.match, self.match.set)
        if len(seats) > most:
            text = "%s with the set %d is for %d"
            raise ValueError(text % (report.house(self.match), self.match.set, most))
        s = self.match.state
        for seat in seats:
            masks.add(s, fields.SEATS, seat)
        self.seats = sorted(seats)
        s[fields.PHASE] = constants.PLAY
        s[fields.ROUND] = 1
        s[fields.STARTER] = s[fields.TURN] = self.seats[0]
        dealt = self.match.hand_size()
        self.hands = dict.fromkeys(self.seats, dealt)
        self.boneyard = None
        self.last = 0  # who laid last
        self.laid = bytearray()  # inputs of 3 bytes
        self.trains = []
        self.doubles = []

    def line(self, parts, at=None):
        """Take the parts after `given`; ValueError says what is wrong with them. at: where they
        stand, for an error that shows later."""
        word, rest = parts[0], parts[1:]
        if word not in self.GIVEN:
            raise ValueError("no given %s" % word)
        least, most = WORDS.get(word, (1, 1))
        if not least <= len(rest) <= most:
            raise ValueError("%s words are needed" % ("more" if len(rest) < least else "fewer"))
        self.at = at
        if word in OF_TRAINS and not self.trains_belong:
            raise ValueError("given %s means nothing in a line game" % word)
        self.GIVEN[word](self, rest)

    # ---- what can be given: the words behind it ----

    def _engine(self, rest):
        opening = tile(rest[0])
        m = self.match
        if m.opening != constants.NONE:
            raise ValueError("the engine is given already")
        if tiles.HIGH[opening] > m.set:
            raise ValueError("%s is not in the set" % rest[0])
        if self.trains_belong:
            number = tiles.HIGH[opening]
            if number != tiles.LOW[opening]:
                raise ValueError("%s is no double" % rest[0])
            for slot in range(1, 12):
                m.state[fields.END + slot] = number
        elif not m.rounds.may_open(m, opening, m.set):
            raise ValueError("%s opens no round" % rest[0])
        m.state[fields.OPENING_TILE] = opening
        m.lie(opening)

    def _train(self, rest):
        slot = slot_number(rest[0])
        m = self.match
        if slot == constants.E or not m.slots >> slot & 1:
            raise ValueError("no train begins at %s" % rest[0])
        laid, forced = [], False
        for text in rest[1:]:
            if text == "override":
                forced = True
                continue
            laid.append((tile(text), forced))
            forced = False
        if forced or not laid:
            raise ValueError("a tile follows on override")
        self.trains.append((self.at, slot, laid))

    def _marker(self, rest):
        for text in rest:
            slot = slot_number(text)
            if slot == constants.E:
                raise ValueError("E has no marker")
            masks.add(self.match.state, fields.OPEN, slot)

    def _double(self, rest):
        slot = slot_number(rest[0])
        if slot in [other for _, other in self.doubles]:
            raise ValueError("%s is given twice" % rest[0])
        self.doubles.append((self.at, slot))

    def _starter(self, rest):
        self.match.state[fields.STARTER] = number(rest[0], 1, 10)

    def _turn(self, rest):
        self.turn = self._seat(rest[0])

    def _fresh(self, rest):
        for text in rest:
            masks.add(self.match.state, fields.FRESH, self._seat(text))

    def _hand(self, rest):
        self.hands[self._seat(rest[0])] = number(rest[1], 0, MOST_TILES)

    def _boneyard(self, rest):
        self.boneyard = number(rest[0], 0, MOST_TILES)

    def _round(self, rest):
        self.match.state[fields.ROUND] = number(rest[0], 1, 99)

    def _score(self, rest):
        for pair in rest:
            seat, _, text = pair.partition("=")
            self.match.set_total(self._seat(seat), int(2 * points(text)))

    def _points(self, rest):
        """Those of the round before, which a correction may still change."""
        for pair in rest:
            seat, _, text = pair.partition("=")
            doubled = int(2 * points(text))
            if doubled > 0xFFFF:
                raise ValueError("%s points are more than a round has" % text)
            self.match.set_points(number(seat, 1, 10), doubled)

    def _coming(self, rest):
        for text in rest:
            masks.add(self.match.state, fields.COMING, number(text, 1, 10))

    def _passes(self, rest):
        self.match.state[fields.PASSES] = number(rest[0], 0, len(self.seats))

    def _last(self, rest):
        self.last = self._seat(rest[0])

    def _knocked(self, rest):
        self.last = self._seat(rest[0])
        self.match.state[fields.NOTICE] = 1

    def _forgot(self, rest):
        for text in rest:
            masks.add(self.match.state, fields.FORGOT, self._seat(text))

    def _lap(self, rest):
        """A last double may still be covered: turns that are left, and who laid it."""
        s = self.match.state
        s[fields.LAP] = number(rest[0], 1, 10)
        s[fields.OUT] = self._seat(rest[1])

    GIVEN = {
        "engine": _engine,
        "train": _train,
        "marker": _marker,
        "double": _double,
        "starter": _starter,
        "turn": _turn,
        "fresh": _fresh,
        "hand": _hand,
        "boneyard": _boneyard,
        "round": _round,
        "score": _score,
        "points": _points,
        "coming": _coming,
        "passes": _passes,
        "last": _last,
        "knocked": _knocked,
        "forgot": _forgot,
        "lap": _lap,
    }

    def segment(self):
        """Return the journal's bytes."""
        m, s = self.match, self.match.state
        if m.opening == constants.NONE:
            raise ValueError("given engine is missing")
        if not self.trains_belong:
            s[fields.HANDS + self.seats[0]] = ENOUGH
            m.rounds.opened(m, self.seats[0], m.opening, 0)
        for at, slot, laid in self.trains:
            for number, forced in laid:
                self._lie(at, slot, number, forced)
        for at, slot in self.doubles:
            self._close(at, slot)
        s[fields.TURN] = self.turn or self.seats[0]
        s[fields.LAST] = self.last
        for seat, count in self.hands.items():
            s[fields.HANDS + seat] = count
        if self.boneyard is None:
            lie = sum(m.laid(number) for number in range(tiles.size(m.set)))
            self.boneyard = max(0, tiles.size(m.set) - lie - sum(self.hands.values()))
        s[fields.BONEYARD] = self.boneyard
        if self.trains_belong:
            everybodys = m.begun & ~m.joined
            self._look_for_owners(everybodys)
            masks.put(s, fields.OPEN, masks.mask(s, fields.OPEN) | everybodys)
        return journal.segment(1, 0, 1, m.kept.packed(s), self.laid)

    def _look_for_owners(self, everybodys):
        """Where there are no bonus tracks, a station's train without its seat is one that the seat
        has left: with a marker."""
        m = self.match
        if dict(report.options(m))["mexican"] == "one":
            marked = masks.mask(m.state, fields.OPEN) | 1 << constants.M
            for at, slot, _ in self.trains:
                if everybodys & ~marked & 1 << slot:
                    raise self._error(at, "no train begins at %d: give it a marker" % slot)

    def _lie(self, at, slot, number, forced):
        """A tile of a train, in its turn."""
        m = self.match
        if tiles.HIGH[number] > m.set:
            raise self._error(at, "%s is not in the set" % tiles.text(number))
        if m.laid(number):
            raise self._error(at, "%s is already on the table" % tiles.text(number))
        if self.trains_belong:
            self._extend(at, slot, number, forced)
        else:
            self._go_on(at, slot, number, forced)
        masks.add(m.state, fields.BEGUN, slot)
        self.laid += bytes((journal.LAID << 4 | slot, number, FORCED if forced else 0))

    def _extend(self, at, slot, number, forced):
        s = self.match.state
        ends = [
            end for end in (s[fields.END + slot], s[fields.END2 + slot]) if end != constants.NONE
        ]
        joins = tiles.HIGH[number] in ends or tiles.LOW[number] in ends
        if not joins and not forced and not self.any_tile:
            last = " or ".join(map(str, ends))
            raise self._error(at, "%s does not follow on %s" % (tiles.text(number), last))
        play._extend(s, slot, number)
        self.match.lie(number)

    def _go_on(self, at, slot, number, forced):
        """In a line game a tile joins as a tap would: the game's own rules lay it."""
        m = self.match
        verdict = constants.OK if forced else m.game.may_lay(m, slot, number)
        if verdict:
            raise self._error(at, "%s: %s" % (tiles.text(number), constants.VERDICTS[verdict]))
        m.lie(number)
        m.state[fields.HANDS + m.turn] = ENOUGH
        m.game.laid(m, slot, number)

    def _close(self, at, slot):
        """A double that lies at the end of a slot is to be closed, after those before it."""
        s = self.match.state
        ends = [laid[-1][0] for _, other, laid in self.trains if other == slot]
        if not ends or tiles.HIGH[ends[-1]] != tiles.LOW[ends[-1]]:
            raise self._error(at, "no double lies at the end of %s" % constants.slot_name(slot))
        s[fields.DOUBLES + s[fields.OPEN_DOUBLES]] = slot
        s[fields.OPEN_DOUBLES] += 1

    def _error(self, at, text):
        error = ValueError(text)
        error.at = at
        return error

    def _seat(self, text):
        if text not in [str(seat) for seat in self.seats]:
            raise ValueError("nobody plays at %s" % text)
        return int(text)
