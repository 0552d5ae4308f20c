# SPDX-License-Identifier: MIT
"""The hub's hardware: pin map, circuit boards, housing, parts list and building guide."""

import sys
from pathlib import Path

# the power budget is the firmware's own
sys.path.append(str(Path(__file__).resolve().parent.parent / "firmware"))
