# SPDX-License-Identifier: MIT
"""The page for players, and all that it shows, keeps and serves."""
