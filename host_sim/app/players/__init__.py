# SPDX-License-Identifier: MIT
"""Matches in play: the deal, the hands, the bots, and the levels of the bots."""
