# SPDX-License-Identifier: MIT
"""A fixture that runs a test of the reader driver on chips of a given habit (see MFRC522Chip)."""

from collections.abc import Iterator

import pytest

from host_sim.board.chips.mfrc522_chip import STICKY, STRICT, STROBE, MFRC522Chip

HABITS = (STICKY, STRICT, STROBE)

# for a test that upsets STRICT chips: after that each habit goes its own way
each_habit = pytest.mark.parametrize("habit", HABITS, indirect=True)


@pytest.fixture(autouse=True)
def habit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test on STRICT chips, none of which may hang. With `each_habit`, the test runs once
    for each habit."""
    kind = getattr(request, "param", None)
    upset = set()
    hang = MFRC522Chip._hang

    def noted(chip: MFRC522Chip, what: str) -> None:
        upset.add(what)
        hang(chip, what)

    monkeypatch.setattr(MFRC522Chip, "habit", kind or STRICT)
    monkeypatch.setattr(MFRC522Chip, "_hang", noted)
    yield kind or STRICT
    assert kind or not upset, "it needs each_habit"
