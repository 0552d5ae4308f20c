# SPDX-License-Identifier: MIT
"""Interfaces between the firmware's parts."""

import ast

from test_layers import FIRMWARE, PACKAGE

from host_sim.board.pico import build_firmware


def calls(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
            yield node


def test_what_boot_unloads_is_a_module():
    """Every module that boot.py unloads exists. A wrong name would make every start fail."""
    main = ast.parse((PACKAGE / "boot.py").read_text())
    names = [name.value for call in calls(main, "forget") for name in call.args]
    assert len(names) >= 5
    for name in names:
        path = PACKAGE / f"{name.replace('.', '/')}.py"
        only_frozen = (build_firmware.DEFAULT_CONFIG, build_firmware.RELEASED_FILES)
        assert path.is_file() or f"roundhouse/{path.name}" in only_frozen, name


def stores(tree):
    """Yield (object, name) of every `object.part.name = ...` and `object.name = ...`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield ast.unparse(node.value), node.attr


def test_the_hub_is_only_asked_by_its_methods():
    """Commands, cards and the self-test use only public names of the hub, and set no attribute
    of the hub."""
    for name in ("commands", "tag_writer", "selftest", "hub_builder"):
        tree = ast.parse((PACKAGE / f"{name}.py").read_text())
        assert not [to for to in stores(tree) if to[0] != "self"], name
        private = [
            ast.unparse(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and ast.unparse(node.value) != "self"
        ]
        assert not private, name
    hub = ast.parse((PACKAGE / "hub.py").read_text())
    face = {
        node.name
        for node in ast.walk(hub)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    parts = {"table", "slots", "wired", "reader", "strip", "journal", "feedback"}
    parts |= {"SENT", "READ", "PAUSE"}
    for name in ("commands", "tag_writer"):
        tree = ast.parse((PACKAGE / f"{name}.py").read_text())
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "hub"
        }
        assert used <= face | parts, name


def test_modules_keep_their_names():
    for path in FIRMWARE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert not [alias.asname for alias in node.names if alias.asname], path
