# SPDX-License-Identifier: MIT
"""Matches of people and bots, kept in folders."""
