# SPDX-License-Identifier: MIT
"""A match of bots through the whole firmware, its lamps compared with its lines all the time."""

from host_sim.games.player_knowledge import Disagreement
from host_sim.hub.simulated_hub import SimulatedHub, configured
from host_sim.session.bot_match import BotMatch
from roundhouse.constants import slot_name


def compare(board, line):
    """Read turn, open and doubles from the pixel bytes; Disagreement where the line differs."""
    if not board.settle():
        raise Disagreement("the lights cannot be read")
    eyes = board.eyes
    seen = {
        "turn": eyes.turn() or None,
        "open": [slot_name(slot) for slot in eyes.open()],
        "doubles": [slot_name(slot) for slot in eyes.doubles()],
    }
    for key, value in seen.items():
        if value != line[key]:
            said = "%s: the lights show %s, the line says %s"
            raise Disagreement(said % (key, value, line[key]))


def play(house, set_, players, rounds, seed, told=None, slips=0.0, board=None):
    """Play a match; return (BotMatch, SimulatedHub). Every line is compared with the lights.

    told(said, line, board, match) is called for every input. Raises Disagreement where hub, people
    and lights are not of one mind.
    """
    seats = list(range(1, players + 1))
    board = board or SimulatedHub(configured(), seed=seed)

    def check(said, line):
        compare(board, line)
        if told:
            told(said, line, board, match)
        board.eyes.reset(board.ms)

    match = BotMatch(board, seats, house, set_, seed, slips, check)
    match.play(rounds)
    return match, board
