# SPDX-License-Identifier: MIT
"""What is printed or passed on: the players' guide, posters and the film of a match."""
