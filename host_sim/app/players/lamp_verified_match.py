# SPDX-License-Identifier: MIT
"""A match of bots, played through the whole firmware. Every console line is compared with the
lamps."""

from collections.abc import Callable

from host_sim.app.players.bot_match import BotMatch
from host_sim.board.hub.lamp_reader import counted
from host_sim.board.hub.simulated_hub import SimulatedHub, seating
from host_sim.table.console_line import ConsoleLine
from host_sim.table.games.tile_rules import Disagreement
from roundhouse.constants import slot_name, slot_number

OnInput = Callable[[str, ConsoleLine, SimulatedHub, BotMatch], object]


def compare(board: SimulatedHub, line: ConsoleLine) -> None:
    """Compare a line's `turn`, `open` and `doubles` with the lamps; raise Disagreement if they
    differ."""
    if not board.settle():
        raise Disagreement("the lights cannot be read")
    lamps = board.lamp_reader
    doubles = counted([slot_number(name) for name in line["doubles"]])
    said: dict[str, object] = {**line, "doubles": [slot_name(slot) for slot in doubles]}
    shown = {
        "turn": lamps.turn() or None,
        "open": [slot_name(slot) for slot in lamps.open()],
        "doubles": [slot_name(slot) for slot in lamps.doubles()],
    }
    for key, value in shown.items():
        if value != said[key]:
            text = "%s: the lights show %s, the line has %s"
            raise Disagreement(text % (key, value, said[key]))


def play(
    house: str,
    set_: int,
    players: int,
    rounds: int,
    seed: int,
    on_input: OnInput | None = None,
    slips: float = 0.0,
    board: SimulatedHub | None = None,
) -> tuple[BotMatch, SimulatedHub]:
    """Play a match of bots and compare every line with the lamps; return (match, board).

    house: as typed on the console, like "jassshop no-lock"
    players: the count of bots
    rounds: the most rounds to play
    seed: for the deals and the bots' choices
    on_input: called after every input with (the action as text, the hub's line, the board, the
        match)
    slips: the probability, 0..1, of a deliberate mistake before a move
    board: the simulated board; None for a new board with `coarse_waits`

    Raises Disagreement if the hub, the bots and the lamps do not agree.
    """
    seats = list(range(1, players + 1))
    board = board or SimulatedHub(seating(players), seed=seed, coarse_waits=True)

    def check(action: str, line: ConsoleLine) -> None:
        compare(board, line)
        if on_input:
            on_input(action, line, board, match)
        board.lamp_reader.reset(board.ms)

    match = BotMatch(board, seats, house, set_, seed, slips, check)
    match.play(rounds)
    return match, board
