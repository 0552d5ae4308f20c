# SPDX-License-Identifier: MIT
"""A fixture that runs the reader's tests on chips of each habit (see MFRC522Chip)."""

import pytest

from host_sim.chips.mfrc522_chip import STICKY, STRICT, STROBE, MFRC522Chip

SLOW = [pytest.param(habit, marks=pytest.mark.slow) for habit in (STRICT, STROBE)]


@pytest.fixture(autouse=True, params=[STICKY, *SLOW])
def habit(request, monkeypatch):
    """Run a test with chips whose StartSend bit stays set (the default), whose bit does not, and
    which hang on sequences that no driver uses."""
    monkeypatch.setattr(MFRC522Chip, "habit", request.param)
    return request.param
