# SPDX-License-Identifier: MIT
"""The file system under the firmware, on a Pico its flash: all of it that the journal uses.

This module itself is handed to the journal; whatever has these three functions will do instead.
"""

import io
import os

open = io.open  # (path, mode) -> a file
listdir = os.listdir  # (folder) -> names
remove = os.remove  # (path)
