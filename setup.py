# SPDX-License-Identifier: MIT
"""Packs the simulator: the package host_sim with the firmware's files inside it, and the command
`roundhouse`. Everything else is in pyproject.toml."""

import re
from pathlib import Path

from setuptools import find_namespace_packages, find_packages, setup

INSIDE = "host_sim._firmware"  # host_sim/__init__.py looks for it
LOCK = Path("requirements/run.txt")  # the versions that are tested


def pinned() -> list[str]:
    """Return the requirements in the lock, without the hashes of their files."""
    lines = re.findall(r"^(\S+==[^\\\n]+?) *\\?$", LOCK.read_text(encoding="utf-8"), re.M)
    return [line.strip() for line in lines]


setup(
    install_requires=pinned(),
    packages=[
        *find_packages(include=["host_sim", "host_sim.*"]),
        INSIDE,
        *(INSIDE + "." + name for name in find_namespace_packages("firmware")),
    ],
    package_dir={INSIDE: "firmware"},
    package_data={
        "": ["*", "static/*", "pictures/*", "sentences/*/*", "licences/*", "stubs/*", "jit/*"]
    },
    exclude_package_data={"": ["*.pyc", "node_modules/*"]},
    entry_points={"console_scripts": ["roundhouse = host_sim.__main__:run_as_program"]},
)
