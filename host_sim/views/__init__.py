# SPDX-License-Identifier: MIT
"""What people see: the story, pictures, scores and guides. All are made from the console's lines
alone."""
