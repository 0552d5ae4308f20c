# SPDX-License-Identifier: MIT
"""The page behind a small server on this machine."""
