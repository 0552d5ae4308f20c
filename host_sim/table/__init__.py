# SPDX-License-Identifier: MIT
"""One model of the table, from the hub's lines: their form, their inputs, and where they come
from."""
