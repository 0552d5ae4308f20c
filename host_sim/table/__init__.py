# SPDX-License-Identifier: MIT
"""The model of the table, made from the hub's console lines."""
