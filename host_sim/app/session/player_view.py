# SPDX-License-Identifier: MIT
"""A match as one player sees it."""

from typing import NamedTuple

from host_sim.app.players.bot_levels import choose
from host_sim.app.players.dealt_hands import parse_tile
from host_sim.app.session.match_session import MatchSession
from host_sim.app.views.table_names import TableNames
from host_sim.table.games.tile_rules import is_double, pips
from roundhouse import tiles

ORDERS = ("number", "fits", "train")  # see PlayerView.sort
SHOWN = 3  # tiles of the longest train that a hint names after the first


class Hint(NamedTuple):
    """The move that a good player would make: lay a tile or press the button.

    why: the reason for the move, or what the button does
    tile, slot: the tile and where it is laid, or both None for the button
    seat: the player's seat
    train: the tiles that follow in the longest train of the hand, or ()
    """

    why: str  # heavy, follows, train, closes, double, only, marker; draw, pass, done, knock, over
    tile: str | None
    slot: str | None
    seat: int
    train: tuple[str, ...] = ()

    def text(self, words: TableNames) -> str:
        if self.tile is None or self.slot is None:
            return words.translator("hint." + self.why)
        follow = ", ".join([*self.train[:SHOWN], *["..."] * (len(self.train) > SHOWN)])
        place = words.train_of(self.slot, self.seat)
        return words.translator("hint." + self.why, tile=self.tile, place=place, tiles=follow)


