# SPDX-License-Identifier: MIT
"""What is kept and counted of people: their names, their own rule sheets, their evenings."""
