# SPDX-License-Identifier: MIT
"""Views for people: story, pictures, scores and guides, made from the console's lines alone."""
