# SPDX-License-Identifier: MIT
"""The page as a folder of static files. The whole simulated hub runs in the browser."""
