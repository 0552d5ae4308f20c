# SPDX-License-Identifier: MIT
"""Whether a reader's answer reaches the Pico in time in the worst case, and what delays it."""

import pytest
from kicad_copies import part, remove, with_parts

from hardware import checks, guide_tables, miso_timing, s_expressions
from hardware.kicad_files import HUB12, HUB16
from hardware.miso_timing import MisoLine, between

BAUDS = (4_000_000, 1_000_000)


@pytest.mark.parametrize(("hub", "least"), [(HUB12, (20, 380)), (HUB16, (5, 380))])
def test_both_speeds_have_room(hub, least, capsys):
    line = miso_timing.fitted(hub)
    checks.miso(line)
    said = capsys.readouterr().out
    fast, slow = (line.margin(baud) for baud in BAUDS)
    assert fast > least[0]
    assert slow > least[1]
    assert "%.0f ns to spare at 4 MHz, %.0f ns to spare at 1 MHz" % (fast, slow) in said
    text = (checks.Path(checks.__file__).parent / "README.md").read_text()
    assert said.strip() in text, "what the check prints"
    assert "%.0f ns to spare at the 4 MHz of `BAUD`" % fast in text
    guide = guide_tables.FILE.read_text()
    assert hub is HUB12 or "%.0f ns to spare at the 4 MHz of `BAUD`" % fast in guide


def test_more_ribbons_and_longer_ones_are_later():
    margins = [MisoLine(stations).margin(4_000_000) for stations in (4, 7, 10)]
    assert margins == sorted(margins, reverse=True)
    assert MisoLine(10, ribbon=0.12).margin(4_000_000) < margins[-1] - 3


def test_a_slower_driver_is_red():
    with pytest.raises(checks.Wrong, match="late at 4 MHz: .*driver of SCK 62, ") as late:
        checks.miso(MisoLine(10, driver="74HC244"))
    assert "1 MHz" not in str(late.value), "the slower step can still carry it"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("74HC244", "MISO is .* ns late at 4 MHz"),
        ("CD4050", "U2: the delay of a CD4050 is not known"),
    ],
)
def test_the_driver_is_the_one_on_the_board(value, line):
    def change(tree):
        texts = {p[1]: p for p in s_expressions.find(part(tree, "U2"), "property")}
        texts["Value"][2] = s_expressions.Str(value)

    assert miso_timing.fitted() == MisoLine(driver="74AHC244", driver_ribbons=3)
    other = miso_timing.fitted(with_parts(HUB12, change))
    with pytest.raises(checks.Wrong, match=line):
        checks.miso(other)


def test_the_ribbons_of_a_driver_are_counted_on_the_board():
    fewer = remove("R21", "R24", "R27", "R30")  # one of each driver's three
    line = miso_timing.fitted(with_parts(HUB12, fewer))
    assert line.driver_ribbons == 2


def test_more_on_a_driver_is_later():
    four = MisoLine(driver_ribbons=4)
    # a ribbon of 150 mm, a reader's pin, what is on the slot board
    assert four.sck() - MisoLine().sck() == pytest.approx(9 + 10 + 12)
    later = MisoLine().margin(4_000_000) - four.margin(4_000_000)
    assert later == pytest.approx(3.1)
    # with little on it the datasheet's 50 pF count
    few = MisoLine(driver_ribbons=1, slot_board=0.0)
    assert few.sck() < 50
    assert dict(few.steps())["driver of SCK"] == 13.5


@pytest.mark.parametrize("worse", [{"gate": 450.0}, {"ribbon": 4.0}, {"slot_board": 400.0}])
def test_what_the_slower_step_cannot_carry_is_red_too(worse):
    with pytest.raises(checks.Wrong, match="MISO is .* ns late at 1 MHz: the Pico's pads 10, "):
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
