# SPDX-License-Identifier: MIT
"""Whether chip selects and reset reach the readers with an edge that these stand."""

import pytest
from kicad_copies import part, with_parts

from hardware import checks, edges, s_expressions
from hardware.edges import DECODERS, Decoder, Reset, overshoot
from hardware.kicad_files import HUB12, HUBS

PLAIN = DECODERS["74HC138"]


def valued(*refs, value):
    """Return hub12 with another value of some parts, without copper."""

    def change(tree):
        for ref in refs:
            texts = {p[1]: p for p in s_expressions.find(part(tree, ref), "property")}
            texts["Value"][2] = s_expressions.Str(value)

    return with_parts(HUB12, change)


@pytest.mark.parametrize("hub", HUBS, ids=lambda hub: hub.name)
def test_the_boards_edges_are_right(hub, capsys):
    checks.edge(hub)
    said = capsys.readouterr().out
    text = (checks.Path(checks.__file__).parent / "README.md").read_text()
    assert said.strip() in text, "what the check prints"


@pytest.mark.parametrize(
    ("hub", "line"),
    [
        (valued("U5", "U6", value="74AHC138"), "CS of 1: a 74AHC138 overshoots by "),
        (valued("U6", value="74LVC138"), "CS of E: a 74LVC138 overshoots by "),
        (valued("U5", value="CD4028"), "the edge of a CD4028 is not known"),
        (valued("R10", value="1000k"), "RST: low for -"),
    ],
)
def test_another_decoder_or_resistor_is_red(hub, line):
    wrong, _ = edges.verdict(hub)
    assert any(found.startswith(line) for found in wrong), wrong


def test_a_ribbon_that_is_too_long_is_red(monkeypatch):
    lengths = edges.select_lengths
    monkeypatch.setattr(
        edges, "select_lengths", lambda *of: {n: mm + 300 for n, mm in lengths(*of).items()}
    )
    with pytest.raises(checks.Wrong, match="CS of 5: a 74HC138 overshoots by"):
        checks.edge()


def test_the_longest_way_of_any_number_of_stations_counts():
    ways = edges.select_lengths(HUB12, edges.SLOT)
    # five stations have the longest ribbon to 5
    ribbon = edges.housing_plan.Plan(5).ribbons()["5"]
    tracks = edges._track(HUB12.board, "CS_5") + edges._track(edges.SLOT.board, "SDA")
    assert ways["5"] == ribbon + tracks


def test_a_wire_with_the_ohms_of_its_driver_does_not_ring():
    assert overshoot(Decoder(1.0, edges.WAVE), 300, 1.0) == pytest.approx(0, abs=0.02)
    # an open end of a wire without a load doubles what a driver without ohms sends
    assert overshoot(Decoder(0.1, 0.001), 1000, 0.01) == pytest.approx(edges.SUPPLY, rel=0.02)


def test_slower_shorter_and_weaker_overshoots_less():
    whole = overshoot(PLAIN, 300, 22)
    assert overshoot(PLAIN, 200, 22) < whole
    assert overshoot(Decoder(2 * PLAIN.rise, PLAIN.ohms), 300, 22) < whole
    assert overshoot(Decoder(PLAIN.rise, 2 * PLAIN.ohms), 300, 22) < whole


def test_more_ohms_are_slower():
    assert Reset(100).settled() == pytest.approx(74, abs=1)
    assert Reset(1000).settled() / Reset(100).settled() == pytest.approx(7.0)
