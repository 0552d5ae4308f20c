# SPDX-License-Identifier: MIT
"""Roundhouse, the firmware of the hub."""

VERSION = "0.2.0"
