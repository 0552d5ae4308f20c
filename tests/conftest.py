# SPDX-License-Identifier: MIT
"""What every test leaves behind for the next one, whichever that is."""

import pytest

from roundhouse.games import houses


@pytest.fixture(autouse=True)
def only_the_sheets_houses():
    """A family's houses are the whole process's: a hub that was configured with some, or a soak,
    names them, and none of it may reach the next test."""
    yield
    houses.families({})
