# SPDX-License-Identifier: MIT
"""Memory runs out, on the MicroPython VM, at every allocation of an input and of power-up."""
import os
import pytest
import vm

HEAP = 1 << 20

def sweep(names, share, first, version=vm.NEWEST):
    config = (vm.ROOT / "firmware" / "config.py").read_bytes()
    config = config.replace(b'WIRING = "hub12"', b'WIRING = "breadboard"')
    config = config.replace(b"STATIONS = 10", b"STATIONS = 4")
    script = f"import out_of_memory\ndef main():\n    yield from out_of_memory.sweep({names!r}, {share}, {first})\n"
    return vm.run_vm(files={"firmware/config.py": config}, script=script, version=version, heap=HEAP, timeout=int(os.environ.get("T", "3000")))

if __name__ == "__main__":
    import sys
    try:
        print(sweep(sys.argv[3:], int(sys.argv[1]), int(sys.argv[2])))
    except vm.Failed as f:
        print(f); sys.exit(1)
