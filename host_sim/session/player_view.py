# SPDX-License-Identifier: MIT
"""What a person at a MatchSession sees of their own hand: its order, what fits, what the button
means, and what a good player would do."""

import collections

from host_sim.games.line_games.bot import left_free, pips
from host_sim.games.player_knowledge import fits, is_double
from host_sim.session.bot_levels import choose, end_of, longest_train
from host_sim.session.dealt_hands import tile_number
from roundhouse import tiles

ORDERS = ("by number", "by what follows")


class Hint(collections.namedtuple("Hint", "why tile slot seat")):
    """What a good player would do: lay `tile` on `slot`, or press (both None).

    why: heavy, follows, closes, double, only, marker; draw, pass, done, knock, over.
    """

    def text(self, translator, names=None):
        """Return it as a sentence; names: {seat: text} for whose train it is."""
        if self.tile is None:
            return translator("hint." + self.why)
        place = place_of(translator, self.slot, self.seat, names or {})
        return translator("hint." + self.why, tile=self.tile, place=place)


def place_of(translator, slot, seat, names):
    """Return where a tile is laid, in words: `on your own train`; seat: who lays it, or None in a
    line game."""
    if seat is None:
        return translator("hint_place.line", slot=slot)
    if slot == "M":
        return translator("hint_place.mexican")
    if slot == str(seat):
        return translator("hint_place.own")
    if slot.isdigit() and int(slot) in names:
        return translator("hint_place.named", name=names[int(slot)])
    return translator("hint_place.station", slot=slot)


class PlayerView:
    """The hands of the people at a MatchSession, as they see them. moves: its BotMoves."""

    def __init__(self, session, moves):
        self.session = session
        self.moves = moves

    # ---- the order ----

    def hand(self, seat):
        """Return a seat's tiles as texts, in its person's order; what is new comes last."""
        s = self.session
        came = [tiles.text(tile) for tile in s.hands.get(seat, ())]
        order = s.kept["order"]
        kept = order.get(str(seat), ()) if order.get("round") == s.round_shown() else ()
        return [text for text in kept if text in came] + [t for t in came if t not in kept]

    def sort(self, seat, how):
        """Put a hand in one of ORDERS; by what follows: the longest train that its own train can
        get, or in a line game what fits now; then the others, heavy ones first."""
        s = self.session
        hand = [tile_number(text) for text in self.hand(seat)]
        hand.sort(key=lambda tile: (tiles.HIGH[tile], tiles.LOW[tile]), reverse=True)
        if how not in ORDERS:
            raise ValueError("no order %s; there are %s" % (how, ", ".join(ORDERS)))
        if how == "by what follows" and s.line["engine"]:
            if s.trains:
                first = longest_train(hand, end_of(s.line, seat))
            else:
                first = [tile for tile in hand if tiles.text(tile) in self.fits(seat)]
            hand = first + [tile for tile in hand if tile not in first]
        self._keep(seat, [tiles.text(tile) for tile in hand])

    def move(self, seat, tile, place):
        """Put a tile at a place of its hand, from 0 on; ValueError where it is not in it."""
        hand = self.hand(seat)
        hand.remove(tile)
        hand.insert(place, tile)
        self._keep(seat, hand)

    def _keep(self, seat, hand):
        s = self.session
        if s.kept["order"].get("round") != s.round_shown():
            s.kept["order"] = {"round": s.round_shown()}
        s.kept["order"][str(seat)] = hand
        s.save()

    # ---- what can be done ----

    def fits(self, seat):
        """Return {tile: [slots]} of what looks right to a seat, if it is to move."""
        s = self.session
        if s.line["phase"] != "play" or s.line["turn"] != seat:
            return {}
        found = {}
        for tile, slot in self.moves.moves(seat):
            found.setdefault(tiles.text(tile), []).append(slot)
        empty = [slot for slot in s.line["playable"] if slot not in s.line["ends"]]
        if not s.trains and empty:
            for slots in found.values():  # a line may begin at any of them
                nearest = [slot for slot in slots if slot in empty]
                slots += [slot for slot in empty if nearest and slot not in nearest]
        return found

    def button(self, seat):
        """Return what a press of a seat's button means now: `draw`, `pass`, `done` (the turn is
        over), `knock`, `over` (of E's button: nothing fits any more), or None."""
        s = self.session
        if s.line["phase"] != "play":
            return None
        if s.line["turn"] != seat:
            return "knock" if s.may_knock() == seat else None
        if self.moves.nothing_left():
            return "over"
        if s.is_free:
            return "done" if self.moves.has_laid(seat) else "pass"
        if not s.trains:
            draws = s.line["boneyard"] and s.options["draw"] == "until"
            return "draw" if draws else "pass"
        return self._button_of_trains(seat)

    def _button_of_trains(self, seat):
        """The same in Mexican Train, on one's own turn."""
        s = self.session
        turn = self.moves.this_turn(seat)
        doubles = self.moves.own_doubles(seat)
        if turn and turn[-1]["did"] == "laid" and not doubles:
            return "done"  # the first train goes on as long as it can
        third = s.options["second-double"] == "third" and len(doubles) == 2
        if third and not any(line["did"] == "drew" for line in turn):
            return None  # a third tile is owed
        return "pass" if s.line["drawn"] or not s.line["boneyard"] else "draw"

    # ---- a hint ----

    def hint(self, seat):
        """Return a Hint for a seat, or None where it has nothing to do."""
        s = self.session
        button = self.button(seat)
        moves = self.moves.moves(seat) if self.fits(seat) else []
        moves = [move for move in moves if move not in s.refused]
        if s.is_free and button == "done":
            moves = []
        if not moves or button == "over":
            return Hint(button, None, None, seat) if button else None
        tile, slot = choose(s, seat, moves, "sharp", s.chance())
        why = "only" if len({tile for tile, _ in moves}) == 1 else self._why(seat, tile, slot)
        return Hint(why, tiles.text(tile), slot, seat if s.trains else None)

    def _why(self, seat, tile, slot):
        s = self.session
        rest = [one for one in s.hands[seat] if one != tile]
        if slot in s.line["doubles"]:
            return "closes"
        if slot == str(seat) and slot in s.line["open"] and s.trains:
            return "marker"
        if is_double(tile):
            return "double"
        if s.trains:
            end = end_of(s.line, slot)
            left = tiles.LOW[tile] if tiles.HIGH[tile] == end else tiles.HIGH[tile]
            follows = slot == str(seat) and any(fits(one, (left,)) for one in rest)
        else:
            end = s.line["ends"].get(slot, [int(side) for side in s.line["sides"]])
            ends = end if isinstance(end, list) else [end]
            free = set().union(*(left_free(tile, one, s.total) for one in ends))
            follows = any(left_free(one, end, s.total) for one in rest for end in free)
        heaviest = pips(tile) == max(map(pips, s.hands[seat]))
        return "follows" if follows and not heaviest else "heavy"
