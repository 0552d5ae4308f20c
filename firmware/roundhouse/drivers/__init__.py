# SPDX-License-Identifier: MIT
"""The only code that touches pins and buses."""
