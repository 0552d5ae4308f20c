# SPDX-License-Identifier: MIT
"""Roundhouse, the firmware of the hub."""

VERSION = "1.1.0"
