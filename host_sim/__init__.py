# SPDX-License-Identifier: MIT
"""The simulator: the unchanged firmware on a simulated board, with programs to play and check it.

The firmware's modules are imported under the same names as on the board, so this package adds the
firmware's folder to the import path.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "firmware"))
