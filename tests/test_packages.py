# SPDX-License-Identifier: MIT
"""The packages: how their modules are named."""

import symtable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = sorted(
    path.parent
    for tree in ("firmware", "hardware", "host_sim")
    for path in (ROOT / tree).rglob("__init__.py")
)


def global_names(table):
    """Yield the global names that a symbol table and the tables within it use."""
    for symbol in table.get_symbols():
        if table.get_type() == "module" or symbol.is_global():
            yield symbol.get_name()
    for inner in table.get_children():
        yield from global_names(inner)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_no_name_that_its_package_uses(package):
    """Python binds a module's name in its package when the module is imported. What the package
    meant by this name is then gone."""
    path = package / "__init__.py"
    used = {*global_names(symtable.symtable(path.read_text(), str(path), "exec"))}
    modules = {one.stem for one in package.glob("*.py")} | {
        one.parent.name for one in package.glob("*/*.py")
    }
    taken = sorted(used & modules)
    assert not taken, "%s uses %s: name the modules otherwise" % (path.relative_to(ROOT), taken)
