# SPDX-License-Identifier: MIT
"""How the line games are played by people who see only their own tiles and the hub.

The hub's line tells the ends, the free sides of doubles and whether a line may begin; from the
sheet the players know what joins, who opens and what a round is worth. So they are sure: whatever
they lay the hub must take.
"""

from host_sim.games.player_knowledge import Disagreement, is_double
from roundhouse import tiles


def pips(tile):
    return tiles.HIGH[tile] + tiles.LOW[tile]


def sum_of(options, set_):
    """Return what two touching halves add up to; None where they are to be equal."""
    if options["join"] == "equal":
        return None
    return 10 if options["total"] == "ten" else set_ + 1


def left_free(tile, end, total):
    """Return the halves, none to two, that a tile may leave free where it is laid at a number.

    total: as `sum_of` returns it. A Matador goes anywhere, either way round; where halves add up,
    nothing else goes on a blank.
    """
    high, low = tiles.HIGH[tile], tiles.LOW[tile]
    if total is None:
        return {low if end == high else high} if end in (high, low) else set()
    if tile == 0 or (low and high + low == total):
        return {high, low}
    wanted = total - end
    if end and wanted in (high, low):
        return {low if wanted == high else high}
    return set()


def who_opens(hands, options):
    """Return (tile, its holder) that opens a round, or None where the tiles are mixed again: the
    highest double, else where any may open the heaviest tile, of equal ones that with the higher
    half.

    hands: {seat: tiles}.
    """
    held = [(tile, seat) for seat, hand in hands.items() for tile in hand]
    doubles = [one for one in held if is_double(one[0])]
    if doubles or options["opening"] == "double":
        return max(doubles, default=None)
    return max(held, key=lambda one: (pips(one[0]), one[0]))


def points_of(left, out, tie):
    """Return {seat: points} of a round: the winner gets what each other seat holds above its own.

    left: {seat: pips left over}; out: a list of who went out, or of nobody; tie: the option.
    """
    low = min(left.values())
    winners = out or [seat for seat in left if left[seat] == low]
    gain = sum(left.values()) - low * len(left)
    if len(winners) > 1:
        gain = {"none": 0, "shared": 2 * gain // len(winners) / 2, "each": gain}[tie]
    return {seat: gain if seat in winners else 0 for seat in left}


class Players:
    """What the bots of a BotMatch, the `table`, know of the line games."""

    SURE = True  # what looks right the hub must take

    def __init__(self, table):
        self.table = table
        self.options = table.options
        self.total = sum_of(table.options, table.set)

    def begin_turn(self):
        """Nothing of a turn need be remembered."""

    # ---- the opening tile ----

    def open(self):
        """Deal, and lay the highest double; nobody has one: the highest tile, or mix again."""
        t = self.table
        if t.line["phase"] == "lobby":
            t.press("E")  # the deal is done
        opens = None
        while not opens:
            t.deal()
            opens = who_opens(t.hands, self.options)
        tile, holder = opens
        t.hands[holder].remove(tile)
        t.tap(tile, str(holder))

    # ---- a turn ----

    def move(self, seat):
        """Lay one tile, or draw or pass."""
        self.table.lay_or_draw(seat)

    def laid(self, tile, slot):
        """A tile was laid: the hub shows all there is to know."""

    def knock(self, seat):
        """No sheet asks for notice of the last tile."""

    def moves(self, seat):
        """Return the (tile, slot) that look right; of the empty slots the one nearest the seat."""
        t = self.table
        begun, empty = self._open_slots()
        slots = begun + sorted(empty, key=lambda slot: slot != str(seat))[:1]
        return [
            (tile, slot) for slot in slots for tile in t.hands[seat] if self._leaves(tile, slot)
        ]

    def _open_slots(self):
        """Return the playable slots with a line, and those where one may begin."""
        line = self.table.line
        begun = [slot for slot in line["playable"] if slot in line["ends"]]
        return begun, [slot for slot in line["playable"] if slot not in line["ends"]]

    def _leaves(self, tile, slot):
        """Return the halves a tile may leave free on a slot."""
        line = self.table.line
        ends = line["ends"].get(slot, [int(number) for number in line["sides"]])
        ends = ends if isinstance(ends, list) else [ends]
        return set().union(*(left_free(tile, end, self.total) for end in ends))

    def worth(self, seat, move):
        """Heavy tiles first: what stays in the hand goes to whoever wins."""
        return pips(move[0])

    def foresight(self, seat, move):
        """What a sharp player adds: keep numbers open for the tiles that are left."""
        tile, slot = move
        rest = [t for t in self.table.hands[seat] if t != tile]
        left = self._leaves(tile, slot)
        follow = sum(any(left_free(t, end, self.total) for end in left) for t in rest)
        return 3 * follow + (4 if is_double(tile) else 0)

    def slip(self, seat):
        """A tile where it does not go; the hub says so and nothing changes."""
        t = self.table
        playable = t.line["playable"]
        slots = sorted({*playable, *map(str, t.seats), "M", "E"})
        wrong = [
            (tile, slot)
            for slot in slots
            for tile in t.hands[seat]
            if slot not in playable or not self._leaves(tile, slot)
        ]
        if wrong and t.tap(*t.random.choice(wrong), must=False):
            raise Disagreement("a tile went where it does not go")

    # ---- counting ----

    def points(self, left, out):
        """Return what a round gives to each seat."""
        return points_of(left, out, self.options["tie"])
