# SPDX-License-Identifier: MIT
"""The simulator: the firmware as it is, on a simulated board, and all that plays and checks it.

The firmware is imported as on the board, so its folder is put on the path here.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "firmware"))
