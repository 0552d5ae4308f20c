# SPDX-License-Identifier: MIT
"""Who sits at the table: bots, people, and what they hold."""
