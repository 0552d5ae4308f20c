# SPDX-License-Identifier: MIT
"""Whether a reader's answer reaches the Pico in time: the worst case, and what makes it worse."""

import pytest

from hardware import checks, circuit, hub_circuit, miso_timing
from hardware.miso_timing import MisoLine, between

BAUDS = (4_000_000, 1_000_000)


def test_both_speeds_have_room(capsys):
    checks.miso()
    said = capsys.readouterr().out
    fast, slow = (MisoLine().margin(baud) for baud in BAUDS)
    assert fast > 20
    assert slow > 380
    assert "%.0f ns to spare at 4 MHz, %.0f ns to spare at 1 MHz" % (fast, slow) in said
    text = (checks.Path(checks.__file__).parent / "README.md").read_text()
    assert said.strip() in text, "what the check prints"
    assert "%.0f ns to spare at `BAUD`'s 4 MHz" % fast in text


def test_more_ribbons_and_longer_ones_are_later():
    margins = [MisoLine(stations).margin(4_000_000) for stations in (4, 7, 10)]
    assert margins == sorted(margins, reverse=True)
    assert MisoLine(10, ribbon=0.12).margin(4_000_000) < margins[-1] - 3


def test_a_slower_driver_is_red():
    with pytest.raises(checks.CheckError, match="late at 4 MHz: .*driver of SCK 62, ") as late:
        checks.miso(MisoLine(10, driver="74HC244"))
    assert "1 MHz" not in str(late.value), "the slower step can still carry it"


def test_the_driver_is_the_one_on_the_board(monkeypatch):
    assert miso_timing.fitted() == MisoLine().driver == "74AHC244"
    monkeypatch.setitem(circuit.SHOP["board"]["74AHC244"], "value", "74HC244")
    with pytest.raises(checks.CheckError, match="MISO is .* ns late at 4 MHz"):
        checks.miso()
    monkeypatch.setitem(circuit.SHOP["board"]["74AHC244"], "value", "CD4050")
    with pytest.raises(checks.CheckError, match="U2: it is not known how late a CD4050 is"):
        checks.miso()


def test_more_on_a_driver_is_later():
    assert MisoLine().driver_ribbons == len(circuit.SLOTS) / len(hub_circuit.GROUPS)
    four = MisoLine(driver_ribbons=4)
    # a ribbon of 100 mm, a reader's pin, what is on the slot board
    assert four.sck() - MisoLine().sck() == pytest.approx(6 + 10 + 12)
    later = MisoLine().margin(4_000_000) - four.margin(4_000_000)
    assert later == pytest.approx(2.8)
    # with little on it the datasheet's 50 pF count
    few = MisoLine(driver_ribbons=1, slot_board=0.0)
    assert few.sck() < 50
    assert dict(few.steps())["driver of SCK"] == 13.5


@pytest.mark.parametrize("worse", [{"gate": 450.0}, {"ribbon": 4.0}, {"slot_board": 400.0}])
def test_what_the_slower_step_cannot_carry_is_red_too(worse):
    with pytest.raises(
        checks.CheckError, match="MISO is .* ns late at 1 MHz: the Pico's pads 10, "
    ):
        checks.miso(MisoLine(10, **worse))


def test_the_ribbons_are_those_of_the_housing():
    line = MisoLine(6)
    assert len(line.lengths()) == 8
    bare = MisoLine(6, ribbon=0.0)
    assert line.miso() - bare.miso() == pytest.approx(0.06 * sum(line.lengths()))


def test_a_delay_between_two_supplies():
    assert between(2.0, (2.0, 145.0), (4.5, 29.0)) == pytest.approx(145)
    assert between(4.5, (2.0, 145.0), (4.5, 29.0)) == pytest.approx(29)
    assert 29 < between(miso_timing.SUPPLY, (2.0, 145.0), (4.5, 29.0)) < 145
