# SPDX-License-Identifier: MIT
"""A moment of the long soak: all kinds of trouble, nothing lost; and that it would be noticed."""

import collections
import io

import pytest

from host_sim.checks import dishonest_evenings, faulty_evenings
from roundhouse import houses
from roundhouse.hub import Hub
from roundhouse.journal import Journal


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(faulty_evenings, "PAUSE_MS", 200)
    houses.families(dishonest_evenings.FAMILY)
    yield
    houses.families({})


def evening(house, seed, often=0.5):
    """Play a round; return what was done."""
    hub = faulty_evenings.TroubledHub(house, 6, (2, 7), seed)
    hub.random.random = lambda random=hub.random.random: random() * (0.15 / often)
    match = faulty_evenings.FaultyEvening(hub, house, 6, (2, 7), seed)
    match.play(1)
    return hub.done + match.done


def test_every_kind_of_trouble_and_nothing_lost():
    done = evening("jassshop", 1) + evening("puremco", 2) + evening("quebec", 4)
    assert done["resumes"] and done["power cut while writing"] and done["rounds"] == 3
    missing = [kind for kind in faulty_evenings.TROUBLES if not done[kind.replace("_", " ")]]
    assert not missing


def forgets(journal, *inputs, record=Journal.record, count=[0]):  # noqa: B006
    count[0] += 1
    if count[0] % 12:
        record(journal, *inputs)


def test_a_journal_that_forgets_is_noticed(monkeypatch):
    monkeypatch.setattr(Journal, "record", forgets)
    with pytest.raises(dishonest_evenings.Disagreement, match="journal|hub|lost"):
        evening("puremco", 2)


def test_an_acknowledged_input_that_is_lost_is_noticed(monkeypatch):
    """The line goes out before the record is on flash."""

    def too_soon(hub, *args):
        kept, hub.journal.record = hub.journal.record, lambda *a: waiting.append(a)
        waiting = []
        real(hub, *args)
        for _ in range(40):
            hub.console.flush()
        hub.journal.record = kept
        for record in waiting:
            kept(*record)

    real = Hub.input
    monkeypatch.setattr(Hub, "input", too_soon)
    with pytest.raises(dishonest_evenings.Disagreement, match="acknowledged input was lost"):
        for seed in range(1, 20):
            evening("puremco", seed)


def test_the_command(monkeypatch):
    monkeypatch.setattr(faulty_evenings, "IMAGE", faulty_evenings.IMAGE.parent / "none")
    monkeypatch.setattr(faulty_evenings, "play", play)
    out = io.StringIO()
    assert faulty_evenings.run(0.01, 3, out, io.StringIO()) == 0
    assert "0 disagreements, 0 inputs lost" in out.getvalue()


def play(seed):
    return 0.02, 3, collections.Counter(rounds=1, ok=5, kept=5, inputs=6, refused=1), None
