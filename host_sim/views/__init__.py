# SPDX-License-Identifier: MIT
"""What people see: the story, the pictures, the scores and the guides. All of it is made only from
the lines that the hub prints on its console."""