class PlayerView:
    """A match as its players see it. The order of the tiles in each hand is saved with the
    match."""

    def __init__(self, session: MatchSession) -> None:
        self.session = session

    # ---- the order of a hand ----

    def hand(self, seat: int) -> list[str]:
        """Return the texts of a seat's tiles in the order that the player chose. New tiles come
        last."""
        s = self.session
        came = [tiles.text(tile) for tile in s.hands.get(seat, ())]
        order = s.metadata["order"]
        kept = order.get(str(seat), ()) if order.get("round") == s.round_shown() else ()
        return [text for text in kept if text in came] + [t for t in came if t not in kept]

    def sort(self, seat: int, order: str) -> None:
        """Sort a seat's hand, and save the new order.

        order: one of ORDERS: `number`, the highest first; `fits`, what can be laid now first;
            `train`, the longest train for the own end first, in its order
        """
        if order not in ORDERS:
            raise ValueError("there is no order %s; choose one of %s" % (order, ", ".join(ORDERS)))
        s = self.session
        hand = [parse_tile(text) for text in self.hand(seat)]
        hand.sort(key=lambda tile: (tiles.HIGH[tile], tiles.LOW[tile]), reverse=True)
        first: list[int] = []
        if order == "fits":
            fitting = self.fits(seat)
            first = [tile for tile in hand if tiles.text(tile) in fitting]
        elif order == "train" and self._has_end():
            first = s.players.next_tiles(seat, hand)
        hand = first + [tile for tile in hand if tile not in first]
        self._keep(seat, [tiles.text(tile) for tile in hand])

    def orders(self, seat: int) -> list[str]:
        """Return those of ORDERS that change something for a seat now."""
        applies = {"number": True, "fits": bool(self.fits(seat)), "train": self._has_end()}
        return [order for order in ORDERS if applies[order]]

    def train(self, seat: int) -> list[str]:
        """Return the longest train in a seat's hand for the end of its own train; [] in a line
        game."""
        if not self._has_end():
            return []
        s = self.session
        return [tiles.text(tile) for tile in s.players.next_tiles(seat, s.hands[seat])]

    def _has_end(self) -> bool:
        return self.session.trains and bool(self.session.line["engine"])

    def move(self, seat: int, tile: str, place: int) -> None:
        """Move a tile to another place in a seat's hand, and save the new order. Raises ValueError
        if the seat does not hold the tile.

        place: the new index of the tile
        """
        hand = self.hand(seat)
        hand.remove(tile)
        hand.insert(place, tile)
        self._keep(seat, hand)

    def _keep(self, seat: int, hand: list[str]) -> None:
        s = self.session
        if s.metadata["order"].get("round") != s.round_shown():
            s.metadata["order"] = {"round": s.round_shown()}
        s.metadata["order"][str(seat)] = hand
        s.save()

    # ---- what can be done ----

    def fits(self, seat: int) -> dict[str, list[str]]:
        """Return {tile: [slots]} for the moves that look legal for a seat; {} if it is not the
        seat's turn. For a tile that may begin a line, only one of the empty slots is listed."""
        s = self.session
        if s.line["phase"] != "play" or s.line["turn"] != seat:
            return {}
        found: dict[str, list[str]] = {}
        for tile, slot in s.moves(seat):
            found.setdefault(tiles.text(tile), []).append(slot)
        return found

    def places(self, seat: int, tile: str) -> set[str]:
        """Return all slots at which a seat's tile looks legal. If the tile may begin a line, these
        include every empty slot."""
        found = set(self.fits(seat).get(tile, ()))
        line = self.session.line
        empty = {slot for slot in line["playable"] if slot not in line["ends"]}
        return found | empty if found & empty and not self.session.trains else found

    def button(self, seat: int) -> str | None:
        """Return a word for what a seat can do now by pressing a button, or None.

        `draw`, `pass`, `knock`: draw a tile, pass or knock
        `done`: end the turn
        `over`: end the round, with the button of slot E
        """
        s = self.session
        if s.line["phase"] != "play":
            return None
        if s.line["turn"] != seat:
            return "knock" if s.may_knock() == seat else None
        if s.nothing_left():
            return "over"
        if s.is_free:
            return "done" if s.has_laid(seat) else "pass"
        if not s.trains:
            draws = s.line["boneyard"] and s.options["draw"] == "until"
            return "draw" if draws else "pass"
        return self._button_of_trains(seat)

    def _button_of_trains(self, seat: int) -> str | None:
        s = self.session
        turn = s.this_turn(seat)
        doubles = s.own_doubles(seat)
        if turn and turn[-1].line["did"] == "laid" and not doubles:
            return "done"  # the first train goes on as long as it can
        third = s.options["second-double"] == "third" and len(doubles) == 2
        if third and not any(moment.line["did"] == "drew" for moment in turn):
            return None  # a third tile is owed
        return "pass" if s.line["drawn"] or s.line["boneyard"] == 0 else "draw"

    # ---- a hint ----

    def hint(self, seat: int) -> Hint | None:
        """Return a Hint for a seat, or None if the seat cannot do anything now."""
        s = self.session
        button = self.button(seat)
        moves = s.moves(seat) if self.fits(seat) else []
        moves = [move for move in moves if move not in s.refused]
        if s.is_free and button == "done":
            moves = []
        if not moves or button == "over":
            return Hint(button, None, None, seat) if button else None
        tile, slot = choose(s.players, seat, moves, "sharp", s.chance())
        why = "only" if len({tile for tile, _ in moves}) == 1 else self._why(seat, tile, slot)
        first, *follow = self.train(seat) or [""]
        if why == "follows" and follow and first == tiles.text(tile) and slot == str(seat):
            return Hint("train", first, slot, seat, tuple(follow))
        return Hint(why, tiles.text(tile), slot, seat)

    def _why(self, seat: int, tile: int, slot: str) -> str:
        """Return the key of the sentence with the reason for a move, like `closes`."""
        s = self.session
        if slot in s.line["doubles"]:
            return "closes"
        if slot == str(seat) and slot in s.line["open"] and s.trains:
            return "marker"
        if is_double(tile):
            return "double"
        is_heaviest = pips(tile) == max(map(pips, s.hands[seat]))
        return "follows" if not is_heaviest and s.players.goes_on(seat, tile, slot) else "heavy"
