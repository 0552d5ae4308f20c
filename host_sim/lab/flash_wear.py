# SPDX-License-Identifier: MIT
"""Counts the flash erases during whole matches. The flash holds only the journal, as on a board
whose image contains the firmware."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from host_sim.board.chips.fake_flash import Flash
from host_sim.lab.selfplay import SelfPlay
from host_sim.table.games import house_info
from roundhouse import constants
from roundhouse.drivers.files import FlashFolder
from roundhouse.games import houses
from roundhouse.journal import Journal

FOLDER = "journal"
PLAYERS = 4
HOUSES = [house for house, name in enumerate(houses.HOUSES) if name != "free"]


class Wear(NamedTuple):
    """The wear of the flash during some matches.

    inputs: the count of accepted inputs
    erases: the count of flash blocks erased
    waited_for: how many of these erases delayed an input
    """

    inputs: int
    erases: int
    waited_for: int


def wear(house: int, matches: int) -> Wear:
    """Play some matches of a house, one after another; return the wear. The hub has time to
    prepare the flash after each input."""
    play = SelfPlay(house, 0, house_info.own_set(house), PLAYERS, seed=1)
    core, flash = play.core, Flash()
    flash.mkdir(FOLDER)
    journal = Journal(FlashFolder(flash, FOLDER), FOLDER, core)
    journal.resume()
    before = flash.erases
    inputs = waited_for = 0

    def kept(kind: int | None, does: Callable[..., int]) -> Callable[..., int]:
        def do(*args: int) -> int:
            nonlocal inputs, waited_for
            was = core.phase
            verdict = does(*args)
            if not verdict:
                values = args if kind is None else (kind, *args)
                first = flash.erases
                of_kind, slot, value = (*values, 0, 0)[:3]
                journal.record(of_kind, slot, value, core.phase == constants.LOBBY != was)
                inputs += 1
                waited_for += flash.erases - first
                while journal.prepare():
                    pass
            return verdict

        return do

    for name, kind in (("apply", None), ("tap", constants.TAP), ("press", constants.PRESS)):
        setattr(core, name, kept(kind, getattr(core, name)))
    for _ in range(matches):
        play.match()
    return Wear(inputs, flash.erases - before, waited_for)


def figures(found: Sequence[Wear]) -> dict[str, float]:
    """Return erases per input.

    "mean": the average over all houses in `found`
    "worst": the most of any house
    "waited_for": the average if only erases that delayed an input are counted
    """
    inputs = sum(each.inputs for each in found)
    return {
        "mean": sum(each.erases for each in found) / inputs,
        "worst": max(each.erases / each.inputs for each in found),
        "waited_for": sum(each.waited_for for each in found) / inputs,
    }
