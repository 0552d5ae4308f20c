# SPDX-License-Identifier: MIT
"""Evenings with everything that goes wrong: people, power, readers, cards and cables.

The players of the soak, their pauses included, sit at the whole firmware on the simulated board,
its journal on LittleFS in the Pico's geometry. Between their inputs and in the middle of them the
power goes, at flash operations too; readers die, forget and hear noise; strange cards, tiles left
lying, stuck buttons and junk on the console. After every input hub, referee and the journal read
anew must agree, and nothing acknowledged may be lost.
"""

import collections
import concurrent.futures
import os
import random
from unittest.mock import ANY

from host_sim.checks import worker_pool
from host_sim.checks.line_soak_evening import LineSoakEvening
from host_sim.checks.soak_evening import SoakEvening
from host_sim.checks.soak_faults import FAMILY, FaultyHub
from host_sim.games import house_info
from host_sim.games.line_games import sheets as line_sheets
from host_sim.games.player_knowledge import Disagreement
from roundhouse import constants
from roundhouse.games import houses


class FaultInjection:
    """Trouble before every input of an evening, and an audit after it.

    A power cut forgets whom the hub asked to press once more, and what was taken back.
    """

    def tap(self, slot, tile, override=False):
        """Tap, after whatever goes wrong before."""
        self.trouble()
        return super().tap(slot, tile, override)

    def press(self, slot):
        """Press, after whatever goes wrong before."""
        self.trouble()
        return super().press(slot)

    def trouble(self):
        """Something may go wrong."""
        resumes = self.hub.done["resumes"]
        self.hub.trouble()
        if self.hub.done["resumes"] > resumes:
            self.referee.asked = None
            self.future.clear()

    def hold(self):
        """Take back; of what can be put back a power cut leaves what is held again behind it."""
        resumes = self.hub.done["resumes"]
        super().hold()
        if self.hub.done["resumes"] > resumes:
            self.future = [] if self.line["by"] is ANY else self.future[-1:]

    def redo(self):
        """Put back what can be; nothing where the power went before it was kept."""
        if not self.future:
            return
        resumes = self.hub.done["resumes"]
        line = self.hub.redo()
        cut = self.hub.done["resumes"] > resumes
        if cut and line and line["verdict"] == "not-now":
            self.referee.by = self.referee.did = None
            self._compare("redo", line, "not-now")
        else:
            self.put_back(line)
        if cut:
            self.future.clear()

    def _compare(self, said, line, verdict):
        super()._compare(said, line, verdict)
        self.hub.audit()


class FaultEvening(FaultInjection, SoakEvening):
    """An evening of Mexican Train at a troubled hub."""


class LineFaultEvening(FaultInjection, LineSoakEvening):
    """An evening of a line game at a troubled hub."""


def play(seed):
    """Play one evening; return (hours, erases, what happened, None or the story)."""
    chance = random.Random(seed)
    houses.families(FAMILY)
    name = chance.choice(houses.HOUSES)
    index = houses.HOUSES.index(name)
    variants = [word for word, _ in houses.variants(index)]
    house = " ".join([name, *chance.sample(variants, chance.randint(0, 2))])
    set_ = chance.choice((6, 6, 9, 12))
    seats = sorted(
        chance.sample(range(1, 11), chance.randint(2, house_info.most_seats(index, set_)))
    )
    hub = FaultyHub(house, set_, seats, seed)
    evening_of = LineFaultEvening if name in line_sheets.HOUSES else FaultEvening
    evening = evening_of(hub, house, set_, seats, seed)
    story = None
    try:
        evening.play(chance.randint(1, 3))
    except Disagreement as error:
        story = "seed %d, %s, set %d, seats %s:\n%s" % (seed, house, set_, seats, error)
    finally:
        houses.families({})
    done = evening.done + hub.done
    done["inputs"] = sum(evening.done[word] for word in constants.VERDICTS)
    done["refused"] = done["inputs"] - evening.done["ok"]
    return hub.board.clock.us / 3.6e9, hub.board.flash_erases, done, story


def soak(hours, seed, progress):
    """Play evenings, several at a time, until that many hours of the table's time have passed.

    progress(hours, of) is called now and then. Returns (hours, how many evenings, flash erases,
    {what happened: times}, the stories of the disagreements).
    """
    total = erases = evenings = 0
    done, stories = collections.Counter(), []
    with worker_pool.pool() as pool:
        waiting = {pool.submit(play, seed * 100_000 + n) for n in range(os.cpu_count())}
        number = len(waiting)
        while waiting:
            finished, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in finished:
                took, erased, did, story = future.result()
                total += took
                erases += erased
                evenings += 1
                done.update(did)
                if story:
                    stories.append(story)
                if total < hours:
                    waiting.add(pool.submit(play, seed * 100_000 + number))
                    number += 1
            progress(total, hours)
    return total, evenings, erases, done, stories
