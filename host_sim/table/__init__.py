# SPDX-License-Identifier: MIT
"""The model of the table, which is made from the hub's lines. Also the form, the inputs and the
sources of these lines."""
