# SPDX-License-Identifier: MIT
"""The simulated hub: chips, buttons and lamps around the firmware, driven by table scripts."""

from typing import Any

ConsoleLine = dict[str, Any]  # a line of the hub's console: the JSON object that it printed
