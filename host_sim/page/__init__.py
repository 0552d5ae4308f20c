# SPDX-License-Identifier: MIT
"""The page on which to play, watch and replay. Python makes the page's HTML; a little JavaScript
in the browser shows the HTML and sends clicks and keys back."""
