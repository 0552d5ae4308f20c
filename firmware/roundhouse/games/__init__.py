# SPDX-License-Identifier: MIT
"""The games. What all of them share is here once; what differs has a module for each game.

    match                 `Match`: the bytes of a match, its questions, taps and presses in play
    between_rounds        the same for seats, the deal, the opening tile and counting
    corrections           what cards and console put right
    fields                what stands where in those bytes; no board loads it
    kept                  how a journal keeps those bytes
    masks                 sets of slots, in those bytes
    houses                the rule sheets by name, their options in words, a family's own; and how
                          a match takes one, on an empty table
    mexican_train         a game: in its folder `play`, its rules in play, as plain functions over
                          a match; `rounds`, between rounds; `sheets` and `fields`, rows of data
    lines                 the line games, which differ by rows alone

A `Match` holds one game's module, `match.game`, and asks it what differs. A game keeps nothing
itself: all it knows stands in the match's one bytearray, in the bytes that are every game's, in
those that are left to it (64), and in OPTIONS a byte for each of its rows (48). `fields` declares
them. Hub, lights, console and journal know the match alone.

A game's module `play` offers, each with the match `m` as its first argument:

    play
      may_lay(m, slot, tile)      verdict on a tile that is real and not on the table
      laid(m, slot, tile)         it lies, the hand is counted: ends, then whose turn or the end
      press(m, seat)              a press in play; NOT_YOUR_TURN leaves it to the match
      draw(m)                     the seat to move takes a tile; a verdict where it may not
      turn_over(m)                the turn of the seat to move is over; the next, or the end
      clear_turn(m)               what the turn has seen so far counts no more
      left(m, seat)               a seat left in play: what becomes of its line
      forgot(m, seat)             a seat has let the time for its notice go by
    questions of lights and console, in play
      playable(m)                 mask of the slots where a tile still out may go now
      due(m)                      slot of the double that must be closed now, or -1
      double(m, i)                slot of the i-th open double in closing order, or -1
      sides(m)                    [(number, free places), ...], highest first; None: no places
      fits(m, tile)               mask of the lines that everybody sees would take it
      nothing_fits(m)             no tile still out fits anywhere
    CORRECTIONS                   kinds it understands beside those of every game
    HANDS_COUNT                   False: a round is settled when it is over, no hand is counted

A game gives points in play with `m.book`, with any input; `m.stop` ends a match by them.

What is accepted says whose it was in `m.by`, and in one word what it was in `m.did`. A game may
keep `m.targets`, a mask, from one question to the next; the match sets it to -1 at every change.

Its module `rounds` offers what is not needed in play, in the same way; it is `match.rounds`:

    the opening tile
      hand_size(m, by_sheet)      tiles dealt to a seat, where its sheet says `by_sheet`
      opening_slots(m)            mask of the slots where it may be tapped: E, seats
      opening_is_dealt(m)         it comes from a hand; else it is taken out before the deal
      draws_for_opening(m)        seats draw in phase `engine` until somebody has it
      opening_set(m, tile)        the set a double tapped in the lobby chooses
      may_open(m, tile, set_)     this is the tile with which the round begins
      opened(m, slot, tile, chance)  it was laid: ends, hand, and whose turn it is
    counting
      pips(m, tile)               points of a left-over tile
      settle(m)                   the pips counted become what the round's end brings each seat
      is_over(m)                  no round follows on this one
      most_win(m)                 the most points win; else the fewest
    a position in words
      given(m)                    what `given` lines of a script say of this game alone

Its module `sheets` has its rule sheets:

    HOUSES    their names; the match keeps a sheet's place, so that new ones come last
    GAMES     sheet by sheet the name of the game it is for
    SETS      house -> the set it is played with where nobody chooses one, if that is its own
    SEATS     house -> seats at most with each of tiles.SETS
    HANDS     house -> set -> hands for 2, 3, ... seats
    OPTIONS   a row per option: "its name, rule point: its values: houses and what they say where
              that is not the first value"
    VARIANTS  a row per word after the house's name: "word: option value"; at most 32

Its module `fields` has FIELDS, what it keeps of its own in the state, a row each: (name, bytes,
what it says). A new game is a folder with four such modules, and a name in GAMES: a board cannot
list a folder of its frozen code. `make numbers` then writes into them where everything stands.
"""

import sys

from roundhouse import forget

# The match keeps a game's place in here, so that new ones come last.
GAMES = ("mexican_train", "line_games")

own = {}  # a family's houses, as config.py's FAMILY has them; see houses.families


def load(number):
    """Return the rules of a game, by its place in GAMES."""
    return _module(GAMES[number] + ".play")


def rounds(number):
    """Return what a game does between rounds, by its place in GAMES."""
    return _module(GAMES[number] + ".rounds")


def sheets(number):
    """Return the sheets of a game, by its place in GAMES."""
    return _module(GAMES[number] + ".sheets")


def _module(name):
    name = "roundhouse.games." + name
    __import__(name)
    return sys.modules[name]


def give_back(m):
    """Give back the memory of what a match does not need now: other games, sheets, corrections, in
    play what is between rounds. It is read again when it is needed."""
    names = ["houses", "corrections", "saved_state"]
    for game in GAMES:
        names.append(game + ".sheets")
        playing = m.game.__name__.split(".")[-2] == game
        if m.turn or not playing:
            names.append(game + ".rounds")
        if not playing:
            names.append(game + ".play")
        names.append(game)  # the folder; what is read of it stays without
    if m.turn:
        names.append("between_rounds")
    for name in names:
        forget("games." + name)
