# SPDX-License-Identifier: MIT
"""The tests of the rules core pass on MicroPython VMs: the oldest that works, and the newest."""

import pytest

import vm

CORE = (
    "test_tiles",
    "test_houses",
    "test_match",
    "test_line_games",
    "test_tags",
    "test_lights",
) + ("test_journal_undo",)

pytestmark = pytest.mark.skipif(
    not vm.is_installed(), reason="the MicroPython VM is not installed: `make test` does it"
)


@pytest.mark.parametrize(
    "version", [vm.NEWEST, pytest.param(vm.VERSIONS[0], marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "module", [pytest.param(m, marks=[pytest.mark.slow] * (m == "test_lights")) for m in CORE]
)
def test_module(module, version):
    output = vm.run_vm([module], version=version)
    assert f"ok {module}." in output, output
