# SPDX-License-Identifier: MIT
"""The games. What all of them share stands once, what differs in a module a game.

    match                 `Match`: its questions, and taps and presses
    corrections, counting what else an input can be in any game
    state                 the bytes of a match
    houses                the rule sheets by name: their words, options, seats and hands
    mexican_train         a game: plain functions over a match
    mexican_train_sheets, mexican_train_options   its sheets, as rows

A `Match` holds one game's module, `match.game`, and asks it what differs. A game keeps nothing
itself: all it knows stands in the match's one bytearray (`state`), in the bytes that are every
game's and in those that are left to it. Hub, lights, console and journal know the match alone.

A game's module offers, each with the match `m` as its first argument:

    the opening tile
      opening_slots(m)            mask of the slots where it may be tapped: E, seats
      opening_is_dealt(m)         it comes from a hand; else it is taken out before the deal
      draws_for_opening(m)        seats draw in phase `engine` until somebody has it
      opening_set(m, tile)        the set a double tapped in the lobby chooses
      may_open(m, tile, set_)     this is the tile with which the round begins
      opened(m, slot, tile, chance)  it was laid: ends, and whose turn it is
    play
      targets(m)                  mask of the slots that the rules open to the next tile
      may_lay(m, slot, tile)      verdict on a tile that is real and not on the table
      laid(m, slot, tile)         it lies, the hand is counted: ends, then whose turn or the end
      press(m, seat)              a press in play; NOT_YOUR_TURN leaves it to the match
      draw(m)                     the seat to move takes a tile; a verdict where it may not
      turn_over(m)                the turn of the seat to move is over; the next, or the end
      clear_turn(m)               what the turn has seen so far counts no more
      left(m, seat)               a seat left in play: what becomes of its line
      fines(m)                    who forgets the notice of the last tile can be caught
    counting
      pips(m, tile)               points of a left-over tile
      settle(m)                   the pips counted become each seat's points of the round
      is_over(m)                  no round follows on this one
      most_win(m)                 the most points win; else the fewest
    questions of lights and console, in play
      playable(m, targets)        those of the targets that a tile still out could join
      due(m)                      slot of the double that must be closed now, or -1
      double(m, i)                slot of the i-th open double in closing order, or -1
    CORRECTIONS                   kinds it understands beside those of every game

A new game is such a module and its rows, named in `load`, `options` and `houses.GAMES`.
"""

import sys


def load(name):
    """Return the rules of a game: `load("mexican-train")`. The one place that chooses them."""
    if name == "mexican-train":
        from roundhouse.games import mexican_train  # it needs `match`, which needs this

        return mexican_train
    raise ValueError(name)


def options(name):
    """Return the rows of a game's options and variants."""
    if name == "mexican-train":
        from roundhouse.games import mexican_train_options

        return mexican_train_options
    raise ValueError(name)


def give_back():
    """Give the memory of the options' rows back; they are read again when rules are chosen."""
    sys.modules.pop("roundhouse.games.mexican_train_options", None)
    globals().pop("mexican_train_options", None)
