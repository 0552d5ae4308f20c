# SPDX-License-Identifier: MIT
"""The model of the table, which is made from the hub's lines. Other modules of this package
receive, check and parse the lines."""
