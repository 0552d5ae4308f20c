# SPDX-License-Identifier: MIT
"""A small web server for the page, and the serial port of a real hub."""
