# SPDX-License-Identifier: MIT
"""Packs the simulator: the package host_sim with the firmware's files inside it, and the command
`roundhouse`. Everything else is in pyproject.toml."""

import re
import shutil
from pathlib import Path

from setuptools import find_namespace_packages, setup

INSIDE = "host_sim._firmware"  # host_sim/__init__.py looks for it
LEFT_OUT = ["*__pycache__", "*node_modules*"]
LOCK = Path("requirements/run.txt")  # the versions that are tested


def pinned() -> list[str]:
    """Return the requirements in the lock, without the hashes of their files."""
    lines = re.findall(r"^(\S+==[^\\\n]+?) *\\?$", LOCK.read_text(encoding="utf-8"), re.M)
    return [line.strip() for line in lines]


shutil.rmtree("build/lib", ignore_errors=True)  # setuptools would pack what an earlier build left
setup(
    install_requires=pinned(),
    packages=[
        # every folder: what has no __init__.py is files that the package reads
        *find_namespace_packages(include=["host_sim", "host_sim.*"], exclude=LEFT_OUT),
        INSIDE,
        *(INSIDE + "." + name for name in find_namespace_packages("firmware", exclude=LEFT_OUT)),
    ],
    package_dir={INSIDE: "firmware"},
    package_data={"": ["*"]},
    exclude_package_data={"": ["*.pyc"]},
    entry_points={"console_scripts": ["roundhouse = host_sim.__main__:run_as_program"]},
)
