# SPDX-License-Identifier: MIT
"""Whether the readers' regulator carries every field that the firmware may turn on."""

import pytest
from kicad_copies import part, with_parts

from hardware import checks, guide_tables, readers_supply, s_expressions
from hardware.kicad_files import HUB12, HUB16
from hardware.readers_supply import REGULATORS, Supply
from roundhouse import power_supply, settings


@pytest.mark.parametrize(
    ("hub", "line"),
    [
        (HUB12, "12 readers: 4 fields, 628 of 1500 mA, "),
        (HUB16, "16 readers: 4 fields, 704 of 1500 mA, "),
    ],
)
def test_the_board_carries_all_fields(hub, line, capsys):
    checks.readers(readers_supply.fitted(hub))
    said = capsys.readouterr().out
    assert said.startswith(line)
    text = (checks.Path(checks.__file__).parent / "README.md").read_text()
    assert said.strip() in text, "what the check prints"


def test_the_guide_tells_how_hot_it_gets():
    for words in (
        "turns\n%.1f W into heat" % Supply().heat(),
        "gets %.0f °C hot" % Supply().junction(),
    ):
        assert words in guide_tables.budget()
    larger = readers_supply.fitted(HUB16)
    guide = " ".join(guide_tables.FILE.read_text().split())
    words = larger.current(), REGULATORS[larger.regulator].most, larger.junction()
    assert "%.0f mA of the %.0f that U3 gives, and it gets %.0f °C hot" % words in guide


def test_as_many_fields_as_the_firmware_turns_on():
    most = max(fields for *_, fields in power_supply.OFFERS)
    assert readers_supply.fitted().fields == most == settings.NUMBERS["FIELDS"][1]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("LF33CDT", "4 fields draw 628 mA, LF33CDT gives 500"),
        ("AMS1117", "U3: what AMS1117 carries is not known"),
    ],
)
def test_the_regulator_is_the_one_on_the_board(value, line):
    def change(tree):
        texts = {p[1]: p for p in s_expressions.find(part(tree, "U3"), "property")}
        texts["Value"][2] = s_expressions.Str(value)

    with pytest.raises(checks.Wrong, match=line):
        checks.readers(readers_supply.fitted(with_parts(HUB12, change)))


@pytest.mark.parametrize(
    ("worse", "line"),
    [
        ({"fields": 12}, "LD29150DT33 gets .* degrees hot, it may be 125"),
        ({"thermal": 100.0}, "LD29150DT33 gets 149 degrees hot"),
        ({"least": 4.3}, "LD29150DT33 has 0.08 V too little"),
    ],
)
def test_what_it_cannot_carry_is_red(worse, line):
    with pytest.raises(checks.Wrong, match=line):
        checks.readers(Supply(**worse))


def test_three_fields_were_too_many_for_the_old_one():
    old = Supply("LF33CDT", fields=3)
    assert old.current() == 528 > REGULATORS["LF33CDT"].most
