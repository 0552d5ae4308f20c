# SPDX-License-Identifier: MIT
"""The launcher of the MicroPython VM reports a failure on the VM as a failure on the host."""

import pytest

import vm

pytestmark = pytest.mark.skipif(
    not vm.is_installed(), reason="the MicroPython VM is not installed: `make test` does it"
)


def run_toy(source: str) -> str:
    return vm.run_vm(["toy"], {"tests/toy.py": source.encode()})


def failure_of(source: str) -> str:
    with pytest.raises(vm.Failed) as caught:
        run_toy(source)
    return str(caught.value)


@pytest.mark.parametrize("version, number", [(vm.NAMED, (1, 25)), (vm.NEWEST, (1, 29))])
def test_it_is_micropython(version, number):
    script = "import sys\nprint(sys.implementation[0], sys.implementation[1][:2])"
    assert vm.run_vm(script=script, version=version) == "micropython %s\n" % (number,)
    if version == vm.NAMED:
        said = "MicroPython %d.%d or newer" % number
        assert said in (vm.ROOT / "hardware" / "README.md").read_text()


def test_a_failing_test_shows_its_line_and_the_others_still_run():
    output = failure_of("def test_a():\n    x = 2\n    assert x == 3, x\ndef test_b(): pass")
    assert "FAIL toy.test_a\n" in output
    assert 'File "/tests/toy.py", line 3, in test_a\n    assert x == 3, x\n' in output
    assert "AssertionError: 2\n" in output
    assert "ok toy.test_b\n" in output


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_like_this", "ImportError: no module named 'nothing_like_this'"),
        ("import sys\ndef test_a(): sys.exit(0)", "SystemExit: 0"),
        ("def helper(): pass", "no tests in toy"),
    ],
)
def test_what_goes_wrong_is_a_failure(source, said):
    output = failure_of(source)
    assert "FAIL toy" in output
    assert said in output


def test_an_exception_in_a_script_is_a_failure():
    with pytest.raises(vm.Failed, match="(?s)before.*ValueError: torn"):
        vm.run_vm(script="print('before', end='')\nraise ValueError('torn')")
    with pytest.raises(vm.Failed, match="(?s)before.*ValueError: torn"):
        vm.run_vm(script="def main():\n  yield print('before')\n  raise ValueError('torn')")


def test_memory_is_counted_in_bytes():
    nothing = vm.measure("x = 1 + 2", times=10_000)
    garbage = vm.measure("bytearray(1000)", times=1000)
    kept = vm.measure("log.append(bytearray(1000))", setup="log = []", times=100)
    assert nothing == (0, 0)
    assert garbage.allocated >= 1_000_000 and garbage.kept < 3000  # a stale pointer or two
    assert kept.allocated >= 100_000 and 100_000 <= kept.kept < 110_000
