# SPDX-License-Identifier: MIT
"""The page on which people play, watch and replay matches. Python makes the HTML; a little
JavaScript shows it and sends clicks and keys back."""
