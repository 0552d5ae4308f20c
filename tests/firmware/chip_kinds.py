# SPDX-License-Identifier: MIT
"""A fixture that runs the reader driver's tests on chips of each habit (see MFRC522Chip)."""

from collections.abc import Iterator

import pytest

from host_sim.chips.mfrc522_chip import STICKY, STRICT, STROBE, MFRC522Chip

HABITS = (STICKY, STRICT, STROBE)

# for a test that upsets STRICT chips: after that each habit goes its own way
each_habit = pytest.mark.parametrize("habit", HABITS, indirect=True)


@pytest.fixture(autouse=True)
def habit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test with STRICT chips, and check that none of them is upset. Any step in which two
    habits differ upsets a STRICT chip. So if none is upset, chips of the other habits behave in
    the same way in this test. With `each_habit`, run the test with chips of each habit, and allow
    them to be upset."""
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
