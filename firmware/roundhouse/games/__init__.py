# SPDX-License-Identifier: MIT
"""The games: what all of them share, and the modules in which they differ.

    match                 `Match`: the bytes of a match, questions about it, inputs in play
    between_rounds        seats, the deal, the opening tile, counting
    corrections           cards and console commands that correct a match or choose its rules
    houses                rule sheets by name, their options in words, houses of a family
    slot_masks            sets of slots, as two bytes of a match's state
    fields                the layout of the state; not on the board
    at                    the state's offsets by name, written by `make made`; not on the board
    saved_state           packs the state for the journal, and unpacks it, from older formats too
    state_check           whether a match can be in a state from the journal
    mexican_train         a game: a folder with `play`, `rounds`, `sheets` and `fields`
    line_games            a game: Classic dominoes and its kin, which differ in their sheets alone

A `Match` does what all games have in common. For everything else it calls the game's module `play`
(`match.game`) or, between rounds, `rounds` (`match.rounds`). These hold no data. All data are in
the match's bytearray: the fields that every game has, one byte for each option of the game (at
most 48), and up to 64 bytes of the game's own fields. Hub, lights, console and journal use only
the match.

Each of these functions takes the match `m` first:

    play
      may_lay(m, slot, tile)      verdict on laying a tile that is not on the table
      tile_laid(m, slot, tile)    update ends and turn; the hand already counts one tile less
      after_tile(m, slot, tile)   last step of tile_laid: decide who is next, or end the round
      press(m, seat)              handle a press in play, or return NOT_YOUR_TURN
      draw(m)                     the seat to move draws; returns a verdict if it may not
      end_turn(m)                 end the turn: the next seat is to move, or the round ends
      clear_turn(m)               forget what has happened in this turn so far
      seat_left(m, seat)          a seat left during play: decide who may use its line
      no_notice(m, seat)          a seat did not announce its last tile in time
    questions of lights and console, in play
      playable(m)                 mask of the slots that may take a tile not yet laid
      due(m)                      slot of the double that must be covered now, or -1
      open_double(m, i)           slot of the i-th open double to be closed, or -1
      sides(m)                    [(number, count of places where a line may begin with it), ...],
                                  highest number first; None if trains begin at their own slots
      fits(m, tile)               mask of the lines that this tile fits and every seat may play on
      nothing_fits(m)             whether none of the remaining tiles fits anywhere
    CORRECTIONS                   corrections of this game alone, as rows of `corrections`
    HANDS_COUNT                   False: rounds end without counting hands

A game gives points during play with `m.award`, and can end the match with `m.end_play`. A function
that accepts an input sets `m.by` to the seat that made the input, and `m.did` to a word for what
the seat did. `m.targets` caches a mask; after every change the match sets `m.targets` to -1.

    rounds
    the opening tile
      hand_size(m, by_sheet, seats)  tiles dealt to a seat; `by_sheet`: the number in the sheet
      own_deal(m, seats)          tiles dealt to a seat if the players chose it, else 0
      opening_slots(m)            mask of the slots where this tile may be tapped: E or the seats
      opening_dealt(m)            True: a hand has this tile; False: it is set aside before dealing
      draws_opening(m)            whether seats draw in phase `engine` until one has this tile
      opening_set(m, tile)        the set to play with after this double was tapped in the lobby
      may_open(m, tile, set_)     whether this tile opens the round
      opened(m, slot, tile, chance)  update ends, hand and turn after the opening tile was laid
    counting
      pips(m, tile)               points of a left-over tile
      settle(m)                   turn the counted pips into each seat's points of the round
      is_over(m)                  whether no further round follows
      most_win(m)                 True: the most points win; False: the fewest points win
    a position in words
      given_lines(m)              `given` lines of a script that only this game has

    sheets
      HOUSES    names of the sheets; a match stores the index of a sheet, so append new sheets
      GAMES     for each sheet the name of the game it is for
      SETS      house -> the set that is used unless another is chosen
      SEATS     house -> maximum number of seats with each of tiles.SETS
      HANDS     house -> set -> tiles dealt to each of 2, 3, ... seats
      OPTIONS   a row per option: "option rule-point: values: houses". Each house is followed by
                the house's value; a house that is not listed has the first of the values
      VARIANTS  a row per variant word, such as no-lock: "word: option value"; at most 32 rows
      MEANINGLESS  rows "options: cause values": if the option `cause` has one of the values, the
                options before the colon have no effect

    fields
      FIELDS    what the game keeps of its own in the state: rows of (name, bytes, meaning)

To add a game, make a folder with these four modules and add its name to GAMES, because a board
cannot list a folder of frozen code. Then `make made` writes a fifth, `at`, with the offsets.
"""

