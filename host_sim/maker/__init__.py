# SPDX-License-Identifier: MIT
"""The maker's tools: a hub's flash, self-test and tags over USB."""
