# SPDX-License-Identifier: MIT
"""What people see: the story, the pictures and the scores. It is made only from the
hub's console lines."""