import sys

from roundhouse import forget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from roundhouse.games.match import Match

    class _Play(Protocol):
        __name__: str
        HANDS_COUNT: bool
        CORRECTIONS: dict[int, tuple[Any, ...]]

        def may_lay(self, m: Match, slot: int, tile: int) -> int: ...
        def tile_laid(self, m: Match, slot: int, tile: int) -> None: ...
        def after_tile(self, m: Match, slot: int, tile: int) -> None: ...
        def end_turn(self, m: Match) -> None: ...
        def clear_turn(self, m: Match) -> None: ...
        def press(self, m: Match, seat: int) -> int: ...
        def draw(self, m: Match) -> int | None: ...
        def seat_left(self, m: Match, seat: int) -> None: ...
        def no_notice(self, m: Match, seat: int) -> None: ...
        def playable(self, m: Match) -> int: ...
        def due(self, m: Match) -> int: ...
        def open_double(self, m: Match, i: int) -> int: ...
        def sides(self, m: Match) -> list[tuple[int, int]] | None: ...
        def fits(self, m: Match, tile: int) -> int: ...
        def nothing_fits(self, m: Match) -> bool: ...

    class _Rounds(Protocol):
        def hand_size(self, m: Match, by_sheet: int, seats: int) -> int: ...
        def own_deal(self, m: Match, seats: int) -> int: ...
        def opening_slots(self, m: Match) -> int: ...
        def opening_dealt(self, m: Match) -> bool: ...
        def draws_opening(self, m: Match) -> bool: ...
        def opening_set(self, m: Match, tile: int) -> int: ...
        def may_open(self, m: Match, tile: int, set_: int) -> bool: ...
        def opened(self, m: Match, slot: int, tile: int, chance: int) -> None: ...
        def pips(self, m: Match, tile: int) -> int: ...
        def settle(self, m: Match) -> None: ...
        def is_over(self, m: Match) -> bool: ...
        def most_win(self, m: Match) -> bool: ...
        def given_lines(self, m: Match) -> list[str]: ...

    class _Sheets(Protocol):
        HOUSES: tuple[str, ...]
        GAMES: tuple[str, ...]
        SETS: dict[str, int]
        SEATS: dict[str, tuple[int, ...]]
        HANDS: dict[str, dict[int, tuple[int, ...]]]
        OPTIONS: tuple[str, ...]
        VARIANTS: tuple[str, ...]
        MEANINGLESS: tuple[str, ...]


# A match stores the index of its game in this list: append new ones.
GAMES = ("mexican_train", "line_games")

# houses of config.py's FAMILY, and one of a card; see houses.set_family
family: "Mapping[str, tuple[str, Mapping[str, str]]]" = {}
added = ""  # the name of the one of a card or a line


def play(number: int) -> "_Play":
    """Return the `play` module of a game. number: its index in GAMES."""
    return _module(GAMES[number] + ".play")


def rounds(number: int) -> "_Rounds":
    """Return the `rounds` module of a game. number: its index in GAMES."""
    return _module(GAMES[number] + ".rounds")


def sheets(number: int) -> "_Sheets":
    """Return the `sheets` module of a game. number: its index in GAMES."""
    return _module(GAMES[number] + ".sheets")


def _module(name: str) -> "Any":
    name = "roundhouse.games." + name
    __import__(name)
    return sys.modules[name]


def free_unused(m: "Match") -> None:
    """Unload the modules that a match does not need now."""
    names = ["houses", "corrections", "saved_state", "state_check"]
    for game in GAMES:
        names.append(game + ".sheets")
        playing = m.game.__name__.split(".")[-2] == game
        if m.turn or not playing:
            names.append(game + ".rounds")
        if not playing:
            names.append(game + ".play")
        names.append(game)  # the package itself; its loaded modules work without it
    if m.turn:
        names.append("between_rounds")
    for name in names:
        forget("games." + name)
