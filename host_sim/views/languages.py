# SPDX-License-Identifier: MIT
"""The languages there are: the folders of sentences/ that have a language.toml, English first."""

from pathlib import Path

FOLDER = Path(__file__).with_name("sentences")
REFERENCE = "en"  # what another language lacks is said in it

_found = sorted(path.parent.name for path in FOLDER.glob("*/language.toml"))
LANGUAGES = (REFERENCE, *(name for name in _found if name != REFERENCE))
