# SPDX-License-Identifier: MIT
"""The hub as things: pin map, circuit, board, housing, what to buy, how to build it."""

import sys
from pathlib import Path

# the power budget is the firmware's own
sys.path.append(str(Path(__file__).resolve().parent.parent / "firmware"))
