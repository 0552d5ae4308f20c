# SPDX-License-Identifier: MIT
"""The states of recorded matches are the same on CPython and on a MicroPython VM, after every
input.

The VM gets the journal's files, and takes back inputs, too.
"""

import json
import shutil
from pathlib import Path

import pytest

import vm
from host_sim.app.players import lamp_verified_match
from host_sim.board.hub.simulated_hub import SimulatedHub
from host_sim.lab import hub_adapters
from host_sim.lab.refereed_evening import Evening
from host_sim.table.games import house_info
from roundhouse import constants
from roundhouse.games import houses

pytestmark = pytest.mark.skipif(
    not vm.is_installed(), reason="the MicroPython VM is not installed: `make test` does it"
)

REPLAY = """
import binascii
from roundhouse import journal
from roundhouse.games import houses
from roundhouse.games.match import Match
from roundhouse.drivers import files

def replay(folder):
    t = Match()
    j = journal.Journal(files, folder, t)
    print(folder, "resumed", j.resume())
    print(binascii.hexlify(t.state).decode())
    print(len(list(j.inputs())), "inputs")
    number = j.number
    chain = []
    while number:
        chain.insert(0, number)
        number = j.read(number).back
    t = Match()
    for number in chain:
        segment = j.read(number)
        if segment.began or number == chain[0]:
            t.restore(segment.state)
            print("began", segment.began, binascii.crc32(t.state))
        live = segment.live
        for i in range(0, len(live), 3):
            kind, slot, value = live[i] >> 4, live[i] & 15, live[i + 1] | live[i + 2] << 8
            verdict = t.apply(kind, slot, value, True)
            print(kind, slot, value, verdict, binascii.crc32(t.state), t.playable, t.due)
            yield
    print(binascii.hexlify(t.state).decode())
    for _ in range(100):  # over more than one segment
        print(j.take_back(), binascii.crc32(j.table.state))
        yield

def main():
    houses.set_family(%r)
    for number in range(%d):
        yield from replay("recorded%%d" %% number)
"""


def on_both(folders, versions=vm.VERSIONS):
    """Replay journals on CPython and on VMs, which must agree; return the lines of CPython."""
    files = {f"recorded{n}/{f.name}": f for n, d in enumerate(folders) for f in d.glob("*.rhj")}
    script = REPLAY % (hub_adapters.FAMILY, len(folders))
    host = vm.run_python(files, script).splitlines()
    for version in versions:
        board_side = vm.run_vm(files=files, script=script, version=version).splitlines()
        for number, (ours, theirs) in enumerate(zip(host, board_side)):
            said = f"line {number}: CPython {ours}, MicroPython {version} {theirs}"
            assert ours == theirs, said
        assert len(host) == len(board_side)
    return host


def on_one_each(folders):
    """Replay half of the journals on each VM, which must agree with CPython; return the lines of
    CPython."""
    found = []
    for place, version in enumerate(vm.VERSIONS):
        found += on_both(folders[place :: len(vm.VERSIONS)], [version])
    return found


@pytest.mark.slow
def test_a_match_through_the_whole_firmware(tmp_path):
    board = SimulatedHub(folder=tmp_path)
    lamp_verified_match.play("puremco", 6, 3, 20, 7, board=board)
    host = on_both([tmp_path])
    assert len(host) > 350
    assert host[1] == host[-101], "the journal's state is the state of all its inputs"
    assert host[1] == board.hub.table.state.hex()


@pytest.mark.slow
def test_matches_that_1_0_0_kept(tmp_path):
    """The matches that 1.0.0 saved lead to the same bytes on MicroPython as on CPython."""
    folders = []
    for path in sorted((Path(__file__).parent / "firmware" / "of_1_0_0").glob("*.jsonl")):
        folders.append(tmp_path / path.stem)
        folders[-1].mkdir()
        for line in map(json.loads, path.read_text().splitlines()):
            if "segment" in line:
                data = bytes.fromhex(line["data"])
                (folders[-1] / ("%08d.rhj" % line["segment"])).write_bytes(data)
    assert len(folders) >= 10
    host = on_one_each(folders)
    assert len(host) > 100 * len(folders)
    assert not [line for line in host if line.endswith("resumed -1")]


def test_games_chosen_one_after_the_other(tmp_path):
    board = SimulatedHub(folder=tmp_path)
    for house in ("matador", "jassshop no-lock", "tiddle-a-wink"):
        board.command("house " + house)
        board.command("set 9")
        for seat in "134":
            board.press(seat)
        for tile in ("9-9", "9-1", "8-1", "9-2", "9-3"):
            board.tap(tile, "3")
        board.press("1")
        board.command("house quebec")  # refused
        board.hold("3")
        board.run(500)
        board.hub.input(constants.FORGET, 0, 0, "forget", constants.E)
    host = on_both([tmp_path])
    assert sum(line.startswith("began") for line in host) == 7
    assert any(line.startswith("(5, 0)") for line in host), "taken back there as well"


@pytest.mark.slow
def test_evenings_of_the_soak(tmp_path):
    """Matches of the soak test lead to the same bytes on MicroPython as on CPython. The houses
    include families' own, and the players are honest and dishonest."""
    houses.set_family(hub_adapters.FAMILY)
    folders = []
    for number, house in enumerate(houses.HOUSES):
        names = house_info.variant_words(number)
        said = house + " " + names[number % len(names)]
        hub = hub_adapters.CoreHub(said, 6, (2, 5, 9), number)
        Evening(hub, said, 6, (2, 5, 9), number).play(2)
        folders.append(tmp_path / house)
        shutil.copytree(hub.folder.name, folders[-1])
        hub.close()
    houses.set_family({})
    assert len(on_one_each(folders)) > 150 * len(folders)
