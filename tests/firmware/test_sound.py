# SPDX-License-Identifier: MIT
"""The tunes that the piezo plays, and how it is silenced."""

import types
from itertools import groupby

import pytest
from hub_actions import quick_hub

from host_sim.board.chips import machine
from host_sim.board.chips.clock import Clock
from host_sim.board.hub.simulated_hub import configured
from roundhouse.drivers import piezo


def heard(board, do):
    """Return the name of the tune heard during `do` and the next 1.2 seconds. If the tune is
    unknown, return the list of its tones in Hz."""
    board.run(1200)
    machine.tones.clear()
    do()
    board.run(1200)
    tones = [hz for _, pin, hz in machine.tones if pin == board.config.PINS["piezo"] and hz]
    assert not machine.tones or machine.tones[-1][2] == 0, "silent again"
    for name, tune in piezo.TUNES.items():
        if tones == [hz for hz in tune[::2] if hz]:
            return name
    return tones


def test_sound_false_is_for_ever():
    board = quick_hub(configured(SOUND=False))
    board.press("1")
    assert machine.tones == []
    assert board.command("sound on")["verdict"] == "not-now"
    assert board.tap("quiet", "3")["verdict"] == "not-now"


def test_every_tune_has_its_moment():
    board = quick_hub()
    board.command("set 6")
    for seat in ("1", "2"):
        assert heard(board, lambda seat=seat: board.press(seat)) == "yes"
    assert heard(board, lambda: board.tap("1-2", "1")) == "no"
    assert heard(board, lambda: board.tap("6-6", "1")) == "turn"
    assert heard(board, lambda: board.press("1")) == "yes", "a draw: it is still its turn"
    assert heard(board, lambda: board.tap("6-5", "1")) == "turn"
    assert heard(board, lambda: board.press("1")) == "knock"
    assert heard(board, lambda: board.hold("1")) == "yes"
    assert heard(board, lambda: board.command("hand 2 1")) == "yes"
    assert heard(board, lambda: board.tap("6-4", "2")) == "out"
    assert heard(board, lambda: board.press("E")) == "round"
    assert heard(board, lambda: board.tap("5-5", "1")) == "turn"
    assert heard(board, lambda: board.press("E")) == "round", "nobody went out"
    board.press("E")
    assert heard(board, lambda: board.press("E")) == "match"


def test_tones_are_as_long_as_their_tune_says_and_soft():
    board = quick_hub()
    board.run(300)
    machine.tones.clear()
    board.tap("1-2", "1")
    board.run(500)
    (on, _, low), (off, _, silent) = machine.tones
    assert 150_000 <= off - on <= 200_000 and (low, silent) == (220, 0)
    assert piezo.LOUDNESS < 65536 // 8


WRITTEN = {
    "yes": "2400 25",
    "no": "220 160",
    "turn": "2400 25, 0 60, 880 60, 1320 90",
    "knock": "440 40, 0 70, 440 40",
    "out": "880 80, 1100 80, 1320 80, 1760 200",
    "round": "1320 120, 1100 120, 880 200",
    "match": "880 120, 1320 120, 1100 120, 1320 120, 1760 400",
}


@pytest.mark.parametrize("name, written", WRITTEN.items())
def test_a_tune_sounds_as_it_is_written(name, written):
    """Check Hz and ms of each tone."""
    pwm = Pwm()
    player = piezo.Piezo(pwm, Clock.ticks_diff, Clock.ticks_add)
    begun = (1 << 30) - 100  # the ticks wrap in the middle of it
    player.play(name, begun)
    heard = []
    for ms in range(2000):
        player.step(Clock.ticks_add(begun, ms))
        heard.append(pwm.hz if pwm.duty else 0)
    tones = ["%d %d" % (hz, len(list(same))) for hz, same in groupby(heard)]
    assert ", ".join(tones[:-1]) == written
    assert set(piezo.TUNES) == set(WRITTEN)


class Pwm:
    """A pin's PWM: its frequency in Hz, and its duty from 0 to 65535."""

    def __init__(self):
        self.hz = self.duty = 0

    def freq(self, hz):
        self.hz = hz

    def duty_u16(self, duty):
        assert duty in (0, 4000), "silent, or softly"
        self.duty = duty


def test_quiet_is_kept_over_a_power_cut_and_is_no_input_of_the_match():
    board = quick_hub()
    for seat in ("1", "2"):
        board.press(seat)
    before = bytes(board.hub.table.state)
    line = board.tap("Quiet", "3")
    assert (line["verdict"], line["by"], line["did"]) == ("ok", None, "showed")
    assert heard(board, lambda: board.press("3")) == []
    board.unplug()
    assert heard(board, lambda: board.press("3")) == [], "and it left"
    assert bytes(board.hub.table.state) == before
    line = board.command("sound on")
    assert (line["verdict"], line["did"]) == ("ok", "showed")
    assert heard(board, lambda: board.press("3")) == "yes"
    board.unplug()
    assert heard(board, lambda: board.press("3")) == "yes"
    assert heard(board, lambda: board.command("sound off")) == "yes", "the last that is heard"
    assert heard(board, lambda: board.hold("1")) == []
    assert bytes(board.hub.table.state) != before, "what is taken back is an input"
    board.command("undo")
    assert heard(board, lambda: board.tap("quiet", "M")) == "yes", "the card is the other way"
    for wrong in ("sound", "sound loud", "sound on off"):
        assert board.command(wrong) == {"error": "usage: sound on|off"}


def test_a_flash_that_refuses_leaves_the_sound_as_it_was(monkeypatch):
    board = quick_hub()

    def refuse(*_):
        raise OSError(28)

    kept = board.hub.journal.files
    refusing = types.SimpleNamespace(open=refuse, listdir=kept.listdir, remove=kept.remove)
    monkeypatch.setattr(board.hub.journal, "files", refusing)
    assert board.command("sound off")["verdict"] == "fault"
    monkeypatch.undo()
    assert heard(board, lambda: board.press("1")) == "yes"
