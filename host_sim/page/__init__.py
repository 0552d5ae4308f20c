# SPDX-License-Identifier: MIT
"""The page on which people play, watch and replay matches. Python makes the page's HTML. A little
JavaScript in the browser shows the HTML and sends clicks and keys back."""
