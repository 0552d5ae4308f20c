# SPDX-License-Identifier: MIT
"""A table in mid-round: the `given` lines of a script as one journal segment.

This is the only place outside the rules core that writes the bytes of its state.
"""

from roundhouse import houses, journal, tags, tiles, words
from roundhouse import table as rules
from roundhouse.words import slot_number


def tile(text):
    """Return the tile of a text `12-5`; ValueError where it is none."""
    meaning = tags.parse(text)
    if not meaning or meaning[0] != "tile":
        raise ValueError("%s is no tile" % text)
    return tiles.tile(meaning[1], meaning[2])


class MidRound:
    """Collects `given` lines; `segment` then has the bytes of a journal that begins there.

    house, variants: as houses.parse returns them; seats: numbers; slots: as Table takes them.
    """

    def __init__(self, house, variants, set_, seats, slots):
        self.table = rules.Table(house, variants, set_, slots)
        s = self.table.state
        for seat in seats:
            self.table._add(rules._SEATS, seat)
        self.seats = sorted(seats)
        s[rules._PHASE] = words.PLAY
        s[rules._ROUND] = 1
        s[rules._STARTER] = s[rules._TURN] = self.seats[0]
        dealt = houses.hand_size(house, set_, len(seats))
        self.hands = dict.fromkeys(self.seats, dealt)
        self.boneyard = None
        self.laid = bytearray()  # inputs of 3 bytes
        self.trains = []

    def line(self, parts):
        """Take the parts after `given`; ValueError says what is wrong with them."""
        s, t = self.table.state, self.table
        word, rest = parts[0], parts[1:]
        if word == "engine":
            engine = tile(rest[0])
            number = tiles.HIGH[engine]
            if number != tiles.LOW[engine]:
                raise ValueError("%s is no double" % rest[0])
            s[rules._NUMBER] = number
            for slot in range(1, 12):
                s[rules._END + slot] = number
            self._lay(engine)
        elif word == "train":
            self.trains.append((slot_number(rest[0]), [tile(text) for text in rest[1:]]))
        elif word == "marker":
            t._add(rules._OPEN, slot_number(rest[0]))
        elif word == "double":
            s[rules._DOUBLES + s[rules._LINE]] = slot_number(rest[0])
            s[rules._LINE] += 1
        elif word in ("starter", "turn"):
            s[rules._STARTER if word == "starter" else rules._TURN] = self._seat(rest[0])
        elif word == "fresh":
            for text in rest:
                t._add(rules._FRESH, self._seat(text))
        elif word == "hand":
            self.hands[self._seat(rest[0])] = int(rest[1])
        elif word == "boneyard":
            self.boneyard = int(rest[0])
        elif word == "round":
            s[rules._ROUND] = int(rest[0])
        elif word == "score":
            for pair in rest:
                seat, _, points = pair.partition("=")
                t._set_total(self._seat(seat), round(2 * float(points)))
        else:
            raise ValueError("no given %s" % word)

    def segment(self):
        """Return the journal's bytes."""
        s, t = self.table.state, self.table
        if s[rules._NUMBER] == words.NONE:
            raise ValueError("given engine is missing")
        for slot, laid in self.trains:
            for number in laid:
                self._extend(slot, number)
        for seat, count in self.hands.items():
            s[rules._HANDS + seat] = count
        if self.boneyard is None:
            lie = sum(t.laid(number) for number in range(tiles.size(t.set)))
            self.boneyard = max(0, tiles.size(t.set) - lie - sum(self.hands.values()))
        s[rules._BONEYARD] = self.boneyard
        everybodys = t.begun & ~t.joined
        t._put(rules._OPEN, t._mask(rules._OPEN) | everybodys)
        return journal.segment(1, 0, 1, s, self.laid)

    def _extend(self, slot, number):
        s = self.table.state
        end = s[rules._END + slot]
        high, low = tiles.HIGH[number], tiles.LOW[number]
        if end not in (high, low):
            raise ValueError("%s does not follow on %d" % (tiles.text(number), end))
        s[rules._END + slot] = low if end == high else high
        self.table._add(rules._BEGUN, slot)
        self._lay(number)
        self.laid += bytes((journal.LAID << 4 | slot, number, 0))

    def _lay(self, number):
        s = self.table.state
        s[rules._LAID + (number >> 3)] |= 1 << (number & 7)
        high, low = tiles.HIGH[number], tiles.LOW[number]
        s[rules._USED + high] += 1
        if high != low:
            s[rules._USED + low] += 1

    def _seat(self, text):
        if not text.isdigit() or int(text) not in self.seats:
            raise ValueError("nobody plays at %s" % text)
        return int(text)
