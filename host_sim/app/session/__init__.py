# SPDX-License-Identifier: MIT
"""Matches of people and bots, saved in folders."""
