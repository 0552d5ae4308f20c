# SPDX-License-Identifier: MIT
"""What people look at: drawn from the console's lines alone."""
