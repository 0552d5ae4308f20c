# SPDX-License-Identifier: MIT
"""What people see: the story, the pictures, the scores and the guides. It is made only from the
hub's console lines."""
