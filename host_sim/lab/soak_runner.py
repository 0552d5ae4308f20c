# SPDX-License-Identifier: MIT
"""Plays the matches of a soak test, several in parallel, and adds up what happened in them."""

import collections
import concurrent.futures
import itertools
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from host_sim.command_line.progress import Progress
from host_sim.lab import worker_pool
from host_sim.table import safety_net

MATCHES = "matches"  # what is counted of every match


class Played(NamedTuple):
    """The result of one match.

    done: {what happened: how often}
    story: a report of a disagreement, or None
    """

    done: collections.Counter[Any]
    story: str | None


def soak(
    play: Callable[[Any], Played], jobs: Iterable[Any], progress: Progress, unit: str = MATCHES
) -> tuple[collections.Counter[Any], list[str]]:
    """Play a match for each job until the progress is complete. Return (the sum of what happened,
    the reports of disagreements).

    play: plays the match of a job, in a worker process
    unit: what the progress counts, a key of `Played.done` or MATCHES
    """
    done: collections.Counter[Any] = collections.Counter()
    stories = []
    jobs = iter(jobs)
    with worker_pool.pool() as pool:
        waiting = {pool.submit(_play, play, job) for job in itertools.islice(jobs, os.cpu_count())}
        while waiting:
            finished, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in finished:
                played = future.result()
                done.update({**played.done, MATCHES: 1})
                if played.story:
                    stories.append(played.story)
            if done[unit] < progress.total:
                more = itertools.islice(jobs, len(finished))
                waiting |= {pool.submit(_play, play, job) for job in more}
            progress.to(done[unit])
    return done, stories


def _play(play: Callable[[Any], Played], job: Any) -> Played:
    played = play(job)
    safety_net.raise_caught()
    return played
