# SPDX-License-Identifier: MIT
"""A match recorded by the hub's journal gives the same states on a MicroPython VM, input by input.

The journal itself travels: its segments are read, resumed from and taken back there as well.
"""

import pytest

import vm
from host_sim import demo
from host_sim.board import Board

pytestmark = pytest.mark.skipif(
    not vm.is_installed(), reason="the MicroPython VM is not installed: `make test` does it"
)

REPLAY = """
import binascii
from roundhouse import journal, table

def main():
    t = table.Table()
    j = journal.Journal("recorded", t)
    print("resumed", j.resume())
    print(binascii.hexlify(t.state).decode())
    inputs = list(j.inputs())
    inputs.reverse()
    print(len(inputs), "inputs")
    t = table.Table()
    for kind, slot, value in inputs:
        verdict = t.apply(kind, slot, value, True)
        print(kind, slot, value, verdict, binascii.crc32(t.state), t.playable, t.due)
        yield
    print(binascii.hexlify(t.state).decode())
    for _ in range(100):  # over more than one segment
        print(j.take_back(), binascii.crc32(j.table.state))
        yield
"""


@pytest.mark.parametrize("house, set_, players", [("puremco", 9, 3), ("original", 6, 2)])
def test_a_recorded_match(tmp_path, house, set_, players):
    board = Board(folder=tmp_path)
    demo.play(house, set_, players, 20, 7, board=board)
    files = {f"recorded/{f.name}": f for f in tmp_path.glob("*.rhj")}
    assert len(files) > 3
    host = vm.run_python(files, REPLAY).splitlines()
    board_side = vm.run_vm(files=files, script=REPLAY).splitlines()
    assert len(host) > 250
    for number, (ours, theirs) in enumerate(zip(host, board_side)):
        assert ours == theirs, f"line {number}: CPython {ours}, MicroPython {theirs}"
    assert len(host) == len(board_side)
    assert host[1] == host[-101], "the journal's state is the state of all its inputs"
    assert host[1] == board.hub.table.state.hex()
