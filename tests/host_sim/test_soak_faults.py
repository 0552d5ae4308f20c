# SPDX-License-Identifier: MIT
"""A short soak test has all kinds of faults and loses nothing. If something is lost, it is
noticed."""

import collections
import random
from unittest.mock import ANY

import pytest

from host_sim.__main__ import main
from host_sim.board.hub.simulated_hub import PowerLost
from host_sim.command_line import preflight
from host_sim.lab import hub_adapters, soak_faults
from host_sim.lab.soak_runner import Played
from host_sim.table.games.tile_rules import Disagreement
from roundhouse.games import houses
from roundhouse.hub import Hub
from roundhouse.journal import Journal


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(soak_faults, "PAUSE_MS", 200)
    houses.set_family(hub_adapters.FAMILY)
    yield
    houses.set_family({})


def evening(house, seed, often=0.5):
    """Play a round in which a fault happens at an input with the probability `often`. Return {what
    happened: how often}."""
    hub = soak_faults.TroubledHub(house, 6, (2, 7), seed)
    hub.random.random = lambda random=hub.random.random: random() * (0.15 / often)
    match = soak_faults.TroubledEvening(hub, house, 6, (2, 7), seed)
    match.play(1)
    return hub.done + match.done


@pytest.mark.slow
def test_every_kind_of_trouble_and_nothing_lost():
    done = evening("jassshop", 4) + evening("puremco", 2) + evening("quebec", 4)
    assert done["resumes"] and done["power cut while writing"] and done["rounds"] == 3
    missing = [kind for kind in soak_faults.TROUBLES if not done[kind.replace("_", " ")]]
    assert not missing


@pytest.mark.slow
def test_the_line_games_too():
    done = collections.Counter()
    for house, seed in (("classic", 1), ("matador", 2), ("tiddle-a-wink", 3)):
        hub = soak_faults.TroubledHub(house, 6, (2, 7), seed)
        hub.random.random = lambda random=hub.random.random: random() * 0.3
        match = soak_faults.TroubledEvening(hub, house, 6, (2, 7), seed)
        match.play(1)
        done += hub.done + match.done
    assert done["resumes"] and done["rounds"] == 3


def test_every_match_that_is_drawn_can_be_played():
    drawn = [soak_faults.drawn(random.Random(seed)) for seed in range(300)]
    for house, set_, seats in drawn:
        houses.parse(house.split())
        assert set_ in (6, 9, 12) and len(seats) >= 2
    words = " ".join(house for house, _, _ in drawn).split()
    assert {"deal-9-8-6", "rounds-2", "no-lock"} <= set(words)


# ---- what was taken back, until the power goes ----


def in_play(moves=4):
    """Return an evening without faults, after some moves of its first round."""
    hub = soak_faults.TroubledHub("jassshop", 6, (2, 7), 1)
    hub.random.random = lambda: 0.9
    match = soak_faults.TroubledEvening(hub, "jassshop", 6, (2, 7), 1, mischief=0)
    match.players.open()
    for _ in range(moves):
        match.players.move()
    return match


def cut_behind(match, act):
    """Cut the power after the next call of the board's method `act` has saved its input. `act` is
    "hold" or "command"."""

    def and_cut(*args):
        setattr(match.hub.board, act, real)
        real(*args)
        raise PowerLost

    real = getattr(match.hub.board, act)
    setattr(match.hub.board, act, and_cut)


def test_what_was_taken_back_goes_with_the_power():
    match = in_play()
    match.hold()
    cut_behind(match, "hold")
    match.hold()
    assert match.line["by"] is ANY and match.future == []
    match.redo()
    assert match.hub.redo()["verdict"] == "not-now"


def test_a_hold_that_is_made_again_can_be_put_back():
    match = in_play()
    match.hold()
    match.hub.board.storage.cut(1)
    match.hold()
    assert match.hub.done["resumes"] == len(match.future) == 1
    match.redo()
    assert match.line["did"] == "put-back"
    assert match.hub.redo()["verdict"] == "not-now"


def test_a_power_cut_before_it_was_put_back():
    match = in_play()
    match.hold()
    match.hold()
    match.hub.board.storage.cut(1)
    match.redo()
    assert match.line["verdict"] == "not-now" and match.future == []
    match.players.move()


def test_a_power_cut_once_it_was_put_back():
    match = in_play()
    match.hold()
    match.hold()
    cut_behind(match, "command")
    match.redo()
    assert match.line["verdict"] == "ok" and match.future == []
    assert match.hub.redo()["verdict"] == "not-now"


def test_a_power_cut_behind_what_was_taken_back():
    match = in_play()
    match.hold()
    match.hub.trouble = match.hub.power_cut
    match.trouble()
    match.redo()
    assert match.hub.redo()["verdict"] == "not-now"


def test_a_round_whose_opening_tile_cannot_be_put_back_begins_anew():
    match = in_play(0)
    match.hold()
    match.hub.power_cut()
    match.future.clear()
    match.play(1)
    assert match.done["rounds"] == 1


def test_a_hub_that_forgets_without_a_power_cut_is_noticed(monkeypatch):
    match = in_play()
    match.hold()
    monkeypatch.setattr(Journal, "redo", lambda journal: None)
    with pytest.raises(Disagreement, match='the hub "not-now", the referee "ok"'):
        match.redo()


def forgets(journal, *inputs, record=Journal.record, count=[0]):  # noqa: B006
    count[0] += 1
    if count[0] % 12:
        record(journal, *inputs)


def test_a_journal_that_forgets_is_noticed(monkeypatch):
    monkeypatch.setattr(Journal, "record", forgets)
    with pytest.raises(Disagreement, match="journal|hub|lost"):
        evening("puremco", 2)


def test_an_acknowledged_input_that_is_lost_is_noticed(monkeypatch):
    """An acknowledged input that is lost, because its line came before its record, is noticed."""

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
    with pytest.raises(Disagreement, match="acknowledged input was lost"):
        for seed in range(1, 20):
            evening("puremco", seed)


def test_the_command(monkeypatch, capsys):
    monkeypatch.setattr(preflight, "IMAGE", "no/firmware.bin")
    monkeypatch.setattr(soak_faults, "play", play)
    assert main(["soak", "--hours", "0.01", "--seed", "3"]) == 0
    assert "0 disagreements, 0 inputs lost" in capsys.readouterr().out


def play(seed):
    done = collections.Counter(rounds=1, ok=5, kept=5, inputs=6, refused=1, erases=3)
    return Played(done + collections.Counter(hours=0.02), None)
