# SPDX-License-Identifier: MIT
"""A table in mid-round: the `given` lines of a script as one journal segment.

This is the only place outside the rules core that writes the bytes of its state.
"""

from roundhouse import journal, tags, tiles, words
from roundhouse.games import masks, match, mexican_train
from roundhouse.words import slot_number


def tile(text):
    """Return the tile of a text `12-5`; ValueError where it is none."""
    meaning = tags.parse(text)
    if not meaning or meaning[0] != "tile":
        raise ValueError("%s is no tile" % text)
    return tiles.tile(meaning[1], meaning[2])


# What can be given in Mexican Train alone.
OF_TRAINS = ("marker", "double", "fresh", "starter")
ENOUGH = 99  # tiles in the hand of a seat to whom a given tile is counted: it does not go out


class MidRound:
    """Collects `given` lines; `segment` then has the bytes of a journal that begins there.

    house, variants: as houses.parse returns them; seats: numbers; slots: as Match takes them.
    """

    def __init__(self, house, variants, set_, seats, slots):
        self.match = match.Match(house, variants, set_, slots)
        self.trains_belong = self.match.game_name() == "mexican-train"
        self.turn = None
        s = self.match.state
        for seat in seats:
            masks.add(s, match.SEATS, seat)
        self.seats = sorted(seats)
        s[match.PHASE] = words.PLAY
        s[match.ROUND] = 1
        s[match.STARTER] = s[match.TURN] = self.seats[0]
        dealt = self.match.hand_size()
        self.hands = dict.fromkeys(self.seats, dealt)
        self.boneyard = None
        self.laid = bytearray()  # inputs of 3 bytes
        self.trains = []

    def line(self, parts):
        """Take the parts after `given`; ValueError says what is wrong with them."""
        word, rest = parts[0], parts[1:]
        if word not in self.GIVEN:
            raise ValueError("no given %s" % word)
        if word in OF_TRAINS and not self.trains_belong:
            raise ValueError("given %s means nothing in a line game" % word)
        self.GIVEN[word](self, rest)

    # ---- what can be given: the words behind it ----

    def _engine(self, rest):
        opening = tile(rest[0])
        m = self.match
        if tiles.HIGH[opening] > m.set:
            raise ValueError("%s is not in the set" % rest[0])
        if self.trains_belong:
            number = tiles.HIGH[opening]
            if number != tiles.LOW[opening]:
                raise ValueError("%s is no double" % rest[0])
            for slot in range(1, 12):
                m.state[match.END + slot] = number
        elif not m.rounds.may_open(m, opening, m.set):
            raise ValueError("%s opens no round" % rest[0])
        m.state[match.OPENING] = opening
        m.lie(opening)

    def _train(self, rest):
        self.trains.append((slot_number(rest[0]), [tile(text) for text in rest[1:]]))

    def _marker(self, rest):
        masks.add(self.match.state, match.OPEN, slot_number(rest[0]))

    def _double(self, rest):
        s = self.match.state
        s[mexican_train.DOUBLES + s[mexican_train.LINE]] = slot_number(rest[0])
        s[mexican_train.LINE] += 1

    def _starter(self, rest):
        self.match.state[match.STARTER] = self._seat(rest[0])

    def _turn(self, rest):
        self.turn = self._seat(rest[0])

    def _fresh(self, rest):
        for text in rest:
            masks.add(self.match.state, mexican_train.FRESH, self._seat(text))

    def _hand(self, rest):
        self.hands[self._seat(rest[0])] = int(rest[1])

    def _boneyard(self, rest):
        self.boneyard = int(rest[0])

    def _round(self, rest):
        self.match.state[match.ROUND] = int(rest[0])

    def _score(self, rest):
        for pair in rest:
            seat, _, points = pair.partition("=")
            self.match.set_total(self._seat(seat), round(2 * float(points)))

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
    }

    def segment(self):
        """Return the journal's bytes."""
        m, s = self.match, self.match.state
        if m.opening == words.NONE:
            raise ValueError("given engine is missing")
        extend = self._extend
        if not self.trains_belong:
            s[match.HANDS + self.seats[0]] = ENOUGH
            m.rounds.opened(m, self.seats[0], m.opening, 0)
            extend = self._go_on
        for slot, laid in self.trains:
            for number in laid:
                if m.laid(number):
                    raise ValueError("%s is already on the table" % tiles.text(number))
                extend(slot, number)
                masks.add(s, match.BEGUN, slot)
                self.laid += bytes((journal.LAID << 4 | slot, number, 0))
        s[match.TURN] = self.turn or self.seats[0]
        s[match.LAST] = 0
        for seat, count in self.hands.items():
            s[match.HANDS + seat] = count
        if self.boneyard is None:
            lie = sum(m.laid(number) for number in range(tiles.size(m.set)))
            self.boneyard = max(0, tiles.size(m.set) - lie - sum(self.hands.values()))
        s[match.BONEYARD] = self.boneyard
        if self.trains_belong:
            everybodys = m.begun & ~m.joined
            masks.put(s, match.OPEN, masks.mask(s, match.OPEN) | everybodys)
        return journal.segment(1, 0, 1, s, self.laid)

    def _extend(self, slot, number):
        s = self.match.state
        end = s[match.END + slot]
        high, low = tiles.HIGH[number], tiles.LOW[number]
        if end not in (high, low):
            raise ValueError("%s does not follow on %d" % (tiles.text(number), end))
        s[match.END + slot] = low if end == high else high
        self.match.lie(number)

    def _go_on(self, slot, number):
        """In a line game a tile joins as a tap would: the game's own rules lay it."""
        m = self.match
        verdict = m.game.may_lay(m, slot, number)
        if verdict:
            raise ValueError("%s: %s" % (tiles.text(number), words.VERDICTS[verdict]))
        m.lie(number)
        m.state[match.HANDS + m.turn] = ENOUGH
        m.game.laid(m, slot, number)

    def _seat(self, text):
        if not text.isdigit() or int(text) not in self.seats:
            raise ValueError("nobody plays at %s" % text)
        return int(text)
