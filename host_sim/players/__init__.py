# SPDX-License-Identifier: MIT
"""Matches as they are played: the deal, the hands, the bots and how well they play."""
