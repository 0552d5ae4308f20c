# SPDX-License-Identifier: MIT
"""What the commands share: their arguments, what they need, and the folders they fill."""
