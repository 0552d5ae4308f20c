# SPDX-License-Identifier: MIT
from roundhouse.drivers.presence import Readers

def why(reader: Readers) -> str: ...
