# SPDX-License-Identifier: MIT
"""One page to play, watch and look back: pieces of it are made here, a shell in the browser shows
them and sends back what is clicked and typed."""
