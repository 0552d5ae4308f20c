# SPDX-License-Identifier: MIT
"""A fixture for the tests of the reader: they run on chips of each habit (see MFRC522Chip)."""

import pytest

from host_sim.chips.mfrc522_chip import STICKY, STRICT, STROBE, MFRC522Chip

SLOW = [pytest.param(habit, marks=pytest.mark.slow) for habit in (STRICT, STROBE)]


@pytest.fixture(autouse=True, params=[STICKY, *SLOW])
def habit(request, monkeypatch):
    """StartSend stays set, as by default; it does not; and orders that no driver uses hang it."""
    monkeypatch.setattr(MFRC522Chip, "habit", request.param)
    return request.param
