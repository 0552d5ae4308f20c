# SPDX-License-Identifier: MIT
"""Stand-ins for hardware, at register and pin level: they know neither firmware nor rules."""
